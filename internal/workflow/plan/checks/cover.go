package checks

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/document"
)

// mentionsID reports whether a text contains an id as a whole word: the id D-1 is neither in D-10 nor in AD-1 nor in D-1-a.
func mentionsID(text, id string) bool {
	for from := 0; id != ""; {
		i := strings.Index(text[from:], id)
		if i < 0 {
			return false
		}
		at := from + i
		from = at + len(id)
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, size := utf8.DecodeRuneInString(text[from:])
		if after == '-' { // a dash after an id belongs to the sentence, unless the id continues
			after, _ = utf8.DecodeRuneInString(text[from+size:])
		}
		if before != '-' && !isNameRune(before) && !isNameRune(after) {
			return true
		}
	}
	return false
}

func isNameRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// phraseWords is the number of a decision's first words that identify it. Fewer words would also occur in other texts.
const phraseWords = 6

// spacedWords returns the words of a text in lower case, with a blank before and after each, so that a phrase can be searched in it.
func spacedWords(text string) string {
	list := strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	return " " + strings.Join(list, " ") + " "
}

// searchedText is a text in which decisions are searched: unchanged, and as its words.
type searchedText struct{ text, words string }

func newSearchedText(text string) searchedText { return searchedText{text, spacedWords(text)} }

// mentionsDecision reports whether the text has the id of a decision, or its first words.
func (b searchedText) mentionsDecision(d *artefact.Decision) bool {
	if mentionsID(b.text, d.ID) {
		return true
	}
	list := strings.Fields(spacedWords(d.Text))
	return len(list) >= phraseWords && strings.Contains(b.words, " "+strings.Join(list[:phraseWords], " ")+" ")
}

// filterLines returns the lines of a document for which keep returns true. It leaves out code and comments, because examples and removed
// text do not count.
func filterLines(d *document.Document, keep func(line int) bool) string {
	var b strings.Builder
	for i := range d.LineCount() {
		if d.Kind(i) == document.Text && keep(i) {
			b.WriteString(d.Line(i) + "\n")
		}
	}
	return withoutComments(b.String())
}

func withoutComments(s string) string {
	for {
		before, rest, ok := strings.Cut(s, "<!--")
		if !ok {
			return s
		}
		_, after, closed := strings.Cut(rest, "-->")
		if !closed {
			return before
		}
		s = before + " " + after
	}
}

// commitmentText returns the parts of a plan that state the work to do: its must haves, objective, tasks and criteria, but not the files to
// read.
func commitmentText(p *artefact.Plan) string {
	d := p.Doc
	var b strings.Builder
	for _, key := range []string{"must_haves", "truths", "objective"} {
		if n := d.FrontMatter().Get(key); n != nil {
			collectStrings(&b, n.JSONValue())
		}
	}
	keep := make([]bool, d.LineCount())
	mark := func(r document.Range) {
		for i := r.From; i < min(r.To, len(keep)); i++ {
			keep[i] = true
		}
	}
	for _, tag := range d.Tags(d.Body()) {
		switch tag.Name {
		case "objective", "tasks", "task", "must_haves", "truths", "success_criteria":
			mark(document.Range{From: tag.Line, To: d.LineAt(tag.Inner.End) + 1})
		}
	}
	for _, h := range d.HeadingsIn(d.Body()) {
		title := strings.Fields(spacedWords(h.Text.Text(d.Text())))
		if len(title) > 0 && slices.Contains([]string{"must", "truth", "truths", "task", "tasks", "objective"}, title[0]) {
			mark(document.Range{From: h.Line, To: h.End})
		}
	}
	b.WriteString(filterLines(d, func(i int) bool { return keep[i] }))
	return b.String()
}

// collectStrings writes all strings in a value of the front matter, each on a line.
func collectStrings(b *strings.Builder, value any) {
	switch v := value.(type) {
	case string:
		b.WriteString(v + "\n")
	case []any:
		for _, one := range v {
			collectStrings(b, one)
		}
	case map[string]any:
		for _, one := range v {
			collectStrings(b, one)
		}
	}
}

// visibleText returns the text of a plan without code and comments.
func visibleText(p *artefact.Plan) string {
	d := p.Doc
	front := d.BytesOf(document.Range{From: 0, To: d.Body().From}).Text(d.Text())
	return front + "\n" + filterLines(d, func(int) bool { return true })
}
