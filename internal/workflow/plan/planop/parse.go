package planop

import (
	"slices"
	"strings"
)

// Parse reads what follows the name of an operation: positional inputs, and flags anywhere among them, as --name value or
// --name=value. Behind -- nothing is a flag.
func (o *Operation) Parse(words []string, s Surroundings) (*Call, error) {
	c := &Call{Surroundings: s, Operation: o, flags: map[string][]string{}}
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		if word == "--" {
			c.args = append(c.args, words...)
			break
		}
		name, isFlag := strings.CutPrefix(word, "--")
		if !isFlag || name == "" {
			c.args = append(c.args, word)
			continue
		}
		var err error
		if words, err = c.take(name, words); err != nil {
			return nil, err
		}
	}
	return c, c.check()
}

// take takes a flag and its values. What is left is returned.
func (c *Call) take(name string, words []string) ([]string, error) {
	o := c.Operation
	name, value, joined := strings.Cut(name, "=")
	if name == "dry-run" && o.Writes {
		c.DryRun = !joined || value != "false"
		return words, nil
	}
	f := o.flag(name)
	if f == nil {
		if !slices.ContainsFunc(o.Flags, func(f Flag) bool { return f.Kind == Pairs }) {
			return nil, o.Usagef("there is no flag --%.60s", name)
		}
		f = &Flag{Name: name}
	}
	if f.Kind == Switch {
		c.flags[name] = append(c.flags[name], value)
		return words, nil
	}
	if !joined {
		if len(words) == 0 || strings.HasPrefix(words[0], "--") {
			return nil, o.Usagef("--%.60s needs a value", name)
		}
		value, words = words[0], words[1:]
	}
	if len(f.Enum) > 0 && !slices.Contains(f.Enum, value) {
		return nil, o.Usagef("--%s is %.60q; it can be %s", name, value, strings.Join(f.Enum, ", "))
	}
	if f.Kind != List {
		c.flags[name] = []string{value}
		for f.Kind == Words && !joined && len(words) > 0 && !strings.HasPrefix(words[0], "--") {
			c.flags[name] = append(c.flags[name], words[0])
			words = words[1:]
		}
		return words, nil
	}
	c.flags[name] = append(c.flags[name], values(value)...)
	for !joined && len(words) > 0 && !strings.HasPrefix(words[0], "--") {
		c.flags[name] = append(c.flags[name], values(words[0])...)
		words = words[1:]
	}
	return words, nil
}

// values are those of a list that may be separated by commas.
func values(s string) []string {
	var list []string
	for v := range strings.SplitSeq(s, ",") {
		if v = strings.TrimSpace(v); v != "" {
			list = append(list, v)
		}
	}
	return list
}

// check says what is missing, and what has no place.
func (c *Call) check() error {
	o := c.Operation
	for i, a := range o.Args {
		switch {
		case i >= len(c.args) && !a.Optional:
			return o.Usagef("%s is missing", a.Name)
		case i < len(c.args) && len(a.Enum) > 0 && !slices.Contains(a.Enum, c.args[i]):
			return o.Usagef("%s is %.60q; it can be %s", a.Name, c.args[i], strings.Join(a.Enum, ", "))
		}
	}
	many := len(o.Args) > 0 && o.Args[len(o.Args)-1].Many
	if len(c.args) > len(o.Args) && !many {
		return o.Usagef("there is no place for %.60q", c.args[len(o.Args)])
	}
	return nil
}

// Find is the operation that words begin with, and the words behind its name; nil if there is none. The longest name
// counts, and a name may have dots or dashes where it has blanks: "state.get".
func Find(list []*Operation, words []string) (*Operation, []string) {
	for n := min(3, len(words)); n > 0; n-- {
		name := strings.Join(words[:n], " ")
		if n == 1 {
			name = strings.ReplaceAll(name, ".", " ")
		}
		i := slices.IndexFunc(list, func(o *Operation) bool { return o.Name == name || slices.Contains(o.Also, name) })
		if i < 0 {
			continue
		}
		if o, rest := list[i], words[n:]; len(o.Args) > 0 || len(rest) == 0 || strings.HasPrefix(rest[0], "-") {
			return o, rest
		}
		break // a word that it has no place for is a name that there is not
	}
	return nil, words
}
