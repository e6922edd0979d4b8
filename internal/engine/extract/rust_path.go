package extract

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/builtin"
	"ken/internal/engine/extract/lexical"
	"ken/internal/engine/extract/rustword"
)

// rustQual is the meaning of the part of a path before a name.
type rustQual struct {
	what rustQualKind
	// path is a module as an import's Spec, or a type as a reference's Recv.
	path string
	// twin is the path of the other module that the name means under another condition (cfg), "" if there is none.
	twin string
}

type rustQualKind uint8

const (
	rustQualUnknown rustQualKind = iota
	rustQualModule
	rustQualType
	rustQualSelf // Self
)

// addImport adds an import and returns its index.
func (r *rust) addImport(m code.Import) int32 {
	r.facts.Imports = append(r.facts.Imports, m)
	return int32(len(r.facts.Imports) - 1)
}

// externCrate reads `extern crate a as b;`.
func (r *rust) externCrate(n node) {
	name, alias := r.fieldStr(n, rsfName), r.fieldStr(n, rsfAlias)
	if name == "" {
		return
	}
	if name == "self" {
		name = "crate"
	}
	m := code.Import{Spec: name, Alias: alias, Line: r.line(n)}
	public := r.isPublic(n)
	if public {
		m.Kind = code.ImportReexport
	}
	imp := r.addImport(m)
	if alias == "" {
		alias = name
	}
	if public {
		r.facts.Exports = append(r.facts.Exports, code.Export{Name: alias, Local: "*", From: imp, Line: m.Line})
	}
	r.names.bind(binding{name: alias, what: bindImport, imp: imp, target: name, module: true})
}

// rustUse is the state of reading a use declaration.
type rustUse struct {
	line  uint32
	first int32 // its first import
	kind  code.ImportKind
}

// useDeclaration reads a use declaration, binds its names and records an import for
// each distinct path before the names. A single name (`use serde;`) is an import
// without names. self and super are made relative to the file if the declaration is
// in an inline module: in `mod tests`, `use super::*` is "self".
func (r *rust) useDeclaration(n node) {
	u := rustUse{line: r.line(n), first: int32(len(r.facts.Imports))}
	if r.isPublic(n) {
		u.kind = code.ImportReexport
	}
	if arg := r.child(n, rsfArgument); arg != none {
		r.useTree(&u, arg, "")
	}
}

func (r *rust) useTree(u *rustUse, n node, prefix string) {
	switch r.kind(n) {
	case rsUseList:
		for c := r.firstNamed(n); c != none; c = r.nextNamed(c) {
			r.useTree(u, c, prefix)
		}
	case rsScopedUseList:
		r.useTree(u, r.child(n, rsfList), r.useModulePath(prefix, r.child(n, rsfPath), r.has(n, rsPathSep)))
	case rsUseWildcard:
		path := r.firstNamed(n)
		r.useName(u, r.useModulePath(prefix, path, path != none), "*", "*", n)
	case rsUseAs:
		path := r.child(n, rsfPath)
		spec, name := rustword.SplitPath(r.usePath(prefix, path, false))
		r.useName(u, spec, name, r.fieldStr(n, rsfAlias), path)
	default:
		spec, name := rustword.SplitPath(r.usePath(prefix, n, false))
		r.useName(u, spec, name, "", n)
	}
}

// useModulePath returns the path n, which is before ::, as usePath does. A path that begins with a module written in the file begins with
// self, because no file and no crate has that name.
func (r *rust) useModulePath(prefix string, n node, sep bool) string {
	if prefix == "" && r.kind(n) == rsIdentifier {
		if name := strings.TrimPrefix(r.str(n), "r#"); r.names.isInline(name) {
			return r.boundModule(name, r.names.lookup(name))
		}
	}
	return r.usePath(prefix, n, sep)
}

// useTypes records references to the types in the paths of a use declaration, as in `use Enum::*`, which the names of its import do not
// hold.
func (r *rust) useTypes(n node) {
	switch r.kind(n) {
	case rsUseList:
		for c := r.firstNamed(n); c != none; c = r.nextNamed(c) {
			r.useTypes(c)
		}
	case rsUseWildcard:
		r.useType(r.firstNamed(n))
	case rsScopedUseList, rsScopedIdentifier:
		r.useType(r.child(n, rsfPath))
	case rsUseAs:
		r.useTypes(r.child(n, rsfPath))
	}
}

// useType records a reference to the type that a path in a use declaration ends in.
func (r *rust) useType(n node) {
	name := n
	if r.kind(n) == rsScopedIdentifier {
		name = r.child(n, rsfName)
	}
	switch {
	case !lexical.IsUpper(r.str(name)):
	case name == n:
		r.nameRef(n, code.RefType)
	default:
		r.path(n, code.RefType)
	}
}

// usePath returns the path n with prefix in front. A list without a path before it
// may still have the :: that makes it absolute; then sep is set.
func (r *rust) usePath(prefix string, n node, sep bool) string {
	switch r.kind(n) {
	case rsScopedIdentifier:
		p := r.child(n, rsfPath)
		if p == none && prefix == "" {
			return "::" + r.fieldStr(n, rsfName)
		}
		return r.join(r.useModulePath(prefix, p, false), r.fieldStr(n, rsfName))
	case 0:
		if n == none && sep && prefix == "" {
			return "::"
		}
		return prefix
	}
	return r.join(prefix, r.str(n))
}

// selfPath returns the path of an inline module, or that of the file if the path is too long.
func (r *rust) selfPath(modules []string) string {
	path := strings.Join(append([]string{"self"}, modules...), "::")
	if !r.mayRepeat(path) {
		return "self"
	}
	return path
}

// join returns spec::segment. It resolves self and super inside a path, and makes
// them relative to the file at its beginning.
func (r *rust) join(spec, segment string) string {
	segment = strings.TrimPrefix(segment, "r#")
	switch {
	case spec == "" && segment == "self":
		return r.selfPath(r.modules)
	case spec == "" && len(r.modules) == 0 && r.ownModules[segment] != "":
		return r.ownModules[segment]
	case spec == "" && segment == "super" && len(r.modules) > 0:
		return r.selfPath(r.modules[:len(r.modules)-1])
	case spec == "" || spec == "::":
		return spec + segment
	case segment == "self":
		return spec
	case segment == "super" && spec == "self":
		return "super"
	case segment == "super" && strings.HasPrefix(spec, "self::"):
		return spec[:strings.LastIndex(spec, "::")]
	}
	return spec + "::" + segment
}

// useName adds a name of a use declaration to its import and binds it.
func (r *rust) useName(u *rustUse, spec, name, alias string, n node) {
	if alias == "" {
		alias = strings.TrimPrefix(name, "::")
	}
	if name == "" || alias == "" {
		return
	}
	if spec == "" {
		r.useModule(u, name, alias)
		return
	}
	imp := r.useImport(u, spec)
	m := &r.facts.Imports[imp]
	if alias == "*" && r.inBody && r.owner >= 0 {
		m.Within = r.facts.Symbols[r.owner].Qualified
	}
	m.Names = append(m.Names, code.ImportName{Name: name, Alias: alias})
	if alias == "_" {
		return
	}
	if u.kind == code.ImportReexport {
		r.facts.Exports = append(r.facts.Exports, code.Export{Name: alias, Local: name, From: imp, Line: r.line(n)})
	}
	if alias != "*" {
		r.names.bind(binding{name: alias, what: bindImport, imp: imp, target: name})
	}
}

// useModule adds the import of `use a;` or `use a as b;`.
func (r *rust) useModule(u *rustUse, spec, alias string) {
	m := code.Import{Spec: spec, Kind: u.kind, Line: u.line}
	if alias != strings.TrimPrefix(spec, "::") {
		m.Alias = alias
	}
	if spec == "*" || spec == "_" {
		return
	}
	imp := r.addImport(m)
	if alias == "_" {
		return
	}
	if u.kind == code.ImportReexport {
		r.facts.Exports = append(r.facts.Exports, code.Export{Name: alias, Local: "*", From: imp, Line: u.line})
	}
	r.names.bind(binding{name: alias, what: bindImport, imp: imp, target: spec, module: true})
}

// useImport returns the index of the import of spec in this declaration. It looks back
// only as far as a use declaration has distinct paths, so that a hostile one stays cheap.
func (r *rust) useImport(u *rustUse, spec string) int32 {
	for i := max(u.first, int32(len(r.facts.Imports))-256); int(i) < len(r.facts.Imports); i++ {
		if m := &r.facts.Imports[i]; m.Spec == spec && len(m.Names) > 0 {
			return i
		}
	}
	return r.addImport(code.Import{Spec: spec, Kind: u.kind, Line: u.line})
}

// nameRef records a reference to a plain name.
func (r *rust) nameRef(n node, k code.RefKind) {
	name := strings.TrimPrefix(r.str(n), "r#")
	if name == "_" || name == "" {
		return
	}
	b := r.names.lookup(name)
	if b == nil {
		r.ref(n, code.Ref{Name: name, Kind: k, Via: code.ViaBare})
		return
	}
	r.boundRef(n, name, k, b)
	if twin := r.names.twin(b); twin != nil && (b.what == bindImport || twin.what == bindImport) {
		r.boundRef(n, name, k, twin)
	}
}

// boundRef records a reference to a name that the file binds to b.
func (r *rust) boundRef(n node, name string, k code.RefKind, b *binding) {
	switch {
	case b.what == bindTop:
		r.ref(n, code.Ref{Name: name, Kind: k, Via: code.ViaBare})
	case b.what == bindNested:
		r.ref(n, code.Ref{Name: name, Kind: k, Via: code.ViaLocal})
	case b.what == bindImport && !b.module:
		r.ref(n, code.Ref{Name: b.target, Kind: k, Via: code.ViaImport, Import: b.imp})
	}
}

// path records references to the types in a path and, of kind k, to its last
// name.
func (r *rust) path(n node, k code.RefKind) {
	q := r.qualifier(r.child(n, rsfPath))
	if r.child(n, rsfPath) == none {
		q = rustQual{what: rustQualModule, path: "::"}
	}
	r.member(r.child(n, rsfName), k, q)
}

// qualifier reads the part of a path before ::, records references to the types in it and returns its meaning.
func (r *rust) qualifier(n node) rustQual {
	switch r.kind(n) {
	case rsScopedIdentifier, rsScopedTypeIdentifier:
		q := rustQual{what: rustQualModule, path: "::"}
		if p := r.child(n, rsfPath); p != none {
			q = r.qualifier(p)
		}
		return r.nextSegment(q, r.child(n, rsfName))
	case rsGenericType, rsTurbofishType:
		q := r.qualifier(r.child(n, rsfType))
		r.walk(r.child(n, rsfTypeArguments))
		return q
	case rsBracketedType:
		return r.bracketedPath(n)
	case rsIdentifier, rsTypeIdentifier, rsCrate, rsSelf, rsSuper, rsMetavariable:
		return r.firstSegment(n)
	}
	r.walk(n)
	return rustQual{}
}

// bracketedPath reads <T>:: and <T as Trait>::, which names members of Trait.
func (r *rust) bracketedPath(n node) rustQual {
	inner := r.firstNamed(n)
	r.walk(inner)
	if r.kind(inner) == rsQualifiedType {
		inner = r.child(inner, rsfAlias)
	}
	if name := r.typeName(inner); name != "" {
		return rustQual{what: rustQualType, path: name}
	}
	return rustQual{}
}

// firstSegment returns the meaning of the first name of a path.
func (r *rust) firstSegment(n node) rustQual {
	name := strings.TrimPrefix(r.str(n), "r#")
	switch name {
	case "Self":
		return rustQual{what: rustQualSelf}
	case "self", "super":
		return rustQual{what: rustQualModule, path: r.join("", name)}
	case "crate", "$crate":
		return rustQual{what: rustQualModule, path: "crate"}
	}
	if r.kind(n) == rsMetavariable || name == "" {
		return rustQual{}
	}
	if !lexical.IsUpper(name) {
		return r.headModule(name)
	}
	b := r.names.lookup(name)
	if b != nil && b.what == bindLocal { // a type parameter, which is known by its bound
		if b.typ == "" {
			return rustQual{}
		}
		return rustQual{what: rustQualType, path: b.typ}
	}
	r.nameRef(n, code.RefType)
	return rustQual{what: rustQualType, path: name}
}

// headModule returns the full meaning of a module's name, by its import or
// declaration in the file. Variables are skipped, because they have a name space of
// their own.
func (r *rust) headModule(name string) rustQual {
	b := r.names.lookup(name)
	for b != nil && b.what == bindLocal {
		if b.outer < 0 {
			b = nil
			break
		}
		b = &r.names.list[b.outer]
	}
	if b == nil && builtin.RustPrimitive(name) {
		return rustQual{what: rustQualType, path: name}
	}
	q := rustQual{what: rustQualModule, path: r.boundModule(name, b)}
	if twin := r.names.twin(b); twin != nil && twin.what != bindLocal {
		q.twin = r.boundModule(name, twin)
	}
	return q
}

// boundModule returns the path of a module that b binds to a name.
func (r *rust) boundModule(name string, b *binding) string {
	switch {
	case b == nil:
		return name
	case b.what == bindTop:
		return "self::" + name
	case b.what == bindNested:
		return r.join(r.join("", "self"), name)
	case b.module:
		return b.target
	}
	return r.join(r.facts.Imports[b.imp].Spec, b.target)
}

// nextSegment returns the meaning of q followed by ::n.
func (r *rust) nextSegment(q rustQual, n node) rustQual {
	name := strings.TrimPrefix(r.str(n), "r#")
	if q.what == rustQualModule && !lexical.IsUpper(name) {
		next := rustQual{what: rustQualModule, path: r.join(q.path, name)}
		if q.twin != "" {
			next.twin = r.join(q.twin, name)
		}
		return next
	}
	r.member(n, code.RefType, q)
	if q.what == rustQualUnknown {
		return q
	}
	switch q.what {
	case rustQualModule:
		return rustQual{what: rustQualType, path: q.path + "." + name}
	case rustQualType: // a variant or an associated type
		return rustQual{what: rustQualType, path: name}
	}
	return rustQual{}
}

// member records a reference to the last name of a path.
func (r *rust) member(n node, k code.RefKind, q rustQual) {
	name := strings.TrimPrefix(r.str(n), "r#")
	if name == "" {
		return
	}
	switch {
	case q.what == rustQualModule && q.path == "::":
	case q.what == rustQualModule:
		r.ref(n, code.Ref{Name: name, Kind: k, Via: code.ViaImport, Import: r.pathImport(q.path, name, r.line(n))})
		if q.twin != "" && q.twin != q.path {
			r.ref(n, code.Ref{Name: name, Kind: k, Via: code.ViaImport, Import: r.pathImport(q.twin, name, r.line(n))})
		}
	case q.what == rustQualType:
		r.ref(n, code.Ref{Name: name, Kind: k, Via: code.ViaTyped, Recv: q.path})
	case q.what == rustQualSelf && r.self != "":
		r.ref(n, code.Ref{Name: name, Kind: k, Via: code.ViaSelf, Recv: r.self})
	default:
		r.ref(n, code.Ref{Name: name, Kind: k, Via: code.ViaMember})
	}
}

// pathImport returns the index of the import that is made for a path which code uses
// without a use declaration: one for each distinct path, with all names taken from it.
func (r *rust) pathImport(spec, name string, line uint32) int32 {
	imp, ok := r.pathImports[rustName{spec, ""}]
	if !ok {
		imp = r.addImport(code.Import{Spec: spec, Kind: code.ImportPath, Line: line})
		r.pathImports[rustName{spec, ""}] = imp
	}
	if _, ok := r.pathImports[rustName{spec, name}]; !ok {
		r.pathImports[rustName{spec, name}] = imp
		m := &r.facts.Imports[imp]
		m.Names = append(m.Names, code.ImportName{Name: name, Alias: name})
	}
	return imp
}
