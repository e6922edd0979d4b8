// Package configure declares the operations on config.json of a planning folder: making it, reading and setting a key. The keys are
// defined in package settings.
package configure

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"ken/internal/workflow/plan/argument"
	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/edit"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/settings"
)

// file is the name of the settings file in the planning folder or a workstream.
const file = "config.json"

type jsonInput struct {
	JSON string `arg:"[JSON]" help:"an object of the keys that were chosen"`
}

type configSetInput struct {
	Key   string `arg:"KEY" help:"a key with its sections: workflow.research"`
	Value string `arg:"VALUE" help:"true, false, a number, a text, JSON, or null for none"`
}

type configGetInput struct {
	Key     string  `arg:"KEY" help:"a key with its sections: workflow.research"`
	Default *string `flag:"default" help:"the answer for a key that the file does not set"`
}

// All returns the operations of this package.
func All() []*planop.Operation {
	return []*planop.Operation{
		planop.Spec[jsonInput, Created]{
			Name: "config-new-project", Also: []string{"config new-project"},
			Summary: "make config.json out of the defaults and what was chosen", Writes: true, Anywhere: true,
			Run: func(ctx context.Context, c *planop.Call, in *jsonInput) (Created, error) {
				return createConfig(ctx, c, in.JSON)
			},
			Plain: Created.plain,
		}.Operation(),
		planop.Spec[planop.NoInput, Created]{
			Name: "config-ensure-section", Also: []string{"config ensure-section"},
			Summary: "make config.json out of the defaults, if there is none", Writes: true, Anywhere: true,
			Run: func(ctx context.Context, c *planop.Call, _ *planop.NoInput) (Created, error) {
				return createConfig(ctx, c, "")
			},
			Plain: Created.plain,
		}.Operation(),
		planop.Spec[configSetInput, Updated]{
			Name: "config-set", Also: []string{"config set"}, Summary: "set a key of config.json", Writes: true,
			Run: setKey,
			Plain: func(u Updated) string {
				return u.Key + "=" + Plain(u.Value)
			},
		}.Operation(),
		planop.Spec[configGetInput, any]{
			Name: "config-get", Also: []string{"config get"}, Summary: "the value of a key of config.json, or its default",
			Run: getKey, Plain: Plain, Page: func(a any) string { return Plain(a) + "\n" },
		}.Operation(),
		planop.Spec[planop.NoInput, Place]{
			Name: "config-path", Also: []string{"config path"}, Summary: "where config.json is, from the root of the project",
			Run: func(_ context.Context, c *planop.Call, _ *planop.NoInput) (Place, error) {
				f, err := c.Folder()
				if err != nil {
					return Place{}, err
				}
				at := f.Path(file)
				if c.Original { // gsd-tools names it from the root of the disk
					project, err := c.Project()
					if err != nil {
						return Place{}, err
					}
					at = filepath.Join(project, filepath.FromSlash(at))
				}
				return Place{Path: at}, nil
			},
			Bare: true, Plain: func(a Place) string { return a.Path },
		}.Operation(),
	}
}

// Place is the path of the settings.
type Place struct {
	Path string `json:"path"`
}

// Created reports whether config.json was made.
type Created struct {
	Created  bool     `json:"created"`
	Path     string   `json:"path,omitempty"`
	Reason   string   `json:"reason,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
}

func (a Created) plain() string {
	if a.Created {
		return "created"
	}
	return "exists"
}

// Updated is a key that was set.
type Updated struct {
	Updated  bool   `json:"updated"`
	Key      string `json:"key"`
	Value    any    `json:"value"`
	Previous any    `json:"previousValue,omitempty"`
}

// createConfig makes config.json, and a planning folder if there is none.
func createConfig(ctx context.Context, c *planop.Call, choices string) (Created, error) {
	var chosen map[string]any
	if strings.TrimSpace(choices) != "" {
		if err := argument.JSON("JSON", choices, &chosen); err != nil {
			return Created{}, planop.Usagef("%s", err.Error())
		}
	}
	text, warnings, err := composeConfig(c, chosen)
	if err != nil {
		return Created{}, planop.Usagef("%s", err.Error())
	}
	_, err = c.Folder()
	if missing := errors.Is(err, folder.ErrNone) || errors.Is(err, fs.ErrNotExist); missing && c.DryRun {
		return Created{Created: true, Path: folder.Name + "/" + file, Warnings: warnings}, nil
	}
	if _, err := c.Begin(); err != nil {
		return Created{}, err
	}
	f, err := c.Folder()
	if err != nil {
		return Created{}, err
	}
	name, err := c.PathBelowPlanning(file)
	if err != nil {
		return Created{}, err
	}
	answer := Created{Created: true, Path: f.Path(file), Warnings: warnings}
	_, err = c.Change(ctx, c.Name, func(read change.Read) ([]change.File, error) {
		if _, there, err := read(name); there || err != nil {
			answer = Created{Reason: "already_exists"}
			return nil, err
		}
		return []change.File{{Name: name, Text: &text}}, nil
	})
	return answer, err
}

func setKey(ctx context.Context, c *planop.Call, in *configSetInput) (Updated, error) {
	key := in.Key
	k, ok := settings.Find(key)
	if !ok {
		_, err := settings.Parse("").Set(key, nil)
		return Updated{}, planop.Usagef("%s; \"ken plan config-get KEY\" reads one, docs/planning-settings.md lists them", err.Error())
	}
	value := keyValue(k, in.Value)
	name, err := c.PathBelowPlanning(file)
	if err != nil {
		return Updated{}, err
	}
	answer := Updated{Updated: true, Key: key, Value: value}
	_, err = c.Change(ctx, "config-set "+key, func(read change.Read) ([]change.File, error) {
		text, _, err := read(name)
		if err != nil {
			return nil, err
		}
		s := settings.Parse(text)
		if s.Unreadable() {
			return nil, settingsError(s)
		}
		answer.Previous = s.Section(key)
		edits, err := s.Set(key, value)
		if err != nil {
			return nil, planop.Usagef("%s", err.Error())
		}
		after, err := edit.Apply(text, edits)
		if err != nil || after == text {
			return nil, err
		}
		return []change.File{{Name: name, Text: &after}}, nil
	})
	return answer, err
}

// keyValue returns a value in the form that its key takes: digits stay a string if the key takes strings.
func keyValue(k *settings.Key, text string) any {
	switch {
	case text == "null":
		return nil
	case k.Kind == settings.Text || k.Kind == settings.Choice:
		return text
	case text == "true" || text == "false":
		return text == "true"
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil && !math.IsInf(n, 0) && !math.IsNaN(n) {
		return n
	}
	if strings.HasPrefix(text, "[") || strings.HasPrefix(text, "{") {
		var v any
		if argument.JSON("VALUE", text, &v) == nil {
			return v
		}
	}
	return text
}

func getKey(_ context.Context, c *planop.Call, in *configGetInput) (any, error) {
	key := in.Key
	s, err := c.Settings()
	if err != nil {
		return nil, err
	}
	if s.Unreadable() {
		return nil, settingsError(s)
	}
	if v := s.Section(key); v != nil {
		return v, nil
	}
	if in.Default != nil {
		return *in.Default, nil
	}
	if v, ok := s.Get(key); ok && v != nil {
		return v, nil
	}
	if _, ok := settings.Find(key); ok {
		return nil, notFoundError(key + " is not set and has no default")
	}
	_, err = settings.Parse("").Set(key, nil)
	return nil, notFoundError(err.Error())
}

func settingsError(s *settings.Settings) error {
	return &planop.Fault{Reason: "config_parse_failed", Message: file + " cannot be read: " + s.Problems()[0].Error(), Ends: true}
}

func notFoundError(message string) error {
	return &planop.Fault{Reason: "config_key_not_found", Message: message, Ends: true}
}

// Plain returns a value as plain text, for the flag --raw: a list with commas, an object as JSON.
func Plain(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case string:
		return v
	case []any:
		parts := make([]string, len(v))
		for i := range v {
			parts[i] = Plain(v[i])
		}
		return strings.Join(parts, ",")
	case map[string]any:
		b, err := json.Marshal(v)
		if err != nil {
			return ""
		}
		return string(b)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return fmt.Sprint(value)
}
