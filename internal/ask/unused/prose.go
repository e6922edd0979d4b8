package unused

import (
	"bytes"
	"regexp"
	"sort"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"ken/internal/ask/grep"
	"ken/internal/code"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// usesInMarkup returns the possible uses of a name in a file of a language whose uses are not read, and where its prose has the name.
// If actionsOnly is set, scripts and attributes of a page cannot mean it.
func usesInMarkup(name string, t view.FileText, actionsOnly bool) (out []textUse) {
	row := lang.Of(t.File.Lang)
	parts, whole := codeParts(row, t.Text)
	line, counted := uint32(1), 0
	for i := range wordOffsets(t.Text, name) {
		line += uint32(bytes.Count(t.Text[counted:i], []byte("\n")))
		counted = i
		u := textUse{name: name, file: t.File.ID, at: uint32(i)}
		u.UnseenUse = UnseenUse{Kind: UnseenMention, Detail: lineText(t.Text, i), Path: t.File.Path, Line: line}
		isPart := row.Components && i+len(name) < len(t.Text) && t.Text[i+len(name)] == '-'
		isCode := whole || isIn(parts, i) && (!actionsOnly || isActive(row, t.Text, i))
		if isCode && !isPart {
			u.Kind, u.Doubt = UnseenText, true
		} else if !isCode && !isMarked(t.Text, i, name) {
			continue
		}
		out = append(out, u)
	}
	return out
}

// wordOffsets yields the offsets at which a text has a name that is no part of a longer one.
func wordOffsets(text []byte, name string) func(yield func(int) bool) {
	isName := func(r rune) bool { return r == '$' || isNameRune(r) }
	return func(yield func(int) bool) {
		for at := 0; ; {
			i := bytes.Index(text[at:], []byte(name))
			if i < 0 {
				return
			}
			i += at
			at = i + len(name)
			before, _ := utf8.DecodeLastRune(text[:i])
			after, _ := utf8.DecodeRune(text[at:])
			if !isName(before) && !isName(after) && !yield(i) {
				return
			}
		}
	}
}

// reference matches the end of a text before a name that a comment links.
var reference = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(@link|@linkplain|@see|@code|@ref|@c|\\ref|\\c|cref=")\s*$`)
})

// afterCode matches the text behind a name in prose that is code.
var afterCode = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^([(`]|[.:#][^ \t])") })

// isMarked reports whether a name in prose means a declaration: a name of one word must be marked as code, be called or qualified.
func isMarked(text []byte, i int, name string) bool {
	end := i + len(name)
	before, after := text[lineStart(text, i):i], text[end:lineEnd(text, end)]
	isBefore := len(before) > 0 && bytes.IndexByte([]byte("`.:#@\\>"), before[len(before)-1]) >= 0
	return isCompound(name) || isBefore || afterCode().Match(after) || reference().Match(before)
}

// isOpening reports whether the text before a name in a comment is nothing but the mark of the comment.
func isOpening(text []byte, i int) bool {
	return !bytes.ContainsFunc(text[lineStart(text, i):i], func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// inProse returns the places of a name in a text of prose, or in the comments of other texts.
func (w *namedTarget) inProse(t *namedText) (out []textUse) {
	isProse := t.row.Sort == lang.Prose
	line, counted := uint32(1), 0
	for i := range wordOffsets(t.Text, w.name) {
		isOwn := t.File.Path == w.sym.Path && isOpening(t.Text, i)
		isComment := isProse || t.row.Sort != lang.Data && isCommented(t, i)
		if !isComment || !isOwn && !isMarked(t.Text, i, w.name) {
			continue
		}
		line += uint32(bytes.Count(t.Text[counted:i], []byte("\n")))
		counted = i
		u := UnseenUse{Kind: UnseenMention, Detail: lineText(t.Text, i), Path: t.File.Path, Line: line}
		out = append(out, textUse{UnseenUse: u, name: w.name, file: t.File.ID, at: uint32(i)})
	}
	return out
}

// proseBudget is the number of bytes of documents that are searched for mentions.
const proseBudget = 8 << 20

// searchProse adds where documents name targets.
func (h *unseenSearch) searchProse(targets []view.Symbol) error {
	if err := h.openNames(); err != nil {
		return err
	}
	family := families(h.s, targets)
	wanted := func(l code.Lang) bool { return lang.Of(l).Sort == lang.Prose && !grep.MayName(l, family) }
	ids, _, err := h.names.Holding(targets[0].Name, wanted)
	if err != nil {
		return err
	}
	var files []code.File
	size := int64(0)
	for _, id := range ids {
		f, err := h.s.FileByID(id)
		if err != nil {
			return err
		}
		if size += f.Stat.Size; size > proseBudget {
			break
		}
		if !f.Class.Has(code.ClassChangelog) {
			files = append(files, f)
		}
	}
	n, _ := h.s.Lookup.Node(targets[0].Path)
	w := newNamedTarget(&targets[0], n)
	edit := func(_ struct{}, t view.FileText) []textUse {
		return w.inProse(&namedText{FileText: t, row: lang.Of(t.File.Lang)})
	}
	for list, err := range view.Texts(h.ctx, h.s, files, func() struct{} { return struct{}{} }, edit) {
		if err != nil {
			return err
		}
		for i := range list {
			h.take(&list[i])
		}
	}
	return nil
}

// maxMentions is the number of mentions that are listed.
const maxMentions = 20

// take adds a possible use, or counts it if it is in prose.
func (h *unseenSearch) take(u *textUse) {
	switch {
	case u.written && h.mentions != nil:
		h.mentions.Written = append(h.mentions.Written, Written{Path: u.Path, Kind: u.Kind, Line: u.Line, Start: u.at})
	case u.Kind != UnseenMention:
		h.add(u.UnseenUse)
	case h.mentions == nil:
	case u.Path == h.last.Path && u.Line == h.last.Line: // twice in a line
	default:
		h.last = u.UnseenUse
		if h.mentions.Total++; len(h.mentions.Mentions) < maxMentions {
			h.mentions.Mentions = append(h.mentions.Mentions, u.UnseenUse)
		}
	}
}

// codeParts returns the parts of a text of markup or prose that may be code, in order: between the marks of actions, in scripts, in
// attributes that hold more than a text for readers, in the names of tags that are components, and in imports. whole is true if every
// part may be code, as in a template of something else than a page.
func codeParts(row *lang.Info, text []byte) (parts [][2]int, whole bool) {
	if row.Actions == "" && !row.Components {
		return nil, true
	}
	m := markup{text: text, isDocument: row.Sort == lang.Prose, tagsOnly: row.Components}
	marks := strings.Fields(row.Actions)
	for i := 0; i+1 < len(marks); i += 2 {
		m.actions = append(m.actions, [2][]byte{[]byte(marks[i]), []byte(marks[i+1])})
	}
	if !m.isDocument {
		m.at = frontMatter(text)
	}
	if !m.isDocument && !m.isPage() {
		return nil, true
	}
	for m.at < len(text) {
		m.step()
	}
	return m.parts, false
}

// isActive reports whether byte i of a page is between the marks of an action.
func isActive(row *lang.Info, text []byte, i int) bool {
	marks := strings.Fields(row.Actions)
	for k := 0; k+1 < len(marks); k += 2 {
		if open := bytes.LastIndex(text[:i], []byte(marks[k])); open >= 0 && !bytes.Contains(text[open:i], []byte(marks[k+1])) {
			return true
		}
	}
	return false
}

// markup walks through a text of tags, actions and prose.
type markup struct {
	text       []byte
	at         int
	actions    [][2][]byte
	isDocument bool // with blocks of code between fences, which nothing runs
	tagsOnly   bool // of a tag only the name of a component is code
	parts      [][2]int
}

// isPage reports whether the first thing in a template but actions is a tag. Another may be of any kind of text, such as code.
func (m *markup) isPage() bool {
	for at := m.at; at < len(m.text); {
		if end := m.action(at); end > 0 {
			at = end
			continue
		}
		switch c := m.text[at]; c {
		case ' ', '\t', '\r', '\n', 0xef, 0xbb, 0xbf:
			at++
		default:
			return c == '<'
		}
	}
	return true
}

// frontMatter returns the end of the settings between two lines of dashes with which a page of a site may begin.
func frontMatter(text []byte) int {
	rest, ok := bytes.CutPrefix(text, []byte("---\n"))
	if !ok {
		return 0
	}
	if end := bytes.Index(rest, []byte("\n---\n")); end >= 0 {
		return len("---\n") + end + len("\n---\n")
	}
	return 0
}

// action returns the end of an action that begins at a byte, 0 if none does.
func (m *markup) action(at int) int {
	for _, marks := range m.actions {
		if bytes.HasPrefix(m.text[at:], marks[0]) {
			if len(marks[0]) == 1 {
				return m.braces(at)
			}
			if end := bytes.Index(m.text[at+len(marks[0]):], marks[1]); end >= 0 {
				return at + len(marks[0]) + end + len(marks[1])
			}
			return len(m.text)
		}
	}
	return 0
}

func (m *markup) code(from, to int) {
	m.parts = append(m.parts, [2]int{from, to})
	m.at = to
}

// step passes one action, tag, comment, block of code or byte.
func (m *markup) step() {
	rest := m.text[m.at:]
	if end := m.action(m.at); end > 0 {
		m.code(m.at, end)
		return
	}
	isLineStart := m.at == 0 || m.text[m.at-1] == '\n'
	switch {
	case m.isDocument && isLineStart && (m.fence() || m.imports()):
	case m.isDocument && rest[0] == '`':
		m.span()
	case bytes.HasPrefix(rest, []byte("<!--")):
		m.comment()
	case rest[0] == '<' && len(rest) > 1 && (rest[1] == '/' || isLetter(rest[1])):
		m.tag()
	default:
		m.at++
	}
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// pass moves behind the next mark, or to the end.
func (m *markup) pass(mark string, from int) {
	if i := bytes.Index(m.text[from:], []byte(mark)); i >= 0 {
		m.at = from + i + len(mark)
	} else {
		m.at = len(m.text)
	}
}

// activeFence matches the first line of a block of code in a document that tools run.
var activeFence = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(live|twoslash|doctest)\b`) })

// fence passes a block of code.
func (m *markup) fence() bool {
	line := m.text[m.at:lineEnd(m.text, m.at)]
	mark := bytes.TrimLeft(line, " >")
	if !bytes.HasPrefix(mark, []byte("```")) && !bytes.HasPrefix(mark, []byte("~~~")) {
		return false
	}
	from := m.at
	m.pass("\n", m.at)
	for m.at < len(m.text) {
		next := bytes.TrimLeft(m.text[m.at:lineEnd(m.text, m.at)], " >")
		m.pass("\n", m.at)
		if bytes.HasPrefix(next, mark[:3]) {
			break
		}
	}
	if activeFence().Match(line) {
		m.code(from, m.at)
	}
	return true
}

// span passes code in a line of prose.
func (m *markup) span() {
	n := 1
	for m.at+n < len(m.text) && m.text[m.at+n] == '`' {
		n++
	}
	end := bytes.Index(m.text[m.at+n:], m.text[m.at:m.at+n])
	if end < 0 || bytes.Contains(m.text[m.at+n:m.at+n+end], []byte("\n\n")) {
		m.at += n
		return
	}
	m.at += n + end + n
}

// imports passes an import or export of a document that is a module.
func (m *markup) imports() bool {
	rest := m.text[m.at:]
	if !bytes.HasPrefix(rest, []byte("import ")) && (m.tagsOnly || !bytes.HasPrefix(rest, []byte("export "))) {
		return false
	}
	end := lineEnd(m.text, m.at)
	if i := bytes.Index(rest, []byte("\n\n")); i >= 0 && !m.tagsOnly {
		end = m.at + i
	}
	m.code(m.at, end)
	return true
}

// activeComment matches the comments of Knockout, of old browsers and of servers.
var activeComment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(ko |\[|#)`) })

// comment passes a comment, which some programs give a meaning.
func (m *markup) comment() {
	from := m.at
	m.pass("-->", m.at)
	head := bytes.TrimLeft(m.text[from+len("<!--"):m.at], " ")
	if activeComment().Match(head) {
		m.code(from, m.at)
	}
}

// tag passes a tag, and the script or style sheet behind it.
func (m *markup) tag() {
	from := m.at
	m.at++
	name := m.word("/>")
	if !isElement(name) {
		m.code(from, m.at)
	}
	closing := bytes.HasPrefix(name, []byte("/"))
	for m.at < len(m.text) && m.text[m.at] != '>' && !closing {
		m.attribute(string(name))
	}
	if m.at = min(m.at+1, len(m.text)); closing {
		return
	}
	begin := m.at
	switch string(name) {
	case "script":
		m.pass("</script", m.at)
		m.code(begin, m.at)
	case "style":
		m.pass("</style", m.at)
	}
}

// word passes the bytes up to a blank or one of the ends, but the first of them.
func (m *markup) word(ends string) []byte {
	from := m.at
	for m.at < len(m.text) {
		c := m.text[m.at]
		isEnd := m.at > from && strings.IndexByte(ends, c) >= 0 || m.at == from && c == '>'
		if isEnd || strings.IndexByte(" \t\r\n", c) >= 0 {
			break
		}
		m.at++
	}
	return m.text[from:m.at]
}

// isElement reports whether the name of a tag is one of HTML, and not of a component.
func isElement(name []byte) bool {
	return len(bytes.Trim(bytes.TrimPrefix(name, []byte("/")), "abcdefghijklmnopqrstuvwxyz0123456789")) == 0
}

// plain are the attributes of HTML whose values are for readers, style sheets and browsers.
const plain = " class id title alt content lang rel type style placeholder charset width height media role align valign border color summary" +
	" property http-equiv target dir hreflang for colspan rowspan label cellpadding cellspacing "

// elsewhere matches the link to a place in the page or to another site.
var elsewhere = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^["']?#|://`) })

// pageLink matches a link to a place in another page, which only readers follow.
var pageLink = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^["']?[\w./-]+\.html?#[\w./()-]+["']?$`) })

// attribute passes an attribute of a tag, an action or a byte in it.
func (m *markup) attribute(tag string) {
	if end := m.action(m.at); end > 0 {
		m.code(m.at, end)
		return
	}
	from := m.at
	name := string(m.word("=/>"))
	if name == "" {
		m.at++
		return
	}
	if m.at == len(m.text) || m.text[m.at] != '=' {
		m.attributeCode(from, m.at, name)
		return
	}
	m.at++
	value := m.at
	if m.at < len(m.text) && (m.text[m.at] == '"' || m.text[m.at] == '\'') {
		m.pass(string(m.text[m.at:m.at+1]), m.at+1)
	} else if m.at < len(m.text) && m.text[m.at] == '{' {
		m.at = m.braces(m.at)
	} else {
		m.word(">")
	}
	end := m.at
	isElsewhere := (name == "href" || name == "src") && elsewhere().Match(m.text[value:end])
	isLink := isElsewhere || name == "href" && pageLink().Match(m.text[value:end])
	isLabel := name == "name" && (tag == "a" || tag == "meta")
	if !strings.Contains(plain, " "+name+" ") && !isLink && !isLabel {
		m.attributeCode(from, end, name)
		return
	}
	for at := value; at < end; at++ {
		if stop := m.action(at); stop > 0 {
			m.code(at, min(stop, end))
			at = m.at - 1
		}
	}
	m.at = end
}

// attributeCode records an attribute as code where attributes are.
func (m *markup) attributeCode(from, to int, name string) {
	if isLabel := strings.HasPrefix(name, "aria-"); !m.tagsOnly && !isLabel {
		m.code(from, to)
	}
	m.at = to
}

// braces returns the end of an expression in braces.
func (m *markup) braces(at int) int {
	for depth := 0; at < len(m.text); {
		c := m.text[at]
		at++
		if c == '{' {
			depth++
		} else if c == '}' {
			if depth--; depth == 0 {
				break
			}
		}
	}
	return at
}

// isIn reports whether a byte is in one of the parts of a text.
func isIn(parts [][2]int, at int) bool {
	i := sort.Search(len(parts), func(i int) bool { return parts[i][1] > at })
	return i < len(parts) && parts[i][0] <= at
}
