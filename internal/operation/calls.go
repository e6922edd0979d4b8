package operation

import (
	"reflect"
	"slices"
)

// An answer names commands of ken to run next. Where it goes to an agent that calls tools of a protocol, those commands become calls of
// tools. Fields of an answer that have such commands carry the tag calls: "text" for a text of ken's own with commands in quotation
// marks, "command" for one that is a command as a whole, and else the words that precede it, such as "ken plan".
const (
	callsInText  = "text"
	callsCommand = "command"
)

// Speaker is an answer with commands of ken in tagged fields.
type Speaker interface {
	// Speak returns the answer with the commands translated by words. structured: the answer is encoded as JSON, and not as a page,
	// which adds the words that precede commands by itself.
	Speak(words func(text string) string, structured bool) any
}

// TranslateCalls returns a copy of a value in which the tagged fields are translated by words. The value itself stays as it is, because
// its parts may belong to others. See Speaker for structured.
func TranslateCalls(value any, words func(text string) string, structured bool) any {
	if value == nil || !hasCalls(reflect.TypeOf(value), nil) {
		return value
	}
	t := callTranslator{words, structured}
	return t.translate(reflect.ValueOf(value), "").Interface()
}

// hasCalls reports whether values of a type can have tagged fields. above are the types that are being looked at.
func hasCalls(t reflect.Type, above []reflect.Type) bool {
	if slices.Contains(above, t) {
		return false
	}
	above = append(above, t)
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		return hasCalls(t.Elem(), above)
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && (f.Tag.Get("calls") != "" || hasCalls(f.Type, above)) {
				return true
			}
		}
	}
	return false
}

type callTranslator struct {
	words      func(text string) string
	structured bool
}

// translate returns a copy of the value of a field with a tag.
func (t *callTranslator) translate(v reflect.Value, tag string) reflect.Value {
	if tag == "" && !hasCalls(v.Type(), nil) {
		return v
	}
	switch v.Kind() {
	case reflect.String:
		out := reflect.New(v.Type()).Elem()
		out.SetString(t.text(v.String(), tag))
		return out
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(t.translate(v.Elem(), tag))
		return out
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			out.Index(i).Set(t.translate(v.Index(i), tag))
		}
		return out
	case reflect.Struct:
		out := reflect.New(v.Type()).Elem()
		out.Set(v)
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				out.Field(i).Set(t.translate(v.Field(i), f.Tag.Get("calls")))
			}
		}
		return out
	}
	return v
}

func (t *callTranslator) text(text, tag string) string {
	switch tag {
	case callsInText:
		return t.words(text)
	case callsCommand:
		return TranslateCommand(text, t.words)
	}
	if !t.structured || text == "" {
		return text
	}
	command := tag + " " + text
	if call := TranslateCommand(command, t.words); call != command {
		return call
	}
	return text
}

// TranslateCommand returns a text that is a command as words translates one in quotation marks, or unchanged if words leaves it.
func TranslateCommand(command string, words func(text string) string) string {
	quoted := "`" + command + "`"
	if call := words(quoted); call != quoted {
		return call
	}
	return command
}
