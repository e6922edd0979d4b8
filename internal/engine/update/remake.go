package update

import (
	"context"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/facts"
	"ken/internal/engine/outline"
	"ken/internal/engine/search"
	"ken/internal/engine/source/scan"
	"ken/internal/engine/store"
)

// ReasonChanges is the reason of a rebuild after so many changes that it costs less than applying them.
const ReasonChanges = "changes"

// rebuildFromUnchanged builds a new index: it copies the facts of unchanged files from the present index and reads
// the changed files. If many files have changed that is cheaper than an update, because an update looks up each
// row. It reports the same changes as an update.
func (w *Writer) rebuildFromUnchanged(ctx context.Context, look *Comparison, req Request) (*Update, error) {
	u := &Update{Full: true, Reason: ReasonChanges}
	always := func() bool { return false }
	err := w.Store.Build(ctx, always, func(tx store.Tx) error {
		old, err := w.Store.Read(ctx)
		if err != nil {
			return err
		}
		defer old.Close()
		m := &rebuildRun{builder: w.newBuilder(ctx, tx, u), old: old,
			noted: map[string]bool{}, fresh: map[string]bool{}, secrets: map[string][]store.Secret{}}
		return m.runRebuild(look, req)
	})
	return u, err
}

// rebuildRun holds the state of one call of rebuildFromUnchanged.
type rebuildRun struct {
	*builder
	old      store.Reader
	plan     *updatePlan
	carrier  *search.Carrier
	fresh    map[string]bool // paths to read
	noted    map[string]bool // paths whose notes stay
	secrets  map[string][]store.Secret
	left     []scan.Entry // entries that are not stored yet, by path
	moves    *movedFiles
	cacheIn  store.Readings
	cacheOut store.Readings
}

func (m *rebuildRun) runRebuild(look *Comparison, req Request) error {
	defer func() {
		if m.cacheIn != nil {
			m.cacheIn.Close()
		}
		m.moves.close()
	}()
	if err := m.prepare(look, !req.seeded); err != nil {
		return err
	}
	for _, step := range []func() error{
		m.dropDeleted, func() error { return m.readChanged(req.Progress) }, func() error { return m.carrier.Finish() },
		m.linkAndRank, m.keepHistory, m.finish,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// prepare makes the plan, and reads the data that is needed for all files.
func (m *rebuildRun) prepare(look *Comparison, keep bool) error {
	noted, err := m.old.Noted()
	if err != nil {
		return err
	}
	for _, p := range noted {
		m.noted[p] = true
	}
	forget := func(path string) error {
		delete(m.noted, path)
		return nil
	}
	if m.plan, err = m.w.planTree(m.ctx, m.old, forget, look, keep); err != nil {
		return err
	}
	if err := m.plan.addAttributed(m.old); err != nil {
		return err
	}
	for _, p := range m.plan.changed {
		m.fresh[p] = true
	}
	for s, err := range m.old.Secrets() {
		if err != nil {
			return err
		}
		m.secrets[s.Path] = append(m.secrets[s.Path], s.Secret)
	}
	x, err := search.NewIndex(m.old)
	if err != nil {
		return err
	}
	m.carrier = search.NewCarrier(x, m.words)
	m.left = m.plan.wholeTree()
	// If most of the tree was deleted, caching its readings would cost more than indexing the rest.
	if m.cacheIn = m.w.openCache(m.plan.differing); keep && len(m.plan.deleted) <= 2*len(m.left) {
		m.cacheOut = m.cacheIn
	}
	m.moves, err = m.w.findMoves(m.ctx, m.plan)
	return err
}

// dropDeleted records the deleted files.
func (m *rebuildRun) dropDeleted() error {
	for _, p := range m.plan.deleted {
		if err := m.dropFile(p, m.w.classify(p)); err != nil {
			return err
		}
	}
	return nil
}

// dropFile records that a file is not in the index any more, if it was.
func (m *rebuildRun) dropFile(path string, kind pathKind) error {
	f, ok, err := m.old.FileByPath(path)
	if err != nil || !ok {
		return err
	}
	was, err := readSuperseded(m.old, m.cacheOut, &f, kind)
	m.out.Changes = append(m.out.Changes, newDeletion(&f, &was))
	return err
}

// readChanged reads the files that changed, and stores all in the order of paths.
func (m *rebuildRun) readChanged(progress func(int, int)) error {
	var jobs []readJob
	for _, en := range m.left {
		if hasNoContent(&en) {
			continue
		}
		j := readJob{path: en.Path, cache: m.cacheIn, moves: m.moves}
		switch id, err := m.old.FileID(en.Path); {
		case err != nil:
			return err
		case id == 0:
			m.fresh[en.Path] = true
		case !m.fresh[en.Path]:
			continue
		default:
			f, _, err := m.old.FileByPath(en.Path)
			if err != nil {
				return err
			}
			j.known = &f
		}
		jobs = append(jobs, j)
	}
	done := 0
	err := m.w.readAll(m.ctx, jobs, func(r fileReading) error {
		if done++; progress != nil {
			progress(done, len(jobs))
		}
		if err := m.copyUpTo(r.file.Path); err != nil {
			return err
		}
		en := m.left[0]
		m.left = m.left[1:]
		return m.storeRead(&r, jobs[done-1].known, en.Tracked)
	})
	if err != nil {
		return err
	}
	return m.copyUpTo("")
}

// hasNoContent reports whether an entry has no content to read: a link, a submodule.
func hasNoContent(en *scan.Entry) bool { return en.Problem != "" || en.Dir }

// copyUpTo copies the unchanged files before a path to the new index, or all that remain if it is "".
func (m *rebuildRun) copyUpTo(path string) error {
	for len(m.left) > 0 && m.left[0].Path != path {
		en := m.left[0]
		m.left = m.left[1:]
		if err := m.copyEntry(&en); err != nil {
			return err
		}
	}
	return nil
}

func (m *rebuildRun) copyEntry(en *scan.Entry) error {
	if !hasNoContent(en) {
		f, _, err := m.old.FileByPath(en.Path)
		if err != nil {
			return err
		}
		return m.copyFile(&f, f.Stat, en.Tracked)
	}
	if m.fresh[en.Path] {
		m.out.Skipped = append(m.out.Skipped, store.Skipped{Path: en.Path, Problem: en.Problem})
		if err := m.dropFile(en.Path, m.w.classify(en.Path)); err != nil {
			return err
		}
	}
	return m.tx.PutSkip(en.Path, en.Problem)
}

// storeRead stores a file that was read; known is its state in the present index, nil if it has none.
func (m *rebuildRun) storeRead(r *fileReading, known *code.File, tracked bool) error {
	switch {
	case r.err != nil:
		return r.err
	case r.gone:
		return m.dropFile(r.file.Path, r.kind)
	case r.same:
		return m.copyFile(known, r.file.Stat, tracked)
	}
	old := code.File{}
	if known != nil {
		old, r.file.FirstIndexed = *known, known.FirstIndexed
	}
	was, err := readSuperseded(m.old, m.cacheOut, &old, r.kind)
	if err != nil {
		return err
	}
	m.out.Changes = append(m.out.Changes, newChange(&old, r, &was, known != nil))
	return m.storeReading(r, tracked)
}

// copyFile copies an unchanged file from the present index to the new one.
func (m *rebuildRun) copyFile(old *code.File, st code.Stat, tracked bool) error {
	held, packed, err := indexedFacts(m.old, old.ID)
	if err != nil {
		return err
	}
	c := store.Content{Symbols: held.Symbols, Secrets: m.secrets[old.Path]}
	if packed != nil {
		c.Packed, c.Refs, c.Names, c.Outline = packed, len(held.Refs), facts.Names(held), outline.Encode(held)
	}
	var config []byte
	if m.w.classify(old.Path).storedConfig(old.Path) != nil {
		b, ok, err := m.old.ConfigContent(old.Path)
		if err != nil {
			return err
		}
		if ok {
			config = append([]byte{}, b...)
		}
	}
	f := *old
	if f.Stat, f.Flags = st, f.Flags&^code.FlagTracked; tracked {
		f.Flags |= code.FlagTracked
	}
	id, err := m.storeFile(&f, &c, config)
	m.carrier.Add(old.ID, id)
	return err
}

// keepHistory copies the history and brings it to HEAD.
func (m *rebuildRun) keepHistory() error {
	moved, err := m.w.commits().HasMoved(m.ctx, m.old)
	if err != nil {
		return err
	}
	if moved {
		afresh, err := m.w.commits().IsFreshReadCheaper(m.ctx, m.old)
		if err != nil {
			return err
		}
		if afresh {
			m.out.History, err = m.w.commits().UpdateToHead(m.ctx, m.tx, false)
			return err
		}
	}
	keys, err := m.old.HistoryKeys()
	if err != nil {
		return err
	}
	for _, k := range keys {
		data, err := m.old.History(k)
		if err == nil {
			err = m.tx.PutHistory(k, data)
		}
		if err != nil {
			return err
		}
	}
	was, err := m.old.Meta(store.MetaHistory)
	if err == nil {
		err = m.tx.SetMeta(store.MetaHistory, was)
	}
	if err != nil {
		return err
	}
	m.out.History, err = m.w.commits().UpdateToHead(m.ctx, m.tx, true)
	return err
}

// finish completes the answer and stores the look.
func (m *rebuildRun) finish() error {
	rev, err := store.Revision(m.old)
	if err != nil {
		return err
	}
	SortChanges(m.out.Changes)
	slices.SortFunc(m.out.Skipped, func(a, b store.Skipped) int { return strings.Compare(a.Path, b.Path) })
	if len(m.out.Changes) > 0 || m.out.History.Changed() {
		rev++
	}
	m.out.Rev, m.out.Files = rev, m.plan.files
	for p := range m.noted {
		if err := m.tx.Note(p); err != nil {
			return err
		}
	}
	return m.storeMeta(m.plan.now)
}
