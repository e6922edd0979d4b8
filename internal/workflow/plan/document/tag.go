package document

import (
	"slices"
	"strings"

	"ken/internal/workflow/plan/edit"
)

// Tag is a block between <name …> and </name>, on one line or many.
type Tag struct {
	Name   string // in lower case
	Attrs  []Attr
	Line   int
	Span   edit.Span // with the opening and the closing tag
	Inner  edit.Span // between the two tags
	Parent int       // the index of the enclosing block, or -1
}

// Attr is an attribute name="value" of a tag. An attribute without a value has the value "".
type Attr struct{ Name, Value string }

// Attr returns the value of the attribute with this name, or "".
func (t Tag) Attr(name string) string {
	for _, a := range t.Attrs {
		if strings.EqualFold(a.Name, name) {
			return a.Value
		}
	}
	return ""
}

// maxTagDepth is the maximal depth of nested blocks. A deeper block is read as text of the block that contains it.
const maxTagDepth = 64

// tagReader pairs closing tags with opening ones. An opening tag without a closing one is text: <T> in a sentence begins no block.
type tagReader struct {
	d     *Document
	tags  []Tag
	open  []int // indexes of tags that are open
	count map[string]int
}

// Tags returns the blocks in a range of lines, in the order in which they begin.
func (d *Document) Tags(r Range) []Tag {
	t := &tagReader{d: d, count: map[string]int{}}
	for i := r.From; i < r.To; i++ {
		if d.kinds[i] == Text {
			t.readLine(i)
		}
	}
	return t.dropUnclosed()
}

func (t *tagReader) readLine(line int) {
	s := t.d.Span(line)
	text := s.Text(t.d.text)
	spans := &codeSpans{text: text}
	for i := 0; i < len(text); {
		switch text[i] {
		case '`':
			i = spans.skipCode(i)
		case '<':
			i = t.readTag(line, s.Start, text, i)
		default:
			next := strings.IndexAny(text[i:], "`<")
			if next < 0 {
				return
			}
			i += next
		}
	}
}

// readTag reads the tag at index i of a line's text, which begins at offset base of the document. It returns the index after the tag.
func (t *tagReader) readTag(line, base int, text string, i int) int {
	closing := strings.HasPrefix(text[i:], "</")
	at := i + 1
	if closing {
		at++
	}
	end := at
	for end < len(text) && isTagByte(text[end], end == at) {
		end++
	}
	name := strings.ToLower(text[at:end])
	if name == "" {
		return i + 1
	}
	attrs, after, ok := readAttrs(text, end)
	if !ok {
		return end
	}
	span := edit.Span{Start: base + i, End: base + after}
	switch {
	case closing:
		t.closeTag(name, span)
	case text[after-2] == '/':
		// <br/> is an empty block, which has no use.
	case len(t.open) < maxTagDepth:
		parent := -1
		if len(t.open) > 0 {
			parent = t.open[len(t.open)-1]
		}
		t.open = append(t.open, len(t.tags))
		t.count[name]++
		t.tags = append(t.tags, Tag{Name: name, Attrs: attrs, Line: line, Span: span, Inner: edit.Span{Start: span.End, End: -1}, Parent: parent})
	}
	return after
}

func isTagByte(c byte, first bool) bool {
	if first {
		return isLetter(c)
	}
	return isLetter(c) || isDigit(c) || c == '_' || c == '-'
}

// readAttrs reads the attributes in text from index i up to the > that ends the tag.
func readAttrs(text string, i int) (list []Attr, after int, ok bool) {
	for i < len(text) {
		switch c := text[i]; {
		case c == '>':
			return list, i + 1, true
		case c == ' ' || c == '\t' || c == '/':
			i++
		case isLetter(c):
			end := i
			for end < len(text) && (isTagByte(text[end], false) || text[end] == ':') {
				end++
			}
			a := Attr{Name: text[i:end]}
			i = end
			if i+1 < len(text) && text[i] == '=' && (text[i+1] == '"' || text[i+1] == '\'') {
				n := strings.IndexByte(text[i+2:], text[i+1])
				if n < 0 {
					return nil, 0, false
				}
				a.Value = text[i+2 : i+2+n]
				i += n + 3
			}
			list = append(list, a)
		default:
			return nil, 0, false
		}
	}
	return nil, 0, false
}

// closeTag ends the innermost open block with this name. Tags that were opened after it and not closed are text.
func (t *tagReader) closeTag(name string, span edit.Span) {
	if t.count[name] == 0 {
		return
	}
	for {
		last := t.open[len(t.open)-1]
		t.open = t.open[:len(t.open)-1]
		tag := &t.tags[last]
		t.count[tag.Name]--
		if tag.Name == name {
			tag.Inner.End = span.Start
			tag.Span.End = span.End
			return
		}
	}
}

// dropUnclosed returns the blocks that have a closing tag. The blocks in an unclosed one then belong to the block around it.
func (t *tagReader) dropUnclosed() []Tag {
	to := make([]int, len(t.tags))
	n := 0
	for i, tag := range t.tags {
		parent := tag.Parent
		if parent >= 0 {
			parent = to[parent]
		}
		if tag.Inner.End < 0 {
			to[i] = parent
			continue
		}
		to[i] = n
		t.tags[n] = tag
		t.tags[n].Parent = parent
		n++
	}
	return slices.Clip(t.tags[:n])
}

// codeSpans finds the ends of code spans, text between backticks, in one line. A span ends at a run of as many backticks as at its
// beginning. It remembers the lengths of runs that do not occur any more, so that a line of many runs is read only once.
type codeSpans struct {
	text string
	none map[int]bool
}

// skipCode returns the index after the inline code that begins at index i, or after its backticks if the code is not closed.
func (c *codeSpans) skipCode(i int) int {
	n := backtickRun(c.text, i)
	if c.none[n] {
		return i + n
	}
	for at := i + n; at < len(c.text); {
		next := strings.IndexByte(c.text[at:], '`')
		if next < 0 {
			break
		}
		at += next
		m := backtickRun(c.text, at)
		at += m
		if m == n {
			return at
		}
	}
	if c.none == nil {
		c.none = map[int]bool{}
	}
	c.none[n] = true
	return i + n
}

func backtickRun(text string, i int) int {
	n := 0
	for i+n < len(text) && text[i+n] == '`' {
		n++
	}
	return n
}

// TagContent returns the text of a block, without surrounding blanks and empty lines.
func (d *Document) TagContent(t Tag) string { return strings.TrimSpace(t.Inner.Text(d.text)) }
