package extract

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/builtin"
)

// importDeclaration reads import a.b.C, a.b.{C, D => E, _}, a.b.*, a.b.given and
// several of them with commas between. An import from a value or a type of the file
// itself is left out.
func (s *scala) importDeclaration(n node) {
	within := s.importWithin
	defer func() { s.importWithin = within }()
	var path []string
	begin := func() (ok bool) {
		s.importWithin = within
		path, ok = s.importPath(path)
		return ok
	}
	done := false // the path has ended in selectors or a wildcard
	flush := func() {
		if !done && len(path) > 0 && begin() {
			s.addTypeImport(strings.Join(path, "."), "", n)
		}
		path, done = nil, false
	}
	for c := s.first(n); c != none; c = s.sibling(c) {
		switch s.kind(c) {
		case scComma:
			flush()
		case scIdentifier, scOperator:
			path = append(path, s.identifier(c))
		case scWildcardImport, scSelectors, scArrowRename, scAsRename:
			if done = true; begin() {
				s.selector(strings.Join(path, "."), c)
			}
		}
	}
	flush()
}

// importPath completes a path as it is written: from the root after _root_, otherwise
// from the name of an earlier import, or from the packages around. It returns false if
// the path leads into a value or a type of this file.
func (s *scala) importPath(path []string) ([]string, bool) {
	if len(path) == 0 {
		return path, true
	}
	if path[0] == "_root_" {
		s.importWithin = ""
		return path[1:], true
	}
	b := s.names.lookup(path[0])
	switch {
	case b == nil || b.what == bindTop:
		return path, path[0] != "this"
	case b.what != bindImport || b.target == "":
		return path, false
	}
	m := &s.facts.Imports[b.imp]
	s.importWithin = m.Within
	head := m.Spec
	if head != b.target && !strings.HasSuffix(head, "."+b.target) {
		head += "." + b.target
	}
	return append([]string{head}, path[1:]...), true
}

// selector reads a name that is imported from path, such as D => E in a.b.{C, D => E}.
func (s *scala) selector(path string, n node) {
	switch s.kind(n) {
	case scIdentifier, scOperator:
		s.addTypeImport(path+"."+s.identifier(n), "", n)
	case scArrowRename, scAsRename:
		alias := s.identifier(s.child(n, scfAlias))
		if alias == "_" {
			return
		}
		spec := s.identifier(s.child(n, scfName))
		if path != "" {
			spec = path + "." + spec
		}
		s.addTypeImport(spec, alias, n)
	case scWildcardImport:
		s.addImport(path, "", true, s.line(n))
	case scSelectors:
		if s.has(n, scGivenWord) {
			s.addImport(path, "", true, s.line(n))
		}
		for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
			s.selector(path, c)
			if s.isType(c) {
				s.walk(c)
			}
		}
	}
}

func (s *scala) addTypeImport(spec, alias string, n node) {
	s.addImport(spec, alias, false, s.line(n))
	s.facts.IsTest = s.facts.IsTest || builtin.JVMTestImport(spec)
}

func (s *scala) isType(n node) bool {
	switch s.kind(n) {
	case scTypeIdentifier, scGenericType, scCompoundType, scAnnotatedType, scStableType, scProjected, scInfixType, scLazyType,
		scRepeatedType, scAppliedType, scFunctionType, scTupleType, scSingleton, scLiteralType, scStructural:
		return true
	}
	return false
}

// typeRef records the references that a type makes; rk is the kind of reference for its outermost name.
func (s *scala) typeRef(n node, rk code.RefKind) {
	switch s.kind(n) {
	case scTypeIdentifier:
		s.plainName(n, s.identifier(n), rk)
	case scStableType:
		s.stable(n, rk)
	case scGenericType:
		for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
			if s.nodeField(c) == scfType {
				s.typeRef(c, rk)
			} else {
				s.walk(c)
			}
		}
	case scCompoundType, scAnnotatedType, scLazyType, scRepeatedType, scAppliedType:
		for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
			if s.isType(c) {
				s.typeRef(c, rk)
			} else {
				s.walk(c)
			}
		}
	case scInfixType:
		for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
			if s.nodeField(c) != scfOperator {
				s.walk(c)
			} else if s.kind(c) == scIdentifier {
				s.plainName(c, s.identifier(c), code.RefType)
			}
		}
	case scProjected:
		typ := s.child(n, scfType)
		s.typeRef(typ, code.RefType)
		s.member(s.lastNamed(n), rk, qual{qualType, s.typeName(typ), -1})
	case scStructural:
		s.anonymous(n, classScope{})
	default:
		s.children(n)
	}
}

func (s *scala) lastNamed(n node) node {
	last := none
	for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
		last = c
	}
	return last
}

// segments returns the nodes of a dotted name, at most 32.
func (s *scala) segments(n node) (out []node) {
	for steps := 0; steps < 32; steps++ {
		if k := s.kind(n); k != scStable && k != scStableType {
			out = append(out, n)
			break
		}
		first := s.firstNamed(n)
		if last := s.nextNamed(first); last != none {
			out = append(out, last)
		}
		n = first
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// stable reads a type a.b.Outer.Inner: Outer by its import or its package,
// Inner as a member of Outer.
func (s *scala) stable(n node, rk code.RefKind) {
	q := qual{}
	segs := s.segments(n)
	for i, c := range segs {
		switch {
		case s.identifier(c) == "this" && i == 0:
			q = qual{kind: qualSelf, path: s.class.name}
		case i < len(segs)-1:
			q = s.nextSegment(q, c, code.RefType)
		case q.kind == qualNone:
			s.plainName(c, s.identifier(c), rk)
		default:
			s.nextSegment(q, c, rk)
		}
	}
}

// typeName returns a type's name as Ref.Recv: without type arguments; for a type parameter,
// the name of its bound.
func (s *scala) typeName(n node) string {
	for range 32 {
		switch s.kind(n) {
		case scTypeIdentifier:
			return s.dottedType([]string{s.identifier(n)})
		case scStableType:
			var names []string
			for _, c := range s.segments(n) {
				names = append(names, s.identifier(c))
			}
			return s.dottedType(names)
		case scGenericType, scCompoundType, scAnnotatedType, scLazyType, scAppliedType:
			n = s.firstNamed(n)
		default:
			return ""
		}
	}
	return ""
}

// bindGenerics binds type parameters. The bound of each counts as its type.
func (s *scala) bindGenerics(n node) {
	for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
		switch {
		case s.kind(c) == scCovariant || s.kind(c) == scContravariant:
			s.bindGenerics(c)
		case s.nodeField(c) == scfName:
			bound := none
			for m := s.nextNamed(c); m != none && s.nodeField(m) != scfName; m = s.nextNamed(m) {
				if s.kind(m) == scUpperBound {
					bound = s.child(m, scfType)
					break
				}
			}
			s.names.bind(binding{name: s.identifier(c), what: bindLocal, typ: s.typeName(bound), isType: true})
		}
	}
}

// typeParams binds type parameters and reads their bounds.
func (s *scala) typeParams(n node) {
	s.bindGenerics(n)
	s.bounds(n)
}

func (s *scala) bounds(n node) {
	for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
		switch k := s.kind(c); {
		case k == scCovariant || k == scContravariant:
			s.bounds(c)
		case s.nodeField(c) != scfName && k != scTypeParams:
			s.walk(c)
		}
	}
}
