package operation

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"ken/internal/code"
)

// Field is one field of an operation's input. It is declared by struct tags:
//
//	Name  string   `arg:"NAME" help:"…"`       positional, required
//	Files []string `arg:"[FILE…]" help:"…"`    positional, any number; without brackets at least one
//	Depth int      `flag:"depth" short:"d" default:"1" value:"N" help:"…"`
//	Kind  string   `flag:"kind" enum:"call,type" help:"…"`
//	Diff  string   `flag:"diff" value:"REV" bare:"HEAD" help:"…"`   --diff=REV, or --diff alone
//	Intent string  `flag:"intent" required:"yes" value:"INTENT" help:"…"`
//	Query []string `arg:"[QUERY…]" text:"yes" help:"…"`             the words of one text
//	Files []string `flag:"verified-files" objects:"yes" value:"JSON" help:"…"`  each a JSON object
//	Item  string   `arg:"FILE|SYMBOL" key:"target" help:"…"`        its name in a protocol
//	Title string   `arg:"TITLE…" help:"…"`                          all words that are left, joined by blanks
//	Goal  string   `flag:"goal" words:"yes" help:"…"`               all words up to the next flag
//	Pairs map[string]string `pairs:"yes" help:"…"`                  flags that are not declared, with their values
//	SARIF bool     `flag:"sarif" terminal:"yes" help:"…"`           for people at a terminal alone
//	Given Part     `inline:"yes"`                                   a struct whose fields are fields of the input
//
// Its type is string, *string and *int (nil if not given), []string, int, bool or map[string]string. Numbers are never negative.
type Field struct {
	Name       string // flag or argument name, without dashes or brackets
	Short      string // one letter, "" if none
	Help       string
	Value      string // placeholder of the value in help: "N", "REGEX"
	Default    string
	Bare       string // the value of a flag given without one, "" if it needs one
	Enum       []string
	Positional bool
	Required   bool
	Many       bool   // []string
	Text       bool   // of Many: the words of one text
	Objects    bool   // each value is a JSON object, or a plain text that is short for one
	Joined     bool   // of a positional string: all words that are left are one text
	Words      bool   // of a flag: all words up to the next flag are one text
	Pairs      bool   // flags that are not declared, by name
	Terminal   bool   // for people at a terminal alone: not among the arguments of a tool of the server for agents
	Type       string // "string", "list" (of strings), "integer" or "boolean"

	index []int
	key   string
}

// Key is the name of the field where arguments are given by name, as in a protocol: that of the
// flag with underscores, that of a positional argument in lower case.
func (f *Field) Key() string {
	if f.key != "" {
		return f.key
	}
	return strings.ReplaceAll(strings.ToLower(f.Name), "-", "_")
}

// WithKey returns the field with another key.
func (f Field) WithKey(key string) Field {
	f.key = key
	return f
}

// IsPath reports whether a value of the field may be a path.
func (f *Field) IsPath() bool {
	return f.Positional && (strings.Contains(f.Name, "FILE") || strings.Contains(f.Name, "PATH") || strings.Contains(f.Name, "TARGET"))
}

// Input lists the fields of an operation's input; positional ones in order.
func (t *Tool[P]) Input() []Field {
	fields := inputFields(t.in, nil)
	for i := range fields {
		if values, ok := t.Enums[fields[i].Name]; ok {
			fields[i].Enum = values
		}
	}
	return fields
}

// inputFields lists the fields of a struct that is an operation's input, or the part of one at an index.
func inputFields(t reflect.Type, at []int) []Field {
	var out []Field
	for i := range t.NumField() {
		sf := t.Field(i)
		index := append(slices.Clone(at), i)
		if sf.Tag.Get("inline") != "" {
			out = append(out, inputFields(sf.Type, index)...)
			continue
		}
		f := Field{
			Help: sf.Tag.Get("help"), Default: sf.Tag.Get("default"), Short: sf.Tag.Get("short"),
			Value: sf.Tag.Get("value"), Bare: sf.Tag.Get("bare"), Text: sf.Tag.Get("text") != "", Objects: sf.Tag.Get("objects") != "", key: sf.Tag.Get("key"), index: index,
			Words: sf.Tag.Get("words") != "", Pairs: sf.Tag.Get("pairs") != "", Terminal: sf.Tag.Get("terminal") != "",
		}
		f.Type = fieldType(sf.Type, f.Text)
		f.Many = sf.Type.Kind() == reflect.Slice
		if e := sf.Tag.Get("enum"); e != "" {
			f.Enum = strings.Split(e, ",")
		}
		if arg, ok := sf.Tag.Lookup("arg"); ok {
			f.Positional, f.Required = true, arg[0] != '['
			f.Name = strings.Trim(arg, "[]")
			f.Joined = sf.Type.Kind() == reflect.String && strings.HasSuffix(f.Name, "…")
			f.Name = strings.TrimSuffix(f.Name, "…")
		} else {
			f.Name, f.Required = sf.Tag.Get("flag"), sf.Tag.Get("required") != ""
			if f.Pairs {
				f.Name = "values"
			}
		}
		out = append(out, f)
	}
	return out
}

func fieldType(t reflect.Type, words bool) string {
	switch {
	case t.Kind() == reflect.Bool:
		return "boolean"
	case t.Kind() == reflect.Slice && !words:
		return "list"
	case t.Kind() == reflect.Int, t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Int:
		return "integer"
	}
	return "string"
}

// Usage is the line that shows how to call the operation: "outline FILE…".
func (t *Tool[P]) Usage() string {
	var b strings.Builder
	b.WriteString(Kebab(t.Name[strings.LastIndex(t.Name, " ")+1:]))
	for _, f := range t.Input() {
		if !f.Positional {
			continue
		}
		name := f.Name
		if f.Many || f.Joined {
			name += "…"
		}
		if !f.Required {
			name = "[" + name + "]"
		}
		b.WriteString(" " + name)
	}
	return b.String()
}

func (f *Field) setDefault(in reflect.Value) {
	if f.Default == "" {
		return
	}
	switch v := in.FieldByIndex(f.index); v.Kind() {
	case reflect.String:
		v.SetString(f.Default)
	case reflect.Int:
		n, _ := strconv.Atoi(f.Default)
		v.SetInt(int64(n))
	}
}

// Pointer returns the address of the field in an input made by NewInput, to
// decode a value into: *string, **string, *[]string, *int, **int, *bool or *map[string]string.
func (f *Field) Pointer(in any) any {
	return reflect.ValueOf(in).Elem().FieldByIndex(f.index).Addr().Interface()
}

// maxText is the longest text accepted for one field, in bytes.
const maxText = 64 << 10

// check returns an error if an input is invalid, whatever surface it came from.
func (t *Tool[P]) check(in any) error {
	for _, f := range t.Input() {
		if err := f.Check(f.Pointer(in)); err != nil {
			return err
		}
	}
	return nil
}

// Check fails with a code.UsageError if the value at the address that Pointer returns is missing, out of range or not an allowed word.
func (f *Field) Check(p any) error {
	switch v := p.(type) {
	case *string:
		if f.Required && *v == "" {
			return f.missing()
		}
		if len(f.Enum) > 0 && *v != "" && !slices.Contains(f.Enum, *v) {
			return code.Usagef("%s is %s; it can be %s", f.label(), Quote(*v), strings.Join(f.Enum, ", "))
		}
		return f.checkText(*v)
	case *[]string:
		if f.Required && len(*v) == 0 {
			return f.missing()
		}
		for _, s := range *v {
			if s == "" {
				return code.Usagef("%s is empty", f.label())
			}
			if err := f.checkText(s); err != nil {
				return err
			}
		}
	case **string:
		if *v != nil {
			return f.checkText(**v)
		}
	case *int:
		return f.checkNumber(*v)
	case **int:
		if *v != nil {
			return f.checkNumber(**v)
		}
	}
	return nil
}

func (f *Field) checkText(s string) error {
	if len(s) > maxText {
		return code.Usagef("%s is %d bytes long; at most %d are accepted", f.label(), len(s), maxText)
	}
	if strings.IndexByte(s, 0) >= 0 {
		return code.Usagef("%s holds a NUL byte", f.label())
	}
	return nil
}

func (f *Field) checkNumber(n int) error {
	if n < 0 {
		return code.Usagef("%s is %d; it cannot be negative", f.label(), n)
	}
	return nil
}

func (f *Field) label() string {
	if f.Positional {
		return f.Name
	}
	return "--" + f.Name
}

// Column is one field of an answer, for the reference pages. Its declaration is
// a struct field with a json and a doc tag.
type Column struct {
	Name     string // JSON key
	Type     string // "string", "number", "boolean", "object", "list of objects", …
	Doc      string
	Optional bool     // left out when empty
	Fields   []Column // of an object, or of the objects of a list
}

// Answer describes the JSON object an operation answers with.
func (t *Tool[P]) Answer() []Column { return columns(t.out) }

func columns(t reflect.Type) []Column {
	var out []Column
	for _, f := range jsonFields(t) {
		c := Column{Name: f.name, Doc: f.doc, Optional: f.omitEmpty}
		c.Type, c.Fields = describe(f.typ)
		out = append(out, c)
		if f.typ == pathType {
			out = append(out, Column{Name: f.name + "_base64", Type: "string", Optional: true, Doc: "the raw bytes of `" + f.name + "`; only if it is not UTF-8"})
		}
	}
	return out
}

// describe names a type as JSON has it.
func describe(t reflect.Type) (name string, fields []Column) {
	if row, keyed, ok := rowType(t); ok {
		inner, fields := describe(row)
		if keyed {
			return "object of " + inner + "s", fields
		}
		return "list of " + inner + "s", fields
	}
	switch t.Kind() {
	case reflect.Bool:
		return "boolean", nil
	case reflect.String:
		return "string", nil
	case reflect.Pointer:
		name, fields = describe(t.Elem())
		if name == "string" {
			name = "string or null"
		}
		return name, fields
	case reflect.Struct:
		return "object", columns(t)
	case reflect.Map:
		return "object of numbers", nil
	case reflect.Slice:
		inner, fields := describe(t.Elem())
		return fmt.Sprintf("list of %ss", inner), fields
	}
	return "number", nil
}
