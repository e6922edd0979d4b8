package list

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"

	"ken/internal/code"
	"ken/internal/engine/source/scan/ignore"
	"ken/internal/engine/source/scan/nofollow"
	"ken/internal/git"
)

// walkResult is the entries and the directories that a walk has read, and the paths that it left out; see Listing.Ignored.
type walkResult struct {
	files   []Entry
	dirs    []Dir
	ignored []string
}

// walker reads directories on all cores. The directories to read are a stack
// shared by the workers; each worker keeps its own results.
type walker struct {
	x    *session
	mu   sync.Mutex
	cond *sync.Cond
	todo []*dirRules // guarded by mu
	busy int         // guarded by mu: workers that may still add to todo
	err  error       // guarded by mu
}

// walkDirs reads the directories of frames and all below them. It fails if ctx ends.
func (x *session) walkDirs(ctx context.Context, frames ...*dirRules) (walkResult, error) {
	w := &walker{x: x, todo: frames}
	w.cond = sync.NewCond(&w.mu)
	parts := make([]walkResult, min(runtime.GOMAXPROCS(0), 8))
	stop := context.AfterFunc(ctx, func() { w.fail(context.Cause(ctx)) })
	defer stop()
	var wg sync.WaitGroup
	for i := range parts {
		wg.Go(func() { w.readDirs(&parts[i]) })
	}
	wg.Wait()
	var all walkResult
	for _, p := range parts {
		all.files = append(all.files, p.files...)
		all.dirs = append(all.dirs, p.dirs...)
		all.ignored = append(all.ignored, p.ignored...)
	}
	slices.Sort(all.ignored)
	sortEntries(all.files)
	sortDirs(all.dirs)
	all.files = dedupe(all.files)
	w.mu.Lock()
	defer w.mu.Unlock()
	return all, w.err
}

// dedupe removes repeated paths, because with core.ignorecase two names on disk can
// match one entry of the index.
func dedupe(list []Entry) []Entry {
	out := list[:0]
	for i, e := range list {
		if i == 0 || e.Path != list[i-1].Path {
			out = append(out, e)
		}
	}
	return out
}

func (w *walker) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err = err
	}
	w.cond.Broadcast()
}

// nextDir returns a directory to read, or nil when none is left and none will be added.
func (w *walker) nextDir() *dirRules {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.todo) == 0 && w.busy > 0 && w.err == nil {
		w.cond.Wait()
	}
	if len(w.todo) == 0 || w.err != nil {
		w.cond.Broadcast()
		return nil
	}
	f := w.todo[len(w.todo)-1]
	w.todo = w.todo[:len(w.todo)-1]
	w.busy++
	return f
}

func (w *walker) finishDir(sub []*dirRules) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.busy--
	w.todo = append(w.todo, sub...)
	if len(sub) > 1 || w.busy == 0 {
		w.cond.Broadcast()
	}
}

func (w *walker) readDirs(into *walkResult) {
	rd := &dirReader{x: w.x, buf: make([]byte, 32<<10), out: into}
	for f := w.nextDir(); f != nil; f = w.nextDir() {
		rd.readDir(f)
		w.finishDir(rd.sub)
	}
}

// dirReader reads one directory after the other and collects their entries.
// It belongs to one goroutine.
type dirReader struct {
	x      *session
	buf    []byte
	out    *walkResult
	sub    []*dirRules // directories of the last one read that are to be read
	dir    *nofollow.Dir
	hasGit bool // the directory read last has a .git
}

// relativeToRoot converts a path relative to the top to one relative to the root.
func (x *session) relativeToRoot(path string) string { return path[len(x.rules.prefix):] }

// readDir lists the directory f. If it cannot be read, it becomes an entry with a problem.
func (rd *dirReader) readDir(f *dirRules) {
	x := rd.x
	rd.sub, rd.hasGit = nil, false
	path := strings.TrimSuffix(x.relativeToRoot(f.path), "/")
	d, err := x.root.OpenDir(path)
	if err != nil {
		rd.addUnreadable(f, path, err)
		return
	}
	defer d.Close()
	rd.dir = d
	st, err := d.Stat()
	if err != nil {
		rd.addUnreadable(f, path, err)
		return
	}
	names, err := d.Names(rd.buf)
	if err != nil {
		rd.addUnreadable(f, path, err)
		return
	}
	rd.readIgnoreFiles(f, path, names)
	for _, name := range names {
		rd.listName(f, name)
	}
	rd.out.dirs = append(rd.out.dirs, Dir{Path: path, Stat: st, Recheck: rd.hasGit})
}

func (rd *dirReader) addUnreadable(f *dirRules, path string, err error) {
	if nofollow.IsGone(err) || f.ignored {
		return
	}
	st, _, _ := rd.x.root.NewStatReader().Lstat("", path)
	rd.out.files = append(rd.out.files, Entry{Path: path, Stat: st, Dir: true, Problem: code.ProblemUnreadable})
}

// readIgnoreFiles reads the directory's own ignore files, which apply to all its names.
func (rd *dirReader) readIgnoreFiles(f *dirRules, path string, names []string) {
	f.git, f.ken = nil, nil
	for _, name := range names {
		switch name {
		case ".gitignore":
			if !f.ignored {
				f.git = rd.readIgnoreFile(f.path, path, name, rd.x.rules.fold)
			}
		case ".kenignore":
			f.ken = rd.readIgnoreFile(rd.x.relativeToRoot(f.path), path, name, false)
		}
	}
}

func (rd *dirReader) readIgnoreFile(base, path, name string, fold bool) *ignore.List {
	st, k, err := rd.dir.Lstat("", name)
	if err != nil || k == nofollow.Missing {
		return nil
	}
	rd.x.mu.Lock()
	rd.x.inside = append(rd.x.inside, source{nofollow.Join(path, name), st})
	rd.x.gitWouldHang = rd.x.gitWouldHang || k == nofollow.Special
	rd.x.mu.Unlock()
	if k != nofollow.Regular { // git does not follow links to ignore files either
		return nil
	}
	file, err := rd.dir.Open(name)
	if err != nil {
		return nil
	}
	defer file.Close()
	return readRules(file, base, fold)
}

// listName lists one name in the directory being read, or skips it.
func (rd *dirReader) listName(f *dirRules, name string) {
	switch name {
	case ".git":
		rd.hasGit = rd.hasGit || len(f.path) > len(rd.x.rules.prefix)
		return
	case ".ken":
		return
	}
	st, k, err := rd.dir.Lstat("", name)
	path := f.path + name
	switch {
	case err != nil:
		if !f.ignored {
			rd.addEntry(Entry{Path: path, Problem: code.ProblemUnreadable})
		}
	case k == nofollow.Missing:
	case k == nofollow.Directory:
		rd.listDirectory(f, path, st)
	default:
		rd.listFile(f, path, st, k)
	}
}

// addEntry appends an entry whose path is relative to the top.
func (rd *dirReader) addEntry(e Entry) {
	e.Path = rd.x.relativeToRoot(e.Path)
	rd.out.files = append(rd.out.files, e)
}

// listFile lists a file or anything else that is no directory.
func (rd *dirReader) listFile(f *dirRules, path string, st code.Stat, k nofollow.Kind) {
	x := rd.x
	base := len(f.path)
	t, isTracked := x.tracked.findTracked(path, f.lo, f.hi)
	if !isTracked && (f.ignored || x.rules.isIgnored(f, path, base, false)) {
		rd.out.ignored = append(rd.out.ignored, x.relativeToRoot(path))
		return
	}
	if isTracked && t.Path != path { // core.ignorecase: the index's name counts
		if len(t.Path) < len(x.rules.prefix) {
			return
		}
		var err error
		if st, k, err = x.root.NewStatReader().Lstat("",
			x.relativeToRoot(t.Path)); err != nil || k == nofollow.Missing || k == nofollow.Directory {
			return
		}
	}
	e := Entry{Path: path, Stat: st, Tracked: isTracked}
	if isTracked {
		e.Path = t.Path
	}
	switch {
	case !x.rules.isIncluded(f.included, path, base, false) || x.rules.isExcluded(f, path, base, false):
		e.Problem = code.ProblemExcluded
	case k == nofollow.Link:
		e.Problem = code.ProblemSymlink
	case k == nofollow.Special:
		e.Problem = code.ProblemSpecial
	}
	rd.addEntry(e)
}

// listDirectory lists a directory that is not to be entered, or puts it on rd.sub.
func (rd *dirReader) listDirectory(f *dirRules, path string, st code.Stat) {
	x := rd.x
	base := len(f.path)
	if t, ok := x.tracked.findTracked(path, f.lo, f.hi); ok && t.IsSubmodule() {
		rd.addEntry(Entry{Path: path, Stat: st, Dir: true, Tracked: true, Problem: code.ProblemSubmodule})
		return
	}
	sub := &dirRules{parent: f, path: path + "/"}
	sub.ignored = f.ignored || x.rules.isIgnored(f, path, base, true)
	sub.lo, sub.hi = x.tracked.rangeBelow(sub.path, f.lo, f.hi)
	if !x.tracked.hasEntryBelow(sub.path, sub.lo, sub.hi) {
		if sub.ignored {
			rd.out.ignored = append(rd.out.ignored, x.relativeToRoot(sub.path))
			return
		}
		if rd.isNested(path, base) {
			rd.addEntry(Entry{Path: path, Stat: st, Dir: true, Problem: code.ProblemNestedRepo})
			return
		}
	}
	if x.rules.isExcluded(f, path, base, true) {
		rd.addEntry(Entry{Path: path, Stat: st, Dir: true, Problem: code.ProblemExcluded})
		return
	}
	sub.included = x.rules.isIncluded(f.included, path, base, true)
	rd.sub = append(rd.sub, sub)
}

// isNested reports whether the directory is the top of another repository.
func (rd *dirReader) isNested(path string, base int) bool {
	if _, k, err := rd.dir.Lstat(path[base:], ".git"); err != nil || k == nofollow.Missing {
		return false
	}
	_, ok := git.LocateGitDir(rd.x.Lister.root + "/" + rd.x.relativeToRoot(path))
	return ok
}
