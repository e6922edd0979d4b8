package operation

import (
	"slices"
	"strconv"
	"strings"

	"ken/internal/code"
)

// Find returns the operation whose name words begin with, and the words after the name; nil if there is none. The longest name wins.
// A first word may have dots where a name has blanks: "state.get".
func Find[P any](list []*Tool[P], words []string) (*Tool[P], []string) {
	for n := min(3, len(words)); n > 0; n-- {
		name := strings.Join(words[:n], " ")
		if n == 1 {
			name = strings.ReplaceAll(name, ".", " ")
		}
		i := slices.IndexFunc(list, func(t *Tool[P]) bool { return t.Name == name || slices.Contains(t.Aliases, name) })
		if i < 0 {
			continue
		}
		t, rest := list[i], words[n:]
		positional := slices.ContainsFunc(t.Input(), func(f Field) bool { return f.Positional })
		if positional || len(rest) == 0 || strings.HasPrefix(rest[0], "-") {
			return t, rest
		}
		break // the next word is neither an argument nor part of a name
	}
	return nil, words
}

// decoder fills an input from words.
type decoder struct {
	fields []Field
	in     any
	args   []string
}

// Decode reads an input from the words of a command line as prompts spell them: arguments, and flags anywhere among them, as --name
// value or --name=value. A list goes on up to the next flag, and commas separate its values. After -- nothing is a flag. It fails with a
// code.UsageError for words that the operation does not accept.
func (t *Tool[P]) Decode(words []string) (any, error) {
	d := &decoder{fields: t.Input(), in: t.NewInput()}
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		if word == "--" {
			d.args = append(d.args, words...)
			break
		}
		flag, isFlag := strings.CutPrefix(word, "--")
		if !isFlag || flag == "" {
			d.args = append(d.args, word)
			continue
		}
		var err error
		if words, err = d.flag(flag, words); err != nil {
			return nil, err
		}
	}
	if err := d.arguments(); err != nil {
		return nil, err
	}
	return d.in, nil
}

// flag decodes one flag, with its values, and returns the words that are left.
func (d *decoder) flag(flag string, words []string) ([]string, error) {
	name, value, joined := strings.Cut(flag, "=")
	i := slices.IndexFunc(d.fields, func(f Field) bool { return f.Name == name && !f.Positional && !f.Pairs })
	if i < 0 {
		i = slices.IndexFunc(d.fields, func(f Field) bool { return f.Pairs })
	}
	if i < 0 {
		return nil, code.Usagef("there is no flag --%.60s%s", name, d.nearest(name))
	}
	f := &d.fields[i]
	if p, ok := f.Pointer(d.in).(*bool); ok {
		*p = value != "false"
		return words, nil
	}
	if !joined {
		if len(words) == 0 || strings.HasPrefix(words[0], "--") {
			return nil, code.Usagef("--%.60s needs a value", name)
		}
		value, words = words[0], words[1:]
	}
	values := []string{value}
	if goesOn := (f.Words || f.Many) && !joined; goesOn {
		end := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "--") })
		if end < 0 {
			end = len(words)
		}
		values, words = append(values, words[:end]...), words[end:]
	}
	if len(f.Enum) > 0 && !slices.Contains(f.Enum, value) {
		return nil, f.notAllowed(value)
	}
	return words, d.set(f, name, values)
}

// nearest returns a remark about the flag whose name is most like name, "" if none is.
func (d *decoder) nearest(name string) string {
	var names []string
	for i := range d.fields {
		if f := &d.fields[i]; !f.Positional && !f.Pairs {
			names = append(names, f.Name)
		}
	}
	if near := Nearest(name, names); near != "" {
		return "; did you mean --" + near + "?"
	}
	return ""
}

func (d *decoder) set(f *Field, name string, values []string) error {
	value := strings.Join(values, " ")
	switch p := f.Pointer(d.in).(type) {
	case *string:
		*p = value
	case **string:
		*p = &value
	case *[]string:
		for _, v := range values {
			for part := range strings.SplitSeq(v, ",") {
				if part = strings.TrimSpace(part); part != "" {
					*p = append(*p, part)
				}
			}
		}
	case *map[string]string:
		if *p == nil {
			*p = map[string]string{}
		}
		(*p)[name] = value
	case *int, **int:
		n, err := strconv.Atoi(value)
		if err != nil {
			return code.Usagef("--%s is %.60q; it has to be a whole number", name, value)
		}
		if p, ok := p.(*int); ok {
			*p = n
			return nil
		}
		*p.(**int) = &n
	}
	return nil
}

// arguments fills the positional fields. It fails if one is missing, has a value that it cannot have, or if a word is left over.
func (d *decoder) arguments() error {
	args := d.args
	for i := range d.fields {
		f := &d.fields[i]
		switch {
		case !f.Positional:
			continue
		case len(args) == 0 && f.Required:
			return f.missing()
		case len(args) == 0:
			continue
		case len(f.Enum) > 0 && !slices.Contains(f.Enum, args[0]):
			return f.notAllowed(args[0])
		}
		switch p := f.Pointer(d.in).(type) {
		case *[]string:
			*p, args = args, nil
		case *string:
			if f.Joined {
				*p, args = strings.Join(args, " "), nil
			} else {
				*p, args = args[0], args[1:]
			}
		}
	}
	if len(args) > 0 {
		return code.Usagef("there is no place for %.60q", args[0])
	}
	return nil
}

func (f *Field) missing() error {
	if len(f.Enum) > 0 {
		return code.Usagef("%s is missing; it can be %s", f.label(), strings.Join(f.Enum, ", "))
	}
	return code.Usagef("%s is missing", f.label())
}

func (f *Field) notAllowed(value string) error {
	return code.Usagef("%s is %.60q; it can be %s", f.label(), value, strings.Join(f.Enum, ", "))
}

// NearNames returns names of operations that a word may mean: those of its group, those that end in it, and those that begin as it does.
func NearNames[P any](list []*Tool[P], word string) []string {
	const most, prefix = 8, 3
	var near []string
	for _, t := range list {
		inGroup := strings.HasPrefix(t.Name, word+" ") || strings.HasSuffix(t.Name, " "+word)
		if inGroup || len(word) >= prefix && strings.HasPrefix(t.Name, word[:prefix]) {
			near = append(near, t.Name)
		}
	}
	return near[:min(most, len(near))]
}

// Nearest returns the name that a misspelled one most likely means: one that begins with it or that it begins with, else the one of
// the fewest changed letters, at most two. It returns "" if there is none.
func Nearest(name string, names []string) string {
	best, least := "", 3
	for _, n := range names {
		distance := editDistance(name, n)
		if len(name) > 2 && (strings.HasPrefix(n, name) || strings.HasPrefix(name, n)) {
			distance = min(distance, 1)
		}
		if distance < least {
			best, least = n, distance
		}
	}
	return best
}

// editDistance is the number of letters to insert, remove or replace to make b of a.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
