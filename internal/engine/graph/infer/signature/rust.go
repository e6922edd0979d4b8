package signature

import "strings"

// Types of Rust are read without references, pointers, lifetimes and the modules in
// front of them, because the imports of a file hold those.

// RustResult returns the type after the arrow of a function, "" if there is none.
func RustResult(sig string) string {
	s := Text{S: sig, Pos: max(strings.Index(sig, "fn "), 0)}
	for s.Pos < len(s.S) && s.S[s.Pos] != '(' {
		if s.S[s.Pos] == '<' {
			s.Skip('<', '>')
			continue
		}
		s.Pos++
	}
	s.Skip('(', ')')
	if !s.Take("->") {
		return ""
	}
	return s.rustType(0)
}

// RustVariable returns the type of a field, constant or static of a name.
func RustVariable(sig, name string) string {
	i := strings.Index(sig, name+":")
	if i < 0 {
		return ""
	}
	s := Text{S: sig, Pos: i + len(name) + 1}
	return s.rustType(0)
}

// RustAlias returns the type that a type alias names.
func RustAlias(sig string) string {
	s := Text{S: sig, Pos: max(strings.Index(sig, "type ")+len("type "), 0)}
	s.Word()
	if s.Next() == '<' {
		s.Skip('<', '>')
	}
	bound := ""
	if s.Take(":") {
		bound = s.rustBound()
		s.skipTo("=")
	}
	if s.Next() != '=' && !strings.HasPrefix(s.S[s.Pos:], "where ") {
		return bound
	}
	if s.skipTo("="); !s.Take("=") {
		return bound
	}
	return s.rustType(0)
}

// skipTo moves past further bounds and the like, to the first of some signs outside of brackets or to the end.
func (s *Text) skipTo(signs string) {
	for s.Pos < len(s.S) && !strings.ContainsRune(signs, rune(s.Next())) {
		switch s.Next() {
		case '<':
			s.Skip('<', '>')
		case '(':
			s.Skip('(', ')')
		default:
			s.Pos++
		}
	}
}

// rustBound reads the first bound that is no lifetime, no marker and none of functions.
func (s *Text) rustBound() (first string) {
	for {
		from := s.Pos
		switch {
		case s.Take("?"):
			s.rustType(0)
		case s.Next() == '\'':
			s.Pos++
			s.Word()
		default:
			t := s.rustType(0)
			if s.Pos == from {
				return first
			}
			if t != "" && t != "?" && !isMarker(t) {
				return t
			}
		}
		if !s.Take("+") {
			return first
		}
	}
}

// isMarker reports whether a bound of Rust has no members.
func isMarker(name string) bool {
	switch name {
	case "Send", "Sync", "Sized", "Copy", "Clone", "Unpin", "Debug":
		return true
	}
	return false
}

// RustParams returns the type parameters of a type of a name.
func RustParams(sig, name string) (list []Param) {
	i := strings.Index(sig, name+"<")
	if i < 0 {
		return nil
	}
	s := Text{S: sig, Pos: i + len(name) + 1}
	for s.Pos < len(s.S) && s.Next() != '>' {
		if s.Take("'") || s.Take("const ") {
			s.Word()
		} else {
			p := Param{Name: s.Word()}
			if p.Name == "" {
				return list
			}
			if s.Take(":") {
				p.Bound = s.rustBound()
			}
			list = append(list, p)
		}
		if s.skipTo(",>"); !s.Take(",") { // further bounds, defaults
			break
		}
	}
	return rustWhere(sig, list)
}

// rustWhere adds the bounds that the where clause of a signature has for type parameters.
func rustWhere(sig string, list []Param) []Param {
	i := strings.Index(sig, " where ")
	if i < 0 || len(list) == 0 {
		return list
	}
	s := Text{S: sig, Pos: i + len(" where ")}
	for s.Pos < len(s.S) {
		name := s.Word()
		bound := ""
		if s.Take(":") {
			bound = s.rustBound()
		}
		for j := range list {
			if list[j].Name == name && list[j].Bound == "" {
				list[j].Bound = bound
			}
		}
		if s.skipTo(","); !s.Take(",") {
			break
		}
	}
	return list
}

// rustType reads a type, "" if it is not understood.
func (s *Text) rustType(depth int) string {
	if depth > maxNested {
		return ""
	}
	for _, word := range [...]string{"&", "*const ", "*mut ", "mut ", "dyn ", "impl ", "async "} {
		if s.Take(word) {
			return s.rustType(depth + 1)
		}
	}
	switch {
	case s.Take("'"):
		s.Word()
		return s.rustType(depth + 1)
	case s.Take("for<"):
		s.Pos--
		s.Skip('<', '>')
		return s.rustType(depth + 1)
	case s.Take("("):
		return s.rustTuple(depth)
	case s.Take("["):
		e := "[" + orUnknown(s.rustType(depth+1)) + "]"
		for s.Pos < len(s.S) && s.S[s.Pos] != ']' {
			s.Pos++
		}
		s.Take("]")
		return e
	case s.Next() == '<': // <T as Trait>::Item
		s.Skip('<', '>')
		s.rustPath("", depth)
		return "?"
	}
	name := s.Word()
	if name == "" {
		return ""
	}
	return s.rustPath(name, depth)
}

func (s *Text) rustTuple(depth int) string {
	var parts []string
	for s.Next() != ')' && s.Pos < len(s.S) {
		parts = append(parts, orUnknown(s.rustType(depth+1)))
		if !s.Take(",") {
			break
		}
	}
	s.Take(")")
	switch len(parts) {
	case 0:
		return "?"
	case 1:
		return parts[0]
	}
	return "(" + strings.Join(parts, ",") + ")"
}

// rustPath reads the part after the first name of a path: further names, and the arguments of the last.
func (s *Text) rustPath(e string, depth int) string {
	for {
		switch {
		case s.Take("::"):
			name := s.Word()
			switch {
			case name == "":
			case e == "Self":
				e += "." + name
			default:
				e = name
			}
		case s.Next() == '<':
			return s.rustArguments(e, depth)
		case s.Next() == '(' && strings.HasPrefix(e, "Fn"):
			s.Skip('(', ')')
			if s.Take("->") {
				s.rustType(depth + 1)
			}
			return "?"
		default:
			return e
		}
	}
}

// rustArguments reads the <A, Item = B> after the type e.
func (s *Text) rustArguments(e string, depth int) string {
	s.Take("<")
	var args []string
	for s.Next() != '>' && s.Pos < len(s.S) {
		if s.Take("'") {
			s.Word()
		} else {
			from := s.Pos
			if s.Word(); !s.Take("=") {
				s.Pos = from
			}
			args = append(args, orUnknown(s.rustType(depth+1)))
			for s.Take("+") {
				s.rustType(depth + 1)
			}
		}
		if !s.Take(",") {
			break
		}
	}
	if !s.Take(">") || len(args) == 0 {
		return e
	}
	return e + "{" + strings.Join(args, ",") + "}"
}
