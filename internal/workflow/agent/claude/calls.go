package claude

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"ken/internal/statefile"
	"ken/internal/workflow/agent"
	"ken/internal/workflow/install/jsonedit"
)

// Call is a command that Claude Code's settings run.
type Call struct {
	Event   string     // in Claude Code's notation; "" is the status line
	Kind    agent.Kind // that ken install registers for the command, "" if it is not one of ken's
	Program string     // as written in the settings
	// Odd is the difference from the form that ken install writes, or "".
	Odd string
}

// Calls are the commands that one settings file runs.
type Calls struct {
	Ken    []Call // hooks of ken, and its status line
	Others int    // hooks of other programs
	// Leftovers are commands of get-shit-done, whose hooks do what ken's do.
	Leftovers []string
	// OtherStatusLine: there is a status line of another program.
	OtherStatusLine bool
	Off             string // the key that turns all hooks off, or ""
}

// Source is a file that Claude Code reads hooks from.
type Source struct {
	Name string // managed, user, project, local or plugin
	Path string
}

// Sources returns the settings files for a project, those of the user included.
func (o Options) Sources() []Source {
	var out []Source
	if path := managedSettings(); path != "" {
		out = append(out, Source{"managed", path})
	}
	for _, s := range []Scope{User, Project, Local} {
		if o.Scope = s; o.Root != "" || s == User {
			out = append(out, Source{string(s), o.settingsFile()})
		}
	}
	return out
}

// managedSettings returns the settings file of an administrator; "" on a system without one.
func managedSettings() string {
	switch runtime.GOOS {
	case "linux":
		return "/etc/claude-code/managed-settings.json"
	case "darwin":
		return "/Library/Application Support/ClaudeCode/managed-settings.json"
	}
	return ""
}

// PluginHooks returns the file with the hooks of a plugin, in the plugin's folder.
func PluginHooks(dir string) Source {
	return Source{"plugin", filepath.Join(dir, "hooks", "hooks.json")}
}

// Calls reads a source. It returns an error if the file is missing (fs.ErrNotExist), not regular, too large, or not valid settings.
func (s Source) Calls() (Calls, error) {
	text, err := statefile.ReadFollow(s.Path, maxSettings)
	if err != nil {
		return Calls{}, err
	}
	return parseCalls(text)
}

func parseCalls(text []byte) (out Calls, err error) {
	for _, key := range []string{"disableAllHooks", "allowManagedHooksOnly"} {
		value, err := jsonedit.Value(text, key)
		if err != nil {
			return out, err
		}
		if string(jsonedit.StandardJSON(value)) == "true" {
			out.Off = key
		}
	}
	line, err := jsonedit.Value(text, statusLineKey)
	if err != nil {
		return out, err
	}
	if isKenStatusLine(line) {
		out.Ken = append(out.Ken, statusCall(statusCommand(line)))
	} else {
		out.OtherStatusLine = line != nil
		out.addLeftover(statusCommand(line))
	}
	raw, err := jsonedit.Value(text, "hooks")
	if err != nil || raw == nil {
		return out, err
	}
	var events map[string][]struct {
		Hooks []handler `json:"hooks"`
	}
	if err := json.Unmarshal(jsonedit.StandardJSON(raw), &events); err != nil {
		return out, fmt.Errorf("its hooks are not of the form that Claude Code reads: %w", err)
	}
	for _, event := range slices.Sorted(maps.Keys(events)) {
		for _, g := range events[event] {
			for _, h := range g.Hooks {
				out.addHook(event, h)
			}
		}
	}
	return out, nil
}

// addHook adds a hook, and adds it to ken's own hooks if it looks like one.
func (c *Calls) addHook(event string, h handler) {
	call := Call{Event: event, Program: h.Command}
	switch {
	case len(h.Args) == 3 && h.Args[0] == "hook" && h.Args[1] == "claude":
		for _, e := range hooks {
			if e.name == event && string(e.kind) == h.Args[2] {
				call.Kind = e.kind
			}
		}
		if call.Kind == "" {
			call.Odd = fmt.Sprintf("its arguments are for %s, and it is registered for %s", h.Args[2], event)
		}
	case strings.Contains(h.Command+" "+strings.Join(h.Args, " "), "hook claude "):
		call.Odd = "it is not in the form that ken install writes"
	default:
		c.Others++
		c.addLeftover(strings.Join(append([]string{h.Command}, h.Args...), " "))
		return
	}
	c.Ken = append(c.Ken, call)
}

// addLeftover adds a command if it runs a script of get-shit-done: one whose name begins with gsd-.
func (c *Calls) addLeftover(command string) {
	for _, word := range strings.FieldsFunc(command, func(r rune) bool { return strings.ContainsRune(`/\ "'`, r) }) {
		if strings.HasPrefix(word, "gsd-") && !slices.Contains(c.Leftovers, word) {
			c.Leftovers = append(c.Leftovers, word)
			return
		}
	}
}

// statusCall returns ken's status line as a call.
func statusCall(command string) Call {
	program := strings.TrimSuffix(strings.TrimSpace(command), " statusline")
	plain := strings.ReplaceAll(strings.Trim(program, "'"), `'\''`, "'")
	call := Call{Program: plain}
	if ShellWord(plain) != program {
		call.Odd = "it is not in the form that ken install writes"
	}
	return call
}

// MissingEvents returns the kinds of events that ken install registers and that no call is for.
func MissingEvents(calls []Call) (out []agent.Kind) {
	for _, e := range hooks {
		if !slices.ContainsFunc(calls, func(c Call) bool { return c.Kind == e.kind }) {
			out = append(out, e.kind)
		}
	}
	return out
}
