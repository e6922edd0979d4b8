package install

import (
	"bytes"
	"slices"
	"strings"
)

// Lines are lines to add to a text file that is a list, such as .gitignore.
type Lines struct {
	Path   string
	What   string
	Within string // a folder that links may lead to, instead of the plan's
	Lines  []string
}

func (l *Lines) newRecord() record {
	return record{Path: l.Path, Kind: kindLines, What: l.What, Within: l.Within, Lines: l.Lines}
}

func (l *Lines) addTo(cur fileContent, old *record) (addResult, error) {
	rec := l.newRecord()
	if old != nil {
		rec.Added = old.Added
	}
	nl := lineEnding(cur.data)
	there := splitLines(cur.data)
	var add strings.Builder
	for _, line := range l.Lines {
		if slices.Contains(there, line) {
			continue
		}
		add.WriteString(line + nl)
		if !slices.Contains(rec.Added, line) {
			rec.Added = append(rec.Added, line)
		}
	}
	if add.Len() > 0 {
		lead := ""
		if len(cur.data) > 0 && !bytes.HasSuffix(cur.data, []byte("\n")) {
			lead = nl
		}
		cur = fileContent{replaceRange(cur.data, len(cur.data), len(cur.data), lead+add.String()), true}
	}
	return addResult{fileContent: cur, record: rec}, nil
}

func splitLines(data []byte) []string {
	var out []string
	for line := range bytes.Lines(data) {
		out = append(out, strings.TrimRight(string(line), "\r\n"))
	}
	return out
}

// removeLines removes the added lines that no other installation wants, and the line end that was added before them.
func removeLines(data []byte, r *record, wanted []string) []byte {
	var out []byte
	for line := range bytes.Lines(data) {
		plain := strings.TrimRight(string(line), "\r\n")
		if slices.Contains(r.Added, plain) && !slices.Contains(wanted, plain) {
			continue
		}
		out = append(out, line...)
	}
	for _, end := range []string{"\r\n", "\n"} {
		if short, ok := bytes.CutSuffix(out, []byte(end)); ok && hash(short) == r.Before {
			return short
		}
	}
	return out
}
