package view

import (
	"sync"

	"ken/internal/code"
	"ken/internal/engine/graph/infer"
	"ken/internal/engine/lookup"
	"ken/internal/engine/store"
)

// Cached is what an answer read from the index and a later one in the same
// process would read again: files, scopes, declarations, unpacked facts. All of
// it follows from the state of the index alone, whatever was asked before; what
// was inferred from it is not kept.
type Cached struct {
	state   string // of the index, "" if it is not to be kept
	Lookup  *lookup.Stored
	sites   map[int64]*Site
	Details *details
	byName  map[string][]store.SymbolRow // declarations by name, see symbolsNamed
	rows    int                          // in byName
	bytes   int                          // of the packed facts of sites
}

// keptBytes bounds the packed facts kept between answers; unpacked they take
// about three times as much. All of kubernetes has 16 MB.
const keptBytes = 16 << 20

func newRecall(state string) *Cached {
	return &Cached{state: state, byName: map[string][]store.SymbolRow{}, Lookup: lookup.NewStored(nil), sites: map[int64]*Site{}, Details: &details{
		inherits: map[int64][]code.Ref{}, hints: map[int64]map[hintKey]string{}, declared: map[declaredAt][]infer.Decl{}}}
}

// SymbolsNamed is Reader.SymbolsNamed; the rows must not be changed.
func (s *Snapshot) SymbolsNamed(name string) ([]store.SymbolRow, error) {
	list, ok := s.byName[name]
	if ok {
		return list, nil
	}
	list, err := s.Index.SymbolsNamed(name)
	if err != nil {
		return nil, err
	}
	if s.rows += len(list) + 1; s.rows > lookup.KeptIDs {
		clear(s.byName)
		s.rows = len(list) + 1
	}
	s.byName[name] = list
	return list, nil
}

// Memo keeps what the last answer read from the index for the next one. It is
// safe for concurrent use.
type Memo struct {
	mu     sync.Mutex // guards recall
	recall *Cached
}

// recalled is what the last answer over the same state of the index left, or a
// new one. Answers that run at the same time do not share it.
func (e *Memo) recalled(r store.Reader) *Cached {
	state := indexState(r)
	e.mu.Lock()
	defer e.mu.Unlock()
	k := e.recall
	e.recall = nil
	if k == nil || state == "" || k.state != state {
		return newRecall(state)
	}
	return k
}

// Keep leaves what s read to later answers, if nothing went wrong.
func (e *Memo) Keep(s *Snapshot, err error) {
	k := s.Cached
	if err != nil || k.state == "" || k.Lookup.Err != nil || k.bytes > keptBytes || k.Lookup.Size() > lookup.KeptIDs {
		return
	}
	k.Lookup.R, k.Details.s = nil, nil
	e.mu.Lock()
	defer e.mu.Unlock()
	e.recall = k
}

// indexState tells one state of the index from all others: every change of what
// it holds makes a new revision, every build begins a new count of them. "" if
// it cannot be told.
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
