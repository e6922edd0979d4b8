package extract

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
)

// classes is the common part of the readers of Java, Kotlin, Scala and Swift. It knows
// the enclosing class and the types of fields, and finds the meaning of names in front
// of a dot.
type classes struct {
	*file
	position
	language    classLanguage
	pathImports map[string]int32 // imports made for qualified names, by name
	fields      map[classMember]string
	extensions  map[string]bool // extensions declared at the top of the file
	// builtin reports whether a name that the file neither declares nor imports
	// is one that every file of the language sees. References to such names are kept,
	// because a type of the package may have the name.
	builtin func(name string) bool
	// importWithin is Import.Within at the current position.
	importWithin string
	// modifierList is the node in front of a declaration that holds its modifiers
	// and, among them, the annotations.
	modifierList kind
	annotations  []kind
	// dotted is the kind of x.f (Kotlin, Scala).
	dotted kind
	isDoc  func(comment string) bool
}

// classLanguage is the part of reading that differs between the languages that share the type classes.
type classLanguage interface {
	// walk reads any node of the syntax tree.
	walk(n node)
	// variable records a reference to a plain name that is used as a value.
	variable(n node, k code.RefKind)
	// isPrivate reports whether the declaration n is private to its file or class.
	isPrivate(n node) bool
}

// position is the part of a reader's state that is restored at the end of the enclosing declaration.
type position struct {
	class   classScope
	inBody  bool // inside a method or an initializer
	private bool // an enclosing type is private
}

func newClasses(f *file, language classLanguage, builtin func(string) bool) classes {
	return classes{file: f, language: language, pathImports: map[string]int32{}, fields: map[classMember]string{},
		extensions: map[string]bool{}, builtin: builtin, isDoc: isJavadoc}
}

// classScope describes the enclosing class.
type classScope struct {
	name string // "" outside; an anonymous class has the name of its base type
	base string // its base class, "" if it names none
	// path and basePath are the two as expressions (code.RecvExpr).
	path, basePath string
	// own and parent are references to the class and to its base class, for the constructors that they call. They have no name if it is
	// not known.
	own, parent code.Ref
	super       bool // it has a base class or interface of its own
	unnamed     bool // it has no name, and path is its base
	iface       bool // an interface: members are public, fields constants
	// companion is set in a companion object, whose members count as those of the
	// class around it (Kotlin).
	companion bool
}

// classMember identifies a field by its class and name.
type classMember struct{ class, name string }

// qual is the meaning of the expression in front of a dot.
type qual struct {
	kind qualKind
	// path is the package so far, the receiver's type as Ref.Recv, or "".
	path string
	imp  int32 // the import that binds the type, -1
}

type qualKind uint8

const (
	qualNone    qualKind = iota // there is no dot
	qualPackage                 // a package, or the beginning of one
	qualType                    // a type: its member is nested or static
	qualValue                   // a value of type path
	qualSelf                    // this; super, whose path is the base class if it is known
	qualBuiltin                 // a type that has the name path of one of the language itself
)

// pathImport returns the index of an import that is made for a qualified name, such as a.b.C, which code uses without an import.
func (c *classes) pathImport(spec, name string, line uint32) int32 {
	imp, ok := c.pathImports[spec]
	if !ok {
		c.facts.Imports = append(c.facts.Imports, code.Import{Spec: spec, Kind: code.ImportPath, Line: line, Within: c.importWithin,
			Names: []code.ImportName{{Name: name, Alias: name}}})
		imp = int32(len(c.facts.Imports) - 1)
		c.pathImports[spec] = imp
	}
	return imp
}

// nameRef records a reference to the type or variable that n names.
func (c *classes) nameRef(n node, k code.RefKind) {
	name := c.str(n)
	b := c.names.lookup(name)
	switch {
	case b == nil:
		c.ref(n, code.Ref{Name: name, Kind: k, Via: code.ViaBare})
	case b.is(bindLocal):
	default:
		c.refTo(n, b, k)
	}
}

// nextSegment returns the meaning of q followed by the name n, where a type may be. If it is
// a type, a reference of kind k is recorded.
func (c *classes) nextSegment(q qual, n node, k code.RefKind) qual {
	name := c.str(n)
	switch q.kind {
	case qualNone:
		return c.firstSegment(n, k)
	case qualPackage:
		spec := q.path + "." + name
		if !lexical.IsUpper(name) {
			return qual{kind: qualPackage, path: spec}
		}
		imp := c.pathImport(spec, name, c.line(n))
		c.ref(n, code.Ref{Name: name, Kind: k, Via: code.ViaImport, Import: imp})
		return qual{qualType, spec, imp}
	case qualType:
		c.member(n, k, q)
		if q.imp >= 0 {
			return qual{qualType, c.facts.Imports[q.imp].Spec + "." + name, -1}
		}
		return qual{qualType, name, -1}
	}
	c.member(n, k, q)
	return qual{kind: qualValue}
}

// firstSegment returns the meaning of the first part of a qualified name, which is a type in scope or a package. k is the kind of
// reference.
func (c *classes) firstSegment(n node, k code.RefKind) qual {
	name := c.str(n)
	b := c.names.lookup(name)
	switch {
	case b == nil && !lexical.IsUpper(name):
		return qual{kind: qualPackage, path: name}
	case b == nil && c.builtin(name):
		c.nameRef(n, k)
		return qual{kind: qualBuiltin, path: name}
	case b.is(bindLocal):
		return qual{kind: qualValue, path: b.typ}
	}
	c.nameRef(n, k)
	if b.is(bindImport) {
		return qual{qualType, name, b.imp}
	}
	return qual{qualType, name, -1}
}

// member records a reference to the member n of q, the meaning of the expression in front of the dot.
func (c *classes) member(n node, k code.RefKind, q qual) {
	r := code.Ref{Name: c.str(n), Kind: k, Via: code.ViaMember}
	switch {
	case q.kind == qualPackage, q.kind == qualBuiltin && q.path == "":
		return
	case q.kind == qualSelf:
		r.Via, r.Recv = code.ViaSelf, q.path
		if r.Recv == "" {
			r.Via = code.ViaMember
		}
	case q.kind == qualType && q.imp >= 0:
		r.Via, r.Import = code.ViaImport, q.imp
	case q.path != "":
		r.Via, r.Recv = code.ViaTyped, q.path
	}
	c.ref(n, r)
}

// modifiers returns the node with n's modifiers, such as public, or none. It is the first child.
func (c *classes) modifiers(n node) node {
	if m := c.firstNamed(n); c.kind(m) == c.modifierList {
		return m
	}
	return none
}

func (c *classes) isAnnotation(n node) bool { return slices.Contains(c.annotations, c.kind(n)) }

// declStart returns the offset at which the declaration n begins, after its annotations.
func (c *classes) declStart(n node) uint32 {
	mods := c.modifiers(n)
	if mods == none {
		return c.start(n)
	}
	for m := c.first(mods); m != none; m = c.sibling(m) {
		if !c.isAnnotation(m) && !c.isExtra(m) {
			return c.start(m)
		}
	}
	for m := c.sibling(mods); m != none; m = c.sibling(m) {
		if !c.isExtra(m) {
			return c.start(m)
		}
	}
	return c.start(n)
}

// signatureWithout returns the text from start to end as a signature, without annotations.
func (c *classes) signatureWithout(n node, start, end uint32) string {
	var out string
	end = min(end, start+signatureSource)
	for m := n + 1; m < c.after(n) && c.start(m) < end; m++ {
		if !c.isAnnotation(m) {
			continue
		}
		if c.start(m) > start {
			out += c.signature(start, c.start(m))
			if !strings.HasSuffix(out, "(") {
				out += " "
			}
			start = c.end(m)
		}
		m = c.after(m) - 1
	}
	return lexical.Cut(strings.TrimRight(out+c.signature(start, end), " ;,"), code.MaxSignature)
}

// sourceLine returns n's source on one line.
func (c *classes) sourceLine(n node) string {
	if n == none {
		return ""
	}
	return c.signature(c.start(n), c.end(n))
}

// isJavadoc reports whether a comment has the form of documentation, /** … */.
func isJavadoc(s string) bool { return strings.HasPrefix(s, "/**") && s != "/**/" }

// typeDoc makes the documentation of the first type that of the file, because a file
// usually exists for one type and has no comment of its own.
func (c *classes) typeDoc() {
	if c.facts.Doc != "" {
		return
	}
	for i := range c.facts.Symbols {
		if s := &c.facts.Symbols[i]; s.Parent < 0 && s.Kind.IsType() {
			c.facts.Doc = s.Doc
			return
		}
	}
}
