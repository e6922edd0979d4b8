// Package graph turns the facts of single files into relations between them:
// the edges of a file, drawn when it is stored (link.go), names followed from
// file to file (follow.go), and measures over the whole graph (rank.go, walk.go,
// community.go). It is pure: it asks Lookup about other files, which package
// lookup implements. Its neighbours are engine/resolve, which finds the file
// that an import names, graph/infer, which finds the types of expressions, and
// graph/bind, which decides what a reference means.
package graph

import (
	"path"
	"strings"

	"ken/internal/code"
	"ken/internal/lang"
)

// Node holds the fields of a file that linking needs.
type Node struct {
	ID      int64
	Path    string
	Lang    code.Lang
	Package string // as the file's package clause declares it
	Test    bool
}

// Traits returns the properties of the file's language that linking depends on.
func (n Node) Traits() *lang.Info { return lang.Of(n.Lang) }

// Family returns the name of a language's family: languages whose code calls each other directly, such as C and C++.
func Family(l code.Lang) string { return lang.Of(l).Family }

// SameFamily reports whether the languages of two files belong to one family.
func SameFamily(a, b *Node) bool { return a.Lang == b.Lang || Family(a.Lang) == Family(b.Lang) }

// Importable reports whether files that import this file's directory see its declarations. In Go that is true for all
// but test files.
func (n Node) Importable() bool {
	hidden := n.Traits().HiddenSuffix
	return hidden == "" || !strings.HasSuffix(n.Path, hidden)
}

// TestedPackage returns the package under test for a file of an external Go test, such as package a_test. Such files also see
// the declarations in the test files of that package. ok is false for other files.
func (n Node) TestedPackage() (of Node, ok bool) {
	pkg, ok := strings.CutSuffix(n.Package, n.Traits().TestClause)
	return Node{Path: n.Path, Lang: n.Lang, Package: pkg}, ok && !n.Importable()
}

// Declares reports whether the file only declares what another one runs (a.d.ts).
func (n Node) Declares() bool {
	end := n.Traits().DeclarationStem
	return end != "" && strings.HasSuffix(strings.TrimSuffix(n.Path, path.Ext(n.Path)), end)
}

// Stem returns the path without the extension, and without the end that marks a declaration file.
func (n Node) Stem() string {
	return strings.TrimSuffix(strings.TrimSuffix(n.Path, path.Ext(n.Path)), n.Traits().DeclarationStem)
}

// SameScope reports whether two files see each other's declarations without an import, because they share a directory or
// a package. Files without a package share one by directory: a build compiles those of several programs apart. It is false for languages
// with namespaces, of which a file may see several; see Linker.Spaces.
func SameScope(a, b *Node) bool {
	if !SameFamily(a, b) {
		return false
	}
	switch a.Traits().Scope {
	case lang.DirectoryScope:
		return code.Dir(a.Path) == code.Dir(b.Path)
	case lang.ClauseScope:
		return code.Dir(a.Path) == code.Dir(b.Path) && a.Package == b.Package
	case lang.PackageScope:
		return a.Package == b.Package && (a.Package != "" || code.Dir(a.Path) == code.Dir(b.Path))
	}
	return false
}

// Def is a definition to which a reference may be bound.
type Def struct {
	File      Node
	Name      string
	Container string // qualified name of the enclosing declaration, "" at the top level
	Kind      code.Kind
	Ord       int32 // place among the file's symbols
	Signature string
	Test      bool
	Extension bool // method that extends a type declared elsewhere (C#)
	// NoReceiver is set on a function of a Rust type or trait that is called on the type and not on a value.
	NoReceiver bool
	// Forward is set on a C prototype or extern variable, Local on a definition that is invisible to other files.
	Forward, Local bool
}

// NoReceiver reports whether a symbol is a function of a type that takes no receiver, according to its signature.
func NoReceiver(l code.Lang, s *code.Symbol) bool {
	self := lang.Of(l).ReceiverName
	return self != "" && s.Kind.IsFunction() && s.Container() != "" && !strings.Contains(s.Signature, self)
}

// IsTag reports whether a definition is a type with members that other files of a language's family may announce.
func IsTag(d *Def, l code.Lang) bool {
	return d.Container == "" && d.Kind.IsType() && d.Kind != code.KindType && Family(d.File.Lang) == Family(l)
}

// WithNamespace adds a symbol to the names around it that qualified names leave out (infer.Lookup.Namespaces). The members of an inline
// namespace belong to the namespace around it.
func WithNamespace(outer string, k code.Kind, name, signature string) string {
	switch {
	case k == code.KindModule && !strings.HasPrefix(signature, "inline "):
		outer, _, _ = strings.Cut(outer, "/")
		return strings.TrimPrefix(outer+"."+name, ".")
	case k == code.KindEnum && !strings.Contains(outer, "/"):
		return outer + "/" + name
	}
	return outer
}

// QualifiedName returns the name, preceded by that of the type or declaration around it.
func (d *Def) QualifiedName() string {
	if d.Container == "" {
		return d.Name
	}
	return d.Container + "." + d.Name
}

// Site is a file whose references are bound, with its imports. Links may be nil if the file is not linked.
type Site struct {
	Node    Node
	Imports []code.Import
	Links   []Link
	// Rebinds is set if it may run code as if that were in the body of another type (lang.Traits.Rebinding).
	Rebinds bool
}

// Tree answers questions about indexed files for the resolution of imports; see resolve.Tree.
type Tree interface {
	Has(path string) bool
	HasDir(dir string) bool
	Config(path string) ([]byte, bool)
	Configs(base string) []string
	PackageDirs(l code.Lang, pkg string) []string
}

// Resolver finds the targets of imports. resolve.Resolver implements it; the interface keeps linking independent of the rules of
// every language and build tool.
type Resolver interface {
	Resolve(from string, lang code.Lang, imp *code.Import) code.Resolution
	ProjectUsings(from string, lang code.Lang) code.ProjectUsings
	// Sees reports whether the file from can name the declarations of the file to, judging by the projects that they belong to.
	Sees(from string, lang code.Lang, to string) bool
	// RankDirs sorts package directories by the likelihood that a file in dir uses them.
	RankDirs(dirs []string, dir string)
}

// Lookup answers questions about other files. An implementation keeps its first error and reports it after linking, so
// that the rules need no error handling. Answers after an error mean nothing.
type Lookup interface {
	Tree
	// Node returns the file at a path.
	Node(path string) (Node, bool)
	// NodeByID returns the file with an id.
	NodeByID(id int64) (Node, bool)
	// ScopeDeclarers returns the files that share a scope with n (lang.Scope) and declare a name; n itself may be among
	// them. container is the qualified name of the enclosing declaration, "" for the top level.
	ScopeDeclarers(n Node, container, name string) []int64
	// DirDeclarers returns the files of a directory that importers see (Importable) and that declare a top-level name.
	DirDeclarers(l code.Lang, dir, name string) []int64
	// DirFirst returns the first file of a directory that importers see.
	DirFirst(l code.Lang, dir string) (int64, bool)
	// Declares reports whether a file declares a name inside a container, "" for the top level.
	Declares(file int64, container, name string) bool
	// Tables returns the files that declare a database table or view of a name.
	Tables(name string) []int64
	// Outward returns the imports and exports of a file, which are needed to follow re-exports.
	Outward(file int64) Outward
}

// Outward holds the imports and exports of a file, through which other files reach names.
type Outward struct {
	Imports []code.Import
	Exports []code.Export
	Links   []Link // of the imports, nil if not linked yet
}
