package extract

import tskotlin "github.com/tree-sitter-grammars/tree-sitter-kotlin/bindings/go"

// Symbols of the Kotlin grammar that extraction looks at. It has no node of its
// own for true, false, null, break and continue: they are identifiers.
const (
	ktIdentifier kind = iota + 1
	ktQualified
	ktPackage
	ktImport
	ktAsterisk
	ktFileAnnotation
	ktClass
	ktInterfaceWord
	ktObject
	ktCompanion
	ktFunction
	ktProperty
	ktTypeAlias
	ktSecondary
	ktPrimary
	ktClassParams
	ktClassParam
	ktEnumEntry
	ktClassBody
	ktEnumBody
	ktInit
	ktModifiers
	ktAnnotation
	ktClassModifier
	ktVisibility
	ktPropModifier
	ktParamModifiers
	ktTypeParams
	ktTypeParam
	ktConstraint
	ktDelegations
	ktDelegation
	ktCtorInvocation
	ktExplicitDelegation
	ktDelegationCall
	ktValueParams
	ktParameter
	ktBody
	ktBlock
	ktVariable
	ktMultiVariable
	ktGetter
	ktSetter
	ktUserType
	ktNullable
	ktNonNullable
	ktParenType
	ktFunctionType
	ktTypeArgs
	ktCall
	ktNavigation
	ktInfix
	ktCallableRef
	ktThis
	ktSuper
	ktLambda
	ktAnnotatedLambda
	ktLambdaParams
	ktAnonymousFun
	ktObjectLiteral
	ktFor
	ktWhile
	ktDo
	ktIf
	ktWhenSubject
	ktWhenEntry
	ktCatch
	ktReturn
	ktAs
	ktValueArgs
	ktValueArg
	ktParen
	ktUnary
	ktBinary
	ktString
	ktMultiString
	ktChar
	ktNumber
	ktFloat
	ktLineComment
	ktBlockComment
	ktAnd
	ktOr
	ktElvis
	ktEquals
	ktVal
	ktVar
	ktColons
	ktUseSite
	ktLabel
	ktIndex
	ktDelegate
)

// Fields of the Kotlin grammar.
const (
	ktfName field = iota + 1
	ktfType
)

func kotlinSpec() *spec {
	return &spec{
		language: tskotlin.Language,
		kinds: []string{
			ktIdentifier: "identifier", ktQualified: "qualified_identifier", ktPackage: "package_header", ktImport: "import",
			ktAsterisk: "'*", ktFileAnnotation: "file_annotation", ktClass: "class_declaration", ktInterfaceWord: "'interface",
			ktObject: "object_declaration", ktCompanion: "companion_object", ktFunction: "function_declaration",
			ktProperty: "property_declaration", ktTypeAlias: "type_alias", ktSecondary: "secondary_constructor",
			ktPrimary: "primary_constructor", ktClassParams: "class_parameters", ktClassParam: "class_parameter",
			ktEnumEntry: "enum_entry", ktClassBody: "class_body", ktEnumBody: "enum_class_body", ktInit: "anonymous_initializer",
			ktModifiers: "modifiers", ktAnnotation: "annotation", ktClassModifier: "class_modifier", ktVisibility: "visibility_modifier",
			ktPropModifier: "property_modifier", ktParamModifiers: "parameter_modifiers", ktTypeParams: "type_parameters",
			ktTypeParam: "type_parameter", ktConstraint: "type_constraint", ktDelegations: "delegation_specifiers",
			ktDelegation: "delegation_specifier", ktCtorInvocation: "constructor_invocation", ktExplicitDelegation: "explicit_delegation",
			ktDelegationCall: "constructor_delegation_call", ktValueParams: "function_value_parameters", ktParameter: "parameter",
			ktBody: "function_body", ktBlock: "block", ktVariable: "variable_declaration", ktMultiVariable: "multi_variable_declaration",
			ktGetter: "getter", ktSetter: "setter", ktUserType: "user_type", ktNullable: "nullable_type", ktNonNullable: "non_nullable_type",
			ktParenType: "parenthesized_type", ktFunctionType: "function_type", ktTypeArgs: "type_arguments", ktCall: "call_expression",
			ktNavigation: "navigation_expression", ktInfix: "infix_expression", ktCallableRef: "callable_reference",
			ktThis: "this_expression", ktSuper: "super_expression", ktLambda: "lambda_literal", ktAnnotatedLambda: "annotated_lambda",
			ktLambdaParams: "lambda_parameters", ktAnonymousFun: "anonymous_function", ktObjectLiteral: "object_literal",
			ktFor: "for_statement", ktWhile: "while_statement", ktDo: "do_while_statement", ktIf: "if_expression",
			ktWhenSubject: "when_subject", ktWhenEntry: "when_entry", ktCatch: "catch_block", ktReturn: "return_expression",
			ktAs: "as_expression", ktValueArgs: "value_arguments", ktValueArg: "value_argument", ktParen: "parenthesized_expression",
			ktUnary: "unary_expression", ktBinary: "binary_expression", ktString: "string_literal", ktMultiString: "multiline_string_literal", ktChar: "character_literal",
			ktNumber: "number_literal", ktFloat: "float_literal", ktLineComment: "line_comment", ktBlockComment: "block_comment",
			ktAnd: "'&&", ktOr: "'||", ktElvis: "'?:", ktEquals: "'=", ktVal: "'val", ktVar: "'var", ktColons: "'::",
			ktUseSite: "use_site_target", ktLabel: "label", ktIndex: "index_expression", ktDelegate: "property_delegate",
		},
		fields:   []string{ktfName: "name", ktfType: "type"},
		comments: []kind{ktLineComment, ktBlockComment},
		branches: []kind{ktIf, ktFor, ktWhile, ktDo, ktCatch, ktWhenEntry, ktAnd, ktOr, ktElvis},
		quotes:   `"'`,
	}
}
