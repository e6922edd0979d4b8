package update

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/source"
	"ken/internal/engine/source/scan"
	"ken/internal/engine/store"
)

// updatePlan lists the work of an update. It is made inside the write transaction, before any file is
// changed; only addAttributed adds to it later.
type updatePlan struct {
	changed, deleted []string
	entries          map[string]scan.Entry // state of paths that were looked up one by one
	now              *scan.Listing         // listing of the whole tree; nil for single paths
	files            int                   // looked at
	differing        int                   // differing paths, whose number decides whether the cache is worth opening
	skipped          []store.Skipped
	keep             bool // whether replaced files go into the cache
}

// entry returns the state of a path in the working tree.
func (p *updatePlan) entry(path string) (scan.Entry, bool) {
	if en, ok := p.entries[path]; ok {
		return en, true
	}
	if p.now == nil {
		return scan.Entry{}, false
	}
	return p.now.Find(path)
}

// planTree plans the differences between the index and the tree. If keep is set, the facts of replaced files go into the
// cache. forget is called with each single path that was noted as updated alone and that the plan covers.
func (w *Writer) planTree(ctx context.Context, tx store.Reader, forget func(path string) error, look *Comparison,
	keep bool) (*updatePlan, error) {
	s, err := w.Tree.Scanner()
	if err != nil {
		return nil, err
	}
	seen, now := look.last.seen, look.now
	stamp, err := tx.Meta(store.MetaLooked)
	if err != nil {
		return nil, err
	}
	if stamp != look.last.stamp { // another process looked and wrote meanwhile
		if seen, err = source.ReadListing(tx); err != nil {
			return nil, err
		}
		if now, err = s.List(ctx, seen); err != nil {
			return nil, err
		}
	}
	added, changed, deleted := scan.Diff(seen, now)
	p := &updatePlan{changed: slices.Concat(added, changed, now.Racy), deleted: deleted, now: now, files: len(now.Files), keep: keep,
		differing: len(added) + len(changed) + len(deleted), entries: map[string]scan.Entry{}}
	p.addResized(look.last.limit, w.Tree.SizeLimit())
	return p, p.addNoted(ctx, s, tx, forget)
}

// addResized adds the files that a change of the size limit affects; was is the old limit.
func (p *updatePlan) addResized(was, limit int64) {
	if was == limit {
		return
	}
	for _, en := range p.now.Files {
		if en.Problem == "" && !en.Dir && en.Stat.Size > min(was, limit) {
			p.changed = append(p.changed, en.Path)
		}
	}
}

// addNoted adds the paths that were updated one by one since the last comparison of the whole tree, because their
// listing in the index is older than that.
func (p *updatePlan) addNoted(ctx context.Context, s *scan.Scanner, tx store.Reader, forget func(path string) error) error {
	noted, err := tx.Noted()
	if err != nil || len(noted) == 0 {
		return err
	}
	for _, path := range noted {
		p.deleted = slices.DeleteFunc(p.deleted, func(d string) bool { return d == path })
		seen, inLook := p.now.Find(path)
		entry, listed, err := s.Lookup(ctx, path)
		switch {
		case errors.Is(err, fs.ErrNotExist), err == nil && !listed:
			p.deleted = append(p.deleted, path)
		case err != nil:
			return err
		default:
			if inLook {
				entry.Tracked = seen.Tracked
			}
			p.entries[path] = entry
			p.changed = append(p.changed, path)
		}
		if listed != inLook || listed && seen.Stat != entry.Stat {
			continue // it changed since this look: the next one needs the note
		}
		if err := forget(path); err != nil {
			return err
		}
	}
	p.changed = slices.DeleteFunc(p.changed, func(c string) bool { return slices.Contains(p.deleted, c) && slices.Contains(noted, c) })
	return nil
}

// addAttributed adds the files below a changed .gitattributes file, which can change their flags.
func (p *updatePlan) addAttributed(r store.Files) error {
	var dirs []string
	for _, path := range slices.Concat(p.deleted, p.changed) {
		if scan.IsAttributes(path) {
			dirs = append(dirs, strings.TrimSuffix(path, ".gitattributes"))
		}
	}
	if len(dirs) == 0 {
		return nil
	}
	for f, err := range r.Files() {
		if err != nil {
			return err
		}
		if slices.ContainsFunc(dirs, func(d string) bool { return strings.HasPrefix(f.Path, d) }) {
			p.changed = append(p.changed, f.Path)
		}
	}
	return nil
}

// wholeTree returns the whole tree by path, for a plan of the whole tree.
func (p *updatePlan) wholeTree() []scan.Entry {
	gone := make(map[string]bool, len(p.deleted))
	for _, path := range p.deleted {
		gone[path] = true
	}
	list := make([]scan.Entry, 0, len(p.now.Files)+len(p.entries))
	for _, en := range p.now.Files {
		if _, single := p.entries[en.Path]; !single && !gone[en.Path] {
			list = append(list, en)
		}
	}
	for _, en := range p.entries {
		list = append(list, en)
	}
	slices.SortFunc(list, func(a, b scan.Entry) int { return strings.Compare(a.Path, b.Path) })
	return list
}

// planPaths plans the changes of single files, and notes in the index that these paths were updated alone. It fails with
// code.NotFoundError for a path that is neither in the tree nor in the index, unless such are to be left out.
func (w *Writer) planPaths(ctx context.Context, tx store.Tx, paths []string, skipMissing bool) (*updatePlan, error) {
	s, err := w.Tree.Scanner()
	if err != nil {
		return nil, err
	}
	p := &updatePlan{files: len(paths), differing: len(paths), keep: true, entries: map[string]scan.Entry{}}
	for _, path := range paths {
		old, known, err := tx.FileByPath(path)
		if err != nil {
			return nil, err
		}
		if err := tx.Note(path); err != nil {
			return nil, err
		}
		entry, listed, err := s.Lookup(ctx, path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			switch {
			case known:
				p.deleted = append(p.deleted, path)
			case !skipMissing:
				return nil, &code.NotFoundError{What: "file", Name: path}
			}
			continue
		case err != nil:
			return nil, err
		case !listed:
			p.skipped = append(p.skipped, store.Skipped{Path: path, Problem: cmp.Or(entry.Problem, code.ProblemIgnored)})
			p.deleted = append(p.deleted, path)
			continue
		}
		if known {
			entry.Tracked = old.Flags&code.FlagTracked != 0
		}
		p.entries[path] = entry
		p.changed = append(p.changed, path)
	}
	return p, nil
}
