package extract

import (
	"cmp"
	"strings"

	"ken/internal/code"
)

func walkScript(f *file) {
	s := openScript(f)
	s.close()
}

// openScript reads a JavaScript or TypeScript module. Its names stay bound until close.
func openScript(f *file) *script {
	s := &script{file: f, ambient: isDeclarationFile(f.path), block: root}
	s.names.push()
	s.listCommonNames()
	s.bindBlock(root, bindTop, bindTop)
	s.hoist(root, bindTop)
	s.facts.Doc = s.fileDoc()
	s.testFile = s.isTest()
	s.items(root)
	return s
}

func (s *script) close() {
	s.names.pop()
	s.hintAliases()
	s.hintNested()
	s.markExports()
	s.facts.IsTest = s.testFile || s.isTest()
}

func isDeclarationFile(path string) bool {
	for _, suffix := range [...]string{".d.ts", ".d.mts", ".d.cts"} {
		if strings.HasSuffix(path, suffix) {
			return true
		}
	}
	return false
}

// items reads the statements of a file or namespace. Variables among them become symbols.
func (s *script) items(n node) {
	for c := s.first(n); c != none; c = s.sibling(c) {
		s.item(c)
	}
}

func (s *script) item(c node) {
	switch s.kind(c) {
	case jsExport:
		s.exportStatement(c)
	case tsAmbient:
		s.ambientStatement(c)
	case jsLexical, jsVar, jsUsing:
		s.moduleVars(c)
	case jsExprStatement:
		s.exprStatement(c)
	default:
		if s.isError(c) {
			s.brokenItems(c)
			return
		}
		s.walk(c)
	}
}

// exprStatement reads an expression used as a statement. If it begins with a
// named function, it is a declaration without its closing brace, which the
// grammar takes for an expression.
func (s *script) exprStatement(n node) {
	if s.commonJS(n) {
		return
	}
	if fn := s.first(n); s.kind(fn) == jsFuncExpr && s.child(fn, jsfName) != none {
		s.funcDecl(fn)
		return
	}
	if !s.addsMembers(n) {
		s.walkChildren(n)
	}
}

func (s *script) ambientStatement(n node) {
	before := s.ambient
	s.ambient = true
	if s.has(n, tsKwGlobal) {
		name := s.childKind(n, tsKwGlobal)
		sym := s.topSymbol(n, name, code.KindModule, s.end(name))
		sym.Exported = true
		s.moduleBody(s.declare(sym), s.childKind(n, jsBlock))
	} else {
		s.items(n)
	}
	s.ambient = before
}

// walk reads any node below the statements of a module. It is one switch over the
// kinds of the grammar.
func (s *script) walk(n node) {
	switch s.kind(n) {
	case jsIdentifier, jsShorthandPattern:
		s.use(n)
	case jsShorthand:
		s.shareName(n)
		s.use(n)
	case jsString, jsComment, jsHTMLComment, jsImport, jsPropertyName, jsPrivateName, jsThis, jsSuper, jsNumber, tsPredefined,
		jsxNamespaceName:
	case jsFuncDecl, jsGeneratorDecl, tsFuncSignature:
		s.funcDecl(n)
	case jsFuncExpr, jsGenerator, jsArrow, tsFuncType, tsConstructorType, tsCallSignature, tsConstructSignature:
		s.function(n)
	case jsMethod, tsMethodSignature, tsAbstractMethod:
		s.objectMethod(n)
	case jsClassDecl, tsAbstractClass:
		s.classDecl(n)
	case jsClass:
		s.classExpr(n)
	case tsInterface:
		s.interfaceDecl(n)
	case tsAlias:
		s.aliasDecl(n)
	case tsEnum:
		s.enumDecl(n)
	case tsModule, tsInternalModule:
		s.namespace(n)
	case jsExport:
		s.exportStatement(n)
	case tsAmbient:
		s.ambientStatement(n)
	case tsImportAlias:
		s.importAlias(n)
	case jsExprStatement:
		s.exprStatement(n)
	case jsBlock:
		s.blockStatement(n)
	case jsFor, jsForIn, jsCatch:
		s.loop(n)
	case jsDeclarator:
		s.localVar(n)
	case jsCall:
		s.call(n)
	case jsNew:
		s.callee(s.child(n, jsfConstructor), code.RefCall)
		s.arguments(n, jsfConstructor)
	case jsObject:
		s.object(n)
	case jsReturn:
		s.returnValue(s.firstNamed(n))
	case jsMember:
		s.member(n, code.RefUse)
	case jsSubscript:
		if s.memberKey(n) == none {
			s.walkChildren(n)
			return
		}
		s.member(n, code.RefUse)
	case jsxOpening, jsxSelfClosing:
		s.element(n)
	case jsxClosing:
	case jsDecorator:
		s.decorator(n)
	case tsTypeName, tsNestedType, tsGeneric:
		s.typeRef(n, code.RefType)
	case tsExtendsType:
		s.typeRefs(n, code.RefInherit)
	case tsImplements:
		s.typeRefs(n, code.RefImplement)
	case tsTypeParams:
		s.typeParams(n)
	case tsLookup:
		s.walk(s.firstNamed(n))
		s.namedMembers(s.firstNamed(n), s.nextNamed(s.firstNamed(n)))
	case tsConditional:
		s.conditional(n)
	case tsIndexSignature:
		s.indexSignature(n)
	case tsObjectType, tsInterfaceBody:
		s.silentMembers(n)
	default:
		s.walkChildren(n)
	}
}

func (s *script) walkChildren(n node) {
	for c := s.first(n); c != none; c = s.sibling(c) {
		if s.file.tree.nodes[c].flags&flagNamed != 0 {
			s.walk(c)
		}
	}
}

// walkAfter reads the children of n that follow the child in field f.
func (s *script) walkAfter(n node, f field) {
	after := false
	for c := s.first(n); c != none; c = s.sibling(c) {
		if after && s.isNamed(c) {
			s.walk(c)
		}
		after = after || s.nodeField(c) == f
	}
}

// blockStatement reads statements in a scope of their own.
func (s *script) blockStatement(n node) {
	around := s.block
	s.block = n
	s.names.push()
	s.bindBlock(n, bindNested, bindLocal)
	s.walkChildren(n)
	s.names.pop()
	s.block = around
}

// loop reads a for statement or catch clause, whose head declares names.
func (s *script) loop(n node) {
	s.names.push()
	switch s.kind(n) {
	case jsCatch:
		s.bindPattern(s.child(n, jsfParameter), bindLocal, s.typeName(s.child(n, tsfType)))
		for c := s.first(n); c != none; c = s.sibling(c) {
			if s.nodeField(c) == jsfParameter {
				s.pattern(c, code.Ref{})
			} else {
				s.walk(c)
			}
		}
	case jsForIn:
		declares := s.child(n, jsfKind) != none
		for c := s.first(n); c != none; c = s.sibling(c) {
			if declares && s.nodeField(c) == jsfLeft {
				s.bindPattern(c, bindLocal, s.loopElement(n))
				s.pattern(c, memberRef())
			} else {
				s.walk(c)
			}
		}
	default:
		s.bindBlock(n, bindNested, bindLocal)
		s.walkChildren(n)
	}
	s.names.pop()
}

// localVar reads the declaration of a local variable.
func (s *script) localVar(n node) {
	v, typ := s.child(n, jsfValue), s.child(n, tsfType)
	if name := s.child(n, jsfName); s.returnedNames[s.str(name)] && s.names.lookup(s.str(name)).is(bindNested) {
		p := s.parent(n)
		s.valueSymbol(s.varSymbol(p, n, name, code.KindConstant, s.valueEnd(n, v), s.nextNamed(s.firstNamed(p)) == none), none, n, v)
		return
	}
	if s.importsInto(n) {
		s.importHelper(v)
		s.pattern(s.child(n, jsfName), code.Ref{})
		s.walk(typ)
		return
	}
	from := s.valueRef(v)
	if t := s.typeName(typ); t != "" {
		from = code.Ref{Kind: code.RefUse, Via: code.ViaTyped, Recv: t}
	}
	s.pattern(s.child(n, jsfName), from)
	s.walk(typ)
	s.walk(v)
}

// pattern reads a declaring pattern such as { a, b = c } and records its references:
// default values, computed keys and the members that it takes from a value. References
// to those members are made from `from`; the zero Ref means that the value is not
// known.
func (s *script) pattern(n node, from code.Ref) {
	switch s.kind(n) {
	case jsIdentifier:
	case jsShorthandPattern:
		s.patternMember(n, from)
	case jsAssignPattern, jsObjectAssignPattern:
		s.pattern(s.child(n, jsfLeft), from)
		s.walk(s.child(n, jsfRight))
	case jsPairPattern:
		if key := s.child(n, jsfKey); s.kind(key) == jsPropertyName {
			s.patternMember(key, from)
		} else {
			s.walk(key)
		}
		value := s.child(n, jsfValue)
		if from != (code.Ref{}) {
			from = partMember(from, s.fieldStr(n, jsfKey), 0)
		} else if s.kind(value) != jsIdentifier { // what is taken from a member of an import
			from = memberRef()
		}
		s.pattern(value, from)
	case jsObjectPattern:
		s.patterns(n, from)
	case jsArrayPattern:
		s.eachPart(n, func(c node, at int) {
			part := from
			if from != (code.Ref{}) {
				part = partMember(from, "", at)
			}
			s.pattern(c, part)
		})
	case jsRest:
		if from != (code.Ref{}) {
			from = memberRef()
		}
		s.patterns(n, from)
	default:
		s.walk(n)
	}
}

func (s *script) patterns(n node, from code.Ref) {
	for c := s.firstNamed(n); c != none; c = s.nextNamed(c) {
		s.pattern(c, from)
	}
}

// patternMember records a reference to a member that an object pattern names.
func (s *script) patternMember(name node, from code.Ref) {
	if from != (code.Ref{}) {
		s.ref(name, from)
	}
}

// function reads a function of any kind in a new scope: type parameters,
// parameters, types, body.
func (s *script) function(n node) {
	around := *s
	switch s.kind(n) {
	case jsFuncDecl, jsGeneratorDecl, jsFuncExpr, jsGenerator:
		if n != s.thisFunction {
			s.self = ""
		}
	}
	s.outerSelf, s.inFunction = s.self, true
	s.result, s.place, s.returnedNames, s.returnedName = s.place, literalPlace{}, nil, ""
	s.given = &givenType{unknown: n != s.valued || s.owner < 0 || s.child(n, tsfReturnType) != none}
	if s.result.name != "" {
		s.result.computed = true
		s.returnedNames = s.namesReturned(s.child(n, jsfBody))
	}
	s.names.push()
	if k := s.kind(n); k == jsFuncExpr || k == jsGenerator {
		s.bindInner(n)
	}
	s.bindTypeParams(s.child(n, tsfTypeParameters))
	expected := s.expectedType(n)
	element := cmp.Or(s.elementType, paramExpr(expected, 0))
	s.elementType = ""
	if p := s.child(n, jsfParameter); p != none {
		s.bindPattern(p, bindLocal, element)
	}
	at := 0
	for p := s.firstNamed(s.child(n, jsfParameters)); p != none; p = s.nextNamed(p) {
		s.bindParam(p, paramType(expected, element, at))
		at++
	}
	for c := s.first(n); c != none; c = s.sibling(c) {
		s.functionPart(c, expected, element)
	}
	delete(s.expected, n)
	s.names.pop()
	s.hintResult(n)
	s.given = around.given
	s.self, s.outerSelf, s.inFunction = around.self, around.outerSelf, around.inFunction
	s.result, s.place, s.returnedNames, s.returnedName = around.result, around.place, around.returnedNames, around.returnedName
}

// paramType returns the type that parameter number at has because of the place of its
// function, such as an argument of a call. element is the type of the first parameter.
func paramType(expected, element string, at int) string {
	if at == 0 {
		return element
	}
	return paramExpr(expected, at)
}

func (s *script) functionPart(c node, expected, element string) {
	switch s.nodeField(c) {
	case jsfName, jsfParameter:
	case jsfParameters:
		at := 0
		for p := s.firstNamed(c); p != none; p = s.nextNamed(p) {
			s.param(p, paramType(expected, element, at))
			at++
		}
	case jsfBody:
		if s.kind(c) == jsBlock {
			around := s.block
			s.block = c
			s.hoist(c, bindLocal)
			s.bindBlock(c, bindNested, bindLocal)
			s.walkChildren(c)
			s.block = around
			return
		}
		s.returnValue(c)
	default:
		s.walk(c)
	}
}

// param reads decorators, type and default value of a parameter. typ is its type if it
// declares none.
func (s *script) param(p node, typ string) {
	from := memberRef()
	if typ != "" {
		from.Via, from.Recv = code.ViaTyped, typ
	}
	if k := s.kind(p); k != tsRequiredParam && k != tsOptionalParam {
		s.pattern(p, from)
		return
	}
	if s.child(p, tsfType) != none {
		from = memberRef()
	}
	if t := s.typeName(s.child(p, tsfType)); t != "" {
		from.Via, from.Recv = code.ViaTyped, t
	}
	for c := s.first(p); c != none; c = s.sibling(c) {
		if f := s.nodeField(c); f == tsfPattern || f == jsfName {
			s.pattern(c, from)
		} else if s.isNamed(c) {
			s.walk(c)
		}
	}
}

// objectMethod reads a method of an object literal that does not become a symbol.
func (s *script) objectMethod(n node) {
	self := s.self
	s.self = ""
	s.walk(s.child(n, jsfName))
	s.function(n)
	s.self = self
}
