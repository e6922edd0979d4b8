// Package yamledit adds a member to a map of a YAML file of another program and removes it again without touching another byte: comments,
// the order of keys, line ends and the byte order mark stay as they are.
//
// Where the member goes is found by package plan/yamltree, which has the bytes of each key. It reads less than all of YAML; therefore the
// file is read before and after by a parser of the whole language, and an edit that would change anything else is refused. Its neighbours
// are install, which reads and replaces the files, and install/jsonedit, which does the same for JSON.
package yamledit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/parser"

	"ken/internal/workflow/plan/edit"
	"ken/internal/workflow/plan/yamltree"
)

// errForm is returned for a file in a form of YAML in which the place of the member is not clear.
var errForm = errors.New("it is in a form of YAML that ken does not edit: add the member by hand")

// byteOrderMark is the byte order mark of UTF-8.
const byteOrderMark = "\ufeff"

// Member returns a member of the map at a key of the outer map as JSON, or nil. It fails if the text is not YAML, or is not a map.
func Member(text []byte, key, name string) (json.RawMessage, error) {
	outer, err := decode(text)
	if err != nil {
		return nil, err
	}
	inner, isMap := outer[key].(map[string]any)
	value, ok := inner[name]
	switch {
	case outer[key] != nil && !isMap:
		return nil, fmt.Errorf("%s is not a map", key)
	case !ok:
		return nil, nil
	}
	out, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("%s.%s: %w", key, name, err)
	}
	return out, nil
}

// Has reports whether the outer map has a key.
func Has(text []byte, key string) bool {
	outer, err := decode(text)
	_, ok := outer[key]
	return ok && err == nil
}

// decode reads a text that is empty or one map.
func decode(text []byte) (map[string]any, error) {
	file, err := parser.ParseBytes(plain(text), 0)
	if err != nil {
		return nil, notYAML(err)
	}
	if len(file.Docs) > 1 {
		return nil, errors.New("it has several documents")
	}
	outer := map[string]any{}
	if err := yaml.Unmarshal(plain(text), &outer); err != nil {
		return nil, notYAML(err)
	}
	if outer == nil { // the text is empty
		outer = map[string]any{}
	}
	return outer, nil
}

// notYAML returns the error of a parser without the lines of the text that it shows, which may be private.
func notYAML(err error) error {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return fmt.Errorf("it is not a map of YAML: %s", line)
}

// plain returns a text without a byte order mark.
func plain(text []byte) []byte { return bytes.TrimPrefix(text, []byte(byteOrderMark)) }

// Add adds a member behind all others to the map at a key of the outer map, and makes the map if there is none. The value is a JSON object.
// It fails as Member does, or if the place of the member is not clear.
func Add(text []byte, key, name string, value json.RawMessage) ([]byte, error) {
	mark, body := split(text)
	newline := lineEnding(body)
	tree := yamltree.Parse(body, edit.Span{End: len(body)}, 0)
	at, added := len(body), ""
	switch pair := tree.Pair(key); {
	case pair == nil:
		lines, err := blockLines(name, value, "  ", newline)
		if err != nil {
			return nil, err
		}
		added = key + ":" + newline + lines
	case pair.Value.Kind == yamltree.Map && pair.Value.Style == yamltree.Flow:
		at = pair.Value.Span.Start + 1
		added = jsonString(name) + ": " + string(value)
		if len(pair.Value.Pairs) > 0 {
			added += ", "
		}
	case pair.Value.Kind == yamltree.Map && len(pair.Value.Pairs) > 0:
		first, last := pair.Value.Pairs[0], pair.Value.Pairs[len(pair.Value.Pairs)-1]
		line := body[first.Span.Start:]
		lines, err := blockLines(name, value, line[:len(line)-len(strings.TrimLeft(line, " "))], newline)
		if err != nil {
			return nil, err
		}
		at, added = last.Span.End, lines
	case pair.Value.Kind == yamltree.Empty:
		lines, err := blockLines(name, value, "  ", newline)
		if err != nil {
			return nil, err
		}
		at, added = lineEnd(body, pair.Colon), lines
	default:
		return nil, errForm
	}
	if at > 0 && body[at-1] != '\n' && strings.HasSuffix(added, newline) {
		added = newline + added
	}
	out := []byte(mark + body[:at] + added + body[at:])
	if err := checkAdded(text, out, key, name, value); err != nil {
		return nil, err
	}
	back, err := Remove(out, key, name, tree.Pair(key) == nil)
	if err != nil || !bytes.Equal(bytes.TrimRight(back, "\r\n"), bytes.TrimRight(text, "\r\n")) {
		return nil, errForm
	}
	return out, nil
}

// Remove removes a member of the map at a key of the outer map. If made is set, the map goes too if nothing else is in it. It fails as Add
// does.
func Remove(text []byte, key, name string, made bool) ([]byte, error) {
	mark, body := split(text)
	tree := yamltree.Parse(body, edit.Span{End: len(body)}, 0)
	pair := tree.Pair(key)
	if pair == nil {
		return nil, errForm
	}
	member := memberPair(pair.Value, name)
	if member == nil {
		return nil, errForm
	}
	span := member.Span
	switch {
	case made && len(pair.Value.Pairs) == 1:
		span = pair.Span
	case pair.Value.Style == yamltree.Flow:
		rest := body[span.End:]
		short := strings.TrimLeft(rest, " \t\r\n")
		if after, ok := strings.CutPrefix(short, ","); ok {
			span.End += len(rest) - len(strings.TrimPrefix(after, " "))
		} else {
			before := body[:span.Start]
			if short, ok := strings.CutSuffix(strings.TrimRight(before, " \t\r\n"), ","); ok {
				span.Start = len(short)
			}
		}
	}
	out := []byte(mark + body[:span.Start] + body[span.End:])
	return out, checkRemoved(text, out, key, name)
}

func memberPair(m *yamltree.Node, name string) *yamltree.Pair {
	for _, p := range m.Pairs {
		if p.Key == name {
			return p
		}
	}
	return nil
}

// checkAdded fails if a text is not another one with a member more.
func checkAdded(before, after []byte, key, name string, value json.RawMessage) error {
	from, err := decode(before)
	if err != nil {
		return err
	}
	to, err := decode(after)
	if err != nil {
		return errForm
	}
	inner, _ := to[key].(map[string]any)
	got, err := json.Marshal(inner[name])
	if err != nil || !equalJSON(got, value) {
		return errForm
	}
	return sameBut(from, to, key, name)
}

func checkRemoved(before, after []byte, key, name string) error {
	from, err := decode(before)
	if err != nil {
		return err
	}
	to, err := decode(after)
	if err != nil {
		return errForm
	}
	if inner, _ := to[key].(map[string]any); inner[name] != nil {
		return errForm
	}
	return sameBut(to, from, key, name)
}

// sameBut fails if two maps differ in more than one member, and in whether they have the map for it.
func sameBut(less, more map[string]any, key, name string) error {
	more = maps.Clone(more)
	inner, _ := more[key].(map[string]any)
	inner = maps.Clone(inner)
	delete(inner, name)
	less = maps.Clone(less)
	rest, _ := less[key].(map[string]any)
	if len(inner) != len(rest) || len(inner) > 0 && !reflect.DeepEqual(inner, rest) {
		return errForm
	}
	delete(less, key)
	delete(more, key)
	if !reflect.DeepEqual(less, more) {
		return errForm
	}
	return nil
}

func equalJSON(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

func split(text []byte) (mark, body string) {
	if bytes.HasPrefix(text, []byte(byteOrderMark)) {
		return byteOrderMark, string(text[len(byteOrderMark):])
	}
	return "", string(text)
}

// lineEnding returns the line ending of a text, that of its first line.
func lineEnding(text string) string {
	if i := strings.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

func lineEnd(text string, at int) int {
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}

// blockLines returns a member of a map over lines: its name, and a line for each member of the JSON object that is its value.
func blockLines(name string, value json.RawMessage, indent, newline string) (string, error) {
	d := json.NewDecoder(bytes.NewReader(value))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return "", fmt.Errorf("the value of %s is no object", name)
	}
	var b strings.Builder
	b.WriteString(indent + name + ":" + newline)
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return "", err
		}
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "%s  %s: %s%s", indent, key, scalar(v), newline)
	}
	return b.String(), nil
}

// scalar returns a value of JSON, which is YAML; a string that is a plain word is written without quotes.
func scalar(v json.RawMessage) string {
	var s string
	if json.Unmarshal(v, &s) == nil && plainWord().MatchString(s) && !reserved(s) {
		return s
	}
	return string(v)
}

// plainWord matches strings that are the same without quotes.
var plainWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z/][A-Za-z0-9_./-]*$`) })

// reserved reports whether a word means something else than itself in some version of YAML.
func reserved(s string) bool {
	switch strings.ToLower(s) {
	case "true", "false", "yes", "no", "on", "off", "null", "y", "n":
		return true
	}
	return false
}

func jsonString(s string) string {
	b, _ := json.Marshal(s) // a string can be encoded
	return string(b)
}
