package extract

import tsjava "github.com/alexaandru/go-sitter-forest/java"

// Symbols of the Java grammar that extraction looks at.
const (
	jvIdentifier kind = iota + 1
	jvTypeIdentifier
	jvScopedIdentifier
	jvScopedType
	jvGenericType
	jvTypeArguments
	jvTypeParameter
	jvTypeBound
	jvArrayType
	jvAnnotatedType
	jvPackage
	jvImport
	jvAsterisk
	jvStatic
	jvFinal
	jvPrivate
	jvClass
	jvInterface
	jvEnum
	jvRecord
	jvAnnotationType
	jvAnnotationElement
	jvMethod
	jvConstructor
	jvCompactConstructor
	jvField
	jvConstant
	jvEnumConstant
	jvEnumDeclarations
	jvClassBody
	jvStaticInitializer
	jvModifiers
	jvAnnotation
	jvMarkerAnnotation
	jvElementPair
	jvSuperclass
	jvSuperInterfaces
	jvExtendsInterfaces
	jvTypeList
	jvDeclarator
	jvFormalParameter
	jvSpreadParameter
	jvReceiverParameter
	jvInferredParameters
	jvBlock
	jvConstructorBody
	jvLocalVariable
	jvFor
	jvEnhancedFor
	jvTryResources
	jvResource
	jvCatch
	jvCatchParameter
	jvCatchType
	jvLambda
	jvLabeled
	jvBreak
	jvContinue
	jvSwitch
	jvSwitchLabel
	jvSwitchGroup
	jvSwitchRule
	jvTypePattern
	jvRecordPattern
	jvRecordComponent
	jvInstanceof
	jvInvocation
	jvFieldAccess
	jvNew
	jvMethodReference
	jvParenthesized
	jvCast
	jvThis
	jvSuper
	jvExplicitConstructor
	jvModule
	jvLineComment
	jvBlockComment
	jvIf
	jvWhile
	jvDo
	jvTernary
	jvCase
	jvAnd
	jvOr
	jvString
	jvChar
	jvDecimal
	jvHex
	jvOctal
	jvBinary
	jvFloat
	jvHexFloat
	jvTrue
	jvFalse
	jvUnary
	jvNewWord
	jvPublic
	jvProtected
	jvFormalParameters
	jvNull
	jvClassLiteral
	jvArrayCreation
	jvArrayAccess
	jvBinaryExpression
	jvAssignment
	jvIntegralType
	jvFloatingType
	jvBooleanType
	jvWildcard
)

// Fields of the Java grammar.
const (
	jvfName field = iota + 1
	jvfBody
	jvfType
	jvfParameters
	jvfTypeParameters
	jvfDimensions
	jvfValue
	jvfObject
	jvfField
	jvfArguments
	jvfTypeArguments
	jvfResources
	jvfCondition
	jvfLeft
	jvfRight
	jvfPattern
	jvfConsequence
	jvfAlternative
	jvfArray
	jvfOperand
	jvfOperator
	jvfElement
)

func javaSpec() *spec {
	return &spec{
		language: tsjava.GetLanguage,
		kinds: []string{
			jvIdentifier: "identifier", jvTypeIdentifier: "type_identifier", jvScopedIdentifier: "scoped_identifier",
			jvScopedType: "scoped_type_identifier", jvGenericType: "generic_type", jvTypeArguments: "type_arguments",
			jvTypeParameter: "type_parameter", jvTypeBound: "type_bound",
			jvArrayType: "array_type", jvAnnotatedType: "annotated_type", jvPackage: "package_declaration",
			jvImport: "import_declaration", jvAsterisk: "asterisk", jvStatic: "'static", jvFinal: "'final", jvPrivate: "'private",
			jvClass: "class_declaration", jvInterface: "interface_declaration", jvEnum: "enum_declaration",
			jvRecord: "record_declaration", jvAnnotationType: "annotation_type_declaration",
			jvAnnotationElement: "annotation_type_element_declaration", jvMethod: "method_declaration",
			jvConstructor: "constructor_declaration", jvCompactConstructor: "compact_constructor_declaration",
			jvField: "field_declaration", jvConstant: "constant_declaration", jvEnumConstant: "enum_constant",
			jvEnumDeclarations: "enum_body_declarations", jvClassBody: "class_body",
			jvStaticInitializer: "static_initializer",
			jvModifiers:         "modifiers", jvAnnotation: "annotation", jvMarkerAnnotation: "marker_annotation",
			jvElementPair: "element_value_pair", jvSuperclass: "superclass", jvSuperInterfaces: "super_interfaces",
			jvExtendsInterfaces: "extends_interfaces", jvTypeList: "type_list", jvDeclarator: "variable_declarator",
			jvFormalParameter: "formal_parameter", jvSpreadParameter: "spread_parameter", jvReceiverParameter: "receiver_parameter",
			jvInferredParameters: "inferred_parameters", jvBlock: "block",
			jvConstructorBody: "constructor_body", jvLocalVariable: "local_variable_declaration", jvFor: "for_statement",
			jvEnhancedFor: "enhanced_for_statement", jvTryResources: "try_with_resources_statement", jvResource: "resource",
			jvCatch: "catch_clause", jvCatchParameter: "catch_formal_parameter", jvCatchType: "catch_type",
			jvLambda: "lambda_expression", jvLabeled: "labeled_statement", jvBreak: "break_statement",
			jvContinue: "continue_statement", jvSwitch: "switch_expression",
			jvSwitchLabel: "switch_label", jvSwitchGroup: "switch_block_statement_group", jvSwitchRule: "switch_rule",
			jvTypePattern: "type_pattern", jvRecordPattern: "record_pattern", jvRecordComponent: "record_pattern_component",
			jvInstanceof: "instanceof_expression", jvInvocation: "method_invocation", jvFieldAccess: "field_access",
			jvNew: "object_creation_expression", jvMethodReference: "method_reference", jvParenthesized: "parenthesized_expression",
			jvCast: "cast_expression", jvThis: "this", jvSuper: "super", jvExplicitConstructor: "explicit_constructor_invocation",
			jvModule: "module_declaration", jvLineComment: "line_comment", jvBlockComment: "block_comment",
			jvIf: "if_statement", jvWhile: "while_statement", jvDo: "do_statement", jvTernary: "ternary_expression",
			jvCase: "'case", jvAnd: "'&&", jvOr: "'||", jvString: "string_literal", jvChar: "character_literal",
			jvDecimal: "decimal_integer_literal", jvHex: "hex_integer_literal", jvOctal: "octal_integer_literal",
			jvBinary: "binary_integer_literal", jvFloat: "decimal_floating_point_literal",
			jvHexFloat: "hex_floating_point_literal", jvTrue: "true", jvFalse: "false", jvUnary: "unary_expression",
			jvNewWord: "'new", jvPublic: "'public", jvProtected: "'protected",
			jvFormalParameters: "formal_parameters", jvNull: "null_literal", jvClassLiteral: "class_literal",
			jvArrayCreation: "array_creation_expression", jvArrayAccess: "array_access", jvBinaryExpression: "binary_expression",
			jvAssignment: "assignment_expression", jvIntegralType: "integral_type", jvFloatingType: "floating_point_type",
			jvBooleanType: "boolean_type", jvWildcard: "wildcard",
		},
		fields: []string{
			jvfName: "name", jvfBody: "body", jvfType: "type", jvfParameters: "parameters", jvfTypeParameters: "type_parameters",
			jvfDimensions: "dimensions", jvfValue: "value", jvfObject: "object", jvfField: "field",
			jvfArguments: "arguments", jvfTypeArguments: "type_arguments", jvfResources: "resources", jvfCondition: "condition",
			jvfLeft: "left", jvfRight: "right", jvfPattern: "pattern",
			jvfConsequence: "consequence", jvfAlternative: "alternative", jvfArray: "array", jvfOperand: "operand", jvfOperator: "operator",
			jvfElement: "element",
		},
		comments: []kind{jvLineComment, jvBlockComment},
		branches: []kind{jvIf, jvFor, jvEnhancedFor, jvWhile, jvDo, jvCatch, jvTernary, jvCase, jvAnd, jvOr},
		quotes:   `"'`,
	}
}
