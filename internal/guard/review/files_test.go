package review

import (
	"testing"

	"ken/internal/code"
	"ken/internal/guard/garbage"
)

// TestFiles has a review judged: what is deleted, a link and a moved file are no new files.
func TestFiles(t *testing.T) {
	r := &Review{Changes: []Change{
		{Path: "a.js", Kind: Modified, Old: "f()\n", New: "f()\nconsole.log(1)\n", Hunks: []Hunk{{OldFrom: 2, NewFrom: 2, NewLines: 1}}},
		{Path: "gone.js", Kind: Deleted, Old: "x\n", Hunks: []Hunk{{OldFrom: 1, OldLines: 1, NewFrom: 1}}},
		{Path: "link", Kind: Added, Opaque: Link},
		{Path: "b.js.orig", Kind: Added, New: "x\n", Hunks: []Hunk{{OldFrom: 1, NewFrom: 1, NewLines: 1}}},
		{Path: "c.js.orig", MovedFrom: "d.js.orig", Kind: Added, New: "x\n"},
	}}
	files := r.Files(func(path, text string) (code.Lang, code.FileClass) { return "javascript", 0 })
	if len(files) != 3 {
		t.Fatalf("%+v", files)
	}
	got := garbage.NewFinder().Find(&garbage.Change{Request: "f", Files: files})
	if len(got) != 2 || got[0].Path != "a.js" || got[0].From != 2 || got[1].Kind != garbage.UnrelatedFile || got[1].Path != "b.js.orig" {
		t.Errorf("%+v", got)
	}
}
