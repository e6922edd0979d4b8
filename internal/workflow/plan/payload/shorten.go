package payload

import (
	"strings"

	"ken/internal/workflow/plan/document"
)

// withoutExamples returns a text without its sections and blocks of examples.
func withoutExamples(text string) string {
	d := document.Parse(text)
	drop := make([]bool, d.LineCount())
	mark := func(r document.Range) {
		for i := max(0, r.From); i < min(r.To, len(drop)); i++ {
			drop[i] = true
		}
	}
	for _, h := range d.Headings() {
		if strings.Contains(strings.ToLower(h.Text.Text(text)), "example") {
			drop[h.Line] = true
			mark(h.Section())
		}
	}
	for _, t := range d.Tags(d.Body()) {
		if strings.HasPrefix(strings.ToLower(t.Name), "example") {
			mark(document.Range{From: t.Line, To: d.LineAt(t.Span.End-1) + 1})
		}
	}
	var b strings.Builder
	for i := range d.LineCount() {
		if !drop[i] {
			b.WriteString(text[d.LineStart(i):d.LineStart(i+1)])
		}
	}
	return b.String()
}

// maxShort is the maximal number of lines that the short form of a text has after the front matter.
const maxShort = 15

// shorten returns the front matter of a text, and at most maxShort lines up to its second heading.
func shorten(text string) string {
	d := document.Parse(text)
	end := d.LineCount()
	if list := d.HeadingsIn(d.Body()); len(list) > 1 {
		end = list[1].Line
	}
	end = min(end, d.Body().From+maxShort)
	return text[:d.LineStart(end)]
}
