package extract

import (
	"net/url"
	"strings"

	"ken/internal/code"
)

// markdown scans CommonMark (https://spec.commonmark.org/0.31.2/) with the
// extensions of GitHub for its outline and for the files it names. Headings are
// those of the document itself, not of its quotes and list items; of those only
// as much is tracked as tells where they end. Code, fenced or indented, and HTML
// blocks hide what looks like headings.
type markdown struct {
	*file
	s string
	i int
	// Blocks open at the position.
	fence     byte // '`' or '~', 0 outside fenced code
	fenceLen  int
	html      string // what ends the HTML block, "" outside, "\n" for a blank line
	para      int    // start of the open paragraph, -1 outside
	paraEnd   int
	list      int  // column a line needs to belong to the open list item, 0 outside
	lazy      bool // the container's last line was text that a line without its mark may go on
	quote     bool // the last line was a quote's
	innerCode byte // fence open inside the list item
	innerLen  int
	sections  []section
	trace     func(level, at int) // told of every heading, for tests
}

// section is an open heading.
type section struct {
	level int
	sym   int32
}

func markdownReader() reader { return direct("markdown", scanMarkdown) }

func scanMarkdown(f *file) {
	m := markdown{file: f, s: f.text, para: -1}
	m.scan()
}

func (m *markdown) scan() {
	m.frontMatter()
	for m.i < len(m.s) {
		end := lineEnd(m.s, m.i)
		m.line(m.i, end)
		m.i = end + 1
	}
	m.endSections(0, len(m.s))
}

// frontMatter skips the YAML or TOML block some generators read.
func (m *markdown) frontMatter() {
	for _, mark := range [...]string{"---", "+++"} {
		if rest, ok := strings.CutPrefix(m.s, mark); !ok || !strings.HasPrefix(strings.TrimLeft(rest, " \t\r"), "\n") {
			continue
		}
		for at := lineEnd(m.s, 0) + 1; at < len(m.s) && at < 64<<10; {
			end := lineEnd(m.s, at)
			if strings.TrimRight(m.s[at:end], " \t\r") == mark {
				m.i = end + 1
				return
			}
			at = end + 1
		}
	}
}

// indentOf is the column of the first character that is not blank, tabs going to
// multiples of four, and its offset.
func indentOf(s string, at, end int) (col, first int) {
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
	col, at := indentOf(m.s, start, end)
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

// isText reports whether a line inside a container is part of a paragraph.
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

// outside reads a line that is no part of the open list item, unless it merely
// goes on with its text.
func (m *markdown) outside(col, at, end int) {
	line := m.s[at:end]
	lazy := m.lazy && (m.list > 0 || m.quote)
	if lazy && !m.startsBlock(col, line) {
		m.inline(at, end)
		return
	}
	if _, w := listMark(line); col < 4 && w > 0 && !isBreak(line) && (m.para < 0 || interrupts(line, w)) {
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

// item begins a list item.
func (m *markdown) item(col, width, at, end int) {
	m.para, m.quote, m.innerCode = -1, false, 0
	rest := m.s[at+width : end]
	inner, first := indentOf(rest, 0, len(rest))
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
	if _, n := opensFence(line); n > 0 || headingLevel(line) > 0 || isBreak(line) || line[0] == '>' || htmlEnd(line, true) != "" {
		return true
	}
	_, w := listMark(line)
	return w > 0 && (m.list > 0 || interrupts(line, w))
}

// interrupts reports whether a list mark may end a paragraph: an item that is
// empty, or numbered other than 1, may not.
func interrupts(line string, w int) bool {
	return strings.TrimSpace(line[w:]) != "" && (line[0] < '0' || line[0] > '9' || line[0] == '1' && w == 2)
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

// headingLevel is the number of # that begin an ATX heading, 0 if line is none.
func headingLevel(line string) int {
	n := 0
	for n < len(line) && line[n] == '#' {
		n++
	}
	if n == 0 || n > 6 || n < len(line) && line[n] != ' ' && line[n] != '\t' {
		return 0
	}
	return n
}

func setextLevel(line string) int {
	switch t := strings.TrimRight(line, " \t"); {
	case strings.Trim(t, "=") == "":
		return 1
	case strings.Trim(t, "-") == "":
		return 2
	}
	return 0
}

// isBreak reports a thematic break.
func isBreak(line string) bool {
	c := line[0]
	if c != '-' && c != '*' && c != '_' {
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

// opensFence is the mark and length of a fence line begins, 0 if none.
func opensFence(line string) (byte, int) {
	if line == "" || line[0] != '`' && line[0] != '~' {
		return 0, 0
	}
	n := run(line, line[0])
	if n < 3 || line[0] == '`' && strings.IndexByte(line[n:], '`') >= 0 {
		return 0, 0
	}
	return line[0], n
}

func closesFence(line string, c byte, n int) bool {
	k := run(line, c)
	return k >= n && strings.TrimRight(line[k:], " \t") == ""
}

// run is how many c begin s.
func run(s string, c byte) int {
	n := 0
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}

// listMark is the mark of a list item and its width, 0 if line has none.
func listMark(line string) (byte, int) {
	if line == "" {
		return 0, 0
	}
	w := 0
	switch c := line[0]; {
	case c == '-' || c == '*' || c == '+':
		w = 1
	case c >= '0' && c <= '9':
		for w < len(line) && w < 10 && line[w] >= '0' && line[w] <= '9' {
			w++
		}
		if w == 10 || w == len(line) || line[w] != '.' && line[w] != ')' {
			return 0, 0
		}
		w++
	default:
		return 0, 0
	}
	if w < len(line) && line[w] != ' ' && line[w] != '\t' {
		return 0, 0
	}
	return line[w-1], w
}

// htmlBlocks are the names that begin an HTML block of the sixth sort, which a
// blank line ends.
var htmlBlocks = words("address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset figcaption figure footer form " +
	"frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu menuitem nav noframes ol optgroup option p param search section summary " +
	"table tbody td tfoot th thead title tr track ul")

func words(s string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		m[w] = true
	}
	return m
}

// htmlEnd is what ends the HTML block that line begins, "\n" for a blank line,
// "" if it begins none. A lone tag does not end a paragraph.
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
	case line[1] == '!' && len(line) > 2 && (line[2]|0x20) >= 'a' && (line[2]|0x20) <= 'z':
		return ">"
	}
	rest, closing := strings.CutPrefix(line[1:], "/")
	n := 0
	for n < len(rest) && (rest[n] >= '0' && rest[n] <= '9' || (rest[n]|0x20) >= 'a' && (rest[n]|0x20) <= 'z' || rest[n] == '-' && n > 0) {
		n++
	}
	if n == 0 || rest[0] >= '0' && rest[0] <= '9' {
		return ""
	}
	name, after := strings.ToLower(rest[:n]), rest[n:]
	ended := after == "" || after[0] == ' ' || after[0] == '\t' || after[0] == '>'
	switch {
	case !closing && ended && (name == "script" || name == "pre" || name == "style" || name == "textarea"):
		return "</" + name
	case htmlBlocks[name] && (ended || strings.HasPrefix(after, "/>")):
		return "\n"
	case !inText && isLoneTag(after, closing):
		return "\n"
	}
	return ""
}

// isLoneTag reports whether what follows a tag's name completes it and nothing
// stands behind it on the line.
func isLoneTag(after string, closing bool) bool {
	if closing {
		return strings.TrimSpace(after) == ">"
	}
	if after == "" || after[0] != ' ' && after[0] != '\t' && after[0] != '>' && after[0] != '/' {
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
		if low := strings.ToLower(line); strings.Contains(low, "</script>") || strings.Contains(low, "</pre>") || strings.Contains(low, "</style>") || strings.Contains(low, "</textarea>") {
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

// heading declares an ATX heading: the closing # are no part of it.
func (m *markdown) heading(level, at, end int, text string) {
	if t := strings.TrimRight(text, "#"); t == "" || len(t) < len(text) && isSpace(t[len(t)-1]) {
		text = strings.TrimSpace(t)
	}
	name := at + level
	for name < end && isSpace(m.s[name]) {
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
	plain := plainText(text)
	if plain == "" {
		return
	}
	before := m.owner
	m.owner = -1
	if n := len(m.sections); n > 0 {
		m.owner = m.sections[n-1].sym
	}
	sym := m.plainSymbol(code.KindHeading, cut(plain, maxPlainName), name, at, end, strings.Repeat("#", level)+" "+plain, maxHeadings)
	m.owner = before
	if m.facts.Doc == "" && len(m.facts.Symbols) == 1 {
		m.facts.Doc = cut(plain, code.MaxDoc)
	}
	if sym >= 0 {
		m.sections = append(m.sections, section{level, sym})
	}
}

// endSections ends the sections at or below a level.
func (m *markdown) endSections(level, at int) {
	for n := len(m.sections) - 1; n >= 0 && m.sections[n].level >= level; n-- {
		e := at
		for e > 0 && isSpace(m.s[e-1]) {
			e--
		}
		m.setEnd(m.sections[n].sym, e)
		m.sections = m.sections[:n]
	}
}

// plainText is the text of a heading as a reader sees it: no emphasis, code
// marks, images, link targets, HTML tags or {#anchors}.
func plainText(s string) string {
	if i := strings.LastIndex(s, "{#"); i >= 0 && strings.HasSuffix(s, "}") {
		s = strings.TrimSpace(s[:i])
	}
	if !strings.ContainsAny(s, "`*_[]<\\\n\t") {
		return strings.Join(strings.Fields(s), " ")
	}
	s = cut(s, 1024)
	var b strings.Builder
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s) && s[i+1] != '\n':
			b.WriteByte(s[i+1])
			i += 2
		case c == '`':
			n := run(s[i:], '`')
			end := strings.Index(s[i+n:], s[i:i+n])
			if end < 0 {
				end = 0
			} else {
				b.WriteString(s[i+n : i+n+end])
				end += n
			}
			i += n + end
		case c == '*' || c == '_' && (i == 0 || !isWord(s[i-1]) || i+1 == len(s) || !isWord(s[i+1])):
			i++
		case c == '!' && i+1 < len(s) && s[i+1] == '[':
			i++
			if n := strings.IndexByte(s[i:], ']'); n >= 0 {
				i += n
			}
		case c == '[':
			i++
		case c == ']':
			i++
			if i < len(s) && (s[i] == '(' || s[i] == '[') {
				if n := strings.IndexByte(s[i:], map[byte]byte{'(': ')', '[': ']'}[s[i]]); n >= 0 {
					i += n + 1
				}
			}
		case c == '<':
			n := strings.IndexByte(s[i:], '>')
			if n < 0 || n < 2 || s[i+1] == ' ' {
				b.WriteByte(c)
				i++
				break
			}
			if strings.Contains(s[i:i+n], ":") { // autolink
				b.WriteString(s[i+1 : i+n])
			}
			i += n + 1
		default:
			b.WriteByte(c)
			i++
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// definition reads "[label]: destination" and reports whether the line is one.
func (m *markdown) definition(at, end int) bool {
	line := m.s[at:end]
	if line[0] != '[' {
		return false
	}
	n := strings.Index(line, "]:")
	if n < 2 || strings.IndexByte(line[1:n], '[') >= 0 || line[1] == '^' {
		return false
	}
	dest := strings.TrimLeft(line[n+2:], " \t")
	if dest == "" {
		return false
	}
	if i := strings.IndexAny(dest, " \t"); i >= 0 {
		if t := strings.TrimSpace(dest[i:]); t != "" && t[0] != '"' && t[0] != '\'' && t[0] != '(' {
			return false // words, not a title
		}
		dest = dest[:i]
	}
	m.link(strings.Trim(dest, "<>"), at)
	return true
}

// inline finds the files a line of text names: targets of links and images,
// paths in code spans, and path:line anywhere.
func (m *markdown) inline(at, end int) {
	line := m.s[at:end]
	lastTag := strings.LastIndexByte(line, '>')
	for i := 0; i < len(line); {
		n := strings.IndexAny(line[i:], "`]<:")
		if n < 0 {
			return
		}
		i += n
		switch line[i] {
		case '`':
			w := run(line[i:], '`')
			n := strings.Index(line[i+w:], line[i:i+w])
			if n < 0 {
				i += w
				break
			}
			m.codeSpan(strings.TrimSpace(line[i+w:i+w+n]), at+i)
			i += w + n + w
		case ']':
			i++
			if i < len(line) && line[i] == '(' {
				dest, n := linkTarget(line[i+1:])
				m.link(dest, at+i)
				i += n
			}
		case '<':
			if i < lastTag {
				n := strings.IndexByte(line[i:], '>')
				m.attributes(at+i, at+i+n)
				i += n
			}
			i++
		case ':':
			m.position(line, i, at)
			i++
		}
	}
}

// linkTarget reads what stands in the parentheses of a link.
func linkTarget(s string) (dest string, n int) {
	s = s[:min(len(s), 1024)]
	start := len(s) - len(strings.TrimLeft(s, " \t"))
	if start < len(s) && s[start] == '<' {
		if end := strings.IndexByte(s[start:], '>'); end > 0 {
			return s[start+1 : start+end], start + end
		}
		return "", 0
	}
	depth := 0
	for i := start; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return s[start:i], i
			}
		case ' ', '\t':
			return s[start:i], i
		}
	}
	return "", 0
}

// link notes the target of a link, if it is a path.
func (m *markdown) link(dest string, at int) {
	if i := strings.IndexAny(dest, "#?"); i >= 0 {
		dest = dest[:i]
	}
	if dest == "" || strings.HasPrefix(dest, "//") || strings.Contains(dest, ":") || strings.ContainsAny(dest, "{}$\n") {
		return
	}
	if strings.IndexByte(dest, '%') >= 0 {
		if p, err := url.PathUnescape(dest); err == nil {
			dest = p
		}
	}
	m.mention(strings.TrimSuffix(dest, "/"), at)
}

// codeSpan notes a path in backticks, with or without a line number.
func (m *markdown) codeSpan(text string, at int) {
	p, _, numbered := cutLine(text)
	if !isPathLike(p) || !numbered && strings.IndexByte(p, '/') < 0 || strings.IndexByte(p, ':') >= 0 {
		return
	}
	if dot := strings.LastIndexByte(p, '.'); dot > 0 && dot < len(p)-1 && strings.IndexByte(p[dot:], '/') < 0 {
		m.mention(p, at)
	}
}

// position notes the path before the colon at i, if digits follow.
func (m *markdown) position(line string, i, at int) {
	if i+1 == len(line) || line[i+1] < '0' || line[i+1] > '9' {
		return
	}
	start := i
	for start > 0 && i-start < 256 && (isWord(line[start-1]) || strings.IndexByte("./-+", line[start-1]) >= 0) {
		start--
	}
	p := line[start:i]
	dot := strings.LastIndexByte(p, '.')
	if isPathLike(p) && dot > 0 && dot < len(p)-1 && strings.IndexByte(p[dot:], '/') < 0 && strings.IndexByte(p, '/') >= 0 && (start == 0 || line[start-1] != ':') {
		m.mention(p, at+start)
	}
}

// cutLine takes ":12" or ":12-14" or "#L12" off a path.
func cutLine(s string) (path, line string, ok bool) {
	i := strings.IndexAny(s, ":#")
	if i <= 0 || i+1 == len(s) {
		return s, "", false
	}
	n := strings.TrimPrefix(s[i+1:], "L")
	if n == "" || n[0] < '0' || n[0] > '9' || strings.Trim(n, "0123456789-:L") != "" {
		return s, "", false
	}
	return s[:i], n, true
}

// attributes notes the files that HTML tags of a line name.
func (m *markdown) attributes(at, end int) {
	line := m.s[at:end]
	for _, name := range [...]string{"src=", "href="} {
		for rest, off := line, 0; ; {
			n := strings.Index(rest, name)
			if n < 0 {
				break
			}
			rest, off = rest[n+len(name):], off+n+len(name)
			if rest == "" || rest[0] != '"' && rest[0] != '\'' {
				continue
			}
			if e := strings.IndexByte(rest[1:], rest[0]); e > 0 {
				m.link(rest[1:1+e], at+off)
			}
		}
	}
}
