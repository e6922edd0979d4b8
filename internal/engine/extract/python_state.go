package extract

// python reads Python. The walk goes down the tree once. Before it enters a function,
// class or module it binds the names assigned there (python_bind.go), because a name is
// local to the whole of its function.
//
// Choices the vocabulary leaves open: an assignment declares a variable or attribute
// unless one before it certainly ran (both branches of an if declare, a second
// assignment after the first does not); loop variables and `as` names of a module are
// locals; a Protocol is an interface, the members of an Enum are enum members; a member
// is Exported if its class is, and so are dunders. A member of a name taken by `from m
// import x` is ViaTyped with Recv x, which may be a class, but also a module or an
// object: that depends on m.
type python struct {
	*file
	level pyLevel
	// wildcard is set if an import takes all names of a module, so that a name may be bound that the file does not show.
	wildcard bool
	// members are the names of the innermost class body, seen only by the
	// statements directly in it.
	members scopes
	// self is the first parameter of the innermost method and selfAt its binding;
	// class is the enclosing class, "" outside, and base the only one it is derived
	// from, "" if there are none or several.
	self   string
	selfAt int32
	class  string
	base   string
	// classAt is the symbol of the enclosing class, -1 outside; result the type the
	// returns of the innermost function have so far, nil outside and in lambdas.
	classAt int32
	result  *string
	// enum is set in the body of an enumeration.
	enum bool
	// declared are the variables of the innermost module or class that are certainly
	// declared at the current position; those before declaredFrom belong to others.
	declared     scopes
	declaredFrom int
	// importStatements are the import statements in source order, with their first
	// index in Facts.Imports.
	importStatements []pyImportStatement
	importsEnd       int32 // number of imports these statements make
	// modules are the imports of whole modules by the first part of their name, which
	// is the name they bind; each module once.
	modules map[string][]int32
	// others are the further imports that bind the name of an import in the same scope, such as those behind except ImportError.
	others map[pyBound][]binding
	// all lists the names __all__ holds; hasAll is set if there is one.
	all    []pyExport
	hasAll bool
	tests  bool    // a function or class looks like a test
	flow   *pyFlow // made when first needed
	// assigned are the names of attributes and variables that are assigned to,
	// made when first needed.
	assigned map[string]bool
}

// pyBound is a name that an import binds.
type pyBound struct {
	imp  int32
	name string
}

// pyLevel is the kind of the innermost scope.
type pyLevel uint8

const (
	pyInModule pyLevel = iota
	pyInClass
	pyInFunction
)

type pyImportStatement struct {
	n     node
	first int32
}

type pyExport struct {
	name string
	line uint32
}

// lookup returns the binding that name has at the current position, or nil.
func (p *python) lookup(name string) *binding {
	if p.level == pyInClass {
		if i, ok := p.members.top[name]; ok && i >= p.members.marks[len(p.members.marks)-1] {
			return &p.members.list[i]
		}
	}
	return p.names.lookup(name)
}

// isSelf reports whether name is the first parameter of the innermost method, not
// hidden by another binding.
func (p *python) isSelf(name string) bool {
	return name == p.self && p.names.top[name] == p.selfAt
}

func (p *python) isSuper(call node) bool {
	f := p.child(call, pyfFunction)
	return p.kind(f) == pyIdentifier && p.str(f) == "super" && p.lookup("super") == nil
}

// pyFlow knows which functions the values of a file may be: those assigned to names and
// attributes, passed, returned, kept in lists and dicts. It looks at one file, without
// order and context: a name may be anything assigned to it anywhere in its scope, a
// parameter anything that a call of the file passes. It is built when a call first
// needs it, in one pass over the tree.
type pyFlow struct {
	p      *python
	scopes map[node]*pyScope
	// sites are the calls by the name called, decorators the uses as a decorator.
	sites      map[string][]pyValue
	decorators map[string][]pyValue
	// attrSets are assignments to attributes of other objects than self, by attribute.
	attrSets map[string][]pyAttrSet
	// following are the values being followed at the moment, so that a cycle ends.
	following map[pyScopedNode]bool
	// remaining is how many values may still be followed for one call, budget for the
	// file.
	remaining, budget int
}

type pyScopedNode struct {
	n     node
	scope *pyScope
}

// pyScope is the scope of a module, class, function or lambda.
type pyScope struct {
	n       node
	outer   *pyScope
	class   bool
	method  bool // its first parameter is an object of outer
	names   map[string]*pyName
	outside map[string]bool // names of outer scopes that it may assign: global, nonlocal
	returns []node
	yields  []node
	attrs   map[string][]pyValue // of a class: the values methods assign to self.name
	params  []string             // positional ones, in order
}

// pyName holds all values that may be bound to a name.
type pyName struct {
	defs   []node
	values []pyValue
	loops  []pyValue // containers it is an element of
	items  []pyItem  // name[key] = value, name.append(value)
	param  int       // position among the parameters, -1 if it is none
	star   int       // 1 for *name, 2 for **name
	imp    *binding  // nil if not imported
}

// pyValue is an expression and its scope. If part is not -1, the element with that
// index is meant instead of the whole expression.
type pyValue struct {
	n     node
	scope *pyScope
	part  int
}

type pyItem struct {
	key string // of a literal, "" if not known
	v   pyValue
}

type pyAttrSet struct {
	object node
	v      pyValue
}
