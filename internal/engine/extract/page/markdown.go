// Package page scans documents and the style sheets they are shown with.
package page

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
	"ken/internal/engine/extract/plain"
)

// markdown scans CommonMark (https://spec.commonmark.org/0.31.2/) with the extensions
// of GitHub for its outline and for the files it names (markdown_inline.go). Headings
// are those of the document itself, not of its quotes and list items; quotes and items
// are followed only as far as it takes to know where they end. Code, fenced or
// indented, and HTML blocks are followed because lines in them may look like headings.
type markdown struct {
	*plain.File
	s string
	i int
	// Blocks open at the position.
	fence     byte // '`' or '~', 0 outside fenced code
	fenceLen  int
	html      string // the text that ends the HTML block, "" outside, "\n" for a blank line
	para      int    // start of the open paragraph, -1 outside
	paraEnd   int
	list      int  // column at which a line belongs to the open list item, 0 outside
	lazy      bool // the last line of a quote or item was text, which a line without its mark continues
	quote     bool // the last line was one of a quote
	innerCode byte // fence open inside the list item
	innerLen  int
	sections  []section
	trace     func(level, at int) // called for every heading, unless it is nil
}

// section is an open heading.
type section struct {
	level int
	sym   int32
}

// ScanMarkdown reads a Markdown document.
func ScanMarkdown(f *plain.File) { TraceMarkdown(f, nil) }

// TraceMarkdown is ScanMarkdown, and calls trace for every heading, empty ones too, so
// that they can be compared with those another reader finds.
func TraceMarkdown(f *plain.File, trace func(level, at int)) {
	m := markdown{File: f, s: f.Text, para: -1, trace: trace}
	m.scan()
}

func (m *markdown) scan() {
	m.frontMatter()
	for m.i < len(m.s) {
		end := lexical.LineEnd(m.s, m.i)
		m.line(m.i, end)
		m.i = end + 1
	}
	m.endSections(0, len(m.s))
}

// frontMatter skips the YAML or TOML block that some generators read.
func (m *markdown) frontMatter() {
	for _, mark := range [...]string{"---", "+++"} {
		if rest, ok := strings.CutPrefix(m.s, mark); !ok || !strings.HasPrefix(strings.TrimLeft(rest, " \t\r"), "\n") {
			continue
		}
		for at := lexical.LineEnd(m.s, 0) + 1; at < min(len(m.s), 64<<10); {
			end := lexical.LineEnd(m.s, at)
			if strings.TrimRight(m.s[at:end], " \t\r") == mark {
				m.i = end + 1
				return
			}
			at = end + 1
		}
	}
}

// indentation returns the column of the first character that is not blank, with tab stops at
// every fourth column, and its offset.
func indentation(s string, at, end int) (col, first int) {
	for first = at; first < end; first++ {
		switch s[first] {
		case ' ':
			col++
		case '\t':
			col += 4 - col%4
		default:
			return col, first
		}
	}
	return col, first
}

func (m *markdown) line(start, end int) {
	for end > start && m.s[end-1] == '\r' {
		end--
	}
	col, at := indentation(m.s, start, end)
	switch {
	case m.fence != 0:
		if col < 4 && closesFence(m.s[at:end], m.fence, m.fenceLen) {
			m.fence = 0
		}
	case m.html != "":
		m.htmlLine(at, end)
	case at == end:
		m.para, m.lazy, m.quote = -1, false, false
	case m.list > 0 && col >= m.list:
		m.inItem(at, end)
	default:
		m.outside(col, at, end)
	}
}

// inItem reads a line of a list item.
func (m *markdown) inItem(at, end int) {
	switch {
	case m.innerCode != 0:
		if closesFence(m.s[at:end], m.innerCode, m.innerLen) {
			m.innerCode = 0
		}
		m.lazy = false
	default:
		if c, n := opensFence(m.s[at:end]); n > 0 {
			m.innerCode, m.innerLen, m.lazy = c, n, false
			return
		}
		m.lazy = m.isText(at, end)
		m.inline(at, end)
	}
}

// isText reports whether a line inside a quote or item is part of a paragraph.
func (m *markdown) isText(at, end int) bool {
	line := m.s[at:end]
	for {
		if _, w := listMark(line); w > 0 && w < len(line) {
			line = strings.TrimLeft(line[w:], " \t")
			continue
		}
		if strings.HasPrefix(line, ">") {
			line = strings.TrimLeft(line[1:], " \t")
			continue
		}
		break
	}
	if line == "" || isBreak(line) || headingLevel(line) > 0 {
		return false
	}
	_, n := opensFence(line)
	return n == 0
}

// outside reads a line that does not belong to the open list item, unless it only
// continues its text.
func (m *markdown) outside(col, at, end int) {
	line := m.s[at:end]
	lazy := m.lazy && (m.list > 0 || m.quote)
	if lazy && !m.startsBlock(col, line) {
		m.inline(at, end)
		return
	}
	if w := m.itemMark(col, line); w > 0 {
		m.item(col, w, at, end)
		return
	}
	m.list, m.innerCode, m.lazy = 0, 0, false
	if col < 4 && line[0] == '>' {
		m.para, m.quote = -1, true
		m.lazy = m.isText(at, end)
		m.inline(at, end)
		return
	}
	m.quote = false
	m.block(col, at, end)
}

// itemMark returns the width of the list mark if line begins a list item, or 0 if it does not.
func (m *markdown) itemMark(col int, line string) int {
	_, w := listMark(line)
	if w == 0 || col >= 4 || isBreak(line) {
		return 0
	}
	if m.para >= 0 && !interrupts(line, w) {
		return 0
	}
	return w
}

// item begins a list item.
func (m *markdown) item(col, width, at, end int) {
	m.para, m.quote, m.innerCode = -1, false, 0
	rest := m.s[at+width : end]
	inner, first := indentation(rest, 0, len(rest))
	switch {
	case first == len(rest), inner > 4:
		m.list = col + width + 1
	default:
		m.list = col + width + inner
	}
	m.inItem(at+width+first, end)
	if first == len(rest) {
		m.lazy = false
	}
}

// startsBlock reports whether a line begins something that ends a paragraph.
func (m *markdown) startsBlock(col int, line string) bool {
	if col >= 4 {
		return false
	}
	switch _, n := opensFence(line); {
	case n > 0, headingLevel(line) > 0, isBreak(line), line[0] == '>', htmlEnd(line, true) != "":
		return true
	}
	_, w := listMark(line)
	return w > 0 && (m.list > 0 || interrupts(line, w))
}

// interrupts reports whether a list mark may end a paragraph: not that of an empty
// item, and not a number other than 1.
func interrupts(line string, w int) bool {
	if strings.TrimSpace(line[w:]) == "" {
		return false
	}
	return !lexical.IsDigit(line[0]) || line[0] == '1' && w == 2
}

// block reads a line of the document itself.
func (m *markdown) block(col, at, end int) {
	line := m.s[at:end]
	if col >= 4 {
		if m.para >= 0 {
			m.paraEnd = end
			m.inline(at, end)
		}
		return
	}
	if level := headingLevel(line); level > 0 {
		m.para = -1
		m.heading(level, at, end, strings.TrimSpace(line[level:]))
		return
	}
	if level := setextLevel(line); level > 0 && m.para >= 0 {
		text := strings.TrimSpace(m.s[m.para:m.paraEnd])
		m.headingAt(level, m.para, m.para, end, text)
		m.para = -1
		return
	}
	if isBreak(line) {
		m.para = -1
		return
	}
	if c, n := opensFence(line); n > 0 {
		m.fence, m.fenceLen, m.para = c, n, -1
		return
	}
	if m.html = htmlEnd(line, m.para >= 0); m.html != "" {
		m.para = -1
		m.htmlLine(at, end)
		return
	}
	if m.para < 0 && m.definition(at, end) {
		return
	}
	if m.para < 0 {
		m.para = at
	}
	m.paraEnd = end
	m.inline(at, end)
}

// headingLevel returns the number of # that begin an ATX heading, or 0 if line is none.
func headingLevel(line string) int {
	n := 0
	for n < len(line) && line[n] == '#' {
		n++
	}
	if n == 0 || n > 6 || !isBlankOrEnd(line, n) {
		return 0
	}
	return n
}

// isBlankOrEnd reports whether a blank follows in s at i, or nothing.
func isBlankOrEnd(s string, i int) bool { return i == len(s) || lexical.IsBlank(s[i]) }

func setextLevel(line string) int {
	switch t := strings.TrimRight(line, " \t"); {
	case strings.Trim(t, "=") == "":
		return 1
	case strings.Trim(t, "-") == "":
		return 2
	}
	return 0
}

// isBreak reports whether a line is a thematic break.
func isBreak(line string) bool {
	c := line[0]
	switch c {
	case '-', '*', '_':
	default:
		return false
	}
	n := 0
	for i := range len(line) {
		switch line[i] {
		case c:
			n++
		case ' ', '\t':
		default:
			return false
		}
	}
	return n >= 3
}

// opensFence returns the mark and length of the fence that line begins, or 0 if none.
func opensFence(line string) (byte, int) {
	c := lexical.ByteAt(line, 0)
	if c != '`' && c != '~' {
		return 0, 0
	}
	n := lexical.Run(line, c)
	if n < 3 || c == '`' && strings.IndexByte(line[n:], '`') >= 0 {
		return 0, 0
	}
	return c, n
}

func closesFence(line string, c byte, n int) bool {
	k := lexical.Run(line, c)
	return k >= n && strings.TrimRight(line[k:], " \t") == ""
}

// listMark returns the mark of a list item and its width, or 0 if line has none.
func listMark(line string) (byte, int) {
	if line == "" {
		return 0, 0
	}
	w := 0
	switch c := line[0]; {
	case c == '-', c == '*', c == '+':
		w = 1
	case lexical.IsDigit(c):
		w = orderedMark(line)
	}
	if w == 0 || !isBlankOrEnd(line, w) {
		return 0, 0
	}
	return line[w-1], w
}

// orderedMark returns the width of a number of at most nine digits with its dot or
// parenthesis, or 0 if line begins with none.
func orderedMark(line string) int {
	w := 0
	for w < min(len(line), 10) && lexical.IsDigit(line[w]) {
		w++
	}
	switch lexical.ByteAt(line, w) {
	case '.', ')':
		if w < 10 {
			return w + 1
		}
	}
	return 0
}

// htmlBlocks are the names that begin an HTML block of the sixth kind, which a blank
// line ends.
var htmlBlocks = plain.Words("address article aside base basefont blockquote body caption center col colgroup dd details dialog dir " +
	"div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main " +
	"menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead title tr track ul")

// htmlEnd returns the text that ends the HTML block that line begins, "\n" for a blank line,
// "" if it begins none. A lone tag begins none inside a paragraph.
func htmlEnd(line string, inText bool) string {
	if line[0] != '<' || len(line) < 2 {
		return ""
	}
	switch {
	case strings.HasPrefix(line, "<!--"):
		return "-->"
	case strings.HasPrefix(line, "<?"):
		return "?>"
	case strings.HasPrefix(line, "<![CDATA["):
		return "]]>"
	case line[1] == '!' && lexical.IsLetter(lexical.ByteAt(line, 2)):
		return ">"
	}
	rest, closing := strings.CutPrefix(line[1:], "/")
	n := tagNameLength(rest)
	if n == 0 {
		return ""
	}
	name, after := strings.ToLower(rest[:n]), rest[n:]
	ended := after == "" || lexical.IsBlank(after[0]) || after[0] == '>'
	switch {
	case !closing && ended && isRawBlock(name):
		return "</" + name
	case htmlBlocks[name] && (ended || strings.HasPrefix(after, "/>")):
		return "\n"
	case !inText && isLoneTag(after, closing):
		return "\n"
	}
	return ""
}

// tagNameLength returns how many bytes of s are the name of a tag: a letter, then letters,
// digits and hyphens.
func tagNameLength(s string) int {
	if !lexical.IsLetter(lexical.ByteAt(s, 0)) {
		return 0
	}
	n := 1
	for n < len(s) && (lexical.IsLetter(s[n]) || lexical.IsDigit(s[n]) || s[n] == '-') {
		n++
	}
	return n
}

// isRawBlock reports the elements whose HTML block only their end tag ends.
func isRawBlock(name string) bool {
	switch name {
	case "script", "pre", "style", "textarea":
		return true
	}
	return false
}

// endsRawBlock reports whether a line holds the end tag of any such element.
func endsRawBlock(line string) bool {
	low := strings.ToLower(line)
	for _, end := range [...]string{"</script>", "</pre>", "</style>", "</textarea>"} {
		if strings.Contains(low, end) {
			return true
		}
	}
	return false
}

// isLoneTag reports whether the text after a tag's name completes the tag and nothing
// follows it on the line.
func isLoneTag(after string, closing bool) bool {
	if closing {
		return strings.TrimSpace(after) == ">"
	}
	if after == "" || strings.IndexByte(" \t>/", after[0]) < 0 {
		return false
	}
	for i := 0; i < len(after); i++ {
		switch after[i] {
		case '"', '\'':
			n := strings.IndexByte(after[i+1:], after[i])
			if n < 0 {
				return false
			}
			i += n + 1
		case '<', '`':
			return false
		case '>':
			return strings.TrimSpace(after[i+1:]) == ""
		}
	}
	return false
}

// htmlLine reads a line of an HTML block.
func (m *markdown) htmlLine(at, end int) {
	line := m.s[at:end]
	switch m.html {
	case "\n":
		if line == "" {
			m.html = ""
			return
		}
	case "</script", "</pre", "</style", "</textarea":
		if endsRawBlock(line) {
			m.html = ""
		}
		return
	default:
		if strings.Contains(line, m.html) {
			m.html = ""
		}
		return
	}
	m.attributes(at, end)
}

// heading declares an ATX heading, without its closing #.
func (m *markdown) heading(level, at, end int, text string) {
	if t := strings.TrimRight(text, "#"); t == "" || len(t) < len(text) && lexical.IsSpace(t[len(t)-1]) {
		text = strings.TrimSpace(t)
	}
	name := at + level
	for name < end && lexical.IsSpace(m.s[name]) {
		name++
	}
	m.headingAt(level, name, at, end, text)
	m.inline(at, end)
}

func (m *markdown) headingAt(level, name, at, end int, text string) {
	m.endSections(level, at)
	if m.trace != nil {
		m.trace(level, at)
	}
	title := plainText(text)
	if title == "" {
		return
	}
	before := m.Owner
	m.Owner = -1
	if n := len(m.sections); n > 0 {
		m.Owner = m.sections[n-1].sym
	}
	sig := strings.Repeat("#", level) + " " + title
	sym := m.AddSymbol(code.KindHeading, lexical.Cut(title, plain.MaxName), name, at, end, sig, plain.MaxHeadings)
	m.Owner = before
	if m.Facts.Doc == "" && len(m.Facts.Symbols) == 1 {
		m.Facts.Doc = lexical.Cut(title, code.MaxDoc)
	}
	if sym >= 0 {
		m.sections = append(m.sections, section{level, sym})
	}
}

// endSections ends the sections at or below a level.
func (m *markdown) endSections(level, at int) {
	for n := len(m.sections) - 1; n >= 0 && m.sections[n].level >= level; n-- {
		e := at
		for e > 0 && lexical.IsSpace(m.s[e-1]) {
			e--
		}
		m.SetEnd(m.sections[n].sym, e)
		m.sections = m.sections[:n]
	}
}
