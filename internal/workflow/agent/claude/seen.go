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

// fileResponse has the fields of a tool's answer about the files that it shows.
type fileResponse struct {
	Type text `json:"type"`
	File struct {
		Start number `json:"startLine"`
		Lines number `json:"numLines"`
		Total number `json:"totalLines"`
	} `json:"file"`
	Patch hunks `json:"structuredPatch"`
	Names names `json:"filenames"`
	Text  text  `json:"content"`
}

// number is a whole number; any other value becomes 0.
type number int

func (n *number) UnmarshalJSON(b []byte) error {
	var i int
	if json.Unmarshal(b, &i) == nil {
		*n = number(i)
	}
	return nil
}

// hunks are the line ranges changed by an edit, with the lines around them.
type hunks []struct {
	Start number `json:"newStart"`
	Lines number `json:"newLines"`
}

// UnmarshalJSON leaves the list empty if it is not a list of objects.
func (h *hunks) UnmarshalJSON(b []byte) error {
	type plain hunks
	var p plain
	if json.Unmarshal(b, &p) == nil {
		*h = hunks(p)
	}
	return nil
}

// names is a list of strings; any other value becomes nil.
type names []string

func (n *names) UnmarshalJSON(b []byte) error {
	var list []string
	if json.Unmarshal(b, &list) == nil {
		*n = list
	}
	return nil
}

// seenFiles returns the parts of files shown by a tool. A part of the answer that cannot be read counts as not shown, because seen
// files are evidence.
func (p *payload) seenFiles(kind agent.ToolKind) (out []agent.Seen) {
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
		return p.read(&r, file)
	case kind == agent.Edit && p.Tool == "Write":
		return []agent.Seen{{Path: file, Text: true}}
	case kind == agent.Edit:
		for _, h := range r.Patch[:min(len(r.Patch), maxSeen)] {
			if h.Start > 0 && h.Lines > 0 {
				out = append(out, agent.Seen{Path: file, Text: true, First: int(h.Start), Last: int(h.Start + h.Lines - 1)})
			}
		}
	}
	return out
}

// read returns the shown part of one file: the lines in the answer, not the requested ones.
func (p *payload) read(r *fileResponse, file string) []agent.Seen {
	s := agent.Seen{Path: file, Text: true}
	if r.Type == "file_unchanged" { // it was read before, and the agent still has it
		if p.Input.Offset > 0 || p.Input.Limit > 0 {
			s.First = max(1, int(p.Input.Offset))
			s.Last = s.First + max(1, int(p.Input.Limit)) - 1
		}
		return []agent.Seen{s}
	}
	f := &r.File
	if f.Lines <= 0 || f.Start < 0 {
		return nil
	}
	if start := max(1, int(f.Start)); start > 1 || f.Lines < f.Total {
		s.First, s.Last = start, start+int(f.Lines)-1
	}
	return []agent.Seen{s}
}

// match is a line printed by a search.
var match = regexp.MustCompile(`^(?:(.+?):)?(\d+):`)

// searchHits returns the files named by a search, with the lines that it prints.
func (r *fileResponse) searchHits(in string) (out []agent.Seen) {
	for _, f := range r.Names {
		if len(out) < maxSeen && f != "" {
			out = append(out, agent.Seen{Path: f})
		}
	}
	for l := range strings.SplitSeq(string(r.Text), "\n") {
		m := match.FindStringSubmatch(l)
		if m == nil || len(out) >= maxSeen {
			continue
		}
		file := m[1]
		if file == "" && filepath.Ext(in) != "" { // of a search in one file
			file = in
		}
		if n, err := strconv.Atoi(m[2]); err == nil && file != "" {
			out = append(out, agent.Seen{Path: file, First: n, Last: n})
		}
	}
	return out
}
