package mcp

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/view"
	"ken/internal/operation"
)

// common are the arguments that every tool takes.
type common struct {
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
// yes may be a string, a list may be a single value, and names are taken in any case.
func (o *offered) decode(raw json.RawMessage, in any) (common, error) {
	c := common{budget: defaultBudget, from: 1}
	args, err := object(raw)
	if err != nil {
		return c, err
	}
	fields := o.fields()
	names := []string{"budget", "from", "omit", "structured"}
	for i := range fields {
		names = append(names, fields[i].Key())
	}
	var firstErr error
	for key, value := range args {
		name := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(key)), "-", "_")
		i := slices.IndexFunc(fields, func(f operation.Field) bool { return isCalled(&f, name) })
		switch {
		case name == "input" && o.tool.MCP.Input:
			c.input, err = text(name, value)
		case i >= 0:
			err = setField(&fields[i], in, value)
		default:
			err = c.set(name, value, names)
		}
		if err != nil && (firstErr == nil || err.Error() < firstErr.Error()) { // the same one each time
			firstErr = err
		}
	}
	return c, firstErr
}

// isCalled reports whether a name is that of a field, also in the plural, because models guess.
func isCalled(f *operation.Field, name string) bool {
	key := f.Key()
	return name == key || name == key+"s" || f.Short != "" && name == f.Short
}

func (c *common) set(name string, value json.RawMessage, names []string) (err error) {
	switch name {
	case "budget":
		c.budget, err = number(name, value)
		c.budget = min(max(c.budget, minBudget), maxBudget)
	case "from":
		c.from, err = number(name, value)
		c.from = max(1, c.from)
	case "omit":
		c.omit, err = list(name, value)
	case "structured":
		c.structured, err = boolean(name, value)
	case "project":
		c.project, err = text(name, value)
	default:
		return code.Usagef("%s", unknown("argument", name, names))
	}
	return err
}

// object decodes the arguments, which may be a string that holds them, or nothing.
func object(raw json.RawMessage) (map[string]json.RawMessage, error) {
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
	if string(value) == "null" {
		return nil
	}
	switch p := f.Pointer(in).(type) {
	case *string:
		if f.Objects {
			var all []string
			if all, err = objects(f.Key(), value); len(all) > 0 {
				*p = all[0]
			}
			break
		}
		*p, err = text(f.Key(), value)
		if f.IsPath() {
			*p = slashes(*p)
		}
	case **string:
		var s string
		s, err = text(f.Key(), value)
		*p = &s
	case *map[string]string:
		if json.Unmarshal(value, p) != nil {
			err = code.Usagef("%s must be an object of strings", f.Key())
		}
	case *[]string:
		if f.Text {
			var s string
			s, err = text(f.Key(), value)
			*p = []string{s}
			break
		}
		if f.Objects {
			*p, err = objects(f.Key(), value)
			break
		}
		*p, err = list(f.Key(), value)
		for i := range *p {
			if f.IsPath() {
				(*p)[i] = slashes((*p)[i])
			}
		}
	case *int:
		*p, err = number(f.Key(), value)
	case **int:
		var n int
		n, err = number(f.Key(), value)
		*p = &n
	case *bool:
		*p, err = boolean(f.Key(), value)
	}
	return err
}

// slashes turns the separators of Windows in a path. No path of an index has a backslash except on
// systems where that is very rare, and no names of symbols have one except PHP's, which are kept.
func slashes(s string) string {
	if strings.Contains(s, "/") || !strings.Contains(s, `\`) || !strings.Contains(s[strings.LastIndex(s, `\`):], ".") {
		return s
	}
	return strings.ReplaceAll(s, `\`, "/")
}

// text is a string; a list of strings is its words, a number its digits.
func text(name string, value json.RawMessage) (string, error) {
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
		words, err := list(name, value)
		return strings.Join(words, " "), err
	}
	return "", code.Usagef("%s must be a string", name)
}

// list is a list of strings, of numbers as their digits; a single value is a list of one, a string that holds a JSON list is that list.
func list(name string, value json.RawMessage) ([]string, error) {
	var raw []json.RawMessage
	if json.Unmarshal(value, &raw) != nil {
		s, err := text(name, value)
		if err != nil {
			return nil, code.Usagef("%s must be a list of strings", name)
		}
		if strings.HasPrefix(strings.TrimSpace(s), "[") && json.Unmarshal([]byte(s), &raw) == nil {
			return list(name, json.RawMessage(s))
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

// objects is a list of objects, each as JSON; one alone is a list of one, and a string that holds a list is that list. An item
// may be a string, too.
func objects(name string, value json.RawMessage) ([]string, error) {
	var s string
	if json.Unmarshal(value, &s) == nil {
		if trimmed := strings.TrimSpace(s); strings.HasPrefix(trimmed, "[") && json.Valid([]byte(trimmed)) {
			return objects(name, json.RawMessage(trimmed))
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

func number(name string, value json.RawMessage) (int, error) {
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

func boolean(name string, value json.RawMessage) (bool, error) {
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

// unknown returns the message for a tool or argument that does not exist, with the names that do.
func unknown(what, name string, names []string) string {
	message := "there is no " + what + " " + operation.Quote(name)
	if near := view.Near(name, names); len(near) > 0 {
		message += "; near: " + strings.Join(near, ", ")
	}
	if len(names) == 0 {
		return message
	}
	return message + "; there are: " + strings.Join(names, ", ")
}
