package extract

import (
	"slices"
	"sort"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
)

// symbolsOnly is the common part of the readers that extract declarations and imports
// but no references.
type symbolsOnly struct {
	*file
	docs docStyle
	seen map[ownedName]bool
}

// ownedName is a name that the symbol owner declares; owner is -1 at the top level.
type ownedName struct {
	owner int32
	name  string
}

// docStyle tells which comments of a language are documentation, and how to get their
// text.
type docStyle struct {
	// accept reports whether a comment is documentation; nil takes every comment.
	accept func(comment string) bool
	// marks are the characters to remove at the beginning of each line of a comment.
	marks string
	// open and close begin and end a block comment.
	open, close string
}

func (d *docStyle) accepts(comment string) bool { return d.accept == nil || d.accept(comment) }

func newSymbolsOnly(f *file, docs docStyle) *symbolsOnly {
	return &symbolsOnly{file: f, docs: docs, seen: map[ownedName]bool{}}
}

// add declares node decl under the given name, inside the enclosing symbol. The
// signature ends at offset until. It returns -1 for an empty name.
func (s *symbolsOnly) add(name, decl node, until uint32, sym code.Symbol) int32 {
	if sym.Name == "" {
		sym.Name = s.str(name)
	}
	if sym.Name == "" {
		return -1
	}
	if sym.Span == (code.Span{}) {
		sym.Span = s.span(decl)
	}
	sym.NameStart = s.start(name)
	sym.Signature = s.signature(s.start(decl), until)
	if sym.Doc == "" {
		sym.Doc = s.doc(s.start(decl))
	}
	return s.declare(sym)
}

// isFirst records that the enclosing symbol declares name, and reports whether it did
// not before: a second assignment declares nothing.
func (s *symbolsOnly) isFirst(name string) bool {
	k := ownedName{s.owner, name}
	if s.seen[k] {
		return false
	}
	s.seen[k] = true
	return true
}

// inside runs f with sym as the enclosing symbol. If sym is -1, the enclosing symbol stays.
func (s *symbolsOnly) inside(sym int32, f func()) {
	if sym < 0 {
		sym = s.owner
	}
	before := s.enter(sym)
	f()
	s.leave(before)
}

// imports adds an import that is at the node at.
func (s *symbolsOnly) imports(imp code.Import, at node) {
	if imp.Spec == "" {
		return
	}
	imp.Line = s.line(at)
	s.facts.Imports = append(s.facts.Imports, imp)
}

// doc returns the text of the comments directly above offset start that have lines of their
// own. If the last is a block comment, it is taken alone.
func (s *symbolsOnly) doc(start uint32) string {
	last := sort.Search(len(s.comments), func(i int) bool { return s.start(s.comments[i]) >= start })
	var list []node
	for at := start; last > 0 && len(list) < docComments; last-- {
		c := s.comments[last-1]
		text := s.str(c)
		if !s.endsBefore(c, at) || !s.ownLine(c) || !s.docs.accepts(text) {
			break
		}
		block := s.docs.open != "" && strings.HasPrefix(text, s.docs.open)
		if block && len(list) > 0 {
			break
		}
		list = append(list, c)
		if block {
			break
		}
		at = s.start(c)
	}
	slices.Reverse(list)
	return s.docs.text(s.file, list)
}

// docBelow returns the text of the comment that follows offset end on the same line or
// directly below.
func (s *symbolsOnly) docBelow(end uint32) string {
	i := sort.Search(len(s.comments), func(i int) bool { return s.start(s.comments[i]) >= end })
	if i == len(s.comments) {
		return ""
	}
	c := s.comments[i]
	if !lexical.IsGap(s.text[end:s.start(c)], false) || !s.docs.accepts(s.str(c)) {
		return ""
	}
	return s.docs.text(s.file, s.comments[i:i+1])
}

// text returns the text of comments without their marks, cut at MaxDoc.
func (d *docStyle) text(f *file, list []node) string {
	var b strings.Builder
	for _, c := range list {
		if b.Len() > 2*code.MaxDoc {
			break
		}
		text := lexical.Cut(f.str(c), 8*code.MaxDoc)
		if d.open != "" && strings.HasPrefix(text, d.open) {
			text = strings.TrimSuffix(strings.TrimSpace(text[len(d.open):]), d.close)
		}
		for line := range strings.Lines(strings.TrimRight(text, "\r\n")) {
			line = strings.TrimRight(line, " \t\r\n")
			if trimmed := strings.TrimLeft(line, " \t"); strings.IndexAny(trimmed, d.marks) == 0 || b.Len() == 0 {
				line = strings.TrimLeft(trimmed, d.marks)
			}
			b.WriteString(strings.TrimPrefix(line, " "))
			b.WriteByte('\n')
		}
	}
	return lexical.Cut(strings.ToValidUTF8(strings.TrimSpace(b.String()), "\uFFFD"), code.MaxDoc)
}

// fileDoc returns the text of the first comment for which is returns true, with such
// comments directly after it. Other comments before it are skipped, up to the first that
// begins after byte 4096 and after anything but white space.
func (s *symbolsOnly) fileDoc(is func(comment string) bool) string {
	var list []node
	for _, c := range s.comments {
		if len(list) == 0 {
			if is(s.str(c)) {
				list = append(list, c)
			} else if s.start(c) > 4096 && strings.TrimSpace(s.text[:s.start(c)]) != "" {
				return ""
			}
			continue
		}
		gap := s.text[s.end(list[len(list)-1]):s.start(c)]
		if !is(s.str(c)) || !lexical.IsGap(gap, false) || len(list) == docComments {
			break
		}
		list = append(list, c)
	}
	return s.docs.text(s.file, list)
}

// paramText returns a parameter with its text as the name.
func (s *symbolsOnly) paramText(n node) code.Param {
	return code.Param{Name: s.signature(s.start(n), s.end(n))}
}
