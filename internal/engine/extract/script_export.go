package extract

import (
	"strings"

	"ken/internal/code"
)

// exportLocal exports a name that this file declares or imports.
func (s *script) exportLocal(name, local string, n node) {
	b := s.names.lookup(local)
	if b != nil && b.what == bindImport {
		target := "*"
		if !b.module {
			target = s.facts.Imports[b.imp].Names[b.nth].Name
		}
		s.export(name, target, b.imp, n)
		return
	}
	if s.exportedNames == nil {
		s.exportedNames = map[string]bool{}
	}
	s.exportedNames[local] = true
	s.export(name, local, -1, n)
}

// listExports collects the names that the file exports in lists, so that they are
// known before the names are bound.
func (s *script) listExports() {
	for c := s.firstNamed(root); c != none; c = s.nextNamed(c) {
		list := s.childKind(c, jsExportClause)
		if list == none && s.kind(c) == jsExprStatement {
			list = s.child(s.firstNamed(c), jsfRight) // module.exports = { … }
		}
		for x := s.firstNamed(list); x != none && (s.kind(list) == jsExportClause || s.kind(list) == jsObject); x = s.nextNamed(x) {
			if s.listedNames == nil {
				s.listedNames = map[string]bool{}
			}
			if name, _ := s.exportNames(x); name != "" {
				s.listedNames[name] = true
			} else if s.kind(x) == jsShorthand {
				s.listedNames[s.str(x)] = true
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

// commonJS reads `module.exports = …`, `exports.x = …` and reports whether n was
// one of them.
func (s *script) commonJS(n node) bool {
	a := s.firstNamed(n)
	if s.kind(a) != jsAssign || s.owner >= 0 {
		return false
	}
	whole, name, ok := s.commonTarget(s.child(a, jsfLeft))
	if !ok {
		return false
	}
	value := s.child(a, jsfRight)
	for s.kind(value) == jsAssign { // exports = module.exports = x
		if w, nm, ok := s.commonTarget(s.child(value, jsfLeft)); ok {
			whole, name = whole || w, max(name, nm)
		}
		value = s.child(value, jsfRight)
	}
	switch inner := s.unwrap(value); {
	case whole && s.kind(inner) == jsObject:
		s.commonObject(inner)
	case whole && s.isImportCall(inner):
		s.exportImport("*", inner, n)
	case whole && s.kind(inner) == jsIdentifier:
		s.exportLocal("default", s.str(inner), n)
		s.walk(value)
	case whole:
		s.defaultSymbol(n, value, inner)
	default:
		s.commonName(n, name, value, inner)
	}
	return true
}

// commonTarget reports whether left is the left side of an assignment that
// exports, such as exports.x. It exports everything (whole) or one name.
func (s *script) commonTarget(left node) (whole bool, name string, ok bool) {
	if s.kind(left) == jsIdentifier {
		return true, "", s.str(left) == "exports" && s.names.lookup("exports") == nil
	}
	if s.kind(left) != jsMember {
		return false, "", false
	}
	object, property := s.fieldStr(left, jsfObject), s.fieldStr(left, jsfProperty)
	base, _, _ := strings.Cut(object, ".")
	switch {
	case s.names.lookup(base) != nil:
		return false, "", false
	case object == "module" && property == "exports":
		return true, "", true
	}
	return false, property, (object == "exports" || object == "module.exports") && property != ""
}

// exportImport exports the result of a require under a name.
func (s *script) exportImport(name string, value, n node) {
	call, member, _ := s.importCall(value)
	i := s.addImportCall(call)
	local := "*"
	if member != "" {
		local = member
		s.facts.Imports[i].Names = []code.ImportName{{Name: member, Alias: member}}
		if name == "*" {
			name = "default"
		}
	}
	s.export(name, local, i, n)
	if name == "*" { // which passes on the kind of the other module, too
		s.export("default", "default", i, n)
	}
}

// commonName reads `exports.name = value`.
func (s *script) commonName(n node, name string, value, inner node) {
	switch s.kind(inner) {
	case jsIdentifier:
		s.exportLocal(name, s.str(inner), n)
		s.walk(value)
		return
	case jsCall, jsMember:
		if s.isImportCall(inner) {
			s.exportImport(name, inner, n)
			return
		}
	case jsUnary, jsUndefined: // exports.a = exports.b = void 0
		s.export(name, name, -1, n)
		return
	}
	left := s.child(s.firstNamed(n), jsfLeft)
	sym := code.Symbol{
		Name: name, Kind: code.KindConstant, Span: s.spanBetween(s.start(n), s.codeEnd(n)), NameStart: s.start(s.child(left, jsfProperty)),
		Signature: trimSignature(s.signature(s.start(n), s.valueEnd(n, value))), Doc: s.jsDoc(s.start(n)), Exported: true,
	}
	s.export(name, name, -1, n)
	s.valueSymbol(sym, none, none, value)
}

// commonObject reads `module.exports = { a, b: c, d() {} }`.
func (s *script) commonObject(o node) {
	for c := s.firstNamed(o); c != none; c = s.nextNamed(c) {
		switch s.kind(c) {
		case jsShorthand:
			s.exportLocal(s.str(c), s.str(c), c)
			s.addAlias("", s.str(c), s.str(c))
			s.walk(c)
		case jsMethod:
			s.export(s.nameText(s.child(c, jsfName)), s.nameText(s.child(c, jsfName)), -1, c)
			s.commonFunction(c, s.child(c, jsfName), c)
		case jsPair:
			s.commonPair(c)
		case jsSpread:
			if v := s.firstNamed(c); s.isImportCall(v) {
				s.exportImport("*", v, c)
				continue
			}
			s.walk(c)
		default:
			s.walk(c)
		}
	}
}

func (s *script) commonPair(c node) {
	key, value := s.child(c, jsfKey), s.child(c, jsfValue)
	name := s.nameText(key)
	inner := s.unwrap(value)
	switch {
	case s.kind(key) == jsComputedName:
		s.walk(c)
	case s.kind(inner) == jsIdentifier:
		s.exportLocal(name, s.str(inner), c)
		s.walk(value)
	case s.isImportCall(inner):
		s.exportImport(name, inner, c)
	default:
		s.export(name, name, -1, c)
		if fn := s.functionValue(value); fn != none {
			s.commonFunction(c, key, fn)
			return
		}
		if s.memberName(key) == "" || !s.isMemberValue(inner, literalPlace{}) {
			s.walk(value)
			return
		}
		s.valueSymbol(s.memberSymbol(c, key, code.KindConstant, s.valueEnd(c, value), s.start(c)), none, none, value)
	}
}

// commonFunction declares a function that is written inside the exported object.
func (s *script) commonFunction(c, name, fn node) {
	sym := s.memberSymbol(c, name, code.KindFunction, s.bodyStart(fn), s.start(c))
	s.addFunction(sym, none, fn)
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
