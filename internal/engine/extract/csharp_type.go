package extract

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/builtin"
)

// using reads a using directive: all of a namespace ("A.B", names *), the static
// members of a type ("A.B.C", static, names *) or an alias ("A.B.C", names C as
// F). A global using is a re-export, because every file of the project has it. Inside of the namespace space
// its name may begin there.
func (c *csharp) using(n node, space string) {
	alias := c.child(n, csfName)
	target := none
	for d := c.firstNamed(n); d != none; d = c.nextNamed(d) {
		if d != alias {
			target = d
		}
	}
	spec := c.nameText(target)
	if spec == "" {
		if alias != none { // an alias of a tuple, an array, int
			c.names.bind(binding{name: c.identifier(alias), what: bindTop, isType: true})
		}
		return
	}
	m := code.Import{Spec: spec, Line: c.line(n), Static: c.has(n, csStatic), Names: []code.ImportName{{Name: "*", Alias: "*"}}, Within: space}
	if c.kind(target) == csAliasQualified { // global::
		m.Within = ""
	}
	if c.has(n, csGlobal) {
		m.Kind = code.ImportReexport
	}
	last := spec[strings.LastIndexByte(spec, '.')+1:]
	c.addNamespace(spec[:max(strings.LastIndexByte(spec, '.'), 0)])
	switch {
	case alias != none:
		m.Names[0] = code.ImportName{Name: last, Alias: c.identifier(alias)}
		imp := int32(len(c.facts.Imports))
		c.names.bind(binding{name: c.identifier(alias), what: bindImport, imp: imp, target: last, isType: true, typ: spec})
	case m.Static:
		c.usingStatic = true
	default:
		c.addNamespace(spec)
	}
	c.facts.IsTest = c.facts.IsTest || isDotnetTest(spec)
	c.facts.Imports = append(c.facts.Imports, m)
	if alias != none || m.Static { // names a type
		c.ref(c.lastSegment(target), code.Ref{Name: last, Kind: code.RefType, Via: code.ViaImport, Import: int32(len(c.facts.Imports) - 1)})
	}
}

// lastSegment returns the last identifier of a qualified name.
func (c *csharp) lastSegment(n node) node {
	for {
		switch c.kind(n) {
		case csQualifiedName, csAliasQualified:
			n = c.child(n, csfName)
		case csGenericName:
			return c.firstNamed(n)
		default:
			return n
		}
	}
}

// isDotnetTest reports whether a namespace belongs to a test framework.
func isDotnetTest(spec string) bool {
	switch spec {
	case "Xunit", "NUnit.Framework", "Microsoft.VisualStudio.TestTools.UnitTesting", "TUnit.Core":
		return true
	}
	return false
}

// pathImport returns the index of an import that is made for a qualified name, such as A.B.C, which code uses without a using.
func (c *csharp) pathImport(spec, name string, line uint32) int32 {
	imp, ok := c.pathImports[spec]
	if !ok {
		imp = int32(len(c.facts.Imports))
		c.facts.Imports = append(c.facts.Imports, code.Import{Spec: spec, Kind: code.ImportPath, Line: line, Within: c.facts.Package,
			Names: []code.ImportName{{Name: name, Alias: name}}})
		c.pathImports[spec] = imp
	}
	return imp
}

// csQual is the meaning of the expression in front of a dot.
type csQual struct {
	kind csQualKind
	path string // the namespace so far, or the receiver's type as Ref.Recv
	// space are the names so far: of a type and its members, or of a namespace that the file does not declare.
	space string
}

type csQualKind uint8

const (
	csQualNone    csQualKind = iota // there is no dot
	csQualSpace                     // a namespace
	csQualType                      // a type: its member is nested or static
	csQualValue                     // a value of type path
	csQualSelf                      // this; base, whose path is the base type if it is known
	csQualBuiltin                   // string, int …: members are left out
)

// typeRef records the references that a type makes; k is the kind of reference for its outermost name.
func (c *csharp) typeRef(n node, k code.RefKind) {
	switch c.kind(n) {
	case csIdentifier, csQualifiedName, csAliasQualified, csGenericName:
		c.typeSegments(n, k)
	case csNullable, csArray, csPointer, csRefType, csScopedType:
		for d := c.firstNamed(n); d != none; d = c.nextNamed(d) {
			if c.nodeField(d) == csfType {
				c.typeRef(d, k)
			} else {
				c.walk(d)
			}
		}
	case csTuple:
		for d := c.firstNamed(n); d != none; d = c.nextNamed(d) {
			c.typeRef(c.child(d, csfType), k)
		}
	default:
		c.children(n)
	}
}

// typeSegments reads the parts of a type's name from left to right. The reference to the last part has kind k.
func (c *csharp) typeSegments(n node, k code.RefKind) csQual {
	switch c.kind(n) {
	case csQualifiedName:
		q := c.typeSegments(c.child(n, csfQualifier), code.RefType)
		return c.nextTypeSegment(q, c.child(n, csfName), k, c.nodeField(n) != csfQualifier)
	case csAliasQualified:
		q := csQual{kind: csQualSpace}
		if a := c.fieldStr(n, csfAlias); a != "global" {
			q = c.nextTypeSegment(csQual{}, c.child(n, csfAlias), code.RefType, false)
		}
		return c.nextTypeSegment(q, c.child(n, csfName), k, c.nodeField(n) != csfQualifier)
	}
	return c.nextTypeSegment(csQual{}, n, k, c.nodeField(n) != csfQualifier)
}

// nextTypeSegment returns the meaning of q followed by the name n in a type. The last
// part of the name is never a namespace.
func (c *csharp) nextTypeSegment(q csQual, n node, k code.RefKind, last bool) csQual {
	id := n
	if c.kind(n) == csGenericName {
		id = c.firstNamed(n)
		before := len(c.facts.Refs)
		defer c.typeArguments(id, c.childKind(n, csTypeArguments), before)
	}
	name := c.identifier(id)
	switch q.kind {
	case csQualNone:
		return c.firstTypeSegment(id, name, k, last)
	case csQualSpace:
		spec := joinDots(q.path, name)
		if !last {
			return csQual{kind: csQualSpace, path: spec}
		}
		c.ref(id, code.Ref{Name: name, Kind: k, Via: code.ViaImport, Import: c.pathImport(spec, name, c.line(id))})
		return csQual{kind: csQualType, path: spec}
	}
	c.member(id, k, q)
	if strings.Contains(q.path, ".") { // of an alias of a namespace
		name = joinDots(q.path, name)
	}
	return csQual{kind: csQualType, path: name}
}

// typeArguments reads the type arguments of the type name id, and notes their number at the reference to it, which is
// recorded after index before.
func (c *csharp) typeArguments(id, args node, before int) {
	for i := before; i < len(c.facts.Refs); i++ {
		if r := &c.facts.Refs[i]; r.Start == c.start(id) {
			r.Args = c.arity(args)
		}
	}
	c.walk(args)
}

// arity returns the number of types in a list of type arguments or parameters, in the form of Ref.Args.
func (c *csharp) arity(list node) string {
	commas := 0
	for d := c.first(list); d != none; d = c.sibling(d) {
		if !c.isNamed(d) && c.str(d) == "," {
			commas++
		}
	}
	return code.ArgsAround + strings.Repeat(",", min(commas, maxArity)) + "}"
}

// maxArity bounds the type arguments that are counted.
const maxArity = 32

// firstTypeSegment returns the meaning of the first part of a type's name: a type in
// scope, or, if more parts follow, a namespace.
func (c *csharp) firstTypeSegment(n node, name string, k code.RefKind, last bool) csQual {
	b := c.names.lookup(name)
	if b != nil && !b.isType {
		b = c.hiddenType(b)
	}
	if b == nil && !last {
		if space := c.namespaceNamed(name); space != "" {
			return csQual{kind: csQualSpace, path: space}
		}
	}
	return c.typeByName(n, name, k, b)
}

// hiddenType returns the type that b, a member with the same name, hides, or nil.
func (c *csharp) hiddenType(b *binding) *binding {
	for b != nil && !b.isType {
		if b.outer < 0 {
			return nil
		}
		b = &c.names.list[b.outer]
	}
	return b
}

// typeByName records a reference to a type by its simple name.
func (c *csharp) typeByName(n node, name string, k code.RefKind, b *binding) csQual {
	switch {
	case b == nil, b.is(bindTop):
		c.ref(n, code.Ref{Name: name, Kind: k, Via: code.ViaBare})
	case b.what == bindLocal && b.typ == "": // a type parameter
		return csQual{kind: csQualValue, space: name}
	case b.what == bindLocal:
		return csQual{kind: csQualValue, path: b.typ}
	case b.what == bindImport:
		typ := b.typ
		c.ref(n, code.Ref{Name: b.target, Kind: k, Via: code.ViaImport, Import: b.imp})
		return csQual{kind: csQualType, path: typ}
	default:
		c.ref(n, code.Ref{Name: name, Kind: k, Via: code.ViaLocal})
	}
	return csQual{kind: csQualType, path: name}
}

// namespaceNamed returns the namespace that the first part of a name means, if the file's
// usings or namespaces show it. It is looked for at the top and inside the enclosing
// namespaces.
func (c *csharp) namespaceNamed(name string) string {
	for space := c.facts.Package; space != ""; space = space[:max(strings.LastIndexByte(space, '.'), 0)] {
		if s := space + "." + name; c.namespaces[s] {
			return s
		}
	}
	if c.namespaces[name] {
		return name
	}
	return ""
}

// typeName returns a type's name as Ref.Recv, without type arguments, ? and ref. A type
// parameter has the name of its bound, an alias that of its target, a built-in type
// its keyword; arrays, pointers, tuples and var have none. A qualified name keeps its
// namespace, or the types around it as they are written.
func (c *csharp) typeName(n node) string {
	switch c.kind(n) {
	case csIdentifier, csGenericName:
		name := c.nameText(n)
		if b := c.names.lookup(name); b.is(bindImport) || b.is(bindLocal) && b.isType {
			return b.typ
		}
		return name
	case csNullable, csRefType, csScopedType:
		return c.typeName(c.child(n, csfType))
	case csPredefined:
		return c.str(n)
	case csQualifiedName:
		name := c.nameText(n)
		head, _, _ := strings.Cut(name, ".")
		space := c.namespaceNamed(head)
		switch b := c.names.lookup(head); {
		case b.is(bindImport):
			return joinDots(b.typ, name[len(head)+1:]) // an alias of a namespace or a type
		case b != nil && b.isType:
			return name
		case space == "":
			return name
		}
		return space + name[len(head):]
	case csAliasQualified:
		return c.nameText(n)
	}
	return ""
}

// isPredefined reports whether the name of a type is a keyword, such as int.
func isPredefined(s string) bool {
	switch s {
	case "bool", "byte", "char", "decimal", "double", "float", "int", "long", "object", "sbyte", "short", "string", "uint", "ulong",
		"ushort", "nint", "nuint", "void":
		return true
	}
	return false
}

// member records a reference to q.name.
func (c *csharp) member(n node, k code.RefKind, q csQual) {
	r := code.Ref{Name: c.identifier(n), Kind: k, Via: code.ViaMember}
	switch {
	case q.kind == csQualBuiltin, q.kind == csQualSpace, c.kind(n) != csIdentifier:
		return
	case q.path == "" && q.space != "":
		r.Via, r.Recv = code.ViaTyped, code.RecvExpr+q.space
	case q.path == "", q.path == "dynamic": // which is of any type
	case q.kind == csQualSelf:
		r.Via, r.Recv = code.ViaSelf, q.path
	case isPredefined(q.path) && (k != code.RefCall || builtin.Member("csharp", r.Name)):
		return // only a method that extends the type could be of the repository
	default:
		r.Via, r.Recv = code.ViaTyped, q.path
	}
	c.ref(n, r)
}

// attribute reads an attribute such as [Foo]. By convention its class is called
// FooAttribute.
func (c *csharp) attribute(n node) {
	name := c.child(n, csfName)
	last := name
	for c.kind(last) == csQualifiedName || c.kind(last) == csAliasQualified {
		last = c.child(last, csfName)
	}
	text := c.lastName(name)
	if isTestAttribute(text) {
		c.facts.IsTest = true
	}
	before := len(c.facts.Refs)
	c.typeRef(name, code.RefDecorate)
	b := c.names.lookup(text)
	outer := c.attributed
	c.attributed = c.typeName(name)
	defer func() { c.attributed = outer }()
	if b == nil && !strings.HasSuffix(text, "Attribute") {
		for i := before; i < len(c.facts.Refs); i++ {
			if r := &c.facts.Refs[i]; r.Kind == code.RefDecorate {
				r.Name += "Attribute"
			}
		}
		c.attributed += "Attribute"
	}
	for d := c.sibling(name); d != none; d = c.sibling(d) {
		c.walk(d)
	}
}

func isTestAttribute(s string) bool {
	switch strings.TrimSuffix(s, "Attribute") {
	case "Fact", "Theory", "Test", "TestCase", "TestFixture", "TestMethod", "TestClass", "DataTestMethod":
		return true
	}
	return false
}
