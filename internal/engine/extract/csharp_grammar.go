package extract

import tscsharp "github.com/alexaandru/go-sitter-forest/c_sharp"

// Symbols of the C# grammar that extraction looks at.
const (
	csIdentifier kind = iota + 1
	csQualifiedName
	csAliasQualified
	csGenericName
	csTypeArguments
	csTypeParameters
	csTypeParameter
	csConstraints
	csConstraint
	csImplicitType
	csPredefined
	csNullable
	csArray
	csPointer
	csRefType
	csScopedType
	csTuple
	csTupleElement
	csUsing
	csExternAlias
	csNamespace
	csFileNamespace
	csGlobalAttribute
	csAttributeList
	csAttribute
	csAttributeArgument
	csAttributeIf
	csAttributeTarget
	csModifier
	csClass
	csStruct
	csRecord
	csInterface
	csEnum
	csEnumBody
	csEnumMember
	csDelegate
	csElementAccess
	csBaseList
	csPrimaryBase
	csBody
	csField
	csEventField
	csEvent
	csProperty
	csIndexer
	csMethod
	csConstructor
	csDestructor
	csOperator
	csConversion
	csAccessors
	csAccessor
	csExplicit
	csParameters
	csBracketParameters
	csParameter
	csImplicitParameter
	csDeclaration
	csDeclarator
	csTuplePattern
	csArrow
	csConstructorInit
	csGlobalStatement
	csReturn
	csBlock
	csLocalDeclaration
	csLocalFunction
	csFor
	csForeach
	csUsingStatement
	csFixed
	csCatch
	csCatchDeclaration
	csSwitchSection
	csSwitchArm
	csLabeled
	csGoto
	csLambda
	csAnonymousMethod
	csDeclarationExpression
	csArgument
	csArguments
	csQuery
	csFrom
	csJoin
	csJoinInto
	csLet
	csInvocation
	csMemberAccess
	csConditionalAccess
	csMemberBinding
	csNew
	csImplicitNew
	csAnonymousNew
	csInitializer
	csAssignment
	csParenthesized
	csCast
	csAs
	csIs
	csAwait
	csBinary
	csPostfix
	csWith
	csWithInitializer
	csDeclarationPattern
	csVarPattern
	csRecursivePattern
	csListPattern
	csTypePattern
	csConstantPattern
	csDesignation
	csPropertyPatterns
	csSubpattern
	csPreprocIf
	csPreprocElif
	csPreprocElse
	csComment
	csString
	csVerbatimString
	csRawString
	csInteger
	csReal
	csChar
	csBool
	csNull
	csPrefix
	csTypeof
	csThis
	csBase
	csStatic
	csGlobal
	csEqual
	csParams
	csStructWord
	csPrivate
	csConst
	csReadonly
	csFile
	csPartial
	csImplicit
	csTilde
	csOperatorWord
	csNewWord
	csIf
	csWhile
	csDo
	csTernary
	csCase
	csAnd
	csOr
	csCoalesce
	csPublic
	csProtected
	csInternal
	csNamespaceWord
	csClassWord
	csRecordWord
	csInterfaceWord
	csEnumWord
	csBrace
)

// Fields of the C# grammar.
const (
	csfName field = iota + 1
	csfBody
	csfType
	csfReturns
	csfParameters
	csfTypeParameters
	csfAccessors
	csfValue
	csfQualifier
	csfAlias
	csfExpression
	csfFunction
	csfArguments
	csfInitializer
	csfCondition
	csfLeft
	csfRight
	csfOperator
	csfRank
)

func csharpSpec() *spec {
	return &spec{
		language: tscsharp.GetLanguage,
		kinds: []string{
			csIdentifier: "identifier", csQualifiedName: "qualified_name", csAliasQualified: "alias_qualified_name",
			csGenericName: "generic_name", csTypeArguments: "type_argument_list", csTypeParameters: "type_parameter_list",
			csTypeParameter: "type_parameter", csConstraints: "type_parameter_constraints_clause", csConstraint: "type_parameter_constraint",
			csImplicitType: "implicit_type", csPredefined: "predefined_type", csNullable: "nullable_type", csArray: "array_type",
			csPointer: "pointer_type", csRefType: "ref_type", csScopedType: "scoped_type", csTuple: "tuple_type", csTupleElement: "tuple_element",
			csUsing: "using_directive", csExternAlias: "extern_alias_directive", csNamespace: "namespace_declaration",
			csFileNamespace: "file_scoped_namespace_declaration", csGlobalAttribute: "global_attribute",
			csAttributeList: "attribute_list", csAttribute: "attribute", csAttributeArgument: "attribute_argument",
			csAttributeIf: "preproc_if_in_attribute_list", csAttributeTarget: "attribute_target_specifier", csModifier: "modifier",
			csClass: "class_declaration", csStruct: "struct_declaration", csRecord: "record_declaration", csInterface: "interface_declaration",
			csEnum: "enum_declaration", csEnumBody: "enum_member_declaration_list", csEnumMember: "enum_member_declaration",
			csDelegate: "delegate_declaration", csElementAccess: "element_access_expression", csBaseList: "base_list", csPrimaryBase: "primary_constructor_base_type",
			csBody: "declaration_list", csField: "field_declaration", csEventField: "event_field_declaration", csEvent: "event_declaration",
			csProperty: "property_declaration", csIndexer: "indexer_declaration", csMethod: "method_declaration",
			csConstructor: "constructor_declaration", csDestructor: "destructor_declaration", csOperator: "operator_declaration",
			csConversion: "conversion_operator_declaration", csAccessors: "accessor_list", csAccessor: "accessor_declaration",
			csExplicit: "explicit_interface_specifier", csParameters: "parameter_list", csBracketParameters: "bracketed_parameter_list",
			csParameter: "parameter", csImplicitParameter: "implicit_parameter", csDeclaration: "variable_declaration",
			csDeclarator: "variable_declarator", csTuplePattern: "tuple_pattern", csArrow: "arrow_expression_clause",
			csConstructorInit: "constructor_initializer", csGlobalStatement: "global_statement", csReturn: "return_statement", csBlock: "block",
			csLocalDeclaration: "local_declaration_statement", csLocalFunction: "local_function_statement", csFor: "for_statement",
			csForeach: "foreach_statement", csUsingStatement: "using_statement", csFixed: "fixed_statement", csCatch: "catch_clause",
			csCatchDeclaration: "catch_declaration", csSwitchSection: "switch_section", csSwitchArm: "switch_expression_arm",
			csLabeled: "labeled_statement", csGoto: "goto_statement", csLambda: "lambda_expression", csAnonymousMethod: "anonymous_method_expression",
			csDeclarationExpression: "declaration_expression", csArgument: "argument", csArguments: "argument_list", csQuery: "query_expression",
			csFrom: "from_clause", csJoin: "join_clause", csJoinInto: "join_into_clause", csLet: "let_clause",
			csInvocation: "invocation_expression", csMemberAccess: "member_access_expression", csConditionalAccess: "conditional_access_expression",
			csMemberBinding: "member_binding_expression", csNew: "object_creation_expression", csImplicitNew: "implicit_object_creation_expression",
			csAnonymousNew: "anonymous_object_creation_expression", csInitializer: "initializer_expression", csAssignment: "assignment_expression",
			csParenthesized: "parenthesized_expression", csCast: "cast_expression", csAs: "as_expression", csIs: "is_expression",
			csAwait: "await_expression", csBinary: "binary_expression", csPostfix: "postfix_unary_expression", csWith: "with_expression",
			csWithInitializer: "with_initializer", csDeclarationPattern: "declaration_pattern", csVarPattern: "var_pattern",
			csRecursivePattern: "recursive_pattern", csListPattern: "list_pattern", csTypePattern: "type_pattern",
			csConstantPattern: "constant_pattern", csDesignation: "parenthesized_variable_designation",
			csPropertyPatterns: "property_pattern_clause", csSubpattern: "subpattern",
			csPreprocIf: "preproc_if", csPreprocElif: "preproc_elif", csPreprocElse: "preproc_else", csComment: "comment",
			csString: "string_literal", csVerbatimString: "verbatim_string_literal", csRawString: "raw_string_literal",
			csInteger: "integer_literal", csReal: "real_literal", csChar: "character_literal", csBool: "boolean_literal", csNull: "null_literal",
			csPrefix: "prefix_unary_expression", csTypeof: "typeof_expression",
			csThis: "'this", csBase: "'base", csStatic: "'static", csGlobal: "'global", csEqual: "'=", csParams: "'params", csStructWord: "'struct",
			csPrivate: "'private", csConst: "'const", csReadonly: "'readonly", csFile: "'file", csPartial: "'partial",
			csImplicit: "'implicit", csTilde: "'~", csOperatorWord: "'operator", csNewWord: "'new",
			csIf: "if_statement", csWhile: "while_statement", csDo: "do_statement", csTernary: "conditional_expression",
			csCase: "'case", csAnd: "'&&", csOr: "'||", csCoalesce: "'??",
			csPublic: "'public", csProtected: "'protected", csInternal: "'internal",
			csNamespaceWord: "'namespace", csClassWord: "'class", csRecordWord: "'record", csInterfaceWord: "'interface", csEnumWord: "'enum",
			csBrace: "'{",
		},
		fields: []string{
			csfName: "name", csfBody: "body", csfType: "type", csfReturns: "returns", csfParameters: "parameters",
			csfTypeParameters: "type_parameters", csfAccessors: "accessors", csfValue: "value", csfQualifier: "qualifier", csfAlias: "alias",
			csfExpression: "expression", csfFunction: "function", csfArguments: "arguments", csfInitializer: "initializer",
			csfCondition: "condition", csfLeft: "left", csfRight: "right", csfOperator: "operator", csfRank: "rank",
		},
		comments: []kind{csComment},
		branches: []kind{csIf, csFor, csForeach, csWhile, csDo, csCatch, csTernary, csCase, csSwitchArm, csAnd, csOr, csCoalesce},
		quotes:   `"'`,
	}
}
