package engine

import (
	"cmp"
	"context"
	"slices"

	"ken/internal/code"
)

// Dependents is the blast radius: what depends on a target, to a depth (0: any).
func (s *Snapshot) Dependents(ctx context.Context, t Target, depth int) (Dependents, error) {
	if t.File != "" {
		return s.fileReach(ctx, t.File, depth, s.r.EdgesTo, func(e EdgeRow) int64 { return e.Source })
	}
	w := symbolWalk{s: s, ctx: ctx, seen: map[int64]bool{}, next: callers}
	return w.run(t.Symbols, depth)
}

// Dependencies is what a target depends on, to a depth (0: any).
func (s *Snapshot) Dependencies(ctx context.Context, t Target, depth int) (Dependents, error) {
	if t.File != "" {
		d, err := s.fileReach(ctx, t.File, depth, s.r.EdgesFrom, func(e EdgeRow) int64 { return e.Target })
		if err != nil {
			return d, err
		}
		d.External, err = s.externalsOf(ctx, t.File)
		return d, err
	}
	w := symbolWalk{s: s, ctx: ctx, seen: map[int64]bool{}, next: called}
	return w.run(t.Symbols, depth)
}

// fileReach walks file edges breadth first.
func (s *Snapshot) fileReach(ctx context.Context, p string, depth int, edges func(int64) ([]EdgeRow, error), other func(EdgeRow) int64) (Dependents, error) {
	f, err := s.File(ctx, p)
	if err != nil {
		return Dependents{}, err
	}
	var out Dependents
	seen := map[int64]bool{f.ID: true}
	conf := map[int64]code.Confidence{f.ID: code.Exact}
	level := []int64{f.ID}
	for d := 1; len(level) > 0 && (depth == 0 || d <= depth); d++ {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		found, err := s.nextFiles(level, seen, conf, edges, other)
		if err != nil {
			return out, err
		}
		level = level[:0]
		for _, dep := range found {
			dep.Depth = d
			out.List = append(out.List, dep.Dependent)
			if dep.Relation.Depends() { // who merely mentions a file passes no change on
				level = append(level, dep.id)
			}
		}
	}
	out.ResolvedShare, err = s.importShare()
	return out, err
}

type foundFile struct {
	Dependent
	id int64
}

// relationOrder prefers the relation that tells most.
var relationOrder = [...]int{code.RelExtends: 0, code.RelImplements: 1, code.RelImports: 2, code.RelUses: 3, code.RelTests: 4, code.RelGenerated: 5, code.RelMentions: 6}

// nextFiles are the files one step from a level, by path; the surest edge counts.
func (s *Snapshot) nextFiles(level []int64, seen map[int64]bool, conf map[int64]code.Confidence, edges func(int64) ([]EdgeRow, error), other func(EdgeRow) int64) ([]foundFile, error) {
	at := map[int64]int{}
	var out []foundFile
	for _, id := range level {
		list, err := edges(id)
		if err != nil {
			return nil, err
		}
		for _, e := range list {
			o := other(e)
			if seen[o] {
				continue
			}
			c := min(conf[id], e.Confidence)
			if i, ok := at[o]; ok {
				if c > out[i].Confidence || c == out[i].Confidence && relationOrder[e.Relation] < relationOrder[out[i].Relation] {
					out[i].Confidence, out[i].Relation = c, e.Relation
				}
				continue
			}
			at[o] = len(out)
			out = append(out, foundFile{Dependent: Dependent{Confidence: c, Relation: e.Relation}, id: o})
		}
	}
	for i := range out {
		n, _ := s.world.NodeByID(out[i].id)
		out[i].Path, out[i].Test = n.Path, n.Test
		seen[out[i].id] = true
		conf[out[i].id] = out[i].Confidence
	}
	slices.SortFunc(out, func(a, b foundFile) int { return cmp.Compare(a.Path, b.Path) })
	return out, s.world.err
}

// importShare is the share of all imports of the repository that lead somewhere known.
func (s *Snapshot) importShare() (float64, error) {
	imports, unresolved, err := s.r.ImportSums()
	return share(imports-unresolved, imports), err
}

// externalsOf are the packages outside the repository a file imports, by name.
func (s *Snapshot) externalsOf(ctx context.Context, p string) ([]External, error) {
	imps, err := s.Imports(ctx, p)
	if err != nil {
		return nil, err
	}
	var out []External
	for _, m := range imps {
		if m.External != "" && !slices.ContainsFunc(out, func(e External) bool { return e.Name == m.External }) {
			out = append(out, External{Name: m.External, Files: 1, Std: m.Std})
		}
	}
	slices.SortFunc(out, func(a, b External) int { return cmp.Compare(a.Name, b.Name) })
	return out, nil
}

// step is a symbol, or a file where a reference stands outside any symbol, one
// step away.
type step struct {
	Dependent
	sym  *Symbol // nil for a file
	from int64   // symbol it was reached from
}

// symbolWalk walks symbol references breadth first. Ambiguous references are
// reported but not walked on: from a name many things bear everything can be
// reached, which tells nothing.
type symbolWalk struct {
	s              *Snapshot
	ctx            context.Context
	seen           map[int64]bool
	conf           map[int64]code.Confidence // of the weakest reference on the way
	files          map[string]bool
	next           func(context.Context, *Snapshot, []Symbol) ([]step, int, int, error)
	decided, named int
}

func (w *symbolWalk) run(starts []Symbol, depth int) (Dependents, error) {
	w.files = map[string]bool{}
	w.conf = map[int64]code.Confidence{}
	for i := range starts {
		w.seen[starts[i].ID] = true
		w.conf[starts[i].ID] = code.Exact
	}
	var out Dependents
	level := starts
	for d := 1; len(level) > 0 && (depth == 0 || d <= depth); d++ {
		steps, decided, named, err := w.next(w.ctx, w.s, level)
		if err != nil {
			return out, err
		}
		w.decided, w.named = w.decided+decided, w.named+named
		level = w.take(&out, steps, d)
	}
	slices.SortStableFunc(out.List, func(a, b Dependent) int {
		return cmp.Or(cmp.Compare(a.Depth, b.Depth), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Name, b.Name))
	})
	out.ResolvedShare = share(w.decided, w.named)
	return out, nil
}

// take adds the steps not met before and returns the level to walk on from.
func (w *symbolWalk) take(out *Dependents, steps []step, depth int) []Symbol {
	for i := range steps {
		steps[i].Confidence = min(steps[i].Confidence, w.conf[steps[i].from])
	}
	slices.SortStableFunc(steps, func(a, b step) int { return cmp.Compare(b.Confidence, a.Confidence) })
	var level []Symbol
	for _, st := range steps {
		if st.sym == nil {
			if w.files[st.Path] {
				continue
			}
			w.files[st.Path] = true
		} else {
			if w.seen[st.sym.ID] {
				continue
			}
			w.seen[st.sym.ID] = true
			w.conf[st.sym.ID] = st.Confidence
		}
		st.Depth = depth
		out.List = append(out.List, st.Dependent)
		if st.sym != nil && st.Confidence > code.Ambiguous {
			level = append(level, *st.sym)
		}
	}
	return level
}

// callers are the symbols around the references to targets.
func callers(ctx context.Context, s *Snapshot, targets []Symbol) ([]step, int, int, error) {
	refs, err := s.References(ctx, targets)
	if err != nil {
		return nil, 0, 0, err
	}
	out := make([]step, 0, len(refs.List))
	met := map[SymbolID]*Symbol{}
	for i := range refs.List {
		r := &refs.List[i]
		st := step{Dependent: Dependent{Path: r.Path, Confidence: r.Confidence, Line: r.Line}, from: r.Target.ID}
		n, _ := s.world.NodeByID(r.scope.File)
		st.Test = n.Test
		if r.scope.Ord >= 0 {
			if st.sym = met[r.scope]; st.sym == nil {
				row, ok, err := s.r.Symbol(r.scope)
				if err != nil {
					return nil, 0, 0, err
				}
				if ok {
					st.sym = &Symbol{Symbol: row.Symbol, ID: row.ID().Pack(), Path: r.Path}
					met[r.scope] = st.sym
				}
			}
		}
		if st.sym != nil {
			st.Name, st.Kind, st.Line = st.sym.Qualified, st.sym.Kind, st.sym.Span.Line
		}
		out = append(out, st)
	}
	return out, int(refs.ResolvedShare*float64(refs.Named) + 0.5), refs.Named, s.world.err
}

// called are the definitions the references inside sources lead to.
func called(ctx context.Context, s *Snapshot, sources []Symbol) ([]step, int, int, error) {
	var out []step
	decided, named := 0, 0
	for i := range sources {
		refs, d, n, err := s.callees(ctx, &sources[i])
		if err != nil {
			return nil, 0, 0, err
		}
		decided, named = decided+d, named+n
		for j := range refs {
			t := refs[j].Target
			node, _ := s.world.Node(t.Path)
			out = append(out, step{Dependent: Dependent{Path: t.Path, Name: t.Qualified, Kind: t.Kind, Line: t.Span.Line, Confidence: refs[j].Confidence, Test: node.Test}, sym: t, from: sources[i].ID})
		}
	}
	return out, decided, named, s.world.err
}

// Tests are the test files with an edge to a file.
func (s *Snapshot) Tests(ctx context.Context, p string) ([]Dependent, error) {
	f, err := s.File(ctx, p)
	if err != nil {
		return nil, err
	}
	edges, err := s.r.EdgesTo(f.ID)
	if err != nil {
		return nil, err
	}
	var out []Dependent
	for _, e := range edges {
		if e.Relation != code.RelTests {
			continue
		}
		if n, ok := s.world.NodeByID(e.Source); ok {
			out = append(out, Dependent{Path: n.Path, Depth: 1, Confidence: e.Confidence, Relation: e.Relation, Test: true})
		}
	}
	slices.SortFunc(out, func(a, b Dependent) int { return cmp.Compare(a.Path, b.Path) })
	return out, s.world.err
}
