package scaffold

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/workflow/plan/argument"
	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/edit"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/yamltree"
)

// Updated is a key of front matter that was set.
type Updated struct {
	Updated bool   `json:"updated"`
	Field   string `json:"field"`
	Value   any    `json:"value"`
}

// Merged are the keys that were set together.
type Merged struct {
	Merged bool     `json:"merged"`
	Fields []string `json:"fields"`
}

// Validity reports whether a file has the keys that its kind needs.
type Validity struct {
	Valid   bool     `json:"valid"`
	Missing []string `json:"missing"`
	Present []string `json:"present"`
	Schema  string   `json:"schema"`
}

type frontmatterGetInput struct {
	File  string `arg:"FILE" help:"a file of the planning folder"`
	Field string `flag:"field" help:"this key alone"`
}

type frontmatterSetInput struct {
	File  string  `arg:"FILE" help:"a file of the planning folder"`
	Field string  `flag:"field" required:"yes" help:"the key"`
	Value *string `flag:"value" required:"yes" help:"text or JSON; null takes the key out"`
}

type frontmatterMergeInput struct {
	File string `arg:"FILE" help:"a file of the planning folder"`
	Data string `flag:"data" help:"an object of JSON"`
}

type frontmatterValidateInput struct {
	File   string `arg:"FILE" help:"a file of the planning folder"`
	Schema string `flag:"schema" enum:"plan,summary,verification" required:"yes" help:"the kind of file"`
}

func frontMatterOperations() []*planop.Operation {
	return []*planop.Operation{
		planop.Spec[frontmatterGetInput, map[string]any]{
			Name: "frontmatter get", Summary: "the front matter of a file, or a key of it",
			Run: getFrontMatter, Plain: plainFront,
		}.Operation(),
		planop.Spec[frontmatterSetInput, Updated]{
			Name: "frontmatter set", Summary: "set a key of front matter, and leave all else as it is", Writes: true,
			Run: setFrontMatter, Plain: func(Updated) string { return "true" },
		}.Operation(),
		planop.Spec[frontmatterMergeInput, Merged]{
			Name: "frontmatter merge", Summary: "set keys of front matter together", Writes: true,
			Run: mergeFrontMatter, Plain: func(Merged) string { return "true" },
		}.Operation(),
		planop.Spec[frontmatterValidateInput, Validity]{
			Name: "frontmatter validate", Summary: "whether front matter has the keys that its kind of file needs",
			Run: validateFrontMatter,
			Plain: func(a Validity) string {
				if a.Valid {
					return "valid"
				}
				return "invalid"
			},
		}.Operation(),
	}
}

// plainFront returns the only value of an object as JSON without blanks. If there are several values, it returns the whole object.
func plainFront(a map[string]any) string {
	var v any = a
	if len(a) == 1 {
		for _, only := range a {
			v = only
		}
	}
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(b)
}

// locateFile returns the path of a file from the planning folder. name is its path from the user's directory, or from the root of the
// project.
func locateFile(c *planop.Call, name string) (below string, err error) {
	project, err := c.Project()
	if err != nil {
		return "", err
	}
	root := filepath.Join(project, folder.Name)
	at := filepath.FromSlash(name)
	if !filepath.IsAbs(at) {
		at = filepath.Join(c.Dir, at)
		if _, err := os.Lstat(at); errors.Is(err, fs.ErrNotExist) {
			at = filepath.Join(project, filepath.FromSlash(name))
		}
	}
	real, err := argument.CheckPath(root, at)
	if name == "" || err != nil {
		return "", planop.Faultf("path_outside", "%.80q is not a file in %s", name, folder.Name)
	}
	base, err := filepath.EvalSymlinks(root)
	if err != nil {
		return "", err
	}
	if real, err = filepath.Rel(base, real); err != nil {
		return "", err
	}
	return filepath.ToSlash(real), nil
}

// frontMatter returns the front matter of a file, or nil if it has none.
func frontMatter(c *planop.Call, name string) (*yamltree.Tree, error) {
	below, err := locateFile(c, name)
	if err != nil {
		return nil, err
	}
	f, err := c.Folder()
	if err != nil {
		return nil, err
	}
	text, err := f.ReadRoot(below)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fileNotFound(name)
	}
	if err != nil {
		return nil, err
	}
	return document.Parse(text).FrontMatter(), nil
}

func fileNotFound(name string) error {
	return planop.NewValueFault("file_not_found", "File not found", "path", name)
}

func getFrontMatter(_ context.Context, c *planop.Call, in *frontmatterGetInput) (map[string]any, error) {
	tree, err := frontMatter(c, in.File)
	if err != nil {
		return nil, err
	}
	out := map[string]any{}
	if tree != nil {
		for _, p := range tree.Root.Pairs {
			out[p.Key] = p.Value.JSONValue()
		}
	}
	field := in.Field
	if field == "" {
		return out, nil
	}
	v, ok := out[field]
	if !ok {
		fault := planop.NewValueFault("field_not_found", "Field not found", "field", field)
		for key := range out {
			fault.Near = append(fault.Near, key)
		}
		slices.Sort(fault.Near)
		return nil, fault
	}
	return map[string]any{field: v}, nil
}

func setFrontMatter(ctx context.Context, c *planop.Call, in *frontmatterSetInput) (Updated, error) {
	field := in.Field
	if field == "" || in.Value == nil {
		return Updated{}, planop.Usagef("--field and --value are missing")
	}
	var value any
	if argument.JSON("--value", *in.Value, &value) != nil {
		value = *in.Value
	}
	err := putFields(ctx, c, in.File, []string{field}, map[string]any{field: value})
	return Updated{true, field, value}, err
}

func mergeFrontMatter(ctx context.Context, c *planop.Call, in *frontmatterMergeInput) (Merged, error) {
	var data map[string]any
	if err := argument.JSON("--data", in.Data, &data); err != nil {
		return Merged{}, planop.Usagef("%s", err.Error())
	}
	fields := argument.ObjectNames(in.Data)
	if fields == nil {
		fields = []string{}
	}
	return Merged{true, fields}, putFields(ctx, c, in.File, fields, data)
}

// putFields sets keys in the front matter of a file.
func putFields(ctx context.Context, c *planop.Call, file string, fields []string, values map[string]any) error {
	for _, name := range fields {
		if err := argument.CheckField(name); err != nil {
			return planop.Usagef("%s", err.Error())
		}
	}
	below, err := locateFile(c, file)
	if err != nil {
		return err
	}
	_, err = c.Change(ctx, c.Name+" "+below, func(read change.Read) ([]change.File, error) {
		text, there, err := read(below)
		switch {
		case err != nil:
			return nil, err
		case !there:
			return nil, fileNotFound(file)
		}
		after, err := WithFields(text, fields, values)
		if err != nil || after == text {
			return nil, err
		}
		return []change.File{{Name: below, Text: &after}}, nil
	})
	return err
}

// WithFields returns a text with other values for keys of its front matter. The value nil removes a key. A text without front matter
// gets some. All other bytes stay. It fails with a *planop.Fault if the text has a merge conflict, unclosed front matter or a key that
// cannot be set.
func WithFields(text string, fields []string, values map[string]any) (string, error) {
	for _, name := range fields {
		doc := document.Parse(text)
		if line := doc.ConflictLine(); line > 0 {
			return "", planop.Faultf("conflict", "line %d begins an unresolved merge conflict: nothing is written", line)
		}
		tree, value := doc.FrontMatter(), values[name]
		if tree == nil {
			if doc.LineCount() > 0 && strings.TrimRight(doc.Line(0), " \t") == "---" {
				return "", planop.Faultf("frontmatter_open", "the front matter has no closing line ---: nothing is written")
			}
			if value == nil {
				continue
			}
			text = withEmptyFrontMatter(text, doc.Newline())
			tree = document.Parse(text).FrontMatter()
		}
		var edits []edit.Edit
		var err error
		if value == nil {
			edits = tree.Delete(name)
		} else if edits, err = tree.Set(name, value, doc.Newline()); err != nil {
			return "", planop.Faultf("field_unreadable", "%s: %s", name, err.Error())
		}
		if text, err = edit.Apply(text, edits); err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
	}
	return text, nil
}

// withEmptyFrontMatter returns a text with empty front matter at its beginning.
func withEmptyFrontMatter(text, newline string) string {
	mark := ""
	if rest, ok := strings.CutPrefix(text, "\ufeff"); ok {
		mark, text = "\ufeff", rest
	}
	return mark + "---" + newline + "---" + newline + newline + text
}

func validateFrontMatter(_ context.Context, c *planop.Call, in *frontmatterValidateInput) (Validity, error) {
	keys := artefact.RequiredKeys(in.Schema)
	if keys == nil {
		return Validity{}, planop.Usagef("--schema is missing")
	}
	tree, err := frontMatter(c, in.File)
	if err != nil {
		return Validity{}, err
	}
	v := Validity{Missing: []string{}, Present: []string{}, Schema: in.Schema}
	for _, key := range keys {
		if tree != nil && tree.Pair(key) != nil {
			v.Present = append(v.Present, key)
		} else {
			v.Missing = append(v.Missing, key)
		}
	}
	v.Valid = len(v.Missing) == 0
	return v, nil
}
