package list

import (
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"ken/internal/code"
	"ken/internal/engine/source/scan/nofollow"
)

// look finds the changes since prev. It returns nil if that takes a full listing, and
// prev itself if there are none and all of it can be trusted. It fails if ctx ends.
//
// A directory's mtime changes when a name in it comes or goes, so a directory
// whose Stat is unchanged (and old enough to be trusted, see racy) has the
// same names as before. Files are checked one by one.
func (x *session) look(ctx context.Context, prev *Listing) (*Listing, error) {
	if !x.sameSources(prev) {
		return nil, nil
	}
	p := x.probe(ctx, prev)
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	if len(p.files)+len(p.dirs)+len(p.racy) == 0 && len(prev.Racy) == 0 && !x.rewritten {
		return prev, nil
	}
	now := &Listing{
		Files: prev.Files, Dirs: prev.Dirs, LookedAt: x.began, Racy: p.racy,
		options: prev.options, tracked: prev.tracked, sources: x.fresh,
	}
	if len(p.files) == 0 && len(p.dirs) == 0 {
		return now, nil
	}
	now.Files = slices.Clone(prev.Files)
	for i, st := range p.files {
		now.Files[i].Stat = st
	}
	if len(p.dirs) == 0 {
		return now, nil
	}
	return x.reread(ctx, now, p)
}

// sameSources reports whether the files that decide which others are listed are
// unchanged. A rewritten index is read, because git rewrites it all the time and only
// the set of tracked paths matters. x.fresh becomes the sources with present stats.
func (x *session) sameSources(prev *Listing) bool {
	l := x.root.Looker()
	index := ""
	if x.repo != nil {
		index = filepath.Join(x.repo.GitDir, "index")
	}
	x.fresh = prev.sources
	for i, s := range prev.sources {
		st := code.Stat{}
		if filepath.IsAbs(s.path) {
			st, _ = nofollow.StatPath(s.path)
		} else {
			st, _, _ = l.Lstat("", s.path)
		}
		if st == s.stat && !racy(st, prev.LookedAt) {
			continue
		}
		if s.path != index {
			return false
		}
		if !x.rewritten {
			x.fresh, x.rewritten = slices.Clone(prev.sources), true
		}
		x.fresh[i].stat = st
	}
	if !x.rewritten {
		return true
	}
	x.load()
	return x.loadTracked() == nil && x.tracked.digest() == prev.tracked
}

// probed is the result of probe: the known files whose stat has changed, and the directories to read again.
type probed struct {
	files map[int]code.Stat // entries whose Stat differs, by index
	dirs  map[string]bool   // directories to be read again
	racy  []string
}

// chunk is the number of paths that a worker takes at once.
const chunk = 256

// probe stats every known directory and file, on all cores.
func (x *session) probe(ctx context.Context, prev *Listing) probed {
	parts := make([]prober, min(runtime.GOMAXPROCS(0), 16))
	var next atomic.Int64
	var wg sync.WaitGroup
	for i := range parts {
		w := &parts[i]
		w.prev, w.l = prev, x.root.Looker()
		wg.Go(func() {
			for ctx.Err() == nil && w.some(int(next.Add(chunk))-chunk) {
			}
		})
	}
	wg.Wait()
	p := probed{files: make(map[int]code.Stat), dirs: make(map[string]bool)}
	var young []int
	for _, w := range parts {
		young = append(young, w.racy...)
		for _, c := range w.changed {
			p.files[c.at] = c.stat
		}
		for _, d := range w.dirs {
			p.dirs[d] = true
		}
	}
	slices.Sort(young)
	for _, i := range young {
		p.racy = append(p.racy, prev.Files[i].Path)
	}
	return p
}

// prober is one worker goroutine of probe.
type prober struct {
	prev    *Listing
	l       *nofollow.Looker
	changed []changedStat
	dirs    []string
	racy    []int
}

type changedStat struct {
	at   int
	stat code.Stat
}

// some checks the next chunk of the known paths, directories first. It reports
// whether there was one.
func (w *prober) some(from int) bool {
	dirs := len(w.prev.Dirs)
	to := min(from+chunk, dirs+len(w.prev.Files))
	for i := from; i < to; i++ {
		if i < dirs {
			w.dir(&w.prev.Dirs[i])
		} else {
			w.file(i - dirs)
		}
	}
	return from < to
}

func (w *prober) dir(d *Dir) {
	st, k, err := w.l.Lstat("", d.Path)
	readable := err == nil && k == nofollow.Directory
	unchanged := st == d.Stat && !racy(st, w.prev.LookedAt)
	if !readable || !unchanged || d.Recheck {
		w.dirs = append(w.dirs, d.Path)
	}
}

func (w *prober) file(i int) {
	e := &w.prev.Files[i]
	st, k, err := w.l.Lstat("", e.Path)
	young := racy(st, w.prev.LookedAt)
	otherKind := err != nil || k == nofollow.Missing || (k == nofollow.Directory) != e.Dir
	switch {
	case otherKind, e.Dir && (st != e.Stat || young):
		// Its directory must be read again. (A directory that was not entered may
		// no longer be a repository.)
		w.dirs = append(w.dirs, code.Dir(e.Path))
	case e.Dir:
	case st != e.Stat:
		w.changed = append(w.changed, changedStat{i, st})
	case young && e.Problem == code.ProblemNone:
		w.racy = append(w.racy, i)
	}
}
