package extract

import tsswift "github.com/alexaandru/go-sitter-forest/swift"

// Symbols of the Swift grammar that extraction looks at.
const (
	swIdentifier kind = iota + 1
	swTypeIdentifier
	swPath
	swImport
	swClass
	swProtocol
	swFunction
	swProtocolFunction
	swInit
	swDeinit
	swSubscript
	swProperty
	swProtocolProperty
	swTypealias
	swAssociated
	swOperator
	swCustomOperator
	swPrecedence
	swMacro
	swEnumEntry
	swEnumTypes
	swClassBody
	swEnumBody
	swProtocolBody
	swModifiers
	swAttribute
	swVisibility
	swInheritance
	swTypeParameters
	swTypeParameter
	swConstraints
	swInheritanceConstraint
	swParameter
	swFunctionBody
	swComputed
	swObservers
	swAnnotation
	swPattern
	swBindingPattern
	swUserType
	swOptionalType
	swArrayType
	swDictionaryType
	swFunctionType
	swTupleType
	swOpaqueType
	swExistentialType
	swMetatype
	swComposition
	swCall
	swCallSuffix
	swNavigation
	swNavigationSuffix
	swSelf
	swSuper
	swPrefix
	swPostfix
	swTry
	swAwait
	swAs
	swTuple
	swLambda
	swLambdaParameter
	swCapture
	swLabel
	swIf
	swGuard
	swWhile
	swRepeat
	swFor
	swSwitchEntry
	swCatch
	swDo
	swStatements
	swTernary
	swConjunction
	swDisjunction
	swNil
	swDirective
	swComment
	swMultiline
	swString
	swInteger
	swReal
	swBoolean
	swWordClass
	swWordStruct
	swWordEnum
	swWordExtension
	swWordActor
	swWordLet
	swColon
	swArrow
	swElse
)

// Fields of the Swift grammar.
const (
	swfName field = iota + 1
	swfBody
	swfBound
	swfValue
	swfDefault
	swfTarget
	swfSuffix
	swfItem
	swfCollection
	swfExpr
	swfError
	swfRaw
	swfCondition
)

func swiftSpec() *spec {
	return &spec{
		language: tsswift.GetLanguage,
		kinds: []string{
			swIdentifier: "simple_identifier", swTypeIdentifier: "type_identifier", swPath: "identifier", swImport: "import_declaration",
			swClass: "class_declaration", swProtocol: "protocol_declaration", swFunction: "function_declaration",
			swProtocolFunction: "protocol_function_declaration", swInit: "init_declaration", swDeinit: "deinit_declaration",
			swSubscript: "subscript_declaration", swProperty: "property_declaration", swProtocolProperty: "protocol_property_declaration",
			swTypealias: "typealias_declaration", swAssociated: "associatedtype_declaration", swOperator: "operator_declaration",
			swCustomOperator: "custom_operator", swPrecedence: "precedence_group_declaration", swMacro: "macro_declaration",
			swEnumEntry: "enum_entry", swEnumTypes: "enum_type_parameters", swClassBody: "class_body", swEnumBody: "enum_class_body",
			swProtocolBody: "protocol_body", swModifiers: "modifiers", swAttribute: "attribute", swVisibility: "visibility_modifier",
			swInheritance: "inheritance_specifier", swTypeParameters: "type_parameters", swTypeParameter: "type_parameter",
			swConstraints: "type_constraints", swInheritanceConstraint: "inheritance_constraint", swParameter: "parameter",
			swFunctionBody: "function_body", swComputed: "computed_property", swObservers: "willset_didset_block",
			swAnnotation: "type_annotation", swPattern: "pattern", swBindingPattern: "value_binding_pattern", swUserType: "user_type",
			swOptionalType: "optional_type", swArrayType: "array_type", swDictionaryType: "dictionary_type", swFunctionType: "function_type",
			swTupleType: "tuple_type", swOpaqueType: "opaque_type", swExistentialType: "existential_type", swMetatype: "metatype",
			swComposition: "protocol_composition_type", swCall: "call_expression", swCallSuffix: "call_suffix",
			swNavigation: "navigation_expression", swNavigationSuffix: "navigation_suffix", swSelf: "self_expression",
			swSuper: "super_expression", swPrefix: "prefix_expression", swPostfix: "postfix_expression", swTry: "try_expression",
			swAwait: "await_expression", swAs: "as_expression", swTuple: "tuple_expression", swLambda: "lambda_literal",
			swLambdaParameter: "lambda_parameter", swCapture: "capture_list_item", swLabel: "value_argument_label", swIf: "if_statement",
			swGuard: "guard_statement", swWhile: "while_statement", swRepeat: "repeat_while_statement", swFor: "for_statement",
			swSwitchEntry: "switch_entry", swCatch: "catch_block", swDo: "do_statement", swStatements: "statements",
			swTernary: "ternary_expression", swConjunction: "conjunction_expression", swDisjunction: "disjunction_expression",
			swNil: "nil_coalescing_expression", swDirective: "directive", swComment: "comment", swMultiline: "multiline_comment",
			swString: "line_string_literal", swInteger: "integer_literal", swReal: "real_literal", swBoolean: "boolean_literal",
			swWordClass: "'class", swWordStruct: "'struct", swWordEnum: "'enum", swWordExtension: "'extension", swWordActor: "'actor",
			swWordLet: "'let", swColon: "':", swArrow: "'->", swElse: "else",
		},
		fields: []string{
			swfName: "name", swfBody: "body", swfBound: "bound_identifier", swfValue: "value", swfDefault: "default_value",
			swfTarget: "target", swfSuffix: "suffix", swfItem: "item", swfCollection: "collection", swfExpr: "expr", swfError: "error",
			swfRaw: "raw_value", swfCondition: "condition",
		},
		comments: []kind{swComment, swMultiline},
		branches: []kind{swIf, swGuard, swWhile, swRepeat, swFor, swSwitchEntry, swCatch, swTernary, swConjunction, swDisjunction, swNil},
		quotes:   `"`,
	}
}
