package extract

import (
	"cmp"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
	"ken/internal/engine/extract/pytype"
)

// pyUnknown stands for the type of a variable to which values of different types are assigned.
const pyUnknown = "?"

// bindNames binds the names that the statements of a module, class or function n
// assign, without the names inside nested functions and classes. Only noted nodes can
// assign, so that it looks at no others. Names of a class go to members.
func (p *python) bindNames(n node) {
	from, _ := slices.BinarySearch(p.noted, n+1)
	end := p.after(n)
	var outside []string // global and nonlocal names
	for i := from; i < len(p.noted) && p.noted[i] < end; i++ {
		c := p.noted[i]
		switch p.kind(c) {
		case pyFunction, pyClass:
			p.bindDefinition(c, outside)
			i, _ = slices.BinarySearch(p.noted, p.after(c))
			i--
		case pyAssignment:
			p.bindAssignment(c, outside)
		case pyAugmented:
			if l := p.child(c, pyfLeft); p.kind(l) == pyIdentifier && p.level == pyInFunction {
				p.bindVariable(p.str(l), pyUnknown, outside)
			}
		case pyFor:
			p.bindLoop(p.child(c, pyfLeft), pytype.Loop(p.valueExpr(p.child(c, pyfRight))), func(id node, typ string) {
				p.bindTarget(id, typ, outside)
			})
		case pyAsTarget:
			p.bindLoop(p.firstNamed(c), p.asType(c), func(id node, typ string) { p.bindTarget(id, typ, outside) })
		case pyNamed:
			p.bindTarget(p.child(c, pyfName), cmp.Or(p.valueType(p.child(c, pyfValue)), pyUnknown), outside)
		case pyImport, pyImportFrom, pyFutureImport:
			p.bindImports(c, outside)
		case pyGlobal, pyNonlocal:
			outside = p.bindOutside(c, outside)
		case pyCasePattern:
			p.bindPattern(c, outside)
		case pyTypeAlias:
			name := p.aliasName(c)
			p.add(binding{name: p.str(name), what: p.symbolBind(), target: p.str(name)}, nil)
		}
	}
}

// add binds b in the current scope, unless the name is already bound there or in outside, the names of global and nonlocal statements.
func (p *python) add(b binding, outside []string) {
	if slices.Contains(outside, b.name) {
		return
	}
	if first := p.ownBinding(b.name); first != nil {
		p.bindAgain(first, &b)
		return
	}
	if p.level == pyInClass {
		p.members.bind(b)
		return
	}
	p.names.bind(b)
}

// bindAgain records that a name is imported from two places, or a name of the module both imported and declared, for
// example because an import can fail. Which of the two a use means depends on the
// installed packages.
func (p *python) bindAgain(first, again *binding) {
	switch imported := first.what == bindImport; {
	case imported && again.what == bindImport:
		if p.isOther(first, again) {
			if p.others == nil {
				p.others = map[pyBound][]binding{}
			}
			at := pyBound{first.imp, first.name}
			p.others[at] = append(p.others[at], *again)
		}
	case p.level != pyInModule || imported == (again.what == bindImport):
	case imported:
		first.own = again.what == bindTop
	case first.what == bindTop:
		outer := first.outer
		*first = *again
		first.outer, first.own = outer, true
	}
}

// maxOthers bounds the imports of one name, each of which makes a reference of every use.
const maxOthers = 16

// isOther reports whether an import binds the name of another one to something else. Modules without a name of their own are none,
// because import a.b and import a.c both bind a.
func (p *python) isOther(first, again *binding) bool {
	a, b := &p.facts.Imports[first.imp], &p.facts.Imports[again.imp]
	isPlain := first.module && a.Alias == "" || again.module && b.Alias == ""
	isSame := a.Spec == b.Spec && first.target == again.target
	return !isPlain && !isSame && len(p.others[pyBound{first.imp, first.name}]) < maxOthers
}

// ownBinding returns the binding of name in the innermost scope, or nil if that has none.
func (p *python) ownBinding(name string) *binding {
	s := &p.names
	if p.level == pyInClass {
		s = &p.members
	}
	if i, ok := s.top[name]; ok && i >= s.marks[len(s.marks)-1] {
		return &s.list[i]
	}
	return nil
}

// symbolBind returns the kind of binding that symbols of the innermost scope have.
func (p *python) symbolBind() bindKind {
	if p.level == pyInModule {
		return bindTop
	}
	return bindNested
}

// bindDefinition binds the name of a function or class. The binding of a class has the class's name as target.
func (p *python) bindDefinition(n node, outside []string) {
	b := binding{name: p.fieldStr(n, pyfName), what: p.symbolBind()}
	if p.kind(n) == pyClass {
		b.target = b.name
	}
	p.add(b, outside)
}

// bindVariable binds a plain name to which a value of type typ is assigned;
// typ is "" for None.
func (p *python) bindVariable(name, typ string, outside []string) {
	if b := p.ownBinding(name); b != nil && !slices.Contains(outside, name) {
		if b.what == bindLocal {
			b.what = p.variableBind()
		}
		if b.what == bindImport {
			p.bindAgain(b, &binding{what: p.variableBind()})
			return
		}
		if b.typ == "" {
			b.typ = typ
		} else if typ != "" && typ != b.typ {
			b.typ = pyUnknown
		}
		return
	}
	p.add(binding{name: name, what: p.variableBind(), typ: typ}, outside)
}

// variableBind returns the kind of binding for an assigned name. Outside of functions
// such a name is a symbol.
func (p *python) variableBind() bindKind {
	if p.level == pyInFunction {
		return bindLocal
	}
	return p.symbolBind()
}

func (p *python) bindAssignment(n node, outside []string) {
	left := p.child(n, pyfLeft)
	if p.kind(left) != pyIdentifier {
		right := p.child(n, pyfRight)
		e := ""
		if k := p.kind(right); k == pyExprList {
			e = p.tupleExpr(right, 0)
		} else if k != pyAssignment {
			e = p.valueExpr(right)
		}
		p.bindLoop(left, e, func(id node, typ string) { p.bindVariable(p.str(id), typ, outside) })
		return
	}
	typ := ""
	if t := p.child(n, pyfType); t != none && !isBareQualifier(p.str(t)) {
		if typ = p.annotation(t); typ == "" {
			typ = pyUnknown
		}
	} else if v := p.child(n, pyfRight); v != none && p.kind(v) != pyNone {
		for p.kind(v) == pyAssignment {
			v = p.child(v, pyfRight)
		}
		if typ = p.valueType(v); typ == "" {
			typ = pyUnknown
		}
	}
	p.bindVariable(p.str(left), typ, outside)
}

// bindTargets binds names that are never symbols, such as loop variables.
func (p *python) bindTargets(n node, outside []string) {
	p.eachTarget(n, func(id node) { p.add(binding{name: p.str(id), what: bindLocal, typ: pyUnknown}, outside) })
}

// bindTarget binds a name that is never a symbol, such as a loop variable. typ is its type, if known.
func (p *python) bindTarget(id node, typ string, outside []string) {
	name := p.str(id)
	if b := p.ownBinding(name); b.is(bindLocal) && b.typ != typ {
		b.typ = pyUnknown
		return
	}
	p.add(binding{name: name, what: bindLocal, typ: typ}, outside)
}

// eachTarget calls f for each plain name on the left side of an assignment.
func (p *python) eachTarget(n node, f func(id node)) {
	switch p.kind(n) {
	case pyIdentifier:
		f(n)
	case pyPatternList, pyTuplePattern, pyListPattern, pyListSplatPattern, pyTuple, pyList, pyListSplat, pyParenthesized:
		for c := p.firstNamed(n); c != none; c = p.nextNamed(c) {
			p.eachTarget(c, f)
		}
	}
}

// bindOutside adds the names that a global or nonlocal statement takes from an outer
// scope.
func (p *python) bindOutside(n node, outside []string) []string {
	for c := p.firstNamed(n); c != none; c = p.nextNamed(c) {
		name := p.str(c)
		outside = append(outside, name)
		if p.kind(n) == pyGlobal && p.level == pyInFunction {
			b := binding{name: name, what: bindTop}
			if outer := p.names.lookup(name); outer.isEither(bindTop, bindImport) {
				b = *outer
			}
			p.names.bind(b)
		}
	}
	return outside
}

// bindPattern binds the names in the pattern of a case, which the match assigns.
func (p *python) bindPattern(n node, outside []string) {
	for c := p.firstNamed(n); c != none; c = p.nextNamed(c) {
		switch p.kind(c) {
		case pyDottedName:
			if id := p.firstNamed(c); p.nextNamed(id) == none {
				p.bindTargets(id, outside)
			}
		case pySplatPattern:
			p.bindTargets(p.firstNamed(c), outside)
		case pyAsPattern:
			for a := p.firstNamed(c); a != none; a = p.nextNamed(a) {
				p.bindTargets(a, outside)
			}
		case pyListPattern, pyTuplePattern:
			p.bindPattern(c, outside)
		default:
			for a := p.firstNamed(c); a != none; a = p.nextNamed(a) {
				if p.kind(a) == pySplatPattern {
					p.bindTargets(p.firstNamed(a), outside)
				}
			}
		}
	}
}

// aliasName returns the identifier of `type X = …` or `type X[T] = …`.
func (p *python) aliasName(n node) node {
	name := p.firstNamed(p.child(n, pyfLeft))
	if p.kind(name) == pyGenericType {
		name = p.firstNamed(name)
	}
	return name
}

// valueType returns the type of a value, or "" if the file does not show it.
func (p *python) valueType(n node) string {
	if p.kind(n) == pyCall && !p.makesType(n) {
		if name := p.classCalled(p.child(n, pyfFunction)); name != "" {
			return name
		}
	}
	return markReceiver(p.valueExpr(n))
}

// classCalled returns the name of the class of which a call of f creates an object: a class
// of this file, or a name that is written like a class name.
func (p *python) classCalled(f node) string {
	switch p.kind(f) {
	case pyIdentifier:
		name := p.str(f)
		b := p.lookup(name)
		if b.is(bindImport) {
			if b.module || !isClassLike(b.target) {
				return ""
			}
			return name
		}
		if b != nil && b.target != "" {
			return name
		}
	case pyAttribute:
		object := p.child(f, pyfObject)
		if p.kind(object) != pyIdentifier || !isClassLike(p.fieldStr(f, pyfAttribute)) {
			return ""
		}
		if p.lookup(p.str(object)).is(bindImport) && isDotted(p.str(f)) {
			return p.str(f)
		}
	}
	return ""
}

// imports lists all import statements, at whatever depth.
func (p *python) imports() {
	for _, n := range p.noted {
		k := p.kind(n)
		switch k {
		case pyImport, pyImportFrom, pyFutureImport:
		default:
			continue
		}
		p.importStatements = append(p.importStatements, pyImportStatement{n, int32(len(p.facts.Imports))})
		if k == pyImport {
			p.importModules(n)
		} else {
			p.importFrom(n, k)
		}
	}
	p.importsEnd = int32(len(p.facts.Imports))
}

func (p *python) importModules(n node) {
	for c := p.firstNamed(n); c != none; c = p.nextNamed(c) {
		m := code.Import{Line: p.line(c)}
		switch p.kind(c) {
		case pyDottedName:
			m.Spec = p.moduleName(c)
		case pyAliasedImport:
			m.Spec, m.Alias = p.moduleName(p.child(c, pyfName)), p.fieldStr(c, pyfAlias)
		}
		if m.Spec == "" {
			continue
		}
		p.facts.Imports = append(p.facts.Imports, m)
		if m.Alias == "" {
			p.addModule(m.Spec, int32(len(p.facts.Imports)-1))
		}
	}
}

// maxModules is the largest number of imported modules with the same first name that are told apart.
const maxModules = 64

func (p *python) addModule(spec string, imp int32) {
	root, _, _ := strings.Cut(spec, ".")
	list := p.modules[root]
	if len(list) == maxModules || slices.ContainsFunc(list, func(i int32) bool { return p.facts.Imports[i].Spec == spec }) {
		return
	}
	if p.modules == nil {
		p.modules = make(map[string][]int32)
	}
	p.modules[root] = append(list, imp)
}

func (p *python) importFrom(n node, k kind) {
	m := code.Import{Line: p.line(n), Spec: "__future__"}
	if k == pyImportFrom {
		m.Spec = p.moduleName(p.child(n, pyfModuleName))
	}
	for c := p.firstNamed(n); c != none; c = p.nextNamed(c) {
		switch {
		case p.kind(c) == pyWildcard:
			p.wildcard = true
			m.Names = append(m.Names, code.ImportName{Name: "*", Alias: "*"})
		case p.nodeField(c) != pyfName:
		case p.kind(c) == pyAliasedImport:
			m.Names = p.importName(m.Names, p.child(c, pyfName), p.child(c, pyfAlias))
		default:
			m.Names = p.importName(m.Names, c, c)
		}
	}
	if m.Spec != "" {
		p.facts.Imports = append(p.facts.Imports, m)
	}
}

func (p *python) importName(names []code.ImportName, name, alias node) []code.ImportName {
	if p.str(name) == "" || p.str(alias) == "" {
		return names
	}
	return append(names, code.ImportName{Name: p.str(name), Alias: p.str(alias)})
}

// moduleName returns a module name without the white space that may be in it.
func (p *python) moduleName(n node) string {
	s := p.str(n)
	if strings.ContainsAny(s, " \t\r\n\\") {
		s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \t\r\n\\", r) }), "")
	}
	return s
}

// bindImports binds the names of the import statement n.
func (p *python) bindImports(n node, outside []string) {
	for _, b := range p.importBindings(n) {
		p.add(b, outside)
	}
}

// importBindings returns a binding for each name that the import statement n declares.
func (p *python) importBindings(n node) (out []binding) {
	i, ok := slices.BinarySearchFunc(p.importStatements, n, func(a pyImportStatement, n node) int { return int(a.n) - int(n) })
	if !ok {
		return nil
	}
	end := p.importsEnd
	if i+1 < len(p.importStatements) {
		end = p.importStatements[i+1].first
	}
	for imp := p.importStatements[i].first; imp < end; imp++ {
		m := &p.facts.Imports[imp]
		switch {
		case m.Kind != code.ImportStatic:
		case m.Alias != "":
			out = append(out, binding{name: m.Alias, what: bindImport, imp: imp, module: true})
		case p.kind(n) == pyImport:
			name, _, _ := strings.Cut(m.Spec, ".")
			out = append(out, binding{name: name, what: bindImport, imp: imp, module: true})
		}
		for _, name := range m.Names {
			if name.Name != "*" {
				out = append(out, binding{name: name.Alias, what: bindImport, imp: imp, target: name.Name})
			}
		}
	}
	return out
}

// dynamicImport returns x for the calls importlib.import_module("x"),
// import_module("x") and __import__("x").
func (p *python) dynamicImport(f, call node) (spec string, ok bool) {
	name := f
	if p.kind(f) == pyAttribute {
		name = p.child(f, pyfAttribute)
	}
	if s := p.str(name); s != "import_module" && s != "__import__" {
		return "", false
	}
	arg := p.firstNamed(p.child(call, pyfArguments))
	if p.kind(arg) != pyString || p.after(arg) != arg+4 {
		return "", false
	}
	spec = p.str(p.childKind(arg, pyStringContent))
	return spec, isDotted(spec)
}

// isClassLike reports whether a name is written like a class name.
func isClassLike(name string) bool {
	name = strings.TrimLeft(name, "_")
	return lexical.IsCapital(lexical.ByteAt(name, 0)) && (len(name) == 1 || strings.ToUpper(name) != name)
}

func (p *python) isStatic(n node) bool {
	d := p.parent(n)
	if p.kind(d) != pyDecorated {
		return false
	}
	for c := p.firstNamed(d); c != none && p.kind(c) == pyDecorator; c = p.nextNamed(c) {
		if id := p.firstNamed(c); p.str(id) == "staticmethod" {
			return true
		}
	}
	return false
}

// paramParts returns name, type and default value of a parameter. The name keeps its stars, as in *args.
func (p *python) paramParts(n node) (name, typ, value node) {
	switch p.kind(n) {
	case pyIdentifier, pyListSplatPattern, pyDictSplatPattern, pyTuplePattern:
		return n, none, none
	case pyTypedParam:
		return p.firstNamed(n), p.child(n, pyfType), none
	case pyDefaultParam, pyTypedDefaultParam:
		return p.child(n, pyfName), p.child(n, pyfType), p.child(n, pyfValue)
	}
	return none, none, none
}
