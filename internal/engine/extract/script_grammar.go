package extract

import (
	"slices"

	tstsx "github.com/alexaandru/go-sitter-forest/tsx"
	tsts "github.com/alexaandru/go-sitter-forest/typescript"
	tsjs "github.com/tree-sitter/tree-sitter-javascript/bindings/go"
)

// The symbols the script reader asks for: first those only JavaScript's grammar has,
// then those of all three, then those of TSX and JSX, then TypeScript's.
const (
	_ kind = iota
	jsField
	jsUsing
	jsArguments
	jsArrayPattern
	jsArrow
	jsAssign
	jsAssignPattern
	jsAwait
	jsCall
	jsCatch
	jsClass
	jsClassBody
	jsClassDecl
	jsHeritage
	jsStaticBlock
	jsComment
	jsComputedName
	jsDecorator
	jsDo
	jsExportClause
	jsExportSpecifier
	jsExport
	jsExprStatement
	jsFalse
	jsForIn
	jsFor
	jsFuncDecl
	jsFuncExpr
	jsGenerator
	jsGeneratorDecl
	jsHTMLComment
	jsIdentifier
	jsIf
	jsImportCall
	jsImportClause
	jsImportSpecifier
	jsImport
	jsLexical
	jsMember
	jsMethod
	jsNamedImports
	jsNamespaceExport
	jsNamespaceImport
	jsNew
	jsNull
	jsNumber
	jsObject
	jsObjectAssignPattern
	jsObjectPattern
	jsPair
	jsPairPattern
	jsParen
	jsPrivateName
	jsPropertyName
	jsRest
	jsReturn
	jsSequence
	jsSubscript
	jsShorthand
	jsShorthandPattern
	jsSpread
	jsBlock
	jsString
	jsSuper
	jsCase
	jsTernary
	jsTemplate
	jsSubstitution
	jsThis
	jsTrue
	jsUnary
	jsUndefined
	jsVar
	jsDeclarator
	jsWhile
	jsKwAnd
	jsKwOr
	jsKwNullish
	jsKwOf
	jsKwDefault
	jsKwConst
	jsKwEquals
	jsKwOpen
	jsKwClose
	jsKwClass
	jsKwFunction
	jsxClosing
	jsxNamespaceName
	jsxOpening
	jsxSelfClosing
	tsAbstractClass
	tsAbstractMethod
	tsAccessibility
	tsAmbient
	tsAs
	tsAssertion
	tsCallSignature
	tsConstructSignature
	tsConstructorType
	tsEnumAssign
	tsEnum
	tsExtends
	tsExtendsType
	tsFuncSignature
	tsFuncType
	tsGeneric
	tsImplements
	tsImportAlias
	tsImportRequire
	tsIndexSignature
	tsInfer
	tsInstantiation
	tsInterfaceBody
	tsInterface
	tsInternalModule
	tsIntersection
	tsMappedClause
	tsMethodSignature
	tsModule
	tsNestedIdentifier
	tsNestedType
	tsNonNull
	tsObjectType
	tsOptionalParam
	tsParenType
	tsPredefined
	tsPropertySignature
	tsField
	tsReadonlyType
	tsRequiredParam
	tsSatisfies
	tsAlias
	tsAnnotation
	tsTypeName
	tsTypeParam
	tsTypeParams
	tsTypeQuery
	tsUnion
	tsConditional
	tsLookup
	tsLiteralType
	tsKwType
	tsKwReadonly
	tsKwGlobal
	tsKwOverride
	tsKwInterface
)

const (
	jsOnly   = jsArguments     // kinds below are in no TypeScript grammar
	tsOnly   = tsAbstractClass // kinds from here on are in no JavaScript grammar
	firstJSX = jsxClosing      // kinds from here to tsOnly are not in plain TypeScript
	plainTS  = tsAssertion     // not in TSX, where <T>x is an element
)

var scriptKinds = []string{
	jsField: "field_definition", jsUsing: "using_declaration",
	jsArguments: "arguments", jsArrayPattern: "array_pattern", jsArrow: "arrow_function",
	jsAssign: "assignment_expression", jsAssignPattern: "assignment_pattern",
	jsAwait: "await_expression", jsCall: "call_expression", jsCatch: "catch_clause", jsClass: "class", jsClassBody: "class_body",
	jsClassDecl: "class_declaration", jsHeritage: "class_heritage", jsStaticBlock: "class_static_block", jsComment: "comment",
	jsComputedName: "computed_property_name", jsDecorator: "decorator", jsDo: "do_statement", jsExportClause: "export_clause",
	jsExportSpecifier: "export_specifier", jsExport: "export_statement", jsExprStatement: "expression_statement", jsFalse: "false",
	jsForIn: "for_in_statement", jsFor: "for_statement", jsFuncDecl: "function_declaration",
	jsFuncExpr: "function_expression", jsGenerator: "generator_function", jsGeneratorDecl: "generator_function_declaration",
	jsHTMLComment: "html_comment", jsIdentifier: "identifier", jsIf: "if_statement", jsImportCall: "import",
	jsImportClause: "import_clause", jsImportSpecifier: "import_specifier", jsImport: "import_statement",
	jsLexical: "lexical_declaration", jsMember: "member_expression", jsMethod: "method_definition", jsNamedImports: "named_imports",
	jsNamespaceExport: "namespace_export", jsNamespaceImport: "namespace_import", jsNew: "new_expression", jsNull: "null",
	jsNumber: "number", jsObject: "object", jsObjectAssignPattern: "object_assignment_pattern", jsObjectPattern: "object_pattern",
	jsPair: "pair", jsPairPattern: "pair_pattern", jsParen: "parenthesized_expression", jsPrivateName: "private_property_identifier",
	jsPropertyName: "property_identifier", jsRest: "rest_pattern", jsReturn: "return_statement", jsSequence: "sequence_expression",
	jsSubscript:        "subscript_expression",
	jsShorthand:        "shorthand_property_identifier",
	jsShorthandPattern: "shorthand_property_identifier_pattern", jsSpread: "spread_element", jsBlock: "statement_block",
	jsString: "string", jsSuper: "super", jsCase: "switch_case", jsTernary: "ternary_expression",
	jsTemplate: "template_string", jsSubstitution: "template_substitution", jsThis: "this", jsTrue: "true", jsUnary: "unary_expression",
	jsUndefined: "undefined", jsVar: "variable_declaration", jsDeclarator: "variable_declarator", jsWhile: "while_statement",
	jsKwAnd: "'&&", jsKwOr: "'||", jsKwNullish: "'??", jsKwOf: "'of", jsKwDefault: "'default",
	jsKwConst: "'const", jsKwEquals: "'=", jsKwOpen: "'{", jsKwClose: "'}", jsKwClass: "'class", jsKwFunction: "'function",
	jsxClosing: "jsx_closing_element", jsxNamespaceName: "jsx_namespace_name", jsxOpening: "jsx_opening_element",
	jsxSelfClosing: "jsx_self_closing_element", tsAbstractClass: "abstract_class_declaration", tsAbstractMethod: "abstract_method_signature",
	tsAccessibility: "accessibility_modifier", tsAmbient: "ambient_declaration", tsAs: "as_expression", tsAssertion: "type_assertion",
	tsCallSignature: "call_signature", tsConstructSignature: "construct_signature", tsConstructorType: "constructor_type",
	tsEnumAssign: "enum_assignment", tsEnum: "enum_declaration", tsExtends: "extends_clause",
	tsExtendsType: "extends_type_clause", tsFuncSignature: "function_signature", tsFuncType: "function_type", tsGeneric: "generic_type",
	tsImplements: "implements_clause", tsImportAlias: "import_alias", tsImportRequire: "import_require_clause",
	tsIndexSignature: "index_signature", tsInfer: "infer_type", tsInstantiation: "instantiation_expression",
	tsInterfaceBody: "interface_body", tsInterface: "interface_declaration", tsInternalModule: "internal_module",
	tsIntersection: "intersection_type", tsMappedClause: "mapped_type_clause",
	tsMethodSignature: "method_signature", tsModule: "module", tsNestedIdentifier: "nested_identifier",
	tsNestedType: "nested_type_identifier", tsNonNull: "non_null_expression", tsObjectType: "object_type",
	tsOptionalParam: "optional_parameter", tsParenType: "parenthesized_type", tsPredefined: "predefined_type",
	tsPropertySignature: "property_signature", tsField: "public_field_definition", tsReadonlyType: "readonly_type",
	tsRequiredParam: "required_parameter", tsSatisfies: "satisfies_expression", tsAlias: "type_alias_declaration",
	tsAnnotation: "type_annotation", tsTypeName: "type_identifier", tsTypeParam: "type_parameter",
	tsTypeParams: "type_parameters", tsTypeQuery: "type_query", tsUnion: "union_type", tsConditional: "conditional_type",
	tsLookup: "lookup_type", tsLiteralType: "literal_type",
	tsKwType: "'type", tsKwReadonly: "'readonly", tsKwGlobal: "'global", tsKwOverride: "override_modifier",
	tsKwInterface: "'interface",
}

const (
	_ field = iota
	jsfName
	jsfBody
	jsfValue
	jsfLeft
	jsfRight
	jsfObject
	jsfProperty
	jsfFunction
	jsfArguments
	jsfConstructor
	jsfParameters
	jsfParameter
	jsfSource
	jsfAlias
	jsfDeclaration
	jsfKind
	jsfKey
	jsfIndex
	tsfReturnType
	tsfType
	tsfTypeParameters
	tsfTypeArguments
	tsfPattern
	tsfModule
)

var scriptFields = []string{
	jsfName: "name", jsfBody: "body", jsfValue: "value", jsfLeft: "left", jsfRight: "right", jsfObject: "object",
	jsfProperty: "property", jsfFunction: "function", jsfArguments: "arguments", jsfConstructor: "constructor",
	jsfParameters: "parameters", jsfParameter: "parameter", jsfSource: "source", jsfAlias: "alias", jsfDeclaration: "declaration",
	jsfKind: "kind", jsfKey: "key", jsfIndex: "index", tsfReturnType: "return_type",
	tsfType: "type", tsfTypeParameters: "type_parameters", tsfTypeArguments: "type_arguments", tsfPattern: "pattern",
	tsfModule: "module",
}

func scriptSpec(kinds []string) *spec {
	return &spec{
		kinds: kinds, fields: scriptFields, quotes: "\"'`", lines: true,
		comments: []kind{jsComment, jsHTMLComment},
		branches: []kind{jsIf, jsFor, jsForIn, jsWhile, jsDo, jsCase, jsCatch, jsTernary, jsKwAnd, jsKwOr, jsKwNullish},
		noted:    []kind{jsVar},
	}
}

// without returns kinds with the entries from one kind to before another blanked.
func without(kinds []string, from, to kind) []string {
	kinds = slices.Clone(kinds)
	clear(kinds[from:to])
	return kinds
}

func typescriptSpec() *spec {
	s := scriptSpec(without(without(scriptKinds, 0, jsOnly), firstJSX, tsOnly))
	s.language = tsts.GetLanguage
	return s
}

func tsxSpec() *spec {
	s := scriptSpec(without(without(scriptKinds, 0, jsOnly), plainTS, plainTS+1))
	s.language = tstsx.GetLanguage
	return s
}

func javascriptSpec() *spec {
	s := scriptSpec(scriptKinds[:tsOnly])
	s.fields = scriptFields[:tsfReturnType]
	s.language = tsjs.Language
	return s
}
