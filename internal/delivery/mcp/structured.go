package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// value is one key of an answer; rows are its elements if it is a list.
type value struct {
	key  string
	raw  json.RawMessage
	rows []json.RawMessage
	list bool
	all  int // rows before any was left out
}

// structured is a result of JSON, as text and as structured content. What does not fit is left out from the ends of
// the lists, the longest first; "cut" says how many rows of each, and "next" how to get them.
func (f *fitter) structured(text, message string, full bool) (r *mcp.CallToolResult, whole bool) {
	values, complete := parse(text)
	for i := range values {
		values[i].rows = slices.DeleteFunc(values[i].rows, f.isOmitted)
		values[i].all = len(values[i].rows)
	}
	for try := 0; ; try++ {
		r := inJSON(encode(values, message, full || !complete))
		size := f.size(r)
		if size <= f.budget-margin {
			return r, try == 0 && !full
		}
		if !shrink(values, float64(f.budget-margin)/float64(size)) {
			return inJSON(encode(nil, message, true)), false
		}
	}
}

func inJSON(text []byte) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(text)}}, StructuredContent: json.RawMessage(text)}
}

// shrink makes values smaller: the longest list, else the longest value. It reports whether there was something left.
func shrink(values []value, share float64) bool {
	longest, size := -1, 0
	for i := range values {
		n := len(values[i].raw)
		for _, r := range values[i].rows {
			n += len(r)
		}
		if n > size && (!values[i].list || len(values[i].rows) > 0) {
			longest, size = i, n
		}
	}
	if longest < 0 {
		return false
	}
	v := &values[longest]
	if v.list {
		keep := min(int(float64(len(v.rows))*share), len(v.rows)-1)
		v.rows = v.rows[:keep]
		return true
	}
	v.raw = nil
	return true
}

// encode writes the values in their order.
func encode(values []value, message string, cutShort bool) []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	key := func(k string) {
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.WriteString(quoted(k) + ":")
	}
	var cut []string
	for i := range values {
		v := &values[i]
		switch {
		case v.list:
			key(v.key)
			b.WriteByte('[')
			for i, r := range v.rows {
				if i > 0 {
					b.WriteByte(',')
				}
				b.Write(r)
			}
			b.WriteByte(']')
			if n := v.all - len(v.rows); n > 0 {
				cut = append(cut, fmt.Sprintf("%s:%d", quoted(v.key), n))
			}
		case v.raw != nil:
			key(v.key)
			b.Write(v.raw)
		default:
			cut = append(cut, quoted(v.key)+":1")
		}
	}
	if message != "" {
		key("message")
		b.WriteString(quoted(clipBytes(message, maxMessage)))
	}
	if len(cut) > 0 || cutShort {
		key("cut")
		b.WriteString("{" + strings.Join(cut, ",") + "}")
		key("next")
		b.WriteString(`"rows were left out: ask something narrower, omit what you have, or raise budget"`)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// maxMessage is how much of an error is sent in JSON, in bytes.
const maxMessage = 160

// parse splits an answer of JSON into its keys. Of one that was not written to its end it gives what is there.
func parse(text string) (out []value, complete bool) {
	dec := json.NewDecoder(strings.NewReader(text))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, text == ""
	}
	for dec.More() {
		t, err := dec.Token()
		key, ok := t.(string)
		if err != nil || !ok {
			return out, false
		}
		at := strings.TrimLeft(text[dec.InputOffset():], ": \n\t")
		if !strings.HasPrefix(at, "[") {
			v := value{key: key}
			if dec.Decode(&v.raw) != nil {
				return out, false
			}
			v.raw = compact(v.raw)
			out = append(out, v)
			continue
		}
		v, whole := rows(dec, key)
		out = append(out, v)
		if !whole {
			return out, false
		}
	}
	return out, true
}

func rows(dec *json.Decoder, key string) (v value, whole bool) {
	v = value{key: key, list: true}
	if _, err := dec.Token(); err != nil { // the bracket
		return v, false
	}
	for dec.More() {
		var r json.RawMessage
		if dec.Decode(&r) != nil {
			return v, false
		}
		v.rows = append(v.rows, compact(r))
	}
	_, err := dec.Token()
	return v, err == nil
}

func compact(raw json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}

// isOmitted reports whether the caller has the item of a row.
func (f *fitter) isOmitted(r json.RawMessage) bool {
	if len(f.common.omit) == 0 {
		return false
	}
	var row struct {
		Path, File, Name, ID string
		Line                 int
	}
	if json.Unmarshal(r, &row) != nil {
		return false
	}
	path := row.Path + row.File
	ids := []string{path, row.ID, fmt.Sprintf("%s:%d", path, row.Line)}
	if path == "" {
		ids[0] = row.Name
	}
	return slices.ContainsFunc(f.common.omit, func(id string) bool {
		return id != "" && slices.Contains(ids, strings.TrimPrefix(id, "./"))
	})
}
