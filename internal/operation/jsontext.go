package operation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// JSONText renders a JSON value as text: a line for each field in order, and one for each row of a list. Empty values are left out, but
// for numbers and booleans.
func JSONText(answer []byte) string {
	d := json.NewDecoder(bytes.NewReader(answer))
	d.UseNumber()
	v, err := decodeJSON(d)
	if err != nil {
		return string(answer) + "\n"
	}
	var b strings.Builder
	switch v := v.(type) {
	case orderedObject:
		v.lines(&b, "")
	default:
		b.WriteString(inline(v) + "\n")
	}
	return b.String()
}

// orderedObject is a JSON object with its fields in order.
type orderedObject []orderedField

type orderedField struct {
	key   string
	value any
}

func decodeJSON(d *json.Decoder) (any, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t {
	case json.Delim('{'):
		o := orderedObject{}
		for d.More() {
			k, err := d.Token()
			if err != nil {
				return nil, err
			}
			v, err := decodeJSON(d)
			if err != nil {
				return nil, err
			}
			o = append(o, orderedField{fmt.Sprint(k), v})
		}
		_, err = d.Token()
		return o, err
	case json.Delim('['):
		list := []any{}
		for d.More() {
			v, err := decodeJSON(d)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err = d.Token()
		return list, err
	}
	return t, nil
}

// lines writes a field a line.
func (o orderedObject) lines(b *strings.Builder, indent string) {
	for _, f := range o {
		switch v := f.value.(type) {
		case orderedObject:
			if len(v) > 0 {
				fmt.Fprintf(b, "%s%s:\n", indent, f.key)
				v.lines(b, indent+"  ")
			}
		case []any:
			if len(v) > 0 {
				writeList(b, indent, f.key, v)
			}
		case nil:
		case string:
			if v == "" {
				continue
			}
			if strings.Contains(v, "\n") {
				fmt.Fprintf(b, "%s%s:\n%s\n", indent, f.key, strings.TrimRight(v, "\n"))
				continue
			}
			fmt.Fprintf(b, "%s%s: %s\n", indent, f.key, v)
		default:
			fmt.Fprintf(b, "%s%s: %v\n", indent, f.key, v)
		}
	}
}

// writeList writes a list: in one line if it is of short words, else a line each.
func writeList(b *strings.Builder, indent, key string, list []any) {
	const short = 100
	words := make([]string, len(list))
	all, plain := 0, true
	for i, v := range list {
		words[i] = inline(v)
		all += len(words[i]) + 2
		switch v.(type) {
		case orderedObject, []any:
			plain = false
		}
	}
	if plain && all <= short {
		fmt.Fprintf(b, "%s%s: %s\n", indent, key, strings.Join(words, ", "))
		return
	}
	fmt.Fprintf(b, "%s%s:\n", indent, key)
	for _, w := range words {
		fmt.Fprintf(b, "%s  - %s\n", indent, w)
	}
}

// inline is a value in one line.
func inline(v any) string {
	switch v := v.(type) {
	case orderedObject:
		var list []string
		for _, f := range v {
			if s := inline(f.value); s != "" {
				list = append(list, f.key+": "+s)
			}
		}
		return strings.Join(list, ", ")
	case []any:
		words := make([]string, len(v))
		for i, e := range v {
			words[i] = inline(e)
		}
		if len(words) == 0 {
			return ""
		}
		return "[" + strings.Join(words, ", ") + "]"
	case nil:
		return ""
	case string:
		return strings.Join(strings.Fields(v), " ")
	}
	return fmt.Sprint(v)
}
