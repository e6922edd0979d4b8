package refs

import (
	"cmp"
	"context"
	"slices"

	"ken/internal/code"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
)

// File answers cheap questions about the files one step from a file. The hook that judges a write asks them instead of Dependents,
// because it may take hardly longer than a process takes to start, however large the repository is: files are counted without their
// rows being read, and of a file that uses another only those references are bound whose names the other declares.
type File struct {
	s     *view.Snapshot
	id    int64
	path  string
	names []string // declared in it, once read is set
	read  bool
}

// NewFile returns the file with an id and path.
func NewFile(s *view.Snapshot, id int64, path string) *File { return &File{s: s, id: id, path: path} }

// Path returns the path of the file.
func (f *File) Path() string { return f.path }

// CountDependents counts the files that depend on the file: those that Dependents lists to a depth of one, without mentions and
// without those tied by a name alone that several files declare. It returns an error if the index cannot be read.
func (f *File) CountDependents() (n int, err error) {
	list, err := f.s.Index.EdgesTo(f.id)
	if err != nil {
		return 0, err
	}
	for _, st := range f.steps(list, func(e *store.EdgeRow) int64 { return e.Source }) {
		if st.relation.Depends() && st.confidence != code.Ambiguous {
			n++
		}
	}
	return n, nil
}

// maxOthers is the number of files that Others looks at.
const maxOthers = 500

// Others returns files that use declarations of the file and do not depend on it directly, by their ids: through a file that passes its
// names on, such as a package's __init__ or a module of re-exports, a header, or a program that loads all. Of those that have the names
// of its declarations it looks at the first maxOthers, the rarest names first, until most are found. It returns an error if the index
// cannot be read or ctx ends.
func (f *File) Others(ctx context.Context, most int) (users []int64, err error) {
	direct, err := f.s.Index.EdgesTo(f.id)
	if err != nil {
		return nil, err
	}
	seen := map[int64]bool{f.id: true}
	for _, st := range f.steps(direct, func(e *store.EdgeRow) int64 { return e.Source }) {
		seen[st.id] = st.relation.Depends() && st.confidence != code.Ambiguous
	}
	declared, err := f.s.Index.Symbols(f.id)
	if err != nil {
		return nil, err
	}
	referrers := make([][]int64, len(declared))
	for i := range declared {
		if referrers[i], err = f.s.Index.Referrers(declared[i].Name); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(referrers, func(a, b []int64) int { return cmp.Compare(len(a), len(b)) })
	looked := 0
	for _, list := range referrers {
		for _, id := range list {
			if seen[id] || looked >= maxOthers || len(users) >= most {
				continue
			}
			seen[id] = true
			looked++
			uses, err := f.Uses(ctx, id)
			if err != nil {
				return nil, err
			}
			if len(uses) > 0 {
				users = append(users, id)
			}
		}
	}
	return users, f.s.Lookup.Err
}

// DependsOnAny reports whether the file depends on another file of the repository. It returns an error if the index cannot be read.
func (f *File) DependsOnAny() (bool, error) {
	list, err := f.s.Index.EdgesFrom(f.id)
	if err != nil {
		return false, err
	}
	steps := f.steps(list, func(e *store.EdgeRow) int64 { return e.Target })
	return slices.ContainsFunc(steps, func(st fileStep) bool { return st.relation.Depends() }), nil
}

func (f *File) steps(list []store.EdgeRow, other func(*store.EdgeRow) int64) []fileStep {
	var out fileSteps
	for i := range list {
		if id := other(&list[i]); id != f.id {
			out.add(id, list[i].Confidence, list[i].Relation)
		}
	}
	return out.list
}

// Uses returns the references of another file to declarations of the file, in no order. It returns an error if the index cannot be read or
// ctx ends.
func (f *File) Uses(ctx context.Context, from int64) (uses []code.Ref, err error) {
	home, err := f.s.Site(from)
	if err != nil || home.Packed == nil {
		return nil, err
	}
	names, err := f.declaredNames()
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Concat(names, view.ChosenNames(home, f.id)) {
		refs, err := home.Packed.Refs(name)
		if err != nil {
			return nil, err
		}
		for i := range refs {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			leads, err := f.leadsHere(ctx, home, &refs[i])
			if err != nil {
				return nil, err
			}
			if leads {
				uses = append(uses, refs[i])
			}
		}
	}
	return uses, f.s.Lookup.Err
}

// declaredNames returns the names that the file declares, and those under which it exports them. A reference leads to a declaration
// of its own name, or to one that implements it and has the same name, so that others need not be bound.
func (f *File) declaredNames() ([]string, error) {
	if f.read {
		return f.names, nil
	}
	list, err := f.s.Index.Symbols(f.id)
	if err != nil {
		return nil, err
	}
	for i := range list {
		f.names = append(f.names, list[i].Name)
	}
	home, err := f.s.Site(f.id)
	if err != nil {
		return nil, err
	}
	if home.Packed != nil {
		exports, err := home.Packed.Exports()
		if err != nil {
			return nil, err
		}
		for i := range exports {
			f.names = append(f.names, exports[i].Name)
		}
	}
	slices.Sort(f.names)
	f.names, f.read = slices.Compact(f.names), true
	return f.names, nil
}

// leadsHere reports whether a reference leads to the file more surely than by a name that several files declare.
func (f *File) leadsHere(ctx context.Context, home *view.Site, r *code.Ref) (bool, error) {
	n, err := f.s.NameDefinitions(f.s.DeclaredName(home, r))
	if err != nil {
		return false, err
	}
	b, by := view.BindExactly(n.Binder, home, r)
	if b.Confidence > code.Ambiguous && slices.ContainsFunc(b.Defs, func(d int) bool { return n.Syms[d].Path == f.path }) {
		return true, nil
	}
	if by == "" || len(b.Defs) != 1 {
		return false, nil
	}
	through, err := f.s.ThroughInterface(ctx, view.Reference{Target: &n.Syms[b.Defs[0]]})
	return slices.ContainsFunc(through, func(t view.Reference) bool {
		return t.Target.Path == f.path && t.Confidence > code.Ambiguous
	}), err
}
