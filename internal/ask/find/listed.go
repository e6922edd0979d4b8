package find

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"ken/internal/code"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
)

// list answers a query of filters alone: the files that pass them by rank, those of sorts that come last behind the others, with
// the declarations of the kinds asked for.
func list(ctx context.Context, q *query, known *Known, opt SearchOptions) (*Found, error) {
	files, err := admitted(q, known)
	if err != nil {
		return nil, err
	}
	sorts := asides()
	last := map[int64]bool{}
	for i := range files {
		last[files[i].ID] = isAside(sorts, q.parsed, &files[i])
	}
	slices.SortFunc(files, func(a, b code.File) int {
		return cmp.Or(cmp.Compare(number(last[a.ID]), number(last[b.ID])), cmp.Compare(b.Rank, a.Rank), cmp.Compare(a.Path, b.Path))
	})
	out := &Found{Query: q.parsed, Index: q.index, Scores: q.postings}
	rater := newSymbolRater(q)
	for i := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(out.Files) == cmp.Or(opt.Limit, maxFiles) {
			break
		}
		var rows []store.SymbolRow
		if len(q.parsed.Filters.Kinds) > 0 && files[i].Symbols > 0 {
			if rows, err = q.view.Index.SymbolsOf(files[i].ID, int(files[i].Symbols), rater.wantsKind); err != nil {
				return nil, err
			}
		}
		if len(q.parsed.Filters.Kinds) > 0 && len(rows) == 0 {
			continue
		}
		file, err := listedFile(q.view, files[i].ID, rows[:min(len(rows), maxShown)])
		if err != nil {
			return nil, err
		}
		out.Files, out.Symbols = append(out.Files, file), append(out.Symbols, file.Symbols...)
	}
	out.Symbols = out.Symbols[:min(len(out.Symbols), cmp.Or(opt.Symbols, maxSymbols))]
	return out, nil
}

// listedFile returns a file of a list with declarations of it. Its rank is its score.
func listedFile(s *view.Snapshot, id int64, rows []store.SymbolRow) (FoundFile, error) {
	file, err := s.FileByID(id)
	f := FoundFile{File: file, Score: file.Rank}
	switch {
	case file.Dependents == 1:
		f.Why = []string{"1 file depends on it"}
	case file.Dependents > 1:
		f.Why = []string{fmt.Sprintf("%d files depend on it", file.Dependents)}
	}
	for i := range rows {
		row := &rows[i]
		f.Symbols = append(f.Symbols, FoundSymbol{Path: file.Path, Name: row.Qualified, Kind: row.Kind,
			Line: int(row.Span.Line), EndLine: int(row.Span.EndLine), Score: file.Rank, Signature: row.Signature})
	}
	return f, err
}

// Hotspots returns the files that most others depend on.
func Hotspots(s *view.Snapshot, limit int) (*Found, error) {
	files, err := s.Index.HotFiles(limit)
	if err != nil {
		return nil, err
	}
	out := &Found{}
	for i := range files {
		file, err := listedFile(s, files[i].ID, nil)
		if err != nil {
			return nil, err
		}
		out.Files = append(out.Files, file)
	}
	return out, nil
}

// admitted returns the files that pass all filters of a query but kind, in no order.
func admitted(q *query, known *Known) (files []code.File, err error) {
	for f, err := range q.view.Index.Ranked() {
		if err != nil {
			return nil, err
		}
		if admits(&q.parsed.Filters, &f, known.WrittenType) {
			files = append(files, f)
		}
	}
	return files, nil
}
