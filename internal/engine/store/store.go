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

// Schema is the version of the index. It grows with every change of the tables, of
// the packed facts, or of the results of extraction. An index with a smaller
// number is rebuilt. One with a larger number is refused, because the newer ken
// that made it would have to rebuild it at once.
const Schema = 41

// Store holds one index. It is safe for concurrent use, also by several processes: each reader sees one committed state,
// writers take turns.
type Store interface {
	// Read opens a consistent view of the present state. It fails with
	// ErrNoIndex if there is none, ErrOldSchema or ErrNewerSchema if another
	// schema wrote it, ErrForeign if it is not the user's, ErrDamaged if it
	// cannot be read. Close the Reader.
	Read(ctx context.Context) (Reader, error)
	// Write runs f in a transaction and commits it if f returns nil. There is one write transaction at a time. It
	// returns the error of f, or that of the transaction.
	Write(ctx context.Context, f func(Tx) error) error
	// Build runs f over an empty index, which replaces the present one if f returns nil. First it takes the lock
	// of the writers and calls keep. If keep returns true, because another process has built an index meanwhile,
	// Build does nothing.
	Build(ctx context.Context, keep func() bool, f func(Tx) error) error
	// Seed copies the index from another file, unless there is an index already. It calls adopt under the writers' lock
	// before the copy becomes the index; if adopt fails, there is no index. It fails with ErrNoIndex, ErrOldSchema or
	// ErrNewerSchema if the other index cannot be used.
	Seed(ctx context.Context, from string, adopt func() error) error
	// Watching claims the role of the watcher, the one process that follows the changes of the tree. The caller must
	// call release to give the role back; the end of the process does so, too. It fails with ErrWatched if another
	// process has the role.
	Watching(ctx context.Context) (release func(), err error)
	// Watched reports whether a process has the role of the watcher.
	Watched() bool
	// Size returns the number of bytes that the index takes on disk.
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

// PathRow is a file's id with its path.
type PathRow struct {
	ID   int64
	Path string
}

// DocumentRow is a document that people wrote, such as a README, with its class.
type DocumentRow struct {
	PathRow
	Class code.FileClass
}

// ContentHash is the SHA-256 of a file's content.
type ContentHash struct {
	ID   int64
	Hash [32]byte
}

// LangCount is the number of files of one language with the same problem of reading, or without a problem.
type LangCount struct {
	Lang    code.Lang
	Problem code.Problem
	Files   int
	Bytes   int64
}

// SiteRow is a file whose references are to be bound to declarations. Node
// holds only the fields that binding needs.
type SiteRow struct {
	Node         code.File
	Facts, Links []byte // packed; empty if there are none
}

// EdgeRow is an edge between two files, given by their ids: one uses, imports or tests the other.
type EdgeRow struct {
	Source, Target int64
	Relation       code.Relation
	Confidence     code.Confidence
}

// NameCount is a name with the number of its definitions and the number of
// files that refer to it. Headings, keys and other parts of texts
// (code.Kind.IsText) are no definitions.
type NameCount struct {
	Name        string
	Defs, Files int
}

// Reader reads one state of the index. It is not safe for concurrent use. A
// lookup that finds nothing returns a zero value and false, or an empty list,
// but no error. During an iteration, other methods may be called, but the same
// iteration may not be started again.
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

// Meta reads the single values of an index, which decide what an update has to do. Their keys are the constants that begin with Meta.
type Meta interface {
	Meta(key string) (string, error) // "" if it was never set
	Look() ([]byte, error)           // what SetLook stored
	Noted() ([]string, error)        // what Note stored, sorted
}

// Files reads the rows of files. An update compares them with the tree, and answers take paths from them.
type Files interface {
	FileByPath(path string) (code.File, bool, error)
	FileByID(id int64) (code.File, bool, error)
	FileID(path string) (int64, error)  // 0 if there is none; cheaper than FileByPath
	PathByID(id int64) (string, error)  // "" if there is none
	Files() iter.Seq2[code.File, error] // by path
	// Ranked returns all files, in no order, for half the work of Files. Only id, path, language, flags, class,
	// number of symbols, dependents and rank are set.
	Ranked() iter.Seq2[code.File, error]
	Paths() iter.Seq2[PathRow, error]             // by path; reads an index only, 8,000 take 2 ms
	ContentHashes() iter.Seq2[ContentHash, error] // by id
}

// Documents lists the documents that people wrote, so that a change of code can be compared with the texts that may have
// become wrong by it.
type Documents interface {
	// Documents returns the files of class code.ClassDocument, sorted by path, from a database index alone.
	Documents() iter.Seq2[DocumentRow, error]
}

// Directories finds files by directory and by package, for the resolution of imports and for listings.
type Directories interface {
	FilesIn(dir string) ([]code.File, error) // in the directory itself, by path
	// NodesIn returns the files that FilesIn returns, with only those fields that the graph uses: ID, Path, Lang,
	// Package, Flags and Problem.
	NodesIn(dir string) ([]code.File, error)
	// HasDir reports whether a directory contains, at any depth, a file that is
	// neither binary nor unreadable. It is always true for the root.
	HasDir(dir string) (bool, error)
	// CountBelow counts the files in a directory that are neither binary nor
	// unreadable, up to limit. If deep is set, it includes the directories below.
	CountBelow(dir string, deep bool, limit int) (int, error)
	PackageFiles(lang code.Lang, pkg string) ([]code.File, error) // by path
}

// Configs reads the configuration files that import resolution needs. The index
// keeps their contents, so that resolution sees the same state of the tree as the
// index.
type Configs interface {
	ConfigPaths(base string) ([]string, error) // of this base name, or of any that ends so ("*.gemspec"), by path
	ConfigContent(path string) ([]byte, bool, error)
}

// Symbols finds declarations by file, by name and by id.
type Symbols interface {
	Symbols(file int64) ([]SymbolRow, error) // source order
	// SymbolsOf looks at the first limit symbols of a file and returns those whose kind is wanted.
	SymbolsOf(file int64, limit int, wanted func(code.Kind) bool) ([]SymbolRow, error)
	SymbolIDs(name string) ([]code.SymbolID, error) // ascending; cheaper than SymbolsNamed
	SymbolsNamed(name string) ([]SymbolRow, error)  // by path, start
	Symbol(id code.SymbolID) (SymbolRow, bool, error)
	Container(id code.SymbolID) (string, error)                // qualified name of what encloses a symbol
	QualifiedName(id code.SymbolID) (string, code.Kind, error) // "" if there is no such symbol
	Outlines() iter.Seq2[Outline, error]                       // by file id
}

// Names returns the files that use a name, and their number. A unique name can be bound, and a common one is weak evidence.
type Names interface {
	Referrers(name string) ([]int64, error)   // ids of files with a reference of this name, ascending
	NameCount(name string) (NameCount, error) // zero counts if unknown
	Names() iter.Seq2[string, error]          // names with a definition
	// HotNames returns the names that have a single definition and at least two files that refer to it, those with
	// the most files first, then by name.
	HotNames(limit int) ([]NameCount, error)
}

// Facts returns the packed facts of files, which are the results of parsing them, and the links of their imports. Binding unpacks them
// when it needs more than the rows hold.
type Facts interface {
	Facts(file int64) ([]byte, error)
	Links(file int64) ([]byte, error)
	Site(file int64) (SiteRow, error)
	ProbedBy(key uint64) ([]int64, error) // ids of files whose imports depend on a probe
}

// Edges returns the edges between files, from which dependents and the ranks of files are computed.
type Edges interface {
	EdgesFrom(file int64) ([]EdgeRow, error) // by target, relation
	EdgesTo(file int64) ([]EdgeRow, error)   // by source, relation
	Edges() iter.Seq2[EdgeRow, error]        // by source, target, relation
}

// EdgesToTests counts edges by the directory of their sources, so that a file with a thousand dependents can be
// summarised without reading them all.
type EdgesToTests interface {
	// DependentDirs counts the files that depend on a file, by directory and,
	// within it, by whether they are tests. Only edges whose relation is a
	// dependency count.
	DependentDirs(file int64) ([]DependentDir, error)
	// EdgesFromTests returns up to limit edges from test files to a file, without mere mentions: those of relation
	// RelTests first, then sorted by source.
	EdgesFromTests(file int64, limit int) ([]EdgeRow, error)
}

// Totals returns sums and short lists over the whole index, for overviews.
type Totals interface {
	Totals() (Sums, error)            // reads every file's row
	ByLanguage() ([]LangCount, error) // by language and problem; reads an entry for every file
	ImportSums() (imports, unresolved int, err error)
	HotFiles(limit int) ([]code.File, error) // most dependents first, then path
	Externals(limit int) ([]External, error) // most importing files first, then by name
}

// Reports lists the secrets that were found and the files that were not read, so that an answer can state what it does not cover.
type Reports interface {
	Skipped() ([]Skipped, error) // by path
	// Secrets returns all secrets, sorted by path and place, without Kind and Commit.
	Secrets() iter.Seq2[FoundSecret, error]
	// MaskedSecrets returns the secrets whose copies are masked in all output: those in a path, and values that are
	// Copied and not Noted. They are sorted by file id and place. Path is set only for those in a path.
	MaskedSecrets() iter.Seq2[FoundSecret, error]
	FileSecrets(file int64) ([]Secret, error) // places and lines only, ascending
}

// Sums are totals over the whole index.
type Sums struct {
	Files, Parsed, Symbols, Edges, Refs int
	Imports, Unresolved                 int
	Lines, Bytes, CL100K, O200K         int64
}

// Outline is the text that a search by pattern scans: the declarations of a file, one line for each symbol.
type Outline struct {
	FileID int64
	Text   []byte // valid until the next row
}

// Tx is the write transaction. As a Reader it sees its own writes.
type Tx interface {
	Reader
	MetaWriter
	FileWriter
	ExactWriter
	SearchWriter
	HistoryWriter
}

// MetaWriter stores single values, and the list of files found by the last comparison with the tree, to which the next one is compared.
type MetaWriter interface {
	SetMeta(key, value string) error
	// SetLook stores the list of files found by the last comparison with the tree, in the form of scan.Listing.
	SetLook([]byte) error
	// PutSkip records a listed path that is not in the index as a file, and the reason.
	PutSkip(path string, problem code.Problem) error
	DropSkip(path string) error
	// Note records a path that was updated alone, without comparing the
	// whole tree. ForgetNote deletes the record.
	Note(path string) error
	ForgetNote(path string) error
}

// FileWriter stores files with their facts and links. Where the stored state would be costly to look up, the caller
// passes it.
type FileWriter interface {
	// Touch stores the stat data and flags of a file whose content has not changed.
	Touch(id int64, st code.Stat, flags code.Flags) error
	// PutFile inserts or replaces the row of f.Path and returns its id. Rank,
	// Dependents and FirstIndexed are kept; a new row's Slug is made unique.
	PutFile(f *code.File) (int64, error)
	// PutConfig stores the content of a configuration file; nil deletes it. A build, which begins with an empty index, has nothing to
	// delete.
	PutConfig(path string, content []byte) error
	// DropFile deletes a file with everything that PutContent and PutLinks stored for it; was and links are those stored
	// values. It also deletes the edges to the file. Their sources must be linked again, because their packed links
	// still name it.
	DropFile(id int64, was []string, links *LinkRow) error
	// PutContent replaces the symbols, facts, names and outline of a file. was is Content.Names as stored before.
	PutContent(id int64, c *Content, was []string) error
	// PutLinks replaces the links, probes, externals and outgoing edges of a file, and corrects the number of dependents
	// of their targets. was is the row stored before, whose Edges are not used, or nil for a new file. If Packed is
	// empty, the file has no links any more; a build always sets it.
	PutLinks(id int64, l, was *LinkRow) error
	SetRanks(iter.Seq2[int64, float64]) error
}

// Content is the result of extraction from one file, in the form in which it is stored.
type Content struct {
	Symbols []code.Symbol
	Packed  []byte   // facts.Encode
	Names   []string // facts.Names
	Refs    int
	Outline []byte
	Secrets []Secret // by place
	// Words are the words by which search finds the file, nil if it is not to be found. A build ignores them,
	// because it collects the words of all files itself (SearchWriter.PutSearch).
	Words *search.Doc
}

// LinkRow is the result of linking one file: the targets of its imports and its edges to other files.
type LinkRow struct {
	Packed     []byte
	Imports    int // number of imports, and of those that lead nowhere
	Unresolved int
	Probes     []uint64
	Externals  []External // Files unused
	Edges      []EdgeRow  // Source is the file
}
