package artefact

import (
	"slices"
	"strings"

	"ken/internal/workflow/plan/document"
)

// humanChecksInBody returns the checks for a person in the sections "Human Verification…" of a file that has none in its front matter.
// They are headings with a number, else table rows, else list items.
func humanChecksInBody(d *document.Document) (list []HumanCheck) {
	end := 0
	for _, h := range d.Headings() {
		if h.Line < end || !hasPrefixFold(h.Text.Text(d.Text()), "human verification") {
			continue
		}
		end = h.End
		found := humanChecksInHeadings(d, h)
		if len(found) == 0 {
			found = humanChecksInRows(d, h.Section())
		}
		if len(found) == 0 {
			found = humanChecksInItems(d, h.Section())
		}
		list = append(list, found...)
	}
	return list
}

// humanChecksInHeadings returns the checks below headings such as "### 1. Name", with their fields Test, Expected and Why human.
func humanChecksInHeadings(d *document.Document, in document.Heading) (list []HumanCheck) {
	for _, h := range d.HeadingsIn(in.Section()) {
		number, name, ok := strings.Cut(h.Text.Text(d.Text()), ". ")
		n := positiveNumber(number)
		if !ok || n == 0 {
			continue
		}
		value := func(names ...string) string {
			for _, name := range names {
				if v := fieldBlock(d, d.OwnLines(h), name); v != "" {
					return v
				}
			}
			return ""
		}
		list = append(list, HumanCheck{
			Number: n, Name: strings.TrimSpace(name), Test: value("Test", "Steps", "How"), Expected: value("Expected", "Expected result"),
			WhyHuman: value("Why human", "Why human needed", "Why"),
		})
	}
	return list
}

// humanChecksInRows returns the checks in table rows whose first cell is a number.
func humanChecksInRows(d *document.Document, r document.Range) (list []HumanCheck) {
	for _, t := range d.Tables(r) {
		test, expected, why := d.Column(t, "Test", "Check", "Item", "What"), d.Column(t, "Expected", "Expected result"), d.Column(t, "Why human", "Why")
		if test < 0 {
			test = 1
		}
		for _, row := range t.Rows {
			if n := positiveNumber(d.Cell(row, 0)); n > 0 && d.Cell(row, test) != "" {
				list = append(list, HumanCheck{Number: n, Test: d.Cell(row, test), Expected: d.Cell(row, expected), WhyHuman: d.Cell(row, why)})
			}
		}
	}
	return list
}

// humanChecksInItems returns the checks in list items that are not nested. An item such as "None", or a ticked one, is no check.
func humanChecksInItems(d *document.Document, r document.Range) (list []HumanCheck) {
	for _, it := range d.Items(r) {
		text := it.Text.Text(d.Text())
		word, _, _ := strings.Cut(strings.ToLower(strings.Trim(text, "*_[]() .")), " ")
		none := slices.Contains([]string{"none", "n/a", "nothing", "-", ""}, strings.Trim(word, ".,:;"))
		if it.Indent > 0 || none || d.IsChecked(it) {
			continue
		}
		c := HumanCheck{Test: text}
		if it.Number {
			marker, _, _ := strings.Cut(strings.TrimSpace(d.Line(it.Line)), " ")
			c.Number = positiveNumber(strings.TrimRight(marker, ".)"))
		}
		list = append(list, c)
	}
	return list
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// OpenQuestions returns the unanswered questions of a CONTEXT.md: those of the front matter, else the headings, items or sentences of its
// sections "Open Questions…". Questions that are ticked, struck out or marked as resolved are left out.
func OpenQuestions(text string) []string {
	d := document.Parse(text)
	if front := d.FrontMatter(); front != nil {
		if list := front.Texts(front.Get("open_questions")); len(list) > 0 {
			return slices.DeleteFunc(slices.Clone(list), isAnswered)
		}
	}
	var list []string
	end := 0
	for _, h := range d.Headings() {
		title := h.Text.Text(text)
		if h.Line < end || !hasPrefixFold(title, "open questions") || isAnswered(title) {
			continue
		}
		end = h.End
		list = append(list, questionsIn(d, h)...)
	}
	return slices.DeleteFunc(list, isAnswered)
}

func questionsIn(d *document.Document, h document.Heading) (list []string) {
	for _, sub := range d.HeadingsIn(h.Section()) {
		list = append(list, sub.Text.Text(d.Text()))
	}
	if len(list) > 0 {
		return list
	}
	for _, it := range d.Items(h.Section()) {
		if it.Indent == 0 && !d.IsChecked(it) {
			list = append(list, it.Text.Text(d.Text()))
		}
	}
	if len(list) > 0 {
		return list
	}
	for _, t := range d.Tables(h.Section()) {
		question, status := d.Column(t, "Question"), d.Column(t, "Status", "Answer", "Resolution")
		for _, row := range t.Rows {
			if text := d.Cell(row, question); text != "" && !isAnswered(d.Cell(row, status)) {
				list = append(list, text)
			}
		}
		if question >= 0 {
			return list
		}
	}
	for i := h.Line + 1; i < h.End; i++ {
		if line := strings.TrimSpace(d.Line(i)); d.Kind(i) == document.Text && strings.Contains(line, "?") {
			list = append(list, line)
		}
	}
	return list
}

// isAnswered reports whether a question, or the status of one in a table, is marked as no longer open.
func isAnswered(s string) bool {
	upper := strings.ToUpper(strings.TrimLeft(s, " *_[✅"))
	for _, word := range [...]string{"RESOLVED", "ANSWERED", "DECIDED", "CLOSED", "NONE", "N/A", "~~"} {
		if strings.HasPrefix(upper, word) {
			return true
		}
	}
	return strings.Contains(s, "(RESOLVED") || strings.Contains(s, "[RESOLVED")
}
