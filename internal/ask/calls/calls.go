// Package calls answers who calls a symbol and what it calls, as a tree of some
// depth. callers.go and callees.go find one step; the walk here puts them together.
// A call of a member that others override or implement is listed for those too,
// with the member it goes through. Its neighbour is ask/refs, which finds and binds
// the references.
package calls

import (
	"context"
	"slices"

	"ken/internal/code"
	"ken/internal/engine/view"
)

// maxNodes bounds how many nodes a tree has.
const maxNodes = 5000

// Node is a symbol in a tree of calls, or a file where a call is outside any symbol.
type Node struct {
	Symbol *view.Symbol // nil for a file
	Path   string
	// Sites are the calls between a node and the one above it, by line. They are in
	// the caller's file: the node's in a tree of callers, that of the node above in
	// one of callees.
	Sites []Site
	// Confidence is that of its surest call.
	Confidence code.Confidence
	// Through is the qualified name of the member that is called, where the node in
	// a tree of callees, or the one above it in one of callers, overrides or
	// implements it.
	Through string
	// Elsewhere is set if what follows is listed at another node of the same symbol,
	// and Open if it was not followed: at the bound of depth, or because the call is
	// only a possible one.
	Elsewhere, Open bool
	Test            bool // the file holds tests
	Next            []*Node
}

// Site is one call.
type Site struct {
	Line       uint32
	Start, End uint32 // bytes of the name
	Kind       code.RefKind
}

// Tree is the answer.
type Tree struct {
	Roots []*Node // the targets
	Nodes int     // without the roots
	Cut   bool    // maxNodes was met
}

// stepper finds the nodes one step from a symbol, in the order they are listed.
type stepper func(context.Context, *view.Snapshot, *view.Symbol) ([]*Node, error)

// Callers is the tree of what calls targets, to a depth of at least 1.
func Callers(ctx context.Context, s *view.Snapshot, targets []view.Symbol, depth int) (Tree, error) {
	return walk(ctx, s, targets, depth, callersOf)
}

// Callees is the tree of what targets call, to a depth of at least 1.
func Callees(ctx context.Context, s *view.Snapshot, targets []view.Symbol, depth int) (Tree, error) {
	return walk(ctx, s, targets, depth, calleesOf)
}

// walk goes level by level, so that each symbol is followed where it is nearest
// to a root. Calls that are only possible are listed but not followed: through a
// name that many declarations have everything can be reached.
func walk(ctx context.Context, s *view.Snapshot, targets []view.Symbol, depth int, step stepper) (Tree, error) {
	var tree Tree
	met := map[int64]bool{}
	var level []*Node
	for i := range targets {
		n := &Node{Symbol: &targets[i], Path: targets[i].Path, Confidence: code.Exact}
		met[targets[i].ID] = true
		tree.Roots = append(tree.Roots, n)
		level = append(level, n)
	}
	for d := 0; d < depth && len(level) > 0; d++ {
		var below []*Node
		for _, n := range level {
			if err := ctx.Err(); err != nil {
				return tree, err
			}
			next, err := step(ctx, s, n.Symbol)
			if err != nil {
				return tree, err
			}
			if rest := maxNodes - tree.Nodes; len(next) > rest {
				next, tree.Cut = next[:rest], true
			}
			n.Next = next
			tree.Nodes += len(next)
			below = append(below, follow(next, met, d+1 == depth)...)
		}
		level = below
	}
	return tree, s.Lookup.Err
}

// follow picks the nodes whose own step is taken next, and marks the others.
func follow(list []*Node, met map[int64]bool, last bool) []*Node {
	var out []*Node
	for _, n := range list {
		switch {
		case n.Symbol == nil: // nothing calls a file
		case met[n.Symbol.ID]:
			n.Elsewhere = true
		case last || n.Confidence <= code.Ambiguous:
			n.Open = true
		default:
			met[n.Symbol.ID] = true
			out = append(out, n)
		}
	}
	return out
}

// calling reports whether a reference of a kind can be a call of a symbol: a
// function that is passed on as a value may be called there, a type that is named
// is not.
func calling(kind code.RefKind, sym *view.Symbol) bool {
	switch kind {
	case code.RefCall:
		return true
	case code.RefDecorate, code.RefUse:
		return sym.Kind.IsFunction()
	}
	return false
}

// gathered are nodes under the symbol or file they are for, in the order they came.
type gathered struct {
	list []*Node
	at   map[nodeKey]*Node
}

// nodeKey is a symbol, or a file outside of symbols.
type nodeKey struct {
	symbol  int64
	path    string
	through string
}

// node is the node under a key, a new one if there is none yet.
func (g *gathered) node(k nodeKey, made func() (*Node, error)) (*Node, error) {
	if n := g.at[k]; n != nil {
		return n, nil
	}
	n, err := made()
	if err != nil {
		return nil, err
	}
	if g.at == nil {
		g.at = map[nodeKey]*Node{}
	}
	g.at[k] = n
	g.list = append(g.list, n)
	return n, nil
}

// add notes a call of a node, once.
func (n *Node) add(r *view.Reference) {
	n.Confidence = max(n.Confidence, r.Confidence)
	site := Site{r.Line, r.Start, r.End, r.Kind}
	if !slices.Contains(n.Sites, site) {
		n.Sites = append(n.Sites, site)
	}
}
