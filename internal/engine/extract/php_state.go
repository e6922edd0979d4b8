package extract

import "strings"

// php reads a PHP file. Declarations are in this file, members in php_member.go, names
// and imports in php_name.go, statements in php_stmt.go, expressions in php_expr.go,
// types that comments declare in php_doc.go, elements of lists in php_element.go.
//
// The namespace of the first declaration is the file's package; HTML around the code is
// ignored. Variables are bound with their $, imported functions with () and imported
// constants with #, because each has a name space of its own. Members are never in
// scope by their bare name. A function or type declared inside a function is global
// once that function has run, so its qualified name is its own name.
type php struct {
	*file
	class         phpOwner
	inBody        bool // inside a function
	namespaceName string
	packageKnown  bool   // a declaration was read, so that the file's package is known
	firstSpace    string // the first namespace of the file
	pathImports   map[string]int32
	memberTypes   map[phpMember]string // declared types of properties and results of methods
	private       bool                 // the enclosing class is anonymous
	docVariable   phpVar               // type that a comment gives to the next variable
	globals       map[string]bool      // variables declared at the top
	proofs        []phpProof           // what the conditions around prove
}

// phpOwner describes the class that encloses the current position.
type phpOwner struct {
	name   string // "" outside; of an anonymous class, the name of its base
	parent string // its base class as Ref.Recv, "" if it has none
}

// phpMember identifies a member of a class of this file. The name of a method ends in ().
type phpMember struct{ class, name string }

// phpVar is a variable and its type, or that of its elements.
type phpVar struct{ name, typ, elem string }

func joinPath(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + `\` + b
}

// fullName returns the full name of a qualified name: absolute, or below an imported
// name, or below the namespace.
func (p *php) fullName(path string) string {
	if rest, ok := strings.CutPrefix(path, `\`); ok {
		return rest
	}
	head, rest, _ := strings.Cut(path, `\`)
	if strings.EqualFold(head, "namespace") {
		return joinPath(p.namespaceName, rest)
	}
	if b := p.names.lookup(head); b.is(bindImport) {
		return joinPath(b.typ, rest)
	}
	return joinPath(p.namespaceName, path)
}

// isPHPType reports whether a type name is built in and not a class of the program.
func isPHPType(s string) bool {
	switch strings.ToLower(s) {
	case "self", "static", "parent", "array", "bool", "boolean", "callable", "false", "float", "double", "int", "integer", "iterable", "mixed", "never",
		"null", "object", "string", "true", "void", "resource", "scalar", "list", "class-string", "positive-int", "non-empty-string", "array-key":
		return true
	}
	return false
}

// nameType returns the type that a written name stands for, in the form of Ref.Recv.
func (p *php) nameType(name string) string {
	switch low := strings.ToLower(name); {
	case low == "self" || low == "static":
		if p.class.name != "" {
			return p.class.name
		}
		return low
	case low == "parent":
		return p.class.parent
	case isPHPType(name) || name == "":
		return ""
	}
	if strings.IndexByte(name, '\\') < 0 {
		if b := p.names.lookup(name); b.is(bindImport) {
			return b.typ
		}
		return name
	}
	full := p.fullName(name)
	if rest, ok := strings.CutPrefix(full, p.namespaceName+`\`); ok && strings.IndexByte(rest, '\\') < 0 {
		return rest
	}
	if strings.IndexByte(full, '\\') < 0 {
		return `\` + full
	}
	return full
}
