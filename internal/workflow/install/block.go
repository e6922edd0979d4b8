package install

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Block is a part of a text file between two marker lines.
type Block struct {
	Path       string
	What       string
	Begin, End string // the lines
	Text       string // between them, without a line end at its end
}

func (b *Block) newRecord() record {
	return record{Path: b.Path, Kind: kindBlock, What: b.What, Begin: b.Begin, End: b.End}
}

func (b *Block) addTo(cur fileContent, old *record) (addResult, error) {
	rec := b.newRecord()
	if old != nil {
		rec.Lead = old.Lead
	}
	if !utf8.Valid(cur.data) {
		return addResult{}, fmt.Errorf("it is not UTF-8 text")
	}
	nl := lineEnding(cur.data)
	block := strings.Join([]string{b.Begin, strings.ReplaceAll(b.Text, "\n", nl), b.End, ""}, nl)
	start, end, err := findBlock(cur.data, b.Begin, b.End)
	switch {
	case err != nil:
		return addResult{}, err
	case start >= 0:
		last := strings.TrimSuffix(block, nl) // the last line may have no end
		if string(cur.data[start:end]) != block && string(cur.data[start:end]) != last {
			cur.data = replaceRange(cur.data, start, end, block)
		}
	default:
		rec.Lead = ""
		if len(bytes.TrimSpace(cur.data)) > 0 {
			rec.Lead = nl
			if !bytes.HasSuffix(cur.data, []byte("\n")) {
				rec.Lead = nl + nl
			}
		}
		cur.data = replaceRange(cur.data, len(cur.data), len(cur.data), rec.Lead+block)
	}
	return addResult{fileContent: fileContent{cur.data, true}, record: rec}, nil
}

// lineEnding returns the line ending of a text, that of its first line.
func lineEnding(data []byte) string {
	if i := bytes.IndexByte(data, '\n'); i > 0 && data[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

func replaceRange(data []byte, start, end int, with string) []byte {
	return []byte(string(data[:start]) + with + string(data[end:]))
}

// findBlock returns the position of the block, with its marker lines and its last line end; from is -1 if there is none. It fails for one
// marker without the other, or a repeated one: ken's part cannot be determined then.
func findBlock(data []byte, begin, end string) (from, to int, err error) {
	from, to = -1, -1
	at, row := 0, 0
	for line := range bytes.Lines(data) {
		row++
		switch strings.TrimSpace(strings.TrimPrefix(string(line), "\xEF\xBB\xBF")) {
		case begin:
			if from >= 0 {
				return 0, 0, fmt.Errorf("line %d: a second %q", row, begin)
			}
			from = at
		case end:
			if from < 0 || to >= 0 {
				return 0, 0, fmt.Errorf("line %d: %q without %q before it", row, end, begin)
			}
			to = at + len(line)
		}
		at += len(line)
	}
	if from >= 0 && to < 0 {
		return 0, 0, fmt.Errorf("%q without %q after it", begin, end)
	}
	return from, to, nil
}

// removeBlock removes the block, and the empty line that was added before it.
func removeBlock(data []byte, r *record) ([]byte, error) {
	from, to, err := findBlock(data, r.Begin, r.End)
	if err != nil || from < 0 {
		return data, err
	}
	before, after := data[:from], data[to:]
	if r.Lead == "" || !bytes.HasSuffix(before, []byte(r.Lead)) {
		return replaceRange(data, from, to, ""), nil
	}
	before = before[:len(before)-len(r.Lead)]
	if len(after) > 0 && len(before) > 0 && !bytes.HasSuffix(before, []byte("\n")) {
		// Text was added after the block, which needs the line end in front of it.
		return replaceRange(data, len(before), to, lineEnding(data)), nil
	}
	return replaceRange(data, len(before), to, ""), nil
}
