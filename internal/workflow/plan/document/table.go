package document

import (
	"strings"

	"ken/internal/workflow/plan/edit"
)

// Table is a table: a row of column names, a row of dashes below it, and the other rows.
type Table struct {
	Head  Row
	Rows  []Row
	Lines Range // with the column names and the dashes
}

// Row is a row of a table: the span of each cell, without surrounding blanks.
type Row struct {
	Line  int
	Cells []edit.Span
}

// Tables returns the Markdown tables in a range of lines.
func (d *Document) Tables(r Range) []Table {
	var list []Table
	for i := r.From; i+1 < r.To; i++ {
		if !d.isRow(i) || !d.isDashes(i+1) {
			continue
		}
		t := Table{Head: d.readRow(i), Lines: Range{From: i}}
		end := i + 2
		for ; end < r.To && d.isRow(end); end++ {
			t.Rows = append(t.Rows, d.readRow(end))
		}
		t.Lines.To = end
		list = append(list, t)
		i = end - 1
	}
	return list
}

func (d *Document) isRow(line int) bool {
	return d.kinds[line] == Text && strings.Contains(d.Line(line), "|")
}

func (d *Document) isDashes(line int) bool {
	if !d.isRow(line) {
		return false
	}
	text := d.Line(line)
	return strings.Contains(text, "-") && strings.Trim(text, " \t|:-") == ""
}

func (d *Document) readRow(line int) Row {
	s := d.Span(line).Trim(d.text)
	text := s.Text(d.text)
	if strings.HasPrefix(text, "|") {
		s.Start++
	}
	if d.endsWithBar(s) {
		s.End--
	}
	r := Row{Line: line}
	start := s.Start
	for i := s.Start; i < s.End; i++ {
		switch d.text[i] {
		case '\\':
			i++
		case '|':
			r.Cells = append(r.Cells, cellSpan(d.text, start, i))
			start = i + 1
		}
	}
	r.Cells = append(r.Cells, cellSpan(d.text, start, s.End))
	return r
}

func cellSpan(text string, start, end int) edit.Span {
	s := edit.Span{Start: start, End: end}
	t := s.Trim(text)
	if t.Len() == 0 && s.Len() > 0 {
		// An empty cell is filled after its first blank.
		return edit.Span{Start: start + 1, End: start + 1}
	}
	return t
}

// Cell returns the text of the cell with index i, or "" if the row has fewer cells. An escaped bar in it becomes a bar.
func (d *Document) Cell(r Row, i int) string {
	if i < 0 || i >= len(r.Cells) {
		return ""
	}
	return strings.ReplaceAll(r.Cells[i].Text(d.text), `\|`, "|")
}

// Column returns the index of the column with one of the names, ignoring case, or -1.
func (d *Document) Column(t Table, names ...string) int {
	for i := range t.Head.Cells {
		for _, name := range names {
			if strings.EqualFold(d.Cell(t.Head, i), name) {
				return i
			}
		}
	}
	return -1
}

// SetCell gives the cell with index i another text. It adds cells to a row that has fewer, but only one such cell can be set at a
// time. It fails if the value has more than one line or blanks at its ends.
func (d *Document) SetCell(r Row, i int, value string) ([]edit.Edit, error) {
	if d.Cell(r, i) == value {
		return nil, nil
	}
	if err := checkOneLine("a cell", value); err != nil {
		return nil, err
	}
	value = strings.ReplaceAll(value, "|", `\|`)
	if i < len(r.Cells) {
		return edit.Replacement(d.text, r.Cells[i], value), nil
	}
	end := d.Span(r.Line).Trim(d.text).End
	empty := strings.Repeat(" |", i-len(r.Cells))
	if d.endsWithBar(edit.Span{Start: r.Cells[0].Start, End: end}) {
		return []edit.Edit{{Span: edit.Span{Start: end, End: end}, New: empty + " " + value + " |"}}, nil
	}
	return []edit.Edit{{Span: edit.Span{Start: end, End: end}, New: " |" + empty + " " + value}}, nil
}

// endsWithBar reports whether a row, whose span begins with its first cell, ends with a bar.
func (d *Document) endsWithBar(s edit.Span) bool {
	return s.Len() > 0 && d.text[s.End-1] == '|' && (s.Len() == 1 || d.text[s.End-2] != '\\')
}
