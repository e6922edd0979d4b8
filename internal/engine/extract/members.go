package extract

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/builtin"
	"ken/internal/engine/extract/lexical"
)

// Kotlin, Scala and Swift resolve alike a name that is imported, used as a
// value, called or selected after a dot; the readers of the three share it here.

// identifier returns the name of an identifier without the backquotes around it.
func (c *classes) identifier(n node) string { return strings.Trim(c.str(n), "`") }

// plainName records a reference to name, written at n, by its declaration in the
// file. A name that the file does not declare may belong to any other file.
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

// boundCall records a call of name, written at n, if the file imports it or declares
// it below the top level, and reports whether it does.
func (c *classes) boundCall(n node, name string) bool {
	b := c.names.lookupCallable(name)
	if !b.isEither(bindImport, bindNested) {
		return false
	}
	c.refTo(n, b, code.RefCall)
	return true
}

// lookupExtension returns the extension function or property that name may mean after a dot:
// one that is imported, or one of own, the file's extensions.
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

// namesType reports whether name is a type: by its binding b, or by its case if
// the binding does not show it.
func namesType(b *binding, name string) bool {
	if b != nil {
		return b.isType
	}
	return lexical.IsUpper(name) && !builtin.IsConstantName(name)
}

// isTypeCase reports whether a name is capitalised like a type, but not written in
// capitals like a constant.
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

// memberImport reports whether the last part of an imported name is a member
// of a type, because the part before it is capitalised, and returns that
// type.
func memberImport(spec string) (owner string, ok bool) {
	i := strings.LastIndexByte(spec, '.')
	if i < 0 {
		return "", false
	}
	owner = strings.TrimSuffix(spec[:i], ".Companion")
	return owner, lexical.IsUpper(owner[strings.LastIndexByte(owner, '.')+1:])
}

// dottedType returns a type with these parts in the form of Ref.Recv. A type
// parameter becomes its bound, and a nested type its last name, after the import
// of its outer type. Behind a package the name is complete.
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

// The bounds of a chain: the bytes of its text, and the steps that are followed to write it.
const (
	maxChainText  = 160
	maxChainSteps = 8
)

// chained returns the type of a member of a value of the type of, as code.RecvExpr writes a chain. It returns "" if nothing is known of the
// type, and if the chain is too long.
func chained(of, step string) string {
	chain := code.RecvExpr + "(" + of + ")." + step
	switch {
	case of == "" || step == "" || step == "()" || strings.Contains(of, code.AlsoType):
		return ""
	case strings.HasPrefix(of, code.RecvExpr+"("):
		chain = of + "." + step
	case code.IsExpr(of) || isPredefined(of) || of == "dynamic":
		return ""
	}
	if len(chain) > maxChainText {
		return ""
	}
	return chain
}
