package list

import (
	"context"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/source/scan/ignore"
	"ken/internal/engine/source/scan/nofollow"
	"ken/internal/git"
)

// rereadChanged reads the directories whose names may have changed, and replaces their
// entries. It returns nil if a full walk must decide: an ignore file appeared, a
// directory became a repository, or so much changed that walking on all cores is
// cheaper.
func (x *session) rereadChanged(ctx context.Context, now *Listing, p probeResult) (*Listing, error) {
	if len(p.dirs) > 64 && len(p.dirs) > len(now.Dirs)/4 {
		return nil, nil
	}
	if x.tracked == nil {
		x.loadOuterRules()
		if x.loadTracked() != nil {
			return nil, nil
		}
	}
	x.inside = nil
	r := rereadRun{
		x: x, prev: now, known: make(map[string]bool, len(now.Dirs)), children: make(map[string][]string),
		frames: make(map[string]*dirRules), drop: make(map[string]bool),
	}
	for _, d := range now.Dirs {
		r.known[d.Path] = true
		if up := code.Dir(d.Path); d.Path != "" && p.dirs[up] {
			r.children[up] = append(r.children[up], d.Path)
		}
	}
	rd := &dirReader{x: x, buf: make([]byte, 32<<10), out: &r.fresh}
	for d := range p.dirs {
		if !r.rereadDir(rd, d) {
			return nil, nil
		}
	}
	more, err := x.walkDirs(ctx, r.walk...)
	if err != nil {
		return nil, err
	}
	r.fresh.files = append(r.fresh.files, more.files...)
	r.fresh.dirs = append(r.fresh.dirs, more.dirs...)
	r.fresh.ignored = append(r.fresh.ignored, more.ignored...)
	if !r.sameIgnoreFiles() {
		return nil, nil
	}
	return r.mergeEntries(now, p), nil
}

// rereadRun is the state of reading changed directories again.
type rereadRun struct {
	x        *session
	prev     *Listing
	known    map[string]bool     // directories of prev
	children map[string][]string // known directories, by their parent that is to be read
	frames   map[string]*dirRules
	drop     map[string]bool // directories that are gone
	walk     []*dirRules     // directories that are new
	fresh    walkResult
}

// rereadDir reads one directory. It reports false if the whole tree must be read again.
func (r *rereadRun) rereadDir(rd *dirReader, path string) bool {
	if !r.known[path] {
		return false // its parent is unknown, too
	}
	f := r.rebuildRules(path)
	before := len(r.fresh.dirs)
	rd.readDir(f)
	if len(r.fresh.dirs) == before {
		r.drop[path] = true
		return true
	}
	if rd.hasGit && !r.x.tracked.hasEntryBelow(f.path, f.lo, f.hi) {
		if _, nested := git.LocateGitDir(r.x.Lister.root + "/" + path); nested {
			return false
		}
	}
	seen := make(map[string]bool, len(rd.sub))
	for _, sub := range rd.sub {
		name := strings.TrimSuffix(r.x.relativeToRoot(sub.path), "/")
		seen[name] = true
		if !r.known[name] {
			r.walk = append(r.walk, sub)
		}
	}
	for _, d := range r.children[path] {
		if !seen[d] {
			r.drop[d] = true
		}
	}
	return true
}

// rebuildRules builds the ignore rules of a directory that the earlier listing has.
func (r *rereadRun) rebuildRules(path string) *dirRules {
	if path == "" {
		r.readIgnoreFiles(r.x.top, "")
		return r.x.top
	}
	if f, ok := r.frames[path]; ok {
		return f
	}
	up := r.rebuildRules(code.Dir(path))
	full := r.x.rules.prefix + path
	f := &dirRules{parent: up, path: full + "/"}
	base := len(up.path)
	f.ignored = up.ignored || r.x.rules.isIgnored(up, full, base, true)
	f.included = r.x.rules.isIncluded(up.included, full, base, true)
	f.lo, f.hi = r.x.tracked.rangeBelow(f.path, up.lo, up.hi)
	r.readIgnoreFiles(f, path)
	r.frames[path] = f
	return f
}

// readIgnoreFiles reads the ignore files that the earlier listing has in a directory.
func (r *rereadRun) readIgnoreFiles(f *dirRules, path string) {
	if f.git == nil && !f.ignored {
		f.git = r.ignoreList(nofollow.Join(path, ".gitignore"), f.path, r.x.rules.fold)
	}
	if f.ken == nil {
		f.ken = r.ignoreList(nofollow.Join(path, ".kenignore"), r.x.relativeToRoot(f.path), false)
	}
}

func (r *rereadRun) ignoreList(path, base string, fold bool) *ignore.List {
	for _, s := range r.prev.sources {
		if s.path != path {
			continue
		}
		file, err := r.x.root.Open(path)
		if err != nil {
			return nil
		}
		defer file.Close()
		return readRules(file, base, fold)
	}
	return nil
}

// sameIgnoreFiles reports whether all ignore files found were known, unchanged.
func (r *rereadRun) sameIgnoreFiles() bool {
	was := make(map[source]bool, len(r.prev.sources))
	for _, s := range r.prev.sources {
		was[s] = true
	}
	for _, s := range r.x.inside {
		if !was[s] {
			return false
		}
	}
	return !r.x.gitWouldHang
}

// mergeEntries replaces the entries of the directories that were read again.
func (r *rereadRun) mergeEntries(now *Listing, p probeResult) *Listing {
	dirs := make([]Dir, 0, len(now.Dirs)+len(r.fresh.dirs))
	for _, d := range now.Dirs { // sorted, so that a directory comes before those in it
		if d.Path != "" && r.drop[code.Dir(d.Path)] {
			r.drop[d.Path] = true
		}
		if !r.drop[d.Path] && !p.dirs[d.Path] {
			dirs = append(dirs, d)
		}
	}
	files := make([]Entry, 0, len(now.Files)+len(r.fresh.files))
	for _, e := range now.Files {
		if d := code.Dir(e.Path); !r.drop[d] && !p.dirs[d] {
			files = append(files, e)
		}
	}
	for _, d := range r.fresh.dirs {
		if d.Path == "" || !r.drop[d.Path] && !r.drop[code.Dir(d.Path)] {
			dirs = append(dirs, d)
		}
	}
	for _, e := range r.fresh.files {
		if !r.drop[code.Dir(e.Path)] || e.Dir {
			files = append(files, e)
		}
	}
	ignored := slices.Clone(r.fresh.ignored)
	for _, path := range now.Ignored {
		if d := code.Dir(strings.TrimSuffix(path, "/")); !r.drop[d] && !p.dirs[d] {
			ignored = append(ignored, path)
		}
	}
	slices.Sort(ignored)
	sortEntries(files)
	sortDirs(dirs)
	now.Files, now.Dirs, now.Ignored = dedupe(files), dirs, slices.Compact(ignored)
	racy := now.Racy[:0:0]
	for _, path := range now.Racy {
		if e, ok := now.Find(path); ok && e.Problem == code.ProblemNone {
			racy = append(racy, path)
		}
	}
	now.Racy = racy
	return now
}
