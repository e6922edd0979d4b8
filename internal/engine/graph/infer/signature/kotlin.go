package signature

import (
	"slices"
	"strings"
)

// Kotlin reads signatures of Kotlin: fun <T : Any> List<T>.second(n: Int): T, val T.size: Int, class A<T>.
type Kotlin struct {
	Text
	Params []Param // the type parameters of the declaration itself
}

// Receiver reads up to the end of a function's or property's name, and returns the type that it extends as written, "" if it
// extends none. ok is false if the signature is not understood.
func (s *Kotlin) Receiver(name string) (written string, ok bool) {
	for w := ""; w != "fun" && w != "val" && w != "var"; {
		if w = s.Word(); w == "" {
			if s.Next() != '(' { // the arguments of a modifier
				return "", false
			}
			s.Skip('(', ')')
		}
	}
	if s.Next() == '<' {
		s.TypeParams(0)
	}
	s.Spaces()
	from := s.Pos
	for at := from; ; at++ {
		i := strings.Index(s.S[at:], name)
		if i < 0 {
			return "", false
		}
		at += i
		end := at + len(name)
		if at > 0 && s.S[at-1] == '`' && end < len(s.S) && s.S[end] == '`' {
			at, end = at-1, end+1
		}
		if at != from && s.S[at-1] != '.' || end < len(s.S) && !strings.ContainsRune("(: =<,", rune(s.S[end])) {
			continue
		}
		s.Pos = end
		return strings.TrimSuffix(s.S[from:at], "."), true
	}
}

// LambdaReceiver returns the type whose members are plain names in a lambda that is passed behind the brackets, "" if it has no receiver.
// The signature must be read up to the end of the function's name.
func (s *Kotlin) LambdaReceiver() string {
	if s.Next() != '(' {
		return ""
	}
	from := s.Pos + 1
	s.Skip('(', ')')
	params := Types(strings.TrimSuffix(s.S[from:s.Pos], ")"))
	if len(params) == 0 {
		return ""
	}
	_, typ, _ := strings.Cut(params[len(params)-1], ":")
	last := Kotlin{Text: Text{S: strings.TrimSpace(typ)}, Params: s.Params}
	for last.Next() == '@' { // an annotation
		last.Take("@")
		last.Word()
	}
	if strings.HasPrefix(last.S[last.Pos:], "(") { // nullable: (T.() -> Unit)?
		last.Take("(")
	}
	for last.Take("suspend ") {
	}
	e := last.namedType(0)
	if e == "" || !last.Take(".(") {
		return ""
	}
	return e
}

// TypeParams reads <A, reified B : C>.
func (s *Kotlin) TypeParams(depth int) {
	if !s.Take("<") {
		return
	}
	for {
		p := Param{Name: s.Word()}
		for p.Name == "reified" || p.Name == "in" || p.Name == "out" {
			p.Name = s.Word()
		}
		if p.Name == "" {
			return
		}
		if s.Take(":") {
			p.Bound = s.Type(depth + 1)
		}
		s.Params = append(s.Params, p)
		if !s.Take(",") {
			s.Take(">")
			return
		}
	}
}

// Type reads a type, "?" if it is one of functions, "" if it is not understood.
func (s *Kotlin) Type(depth int) string {
	if depth > maxNested {
		return ""
	}
	for s.Take("in ") || s.Take("out ") || s.Take("suspend ") {
	}
	e := "?"
	switch {
	case s.Take("*"):
		return e
	case s.Next() == '(':
		from := s.Pos + 1
		s.Skip('(', ')')
		in := Kotlin{Text: Text{S: strings.TrimSuffix(s.S[from:s.Pos], ")")}, Params: s.Params}
		if e = in.Type(depth + 1); in.Next() != 0 || e == "" {
			e = "?"
		}
	default:
		e = s.namedType(depth)
	}
	for s.Take("?") || s.Take("& Any") {
	}
	if s.Take(".(") { // of a function with a receiver
		s.Pos--
		s.Skip('(', ')')
	}
	if s.Take("->") {
		s.Type(depth + 1)
		return "?"
	}
	return e
}

// namedType reads a.b.C<D>.E. Names of packages are left out, because the imports of the file hold the full name.
func (s *Kotlin) namedType(depth int) string {
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
		if s.Pos+1 >= len(s.S) || s.S[s.Pos] != '.' || s.S[s.Pos+1] == '(' {
			return e
		}
		s.Pos++
	}
}

// arguments reads the <A, B> after the type e.
func (s *Kotlin) arguments(e string, depth int) string {
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
