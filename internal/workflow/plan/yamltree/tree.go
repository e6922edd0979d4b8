// Package yamltree reads the YAML of front matter as a tree that has, for each key and value, the bytes that it occupies in the text. A
// change replaces the bytes of one value (package edit), so that comments, order, quotes and lists stay as they were written.
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

// Node is a value: a scalar, a list, a map or an empty value.
type Node struct {
	Kind  Kind
	Style Style
	Span  edit.Span // the bytes of the value, without the comment after it
	Line  int       // from 1
	Value string    // the text of a scalar, without quotes
	Items []*Node   // the items of a list
	Pairs []*Pair   // the pairs of a map
}

// Pair is a key with its value.
type Pair struct {
	Key   string
	Line  int       // from 1
	Span  edit.Span // the lines of key and value with their endings; in a flow map only the key and the value
	Colon int       // the offset after the colon
	Value *Node
	// indent is the column of the key.
	indent int
}

// Tree is the parsed front matter of a text.
type Tree struct {
	Root     *Node // always a map; if the text is not one, without pairs
	Span     edit.Span
	Problems []edit.Problem
	Broken   []edit.Problem // those of Problems because of which a part is not read
	text     string
}

// Get returns the value at a path of nested keys, or nil. If a key is repeated, its last value counts, as in other programs.
func (t *Tree) Get(path ...string) *Node {
	if t == nil {
		return nil
	}
	n := t.Root
	for _, key := range path {
		p := n.findPair(key)
		if p == nil {
			return nil
		}
		n = p.Value
	}
	return n
}

// Pair returns a key of the outer map with its value, or nil.
func (t *Tree) Pair(key string) *Pair {
	if t == nil {
		return nil
	}
	return t.Root.findPair(key)
}

func (n *Node) findPair(key string) *Pair {
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
	if p := n.findPair(key); p != nil {
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

// Texts returns the scalars of a list. For a single scalar it returns that, because people write both. An item that is a map is
// returned as written, so that "- key: text" is not lost.
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
			list = append(list, strings.TrimSpace(it.Span.Text(t.text)))
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

// JSONValue returns the value in the form of decoded JSON, with all scalars as strings. A key without a value has nil.
func (n *Node) JSONValue() any {
	switch n.Kind {
	case Scalar:
		return n.Value
	case List:
		list := make([]any, len(n.Items))
		for i, it := range n.Items {
			list[i] = it.JSONValue()
		}
		return list
	case Map:
		m := make(map[string]any, len(n.Pairs))
		for _, p := range n.Pairs {
			m[p.Key] = p.Value.JSONValue()
		}
		return m
	}
	return nil
}
