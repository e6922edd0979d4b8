package entity

import (
	"cmp"
	"context"
	"slices"

	"ken/internal/code"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// Reason is the reason why a page should be written.
type Reason string

// The reasons why a page should be written.
const (
	Missing  Reason = "missing" // nobody has written one
	Outdated Reason = "stale"   // the API of the file has changed since
)

// Wanted is a file whose page should be written.
type Wanted struct {
	code.File
	Reason Reason
}

// DeservesPage reports whether a page about a file is worth writing. It is for code that people wrote and that
// declares something. The number of dependents is no condition; NextWanted sorts by that. Tests and settings
// explain themselves, and generated files are generated again.
func DeservesPage(f *code.File) bool {
	const others = code.ClassTest | code.ClassFixture | code.ClassDocument | code.ClassExample | code.ClassData | code.ClassTranslation |
		code.ClassTemplate | code.ClassGenerated | code.ClassVendored | code.ClassOther
	const flags = code.FlagTest | code.FlagGenerated | code.FlagVendored | code.FlagMinified | code.FlagConfig
	return !f.Class.Has(others) && f.Flags&flags == 0 && f.Symbols > 0 && lang.Of(f.Lang).Sort == lang.Programming
}

// Standing is the state of a project's pages.
type Standing struct {
	Written int
	Stale   []string // files whose page is older than their API, those that most others depend on first
	Waiting int      // files that deserve a page and have none
}

// CountPages returns the state of the pages with the given heads; zero if none is written, because a project that keeps no pages waits for
// none. isCurrent reports whether a page is as old as the API of its file. CountPages fails if the index cannot be read.
func CountPages(
	ctx context.Context, s *view.Snapshot, pages []*Head, isCurrent func(context.Context, *Head) (bool, error),
) (out Standing, err error) {
	if out.Written = len(pages); out.Written == 0 {
		return out, nil
	}
	wanted, err := nextWanted(ctx, s, pages, isCurrent, nil)
	for i := range wanted {
		if wanted[i].Reason == Outdated {
			out.Stale = append(out.Stale, wanted[i].Path)
		} else {
			out.Waiting++
		}
	}
	return out, err
}

// NextWanted returns the files that deserve a page: stale pages before missing ones, then files that agents created lately,
// because their purpose is known now, then by dependents, rank and path. pages are the written ones. It fails if the index
// cannot be read.
func NextWanted(ctx context.Context, s *view.Snapshot, pages []KeptPage, created []string) ([]Wanted, error) {
	var heads []*Head
	for _, k := range pages {
		if k.Page != nil {
			heads = append(heads, &k.Page.Head)
		}
	}
	isCurrent := func(ctx context.Context, h *Head) (bool, error) {
		f, ok, err := s.Index.FileByPath(h.Path)
		if err != nil || !ok {
			return !ok, err
		}
		now, err := APIHash(ctx, s, &f)
		return h.API == now, err
	}
	return nextWanted(ctx, s, heads, isCurrent, created)
}

func nextWanted(
	ctx context.Context, s *view.Snapshot, pages []*Head, isCurrent func(context.Context, *Head) (bool, error), created []string,
) ([]Wanted, error) {
	isNew := map[string]int{}
	for _, path := range created {
		isNew[path] = 1
	}
	written := map[string]*Head{}
	for _, h := range pages {
		written[h.Path] = h
	}
	var out []Wanted
	var judged []code.File
	for f, err := range s.Index.Ranked() {
		if err != nil {
			return nil, err
		}
		switch h := written[f.Path]; {
		case h == nil && DeservesPage(&f):
			out = append(out, Wanted{f, Missing})
		case h != nil && h.Status != Deprecated:
			judged = append(judged, f)
		}
	}
	for _, f := range judged {
		current, err := isCurrent(ctx, written[f.Path])
		if err != nil {
			return nil, err
		}
		if !current {
			out = append(out, Wanted{f, Outdated})
		}
	}
	slices.SortFunc(out, func(a, b Wanted) int {
		if a.Reason != b.Reason {
			return cmp.Compare(b.Reason, a.Reason) // "stale" before "missing"
		}
		return cmp.Or(isNew[b.Path]-isNew[a.Path],
			cmp.Compare(b.Dependents, a.Dependents), cmp.Compare(b.Rank, a.Rank), cmp.Compare(a.Path, b.Path))
	})
	return out, nil
}
