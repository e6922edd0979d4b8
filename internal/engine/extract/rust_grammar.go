package extract

import tsrust "github.com/alexaandru/go-sitter-forest/rust"

// Symbols of the Rust grammar that extraction looks at.
const (
	rsAssociatedType kind = iota + 1
	rsAttribute
	rsAttributeItem
	rsBlock
	rsBlockComment
	rsBoundedType
	rsBracketedType
	rsCall
	rsClosure
	rsConst
	rsConstParameter
	rsCrate
	rsDot
	rsDynamicType
	rsAbstractType
	rsEnum
	rsEnumVariant
	rsExternCrate
	rsFieldDeclaration
	rsFieldDeclarationList
	rsFieldExpression
	rsFieldIdentifier
	rsFieldInitializer
	rsFieldPattern
	rsFor
	rsForeignMod
	rsFunction
	rsFunctionSignature
	rsGenericFunction
	rsGenericType
	rsTurbofishType
	rsGenericPattern
	rsHigherRankedBound
	rsIdentifier
	rsIf
	rsImpl
	rsInnerAttribute
	rsLabel
	rsLet
	rsLetCondition
	rsLifetime
	rsLineComment
	rsLoop
	rsMacroDefinition
	rsMacroInvocation
	rsMacroRule
	rsMatchArm
	rsMetavariable
	rsMod
	rsMutableSpecifier
	rsAwait
	rsTry
	rsParameter
	rsClosureParameters
	rsParenthesized
	rsPathSep
	rsPointerType
	rsPrimitiveType
	rsQualifiedType
	rsReference
	rsReferenceType
	rsScopedIdentifier
	rsScopedTypeIdentifier
	rsScopedUseList
	rsSelf
	rsSelfParameter
	rsShorthandField
	rsShorthandInitializer
	rsStatic
	rsStruct
	rsStructExpression
	rsStructPattern
	rsSuper
	rsTokenRepetition
	rsTokenTree
	rsTrait
	rsTraitBounds
	rsTupleStructPattern
	rsTypeBinding
	rsTypeIdentifier
	rsTypeItem
	rsTypeParameter
	rsUnary
	rsUnion
	rsUseAs
	rsUseBounds
	rsUseDeclaration
	rsUseList
	rsUseWildcard
	rsVariadicParameter
	rsVisibility
	rsWhile
	rsAnd
	rsOr
	rsBang
	rsString
	rsRawString
	rsChar
	rsInteger
	rsFloat
	rsBoolean
	rsNegative
	rsStringContent
	rsTuplePattern
	rsSlicePattern
	rsIndex
	rsTupleType
	rsArrayType
	rsRange
	rsWhere
	rsWherePredicate
)

// Fields of the Rust grammar.
const (
	rsfName field = iota + 1
	rsfBody
	rsfType
	rsfTrait
	rsfParameters
	rsfTypeParameters
	rsfReturnType
	rsfPattern
	rsfValue
	rsfPath
	rsfList
	rsfAlias
	rsfArgument
	rsfBounds
	rsfFunction
	rsfArguments
	rsfTypeArguments
	rsfField
	rsfMacro
	rsfCondition
	rsfConsequence
	rsfAlternative
	rsfRight
	rsfLeft
)

func rustSpec() *spec {
	return &spec{
		language: tsrust.GetLanguage,
		kinds: []string{
			rsAssociatedType: "associated_type", rsAttribute: "attribute",
			rsAttributeItem: "attribute_item", rsBlock: "block", rsBlockComment: "block_comment", rsBoundedType: "bounded_type",
			rsBracketedType: "bracketed_type", rsCall: "call_expression", rsClosure: "closure_expression", rsConst: "const_item",
			rsConstParameter: "const_parameter", rsCrate: "crate", rsDot: "'.",
			rsDynamicType: "dynamic_type", rsAbstractType: "abstract_type", rsEnum: "enum_item", rsEnumVariant: "enum_variant",
			rsExternCrate: "extern_crate_declaration", rsFieldDeclaration: "field_declaration",
			rsFieldDeclarationList: "field_declaration_list", rsFieldExpression: "field_expression", rsFieldIdentifier: "field_identifier",
			rsFieldInitializer: "field_initializer", rsFieldPattern: "field_pattern", rsFor: "for_expression",
			rsForeignMod: "foreign_mod_item", rsFunction: "function_item", rsFunctionSignature: "function_signature_item",
			rsGenericFunction: "generic_function", rsGenericType: "generic_type", rsTurbofishType: "generic_type_with_turbofish",
			rsGenericPattern: "generic_pattern", rsHigherRankedBound: "higher_ranked_trait_bound", rsIdentifier: "identifier",
			rsIf: "if_expression", rsImpl: "impl_item", rsInnerAttribute: "inner_attribute_item", rsLabel: "label",
			rsLet: "let_declaration", rsLetCondition: "let_condition", rsLifetime: "lifetime", rsLineComment: "line_comment",
			rsLoop: "loop_expression", rsMacroDefinition: "macro_definition", rsMacroInvocation: "macro_invocation",
			rsMacroRule: "macro_rule", rsMatchArm: "match_arm", rsMetavariable: "metavariable",
			rsMod: "mod_item", rsMutableSpecifier: "mutable_specifier", rsAwait: "await_expression", rsTry: "try_expression",
			rsParameter: "parameter", rsClosureParameters: "closure_parameters",
			rsParenthesized: "parenthesized_expression", rsPathSep: "'::", rsPointerType: "pointer_type",
			rsPrimitiveType: "primitive_type", rsQualifiedType: "qualified_type", rsReference: "reference_expression",
			rsReferenceType: "reference_type", rsScopedIdentifier: "scoped_identifier",
			rsScopedTypeIdentifier: "scoped_type_identifier", rsScopedUseList: "scoped_use_list", rsSelf: "self",
			rsSelfParameter: "self_parameter", rsShorthandField: "shorthand_field_identifier",
			rsShorthandInitializer: "shorthand_field_initializer", rsStatic: "static_item", rsStruct: "struct_item",
			rsStructExpression: "struct_expression", rsStructPattern: "struct_pattern", rsSuper: "super",
			rsTokenRepetition: "token_repetition", rsTokenTree: "token_tree",
			rsTrait: "trait_item", rsTraitBounds: "trait_bounds", rsTupleStructPattern: "tuple_struct_pattern",
			rsTypeBinding: "type_binding", rsTypeIdentifier: "type_identifier",
			rsTypeItem: "type_item", rsTypeParameter: "type_parameter",
			rsUnary: "unary_expression", rsUnion: "union_item", rsUseAs: "use_as_clause", rsUseBounds: "use_bounds",
			rsUseDeclaration: "use_declaration", rsUseList: "use_list", rsUseWildcard: "use_wildcard",
			rsVariadicParameter: "variadic_parameter", rsVisibility: "visibility_modifier", rsWhile: "while_expression",
			rsAnd: "'&&", rsOr: "'||", rsBang: "'!",
			rsString: "string_literal", rsRawString: "raw_string_literal", rsChar: "char_literal", rsInteger: "integer_literal",
			rsFloat: "float_literal", rsBoolean: "boolean_literal", rsNegative: "negative_literal",
			rsStringContent: "string_content", rsTuplePattern: "tuple_pattern", rsSlicePattern: "slice_pattern",
			rsIndex: "index_expression", rsTupleType: "tuple_type", rsArrayType: "array_type",
			rsRange: "range_expression", rsWhere: "where_clause", rsWherePredicate: "where_predicate",
		},
		fields: []string{
			rsfName: "name", rsfBody: "body", rsfType: "type", rsfTrait: "trait", rsfParameters: "parameters",
			rsfTypeParameters: "type_parameters", rsfReturnType: "return_type", rsfPattern: "pattern", rsfValue: "value",
			rsfPath: "path", rsfList: "list", rsfAlias: "alias", rsfArgument: "argument", rsfBounds: "bounds",
			rsfFunction: "function", rsfArguments: "arguments", rsfTypeArguments: "type_arguments", rsfField: "field",
			rsfMacro: "macro", rsfCondition: "condition", rsfConsequence: "consequence", rsfAlternative: "alternative",
			rsfRight: "right", rsfLeft: "left",
		},
		comments: []kind{rsLineComment, rsBlockComment},
		branches: []kind{rsIf, rsMatchArm, rsWhile, rsFor, rsLoop, rsAnd, rsOr},
		quotes:   `"`,
	}
}
