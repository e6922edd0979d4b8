// Package graph turns the facts of single files into relations between them:
// the edges of a file, drawn when it is stored (link.go), names followed from
// file to file (follow.go), and measures over the whole graph (rank.go, walk.go,
// community.go). It is pure: it asks Lookup about other files, which package
// lookup implements. Its neighbours are engine/resolve, which finds the file
// that an import names, graph/infer, which finds the types of expressions, and
// graph/bind, which decides what a reference means.
package graph

import (
	"strings"

	"ken/internal/code"
	"ken/internal/lang"
)

// Node is the part of a file that linking needs.
type Node struct {
	ID      int64
	Path    string
	Lang    code.Lang
	Package string // as the file's package clause declares it
	Test    bool
}

// Traits returns the traits of the file's language.
func (n Node) Traits() *lang.Info { return lang.Of(n.Lang) }

// Family returns the name of the group of languages whose code calls each other without a bridge.
func Family(l code.Lang) string { return lang.Of(l).Family }

// SameFamily reports whether two files are of one family of languages.
func SameFamily(a, b *Node) bool { return a.Lang == b.Lang || Family(a.Lang) == Family(b.Lang) }

// Importable reports whether importers of a file's directory see its declarations: in Go those of all but test files,
// whatever package those declare.
func (n Node) Importable() bool {
	hidden := n.Traits().HiddenSuffix
	return hidden == "" || !strings.HasSuffix(n.Path, hidden)
}

// TestedPackage returns the package that an external Go test tests: its files see that package with the declarations of its own
// test files. ok is false for other files.
func (n Node) TestedPackage() (of Node, ok bool) {
	pkg, ok := strings.CutSuffix(n.Package, n.Traits().TestClause)
	return Node{Path: n.Path, Lang: n.Lang, Package: pkg}, ok && !n.Importable()
}

// SameScope reports whether two files see each other's declarations without an import.
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
		return a.Package != "" && a.Package == b.Package
	}
	return false
}

// Def is a definition a reference may be bound to.
type Def struct {
	File      Node
	Name      string
	Container string // qualified name of the enclosing declaration, "" at the top level
	Kind      code.Kind
	Ord       int32 // place among the file's symbols
	Signature string
	Test      bool
	Extension bool // method that extends a type declared elsewhere (C#)
	// NoReceiver is set on a function of a Rust type or trait that is called through the type alone.
	NoReceiver bool
	// Forward is set on a C prototype or extern variable, Local on a definition that other files do not see.
	Forward, Local bool
}

// NoReceiver reports whether a symbol of a language is a function of a type without a receiver, by its signature.
func NoReceiver(l code.Lang, s *code.Symbol) bool {
	self := lang.Of(l).ReceiverName
	return self != "" && s.Kind.IsFunction() && s.Container() != "" && !strings.Contains(s.Signature, self)
}

// QualifiedName returns the name with that of its container.
func (d *Def) QualifiedName() string {
	if d.Container == "" {
		return d.Name
	}
	return d.Container + "." + d.Name
}

// Site is a file with the imports by which its references are bound. Links may be nil for a file that is not linked.
type Site struct {
	Node    Node
	Imports []code.Import
	Links   []Link
}

// Tree answers the questions of resolution about indexed files; see resolve.Tree.
type Tree interface {
	Has(path string) bool
	HasDir(dir string) bool
	Config(path string) ([]byte, bool)
	Configs(base string) []string
	PackageDirs(l code.Lang, pkg string) []string
}

// Resolver finds the targets of imports. resolve.Resolver is one; it is an interface so that linking does not depend on the rules of
// every ecosystem.
type Resolver interface {
	Resolve(from string, lang code.Lang, imp *code.Import) code.Resolution
	ProjectUsings(from string, lang code.Lang) code.ProjectUsings
	// Sees reports whether the file from can name the declarations of the file to, as far as projects decide it.
	Sees(from string, lang code.Lang, to string) bool
	// RankDirs sorts package directories by the likelihood that a file in dir sees them.
	RankDirs(dirs []string, dir string)
}

// Lookup answers questions about other files. The implementation keeps the first error and reports it after linking, so
// that the rules stay readable; answers after an error are void.
type Lookup interface {
	Tree
	// Node returns the file at a path.
	Node(path string) (Node, bool)
	// NodeByID returns the file with an id.
	NodeByID(id int64) (Node, bool)
	// ScopeDeclarers returns the files that share the scope of n (lang.Scope) and declare a name; n itself may be among
	// them. container is the qualified name of the enclosing declaration, "" for the top level.
	ScopeDeclarers(n Node, container, name string) []int64
	// DirDeclarers returns the files that importers of a directory see (Importable) and that declare a top-level name.
	DirDeclarers(l code.Lang, dir, name string) []int64
	// DirFirst returns the first of the files that importers of a directory see.
	DirFirst(l code.Lang, dir string) (int64, bool)
	// Declares reports whether a file declares a name.
	Declares(file int64, container, name string) bool
	// Tables returns the files that declare a database table or view of a name.
	Tables(name string) []int64
	// Outward returns the imports and exports of a file, for following re-exports.
	Outward(file int64) Outward
}

// Outward holds the names that other files can reach through a file.
type Outward struct {
	Imports []code.Import
	Exports []code.Export
	Links   []Link // of the imports, nil if not linked yet
}
