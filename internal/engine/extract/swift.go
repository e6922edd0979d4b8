package extract

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/builtin"
)

// swift reads a Swift file. Declarations are in this file and swift_decl.go, statements
// and expressions in swift_expr.go, members in swift_member.go.
//
// A symbol is exported if neither it nor a type around it is private or fileprivate and
// no function is around it: the rest of the module sees it. An extension is no symbol;
// its declarations are members of the extended type, qualified by it, with no parent.
// The package is the directory of the module, as far as the path shows it: below
// Sources, Tests or Plugins the next one, otherwise the topmost.
type swift struct {
	classes
	extended string // qualified name of the type the extension around extends
}

func walkSwift(f *file) {
	s := &swift{}
	s.classes = newClasses(f, s, builtin.SwiftBuiltin)
	s.modifierList, s.annotations, s.isDoc = swModifiers, []kind{swAttribute}, isSwiftDoc
	s.facts.Package = SwiftModule(f.path)
	s.names.push()
	s.bindMembers(root, bindTop)
	s.children(root)
	s.names.pop()
	s.typeDoc()
}

// ReadsFolder reports whether the facts of a file depend on the folder it is in
// and not only on its name and content.
func ReadsFolder(l code.Lang) bool { return l == "swift" }

// SwiftModule returns the directory that holds the module of the Swift file at path:
// a/Sources/App of a/Sources/App/x/y.swift. Outside of a package's directories it is
// the topmost one, as in a project of Xcode.
func SwiftModule(path string) string {
	segs := strings.Split(path, "/")
	for i := len(segs) - 3; i >= 0; i-- {
		switch segs[i] {
		case "Sources", "Tests", "Plugins":
			return strings.Join(segs[:i+2], "/")
		}
	}
	if len(segs) > 1 {
		return segs[0]
	}
	return "."
}

func isSwiftDoc(s string) bool { return strings.HasPrefix(s, "///") || isJavadoc(s) }

// declaration reads n if it declares something, and reports whether it did.
func (s *swift) declaration(n node) bool {
	switch s.kind(n) {
	case swClass:
		s.classDeclaration(n)
	case swProtocol:
		s.typeDeclaration(n, code.KindInterface)
	case swFunction, swProtocolFunction:
		s.function(n)
	case swInit:
		s.callable(n, none, code.Symbol{Name: "init", Kind: code.KindConstructor})
	case swDeinit:
		s.callable(n, none, code.Symbol{Name: "deinit", Kind: code.KindMethod})
	case swSubscript:
		s.callable(n, none, code.Symbol{Name: "subscript", Kind: code.KindMethod})
	case swProperty:
		s.property(n)
	case swProtocolProperty:
		s.variable1(n, s.child(n, swfName), code.KindField)
	case swTypealias, swAssociated:
		s.simple(n, s.child(n, swfName), code.KindType)
	case swOperator:
		s.simple(n, s.operatorName(n), code.KindFunction)
	case swPrecedence:
		s.simple(n, s.childKind(n, swIdentifier), code.KindType)
	case swMacro:
		s.simple(n, s.childKind(n, swIdentifier), code.KindMacro)
	case swEnumEntry:
		s.enumEntry(n)
	default:
		return false
	}
	return true
}

// operatorName returns the node with the name in an operator declaration: a custom
// operator or one of the language's tokens.
func (s *swift) operatorName(n node) node {
	if c := s.childKind(n, swCustomOperator); c != none {
		return c
	}
	seen := false
	for c := s.first(n); c != none; c = s.sibling(c) {
		if seen {
			return c
		}
		seen = s.str(c) == "operator"
	}
	return none
}

// symbol declares sym. A member of an extension gets the extended type in its qualified name.
func (s *swift) symbol(n, name node, sym code.Symbol, end uint32) int32 {
	if sym.Name == "" {
		sym.Name = s.identifier(name)
	}
	if s.owner < 0 && s.extended != "" {
		sym.Qualified = s.extended + "." + sym.Name
	}
	return s.classes.symbol(n, name, sym, end)
}

// isPrivate reports whether only its own file sees a declaration. "private(set)"
// concerns the setter alone.
func (s *swift) isPrivate(n node) bool {
	for c := s.first(s.modifiers(n)); c != none; c = s.sibling(c) {
		if s.kind(c) == swVisibility && (s.str(c) == "private" || s.str(c) == "fileprivate") {
			return true
		}
	}
	return false
}

// classDeclaration reads a class, struct, enum, actor or extension.
func (s *swift) classDeclaration(n node) {
	switch {
	case s.has(n, swWordExtension):
		s.extension(n)
	case s.has(n, swWordStruct):
		s.typeDeclaration(n, code.KindStruct)
	case s.has(n, swWordEnum):
		s.typeDeclaration(n, code.KindEnum)
	default:
		s.typeDeclaration(n, code.KindClass)
	}
}

func (s *swift) typeDeclaration(n node, k code.Kind) {
	name := s.child(n, swfName)
	s.bindNestedType(name)
	end := s.end(n)
	if body := s.child(n, swfBody); body != none {
		end = s.start(body)
	}
	scope := classScope{name: s.identifier(name), super: s.has(n, swInheritance), iface: k == code.KindInterface}
	if k == code.KindClass && scope.super {
		scope.base = s.typeName(s.firstNamed(s.childKind(n, swInheritance)))
	}
	saved := s.open(s.symbol(n, name, code.Symbol{Kind: k}, end))
	s.enterType(n, scope)
	s.typeParts(n, name, k)
	s.close(saved)
}

// typeParts reads the content of a type or extension. The first type that a class
// names may be its base class; structs, enums and extensions have protocols only.
func (s *swift) typeParts(n, name node, k code.Kind) {
	s.bindGenerics(s.childKind(n, swTypeParameters))
	s.bindMembers(s.child(n, swfBody), bindNested)
	rk := code.RefImplement
	if k == code.KindClass || k == code.KindInterface {
		rk = code.RefInherit
	}
	for c := s.first(n); c != none; c = s.sibling(c) {
		switch {
		case c == name:
		case s.kind(c) == swInheritance:
			s.typeRef(s.firstNamed(c), rk)
			if k == code.KindClass {
				rk = code.RefImplement
			}
		default:
			s.walk(c)
		}
	}
}

// extension reads the members that an extension adds to a type.
func (s *swift) extension(n node) {
	typ := s.child(n, swfName)
	s.typeRef(typ, code.RefType)
	saved, extended := s.open(-1), s.extended
	s.owner = -1
	s.position = position{class: classScope{name: s.typeName(typ), super: true}, private: s.isPrivate(n)}
	s.extended = stripArguments(strings.Join(strings.Fields(s.str(typ)), ""))
	s.typeParts(n, typ, code.KindStruct)
	s.extended = extended
	s.close(saved)
}

// bindMembers binds the declarations of a file or a body. Properties come last, so that they
// are found before functions of the same name: they have types.
func (s *swift) bindMembers(body node, what bindKind) {
	for c := s.first(body); c != none; c = s.sibling(c) {
		switch s.kind(c) {
		case swFunction, swProtocolFunction:
			s.names.bind(binding{name: s.identifier(s.child(c, swfName)), what: what})
		case swClass:
			if !s.has(c, swWordExtension) {
				s.names.bind(binding{name: s.identifier(s.child(c, swfName)), what: what, isType: true})
			}
		case swProtocol, swTypealias, swAssociated:
			s.names.bind(binding{name: s.identifier(s.child(c, swfName)), what: what, isType: true})
		}
	}
	for c := s.first(body); c != none; c = s.sibling(c) {
		switch s.kind(c) {
		case swProperty, swProtocolProperty:
			for p := s.first(c); p != none; p = s.sibling(p) {
				if s.kind(p) == swPattern {
					name, typ := s.identifier(s.child(p, swfBound)), s.patternType(p)
					if s.class.name == "" {
						s.names.bind(binding{name: name, what: what, typ: typ})
					} else {
						s.bindField(name, typ, what)
					}
				}
			}
		}
	}
}

// patternType returns the type of the variable that pattern p of a property declares: by its
// annotation, otherwise by its value.
func (s *swift) patternType(p node) string {
	for c := s.sibling(p); c != none && s.kind(c) != swPattern; c = s.sibling(c) {
		if s.kind(c) == swAnnotation {
			return s.typeName(s.typeChild(c))
		}
		if s.nodeField(c) == swfValue {
			return s.valueType(c)
		}
	}
	return ""
}
