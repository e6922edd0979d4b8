package engine

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"ken/internal/code"
	"ken/internal/engine/history"
	"ken/internal/engine/search"
	"ken/internal/engine/source/scan"
)

// Request says what Update is to bring up to date.
type Request struct {
	Full  bool     // build anew
	Paths []string // relative to the root; nil means the whole tree
	// Create makes .ken and the index if they are missing; else that is ErrNoIndex.
	Create   bool
	Progress func(done, total int) // files read; may be nil
	seeded   bool                  // the index is a copy of another working tree's, which still has what is replaced
	found    *found                // what a look at the tree found already
}

// Keys of Store.Meta.
const (
	metaRevision = "revision"
	metaCommit   = "commit"        // HEAD as of the last look
	metaLooked   = "looked"        // time of the last look that noted something, nanoseconds since 1970
	metaUnranked = "unranked"      // "1" while edges changed since ranks were computed
	metaHot      = "hot"           // hotList
	metaLimit    = "max_file_size" // sizeLimit the index was made with
	metaSalt     = "salt"          // saltPrint of the salt the hashes were made with
	metaBuilt    = "built"         // time of the build that began the count of revisions, nanoseconds since 1970
	metaHistory  = "history"       // historyKey the history was read at
)

// Update brings the index up to date: the only write.
func (e *Engine) Update(ctx context.Context, req Request) (*Update, error) {
	start := time.Now()
	reason, err := e.buildReason(ctx, req)
	if err != nil {
		return nil, err
	}
	var u *Update
	seeded := reason == "missing" && e.seed(ctx)
	if seeded {
		reason, req.Paths, req.seeded = "", nil, true
	}
	if reason == "" {
		u, err = e.bringUp(ctx, req)
		if errors.Is(err, ErrDamaged) { // seen only where it was read
			reason = "damaged"
		}
	}
	if reason != "" {
		u, err = e.build(ctx, reason, req.Progress)
	}
	if err != nil {
		return nil, err
	}
	if seeded && u.Reason == "" {
		u.Reason = "worktree"
	}
	u.Elapsed = time.Since(start)
	return u, nil
}

// buildReason says why the index has to be built anew, "" if it has not.
func (e *Engine) buildReason(ctx context.Context, req Request) (string, error) {
	if req.Create {
		if err := e.prepare(); err != nil {
			return "", err
		}
	}
	r, err := e.opt.Store.Read(ctx)
	switch {
	case errors.Is(err, ErrNoIndex) && req.Create:
		return "missing", nil
	case errors.Is(err, ErrOldSchema):
		return "schema", nil
	case errors.Is(err, ErrDamaged):
		return "damaged", nil
	case err != nil:
		return "", err
	}
	defer r.Close()
	if req.Full {
		return "asked", nil
	}
	if req.Create && req.Paths == nil {
		if err := checkHeads(r); errors.Is(err, ErrDamaged) {
			return "damaged", nil
		}
	}
	changed, err := e.saltChanged(r)
	if changed && err == nil {
		return "salt", nil
	}
	return "", err
}

// checkHeads opens the search index and the history, as questions do: the two that
// no update of files reads. Somebody who asks for the index is told of damage there
// at once; the rest of what these hold, and the packed facts of files, would take
// longer to read than the look at the tree does, so damage of them shows when a
// question or an update reads it.
func checkHeads(r Reader) error {
	if _, err := search.NewIndex(r); err != nil {
		return err
	}
	_, err := history.NewView(r.History)
	return err
}

// bringUp updates an index that is there.
func (e *Engine) bringUp(ctx context.Context, req Request) (*Update, error) {
	if req.Paths != nil {
		paths, whole, err := e.cleanPaths(req.Paths)
		if err != nil {
			return nil, err
		}
		if !whole {
			return e.updatePaths(ctx, paths)
		}
	}
	return e.updateTree(ctx, req)
}

// cleanPaths checks paths given from outside. whole is set if one of them is a
// directory: then the whole tree is looked at.
func (e *Engine) cleanPaths(paths []string) (clean []string, whole bool, err error) {
	s, err := e.scanner()
	if err != nil {
		return nil, false, err
	}
	for _, p := range paths {
		c := filepath.ToSlash(filepath.Clean(p))
		if filepath.IsAbs(p) || c == ".." || strings.HasPrefix(c, "../") || strings.IndexByte(c, 0) >= 0 {
			return nil, false, usagef("%q is not inside the project", p)
		}
		if c == "." || s.IsDir(c) {
			return nil, true, nil
		}
		clean = append(clean, c)
	}
	slices.Sort(clean)
	return slices.Compact(clean), false, nil
}

// updateTree looks at the whole tree and applies what differs.
func (e *Engine) updateTree(ctx context.Context, req Request) (*Update, error) {
	s, err := e.scanner()
	if err != nil {
		return nil, err
	}
	f := req.found
	if f == nil {
		if f, err = e.lookAgain(ctx); err != nil {
			return nil, err
		}
	}
	last, now := f.last, f.now
	u := &Update{Rev: last.rev, Files: len(now.Files)}
	if f.same() {
		return u, nil
	}
	added, changed, deleted := scan.Diff(last.seen, now)
	err = e.opt.Store.Write(ctx, func(tx Tx) error {
		if stamp, err := tx.Meta(metaLooked); err != nil {
			return err
		} else if stamp != last.stamp { // somebody else looked and wrote meanwhile
			seen, err := readListing(tx)
			if err != nil {
				return err
			}
			if now, err = s.List(ctx, seen); err != nil {
				return err
			}
			added, changed, deleted = scan.Diff(seen, now)
			u.Files = len(now.Files)
		}
		up := newUpdater(ctx, e, s, tx, req.Progress)
		defer up.useCache(len(added)+len(changed)+len(deleted), !req.seeded)()
		up.deleted = deleted
		up.changed = slices.Concat(added, changed, now.Racy)
		up.entry = now.Find
		up.resized(now, last.limit)
		if err := up.sortNoted(now); err != nil {
			return err
		}
		if err := up.run(); err != nil {
			return err
		}
		if err := up.noteLook(now); err != nil {
			return err
		}
		if u.History, err = e.bringHistory(ctx, tx, true); err != nil {
			return err
		}
		return up.finish(u, true)
	})
	return u, err
}

// updatePaths applies what became of single files.
func (e *Engine) updatePaths(ctx context.Context, paths []string) (*Update, error) {
	s, err := e.scanner()
	if err != nil {
		return nil, err
	}
	u := &Update{Files: len(paths)}
	err = e.opt.Store.Write(ctx, func(tx Tx) error {
		up := newUpdater(ctx, e, s, tx, nil)
		defer up.useCache(len(paths), true)()
		if err := up.sort(paths, u); err != nil {
			return err
		}
		if err := up.run(); err != nil {
			return err
		}
		return up.finish(u, false)
	})
	return u, err
}

// sort finds out what there is at each path.
func (u *updater) sort(paths []string, out *Update) error {
	found := map[string]scan.Entry{}
	for _, p := range paths {
		old, known, err := u.tx.FileByPath(p)
		if err != nil {
			return err
		}
		if err := u.tx.Note(p); err != nil {
			return err
		}
		entry, listed, err := u.scan.Lookup(u.ctx, p)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			if !known {
				return &NotFoundError{What: "file", Name: p}
			}
			u.deleted = append(u.deleted, p)
			continue
		case err != nil:
			return err
		case !listed:
			out.Skipped = append(out.Skipped, Skipped{Path: p, Problem: cmp.Or(entry.Problem, "ignored")})
			u.deleted = append(u.deleted, p)
			continue
		}
		if known {
			entry.Tracked = old.Flags&code.FlagTracked != 0
		}
		found[p] = entry
		u.changed = append(u.changed, p)
	}
	u.entry = func(p string) (scan.Entry, bool) { en, ok := found[p]; return en, ok }
	return nil
}

// lastLook is what the index remembers of the last look at the tree.
type lastLook struct {
	packed []byte        // seen
	seen   *scan.Listing // nil if unknown; see decode
	stamp  string        // metaLooked
	rev    code.Rev
	due    bool  // something is to be done even if the tree is the same
	limit  int64 // MaxFileSize the index was made with
}

// decode fills seen. What another version wrote counts as unknown: then
// everything is looked at.
func (l *lastLook) decode() { l.seen, _ = scan.DecodeListing(l.packed) }

// found is what a look at the tree found, beside what the index remembers.
type found struct {
	last lastLook
	now  *scan.Listing
}

// same reports whether there is nothing to do, not even to note that somebody looked.
func (f *found) same() bool { return !f.last.due && f.now == f.last.seen }

// lookAgain compares the tree with what the index remembers of it.
func (e *Engine) lookAgain(ctx context.Context) (*found, error) {
	r, err := e.opt.Store.Read(ctx)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	last, err := e.lastLook(ctx, r)
	if err != nil {
		return nil, err
	}
	return e.look(ctx, last)
}

func (e *Engine) look(ctx context.Context, last lastLook) (*found, error) {
	s, err := e.scanner()
	if err != nil {
		return nil, err
	}
	last.decode()
	now, err := s.List(ctx, last.seen)
	return &found{last, now}, err
}

func (e *Engine) lastLook(ctx context.Context, r Reader) (l lastLook, err error) {
	if l.rev, err = revision(r); err != nil {
		return l, err
	}
	if l.stamp, err = r.Meta(metaLooked); err != nil {
		return l, err
	}
	unranked, err := r.Meta(metaUnranked)
	if err != nil {
		return l, err
	}
	noted, err := r.Noted()
	if err != nil {
		return l, err
	}
	limit, err := r.Meta(metaLimit)
	if err != nil {
		return l, err
	}
	l.limit, _ = strconv.ParseInt(limit, 10, 64)
	moved, err := e.headMoved(ctx, r)
	if err != nil {
		return l, err
	}
	l.due = unranked == "1" || len(noted) > 0 || l.limit != e.sizeLimit() || moved
	l.packed, err = r.Look()
	return l, err
}

// sizeLimit is the size from which files are not parsed, in bytes.
func (e *Engine) sizeLimit() int64 {
	if e.opt.MaxFileSize > 0 {
		return e.opt.MaxFileSize
	}
	return scan.DefaultMaxFileSize
}

// resized adds the files that a change of the size limit concerns.
func (u *updater) resized(now *scan.Listing, was int64) {
	limit := u.e.sizeLimit()
	if was == limit {
		return
	}
	for _, en := range now.Files {
		if en.Problem == "" && !en.Dir && en.Stat.Size > min(was, limit) {
			u.changed = append(u.changed, en.Path)
		}
	}
}

func revision(r Reader) (code.Rev, error) {
	v, err := r.Meta(metaRevision)
	if err != nil || v == "" {
		return 0, err
	}
	n, err := strconv.ParseInt(v, 10, 64)
	return code.Rev(n), err
}

// readListing is the stored listing, nil if there is none this ken can read.
func readListing(r Reader) (*scan.Listing, error) {
	packed, err := r.Look()
	l, _ := scan.DecodeListing(packed)
	return l, err
}
