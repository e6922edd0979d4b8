package rename

import (
	"sort"

	"ken/internal/code"
	"ken/internal/engine/view"
)

// draft is the index as it would be after a rename: the touched files have new texts, all others are as they are. Ids stay, because a
// rename leaves the declarations of a file in their order.
type draft struct {
	*view.Draft
	files map[int64]*draftFile
}

// draftFile is a touched file.
type draftFile struct {
	*view.DraftFile
	was   code.File
	edits edits
}

// newDraft extracts the facts of changed texts and links the files anew. moved are new paths by old ones.
func newDraft(s *view.Snapshot, changes map[int64]changedText, moved map[string]string) (*draft, *view.Snapshot, error) {
	d := &draft{files: map[int64]*draftFile{}}
	var texts []view.DraftText
	for id, t := range changes {
		row, err := s.FileByID(id)
		if err != nil {
			return nil, nil, err
		}
		d.files[id] = &draftFile{was: row, edits: t.edits}
		text := view.DraftText{Row: row, Text: t.edits.apply(t.text)}
		if to := moved[row.Path]; to != "" {
			text.Row.Path, text.Was = to, row.Path
		}
		texts = append(texts, text)
	}
	var after *view.Snapshot
	var err error
	if d.Draft, after, err = view.NewDraft(s, texts); err != nil {
		return nil, nil, err
	}
	for id, f := range d.files {
		f.DraftFile = d.File(id)
	}
	return d, after, nil
}

// at returns the touched file that has a path now, nil if there is none.
func (d *draft) at(path string) *draftFile {
	if f := d.FileAt(path); f != nil {
		return d.files[f.Row.ID]
	}
	return nil
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
