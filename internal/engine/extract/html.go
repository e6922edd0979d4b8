package extract

import (
	"strings"

	"ken/internal/code"
)

// HTML: elements with an id are symbols, as are the declarations of scripts in
// the page, which are read as JavaScript where they stand. Scripts and style
// sheets are imports; other files a page links to or shows are mentioned.

func htmlReader() reader {
	return reader{lang: "html", spec: javascriptSpec(), inner: func(src []byte) []byte { return blankBut(string(src), pageScripts(string(src))) },
		walk: walkHTML, direct: func(f *file, src []byte) bool {
			f.text = string(src)
			if len(pageScripts(f.text)) > 0 {
				return false
			}
			f.fullText = f.text
			scanHTML(f)
			return true
		}}
}

// pageScripts are the scripts written in a page.
func pageScripts(text string) [][2]int {
	if !strings.Contains(text, "cript") && !strings.Contains(text, "CRIPT") {
		return nil
	}
	m := markup{s: text}
	var keep [][2]int
	for t := m.next(); t.kind != tokenEnd; t = m.next() {
		if t.kind == startTag && t.raw && strings.EqualFold(t.name, "script") && isScript(&m) && strings.TrimSpace(text[t.from:t.to]) != "" {
			keep = append(keep, [2]int{t.from, t.to})
		}
	}
	return keep
}

// walkHTML reads a page with scripts in it.
func walkHTML(f *file) {
	s := openScript(f)
	s.close()
	for i := range f.facts.Symbols {
		f.facts.Symbols[i].Exported = true // scripts of a page share its globals
	}
	f.facts.IsTest = false
	scanHTML(f)
	f.sortSymbols()
}

func scanHTML(f *file) {
	m := markup{s: f.fullText}
	for t := m.next(); t.kind != tokenEnd; t = m.next() {
		if t.kind != startTag {
			continue
		}
		name := strings.ToLower(t.name)
		if name == "title" && t.raw && f.facts.Doc == "" {
			f.facts.Doc = cut(oneLine(m.s[t.from:t.to]), code.MaxDoc)
		}
		f.elementID(&m, t, name)
		f.pageLink(&m, t, name)
	}
}

// elementID declares an element that bears an id, or a named anchor.
func (f *file) elementID(m *markup, t markupToken, tag string) {
	for i := range m.attrs {
		a := &m.attrs[i]
		if !strings.EqualFold(a.name, "id") && (tag != "a" || !strings.EqualFold(a.name, "name")) {
			continue
		}
		if a.value != "" && !strings.ContainsAny(a.value, " \t\n{}<>$") {
			f.plainSymbol(code.KindElement, a.value, a.valueAt, t.at, tagEnd(m.s, t), m.s[t.at:tagEnd(m.s, t)], maxOutline)
		}
		return
	}
}

// tagEnd is where a start tag ends, without the content of a raw element.
func tagEnd(s string, t markupToken) int {
	if t.raw {
		return t.from
	}
	return t.end
}

// pageLink notes the files and hosts a tag names.
func (f *file) pageLink(m *markup, t markupToken, tag string) {
	for i := range m.attrs {
		a := &m.attrs[i]
		switch strings.ToLower(a.name) {
		case "src":
			f.pageFile(a, tag == "script")
		case "href":
			rel, _ := m.attr("rel")
			f.pageFile(a, tag == "link" && (strings.Contains(rel, "stylesheet") || strings.Contains(rel, "preload") || strings.Contains(rel, "icon") || rel == "manifest"))
		case "poster", "data":
			f.pageFile(a, false)
		}
	}
}

// pageFile imports a file the page cannot do without, or mentions another.
func (f *file) pageFile(a *markupAttr, needed bool) {
	spec := strings.TrimSpace(a.value)
	if i := strings.IndexAny(spec, "?#"); i >= 0 {
		spec = spec[:i]
	}
	remote := strings.HasPrefix(spec, "//") || strings.Contains(spec, "://")
	switch {
	case spec == "" || strings.ContainsAny(spec, " {}<>$%\"'\n\t"):
	case remote:
		if needed {
			f.plainImport(code.ImportStatic, spec, a.valueAt)
		}
	case strings.Contains(spec, ":"):
	case needed:
		f.plainImport(code.ImportStatic, spec, a.valueAt)
	default:
		f.mention(spec, a.valueAt)
	}
}
