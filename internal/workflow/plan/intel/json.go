package intel

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// keyValue is a key of a JSON object with its value.
type keyValue struct {
	Key   string          `json:"key"`
	Value json.RawMessage `json:"value"`

	at int64 // where the value begins
}

// orderedObject are the keys and values of a JSON object, in their order.
type orderedObject []keyValue

func (p *orderedObject) add(key string, value any) error {
	b, err := json.Marshal(value)
	*p = append(*p, keyValue{Key: key, Value: b})
	return err
}

// MarshalJSON returns a JSON object with the keys in their order. It returns an error if a name or value cannot be encoded.
func (p orderedObject) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, one := range p {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(one.Key)
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(one.Value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// decodeObject returns the keys and values of a JSON object, in the order of the text. A repeated key has its last value in its first
// place. It fails if the text is not a JSON object.
func decodeObject(text []byte) ([]keyValue, error) {
	skipped := 0
	if rest, ok := bytes.CutPrefix(text, []byte("\xef\xbb\xbf")); ok {
		text, skipped = rest, 3
	}
	if !json.Valid(text) {
		var v any
		err := json.Unmarshal(text, &v)
		if at := (*json.SyntaxError)(nil); errors.As(err, &at) {
			return nil, fmt.Errorf("line %d is not JSON: %w", 1+bytes.Count(text[:min(int(at.Offset), len(text))], []byte("\n")), err)
		}
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("is not a JSON object")
	}
	var list []keyValue
	index := map[string]int{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		p := keyValue{}
		p.Key, _ = t.(string)
		if err := d.Decode(&p.Value); err != nil {
			return nil, err
		}
		p.at = int64(skipped) + d.InputOffset() - int64(len(p.Value))
		if i, ok := index[p.Key]; ok {
			list[i] = p
			continue
		}
		index[p.Key] = len(list)
		list = append(list, p)
	}
	return list, nil
}

// withWriteTime returns the text of a file with the time at which it was written, and with a version that is one higher. All other bytes
// stay.
func withWriteTime(text, now string) (string, error) {
	top, err := decodeObject([]byte(text))
	if err != nil {
		return "", err
	}
	stamp := `"` + now + `"`
	for _, p := range top {
		if p.Key != "_meta" {
			continue
		}
		meta, err := decodeObject(p.Value)
		if err != nil {
			return "", fmt.Errorf("_meta: %w", err)
		}
		version, added := 1, ""
		var edits [2]*keyValue
		for i := range meta {
			switch meta[i].Key {
			case "updated_at":
				edits[0] = &meta[i]
			case "version":
				edits[1] = &meta[i]
				var n float64
				if json.Unmarshal(meta[i].Value, &n) == nil {
					version = int(n) + 1
				}
			}
		}
		inner := string(p.Value)
		values := [...]string{stamp, fmt.Sprint(version)}
		for _, i := range [...]int{0, 1} {
			if edits[i] == nil {
				added += `"` + [...]string{"updated_at", "version"}[i] + `": ` + values[i] + ", "
			}
		}
		order := [...]int{0, 1}
		if edits[0] != nil && edits[1] != nil && edits[0].at < edits[1].at {
			order = [...]int{1, 0} // from the end, so that earlier offsets stay valid
		}
		for _, i := range order {
			if e := edits[i]; e != nil {
				inner = inner[:e.at] + values[i] + inner[e.at+int64(len(e.Value)):]
			}
		}
		if added != "" {
			if len(meta) == 0 {
				added = strings.TrimSuffix(added, ", ")
			}
			inner = "{" + added + inner[1:]
		}
		return text[:p.at] + inner + text[p.at+int64(len(p.Value)):], nil
	}
	meta := `"_meta": {"updated_at": ` + stamp + `, "version": 1}`
	if len(top) > 0 {
		meta += ","
	}
	i := strings.IndexByte(text, '{') + 1
	return text[:i] + "\n  " + meta + text[i:], nil
}
