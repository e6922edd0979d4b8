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
	// Optional leaves a file that is there and not of ken, and ken's out.
	Optional bool
	// Exec makes the file executable.
	Exec bool
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
	if old != nil {
		rec.Text, rec.Aside = old.Text, old.Aside
	}
	made := addResult{fileContent: fileContent{f.Data, true}, record: rec, text: f.Data, exec: f.Exec}
	switch h := hash(cur.data); {
	case !cur.exists, h == rec.After[0]:
	case f.Optional && (old == nil || old.Theirs):
		rec = record{Path: f.Path, Kind: kindFile, What: f.What, Theirs: true}
		return addResult{fileContent: cur, record: rec, note: "one of yours is there and stays: ken's is left out"}, nil
	case old == nil:
		return addResult{}, fmt.Errorf("it exists and was not made by ken")
	case slices.Contains(old.After, h):
	case old.hasText(rec.After[0]):
		rec.After = old.After
		return addResult{fileContent: cur, record: rec, note: "you have changed it, so it stays as it is"}, nil
	default:
		made.aside = cur.data
	}
	return made, nil
}
