// Package declared compares two texts of a file by their declarations, so that a change of one is told from a change of others. It reads no
// index: both texts are extracted. Its neighbour diff compares two states of a project.
package declared

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ken/internal/code"
	"ken/internal/engine/extract"
	"ken/internal/lang"
)

// Change is a declaration whose lines differ between two texts of a file.
type Change struct {
	Name   string   // qualified; "" for lines outside of all declarations
	Around []string // the declarations within whose lines it is: a method of Go is in none, although its type is in its name
}

// Changes returns the declarations whose lines differ between two texts of a file, in the order of the first, and lines outside of all of
// them, but for imports. Blank lines count nowhere. The comment above a declaration is a part of it. A new declaration is no change, as no
// new file is one; but one within a declaration that is no class is a change of that, and an import that binds the name of a declaration
// one of that, and a new variable whose value is computed by a call is a line outside of all.
func Changes(path string, lang code.Lang, old, now []byte) []Change {
	names, was := changedNames(path, lang, old, now)
	var out []Change
	for _, n := range names {
		out = append(out, Change{n, was.around[n]})
	}
	return out
}

// changedNames returns the names of Changes, and the first text by its declarations.
func changedNames(path string, lang code.Lang, old, now []byte) (names []string, was *parts) {
	if bytes.Equal(old, now) {
		return nil, &parts{}
	}
	x := extract.New()
	defer x.Close()
	was = split(x, path, lang, old)
	is := split(x, path, lang, now)
	if len(was.order) == 0 || is.broken > was.broken {
		return was.touched(was.lines, is.lines), was // declarations cannot be told apart
	}
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range was.order {
		if is.text[name] != was.text[name] || is.imported[name] != was.imported[name] {
			add(name)
		}
	}
	if was.text[""] != is.text[""] || was.imported["*"] < is.imported["*"] {
		add("")
	}
	for _, name := range is.order {
		if _, known := was.kind[name]; known {
			continue
		}
		parent := is.parent[name]
		if parent == "" && is.runs(name) {
			add("")
		}
		if _, known := was.kind[parent]; known && !takesMembers(was.kind[parent], is.kind[name]) {
			add(parent)
		}
	}
	return names, was
}

// runs reports whether a declaration that is no function and no type runs something when the file is loaded, in a language in which a new
// file does not do the same unasked.
func (p *parts) runs(name string) bool {
	k := p.kind[name]
	if k.IsFunction() || k.IsType() || len(p.lang.LoadFunctions) > 0 {
		return false
	}
	for l := range strings.Lines(p.text[name]) {
		if running().MatchString(importer().ReplaceAllString(p.withoutComment(l), "IMPORT")) {
			return true
		}
	}
	return false
}

// takesMembers reports whether a new member of a declaration changes nothing for those that use it.
func takesMembers(parent, member code.Kind) bool {
	return slices.Contains([]code.Kind{code.KindClass, code.KindStruct, code.KindModule}, parent) && member.IsFunction()
}

// parts is a text by its declarations.
type parts struct {
	lang   *lang.Info
	lines  []string
	owners [][]string        // of each line, the innermost declarations
	order  []string          // names, in the order of the text
	text   map[string]string // own lines
	kind   map[string]code.Kind
	parent map[string]string
	around map[string][]string // the declarations within whose lines one is
	// imported counts the imports that bind a name: one below a declaration takes its name away.
	imported map[string]int
	broken   uint32 // bytes that could not be read
}

// importEnd matches a line that opens or closes a group of imports.
var importEnd = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*(import\s*[({]|[)}];?|[)}]\s*from\s.*)\s*$`) })

func split(x *extract.Extractor, path string, l code.Lang, src []byte) *parts {
	p := &parts{
		lang: lang.Of(l),
		text: map[string]string{}, kind: map[string]code.Kind{}, parent: map[string]string{},
		around: map[string][]string{}, imported: map[string]int{},
	}
	p.lines = strings.Split(strings.TrimSuffix(string(src), "\n"), "\n")
	p.owners = make([][]string, len(p.lines))
	facts := x.Extract(path, l, src)
	p.broken = facts.ErrorBytes
	if facts.Problem != "" {
		p.broken++
	}
	for i := range facts.Symbols {
		p.addSymbol(facts, i)
	}
	for i := range facts.Symbols {
		p.addAround(facts, i)
		p.addBehind(facts, i, src)
	}
	for i := range facts.Imports {
		p.imported[strings.Clone(facts.Imports[i].Alias)]++
		for _, n := range facts.Imports[i].Names {
			p.imported[strings.Clone(cmp.Or(n.Alias, n.Name))]++
		}
	}
	imported := importLines(facts, p)
	p.addAbove(imported)
	for i, l := range p.lines {
		l = strings.TrimRight(l, " \t\r")
		if l == "" {
			continue
		}
		if len(p.owners[i]) == 0 && (imported[i] && p.onlyImports(l) || importEnd().MatchString(l)) {
			continue
		}
		for _, o := range p.owners[i] {
			p.text[o] += l + "\n"
		}
		if len(p.owners[i]) == 0 {
			p.text[""] += l + "\n"
		}
	}
	return p
}

// addSymbol gives the lines of a declaration to it. Parents come before their children, which take the lines from them.
func (p *parts) addSymbol(facts *code.Facts, i int) {
	s := &facts.Symbols[i]
	parent := ""
	if s.Parent >= 0 {
		parent = strings.Clone(facts.Symbols[s.Parent].Qualified)
	}
	name := strings.Clone(s.Qualified)
	if _, known := p.kind[name]; !known {
		p.order = append(p.order, name)
		p.kind[name], p.parent[name] = s.Kind, parent
	}
	for n := int(s.Span.Line) - 1; n < int(s.Span.EndLine) && n < len(p.lines); n++ {
		p.owners[n] = append(slices.DeleteFunc(p.owners[n], func(o string) bool { return o == parent || strings.HasPrefix(parent, o+".") }), name)
	}
}

// addAround notes within which declarations the lines of one are.
func (p *parts) addAround(facts *code.Facts, i int) {
	s := &facts.Symbols[i]
	for k := s.Parent; k >= 0; k = facts.Symbols[k].Parent {
		if facts.Symbols[k].Span.Contains(s.Span) {
			p.around[strings.Clone(s.Qualified)] = append(p.around[s.Qualified], strings.Clone(facts.Symbols[k].Qualified))
		}
	}
}

// nothing matches what follows a declaration on its last line and runs nothing.
var nothing = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\s;,)\]}]*$`) })

// addBehind takes what follows a declaration on its last line for lines outside of it.
func (p *parts) addBehind(facts *code.Facts, i int, src []byte) {
	s := &facts.Symbols[i]
	if s.Parent >= 0 || int(s.Span.End) > len(src) {
		return
	}
	rest, _, _ := bytes.Cut(src[s.Span.End:], []byte("\n"))
	for k := i + 1; k < len(facts.Symbols); k++ {
		if o := facts.Symbols[k].Span; o.Start >= s.Span.End {
			if o.Line == s.Span.EndLine {
				return // another declaration follows
			}
			break
		}
	}
	if text := p.withoutComment(string(rest)); !nothing().MatchString(text) {
		p.text[""] += text + "\n"
	}
}

// withoutComment returns a line without the comment at its end.
func (p *parts) withoutComment(line string) string {
	line = quoted().ReplaceAllString(line, `""`)
	for _, mark := range append(slices.Clone(p.lang.Line), p.lang.Block[0]) {
		if at := strings.Index(line, mark); mark != "" && at >= 0 {
			line = line[:at]
		}
	}
	return strings.TrimRight(line, " \t\r")
}

// isAbove reports whether a line above a declaration belongs to it and runs nothing else: a comment, a decorator or an attribute. A
// comment that means another declaration does not.
func (p *parts) isAbove(line string) bool {
	t := strings.TrimSpace(line)
	begins := func(mark string) bool { return mark != "" && strings.HasPrefix(t, mark) }
	inBlock := begins(p.lang.Block[0]) || p.lang.Block[0] == "/*" && begins("*")
	switch {
	case begins("@"), begins("#[") && p.lang.Strings.Attributes, begins("[") && p.lang.BracketAttributes:
		return true
	case inBlock:
		at := strings.Index(t, p.lang.Block[1])
		return at < 0 || strings.TrimSpace(t[at+len(p.lang.Block[1]):]) == ""
	case p.lang.Directive != "" && regexp.MustCompile(p.lang.Directive).MatchString(t):
		return false
	}
	return slices.ContainsFunc(p.lang.Line, begins)
}

// addAbove gives comments, decorators and attributes to the declaration below them.
func (p *parts) addAbove(imported map[int]bool) {
	for i := len(p.lines) - 1; i > 0; i-- {
		below, above := p.owners[i], p.owners[i-1]
		if len(below) == 0 || imported[i-1] || !p.isAbove(p.lines[i-1]) {
			continue
		}
		if len(above) == 0 || len(above) == 1 && p.parent[below[0]] == above[0] {
			p.owners[i-1] = below
		}
	}
}

// maxImport is the number of lines of one import that is written over several.
const maxImport = 100

// importLines returns the lines of imports outside of declarations, from 0.
func importLines(facts *code.Facts, p *parts) map[int]bool {
	out := map[int]bool{}
	for i := range facts.Imports {
		line := int(facts.Imports[i].Line)
		first := max(line-1, 0)
		if first < len(p.lines) && closing().MatchString(p.lines[first]) { // names before a call that imports, over several lines
			for first > max(0, line-maxImport) && len(p.owners[first-1]) == 0 && namesOnly().MatchString(p.lines[first-1]) {
				if first--; brackets(p.lines[first]) > 0 {
					break
				}
			}
		}
		open := 0
		for n := first; n < min(len(p.lines), line+maxImport); n++ {
			if len(p.owners[n]) > 0 {
				break
			}
			out[n] = true
			if open += brackets(p.lines[n]); open <= 0 {
				break
			}
		}
	}
	return out
}

// The parts of a line that imports: quoted texts, what imports one, and what runs something.
var (
	quoted   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|` + "`[^`]*`") })
	importer = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`[@\w.]*\b(?:require\w*|import|include\w*|load|source|library)\s*\(?\s*""\s*\)?`)
	})
	running = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`;\s*\S|&&|\|\||\$\(|(?:[\])]|\b\w+)\s*\(`) })
	keyword = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b(?:import|from|use|using|export|const|let|var|as|type|static)\s*\(`)
	})
	assigned = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`=\s*(?:await\s+)?IMPORT(?:\.\w+)*\s*[;,]?\s*$|=>`) })
)

// onlyImports reports whether a line with an import does nothing else: it calls nothing, and binds nothing but what is imported.
func (p *parts) onlyImports(line string) bool {
	line = importer().ReplaceAllString(p.withoutComment(line), "IMPORT")
	line = keyword().ReplaceAllString(line, "( ")
	if running().MatchString(line) {
		return false
	}
	t := strings.TrimSpace(line)
	return strings.HasPrefix(t, "import ") || !strings.Contains(assigned().ReplaceAllString(t, ""), "=")
}

// closing matches a line that begins with the end of a list of names.
var closing = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*[})]\s*=`) })

// namesOnly matches a line of a list of names, which runs nothing.
var namesOnly = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\s\w$,:]*({|=\s*{)?\s*(//.*)?$`) })

// brackets returns how many brackets a line opens more than it closes.
func brackets(line string) (open int) {
	for _, r := range line {
		switch r {
		case '(', '{', '[':
			open++
		case ')', '}', ']':
			open--
		}
	}
	return open
}

// touched returns the declarations between the first and the last line that differ.
func (p *parts) touched(old, now []string) (names []string) {
	first := 0
	for first < len(old) && first < len(now) && old[first] == now[first] {
		first++
	}
	last, end := len(old), len(now)
	for last > first && end > first && old[last-1] == now[end-1] {
		last, end = last-1, end-1
	}
	add := func(n int) {
		owners := []string{""}
		if n >= 0 && n < len(p.owners) && len(p.owners[n]) > 0 {
			owners = p.owners[n]
		}
		for _, o := range owners {
			if !slices.Contains(names, o) {
				names = append(names, o)
			}
		}
	}
	for n := first; n < last; n++ {
		add(n)
	}
	if first == last { // lines were added
		add(first - 1)
		add(first)
	}
	return names
}
