package mcp

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/view"
	"ken/internal/operation"
)

// commonArgs are the arguments that every tool has.
type commonArgs struct {
	budget     int
	from       int // first line that is shown
	omit       []string
	structured bool
	project    string // which project is asked about, "" for the one that the call's paths or the working directory are in
	input      string // standard input of the operation
}

// The budgets of an answer, in tokens. A smaller one would not hold the line that explains how to go on.
const (
	defaultBudget = 2000
	minBudget     = 100
	maxBudget     = 20000
)

// decode fills the input of an operation with arguments as models write them: a number, a list or a
// boolean may be a string, a list may be a single value, and the case of names is ignored.
func (o *offeredTool) decode(raw json.RawMessage, in any) (commonArgs, error) {
	c := commonArgs{budget: defaultBudget, from: 1}
	args, err := decodeObject(raw)
	if err != nil {
		return c, err
	}
	fields := o.fields()
	names := []string{"budget", "from", "omit", "structured"}
	for i := range fields {
		names = append(names, fields[i].Key())
	}
	for i := range o.variants {
		names = append(names, o.variants[i].key)
	}
	var firstErr error
	main := slices.IndexFunc(fields, func(f operation.Field) bool { return f.Positional })
	given := false
	for key := range args {
		given = given || operation.NamedField(fields, key, true) == main
	}
	for _, key := range slices.Sorted(maps.Keys(args)) {
		name, value := argumentName(key), args[key]
		i := operation.NamedField(fields, key, given)
		given = given || i == main
		switch {
		case name == "input" && o.tool.MCP.Input:
			c.input, err = decodeText(name, value)
		case string(value) == "null":
		case i >= 0:
			err = setField(&fields[i], in, value)
		default:
			err = c.setArgument(name, value, names)
		}
		if firstErr == nil {
			firstErr = err
		}
	}
	return c, firstErr
}

func argumentName(key string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(key)), "-", "_")
}

func (c *commonArgs) setArgument(name string, value json.RawMessage, names []string) (err error) {
	switch name {
	case "budget":
		c.budget, err = decodeNumber(name, value)
		c.budget = min(max(c.budget, minBudget), maxBudget)
	case "from":
		c.from, err = decodeNumber(name, value)
		c.from = max(1, c.from)
	case "omit":
		c.omit, err = decodeList(name, value)
	case "structured":
		c.structured, err = decodeBool(name, value)
	case "project":
		c.project, err = decodeText(name, value)
	default:
		return code.Usagef("%s", unknownNameError("argument", name, names))
	}
	return err
}

// decodeObject decodes the arguments, which may be a string that holds them, or nothing.
func decodeObject(raw json.RawMessage) (map[string]json.RawMessage, error) {
	raw = bytes.TrimSpace(raw)
	var s string
	if json.Unmarshal(raw, &s) == nil {
		raw = []byte(s)
	}
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var args map[string]json.RawMessage
	if json.Unmarshal(raw, &args) != nil {
		return nil, code.Usagef("the arguments are no JSON object")
	}
	return args, nil
}

func setField(f *operation.Field, in any, value json.RawMessage) (err error) {
	switch p := f.Pointer(in).(type) {
	case *string:
		if f.Objects {
			var all []string
			if all, err = decodeObjects(f.Key(), value); len(all) > 0 {
				*p = all[0]
			}
			break
		}
		*p, err = decodeText(f.Key(), value)
		if f.IsPath() {
			*p = normalizeSlashes(*p)
		}
	case **string:
		var s string
		s, err = decodeText(f.Key(), value)
		*p = &s
	case *map[string]string:
		if json.Unmarshal(value, p) != nil {
			err = code.Usagef("%s must be an object of strings", f.Key())
		}
	case *[]string:
		if f.Text {
			var s string
			s, err = decodeText(f.Key(), value)
			*p = []string{s}
			break
		}
		if f.Objects {
			*p, err = decodeObjects(f.Key(), value)
			break
		}
		*p, err = decodeList(f.Key(), value)
		for i := range *p {
			if f.IsPath() {
				(*p)[i] = normalizeSlashes((*p)[i])
			}
		}
	case *int:
		*p, err = decodeNumber(f.Key(), value)
	case **int:
		var n int
		n, err = decodeNumber(f.Key(), value)
		*p = &n
	case *bool:
		*p, err = decodeBool(f.Key(), value)
	}
	return err
}

// normalizeSlashes replaces the backslashes of Windows paths by slashes. Names with backslashes,
// which only PHP has, are kept.
func normalizeSlashes(s string) string {
	if strings.Contains(s, "/") || !strings.Contains(s, `\`) || !strings.Contains(s[strings.LastIndex(s, `\`):], ".") {
		return s
	}
	return strings.ReplaceAll(s, `\`, "/")
}

// decodeText decodes a string. A list of strings becomes its words, a number its digits.
func decodeText(name string, value json.RawMessage) (string, error) {
	var v any
	if json.Unmarshal(value, &v) != nil {
		return "", code.Usagef("%s cannot be read", name)
	}
	switch v := v.(type) {
	case string:
		return v, nil
	case float64, bool:
		return string(bytes.TrimSpace(value)), nil
	case []any:
		if words, err := decodeList(name, value); err == nil {
			return strings.Join(words, " "), nil
		}
	}
	return "", code.Usagef("%s must be a string", name)
}

// decodeList decodes a list of strings. Numbers become their digits, a single value a list of one, and a string that holds a JSON list is
// decoded.
func decodeList(name string, value json.RawMessage) ([]string, error) {
	var raw []json.RawMessage
	if json.Unmarshal(value, &raw) != nil {
		s, err := decodeText(name, value)
		if err != nil {
			return nil, code.Usagef("%s must be a list of strings", name)
		}
		if strings.HasPrefix(strings.TrimSpace(s), "[") && json.Unmarshal([]byte(s), &raw) == nil {
			return decodeList(name, json.RawMessage(s))
		}
		if s == "" {
			return nil, nil
		}
		return []string{s}, nil
	}
	out := make([]string, 0, len(raw))
	for _, r := range raw {
		var v any
		if json.Unmarshal(r, &v) != nil {
			return nil, code.Usagef("%s cannot be read", name)
		}
		switch v := v.(type) {
		case string:
			out = append(out, v)
		case float64, bool:
			out = append(out, string(r))
		case nil:
			out = append(out, "")
		default:
			return nil, code.Usagef("%s must be a list of strings", name)
		}
	}
	return out, nil
}

// decodeObjects decodes a list of objects, each kept as JSON. A single object becomes a list of one, and a string that holds a
// list is decoded. An item may be a string, too.
func decodeObjects(name string, value json.RawMessage) ([]string, error) {
	var s string
	if json.Unmarshal(value, &s) == nil {
		if trimmed := strings.TrimSpace(s); strings.HasPrefix(trimmed, "[") && json.Valid([]byte(trimmed)) {
			return decodeObjects(name, json.RawMessage(trimmed))
		}
		if s == "" {
			return nil, nil
		}
		return []string{s}, nil
	}
	var raw []json.RawMessage
	if json.Unmarshal(value, &raw) != nil {
		raw = []json.RawMessage{value}
	}
	var out []string
	for _, r := range raw {
		switch trimmed := bytes.TrimSpace(r); {
		case json.Unmarshal(r, &s) == nil:
			out = append(out, s)
		case len(trimmed) > 0 && trimmed[0] == '{':
			out = append(out, string(trimmed))
		default:
			return nil, code.Usagef("%s must be a list of objects", name)
		}
	}
	return out, nil
}

func decodeNumber(name string, value json.RawMessage) (int, error) {
	var s string
	if json.Unmarshal(value, &s) != nil {
		s = string(bytes.TrimSpace(value))
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || f != float64(int(f)) {
		return 0, code.Usagef("%s is %s; it must be a whole number", name, operation.Quote(s))
	}
	return int(f), nil
}

func decodeBool(name string, value json.RawMessage) (bool, error) {
	var s string
	if json.Unmarshal(value, &s) != nil {
		s = string(bytes.TrimSpace(value))
	}
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "true", "yes", "1", "on":
		return true, nil
	case "false", "no", "0", "off", "":
		return false, nil
	}
	return false, code.Usagef("%s is %s; it must be true or false", name, operation.Quote(s))
}

// unknownNameError returns the message for a tool or argument that does not exist, with the existing names.
func unknownNameError(what, name string, names []string) string {
	message := "there is no " + what + " " + operation.Quote(name)
	if near := view.NearWords(name, names); len(near) > 0 {
		message += "; near: " + strings.Join(near, ", ")
	}
	if len(names) == 0 {
		return message
	}
	return message + "; there are: " + strings.Join(names, ", ")
}
