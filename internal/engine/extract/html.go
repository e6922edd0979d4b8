package extract

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
	"ken/internal/engine/extract/markup"
	"ken/internal/engine/extract/plain"
)

// HTML: elements with an id are symbols, as are the declarations of scripts in the
// page. These are read as JavaScript, with everything else blanked so that positions
// stay those of the page. Scripts and style sheets are imports; other files a page links
// to or shows are mentioned.

func htmlReader() reader {
	return reader{
		lang: "html",
		spec: javascriptSpec(),
		inner: func(src []byte) []byte {
			text := string(src)
			return markup.BlankBut(text, pageScripts(text))
		},
		walk:   walkHTML,
		direct: scanScriptless,
	}
}

// scanScriptless reads an HTML page without a grammar if it contains no script, and reports whether it did.
func scanScriptless(f *file, src []byte) bool {
	f.text = string(src)
	if len(pageScripts(f.text)) > 0 {
		return false
	}
	f.fullText = f.text
	scanHTML(f.page())
	return true
}

// pageScripts returns start and end of each script in the text of a page.
func pageScripts(text string) [][2]int {
	if !strings.Contains(text, "cript") && !strings.Contains(text, "CRIPT") {
		return nil
	}
	m := markup.New(text, 0, "")
	var keep [][2]int
	for t := m.Next(); t.Kind != markup.End; t = m.Next() {
		element := t.Kind == markup.StartTag && t.Raw && strings.EqualFold(t.Name, "script")
		if element && isScript(&m) && strings.TrimSpace(text[t.From:t.To]) != "" {
			keep = append(keep, [2]int{t.From, t.To})
		}
	}
	return keep
}

// walkHTML reads a page that contains scripts.
func walkHTML(f *file) {
	s := openScript(f)
	s.close()
	for i := range f.facts.Symbols {
		f.facts.Symbols[i].Exported = true // scripts of a page share its globals
	}
	f.facts.IsTest = false
	scanHTML(f.page())
	f.sortSymbols()
}

// scanHTML reads the tags of a page.
func scanHTML(f *plain.File) {
	m := markup.New(f.Text, 0, "")
	for t := m.Next(); t.Kind != markup.End; t = m.Next() {
		if t.Kind != markup.StartTag {
			continue
		}
		name := strings.ToLower(t.Name)
		if name == "title" && t.Raw && f.Facts.Doc == "" {
			f.Facts.Doc = lexical.Cut(lexical.OneLine(f.Text[t.From:t.To]), code.MaxDoc)
		}
		elementID(f, &m, t, name)
		pageLink(f, &m, t, name)
	}
}

// elementID declares an element that has an id, or a named anchor.
func elementID(f *plain.File, m *markup.Reader, t markup.Token, tag string) {
	for i := range m.Attrs {
		a := &m.Attrs[i]
		if !strings.EqualFold(a.Name, "id") && (tag != "a" || !strings.EqualFold(a.Name, "name")) {
			continue
		}
		if a.Value != "" && !strings.ContainsAny(a.Value, " \t\n{}<>$") {
			end := startTagEnd(f.Text, t)
			f.AddSymbol(code.KindElement, a.Value, a.ValueAt, t.At, end, f.Text[t.At:end], plain.MaxOutline)
		}
		return
	}
}

// startTagEnd returns where a start tag ends, without the content of a raw element.
func startTagEnd(s string, t markup.Token) int {
	if t.Raw {
		return t.From
	}
	return t.End
}

// pageLink records the files and hosts that a tag names, as imports if the page needs them and as mentions otherwise.
func pageLink(f *plain.File, m *markup.Reader, t markup.Token, tag string) {
	for i := range m.Attrs {
		a := &m.Attrs[i]
		switch strings.ToLower(a.Name) {
		case "src":
			pageFile(f, a, tag == "script")
		case "href":
			rel, _ := m.Attr("rel")
			pageFile(f, a, tag == "link" && isNeededRel(rel))
		case "poster", "data":
			pageFile(f, a, false)
		}
	}
}

// isNeededRel reports whether a browser loads a link with this rel attribute together with the page.
func isNeededRel(rel string) bool {
	for _, word := range [...]string{"stylesheet", "preload", "icon"} {
		if strings.Contains(rel, word) {
			return true
		}
	}
	return rel == "manifest"
}

// pageFile records the file of an attribute: as an import if the page needs it, otherwise as a mention.
func pageFile(f *plain.File, a *markup.Attr, needed bool) {
	spec := strings.TrimSpace(a.Value)
	if i := strings.IndexAny(spec, "?#"); i >= 0 {
		spec = spec[:i]
	}
	remote := strings.HasPrefix(spec, "//") || strings.Contains(spec, "://")
	switch {
	case spec == "", strings.ContainsAny(spec, " {}<>$%\"'\n\t"):
	case remote:
		if needed {
			f.AddImport(code.ImportStatic, spec, a.ValueAt)
		}
	case strings.Contains(spec, ":"):
	case needed:
		f.AddImport(code.ImportStatic, spec, a.ValueAt)
	default:
		f.Mention(spec, a.ValueAt)
	}
}
