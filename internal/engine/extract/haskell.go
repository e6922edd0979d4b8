package extract

import (
	"strings"

	tshaskell "github.com/alexaandru/go-sitter-forest/haskell"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
	"ken/internal/engine/extract/plain"
)

// Haskell: the module, functions and values with their type signatures (one
// symbol for signature and equations), data types with constructors and fields,
// classes with methods, type synonyms and families, pattern synonyms, foreign
// imports. The names in the module's export list are exported, or all without one.
// Literate source is read with its text blanked.

// Symbols of the Haskell grammar that extraction looks at.
const (
	hsAllNames kind = iota + 1
	hsAlternative
	hsBind
	hsBindingList
	hsChildren
	hsClass
	hsClassDecls
	hsComment
	hsConditional
	hsConstructor
	hsConstructors
	hsConstructorOp
	hsContext
	hsDataConstructor
	hsDataFamily
	hsDataType
	hsDeclarations
	hsExport
	hsExports
	hsField
	hsFieldName
	hsFields
	hsForall
	hsForeign
	hsFunction
	hsFunctionType
	hsGadt
	hsGadtConstructors
	hsHaddock
	hsHeader
	hsImport
	hsImportList
	hsImportName
	hsImports
	hsInfix
	hsInfixID
	hsModule
	hsModuleExport
	hsName
	hsNewtype
	hsNewtypeConstructor
	hsOperator
	hsPattern
	hsPatternSynonym
	hsPatterns
	hsPrefix
	hsPrefixID
	hsRecord
	hsSignature
	hsTypeFamily
	hsTypeSynonym
	hsVariable
	hsWhere
	hsHiding
	hsGuards
)

// Fields of the Haskell grammar.
const (
	hsfAlias field = iota + 1
	hsfChildren
	hsfConstructor
	hsfConstructors
	hsfDeclarations
	hsfElement
	hsfExports
	hsfField
	hsfFields
	hsfFunction
	hsfMatch
	hsfModule
	hsfName
	hsfNames
	hsfOperator
	hsfPattern
	hsfPatterns
	hsfSignature
	hsfSynonym
	hsfType
	hsfVariable
)

func haskellSpec() *spec {
	return &spec{
		language: tshaskell.GetLanguage,
		comments: []kind{hsComment, hsHaddock},
		branches: []kind{hsConditional, hsAlternative, hsGuards},
		quotes:   "\"",
		fields: []string{hsfAlias: "alias", hsfChildren: "children", hsfConstructor: "constructor", hsfConstructors: "constructors",
			hsfDeclarations: "declarations", hsfElement: "element", hsfExports: "exports", hsfField: "field", hsfFields: "fields",
			hsfFunction: "function", hsfMatch: "match", hsfModule: "module", hsfName: "name", hsfNames: "names", hsfOperator: "operator",
			hsfPattern: "pattern", hsfPatterns: "patterns", hsfSignature: "signature", hsfSynonym: "synonym", hsfType: "type", hsfVariable: "variable"},
		kinds: []string{hsAllNames: "all_names", hsAlternative: "alternative", hsBind: "bind", hsBindingList: "binding_list", hsChildren: "children",
			hsClass: "class", hsClassDecls: "class_declarations", hsComment: "comment", hsConditional: "conditional", hsConstructor: "constructor",
			hsConstructors: "data_constructors", hsConstructorOp: "constructor_operator", hsContext: "context", hsDataConstructor: "data_constructor", hsDataFamily: "data_family",
			hsDataType: "data_type", hsDeclarations: "declarations", hsExport: "export", hsExports: "exports", hsField: "field",
			hsFieldName: "field_name", hsFields: "fields", hsForall: "forall", hsForeign: "foreign_import", hsFunction: "function",
			hsGadt: "gadt_constructor", hsGadtConstructors: "gadt_constructors", hsHaddock: "haddock", hsHeader: "header",
			hsImport: "import", hsImportList: "import_list", hsImportName: "import_name", hsImports: "imports", hsInfix: "infix", hsInfixID: "infix_id", hsModule: "module",
			hsModuleExport: "module_export", hsName: "name", hsNewtype: "newtype", hsNewtypeConstructor: "newtype_constructor",
			hsOperator: "operator", hsPattern: "pattern", hsPatternSynonym: "pattern_synonym", hsPatterns: "patterns", hsPrefix: "prefix",
			hsPrefixID: "prefix_id", hsRecord: "record", hsSignature: "signature", hsTypeFamily: "type_family", hsTypeSynonym: "type_synomym",
			hsVariable: "variable", hsWhere: "'where", hsHiding: "'hiding", hsGuards: "guards"},
	}
}

type haskell struct {
	*symbolsOnly
	// exports are the names of the export list; exportsAll is set if there is none.
	exports map[string]bool
	// whole are the exported types whose constructors are exported too.
	withConstructors map[string]bool
	exportsAll       bool
	module           string
	functions        map[ownedName]int32 // symbols of functions, to which their other equations belong
}

func walkHaskell(f *file) {
	h := &haskell{symbolsOnly: newSymbolsOnly(f, docStyle{marks: "-|^ ", open: "{-", close: "-}", accept: func(c string) bool {
		return strings.HasPrefix(c, "--") || strings.HasPrefix(c, "{- |") || strings.HasPrefix(c, "{-|")
	}}), exports: map[string]bool{}, withConstructors: map[string]bool{}, exportsAll: true, functions: map[ownedName]int32{}}
	for c := h.firstNamed(root); c != none; c = h.nextNamed(c) {
		switch h.kind(c) {
		case hsHeader:
			h.header(c)
		case hsImports:
			h.importList(c)
		case hsDeclarations:
			h.declarations(c)
		}
	}
	plain.ExportTopLevel(h.facts)
}

// maskHaskell blanks the text of literate source: everything but the lines after ">"
// and those between \begin{code} and \end{code}.
func maskHaskell(f *file, src []byte) []byte {
	if !strings.HasSuffix(f.path, ".lhs") {
		return src
	}
	out := make([]byte, 0, len(src))
	inCode := false
	for line := range strings.Lines(string(src)) {
		trimmed := strings.TrimRight(line, " \t\r\n")
		switch {
		case trimmed == `\begin{code}`, trimmed == `\end{code}`:
			inCode = trimmed == `\begin{code}`
			out = appendBlank(out, line)
		case inCode:
			out = append(out, line...)
		case strings.HasPrefix(line, ">"):
			out = append(append(out, ' '), line[1:]...)
		default:
			out = appendBlank(out, line)
		}
	}
	return out
}

// appendBlank adds as many blanks as s has bytes, but keeps its line break.
func appendBlank(out []byte, s string) []byte {
	for i := range len(s) {
		if s[i] == '\n' || s[i] == '\r' {
			out = append(out, s[i])
		} else {
			out = append(out, ' ')
		}
	}
	return out
}

// header reads module A.B (exports) where.
func (h *haskell) header(n node) {
	name := h.child(n, hsfModule)
	h.module = h.str(name)
	if list := h.child(n, hsfExports); list != none {
		h.exportsAll = false
		h.exportList(list)
	}
	h.facts.Doc = h.doc(h.start(n))
	h.add(name, n, h.end(name), code.Symbol{Name: h.module, Qualified: h.module, Kind: code.KindModule, Exported: true, Doc: h.facts.Doc})
}

func (h *haskell) exportList(list node) {
	for c := h.firstNamed(list); c != none; c = h.nextNamed(c) {
		name := h.child(c, hsfType)
		if name == none {
			name = h.child(c, hsfVariable)
		}
		if name == none {
			name = h.child(c, hsfOperator)
		}
		if k := h.kind(c); k != hsExport || name == none {
			if k == hsModuleExport {
				h.exportsAll = h.exportsAll || h.str(h.child(c, hsfModule)) == h.module
			}
			continue
		}
		exported := h.plainName(name)
		h.exports[exported] = true
		children := h.child(c, hsfChildren)
		for e := h.firstNamed(children); e != none; e = h.nextNamed(e) {
			if h.kind(e) == hsAllNames {
				h.withConstructors[exported] = true
			} else {
				h.exports[h.plainName(e)] = true
			}
		}
	}
}

// plainName returns a name without the parentheses of an operator and without a module in
// front.
func (h *haskell) plainName(n node) string {
	if h.kind(n) == hsPrefixID {
		n = h.firstNamed(n)
	}
	s := h.str(n)
	if i := strings.LastIndexByte(s, '.'); i > 0 && i+1 < len(s) && lexical.IsCapital(s[0]) {
		return s[i+1:]
	}
	return s
}

// importList reads the imports.
func (h *haskell) importList(n node) {
	for c := h.firstNamed(n); c != none; c = h.nextNamed(c) {
		if h.kind(c) != hsImport {
			continue
		}
		imp := code.Import{Spec: h.fieldStr(c, hsfModule), Alias: h.fieldStr(c, hsfAlias)}
		list := h.childKind(c, hsImportList)
		switch {
		case list != none && !h.has(c, hsHiding):
			for m := h.firstNamed(list); m != none; m = h.nextNamed(m) {
				name := h.plainName(h.firstNamed(m))
				if h.kind(m) == hsImportName && name != "" {
					imp.Names = append(imp.Names, code.ImportName{Name: name, Alias: name})
				}
			}
		case !strings.Contains(h.str(c), "qualified"):
			imp.Names = []code.ImportName{{Name: "*", Alias: "*"}}
		}
		h.imports(imp, c)
	}
}

// declarations reads the declarations of a module or class.
func (h *haskell) declarations(n node) {
	for c := h.firstNamed(n); c != none; c = h.nextNamed(c) {
		h.declaration(c)
	}
}

func (h *haskell) declaration(n node) {
	switch h.kind(n) {
	case hsSignature:
		h.typeSignature(n, n)
	case hsFunction, hsBind:
		h.equation(n)
	case hsForeign:
		h.typeSignature(h.child(n, hsfSignature), n)
	case hsDataType, hsNewtype, hsTypeSynonym, hsTypeFamily, hsDataFamily:
		h.typeDef(n)
	case hsClass:
		decls := h.child(n, hsfDeclarations)
		until := h.end(n)
		if where := h.childKind(n, hsWhere); where != none {
			until = h.start(where)
		}
		name := h.child(n, hsfName)
		i := h.add(name, n, until, h.symbol(h.plainName(name), code.KindInterface))
		h.inside(i, func() { h.declarations(decls) })
	case hsPatternSynonym:
		h.patternSynonym(n)
	}
}

// symbol makes a symbol of the module, or of the enclosing class or type.
func (h *haskell) symbol(name string, k code.Kind) code.Symbol {
	exported := h.exportsAll || h.exports[name]
	if !exported && h.owner >= 0 {
		o := &h.facts.Symbols[h.owner]
		exported = h.withConstructors[o.Name] || o.Exported && o.Kind == code.KindInterface
	}
	return code.Symbol{Name: name, Kind: k, Exported: exported}
}

// typeSignature reads the signature a, b :: T in declaration decl. It declares the names
// that equations below define.
func (h *haskell) typeSignature(n, decl node) {
	kind := code.KindConstant
	t := h.child(n, hsfType)
	for k := h.kind(t); k == hsForall || k == hsContext; k = h.kind(t) {
		inner := h.child(t, hsfType)
		if inner == none {
			break
		}
		t = inner
	}
	if h.kind(decl) == hsForeign || strings.Contains(h.str(t), "->") || strings.Contains(h.str(t), "→") {
		kind = code.KindFunction
	}
	if h.owner >= 0 {
		kind = code.KindMethod
	}
	if names := h.child(n, hsfNames); names != none {
		for c := h.firstNamed(names); c != none; c = h.nextNamed(c) {
			h.declareValue(c, decl, h.end(n), kind)
		}
		return
	}
	h.declareValue(h.child(n, hsfName), decl, h.end(n), kind)
}

// declareValue declares a function or value by its first signature or equation; the
// others only extend its span.
func (h *haskell) declareValue(name, decl node, until uint32, kind code.Kind) {
	plain := h.plainName(name)
	if plain == "" {
		return
	}
	k := ownedName{h.owner, plain}
	if i, ok := h.functions[k]; ok {
		s := &h.facts.Symbols[i]
		if kind == code.KindFunction && s.Kind == code.KindConstant {
			s.Kind = kind
		}
		if h.owner < 0 {
			s.Span.End, s.Span.EndLine = h.end(decl), h.lineAt(max(h.end(decl), 1)-1)
		}
		return
	}
	if h.kind(name) == hsPrefixID {
		name = h.firstNamed(name)
	}
	sym := h.symbol(plain, kind)
	if i := h.add(name, decl, until, sym); i >= 0 {
		h.functions[k] = i
	}
}

// equation reads an equation of a function, or a binding.
func (h *haskell) equation(n node) {
	if h.owner >= 0 {
		return // the default of a method, which its signature declares
	}
	kind := code.KindConstant
	name := h.child(n, hsfName)
	if h.kind(n) == hsFunction {
		kind = code.KindFunction
		if name == none {
			name = h.infixName(n)
		}
	}
	until := h.end(n)
	if match := h.child(n, hsfMatch); match != none {
		until = h.start(n) + uint32(len(strings.TrimRight(h.text[h.start(n):h.start(match)], " \t\r\n")))
	}
	if name != none {
		h.declareValue(name, n, until, kind)
		return
	}
	pattern := h.child(n, hsfPattern)
	for c, end := pattern, h.after(pattern); c < end; c++ { // (a, b) = …
		if h.kind(c) == hsVariable {
			h.declareValue(c, n, until, kind)
		}
	}
}

// infixName returns the name of a function whose equation is written x `f` y or x + y.
func (h *haskell) infixName(n node) node {
	name := h.child(h.childKind(n, hsInfix), hsfOperator)
	if inner := h.firstNamed(name); inner != none && h.kind(name) != hsOperator {
		return inner
	}
	return name
}

// typeDef reads data, newtype, type and families.
func (h *haskell) typeDef(n node) {
	name := h.child(n, hsfName)
	if name == none {
		return
	}
	kind := code.KindType
	cons := h.child(n, hsfConstructors)
	if cons == none {
		cons = h.child(n, hsfConstructor)
	}
	until := h.end(n)
	if cons != none {
		head := strings.TrimRight(h.text[h.start(n):h.start(cons)], " \t\r\n")
		until = h.start(n) + uint32(len(strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(head, "="), "where"), " \t\r\n")))
	}
	i := h.add(name, n, until, h.symbol(h.plainName(name), kind))
	h.inside(i, func() { h.constructors(cons) })
}

// constructors declares the constructors in n with their fields.
func (h *haskell) constructors(n node) {
	switch h.kind(n) {
	case hsConstructors, hsGadtConstructors:
		for c := h.firstNamed(n); c != none; c = h.nextNamed(c) {
			h.constructors(c)
		}
		return
	case hsDataConstructor, hsNewtypeConstructor, hsGadt:
	default:
		return
	}
	for c, end := n, h.after(n); c < end; c++ {
		switch h.kind(c) {
		case hsConstructor:
			if h.isConstructorName(c) {
				h.add(c, n, h.end(n), h.symbol(h.str(c), code.KindEnumMember))
			}
		case hsConstructorOp:
			if p := h.kind(h.parent(c)); p == hsInfix || p == hsPrefixID || h.nodeField(c) == hsfName {
				h.add(c, n, h.end(n), h.symbol(h.str(c), code.KindEnumMember))
			}
		case hsField:
			h.constructorFields(c)
			c = h.after(c) - 1
		}
	}
}

// isConstructorName reports whether a constructor in a declaration of one is its name,
// and not part of a field's type.
func (h *haskell) isConstructorName(n node) bool {
	switch h.kind(h.parent(n)) {
	case hsNewtypeConstructor, hsBindingList, hsInfixID:
		return true
	}
	return h.nodeField(n) == hsfName
}

// constructorFields declares the names a, b of a field a, b :: T. Constructors of one
// type may share a field.
func (h *haskell) constructorFields(n node) {
	for name := h.first(n); name != none; name = h.sibling(name) {
		if h.kind(name) != hsFieldName {
			continue
		}
		if v := h.firstNamed(name); h.isFirst(h.str(v)) {
			h.add(v, n, h.end(n), h.symbol(h.plainName(v), code.KindField))
		}
	}
}

// patternSynonym reads pattern P x = …
func (h *haskell) patternSynonym(n node) {
	for c, end := n, h.after(n); c < end; c++ {
		if k := h.kind(c); k == hsConstructor || k == hsOperator {
			if h.isFirst("pattern " + h.str(c)) {
				h.add(c, n, h.end(n), h.symbol(h.str(c), code.KindEnumMember))
			}
			return
		}
	}
}
