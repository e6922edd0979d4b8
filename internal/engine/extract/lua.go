package extract

import (
	"strings"

	tslua "github.com/tree-sitter-grammars/tree-sitter-lua/bindings/go"

	"ken/internal/code"
	"ken/internal/engine/extract/plain"
)

// Lua: all functions, the functions of a table constructor, and the variables and
// members a file assigns at its top level. M.f is a function with the qualified name
// "M.f", M:f a method.

// Symbols of the Lua grammar that extraction looks at.
const (
	luAssignment kind = iota + 1
	luBlock
	luCall
	luChunk
	luComment
	luDeclaration
	luDot
	luElseif
	luFieldItem
	luFor
	luFunction
	luFunctionExpr
	luIdentifier
	luIf
	luMethodName
	luParameters
	luRepeat
	luString
	luStringContent
	luTable
	luWhile
	luLocal
)

// Fields of the Lua grammar.
const (
	lufArguments field = iota + 1
	lufBody
	lufContent
	lufField
	lufLocal
	lufMethod
	lufName
	lufParameters
	lufTable
	lufValue
)

func luaSpec() *spec {
	return &spec{
		language: tslua.Language,
		comments: []kind{luComment},
		branches: []kind{luIf, luElseif, luFor, luWhile, luRepeat},
		quotes:   "\"'",
		fields: []string{lufArguments: "arguments", lufBody: "body", lufContent: "content", lufField: "field", lufLocal: "local_declaration",
			lufMethod: "method", lufName: "name", lufParameters: "parameters", lufTable: "table", lufValue: "value"},
		kinds: []string{luAssignment: "assignment_statement", luBlock: "block", luCall: "function_call", luChunk: "chunk", luComment: "comment",
			luDeclaration: "variable_declaration", luDot: "dot_index_expression", luElseif: "elseif_statement", luFieldItem: "field",
			luFor: "for_statement", luFunction: "function_declaration", luFunctionExpr: "function_definition", luIdentifier: "identifier",
			luIf: "if_statement", luMethodName: "method_index_expression", luParameters: "parameters", luRepeat: "repeat_statement",
			luString: "string", luStringContent: "string_content", luTable: "table_constructor", luWhile: "while_statement", luLocal: "'local"},
	}
}

type lua struct{ *symbolsOnly }

func walkLua(f *file) {
	l := lua{newSymbolsOnly(f, docStyle{marks: "-", open: "--[[", close: "]]"})}
	l.docs.accept = func(c string) bool { return !strings.HasPrefix(c, "--[=") }
	l.walk(root)
	plain.ExportTopLevel(l.facts)
}

func (l lua) walk(n node) {
	switch l.kind(n) {
	case luFunction:
		sym := l.namedSymbol(l.child(n, lufName))
		sym.Exported = !l.has(n, luLocal)
		l.declareFunction(n, n, l.child(n, lufName), sym)
	case luAssignment:
		l.assignment(n)
	case luCall:
		l.require(n, "")
		l.children(n)
	case luFieldItem:
		if !l.fieldItem(n) {
			l.walk(l.child(n, lufValue))
		}
	default:
		l.children(n)
	}
}

func (l lua) children(n node) {
	for c := l.first(n); c != none; c = l.sibling(c) {
		if l.isNamed(c) {
			l.walk(c)
		}
	}
}

// namedSymbol returns the symbol that a name before parameters or "=" declares.
func (l lua) namedSymbol(name node) code.Symbol {
	sym := code.Symbol{Kind: code.KindFunction}
	switch l.kind(name) {
	case luDot:
		sym.Name = l.fieldStr(name, lufField)
	case luMethodName:
		sym.Name, sym.Kind = l.fieldStr(name, lufMethod), code.KindMethod
	case luIdentifier:
		sym.Name = l.str(name)
		return sym
	default:
		return code.Symbol{}
	}
	if path := l.str(name); len(path) <= code.MaxSignature {
		sym.Qualified = strings.ReplaceAll(strings.Join(strings.Fields(path), ""), ":", ".")
		if rest, ok := strings.CutPrefix(sym.Qualified, "self."); ok && l.owner >= 0 {
			around := l.facts.Symbols[l.owner].Qualified
			sym.Qualified = around[:strings.LastIndexByte(around, '.')+1] + rest
		}
	}
	return sym
}

// declareFunction declares the function fn, which decl assigns or declares.
func (l lua) declareFunction(fn, decl, name node, sym code.Symbol) {
	params := l.child(fn, lufParameters)
	for c := l.firstNamed(params); c != none; c = l.nextNamed(c) {
		sym.Params = append(sym.Params, l.paramText(c))
	}
	last := name
	for _, f := range [...]field{lufField, lufMethod} {
		if c := l.child(name, f); c != none {
			last = c
		}
	}
	i := l.add(last, decl, l.end(params), sym)
	l.inside(i, func() { l.walk(l.child(fn, lufBody)) })
}

// assignment reads `a, b = x, y`, with `local` around it or not.
func (l lua) assignment(n node) {
	names, values := l.first(n), l.sibling(l.first(n))
	for values != none && !l.isNamed(values) {
		values = l.sibling(values)
	}
	decl, local := n, false
	if p := l.parent(n); l.kind(p) == luDeclaration {
		decl, local = p, true
	}
	value := l.firstNamed(values)
	for name := l.firstNamed(names); name != none; name = l.nextNamed(name) {
		l.assign(name, value, decl, local)
		value = l.nextNamed(value)
	}
}

func (l lua) assign(name, value, decl node, local bool) {
	top := l.owner < 0 && (l.kind(l.parent(decl)) == luChunk)
	sym := l.namedSymbol(name)
	sym.Exported = !local
	switch l.kind(value) {
	case luFunctionExpr:
		if sym.Name != "" {
			l.declareFunction(value, decl, name, sym)
			return
		}
	case luCall:
		if l.require(value, l.str(name)) {
			return
		}
	}
	nameless := sym.Name == "" || sym.Kind == code.KindMethod
	if !top || nameless || !l.isFirst(l.str(name)) {
		l.walk(value)
		return
	}
	sym.Kind = code.KindVariable
	switch {
	case sym.Qualified != "":
		sym.Kind = code.KindField
	case len(sym.Name) > 1 && isPyConstant(sym.Name):
		sym.Kind = code.KindConstant
	}
	last := name
	if c := l.child(name, lufField); c != none {
		last = c
	}
	i := l.add(last, decl, l.valueEnd(decl, name), sym)
	l.inside(i, func() { l.table(value) })
}

// valueEnd returns where the signature of an assignment ends: before a long value.
func (l lua) valueEnd(decl, name node) uint32 {
	if s := l.str(decl); fitsSignature(s) {
		return l.end(decl)
	}
	return l.end(name)
}

// table declares the functions written in a table, and reads other values.
func (l lua) table(n node) {
	if l.kind(n) != luTable {
		l.walk(n)
		return
	}
	for c := l.firstNamed(n); c != none; c = l.nextNamed(c) {
		l.walk(c)
	}
}

// fieldItem declares the function that an item of a table is.
func (l lua) fieldItem(n node) bool {
	name, value := l.child(n, lufName), l.child(n, lufValue)
	if l.kind(name) == luString {
		name = l.child(name, lufContent)
	}
	if l.kind(value) != luFunctionExpr || name == none {
		return false
	}
	exported := l.owner < 0 || !l.facts.Symbols[l.owner].Kind.IsFunction()
	l.declareFunction(value, n, name, code.Symbol{Name: l.str(name), Kind: code.KindFunction, Exported: exported})
	return true
}

// require reads require "x", bound to a local name or not.
func (l lua) require(n node, alias string) bool {
	arg := l.firstNamed(l.child(n, lufArguments))
	switch l.fieldStr(n, lufName) {
	case "require":
	case "pcall": // pcall(require, "x")
		if l.str(arg) != "require" {
			return false
		}
		arg, alias = l.nextNamed(arg), ""
	default:
		return false
	}
	if l.kind(arg) != luString {
		return false
	}
	spec := l.str(l.child(arg, lufContent))
	if alias == spec[strings.LastIndexAny(spec, "./")+1:] || strings.ContainsAny(alias, ".[:") {
		alias = ""
	}
	l.imports(code.Import{Spec: spec, Kind: code.ImportRequire, Alias: alias}, n)
	return spec != ""
}
