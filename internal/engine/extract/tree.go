package extract

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
)

// node is the index of a syntax node in its tree. Index 0 is an empty node that means
// "none": it has no kind, text, parent or children, so that chains of accessors need no
// checks.
type node uint32

const (
	none node = 0
	root node = 1
)

// tree is the syntax tree of a file, stored as a list of nodes in pre-order: the
// descendants of n are the nodes after it up to after(n). A walk that needs no
// context is therefore a loop.
type tree struct {
	nodes []rawNode
	text  string // the file's source; all facts share it
	g     *grammar
	// comments are the comment nodes in source order.
	comments []node
	noted    []node   // nodes of the spec's noted kinds , in source order
	lines    []uint32 // offset of each line's first byte, made on first use
	// damage are the outermost ERROR nodes and the places of MISSING ones, in source order.
	damage []byteRange
	// read has the nodes whose text was asked for; it is nil unless there is damage.
	read []bool
	// parsed is the source as the grammar saw it, in which repairs and masks may have blanked parts of text.
	parsed []byte
}

// buffers is memory that one tree after the other uses.
type buffers struct {
	comments []node
	noted    []node
	lines    []uint32
}

// buffers returns the memory of t that another tree can use later.
func (t *tree) buffers() buffers { return buffers{t.comments, t.noted, t.lines} }

func (t *tree) kind(n node) kind       { return t.nodes[n].kind }
func (t *tree) start(n node) uint32    { return t.nodes[n].start }
func (t *tree) end(n node) uint32      { return t.nodes[n].end }
func (t *tree) line(n node) uint32     { return t.nodes[n].row + 1 }
func (t *tree) parent(n node) node     { return node(t.nodes[n].parent) }
func (t *tree) after(n node) node      { return node(t.nodes[n].next) }
func (t *tree) nodeField(n node) field { return t.nodes[n].field }
func (t *tree) isNamed(n node) bool    { return t.nodes[n].flags&flagNamed != 0 }
func (t *tree) isError(n node) bool    { return t.nodes[n].flags&flagError != 0 }
func (t *tree) isExtra(n node) bool    { return t.nodes[n].flags&flagExtra != 0 }

// str returns the text of n. It notes that n was read if the tree has errors.
func (t *tree) str(n node) string {
	if t.read != nil {
		t.read[n] = true
	}
	return t.text[t.nodes[n].start:t.nodes[n].end]
}

// first returns n's first child, or none.
func (t *tree) first(n node) node {
	if c := n + 1; uint32(c) < t.nodes[n].next {
		return c
	}
	return none
}

// sibling returns the next node with the same parent as n, or none.
func (t *tree) sibling(n node) node {
	next := t.nodes[n].next
	if n != none && next < t.nodes[t.nodes[n].parent].next {
		return node(next)
	}
	return none
}

// firstNamed returns n's first child that is neither anonymous, such as a
// keyword, nor a comment. nextNamed returns the next such sibling.
func (t *tree) firstNamed(n node) node { return t.skipUnnamed(t.first(n)) }
func (t *tree) nextNamed(n node) node  { return t.skipUnnamed(t.sibling(n)) }

func (t *tree) skipUnnamed(c node) node {
	for c != none && t.nodes[c].flags&(flagNamed|flagExtra) != flagNamed {
		c = t.sibling(c)
	}
	return c
}

// child returns n's first child in field f, or none.
func (t *tree) child(n node, f field) node {
	for c := t.first(n); c != none; c = t.sibling(c) {
		if t.nodes[c].field == f {
			return c
		}
	}
	return none
}

// childKind returns n's first child of kind k, or none.
func (t *tree) childKind(n node, k kind) node {
	for c := t.first(n); c != none; c = t.sibling(c) {
		if t.nodes[c].kind == k {
			return c
		}
	}
	return none
}

// has reports whether n has a child of kind k.
func (t *tree) has(n node, k kind) bool { return t.childKind(n, k) != none }

// fieldStr returns the text of n's child in field f, or "" if there is none.
func (t *tree) fieldStr(n node, f field) string {
	if c := t.child(n, f); c != none {
		return t.str(c)
	}
	return ""
}

// span returns the position of n in the file.
func (t *tree) span(n node) code.Span {
	r := &t.nodes[n]
	return t.spanBetween(r.start, r.end)
}

// spanBetween returns the span of bytes [start, end).
func (t *tree) spanBetween(start, end uint32) code.Span {
	return code.Span{Start: start, End: end, Line: t.lineAt(start), EndLine: t.lineAt(max(end, start+1) - 1)}
}

// lineAt returns the 1-based line of the byte at off.
func (t *tree) lineAt(off uint32) uint32 {
	if len(t.lines) == 0 {
		t.lines = lexical.AppendLines(t.lines, t.text)
	}
	return lexical.Line(t.lines, off)
}

// setRows computes the rows of all nodes from the text, because the line breaks of
// repaired source may be elsewhere. Nodes come in the order of their starts.
func (t *tree) setRows() {
	row, at := uint32(0), uint32(0)
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.start > at && int(n.start) <= len(t.text) {
			row += uint32(strings.Count(t.text[at:n.start], "\n"))
			at = n.start
		}
		n.row = row
	}
}

// survey visits every node once. It lists the comments and the damage, and counts the branches and the
// bytes under outermost ERROR nodes. A MISSING node has no bytes and counts as one,
// unless its token is optional.
func (t *tree) survey() (errorBytes, branches uint32) {
	covered := node(0)
	for i := range t.nodes {
		r := &t.nodes[i]
		if roles := t.g.roles[r.kind]; roles != 0 {
			if roles&roleComment != 0 {
				t.comments = append(t.comments, node(i))
			}
			if roles&roleNoted != 0 {
				t.noted = append(t.noted, node(i))
			}
			if roles&roleBranch != 0 {
				branches++
			}
		}
		isGap := r.flags&flagMissing != 0 && t.g.roles[r.kind]&roleOptional != 0
		if r.flags&(flagError|flagMissing) == 0 || node(i) < covered || isGap {
			continue
		}
		covered = node(r.next)
		errorBytes += max(r.end-r.start, 1)
		t.damage = append(t.damage, byteRange{r.start, r.end})
	}
	return errorBytes, branches
}
