package signature

import "strings"

// Types splits a list at the commas outside of brackets.
func Types(list string) (out []string) {
	depth, from := 0, 0
	for i := 0; i < len(list); i++ {
		switch list[i] {
		case '(', '[', '{', '<':
			depth++
		case ')', ']', '}':
			depth--
		case '>':
			if i == 0 || list[i-1] != '=' {
				depth--
			}
		case ',':
			if depth == 0 {
				out, from = append(out, list[from:i]), i+1
			}
		}
	}
	if strings.TrimSpace(list[from:]) != "" {
		out = append(out, list[from:])
	}
	return out
}

// Bounds returns the type parameters of a list and the types they extend, "" for any.
func Bounds(list string) map[string]string {
	out := map[string]string{}
	for _, part := range Types(list) {
		name, bound, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(part), "const ")), " extends ")
		bound, _, _ = strings.Cut(bound, " = ")
		out[strings.TrimSpace(name)] = strings.TrimSpace(bound)
	}
	return out
}

// GoParams returns the names in "[K comparable, V any]".
func GoParams(text string) (names []string) {
	for part := range strings.SplitSeq(strings.Trim(text, "[]"), ",") {
		name, _, _ := strings.Cut(strings.TrimSpace(part), " ")
		names = append(names, name)
	}
	return names
}

// IsGoTypeWord reports whether a word begins a type and is no name.
func IsGoTypeWord(w string) bool {
	switch w {
	case "chan", "func", "struct", "interface", "map":
		return true
	}
	return false
}

// SameInGo returns the name of a predeclared type that another is an alias of.
func SameInGo(name string) string {
	switch name {
	case "byte":
		return "uint8"
	case "rune":
		return "int32"
	case "any":
		return "?" // interface{}, which is not read
	}
	return name
}

// Angles returns the text in the angle brackets that begin at pos, without them, and its end; the > of an arrow closes
// none.
func Angles(s string, pos int) (text string, end int) {
	depth := 0
	for i := pos; i < len(s); i++ {
		switch s[i] {
		case '<':
			depth++
		case '>':
			if i > 0 && s[i-1] == '=' {
				continue
			}
			if depth--; depth == 0 {
				return s[pos+1 : i], i + 1
			}
		}
	}
	return "", len(s)
}
