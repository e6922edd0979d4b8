// Package argument checks the arguments of planning operations: paths, numbers of phases, names of fields, texts for a command line, JSON
// and texts that go into files an agent reads. Agents write these, often from text of others, so each may be an attempt to reach another
// file, another command or the agent itself.
package argument

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"ken/internal/workflow/plan/phaseid"
)

// MaxJSON is the maximal length of JSON in an argument. No real set of fields is longer.
const MaxJSON = 1 << 20

// CheckPath returns the absolute path of a file that must be in dir, without links. It returns an error if the path, or the target of a
// link, is not in dir. For a path that does not exist yet, its nearest existing parent is checked.
func CheckPath(dir, name string) (string, error) {
	switch {
	case name == "":
		return "", errors.New("the path is empty")
	case strings.ContainsFunc(name, unicode.IsControl):
		return "", fmt.Errorf("the path %.80q has control characters", name)
	}
	base, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", err
	}
	at := filepath.FromSlash(name)
	if !filepath.IsAbs(at) {
		at = filepath.Join(dir, at)
	}
	real, err := resolveLinks(filepath.Clean(at))
	if err != nil {
		return "", fmt.Errorf("the path %.80q: %w", name, err)
	}
	if rel, err := filepath.Rel(base, real); err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("the path %.80q leads out of %s", name, dir)
	}
	return real, nil
}

// resolveLinks returns a path without links. Only its existing part can contain links.
func resolveLinks(at string) (string, error) {
	real, err := filepath.EvalSymlinks(at)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return real, err
	}
	if st, err := os.Lstat(at); err == nil && st.Mode()&fs.ModeSymlink != 0 {
		return "", errors.New("is a link to nothing") // making the file would make the link's target
	}
	parent := filepath.Dir(at)
	if parent == at {
		return at, nil
	}
	if real, err = resolveLinks(parent); err != nil {
		return "", err
	}
	return filepath.Join(real, filepath.Base(at)), nil
}

// CheckCommand checks a text that becomes one argument of a command line which an agent runs. It returns an error if the text is empty or
// has a null byte, $( or a backquote, because a shell would run those even inside double quotes.
func CheckCommand(text string) error {
	switch {
	case text == "":
		return errors.New("the argument is empty")
	case strings.ContainsRune(text, 0):
		return errors.New("the argument has a null byte")
	case strings.Contains(text, "$(") || strings.Contains(text, "`"):
		return fmt.Errorf("the argument %.80q has a command that a shell would run", text)
	}
	return nil
}

// JSON decodes one JSON value. label is the name of the argument in errors, such as "--fields". It returns an error if the text is
// empty, too long, not JSON or more than one value.
func JSON(label, text string, into any) error {
	switch {
	case strings.TrimSpace(text) == "":
		return fmt.Errorf("%s: is empty", label)
	case len(text) > MaxJSON:
		return fmt.Errorf("%s: %d bytes exceed the limit of %d", label, len(text), MaxJSON)
	}
	d := json.NewDecoder(strings.NewReader(text))
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("%s: not JSON: %w", label, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: something follows the JSON", label)
	}
	return nil
}

// ObjectNames returns the names of a JSON object in the order of the text, which a map does not keep.
func ObjectNames(text string) []string {
	d := json.NewDecoder(strings.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	var names []string
	for d.More() {
		t, err := d.Token()
		name, ok := t.(string)
		if err != nil || !ok {
			return names
		}
		names = append(names, name)
		var skipped json.RawMessage
		if d.Decode(&skipped) != nil {
			return names
		}
	}
	return names
}

// The maximal lengths of a phase number and of a name in its place.
const (
	maxDigits = 4
	maxName   = 30
)

// Phase reads a phase number: 1, 01, 12A, 2.1, or a name like PROJ-42. It returns an error if text is not one.
func Phase(text string) (phaseid.ID, error) {
	text = strings.TrimSpace(text)
	id, ok := phaseid.Parse(text)
	switch {
	case !ok || len(text) > maxName || len(id.Digits) > maxDigits:
	case id.Custom != "" && !isCustom(id.Custom):
	default:
		return id, nil
	}
	return phaseid.ID{}, fmt.Errorf("%.60q is not a phase number; it is like 3, 2.1, 03A or PROJ-42", text)
}

// isCustom reports whether a text has the form of a name that is used instead of a phase number: two to five words of letters and
// digits, joined by dashes, beginning with a letter.
func isCustom(name string) bool {
	words := strings.Split(name, "-")
	if len(words) < 2 || len(words) > 5 {
		return false
	}
	for _, w := range words {
		if w == "" || strings.Trim(strings.ToLower(w), "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
			return false
		}
	}
	return name[0] > '9'
}

const maxField = 61

// CheckField checks the name of a field of STATE.md or of front matter. It fails unless the name is a letter followed by letters, digits,
// blanks, and _ . - /.
func CheckField(name string) error {
	rest := strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789 _.-/")
	begins := name != "" && 'a' <= name[0]|0x20 && name[0]|0x20 <= 'z'
	if !begins || len(name) > maxField || rest != "" {
		return fmt.Errorf("%.80q is not a field name", name)
	}
	for _, c := range []byte(name) {
		if c != ' ' && (c < '-' || c > 'z') {
			return fmt.Errorf("%.80q is not a field name", name)
		}
	}
	return nil
}
