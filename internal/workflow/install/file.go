package install

import (
	"fmt"
	"slices"
)

// File is a file that belongs to ken as a whole.
type File struct {
	Path string
	Data []byte
	What string // for the user: "skill"
	// Yield leaves an existing file unchanged, also when ken is removed: it belongs to another installation, which may be committed.
	Yield bool
}

func (f *File) newRecord() record {
	r := record{Path: f.Path, Kind: kindFile, What: f.What, After: []string{hash(f.Data)}}
	if f.Yield {
		r.Before = r.After[0]
	}
	return r
}

func (f *File) addTo(cur fileContent, old *record) (addResult, error) {
	rec := f.newRecord()
	switch h := hash(cur.data); {
	case !cur.exists, h == rec.After[0]:
	case old == nil:
		return addResult{}, fmt.Errorf("it exists and was not made by ken")
	case !slices.Contains(old.After, h):
		rec.After = old.After
		return addResult{fileContent: cur, record: rec, note: "it was changed since and stays as it is"}, nil
	}
	return addResult{fileContent: fileContent{f.Data, true}, record: rec}, nil
}
