package update

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/lookup"
	"ken/internal/engine/resolve"
	"ken/internal/engine/search"
	"ken/internal/engine/source/scan"
	"ken/internal/engine/store"
	"ken/internal/engine/update/relink"
)

// updater applies a set of changed and deleted paths inside the write transaction. Files are read under the writers'
// lock: commits then happen in the order of reads, and an older reading never replaces a newer one.
type updater struct {
	ctx      context.Context
	w        *Writer
	scan     *scan.Scanner
	tx       store.Tx
	plan     *updatePlan
	progress func(done, total int)

	changes []code.Change
	skipped []store.Skipped
	*relink.Changes
	edges    bool // some edge changed
	exact    fingerprints
	moves    *movedFiles
	cacheIn  store.Readings // earlier readings, nil if they are not of use
	cacheOut store.Readings // cache for replaced files, nil if they are not cached
}

// newUpdater returns an updater of a plan; close it.
func (w *Writer) newUpdater(ctx context.Context, tx store.Tx, p *updatePlan, progress func(int, int)) (*updater, error) {
	s, err := w.Tree.Scanner()
	if err != nil {
		return nil, err
	}
	u := &updater{ctx: ctx, w: w, scan: s, tx: tx, plan: p, progress: progress, Changes: relink.NewChanges()}
	if u.moves, err = w.findMoves(ctx, p); err != nil {
		return nil, err
	}
	if r := w.openCache(p.differing); r != nil {
		u.cacheIn = r
		if p.keep {
			u.cacheOut = r
		}
	}
	return u, nil
}

func (u *updater) close() {
	u.moves.close()
	if u.cacheIn != nil {
		u.cacheIn.Close()
	}
}

// applyFiles brings files, links and edges to the state of the plan.
func (u *updater) applyFiles() error {
	for _, p := range u.plan.deleted {
		if err := u.dropPath(p, u.w.classify(p)); err != nil {
			return err
		}
	}
	if err := u.plan.addAttributed(u.tx); err != nil {
		return err
	}
	if err := u.readChanged(); err != nil {
		return err
	}
	edges, err := relink.RelinkAffected(u.ctx, u.tx, u.Changes)
	u.edges = u.edges || edges
	return err
}

// readChanged reads and stores the changed files.
func (u *updater) readChanged() error {
	slices.Sort(u.plan.changed)
	u.plan.changed = slices.Compact(u.plan.changed)
	shapes, err := u.tracksExact()
	if err != nil {
		return err
	}
	var jobs []readJob
	for _, p := range u.plan.changed {
		en, ok := u.plan.entry(p)
		if ok && (en.Problem != "" || en.Dir) {
			if err := u.putUnread(en); err != nil {
				return err
			}
			continue
		}
		j := readJob{path: p, shape: shapes, cache: u.cacheIn, moves: u.moves}
		f, known, err := u.tx.FileByPath(p)
		if err != nil {
			return err
		}
		if known {
			j.known = &f
		}
		jobs = append(jobs, j)
	}
	done := 0
	return u.w.readAll(u.ctx, jobs, func(r fileReading) error {
		if done++; u.progress != nil {
			u.progress(done, len(jobs))
		}
		return u.putFile(r)
	})
}

// putUnread stores an entry whose content is not read: a link, a submodule.
func (u *updater) putUnread(en scan.Entry) error {
	if err := u.dropPath(en.Path, u.w.classify(en.Path)); err != nil {
		return err
	}
	u.skipped = append(u.skipped, store.Skipped{Path: en.Path, Problem: en.Problem})
	return u.tx.PutSkip(en.Path, en.Problem)
}

// putFile stores one file that was read.
func (u *updater) putFile(r fileReading) error {
	path := r.file.Path
	if r.gone {
		return u.dropPath(path, r.kind)
	}
	if r.err != nil {
		return r.err
	}
	old, known, err := u.tx.FileByPath(path)
	if err != nil {
		return err
	}
	tracked := old.Flags&code.FlagTracked != 0
	if en, ok := u.plan.entry(path); ok {
		tracked = en.Tracked
	}
	if r.same {
		return u.putStat(old, r.file.Stat, tracked)
	}
	was, err := readReplaced(u.tx, u.cacheOut, &old, r.kind)
	if err != nil {
		return err
	}
	if err := u.tx.DropSkip(path); err != nil {
		return err
	}
	if tracked {
		r.file.Flags |= code.FlagTracked
	}
	id, err := u.tx.PutFile(&r.file)
	if err != nil {
		return err
	}
	if err := u.putConfig(path, r.kind.storedConfig(path), r.config); err != nil {
		return err
	}
	u.edges = u.edges || !known // a new node changes every rank
	u.noteEffects(old, r, was, known)
	u.Files[id] = true
	if r.file.Problem != "" {
		u.skipped = append(u.skipped, store.Skipped{Path: path, Problem: r.file.Problem})
	}
	if err := u.updateFingerprints(id, path, r.kind, &r); err != nil {
		return err
	}
	return u.tx.PutContent(id, &r.content, was.names)
}

// putStat stores the changed stat and flags of a file with the same content.
func (u *updater) putStat(f code.File, st code.Stat, tracked bool) error {
	flags := f.Flags &^ code.FlagTracked
	if tracked {
		flags |= code.FlagTracked
	}
	if st == f.Stat && flags == f.Flags {
		return nil
	}
	return u.tx.Touch(f.ID, st, flags)
}

// putConfig stores the content of a configuration file, nil if it is deleted, and marks its languages for linking if
// their resolution may differ.
func (u *updater) putConfig(path string, config *resolve.Config, content []byte) error {
	if config == nil {
		return nil
	}
	before, had, err := u.tx.ConfigContent(path)
	if err != nil {
		return err
	}
	has := content != nil
	if !had && !has {
		return nil
	}
	if had != has || !bytes.Equal(config.Digest(before), config.Digest(content)) {
		for _, l := range config.Langs {
			u.Configs[l] = true
		}
	}
	return u.tx.PutConfig(path, content)
}

// noteEffects records the effects that a changed file has on other files, which may have to be linked again.
func (u *updater) noteEffects(old code.File, r fileReading, was pastState, known bool) {
	now := r.file
	u.changes = append(u.changes, newChange(&old, &r, &was, known))
	switch before, after := lookup.IsIndexed(&old), lookup.IsIndexed(&now); {
	case !before && after:
		u.Added = append(u.Added, now)
	case before && !after:
		u.Removed = append(u.Removed, old)
	}
	moved := known && (old.Package != now.Package || (old.Flags^now.Flags)&code.FlagTest != 0 || old.Lang != now.Lang)
	if moved {
		u.Moved = append(u.Moved, old)
	}
	is := pastState{decls: declaredNames(&now, r.facts.Symbols), offers: graph.Offers(lookup.NewNode(&now), r.facts)}
	u.noteChangedNames(old, now, was, is, moved)
}

// noteChangedNames records the names that only one of the old and the new file declares or passes on, and those passed
// on from elsewhere; all of them if the file moved to another scope.
func (u *updater) noteChangedNames(old, now code.File, was, is pastState, moved bool) {
	n := relink.Renaming{File: now, Was: old, Names: map[string]bool{}}
	for _, side := range [2][2]pastState{{was, is}, {is, was}} {
		for q, name := range side[0].decls {
			if _, ok := side[1].decls[q]; !ok || moved {
				n.Names[name] = true
			}
		}
		for key, name := range side[0].offers {
			if _, ok := side[1].offers[key]; !ok || moved {
				n.Add(name)
			}
		}
	}
	if n.Any() {
		u.Renamed = append(u.Renamed, n)
	}
}

// dropPath removes a path from the index.
func (u *updater) dropPath(path string, kind pathKind) error {
	f, ok, err := u.tx.FileByPath(path)
	if err != nil {
		return err
	}
	if err := u.tx.DropSkip(path); err != nil || !ok {
		return err
	}
	was, err := readReplaced(u.tx, u.cacheOut, &f, kind)
	if err != nil {
		return err
	}
	old, err := relink.StoredLinks(u.tx, f.ID)
	if err != nil {
		return err
	}
	if err := u.Importers(u.tx, f.ID); err != nil {
		return err
	}
	u.changes = append(u.changes, newDeletion(&f, &was))
	if lookup.IsIndexed(&f) {
		u.Removed = append(u.Removed, f)
	}
	u.noteChangedNames(f, code.File{Path: path, Lang: f.Lang, Package: f.Package}, was, pastState{}, false)
	if err := u.putConfig(path, kind.storedConfig(path), nil); err != nil {
		return err
	}
	if err := u.updateFingerprints(f.ID, path, kind, nil); err != nil {
		return err
	}
	u.edges = true
	delete(u.Files, f.ID)
	return u.tx.DropFile(f.ID, was.names, relink.OldRow(old))
}

// finishUpdate stores the listing of the tree, updates the history, creates the next revision and completes the answer.
func (u *updater) finishUpdate(out *Update) (err error) {
	whole := u.plan.now != nil
	if whole {
		if err := u.storeListing(u.plan.now); err != nil {
			return err
		}
		if out.History, err = u.w.commits().UpdateToHead(u.ctx, u.tx, true); err != nil {
			return err
		}
	}
	SortChanges(u.changes)
	slices.SortFunc(u.skipped, func(a, b store.Skipped) int { return strings.Compare(a.Path, b.Path) })
	out.Files = u.plan.files
	out.Changes = mergeChanges(u.changes)
	out.Skipped = append(u.plan.skipped, u.skipped...)
	rev, err := store.Revision(u.tx)
	if err != nil {
		return err
	}
	if len(out.Changes) > 0 || out.History.Changed() {
		rev++
		if err := u.tx.SetMeta(store.MetaRevision, strconv.FormatInt(int64(rev), 10)); err != nil {
			return err
		}
	}
	out.Rev = rev
	if err := u.mergeSearchIndex(whole); err != nil {
		return err
	}
	return u.computeRanks(whole)
}

// SortChanges sorts changes by path.
func SortChanges(list []code.Change) {
	slices.SortFunc(list, func(a, b code.Change) int { return strings.Compare(a.Path, b.Path) })
}

// mergeChanges merges the changes of a path that was dropped and added.
func mergeChanges(list []code.Change) []code.Change {
	var out []code.Change
	for _, c := range list {
		if n := len(out); n > 0 && out[n-1].Path == c.Path {
			out[n-1].TokenDelta += c.TokenDelta
			out[n-1].SymbolDelta += c.SymbolDelta
			out[n-1].ExportsChanged = out[n-1].ExportsChanged || c.ExportsChanged
			out[n-1].ImportsChanged = out[n-1].ImportsChanged || c.ImportsChanged
			out[n-1].Type = code.Modified
			continue
		}
		out = append(out, c)
	}
	return out
}

// computeRanks computes ranks again if edges changed, after a comparison of the whole tree; an update of single
// files only records that they are due, because ranks depend on everything.
func (u *updater) computeRanks(whole bool) error {
	due, err := u.tx.Meta(store.MetaUnranked)
	if err != nil {
		return err
	}
	if !whole {
		if u.edges && due != "1" {
			return u.tx.SetMeta(store.MetaUnranked, "1")
		}
		return nil
	}
	if !u.edges && due != "1" {
		return nil
	}
	g, err := lookup.LoadGraph(u.tx, lookup.Depends)
	if err != nil {
		return err
	}
	if err := u.tx.SetRanks(g.Ranks()); err != nil {
		return err
	}
	return u.tx.SetMeta(store.MetaUnranked, "0")
}

// storeListing stores the present listing of the tree.
func (u *updater) storeListing(now *scan.Listing) error {
	if err := u.tx.SetLook(now.Encode()); err != nil {
		return err
	}
	if err := u.tx.SetMeta(store.MetaLooked, strconv.FormatInt(time.Now().UnixNano(), 10)); err != nil {
		return err
	}
	if err := u.tx.SetMeta(store.MetaLimit, strconv.FormatInt(u.w.Tree.SizeLimit(), 10)); err != nil {
		return err
	}
	if err := u.tx.SetMeta(store.MetaCommit, u.w.Tree.HeadCommit(u.ctx)); err != nil {
		return err
	}
	return u.w.keepPages(u.tx)
}

// mergeSearchIndex makes a new base of the search index when that pays. It is only done after a comparison of the
// whole tree: the update of a single file must not cost more than the file.
func (u *updater) mergeSearchIndex(whole bool) error {
	if !whole {
		return nil
	}
	if n, err := u.tx.SearchFreshCount(); err != nil || n < search.MinStale {
		return err
	}
	x, err := search.NewIndex(u.tx)
	if err != nil || !x.Stale() {
		return err
	}
	b, err := x.Merge()
	if err != nil {
		return err
	}
	return u.tx.PutSearch(b.Finish())
}
