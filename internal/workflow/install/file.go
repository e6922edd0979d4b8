package install

import (
	"fmt"
	"slices"
)

// File is a file of ken alone.
type File struct {
	Path string
	Data []byte
	What string // for the user: "skill"
	// Yield leaves an existing file unchanged, also when ken is removed: it belongs to another installation, which may be committed.
	Yield bool
}

func (f *File) base() record {
	r := record{Path: f.Path, Kind: kindFile, What: f.What, After: []string{hash(f.Data)}}
	if f.Yield {
		r.Before = r.After[0]
	}
	return r
}

func (f *File) add(cur content, old *record) (edited, error) {
	rec := f.base()
	switch h := hash(cur.data); {
	case !cur.exists, h == rec.After[0]:
	case old == nil:
		return edited{}, fmt.Errorf("it exists and was not made by ken")
	case !slices.Contains(old.After, h):
		rec.After = old.After
		return edited{content: cur, record: rec, note: "it was changed since and stays as it is"}, nil
	}
	return edited{content: content{f.Data, true}, record: rec}, nil
}
