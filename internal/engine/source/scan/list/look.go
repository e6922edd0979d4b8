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

// compareWith finds the changes since prev. It returns nil if that takes a full listing, and
// prev itself if there are none and all of it can be trusted. It fails if ctx ends.
//
// A directory's mtime changes when a name in it comes or goes, so a directory
// whose Stat is unchanged (and old enough to be trusted, see racy) has the
// same names as before. Files are checked one by one.
func (x *session) compareWith(ctx context.Context, prev *Listing) (*Listing, error) {
	if !x.sameSources(prev) {
		return nil, nil
	}
	p := x.statKnownPaths(ctx, prev)
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	if len(p.files)+len(p.dirs)+len(p.racy) == 0 && len(prev.Racy) == 0 && !x.rewritten {
		return prev, nil
	}
	now := &Listing{
		Files: prev.Files, Dirs: prev.Dirs, Ignored: prev.Ignored, LookedAt: x.began, Racy: p.racy,
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
	return x.rereadChanged(ctx, now, p)
}

// sameSources reports whether the files that decide which others are listed are
// unchanged. A rewritten index is read, because git rewrites it all the time and only
// the set of tracked paths matters. x.fresh becomes the sources with present stats.
func (x *session) sameSources(prev *Listing) bool {
	l := x.root.NewStatReader()
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
		if st == s.stat && !isTooYoung(st, prev.LookedAt) {
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
	x.loadOuterRules()
	return x.loadTracked() == nil && x.tracked.pathsHash() == prev.tracked
}

// probeResult is the result of statKnownPaths: the known files whose stat has changed, and the directories to read again.
type probeResult struct {
	files map[int]code.Stat // entries whose Stat differs, by index
	dirs  map[string]bool   // directories to be read again
	racy  []string
}

// chunkPaths is the number of paths that a worker takes at once.
const chunkPaths = 256

// statKnownPaths stats every known directory and file, on all cores.
func (x *session) statKnownPaths(ctx context.Context, prev *Listing) probeResult {
	parts := make([]prober, min(runtime.GOMAXPROCS(0), 16))
	var next atomic.Int64
	var wg sync.WaitGroup
	for i := range parts {
		w := &parts[i]
		w.prev, w.l = prev, x.root.NewStatReader()
		wg.Go(func() {
			for ctx.Err() == nil && w.checkChunk(int(next.Add(chunkPaths))-chunkPaths) {
			}
		})
	}
	wg.Wait()
	p := probeResult{files: make(map[int]code.Stat), dirs: make(map[string]bool)}
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

// prober is one worker goroutine of statKnownPaths.
type prober struct {
	prev    *Listing
	l       *nofollow.StatReader
	changed []changedStat
	dirs    []string
	racy    []int
}

type changedStat struct {
	at   int
	stat code.Stat
}

// checkChunk checks the next chunk of the known paths, directories first. It reports
// whether there was one.
func (w *prober) checkChunk(from int) bool {
	dirs := len(w.prev.Dirs)
	to := min(from+chunkPaths, dirs+len(w.prev.Files))
	for i := from; i < to; i++ {
		if i < dirs {
			w.checkDir(&w.prev.Dirs[i])
		} else {
			w.checkFile(i - dirs)
		}
	}
	return from < to
}

func (w *prober) checkDir(d *Dir) {
	st, k, err := w.l.Lstat("", d.Path)
	readable := err == nil && k == nofollow.Directory
	unchanged := st == d.Stat && !isTooYoung(st, w.prev.LookedAt)
	if !readable || !unchanged || d.Recheck {
		w.dirs = append(w.dirs, d.Path)
	}
}

func (w *prober) checkFile(i int) {
	e := &w.prev.Files[i]
	st, k, err := w.l.Lstat("", e.Path)
	young := isTooYoung(st, w.prev.LookedAt)
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
