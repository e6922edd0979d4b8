package extract

import (
	"slices"

	tsc "github.com/alexaandru/go-sitter-forest/c"
	tscpp "github.com/alexaandru/go-sitter-forest/cpp"
)

// Symbols of the C and C++ grammars that extraction looks at. Only C++ has those
// from cxClass on.
const (
	cxIdentifier kind = iota + 1
	cxTypeIdentifier
	cxFieldIdentifier
	cxPrimitive
	cxSizedType
	cxMacroType
	cxTypeDescriptor
	cxTypeQualifier
	cxStorageClass
	cxStatementIdentifier
	cxFunction
	cxDeclaration
	cxTypedef
	cxLinkage
	cxDeclarationList
	cxStruct
	cxUnion
	cxEnum
	cxFieldList
	cxField
	cxEnumeratorList
	cxEnumerator
	cxBitfield
	cxParameterList
	cxParameter
	cxVariadic
	cxInitDeclarator
	cxPointerDeclarator
	cxArrayDeclarator
	cxFunctionDeclarator
	cxParenDeclarator
	cxAttributedDeclarator
	cxAbstractFunction
	cxAttributeSpecifier
	cxAttributeDeclaration
	cxDeclspec
	cxCallModifier
	cxInclude
	cxDefine
	cxDefineFunction
	cxPreprocCall
	cxPreprocIf
	cxPreprocIfdef
	cxPreprocElif
	cxPreprocElifdef
	cxPreprocElse
	cxPreprocArg
	cxPreprocParams
	cxString
	cxSystemLib
	cxConcatenated
	cxChar
	cxNumber
	cxTrue
	cxFalse
	cxCompound
	cxExpressionStatement
	cxFor
	cxIf
	cxWhile
	cxDo
	cxSwitch
	cxCase
	cxConditional
	cxAnd
	cxOr
	cxCall
	cxArgumentList
	cxFieldExpression
	cxParenthesized
	cxPointerExpression
	cxSubscript
	cxCast
	cxAssignment
	cxCompoundLiteral
	cxInitializerList
	cxInitializerPair
	cxFieldDesignator
	cxOffsetof
	cxUnary
	cxComment
	cxAsm
	cxSemicolon
	cxClass
	cxNamespace
	cxNamespaceIdentifier
	cxNestedNamespace
	cxNamespaceAlias
	cxUsing
	cxAlias
	cxConcept
	cxTemplate
	cxTemplateParameters
	cxTypeParameter
	cxOptionalTypeParameter
	cxVariadicTypeParameter
	cxTemplateTemplateParameter
	cxOptionalParameter
	cxVariadicParameter
	cxTemplateType
	cxTemplateFunction
	cxTemplateMethod
	cxTemplateArguments
	cxTemplateInstantiation
	cxQualified
	cxDependentName
	cxDependentType
	cxPlaceholder
	cxDestructor
	cxOperator
	cxOperatorCast
	cxReferenceDeclarator
	cxVariadicDeclarator
	cxPointerTypeDeclarator
	cxStructuredBinding
	cxBases
	cxAccess
	cxFriend
	cxExplicit
	cxVirtual
	cxFieldInitializers
	cxFieldInitializer
	cxTrailingReturn
	cxDefaultClause
	cxDeleteClause
	cxPureVirtual
	cxLambda
	cxCaptures
	cxCaptureInitializer
	cxNew
	cxThis
	cxRangeFor
	cxCatch
	cxConditionClause
	cxRawString
	cxModuleImport
	cxModule
	cxLast
)

// Fields of the C and C++ grammars. Only C++ has those from cxfScope on.
const (
	cxfName field = iota + 1
	cxfType
	cxfDeclarator
	cxfBody
	cxfParameters
	cxfValue
	cxfFunction
	cxfArguments
	cxfArgument
	cxfField
	cxfPath
	cxfCondition
	cxfSize
	cxfDesignator
	cxfLeft
	cxfRight
	cxfUnderlying
	cxfScope
	cxfDefault
	cxfDefaultType
	cxfInitializer
	cxfLast
)

func cKinds() []string {
	return []string{
		cxIdentifier: "identifier", cxTypeIdentifier: "type_identifier", cxFieldIdentifier: "field_identifier",
		cxPrimitive: "primitive_type", cxSizedType: "sized_type_specifier", cxTypeDescriptor: "type_descriptor",
		cxTypeQualifier: "type_qualifier", cxStorageClass: "storage_class_specifier",
		cxStatementIdentifier: "statement_identifier", cxFunction: "function_definition", cxDeclaration: "declaration",
		cxTypedef: "type_definition", cxLinkage: "linkage_specification", cxDeclarationList: "declaration_list",
		cxStruct: "struct_specifier", cxUnion: "union_specifier", cxEnum: "enum_specifier",
		cxFieldList: "field_declaration_list", cxField: "field_declaration", cxEnumeratorList: "enumerator_list",
		cxEnumerator: "enumerator", cxBitfield: "bitfield_clause", cxParameterList: "parameter_list",
		cxParameter: "parameter_declaration", cxInitDeclarator: "init_declarator",
		cxPointerDeclarator: "pointer_declarator", cxArrayDeclarator: "array_declarator",
		cxFunctionDeclarator: "function_declarator", cxParenDeclarator: "parenthesized_declarator",
		cxAttributedDeclarator: "attributed_declarator", cxAbstractFunction: "abstract_function_declarator",
		cxAttributeSpecifier: "attribute_specifier", cxAttributeDeclaration: "attribute_declaration",
		cxDeclspec: "ms_declspec_modifier", cxCallModifier: "ms_call_modifier", cxInclude: "preproc_include",
		cxDefine: "preproc_def", cxDefineFunction: "preproc_function_def", cxPreprocCall: "preproc_call",
		cxPreprocIf: "preproc_if", cxPreprocIfdef: "preproc_ifdef", cxPreprocElif: "preproc_elif",
		cxPreprocElifdef: "preproc_elifdef", cxPreprocElse: "preproc_else", cxPreprocArg: "preproc_arg",
		cxPreprocParams: "preproc_params", cxString: "string_literal", cxSystemLib: "system_lib_string",
		cxConcatenated: "concatenated_string", cxChar: "char_literal", cxNumber: "number_literal", cxTrue: "true",
		cxFalse: "false", cxCompound: "compound_statement", cxExpressionStatement: "expression_statement",
		cxFor: "for_statement", cxIf: "if_statement", cxWhile: "while_statement", cxDo: "do_statement",
		cxSwitch: "switch_statement", cxCase: "'case", cxConditional: "conditional_expression", cxAnd: "'&&", cxOr: "'||",
		cxCall: "call_expression", cxArgumentList: "argument_list", cxFieldExpression: "field_expression",
		cxParenthesized: "parenthesized_expression", cxPointerExpression: "pointer_expression",
		cxSubscript: "subscript_expression", cxCast: "cast_expression", cxAssignment: "assignment_expression",
		cxCompoundLiteral: "compound_literal_expression", cxInitializerList: "initializer_list",
		cxInitializerPair: "initializer_pair", cxFieldDesignator: "field_designator", cxOffsetof: "offsetof_expression",
		cxUnary: "unary_expression", cxComment: "comment", cxAsm: "gnu_asm_expression", cxSemicolon: "';",
	}
}

func cFields() []string {
	return []string{
		cxfName: "name", cxfType: "type", cxfDeclarator: "declarator", cxfBody: "body", cxfParameters: "parameters",
		cxfValue: "value", cxfFunction: "function", cxfArguments: "arguments", cxfArgument: "argument", cxfField: "field",
		cxfPath: "path", cxfCondition: "condition", cxfSize: "size", cxfDesignator: "designator", cxfLeft: "left", cxfRight: "right",
	}
}

func cSpec() *spec {
	kinds := slices.Grow(cKinds(), 1)
	kinds[cxMacroType], kinds[cxVariadic] = "macro_type_specifier", "variadic_parameter"
	kinds = append(kinds, make([]string, int(cxLast)-len(kinds))...)
	fields := append(cFields(), make([]string, int(cxfLast)-len(cFields()))...)
	fields[cxfUnderlying] = "underlying_type"
	return &spec{
		language: tsc.GetLanguage, kinds: kinds, fields: fields,
		comments: []kind{cxComment},
		optional: []kind{cxSemicolon},
		branches: []kind{cxIf, cxFor, cxWhile, cxDo, cxCase, cxConditional, cxAnd, cxOr},
		quotes:   `"'`,
	}
}

func cppSpec() *spec {
	kinds := append(cKinds(), make([]string, int(cxLast)-len(cKinds()))...)
	for k, name := range map[kind]string{
		cxClass: "class_specifier", cxNamespace: "namespace_definition", cxNamespaceIdentifier: "namespace_identifier",
		cxNestedNamespace: "nested_namespace_specifier", cxNamespaceAlias: "namespace_alias_definition",
		cxUsing: "using_declaration", cxAlias: "alias_declaration", cxConcept: "concept_definition",
		cxTemplate: "template_declaration", cxTemplateParameters: "template_parameter_list",
		cxTypeParameter: "type_parameter_declaration", cxOptionalTypeParameter: "optional_type_parameter_declaration",
		cxVariadicTypeParameter:     "variadic_type_parameter_declaration",
		cxTemplateTemplateParameter: "template_template_parameter_declaration",
		cxOptionalParameter:         "optional_parameter_declaration", cxVariadicParameter: "variadic_parameter_declaration",
		cxTemplateType: "template_type", cxTemplateFunction: "template_function", cxTemplateMethod: "template_method",
		cxTemplateArguments: "template_argument_list", cxTemplateInstantiation: "template_instantiation",
		cxQualified: "qualified_identifier", cxDependentName: "dependent_name", cxDependentType: "dependent_type",
		cxPlaceholder: "placeholder_type_specifier", cxDestructor: "destructor_name", cxOperator: "operator_name",
		cxOperatorCast: "operator_cast", cxReferenceDeclarator: "reference_declarator",
		cxVariadicDeclarator: "variadic_declarator", cxPointerTypeDeclarator: "pointer_type_declarator",
		cxStructuredBinding: "structured_binding_declarator", cxBases: "base_class_clause", cxAccess: "access_specifier",
		cxFriend: "friend_declaration", cxExplicit: "explicit_function_specifier", cxVirtual: "'virtual",
		cxFieldInitializers: "field_initializer_list", cxFieldInitializer: "field_initializer",
		cxTrailingReturn: "trailing_return_type", cxDefaultClause: "default_method_clause",
		cxDeleteClause: "delete_method_clause", cxPureVirtual: "pure_virtual_clause", cxLambda: "lambda_expression",
		cxCaptures: "lambda_capture_specifier", cxCaptureInitializer: "lambda_capture_initializer", cxNew: "new_expression",
		cxThis: "this", cxRangeFor: "for_range_loop", cxCatch: "catch_clause", cxConditionClause: "condition_clause",
		cxRawString: "raw_string_literal", cxVariadic: "'...", cxModuleImport: "import_declaration", cxModule: "module_declaration",
	} {
		kinds[k] = name
	}
	fields := append(cFields(), make([]string, int(cxfLast)-len(cFields()))...)
	fields[cxfScope], fields[cxfDefault], fields[cxfDefaultType] = "scope", "default_value", "default_type"
	fields[cxfUnderlying], fields[cxfInitializer] = "base", "initializer"
	return &spec{
		language: tscpp.GetLanguage, kinds: kinds, fields: fields,
		comments: []kind{cxComment},
		optional: []kind{cxSemicolon},
		branches: []kind{cxIf, cxFor, cxRangeFor, cxWhile, cxDo, cxCase, cxConditional, cxAnd, cxOr, cxCatch},
		quotes:   `"'`,
	}
}
