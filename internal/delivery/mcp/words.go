package mcp

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"ken/internal/operation"
)

// Operations word their errors and hints for the command line: "--limit is -1", "FILE is missing", "ken refs NAME lists them". Here these
// words become those of the listing: arguments as in the schema, and commands as tools, where there is one. Anything else in quotation
// marks is left as it is, because it quotes a caller or the repository.

// vocabulary has the offered tools by their commands.
type vocabulary struct {
	tools map[string]*offeredTool
	flags map[string]string // the keys of the arguments, by the names of their flags
}

func newVocabulary(list []offeredTool) *vocabulary {
	v := &vocabulary{tools: map[string]*offeredTool{}, flags: map[string]string{"json": "structured"}}
	for i := range list {
		o := &list[i]
		v.tools[o.tool.Command()] = o
		for _, f := range o.fields() {
			if !f.Positional {
				v.flags[f.Name] = f.Key()
			}
		}
	}
	for i := range list {
		for j := range list[i].variants {
			list[i].variants[j].addFlags(v.flags)
		}
	}
	return v
}

// shellWords matches a text in quotation marks, a command, an option, and a word in capitals, such as the placeholder of an argument.
var shellWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("\"[^\"\n]*\"|`[^`\n]*`|\\bken( [^\\s,;:.()\"`]+)+|--[a-z][a-z0-9-]*|\\b[A-Z][A-Z]+(\\|[A-Z]+)*\\b")
})

// translate returns a text of ken about a tool in the words of the protocol; the tool may be nil. Of a command in quotation marks all
// words count; of another one only those that are surely arguments, because the sentence goes on after them.
func (v *vocabulary) translate(text string, of *offeredTool) string {
	if v == nil || !strings.ContainsAny(text, "-ABCDEFGHIJKLMNOPQRSTUVWXYZ") && !strings.Contains(text, "ken ") {
		return text
	}
	return shellWords().ReplaceAllStringFunc(text, func(s string) string {
		switch {
		case s[0] == '"', s[0] == '`':
			command, ok := strings.CutPrefix(s[1:len(s)-1], "ken ")
			if !ok {
				return s
			}
			if call, rest, ok := v.call(operation.ShellWords(command), true); ok && len(rest) == 0 {
				return call
			}
		case strings.HasPrefix(s, "ken "):
			if call, rest, ok := v.call(strings.Fields(s[len("ken "):]), false); ok {
				return strings.Join(append([]string{call}, rest...), " ")
			}
		case strings.HasPrefix(s, "--"):
			if key, ok := v.flags[s[2:]]; ok {
				return key
			}
		case of != nil:
			for _, f := range of.fields() {
				if f.Positional && f.Name == s {
					return f.Key()
				}
			}
		}
		return s
	})
}

// call returns the call of a tool that does as the words of a command, and the words after it; false if no tool does. whole: all words
// belong to the command.
func (v *vocabulary) call(words []string, whole bool) (call string, rest []string, ok bool) {
	var o *offeredTool
	n := min(3, len(words))
	for ; n > 0 && o == nil; n-- {
		o = v.tools[strings.Join(words[:n], " ")]
	}
	if o == nil {
		return "", words, false
	}
	words = words[n+1:]
	json := operation.Field{Name: "json", Type: "boolean"} // that every command has
	fields := append(o.fields(), json.WithKey("structured"))
	positional := slices.DeleteFunc(slices.Clone(fields), func(f operation.Field) bool { return !f.Positional })
	var arguments callArguments
	for len(words) > 0 {
		word := words[0]
		if name, isFlag := strings.CutPrefix(word, "--"); isFlag {
			i := slices.IndexFunc(fields, func(f operation.Field) bool { return f.Name == name && !f.Positional })
			if i < 0 {
				break
			}
			words = words[1:]
			switch f := &fields[i]; {
			case f.Type == "boolean":
				arguments.add(f, "true")
			case len(words) > 0:
				arguments.add(f, words[0])
				words = words[1:]
			}
			continue
		}
		if len(positional) == 0 || !whole && !isValue(&positional[0], word) {
			break
		}
		arguments.add(&positional[0], word)
		if f := &positional[0]; !f.Many && !f.Joined {
			positional = positional[1:]
		}
		words = words[1:]
	}
	if len(arguments) == 0 {
		return o.name(), words, true
	}
	return o.name() + " (" + arguments.String() + ")", words, true
}

// callArguments are the arguments of a call in their order.
type callArguments []callArgument

type callArgument struct {
	field  *operation.Field
	values []string
}

func (a *callArguments) add(f *operation.Field, value string) {
	i := slices.IndexFunc(*a, func(c callArgument) bool { return c.field.Key() == f.Key() })
	if i < 0 {
		*a = append(*a, callArgument{field: f})
		i = len(*a) - 1
	}
	(*a)[i].values = append((*a)[i].values, value)
}

// String returns the arguments as they are written in a text, placeholders as "…".
func (a callArguments) String() string {
	var list []string
	for _, c := range a {
		value := strings.Join(c.values, " ")
		switch {
		case !slices.ContainsFunc(c.values, func(v string) bool { return !isPlaceholder(v) }):
			value = "…"
		case c.field.Many && !c.field.Text:
			var all []string
			for _, v := range c.values {
				all = append(all, argumentText(v))
			}
			value = "[" + strings.Join(all, ", ") + "]"
		default:
			value = argumentText(value)
		}
		list = append(list, c.field.Key()+": "+value)
	}
	return strings.Join(list, ", ")
}

// argumentText returns a value of an argument, in quotation marks if its end could not be seen without them.
func argumentText(value string) string {
	switch {
	case isPlaceholder(value):
		return "…"
	case value == "" || strings.ContainsAny(value, " ,:()\"`"):
		return strconv.Quote(value)
	}
	return value
}

// isPlaceholder reports whether a word of a command is to be replaced by those who give it: NAME, FILE…, [PHASE].
func isPlaceholder(word string) bool {
	word = strings.Trim(word, "[]….")
	return word != "" && strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ|") == ""
}

// isValue reports whether a word in the text of a command is a value of an argument and not the next word of the sentence: one of its
// values, a placeholder, or the verb of a format.
func isValue(f *operation.Field, word string) bool {
	return slices.Contains(f.Enum, word) || strings.HasPrefix(word, "%") || word == strings.ToUpper(word)
}
