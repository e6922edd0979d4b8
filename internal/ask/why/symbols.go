package why

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"ken/internal/ask/refs"
	"ken/internal/ask/unused"
	"ken/internal/code"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
)

// symbolSearch follows uses of symbols, and from a member to its type: what needs the type may run it. References that only a name binds
// are not followed, because from a common name everything can be reached; that there are some is a doubt.
type symbolSearch struct {
	search
	s       *view.Snapshot
	from    []view.Symbol
	members map[int64]bool    // modules that were reached by a member
	doubt   *unused.UnseenUse // looked for where what tests need is followed
	err     error             // of isFrom
}

func betweenSymbols(ctx context.Context, s *view.Snapshot, from, to []view.Symbol, most int) (Answer, error) {
	x := symbolSearch{s: s, from: from, members: map[int64]bool{}}
	x.isStart = x.isFrom
	x.before = func(level []int64, tests bool, add func(int64, link)) error { return x.users(ctx, level, tests, add) }
	goal, err := x.goal(to)
	if err != nil {
		return Answer{}, err
	}
	met, err := x.run(ctx, goal)
	if err = cmp.Or(err, x.err); err != nil {
		return Answer{}, err
	}
	out := Answer{Starts: len(met)}
	if out.Ways, out.More = x.ways(met, most); len(out.Ways) > 0 {
		return out, nil
	}
	if out.Doubt = x.doubt; x.isSpent() {
		out.Doubt = tooMany()
	}
	if out.Doubt == nil {
		return out, nil
	}
	independent, err := x.filesIndependent(ctx, to)
	if independent {
		out.Doubt = nil
	}
	return out, err
}

// goal returns the symbols with their members.
func (x *symbolSearch) goal(to []view.Symbol) (goal []int64, err error) {
	for i := range to {
		if x.isFrom(to[i].ID) {
			return nil, code.Usagef("both are the same declaration: name two of which one may use the other")
		}
		members, err := x.s.Members(&to[i])
		if err != nil {
			return nil, err
		}
		goal = append(goal, to[i].ID)
		rows, err := x.s.Declarations(code.UnpackSymbolID(to[i].ID).File)
		if err != nil {
			return nil, err
		}
		for j := range rows {
			if slices.ContainsFunc(members, func(m view.Member) bool { return m.Qualified == rows[j].Qualified }) {
				goal = append(goal, rows[j].ID().Pack())
			}
		}
	}
	slices.Sort(goal)
	return slices.Compact(goal), nil
}

// filesIndependent reports whether it is proven that no file of the start depends on a file of the goal.
func (x *symbolSearch) filesIndependent(ctx context.Context, to []view.Symbol) (bool, error) {
	starts, err := filesOf(x.s, &End{Target: view.Target{Symbols: x.from}})
	if err != nil {
		return false, err
	}
	goal, err := filesOf(x.s, &End{Target: view.Target{Symbols: to}})
	if err != nil || len(without(goal, starts)) < len(goal) {
		return false, err
	}
	a, err := searchFiles(ctx, x.s, starts, goal, 1)
	return len(a.Ways) == 0 && a.Doubt == nil, err
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

// users adds the symbols around the references to those of a level, and the declarations around these.
func (x *symbolSearch) users(ctx context.Context, level []int64, tests bool, add func(int64, link)) error {
	var targets []view.Symbol
	for _, id := range level {
		row, ok, err := x.s.Index.Symbol(code.UnpackSymbolID(id))
		if err != nil {
			return err
		}
		n, found := x.s.Lookup.NodeByID(row.FileID)
		if !ok || !found {
			continue
		}
		targets = append(targets, view.Symbol{Symbol: row.Symbol, ID: id, Path: n.Path})
		if row.Path = n.Path; tests || !n.Test {
			if err := x.containers(&row, tests, add); err != nil {
				return err
			}
		}
	}
	for list := range slices.Chunk(targets, atOnce) {
		if x.isSpent() {
			break
		}
		if err := x.around(ctx, list, tests, add); err != nil {
			return err
		}
	}
	return x.s.Lookup.Err
}

// atOnce is the number of symbols whose references are looked for together: work ends between two such lots.
const atOnce = 50

// around adds the symbols around the references to targets.
func (x *symbolSearch) around(ctx context.Context, targets []view.Symbol, tests bool, add func(int64, link)) error {
	found, err := refs.References(ctx, x.s, targets)
	if err != nil {
		return err
	}
	x.named += found.Named
	if tests && x.doubt == nil {
		if x.doubt, err = unused.FirstDoubt(ctx, x.s, targets, &found); err != nil {
			return err
		}
	}
	for i := range found.List {
		if err := x.user(&found.List[i], tests, add); err != nil {
			return err
		}
	}
	return nil
}

// user adds the symbol around a reference.
func (x *symbolSearch) user(r *view.Reference, tests bool, add func(int64, link)) error {
	n, _ := x.s.Lookup.NodeByID(r.Scope.File)
	switch {
	case r.Kind == code.RefImport || r.Kind == code.RefExport || n.Test && !tests:
		return nil // what needs the import uses the name
	case r.Confidence == code.Ambiguous || r.Target == nil:
		x.doubted(tests, "a use that is bound by its name alone", r.Path, r.Line)
		return nil
	}
	isBase := r.Kind == code.RefInherit || r.Kind == code.RefImplement
	if x.members[r.Target.ID] && !isBase {
		return nil // the name of a module in front of another member
	}
	id := r.Scope
	if isBase {
		rows, err := x.s.Declarations(id.File)
		if err != nil {
			return err
		}
		for i := range rows {
			if view.NamesBase(&rows[i], r.Kind, r.Scope.Ord, r.Start) {
				id = rows[i].ID() // the last is the innermost
			}
		}
	}
	row, ok, err := x.s.Index.Symbol(id)
	if err != nil {
		return err
	}
	if !ok {
		x.doubted(tests, "a use outside of declarations", r.Path, r.Line)
		return nil
	}
	delete(x.members, id.Pack())
	add(id.Pack(), link{r.Target.ID, Step{
		Test: n.Test, From: Place{r.Path, row.Qualified, row.Kind}, To: Place{r.Target.Path, r.Target.Qualified, r.Target.Kind},
		Line: r.Line, Confidence: r.Confidence,
	}})
	return nil
}

// containers adds the declarations of which a symbol is a part.
func (x *symbolSearch) containers(row *store.SymbolRow, tests bool, add func(int64, link)) error {
	name := row.Container()
	if name == "" && row.Parent < 0 {
		return nil
	}
	home, _ := x.s.Lookup.NodeByID(row.FileID)
	list, err := x.s.TypeDeclarations(home, name)
	if err != nil {
		return err
	}
	if row.Parent >= 0 {
		rows, err := x.s.Declarations(row.FileID)
		if err != nil {
			return err
		}
		list = append(list, rows[row.Parent])
	}
	if len(list) == 0 {
		x.doubted(tests, "a member of "+name+", whose declaration was not found", row.Path, row.Span.Line)
	}
	for _, c := range list {
		n, _ := x.s.Lookup.NodeByID(c.FileID)
		if c.ID() == row.ID() || n.Test && !tests {
			continue
		}
		step := Step{
			Has: true, Test: n.Test, From: Place{n.Path, c.Qualified, c.Kind}, To: Place{row.Path, row.Qualified, row.Kind}, Confidence: code.Exact,
		}
		if n.ID == row.FileID {
			step.Line = row.Span.Line
		} else {
			step.Confidence = code.ImportResolved
		}
		if c.Kind == code.KindModule && !x.seen[c.ID().Pack()] {
			x.members[c.ID().Pack()] = true
		}
		add(c.ID().Pack(), link{row.ID().Pack(), step})
	}
	return nil
}

// doubted keeps a reason why there may be a way that was not followed, if that is the first and what tests need is followed.
func (x *symbolSearch) doubted(tests bool, detail, path string, line uint32) {
	if tests && x.doubt == nil {
		x.doubt = &unused.UnseenUse{Kind: unused.UnseenPossible, Detail: detail, Path: path, Line: line, Doubt: true}
	}
}
