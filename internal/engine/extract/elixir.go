package extract

import (
	"strconv"
	"strings"

	tselixir "github.com/alexaandru/go-sitter-forest/elixir"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
	"ken/internal/engine/extract/plain"
)

// Elixir: modules, protocols and implementations, functions and macros (one
// symbol for all clauses of a name with as many arguments), guards, delegates,
// types, callbacks, attributes that hold a value, and the fields of structs. A
// module's Qualified is its full name; an implementation has that of its protocol.

// Symbols of the Elixir grammar that extraction looks at.
const (
	exAlias kind = iota + 1
	exAnonymous
	exArguments
	exAtom
	exBinary
	exCall
	exComment
	exDoBlock
	exDot
	exIdentifier
	exKeyword
	exKeywords
	exList
	exOperatorIdent
	exPair
	exQuoted
	exSigil
	exStab
	exString
	exTuple
	exUnary
	exAndAnd
	exOrOr
	exAnd
	exOr
	exParen
)

// Fields of the Elixir grammar.
const (
	exfKey field = iota + 1
	exfLeft
	exfOperand
	exfOperator
	exfRight
	exfTarget
	exfValue
)

func elixirSpec() *spec {
	return &spec{
		language: tselixir.GetLanguage,
		comments: []kind{exComment},
		branches: []kind{exStab, exAndAnd, exOrOr, exAnd, exOr},
		quotes:   "\"",
		fields:   []string{exfKey: "key", exfLeft: "left", exfOperand: "operand", exfOperator: "operator", exfRight: "right", exfTarget: "target", exfValue: "value"},
		kinds: []string{exAlias: "alias", exAnonymous: "anonymous_function", exArguments: "arguments", exAtom: "atom", exBinary: "binary_operator", exCall: "call",
			exComment: "comment", exDoBlock: "do_block", exDot: "dot", exIdentifier: "identifier", exKeyword: "keyword", exKeywords: "keywords",
			exList: "list", exOperatorIdent: "operator_identifier", exPair: "pair", exQuoted: "quoted_content", exSigil: "sigil", exStab: "stab_clause",
			exString: "string", exTuple: "tuple", exUnary: "unary_operator", exAndAnd: "'&&", exOrOr: "'||", exAnd: "'and", exOr: "'or", exParen: "'("},
	}
}

type elixir struct {
	*symbolsOnly
	module string // full name of the enclosing module
	// pending is the @doc of the next definition.
	pendingDoc string
	isTest     bool
}

func walkElixir(f *file) {
	e := &elixir{symbolsOnly: newSymbolsOnly(f, docStyle{marks: "#"})}
	e.statements(root)
	plain.ExportTopLevel(e.facts)
	e.facts.IsTest = e.isTest
}

// statements reads the statements of a file or block.
func (e *elixir) statements(n node) {
	for c := e.firstNamed(n); c != none; c = e.nextNamed(c) {
		e.statement(c)
	}
}

func (e *elixir) statement(n node) {
	if e.kind(n) == exUnary {
		e.attribute(n)
		return
	}
	if e.kind(n) != exCall {
		return
	}
	args := e.childKind(n, exArguments)
	switch target := e.fieldStr(n, exfTarget); target {
	case "defmodule", "defprotocol", "defimpl":
		e.moduleDef(n, target, args)
	case "def", "defp", "defmacro", "defmacrop", "defguard", "defguardp", "defdelegate", "defn", "defnp":
		e.definition(n, target, args)
	case "defstruct", "defexception":
		e.fields(args)
	case "alias", "import", "require", "use":
		e.importStatement(n, target, args)
	default: // if …, quote do, a macro with a body
		if block := e.childKind(n, exDoBlock); block != none {
			e.statements(block)
		}
		e.pendingDoc = ""
	}
}

// moduleDef reads defmodule, defprotocol and defimpl.
func (e *elixir) moduleDef(n node, target string, args node) {
	name, block := e.firstNamed(args), e.childKind(n, exDoBlock)
	if e.kind(name) != exAlias {
		e.statements(block)
		return
	}
	full := e.under(e.module, e.str(name))
	sym := code.Symbol{Kind: code.KindModule, Exported: true, Name: full[strings.LastIndexByte(full, '.')+1:], Qualified: full}
	sym.Doc = e.moduleDoc(block)
	switch target {
	case "defprotocol":
		sym.Kind = code.KindInterface
	case "defimpl":
		if implementer := e.keywordArgument(args, "for:"); implementer != none {
			full = e.under(full, e.str(implementer))
		}
		sym.Qualified = full
	}
	until := e.end(args)
	if block != none {
		until = e.start(block)
	}
	outer, pending := e.module, e.pendingDoc
	e.pendingDoc = ""
	i := e.add(name, n, until, sym)
	if i >= 0 {
		e.facts.Symbols[i].NameStart = e.end(name) - uint32(len(sym.Name))
	}
	e.module = full
	e.isTest = e.isTest || strings.HasSuffix(full, "Test") && strings.HasSuffix(e.path, ".exs")
	e.inside(i, func() { e.statements(block) })
	e.module, e.pendingDoc = outer, pending
}

// keywordArgument returns the value of a keyword argument.
func (e *elixir) keywordArgument(args node, key string) node {
	for c := e.firstNamed(e.childKind(args, exKeywords)); c != none; c = e.nextNamed(c) {
		if strings.TrimSpace(e.fieldStr(c, exfKey)) == key {
			return e.child(c, exfValue)
		}
	}
	return none
}

// moduleDoc returns the text of @moduledoc in a block.
func (e *elixir) moduleDoc(block node) string {
	for c := e.firstNamed(block); c != none; c = e.nextNamed(c) {
		if call := e.child(c, exfOperand); e.kind(c) == exUnary && e.fieldStr(call, exfTarget) == "moduledoc" {
			return e.textArg(call)
		}
	}
	return ""
}

// textArg returns the string an attribute is given.
func (e *elixir) textArg(call node) string {
	s := e.firstNamed(e.childKind(call, exArguments))
	if k := e.kind(s); k != exString && k != exSigil {
		return ""
	}
	return cleanDocstring(lexical.Cut(e.str(e.childKind(s, exQuoted)), 8*code.MaxDoc))
}

// attribute reads @name value.
func (e *elixir) attribute(n node) {
	call := e.child(n, exfOperand)
	if e.kind(call) != exCall || e.module == "" || !strings.HasPrefix(e.str(n), "@") {
		return
	}
	arg := e.firstNamed(e.childKind(call, exArguments))
	name := e.child(call, exfTarget)
	switch target := e.str(name); target {
	case "doc", "typedoc":
		e.pendingDoc = e.textArg(call)
	case "type", "typep", "opaque":
		e.declareHead(n, arg, code.Symbol{Kind: code.KindType, Exported: target != "typep"})
	case "callback", "macrocallback":
		e.declareHead(n, arg, code.Symbol{Kind: code.KindMethod, Exported: true})
	case "spec", "impl", "behaviour", "moduledoc", "derive", "enforce_keys", "compile", "dialyzer", "external_resource",
		"on_load", "before_compile", "after_compile", "deprecated", "since", "tag", "moduletag", "describetag",
		"optional_callbacks", "vsn", "on_definition", "shortdoc": // instructions to tools, no constants of the module
	default:
		if e.isFirst("@" + target) {
			until := e.end(n)
			if text := e.str(n); !fitsSignature(text) {
				until = e.end(name)
			}
			e.add(name, n, until, code.Symbol{Kind: code.KindConstant})
		}
	}
}

// declareHead declares the name of a head n, which is `name(args) :: result`,
// `name(args) when guard` or `left operator right`.
func (e *elixir) declareHead(decl, n node, sym code.Symbol) int32 {
	until := e.end(n)
	for e.kind(n) == exBinary {
		op := e.fieldStr(n, exfOperator)
		if op != "::" && op != "when" && op != "=" {
			break
		}
		n = e.child(n, exfLeft)
	}
	name, args := n, none
	switch e.kind(n) {
	case exCall:
		name, args = e.child(n, exfTarget), e.childKind(n, exArguments)
	case exBinary, exUnary:
		name = e.child(n, exfOperator)
	case exIdentifier:
	default:
		return -1
	}
	switch e.kind(name) {
	case exCall, exDot, exAlias:
		return -1 // unquote(name)(…)
	}
	arity := 0
	for c := e.firstNamed(args); c != none; c = e.nextNamed(c) {
		arity++
		sym.Params = append(sym.Params, e.param(c))
	}
	if e.kind(n) == exBinary {
		arity, sym.Params = 2, []code.Param{e.param(e.child(n, exfLeft)), e.param(e.child(n, exfRight))}
	}
	sym.Doc, e.pendingDoc = e.pendingDoc, ""
	if sym.Kind != code.KindType && !e.isFirst(e.str(name)+"/"+strconv.Itoa(arity)) {
		return -1
	}
	return e.add(name, decl, until, sym)
}

func (e *elixir) param(n node) code.Param {
	if e.kind(n) == exBinary && e.fieldStr(n, exfOperator) == `\\` {
		left, right := e.child(n, exfLeft), e.child(n, exfRight)
		name, value := e.signature(e.start(left), e.end(left)), e.signature(e.start(right), e.end(right))
		return code.Param{Name: name, Optional: true, Default: value}
	}
	return e.paramText(n)
}

// definition reads def, defp, defmacro and the other words that define a callable.
func (e *elixir) definition(n node, target string, args node) {
	sym := code.Symbol{Kind: code.KindFunction, Exported: !strings.HasSuffix(target, "p")}
	if strings.HasPrefix(target, "defmacro") || strings.HasPrefix(target, "defguard") {
		sym.Kind = code.KindMacro
	}
	i := e.declareHead(n, e.firstNamed(args), sym)
	if i >= 0 && e.module == "" {
		e.facts.Symbols[i].Qualified = e.facts.Symbols[i].Name
	}
	// A definition in quote do belongs to the module that uses the macro, so only the
	// imports in it are read.
	if block := e.childKind(n, exDoBlock); block != none && target == "defmacro" {
		e.inside(i, func() { e.quotedImports(block) })
	}
}

// quotedImports reads the imports that a macro inserts where it is used.
func (e *elixir) quotedImports(block node) {
	for c := e.firstNamed(block); c != none; c = e.nextNamed(c) {
		if e.kind(c) != exCall {
			continue
		}
		switch target := e.fieldStr(c, exfTarget); target {
		case "alias", "import", "require", "use":
			e.importStatement(c, target, e.childKind(c, exArguments))
		case "quote":
			e.quotedImports(e.childKind(c, exDoBlock))
		}
	}
}

// fields declares the fields of defstruct [:a, b: 1].
func (e *elixir) fields(args node) {
	for c, end := args, e.after(args); c < end; c++ {
		switch p := e.parent(c); e.kind(c) {
		case exAtom:
			if e.isArgumentList(p) {
				name := strings.TrimPrefix(e.str(c), ":")
				i := e.add(c, c, e.end(c), code.Symbol{Name: name, Kind: code.KindField, Exported: true})
				if i >= 0 {
					e.facts.Symbols[i].NameStart++
				}
			}
		case exKeyword:
			outer := e.parent(e.parent(p))
			if e.kind(p) == exPair && (e.kind(outer) == exArguments || e.isArgumentList(outer)) {
				name := strings.TrimRight(e.str(c), ": \t\n")
				e.add(c, p, e.end(p), code.Symbol{Name: name, Kind: code.KindField, Exported: true})
			}
		}
	}
}

// isArgumentList reports whether n is a list given as an argument.
func (e *elixir) isArgumentList(n node) bool {
	return e.kind(n) == exList && e.kind(e.parent(n)) == exArguments
}

// importStatement reads alias, import, require and use.
func (e *elixir) importStatement(n node, target string, args node) {
	imp := code.Import{Kind: code.ImportStatic}
	if target == "import" {
		imp.Names = []code.ImportName{{Name: "*", Alias: "*"}}
	}
	module := e.firstNamed(args)
	switch e.kind(module) {
	case exAlias:
		imp.Spec = e.str(module)
		if as := e.keywordArgument(args, "as:"); as != none {
			imp.Alias = e.str(as)
		}
		e.imports(imp, n)
	case exDot: // alias A.{B, C}
		prefix := e.fieldStr(module, exfLeft)
		for c := e.firstNamed(e.child(module, exfRight)); c != none; c = e.nextNamed(c) {
			if e.kind(c) == exAlias {
				imp.Spec = prefix + "." + e.str(c)
				e.imports(imp, c)
			}
		}
	}
}
