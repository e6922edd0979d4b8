package why

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"ken/internal/ask/refs"
	"ken/internal/ask/unused"
	"ken/internal/code"
	"ken/internal/engine/view"
)

// symbolSearch follows uses of symbols. References that only a name binds are not followed, because from a common name everything can be
// reached; that there are some is a doubt.
type symbolSearch struct {
	search[int64]
	s     *view.Snapshot
	from  []view.Symbol
	doubt *unused.UnseenUse
	err   error // of isFrom
}

func betweenSymbols(ctx context.Context, s *view.Snapshot, from, to []view.Symbol, most int) (Answer, error) {
	x := symbolSearch{s: s, from: from}
	x.isStart = x.isFrom
	var goal []int64
	for i := range to {
		if x.isFrom(to[i].ID) {
			return Answer{}, code.Usagef("both are the same declaration: name two of which one may use the other")
		}
		members, err := s.Members(&to[i])
		if err != nil {
			return Answer{}, err
		}
		goal = append(goal, to[i].ID)
		file := code.UnpackSymbolID(to[i].ID).File
		rows, err := s.Declarations(file)
		if err != nil {
			return Answer{}, err
		}
		for j := range rows {
			if slices.ContainsFunc(members, func(m view.Member) bool { return m.Qualified == rows[j].Qualified }) {
				goal = append(goal, rows[j].ID().Pack())
			}
		}
	}
	slices.Sort(goal)
	met, err := x.run(ctx, slices.Compact(goal), func(level []int64, tests bool, add func(int64, link[int64])) error {
		return x.uses(ctx, level, tests, add)
	})
	if err = cmp.Or(err, x.err); err != nil {
		return Answer{}, err
	}
	out := Answer{Starts: len(met)}
	if out.Ways, out.More = x.ways(met, most); len(out.Ways) == 0 {
		if out.Doubt = x.doubt; x.reached >= maxReached {
			out.Doubt = tooMany()
		}
	}
	return out, nil
}

// isFrom reports whether a symbol is the start or a member of it.
func (x *symbolSearch) isFrom(id int64) bool {
	row, ok, err := x.s.Index.Symbol(code.UnpackSymbolID(id))
	x.err = cmp.Or(x.err, err)
	return ok && slices.ContainsFunc(x.from, func(f view.Symbol) bool {
		isMember := strings.HasPrefix(row.Qualified, f.Qualified+".") && code.UnpackSymbolID(f.ID).File == row.FileID
		return f.ID == id || isMember
	})
}

// uses adds the symbols around the references to those of a level.
func (x *symbolSearch) uses(ctx context.Context, level []int64, tests bool, add func(int64, link[int64])) error {
	var targets []view.Symbol
	for _, id := range level {
		row, ok, err := x.s.Index.Symbol(code.UnpackSymbolID(id))
		if err != nil {
			return err
		}
		if n, found := x.s.Lookup.NodeByID(row.FileID); ok && found {
			targets = append(targets, view.Symbol{Symbol: row.Symbol, ID: id, Path: n.Path})
		}
	}
	found, err := refs.References(ctx, x.s, targets)
	if err != nil {
		return err
	}
	if x.doubt == nil {
		if x.doubt, err = unused.FirstDoubt(ctx, x.s, targets, &found); err != nil {
			return err
		}
	}
	for i := range found.List {
		r := &found.List[i]
		if r.Confidence == code.Ambiguous || r.Scope.Ord < 0 || r.Target == nil {
			continue
		}
		user, ok, err := x.s.Index.Symbol(r.Scope)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		n, _ := x.s.Lookup.NodeByID(r.Scope.File)
		if n.Test && !tests {
			continue
		}
		add(r.Scope.Pack(), link[int64]{r.Target.ID, Step{
			Test: n.Test, From: Place{r.Path, user.Qualified, user.Kind}, To: Place{r.Target.Path, r.Target.Qualified, r.Target.Kind},
			Line: r.Line, Confidence: r.Confidence,
		}})
	}
	return x.s.Lookup.Err
}
