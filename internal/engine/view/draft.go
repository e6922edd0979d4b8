package view

import (
	"cmp"
	"slices"

	"ken/internal/code"
	"ken/internal/engine/extract"
	"ken/internal/engine/facts"
	"ken/internal/engine/lookup"
	"ken/internal/engine/store"
)

// DraftText is the text of a file that differs from the index, or of one that the index lacks.
type DraftText struct {
	Row  code.File // as it is now; the path may differ from that of the index
	Was  string    // the path before, if it differs
	Text []byte
}

// Draft is an index as it would be if some files had another text: those are extracted and linked anew, in memory, and all others are read
// as they are. Exact bindings of such files are left out: they are of other offsets.
type Draft struct {
	store.Reader
	files map[int64]*DraftFile
	paths map[string]int64 // of files with another text, by path; 0 for the old path of a moved one
	alone bool
}

// DraftFile is a file with another text.
type DraftFile struct {
	Row   code.File
	Facts *code.Facts
	syms  []store.SymbolRow
	names []string // of the references, sorted
	site  store.SiteRow
}

// NewDraft extracts the facts of texts and links their files. It returns an error if the index cannot be read.
func NewDraft(s *Snapshot, texts []DraftText) (*Draft, *Snapshot, error) {
	d := &Draft{Reader: s.Index, files: map[int64]*DraftFile{}, paths: map[string]int64{}}
	x := extract.New()
	defer x.Close()
	for i := range texts {
		t := &texts[i]
		f := &DraftFile{Row: t.Row}
		if t.Was != "" {
			d.paths[t.Was] = 0
		}
		id := t.Row.ID
		d.paths[f.Row.Path] = id
		f.Facts = x.Extract(f.Row.Path, f.Row.Lang, t.Text)
		f.Row.Package, f.Row.ErrorBytes, f.Row.Problem = f.Facts.Package, f.Facts.ErrorBytes, f.Facts.Problem
		f.names = facts.Names(f.Facts)
		for i, sym := range f.Facts.Symbols {
			f.syms = append(f.syms, store.SymbolRow{Symbol: sym, FileID: id, Path: f.Row.Path, Ord: int32(i)})
		}
		f.site = store.SiteRow{Node: f.Row, Facts: facts.Encode(nil, f.Facts)}
		d.files[id] = f
	}
	opt := *s.Opt
	opt.Memo = &Memo{}
	linking := New(&opt, d)
	linker := NewLinker(linking.Lookup)
	for _, f := range d.files {
		linked := linker.Link(lookup.NewNode(&f.Row), f.Facts)
		f.site.Links = linked.Links.Encode()
	}
	return d, New(&opt, d), linking.Lookup.Err
}

// File returns a file with another text, nil if it has none.
func (x *Draft) File(id int64) *DraftFile { return x.files[id] }

// FileAt returns the file with another text that has a path now, nil if there is none.
func (x *Draft) FileAt(path string) *DraftFile { return x.files[x.paths[path]] }

// Alone restricts the references to those of the files with another text.
func (x *Draft) Alone() { x.alone = true }

func (x *Draft) FileByPath(path string) (code.File, bool, error) {
	if id, ok := x.paths[path]; ok {
		if id == 0 {
			return code.File{}, false, nil
		}
		return x.files[id].Row, true, nil
	}
	return x.Reader.FileByPath(path)
}

func (x *Draft) FileByID(id int64) (code.File, bool, error) {
	if f := x.files[id]; f != nil {
		return f.Row, true, nil
	}
	return x.Reader.FileByID(id)
}

func (x *Draft) FileID(path string) (int64, error) {
	if id, ok := x.paths[path]; ok {
		return id, nil
	}
	return x.Reader.FileID(path)
}

func (x *Draft) PathByID(id int64) (string, error) {
	if f := x.files[id]; f != nil {
		return f.Row.Path, nil
	}
	return x.Reader.PathByID(id)
}

// redraw puts the touched files in the place of their rows.
func (x *Draft) redraw(rows []code.File, err error) ([]code.File, error) {
	for i := range rows {
		if f := x.files[rows[i].ID]; f != nil {
			rows[i] = f.Row
		}
	}
	slices.SortFunc(rows, func(a, b code.File) int { return cmp.Compare(a.Path, b.Path) })
	return rows, err
}

func (x *Draft) FilesIn(dir string) ([]code.File, error) { return x.redraw(x.Reader.FilesIn(dir)) }
func (x *Draft) NodesIn(dir string) ([]code.File, error) { return x.redraw(x.Reader.NodesIn(dir)) }

func (x *Draft) PackageFiles(l code.Lang, pkg string) ([]code.File, error) {
	return x.redraw(x.Reader.PackageFiles(l, pkg))
}

func (x *Draft) Symbols(file int64) ([]store.SymbolRow, error) {
	if f := x.files[file]; f != nil {
		return slices.Clone(f.syms), nil
	}
	return x.Reader.Symbols(file)
}

func (x *Draft) SymbolsOf(file int64, limit int, wanted func(code.Kind) bool) ([]store.SymbolRow, error) {
	f := x.files[file]
	if f == nil {
		return x.Reader.SymbolsOf(file, limit, wanted)
	}
	rows := slices.Clone(f.syms[:min(limit, len(f.syms))])
	return slices.DeleteFunc(rows, func(r store.SymbolRow) bool { return !wanted(r.Kind) }), nil
}

func (x *Draft) SymbolsNamed(name string) ([]store.SymbolRow, error) {
	rows, err := x.Reader.SymbolsNamed(name)
	rows = slices.DeleteFunc(rows, func(r store.SymbolRow) bool { return x.files[r.FileID] != nil })
	for _, f := range x.files {
		for i := range f.syms {
			if f.syms[i].Name == name {
				rows = append(rows, f.syms[i])
			}
		}
	}
	slices.SortFunc(rows, func(a, b store.SymbolRow) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Ord, b.Ord))
	})
	return rows, err
}

func (x *Draft) SymbolIDs(name string) ([]code.SymbolID, error) {
	rows, err := x.SymbolsNamed(name)
	ids := make([]code.SymbolID, len(rows))
	for i := range rows {
		ids[i] = rows[i].ID()
	}
	slices.SortFunc(ids, func(a, b code.SymbolID) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Ord, b.Ord)) })
	return ids, err
}

func (x *Draft) Symbol(id code.SymbolID) (store.SymbolRow, bool, error) {
	f := x.files[id.File]
	switch {
	case f == nil:
		return x.Reader.Symbol(id)
	case int(id.Ord) >= len(f.syms):
		return store.SymbolRow{}, false, nil
	}
	return f.syms[id.Ord], true, nil
}

func (x *Draft) Container(id code.SymbolID) (string, error) {
	row, _, err := x.Symbol(id)
	return row.Symbol.Container(), err
}

func (x *Draft) QualifiedName(id code.SymbolID) (string, code.Kind, error) {
	if x.files[id.File] == nil {
		return x.Reader.QualifiedName(id)
	}
	row, _, err := x.Symbol(id)
	return row.Qualified, row.Kind, err
}

func (x *Draft) Referrers(name string) ([]int64, error) {
	ids, err := []int64(nil), error(nil)
	if !x.alone {
		ids, err = x.Reader.Referrers(name)
	}
	ids = slices.DeleteFunc(ids, func(id int64) bool { return x.files[id] != nil })
	for id, f := range x.files {
		if _, ok := slices.BinarySearch(f.names, name); ok {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, err
}

func (x *Draft) Facts(file int64) ([]byte, error) {
	if f := x.files[file]; f != nil {
		return f.site.Facts, nil
	}
	return x.Reader.Facts(file)
}

func (x *Draft) Links(file int64) ([]byte, error) {
	if f := x.files[file]; f != nil {
		return f.site.Links, nil
	}
	return x.Reader.Links(file)
}

func (x *Draft) Site(file int64) (store.SiteRow, error) {
	if f := x.files[file]; f != nil {
		return f.site, nil
	}
	return x.Reader.Site(file)
}

func (x *Draft) ExactFiles(file int64) ([]store.ExactFile, error) {
	if x.files[file] != nil {
		return nil, nil
	}
	return x.Reader.ExactFiles(file)
}
