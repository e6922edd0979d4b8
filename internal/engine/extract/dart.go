package extract

import (
	"strings"

	tsdart "github.com/alexaandru/go-sitter-forest/dart"

	"ken/internal/code"
	"ken/internal/engine/extract/plain"
)

// Dart: classes, mixins, enums, extensions and type aliases with their members,
// functions, accessors and variables of the library. As in the language, a name that
// does not begin with an underscore is exported. A getter is a method; a named
// constructor has its own name ("A.named").

// Symbols of the Dart grammar that extraction looks at.
const (
	dtCase kind = iota + 1
	dtCatch
	dtClass
	dtClassBody
	dtCombinator
	dtComment
	dtConditional
	dtConfigURI
	dtConst
	dtConstCtor
	dtCtor
	dtDeclaration
	dtDoc
	dtEnum
	dtEnumConstant
	dtExport
	dtExtension
	dtExtensionBody
	dtFactory
	dtFinal
	dtFor
	dtFunctionBody
	dtFunctionSig
	dtGetter
	dtIdentifier
	dtIf
	dtImport
	dtImportSpec
	dtInferred
	dtInitList
	dtInitOne
	dtMethodSig
	dtMixin
	dtMixinApplication
	dtOperator
	dtParameters
	dtParameter
	dtOptionalParameters
	dtPart
	dtPartOf
	dtRedirecting
	dtSetter
	dtStaticFinalList
	dtStaticFinalOne
	dtStringLit
	dtTypeAlias
	dtTypeIdentifier
	dtURI
	dtVoid
	dtWhile
	dtAnnotation
	dtAndAnd
	dtBinaryOp
	dtOrOr
	dtShow
)

// Fields of the Dart grammar.
const (
	dtfBody field = iota + 1
	dtfName
	dtfParameters
)

func dartSpec() *spec {
	return &spec{
		language: tsdart.GetLanguage,
		comments: []kind{dtComment, dtDoc},
		branches: []kind{dtIf, dtFor, dtWhile, dtCase, dtCatch, dtConditional, dtAndAnd, dtOrOr},
		quotes:   "\"'",
		fields:   []string{dtfBody: "body", dtfName: "name", dtfParameters: "parameters"},
		kinds: []string{dtCase: "switch_statement_case", dtCatch: "catch_clause", dtClass: "class_definition", dtClassBody: "class_body", dtCombinator: "combinator",
			dtComment: "comment", dtConditional: "conditional_expression", dtConfigURI: "configurable_uri", dtConst: "const_builtin",
			dtConstCtor: "constant_constructor_signature", dtCtor: "constructor_signature", dtDeclaration: "declaration", dtDoc: "documentation_comment",
			dtEnum: "enum_declaration", dtEnumConstant: "enum_constant", dtExport: "library_export", dtExtension: "extension_declaration",
			dtExtensionBody: "extension_body", dtFactory: "factory_constructor_signature", dtFinal: "final_builtin", dtFor: "for_statement",
			dtFunctionBody: "function_body", dtFunctionSig: "function_signature", dtGetter: "getter_signature", dtIdentifier: "identifier",
			dtIf: "if_statement", dtImport: "library_import", dtImportSpec: "import_specification", dtInferred: "inferred_type",
			dtInitList: "initialized_identifier_list", dtInitOne: "initialized_identifier", dtMethodSig: "method_signature", dtMixin: "mixin_declaration",
			dtMixinApplication: "mixin_application_class", dtOperator: "operator_signature", dtParameters: "formal_parameter_list",
			dtParameter: "formal_parameter", dtOptionalParameters: "optional_formal_parameters", dtPart: "part_directive", dtPartOf: "part_of_directive",
			dtRedirecting: "redirecting_factory_constructor_signature", dtSetter: "setter_signature", dtStaticFinalList: "static_final_declaration_list",
			dtStaticFinalOne: "static_final_declaration", dtStringLit: "string_literal", dtTypeAlias: "type_alias", dtTypeIdentifier: "type_identifier",
			dtURI: "uri", dtVoid: "void_type", dtWhile: "while_statement", dtAnnotation: "annotation", dtAndAnd: "'&&", dtBinaryOp: "binary_operator", dtOrOr: "'||", dtShow: "'show"},
	}
}

// How deep a source may nest, as the sum over all opening brackets of the number that
// are open: so much for any file, and so much for each of its bytes. Ordinary source
// has less than 1 a byte, generated source whose comments leave brackets open 2.
const (
	dartNestBase    = 2_000_000
	dartNestPerByte = 10
)

// nestsTooDeeplyDart reports whether brackets, or conditions in conditions, nest so
// deeply that parsing would take seconds. The grammar reads most brackets in two ways
// (a list or a pattern, a set or a block), and the runtime joins the two by walking down
// everything that is open. Because that allocates nothing, the work limit does not see
// it; it takes some 0.4 us for each bracket and each that is open around it.
func nestsTooDeeplyDart(src []byte) bool {
	open, conditions, sum := 0, 0, 0
	for _, c := range src {
		switch c {
		case '(', '[', '{':
			open++
			sum += open
		case ')', ']', '}':
			open = max(open-1, 0)
		case '?':
			conditions++
			sum += open + conditions
		case ';', ',':
			conditions = 0
		}
	}
	return sum > dartNestBase+dartNestPerByte*len(src)
}

type dart struct {
	*symbolsOnly
	// memberStart is where the annotations and modifiers of the member being read
	// begin. Its doc comment may be above them.
	memberStart uint32
}

func walkDart(f *file) {
	d := &dart{symbolsOnly: newSymbolsOnly(f, docStyle{marks: "/*", open: "/**", close: "*/", accept: func(c string) bool {
		return strings.HasPrefix(c, "///") || strings.HasPrefix(c, "/**")
	}})}
	d.members(root, "")
	plain.ExportTopLevel(d.facts)
}

// members reads the declarations of a library or of the body of a type; class is the
// type's name, "" at the top. The grammar has no node for some declarations (a top-level
// variable with its modifiers): such a one starts where the last one ended.
func (d *dart) members(n node, class string) {
	start, annotated := none, false
	for c := d.first(n); c != none; c = d.sibling(c) {
		if start == none && !d.isExtra(c) {
			if !annotated {
				d.memberStart, annotated = d.start(c), true
			}
			if k := d.kind(c); k == dtAnnotation {
				continue
			}
			start = c
		}
		switch k := d.kind(c); k {
		case dtMethodSig:
			for s := d.firstNamed(c); s != none; s = d.nextNamed(s) {
				d.function(s, start, class)
			}
			start = none
		case dtDeclaration:
			d.declaration(c, start, class)
			start = none
		case dtFunctionSig, dtGetter, dtSetter:
			d.function(c, start, class)
			start = none
		case dtInitList, dtStaticFinalList:
			d.variables(c, start, class)
			start = none
		case dtEnumConstant:
			d.declareMember(d.child(c, dtfName), c, d.end(c), code.KindEnumMember)
			start = none
		default:
			if d.topLevel(c) || k == dtFunctionBody || d.endsMember(c) {
				start = none
			}
		}
		annotated = annotated && start != none
	}
}

// endsMember reports whether c is a separator between members.
func (d *dart) endsMember(c node) bool {
	switch d.str(c) {
	case ";", ",", "{", "}":
		return !d.isNamed(c)
	}
	return d.isExtra(c)
}

// topLevel reads a directive or a type, and reports whether n is one.
func (d *dart) topLevel(n node) bool {
	switch d.kind(n) {
	case dtClass:
		name := d.child(n, dtfName)
		if app := d.childKind(n, dtMixinApplication); app != none {
			name = d.childKind(app, dtIdentifier)
		}
		d.typeDef(n, name, d.child(n, dtfBody), code.KindClass)
	case dtMixin:
		d.typeDef(n, d.childKind(n, dtIdentifier), d.childKind(n, dtClassBody), code.KindTrait)
	case dtEnum:
		d.typeDef(n, d.child(n, dtfName), d.child(n, dtfBody), code.KindEnum)
	case dtExtension:
		d.typeDef(n, d.child(n, dtfName), d.child(n, dtfBody), code.KindClass)
	case dtTypeAlias:
		d.typeAlias(n)
	default:
		return d.directive(n)
	}
	return true
}

// declareMember declares n, whose signature begins after its annotations and ends at
// byte until.
func (d *dart) declareMember(name, n node, until uint32, kind code.Kind) int32 {
	sym := code.Symbol{Kind: kind, Exported: d.isPublic(d.str(name)), Doc: d.docComment(n)}
	begin := n
	for c := d.first(n); c != none; c = d.sibling(c) {
		if k := d.kind(c); k != dtAnnotation && !d.isExtra(c) {
			begin = c
			break
		}
	}
	sym.Span = d.spanBetween(d.start(begin), d.end(n))
	return d.add(name, begin, until, sym)
}

// docComment returns the doc comment of the declaration that begins with n: right above it, or
// above its annotations.
func (d *dart) docComment(n node) string {
	if doc := d.doc(d.start(n)); doc != "" {
		return doc
	}
	return d.doc(d.memberStart)
}

// isPublic reports whether a name, and the type around it, is visible outside
// the library.
func (d *dart) isPublic(name string) bool {
	return !strings.HasPrefix(name, "_") && (d.owner < 0 || d.facts.Symbols[d.owner].Exported)
}

func (d *dart) typeDef(n, name, body node, kind code.Kind) {
	until := d.end(n)
	if body != none {
		until = d.start(body)
	}
	if name == none { // an extension without a name
		d.members(body, "")
		return
	}
	i := d.declareMember(name, n, until, kind)
	d.inside(i, func() { d.members(body, d.str(name)) })
}

// typeAlias reads typedef F = …; and the old typedef int F(int).
func (d *dart) typeAlias(n node) {
	name := d.childKind(n, dtTypeIdentifier)
	if params := d.childKind(n, dtParameters); params != none {
		for c := d.first(n); c != params && c != none; c = d.sibling(c) {
			if d.kind(c) == dtTypeIdentifier {
				name = c
			}
		}
	}
	d.declareMember(name, n, d.end(n), code.KindType)
}

// declaration reads a member without body: a field, an abstract method, a
// constructor.
func (d *dart) declaration(n, start node, class string) {
	for c := d.firstNamed(n); c != none; c = d.nextNamed(c) {
		switch d.kind(c) {
		case dtInitList, dtStaticFinalList:
			d.variables(c, start, class)
		default:
			d.function(c, start, class)
		}
	}
}

// function declares the function of signature n; start is where its modifiers begin.
func (d *dart) function(n, start node, class string) {
	sym := code.Symbol{Kind: code.KindMethod}
	if class == "" && d.owner < 0 {
		sym.Kind = code.KindFunction
	}
	name := d.child(n, dtfName)
	switch d.kind(n) {
	case dtFunctionSig, dtGetter, dtSetter:
		sym.Returns = d.returns(n, name)
	case dtOperator:
		if name = d.childKind(n, dtBinaryOp); name == none {
			name = d.operatorNode(n)
		}
	case dtCtor, dtConstCtor, dtFactory, dtRedirecting:
		sym.Kind = code.KindConstructor
		name = d.ctorName(n)
	default:
		return
	}
	params := d.childKind(n, dtParameters)
	d.addParams(&sym, params)
	if name == none {
		return
	}
	sym.Name = d.str(name)
	sym.Exported = d.isPublic(sym.Name)
	end := d.end(n)
	last := n
	switch p := d.parent(n); d.kind(p) {
	case dtMethodSig, dtDeclaration:
		last = p
	}
	if next := d.nextNamed(last); d.kind(next) == dtFunctionBody {
		last = next
	}
	sym.Span, sym.Doc = d.spanBetween(d.start(start), d.end(last)), d.docComment(start)
	d.add(name, start, end, sym)
}

// returns returns the declared result, which is the text before the name.
func (d *dart) returns(n, name node) string {
	first := d.firstNamed(n)
	if name == none || first == none || first == name || d.start(first) >= d.start(name) {
		return ""
	}
	text := strings.TrimRight(d.text[d.start(first):d.start(name)], " \t\r\n")
	text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(text, " get"), " set"))
	if text == "get" || text == "set" {
		return ""
	}
	return d.signature(d.start(first), d.start(first)+uint32(len(text)))
}

// operatorNode returns the operator of a declaration such as operator []: the node before
// the parameters, whose kind differs from operator to operator.
func (d *dart) operatorNode(n node) node {
	params := d.childKind(n, dtParameters)
	last := none
	for c := d.first(n); c != none && c != params; c = d.sibling(c) {
		last = c
	}
	return last
}

// ctorName returns the last of the names in front of the parameters.
func (d *dart) ctorName(n node) node {
	last := none
	for c := d.first(n); c != none && d.kind(c) != dtParameters; c = d.sibling(c) {
		if d.kind(c) == dtIdentifier {
			last = c
		}
	}
	return last
}

// addParams adds the parameters of a list to sym, including optional ones.
func (d *dart) addParams(sym *code.Symbol, params node) {
	for c := d.firstNamed(params); c != none; c = d.nextNamed(c) {
		switch d.kind(c) {
		case dtParameter:
			sym.Params = append(sym.Params, d.param(c))
		case dtOptionalParameters:
			for o := d.firstNamed(c); o != none; o = d.nextNamed(o) {
				if d.kind(o) == dtParameter {
					p := d.param(o)
					p.Optional = !d.isRequired(o)
					if v := d.nextNamed(o); v != none && d.kind(v) != dtParameter {
						p.Default = d.signature(d.start(v), d.end(v))
					}
					sym.Params = append(sym.Params, p)
				}
			}
		}
	}
}

// isRequired reports whether a parameter is marked `required`.
func (d *dart) isRequired(n node) bool {
	head := strings.TrimRight(d.text[:d.start(n)], " \t\r\n")
	return strings.HasSuffix(head, "required") || strings.HasPrefix(d.str(n), "required ")
}

func (d *dart) param(n node) code.Param {
	name := d.child(n, dtfName)
	if name == none {
		return d.paramText(n)
	}
	text := strings.TrimRight(d.text[d.start(n):d.start(name)], " \t\r\n")
	return code.Param{Name: d.str(name), Type: d.signature(d.start(n), d.start(n)+uint32(len(text)))}
}

// variables declares the names of a list; start is where it begins with its
// type and modifiers.
func (d *dart) variables(n, start node, class string) {
	kind := code.KindVariable
	if d.owner >= 0 {
		kind = code.KindField
	}
	constant := strings.Contains(d.text[d.start(start):d.start(n)], "const ")
	if constant {
		kind = code.KindConstant
	}
	for c := d.firstNamed(n); c != none; c = d.nextNamed(c) {
		name := d.childKind(c, dtIdentifier)
		if k := d.kind(c); k != dtInitOne && k != dtStaticFinalOne || name == none {
			continue
		}
		from := c
		if d.firstNamed(n) == c {
			from = start
		}
		sym := code.Symbol{Kind: kind, Exported: d.isPublic(d.str(name)), Doc: d.docComment(start)}
		sym.Span = d.spanBetween(d.start(from), d.end(c))
		until := d.end(c)
		if text := d.str(c); !fitsSignature(text) {
			until = d.end(name)
		}
		d.add(name, from, until, sym)
	}
}

// directive reads import, export and part, and reports whether n is one.
func (d *dart) directive(n node) bool {
	switch d.kind(n) {
	case dtPart:
		d.imports(code.Import{Spec: d.uri(n), Kind: code.ImportMod}, n)
		return true
	case dtPartOf:
		d.imports(code.Import{Spec: d.uri(n)}, n)
		return true
	}
	spec := d.firstNamed(n)
	switch d.kind(spec) {
	case dtImport:
		spec = d.childKind(spec, dtImportSpec)
		imp := code.Import{Spec: d.uri(spec), Names: d.shownNames(spec)}
		if alias := d.childKind(spec, dtIdentifier); alias != none {
			imp.Alias = d.str(alias)
		} else if imp.Names == nil {
			imp.Names = []code.ImportName{{Name: "*", Alias: "*"}}
		}
		d.imports(imp, n)
	case dtExport:
		imp := code.Import{Spec: d.uri(spec), Names: d.shownNames(spec), Kind: code.ImportReexport}
		if imp.Names == nil {
			imp.Names = []code.ImportName{{Name: "*", Alias: "*"}}
		}
		d.imports(imp, n)
	default:
		return false
	}
	return true
}

// uri returns the text of the first string in n.
func (d *dart) uri(n node) string {
	for c, end := n, d.after(n); c < end; c++ {
		if d.kind(c) == dtStringLit {
			return strings.Trim(d.str(c), `"'`)
		}
	}
	return ""
}

// shownNames lists the names after the word show, nil if there are none.
func (d *dart) shownNames(n node) []code.ImportName {
	var names []code.ImportName
	for c := d.firstNamed(n); c != none; c = d.nextNamed(c) {
		if d.kind(c) != dtCombinator || !strings.HasPrefix(d.str(c), "show") {
			continue
		}
		for m := d.firstNamed(c); m != none; m = d.nextNamed(m) {
			if name := d.str(m); d.kind(m) == dtIdentifier && name != "" {
				names = append(names, code.ImportName{Name: name, Alias: name})
			}
		}
	}
	return names
}
