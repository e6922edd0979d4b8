package list

import (
	"io"

	"ken/internal/engine/source/scan/ignore"
	"ken/internal/engine/source/scan/nofollow"
)

// The rules that decide about a path, strongest first: patterns of the ignore
// files from its own directory up to the top of the working tree, then
// .git/info/exclude, then the user's core.excludesFile, then ken's default
// ignores. The first list that has a matching pattern decides; in a list, the
// last matching pattern. All files of an ignored directory are ignored.

// dirRules are the ignore rules of a directory on the way from the top of the
// working tree to the directory being read. Its path is relative to the top and
// ends in '/'; "" is the top.
type dirRules struct {
	parent   *dirRules
	path     string
	git      *ignore.List // .gitignore, nil if there is none
	ken      *ignore.List // .kenignore
	ignored  bool         // git ignores it: only tracked files count
	included bool         // matched by Options.Include, with all below
	lo, hi   int          // the tracked paths below it
}

// outerRules are the lists of ignore patterns from outside the tree. They are immutable.
type outerRules struct {
	base    []*ignore.List // strongest first
	prefix  string         // the root, relative to the top of the working tree
	fold    bool           // core.ignorecase
	include *ignore.List
	exclude *ignore.List
}

// isIgnored applies git's rules to a path in directory f, which is not itself
// ignored. name begins at base.
func (r *outerRules) isIgnored(f *dirRules, path string, base int, isDir bool) bool {
	for ; f != nil; f = f.parent {
		if f.git == nil {
			continue
		}
		if v := f.git.Match(path, base, isDir); v != ignore.None {
			return v == ignore.Ignored
		}
	}
	for _, l := range r.base {
		if v := l.Match(path, base, isDir); v != ignore.None {
			return v == ignore.Ignored
		}
	}
	return false
}

// isExcluded applies the rules that narrow git's: .kenignore files and the
// Exclude globs. Their patterns are relative to the root.
func (r *outerRules) isExcluded(f *dirRules, path string, base int, isDir bool) bool {
	rel, relBase := path[len(r.prefix):], base-len(r.prefix)
	if r.exclude != nil && r.exclude.Match(rel, relBase, isDir) == ignore.Ignored {
		return true
	}
	for ; f != nil && len(f.path) >= len(r.prefix); f = f.parent {
		if f.ken == nil {
			continue
		}
		if v := f.ken.Match(rel, relBase, isDir); v != ignore.None {
			return v == ignore.Ignored
		}
	}
	return false
}

// isIncluded reports whether the Include globs select path; inside reports whether they
// select a directory above it.
func (r *outerRules) isIncluded(inside bool, path string, base int, isDir bool) bool {
	if r.include == nil {
		return true
	}
	switch r.include.Match(path[len(r.prefix):], base-len(r.prefix), isDir) {
	case ignore.Ignored:
		return true
	case ignore.Included: // negated: "all of a but not b"
		return false
	}
	return inside
}

// defaultIgnores are applied to trees without git. They are names that are never
// kept under version control. guessedIgnores are names that are source as
// often; they are applied only if the tree has no ignore file of its own.
const (
	defaultIgnores = `node_modules/
bower_components/
__pycache__/
*.py[cod]
.venv/
.tox/
.nox/
.mypy_cache/
.pytest_cache/
.ruff_cache/
.gradle/
.terraform/
.next/
.nuxt/
.svelte-kit/
.parcel-cache/
.turbo/
.yarn/cache/
.nyc_output/
.sass-cache/
.eggs/
*.egg-info/
.hg/
.svn/
.bzr/
CVS/
.DS_Store
Thumbs.db
`
	guessedIgnores = `dist/
build/
target/
out/
obj/
venv/
env/
coverage/
htmlcov/
.cache/
.idea/
.vs/
`
)

// maxIgnoreFile is the size above which an ignore file is not read; git's own
// limit is 100 MB.
const maxIgnoreFile = 8 << 20

// readRules returns the patterns of an open ignore file, or nil if it is no regular file, too large or unreadable.
func readRules(f nofollow.File, base string, fold bool) *ignore.List {
	if _, k, err := f.Stat(); err != nil || k != nofollow.Regular {
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(f, maxIgnoreFile+1))
	if err != nil || len(data) > maxIgnoreFile {
		return nil
	}
	return ignore.Parse(base, data, fold)
}
