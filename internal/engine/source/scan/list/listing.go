package list

import (
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/source/scan/nofollow"
)

// Entry is one path of a listing.
type Entry struct {
	Path    string // relative to the root, '/' between elements, any bytes that git allows
	Stat    code.Stat
	Tracked bool // in git's index
	// Dir marks a directory that was not entered: a submodule, a nested repository,
	// an excluded or unreadable directory.
	Dir bool
	// Problem is symlink, submodule, nested_repository, special_file, excluded
	// or unreadable; "" for a file to be read.
	Problem code.Problem
}

// Dir is a directory that was read.
type Dir struct {
	Path string // relative to the root, "" for the root itself
	Stat code.Stat
	// Recheck marks a directory with a ".git" that is no repository to git. It may
	// become one without a change of the directory.
	Recheck bool
}

// source is a file, outside or inside the tree, that decides which others are listed:
// an ignore file, git's index, a configuration file.
type source struct {
	path string // absolute, or relative to the root for ignore files inside the tree
	stat code.Stat
}

// Listing is the list of the files in the tree at one time. It is immutable;
// the next listing compares with it. Files and Dirs are sorted by path.
type Listing struct {
	Files []Entry
	Dirs  []Dir
	// Ignored are the paths that git's rules leave out, sorted. Those of directories end in '/', and what is in them is not listed.
	Ignored []string
	// LookedAt is the time at which the look began, in nanoseconds since 1970.
	LookedAt int64
	// Racy are the files whose Stat equals that of the listing before but was
	// too young then to be trusted: they may have changed and must be hashed.
	Racy []string

	options [32]byte // digest of the scanner's options and the repository
	tracked [32]byte // digest of git's index as far as it matters
	sources []source
}

// Outside describes the files outside of the tree that decided which files a look listed, with their stats at that time.
type Outside struct {
	files    []source
	lookedAt int64
}

// Outside returns the files outside of the tree that decided which files the look listed, except git's index, whose
// path is index, because most writes to it do not change the listing.
func (l *Listing) Outside(index string) Outside {
	o := Outside{lookedAt: l.LookedAt}
	for _, s := range l.sources {
		if filepath.IsAbs(s.path) && s.path != index {
			o.files = append(o.files, s)
		}
	}
	return o
}

// IsUnchanged reports whether all of them are certainly unchanged.
func (o Outside) IsUnchanged() bool {
	return !slices.ContainsFunc(o.files, func(s source) bool {
		st, _ := nofollow.StatPath(s.path)
		return st != s.stat || isTooYoung(st, o.lookedAt)
	})
}

// WatchedDirs returns the directories, relative to the root, whose change can mean another listing: those that were
// read, repositories inside of the tree, and directories that may become one.
func (l *Listing) WatchedDirs() []string {
	out := make([]string, 0, len(l.Dirs))
	for _, d := range l.Dirs {
		out = append(out, d.Path)
		if d.Recheck {
			out = append(out, nofollow.Join(d.Path, ".git"))
		}
	}
	for _, e := range l.Files {
		if e.Dir && (e.Problem == code.ProblemSubmodule || e.Problem == code.ProblemNestedRepo) {
			out = append(out, e.Path)
		}
	}
	return out
}

// The rule for racy files. Two writes within one tick of the file system's clock
// leave the same time stamps, so that a file written, looked at and written again in
// one tick keeps its Stat. So a Stat proves a file unchanged only if it was
// older than one tick at the time of the look. The time is that of the last inode
// change (ctime), which no program can set; mtime where there is no ctime. Local file
// systems tick with the kernel (at most 10 ms); a time without a fraction of a second
// counts as one that ticks every (two) seconds. The margins leave room for the clock
// of a file server.
const (
	marginFine   = 500 * 1_000_000
	marginCoarse = 2_500 * 1_000_000
)

// isTooYoung reports whether st was too young at the time of a listing to prove later that the file is unchanged; git calls such files
// racy.
func isTooYoung(st code.Stat, lookedAt int64) bool {
	t := st.CTime
	if t == 0 {
		t = st.MTime
	}
	if t%1_000_000_000 == 0 {
		return t >= lookedAt-marginCoarse
	}
	return t >= lookedAt-marginFine
}

// Diff compares two listings by path and returns the entries that are new, that
// differ in Stat, tracking or problem, and that are gone. Files that may have changed
// within one clock tick are in now.Racy. It costs nothing if the look found no
// change.
func Diff(prev, now *Listing) (added, changed, deleted []string) {
	var a, b []Entry
	if prev != nil {
		a = prev.Files
	}
	b = now.Files
	if len(a) > 0 && len(a) == len(b) && &a[0] == &b[0] {
		return nil, nil, nil
	}
	for len(a) > 0 || len(b) > 0 {
		switch c := compareHeads(a, b); {
		case c < 0:
			deleted = append(deleted, a[0].Path)
			a = a[1:]
		case c > 0:
			added = append(added, b[0].Path)
			b = b[1:]
		default:
			if !sameEntry(a[0], b[0]) {
				changed = append(changed, b[0].Path)
			}
			a, b = a[1:], b[1:]
		}
	}
	return added, changed, deleted
}

func compareHeads(a, b []Entry) int {
	switch {
	case len(a) == 0:
		return 1
	case len(b) == 0:
		return -1
	}
	return strings.Compare(a[0].Path, b[0].Path)
}

// sameEntry compares two entries of one path. It ignores the stats of directories that are
// not entered, because they change with the files inside.
func sameEntry(a, b Entry) bool {
	if a.Dir && b.Dir {
		a.Stat = b.Stat
	}
	return a == b
}

// Find returns the entry of a path.
func (l *Listing) Find(path string) (Entry, bool) {
	i, ok := slices.BinarySearchFunc(l.Files, path, func(e Entry, p string) int { return strings.Compare(e.Path, p) })
	if !ok {
		return Entry{}, false
	}
	return l.Files[i], true
}

func sortEntries(list []Entry) {
	slices.SortFunc(list, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
}

func sortDirs(list []Dir) {
	slices.SortFunc(list, func(a, b Dir) int { return strings.Compare(a.Path, b.Path) })
}
