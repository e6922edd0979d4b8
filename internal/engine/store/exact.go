package store

import (
	"iter"
	"ken/internal/code"
)

// Exact bindings are those that a type checker or another indexer vouches for. They have tables of their own, beside the
// results of
// extraction and linking, and no answer depends on them; see package exact.

// Origin says where an exact binding comes from. The values are stored; append only.
type Origin uint8

// The origins, the most trusted first.
const (
	FromTypes Origin = iota // go/types, by `ken index --exact`
	FromSCIP                // an index another tool wrote, by `ken import-scip`
	origins
)

// String returns the origin's name as printed in answers.
func (o Origin) String() string {
	if o < origins {
		return [...]string{"types", "scip"}[o]
	}
	return ""
}

// ExactUnit is a set of files whose bindings were computed together: the files of a Go package directory that are
// compiled together, or
// one document of a SCIP index.
type ExactUnit struct {
	ID     int64
	Origin Origin
	Name   string // directory or path
	Part   int    // of a directory: the package, the tests inside, those outside of it
	// Deps are the keys whose prints the bindings depend on, ascending, and Print combines those prints as of the
	// computation: the unit
	// is stale once they combine to another value.
	Deps  []int64
	Print uint64
	// Env names what else it depends on: the Go release, the tool that indexed.
	Env     string
	Problem string // why nothing is bound, "" if something is
	Made    int64  // seconds since 1970
	Errors  int    // type errors inside function bodies
}

// ExactKey is a dependency of exact bindings with a print of its present state: the declarations of a directory, a
// go.mod.
type ExactKey struct {
	ID    int64
	Name  string
	Print uint64
}

// ExactFile is the bindings of one file.
type ExactFile struct {
	File   int64
	Origin Origin
	Unit   int64
	Hash   [32]byte // of the content they hold for
	Data   []byte   // exact.Encode
}

// ExactType is a Go type with its methods.
type ExactType struct {
	Type      code.SymbolID
	Unit      int64
	Interface bool
	Names     []string // of the methods
	Methods   []byte   // exact.EncodeMethods
}

// ExactCount sums the bindings of a unit over the files that have not changed since.
type ExactCount struct {
	Unit        int64
	Files, Refs int // Refs are all references of those files
}

// Exact reads the units of exact bindings and their dependencies, so that stale units can be found without checking
// types again.
type Exact interface {
	HasExact() (bool, error)
	ExactUnits() iter.Seq2[ExactUnit, error] // by origin, name, part
	ExactUnit(id int64) (ExactUnit, bool, error)
	ExactKeys() iter.Seq2[ExactKey, error] // by id
	ExactKey(name string) (ExactKey, bool, error)
	ExactPrint(key int64) (uint64, error)
	ExactCounts() ([]ExactCount, error) // by unit
}

// ExactBindings reads exact bindings by file, and the types among which implementations of interfaces are searched.
type ExactBindings interface {
	// ExactFiles returns the bindings of a file, by origin, unless its content changed.
	ExactFiles(file int64) ([]ExactFile, error)
	// ExactHashes returns the files of a unit and the contents its bindings hold for.
	ExactHashes(unit int64) (map[int64][32]byte, error)
	// ExactShape returns what a file adds to the print of a key.
	ExactShape(file int64) (key int64, add uint64, err error) // key 0: nothing
	// ExactTypes returns the types that have a method of this name, by symbol: interfaces or all others. Names are not
	// filled.
	ExactTypes(method string, iface bool) ([]ExactType, error)
	LangDirs(lang string) ([]string, error)            // directories with files of a language, sorted
	LangRefs(lang string) (files, refs int, err error) // sums over the files of a language
}

// ExactWriter stores exact bindings, and forgets those of units that are gone.
type ExactWriter interface {
	// PutExactUnit replaces the unit of the same origin, name and Part, with its
	// files and types, and sets its id in all of them.
	PutExactUnit(u *ExactUnit, files []ExactFile, types []ExactType) error
	DropExactUnit(id int64) error // with its files and types
	// PutExactKey stores a key that may be new and returns its id.
	PutExactKey(name string, print uint64) (int64, error)
	SetExactPrint(key int64, print uint64) error // of a key there is
	// SetExactShape stores what a file adds to a key; key 0 forgets it.
	SetExactShape(file, key int64, add uint64) error
}
