package entity

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"ken/internal/code"
	"ken/internal/engine/view"
)

// Action is what a step does to a written page.
type Action string

// The actions.
const (
	Refreshed Action = "refreshed" // its computed parts were brought up to date
	Moved     Action = "moved"     // its file has another path now
	Archived  Action = "archived"  // its file is gone
)

// Step is what has to be done with one written page.
type Step struct {
	Action Action
	Path   string // of the file
	From   string // of Moved: its former path
	name   string
	page   *Page
}

// Do does what the step says.
func (st *Step) Do(d Folder) error {
	if st.Action == Archived {
		return d.Archive(st.name)
	}
	return d.Write(st.page, st.name)
}

// Plan says what has to be done so that the written pages are true of the files as they are,
// in the order of the pages. A file that is gone was renamed if just one file without a page
// offers the same and has the same extension.
func Plan(ctx context.Context, s *view.Snapshot, pages []Kept) ([]Step, error) {
	var out []Step
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
		st := Step{Action: Refreshed, Path: at, name: k.Name, page: k.Page}
		if !ok {
			if byAPI == nil {
				if byAPI, err = unwritten(ctx, s, written); err != nil {
					return nil, err
				}
			}
			to := renamed(k.Page, byAPI)
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
		d, err := Derive(ctx, s, &f, time.Time{})
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

// unwritten are the files without a page, by the hash of what they offer.
func unwritten(ctx context.Context, s *view.Snapshot, written map[string]bool) (map[string][]string, error) {
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

// renamed is the path that the file of a page has now, "" if nothing shows it.
func renamed(p *Page, byAPI map[string][]string) string {
	h := cmp.Or(p.Head.Seen, p.Head.API)
	same := slices.DeleteFunc(slices.Clone(byAPI[h]), func(to string) bool { return path.Ext(to) != path.Ext(p.Head.Path) })
	if h == "" || len(same) != 1 {
		return ""
	}
	return same[0]
}

// FirstSentence is the first sentence of a page's purpose.
func FirstSentence(p *Page) string {
	return code.FirstSentence(strings.NewReplacer("**", "", "`", "").Replace(p.Section(Purpose)))
}
