package refs

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/bind"
	"ken/internal/engine/view"
)

// methodSet are the methods of a Go type: of an interface those that it lists and
// embeds, of another type those that its package declares for it and those of the
// types it embeds.
type methodSet struct {
	list []view.Symbol
	// partial is set if it embeds a type from outside the repository, whose
	// methods nothing here shows.
	partial bool
}

// maxEmbedding bounds how deep embedded types are followed.
const maxEmbedding = 8

// methods are those of a Go type. Where a type and one that it embeds have a
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
	embedded, outside, err := b.embedded(t)
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

// embedded are the types that a Go type embeds; outside is set if some are not of
// the repository.
func (b *hierarchySearch) embedded(t *view.Symbol) (list []view.Symbol, outside bool, err error) {
	id := code.UnpackSymbolID(t.ID)
	home, err := b.s.Site(id.File)
	if err != nil || home.Packed == nil {
		return nil, false, err
	}
	embeds := 0
	refs, _, _, err := outgoing(b.ctx, b.s, home, func(r *code.Ref) bool {
		if r.Scope != id.Ord || r.Kind != code.RefInherit {
			return false
		}
		embeds++
		return true
	})
	met := map[uint32]bool{}
	for i := range refs {
		if refs[i].Target.Kind.IsType() && refs[i].Confidence > code.Ambiguous {
			list = append(list, *refs[i].Target)
			met[refs[i].Start] = true
		}
	}
	return list, len(met) < embeds, err
}

// declaredMethods are the methods that an interface lists itself, or that the
// package of another type declares for it.
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
		rows, err := b.s.Index.Symbols(id)
		if err != nil {
			return nil, err
		}
		node, _ := b.s.Lookup.NodeByID(id)
		for i := range rows {
			if rows[i].Kind == code.KindMethod && rows[i].Symbol.Container() == t.Qualified {
				rows[i].Path = node.Path
				out = append(out, view.RowSymbol(&rows[i]))
			}
		}
	}
	return out, nil
}

func (b *hierarchySearch) methodOf(t *view.Symbol, name string) (view.Symbol, bool, error) {
	set, err := b.methods(t)
	i := slices.IndexFunc(set.list, func(m view.Symbol) bool { return m.Name == name })
	if i < 0 {
		return view.Symbol{}, false, err
	}
	return set.list[i], true, err
}

// satisfies reports whether a type has methods of these names that take and give the same,
// as far as that is known.
func (b *hierarchySearch) satisfies(t *view.Symbol, wanted methodSet) (bool, error) {
	has, err := b.methods(t)
	return err == nil && b.within(wanted, has), err
}

// within reports whether a set that is not empty has its methods in another one: by name
// and number of parameters, and of no other types that are known.
func (b *hierarchySearch) within(wanted, has methodSet) bool {
	for i := range wanted.list {
		w := &wanted.list[i]
		j := slices.IndexFunc(has.list, func(m view.Symbol) bool { return m.Name == w.Name })
		if j < 0 || !b.alike(&has.list[j], w) {
			return false
		}
	}
	return len(wanted.list) > 0
}

// alike reports whether two methods may be of one type.
func (b *hierarchySearch) alike(m, w *view.Symbol) bool {
	if m.ID == w.ID || m.Signature == w.Signature && code.Dir(m.Path) == code.Dir(w.Path) {
		return true
	}
	if paramCount(m.Signature) != paramCount(w.Signature) {
		return false
	}
	one, ok := b.definition(m)
	other, known := b.definition(w)
	return !ok || !known || !bind.SignaturesDiffer(b.s.Binding(), &one, &other)
}

// definition is a symbol as binding knows it.
func (b *hierarchySearch) definition(s *view.Symbol) (graph.Def, bool) {
	id := code.UnpackSymbolID(s.ID)
	n, ok := b.s.Lookup.NodeByID(id.File)
	return graph.Def{File: n, Name: s.Name, Container: s.Symbol.Container(), Kind: s.Kind, Ord: id.Ord, Signature: s.Signature}, ok
}

// paramCount counts the parameters of a Go method by its signature: the commas
// at the top of the parentheses behind its name.
func paramCount(sig string) int {
	depth, commas, start, any := 0, 0, -1, false
	for i := 0; i < len(sig); i++ {
		switch c := sig[i]; c {
		case '(', '[', '{':
			if c == '(' && start < 0 && opensParams(sig[:i]) {
				start, depth = i, 0
			} else if start >= 0 {
				depth++
			}
		case ')', ']', '}':
			if start >= 0 && depth == 0 {
				if any {
					return commas + 1
				}
				return 0
			}
			depth--
		case ',':
			if start >= 0 && depth == 0 {
				commas++
			}
		case ' ':
		default:
			any = any || start >= 0
		}
	}
	return 0
}

// opensParams reports whether a bracket behind a text opens a list of parameters:
// it follows a name, or the type parameters of one, and not the word func.
func opensParams(before string) bool {
	if before == "" || strings.HasSuffix(before, "func") {
		return false
	}
	last := before[len(before)-1]
	return NameByte(last) || last == ']'
}
