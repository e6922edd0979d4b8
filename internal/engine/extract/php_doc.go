package extract

import (
	"sort"
	"strings"

	"ken/internal/engine/extract/lexical"
)

// comment returns the documentation comment directly before byte start, or none.
func (p *php) comment(start uint32) node {
	i := sort.Search(len(p.comments), func(i int) bool { return p.start(p.comments[i]) >= start }) - 1
	if i < 0 {
		return none
	}
	c := p.comments[i]
	adjacent := p.end(c) <= start && strings.TrimSpace(p.tree.text[p.end(c):start]) == ""
	if !adjacent || !isJavadoc(p.str(c)) {
		return none
	}
	return c
}

// tagLines calls f with the text after a tag, for each line that has the tag.
func (p *php) tagLines(comment node, tag string, f func(rest string)) {
	if comment == none {
		return
	}
	text := p.str(comment)
	for {
		i := strings.Index(text, tag)
		if i < 0 {
			return
		}
		text = text[i+len(tag):]
		line := text
		if end := strings.IndexByte(text, '\n'); end >= 0 {
			line = text[:end]
		}
		if lexical.IsBlank(lexical.ByteAt(line, 0)) {
			f(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(line), "*/")))
		}
	}
}

// docParams binds the parameters to which a comment gives types.
func (p *php) docParams(comment node) {
	p.tagLines(comment, "@param", func(rest string) {
		if v := p.docTyped(rest); v.name != "" && v.typ != "" {
			p.names.bind(binding{name: v.name, what: bindLocal, typ: v.typ})
		}
	})
	p.docElements(comment, "param", func(name, elem string) {
		if b := p.names.lookup(name); name != "" && (b == nil || b.typ == "") {
			p.names.bind(binding{name: name, what: bindLocal, expr: elem})
		}
	})
}

func (p *php) docReturn(comment node) (typ string) {
	p.tagLines(comment, "@return", func(rest string) {
		if typ == "" {
			typ = p.docTyped(rest).typ
		}
	})
	return typ
}

// docVar returns the variable that a @var describes; its name is "" if it describes the one
// that follows.
func (p *php) docVar(comment node) (v phpVar) {
	p.tagLines(comment, "@var", func(rest string) {
		if v.typ == "" {
			v = p.docTyped(rest)
		}
	})
	return v
}

// docTyped reads `Type $name text`. Of A|B|null it takes the first class; a list of
// Type (Type[], array<Type>) is not of type Type.
func (p *php) docTyped(s string) (v phpVar) {
	fields := strings.Fields(s)
	if len(fields) > 1 && strings.HasPrefix(fields[0], "$") {
		fields[0], fields[1] = fields[1], fields[0]
	}
	if len(fields) > 1 {
		v.name = strings.TrimPrefix(strings.TrimPrefix(fields[1], "&"), "...")
		if !strings.HasPrefix(v.name, "$") || strings.HasPrefix(fields[1], "...") {
			v.name = ""
		}
	}
	if len(fields) == 0 {
		return v
	}
	for t := range strings.SplitSeq(strings.TrimPrefix(fields[0], "?"), "|") {
		if i := strings.IndexAny(t, "<{("); i >= 0 {
			t = t[:i]
		}
		if t == "$this" {
			t = "static"
		}
		if strings.HasSuffix(t, "[]") || !isPathName(t) {
			continue
		}
		if v.typ = p.nameType(t); v.typ != "" {
			return v
		}
	}
	return v
}

// isPathName reports whether s is a name that may hold backslashes.
func isPathName(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' && !lexical.IsWord(s[i]) {
			return false
		}
	}
	return s != "" && !lexical.IsDigit(s[0])
}
