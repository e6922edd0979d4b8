package signature

import (
	"slices"
	"strings"
)

// Param is a type parameter, with the type it extends, "" for any.
type Param struct{ Name, Bound string }

// maxNested is how deep types may be nested.
const maxNested = 32

func orUnknown(typ string) string {
	if typ == "" {
		return "?"
	}
	return typ
}

// Java reads signatures of Java.
type Java struct {
	Text
	Params []Param // the type parameters of the method itself
	// Variadic is set if the last type that was read may be given any number of times.
	Variadic bool
}

const javaModifiers = " public protected private static final abstract default synchronized native strictfp transient volatile sealed non-sealed "

// Modifiers skips the part before the type of a member: modifiers and type parameters.
func (s *Java) Modifiers() {
	for {
		from := s.Pos
		switch w := s.Word(); {
		case w != "" && strings.Contains(javaModifiers, " "+w+" "):
		case w == "" && s.Next() == '<':
			s.TypeParams(0)
		default:
			s.Pos = from
			return
		}
	}
}

// TypeParams reads <A, B extends C & D>.
func (s *Java) TypeParams(depth int) {
	if !s.Take("<") {
		return
	}
	for {
		p := Param{Name: s.Word()}
		if p.Name == "" {
			return
		}
		if s.Take("extends ") {
			p.Bound = s.Type(depth + 1)
			for s.Take("&") {
				s.Type(depth + 1)
			}
		}
		s.Params = append(s.Params, p)
		if !s.Take(",") {
			s.Take(">")
			return
		}
	}
}

// Type reads a type, "" if it is not understood.
func (s *Java) Type(depth int) string {
	if depth > maxNested {
		return ""
	}
	if s.Take("?") {
		if s.Take("extends ") {
			return s.Type(depth + 1)
		}
		if s.Take("super ") {
			s.Type(depth + 1)
		}
		return "?"
	}
	e := s.namedType(depth)
	for e != "" {
		switch {
		case s.Take("[]"):
			e = "[" + e + "]"
		case s.Take("..."):
			s.Variadic = true
		default:
			return e
		}
	}
	return ""
}

// namedType reads a.b.C<D>.E. Names of packages are left out, because the imports of the file hold the full name.
func (s *Java) namedType(depth int) string {
	e := ""
	for {
		name := s.Word()
		switch {
		case name == "":
			return ""
		case e == "" && s.Next() == '.' && name[0] >= 'a' && name[0] <= 'z':
		case e == "":
			e = name
			if i := slices.IndexFunc(s.Params, func(p Param) bool { return p.Name == name }); i >= 0 {
				e = orUnknown(s.Params[i].Bound)
			}
		default:
			e += "." + name
		}
		if s.Next() == '<' {
			if e = s.arguments(e, depth); e == "" {
				return ""
			}
		}
		if s.Pos >= len(s.S) || s.S[s.Pos] != '.' || strings.HasPrefix(s.S[s.Pos:], "...") {
			return e
		}
		s.Pos++
	}
}

// arguments reads the <A, B> after the type e.
func (s *Java) arguments(e string, depth int) string {
	s.Take("<")
	var args []string
	for s.Next() != '>' {
		args = append(args, orUnknown(s.Type(depth+1)))
		if !s.Take(",") {
			break
		}
	}
	if !s.Take(">") {
		return ""
	}
	return e + "{" + strings.Join(args, ",") + "}"
}
