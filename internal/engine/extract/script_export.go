package extract

import (
	"strings"

	"ken/internal/code"
)

// exportLocal exports a name that this file declares or imports.
func (s *script) exportLocal(name, local string, n node) {
	b := s.names.lookup(local)
	switch {
	case b.isModule() && name == "default" && s.facts.Imports[b.imp].Kind == code.ImportRequire:
		s.passOn(b.imp, n)
		return
	case b.isModule():
		s.export(name, "*", b.imp, n)
		return
	case b.is(bindMember):
		s.export(name, b.target, b.imp, n)
		return
	case b.is(bindImport):
		s.export(name, s.facts.Imports[b.imp].Names[b.nth].Name, b.imp, n)
		return
	}
	if s.exportedNames == nil {
		s.exportedNames = map[string]bool{}
	}
	s.exportedNames[local] = true
	s.export(name, local, -1, n)
}

// listCommonNames collects the members of the exported object of a module of CommonJS, so that they are known before its functions
// are read.
func (s *script) listCommonNames() {
	s.commonNames = map[string]bool{}
	for c := s.firstNamed(root); c != none; c = s.nextNamed(c) {
		a := s.firstNamed(c)
		if s.kind(c) != jsExprStatement || s.kind(a) != jsAssign {
			continue
		}
		if whole, name, ok := s.commonTarget(s.child(a, jsfLeft)); ok && !whole {
			s.commonNames[name] = true
		}
		value := s.child(a, jsfRight)
		for s.kind(value) == jsAssign {
			value = s.child(value, jsfRight)
		}
		for x := s.firstNamed(value); x != none && s.kind(value) == jsObject; x = s.nextNamed(x) { // module.exports = { … }
			switch s.kind(x) {
			case jsPair:
				s.commonNames[s.memberName(s.child(x, jsfKey))] = true
			case jsMethod:
				s.commonNames[s.memberName(s.child(x, jsfName))] = true
			}
		}
	}
}

// exportStatement reads an export. Exports from another module are skipped,
// because they were read when names were bound.
func (s *script) exportStatement(n node) {
	if s.child(n, jsfSource) != none {
		return
	}
	for c := s.first(n); c != none; c = s.sibling(c) {
		switch {
		case s.kind(c) == jsDecorator:
			s.walk(c)
		case s.nodeField(c) == jsfDeclaration:
			s.item(c)
		case s.nodeField(c) == jsfValue:
			s.exportValue(n, c)
		case s.kind(c) == jsExportClause:
			s.exportList(c)
		case s.isNamed(c) && !s.isExtra(c) && s.has(n, jsKwEquals):
			s.exportValue(n, c)
		case s.isError(c):
			s.items(c)
		}
	}
}

func (s *script) exportList(clause node) {
	for c := s.firstNamed(clause); c != none; c = s.nextNamed(c) {
		name, alias := s.exportNames(c)
		if name == "" {
			continue
		}
		if s.owner < 0 {
			s.exportLocal(alias, name, c)
		}
		if id := s.child(c, jsfName); s.kind(id) == jsIdentifier {
			s.use(id)
		}
	}
}

// exportValue reads `export default value` and `export = value`. A plain name is
// exported; any other value becomes a symbol under its own name or "default".
func (s *script) exportValue(n, value node) {
	inner := s.unwrap(value)
	if k := s.kind(inner); k == jsIdentifier {
		s.exportLocal("default", s.str(inner), n)
		s.walk(value)
		return
	}
	s.defaultSymbol(n, value, inner)
}

// defaultSymbol declares the value that a module exports as a whole. n is the
// statement that exports it.
func (s *script) defaultSymbol(n, value, inner node) {
	name := s.child(inner, jsfName)
	sym := code.Symbol{
		Name: "default", Kind: code.KindConstant, Span: s.spanBetween(s.declStart(n), s.codeEnd(n)), NameStart: s.start(value),
		Signature: trimSignature(s.signature(s.declStart(n), s.valueEnd(n, value))), Doc: s.jsDoc(s.start(n)), Exported: true,
	}
	switch s.kind(inner) {
	case jsFuncExpr, jsGenerator, jsClass:
		if s.str(name) != "" {
			sym.Name, sym.NameStart = s.str(name), s.start(name)
		}
	case jsMember:
		if s.kind(n) != jsExport {
			s.export("default", "default", -1, n)
			s.walk(value)
			return
		}
	}
	s.export("default", sym.Name, -1, n)
	s.valueSymbol(sym, none, none, value)
}

// markExports marks the symbols that the file exports in lists, and clears the mark of
// a member whose enclosing symbol is not exported. If exports are equal (overloads,
// merged declarations) it keeps the first.
func (s *script) markExports() {
	symbols := s.facts.Symbols
	hidden := map[string]bool{}
	for i := range symbols {
		sym := &symbols[i]
		switch base, _, member := strings.Cut(sym.Qualified, "."); {
		case sym.Parent >= 0:
			sym.Exported = sym.Exported && symbols[sym.Parent].Exported
		case member && base != sym.Name: // added to something declared elsewhere in the file
			sym.Exported = sym.Exported && !hidden[base]
		default:
			sym.Exported = sym.Exported || s.exportedNames[sym.Name]
			hidden[sym.Name] = !sym.Exported
		}
	}
	type key struct {
		name, local string
		from        int32
	}
	seen := make(map[key]bool, len(s.facts.Exports))
	kept := s.facts.Exports[:0]
	for _, x := range s.facts.Exports {
		if k := (key{x.Name, x.Local, x.From}); !seen[k] {
			seen[k] = true
			kept = append(kept, x)
		}
	}
	s.facts.Exports = kept
}
