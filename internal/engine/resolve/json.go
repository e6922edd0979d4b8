package resolve

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// value is a JSON value that keeps the order of an object's keys, because the conditions of package.json exports are
// tried in that order. Of other values it only keeps whether they are false.
type value struct {
	Kind  valueKind
	Str   string
	Keys  []string // of an object
	Items []value  // of an array, or the values of Keys
}

type valueKind uint8

const (
	valueOther valueKind = iota // null, number, true; the zero value
	valueString
	valueArray
	valueObject
	valueFalse // false, which disables things
)

// get returns the member of an object, the zero value if there is none. As in JavaScript the last of equal keys counts.
func (v value) get(key string) value {
	for i := len(v.Keys) - 1; i >= 0; i-- {
		if v.Keys[i] == key {
			return v.Items[i]
		}
	}
	return value{}
}

// has reports whether an object has the member.
func (v value) has(key string) bool {
	for _, k := range v.Keys {
		if k == key {
			return true
		}
	}
	return false
}

// strings returns the strings of an array, or a single string as a list.
func (v value) strings() []string {
	var list []string
	switch v.Kind {
	case valueString:
		list = append(list, v.Str)
	case valueArray:
		for _, item := range v.Items {
			if item.Kind == valueString {
				list = append(list, item.Str)
			}
		}
	}
	return list
}

var errTooDeep = errors.New("nested too deeply")

// parseJSON parses JSON as people write it in configuration files: with comments, trailing commas and a byte order
// mark. Invalid text yields the zero value.
func parseJSON(content []byte) value {
	content = bytes.TrimPrefix(content, []byte("\xef\xbb\xbf"))
	d := json.NewDecoder(bytes.NewReader(plainJSON(content)))
	d.UseNumber()
	v, err := readValue(d, 0)
	if err != nil {
		return value{}
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return value{}
	}
	return v
}

func readValue(d *json.Decoder, depth int) (value, error) {
	if depth > maxDepth {
		return value{}, errTooDeep
	}
	tok, err := d.Token()
	if err != nil {
		return value{}, err
	}
	switch tok := tok.(type) {
	case string:
		return value{Kind: valueString, Str: tok}, nil
	case bool:
		if !tok {
			return value{Kind: valueFalse}, nil
		}
	case json.Delim:
		return readItems(d, tok, depth)
	}
	return value{}, nil
}

func readItems(d *json.Decoder, open json.Delim, depth int) (value, error) {
	v := value{Kind: valueArray}
	if open == '{' {
		v.Kind = valueObject
	}
	for d.More() {
		if v.Kind == valueObject {
			key, err := d.Token()
			if err != nil {
				return value{}, err
			}
			name, _ := key.(string)
			v.Keys = append(v.Keys, name)
		}
		item, err := readValue(d, depth+1)
		if err != nil {
			return value{}, err
		}
		v.Items = append(v.Items, item)
	}
	_, err := d.Token()
	return v, err
}

// plainJSON blanks out comments and trailing commas, in a copy of the same
// length.
func plainJSON(src []byte) []byte {
	out := bytes.Clone(src)
	comma := -1 // a comma after which nothing but space has been seen
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case c == '"':
			comma = -1
			i = skipString(out, i)
		case c == '/' && i+1 < len(out) && out[i+1] == '/':
			for ; i < len(out) && out[i] != '\n' && out[i] != '\r'; i++ {
				out[i] = ' '
			}
		case c == '/' && i+1 < len(out) && out[i+1] == '*':
			i = blankComment(out, i)
		case c == ',':
			comma = i
		case (c == '}' || c == ']') && comma >= 0:
			out[comma] = ' '
			comma = -1
		case c > ' ':
			comma = -1
		}
	}
	return out
}

// skipString returns the index of the quote that ends the string starting at i.
func skipString(b []byte, i int) int {
	for i++; i < len(b) && b[i] != '"'; i++ {
		if b[i] == '\\' {
			i++
		}
	}
	return i
}

// blankComment blanks the block comment starting at i and returns the index of its last byte.
func blankComment(b []byte, i int) int {
	end := len(b)
	if n := bytes.Index(b[i+2:], []byte("*/")); n >= 0 {
		end = i + 2 + n + 2
	}
	for ; i < end; i++ {
		if b[i] != '\n' {
			b[i] = ' '
		}
	}
	return end - 1
}

// canonical renders a parsed configuration as JSON, so that equal values give equal bytes.
func canonical(v any) []byte {
	out, err := json.Marshal(v)
	if err != nil { // unreachable, because no config type holds a value that JSON lacks; but never nil
		return []byte{}
	}
	return out
}
