package extract

import tspython "github.com/tree-sitter/tree-sitter-python/bindings/go"

// Symbols of the Python grammar that extraction looks at.
const (
	pyAliasedImport kind = iota + 1
	pyArguments
	pyAsPattern
	pyAsTarget
	pyAssignment
	pyAttribute
	pyAugmented
	pyBinary
	pyBlock
	pyBoolean
	pyCall
	pyCase
	pyCasePattern
	pyClass
	pyClassPattern
	pyComment
	pyConcatenated
	pyConditional
	pyConstrained
	pyDecorated
	pyDecorator
	pyDefaultParam
	pyDict
	pyDictComp
	pyDictSplatPattern
	pyDottedName
	pyElif
	pyExcept
	pyExprStatement
	pyFloat
	pyFor
	pyForIn
	pyFunction
	pyFutureImport
	pyGenerator
	pyGenericType
	pyGlobal
	pyIdentifier
	pyIf
	pyIfClause
	pyImport
	pyImportFrom
	pyInteger
	pyInterpolation
	pyKeywordArg
	pyKeywordPattern
	pyLambda
	pyList
	pyListComp
	pyListPattern
	pyListSplat
	pyListSplatPattern
	pyModule
	pyNamed
	pyNone
	pyNonlocal
	pyParenthesized
	pyPatternList
	pySet
	pySetComp
	pySplatPattern
	pyString
	pyStringContent
	pyStringEnd
	pyStringStart
	pySubscript
	pyTuple
	pyTuplePattern
	pyType
	pyTypeAlias
	pyTypeParams
	pyTypedDefaultParam
	pyTypedParam
	pyWhile
	pyWildcard
	pyAwait
	pyPair
	pySlice
	pyReturn
	pyYield
	pyExprList
)

// Fields of the Python grammar.
const (
	pyfAlias field = iota + 1
	pyfArguments
	pyfAttribute
	pyfBody
	pyfDefinition
	pyfFunction
	pyfKey
	pyfLeft
	pyfModuleName
	pyfName
	pyfObject
	pyfOperator
	pyfParameters
	pyfReturnType
	pyfRight
	pyfSubscript
	pyfSuperclasses
	pyfType
	pyfTypeParameters
	pyfValue
)

func pythonSpec() *spec {
	return &spec{
		language: tspython.Language,
		comments: []kind{pyComment},
		branches: []kind{pyIf, pyElif, pyFor, pyWhile, pyExcept, pyCase, pyConditional, pyBoolean, pyForIn, pyIfClause},
		noted: []kind{pyFunction, pyClass, pyAssignment, pyAugmented, pyFor, pyAsTarget, pyNamed, pyImport, pyImportFrom,
			pyFutureImport, pyGlobal, pyNonlocal, pyCasePattern, pyTypeAlias},
		quotes: "\"'",
		fields: []string{
			pyfAlias: "alias", pyfArguments: "arguments", pyfAttribute: "attribute", pyfBody: "body", pyfDefinition: "definition",
			pyfFunction: "function", pyfKey: "key", pyfLeft: "left", pyfModuleName: "module_name", pyfName: "name", pyfObject: "object",
			pyfOperator: "operator", pyfParameters: "parameters", pyfReturnType: "return_type", pyfRight: "right",
			pyfSubscript: "subscript", pyfSuperclasses: "superclasses", pyfType: "type", pyfTypeParameters: "type_parameters",
			pyfValue: "value",
		},
		kinds: []string{
			pyAliasedImport: "aliased_import", pyArguments: "argument_list", pyAsPattern: "as_pattern", pyAsTarget: "as_pattern_target",
			pyAssignment: "assignment", pyAttribute: "attribute", pyAugmented: "augmented_assignment", pyBinary: "binary_operator",
			pyBlock: "block", pyBoolean: "boolean_operator", pyCall: "call", pyCase: "case_clause", pyCasePattern: "case_pattern",
			pyClass: "class_definition", pyClassPattern: "class_pattern", pyComment: "comment", pyConcatenated: "concatenated_string",
			pyConditional: "conditional_expression", pyConstrained: "constrained_type", pyDecorated: "decorated_definition",
			pyDecorator: "decorator", pyDefaultParam: "default_parameter", pyDict: "dictionary", pyDictComp: "dictionary_comprehension",
			pyDictSplatPattern: "dictionary_splat_pattern", pyDottedName: "dotted_name", pyElif: "elif_clause", pyExcept: "except_clause",
			pyExprStatement: "expression_statement", pyFloat: "float", pyFor: "for_statement", pyForIn: "for_in_clause",
			pyFunction: "function_definition", pyFutureImport: "future_import_statement", pyGenerator: "generator_expression",
			pyGenericType: "generic_type", pyGlobal: "global_statement", pyIdentifier: "identifier", pyIf: "if_statement",
			pyIfClause: "if_clause", pyImport: "import_statement", pyImportFrom: "import_from_statement", pyInteger: "integer",
			pyInterpolation: "interpolation", pyKeywordArg: "keyword_argument", pyKeywordPattern: "keyword_pattern", pyLambda: "lambda",
			pyList: "list", pyListComp: "list_comprehension", pyListPattern: "list_pattern", pyListSplat: "list_splat",
			pyListSplatPattern: "list_splat_pattern", pyModule: "module", pyNamed: "named_expression", pyNone: "none",
			pyNonlocal: "nonlocal_statement", pyParenthesized: "parenthesized_expression", pyPatternList: "pattern_list", pySet: "set",
			pySetComp: "set_comprehension", pySplatPattern: "splat_pattern", pyString: "string", pyStringContent: "string_content",
			pyStringEnd: "string_end", pyStringStart: "string_start", pySubscript: "subscript", pyTuple: "tuple",
			pyTuplePattern: "tuple_pattern", pyType: "type", pyTypeAlias: "type_alias_statement", pyTypeParams: "type_parameter",
			pyTypedDefaultParam: "typed_default_parameter", pyTypedParam: "typed_parameter", pyWhile: "while_statement",
			pyWildcard: "wildcard_import",
			pyExprList: "expression_list",
			pyYield:    "yield",
			pyReturn:   "return_statement",
			pyPair:     "pair",
			pySlice:    "slice",
			pyAwait:    "await",
		},
	}
}
