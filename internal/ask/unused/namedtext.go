package unused

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"ken/internal/ask/refs"
	"ken/internal/engine/source"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// namedText is a text that is searched for a target.
type namedText struct {
	view.FileText
	row    *lang.Info
	family string
	// placed are the offsets at which the index has the name, nil if the file was parsed
	// whole.
	placed     map[uint32]bool
	reflective int // 0: not looked, 1: it finds members by name, 2: it does not
	blocks     blockMarks
}

// isLost reports whether the index has nothing at the name at byte i of a file that was parsed in part.
func (t *namedText) isLost(i int) bool { return t.placed != nil && !t.placed[uint32(i)] }

// nameOffsets yields the offsets at which a text has a name as a whole word.
func nameOffsets(text []byte, name string) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for at := 0; ; {
			i := bytes.Index(text[at:], []byte(name))
			if i < 0 {
				return
			}
			i += at
			at = i + len(name)
			isPart := i > 0 && refs.NameByte(text[i-1]) || at < len(text) && refs.NameByte(text[at])
			if !isPart && !yield(i) {
				return
			}
		}
	}
}

// isHidden reports whether a path is of the settings of a tool, such as those of a service that runs builds.
func isHidden(p string) bool { return strings.HasPrefix(p, ".") || strings.Contains(p, "/.") }

// quotes returns the marks around strings in a text. In most languages a name between
// backquotes is prose in a string.
func (t *namedText) quotes() string {
	if slices.Contains(t.row.Strings.Long, "`") {
		return "\"'`"
	}
	return `"'`
}

// isTemplated reports whether the text of a line before a name ends in an action of a template, which may be in a string.
func isTemplated(before []byte) bool {
	return slices.ContainsFunc(templateMarks, func(m [2]string) bool {
		open := bytes.LastIndex(before, []byte(m[0]))
		if open < 0 || bytes.Contains(before[open:], []byte(m[1])) {
			return false
		}
		inside := before[open+len(m[0]):]
		return m[0] != "<%" || len(inside) == 0 || !refs.NameByte(inside[0]) // "<%s>" is a format
	})
}

// isListed reports whether the text before a name ends inside of a list of words.
func isListed(before []byte) bool {
	at := wordList().FindAllIndex(before, -1)
	return len(at) > 0 && !bytes.ContainsAny(before[at[len(at)-1][1]:], `])}>|`)
}

// isWhole reports whether the string from one byte of a line to another is an argument by itself, with nothing to be put into it.
func isWhole(line []byte, from, to int) bool {
	before, after := bytes.TrimRight(line[:from], " "), bytes.TrimLeft(line[to:], " ")
	if len(before) == 0 || len(after) == 0 || bytes.ContainsAny(line[from:to], "%{$#`*") {
		return false
	}
	return strings.IndexByte("([,", before[len(before)-1]) >= 0 && strings.IndexByte(")],", after[0]) >= 0
}

// isPathByte reports whether a byte can be before a name in the name of something it belongs to.
func isPathByte(c byte) bool { return refs.NameByte(c) || strings.IndexByte(`.:#\@/->`, c) >= 0 }

// isCommented reports whether byte i of a text is in a comment, as far as its line and the
// block before it show.
func isCommented(t *namedText, i int) bool {
	line := bytes.TrimLeft(t.Text[lineStart(t.Text, i):i], " \t")
	if !t.row.IsKnown() {
		return source.IsComment(line)
	}
	for _, mark := range t.row.Line {
		k := bytes.Index(line, []byte(" "+mark))
		if bytes.HasPrefix(line, []byte(mark)) || k >= 0 && !isQuoted(line, k) {
			return true
		}
	}
	return t.row.Block[0] != "" && t.blocks.isOpen(t.Text, t.row.Block, i)
}

// blockMarks are the last marks of block comments before a byte of a text. They are kept from one name to the next, because a search
// from each name back to the beginning would be quadratic.
type blockMarks struct {
	at            int // the text is searched up to it
	opens, closes int // 1 behind the offsets of the marks, 0 if there is none
}

// isOpen reports whether a comment is open at byte i of a text. A mark in a string opens none.
func (b *blockMarks) isOpen(text []byte, marks [2]string, i int) bool {
	if i < b.at {
		*b = blockMarks{}
	}
	last := func(mark string, known int, skip func(text []byte, i int) bool) int {
		from := max(0, b.at-len(mark)+1)
		for end := i; ; {
			k := bytes.LastIndex(text[from:end], []byte(mark))
			if k < 0 {
				return known
			}
			if !skip(text, from+k) {
				return from + k + 1
			}
			end = from + k
		}
	}
	b.opens = last(marks[0], b.opens, isQuoted)
	b.closes = last(marks[1], b.closes, func([]byte, int) bool { return false })
	b.at = i
	return b.opens > b.closes
}

// isQuoted reports whether byte i of a text may be in a string that began on its line. In a line with an apostrophe it may be wrong: a
// comment is then taken for code, in which more is in doubt.
func isQuoted(text []byte, i int) bool {
	before := text[lineStart(text, i):i]
	for _, quote := range []string{`"`, "'", "`"} {
		if bytes.Count(before, []byte(quote))%2 == 1 {
			return true
		}
	}
	return false
}

func lineStart(text []byte, i int) int { return bytes.LastIndexByte(text[:i], '\n') + 1 }

func lineEnd(text []byte, i int) int {
	if k := bytes.IndexByte(text[i:], '\n'); k >= 0 {
		return i + k
	}
	return len(text)
}

// lineText returns the line around byte i, or a part of it if it is long.
func lineText(text []byte, i int) string {
	from, to := lineStart(text, i), lineEnd(text, i)
	if to-from > maxLineText {
		from, to = max(from, i-maxLineText/2), min(to, i+maxLineText/2)
	}
	return strings.ToValidUTF8(strings.TrimSpace(string(text[from:to])), "")
}

func isNameRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// wordList matches the beginning of a list of words in Ruby.
var wordList = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`%[iIwW][\[({<|]`) })

// templateMarks open and close the actions of templates.
var templateMarks = [][2]string{{"{{", "}}"}, {"<%", "%>"}, {"{%", "%}"}}

// maxLineText is the number of bytes of a line that are shown.
const maxLineText = 160
