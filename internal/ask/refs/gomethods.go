package refs

import (
	"slices"

	"ken/internal/ask/refs/gostd"
	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/bind"
	"ken/internal/engine/view"
)

// methodSet holds the methods of a Go type. An interface has those that it lists
// and embeds; another type has those that its package declares for it and those of
// the types that it embeds.
type methodSet struct {
	list []view.Symbol
	// partial is set if it embeds a type from outside the repository, whose methods are
	// unknown.
	partial bool
}

// maxEmbedding is the depth to which embedded types are followed.
const maxEmbedding = 8

// methods returns the methods of a Go type. Where a type and one that it embeds have a
// method of the same name, the nearest counts, as in the language.
func (b *hierarchySearch) methods(t *view.Symbol) (methodSet, error) {
	return b.methodsAt(t, 0)
}

func (b *hierarchySearch) methodsAt(t *view.Symbol, depth int) (methodSet, error) {
	set, ok := b.owned[t.ID]
	if ok {
		return set, nil
	}
	own, err := b.declaredMethods(t)
	if err != nil {
		return methodSet{}, err
	}
	set.list = own
	b.owned[t.ID] = set // a type that embeds itself has no more
	embedded, outside, err := b.embeddedTypes(t)
	if err != nil {
		return methodSet{}, err
	}
	set.partial = outside || depth >= maxEmbedding && len(embedded) > 0
	for i := range embedded {
		if depth >= maxEmbedding {
			break
		}
		more, err := b.methodsAt(&embedded[i], depth+1)
		if err != nil {
			return methodSet{}, err
		}
		set.partial = set.partial || more.partial
		for _, m := range more.list {
			if !slices.ContainsFunc(set.list, func(o view.Symbol) bool { return o.Name == m.Name }) {
				set.list = append(set.list, m)
			}
		}
	}
	b.owned[t.ID] = set
	return set, nil
}

// embeddedTypes returns the types that a Go type embeds; outside is set if some are not in the repository.
func (b *hierarchySearch) embeddedTypes(t *view.Symbol) (list []view.Symbol, outside bool, err error) {
	id := code.UnpackSymbolID(t.ID)
	home, err := b.s.Site(id.File)
	if err != nil || home.Packed == nil {
		return nil, false, err
	}
	embeds := b.s.Details.Inherits(id.File, id.Ord)
	embeds = slices.DeleteFunc(embeds, func(r code.Ref) bool { return r.Kind != code.RefInherit })
	refs, _, _, err := bindAll(b.ctx, b.s, home, embeds)
	met := map[uint32]bool{}
	for i := range refs {
		if refs[i].Target.Kind.IsType() && refs[i].Confidence > code.Ambiguous {
			list = append(list, *refs[i].Target)
			met[refs[i].Start] = true
		}
	}
	return list, len(met) < len(embeds), err
}

// declaredMethods returns the methods that an interface lists itself, or that the package of another type declares for it.
func (b *hierarchySearch) declaredMethods(t *view.Symbol) ([]view.Symbol, error) {
	n, _ := b.s.Lookup.Node(t.Path)
	files := []int64{code.UnpackSymbolID(t.ID).File}
	if t.Kind != code.KindInterface {
		list, err := b.s.Index.PackageFiles("go", n.Package)
		if err != nil {
			return nil, err
		}
		files = files[:0]
		for _, f := range list {
			if code.Dir(f.Path) == code.Dir(t.Path) {
				files = append(files, f.ID)
			}
		}
	}
	var out []view.Symbol
	for _, id := range files {
		rows, err := b.s.Declarations(id)
		if err != nil {
			return nil, err
		}
		node, _ := b.s.Lookup.NodeByID(id)
		for i := range rows {
			if rows[i].Kind == code.KindMethod && rows[i].Symbol.Container() == t.Qualified {
				m := view.RowSymbol(&rows[i])
				m.Path = node.Path
				out = append(out, m)
			}
		}
	}
	return out, nil
}

// possibleTies returns the methods of interfaces that a method may implement, and those that may implement a method of an interface, where
// one of the two types embeds a type from outside the repository: what is known of the interface is in the type, or most of it.
func (b *hierarchySearch) possibleTies(t *view.Symbol) (list []view.Symbol, err error) {
	owner, ok, err := b.owner(t)
	if err != nil || !ok {
		return nil, err
	}
	own, err := b.methods(&owner)
	if err != nil {
		return nil, err
	}
	isInterface := owner.Kind == code.KindInterface
	others, err := b.typesWith(t, !isInterface)
	for i := range others {
		if err != nil {
			return nil, err
		}
		var other methodSet
		if other, err = b.methods(&others[i]); err != nil {
			return nil, err
		}
		wanted, has := other, own
		if isInterface {
			wanted, has = own, other
		}
		if !b.mayImplement(wanted, has) {
			continue
		}
		if j := slices.IndexFunc(other.list, func(m view.Symbol) bool { return m.Name == t.Name }); j >= 0 && b.alike(&other.list[j], t) {
			list = append(list, other.list[j])
		}
	}
	return list, err
}

// mayImplement reports whether a type with the methods in has, of which some may be unknown, probably implements an interface with those
// in wanted: it has at least two of them and more than it lacks, and none of another type.
func (b *hierarchySearch) mayImplement(wanted, has methodSet) bool {
	if !wanted.partial && !has.partial {
		return false
	}
	met := 0
	for i := range wanted.list {
		w := &wanted.list[i]
		j := slices.IndexFunc(has.list, func(m view.Symbol) bool { return m.Name == w.Name })
		switch {
		case j >= 0 && b.alike(&has.list[j], w):
			met++
		case j >= 0 || !has.partial:
			return false
		}
	}
	return met == len(wanted.list) || met > 1 && 2*met > len(wanted.list)
}

// within reports whether the set wanted is not empty and has contains all its methods,
// with the same number of parameters and without known differences of types.
func (b *hierarchySearch) within(wanted, has methodSet) bool {
	for i := range wanted.list {
		w := &wanted.list[i]
		fits := func(m view.Symbol) bool { return m.Name == w.Name && b.alike(&m, w) }
		if !slices.ContainsFunc(has.list, fits) { // of several for other builds any may fit
			return false
		}
	}
	return len(wanted.list) > 0
}

// alike reports whether two methods may have the same type.
func (b *hierarchySearch) alike(m, w *view.Symbol) bool {
	if m.ID == w.ID || m.Signature == w.Signature && code.Dir(m.Path) == code.Dir(w.Path) {
		return true
	}
	if gostd.Parameters(m.Signature) != gostd.Parameters(w.Signature) {
		return false
	}
	one, ok := b.definition(m)
	other, known := b.definition(w)
	return !ok || !known || !bind.SignaturesDiffer(b.s.InferredTypes(), &one, &other)
}

// definition returns a symbol in the form that resolving references uses.
func (b *hierarchySearch) definition(s *view.Symbol) (graph.Def, bool) {
	id := code.UnpackSymbolID(s.ID)
	n, ok := b.s.Lookup.NodeByID(id.File)
	return graph.Def{File: n, Name: s.Name, Container: s.Symbol.Container(), Kind: s.Kind, Ord: id.Ord, Signature: s.Signature}, ok
}
