package extract

import tsphp "github.com/alexaandru/go-sitter-forest/php"

// Symbols of the PHP grammar that extraction looks at.
const (
	phName kind = iota + 1
	phQualifiedName
	phRelativeName
	phNamespaceName
	phNamespace
	phUse
	phUseClause
	phUseGroup
	phFunctionWord
	phConstWord
	phClass
	phInterface
	phTrait
	phEnum
	phEnumCase
	phFunction
	phMethod
	phProperty
	phPropertyElement
	phConst
	phConstElement
	phTraitUse
	phUseList
	phUseInstead
	phUseAs
	phBase
	phImplements
	phBody
	phEnumBody
	phAttributes
	phAttribute
	phVisibility
	phStaticModifier
	phParameters
	phParameter
	phVariadic
	phPromoted
	phReference
	phNamedType
	phOptionalType
	phUnionType
	phIntersection
	phDNF
	phPrimitive
	phBottom
	phVariable
	phByRef
	phBlock
	phExpression
	phGlobal
	phStaticVariable
	phClosure
	phArrow
	phAnonymousClass
	phAssignment
	phReferenceAssignment
	phCall
	phMemberCall
	phNullsafeCall
	phScopedCall
	phMember
	phNullsafeMember
	phScopedProperty
	phClassConstant
	phRelativeScope
	phNew
	phClone
	phParenthesized
	phArguments
	phArgument
	phBinary
	phForeach
	phPair
	phCatch
	phTypeList
	phInclude
	phIncludeOnce
	phRequire
	phRequireOnce
	phString
	phEncapsed
	phStringContent
	phInteger
	phFloat
	phBoolean
	phNull
	phUnary
	phComment
	phGoto
	phLabel
	phDeclareDirective
	phInstanceof
	phConcat
	phIf
	phElseIf
	phWhile
	phDo
	phFor
	phCase
	phMatchArm
	phTernary
	phAnd
	phOr
	phAndWord
	phOrWord
	phCoalesce
	phClassWord
	phInterfaceWord
	phTraitWord
	phEnumWord
	phNamespaceWord
	phBrace
	phAbstract
	phFinal
	phReadonly
	phBackslash
	phHookList
	phHook
	phArray
	phElement
	phSubscript
)

// Fields of the PHP grammar.
const (
	phfName field = iota + 1
	phfBody
	phfAlias
	phfType
	phfPrefix
	phfParameters
	phfReturn
	phfDefault
	phfValue
	phfObject
	phfScope
	phfFunction
	phfArguments
	phfLeft
	phfRight
	phfOperator
	phfAttributes
)

func phpSpec() *spec {
	return &spec{
		language: tsphp.GetLanguage,
		kinds: []string{
			phName: "name", phQualifiedName: "qualified_name", phRelativeName: "relative_name", phNamespaceName: "namespace_name",
			phNamespace: "namespace_definition", phUse: "namespace_use_declaration", phUseClause: "namespace_use_clause", phUseGroup: "namespace_use_group",
			phFunctionWord: "'function", phConstWord: "'const",
			phClass: "class_declaration", phInterface: "interface_declaration", phTrait: "trait_declaration", phEnum: "enum_declaration",
			phEnumCase: "enum_case", phFunction: "function_definition", phMethod: "method_declaration", phProperty: "property_declaration",
			phPropertyElement: "property_element", phConst: "const_declaration", phConstElement: "const_element", phTraitUse: "use_declaration",
			phUseList: "use_list", phUseInstead: "use_instead_of_clause", phUseAs: "use_as_clause", phBase: "base_clause",
			phImplements: "class_interface_clause", phBody: "declaration_list", phEnumBody: "enum_declaration_list",
			phAttributes: "attribute_list", phAttribute: "attribute", phVisibility: "visibility_modifier", phStaticModifier: "static_modifier",
			phParameters: "formal_parameters", phParameter: "simple_parameter", phVariadic: "variadic_parameter", phPromoted: "property_promotion_parameter",
			phReference: "reference_modifier",
			phNamedType: "named_type", phOptionalType: "optional_type", phUnionType: "union_type", phIntersection: "intersection_type",
			phDNF: "disjunctive_normal_form_type", phPrimitive: "primitive_type", phBottom: "bottom_type",
			phVariable: "variable_name", phByRef: "by_ref", phBlock: "compound_statement", phExpression: "expression_statement",
			phGlobal: "global_declaration", phStaticVariable: "static_variable_declaration", phClosure: "anonymous_function", phArrow: "arrow_function",
			phAnonymousClass: "anonymous_class", phAssignment: "assignment_expression", phReferenceAssignment: "reference_assignment_expression",
			phCall: "function_call_expression", phMemberCall: "member_call_expression", phNullsafeCall: "nullsafe_member_call_expression",
			phScopedCall: "scoped_call_expression", phMember: "member_access_expression", phNullsafeMember: "nullsafe_member_access_expression",
			phScopedProperty: "scoped_property_access_expression", phClassConstant: "class_constant_access_expression",
			phRelativeScope: "relative_scope", phNew: "object_creation_expression", phClone: "clone_expression", phParenthesized: "parenthesized_expression",
			phArguments: "arguments", phArgument: "argument", phBinary: "binary_expression", phForeach: "foreach_statement", phPair: "pair",
			phCatch: "catch_clause", phTypeList: "type_list", phInclude: "include_expression", phIncludeOnce: "include_once_expression",
			phRequire: "require_expression", phRequireOnce: "require_once_expression", phString: "string", phEncapsed: "encapsed_string",
			phStringContent: "string_content", phInteger: "integer", phFloat: "float", phBoolean: "boolean", phNull: "null", phUnary: "unary_op_expression",
			phComment: "comment", phGoto: "goto_statement", phLabel: "named_label_statement", phDeclareDirective: "declare_directive",
			phInstanceof: "'instanceof", phConcat: "'.",
			phIf: "if_statement", phElseIf: "else_if_clause", phWhile: "while_statement", phDo: "do_statement", phFor: "for_statement",
			phCase: "case_statement", phMatchArm: "match_conditional_expression", phTernary: "conditional_expression",
			phAnd: "'&&", phOr: "'||", phAndWord: "'and", phOrWord: "'or", phCoalesce: "'??",
			phClassWord: "'class", phInterfaceWord: "'interface", phTraitWord: "'trait", phEnumWord: "'enum", phNamespaceWord: "'namespace", phBrace: "'{",
			phAbstract: "abstract_modifier", phFinal: "final_modifier", phReadonly: "readonly_modifier", phBackslash: "'\\",
			phHookList: "property_hook_list", phHook: "property_hook", phArray: "array_creation_expression",
			phElement: "array_element_initializer", phSubscript: "subscript_expression",
		},
		fields: []string{
			phfName: "name", phfBody: "body", phfAlias: "alias", phfType: "type", phfPrefix: "prefix", phfParameters: "parameters",
			phfReturn: "return_type", phfDefault: "default_value", phfValue: "value", phfObject: "object", phfScope: "scope",
			phfFunction: "function", phfArguments: "arguments", phfLeft: "left", phfRight: "right", phfOperator: "operator", phfAttributes: "attributes",
		},
		comments: []kind{phComment},
		branches: []kind{phIf, phElseIf, phWhile, phDo, phFor, phForeach, phCase, phCatch, phMatchArm, phTernary, phAnd, phOr, phAndWord, phOrWord, phCoalesce},
		quotes:   `"'`,
	}
}
