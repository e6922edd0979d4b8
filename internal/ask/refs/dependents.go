package refs

import (
	"cmp"
	"context"
	"slices"

	"ken/internal/code"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
)

// Dependents returns the files or symbols that depend on a target. depth is the number of steps; 0 means any. It returns an
// error if the file is not indexed, if the index cannot be read, or if ctx ends.
func Dependents(ctx context.Context, s *view.Snapshot, t view.Target, depth int) (view.Dependents, error) {
	if t.File != "" {
		return fileReach(ctx, s, t.File, depth, direction{s.Index.EdgesTo, func(e store.EdgeRow) int64 { return e.Source }})
	}
	w := symbolWalk{s: s, ctx: ctx, seen: map[int64]bool{}, next: callers}
	return w.run(t.Symbols, depth)
}

// Dependencies returns the files or symbols on which a target depends. depth is the number of steps; 0 means any. It returns errors as
// Dependents does.
func Dependencies(ctx context.Context, s *view.Snapshot, t view.Target, depth int) (view.Dependents, error) {
	if t.File != "" {
		d, err := fileReach(ctx, s, t.File, depth, direction{s.Index.EdgesFrom, func(e store.EdgeRow) int64 { return e.Target }})
		if err != nil {
			return d, err
		}
		d.External, err = externalPackages(ctx, s, t.File)
		return d, err
	}
	w := symbolWalk{s: s, ctx: ctx, seen: map[int64]bool{}, next: callees}
	return w.run(t.Symbols, depth)
}

// direction is one of the two ways to follow the dependencies between files: edges
// returns the dependencies of a file, and other the file at their other end.
type direction struct {
	edges func(int64) ([]store.EdgeRow, error)
	other func(store.EdgeRow) int64
}

// fileReach returns the files that can be reached from file p in a direction, breadth first.
func fileReach(ctx context.Context, s *view.Snapshot, p string, depth int, way direction) (view.Dependents, error) {
	f, err := s.File(ctx, p)
	if err != nil {
		return view.Dependents{}, err
	}
	var out view.Dependents
	seen := map[int64]bool{f.ID: true}
	conf := map[int64]code.Confidence{f.ID: code.Exact}
	level := []int64{f.ID}
	for d := 1; len(level) > 0 && (depth == 0 || d <= depth); d++ {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		found, err := nextFiles(s, level, seen, conf, way)
		if err != nil {
			return out, err
		}
		level = level[:0]
		for _, dep := range found {
			dep.Depth = d
			out.List = append(out.List, dep.Dependent)
			if dep.Relation.Depends() { // a mention passes no change on
				level = append(level, dep.id)
			}
		}
	}
	imports, unresolved, err := s.Index.ImportSums()
	out.ResolvedShare = share(imports-unresolved, imports)
	return out, err
}

type foundFile struct {
	view.Dependent
	id int64
}

// nextFiles returns the files one step from those in level, by path. If several edges lead to a file, the surest counts.
func nextFiles(s *view.Snapshot, level []int64, seen map[int64]bool, conf map[int64]code.Confidence, way direction) ([]foundFile, error) {
	var met fileSteps
	for _, id := range level {
		list, err := way.edges(id)
		if err != nil {
			return nil, err
		}
		for _, e := range list {
			if o := way.other(e); !seen[o] {
				met.add(o, min(conf[id], e.Confidence), e.Relation)
			}
		}
	}
	out := make([]foundFile, 0, len(met.list))
	for _, st := range met.list {
		n, _ := s.Lookup.NodeByID(st.id)
		out = append(out, foundFile{view.Dependent{Path: n.Path, Test: n.Test, Confidence: st.confidence, Relation: st.relation}, st.id})
		seen[st.id] = true
		conf[st.id] = st.confidence
	}
	slices.SortFunc(out, func(a, b foundFile) int { return cmp.Compare(a.Path, b.Path) })
	return out, s.Lookup.Err
}

// fileStep is a file one step away, with the surest edge that leads to it.
type fileStep struct {
	id         int64
	confidence code.Confidence
	relation   code.Relation
}

// fileSteps collects the files one step away, each once.
type fileSteps struct {
	list []fileStep
	at   map[int64]int
}

// relationOrder ranks the relations between two files, the most informative first.
var relationOrder = [...]int{code.RelExtends: 0, code.RelImplements: 1, code.RelImports: 2, code.RelUses: 3,
	code.RelTests: 4, code.RelGenerated: 5, code.RelMentions: 6}

// add adds a file. Of several edges to one file the surest counts, and of those the one of the first relation in relationOrder.
func (s *fileSteps) add(id int64, c code.Confidence, r code.Relation) {
	if s.at == nil {
		s.at = map[int64]int{}
	}
	i, ok := s.at[id]
	if !ok {
		s.at[id] = len(s.list)
		s.list = append(s.list, fileStep{id, c, r})
		return
	}
	if had := &s.list[i]; c > had.confidence || c == had.confidence && relationOrder[r] < relationOrder[had.relation] {
		had.confidence, had.relation = c, r
	}
}

// externalPackages returns the packages outside the repository that a file imports, by name.
func externalPackages(ctx context.Context, s *view.Snapshot, p string) ([]store.External, error) {
	imps, err := s.Imports(ctx, p)
	if err != nil {
		return nil, err
	}
	var out []store.External
	for _, m := range imps {
		if m.External != "" && !slices.ContainsFunc(out, func(e store.External) bool { return e.Name == m.External }) {
			out = append(out, store.External{Name: m.External, Files: 1, Std: m.Std})
		}
	}
	slices.SortFunc(out, func(a, b store.External) int { return cmp.Compare(a.Name, b.Name) })
	return out, nil
}

// step is a symbol, or a file where a reference is outside any symbol, one
// step away.
type step struct {
	view.Dependent
	sym  *view.Symbol // nil for a file
	from int64        // symbol from which it was reached
}

// symbolWalk follows the references of symbols breadth first. It reports ambiguous
// references but does not follow them, because from a common name everything can
// be reached.
type symbolWalk struct {
	s              *view.Snapshot
	ctx            context.Context
	seen           map[int64]bool
	conf           map[int64]code.Confidence // of the weakest reference on the way
	files          map[string]bool
	next           func(context.Context, *view.Snapshot, []view.Symbol) ([]step, int, int, error)
	decided, named int
}

func (w *symbolWalk) run(starts []view.Symbol, depth int) (view.Dependents, error) {
	w.files = map[string]bool{}
	w.conf = map[int64]code.Confidence{}
	for i := range starts {
		w.seen[starts[i].ID] = true
		w.conf[starts[i].ID] = code.Exact
	}
	var out view.Dependents
	level := starts
	for d := 1; len(level) > 0 && (depth == 0 || d <= depth); d++ {
		steps, decided, named, err := w.next(w.ctx, w.s, level)
		if err != nil {
			return out, err
		}
		w.decided, w.named = w.decided+decided, w.named+named
		level = w.take(&out, steps, d)
	}
	slices.SortStableFunc(out.List, func(a, b view.Dependent) int {
		return cmp.Or(cmp.Compare(a.Depth, b.Depth), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Name, b.Name))
	})
	out.ResolvedShare = share(w.decided, w.named)
	return out, nil
}

// take adds the symbols and files in steps that were not reached before. It returns the symbols that a sure reference reached, as the
// next level.
func (w *symbolWalk) take(out *view.Dependents, steps []step, depth int) []view.Symbol {
	for i := range steps {
		steps[i].Confidence = min(steps[i].Confidence, w.conf[steps[i].from])
	}
	slices.SortStableFunc(steps, func(a, b step) int { return cmp.Compare(b.Confidence, a.Confidence) })
	var level []view.Symbol
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

// callers returns the symbols around the references to targets.
func callers(ctx context.Context, s *view.Snapshot, targets []view.Symbol) ([]step, int, int, error) {
	refs, err := References(ctx, s, targets)
	if err != nil {
		return nil, 0, 0, err
	}
	out := make([]step, 0, len(refs.List))
	met := map[code.SymbolID]*view.Symbol{}
	for i := range refs.List {
		r := &refs.List[i]
		st := step{Dependent: view.Dependent{Path: r.Path, Confidence: r.Confidence, Line: r.Line}, from: r.Target.ID}
		n, _ := s.Lookup.NodeByID(r.Scope.File)
		st.Test = n.Test
		if r.Scope.Ord >= 0 {
			if st.sym = met[r.Scope]; st.sym == nil {
				row, ok, err := s.Index.Symbol(r.Scope)
				if err != nil {
					return nil, 0, 0, err
				}
				if ok {
					st.sym = &view.Symbol{Symbol: row.Symbol, ID: row.ID().Pack(), Path: r.Path}
					met[r.Scope] = st.sym
				}
			}
		}
		if st.sym != nil {
			st.Name, st.Kind, st.Line = st.sym.Qualified, st.sym.Kind, st.sym.Span.Line
		}
		out = append(out, st)
	}
	return out, int(refs.ResolvedShare*float64(refs.Named) + 0.5), refs.Named, s.Lookup.Err
}

// callees returns the definitions to which the references inside sources lead.
func callees(ctx context.Context, s *view.Snapshot, sources []view.Symbol) ([]step, int, int, error) {
	var out []step
	decided, named := 0, 0
	for i := range sources {
		refs, d, n, err := referencesInside(ctx, s, &sources[i])
		if err != nil {
			return nil, 0, 0, err
		}
		decided, named = decided+d, named+n
		for j := range refs {
			t := refs[j].Target
			node, _ := s.Lookup.Node(t.Path)
			out = append(out, step{Dependent: view.Dependent{Path: t.Path, Name: t.Qualified, Kind: t.Kind, Line: t.Span.Line,
				Confidence: refs[j].Confidence, Test: node.Test}, sym: t, from: sources[i].ID})
		}
	}
	return out, decided, named, s.Lookup.Err
}
