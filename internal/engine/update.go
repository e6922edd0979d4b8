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
	"ken/internal/engine/scan"
)

// Request says what Update is to bring up to date.
type Request struct {
	Full  bool     // build anew
	Paths []string // relative to the root; nil means the whole tree
	// Create makes .ken and the index if they are missing; else that is ErrNoIndex.
	Create   bool
	Progress func(done, total int) // files read; may be nil
	seeded   bool                  // the index is a copy of another working tree's, which still has what is replaced
}

// Keys of Store.Meta.
const (
	metaRevision = "revision"
	metaCommit   = "commit"        // HEAD when the tree was last looked at
	metaLooked   = "looked"        // time of the last look, nanoseconds since 1970
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
	changed, err := e.saltChanged(r)
	if changed && err == nil {
		return "salt", nil
	}
	return "", err
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
	last, err := e.lastLook(ctx)
	if err != nil {
		return nil, err
	}
	now, err := s.List(ctx, last.seen)
	if err != nil {
		return nil, err
	}
	u := &Update{Rev: last.rev, Files: len(now.Files)}
	added, changed, deleted := scan.Diff(last.seen, now)
	if len(added)+len(changed)+len(deleted)+len(now.Racy) == 0 && !last.due && now == last.seen {
		return u, nil
	}
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
	seen  *scan.Listing // nil if unknown
	stamp string        // metaLooked
	rev   code.Rev
	due   bool  // something is to be done even if the tree is the same
	limit int64 // MaxFileSize the index was made with
}

func (e *Engine) lastLook(ctx context.Context) (l lastLook, err error) {
	r, err := e.opt.Store.Read(ctx)
	if err != nil {
		return l, err
	}
	defer r.Close()
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
	past, err := e.historyDue(ctx, r)
	if err != nil {
		return l, err
	}
	l.due = unranked == "1" || len(noted) > 0 || l.limit != e.sizeLimit() || past
	l.seen, err = readListing(r)
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
	blob, err := r.Look()
	if err != nil {
		return nil, err
	}
	l, err := scan.DecodeListing(blob)
	if err != nil {
		return nil, nil // written by another version: look at everything
	}
	return l, nil
}
