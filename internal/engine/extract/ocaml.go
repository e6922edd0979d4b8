package extract

import (
	"path"
	"strings"

	tsocaml "github.com/tree-sitter/tree-sitter-ocaml/bindings/go"

	"ken/internal/code"
	"ken/internal/engine/extract/plain"
)

// OCaml, implementations and interfaces: values, types with their constructors and
// fields, exceptions, modules and module types with their content, classes with methods
// and variables, externals. `open` imports all names of a module, `include` passes them
// on.

// Symbols of the OCaml grammars that extraction looks at.
const (
	ocClass kind = iota + 1
	ocClassBinding
	ocClassName
	ocClassType
	ocClassTypeBinding
	ocClassTypeName
	ocComment
	ocConstructor
	ocConstructorName
	ocException
	ocExternal
	ocField
	ocFieldName
	ocFun
	ocFunction
	ocFunctionType
	ocFunctor
	ocIf
	ocInclude
	ocIncludeType
	ocInherit
	ocInstanceVar
	ocInstanceVarName
	ocLetBinding
	ocMatchCase
	ocMethod
	ocMethodName
	ocMethodSpec
	ocModule
	ocModuleBinding
	ocModuleName
	ocModuleParam
	ocModuleType
	ocModuleTypeName
	ocOpen
	ocParameter
	ocOperatorName
	ocPolymorphic
	ocRecord
	ocTag
	ocTagSpec
	ocSignature
	ocStructure
	ocTypeBinding
	ocTypeDef
	ocTypeName
	ocValueDef
	ocValueName
	ocValueSpec
	ocVariant
	ocWhile
	ocFor
)

// Fields of the OCaml grammars.
const (
	ocfBody field = iota + 1
	ocfModule
	ocfModuleType
	ocfName
	ocfPattern
	ocfType
	ocfDefault
	ocfClassType
)

func ocamlKinds() []string {
	return []string{ocClass: "class_definition", ocClassBinding: "class_binding", ocClassName: "class_name", ocClassType: "class_type_definition",
		ocClassTypeBinding: "class_type_binding", ocClassTypeName: "class_type_name", ocComment: "comment", ocConstructor: "constructor_declaration",
		ocConstructorName: "constructor_name", ocException: "exception_definition", ocExternal: "external", ocField: "field_declaration",
		ocFieldName: "field_name", ocFun: "fun_expression", ocFunction: "function_expression", ocFunctionType: "function_type", ocFunctor: "functor",
		ocIf: "if_expression", ocInclude: "include_module", ocIncludeType: "include_module_type", ocInherit: "inheritance_definition",
		ocInstanceVar: "instance_variable_definition", ocInstanceVarName: "instance_variable_name", ocLetBinding: "let_binding",
		ocMatchCase: "match_case", ocMethod: "method_definition", ocMethodName: "method_name", ocMethodSpec: "method_specification",
		ocModule: "module_definition", ocModuleBinding: "module_binding", ocModuleName: "module_name", ocModuleParam: "module_parameter", ocModuleType: "module_type_definition",
		ocModuleTypeName: "module_type_name", ocOpen: "open_module", ocParameter: "parameter", ocOperatorName: "parenthesized_operator",
		ocPolymorphic: "polymorphic_variant_type", ocRecord: "record_declaration", ocTag: "tag", ocTagSpec: "tag_specification", ocSignature: "signature", ocStructure: "structure", ocTypeBinding: "type_binding", ocTypeDef: "type_definition",
		ocTypeName: "type_constructor", ocValueDef: "value_definition", ocValueName: "value_name", ocValueSpec: "value_specification",
		ocVariant: "variant_declaration", ocWhile: "while_expression", ocFor: "for_expression"}
}

func ocamlFields() []string {
	return []string{ocfBody: "body", ocfModule: "module", ocfModuleType: "module_type", ocfName: "name", ocfPattern: "pattern", ocfType: "type",
		ocfDefault: "default", ocfClassType: "class_type"}
}

func ocamlSpec() *spec {
	return &spec{
		language: tsocaml.LanguageOCaml,
		comments: []kind{ocComment},
		branches: []kind{ocIf, ocMatchCase, ocWhile, ocFor},
		quotes:   "\"",
		fields:   ocamlFields(),
		kinds:    ocamlKinds(),
	}
}

func ocamlInterfaceSpec() *spec {
	s := ocamlSpec()
	s.language = tsocaml.LanguageOCamlInterface
	return s
}

type ocaml struct{ *symbolsOnly }

func walkOCaml(f *file) {
	if strings.Contains(path.Base(f.path), ".ml") && !strings.HasSuffix(f.path, ".ml") && !strings.HasSuffix(f.path, ".mli") {
		return // lexers and parsers (.mll, .mly): OCaml inside another language
	}
	o := ocaml{newSymbolsOnly(f, docStyle{marks: "*", open: "(**", close: "*)", accept: func(c string) bool { return strings.HasPrefix(c, "(**") }})}
	o.items(root)
	plain.ExportTopLevel(o.facts)
}

// items reads the definitions of a file, structure, signature or object.
func (o ocaml) items(n node) {
	for c := o.firstNamed(n); c != none; c = o.nextNamed(c) {
		o.item(c)
	}
}

func (o ocaml) item(n node) {
	switch o.kind(n) {
	case ocValueDef:
		o.each(n, ocLetBinding, o.value)
	case ocValueSpec, ocExternal:
		o.specification(n)
	case ocTypeDef:
		o.each(n, ocTypeBinding, o.typeDef)
	case ocException:
		name := o.childKind(o.childKind(n, ocConstructor), ocConstructorName)
		o.declare(name, n, o.end(n), o.symbol(code.KindType))
	case ocModule:
		o.each(n, ocModuleBinding, o.module)
	case ocModuleType:
		o.holder(o.childKind(n, ocModuleTypeName), n, o.child(n, ocfBody), code.KindInterface)
	case ocClass:
		o.each(n, ocClassBinding, o.class)
	case ocClassType:
		o.each(n, ocClassTypeBinding, o.class)
	case ocMethod, ocMethodSpec:
		o.function(o.childKind(n, ocMethodName), n, n, code.KindMethod)
	case ocInstanceVar:
		o.declare(o.childKind(n, ocInstanceVarName), n, o.until(n, o.child(n, ocfBody)), o.symbol(code.KindField))
	case ocOpen:
		o.imports(code.Import{Spec: o.modulePath(n, ocfModule), Names: []code.ImportName{{Name: "*", Alias: "*"}}}, n)
	case ocIncludeType:
		o.nestedModules(o.child(n, ocfModuleType))
	case ocInclude:
		o.nestedModules(o.child(n, ocfModule))
		o.imports(code.Import{Spec: o.modulePath(n, ocfModule), Kind: code.ImportReexport, Names: []code.ImportName{{Name: "*", Alias: "*"}}}, n)
	}
}

func (o ocaml) symbol(k code.Kind) code.Symbol { return code.Symbol{Kind: k, Exported: true} }

// each reads the bindings of a definition (`let … and …`). Only the first has the
// keyword and the doc comment above it.
func (o ocaml) each(n node, k kind, read func(n, decl node)) {
	decl := n
	for c := o.first(n); c != none; c = o.sibling(c) {
		if o.kind(c) == k {
			read(c, decl)
			decl = none
		}
	}
}

// spannedNode returns the node a symbol spans: the whole definition for its first binding.
func spannedNode(n, decl node) node {
	if decl == none {
		return n
	}
	return decl
}

// until returns where a signature ends if a body follows: before the "=".
func (o ocaml) until(n, body node) uint32 {
	if body == none {
		return o.end(n)
	}
	return o.start(n) + uint32(len(strings.TrimRight(o.text[o.start(n):o.start(body)], "=: \t\r\n")))
}

// declare adds a symbol, whose doc comment may also be below it.
func (o ocaml) declare(name, decl node, until uint32, sym code.Symbol) int32 {
	if s := o.str(name); s == "_" {
		return -1
	}
	i := o.add(name, decl, until, sym)
	if i >= 0 && o.facts.Symbols[i].Doc == "" {
		o.facts.Symbols[i].Doc = o.docBelow(o.end(decl))
	}
	return i
}

func (o ocaml) value(n, decl node) {
	pattern := o.child(n, ocfPattern)
	switch o.kind(pattern) {
	case ocValueName, ocOperatorName:
		kind := code.KindConstant
		switch o.kind(o.child(n, ocfBody)) {
		case ocFun, ocFunction:
			kind = code.KindFunction
		default:
			if o.has(n, ocParameter) {
				kind = code.KindFunction
			}
		}
		o.function(pattern, n, spannedNode(n, decl), kind)
	default: // let (a, b) = …
		for c, end := pattern, o.after(pattern); c < end; c++ {
			if o.kind(c) == ocValueName {
				o.declare(c, c, o.end(c), o.symbol(code.KindConstant))
			}
		}
	}
}

// function declares the function that n binds, with its parameters and result.
func (o ocaml) function(name, n, decl node, kind code.Kind) {
	sym := o.symbol(kind)
	sym.Name = o.operator(name)
	sym.Exported = !strings.HasPrefix(sym.Name, "_") && !strings.Contains(o.text[o.start(decl):o.start(name)], "private")
	for c := o.first(n); c != none; c = o.sibling(c) {
		if o.kind(c) == ocParameter {
			p := o.paramText(c)
			if d := o.child(c, ocfDefault); d != none {
				p.Optional, p.Default = true, o.signature(o.start(d), o.end(d))
			}
			sym.Params = append(sym.Params, p)
		}
	}
	if t := o.child(n, ocfType); t != none {
		sym.Returns = o.signature(o.start(t), o.end(t))
	}
	body := o.child(n, ocfBody)
	until := o.until(decl, body)
	if body == none {
		until = o.end(n)
	}
	if kind == code.KindConstant && body != none && fitsSignature(o.str(decl)) {
		until = o.end(n)
	}
	o.declare(name, decl, until, sym)
}

// operator returns the name of an operator without parentheses.
func (o ocaml) operator(name node) string {
	s := o.str(name)
	if o.kind(name) == ocOperatorName {
		s = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(s, "("), ")"))
	}
	return s
}

// specification reads val and external.
func (o ocaml) specification(n node) {
	name := o.childKind(n, ocValueName)
	if name == none {
		name = o.childKind(n, ocOperatorName)
	}
	kind := code.KindConstant
	t := o.child(n, ocfType)
	if o.kind(n) == ocExternal || o.kind(t) == ocFunctionType {
		kind = code.KindFunction
	}
	sym := o.symbol(kind)
	sym.Name, sym.Returns = o.operator(name), ""
	o.declare(name, n, o.end(n), sym)
}

func (o ocaml) typeDef(n, decl node) {
	name, body := o.child(n, ocfName), o.child(n, ocfBody)
	kind := code.KindType
	switch o.kind(body) {
	case ocRecord:
		kind = code.KindStruct
	case ocVariant, ocPolymorphic:
		kind = code.KindEnum
	}
	w := spannedNode(n, decl)
	if body != none && strings.HasSuffix(strings.TrimRight(o.text[o.end(name):o.start(body)], " \t\r\n|"), "+=") { // more constructors
		o.members(body)
		return
	}
	until := o.end(n)
	if kind != code.KindType {
		until = o.until(w, body)
	}
	i := o.declare(name, w, until, o.symbol(kind))
	o.inside(i, func() { o.members(body) })
}

// members declares the fields of a record and the constructors of a variant.
func (o ocaml) members(body node) {
	for c := o.firstNamed(body); c != none; c = o.nextNamed(c) {
		switch o.kind(c) {
		case ocField:
			o.declare(o.childKind(c, ocFieldName), c, o.end(c), o.symbol(code.KindField))
		case ocConstructor:
			i := o.declare(o.childKind(c, ocConstructorName), c, o.end(c), o.symbol(code.KindEnumMember))
			o.inside(i, func() { o.members(o.childKind(c, ocRecord)) })
		case ocTagSpec:
			tag := o.childKind(c, ocTag)
			sym := o.symbol(code.KindEnumMember)
			sym.Name = strings.TrimPrefix(o.str(tag), "`")
			o.declare(tag, c, o.end(c), sym)
		}
	}
}

func (o ocaml) module(n, decl node) {
	body := o.child(n, ocfBody)
	if body == none {
		body = o.child(n, ocfModuleType)
	}
	o.holder(o.childKind(n, ocModuleName), spannedNode(n, decl), body, code.KindModule)
}

// holder declares a module or module type and reads its content.
func (o ocaml) holder(name, decl, body node, kind code.Kind) {
	until := o.end(decl)
	switch o.kind(body) {
	case ocStructure, ocSignature, ocFunctor:
		until = o.until(decl, body)
	}
	i := o.declare(name, decl, until, o.symbol(kind))
	o.inside(i, func() {
		o.nestedModules(body)
	})
}

// nestedModules reads the structures and signatures in a module expression: the body of
// a functor, the arguments of an application.
func (o ocaml) nestedModules(n node) {
	for c, end := n, o.after(n); c < end; {
		switch o.kind(c) {
		case ocStructure, ocSignature:
			o.items(c)
			c = o.after(c)
		case ocModuleParam:
			c = o.after(c)
		default:
			c++
		}
	}
}

func (o ocaml) class(n, decl node) {
	name, kind := o.childKind(n, ocClassName), code.KindClass
	if name == none {
		name, kind = o.childKind(n, ocClassTypeName), code.KindInterface
	}
	body := o.child(n, ocfBody)
	if body == none {
		body = o.child(n, ocfClassType)
	}
	w := spannedNode(n, decl)
	until := o.until(w, body)
	i := o.declare(name, w, until, o.symbol(kind))
	o.inside(i, func() { o.object(body, 8) })
}

// object reads the methods of an object, below parameters and arrows.
func (o ocaml) object(n node, depth int) {
	o.items(n)
	if depth == 0 {
		return
	}
	for c := o.firstNamed(n); c != none; c = o.nextNamed(c) {
		switch o.kind(c) {
		case ocMethod, ocMethodSpec, ocInstanceVar, ocInherit:
			return
		}
		if o.after(c) > c+1 && c > n {
			o.object(c, depth-1)
		}
	}
}

// modulePath returns the module an open or include names, or "" if it is computed.
func (o ocaml) modulePath(n node, f field) string {
	path := strings.Join(strings.Fields(o.fieldStr(n, f)), "")
	if strings.Trim(path, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.'") != "" {
		return ""
	}
	return path
}
