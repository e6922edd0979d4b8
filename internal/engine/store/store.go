// Package store is the contract between the engine and storage: the rows, and the
// readers and writers over them, without an implementation. store/sqlite implements
// it for the index and for vectors, store/readings for the cache of readings, and
// store/storetest holds the tests that an implementation has to pass. Package update
// writes through it, lookup and view read.
//
// Readers are small, so that a function can take the two it needs, and a test can pass a map. Reader and Tx combine all
// of them.
package store

import (
	"context"
	"iter"

	"ken/internal/code"
	"ken/internal/engine/search"
)

// Schema is the number of the index's layout and meaning. It grows with every
// change of the tables, of the packed facts, or of what extraction finds: an
// index with a smaller number is rebuilt, and one with a larger is refused because
// a newer ken would have to rebuild it at once.
const Schema = 20

// Store holds one index. It is safe for concurrent use, also by several processes: each reader sees one committed state,
// writers take turns.
type Store interface {
	// Read opens a consistent view of the present state. It fails with
	// ErrNoIndex if there is none, ErrOldSchema or ErrNewerSchema if another
	// schema wrote it, ErrDamaged if it cannot be read. Close the Reader.
	Read(ctx context.Context) (Reader, error)
	// Write runs f in the one write transaction and commits if f returns nil. It returns the error of f, or that of the
	// transaction.
	Write(ctx context.Context, f func(Tx) error) error
	// Build runs f over an empty index, which replaces the present one if f returns nil. keep is called under the
	// writers' lock first; if it returns true (another process built meanwhile) nothing is done.
	Build(ctx context.Context, keep func() bool, f func(Tx) error) error
	// Seed makes the index a copy of the one in another file, unless there is one already. adopt runs under the writers'
	// lock before the copy is put in place; if it fails, nothing is put there. It fails with ErrNoIndex, ErrOldSchema or
	// ErrNewerSchema if the other cannot be used.
	Seed(ctx context.Context, from string, adopt func() error) error
	// Watching takes the mark of the one process that watches. release gives it back and must be called; the end of the
	// process gives it back, too. It fails with ErrWatched if another process has it.
	Watching(ctx context.Context) (release func(), err error)
	// Watched reports whether a process has the mark.
	Watched() bool
	// Size is the number of bytes the index takes on disk.
	Size() int64
}

// SymbolRow is a symbol as the store keeps it: without Doc, Params and
// Returns, which are in the file's packed facts.
type SymbolRow struct {
	code.Symbol
	FileID int64
	Path   string // filled by the readers that return symbols of several files
	Ord    int32  // index in the file's facts
}

// ID identifies the symbol in the index.
func (r *SymbolRow) ID() code.SymbolID { return code.SymbolID{File: r.FileID, Ord: r.Ord} }

// PathRow is where a file is.
type PathRow struct {
	ID   int64
	Path string
}

// DocumentRow is a document with its class.
type DocumentRow struct {
	PathRow
	Class code.FileClass
}

// ContentHash is the SHA-256 of a file's content.
type ContentHash struct {
	ID   int64
	Hash [32]byte
}

// LangCount counts the files of one language that have one problem, or none.
type LangCount struct {
	Lang    code.Lang
	Problem code.Problem
	Files   int
	Bytes   int64
}

// SiteRow is a file whose references are to be bound. Node is its row without
// what binding does not need.
type SiteRow struct {
	Node         code.File
	Facts, Links []byte // packed; empty if there are none
}

// EdgeRow is a file edge between ids.
type EdgeRow struct {
	Source, Target int64
	Relation       code.Relation
	Confidence     code.Confidence
}

// NameCount is a name with its number of definitions and of files that refer to
// it. Symbols whose code.Kind.IsText do not count as definitions.
type NameCount struct {
	Name        string
	Defs, Files int
}

// Reader is a consistent view of the index: all readers over one revision. Not
// safe for concurrent use. Lookups of what does not exist return a zero value
// and false or an empty list, never an error. Between the rows of one iteration
// other readers may be used, but the same one may not be iterated again.
type Reader interface {
	Meta
	Files
	Documents
	Directories
	Configs
	Symbols
	Names
	Facts
	Edges
	EdgesToTests
	Totals
	Reports
	Exact
	ExactBindings
	SearchReader
	HistoryReader
	Close() error
}

// Meta reads the single values of an index, from which an update decides its work; their keys begin with Meta.
type Meta interface {
	Meta(key string) (string, error) // "" if it was never set
	Look() ([]byte, error)           // what SetLook stored
	Noted() ([]string, error)        // what Note stored, sorted
}

// Files finds the rows of files: an update compares them with the tree, and answers take paths from them.
type Files interface {
	FileByPath(path string) (code.File, bool, error)
	FileByID(id int64) (code.File, bool, error)
	FileID(path string) (int64, error)  // 0 if there is none; cheaper than FileByPath
	PathByID(id int64) (string, error)  // "" if there is none
	Files() iter.Seq2[code.File, error] // by path
	// Ranked returns all files in no order: id, path, language, flags, class, number of symbols, dependents and rank
	// only, which is half the work of Files.
	Ranked() iter.Seq2[code.File, error]
	Paths() iter.Seq2[PathRow, error]             // by path; reads an index only, 8,000 take 2 ms
	ContentHashes() iter.Seq2[ContentHash, error] // by id
}

// Documents lists the documents that people wrote, so that a change of code can be compared with the texts that may have
// become wrong by it.
type Documents interface {
	// Documents returns the files of code.ClassDocument, by path; it reads an index only.
	Documents() iter.Seq2[DocumentRow, error]
}

// Directories finds files by directory and by package, for the resolution of imports and for listings.
type Directories interface {
	FilesIn(dir string) ([]code.File, error) // in the directory itself, by path
	// NodesIn is FilesIn with only the fields of each file that the graph uses: ID, Path, Lang, Package, Flags and
	// Problem.
	NodesIn(dir string) ([]code.File, error)
	// HasDir reports whether a file lies below a directory that is neither binary
	// nor unreadable. The root is always there.
	HasDir(dir string) (bool, error)
	// CountBelow counts the files in a directory or, if deep, those below it that
	// HasDir looks for; at most limit.
	CountBelow(dir string, deep bool, limit int) (int, error)
	PackageFiles(lang code.Lang, pkg string) ([]code.File, error) // by path
}

// Configs are the configuration files that import resolution reads. Their contents
// are kept, so that resolution sees the tree as the index has it.
type Configs interface {
	ConfigPaths(base string) ([]string, error) // of this base name, or of any that ends so ("*.gemspec"), by path
	ConfigContent(path string) ([]byte, bool, error)
}

// Symbols finds declarations by file, by name and by id.
type Symbols interface {
	Symbols(file int64) ([]SymbolRow, error) // source order
	// SymbolsOf returns the symbols of the kinds wanted among the first so many.
	SymbolsOf(file int64, limit int, wanted func(code.Kind) bool) ([]SymbolRow, error)
	SymbolIDs(name string) ([]code.SymbolID, error) // ascending; cheaper than SymbolsNamed
	SymbolsNamed(name string) ([]SymbolRow, error)  // by path, start
	Symbol(id code.SymbolID) (SymbolRow, bool, error)
	Container(id code.SymbolID) (string, error)                // qualified name of what encloses a symbol
	QualifiedName(id code.SymbolID) (string, code.Kind, error) // "" if there is no such symbol
	Outlines() iter.Seq2[Outline, error]                       // by file id
}

// Names returns the files that use a name and their number, by which unique names are bound and common ones are weighed.
type Names interface {
	Referrers(name string) ([]int64, error)   // ids of files with a reference of this name, ascending
	NameCount(name string) (NameCount, error) // zero counts if unknown
	Names() iter.Seq2[string, error]          // names with a definition
	// HotNames returns the names with a single definition and at least two referring files; most files first, then by
	// name.
	HotNames(limit int) ([]NameCount, error)
}

// Facts returns the packed facts and links of files, which binding unpacks when it needs more than the rows hold.
type Facts interface {
	Facts(file int64) ([]byte, error)
	Links(file int64) ([]byte, error)
	Site(file int64) (SiteRow, error)
	ProbedBy(key uint64) ([]int64, error) // ids of files whose imports depend on a probe
}

// Edges returns the edges between files, which questions about dependents and the ranks of files follow.
type Edges interface {
	EdgesFrom(file int64) ([]EdgeRow, error) // by target, relation
	EdgesTo(file int64) ([]EdgeRow, error)   // by source, relation
	Edges() iter.Seq2[EdgeRow, error]        // by source, target, relation
}

// EdgesToTests groups edges by their sources, so that a file with a thousand dependents can be summed up without reading
// their rows.
type EdgesToTests interface {
	// DependentDirs counts the files with an edge to a file whose relation Depends,
	// by directory and then whether they are tests.
	DependentDirs(file int64) ([]DependentDir, error)
	// EdgesFromTests returns the edges to a file from test files except mentions: RelTests first, then by source; at
	// most limit.
	EdgesFromTests(file int64, limit int) ([]EdgeRow, error)
}

// Totals are sums and short lists over the whole index, for overviews.
type Totals interface {
	Totals() (Sums, error)            // reads every file's row
	ByLanguage() ([]LangCount, error) // by language and problem; reads an entry for every file
	ImportSums() (imports, unresolved int, err error)
	HotFiles(limit int) ([]code.File, error) // most dependents first, then path
	Externals(limit int) ([]External, error) // most importing files first, then by name
}

// Reports lists the findings and omissions of reading, so that an answer can state what it does not cover.
type Reports interface {
	Skipped() ([]Skipped, error) // by path
	// Secrets returns all findings by path and place; Kind and Commit are not filled.
	Secrets() iter.Seq2[FoundSecret, error]
	// MaskedSecrets returns the secrets whose copies are masked in output, which every command needs: those in a path,
	// and values that are Copied and not Noted. They come by file id and place; for a value the path is not filled.
	MaskedSecrets() iter.Seq2[FoundSecret, error]
	FileSecrets(file int64) ([]Secret, error) // places and lines only, ascending
}

// Sums are counts over the whole index.
type Sums struct {
	Files, Parsed, Symbols, Edges, Refs int
	Imports, Unresolved                 int
	Lines, Bytes, CL100K, O200K         int64
}

// Outline is the text pattern search scans: one line a symbol.
type Outline struct {
	FileID int64
	Text   []byte // valid until the next row
}

// Tx is the write transaction: a Reader that sees its own writes, plus writes.
type Tx interface {
	Reader
	MetaWriter
	FileWriter
	ExactWriter
	SearchWriter
	HistoryWriter
}

// MetaWriter stores single values, and the listing of the last look at the tree, with which the next look is compared.
type MetaWriter interface {
	SetMeta(key, value string) error
	// SetLook stores the listing of the last look at the tree, in the form of scan.Listing.
	SetLook([]byte) error
	// PutSkip notes a listed path that has no file row, and why.
	PutSkip(path string, problem code.Problem) error
	DropSkip(path string) error
	// Note remembers a path that was updated without a look at the tree;
	// ForgetNote forgets it.
	Note(path string) error
	ForgetNote(path string) error
}

// FileWriter stores files with their facts and links. Callers pass what was stored before where looking it up would be
// costly.
type FileWriter interface {
	// Touch stores the stat and flags of a file whose content is the same.
	Touch(id int64, st code.Stat, flags code.Flags) error
	// PutFile inserts or replaces the row of f.Path and returns its id. Rank and
	// Dependents are kept; a new row's Slug is made unique.
	PutFile(f *code.File) (int64, error)
	// PutConfig stores the content of a configuration file; nil deletes it, which a build never needs.
	PutConfig(path string, content []byte) error
	// DropFile deletes a file with everything PutContent and PutLinks stored for it; was and links are those rows. Edges
	// into it go, too, but their sources must be linked again, because their packed links still name it.
	DropFile(id int64, was []string, links *LinkRow) error
	// PutContent replaces the symbols, facts, names and outline of a file. was is the Content.Names stored before.
	PutContent(id int64, c *Content, was []string) error
	// PutLinks replaces links, probes, externals and outgoing edges of a file, and corrects the dependents counts of the
	// targets. was is the file's LinkRow stored before (Edges unused), nil for a new file. Without Packed the file has
	// no links any more; a build always sets it.
	PutLinks(id int64, l, was *LinkRow) error
	SetRanks(iter.Seq2[int64, float64]) error
}

// Content is the result of extraction, ready to store.
type Content struct {
	Symbols []code.Symbol
	Packed  []byte   // facts.Encode
	Names   []string // facts.Names
	Refs    int
	Outline []byte
	Secrets []Secret // by place
	// Words are the words by which search finds the file, nil if it is not to be found. A build gathers them itself
	// (SearchWriter.PutSearch).
	Words *search.Doc
}

// LinkRow is the result of linking one file.
type LinkRow struct {
	Packed     []byte
	Imports    int // number of imports, and of those that lead nowhere
	Unresolved int
	Probes     []uint64
	Externals  []External // Files unused
	Edges      []EdgeRow  // Source is the file
}
