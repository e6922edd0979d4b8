package extract

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/builtin"
	"ken/internal/engine/extract/lexical"
)

// Kotlin, Scala and Swift resolve alike a name that is imported, used as a
// value, called or selected after a dot; the readers of the three share it here.

// identifier returns an identifier's name without the backquotes it may be written in.
func (c *classes) identifier(n node) string { return strings.Trim(c.str(n), "`") }

// plainName emits a reference to name, which n holds, by its binding. A name that
// nothing in the file binds may be any other file's.
func (c *classes) plainName(n node, name string, k code.RefKind) {
	b := c.names.lookup(name)
	switch {
	case b.is(bindLocal):
	case b.is(bindImport):
		c.refTo(n, b, k)
	case b.is(bindNested):
		c.ref(n, code.Ref{Name: name, Kind: k, Via: code.ViaLocal})
	default:
		c.ref(n, code.Ref{Name: name, Kind: k, Via: code.ViaBare})
	}
}

// boundCall emits the call of name, which n holds, if an import or a scope below the
// file's top binds it, and reports whether one does.
func (c *classes) boundCall(n node, name string) bool {
	b := c.names.lookupCallable(name)
	if !b.isEither(bindImport, bindNested) {
		return false
	}
	c.refTo(n, b, code.RefCall)
	return true
}

// lookupExtension returns the function or property that name may mean after a dot, although no
// type declares it: one that is imported, or one of the file's own, which are given.
func (c *classes) lookupExtension(name string, own map[string]bool) *binding {
	b := c.names.lookupOutside(name)
	switch {
	case b.is(bindImport) && !b.isType:
		return b
	case b.is(bindTop) && own[name]:
		return b
	}
	return nil
}

// namesType reports whether name, bound to b, is a type's: by its binding, else by
// its case.
func namesType(b *binding, name string) bool {
	if b != nil {
		return b.isType
	}
	return lexical.IsUpper(name) && !builtin.IsConstantName(name)
}

// isTypeCase reports whether a name is capitalised, but not written in capitals as
// constants are.
func isTypeCase(name string) bool { return lexical.IsUpper(name) && name != strings.ToUpper(name) }

// addImport records the import of a dotted name, or of everything below it, and binds
// the imported name.
func (c *classes) addImport(spec, alias string, all bool, line uint32) {
	if spec == "" {
		return
	}
	name := spec[strings.LastIndexByte(spec, '.')+1:]
	m := code.Import{Spec: spec, Line: line, Within: c.importWithin}
	switch owner, ok := memberImport(spec); {
	case all:
		name, m.Spec = "*", strings.TrimSuffix(spec, ".Companion")
	case ok:
		m.Spec = owner
	}
	if alias == "" {
		alias = name
	}
	if name == "" || m.Spec == "" {
		return
	}
	m.Names = []code.ImportName{{Name: name, Alias: alias}}
	c.facts.Imports = append(c.facts.Imports, m)
	if !all {
		imp := int32(len(c.facts.Imports) - 1)
		c.names.bind(binding{name: alias, what: bindImport, imp: imp, target: name, isType: namesType(nil, name)})
	}
}

// memberImport reports whether an imported name is a member of a type, by the
// convention of their case, and which type that is.
func memberImport(spec string) (owner string, ok bool) {
	i := strings.LastIndexByte(spec, '.')
	if i < 0 {
		return "", false
	}
	owner = strings.TrimSuffix(spec[:i], ".Companion")
	return owner, lexical.IsUpper(owner[strings.LastIndexByte(owner, '.')+1:])
}

// dottedType returns a type written with these segments as Ref.Recv has it: a type
// parameter by its bound, a nested type by its last name, after the import of its
// outer one. Behind a package the name is complete.
func (c *classes) dottedType(segments []string) string {
	if len(segments) == 0 {
		return ""
	}
	first, last := segments[0], segments[len(segments)-1]
	b := c.names.lookup(first)
	switch {
	case len(segments) == 1:
		if b.is(bindLocal) && b.isType {
			return b.typ
		}
	case !lexical.IsUpper(first):
		return strings.Join(segments, ".")
	case len(segments) == 2 && b.is(bindImport):
		return c.facts.Imports[b.imp].Spec + "." + last
	}
	return last
}
