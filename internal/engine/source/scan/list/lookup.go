package list

import (
	"context"
	"fmt"
	"io/fs"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/source/scan/nofollow"
	"ken/internal/git"
)

// Lookup returns the entry that List would have for one path. It reads only the
// ignore files on the way to it and, if it is ignored or in another repository, git's
// index, which may track it nevertheless. listed is false if List would not have it,
// because it is ignored, in .git or .ken, in a directory that is not entered, or below
// a link. The error is fs.ErrNotExist if there is no such file.
//
// Tracked is set only if it had to be looked up.
func (s *Lister) Lookup(ctx context.Context, path string) (e Entry, listed bool, err error) {
	if !nofollow.Inside(path) {
		return Entry{}, false, fmt.Errorf("look up %q: %w: not a path inside the root", path, fs.ErrInvalid)
	}
	x, err := s.beginSession()
	if err != nil {
		return Entry{}, false, err
	}
	defer x.closeFiles()
	x.loadOuterRules()
	whole := x.repo != nil && x.top.ignored // by a repository above, so that only tracked files count
	if whole {
		x.loadTrackedOrAsk(ctx)
	} else {
		x.setTracked(nil)
	}
	up := pathLookup{x: x}
	st, k, err := x.root.NewStatReader().Lstat("", path)
	if err != nil || k == nofollow.Missing {
		if err == nil {
			err = fs.ErrNotExist
		}
		return Entry{}, false, fmt.Errorf("look up %q: %w", path, err)
	}
	e, listed = up.findEntry(path, st, k)
	if !up.ignored && e.Problem != code.ProblemNestedRepo || x.repo == nil || whole {
		return e, listed, ctx.Err()
	}
	// If git tracks it, an ignored path is listed after all, and a repository is a
	// submodule.
	x.loadOuterRules()
	x.loadTrackedOrAsk(ctx)
	e, listed = (&pathLookup{x: x}).findEntry(path, st, k)
	return e, listed, ctx.Err()
}

// loadTrackedOrAsk completes the rules, with git's help if need be.
func (x *session) loadTrackedOrAsk(ctx context.Context) {
	if x.loadTracked() == nil {
		return
	}
	var list *git.Listing
	if !x.gitWouldHang && !x.opt.NoGit {
		ctxGit, cancel := context.WithCancel(ctx)
		defer cancel()
		list = x.waitForGit(ctx, x.askGit(ctxGit), cancel).list
	}
	x.setListed(list)
}

// IsIgnored reports whether a path would not be listed, with the reason if it has
// a name (excluded, symlink, submodule, …; "" for a path that git ignores). The error
// is fs.ErrNotExist if there is no such file.
func (s *Lister) IsIgnored(ctx context.Context, path string) (bool, code.Problem, error) {
	e, listed, err := s.Lookup(ctx, path)
	return !listed, e.Problem, err
}

// pathLookup finds the entry of one path by the rules of a full listing.
type pathLookup struct {
	x       *session
	ignored bool // by git's rules, not by ken's
}

func (u *pathLookup) findEntry(path string, st code.Stat, k nofollow.Kind) (Entry, bool) {
	var out walkResult
	rd := &dirReader{x: u.x, out: &out}
	f := u.x.top
	for at := 0; ; {
		n := strings.IndexByte(path[at:], '/')
		name := path[at:]
		if n >= 0 {
			name = path[at : at+n]
		}
		if name == ".git" || name == ".ken" {
			return Entry{}, false
		}
		dir := strings.TrimSuffix(path[:at], "/")
		d, err := u.x.root.OpenDir(dir)
		if err != nil { // a link on the way, or no longer there
			return Entry{Problem: code.ProblemSymlink}, false
		}
		rd.dir, rd.sub = d, nil
		rd.readIgnoreFiles(f, dir, []string{".gitignore", ".kenignore"})
		last := n < 0
		if last && k != nofollow.Directory {
			rd.listFile(f, f.path+name, st, k)
		} else {
			dst, _, _ := d.Lstat("", name)
			rd.listDirectory(f, f.path+name, dst)
		}
		d.Close()
		switch {
		case len(out.files) > 0:
			return out.files[0], last
		case last || len(rd.sub) == 0:
			u.ignored = true
			return Entry{}, false
		}
		f, at = rd.sub[0], at+n+1
	}
}
