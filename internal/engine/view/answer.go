package view

import (
	"time"

	"ken/internal/code"
	"ken/internal/engine/graph/bind"
	"ken/internal/engine/source"
	"ken/internal/engine/store"
)

// Symbol is a declaration with its id and its file.
type Symbol struct {
	code.Symbol
	ID   int64 // stable within one revision
	Path string
}

// Info describes the state of the index.
type Info struct {
	Rev     code.Rev
	Schema  int
	Root    string
	Commit  string    // commit HEAD was at when the index was last brought up to date, "" without git
	Head    string    // commit HEAD is at now, "" without git
	Looked  time.Time // when a look at the whole tree last found something to take over
	Files   int       // every listed file
	Parsed  int       // files whose symbols were extracted
	Symbols int
	Edges   int
	Refs    int
	Lines   int64
	Bytes   int64 // of all listed regular files
	CL100K  int64
	O200K   int64
	DiskUse int64 // bytes of index.db with its -wal and -shm
	Watched bool  // a process watches the tree
}

// ResolvedImport is an import with its targets.
type ResolvedImport struct {
	code.Import
	Targets  []string // files of this repository, sorted; of a Go package those that declare a name used
	Dir      string   // package directory, if the specifier names one
	Package  string   // namespace of this repository it names (C#, PHP), or that holds what it names
	External string   // package outside the repository, "" otherwise
	Std      bool     // External is the language's standard library
}

// Reference is one use of a symbol in a file.
type Reference struct {
	Path       string
	Line       uint32
	Start, End uint32
	Kind       code.RefKind
	Confidence code.Confidence
	// By is the source of the binding: "types" (go/types) or "scip" (an imported index). It is ByInterface for a call
	// of an interface's method that Target implements, and "" for a rule of ken, whose certainty Confidence names.
	By     string
	In     string // qualified name of the innermost symbol around it, "" at file level
	InKind code.Kind
	Target *Symbol // the symbol referred to, for a dropped reference as well; nil if it is not known
	Scope  code.SymbolID
	// Through is the qualified name of the member that the reference is bound to, if
	// Target overrides or implements that member. It is "" for a reference to Target
	// itself.
	Through string
	// Settled is set if the receiver or an import decides that it means one of several definitions, and all of them are asked for:
	// which overload it is makes no difference then.
	Settled bool
	// Accessor is the name under which Target is used there, if that is not its own: getX for a property x. See refs.References.
	Accessor string
	// Dropped is the reason why the reference does not mean the symbol asked for. It
	// is set only in References.Dropped.
	Dropped bind.Reason
}

// The verdicts on a reference, in addition to the names of confidences.
const (
	VerdictThrough = "through"
	VerdictDropped = "dropped"
)

// Verdict returns how a use of a name relates to the symbol asked for: the name of its
// confidence, VerdictThrough or VerdictDropped.
func (r *Reference) Verdict() string {
	switch {
	case r.Dropped != bind.NoReason:
		return VerdictDropped
	case r.Through != "":
		return VerdictThrough
	}
	return r.Confidence.String()
}

// ByInterface marks a reference that reaches its target through an interface.
const ByInterface = "interface"

// References is the answer to "who uses this".
type References struct {
	List []Reference // by path, then start
	// ResolvedShare is the share (0–1) of all references of the name that more than the
	// bare name could decide, for or against the symbol. It is 1 if there are none.
	ResolvedShare float64
	// ExactShare is the share (0–1) of all references of the name that a type
	// checker or an imported index decided.
	ExactShare float64
	// Named is the number of references of the name that were examined.
	Named int
	// Dropped are the references that mean another symbol, if the question
	// asked for them. DroppedBy counts them by reason.
	Dropped   []Reference
	DroppedBy map[bind.Reason]int
}

// DroppedCount returns the number of references of the name that mean something else.
func (r *References) DroppedCount() (n int) {
	for _, c := range r.DroppedBy {
		n += c
	}
	return n
}

// SettledCount returns the number of references of the name that provably mean
// something else.
func (r *References) SettledCount() (n int) {
	for why, c := range r.DroppedBy {
		if why.Proves() {
			n += c
		}
	}
	return n
}

// IsProven reports whether each reference of the name that the answer does not
// list provably means something else.
func (r *References) IsProven() bool {
	for why, n := range r.DroppedBy {
		if n > 0 && !why.Proves() {
			return false
		}
	}
	return true
}

// Dependent is a file or symbol that depends on a target, with its distance in steps.
type Dependent struct {
	Path       string
	Name       string // qualified symbol name; "" if the dependent is a file
	Kind       code.Kind
	Line       uint32
	Depth      int
	Confidence code.Confidence // of the weakest edge on the way
	Relation   code.Relation   // of the last edge, for files
	Test       bool
}

// Dependents is the answer to "what depends on this", or to "what does this depend on".
type Dependents struct {
	List          []Dependent      // by depth, path, line, name; each once at its smallest depth
	ResolvedShare float64          // as in References; for files the share of their imports' names that were resolved
	External      []store.External // Dependencies only: packages outside the repository
}

// HotFile is a file that many others depend on.
type HotFile struct {
	Path       string
	Dependents int // distinct files
	Rank       float64
	Purpose    string
	Type       string
}

// HotSymbol is a symbol that many files use. Only names with a single definition count, because it would cost
// too much to find out which of several definitions each use means.
type HotSymbol struct {
	Symbol
	Files int // distinct other files that use the name
}

// Count is a name with a number, as in a list of languages.
type Count struct {
	Name   string
	Files  int
	Lines  int64
	Tokens int64 // o200k_base
}

// Community is a group of files more connected among each other than to the rest.
type Community struct {
	Name  string   // the directory most of its files share
	Files int      // number of members
	Top   []string // members of highest rank first, at most five
}

// Overview describes a whole repository.
type Overview struct {
	Info        Info
	Languages   []Count // by files
	Directories []Count // first two levels, by tokens
	Communities []Community
	Entries     []string // entry points
	Files       []HotFile
	Symbols     []HotSymbol
	Externals   []store.External
	Cycles      [][]string // import cycles between files, largest first
}

// PatternQuery asks for declarations by patterns. A declaration must match all
// fields that are set. The values are regular expressions (RE2), which match
// anywhere and distinguish case.
type PatternQuery struct {
	Function, Type, Export, Import, Signature string
	Limit                                     int
}

// PatternMatch is a symbol, or a file with an import, that matched a PatternQuery.
type PatternMatch struct {
	Path      string
	Symbol    *Symbol // nil where only the file's import matched
	Import    string  // the specifier that matched, "" if none was asked for
	Relevance float64 // 0–1: exact name 1.0, part of it 0.5, signature 1.0, averaged; an import alone 0.7
}

// GrepQuery asks for lines of files that match a pattern.
type GrepQuery struct {
	Regex      string
	IgnoreCase bool
	Word       bool          // the match is no part of a longer word
	Paths      []string      // directories or files; empty means all
	Include    *source.Globs // if not nil, only files it matches
	Exclude    *source.Globs // if not nil, no files it matches
	Limit      int           // 0 means none
	OnePerFile bool          // only the first line of each file
	Context    int           // lines around each match

	Only []code.File // these files, in this order, instead
}

// GrepMatch is one line that matched a GrepQuery.
type GrepMatch struct {
	Path       string
	Line       uint32
	Start, End uint32 // bytes of the match in the file
	Text       string // the line without its end, at most 400 bytes around the match
	// Before and After are the lines around it, shortened in the same way.
	Before, After []string
	In            string // qualified name of the innermost symbol around it
	InKind        code.Kind
}
