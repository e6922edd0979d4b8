package tasks

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash/fnv"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ken/internal/guard"
	"ken/internal/knowledge/task"
	"ken/internal/operation"
	"ken/internal/statefile"
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

// The lines of the texts of references and of a search: a path alone and below it lines with a number, or a path with a number.
var (
	referenceLine = regexp.MustCompile(`^  (\d+)  \S+(?:  in (\S+))?  \[[^\]]*\](  .*)?$`)
	matchLine     = regexp.MustCompile(`^(.+?)[:-](\d+)  `)
)

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
		m := referenceLine.FindStringSubmatch(l)
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
		if m := matchLine.FindStringSubmatch(l); m != nil {
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

// maxMarked is the number of lines up to which the lines of a file are marked.
const maxMarked = 20_000

// contentOf is the content of a file, by its hash, and the marks of its lines.
type contentOf struct {
	hash  string
	marks []string
}

// readContent reads a file below root; false if it cannot be read. The mark of a line is a hash of it and of the lines beside it, so that a
// line that moved keeps its mark and one that is alike elsewhere has another.
func readContent(root, path string) (c contentOf, ok bool) {
	data, err := statefile.ReadFollow(filepath.Join(root, filepath.FromSlash(path)), maxPromised)
	if err != nil {
		return c, false
	}
	sum := sha256.Sum256(data)
	c.hash = hex.EncodeToString(sum[:])
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	if len(lines) > maxMarked {
		return c, true
	}
	at := func(i int) string {
		if i < 0 || i >= len(lines) {
			return ""
		}
		return strings.TrimSuffix(lines[i], "\r")
	}
	for i := range lines {
		h := fnv.New32a()
		h.Write([]byte(at(i-1) + "\n" + at(i) + "\n" + at(i+1)))
		c.marks = append(c.marks, string(h.Sum(nil)))
	}
	return c, true
}

// markLooks binds looks that showed text to the content of their files: the file as it is now, and each line that was shown.
func markLooks(root string, looks []task.ReadPart) {
	read := map[string]*contentOf{}
	for i := range looks {
		l := &looks[i]
		if l.Depth < task.Read || l.Path == "" {
			continue
		}
		c := read[l.Path]
		if c == nil {
			c = &contentOf{}
			if now, ok := readContent(root, l.Path); ok {
				c = &now
			}
			read[l.Path] = c
		}
		first, last := max(l.First, 1), l.Last
		if l.First == 0 {
			last = len(c.marks)
		}
		l.Hash = c.hash
		if first <= last {
			l.Marks = strings.Join(c.marks[min(first-1, len(c.marks)):min(last, len(c.marks))], "")
		}
	}
}

// markSize is the length of a mark, in bytes.
const markSize = 4

// freshLooks returns looks as they are of the files now: of a file that has changed since, the lines that are still as they were shown.
// hash returns the hash of a file's content; false for a file that is not known, whose looks stay as they are.
func freshLooks(root string, looks []task.ReadPart, hash func(path string) (string, bool)) (out []task.ReadPart) {
	read := map[string]*contentOf{}
	for _, l := range looks {
		now, known := "", false
		if l.Depth >= task.Read && l.Path != "" {
			now, known = hash(l.Path)
		}
		if !known || now == l.Hash {
			out = append(out, l)
			continue
		}
		c := read[l.Path]
		if c == nil {
			c = &contentOf{}
			if now, ok := readContent(root, l.Path); ok {
				c = &now
			}
			read[l.Path] = c
		}
		out = append(out, stillShown(l, c)...)
	}
	return out
}

// stillShown returns the lines of a file that a look showed and that are as they were, wherever they are now.
func stillShown(l task.ReadPart, c *contentOf) (out []task.ReadPart) {
	shown := map[string]bool{}
	for i := 0; i+markSize <= len(l.Marks); i += markSize {
		shown[l.Marks[i:i+markSize]] = true
	}
	for i := 0; i < len(c.marks); i++ {
		first := i
		for i < len(c.marks) && shown[c.marks[i]] {
			i++
		}
		if i > first {
			part := l
			part.First, part.Last = first+1, i
			out = append(out, part)
		}
	}
	return out
}

// noFile is the fingerprint of a file that is not there, such as one that will be made.
const noFile = "none"

// fingerprint returns the hash of a file's content, noFile if there is none, or "" if it is outside of root, cannot be read or is
// larger than maxPromised.
func fingerprint(root, path string) string {
	if !filepath.IsLocal(filepath.FromSlash(path)) {
		return ""
	}
	data, err := statefile.ReadFollow(filepath.Join(root, filepath.FromSlash(path)), maxPromised)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return noFile
	case err != nil:
		return ""
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// maxPromised is the largest file, in bytes, that is hashed to see whether it was modified as promised.
const maxPromised = 16 << 20
