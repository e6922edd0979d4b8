package essential

import (
	"fmt"
	"strconv"
	"strings"

	"ken/internal/knowledge/textfile"
)

// People edit a context.yml, so ken changes single values of it and leaves all other
// lines as they are: comments, unknown keys, the order. Therefore it is read
// as lines with places. It reads block mappings, block lists, scalars and lists
// in brackets; other YAML is opaque and stays. Reading is linear in the size, because a file that
// came with a repository must not make a session wait.

type kind uint8

const (
	scalar  kind = iota
	mapping      // children have keys
	list         // children are items
	opaque       // a form that is left alone
)

// node is a value in a YAML file, with the range of its lines.
type node struct {
	kind     kind
	key      string // in a mapping
	value    string // of a scalar
	comment  string // at the end of its first line, with blanks before it
	children []*node
	line     int // first line, from 0
	end      int // line after the last
	indent   int // column of the key, or of the value after the dash
}

// child returns the value of a key, nil if there is none.
func (n *node) child(key string) *node {
	if n == nil || n.kind != mapping {
		return nil
	}
	for _, c := range n.children {
		if c.key == key {
			return c
		}
	}
	return nil
}

// text returns the scalar value of a key, "" if it is not a scalar.
func (n *node) text(key string) string {
	if c := n.child(key); c != nil && c.kind == scalar {
		return c.value
	}
	return ""
}

// maxDepth is the depth up to which nested values are read.
const maxDepth = 20

// yamlReader parses the lines of a YAML file into nodes.
type yamlReader struct {
	lines []string
	at    int
}

// parseYAML parses a file. It fails with a textfile.FormatError.
func parseYAML(lines []string) (*node, error) {
	r := &yamlReader{lines: lines}
	if r.at = r.nextLine(0); r.at < len(lines) && strings.HasPrefix(lines[r.at], "---") {
		r.at++
	}
	n, err := r.readBlock(0, 0)
	if err != nil {
		return nil, err
	}
	if r.at = r.nextLine(r.at); r.at < len(lines) {
		return nil, r.formatError(r.at, "a line that belongs to nothing")
	}
	if n.kind != mapping && len(n.children) == 0 && n.value == "" {
		n.kind = mapping // an empty file
	}
	if n.kind != mapping {
		return nil, r.formatError(n.line, "no keys and values")
	}
	return n, nil
}

func (r *yamlReader) formatError(at int, why string) error {
	return &textfile.FormatError{Line: at + 1, Why: why}
}

// nextLine returns the number of the first line, from line at on, that is neither blank nor a comment.
func (r *yamlReader) nextLine(at int) int {
	for at < len(r.lines) {
		if l := strings.TrimSpace(r.lines[at]); l != "" && l[0] != '#' {
			break
		}
		at++
	}
	return at
}

func indentation(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// readBlock reads the value that begins at the next line, if it is indented by least or more. Its first line decides its kind.
func (r *yamlReader) readBlock(least, depth int) (*node, error) {
	first := r.nextLine(r.at)
	n := &node{line: first, end: r.at}
	if first >= len(r.lines) || indentation(r.lines[first]) < least {
		return n, nil
	}
	if depth > maxDepth {
		return nil, r.formatError(first, "values are too deep in each other")
	}
	line := r.lines[first]
	if strings.HasPrefix(strings.TrimLeft(line, " "), "\t") {
		return nil, r.formatError(first, "a tab before a value: YAML takes blanks")
	}
	n.indent, r.at = indentation(line), first
	switch {
	case isItem(line[n.indent:]):
		n.kind = list
		return n, r.readItems(n, depth)
	case keyEnd(line[n.indent:]) > 0:
		n.kind = mapping
		return n, r.readEntries(n, depth)
	}
	r.readScalar(n, line[n.indent:], least-1)
	return n, nil
}

func isItem(s string) bool { return s == "-" || strings.HasPrefix(s, "- ") }

// readItems reads a list whose dashes are at the node's column.
func (r *yamlReader) readItems(n *node, depth int) error {
	for {
		at := r.nextLine(r.at)
		if at >= len(r.lines) || indentation(r.lines[at]) != n.indent || !isItem(r.lines[at][n.indent:]) {
			if at < len(r.lines) && indentation(r.lines[at]) > n.indent {
				return r.formatError(at, "a line that belongs to no item")
			}
			return nil
		}
		// The dash is read as a blank, so that the rest is a block of its own.
		line := r.lines[at]
		rest := strings.TrimLeft(line[n.indent+1:], " ")
		r.at = at
		item := &node{line: at, end: at + 1, indent: len(line) - len(rest)}
		var err error
		if rest == "" || rest[0] == '#' {
			r.at = at + 1
			item, err = r.readBlock(n.indent+1, depth+1)
		} else {
			r.lines[at] = strings.Repeat(" ", item.indent) + rest
			item, err = r.readBlock(n.indent+1, depth+1)
			r.lines[at] = line
		}
		if err != nil {
			return err
		}
		item.line = at
		item.end = max(item.end, at+1)
		r.at = max(r.at, at+1)
		n.children, n.end = append(n.children, item), item.end
	}
}

// readEntries reads a mapping whose keys are at the node's column.
func (r *yamlReader) readEntries(n *node, depth int) error {
	seen := map[string]bool{}
	for {
		at := r.nextLine(r.at)
		if at >= len(r.lines) || indentation(r.lines[at]) < n.indent {
			return nil
		}
		if isItem(r.lines[at][n.indent:]) && indentation(r.lines[at]) == n.indent {
			return nil // an item of the list that the mapping is in
		}
		line := r.lines[at][n.indent:]
		end := keyEnd(line)
		if indentation(r.lines[at]) > n.indent || end <= 0 || line[0] == '\t' {
			return r.formatError(at, "no key and value")
		}
		e := &node{key: textfile.ParseScalar(line[:end]), line: at, end: at + 1, indent: n.indent}
		if seen[e.key] {
			return r.formatError(at, fmt.Sprintf("%.40s is there twice", e.key))
		}
		seen[e.key] = true
		r.at = at
		if err := r.readEntry(e, strings.TrimSpace(line[end+1:]), depth); err != nil {
			return err
		}
		n.children, n.end = append(n.children, e), e.end
	}
}

// readEntry reads the value of a key; rest is the line after the colon.
func (r *yamlReader) readEntry(e *node, rest string, depth int) error {
	if rest != "" && rest[0] != '#' {
		r.readScalar(e, rest, e.indent)
		return nil
	}
	if rest != "" {
		e.comment = " " + rest
	}
	r.at++
	least := e.indent + 1
	if at := r.nextLine(r.at); at < len(r.lines) && indentation(r.lines[at]) == e.indent && isItem(r.lines[at][e.indent:]) {
		least = e.indent // a list may begin at the column of its key
	}
	v, err := r.readBlock(least, depth+1)
	if err != nil {
		return err
	}
	e.kind, e.value, e.children, e.end = v.kind, v.value, v.children, max(v.end, e.end)
	return nil
}

// keyEnd returns the offset of the colon that ends a key at the beginning of a line, 0 if there is none.
func keyEnd(s string) int {
	if s == "" || strings.ContainsRune("[]{}&*!|>%@`,#", rune(s[0])) {
		return 0
	}
	from := 0
	if q := s[0]; q == '"' || q == '\'' {
		end := strings.IndexByte(s[1:], q)
		if end < 0 {
			return 0
		}
		from = end + 2
	}
	for i := from; i < len(s); i++ {
		if s[i] == '#' && i > 0 && s[i-1] == ' ' {
			return 0
		}
		if s[i] == ':' && (i+1 == len(s) || s[i+1] == ' ') {
			return i
		}
	}
	return 0
}

// readScalar reads a value whose first line holds text; lines that are indented by more than outer continue it.
func (r *yamlReader) readScalar(n *node, text string, outer int) {
	first := r.at
	r.at++
	n.end = r.at
	switch text[0] {
	case '|', '>':
		r.readBlockScalar(n, text, outer)
		return
	case '&', '*', '!', '{', '@', '`', '%':
		n.kind = opaque
		r.skipValue(n, outer)
		return
	case '[':
		n.value = r.joinLines(n, text, outer)
		r.readFlowList(n)
		return
	case '"', '\'':
		n.value = r.joinLines(n, text, outer)
		n.value, n.comment = textfile.ParseScalar(n.value), commentAfter(n.value)
		return
	}
	if i := strings.Index(text, " #"); i >= 0 {
		n.comment = text[len(strings.TrimRight(text[:i], " \t")):]
	}
	n.value = textfile.ParseScalar(r.joinLines(n, text, outer))
	if n.value == "null" || n.value == "~" {
		n.value = ""
	}
	n.line = first
}

// joinLines returns a value with the lines that continue it, folded as in YAML.
func (r *yamlReader) joinLines(n *node, text string, outer int) string {
	parts := []string{strings.TrimSpace(text)}
	for at := r.at; at < len(r.lines); at++ {
		l := r.lines[at]
		if strings.TrimSpace(l) == "" {
			continue
		}
		if indentation(l) <= outer || strings.TrimSpace(l)[0] == '#' {
			break
		}
		parts = append(parts, strings.TrimSpace(l))
		r.at, n.end = at+1, at+1
	}
	return strings.Join(parts, " ")
}

// commentAfter returns the comment that follows a quoted value.
func commentAfter(s string) string {
	if i := strings.LastIndex(s, " #"); i > strings.LastIndexAny(s, `"'`) {
		return s[i:]
	}
	return ""
}

// skipValue reads past the lines of a value whose form is not parsed. Its lines are indented by more than outer.
func (r *yamlReader) skipValue(n *node, outer int) {
	for at := r.at; at < len(r.lines); at++ {
		if l := r.lines[at]; strings.TrimSpace(l) != "" {
			if indentation(l) <= outer {
				break
			}
			r.at, n.end = at+1, at+1
		}
	}
}

// readBlockScalar reads a block scalar, "|" or ">".
func (r *yamlReader) readBlockScalar(n *node, header string, outer int) {
	mark, _, _ := strings.Cut(header, " ")
	n.comment = strings.TrimPrefix(header, mark)
	indent := -1
	if i := strings.IndexAny(mark, "123456789"); i > 0 {
		indent = max(outer, 0) + int(mark[i]-'0')
	}
	var out []string
	begin := r.at
	for at := begin; at < len(r.lines); at++ {
		l := r.lines[at]
		if strings.TrimSpace(l) == "" {
			out = append(out, "")
			continue
		}
		if indentation(l) <= outer {
			break
		}
		if indent < 0 {
			indent = indentation(l)
		}
		out = append(out, l[min(indent, indentation(l)):])
		r.at, n.end = at+1, at+1
	}
	out = out[:n.end-begin] // blank lines after it are not part of it
	sep := "\n"
	if mark[0] == '>' {
		sep = " "
	}
	n.value = strings.Join(out, sep)
}

// readFlowList parses a list in brackets whose items are scalars without brackets or commas.
func (r *yamlReader) readFlowList(n *node) {
	text := n.value
	n.value = ""
	inner, rest, ok := strings.Cut(strings.TrimPrefix(text, "["), "]")
	rest = strings.TrimSpace(rest)
	if !ok || strings.ContainsAny(inner, "[{") || rest != "" && rest[0] != '#' {
		n.kind = opaque
		return
	}
	n.kind = list
	for part := range strings.SplitSeq(inner, ",") {
		if v := textfile.ParseScalar(part); v != "" {
			n.children = append(n.children, &node{value: v, line: n.line, end: n.end})
		}
	}
}

// isOtherType reports whether YAML reads an unquoted value as a number, a truth value or null. A hash, for example, can be all digits.
func isOtherType(s string) bool {
	switch strings.ToLower(s) {
	case "true", "false", "yes", "no", "on", "off", "y", "n", "null", "~":
		return true
	}
	return strings.ContainsAny(s[:min(1, len(s))], "-+.0123456789") && !strings.Contains(s, " ")
}

// formatEntry returns a key with its value as lines at a column.
func formatEntry(column int, key, value, comment string) []string {
	pad := strings.Repeat(" ", column)
	if !strings.Contains(value, "\n") && len(value) < 80 {
		text := textfile.QuoteScalar(value)
		if isOtherType(value) {
			text = strconv.Quote(value)
		}
		return []string{pad + key + ": " + text + comment}
	}
	head := "|-"
	if strings.HasPrefix(value, " ") {
		head = "|2-" // else the first line would say how far the others are indented
	}
	lines := []string{pad + key + ": " + head + comment}
	for l := range strings.SplitSeq(strings.Trim(value, "\n"), "\n") {
		if l = strings.TrimRight(printableLine(l), " \t"); l != "" {
			l = pad + "  " + l
		}
		lines = append(lines, l)
	}
	return lines
}

// printableLine returns a line without the characters that YAML forbids in a block.
func printableLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' {
			return ' '
		}
		if strconv.IsPrint(r) || r == '\u3000' || r == '\u00a0' {
			return r
		}
		return -1
	}, s)
}
