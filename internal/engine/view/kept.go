package view

import (
	"iter"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/store"
)

// keptReader is a reader that keeps rows for later answers over the same state of the index, because an answer
// over an index in memory spends most of its time on reading rows. It is used from the second answer of a
// process on, because a command that answers once would gain nothing.
type keptReader struct {
	store.Reader
	rows *keptRows
}

// keptRows are the rows that a keptReader keeps. Lists are copied, because callers may change them.
type keptRows struct {
	all      []code.File          // every file, by path; nil until all were read
	byID     map[int64]*code.File // of all
	symbols  map[int64][]store.SymbolRow
	named    map[string][]store.SymbolRow
	packages map[packageKey][]code.File
	files    map[string]code.File // single files, by path
	edges    []store.EdgeRow      // every edge; nil until all were read
	number   int                  // rows in symbols, named, packages and files
	buckets  map[int64][]byte     // postings as they are packed
	bytes    int                  // in buckets
}

type packageKey struct {
	lang code.Lang
	name string
}

const (
	// maxKeptFiles bounds the files whose rows are kept; they take about 400 bytes each.
	maxKeptFiles = 20_000
	// maxKeptRows bounds the other rows that are kept, which take about 400 bytes each, too.
	maxKeptRows = 20_000
	// maxKeptBuckets bounds the bytes that are kept of the search index. A question about a large file needs 4 to 8 MB of them.
	maxKeptBuckets = 12 << 20
	// maxKeptEdges bounds the edges that are kept, of 24 bytes each.
	maxKeptEdges = 200_000
)

func newKeptRows() *keptRows {
	k := &keptRows{buckets: map[int64][]byte{}}
	k.forgetRows()
	return k
}

func (k *keptRows) forgetRows() {
	k.symbols, k.named = map[int64][]store.SymbolRow{}, map[string][]store.SymbolRow{}
	k.packages, k.files, k.number = map[packageKey][]code.File{}, map[string]code.File{}, 0
}

// countRows counts n more rows. If there would be too many, it drops all kept rows first.
func (k *keptRows) countRows(n int) {
	if k.number += n + 1; k.number > maxKeptRows {
		k.forgetRows()
		k.number = n + 1
	}
}

// Files returns the rows of all files, and an error of the index as the last element.
func (r keptReader) Files() iter.Seq2[code.File, error] {
	return func(yield func(code.File, error) bool) {
		if r.rows.all != nil {
			for i := range r.rows.all {
				if !yield(r.rows.all[i], nil) {
					return
				}
			}
			return
		}
		var all []code.File
		for f, err := range r.Reader.Files() {
			if err == nil && len(all) <= maxKeptFiles {
				all = append(all, f)
			}
			if !yield(f, err) || err != nil {
				return
			}
		}
		r.rows.keepFiles(all)
	}
}

// keepFiles keeps the rows of all files, if they are few enough.
func (k *keptRows) keepFiles(all []code.File) {
	if len(all) == 0 || len(all) > maxKeptFiles {
		return
	}
	k.all, k.byID = slices.Clip(all), make(map[int64]*code.File, len(all))
	for i := range k.all {
		k.byID[k.all[i].ID] = &k.all[i]
	}
}

// Paths returns the paths of all files, and an error of the index as the last element.
func (r keptReader) Paths() iter.Seq2[store.PathRow, error] {
	if r.rows.all == nil {
		return r.Reader.Paths()
	}
	return func(yield func(store.PathRow, error) bool) {
		for i := range r.rows.all {
			if !yield(store.PathRow{ID: r.rows.all[i].ID, Path: r.rows.all[i].Path}, nil) {
				return
			}
		}
	}
}

// FileByPath returns the row of a file, false if there is none. It returns an error if the index cannot be read.
func (r keptReader) FileByPath(path string) (code.File, bool, error) {
	if r.rows.all == nil {
		return r.oneFile(path)
	}
	i, ok := slices.BinarySearchFunc(r.rows.all, path, func(f code.File, p string) int { return strings.Compare(f.Path, p) })
	if !ok {
		return code.File{}, false, nil
	}
	return r.rows.all[i], true, nil
}

func (r keptReader) oneFile(path string) (code.File, bool, error) {
	if f, ok := r.rows.files[path]; ok {
		return f, true, nil
	}
	f, ok, err := r.Reader.FileByPath(path)
	if ok && err == nil {
		r.rows.countRows(1)
		r.rows.files[path] = f
	}
	return f, ok, err
}

// FileByID returns the row of a file, false if there is none. It returns an error if the index cannot be read.
func (r keptReader) FileByID(id int64) (code.File, bool, error) {
	if r.rows.all == nil {
		return r.Reader.FileByID(id)
	}
	if f := r.rows.byID[id]; f != nil {
		return *f, true, nil
	}
	return code.File{}, false, nil
}

// Edges returns the edges between files, and an error of the index as the last element.
func (r keptReader) Edges() iter.Seq2[store.EdgeRow, error] {
	return func(yield func(store.EdgeRow, error) bool) {
		if r.rows.edges != nil {
			for i := range r.rows.edges {
				if !yield(r.rows.edges[i], nil) {
					return
				}
			}
			return
		}
		all := []store.EdgeRow{}
		for e, err := range r.Reader.Edges() {
			if err == nil && len(all) <= maxKeptEdges {
				all = append(all, e)
			}
			if !yield(e, err) || err != nil {
				return
			}
		}
		if len(all) <= maxKeptEdges {
			r.rows.edges = slices.Clip(all)
		}
	}
}

// Symbols returns the declarations of a file. It returns an error if the index cannot be read.
func (r keptReader) Symbols(file int64) ([]store.SymbolRow, error) {
	if list, ok := r.rows.symbols[file]; ok {
		return slices.Clone(list), nil
	}
	list, err := r.Reader.Symbols(file)
	if err == nil {
		r.rows.countRows(len(list))
		r.rows.symbols[file] = slices.Clone(list)
	}
	return list, err
}

// Declarations returns the declarations of a file without their paths. The caller must not change them. It returns
// an error if the index cannot be read.
func (s *Snapshot) Declarations(file int64) ([]store.SymbolRow, error) {
	if s.kept != nil {
		if list, ok := s.kept.symbols[file]; ok {
			return list, nil
		}
	}
	return s.Index.Symbols(file)
}

// SymbolsNamed returns the declarations of a name. It returns an error if the index cannot be read.
func (r keptReader) SymbolsNamed(name string) ([]store.SymbolRow, error) {
	if list, ok := r.rows.named[name]; ok {
		return slices.Clone(list), nil
	}
	list, err := r.Reader.SymbolsNamed(name)
	if err == nil {
		r.rows.countRows(len(list))
		r.rows.named[name] = slices.Clone(list)
	}
	return list, err
}

// PackageFiles returns the files of a package. It returns an error if the index cannot be read.
func (r keptReader) PackageFiles(lang code.Lang, pkg string) ([]code.File, error) {
	k := packageKey{lang, pkg}
	if list, ok := r.rows.packages[k]; ok {
		return slices.Clone(list), nil
	}
	list, err := r.Reader.PackageFiles(lang, pkg)
	if err == nil {
		r.rows.countRows(len(list))
		r.rows.packages[k] = slices.Clone(list)
	}
	return list, err
}

// SearchBucket returns one bucket of the search index. The caller must not change it. It returns an error if the
// index cannot be read.
func (r keptReader) SearchBucket(n int64) ([]byte, error) {
	if data, ok := r.rows.buckets[n]; ok {
		return data, nil
	}
	data, err := r.Reader.SearchBucket(n)
	if err == nil {
		if r.rows.bytes += len(data); r.rows.bytes > maxKeptBuckets {
			clear(r.rows.buckets)
			r.rows.bytes = len(data)
		}
		r.rows.buckets[n] = data
	}
	return data, err
}
