package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// fitJSON returns a result of JSON, as text and as structured content. Rows that do not fit are left out from
// the ends of the lists, the largest first; "cut" counts them for each list, and "next" explains how to get
// them.
func (f *fitter) fitJSON(text, message string, full bool) (r *mcp.CallToolResult, whole bool) {
	answer, complete := parseAnswer(text)
	if f.words != nil {
		answer.translate(f.words)
	}
	for _, v := range answer.parts {
		v.parts = slices.DeleteFunc(v.parts, func(row *jsonValue) bool { return f.isOmitted(row.encode(nil)) })
		v.all = len(v.parts)
	}
	for try := 0; ; try++ {
		r := jsonResult(encodeAnswer(answer, message, full || !complete))
		size := f.size(r)
		if size <= f.budget-margin {
			return r, try == 0 && !full
		}
		if !answer.shrink(float64(f.budget-margin) / float64(size)) {
			return jsonResult(encodeAnswer(&jsonValue{kind: '{'}, message, true)), false
		}
	}
}

func jsonResult(text []byte) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(text)}}, StructuredContent: json.RawMessage(text)}
}

// encodeAnswer writes the answer, the message and the numbers of omitted rows.
func encodeAnswer(answer *jsonValue, message string, cutShort bool) []byte {
	b := answer.encode(nil)
	b = b[:len(b)-1]
	key := func(k string) {
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(b, quoteJSON(k)+":"...)
	}
	// An answer with a message of its own explains more than the error does.
	explained := slices.ContainsFunc(answer.parts, func(p *jsonValue) bool { return p.key == "message" && !p.gone })
	if message != "" && !explained {
		key("message")
		b = append(b, quoteJSON(clipBytes(message, maxMessage))...)
	}
	cut := map[string]int{}
	answer.countLeftOut("", cut)
	if len(cut) > 0 || cutShort {
		key("cut")
		counts, _ := json.Marshal(cut) // numbers can always be encoded
		b = append(b, counts...)
		key("next")
		b = append(b, `"rows were left out: raise budget"`...)
	}
	return append(b, '}')
}

// maxMessage is the length of the shown beginning of an error in JSON, in bytes.
const maxMessage = 160

// isOmitted reports whether a row is about an item that the caller has already.
func (f *fitter) isOmitted(r []byte) bool {
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

// jsonValue is a JSON value with its keys in order. Rows can be left out of its lists.
type jsonValue struct {
	kind  byte   // '{' of an object, '[' of a list, 0 of anything else
	key   string // in the object that holds it
	raw   []byte // of a value that is no object or list
	parts []*jsonValue
	all   int // rows of a list before any was left out
	gone  bool
}

// parseAnswer reads an answer, which is an object. If the text is cut off, it returns the part before the cut.
func parseAnswer(text string) (answer *jsonValue, complete bool) {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	answer = &jsonValue{kind: '{'}
	t, err := dec.Token()
	if err != nil || t != json.Delim('{') {
		return answer, text == ""
	}
	return answer, answer.read(dec)
}

// read reads the parts of an object or a list up to its end.
func (v *jsonValue) read(dec *json.Decoder) (complete bool) {
	for dec.More() {
		part := &jsonValue{}
		if v.kind == '{' {
			t, err := dec.Token()
			key, ok := t.(string)
			if err != nil || !ok {
				return false
			}
			part.key = key
		}
		t, err := dec.Token()
		if err != nil {
			return false
		}
		d, nested := t.(json.Delim)
		if nested {
			part.kind = byte(d)
			complete := part.read(dec)
			v.add(part, complete)
			if !complete {
				return false
			}
			continue
		}
		if part.raw, err = encodeScalar(t); err != nil {
			return false
		}
		v.add(part, true)
	}
	_, err := dec.Token()
	return err == nil
}

// translate translates the values in which operations name a command to run next.
func (v *jsonValue) translate(words func(string) string) {
	for _, p := range v.parts {
		var s string
		if (p.key == "fix" || p.key == "hint") && p.kind == 0 && json.Unmarshal(p.raw, &s) == nil {
			p.raw, _ = encodeScalar(words(s)) // a string can always be encoded
		}
		p.translate(words)
	}
}

// add adds a part. An incomplete row is left out, because half a row misleads.
func (v *jsonValue) add(part *jsonValue, complete bool) {
	if complete || v.kind == '{' {
		v.parts = append(v.parts, part)
		v.all++
	}
}

// encodeScalar returns a token as JSON, without escaping characters for HTML as json.Encoder does.
func encodeScalar(t json.Token) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(t)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// encode appends the value to b.
func (v *jsonValue) encode(b []byte) []byte {
	if v.kind == 0 {
		return append(b, v.raw...)
	}
	b = append(b, v.kind)
	first := true
	for _, p := range v.parts {
		if p.gone {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		if v.kind == '{' {
			b = append(b, quoteJSON(p.key)+":"...)
		}
		b = p.encode(b)
	}
	return append(b, v.kind+2) // the closing bracket is two after the opening one
}

// shrink leaves out rows at the end of the largest list that has more than one, so that about so large a share of
// them stays; where no list has more than one, the largest single value. It reports whether there was something.
func (v *jsonValue) shrink(share float64) bool {
	list, single := &largest{}, &largest{}
	v.find(list, single)
	switch {
	case list.value != nil:
		l := list.value
		l.parts = l.parts[:max(1, min(int(float64(len(l.parts))*share), len(l.parts)-1))]
		return true
	case single.value != nil:
		single.value.gone = true
		return true
	}
	return false
}

type largest struct {
	value *jsonValue
	size  int
}

func (l *largest) offer(v *jsonValue, size int) {
	if size > l.size {
		l.value, l.size = v, size
	}
}

// find offers every list with more than one row, and every value of an object that has no parts. It returns the size in bytes.
func (v *jsonValue) find(list, single *largest) int {
	size := len(v.raw) + len(v.key) + 2
	for _, p := range v.parts {
		if p.gone {
			continue
		}
		n := p.find(list, single)
		if v.kind == '{' && (p.kind == 0 || len(p.parts) == 1 && p.parts[0].kind == 0) {
			single.offer(p, n)
		}
		size += n
	}
	if v.kind == '[' && len(v.parts) > 1 {
		list.offer(v, size)
	}
	return size
}

// countLeftOut counts the omitted rows, by the keys that lead to them.
func (v *jsonValue) countLeftOut(at string, cut map[string]int) {
	if n := v.all - len(v.parts); v.kind == '[' && n > 0 {
		cut[at] += n
	}
	for _, p := range v.parts {
		key := at
		if v.kind == '{' {
			key = strings.TrimPrefix(at+"."+p.key, ".")
		}
		if p.gone {
			cut[key]++
			continue
		}
		p.countLeftOut(key, cut)
	}
}
