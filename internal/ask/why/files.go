package why

import (
	"context"
	"slices"
	"strings"

	"ken/internal/ask/impact"
	"ken/internal/ask/unused"
	"ken/internal/code"
	"ken/internal/engine/view"
)

// betweenFiles follows dependencies between files. A symbol stands for its file.
func betweenFiles(ctx context.Context, s *view.Snapshot, from, to End, most int) (Answer, error) {
	a, err := filesOf(s, &from)
	if err != nil {
		return Answer{}, err
	}
	b, err := filesOf(s, &to)
	if err != nil {
		return Answer{}, err
	}
	// A folder inside the other is no part of it.
	starts := without(a, b)
	if len(starts) == 0 {
		starts = a
	}
	goal := without(b, starts)
	if len(goal) == 0 {
		return Answer{}, code.Usagef("both are the same files: name two parts of which one may depend on the other")
	}
	return searchFiles(ctx, s, starts, goal, most)
}

// searchFiles returns the ways from the first files to the second ones. Both ascend and have no file in common.
func searchFiles(ctx context.Context, s *view.Snapshot, starts, goal []int64, most int) (Answer, error) {
	x := search{isStart: func(n int64) bool { _, ok := slices.BinarySearch(starts, n); return ok }}
	x.before = func(level []int64, tests bool, add func(int64, link)) error { return users(s, level, tests, add) }
	met, err := x.run(ctx, goal)
	if err != nil {
		return Answer{}, err
	}
	out := Answer{Starts: len(met)}
	if out.Ways, out.More = x.ways(met, most); len(out.Ways) > 0 {
		return out, addUses(ctx, s, out.Ways)
	}
	out.Doubt, err = fileDoubt(ctx, s, &x)
	return out, err
}

// filesOf returns the files of an end, ascending.
func filesOf(s *view.Snapshot, e *End) (ids []int64, err error) {
	for _, sym := range e.Symbols {
		ids = append(ids, code.UnpackSymbolID(sym.ID).File)
	}
	if e.File != "" {
		n, _ := s.Lookup.Node(e.File)
		ids = append(ids, n.ID)
	}
	if e.Folder != "" {
		rows, err := s.AllPaths()
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			if e.Folder == "." || strings.HasPrefix(r.Path, e.Folder+"/") {
				ids = append(ids, r.ID)
			}
		}
		if len(ids) == 0 {
			return nil, code.Usagef("no file of the folder %s is indexed", e.Folder)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), s.Lookup.Err
}

// without returns the elements of a that b does not have. Both ascend.
func without(a, b []int64) []int64 {
	return slices.DeleteFunc(slices.Clone(a), func(n int64) bool { _, ok := slices.BinarySearch(b, n); return ok })
}

// users adds the files that depend on those of a level, tests only if they are wanted.
func users(s *view.Snapshot, level []int64, tests bool, add func(int64, link)) error {
	for _, id := range level {
		edges, err := s.Index.EdgesTo(id)
		if err != nil {
			return err
		}
		to, _ := s.Lookup.NodeByID(id)
		for _, e := range edges {
			if !e.Relation.Depends() {
				continue // a mention passes nothing on
			}
			if n, _ := s.Lookup.NodeByID(e.Source); tests || !n.Test {
				step := Step{From: Place{Path: n.Path}, To: Place{Path: to.Path}, Test: n.Test, Relation: e.Relation, Confidence: e.Confidence}
				add(e.Source, link{id, step})
			}
		}
	}
	return s.Lookup.Err
}

// addUses adds the places of the first uses to steps between files.
func addUses(ctx context.Context, s *view.Snapshot, ways []Way) error {
	known := map[[2]string]impact.ImpactRef{}
	for _, w := range ways {
		for i := range w {
			st := &w[i]
			key := [2]string{st.From.Path, st.To.Path}
			use, ok := known[key]
			if !ok {
				var err error
				if use, err = firstUse(ctx, s, st); err != nil {
					return err
				}
				known[key] = use
			}
			st.Line, st.Used, st.Uses = use.Line, use.Target, use.Uses
		}
	}
	return nil
}

// firstUse returns the place of the first use of one file in another: of a declaration, else the line that imports it.
func firstUse(ctx context.Context, s *view.Snapshot, st *Step) (impact.ImpactRef, error) {
	use, err := impact.FirstUse(s, st.From.Path, st.To.Path)
	if err != nil || use.Line > 0 {
		return use, err
	}
	list, err := s.Imports(ctx, st.From.Path)
	for i := range list {
		if slices.Contains(list[i].Targets, st.To.Path) {
			use.Line = list[i].Line
			break
		}
	}
	return use, err
}

// fileDoubt returns a reason why something else may depend on the files that a search reached, nil if it is proven that nothing does.
func fileDoubt(ctx context.Context, s *view.Snapshot, x *search) (*unused.UnseenUse, error) {
	if x.isSpent() || len(x.seen) > maxDoubted {
		return tooMany(), nil
	}
	var paths []string
	for id := range x.seen {
		n, _ := s.Lookup.NodeByID(id)
		paths = append(paths, n.Path)
	}
	slices.Sort(paths)
	for _, p := range paths {
		if doubt, err := unused.FirstFileDoubt(ctx, s, p); doubt != nil || err != nil {
			return doubt, err
		}
	}
	return nil, s.Lookup.Err
}
