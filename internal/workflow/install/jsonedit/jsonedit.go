// Package jsonedit adds values to JSON files of other programs and removes them again without touching another byte: comments, the order
// of keys, indentation, line ends, the byte order mark and the end of the file stay as they are. encoding/json cannot do that, because it
// keeps values and not their text.
//
// A scanner of its own finds the byte positions of keys and values (scan.go); add.go and remove.go choose those at which text is added or
// removed. It accepts what encoding/json accepts, and comments and trailing commas, because the programs that read such files do. Its
// neighbour is package install, which reads and replaces the files.
package jsonedit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"unicode/utf8"
)

// SyntaxError reports the position at which a text is not valid JSON.
type SyntaxError struct {
	Line, Column int // both count from 1; columns are characters
	Reason       string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Reason)
}

// errChanged is returned if an edit gave a wrong result: a bug of this package, found before the file is written.
var errChanged = errors.New("the edit would damage the file, so nothing was written")

// syntaxError returns a SyntaxError for a byte of a text.
func syntaxError(text []byte, at int, format string, args ...any) error {
	before := text[:min(at, len(text))]
	line := 1 + bytes.Count(before, []byte("\n"))
	start := bytes.LastIndexByte(before, '\n') + 1
	column := before[start:]
	if start == 0 {
		column = bytes.TrimPrefix(column, byteOrderMark)
	}
	return &SyntaxError{Line: line, Column: 1 + utf8.RuneCount(column), Reason: fmt.Sprintf(format, args...)}
}

// byteOrderMark is the byte order mark of UTF-8.
var byteOrderMark = []byte("\xEF\xBB\xBF")

// StandardJSON returns a value without comments and trailing commas, as encoding/json needs it.
func StandardJSON(raw []byte) []byte {
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); {
		switch c := raw[i]; {
		case c == '"':
			end := stringEnd(raw, i)
			out = append(out, raw[i:end]...)
			i = end
		case c == '/':
			i = max(commentEnd(raw, i), i+1)
		case c == ',' && bracketFollows(raw, i+1):
			i++
		default:
			out = append(out, c)
			i++
		}
	}
	return out
}

// bracketFollows reports whether only blanks and comments come before a closing bracket.
func bracketFollows(raw []byte, at int) bool {
	for at < len(raw) {
		switch c := raw[at]; {
		case isBlank(c):
			at++
		case c == '/':
			at = max(commentEnd(raw, at), at+1)
		default:
			return c == ']' || c == '}'
		}
	}
	return false
}

// stringEnd returns the end of the string that begins at a byte; the text must be valid.
func stringEnd(raw []byte, at int) int {
	for i := at + 1; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(raw)
}

// Equal reports whether two values have the same meaning.
func Equal(a, b []byte) bool {
	x, err := decode(a)
	if err != nil {
		return false
	}
	y, err := decode(b)
	return err == nil && reflect.DeepEqual(x, y)
}

func decode(raw []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(StandardJSON(raw)))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

// FoundEntry is an element of an array that runs one of the searched commands.
type FoundEntry struct {
	Argv []string
	Raw  []byte // as the file has it
}

// Entries returns the elements of the array at keys in which one of the commands is run: the element itself or an object in it has it as
// "command" and "args". It returns none if there is no such array, and fails with a *SyntaxError if the text is not a JSON object.
func Entries(text []byte, keys []string, argvs [][]string) ([]FoundEntry, error) {
	d, err := parseDocument(text, keys[0])
	if err != nil {
		return nil, err
	}
	n := d.root
	for _, k := range keys {
		if n = n.member(k); n == nil {
			return nil, nil
		}
	}
	if n.kind != '[' {
		return nil, nil
	}
	var out []FoundEntry
	for _, element := range n.children {
		for _, argv := range d.commands(element) {
			if slices.ContainsFunc(argvs, func(a []string) bool { return slices.Equal(a, argv) }) {
				out = append(out, FoundEntry{Argv: argv, Raw: text[element.start:element.end]})
			}
		}
	}
	return out, nil
}

// Value returns the value of a key of the outermost object, or nil. It fails with a *SyntaxError if the text is not a JSON object.
func Value(text []byte, key string) ([]byte, error) {
	d, err := parseDocument(text, key)
	if err != nil {
		return nil, err
	}
	if n := d.root.member(key); n != nil {
		return text[n.start:n.end], nil
	}
	return nil, nil
}

// Member returns the value of a member of the object at keys, or nil. It fails with a *SyntaxError if the text is not a JSON object.
func Member(text []byte, keys []string, name string) ([]byte, error) {
	d, err := parseDocument(text, keys[0])
	if err != nil {
		return nil, err
	}
	n := d.root
	for _, k := range append(slices.Clone(keys), name) {
		if n = n.member(k); n == nil {
			return nil, nil
		}
	}
	return text[n.start:n.end], nil
}

// Command returns the command line of an object, from its members "command" and "args".
func Command(raw []byte) (argv []string, ok bool) {
	var v struct {
		Command json.RawMessage `json:"command"`
		Args    []string        `json:"args"`
	}
	if json.Unmarshal(StandardJSON(raw), &v) != nil {
		return nil, false
	}
	var line string
	if json.Unmarshal(v.Command, &line) == nil {
		return append([]string{line}, v.Args...), line != ""
	}
	err := json.Unmarshal(v.Command, &argv)
	return argv, err == nil && len(argv) > 0
}

// commands returns the command lines of a value and of everything in it.
func (d *document) commands(n *node) [][]string {
	var out [][]string
	if argv := d.argv(n); argv != nil {
		out = append(out, argv)
	}
	for _, c := range n.children {
		out = append(out, d.commands(c)...)
	}
	return out
}

// argv returns the command line of an object, or nil: "command" with "args", or "command" as a list.
func (d *document) argv(n *node) (out []string) {
	if n.kind != '{' {
		return nil
	}
	command, args := n.member("command"), n.member("args")
	switch {
	case command == nil:
		return nil
	case command.kind == '[':
		args = command
	case command.kind == '"':
		out = []string{d.unquote(command)}
	default:
		return nil
	}
	if args == nil {
		return out
	}
	for _, a := range args.children {
		if a.kind != '"' {
			return nil
		}
		out = append(out, d.unquote(a))
	}
	return out
}

func (d *document) unquote(n *node) string {
	var s string
	if json.Unmarshal(d.text[n.start:n.end], &s) != nil {
		return ""
	}
	return s
}
