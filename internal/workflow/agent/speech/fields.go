package speech

import (
	"bytes"
	"encoding/json"
	"strings"
)

// fields are the members of an object of a payload. A value of an unexpected type counts as missing.
type fields map[string]json.RawMessage

// object returns the members of an object; nil for any other value. A string that holds an object counts as one.
func object(raw json.RawMessage) (f fields) {
	if json.Unmarshal(raw, &f) == nil {
		return f
	}
	if s := text(raw); strings.HasPrefix(strings.TrimSpace(s), "{") && json.Unmarshal([]byte(s), &f) == nil {
		return f
	}
	return nil
}

// text returns a string; "" for any other value.
func text(raw json.RawMessage) (s string) {
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// list returns the elements of a list; nil for any other value.
func list(raw json.RawMessage) (all []json.RawMessage) {
	if json.Unmarshal(raw, &all) != nil {
		return nil
	}
	return all
}

// words returns the strings of a list of strings.
func words(raw json.RawMessage) (out []string) {
	for _, v := range list(raw) {
		if s := text(v); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// isSet reports whether a value is there and is neither null, false, nor empty.
func isSet(raw json.RawMessage) bool {
	switch string(bytes.TrimSpace(raw)) {
	case "", "null", "false", `""`, "{}", "[]", "0":
		return false
	}
	return true
}

// raw returns the first member that is there, of several names in a few objects.
func (f fields) raw(names ...string) json.RawMessage {
	for _, name := range names {
		if v := f[name]; isSet(v) {
			return v
		}
	}
	return nil
}

// text returns the first string that is not empty, of several names.
func (f fields) text(names ...string) string {
	for _, name := range names {
		if s := text(f[name]); s != "" {
			return s
		}
	}
	return ""
}

// has reports whether all names are members.
func (f fields) has(names ...string) bool {
	for _, name := range names {
		if _, ok := f[name]; !ok {
			return false
		}
	}
	return true
}

// add adds the members of another object that are not there yet.
func (f fields) add(other fields) {
	for name, v := range other {
		if _, ok := f[name]; !ok {
			f[name] = v
		}
	}
}
