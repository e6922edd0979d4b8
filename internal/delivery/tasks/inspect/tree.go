package inspect

import (
	"path"
	"slices"
	"strings"

	"ken/internal/engine/store"
	"ken/internal/engine/view"
	"ken/internal/guard/garbage"
	"ken/internal/guard/review"
	"ken/internal/worktree"
)

// projectTree reads the index of the project without the files that a change adds.
type projectTree struct {
	s         *view.Snapshot
	top, root string // of the repository and of the project, in the work tree
	dirs      map[string]bool
	exts      map[string]bool
	err       error
}

var _ garbage.Tree = (*projectTree)(nil)

func newTree(s *view.Snapshot, tree *worktree.Tree, r *review.Review) (*projectTree, error) {
	t := &projectTree{s: s, top: tree.Dir, root: tree.Root, dirs: map[string]bool{}, exts: map[string]bool{}}
	added := map[string]bool{}
	for i := range r.Changes {
		if r.Changes[i].Kind == review.Added {
			added[t.pathFromRoot(r.Changes[i].Path)] = true
		}
	}
	all, err := s.AllPaths()
	if err != nil {
		return nil, err
	}
	for i := range all {
		p := all[i].Path
		if added[p] {
			continue
		}
		t.exts[path.Ext(p)] = true
		for dir := path.Dir(p); dir != "." && !t.dirs[dir]; dir = path.Dir(dir) {
			t.dirs[dir] = true
		}
	}
	return t, nil
}

// HasFolder implements garbage.Tree.
func (t *projectTree) HasFolder(dir string) bool {
	dir = t.pathFromRoot(dir)
	return dir == "." || dir == ".." || strings.HasPrefix(dir, "../") || t.dirs[dir]
}

// HasExtension implements garbage.Tree.
func (t *projectTree) HasExtension(ext string) bool { return t.exts[ext] }

// Tied implements garbage.Tree: it reports whether two files refer to each other. The first error is kept.
func (t *projectTree) Tied(a, b string) bool {
	x, y := t.fileID(a), t.fileID(b)
	return x != 0 && y != 0 && (t.hasReference(x, y) || t.hasReference(y, x))
}

// fileID returns the index's number of a file, given its path from the top of the repository; 0 if it has none.
func (t *projectTree) fileID(p string) int64 {
	id, err := t.s.Index.FileID(t.pathFromRoot(p))
	t.fail(err)
	return id
}

// hasReference reports whether a reference or an import leads from one file to another.
func (t *projectTree) hasReference(from, to int64) bool {
	edges, err := t.s.Index.EdgesFrom(from)
	t.fail(err)
	return slices.ContainsFunc(edges, func(e store.EdgeRow) bool { return e.Target == to })
}

func (t *projectTree) fail(err error) {
	if t.err == nil {
		t.err = err
	}
}
