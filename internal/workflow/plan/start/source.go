package start

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/planop"
)

// readPhases reads phases from a list of issues, in JSON or Markdown, or from the sections of a document.
func readPhases(text string) ([]phase, error) {
	if strings.HasPrefix(strings.TrimSpace(text), "[") {
		var issues []issue
		if err := json.Unmarshal([]byte(text), &issues); err == nil {
			return issuePhases(issues)
		}
	}
	d := document.Parse(text)
	list := listedIssues(d)
	if len(list) == 0 {
		list = sectionPhases(d)
	}
	if len(list) == 0 {
		list = openBoxes(d)
	}
	if len(list) == 0 {
		return nil, planop.Faultf("no_phases", "the file has no phase: neither open issues in a list, nor sections with a heading, nor open boxes")
	}
	return list, nil
}

// issue is an issue as `gh issue list --json number,title,body,state` prints it.
type issue struct {
	Number int
	Title  string
	Body   string
	State  string
}

func issuePhases(issues []issue) (list []phase, err error) {
	for _, i := range slices.Backward(issues) { // gh prints the newest first
		if i.Title == "" || strings.EqualFold(i.State, "closed") {
			continue
		}
		p := phase{Name: i.Title, Goal: firstSentence(document.Parse(i.Body), document.Range{})}
		if i.Number > 0 {
			p.Source = fmt.Sprintf("#%d", i.Number)
		}
		list = append(list, p)
	}
	if len(list) == 0 {
		return nil, planop.Faultf("no_phases", "the list has no open issue with a title")
	}
	return list, nil
}

var issueNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\(?\[?#(\d+)\]?(?:\([^)]*\))?\)?:?`) })

// listedIssues returns the open entries of lists that name an issue by its number.
func listedIssues(d *document.Document) (list []phase) {
	for _, it := range d.Items(d.Body()) {
		text := it.Text.Text(d.Text())
		m := issueNumber().FindStringSubmatchIndex(text)
		if m == nil || d.IsChecked(it) {
			continue
		}
		name := strings.Trim(oneLine(text[:m[0]]+" "+text[m[1]:]), " -—:")
		if name != "" {
			list = append(list, phase{Name: name, Source: "#" + text[m[2]:m[3]]})
		}
	}
	return list
}

// openBoxes returns the entries of lists of tasks that are not ticked.
func openBoxes(d *document.Document) (list []phase) {
	for _, it := range d.Items(d.Body()) {
		name := oneLine(it.Text.Text(d.Text()))
		if it.Indent == 0 && it.HasBox() && !d.IsChecked(it) && name != "" {
			list = append(list, phase{Name: name})
		}
	}
	return list
}

// otherSections are headings of documents under which nothing is to be built.
var otherSections = []string{
	"overview", "introduction", "background", "context", "summary", "motivation", "goals", "non-goals", "out of scope", "references", "appendix", "glossary",
	"table of contents", "contents", "license", "open questions", "alternatives", "changelog",
}

// sectionPhases returns the sections of a document at the level at which it has several.
func sectionPhases(d *document.Document) (list []phase) {
	for level := 1; level <= 4; level++ {
		list = nil
		for _, h := range d.Headings() {
			name := strings.TrimLeft(h.Text.Text(d.Text()), "0123456789. ")
			if h.Level != level || name == "" || slices.Contains(otherSections, strings.ToLower(name)) {
				continue
			}
			list = append(list, phase{Name: name, Goal: firstSentence(d, d.OwnLines(h))})
		}
		if len(list) > 1 {
			return list
		}
	}
	return nil
}

// firstSentence returns the first sentence of plain text in a range, or of the whole text.
func firstSentence(d *document.Document, r document.Range) string {
	if r == (document.Range{}) {
		r = d.Body()
	}
	var words []string
	for line := r.From; line < r.To; line++ {
		text := strings.TrimSpace(d.Line(line))
		if plain := d.Kind(line) == document.Text && text != "" && !strings.ContainsAny(text[:1], "#-*|<>!["); plain {
			words = append(words, text)
		} else if len(words) > 0 {
			break
		}
	}
	before, _, _ := strings.Cut(strings.Join(words, " "), ". ")
	return strings.TrimSuffix(before, ".")
}
