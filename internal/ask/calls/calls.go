// Package calls builds trees of callers and callees. callers.go and callees.go find one step; this file combines the steps. A call of
// a member that others override or implement is also listed for those, with the member that the call names. Its neighbour ask/refs
// finds and resolves the references.
package calls

import (
	"context"
	"slices"

	"ken/internal/code"
	"ken/internal/engine/view"
)

// maxNodes is the number of nodes of the largest tree.
const maxNodes = 5000

// Node is a symbol in a tree of calls, or a file with a call outside of any symbol.
type Node struct {
	Symbol *view.Symbol // nil for a file
	Path   string
	// Sites are the calls between a node and the one above it, by line. They are in
	// the caller's file: the node's file in a tree of callers, the file of the node
	// above in a tree of callees.
	Sites []Site
	// Confidence is the confidence of the surest call.
	Confidence code.Confidence
	// Through is the qualified name of the called member, if the node in a tree of
	// callees, or the one above it in a tree of callers, overrides or implements it.
	Through string
	// Elsewhere is set if the node's own callers or callees are listed at another node
	// of the same symbol. Open is set if they were not looked up: the depth is reached,
	// or the call is only a possible one.
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

// Tree is the callers, or the callees, of some symbols over one or more steps.
type Tree struct {
	Roots []*Node // the targets
	Nodes int     // without the roots
	Cut   bool    // nodes beyond maxNodes were left out
}

// stepper finds the direct callers, or callees, of a symbol, in the order of output.
type stepper func(context.Context, *view.Snapshot, *view.Symbol) ([]*Node, error)

// Callers returns the tree of callers of targets. depth is the number of steps, at least 1. It returns an error if the index
// cannot be read or ctx ends.
func Callers(ctx context.Context, s *view.Snapshot, targets []view.Symbol, depth int) (Tree, error) {
	return walk(ctx, s, targets, depth, directCallers)
}

// Callees returns the tree of symbols that targets call. depth is the number of steps, at least 1. It returns an error if the index
// or a file cannot be read or ctx ends.
func Callees(ctx context.Context, s *view.Snapshot, targets []view.Symbol, depth int) (Tree, error) {
	return walk(ctx, s, targets, depth, directCallees)
}

// walk builds a tree level by level, so that each symbol is expanded where it is nearest to a root. It lists calls that are only
// possible but does not expand them, because through a common name everything can be reached.
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
			below = append(below, nodesToExpand(next, met, d+1 == depth)...)
		}
		level = below
	}
	return tree, s.Lookup.Err
}

// nodesToExpand returns the nodes in list whose own callers or callees are looked up next, and marks the others. met holds the symbols
// that were expanded before, and last is set on the last level.
func nodesToExpand(list []*Node, met map[int64]bool, last bool) []*Node {
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

// MayCall reports whether a reference of a kind can be a call of a symbol. A function that is passed on as a value may be called
// there; a type that is only named is not.
func MayCall(kind code.RefKind, sym *view.Symbol) bool {
	switch kind {
	case code.RefCall:
		return true
	case code.RefDecorate, code.RefUse:
		return sym.Kind.IsFunction()
	}
	return false
}

// nodeSet collects nodes in their order, one for each symbol or file.
type nodeSet struct {
	list []*Node
	at   map[nodeKey]*Node
}

// nodeKey identifies a node: a symbol, or a file if the call is outside of symbols.
type nodeKey struct {
	symbol  int64
	path    string
	through string
}

// node returns the node of a key. made creates it if there is none yet.
func (g *nodeSet) node(k nodeKey, made func() (*Node, error)) (*Node, error) {
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

// add records a call at a node, unless it is recorded already.
func (n *Node) add(r *view.Reference) {
	n.Confidence = max(n.Confidence, r.Confidence)
	site := Site{r.Line, r.Start, r.End, r.Kind}
	if !slices.Contains(n.Sites, site) {
		n.Sites = append(n.Sites, site)
	}
}
