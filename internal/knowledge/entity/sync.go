package entity

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/view"
)

// Action is the kind of change to a written page.
type Action string

// The actions.
const (
	Refreshed Action = "refreshed" // its computed parts were brought up to date
	Moved     Action = "moved"     // its file has another path now
	Archived  Action = "archived"  // its file is gone
)

// SyncStep is one change that makes a written page fit the current files.
type SyncStep struct {
	Action Action
	Path   string // of the file
	From   string // of Moved: its former path
	name   string
	page   *Page
}

// Do applies the step to the folder. It fails if a file cannot be written or moved.
func (st *SyncStep) Do(d Folder) error {
	if st.Action == Archived {
		return d.Archive(st.name)
	}
	return d.Write(st.page, st.name)
}

// PlanSync returns the steps that make the written pages fit the current files, in the order of the pages. A missing file
// counts as renamed if exactly one file without a page has the same API and extension. It fails if the index cannot be
// read.
func PlanSync(ctx context.Context, s *view.Snapshot, pages []KeptPage) ([]SyncStep, error) {
	var out []SyncStep
	written := map[string]bool{}
	for _, k := range pages {
		if k.Page != nil {
			written[k.Page.Head.Path] = true
		}
	}
	var byAPI map[string][]string
	for _, k := range pages {
		if k.Page == nil {
			continue
		}
		at := k.Page.Head.Path
		f, ok, err := s.Index.FileByPath(at)
		if err != nil {
			return nil, err
		}
		st := SyncStep{Action: Refreshed, Path: at, name: k.Name, page: k.Page}
		if !ok {
			if byAPI == nil {
				if byAPI, err = filesWithoutPage(ctx, s, written); err != nil {
					return nil, err
				}
			}
			to := renamedPath(k.Page, byAPI)
			if to == "" {
				st.Action = Archived
				out = append(out, st)
				continue
			}
			st.Action, st.Path, st.From = Moved, to, at
			if f, _, err = s.Index.FileByPath(to); err != nil {
				return nil, err
			}
		}
		d, err := Derive(ctx, s, &f)
		if err != nil {
			return nil, err
		}
		if k.Page.Title == path.Base(at) {
			k.Page.Title = path.Base(st.Path)
		}
		if k.Page.Refresh(d) || k.Name != d.ID+".md" {
			out = append(out, st)
		}
	}
	return out, nil
}

// filesWithoutPage returns the files without a page, by their APIHash.
func filesWithoutPage(ctx context.Context, s *view.Snapshot, written map[string]bool) (map[string][]string, error) {
	var files []code.File
	for f, err := range s.Index.Files() {
		if err != nil {
			return nil, err
		}
		if !written[f.Path] && f.Symbols > 0 {
			files = append(files, f)
		}
	}
	out := map[string][]string{}
	for i := range files {
		h, err := APIHash(ctx, s, &files[i])
		if err != nil {
			return nil, err
		}
		out[h] = append(out[h], files[i].Path)
	}
	return out, nil
}

// renamedPath returns the present path of a page's file, "" if it cannot be identified.
func renamedPath(p *Page, byAPI map[string][]string) string {
	h := cmp.Or(p.Head.Seen, p.Head.API)
	same := slices.DeleteFunc(slices.Clone(byAPI[h]), func(to string) bool { return path.Ext(to) != path.Ext(p.Head.Path) })
	if h == "" || len(same) != 1 {
		return ""
	}
	return same[0]
}

// FirstSentence returns the first sentence of a page's purpose.
func FirstSentence(p *Page) string { return FirstSentenceIn(p.Section(Purpose)) }

// emphasis removes marks of emphasis.
var emphasis = strings.NewReplacer("**", "", "`", "")

// FirstSentenceIn returns the first sentence of the text of a section, without marks of emphasis.
func FirstSentenceIn(text string) string {
	return code.FirstSentence(emphasis.Replace(text))
}
