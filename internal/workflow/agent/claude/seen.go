package claude

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"ken/internal/workflow/agent"
)

// maxSeen is the greatest number of files listed for one search.
const maxSeen = 200

// fileResponse has the fields of a tool's result that describe the files it shows.
type fileResponse struct {
	Type lenientText `json:"type"`
	File struct {
		Start lenientInt `json:"startLine"`
		Lines lenientInt `json:"numLines"`
		Total lenientInt `json:"totalLines"`
	} `json:"file"`
	Patch editHunks      `json:"structuredPatch"`
	Names lenientStrings `json:"filenames"`
	Text  lenientText    `json:"content"`
}

// lenientInt is a whole number; any other JSON value becomes 0.
type lenientInt int

func (n *lenientInt) UnmarshalJSON(b []byte) error {
	var i int
	if json.Unmarshal(b, &i) == nil {
		*n = lenientInt(i)
	}
	return nil
}

// editHunks are the line ranges changed by an edit, with the lines around them.
type editHunks []struct {
	Start lenientInt `json:"newStart"`
	Lines lenientInt `json:"newLines"`
}

// UnmarshalJSON leaves the list empty if it is not a list of objects.
func (h *editHunks) UnmarshalJSON(b []byte) error {
	type plain editHunks
	var p plain
	if json.Unmarshal(b, &p) == nil {
		*h = editHunks(p)
	}
	return nil
}

// lenientStrings is a list of strings; any other JSON value becomes nil.
type lenientStrings []string

func (n *lenientStrings) UnmarshalJSON(b []byte) error {
	var list []string
	if json.Unmarshal(b, &list) == nil {
		*n = list
	}
	return nil
}

// seenFiles returns the parts of files that a tool showed. A part of the result that cannot be read counts as not shown, because
// seen files are evidence.
func (p *payload) seenFiles(kind agent.ToolKind) (out []agent.SeenPart) {
	var r fileResponse
	if json.Unmarshal(p.Response, &r) != nil {
		return nil
	}
	file := string(p.Input.File)
	switch {
	case kind == agent.Grep:
		return r.searchHits(string(p.Input.Path))
	case file == "":
	case kind == agent.Read:
		return p.readPart(&r, file)
	case kind == agent.Edit && p.Tool == "Write":
		return []agent.SeenPart{{Path: file, Text: true}}
	case kind == agent.Edit:
		for _, h := range r.Patch[:min(len(r.Patch), maxSeen)] {
			if h.Start > 0 && h.Lines > 0 {
				out = append(out, agent.SeenPart{Path: file, Text: true, First: int(h.Start), Last: int(h.Start + h.Lines - 1)})
			}
		}
	}
	return out
}

// readPart returns the shown part of one file: the lines in the result, not the requested ones.
func (p *payload) readPart(r *fileResponse, file string) []agent.SeenPart {
	s := agent.SeenPart{Path: file, Text: true}
	if r.Type == "file_unchanged" { // it was read before, and the agent still has it
		if p.Input.Offset > 0 || p.Input.Limit > 0 {
			s.First = max(1, int(p.Input.Offset))
			s.Last = s.First + max(1, int(p.Input.Limit)) - 1
		}
		return []agent.SeenPart{s}
	}
	f := &r.File
	if f.Lines <= 0 || f.Start < 0 {
		return nil
	}
	if start := max(1, int(f.Start)); start > 1 || f.Lines < f.Total {
		s.First, s.Last = start, start+int(f.Lines)-1
	}
	return []agent.SeenPart{s}
}

// matchLine matches a line printed by a search: path, line number, text.
var matchLine = regexp.MustCompile(`^(?:(.+?):)?(\d+):`)

// searchHits returns the files that a search result names, with the lines that it prints.
func (r *fileResponse) searchHits(in string) (out []agent.SeenPart) {
	for _, f := range r.Names {
		if len(out) < maxSeen && f != "" {
			out = append(out, agent.SeenPart{Path: f})
		}
	}
	for l := range strings.SplitSeq(string(r.Text), "\n") {
		m := matchLine.FindStringSubmatch(l)
		if m == nil || len(out) >= maxSeen {
			continue
		}
		file := m[1]
		if file == "" && filepath.Ext(in) != "" { // of a search in one file
			file = in
		}
		if n, err := strconv.Atoi(m[2]); err == nil && file != "" {
			out = append(out, agent.SeenPart{Path: file, First: n, Last: n})
		}
	}
	return out
}
