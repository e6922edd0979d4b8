package exactrun

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/lookup"
	"ken/internal/engine/resolve"
	"ken/internal/engine/source"
	"ken/internal/engine/source/scan"
	"ken/internal/engine/store"
	"ken/internal/engine/update/fingerprint"
	"ken/internal/lang"
)

// maxExactFile is the size up to which Go files are read for type checking: more than the index reads, because a package
// lacks the declarations of an omitted file.
const maxExactFile = 16 << 20

// errMoved reports that the tree or the index changed during a run.
var errMoved = errors.New("the repository changed meanwhile")

// goFile is a Go file in the index.
type goFile struct {
	id      int64
	name    string
	hash    [32]byte
	problem code.Problem
}

// exactTree implements gotypes.Tree: the files and configurations of one revision, and the content of files as long as
// it is that revision's.
type exactTree struct {
	ctx     context.Context
	reader  *source.Reader
	files   map[string][]goFile // by directory, by name
	paths   map[string]bool     // every indexed file
	dirs    map[string]bool     // with an indexed file below
	configs map[string][]byte
	resolve *resolve.Resolver
	shapes  map[int64]uint64 // of the files read
	masked  []byte           // buffer of Read
	moved   bool
}

func newExactTree(ctx context.Context, tree *source.Tree, r store.Reader) (*exactTree, error) {
	reader, err := tree.WithSizeLimit(maxExactFile).NewReader(nil)
	if err != nil {
		return nil, err
	}
	t := &exactTree{ctx: ctx, reader: reader, files: map[string][]goFile{}, paths: map[string]bool{}, dirs: map[string]bool{},
		configs: map[string][]byte{}, shapes: map[int64]uint64{}}
	for f, err := range r.Files() { // by path, so by name within a directory
		if err != nil {
			return nil, err
		}
		if !lookup.IsIndexed(&f) {
			continue
		}
		t.paths[f.Path] = true
		for d := code.Dir(f.Path); d != "" && !t.dirs[d]; d = code.Dir(d) {
			t.dirs[d] = true
		}
		if lang.Of(f.Lang).TypeChecked && strings.HasSuffix(f.Path, ".go") {
			d := code.Dir(f.Path)
			t.files[d] = append(t.files[d], goFile{id: f.ID, name: f.Path[len(d):], hash: f.Hash, problem: f.Problem})
		}
		if fingerprint.IsGoMod(f.Path) {
			if t.configs[f.Path], _, err = r.ConfigContent(f.Path); err != nil {
				return nil, err
			}
		}
	}
	for _, list := range t.files {
		for i := range list {
			list[i].name = strings.TrimPrefix(list[i].name, "/")
		}
		slices.SortFunc(list, func(a, b goFile) int { return strings.Compare(a.name, b.name) })
	}
	t.resolve = resolve.New(t)
	return t, nil
}

// GoFiles implements gotypes.Tree.
func (t *exactTree) GoFiles(dir string) []string {
	list := t.files[dir]
	out := make([]string, len(list))
	for i := range list {
		out[i] = list[i].name
	}
	return out
}

func (t *exactTree) findFile(p string) (goFile, bool) {
	dir := code.Dir(p)
	name := strings.TrimPrefix(p[len(dir):], "/")
	list := t.files[dir]
	i, ok := slices.BinarySearchFunc(list, name, func(f goFile, name string) int { return strings.Compare(f.name, name) })
	if !ok {
		return goFile{}, false
	}
	return list[i], true
}

// Read implements gotypes.Tree. Types are checked in the unmasked text, because a mask may cover a name; only places and
// messages without the literals they quote are stored (gotypes.problem). The shape is that of the masked text, as in
// updates. It fails with errMoved if the file changed, or with another error if it is not indexed or not held whole.
func (t *exactTree) Read(p string) ([]byte, error) {
	f, ok := t.findFile(p)
	if !ok {
		return nil, fmt.Errorf("%s: not indexed", p)
	}
	c, err := t.reader.RawContent(t.ctx, p)
	if err != nil || c.Hash != f.hash {
		t.moved = true
		return nil, errMoved
	}
	if !source.IsHeldWhole(c.Problem) {
		return nil, fmt.Errorf("%s: %s", p, c.Problem)
	}
	if _, known := t.shapes[f.id]; !known {
		t.masked = append(t.masked[:0], c.Bytes...)
		t.reader.Mask(t.masked)
		c.Problem = f.problem
		t.shapes[f.id] = fingerprint.FileShape(&c, t.masked)
	}
	return c.Bytes, nil
}

// fileShape returns the shape of a file.
func (t *exactTree) fileShape(p string) (uint64, error) {
	f, ok := t.findFile(p)
	if !ok {
		return 0, errMoved
	}
	if _, known := t.shapes[f.id]; !known {
		if _, err := t.Read(p); err != nil && errors.Is(err, errMoved) {
			return 0, err
		} else if err != nil { // it cannot be read whole: the shape of the update path
			t.shapes[f.id] = fingerprint.FileShape(&scan.Content{Problem: code.ProblemTooLarge, Hash: f.hash}, nil)
		}
	}
	return t.shapes[f.id], nil
}

// Resolve implements gotypes.Tree.
func (t *exactTree) Resolve(from, spec string) resolve.Result {
	return t.resolve.Resolve(from, "go", &code.Import{Spec: spec})
}

// Config implements gotypes.Tree and resolve.Tree, as do the following.
func (t *exactTree) Config(p string) ([]byte, bool) {
	b, ok := t.configs[p]
	return b, ok
}

// Configs lists the go.mod or go.work files.
func (t *exactTree) Configs(base string) []string {
	var out []string
	for p := range t.configs {
		if p == base || strings.HasSuffix(p, "/"+base) {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

// Has reports whether a file is indexed.
func (t *exactTree) Has(p string) bool { return t.paths[p] }

// HasDir reports whether an indexed file lies below a directory.
func (t *exactTree) HasDir(dir string) bool { return dir == "" || t.dirs[dir] }

// PackageDirs is for languages that declare packages.
func (t *exactTree) PackageDirs(code.Lang, string) []string { return nil }
