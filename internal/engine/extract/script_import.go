package extract

import (
	"strings"

	"ken/internal/code"
)

func (s *script) addImport(m code.Import) int32 {
	s.facts.Imports = append(s.facts.Imports, m)
	return int32(len(s.facts.Imports) - 1)
}

// importStatement reads `import …` and binds its names.
func (s *script) importStatement(n node) {
	m := code.Import{Spec: s.nameText(s.child(n, jsfSource)), Line: s.line(n)}
	if s.has(n, tsKwType) {
		m.Kind = code.ImportTypeOnly
	}
	i := int32(len(s.facts.Imports))
	clause, required := s.childKind(n, jsImportClause), s.childKind(n, tsImportRequire)
	if required != none {
		m.Spec = s.nameText(s.child(required, jsfSource))
	}
	if m.Spec == "" {
		return
	}
	if required != none {
		m.Kind, m.Alias = code.ImportRequire, s.str(s.childKind(required, jsIdentifier))
		s.names.bind(binding{name: m.Alias, what: bindImport, imp: i, target: m.Alias, module: true})
	}
	for c := s.firstNamed(clause); c != none; c = s.nextNamed(c) {
		switch s.kind(c) {
		case jsIdentifier:
			s.importName(&m, i, "default", s.str(c))
		case jsNamespaceImport:
			m.Alias = s.str(s.childKind(c, jsIdentifier))
			s.names.bind(binding{name: m.Alias, what: bindImport, imp: i, target: m.Alias, module: true})
		case jsNamedImports:
			s.namedImports(&m, i, c)
		}
	}
	s.addImport(m)
}

// namedImports reads `{ a, b as c, type d }`. An import of types alone is
// type-only, wherever the keyword is.
func (s *script) namedImports(m *code.Import, i int32, list node) {
	types := len(m.Names) == 0 && m.Alias == ""
	for c := s.firstNamed(list); c != none; c = s.nextNamed(c) {
		if s.kind(c) != jsImportSpecifier {
			continue
		}
		name := s.nameText(s.child(c, jsfName))
		alias := s.fieldStr(c, jsfAlias)
		if alias == "" {
			alias = name
		}
		types = types && s.has(c, tsKwType)
		s.importName(m, i, name, alias)
	}
	if types && len(m.Names) > 0 {
		m.Kind = code.ImportTypeOnly
	}
}

// importName adds a name to m and binds it. i is the index that the import m will have.
func (s *script) importName(m *code.Import, i int32, name, alias string) {
	if name == "" || alias == "" {
		return
	}
	m.Names = append(m.Names, code.ImportName{Name: name, Alias: alias})
	target := name
	if name == "default" {
		target = alias
	}
	s.names.bind(binding{name: alias, what: bindImport, imp: i, target: target, nth: int32(len(m.Names) - 1)})
}

// reexport reads `export … from "x"`, which exports names of another module.
func (s *script) reexport(n node) {
	m := code.Import{Spec: s.nameText(s.child(n, jsfSource)), Kind: code.ImportReexport, Line: s.line(n)}
	if m.Spec == "" {
		return
	}
	i := int32(len(s.facts.Imports))
	if clause := s.childKind(n, jsExportClause); clause != none {
		for c := s.firstNamed(clause); c != none; c = s.nextNamed(c) {
			name, alias := s.exportNames(c)
			if name == "" {
				continue
			}
			m.Names = append(m.Names, code.ImportName{Name: name, Alias: alias})
			s.export(alias, name, i, c)
		}
	} else {
		alias := "*"
		if ns := s.childKind(n, jsNamespaceExport); ns != none {
			if c := s.firstNamed(ns); c != none {
				alias = s.nameText(c)
			}
		}
		m.Names = []code.ImportName{{Name: "*", Alias: alias}}
		s.export(alias, "*", i, n)
	}
	s.addImport(m)
}

func (s *script) exportNames(c node) (name, alias string) {
	if s.kind(c) != jsExportSpecifier {
		return "", ""
	}
	name = s.nameText(s.child(c, jsfName))
	if alias = s.nameText(s.child(c, jsfAlias)); alias == "" {
		alias = name
	}
	return name, alias
}

// isImportCall reports whether n, a value or call, imports a module: require("x"),
// import("x"), or a member of its result.
func (s *script) isImportCall(n node) bool {
	_, _, ok := s.importCall(n)
	return ok
}

// importCall finds the call in a value that imports a module, and the one member that
// is taken from the result, if any. Methods of a promise do not count as members.
func (s *script) importCall(n node) (call node, member string, ok bool) {
	for {
		switch s.kind(n) {
		case jsParen, jsAwait, tsAs, tsNonNull, tsSatisfies:
			n = s.firstNamed(n)
			continue
		case jsMember:
			if member != "" {
				return none, "", false
			}
			member, n = s.fieldStr(n, jsfProperty), s.child(n, jsfObject)
			switch member {
			case "then", "catch", "finally":
				return none, "", false
			}
			continue
		case jsCall:
			if !s.isInterop(n) {
				return n, member, s.importSpec(n) != ""
			}
			n = s.firstNamed(s.child(n, jsfArguments))
			continue
		}
		return none, "", false
	}
}

// isInterop reports whether a call makes an ES module of what its argument imports, as compilers write it.
func (s *script) isInterop(call node) bool {
	name := code.LastSegment(s.fieldStr(call, jsfFunction))
	switch strings.TrimLeft(name, "_") {
	case "importDefault", "importStar", "interopRequireDefault", "interopRequireWildcard", "interopDefault", "toESM":
		return true
	}
	return false
}

// importsInto reports whether a declarator binds its names to an import, as in `const { a } = require("x")`.
func (s *script) importsInto(d node) bool {
	_, member, ok := s.importCall(s.child(d, jsfValue))
	return ok && (member == "" || s.kind(s.child(d, jsfName)) == jsIdentifier)
}

// useModule records an import whose result is used as a value, not bound to a name: called, passed, extended. k is the kind
// of the use.
func (s *script) useModule(call node, k code.RefKind) {
	i := s.addImportCall(call)
	p := s.parent(call)
	for s.kind(p) == jsAwait || s.kind(p) == jsParen {
		p = s.parent(p)
	}
	switch s.kind(p) {
	case jsExprStatement, tsTypeQuery: // for its effects, as a type
		return
	}
	s.ref(s.child(call, jsfFunction), code.Ref{Name: "default", Kind: k, Via: code.ViaModule, Import: i})
}

// importHelper records the call of the function that makes an ES module of a value that is an import.
func (s *script) importHelper(value node) {
	if v := s.unwrap(value); s.kind(v) == jsCall && s.isInterop(v) {
		s.callee(s.child(v, jsfFunction), code.RefCall)
	}
}

// importSpec returns the module path that a call imports, or "" if it imports nothing or
// computes the path. A require that the file itself makes or receives (createRequire, AMD)
// counts too.
func (s *script) importSpec(call node) string {
	fn := s.child(call, jsfFunction)
	required := s.kind(fn) == jsIdentifier && s.str(fn) == "require"
	if !required && s.kind(fn) != jsImportCall {
		return ""
	}
	arg := s.firstNamed(s.child(call, jsfArguments))
	switch s.kind(arg) {
	case jsString:
		return s.nameText(arg)
	case jsTemplate:
		if text := s.str(arg); !s.has(arg, jsSubstitution) && len(text) > 2 {
			return text[1 : len(text)-1]
		}
	}
	return ""
}

func (s *script) callImport(call node) code.Import {
	m := code.Import{Spec: s.importSpec(call), Kind: code.ImportRequire, Line: s.line(call)}
	if s.kind(s.child(call, jsfFunction)) == jsImportCall {
		m.Kind = code.ImportDynamic
	}
	return m
}

// addImportCall records an import whose result is not bound to a name, and
// returns its index. As a type, `import("x").T` is a type-only import of T.
func (s *script) addImportCall(call node) int32 {
	m := s.callImport(call)
	p := s.parent(call)
	switch {
	case s.kind(p) == tsTypeQuery:
		m.Kind = code.ImportTypeOnly
	case s.kind(p) == jsMember && m.Kind == code.ImportDynamic:
		if name := s.fieldStr(p, jsfProperty); name != "" && s.isImportCall(p) {
			m.Kind, m.Names = code.ImportTypeOnly, []code.ImportName{{Name: name, Alias: name}}
		}
	}
	return s.addImport(m)
}

// bindImportCall binds the names that a variable takes from an imported module.
func (s *script) bindImportCall(name, call node, member string) {
	m := s.callImport(call)
	i := int32(len(s.facts.Imports))
	switch {
	case s.kind(name) == jsIdentifier && member == "":
		m.Alias = s.str(name)
		s.names.bind(binding{name: m.Alias, what: bindImport, imp: i, target: m.Alias, module: true})
	case s.kind(name) == jsIdentifier:
		s.importName(&m, i, member, s.str(name))
	case s.kind(name) == jsObjectPattern && member == "":
		for c := s.firstNamed(name); c != none; c = s.nextNamed(c) {
			s.importPattern(&m, i, c)
		}
	default:
		s.bindPattern(name, bindLocal, "")
	}
	s.addImport(m)
}

// importPattern binds one property c of `const { a, b: c, d = 1 } = require("x")`. i is the index that the import m will have.
func (s *script) importPattern(m *code.Import, i int32, c node) {
	switch s.kind(c) {
	case jsShorthandPattern:
		s.importName(m, i, s.str(c), s.str(c))
	case jsObjectAssignPattern:
		s.importPattern(m, i, s.child(c, jsfLeft))
	case jsPairPattern:
		if v := s.child(c, jsfValue); s.kind(v) == jsIdentifier {
			s.importName(m, i, s.nameText(s.child(c, jsfKey)), s.str(v))
			return
		}
		if key := s.memberName(s.child(c, jsfKey)); key != "" {
			m.Names = append(m.Names, code.ImportName{Name: key, Alias: key})
		}
		s.bindPattern(c, bindLocal, "")
	default:
		s.bindPattern(c, bindLocal, "")
	}
}

// isTest reports whether the file imports a test framework or calls one at the top
// level.
func (s *script) isTest() bool {
	for _, m := range s.facts.Imports {
		switch m.Spec {
		case "vitest", "jest", "@jest/globals", "mocha", "node:test", "bun:test", "ava", "tape", "uvu", "@playwright/test", "cypress":
			return true
		}
	}
	for c := s.firstNamed(root); c != none; c = s.nextNamed(c) {
		call := s.firstNamed(c)
		if s.kind(c) != jsExprStatement || s.kind(call) != jsCall {
			continue
		}
		name, _, _ := strings.Cut(s.str(s.child(call, jsfFunction)), ".")
		switch name {
		case "describe", "it", "test", "suite", "context":
			if arg := s.firstNamed(s.child(call, jsfArguments)); s.kind(arg) == jsString || s.kind(arg) == jsTemplate {
				return true
			}
		}
	}
	return false
}

// nameText returns the name of a property: without quotes, or as written if it is computed.
func (s *script) nameText(n node) string {
	text := s.str(n)
	if s.kind(n) == jsString && len(text) >= 2 {
		text = text[1 : len(text)-1]
	}
	return strings.TrimSpace(text)
}

func (s *script) export(name, local string, from int32, n node) {
	if name != "" {
		s.facts.Exports = append(s.facts.Exports, code.Export{Name: name, Local: local, From: from, Line: s.line(n)})
	}
}
