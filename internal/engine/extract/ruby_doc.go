package extract

import (
	"slices"
	"sort"
	"strings"

	"ken/internal/engine/extract/lexical"
)

// doc returns the comment above a declaration. If `private` or a Sorbet type signature is
// in front of the declaration, the comment is above that.
func (r *ruby) doc(n node) string {
	start := r.start(n)
	for p := r.parent(n); r.isCallPart(p) && r.line(p) == r.line(n); p = r.parent(p) {
		start = min(start, r.start(p))
	}
	if r.followsSig(start) {
		start = r.sig.Start
	}
	return r.commentsAbove(start, isRubyDirective)
}

// typeDoc returns the comment above a class or module within another, where an empty line may come between.
func (r *ruby) typeDoc(n node) string {
	start := r.start(n)
	last := sort.Search(len(r.comments), func(i int) bool { return r.start(r.comments[i]) >= start }) - 1
	if doc := r.doc(n); doc != "" || last < 0 || r.class.qualified == "" {
		return doc
	}
	end := r.end(r.comments[last])
	if gap := r.text[end:start]; strings.TrimSpace(gap) != "" || strings.Count(gap, "\n") > 2 {
		return ""
	}
	return r.commentsAbove(end, isRubyDirective)
}

// followsSig reports whether only white space separates start from the last Sorbet
// type signature.
func (r *ruby) followsSig(start uint32) bool {
	end := r.sig.End
	if end == 0 || end > start || start-end >= 256 {
		return false
	}
	return lexical.IsGap(r.text[end:start], false)
}

// isCallPart reports whether n is a call or its arguments.
func (r *ruby) isCallPart(n node) bool {
	switch r.kind(n) {
	case rbArgumentList, rbCall:
		return true
	}
	return false
}

// commentsAbove returns the text of the line comments above offset start that are alone on
// their lines, with no empty line in between. Comments that skip accepts are left out.
// A block comment (=begin) is taken alone.
func (t *tree) commentsAbove(start uint32, skip func(comment string) bool) string {
	last := sort.Search(len(t.comments), func(i int) bool { return t.start(t.comments[i]) >= start })
	var list []node
	for at := start; last > 0 && len(list) < docComments; last-- {
		c := t.comments[last-1]
		if !t.endsBefore(c, at) || !t.ownLine(c) {
			break
		}
		at = t.start(c)
		if strings.HasPrefix(t.str(c), "=begin") {
			if len(list) > 0 {
				break
			}
			s := strings.TrimPrefix(lexical.Cut(t.str(c), 8*1024), "=begin")
			return lexical.CleanDoc(strings.TrimSuffix(strings.TrimSpace(s), "=end"))
		}
		if !skip(t.str(c)) {
			list = append(list, c)
		}
	}
	slices.Reverse(list)
	return t.docText(list)
}

// ownLine reports whether only white space precedes c on its line.
func (t *tree) ownLine(c node) bool {
	for i := int(t.start(c)) - 1; i >= 0; i-- {
		switch t.text[i] {
		case '\n':
			return true
		case ' ', '\t', '\r':
		default:
			return false
		}
	}
	return true
}

// isRubyDirective reports whether a comment is an instruction to a tool.
func isRubyDirective(c string) bool {
	if strings.HasPrefix(c, "#!") {
		return true
	}
	c = strings.TrimLeft(c, "# \t")
	for _, p := range [...]string{
		"frozen_string_literal:", "encoding:", "coding:", "-*-", "typed:", "rubocop:", "warn_indent:", "shareable_constant_value:", "vim:",
	} {
		if strings.HasPrefix(c, p) {
			return true
		}
	}
	return false
}
