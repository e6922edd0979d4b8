// Package pytype knows the notation (code.RecvExpr) in which the types of Python's values
// are written: the elements of lists, dicts and tuples. Its neighbour engine/extract
// writes them.
package pytype

import (
	"strconv"
	"strings"
)

// IsContainer reports whether a type is a list, dict or tuple of something.
func IsContainer(e string) bool { return e != "" && strings.IndexByte("[{(", e[0]) >= 0 && closes(e) }

// closes reports whether the bracket at the beginning of e is closed by the one at its end.
func closes(e string) bool {
	depth := 0
	for i := 0; i < len(e); i++ {
		switch e[i] {
		case '[', '{', '(':
			depth++
		case ']', '}', ')':
			if depth--; depth == 0 {
				return i == len(e)-1
			}
		}
	}
	return false
}

// Parts returns the types in the brackets of a container type, split at the
// commas or the colon outside of inner brackets.
func Parts(e string) (out []string) {
	depth, from := 0, 1
	for i := 1; i < len(e)-1; i++ {
		switch e[i] {
		case '[', '{', '(':
			depth++
		case ']', '}', ')':
			depth--
		case ',', ':':
			if depth == 0 {
				out = append(out, e[from:i])
				from = i + 1
			}
		}
	}
	return append(out, e[from:len(e)-1])
}

// DropUnknown returns a type, or "" if it is not known.
func DropUnknown(e string) string {
	if e == "?" {
		return ""
	}
	return e
}

// Item returns the type of an element of e, by index or key.
func Item(e string, index int) string {
	switch {
	case e == "":
		return ""
	case IsContainer(e):
		p := Parts(e)
		if e[0] == '(' && index < len(p) {
			return DropUnknown(p[index])
		}
		return DropUnknown(p[min(len(p)-1, int(e[0]/'{'))]) // a dict's value, a list's element
	case index > 0:
		return e + "[" + strconv.Itoa(index) + "]"
	}
	return e + "[]"
}

// Loop returns the type of the variable of a loop over e.
func Loop(e string) string {
	switch {
	case e == "":
		return ""
	case IsContainer(e):
		return DropUnknown(Parts(e)[0])
	}
	return e + "[k]"
}

// Common returns the type that several values have in common: "" if they differ or none
// is known.
func Common(a, b string) string {
	switch {
	case a == b, b == "":
		return a
	case a == "":
		return b
	}
	return "?"
}

// Call returns the result type of a method of a list, dict or tuple.
func Call(e, method string) string {
	p := Parts(e)
	if e[0] == '{' && len(p) == 2 {
		switch method {
		case "values":
			return "[" + p[1] + "]"
		case "keys":
			return "[" + p[0] + "]"
		case "items":
			return "[(" + p[0] + "," + p[1] + ")]"
		case "get", "pop", "setdefault":
			return DropUnknown(p[1])
		}
	}
	switch method {
	case "copy":
		return e
	case "pop":
		return DropUnknown(p[0])
	}
	return ""
}
