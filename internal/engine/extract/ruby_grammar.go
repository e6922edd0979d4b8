package extract

// Symbols of the Ruby grammar that extraction looks at.
const (
	rbAlias kind = iota + 1
	rbArgumentList
	rbArray
	rbAsPattern
	rbAssignment
	rbBegin
	rbBinary
	rbBlock
	rbBlockArgument
	rbBlockBody
	rbBlockParam
	rbBlockParams
	rbBodyStatement
	rbCall
	rbCase
	rbClass
	rbComment
	rbConditional
	rbConstant
	rbDelimitedSymbol
	rbDestructuredLeft
	rbDestructuredParam
	rbDoBlock
	rbElementRef
	rbElsif
	rbExceptionVar
	rbFor
	rbForwardParam
	rbHashKey
	rbHashPattern
	rbHashSplatNil
	rbHashSplatParam
	rbIdentifier
	rbIf
	rbIfModifier
	rbInClause
	rbInstanceVar
	rbInterpolation
	rbKeywordParam
	rbKeywordPattern
	rbLambda
	rbLambdaParams
	rbLeftList
	rbMatchPattern
	rbMethod
	rbMethodParams
	rbModule
	rbOpAssignment
	rbOperator
	rbOptionalParam
	rbPair
	rbParenthesized
	rbRescue
	rbRescueModifier
	rbRestAssignment
	rbScopeRes
	rbSelf
	rbSetter
	rbSimpleSymbol
	rbSingletonClass
	rbSingletonMethod
	rbSplatParam
	rbString
	rbStringContent
	rbSuper
	rbSuperclass
	rbSymbolArray
	rbBareSymbol
	rbUndef
	rbUnless
	rbTestPattern
	rbUnlessModifier
	rbUntil
	rbUntilModifier
	rbVarRefPattern
	rbWhen
	rbWhile
	rbWhileModifier
	rbAndAnd
	rbAmpAmp
	rbOr
	rbBarBar
	rbAndAssign
	rbOrAssign
)

// Fields of the Ruby grammar.
const (
	rbfAlias field = iota + 1
	rbfArguments
	rbfBlock
	rbfBody
	rbfKey
	rbfLeft
	rbfLocals
	rbfMethod
	rbfName
	rbfObject
	rbfOperator
	rbfParameters
	rbfPattern
	rbfReceiver
	rbfRight
	rbfScope
	rbfSuperclass
	rbfValue
	rbfVariable
)

func rubySpec() *spec {
	return &spec{
		language: rubyLanguage,
		comments: []kind{rbComment},
		branches: []kind{rbIf, rbElsif, rbUnless, rbIfModifier, rbUnlessModifier, rbWhile, rbUntil, rbWhileModifier, rbUntilModifier, rbFor, rbWhen,
			rbInClause, rbRescue, rbRescueModifier, rbConditional, rbAndAnd, rbAmpAmp, rbOr, rbBarBar, rbAndAssign, rbOrAssign},
		quotes: "\"'`",
		fields: []string{
			rbfAlias: "alias", rbfArguments: "arguments", rbfBlock: "block", rbfBody: "body", rbfKey: "key", rbfLeft: "left", rbfLocals: "locals",
			rbfMethod: "method", rbfName: "name", rbfObject: "object", rbfOperator: "operator", rbfParameters: "parameters", rbfPattern: "pattern",
			rbfReceiver: "receiver", rbfRight: "right", rbfScope: "scope", rbfSuperclass: "superclass", rbfValue: "value", rbfVariable: "variable",
		},
		kinds: []string{
			rbAlias: "alias", rbArgumentList: "argument_list", rbArray: "array", rbAsPattern: "as_pattern", rbAssignment: "assignment",
			rbBegin: "begin", rbBinary: "binary", rbBlock: "block", rbBlockArgument: "block_argument", rbBlockBody: "block_body",
			rbBlockParam: "block_parameter", rbBlockParams: "block_parameters", rbBodyStatement: "body_statement", rbCall: "call", rbCase: "case",
			rbClass: "class", rbComment: "comment", rbConditional: "conditional", rbConstant: "constant", rbDelimitedSymbol: "delimited_symbol",
			rbDestructuredLeft: "destructured_left_assignment", rbDestructuredParam: "destructured_parameter", rbDoBlock: "do_block",
			rbElementRef: "element_reference", rbElsif: "elsif", rbExceptionVar: "exception_variable", rbFor: "for",
			rbForwardParam: "forward_parameter", rbHashKey: "hash_key_symbol", rbHashPattern: "hash_pattern", rbHashSplatNil: "hash_splat_nil",
			rbHashSplatParam: "hash_splat_parameter", rbIdentifier: "identifier", rbIf: "if", rbIfModifier: "if_modifier", rbInClause: "in_clause",
			rbInstanceVar: "instance_variable", rbInterpolation: "interpolation", rbKeywordParam: "keyword_parameter",
			rbKeywordPattern: "keyword_pattern", rbLambda: "lambda", rbLambdaParams: "lambda_parameters", rbLeftList: "left_assignment_list",
			rbMatchPattern: "match_pattern", rbMethod: "method", rbMethodParams: "method_parameters", rbModule: "module",
			rbOpAssignment: "operator_assignment", rbOperator: "operator", rbOptionalParam: "optional_parameter", rbPair: "pair",
			rbParenthesized: "parenthesized_statements", rbRescue: "rescue", rbRescueModifier: "rescue_modifier",
			rbRestAssignment: "rest_assignment", rbScopeRes: "scope_resolution", rbSelf: "self", rbSetter: "setter", rbSimpleSymbol: "simple_symbol",
			rbSingletonClass: "singleton_class", rbSingletonMethod: "singleton_method", rbSplatParam: "splat_parameter", rbString: "string",
			rbStringContent: "string_content", rbSuper: "super", rbSuperclass: "superclass", rbSymbolArray: "symbol_array",
			rbBareSymbol: "bare_symbol", rbUndef: "undef", rbUnless: "unless", rbTestPattern: "test_pattern", rbUnlessModifier: "unless_modifier",
			rbUntil: "until", rbUntilModifier: "until_modifier", rbVarRefPattern: "variable_reference_pattern", rbWhen: "when", rbWhile: "while",
			rbWhileModifier: "while_modifier", rbAndAnd: "'and", rbAmpAmp: "'&&", rbOr: "'or", rbBarBar: "'||", rbAndAssign: "'&&=",
			rbOrAssign: "'||=",
		},
	}
}
