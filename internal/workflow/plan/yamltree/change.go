package yamltree

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"ken/internal/workflow/plan/edit"
)

// ErrUnreadable reports that a value was not changed because its present form could not be read.
var ErrUnreadable = errors.New("the value that is there cannot be read, so it is not changed")

// Set returns the edits that give a key of the outer map another value: a string, true, a number, a list of strings, or nested lists and
// maps in the form of decoded JSON. It returns none if the value is the same. In a list of strings it only changes the items that
// differ. A new key comes last. It returns an error if the value is not valid UTF-8, or if a new key contains other characters than
// letters, digits, _ . and -. It fails with ErrUnreadable if the present value cannot be read.
func (t *Tree) Set(key string, value any, newline string) ([]edit.Edit, error) {
	if !isValid(value) {
		return nil, fmt.Errorf("the value of %.40s is not valid UTF-8", key)
	}
	p := t.Pair(key)
	if p == nil {
		if !isPlainKey(key) {
			return nil, fmt.Errorf("%q is not a valid key: letters, digits, _ . and - only", key)
		}
		at := t.Span.End
		if n := len(t.Root.Pairs); n > 0 {
			at = t.Root.Pairs[n-1].Span.End
		}
		return []edit.Edit{{Span: edit.Span{Start: at, End: at}, New: key + ":" + renderValue(value, 0, newline) + newline}}, nil
	}
	if t.HasValue(p.Value, value) {
		return nil, nil
	}
	if p.Value.Style == Unreadable {
		return nil, ErrUnreadable
	}
	if s, ok := scalarText(value); ok && p.Value.Kind == Scalar {
		return t.SetScalar(p.Value, s), nil
	}
	if list, ok := scalarTexts(value); ok && p.Value.Kind == List {
		if edits, ok := t.setItems(p.Value, list); ok {
			return edits, nil
		}
		if p.Value.Style == Flow {
			return edit.Replacement(t.text, p.Value.Span, flowList(list)), nil
		}
	}
	below := renderValue(value, p.indent, newline)
	end := max(p.Value.Span.End, p.Colon)
	return []edit.Edit{{Span: edit.Span{Start: p.Colon, End: end}, New: below}}, nil
}

func isValid(value any) bool {
	switch v := value.(type) {
	case string:
		return utf8.ValidString(v)
	case []string:
		return !slices.ContainsFunc(v, func(s string) bool { return !utf8.ValidString(s) })
	case []any:
		return !slices.ContainsFunc(v, func(e any) bool { return !isValid(e) })
	case map[string]any:
		for key, e := range v {
			if !utf8.ValidString(key) || !isValid(e) {
				return false
			}
		}
	}
	return true
}

// SetScalar returns the edits that give a scalar another text. The text keeps the present style, such as quotes, if that can express it.
func (t *Tree) SetScalar(n *Node, value string) []edit.Edit {
	if n.Kind == Scalar && n.Value == value {
		return nil
	}
	written := Quote(value)
	switch {
	case n.Style == Double:
		written = doubleQuoted(value)
	case n.Style == Single && !strings.ContainsAny(value, "\n\r\t"):
		written = "'" + strings.ReplaceAll(value, "'", "''") + "'"
	case written == value && strings.Contains(value, ":") && strings.TrimSpace(t.text[t.lineStart(n.Span.Start):n.Span.Start]) == "":
		written = doubleQuoted(value) // on a line of its own it could pass for a key
	}
	if n.Span.Start > 0 && t.text[n.Span.Start-1] == ':' {
		written = " " + written
	}
	return []edit.Edit{{Span: n.Span, New: written}}
}

// setItems returns the edits that change the items of a list of strings. It returns false if the whole list has to be written anew.
func (t *Tree) setItems(n *Node, want []string) (edits []edit.Edit, ok bool) {
	if len(n.Items) == 0 || len(n.Items) > len(want) {
		return nil, false
	}
	for i, it := range n.Items {
		if it.Kind != Scalar || it.Style == Unreadable {
			return nil, false
		}
		if n.Style == Flow && it.Value != want[i] && strings.ContainsAny(want[i], ",[]{}") {
			edits = append(edits, edit.Edit{Span: it.Span, New: doubleQuoted(want[i])})
			continue
		}
		edits = append(edits, t.SetScalar(it, want[i])...)
	}
	var more strings.Builder
	last := n.Items[len(n.Items)-1].Span
	for _, v := range want[len(n.Items):] {
		if n.Style == Flow {
			more.WriteString(", " + flowScalar(v))
			continue
		}
		dash := t.text[t.lineStart(last.Start):last.Start]
		if strings.Trim(dash, " -") != "" {
			return nil, false
		}
		more.WriteString(newlineAt(t.text, last.End) + dash + Quote(v))
	}
	if more.Len() > 0 {
		edits = append(edits, edit.Edit{Span: edit.Span{Start: last.End, End: last.End}, New: more.String()})
	}
	// An insertion is joined with a deletion that ends at its place.
	if n := len(edits); n >= 2 && edits[n-2].End == edits[n-1].Start {
		edits[n-2].New += edits[n-1].New
		edits = edits[:n-1]
	}
	return edits, true
}

func newlineAt(text string, at int) string {
	if i := strings.IndexByte(text[at:], '\n'); i > 0 && text[at+i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

func (t *Tree) lineStart(at int) int { return strings.LastIndexByte(t.text[:at], '\n') + 1 }

func isPlainKey(key string) bool {
	for i := range len(key) {
		if c := key[i]; !isWordByte(c) && c != '.' {
			return false
		}
	}
	return key != "" && key[0] != '-' && key[0] != '.'
}

// Delete returns the edits that remove a key of the outer map, together with the lines of its value.
func (t *Tree) Delete(key string) []edit.Edit {
	var edits []edit.Edit
	for _, p := range t.Root.Pairs {
		if p.Key == key {
			edits = append(edits, edit.Edit{Span: p.Span})
		}
	}
	return edits
}

// HasValue reports whether the node n already has a value.
func (t *Tree) HasValue(n *Node, value any) bool {
	if n.Style == Unreadable {
		return false
	}
	switch v := value.(type) {
	case nil:
		return n.Kind == Empty || n.Style == Plain && (n.Text() == "null" || n.Text() == "~")
	case []string:
		return n.Kind == List && slices.EqualFunc(n.Items, v, func(it *Node, s string) bool { return t.HasValue(it, s) })
	case []any:
		return n.Kind == List && slices.EqualFunc(n.Items, v, t.HasValue)
	case map[string]any:
		if n.Kind != Map || len(n.Pairs) != len(v) {
			return false
		}
		for _, p := range n.Pairs {
			w, ok := v[p.Key]
			if !ok || !t.HasValue(p.Value, w) {
				return false
			}
		}
		return true
	}
	s, ok := scalarText(value)
	if n.Kind == Empty {
		return ok && s == ""
	}
	return ok && n.Kind == Scalar && n.Value == s
}

func scalarText(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	case int:
		return strconv.Itoa(v), true
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), true
	case json.Number:
		return v.String(), true
	case nil:
		return "null", true
	}
	return "", false
}

func scalarTexts(value any) ([]string, bool) {
	switch v := value.(type) {
	case []string:
		return v, true
	case []any:
		list := make([]string, 0, len(v))
		for _, e := range v {
			s, ok := scalarText(e)
			if !ok {
				return nil, false
			}
			list = append(list, s)
		}
		return list, true
	}
	return nil, false
}

// renderValue returns a value in the form in which it follows a colon: a blank and a scalar, or lines below the key.
func renderValue(value any, indent int, newline string) string {
	if s, ok := value.(string); ok {
		return " " + Quote(s)
	}
	if s, ok := scalarText(value); ok {
		return " " + s
	}
	var b strings.Builder
	pad := newline + strings.Repeat(" ", indent+2)
	switch v := value.(type) {
	case []string:
		if len(v) == 0 {
			return " []"
		}
		for _, s := range v {
			b.WriteString(pad + "- " + Quote(s))
		}
	case []any:
		if len(v) == 0 {
			return " []"
		}
		for _, e := range v {
			item := renderValue(e, indent+2, newline)
			// The first line of a nested value follows the dash.
			b.WriteString(pad + "- " + strings.TrimLeft(item, " \r\n"))
		}
	case map[string]any:
		if len(v) == 0 {
			return " {}"
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			b.WriteString(pad + Quote(key) + ":" + renderValue(v[key], indent+2, newline))
		}
	}
	return b.String()
}

// Quote returns s as a scalar on one line. It adds quotes if s would otherwise be read as something else.
func Quote(s string) string {
	if s == "" || strings.TrimSpace(s) != s || strings.ContainsAny(s[:1], "\"'#&*!|>%@`[]{},?:") {
		return doubleQuoted(s)
	}
	dash := s == "-" || strings.HasPrefix(s, "- ") || strings.HasPrefix(s, "---")
	meant := strings.Contains(s+" ", ": ") || strings.Contains(s, " #")
	if dash || meant || strings.IndexFunc(s, unprintable) >= 0 || !utf8.ValidString(s) {
		return doubleQuoted(s)
	}
	return s
}

func flowList(list []string) string {
	parts := make([]string, len(list))
	for i, s := range list {
		parts[i] = flowScalar(s)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func flowScalar(s string) string {
	if strings.ContainsAny(s, ",[]{}") {
		return doubleQuoted(s)
	}
	return Quote(s)
}

func unprintable(r rune) bool { return r < ' ' || r == 0x7f || r == '\ufeff' || r == utf8.RuneError }

// doubleQuoted returns s in double quotes. It escapes quotes, backslashes and control characters, nothing else.
func doubleQuoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
