package extract

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/builtin"
	"ken/internal/engine/extract/pytype"
)

func walkPython(f *file) {
	p := &python{file: f, selfAt: -1, classAt: -1}
	if f.facts.ErrorBytes > 0 {
		f.repaired = p.parseRepaired()
	}
	p.names.push()
	p.declared.push()
	p.imports()
	p.bindNames(root)
	p.facts.Doc = p.docstring(root)
	p.walkChildren(root, code.RefUse)
	p.listExports()
	p.mergeHints()
	p.facts.IsTest = p.tests && p.importsTests()
	p.names.pop()
}

// headPython reads the imports at the beginning of a file that is too large to parse.
func headPython(f *file) {
	p := &python{file: f, classAt: -1}
	p.imports()
}

// walk reads any node. k is the kind of reference that n makes if it is a plain
// name or attribute; RefType is passed on to the nodes below. It is one switch
// over the kinds of the grammar.
func (p *python) walk(n node, k code.RefKind) {
	switch p.kind(n) {
	case pyIdentifier:
		p.use(n, k)
	case pyAttribute:
		p.attribute(n, k)
	case pyCall:
		p.call(n, code.RefCall)
	case pyString:
		p.stringLit(n, k)
	case pyComment, pyInteger, pyFloat, pyNone, pyImport, pyImportFrom, pyFutureImport, pyGlobal, pyNonlocal:
	case pyFunction:
		p.function(n)
	case pyClass:
		p.classDef(n)
	case pyDecorator:
		p.decorator(n)
	case pyBlock:
		p.block(n)
	case pyExprStatement:
		p.statement(n)
	case pyAssignment:
		p.assignment(n, n)
	case pyAugmented:
		p.augmentedAssignment(n)
	case pyTypeAlias:
		p.typeAlias(n)
	case pyKeywordArg:
		p.walk(p.child(n, pyfValue), code.RefUse)
	case pyLambda:
		p.lambda(n)
	case pyListComp, pyDictComp, pySetComp, pyGenerator:
		p.comprehension(n)
	case pyType:
		p.walkChildren(n, code.RefType)
	case pyGenericType:
		p.genericType(n)
	case pySubscript:
		p.subscript(n, k)
	case pyClassPattern:
		p.classPattern(n)
	case pyCasePattern:
		p.casePattern(n)
	case pyDottedName:
		p.dottedUse(n, k) // of a pattern
	case pyParenthesized:
		p.walkChildren(n, k)
	case pyReturn, pyYield:
		p.walkChildren(n, code.RefUse)
		p.addResult(n)
	default:
		if k != code.RefType {
			k = code.RefUse
		}
		p.walkChildren(n, k)
	}
}

func (p *python) walkChildren(n node, k code.RefKind) {
	for c := p.first(n); c != none; c = p.sibling(c) {
		if p.isNamed(c) {
			p.walk(c, k)
		}
	}
}

// block reads the statements of an if, for or other compound statement. A name that it
// declares is not taken as declared after it, because the block may not have run.
func (p *python) block(n node) {
	if p.level == pyInFunction {
		p.walkChildren(n, code.RefUse)
		return
	}
	p.declared.push()
	p.walkChildren(n, code.RefUse)
	p.declared.pop()
}

// use records a reference to a plain name, unless it is local.
func (p *python) use(n node, k code.RefKind) {
	name := p.str(n)
	b := p.lookup(name)
	switch {
	case b.isModule():
		// The name is the module's: its members come after the dot.
	default:
		p.refTo(n, b, k)
	}
	if b != nil && b.own {
		p.ref(n, code.Ref{Name: name, Kind: k, Via: code.ViaBare})
	}
	for _, o := range p.otherBindings(b) {
		if !o.module {
			p.refTo(n, &o, k)
		}
	}
}

// otherBindings returns the further bindings of an imported name.
func (p *python) otherBindings(b *binding) []binding {
	if !b.is(bindImport) {
		return nil
	}
	return p.others[pyBound{b.imp, b.name}]
}

func (p *python) call(n node, k code.RefKind) {
	f := p.child(n, pyfFunction)
	if spec, ok := p.dynamicImport(f, n); ok {
		p.facts.Imports = append(p.facts.Imports, code.Import{Spec: spec, Kind: code.ImportDynamic, Line: p.line(n)})
	}
	called := k
	if fk := p.kind(f); fk != pyIdentifier && fk != pyAttribute {
		k = code.RefUse
	}
	p.walk(f, k)
	if called == code.RefCall && p.isValue(f) {
		p.callees(f)
	}
	p.arguments(n, f)
	if p.level == pyInModule && p.kind(f) == pyAttribute {
		p.allCall(f, n)
	}
}

// attribute records a reference to the name after the dot, and reads the object before
// it.
func (p *python) attribute(n node, k code.RefKind) {
	if !p.moduleChain(n, k) {
		p.member(p.child(n, pyfObject), p.child(n, pyfAttribute), k)
	}
}

// member reads the object of a member, and records a reference to the member that name is.
func (p *python) member(object, name node, k code.RefKind) {
	recv, via := "", code.ViaMember
	switch p.kind(object) {
	case pyIdentifier:
		id := p.str(object)
		b := p.lookup(id)
		if b != nil && p.isSelf(id) {
			recv, via = p.class, code.ViaSelf
			break
		}
		p.use(object, code.RefUse)
		switch recv = p.nameType(object, b); {
		case b != nil:
		case builtin.Python(id):
			recv = id
		case p.wildcard:
			recv = code.RecvExpr + id
		}
		if recv != "" {
			via = code.ViaTyped
		}
	case pyCall:
		p.call(object, code.RefCall)
		if p.isSuper(object) && p.class != "" && p.base != "" {
			recv, via = p.base, code.ViaTyped
		} else if recv = p.valueType(object); recv != "" {
			via = code.ViaTyped
		}
	default:
		if recv = p.valueType(object); recv != "" {
			via = code.ViaTyped
		}
		p.walk(object, code.RefUse)
	}
	if via == code.ViaTyped {
		if pytype.IsContainer(unmarkReceiver(recv)) {
			recv = pyOfContainer
		}
		if p.lookup(recv).is(bindLocal) { // a type parameter
			recv, via = "", code.ViaMember
		}
	}
	p.ref(name, code.Ref{Kind: k, Via: via, Recv: recv})
}

// pyOfContainer is the receiver of the members of any list, map or tuple. The type of
// its elements does not matter to them.
const pyOfContainer = pyMark + "[?]"

// nameType returns the type of a plain name if the file shows it. A class is its own type,
// and so is a name imported from another module.
func (p *python) nameType(n node, b *binding) string {
	switch {
	case b == nil:
		return ""
	case b.what == bindImport || b.target != "":
		return p.str(n)
	case b.typ == pyUnknown:
		return ""
	case b.typ == "" && b.what == bindTop:
		return pyMark + b.name // assigned elsewhere, or a function
	}
	return b.typ
}

// pyChain is the number of names in the longest dotted name that is resolved in one step.
const pyChain = 16

// moduleChain reads a dotted name that begins with an imported module (np.array,
// os.path.join after `import os.path`) and reports whether n is one.
func (p *python) moduleChain(n node, k code.RefKind) bool {
	var chain [pyChain]node
	at := len(chain)
	head := n
	for p.kind(head) == pyAttribute {
		if at == 0 {
			return false
		}
		at--
		chain[at] = p.child(head, pyfAttribute)
		head = p.child(head, pyfObject)
	}
	if p.kind(head) != pyIdentifier {
		return false
	}
	b := p.lookup(p.str(head))
	if !b.isModule() {
		return false
	}
	names := chain[at:]
	if b.own {
		p.use(head, code.RefUse)
	}
	imp, used := p.moduleImport(head, b, names)
	for i := used; i < len(names); i++ {
		r := code.Ref{Kind: code.RefUse, Via: code.ViaMember}
		if i == len(names)-1 {
			r.Kind = k
		}
		switch {
		case imp >= 0 && i == used:
			r.Via, r.Import = code.ViaImport, imp
			for _, o := range p.otherBindings(b) {
				if o.module {
					p.ref(names[i], code.Ref{Kind: r.Kind, Via: code.ViaImport, Import: o.imp})
				}
			}
		case i > used: // the part before may be a module or a class
			r.Via, r.Recv = code.ViaTyped, p.text[p.start(head):p.end(names[i-1])]
		default: // of a package whose modules alone are imported
			r.Via, r.Recv = code.ViaTyped, p.str(head)
		}
		p.ref(names[i], r)
	}
	return true
}

// moduleImport returns the import that the dotted name head.names… uses, and how many of
// names belong to the name of the imported module, because both `import a.b` and `import
// a.c` bind a.
func (p *python) moduleImport(head node, b *binding, names []node) (imp int32, used int) {
	if p.facts.Imports[b.imp].Alias != "" {
		return b.imp, 0
	}
	imp, used = -1, -1
	root := p.str(head)
	for _, i := range p.modules[root] {
		if depth, ok := p.modulePrefix(p.facts.Imports[i].Spec[len(root):], names); ok && depth > used {
			imp, used = i, depth
		}
	}
	return imp, max(used, 0)
}

// modulePrefix reports whether names begin with rest, the further parts of a module's
// dotted name, and how many names it takes.
func (p *python) modulePrefix(rest string, names []node) (int, bool) {
	depth := 0
	for rest != "" {
		if rest[0] != '.' || depth == len(names) {
			return 0, false
		}
		name := p.str(names[depth])
		if !strings.HasPrefix(rest[1:], name) {
			return 0, false
		}
		rest = rest[1+len(name):]
		depth++
	}
	return depth, true
}

func (p *python) decorator(n node) {
	for c := p.firstNamed(n); c != none; c = p.nextNamed(c) {
		if p.kind(c) == pyCall {
			p.call(c, code.RefDecorate)
		} else {
			p.walk(c, code.RefDecorate)
		}
	}
}

func (p *python) subscript(n node, k code.RefKind) {
	inner := code.RefUse
	if k == code.RefType {
		inner = k
	}
	if k == code.RefInherit || isTypingForm(p.str(p.child(n, pyfValue))) {
		inner = code.RefType // class A(Generic[T]), Alias = Optional["T"]
	}
	v := p.child(n, pyfValue)
	literal := strings.HasSuffix(p.str(v), "Literal")
	p.walk(v, k)
	for c := p.sibling(v); c != none; c = p.sibling(c) {
		if p.isNamed(c) && !(literal && inner == code.RefType && p.kind(c) == pyString) {
			p.walk(c, inner)
		}
	}
}

func (p *python) genericType(n node) {
	literal := strings.HasPrefix(p.str(n), "Literal[")
	for c := p.firstNamed(n); c != none; c = p.nextNamed(c) {
		if !literal || p.kind(c) == pyIdentifier {
			p.walk(c, code.RefType)
		}
	}
}

// importsTests reports whether the file imports a test framework.
func (p *python) importsTests() bool {
	return slices.ContainsFunc(p.facts.Imports, func(m code.Import) bool {
		for s := range strings.SplitSeq(m.Spec, ".") {
			if s == "pytest" || s == "unittest" {
				return true
			}
		}
		return false
	})
}
