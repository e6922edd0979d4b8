package extract

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/builtin"
)

// scala reads a Scala file, of version 2 or 3. Types and their parts are in
// this file, functions and values in scala_decl.go, imports and types written in
// scala_type.go, expressions and patterns in scala_expr.go.
//
// A symbol is exported if neither it nor a type around it is private and no function is
// around it: private[p] and protected names are seen by other files. An object is a
// class; that it may have the name of its companion does not matter to references.
// Parameters of a class are fields if they are marked val or var or the class is a case
// class; the primary constructor is the class itself, whose Params it gives. A method
// of an extension has no Parent and is declared at the place of the extension.
type scala struct {
	classes
	inExtension bool          // among the members of an extension
	outer       []code.Import // packages around the one a clause names
}

func walkScala(f *file) {
	s := &scala{}
	s.classes = newClasses(f, s, builtin.Scala)
	s.modifierList, s.annotations, s.dotted = scModifiers, []kind{scAnnotation}, scField
	s.names.push()
	s.packages(root)
	s.bindMembers(root, bindTop)
	s.children(root)
	s.names.pop()
	slices.Reverse(s.outer) // inner ones hide outer ones, and imports both
	s.facts.Imports = append(s.facts.Imports, s.outer...)
	s.typeDoc()
}

// packages reads the package clauses at the top of a file, of which each is
// inside the one before. If packages have braces, the first is the file's
// package.
func (s *scala) packages(n node) {
	for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
		if s.kind(c) != scPackage {
			continue
		}
		body := s.child(c, scfBody)
		if body != none && s.facts.Package != "" {
			return
		}
		name := joinName(s.str(s.child(c, scfName)))
		if s.facts.Package != "" {
			name = s.facts.Package + "." + name
		}
		s.facts.Package = name
	}
}

// maxScalaPackages is the largest number of nested packages that are told apart.
const maxScalaPackages = 16

// packageClause enters a package, whose names are visible from here on, or within its
// braces. So are the names of the packages around it that have a clause of their own,
// which are therefore imported as by a wildcard.
func (s *scala) packageClause(n node) {
	name, body := joinName(s.str(s.child(n, scfName))), s.child(n, scfBody)
	outer, _, _ := strings.Cut(s.importWithin, " ")
	saved, uses := s.importWithin, s.pathImports
	switch {
	case name == "" || strings.Count(s.importWithin, " ") >= maxScalaPackages || len(name) > 256:
		s.children(body)
		return
	case outer == "":
		s.importWithin = name
	default:
		s.outer = append(s.outer, code.Import{Spec: outer, Kind: code.ImportPath, Line: s.line(n),
			Names: []code.ImportName{{Name: "*", Alias: "*"}}})
		s.importWithin = outer + "." + name + " " + s.importWithin
	}
	s.pathImports = map[string]int32{}
	if body != none {
		s.children(body)
		s.importWithin, s.pathImports = saved, uses
	}
}

// declaration reads n if it declares something, and reports whether it did.
func (s *scala) declaration(n node) bool {
	switch s.kind(n) {
	case scClass, scObject, scPackageObject:
		s.typeDeclaration(n, code.KindClass)
	case scTrait:
		s.typeDeclaration(n, code.KindTrait)
	case scEnum:
		s.typeDeclaration(n, code.KindEnum)
	case scSimpleCase, scFullCase:
		s.typeDeclaration(n, code.KindEnumMember)
	case scFunction, scFunctionDecl:
		s.function(n)
	case scVal, scVar, scValDecl, scVarDecl:
		s.values(n)
	case scType:
		s.typeAlias(n)
	case scGiven:
		s.givenInstance(n)
	case scExtension:
		s.extensionMethods(n)
	default:
		return false
	}
	return true
}

// isPrivate reports whether a declaration is visible in its own class alone.
func (s *scala) isPrivate(n node) bool {
	access := s.childKind(s.childKind(n, scModifiers), scAccess)
	switch s.str(access) {
	case "private", "private[this]":
		return access != none
	}
	return false
}

// codeStart returns the offset at which a declaration begins, after its annotations.
func (s *scala) codeStart(n node) uint32 {
	for c := s.first(n); c != none; c = s.sibling(c) {
		if s.kind(c) != scAnnotation && !s.isExtra(c) {
			return s.start(c)
		}
	}
	return s.start(n)
}

// codeEnd returns the end of n without the white space and comments that the grammar
// includes in an indented body. It looks at no more than 64 nodes.
func (s *scala) codeEnd(n node) uint32 {
	for range 64 {
		last, end := none, s.start(n)
		for c := s.first(n); c != none; c = s.sibling(c) {
			if end = s.end(c); !s.isExtra(c) && s.end(c) > s.start(c) {
				last = c
			}
		}
		if last == none || strings.TrimSpace(s.text[end:s.end(n)]) != "" {
			break // nothing below, or a closing quote, which is no node
		}
		n = last
	}
	return s.start(n) + uint32(len(strings.TrimRight(s.str(n), " \t\r\n")))
}

// symbol declares sym with a span that ends at its code, without the white space after an indented body, and a signature without the =
// before a value.
func (s *scala) symbol(n, name node, sym code.Symbol, end uint32) int32 {
	if sym.Span.End == 0 {
		sym.Span = s.spanBetween(s.codeStart(n), s.codeEnd(n))
		sym.Signature = strings.TrimRight(s.signatureWithout(n, sym.Span.Start, end), " =")
	}
	return s.classes.symbol(n, name, sym, end)
}

// body returns the body of a declaration, bodyStart where it begins, or n's end.
func (s *scala) body(n node) node {
	for c := s.first(n); c != none; c = s.sibling(c) {
		switch s.kind(c) {
		case scTemplate, scEnumBody, scWithTemplate:
			return c
		}
		if s.nodeField(c) == scfBody && s.isNamed(c) {
			return c
		}
	}
	return none
}

func (s *scala) bodyStart(n node) uint32 {
	if b := s.body(n); b != none {
		return s.start(b)
	}
	return s.end(n)
}

// typeDeclaration reads a class, object, trait, enum or a case of one.
func (s *scala) typeDeclaration(n node, kind code.Kind) {
	name := s.child(n, scfName)
	s.bindNestedType(name)
	list, inExtension := s.childKind(n, scExtends), s.inExtension
	saved := s.open(s.symbol(n, name, code.Symbol{Kind: kind, Params: s.params(n, scClassParams)}, s.bodyStart(n)))
	base := s.typeName(s.firstNamed(list))
	s.enterType(n, classScope{name: s.identifier(name), base: base, super: list != none, iface: s.kind(n) == scTrait})
	s.inExtension = false
	s.classParts(n, name)
	s.inExtension = inExtension
	s.close(saved)
}

// classParts reads the parts of a type declaration.
func (s *scala) classParts(n, name node) {
	allFields := s.has(n, scCaseWord) || s.kind(n) == scFullCase
	for c := s.first(n); c != none; c = s.sibling(c) {
		switch s.kind(c) {
		case scTypeParams:
			s.bindGenerics(c)
		case scClassParams:
			s.bindFields(c, allFields)
		}
	}
	body := s.body(n)
	s.bindMembers(body, bindNested)
	for c := s.first(n); c != none; c = s.sibling(c) {
		switch {
		case c == name:
		case s.kind(c) == scClassParams:
			s.classParams(c, allFields)
			allFields = false
		case c == body:
			s.children(c)
		default:
			s.walk(c)
		}
	}
}

// inherits reads the list of base types of a class. Their arguments are code.
func (s *scala) inherits(n node) {
	inBody := s.inBody
	s.inBody = true
	for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
		if s.kind(c) == scArguments {
			s.walk(c)
		} else {
			s.typeRef(c, code.RefInherit)
		}
	}
	s.inBody = inBody
}

// bindMembers binds the declarations of a file or a body, because they are in scope throughout.
// Values come last, so that they are found before functions of the same name: they have
// types.
func (s *scala) bindMembers(body node, what bindKind) {
	for c := s.firstNamed(body); c != none; c = s.nextNamed(c) {
		name := s.identifier(s.child(c, scfName))
		switch s.kind(c) {
		case scFunction, scFunctionDecl:
			if name != "this" {
				s.names.bind(binding{name: name, what: what})
			}
		case scClass, scObject, scTrait, scEnum, scType, scPackageObject:
			s.names.bind(binding{name: name, what: what, isType: true})
		case scPackage:
			s.bindMembers(s.child(c, scfBody), what)
		case scExtension:
			s.bindExtension(c, what)
		case scGiven:
			s.bindField(name, s.typeName(s.child(c, scfReturn)), what)
		case scEnumCases:
			for e := s.firstNamed(c); e != none; e = s.nextNamed(e) {
				s.bindField(s.identifier(s.child(e, scfName)), s.class.name, what)
			}
		}
	}
	for c := s.firstNamed(body); c != none; c = s.nextNamed(c) {
		switch s.kind(c) {
		case scVal, scVar, scValDecl, scVarDecl:
			typ := s.declaredType(c)
			s.eachName(c, func(n node) { s.bindField(s.identifier(n), typ, what) })
		}
	}
}

// bindExtension binds the methods of an extension.
func (s *scala) bindExtension(n node, what bindKind) {
	for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
		if k := s.kind(c); k == scFunction || k == scFunctionDecl {
			name := s.identifier(s.child(c, scfName))
			s.names.bind(binding{name: name, what: what})
			if what == bindTop {
				s.extensions[name] = true
			}
		}
	}
}

// isField reports whether a parameter of a class is a member of it; all is set for case classes.
func (s *scala) isField(n node, all bool) bool {
	return all || s.has(n, scValWord) || s.has(n, scVarWord)
}

func (s *scala) bindFields(list node, all bool) {
	for c := s.firstNamed(list); c != none; c = s.nextNamed(c) {
		name, typ := s.identifier(s.child(c, scfName)), s.typeName(s.child(c, scfType))
		if s.isField(c, all) {
			s.bindField(name, typ, bindNested)
		} else {
			s.names.bind(binding{name: name, what: bindLocal, typ: typ})
		}
	}
}

// classParams reads the parameters of a class and declares those that are fields.
func (s *scala) classParams(list node, all bool) {
	for c := s.firstNamed(list); c != none; c = s.nextNamed(c) {
		name, before := s.child(c, scfName), s.owner
		if s.kind(c) == scClassParam && s.isField(c, all) {
			end := s.end(c)
			if typ := s.child(c, scfType); typ != none {
				end = s.end(typ)
			}
			s.enter(s.symbol(c, name, code.Symbol{Kind: code.KindField}, end))
		}
		if s.isType(c) {
			s.inner(c)
		} else {
			saved := s.inBody
			s.inBody = true
			s.childrenBut(c, name)
			s.inBody = saved
		}
		s.leave(before)
	}
}
