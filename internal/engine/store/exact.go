package store

import (
	"iter"
	"ken/internal/code"
)

// Exact bindings are references whose declarations a type checker or another indexer found, instead of ken's own rules.
// They have tables of their own, apart from the results of extraction and linking. Answers work without them; see
// package exact.

// Origin is the source of an exact binding. The values are stored, so new ones are added at the end.
type Origin uint8

// The origins, from the most to the least trusted.
const (
	FromTypes Origin = iota // go/types, by `ken index --exact`
	FromSCIP                // an index another tool wrote, by `ken import-scip`
	origins
)

// String returns the name of the origin, as answers print it.
func (o Origin) String() string {
	if o < origins {
		return [...]string{"types", "scip"}[o]
	}
	return ""
}

// ExactUnit is a set of files whose exact bindings were computed together: the files of a Go package directory
// that are compiled together, or one document of a SCIP index (the exchange format of code indexers).
type ExactUnit struct {
	ID     int64
	Origin Origin
	Name   string // directory or path
	Part   int    // of a directory: the package, the tests inside, those outside of it
	// Deps are the keys (ExactKey) that the bindings depend on, ascending. Print combines their fingerprints at
	// the time of the computation: the bindings are out of date as soon as the present fingerprints combine to
	// another value.
	Deps  []int64
	Print uint64
	// Env names the other things that the bindings depend on: the Go release, or the tool that made the index.
	Env     string
	Problem string // why nothing is bound, "" if something is
	Made    int64  // seconds since 1970
	Errors  int    // type errors inside function bodies
}

// ExactKey is a thing that exact bindings depend on, such as the declarations of a directory or a go.mod, with a
// fingerprint of its present state.
type ExactKey struct {
	ID    int64
	Name  string
	Print uint64
}

// ExactFile holds the exact bindings of one file: its references with the declarations that a type checker or another indexer found for
// them.
type ExactFile struct {
	File   int64
	Origin Origin
	Unit   int64
	Hash   [32]byte // of the content they hold for
	Data   []byte   // exact.Encode
}

// ExactType is a Go type that was type-checked, with its methods.
type ExactType struct {
	Type      code.SymbolID
	Unit      int64
	Interface bool
	Names     []string // of the methods
	Methods   []byte   // exact.EncodeMethods
}

// ExactCount counts the files of a unit that have not changed since their exact bindings were computed, and the references in them.
type ExactCount struct {
	Unit        int64
	Files, Refs int // Refs are all references of those files
}

// Exact reads the units of exact bindings and the things that they depend on, so that units that are out of date
// are found without checking types again.
type Exact interface {
	HasExact() (bool, error)
	ExactUnits() iter.Seq2[ExactUnit, error] // by origin, name, part
	ExactUnit(id int64) (ExactUnit, bool, error)
	ExactKeys() iter.Seq2[ExactKey, error] // by id
	ExactKey(name string) (ExactKey, bool, error)
	ExactPrint(key int64) (uint64, error)
	ExactCounts() ([]ExactCount, error) // by unit
}

// ExactBindings reads the exact bindings of files, and the types among which the implementations of an interface are searched.
type ExactBindings interface {
	// ExactFiles returns the exact bindings of a file, sorted by origin. There are none if the file has changed since they were computed.
	ExactFiles(file int64) ([]ExactFile, error)
	// ExactHashes returns the files of a unit, each with the hash of the content for which its bindings were computed.
	ExactHashes(unit int64) (map[int64][32]byte, error)
	// ExactShape returns the key that stands for a file's package, and the hash that the file adds to the fingerprint of that key.
	ExactShape(file int64) (key int64, add uint64, err error) // key 0: nothing
	// ExactTypes returns the types that have a method of this name, sorted by symbol: only interfaces if iface is set,
	// else all other types. It leaves Names empty.
	ExactTypes(method string, iface bool) ([]ExactType, error)
	LangDirs(lang string) ([]string, error)            // directories with files of a language, sorted
	LangRefs(lang string) (files, refs int, err error) // sums over the files of a language
}

// ExactWriter stores exact bindings, and deletes those of units that no longer exist.
type ExactWriter interface {
	// PutExactUnit stores a unit with its files and types in the place of the
	// one with the same Origin, Name and Part. It sets the unit's id in all of
	// them.
	PutExactUnit(u *ExactUnit, files []ExactFile, types []ExactType) error
	DropExactUnit(id int64) error // with its files and types
	// PutExactKey stores a key with its fingerprint, whether it is new or known, and returns its id.
	PutExactKey(name string, print uint64) (int64, error)
	SetExactPrint(key int64, print uint64) error // of a key there is
	// SetExactShape stores the hash that a file adds to the fingerprint of a key. A key of 0 deletes it.
	SetExactShape(file, key int64, add uint64) error
}
