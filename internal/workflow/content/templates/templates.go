// Package templates has the templates of the files of a planning folder, with placeholders {{name}} for ken to fill and hints in brackets
// for the author to replace. They are part of the program, because a template older than the code that reads the file would give
// unreadable files.
package templates

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"

	"ken/internal/workflow/plan/yamltree"
)

//go:embed files
var files embed.FS

// Names returns the names of all templates, with their folder: "summary.md", "codebase/stack.md".
func Names() []string {
	var list []string
	// The files are embedded, so walking them has no error.
	_ = fs.WalkDir(files, "files", func(at string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			list = append(list, strings.TrimPrefix(at, "files/"))
		}
		return err
	})
	slices.Sort(list)
	return list
}

// Text returns a template with its placeholders.
func Text(name string) (string, bool) {
	b, err := files.ReadFile("files/" + name)
	return string(b), err == nil
}

// Find returns the name of a template given with or without folder and ending, ignoring case; "" if there is none or more than one.
func Find(name string) string {
	name = strings.ToLower(strings.TrimPrefix(name, "templates/"))
	found := ""
	for _, n := range Names() {
		lower := strings.ToLower(n)
		switch {
		case n == name || lower == name || strings.TrimSuffix(lower, path.Ext(lower)) == name:
			return n
		case strings.TrimSuffix(path.Base(lower), path.Ext(lower)) == name && found == "":
			found = n
		case strings.TrimSuffix(path.Base(lower), path.Ext(lower)) == name:
			return "" // in two folders
		}
	}
	return found
}

// Placeholders returns the names of the placeholders of a template, each once, in order.
func Placeholders(text string) []string {
	var list []string
	for {
		_, rest, ok := strings.Cut(text, "{{")
		if !ok {
			return list
		}
		name, rest, ok := strings.Cut(rest, "}}")
		if !ok {
			return list
		}
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
		text = rest
	}
}

// Fill returns a template with values for its placeholders. A value becomes one line, in front matter quoted for YAML. It returns an
// error if there is no such template or a value is missing, because a file with a placeholder would be read as if it were filled.
func Fill(name string, values map[string]string) (string, error) {
	text, ok := Text(name)
	if !ok {
		return "", fmt.Errorf("there is no template %.60q", name)
	}
	front := 0
	if strings.HasPrefix(text, "---\n") {
		front = strings.Index(text[4:], "\n---\n") + 4
	}
	var b strings.Builder
	for at := 0; ; {
		from := strings.Index(text[at:], "{{")
		if from < 0 {
			b.WriteString(text[at:])
			return b.String(), nil
		}
		from += at
		length := strings.Index(text[from:], "}}")
		if length < 0 {
			return "", fmt.Errorf("template %s: a placeholder has no end", name)
		}
		key := text[from+2 : from+length]
		value, ok := values[key]
		if !ok {
			return "", fmt.Errorf("template %s: there is no value for %s", name, key)
		}
		// A line of its own could begin another field.
		value = strings.Join(strings.FieldsFunc(value, func(r rune) bool { return unicode.IsControl(r) || r == 0x2028 || r == 0x2029 }), " ")
		if from < front {
			value = yamltree.Quote(value)
		}
		b.WriteString(text[at:from])
		b.WriteString(value)
		at = from + length + 2
	}
}
