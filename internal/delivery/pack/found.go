package pack

import (
	"cmp"
	"context"
	"slices"

	"ken/internal/ask/codemap"
	"ken/internal/ask/diff"
	"ken/internal/ask/find"
	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/engine/source"
	"ken/internal/engine/view"
	"ken/internal/operation"
)

// bareDiff is the revision that --diff without a value compares with; with HEAD it packs uncommitted changes.
const bareDiff = "HEAD"

// isRevision reports whether an argument that names no file names a git revision.
func (w *Gathering) isRevision(ctx context.Context, arg string) bool {
	if _, found, _ := w.p.Locate(arg); found {
		return false
	}
	return diff.IsRevision(ctx, w.s, arg)
}

// addDiff adds the differences between a revision and the working tree: changed symbols with their bodies; for a symbol that
// contains other functions, and outside of symbols, only the changed lines.
func (w *Gathering) addDiff(ctx context.Context, rev string) error {
	if rev == bareDiff {
		rev = "" // the same, and there need be no commit
	}
	list, err := diff.ChangedFiles(ctx, w.s, rev)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return operation.Nothingf("nothing changed")
	}
	before := len(w.Items)
	for i := range list {
		c := &list[i]
		if c.Status == diff.DiffDeleted {
			w.Skipped = append(w.Skipped, Left{Path: string(w.p.Path(c.Path)), Why: "deleted"})
			continue
		}
		f, err := w.s.File(ctx, c.Path)
		if _, gone := project.AsNotFound(err); gone {
			w.Skipped = append(w.Skipped, Left{Path: string(w.p.Path(c.Path)), Why: "not indexed"})
			continue
		}
		if err != nil {
			return err
		}
		it := Item{File: f}
		if !c.Unread && c.Status != diff.DiffAdded {
			it.Symbols = changedUnits(c.Symbols)
			it.Lines = changedOutside(c.Lines, it.Symbols, int(f.Lines))
		}
		w.Add(f, it)
	}
	slices.SortStableFunc(w.Items[before:], func(a, b Item) int { return cmp.Compare(codemap.Aside(&a.File), codemap.Aside(&b.File)) })
	return nil
}

// changedUnits returns the symbols worth showing whole: without headings and keys of
// data files, and without members of a symbol that is in the list itself.
func changedUnits(list []view.Symbol) []view.Symbol {
	var out []view.Symbol
	for _, s := range list {
		holds := slices.ContainsFunc(list, func(o view.Symbol) bool { return o.Span != s.Span && s.Span.Contains(o.Span) })
		if s.Kind.IsFunction() || s.Kind.IsType() && !holds && s.Span.EndLine-s.Span.Line < maxChangedType {
			out = append(out, s)
		}
	}
	return out
}

// maxChangedType is the number of lines of a changed type from which only the
// changed lines are shown.
const maxChangedType = 60

// aroundChange is the number of lines shown before and after a change outside of functions.
const aroundChange = 3

// changedOutside returns the changed lines outside of symbols, with a few around them.
func changedOutside(list []source.LineRange, symbols []view.Symbol, lines int) []Lines {
	var out []Lines
	for _, r := range list {
		from, to := int(r.Start), max(int(r.Start), int(r.End))
		inside := slices.ContainsFunc(symbols, func(s view.Symbol) bool { return int(s.Span.Line) <= from && to <= int(s.Span.EndLine) })
		if !inside {
			out = append(out, Lines{From: min(max(1, from-aroundChange), lines), To: min(to+aroundChange, lines)})
		}
	}
	return out
}

// The best symbols of the first files found by a query are shown with their bodies, up to a part of the budget; their other symbols and
// the other files are shown by signatures first.
const (
	queryFiles   = 20
	queryBest    = 6
	querySymbols = 3 // of one file
)

// QueryBodies is the part of the budget for bodies, in percent.
const QueryBodies = 70

// addQueryResults adds the files and symbols that a search finds.
func (w *Gathering) addQueryResults(ctx context.Context) error {
	found, err := find.Find(ctx, w.s, w.want.Query, find.SearchOptions{Limit: queryFiles, Known: w.p.Pages(w.s).Known(w.want.Query)})
	if err != nil {
		return err
	}
	if len(found.Files) == 0 {
		return operation.Nothingf("no file fits the query")
	}
	for i := range found.Files {
		f := &found.Files[i]
		it := Item{Outline: true, Whole: true}
		if it.Matched, err = w.foundSymbols(ctx, f.File, f.Symbols); err != nil {
			return err
		}
		if i < queryBest && w.want.Bodies {
			it.Symbols = slices.DeleteFunc(slices.Clone(it.Matched), func(s view.Symbol) bool { return !s.Kind.IsFunction() && !s.Kind.IsType() })
			it.Symbols = it.Symbols[:min(len(it.Symbols), querySymbols)]
		}
		w.Add(f.File, it)
	}
	return nil
}

// foundSymbols returns the declarations of the index that belong to the symbols rated by a search.
func (w *Gathering) foundSymbols(ctx context.Context, f code.File, found []find.FoundSymbol) ([]view.Symbol, error) {
	all, err := w.s.Signatures(ctx, f)
	if err != nil {
		return nil, err
	}
	var out []view.Symbol
	for _, s := range found {
		at := slices.IndexFunc(all, func(o view.Symbol) bool { return int(o.Span.Line) == s.Line && o.Qualified == s.Name })
		if at >= 0 {
			out = append(out, all[at])
		}
	}
	return out, nil
}
