package planning

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
)

// escape keeps line ends and tabs and shows other control characters, which could steer a terminal.
func escape(s string) string {
	if !strings.ContainsFunc(s, steers) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if steers(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func steers(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
}

// textOf is the JSON of an answer as text: a line for each field in its order, and one for each row of a list. What is
// empty is left out, but for numbers and switches, which say something.
func textOf(answer []byte) string {
	d := json.NewDecoder(bytes.NewReader(answer))
	d.UseNumber()
	v, err := decode(d)
	if err != nil {
		return string(answer) + "\n"
	}
	var b strings.Builder
	switch v := v.(type) {
	case object:
		v.lines(&b, "")
	default:
		b.WriteString(inline(v) + "\n")
	}
	return b.String()
}

// object is a JSON object with its fields in order.
type object []field

type field struct {
	key   string
	value any
}

func decode(d *json.Decoder) (any, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t {
	case json.Delim('{'):
		o := object{}
		for d.More() {
			k, err := d.Token()
			if err != nil {
				return nil, err
			}
			v, err := decode(d)
			if err != nil {
				return nil, err
			}
			o = append(o, field{fmt.Sprint(k), v})
		}
		_, err = d.Token()
		return o, err
	case json.Delim('['):
		list := []any{}
		for d.More() {
			v, err := decode(d)
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
func (o object) lines(b *strings.Builder, indent string) {
	for _, f := range o {
		switch v := f.value.(type) {
		case object:
			if len(v) > 0 {
				fmt.Fprintf(b, "%s%s:\n", indent, f.key)
				v.lines(b, indent+"  ")
			}
		case []any:
			if len(v) > 0 {
				rows(b, indent, f.key, v)
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

// rows writes a list: in one line if it is of short words, else a line each.
func rows(b *strings.Builder, indent, key string, list []any) {
	const short = 100
	words := make([]string, len(list))
	all, plain := 0, true
	for i, v := range list {
		words[i] = inline(v)
		all += len(words[i]) + 2
		switch v.(type) {
		case object, []any:
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
	case object:
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
