package extract

import (
	"slices"
	"sort"
	"strings"
)

// doc is the comment above a declaration: above what a `private` in front of it
// begins, above a Sorbet signature.
func (r *ruby) doc(n node) string {
	start := r.start(n)
	for p := r.parent(n); (r.kind(p) == rbArgumentList || r.kind(p) == rbCall) && r.line(p) == r.line(n); p = r.parent(p) {
		start = min(start, r.start(p))
	}
	if s := r.sig; s.End > 0 && s.End <= start && start-s.End < 256 && isGap(r.text[s.End:start], false) {
		start = s.Start
	}
	return r.commentsAbove(start, isRubyDirective)
}

// commentsAbove is the text of the line comments above offset start that have
// their lines for themselves, with no empty line in between. Comments that skip
// accepts are left out. A block comment (=begin) is taken alone.
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
			s := strings.TrimPrefix(cut(t.str(c), 8*1024), "=begin")
			return cleanDoc(strings.TrimSuffix(strings.TrimSpace(s), "=end"))
		}
		if !skip(t.str(c)) {
			list = append(list, c)
		}
	}
	slices.Reverse(list)
	return t.docText(list)
}

// ownLine reports whether nothing but white space stands before c on its line.
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

// isRubyDirective reports whether a comment speaks to a tool.
func isRubyDirective(c string) bool {
	if strings.HasPrefix(c, "#!") {
		return true
	}
	c = strings.TrimLeft(c, "# \t")
	for _, p := range [...]string{"frozen_string_literal:", "encoding:", "coding:", "-*-", "typed:", "rubocop:", "warn_indent:", "shareable_constant_value:", "vim:"} {
		if strings.HasPrefix(c, p) {
			return true
		}
	}
	return false
}
