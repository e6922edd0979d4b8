package extract

import (
	"strings"

	tszig "github.com/alexaandru/go-sitter-forest/zig"

	"ken/internal/code"
	"ken/internal/engine/extract/plain"
)

// Zig: functions, constants and variables of the file and of the types in it, including
// a type that a function returns; fields, enum members, errors. A constant that is an
// @import is an import. Exported means pub or export.

// Symbols of the Zig grammar that extraction looks at.
const (
	zgArguments kind = iota + 1
	zgBlock
	zgBuiltin
	zgBuiltinName
	zgCatch
	zgComment
	zgConst
	zgEnum
	zgErrorSet
	zgExport
	zgExtern
	zgField
	zgFieldExpr
	zgFor
	zgForExpr
	zgFunction
	zgIdentifier
	zgIf
	zgIfExpr
	zgOpaque
	zgParameter
	zgParameters
	zgPub
	zgReturn
	zgString
	zgStringContent
	zgStruct
	zgSwitchCase
	zgUnion
	zgUsing
	zgVariable
	zgWhile
	zgWhileExpr
	zgAnd
	zgOr
	zgVar
)

// Fields of the Zig grammar.
const (
	zgfBody field = iota + 1
	zgfMember
	zgfName
	zgfObject
	zgfType
)

func zigSpec() *spec {
	return &spec{
		language: tszig.GetLanguage,
		comments: []kind{zgComment},
		branches: []kind{zgIf, zgIfExpr, zgFor, zgForExpr, zgWhile, zgWhileExpr, zgSwitchCase, zgCatch, zgAnd, zgOr},
		quotes:   "\"'",
		fields:   []string{zgfBody: "body", zgfMember: "member", zgfName: "name", zgfObject: "object", zgfType: "type"},
		kinds: []string{zgArguments: "arguments", zgBlock: "block", zgBuiltin: "builtin_function", zgBuiltinName: "builtin_identifier",
			zgCatch: "catch_expression", zgComment: "comment", zgConst: "'const", zgEnum: "enum_declaration", zgErrorSet: "error_set_declaration",
			zgExport: "'export", zgExtern: "'extern", zgField: "container_field", zgFieldExpr: "field_expression", zgFor: "for_statement",
			zgForExpr: "for_expression", zgFunction: "function_declaration", zgIdentifier: "identifier", zgIf: "if_statement", zgIfExpr: "if_expression",
			zgOpaque: "opaque_declaration", zgParameter: "parameter", zgParameters: "parameters", zgPub: "'pub", zgReturn: "return_expression",
			zgString: "string", zgStringContent: "string_content", zgStruct: "struct_declaration", zgSwitchCase: "switch_case",
			zgUnion: "union_declaration", zgUsing: "using_namespace_declaration", zgVariable: "variable_declaration", zgWhile: "while_statement",
			zgWhileExpr: "while_expression", zgAnd: "'and", zgOr: "'or", zgVar: "'var"},
	}
}

type zig struct {
	*symbolsOnly
	member code.Kind // kind of the fields of the enclosing type
	typed  bool      // inside a type, where functions are methods
}

func walkZig(f *file) {
	docs := docStyle{marks: "/!", accept: func(c string) bool { return strings.HasPrefix(c, "///") }}
	z := &zig{symbolsOnly: newSymbolsOnly(f, docs), member: code.KindField}
	z.facts.Doc = z.fileDoc(func(c string) bool { return strings.HasPrefix(c, "//!") })
	z.walkMembers(root)
	plain.ExportTopLevel(z.facts)
}

// walkMembers reads the declarations of a file or type.
func (z *zig) walkMembers(n node) {
	for c := z.firstNamed(n); c != none; c = z.nextNamed(c) {
		switch z.kind(c) {
		case zgFunction:
			z.function(c)
		case zgVariable:
			z.variable(c)
		case zgField:
			z.field(c)
		case zgUsing:
			z.importCall(z.firstNamed(c), c, "", code.ImportName{Name: "*", Alias: "*"})
		case zgIdentifier:
			if z.kind(n) == zgErrorSet {
				z.add(c, c, z.end(c), code.Symbol{Kind: code.KindEnumMember, Exported: true})
			}
		}
	}
}

func (z *zig) function(n node) {
	name, body := z.child(n, zgfName), z.child(n, zgfBody)
	sym := code.Symbol{Kind: code.KindFunction, Exported: z.has(n, zgPub) || z.has(n, zgExport), Returns: z.typeText(n)}
	if z.typed {
		sym.Kind = code.KindMethod
	}
	params := z.childKind(n, zgParameters)
	for c := z.firstNamed(params); c != none; c = z.nextNamed(c) {
		p := code.Param{Name: z.fieldStr(c, zgfName), Type: z.typeText(c)}
		if p.Name != "" || p.Type != "" {
			sym.Params = append(sym.Params, p)
		}
	}
	until := z.end(n)
	if body != none {
		until = z.start(body)
	}
	z.inside(z.add(name, n, until, sym), func() { z.returnedTypes(body) })
}

// typeText returns the declared type of n as written; in some places the grammar gives
// built-in types no field of their own.
func (z *zig) typeText(n node) string {
	t := z.child(n, zgfType)
	return z.signature(z.start(t), z.end(t))
}

// returnedTypes reads the types that a function makes, because their members belong to it.
func (z *zig) returnedTypes(body node) {
	for c, end := body, z.after(body); c < end; {
		if k := z.kind(c); k == zgReturn {
			if t := z.firstNamed(c); z.isContainer(t) {
				z.container(t)
				c = z.after(c)
				continue
			}
		}
		c++
	}
}

func (z *zig) isContainer(n node) bool {
	switch z.kind(n) {
	case zgStruct, zgEnum, zgUnion, zgOpaque, zgErrorSet:
		return true
	}
	return false
}

// container reads the members of a type.
func (z *zig) container(n node) {
	member, typed := z.member, z.typed
	z.member, z.typed = code.KindField, true
	if z.kind(n) == zgEnum {
		z.member = code.KindEnumMember
	}
	z.walkMembers(n)
	z.member, z.typed = member, typed
}

func (z *zig) field(n node) {
	name := z.child(n, zgfName)
	if z.kind(name) == zgIdentifier {
		z.add(name, n, z.end(n), code.Symbol{Kind: z.member, Exported: true})
	}
}

// variable reads const and var.
func (z *zig) variable(n node) {
	name := z.childKind(n, zgIdentifier)
	value := z.value(n, name)
	exported := z.has(n, zgPub) || z.has(n, zgExport)
	if z.importCall(value, n, z.str(name), code.ImportName{}) {
		return
	}
	sym := code.Symbol{Kind: code.KindConstant, Exported: exported}
	until := z.end(n)
	switch z.kind(value) {
	case zgStruct:
		sym.Kind = code.KindStruct
	case zgEnum, zgErrorSet:
		sym.Kind = code.KindEnum
	case zgUnion:
		sym.Kind = code.KindUnion
	case zgOpaque:
		sym.Kind = code.KindType
	default:
		if z.has(n, zgVar) {
			sym.Kind = code.KindVariable
		}
		if text := z.str(n); !fitsSignature(text) {
			until = max(z.end(name), z.end(z.child(n, zgfType)))
		}
		z.add(name, n, until, sym)
		return
	}
	head, _, _ := strings.Cut(z.str(value), "{")
	until = z.start(value) + uint32(len(head))
	z.inside(z.add(name, n, until, sym), func() { z.container(value) })
}

// value returns the value of a declaration: its last child, unless that is its type.
func (z *zig) value(n, name node) node {
	value := none
	for c := z.nextNamed(name); c != none; c = z.nextNamed(c) {
		if z.nodeField(c) != zgfType {
			value = c
		}
	}
	return value
}

// importCall reads @import("x"), or a member of it, and reports whether n is one.
func (z *zig) importCall(n, decl node, name string, taken code.ImportName) bool {
	imp := code.Import{Kind: code.ImportStatic}
	call := n
	if z.kind(n) == zgFieldExpr {
		call = z.child(n, zgfObject)
		if member := z.fieldStr(n, zgfMember); member != "" && name != "" {
			taken = code.ImportName{Name: member, Alias: name}
		}
	}
	if z.kind(call) != zgBuiltin || z.str(z.childKind(call, zgBuiltinName)) != "@import" {
		return false
	}
	imp.Spec = z.str(z.childKind(z.firstNamed(z.childKind(call, zgArguments)), zgStringContent))
	if taken.Name != "" {
		imp.Names = []code.ImportName{taken}
	} else if base := strings.TrimSuffix(imp.Spec[strings.LastIndexByte(imp.Spec, '/')+1:], ".zig"); base != name {
		imp.Alias = name
	}
	if z.has(decl, zgPub) {
		imp.Kind = code.ImportReexport
	}
	z.imports(imp, decl)
	return imp.Spec != ""
}
