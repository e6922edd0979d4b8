// Package view gives one consistent view of one revision of the index: files,
// symbols, imports, edges, history, exact bindings and masked text. The questions
// in internal/ask are built on it. It writes nothing but a list of hot symbols,
// which many files use.
package view

import (
	"errors"
	"ken/internal/code"
	"ken/internal/engine/exact"
	"ken/internal/engine/facts"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/bind"
	"ken/internal/engine/graph/infer"
	"ken/internal/engine/history"
	"ken/internal/engine/lookup"
	"ken/internal/engine/source"
	"ken/internal/engine/store"
	"log/slog"
	"sync"
	"time"
)

// Snapshot is an immutable view of one revision of the index. It is not safe for
// concurrent use, and it is valid only inside the function that it was passed to.
type Snapshot struct {
	Opt   *Options
	Tree  *source.Tree
	Index store.Reader
	*Cached
	paths map[int64]code.File
	all   []store.PathRow // see AllPaths
	exact exactState
	names map[string]*NamedSymbols
	types *infer.Types // made when first needed
	// Rows holds the declarations of files that were read, by file; see symbolRows.
	Rows     map[int64][]store.SymbolRow
	past     historyState
	unlisted unlisted // see Unlisted
	// Provisional is set if the tree was not compared with the index, so that a name the answer misses may exist.
	// Such an answer suggests no similar names, because the question is asked again.
	Provisional bool
	// Followed is set if a watcher follows the changes of the tree and has updated the index for this answer.
	Followed bool
	// known keeps the result of KnownSecrets; read is set if there is one.
	known struct {
		set  *source.Known
		read bool
	}
}

// New makes a view of the index that r reads.
func New(opt *Options, r store.Reader) *Snapshot {
	s := &Snapshot{Opt: opt, Tree: opt.Tree, Index: r, Cached: opt.Memo.takeRows(r),
		paths: map[int64]code.File{}, names: map[string]*NamedSymbols{}}
	if s.kept != nil {
		s.Index = keptReader{r, s.kept}
	}
	s.Lookup.R, s.Details.s = r, s
	return s
}

// Options are the parts that all snapshots of an engine share.
type Options struct {
	Tree  *source.Tree
	Store store.Store // for its size; hot symbols are kept in it
	// AllowSecrets are secrets that the list of secrets leaves out. Output masks them nevertheless.
	AllowSecrets   []source.Allow
	Own            UserSettings
	HistoryCommits int // see Writer
	Log            *slog.Logger
	Semantic       *Semantic
	Memo           *Memo
}

// Memo keeps the rows that the last answer read from the index, for the next
// answer. It is safe for concurrent use.
type Memo struct {
	mu       sync.Mutex // guards recall
	recall   *Cached
	sketches source.Sketches
}

// Sketches returns the sketches of files' texts. A sketch proves that a text lacks a word without reading it. The
// result is nil unless the index is known to match the tree. Sketches remain valid when the index changes, because most
// files do not.
func (s *Snapshot) Sketches() *source.Sketches {
	if !s.Followed || s.Opt.Memo == nil {
		return nil
	}
	return &s.Opt.Memo.sketches
}

// takeRows returns the rows of the last answer if it read the same state of the index,
// else none. Answers that run at the same time do not share them.
func (e *Memo) takeRows(r store.Reader) *Cached {
	state := indexState(r)
	e.mu.Lock()
	defer e.mu.Unlock()
	k := e.recall
	e.recall = nil
	if k == nil || state == "" || k.state != state {
		return newCached(state)
	}
	if k.kept == nil {
		k.kept = newKeptRows()
	}
	return k
}

// Keep keeps the rows that s has read for later answers, unless err suggests that they are wrong. Most errors of
// answers only report that something does not exist, or that enough was found.
func (e *Memo) Keep(s *Snapshot, err error) {
	k := s.Cached
	failed := errors.Is(err, code.ErrDamaged) || k.Lookup.Err != nil
	large := k.bytes > keptBytes || k.Lookup.Size() > lookup.MaxRemembered
	if failed || large || k.state == "" {
		return
	}
	k.Lookup.R, k.Details.s = nil, nil
	e.mu.Lock()
	defer e.mu.Unlock()
	e.recall = k
}

// Forget drops the rows kept for the next answer.
func (e *Memo) Forget() {
	e.sketches.Forget()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.recall = nil
}

// Cached holds the rows that an answer read from the index and that a later answer of the same process would read again:
// files, scopes, declarations, unpacked facts. They depend only on the state of the index, not on the question. Inferred
// types are not kept.
type Cached struct {
	state   string // of the index, "" if nothing is to be kept
	Lookup  *lookup.Stored
	sites   map[int64]*Site
	Details *inferLookup
	byName  map[string][]store.SymbolRow // declarations by name, see symbolsNamed
	langs   []store.LangCount            // see Languages
	secrets map[string]bool              // see WithSecrets
	kept    *keptRows                    // nil in the first answer
	rows    int                          // in byName
	bytes   int                          // of the packed facts of sites
}

// keptBytes bounds the packed facts that are kept between answers. Unpacked
// they take about three times as much. All facts of kubernetes take 16 MB.
const keptBytes = 16 << 20

func newCached(state string) *Cached {
	return &Cached{state: state, byName: map[string][]store.SymbolRow{}, Lookup: lookup.NewStored(nil),
		sites: map[int64]*Site{}, Details: &inferLookup{
			inherits: map[int64][]code.Ref{}, hints: map[int64]map[hintKey]string{}, declared: map[declarationKey][]infer.Decl{},
			around: map[code.SymbolID]string{}}}
}

// indexState returns a text that identifies the state of the index, "" if it is unknown. It contains the revision
// and the time of the build, because a build that cannot read the index before it counts revisions anew.
func indexState(r store.Reader) string {
	built, err := r.Meta(store.MetaBuilt)
	if err != nil || built == "" {
		return ""
	}
	rev, err := r.Meta(store.MetaRevision)
	if err != nil {
		return ""
	}
	return built + " " + rev
}

// inferLookup implements infer.Lookup for a snapshot. It reports errors through the snapshot's Lookup.
type inferLookup struct {
	s        *Snapshot
	inherits map[int64][]code.Ref // of a file, by place
	hints    map[int64]map[hintKey]string
	declared map[declarationKey][]infer.Decl
	around   map[code.SymbolID]string // see Namespaces
}

// declarationKey is the key under which a result of Declarations is kept.
type declarationKey struct {
	file            int64
	container, name string
}

type hintKey struct {
	ord  int32
	name string
}

// exactState holds the exact bindings of a snapshot, which are read when first needed.
type exactState struct {
	read, on bool
	prints   map[int64]uint64
	valid    map[int64]bool // of units
	own      map[int64]bool // units of an index that ken exported
	impls    map[int64][]Symbol
}

// historyState holds the history of a snapshot, which is read when first needed.
type historyState struct {
	asked bool
	view  *history.View // nil if there is none
	ids   map[string]int64
}

// Site is a file whose references are bound to definitions, with its facts. The snapshot keeps it, because one answer
// asks the same files for many names.
type Site struct {
	graph.Site
	Packed *facts.Packed       // nil if the file has no facts
	scopes map[int32]enclosing // symbols around references, as they are needed
	bound  []boundFile         // exact bindings that hold
}

type enclosing struct {
	Name string
	Kind code.Kind
}

// boundFile holds exact bindings of a file that are up to date.
type boundFile struct {
	by  store.Origin
	own bool // of an index that ken exported
	exact.Bindings
}

// NamedSymbols is a name with its definitions.
type NamedSymbols struct {
	Binder *bind.Binder
	Syms   []Symbol // as the binder numbers them
}

// Semantic keeps the state of the search by meaning between answers. It is safe for
// concurrent use.
type Semantic struct {
	store.Embedding
	mu     sync.Mutex   // guards asked and warned
	asked  *askedVector // the vector of the last query
	warned string       // the last note about embeddings
}

// askedVector is the vector that was requested for the last query, or the error of the request.
type askedVector struct {
	text string
	unit []float32
	err  error
	at   time.Time
}
