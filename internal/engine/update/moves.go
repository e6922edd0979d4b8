package update

import (
	"context"
	"path"
	"sync"

	"ken/internal/code"
	"ken/internal/engine/extract"
	"ken/internal/engine/source/scan"
	"ken/internal/engine/store"
	"ken/internal/lang"
)

// movedFiles are the deleted files of an update. If a file of the same name and content is added in another folder, its
// facts are reused, because they depend on nothing else. It is safe for concurrent use.
type movedFiles struct {
	mu   sync.Mutex   // guards r
	r    store.Reader // the index as it was before
	gone map[contentKey]code.File
}

// contentKey is the key of facts that can be reused: the parts of a file on which they depend, except for its flags.
type contentKey struct {
	hash [32]byte
	name string // without the folder
}

// findMoves finds the moves of a plan, nil where nothing can have moved or too little to be worth it. Close them.
func (w *Writer) findMoves(ctx context.Context, p *updatePlan) (*movedFiles, error) {
	if len(p.deleted) < manyChanges || len(p.changed) < manyChanges {
		return nil, nil
	}
	r, err := w.Store.Read(ctx)
	if err != nil {
		return nil, err
	}
	m := &movedFiles{r: r, gone: map[contentKey]code.File{}}
	come := make(map[string]bool, len(p.changed))
	for _, q := range p.changed {
		come[path.Base(q)] = true
	}
	for _, q := range p.deleted {
		if !come[path.Base(q)] {
			continue
		}
		f, ok, err := r.FileByPath(q)
		if err != nil {
			m.close()
			return nil, err
		}
		if ok && isCacheable(w.classify(q), f.Problem) && !extract.ReadsFolder(f.Lang) {
			m.gone[contentKey{f.Hash, path.Base(q)}] = f
		}
	}
	return m, nil
}

func (m *movedFiles) close() {
	if m != nil {
		m.r.Close()
	}
}

// movedReading returns the facts of a deleted file with the content of a new one, nil if there is none. A file whose facts
// cannot be read is read again.
func (m *movedFiles) movedReading(f *code.File) *cachedReading {
	if m == nil {
		return nil
	}
	old, ok := m.gone[contentKey{f.Hash, path.Base(f.Path)}]
	if !ok || old.Lang != f.Lang || (old.Flags^f.Flags)&scanFlags != 0 {
		return nil
	}
	// A folder of tests marks the files in it as tests, and the flag of a file that is not a test itself does not
	// show the cause.
	if (scan.PathFlags(old.Path, old.Lang)^f.Flags)&code.FlagTest != 0 {
		return nil
	}
	m.mu.Lock()
	held, packed, err := indexedFacts(m.r, old.ID)
	m.mu.Unlock()
	if err != nil {
		return nil
	}
	held.ErrorBytes, held.Branches, held.Package, held.Doc = old.ErrorBytes, old.Branches, old.Package, old.Doc
	return &cachedReading{cl100k: old.CL100K, o200k: old.O200K, flags: old.Flags & readFlags, facts: held, packed: packed}
}

// earlierReading returns the facts that were read before from the content of a file, nil if there are none.
func (w *readWorker) earlierReading(f *code.File, kind pathKind) *cachedReading {
	if !isCacheable(kind, f.Problem) || w.shapes && lang.Of(f.Lang).TypeChecked { // shapes need the text
		return nil
	}
	if r := w.moves.movedReading(f); r != nil {
		return r
	}
	return w.fromCache(f)
}
