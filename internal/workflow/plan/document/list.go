package document

import (
	"strings"

	"ken/internal/workflow/plan/edit"
)

// Item is an entry of a list. Its text is only the line at which it begins.
type Item struct {
	Line   int
	Indent int  // columns before the marker, a tab counts one
	Number bool // its marker is a number
	Box    edit.Span
	Text   edit.Span // the text after the marker and the checkbox
}

// HasBox reports whether the item begins with a checkbox, [ ] or [x].
func (i Item) HasBox() bool { return i.Box.Len() > 0 }

// ItemAt reads a line as a list item. It returns false if the line is not one.
func (d *Document) ItemAt(line int) (Item, bool) {
	if d.kinds[line] != Text {
		return Item{}, false
	}
	s := d.Span(line)
	text := s.Text(d.text)
	rest := strings.TrimLeft(text, " \t")
	it := Item{Line: line, Indent: len(text) - len(rest)}
	n := markerLen(rest)
	if n == 0 {
		return Item{}, false
	}
	it.Number = isDigit(rest[0])
	it.Text = edit.Span{Start: s.Start + it.Indent + n, End: s.End}.Trim(d.text)
	text = it.Text.Text(d.text)
	if len(text) >= 3 && text[0] == '[' && text[2] == ']' && strings.IndexByte(" xX", text[1]) >= 0 {
		it.Box = edit.Span{Start: it.Text.Start + 1, End: it.Text.Start + 2}
		it.Text = edit.Span{Start: it.Text.Start + 3, End: it.Text.End}.Trim(d.text)
	}
	return it, true
}

// markerLen returns the length of the marker at the beginning of a line: "- ", "* ", "+ ", "12. ", "12) ".
func markerLen(s string) int {
	n := 0
	for n < len(s) && n < 10 && isDigit(s[n]) {
		n++
	}
	marks := "-*+"
	if n > 0 {
		marks = ".)"
	}
	if n >= len(s) || strings.IndexByte(marks, s[n]) < 0 {
		return 0
	}
	n++
	if n < len(s) && s[n] != ' ' && s[n] != '\t' {
		return 0
	}
	return n
}

// Items returns all list items in a range of lines, nested ones included.
func (d *Document) Items(r Range) []Item {
	var list []Item
	for i := r.From; i < r.To; i++ {
		if it, ok := d.ItemAt(i); ok {
			list = append(list, it)
		}
	}
	return list
}

// IsChecked reports whether the checkbox of an item is ticked.
func (d *Document) IsChecked(i Item) bool { return i.HasBox() && i.Box.Text(d.text) != " " }

// SetBox ticks the checkbox of an item, or clears it. A box that is ticked with a capital X stays so.
func (d *Document) SetBox(i Item, ticked bool) []edit.Edit {
	if !i.HasBox() || d.IsChecked(i) == ticked {
		return nil
	}
	if ticked {
		return edit.Replacement(d.text, i.Box, "x")
	}
	return edit.Replacement(d.text, i.Box, " ")
}
