package page

import (
	"net/url"
	"strings"

	"ken/internal/engine/extract/lexical"
	"ken/internal/engine/extract/plain"
)

// plainText returns the text of a heading as a reader sees it: without emphasis, code marks,
// images, link targets, HTML tags and {#anchors}.
func plainText(s string) string {
	if i := strings.LastIndex(s, "{#"); i >= 0 && strings.HasSuffix(s, "}") {
		s = strings.TrimSpace(s[:i])
	}
	if !strings.ContainsAny(s, "`*_[]<\\\n\t") {
		return strings.Join(strings.Fields(s), " ")
	}
	s = lexical.Cut(s, 1024)
	var b strings.Builder
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s) && s[i+1] != '\n':
			b.WriteByte(s[i+1])
			i += 2
		case c == '`':
			n := lexical.Run(s[i:], '`')
			end := strings.Index(s[i+n:], s[i:i+n])
			if end < 0 {
				end = 0
			} else {
				b.WriteString(s[i+n : i+n+end])
				end += n
			}
			i += n + end
		case c == '*', c == '_' && !isInsideWord(s, i):
			i++
		case c == '!' && lexical.ByteAt(s, i+1) == '[':
			i++
			if n := strings.IndexByte(s[i:], ']'); n >= 0 {
				i += n
			}
		case c == '[':
			i++
		case c == ']':
			i++
			i += linkTail(s[i:])
		case c == '<':
			n := strings.IndexByte(s[i:], '>')
			if n < 2 || s[i+1] == ' ' {
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

// isInsideWord reports whether both neighbours of the byte at i belong to words, so that
// an underscore there marks no emphasis.
func isInsideWord(s string, i int) bool {
	return i > 0 && lexical.IsWord(s[i-1]) && lexical.IsWord(lexical.ByteAt(s, i+1))
}

// linkTail returns the length of the (target) or [label] that s begins with, or 0 if it begins
// with neither.
func linkTail(s string) int {
	switch lexical.ByteAt(s, 0) {
	case '(':
		return strings.IndexByte(s, ')') + 1
	case '[':
		return strings.IndexByte(s, ']') + 1
	}
	return 0
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
		if t := strings.TrimSpace(dest[i:]); t != "" && strings.IndexByte("\"'(", t[0]) < 0 {
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
			w := lexical.Run(line[i:], '`')
			n := strings.Index(line[i+w:], line[i:i+w])
			if n < 0 {
				i += w
				break
			}
			m.codeSpan(strings.TrimSpace(line[i+w:i+w+n]), at+i)
			i += w + n + w
		case ']':
			i++
			if lexical.ByteAt(line, i) == '(' {
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

// linkTarget reads the destination in the parentheses of a link, whose content is s
// and returns it with its length.
func linkTarget(s string) (dest string, n int) {
	s = s[:min(len(s), 1024)]
	start := len(s) - len(strings.TrimLeft(s, " \t"))
	if lexical.ByteAt(s, start) == '<' {
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

// link records the target of a link, if it is a path.
func (m *markdown) link(dest string, at int) {
	if i := strings.IndexAny(dest, "#?"); i >= 0 {
		dest = dest[:i]
	}
	if dest == "" || strings.HasPrefix(dest, "//") || strings.ContainsAny(dest, ":{}$\n") {
		return
	}
	if strings.IndexByte(dest, '%') >= 0 {
		if p, err := url.PathUnescape(dest); err == nil {
			dest = p
		}
	}
	m.Mention(strings.TrimSuffix(dest, "/"), at)
}

// codeSpan records a path in backticks, with or without a line number.
func (m *markdown) codeSpan(text string, at int) {
	p, _, numbered := cutLine(text)
	specific := numbered || strings.IndexByte(p, '/') >= 0 // a bare name.ext may be anything
	if specific && plain.IsPathLike(p) && hasExtension(p) && strings.IndexByte(p, ':') < 0 {
		m.Mention(p, at)
	}
}

// hasExtension reports whether the last segment of a path ends in .ext.
func hasExtension(path string) bool {
	dot := strings.LastIndexByte(path, '.')
	return dot > 0 && dot < len(path)-1 && strings.IndexByte(path[dot:], '/') < 0
}

// isPathByte reports the bytes of the paths position looks for.
func isPathByte(c byte) bool {
	switch c {
	case '.', '/', '-', '+':
		return true
	}
	return lexical.IsWord(c)
}

// position records the path before the colon at i, if digits follow it.
func (m *markdown) position(line string, i, at int) {
	if !lexical.IsDigit(lexical.ByteAt(line, i+1)) {
		return
	}
	start := i
	for start > max(i-256, 0) && isPathByte(line[start-1]) {
		start--
	}
	if start > 0 && line[start-1] == ':' { // the path of a URL
		return
	}
	p := line[start:i]
	if plain.IsPathLike(p) && hasExtension(p) && strings.IndexByte(p, '/') >= 0 {
		m.Mention(p, at+start)
	}
}

// cutLine removes ":12", ":12-14" or "#L12" from a path.
func cutLine(s string) (path, line string, ok bool) {
	i := strings.IndexAny(s, ":#")
	if i <= 0 {
		return s, "", false
	}
	n := strings.TrimPrefix(s[i+1:], "L")
	if !lexical.IsDigit(lexical.ByteAt(n, 0)) || strings.Trim(n, "0123456789-:L") != "" {
		return s, "", false
	}
	return s[:i], n, true
}

// attributes records the files that the HTML tags of a line name.
func (m *markdown) attributes(at, end int) {
	line := m.s[at:end]
	for _, name := range [...]string{"src=", "href="} {
		for rest, off := line, 0; ; {
			n := strings.Index(rest, name)
			if n < 0 {
				break
			}
			rest, off = rest[n+len(name):], off+n+len(name)
			quote := lexical.ByteAt(rest, 0)
			if quote != '"' && quote != '\'' {
				continue
			}
			if e := strings.IndexByte(rest[1:], quote); e > 0 {
				m.link(rest[1:1+e], at+off)
			}
		}
	}
}
