// Package graph turns the facts of single files into relations between them:
// file edges when a file is stored (link.go), what a reference is bound to when
// a question is asked (bind.go), and the measures over the whole (rank.go,
// walk.go, community.go). It is pure; what it has to know about other files it
// asks World. Its neighbours are engine/resolve, which finds the file an import
// names, and package engine, which answers for World from the store.
package graph

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/resolve"
)

// Node is a file as linking sees it.
type Node struct {
	ID      int64
	Path    string
	Lang    code.Lang
	Package string // declared package (Go, Java)
	Test    bool
}

// Importable reports whether importers of a file's directory see what it
// declares: in Go all but test files, whatever those of them hold.
func (n Node) Importable() bool { return n.Lang != "go" || !strings.HasSuffix(n.Path, "_test.go") }

// tested is the package an external Go test tests: its files see that package
// with the declarations of its own test files. ok is false for other files.
func (n Node) tested() (of Node, ok bool) {
	pkg, ok := strings.CutSuffix(n.Package, "_test")
	return Node{Path: n.Path, Lang: n.Lang, Package: pkg}, ok && n.Lang == "go" && !n.Importable()
}

// World answers questions about other files. Errors are kept by the
// implementation and reported after linking, so that the rules stay readable.
type World interface {
	resolve.Tree
	// Node finds a file by path.
	Node(path string) (Node, bool)
	// NodeByID finds a file by id.
	NodeByID(id int64) (Node, bool)
	// ScopeDeclarers are the files of a package scope that declare a name: for
	// Go those in the directory of n with the same package clause, for Java
	// those of the same package; n itself may be among them. container is the
	// qualified name of what encloses the declaration, "" for the top level.
	ScopeDeclarers(n Node, container, name string) []int64
	// DirDeclarers are the files that importers of a directory see (Go: no
	// tests) and that declare a top-level name.
	DirDeclarers(lang code.Lang, dir, name string) []int64
	// DirFirst is the first of the files importers of a directory see.
	DirFirst(lang code.Lang, dir string) (int64, bool)
	// Declares reports whether a file declares a name.
	Declares(file int64, container, name string) bool
	// Tables are the files that declare a database table or view of a name.
	Tables(name string) []int64
	// Outward is what a file imports and exports, for following re-exports.
	Outward(file int64) Outward
}

// Outward is what other files can reach through a file.
type Outward struct {
	Imports []code.Import
	Exports []code.Export
	Links   []Link // of the imports, nil if not linked yet
}
