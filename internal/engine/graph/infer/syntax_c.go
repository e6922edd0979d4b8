package infer

import (
	"slices"
	"strings"
	"unicode"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/infer/signature"
)

// cSyntax is that of C and C++. Macros stand anywhere in a declaration, so that a type is read word by word: the first one that can be
// a type is taken.
var cSyntax = &syntax{
	results: cResults, variable: cType, underlying: cUnderlying, composed: cComposed, record: cPart, partial: true, openTypes: true, pairLoops: true,
}

const (
	// cWords are the words of declarations that name no type, cPrimitives the types without members.
	cWords = " auto const constexpr constinit consteval explicit extern friend inline mutable register restrict static template " +
		"thread_local typedef typename using virtual volatile __extension__ __inline __inline__ __restrict _Noreturn "
	cPrimitives = " bool char char8_t char16_t char32_t double float int long short signed unsigned void wchar_t "
	// cTags begin a type whose name is looked up among tags: it may be declared where nothing includes it.
	cTags = " class enum struct union "
	// cPointers are the types of the standard library that have the members of the type they hold.
	cPointers = " atomic optional reference_wrapper shared_ptr unique_ptr weak_ptr "
	// cLists and cMaps are its containers, cGives the methods that give an element or an iterator, which has the members of one.
	cLists = " array deque forward_list initializer_list list multiset set span unordered_multiset unordered_set vector "
	cMaps  = " map multimap unordered_map unordered_multimap "
	cGives = " back begin cbegin cend crbegin crend emplace_back end find front lower_bound rbegin rend top upper_bound "
)

// cComposed returns a method of a container of the standard library.
func cComposed(t *term, name string, _ *expr) term {
	gives := func(e *expr) term { return term{what: termCallable, site: t.site, args: []*expr{e}} }
	switch {
	case name == "at":
		return gives(t.args[len(t.args)-1])
	case !inList(cGives, name):
		return term{}
	case t.what == termMap:
		return gives(&expr{op: opTuple, args: t.args})
	}
	return gives(t.args[0])
}

// cPart returns the type of a member of a pair.
func cPart(t *term, name string) *expr {
	switch {
	case t.what != termTuple || len(t.args) != 2:
		return nil
	case name == "first":
		return t.args[0]
	case name == "second":
		return t.args[1]
	}
	return nil
}

// cResults returns the result type of a function.
func cResults(d *Decl) []*expr {
	if d.Kind == code.KindConstructor {
		return []*expr{pathExpr(d.Container)}
	}
	if _, behind, ok := strings.Cut(d.Signature, ") -> "); ok && strings.HasPrefix(strings.TrimSpace(d.Signature), "auto ") {
		return []*expr{cTypeIn(behind, "")}
	}
	e := cType(d)
	if head, ok := strings.CutPrefix(d.Signature, "template"); ok && e != nil && e.op == opName {
		params := signature.Text{S: head}
		params.Next()
		params.Skip('<', '>')
		if slices.Contains(strings.FieldsFunc(head[:params.Pos], isNoName), e.name) { // whatever the call makes of it
			return nil
		}
	}
	return []*expr{e}
}

func isNoName(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) }

// cType returns the type in front of a declared name.
func cType(d *Decl) *expr {
	if d.Kind == code.KindMacro || d.Kind == code.KindEnumMember {
		return nil
	}
	return cTypeIn(d.Signature, d.Name)
}

// cUnderlying returns the type that a typedef or alias names.
func cUnderlying(d *Decl) *expr {
	if _, behind, ok := strings.Cut(d.Signature, "using "+d.Name+" ="); ok {
		return cTypeIn(behind, "")
	}
	if strings.HasPrefix(d.Signature, "typedef ") {
		return cTypeIn(d.Signature, d.Name)
	}
	return nil
}

// cTypeIn returns the first type in text, which ends before the word name. A word in capitals is a type only if no other is there,
// because macros are written so.
func cTypeIn(text, name string) *expr {
	s := signature.Text{S: text}
	var macro *expr
	for {
		switch c := s.Next(); {
		case c == 0 || strings.IndexByte("=;,{", c) >= 0:
			return macro
		case c == '(':
			if s.Pos++; s.Next() == '*' || s.Next() == '&' {
				return macro
			}
			s.Pos--
			s.Skip('(', ')')
			continue
		case c == '<':
			s.Skip('<', '>')
			continue
		case c == '[':
			s.Skip('[', ']')
			continue
		}
		word := s.Word()
		tag := inList(cTags, word)
		switch {
		case word == "":
			s.Pos++
			continue
		case inList(cWords, word):
			continue
		case inList(cPrimitives, word):
			return nil
		case tag:
			word = s.Word()
		}
		e, last := cPath(&s, word)
		switch {
		case last == name && !tag: // the declared name, perhaps behind its class
			return macro
		case tag && e != nil:
			e = &expr{op: opTag, name: last}
			return e
		case e == nil || strings.ToUpper(last) != last:
			return e
		}
		macro = e
	}
}

// cPath reads the rest of a qualified name and its type arguments. It returns nil for a type of the standard library, except for one that
// has the members of the type it holds.
func cPath(s *signature.Text, first string) (e *expr, last string) {
	outer, last := "", first
	for {
		if s.Next() == '<' {
			from := s.Pos + 1
			s.Skip('<', '>')
			if outer == "std" && s.Pos > from {
				if e := cStandard(last, s.S[from:s.Pos-1]); e != nil {
					return e, last
				}
			}
		}
		if !s.Take("::") {
			break
		}
		if outer == "std" {
			return nil, last
		}
		outer, last = last, s.Word()
	}
	if outer == "std" || last == "" {
		return nil, last
	}
	if outer != "" && isClassName(outer) {
		return pathExpr(outer + "." + last), last
	}
	return &expr{op: opName, name: last}, last
}

// cStandard returns a type of the standard library with its arguments, nil if it has no members that matter.
func cStandard(name, arguments string) *expr {
	var args []*expr
	for _, part := range signature.Types(arguments) {
		args = append(args, cTypeIn(part, ""))
	}
	switch {
	case len(args) > 0 && inList(cPointers, name):
		return args[0]
	case len(args) > 0 && inList(cLists, name):
		return &expr{op: opList, args: args[:1]}
	case len(args) > 1 && inList(cMaps, name):
		return &expr{op: opMap, args: args[:2]}
	case len(args) == 2 && name == "pair":
		return &expr{op: opTuple, args: args}
	}
	return nil
}

// tagged returns the type that `struct name` means in a file: one that it sees, or the only one of that tag in the repository, because
// headers announce types that only the sources behind them declare.
func (y *Types) tagged(s *graph.Site, name string) term {
	if t := y.name(s, name); t.what == termType {
		return t
	}
	list := y.look.Tagged(s.Node.Lang, name)
	if len(list) != 1 {
		return term{}
	}
	return y.value(list)
}
