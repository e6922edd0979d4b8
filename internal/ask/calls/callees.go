package calls

import (
	"bytes"
	"context"
	"slices"

	"ken/internal/ask/refs"
	"ken/internal/code"
	"ken/internal/engine/view"
)

// maxCandidates is the number of possible definitions listed for one call.
const maxCandidates = 5

// directCallees returns the symbols that a symbol calls, in the order of their first calls. Each is followed by the members that
// override or implement it, because the call may run them.
func directCallees(ctx context.Context, s *view.Snapshot, sym *view.Symbol) ([]*Node, error) {
	found, err := callsIn(ctx, s, sym)
	if err != nil {
		return nil, err
	}
	var g nodeSet
	candidates := map[uint32]int{} // of the call at a byte
	for i := range found {
		r := &found[i]
		if !MayCall(r.Kind, r.Target) || r.Target.ID == sym.ID && r.Confidence <= code.Ambiguous {
			continue
		}
		if candidates[r.Start]++; candidates[r.Start] > maxCandidates {
			continue
		}
		file, _ := s.Lookup.Node(r.Target.Path)
		n, err := g.node(nodeKey{symbol: r.Target.ID, through: r.Through}, func() (*Node, error) {
			return &Node{Symbol: r.Target, Path: r.Target.Path, Through: r.Through, Test: file.Test}, nil
		})
		if err != nil {
			return nil, err
		}
		n.add(r)
	}
	return withOverriding(ctx, s, sym, g.list)
}

// callsIn returns the references inside a symbol. For a type with constructors it returns those inside the constructors, because
// calling a type runs them.
func callsIn(ctx context.Context, s *view.Snapshot, sym *view.Symbol) ([]view.Reference, error) {
	if !sym.Kind.IsType() {
		return refs.From(ctx, s, sym)
	}
	id := code.UnpackSymbolID(sym.ID)
	rows, err := s.Index.Symbols(id.File)
	if err != nil {
		return nil, err
	}
	var out []view.Reference
	for i := range rows {
		if rows[i].Kind != code.KindConstructor || rows[i].Symbol.Container() != sym.Qualified {
			continue
		}
		rows[i].Path = sym.Path
		made := view.RowSymbol(&rows[i])
		found, err := refs.From(ctx, s, &made)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

// withOverriding adds, after each called member, the members that override it and may run in its place. A call on super gets none,
// because it means the member itself.
func withOverriding(ctx context.Context, s *view.Snapshot, in *view.Symbol, list []*Node) ([]*Node, error) {
	out := make([]*Node, 0, len(list))
	listed := map[int64]bool{}
	for _, n := range list {
		listed[n.Symbol.ID] = true
	}
	text, err := s.Text(ctx, in.Path)
	if err != nil {
		return nil, err
	}
	for _, n := range list {
		out = append(out, n)
		sites := slices.DeleteFunc(slices.Clone(n.Sites), func(c Site) bool { return onSuper(text, int(c.Start)) })
		if n.Through != "" || n.Confidence <= code.Ambiguous || !n.Symbol.Kind.IsFunction() || len(sites) == 0 {
			continue
		}
		below, _, err := refs.Implementers(ctx, s, []view.Symbol{*n.Symbol}, 1)
		if err != nil {
			return nil, err
		}
		for i := range below {
			b := &below[i]
			if listed[b.ID] {
				continue
			}
			listed[b.ID] = true
			file, _ := s.Lookup.Node(b.Path)
			out = append(out, &Node{
				Symbol: &b.Symbol, Path: b.Path, Sites: sites, Confidence: b.Confidence, Through: n.Symbol.Qualified, Test: file.Test,
			})
		}
	}
	return out, nil
}

// onSuper reports whether the name at an offset of a text is called on the base type of the class around it: super.f, super().f,
// super::f, base.f, parent::f.
func onSuper(text []byte, start int) bool {
	if start > len(text) {
		return false
	}
	before := bytes.TrimRight(text[max(0, start-maxSuper):start], " \t\r\n")
	receiver := bytes.TrimSuffix(bytes.TrimSuffix(before, []byte(".")), []byte("::"))
	if len(receiver) == len(before) {
		return false
	}
	receiver = bytes.TrimRight(receiver, " \t\r\n")
	if bytes.HasSuffix(receiver, []byte(")")) {
		receiver = bytes.TrimRight(receiver[:max(0, bytes.LastIndexByte(receiver, '('))], " \t\r\n")
	}
	for _, word := range [...]string{"super", "base", "parent"} {
		rest, ok := bytes.CutSuffix(receiver, []byte(word))
		if ok && !bytes.HasSuffix(rest, []byte(".")) && (len(rest) == 0 || !refs.NameByte(rest[len(rest)-1])) {
			return true
		}
	}
	return false
}

// maxSuper is the number of bytes before a name that are searched for the word super.
const maxSuper = 80
