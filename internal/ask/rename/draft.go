package rename

import (
	"cmp"
	"slices"
	"sort"

	"ken/internal/code"
	"ken/internal/engine/extract"
	"ken/internal/engine/facts"
	"ken/internal/engine/lookup"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
)

// draft is the index as it would be after a rename: the touched files have new texts, all others are as they are. Ids stay, because a
// rename leaves the declarations of a file in their order. Exact bindings of touched files are left out: they are of other offsets.
type draft struct {
	store.Reader
	files map[int64]*draftFile
	paths map[string]int64 // of touched files, by path; 0 for the old path of a moved one
}

// draftFile is a touched file.
type draftFile struct {
	was   code.File
	row   code.File
	facts *code.Facts
	syms  []store.SymbolRow
	names []string // of the references, sorted
	site  store.SiteRow
	edits edits
}

// newDraft extracts the facts of changed texts and links the files anew. moved are new paths by old ones.
func newDraft(s *view.Snapshot, texts map[int64]changedText, moved map[string]string) (*draft, *view.Snapshot, error) {
	d := &draft{Reader: s.Index, files: map[int64]*draftFile{}, paths: map[string]int64{}}
	x := extract.New()
	defer x.Close()
	for id, t := range texts {
		row, err := s.FileByID(id)
		if err != nil {
			return nil, nil, err
		}
		f := &draftFile{was: row, row: row, edits: t.edits}
		if to := moved[row.Path]; to != "" {
			d.paths[row.Path] = 0
			f.row.Path = to
		}
		d.paths[f.row.Path] = id
		f.facts = x.Extract(f.row.Path, row.Lang, t.edits.apply(t.text))
		f.row.Package, f.row.ErrorBytes, f.row.Problem = f.facts.Package, f.facts.ErrorBytes, f.facts.Problem
		f.names = facts.Names(f.facts)
		for i, sym := range f.facts.Symbols {
			f.syms = append(f.syms, store.SymbolRow{Symbol: sym, FileID: id, Path: f.row.Path, Ord: int32(i)})
		}
		f.site = store.SiteRow{Node: f.row, Facts: facts.Encode(nil, f.facts)}
		d.files[id] = f
	}
	opt := *s.Opt
	opt.Memo = &view.Memo{}
	linking := view.New(&opt, d)
	linker := view.NewLinker(linking.Lookup)
	for _, f := range d.files {
		linked := linker.Link(lookup.NewNode(&f.row), f.facts)
		f.site.Links = linked.Links.Encode()
	}
	return d, view.New(&opt, d), linking.Lookup.Err
}

func (d *draft) FileByPath(path string) (code.File, bool, error) {
	if id, ok := d.paths[path]; ok {
		if id == 0 {
			return code.File{}, false, nil
		}
		return d.files[id].row, true, nil
	}
	return d.Reader.FileByPath(path)
}

func (d *draft) FileByID(id int64) (code.File, bool, error) {
	if f := d.files[id]; f != nil {
		return f.row, true, nil
	}
	return d.Reader.FileByID(id)
}

func (d *draft) FileID(path string) (int64, error) {
	if id, ok := d.paths[path]; ok {
		return id, nil
	}
	return d.Reader.FileID(path)
}

func (d *draft) PathByID(id int64) (string, error) {
	if f := d.files[id]; f != nil {
		return f.row.Path, nil
	}
	return d.Reader.PathByID(id)
}

// redraw puts the touched files in the place of their rows.
func (d *draft) redraw(rows []code.File, err error) ([]code.File, error) {
	for i := range rows {
		if f := d.files[rows[i].ID]; f != nil {
			rows[i] = f.row
		}
	}
	slices.SortFunc(rows, func(a, b code.File) int { return cmp.Compare(a.Path, b.Path) })
	return rows, err
}

func (d *draft) FilesIn(dir string) ([]code.File, error) { return d.redraw(d.Reader.FilesIn(dir)) }
func (d *draft) NodesIn(dir string) ([]code.File, error) { return d.redraw(d.Reader.NodesIn(dir)) }

func (d *draft) PackageFiles(l code.Lang, pkg string) ([]code.File, error) {
	return d.redraw(d.Reader.PackageFiles(l, pkg))
}

func (d *draft) Symbols(file int64) ([]store.SymbolRow, error) {
	if f := d.files[file]; f != nil {
		return slices.Clone(f.syms), nil
	}
	return d.Reader.Symbols(file)
}

func (d *draft) SymbolsOf(file int64, limit int, wanted func(code.Kind) bool) ([]store.SymbolRow, error) {
	f := d.files[file]
	if f == nil {
		return d.Reader.SymbolsOf(file, limit, wanted)
	}
	rows := slices.Clone(f.syms[:min(limit, len(f.syms))])
	return slices.DeleteFunc(rows, func(r store.SymbolRow) bool { return !wanted(r.Kind) }), nil
}

func (d *draft) SymbolsNamed(name string) ([]store.SymbolRow, error) {
	rows, err := d.Reader.SymbolsNamed(name)
	rows = slices.DeleteFunc(rows, func(r store.SymbolRow) bool { return d.files[r.FileID] != nil })
	for _, f := range d.files {
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

func (d *draft) SymbolIDs(name string) ([]code.SymbolID, error) {
	rows, err := d.SymbolsNamed(name)
	ids := make([]code.SymbolID, len(rows))
	for i := range rows {
		ids[i] = rows[i].ID()
	}
	slices.SortFunc(ids, func(a, b code.SymbolID) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Ord, b.Ord)) })
	return ids, err
}

func (d *draft) Symbol(id code.SymbolID) (store.SymbolRow, bool, error) {
	f := d.files[id.File]
	switch {
	case f == nil:
		return d.Reader.Symbol(id)
	case int(id.Ord) >= len(f.syms):
		return store.SymbolRow{}, false, nil
	}
	return f.syms[id.Ord], true, nil
}

func (d *draft) Container(id code.SymbolID) (string, error) {
	row, _, err := d.Symbol(id)
	return row.Symbol.Container(), err
}

func (d *draft) QualifiedName(id code.SymbolID) (string, code.Kind, error) {
	if d.files[id.File] == nil {
		return d.Reader.QualifiedName(id)
	}
	row, _, err := d.Symbol(id)
	return row.Qualified, row.Kind, err
}

func (d *draft) Referrers(name string) ([]int64, error) {
	ids, err := d.Reader.Referrers(name)
	ids = slices.DeleteFunc(ids, func(id int64) bool { return d.files[id] != nil })
	for id, f := range d.files {
		if _, ok := slices.BinarySearch(f.names, name); ok {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, err
}

func (d *draft) Facts(file int64) ([]byte, error) {
	if f := d.files[file]; f != nil {
		return f.site.Facts, nil
	}
	return d.Reader.Facts(file)
}

func (d *draft) Links(file int64) ([]byte, error) {
	if f := d.files[file]; f != nil {
		return f.site.Links, nil
	}
	return d.Reader.Links(file)
}

func (d *draft) Site(file int64) (store.SiteRow, error) {
	if f := d.files[file]; f != nil {
		return f.site, nil
	}
	return d.Reader.Site(file)
}

func (d *draft) ExactFiles(file int64) ([]store.ExactFile, error) {
	if d.files[file] != nil {
		return nil, nil
	}
	return d.Reader.ExactFiles(file)
}

// changedText is a text with its edits.
type changedText struct {
	text  []byte
	edits edits
}

// edits are changes of a text, by place. They do not overlap.
type edits []edit

// edit replaces the bytes from start to end.
type edit struct {
	start, end uint32
	with       string
	shift      int    // the bytes by which the text has grown before it
	name       uint32 // of a short form that is written out: the name, which stays
}

// newEdits returns the edits that give places their new name.
func newEdits(places []Place, to string) edits {
	var list edits
	shift := 0
	for i := range places {
		p := &places[i]
		e := edit{start: p.Start, end: p.End, with: to, shift: shift}
		if p.short > 0 {
			e.start, e.end, e.with, e.name = uint32(p.short-1), uint32(p.short-1), to+": ", p.Start
		}
		list = append(list, e)
		shift += e.growth()
	}
	return list
}

// inserts reports whether an edit only adds text: a short form that is written out.
func (e *edit) inserts() bool { return e.start == e.end }

func (e *edit) growth() int { return len(e.with) - int(e.end-e.start) }

// apply returns the text with all changes.
func (list edits) apply(text []byte) []byte {
	var out []byte
	done := uint32(0)
	for _, e := range list {
		out = append(append(out, text[done:e.start]...), e.with...)
		done = e.end
	}
	return append(out, text[done:]...)
}

// shift returns by how much the text grows in the first n edits.
func (list edits) shift(n int) int {
	if n == 0 {
		return 0
	}
	return list[n-1].shift + list[n-1].growth()
}

// growthWithin returns by how much text of so many bytes that cannot be parsed may grow with the names in it.
func (list edits) growthWithin(n uint32) uint32 {
	if n == 0 {
		return 0
	}
	return uint32(max(list.shift(len(list)), 0))
}

// at returns the place in the new text of a byte of the old one. The first byte of what an edit replaces is where its text begins.
func (list edits) at(old uint32) uint32 {
	n := sort.Search(len(list), func(i int) bool { return list[i].start > old || list[i].start == old && !list[i].inserts() })
	return uint32(int(old) + list.shift(n))
}

// before returns the place in the old text of a byte of the new one.
func (list edits) before(now uint32) uint32 {
	n := sort.Search(len(list), func(i int) bool { return int(list[i].start)+list[i].shift >= int(now) })
	return uint32(max(int(now)-list.shift(n), 0))
}

// adds reports whether a byte of the new text is the name in a short form that is written out, or in what is added to it.
func (list edits) adds(now uint32) bool {
	n := sort.Search(len(list), func(i int) bool { return int(list[i].start)+list[i].shift > int(now) })
	return n > 0 && list[n-1].inserts() && now <= list.at(list[n-1].name)
}

// replaces reports whether an edit gives another name to the one at a byte of the old text.
func (list edits) replaces(old uint32) bool {
	i := sort.Search(len(list), func(i int) bool { return list[i].start >= old })
	return i < len(list) && list[i].start == old && !list[i].inserts()
}
