package extract

import tsscala "github.com/tree-sitter/tree-sitter-scala/bindings/go"

// Kinds of the Scala grammar.
const (
	scIdentifier kind = iota + 1
	scOperator
	scTypeIdentifier
	scPackage
	scPackageName
	scPackageObject
	scImport
	scExport
	scWildcardImport
	scSelectors
	scArrowRename
	scAsRename
	scClass
	scObject
	scTrait
	scEnum
	scEnumBody
	scEnumCases
	scSimpleCase
	scFullCase
	scFunction
	scFunctionDecl
	scVal
	scValDecl
	scVar
	scVarDecl
	scType
	scGiven
	scExtension
	scClassParams
	scClassParam
	scParams
	scParam
	scGivenParams
	scTypeParams
	scCovariant
	scContravariant
	scUpperBound
	scExtends
	scDerives
	scTemplate
	scWithTemplate
	scSelfType
	scModifiers
	scAccess
	scAnnotation
	scGenericType
	scCompoundType
	scAnnotatedType
	scStableType
	scStable
	scProjected
	scInfixType
	scLazyType
	scRepeatedType
	scAppliedType
	scNameAndType
	scTypeArgs
	scFunctionType
	scTupleType
	scSingleton
	scLiteralType
	scStructural
	scCall
	scGenericFunction
	scField
	scInfix
	scPostfix
	scNew
	scLambda
	scBindings
	scBinding
	scBlock
	scIndented
	scColonArgument
	scCaseClause
	scCatch
	scArguments
	scAssignment
	scParen
	scAscription
	scFor
	scEnumerator
	scIf
	scWhile
	scDo
	scCapture
	scTuplePattern
	scClassPattern
	scInfixPattern
	scAlternative
	scTyped
	scNamedPattern
	scInterpolated
	scString
	scComment
	scBlockComment
	scWildcard
	scIdentifiers
	scCaseWord
	scValWord
	scVarWord
	scComma
	scGivenWord
	scArrow
	scContextArrow
)

// Fields of the Scala grammar.
const (
	scfName field = iota + 1
	scfType
	scfBody
	scfPattern
	scfValue
	scfReturn
	scfDefault
	scfFunction
	scfField
	scfOperator
	scfLeft
	scfRight
	scfAlias
	scfPath
	scfInterpolator
)

func scalaSpec() *spec {
	return &spec{
		language: tsscala.Language,
		work:     2000, // the scanner reads the line again from its beginning for most tokens
		kinds: []string{
			scIdentifier: "identifier", scOperator: "operator_identifier", scTypeIdentifier: "type_identifier", scPackage: "package_clause",
			scPackageName: "package_identifier", scPackageObject: "package_object", scImport: "import_declaration",
			scExport: "export_declaration", scWildcardImport: "namespace_wildcard", scSelectors: "namespace_selectors",
			scArrowRename: "arrow_renamed_identifier", scAsRename: "as_renamed_identifier", scClass: "class_definition",
			scObject: "object_definition", scTrait: "trait_definition", scEnum: "enum_definition", scEnumBody: "enum_body",
			scEnumCases: "enum_case_definitions", scSimpleCase: "simple_enum_case", scFullCase: "full_enum_case",
			scFunction: "function_definition", scFunctionDecl: "function_declaration", scVal: "val_definition",
			scValDecl: "val_declaration", scVar: "var_definition", scVarDecl: "var_declaration", scType: "type_definition",
			scGiven: "given_definition", scExtension: "extension_definition", scClassParams: "class_parameters",
			scClassParam: "class_parameter", scParams: "parameters", scParam: "parameter", scGivenParams: "given_conditional",
			scTypeParams: "type_parameters", scCovariant: "covariant_type_parameter", scContravariant: "contravariant_type_parameter",
			scUpperBound: "upper_bound", scExtends: "extends_clause", scDerives: "derives_clause", scTemplate: "template_body",
			scWithTemplate: "with_template_body", scSelfType: "self_type", scModifiers: "modifiers", scAccess: "access_modifier",
			scAnnotation: "annotation", scGenericType: "generic_type", scCompoundType: "compound_type",
			scAnnotatedType: "annotated_type", scStableType: "stable_type_identifier", scStable: "stable_identifier",
			scProjected: "projected_type", scInfixType: "infix_type", scLazyType: "lazy_parameter_type",
			scRepeatedType: "repeated_parameter_type", scAppliedType: "applied_constructor_type", scNameAndType: "name_and_type",
			scTypeArgs: "type_arguments", scFunctionType: "function_type", scTupleType: "tuple_type", scSingleton: "singleton_type",
			scLiteralType: "literal_type", scStructural: "structural_type", scCall: "call_expression",
			scGenericFunction: "generic_function", scField: "field_expression", scInfix: "infix_expression",
			scPostfix: "postfix_expression", scNew: "instance_expression", scLambda: "lambda_expression", scBindings: "bindings",
			scBinding: "binding", scBlock: "block", scIndented: "indented_block", scColonArgument: "colon_argument",
			scCaseClause: "case_clause", scCatch: "catch_clause", scArguments: "arguments", scAssignment: "assignment_expression",
			scParen: "parenthesized_expression", scAscription: "ascription_expression", scFor: "for_expression",
			scEnumerator: "enumerator", scIf: "if_expression", scWhile: "while_expression", scDo: "do_while_expression",
			scCapture: "capture_pattern", scTuplePattern: "tuple_pattern", scClassPattern: "case_class_pattern",
			scInfixPattern: "infix_pattern", scAlternative: "alternative_pattern", scTyped: "typed_pattern",
			scNamedPattern: "named_pattern", scInterpolated: "interpolated_string_expression", scString: "string",
			scComment: "comment", scBlockComment: "block_comment", scWildcard: "wildcard", scIdentifiers: "identifiers",
			scCaseWord: "'case", scValWord: "'val", scVarWord: "'var", scComma: "',", scGivenWord: "'given", scArrow: "'=>",
			scContextArrow: "'?=>",
		},
		fields: []string{
			scfName: "name", scfType: "type", scfBody: "body", scfPattern: "pattern", scfValue: "value", scfReturn: "return_type",
			scfDefault: "default_value", scfFunction: "function", scfField: "field", scfOperator: "operator", scfLeft: "left",
			scfRight: "right", scfAlias: "alias", scfPath: "path", scfInterpolator: "interpolator",
		},
		comments: []kind{scComment, scBlockComment},
		branches: []kind{scIf, scFor, scWhile, scDo, scCatch, scCaseClause},
		quotes:   `"`,
	}
}
