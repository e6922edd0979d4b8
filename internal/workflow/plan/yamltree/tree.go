// Package yamltree reads the YAML of front matter as a concrete tree: each key and value with its bytes in the text around it. A change
// replaces the bytes of one value (package edit), so that comments, order, quotes and lists stay as they were written.
//
// It reads the part of YAML that planning files use: maps, lists, flow forms, quoted and plain scalars over one or more lines, block
// scalars and comments. All values are text, never numbers or dates, because a value must be written back as it was read. Text that it
// cannot read becomes a problem with a line and stays as it is; reading goes on after it.
package yamltree

import (
	"strings"

	"ken/internal/workflow/plan/edit"
)

// Kind is the kind of a value.
type Kind uint8

// The kinds of values.
const (
	Empty Kind = iota // a key without a value
	Scalar
	List
	Map
)

// Style is the notation of a value.
type Style uint8

// The styles of values.
const (
	Plain        Style = iota
	Single             // 'text'
	Double             // "text"
	Literal            // | or > and lines below
	Flow               // [a, b] or {a: b}
	Block              // a list or map over lines
	Unreadable         // kept as it is
	PlainOnLines       // a plain scalar that goes on in the next lines
)

// Node is a value.
type Node struct {
	Kind  Kind
	Style Style
	Span  edit.Span // of the value, without the comment after it
	Line  int       // from 1
	Value string    // of a scalar, without quotes
	Items []*Node   // of a list
	Pairs []*Pair   // of a map
}

// Pair is a key with its value.
type Pair struct {
	Key   string
	Line  int       // from 1
	Span  edit.Span // the lines of key and value, endings included; in a flow map key and value alone
	Colon int       // the offset after the colon
	Value *Node
	// indent is the column of the key.
	indent int
}

// Tree is a block of front matter.
type Tree struct {
	Root     *Node // a map; without pairs if the text is not one
	Span     edit.Span
	Problems []edit.Problem
	text     string
}

// Get returns the value at a path of keys, or nil. Of a repeated key it returns the last, as all readers do.
func (t *Tree) Get(path ...string) *Node {
	if t == nil {
		return nil
	}
	n := t.Root
	for _, key := range path {
		p := n.pair(key)
		if p == nil {
			return nil
		}
		n = p.Value
	}
	return n
}

// Pair returns the pair of a key in the outer map, or nil.
func (t *Tree) Pair(key string) *Pair {
	if t == nil {
		return nil
	}
	return t.Root.pair(key)
}

func (n *Node) pair(key string) *Pair {
	if n == nil {
		return nil
	}
	for i := len(n.Pairs) - 1; i >= 0; i-- {
		if n.Pairs[i].Key == key {
			return n.Pairs[i]
		}
	}
	return nil
}

// Get returns the value of a key of a map, or nil.
func (n *Node) Get(key string) *Node {
	if p := n.pair(key); p != nil {
		return p.Value
	}
	return nil
}

// Text returns the text of a scalar, and "" for any other value.
func (n *Node) Text() string {
	if n == nil || n.Kind != Scalar {
		return ""
	}
	return n.Value
}

// Texts returns the scalars of a list. A single scalar counts as a list of one, because people write both; an item that is a map is
// returned as source, so that "- key: text" is not lost.
func (t *Tree) Texts(n *Node) []string {
	switch {
	case n == nil || n.Kind == Empty:
		return nil
	case n.Kind == Scalar:
		return []string{n.Value}
	}
	var list []string
	for _, it := range n.Items {
		if it.Kind == Scalar {
			list = append(list, it.Value)
		} else if it.Kind != Empty {
			list = append(list, strings.TrimSpace(it.Span.In(t.text)))
		}
	}
	return list
}

// Walk calls f for every value, the outer map first.
func (t *Tree) Walk(f func(*Node)) {
	stack := []*Node{t.Root}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		f(n)
		stack = append(stack, n.Items...)
		for _, p := range n.Pairs {
			stack = append(stack, p.Value)
		}
	}
}

// Any returns a value as encoding/json has it, all scalars as texts. A key without a value is nil.
func (n *Node) Any() any {
	switch n.Kind {
	case Scalar:
		return n.Value
	case List:
		list := make([]any, len(n.Items))
		for i, it := range n.Items {
			list[i] = it.Any()
		}
		return list
	case Map:
		m := make(map[string]any, len(n.Pairs))
		for _, p := range n.Pairs {
			m[p.Key] = p.Value.Any()
		}
		return m
	}
	return nil
}
