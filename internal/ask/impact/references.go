package impact

import (
	"cmp"
	"context"
	"slices"

	"ken/internal/ask/refs"
	"ken/internal/code"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
)

// references finds the places that use the targets directly.
func (x *impactSearch) references(ctx context.Context) error {
	for _, p := range x.files {
		if err := x.fileRefs(ctx, p); err != nil {
			return err
		}
	}
	if len(x.out.Symbols) > 0 {
		refs, err := refs.References(ctx, x.s, x.out.Symbols)
		if err != nil {
			return err
		}
		x.out.Uses = refs
		x.out.ResolvedShare = refs.ResolvedShare
		own := map[int64]bool{}
		for i := range x.out.Symbols {
			own[x.out.Symbols[i].ID] = true
		}
		for i := range refs.List {
			r := &refs.List[i]
			if own[r.Scope.Pack()] { // inside the targets themselves
				continue
			}
			n, _ := x.s.Lookup.NodeByID(r.Scope.File)
			x.out.Refs = append(x.out.Refs, ImpactRef{
				Path: r.Path, Line: r.Line, In: r.In, Target: r.Target.Qualified,
				How: r.Kind.String(), Depth: 1, Confidence: r.Confidence, By: r.By, Test: n.Test,
			})
		}
	}
	x.sortRefs()
	return nil
}

// sortRefs orders the references and counts their files. Order: few steps before many, code before tests, sure before unsure, then the
// number of uses.
func (x *impactSearch) sortRefs() {
	files := map[string]int{}
	for i := range x.out.Refs {
		files[x.out.Refs[i].Path]++
	}
	x.out.RefFiles = len(files)
	slices.SortStableFunc(x.out.Refs, func(a, b ImpactRef) int {
		return cmp.Or(compareRefs(&a, &b), cmp.Compare(b.Uses, a.Uses),
			cmp.Compare(files[b.Path], files[a.Path]), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Target, b.Target))
	})
}

// compareRefs orders references by depth, tests last, and by confidence.
func compareRefs(a, b *ImpactRef) int {
	tests := cmp.Compare(refs.BoolToInt(a.Test), refs.BoolToInt(b.Test))
	return cmp.Or(cmp.Compare(a.Depth, b.Depth), tests, cmp.Compare(b.Confidence, a.Confidence))
}

// fileRefs adds the files that depend on file p, each with the place of its first use.
func (x *impactSearch) fileRefs(ctx context.Context, p string) error {
	d, err := refs.Dependents(ctx, x.s, view.Target{File: p}, max(1, x.q.Depth))
	if err != nil {
		return err
	}
	x.out.ResolvedShare = min(x.out.ResolvedShare, d.ResolvedShare)
	list := make([]ImpactRef, len(d.List))
	for i, dep := range d.List {
		list[i] = ImpactRef{Path: dep.Path, How: dep.Relation.String(), Depth: dep.Depth, Confidence: dep.Confidence, Test: dep.Test}
	}
	slices.SortStableFunc(list, func(a, b ImpactRef) int { return compareRefs(&a, &b) })
	if err := x.countUses(p, list); err != nil {
		return err
	}
	x.out.Refs = append(x.out.Refs, list...)
	return nil
}

// countUses counts how often the first files in refs refer to top-level declarations of file p, and stores the place of the first use.
func (x *impactSearch) countUses(p string, refs []ImpactRef) error {
	f, ok, err := x.s.Index.FileByPath(p)
	if err != nil || !ok {
		return err
	}
	names, err := x.topNames(f.ID)
	if err != nil {
		return err
	}
	for i := range refs[:min(len(refs), maxUsesFiles)] {
		r := &refs[i]
		if r.Depth > 1 {
			break
		}
		n, _ := x.s.Lookup.Node(r.Path)
		t, err := x.s.Site(n.ID)
		if err != nil {
			return err
		}
		if t.Packed == nil {
			continue
		}
		most := 0
		chosen := slices.DeleteFunc(view.ChosenNames(t, f.ID), func(name string) bool { return slices.Contains(names, name) })
		for k, name := range slices.Concat(names, chosen) {
			before := r.Uses
			if err := x.countNameUses(t, f.ID, name, r); err != nil {
				return err
			}
			if k >= len(names) {
				_, name, _ = x.s.InferredTypes().Linker().FollowName(f.ID, "default")
			}
			if n := r.Uses - before; n > most {
				most, r.Target = n, name
			}
		}
	}
	if len(refs) > maxUsesFiles {
		x.cut("uses counted in the first 40 dependents only")
	}
	return nil
}

// FirstUse returns the place at which the file user first uses a declaration of the file used, how often it uses them, and which it uses
// most. Line is 0 if it uses none.
func FirstUse(s *view.Snapshot, user, used string) (ImpactRef, error) {
	x := impactSearch{s: s}
	list := []ImpactRef{{Path: user, Depth: 1}}
	err := x.countUses(used, list)
	return list[0], err
}

// topNames returns the names that a file declares at its top level, those that tell the most about it first.
func (x *impactSearch) topNames(file int64) ([]string, error) {
	rows, err := x.s.Index.Symbols(file)
	if err != nil {
		return nil, err
	}
	var out []string
	slices.SortStableFunc(rows, func(a, b store.SymbolRow) int { return cmp.Compare(tellingGrade(&a), tellingGrade(&b)) })
	for i := range rows {
		if rows[i].Parent < 0 && !rows[i].Kind.IsText() && !slices.Contains(out, rows[i].Name) && len(out) < maxUsesNames {
			out = append(out, rows[i].Name)
		}
	}
	return out, nil
}

// tellingGrade returns how little the name of a declaration tells about its file. Types have the smallest grade, then functions,
// then others; exported ones come first.
func tellingGrade(s *store.SymbolRow) int {
	n := 4
	switch {
	case s.Kind.IsType():
		n = 0
	case s.Kind.IsFunction():
		n = 2
	}
	return n + refs.BoolToInt(!s.Exported)
}

// countNameUses counts the references to a name in file t that mean a declaration in the given file, and adds them to r.
func (x *impactSearch) countNameUses(t *view.Site, file int64, name string, r *ImpactRef) error {
	if !t.Packed.Refers(name) {
		return nil
	}
	list, err := t.Packed.Refs(name)
	if err != nil {
		return err
	}
	for i := range list {
		named, err := x.s.NameDefinitions(x.s.DeclaredName(t, &list[i]))
		if err != nil {
			return err
		}
		b, _ := view.BindExactly(named.Binder, t, &list[i])
		if !slices.ContainsFunc(b.Defs, func(d int) bool { return code.UnpackSymbolID(named.Syms[d].ID).File == file }) {
			continue
		}
		if r.Uses++; r.Line == 0 || list[i].Line < r.Line {
			in, err := x.s.EnclosingSymbol(t, list[i].Scope)
			if err != nil {
				return err
			}
			r.Line, r.In = list[i].Line, in.Name
		}
	}
	return nil
}

// deeper adds uses of the symbols over more than one step, if the query asks for them.
func (x *impactSearch) deeper(ctx context.Context) error {
	if x.q.Depth < 2 || len(x.out.Symbols) == 0 {
		return nil
	}
	d, err := refs.Dependents(ctx, x.s, view.Target{Symbols: x.out.Symbols}, x.q.Depth)
	if err != nil {
		return err
	}
	for _, dep := range d.List {
		if dep.Depth > 1 {
			x.out.Refs = append(x.out.Refs, ImpactRef{
				Path: dep.Path, Line: dep.Line, In: dep.Name, How: "uses", Depth: dep.Depth, Confidence: dep.Confidence, Test: dep.Test,
			})
		}
	}
	x.sortRefs()
	return nil
}

func (x *impactSearch) hierarchy(ctx context.Context) error {
	list, cut, err := refs.Hierarchy(ctx, x.s, x.out.Symbols[:min(len(x.out.Symbols), refs.MaxRelatives)], x.out.Uses.List)
	if cut || len(x.out.Symbols) > refs.MaxRelatives {
		x.cut("types behind interfaces in part only")
	}
	x.out.Relatives = list
	return err
}

// reach counts the files that depend on the targets' files over any number of steps. It reads the dependencies between all files
// once: 5 ms for 60,000, and a fifth of that if they are cached.
func (x *impactSearch) reach(context.Context) error {
	type link struct {
		from int64
		next int32 // of the same target, 0 if there is none
	}
	links := make([]link, 1, 1<<10)
	last := map[int64]int32{} // of each target, in links
	for e, err := range x.s.Index.Edges() {
		if err != nil {
			return err
		}
		if e.Relation.Depends() {
			links = append(links, link{e.Source, last[e.Target]})
			last[e.Target] = int32(len(links) - 1)
		}
	}
	seen := map[int64]bool{}
	var level []int64
	for _, p := range x.out.Files {
		if n, ok := x.s.Lookup.Node(p); ok {
			seen[n.ID] = true
			level = append(level, n.ID)
		}
	}
	for len(level) > 0 {
		var next []int64
		for _, id := range level {
			for i := last[id]; i > 0; i = links[i].next {
				if from := links[i].from; !seen[from] {
					seen[from] = true
					next = append(next, from)
				}
			}
		}
		if len(next) > 0 {
			x.out.Reached = append(x.out.Reached, len(next))
		}
		level = next
	}
	return nil
}
