// Package neighbours answers what little there is to know of the files one step from a file: how many depend on it, whether it
// depends on any, and on which lines another file uses it. The hook that judges a write asks here instead of package refs,
// because it may take hardly longer than a process takes to start, however large the repository is: files are counted without their
// rows being read, and of a file that uses another only those references are bound whose names the other declares.
package neighbours

import (
	"context"
	"slices"

	"ken/internal/code"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
)

// Step is a file at the other end of edges.
type Step struct {
	ID         int64
	Confidence code.Confidence
	Relation   code.Relation
}

// Steps are files at the other ends of edges, each once.
type Steps struct {
	List []Step
	at   map[int64]int
}

// relationOrder prefers the relation that says most.
var relationOrder = [...]int{code.RelExtends: 0, code.RelImplements: 1, code.RelImports: 2, code.RelUses: 3,
	code.RelTests: 4, code.RelGenerated: 5, code.RelMentions: 6}

// Add adds a file. Of several edges to one file the surest counts, and of those the one that says most.
func (s *Steps) Add(id int64, c code.Confidence, r code.Relation) {
	if s.at == nil {
		s.at = map[int64]int{}
	}
	i, ok := s.at[id]
	if !ok {
		s.at[id] = len(s.List)
		s.List = append(s.List, Step{id, c, r})
		return
	}
	if had := &s.List[i]; c > had.Confidence || c == had.Confidence && relationOrder[r] < relationOrder[had.Relation] {
		had.Confidence, had.Relation = c, r
	}
}

// File is a file whose neighbours are asked for.
type File struct {
	s     *view.Snapshot
	id    int64
	path  string
	names []string // that it declares, once read is set
	read  bool
}

// Of is the file with an id and path.
func Of(s *view.Snapshot, id int64, path string) *File { return &File{s: s, id: id, path: path} }

// Path is the path of the file.
func (f *File) Path() string { return f.path }

// Dependents counts the files that depend on the file: those that refs.Dependents lists to a depth of one, without mentions and
// without what is tied by a name alone that several files declare.
func (f *File) Dependents() (n int, err error) {
	list, err := f.s.Index.EdgesTo(f.id)
	if err != nil {
		return 0, err
	}
	for _, st := range f.steps(list, func(e *store.EdgeRow) int64 { return e.Source }) {
		if st.Relation.Depends() && st.Confidence != code.Ambiguous {
			n++
		}
	}
	return n, nil
}

// DependsOnAny reports whether the file depends on another of the repository.
func (f *File) DependsOnAny() (bool, error) {
	list, err := f.s.Index.EdgesFrom(f.id)
	if err != nil {
		return false, err
	}
	steps := f.steps(list, func(e *store.EdgeRow) int64 { return e.Target })
	return slices.ContainsFunc(steps, func(st Step) bool { return st.Relation.Depends() }), nil
}

func (f *File) steps(list []store.EdgeRow, other func(*store.EdgeRow) int64) []Step {
	var out Steps
	for i := range list {
		if id := other(&list[i]); id != f.id {
			out.Add(id, list[i].Confidence, list[i].Relation)
		}
	}
	return out.List
}

// Lines are the lines on which another file uses what the file declares, in no order and perhaps more than once.
func (f *File) Lines(ctx context.Context, from int64) (lines []int, err error) {
	home, err := f.s.Site(from)
	if err != nil || home.Packed == nil {
		return nil, err
	}
	names, err := f.declared()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
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
				lines = append(lines, int(refs[i].Line))
			}
		}
	}
	return lines, f.s.Lookup.Err
}

// declared are the names of what the file declares. A reference leads to a declaration of its own name, or to one that
// implements it and has the same name, so that others need not be bound.
func (f *File) declared() ([]string, error) {
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
	slices.Sort(f.names)
	f.names, f.read = slices.Compact(f.names), true
	return f.names, nil
}

// leadsHere reports whether a reference leads to the file more surely than by a name that several files declare.
func (f *File) leadsHere(ctx context.Context, home *view.Site, r *code.Ref) (bool, error) {
	n, err := f.s.Named(r.Name)
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
	through, err := f.s.Reached(ctx, []view.Reference{{Target: &n.Syms[b.Defs[0]]}})
	return slices.ContainsFunc(through[1:], func(t view.Reference) bool {
		return t.Target.Path == f.path && t.Confidence > code.Ambiguous
	}), err
}
