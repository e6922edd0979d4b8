package engine

import (
	"sync"

	"ken/internal/code"
	"ken/internal/engine/graph/infer"
)

// recall is what an answer read from the index and a later one in the same
// process would read again: files, scopes, declarations, unpacked facts. All of
// it follows from the state of the index alone, whatever was asked before; what
// was inferred from it is not kept.
type recall struct {
	state   string // of the index, "" if it is not to be kept
	world   *storeWorld
	sites   map[int64]*site
	details *details
	byName  map[string][]SymbolRow // declarations by name, see symbolsNamed
	rows    int                    // in byName
	bytes   int                    // of the packed facts of sites
}

// keptBytes bounds the packed facts kept between answers; unpacked they take
// about three times as much. All of kubernetes has 16 MB.
const keptBytes = 16 << 20

func newRecall(state string) *recall {
	return &recall{state: state, byName: map[string][]SymbolRow{}, world: newStoreWorld(nil), sites: map[int64]*site{}, details: &details{
		inherits: map[int64][]code.Ref{}, hints: map[int64]map[hintKey]string{}, declared: map[declaredAt][]infer.Decl{}}}
}

// symbolsNamed is Reader.SymbolsNamed; the rows must not be changed.
func (s *Snapshot) symbolsNamed(name string) ([]SymbolRow, error) {
	list, ok := s.byName[name]
	if ok {
		return list, nil
	}
	list, err := s.r.SymbolsNamed(name)
	if err != nil {
		return nil, err
	}
	if s.rows += len(list) + 1; s.rows > keptIDs {
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
	recall *recall
}

// recalled is what the last answer over the same state of the index left, or a
// new one. Answers that run at the same time do not share it.
func (e *Memo) recalled(r Reader) *recall {
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
	k := s.recall
	if err != nil || k.state == "" || k.world.err != nil || k.bytes > keptBytes || k.world.size() > keptIDs {
		return
	}
	k.world.r, k.details.s = nil, nil
	e.mu.Lock()
	defer e.mu.Unlock()
	e.recall = k
}

// indexState tells one state of the index from all others: every change of what
// it holds makes a new revision, every build begins a new count of them. "" if
// it cannot be told.
func indexState(r Reader) string {
	built, err := r.Meta(metaBuilt)
	if err != nil || built == "" {
		return ""
	}
	rev, err := r.Meta(metaRevision)
	if err != nil {
		return ""
	}
	return built + " " + rev
}
