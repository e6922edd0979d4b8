package tasks

import (
	"slices"
	"strconv"
	"strings"

	"ken/internal/guard"
	"ken/internal/knowledge/task"
	"ken/internal/operation"
)

// What an answer showed is read from the answer as it was sent, because one that was cut has not shown the rest.

// shownLine is a line of a file that an answer showed.
type shownLine struct {
	path string
	line int
	in   string // declaration around it
	text bool   // its text was shown, not its number alone
}

// functionLooks returns the lines of each place whose text was sent. In a text they follow the line that names their place, so that the
// same line of another file is not taken for one.
func (a *functionAnswer) functionLooks(s *operation.Sent) (out []task.ReadPart) {
	places := a.Places
	if a.Path != "" {
		places = []placeText{a.placeText}
	}
	var sent functionAnswer
	asJSON := s.Decode(&sent)
	if a.Path != "" {
		sent.Places = []placeText{sent.placeText}
	}
	lines := strings.Split(s.Text, "\n")
	for i := range places {
		p := &places[i]
		first, shown := 0, 0
		switch {
		case asJSON:
			if i < len(sent.Places) {
				shown = len(sent.Places[i].Text)
			}
		case s.Whole:
			shown = len(p.Text)
		default:
			if at := slices.Index(lines, p.header()); at >= 0 {
				first, shown = p.linesIn(lines, at+1)
			} else if i == len(places)-1 || slices.Contains(lines, places[i+1].header()) { // an answer that was cut goes on
				for at := 0; at < len(lines) && shown == 0 && !isHeader(places, lines[at]); at++ {
					first, shown = p.linesIn(lines, at)
				}
			}
		}
		if shown > 0 {
			out = append(out, task.ReadPart{
				Tool: string(guard.GetFunction), Path: p.Path, Symbol: p.Name, Depth: task.Read,
				First: p.Line + first, Last: p.Line + first + shown - 1,
			})
		}
	}
	return out
}

// isHeader reports whether a line names one of some places.
func isHeader(places []placeText, line string) bool {
	return slices.ContainsFunc(places, func(p placeText) bool { return p.header() == line })
}

// linesIn returns which lines of a place are in a text, behind the line at: the number of those before the first, and how many follow each
// other from there.
func (p *placeText) linesIn(text []string, at int) (first, n int) {
	for ; first < len(p.Text) && (at >= len(text) || text[at] != p.line(first)); first++ {
	}
	for first+n < len(p.Text) && at+n < len(text) && text[at+n] == p.line(first+n) {
		n++
	}
	return first, n
}

// analysedLooks returns the lines that an answer of analyze_impact showed, for the target with the key of.
func (a *answer) analysedLooks(of string, s *operation.Sent) (out []task.ReadPart) {
	show := func(p *placeRow, i int) {
		if strings.HasSuffix(p.Texts[i], "…") {
			return // it was cut, perhaps before the use
		}
		out = append(out, task.ReadPart{
			Tool: string(guard.AnalyzeImpact), Path: string(p.Path), Depth: task.Read, First: p.Lines[i], Last: p.Lines[i], Of: of,
		})
	}
	var sent answer
	if s.Decode(&sent) {
		for _, list := range [][]placeRow{sent.Must, sent.Confirm} {
			for k := range list {
				for i := range list[k].Texts[:min(len(list[k].Texts), len(list[k].Lines))] {
					show(&list[k], i)
				}
			}
		}
		return out
	}
	for _, list := range [][]placeRow{a.Must, a.Confirm} {
		for k := range list {
			for i := range list[k].Texts {
				if s.HoldsLine(list[k].shownLine(i)) {
					show(&list[k], i)
				}
			}
		}
	}
	return out
}

// referencedLines returns the lines that an answer of find_references showed.
func referencedLines(s *operation.Sent) (out []shownLine) {
	if s.JSON {
		var sent struct {
			References []struct {
				Path, In string
				Line     int
				Text     string `json:"line_text"`
			}
		}
		s.Decode(&sent)
		for _, r := range sent.References {
			out = append(out, shownLine{r.Path, r.Line, r.In, r.Text != ""})
		}
		return out
	}
	path := ""
	for l := range strings.SplitSeq(s.Text, "\n") {
		m := referenceLine().FindStringSubmatch(l)
		switch {
		case m != nil && path != "":
			n, _ := strconv.Atoi(m[1])
			out = append(out, shownLine{path, n, m[2], m[3] != ""})
		case !strings.HasPrefix(l, " "):
			path = l
		}
	}
	return out
}

// searchedLines returns the lines that an answer of search_text showed.
func searchedLines(s *operation.Sent) (out []shownLine) {
	if s.JSON {
		var sent struct {
			Matches []struct {
				Path, In, Text string
				Line           int
			}
		}
		s.Decode(&sent)
		for _, r := range sent.Matches {
			out = append(out, shownLine{r.Path, r.Line, r.In, r.Text != ""})
		}
		return out
	}
	for l := range strings.SplitSeq(s.Text, "\n") {
		if m := matchLine().FindStringSubmatch(l); m != nil {
			n, _ := strconv.Atoi(m[2])
			out = append(out, shownLine{path: m[1], line: n, text: true})
		}
	}
	return out
}

// MaxSearched is the number of lines up to which those that a search showed count; more are not read.
const MaxSearched = 200

// searchLooks returns what a search for a pattern showed.
func searchLooks(pattern string, lines []shownLine) (out []task.ReadPart) {
	if len(lines) > MaxSearched {
		return nil
	}
	for _, l := range lines {
		out = append(out, task.ReadPart{Path: l.path, Symbol: l.in, Depth: task.Named, First: l.line, Last: l.line, Of: pattern})
		if l.text {
			out = append(out, task.ReadPart{Path: l.path, Depth: task.Read, First: l.line, Last: l.line, Of: pattern})
		}
	}
	return out
}
