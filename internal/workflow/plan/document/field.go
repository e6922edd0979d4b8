package document

import (
	"fmt"
	"strings"

	"ken/internal/workflow/plan/edit"
)

// Field is a line that names a value: **Name:** value, **Name**: value or Name: value, also as a list item.
type Field struct {
	Name  string
	Line  int
	Bold  bool
	Value edit.Span // on the same line, without surrounding blanks
}

const maxFieldName = 61

// FieldAt reads a line as a field. It returns false if the line is not one.
func (d *Document) FieldAt(line int) (Field, bool) {
	if d.kinds[line] != Text {
		return Field{}, false
	}
	s := d.Span(line)
	s.Start = s.End - len(afterMarker(s.Text(d.text)))
	text := s.Text(d.text)
	if strings.HasPrefix(text, "**") {
		return d.boldField(line, s)
	}
	// A field without asterisks must begin its line: in a list item or an indented line, most colons belong to prose.
	i := strings.IndexByte(text, ':')
	if i < 0 || s.Start != d.Span(line).Start || !isFieldName(text[:i]) {
		return Field{}, false
	}
	return Field{text[:i], line, false, edit.Span{Start: s.Start + i + 1, End: s.End}.Trim(d.text)}, true
}

func (d *Document) boldField(line int, s edit.Span) (Field, bool) {
	text := s.Text(d.text)
	end := strings.Index(text[2:], "**")
	if end < 0 {
		return Field{}, false
	}
	name, rest := text[2:2+end], 2+end+2
	switch inside := strings.TrimSuffix(name, ":"); {
	case inside != name:
		name = inside
	case strings.HasPrefix(text[rest:], ":"):
		rest++
	default:
		// "**Success Criteria** (what must be TRUE):" has its colon after a remark.
		i := strings.Index(text[rest:], "):")
		if i < 0 || !strings.HasPrefix(strings.TrimLeft(text[rest:], " "), "(") {
			return Field{}, false
		}
		rest += i + 2
	}
	name = strings.TrimSpace(name)
	if name == "" || len(name) > 4*maxFieldName {
		return Field{}, false
	}
	return Field{name, line, true, edit.Span{Start: s.Start + rest, End: s.End}.Trim(d.text)}, true
}

// afterMarker returns a line without its indentation and list marker.
func afterMarker(line string) string {
	rest := strings.TrimLeft(line, " \t")
	for _, m := range [...]string{"- ", "* ", "+ "} {
		if strings.HasPrefix(rest, m) {
			return strings.TrimLeft(rest[2:], " ")
		}
	}
	return rest
}

// isFieldName reports whether a text can be the name of a field that is written without asterisks.
func isFieldName(name string) bool {
	if name == "" || len(name) > maxFieldName || !isLetter(name[0]) {
		return false
	}
	for i := 1; i < len(name); i++ {
		if c := name[i]; !isLetter(c) && !isDigit(c) && strings.IndexByte(" _.-/", c) < 0 {
			return false
		}
	}
	return true
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }

// Fields returns all fields in a range of lines.
func (d *Document) Fields(r Range) []Field {
	var list []Field
	for i := r.From; i < r.To; i++ {
		if f, ok := d.FieldAt(i); ok {
			list = append(list, f)
		}
	}
	return list
}

// Field returns the first field with a name in a range of lines, ignoring case. A bold field is preferred to a plain one.
func (d *Document) Field(r Range, name string) (Field, bool) {
	var plain Field
	found := false
	for i := r.From; i < r.To; i++ {
		f, ok := d.FieldAt(i)
		if !ok || !strings.EqualFold(f.Name, name) {
			continue
		}
		if f.Bold {
			return f, true
		}
		if !found {
			plain, found = f, true
		}
	}
	return plain, found
}

// Value returns the value of a field.
func (d *Document) Value(f Field) string { return f.Value.Text(d.text) }

// SetField gives a field another value. It returns an error if the value has more than one line or blanks at its ends.
func (d *Document) SetField(f Field, value string) ([]edit.Edit, error) {
	if f.Value.Text(d.text) == value {
		return nil, nil
	}
	if err := checkOneLine(f.Name, value); err != nil {
		return nil, err
	}
	edits := edit.Replacement(d.text, f.Value, value)
	if len(edits) > 0 && f.Value.Start > 0 && (d.text[f.Value.Start-1] == ':' || d.text[f.Value.Start-1] == '*') {
		edits[0].New = " " + value
	}
	return edits, nil
}

func checkOneLine(what, value string) error {
	if strings.ContainsAny(value, "\n\r\x00") {
		return fmt.Errorf("the value of %s must be one line", what)
	}
	if strings.Trim(value, " \t") != value {
		return fmt.Errorf("the value of %s begins or ends with a blank", what)
	}
	return nil
}
