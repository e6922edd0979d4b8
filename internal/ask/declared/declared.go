// Package declared compares two texts of a file by their declarations, so that a change of one is told from a change of others. It reads no
// index: both texts are extracted. Its neighbour diff compares two states of a project.
package declared

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract"
)

// Changes returns the qualified names of the declarations whose lines differ between two texts of a file, in the order of the first. The
// name "" stands for lines outside of all declarations, without imports. Blank lines count nowhere. The comment above a declaration is a
// part of it. A new declaration is no change, as no new file is one; but one within a declaration that is no class is a change of that.
func Changes(path string, lang code.Lang, old, now []byte) (names []string) {
	if bytes.Equal(old, now) {
		return nil
	}
	x := extract.New()
	defer x.Close()
	was, is := split(x, path, lang, old), split(x, path, lang, now)
	if len(was.order) == 0 || is.broken > was.broken {
		return was.touched(was.lines, is.lines) // declarations cannot be told apart
	}
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range was.order {
		if is.text[name] != was.text[name] {
			add(name)
		}
	}
	if was.text[""] != is.text[""] {
		add("")
	}
	for _, name := range is.order {
		if _, known := was.kind[name]; known {
			continue
		}
		parent := is.parent[name]
		if _, known := was.kind[parent]; known && !takesMembers(was.kind[parent], is.kind[name]) {
			add(parent)
		}
	}
	return names
}

// takesMembers reports whether a new member of a declaration changes nothing for those that use it.
func takesMembers(parent, member code.Kind) bool {
	return slices.Contains([]code.Kind{code.KindClass, code.KindStruct, code.KindModule}, parent) && member.IsFunction()
}

// parts is a text by its declarations.
type parts struct {
	lines  []string
	owners [][]string        // of each line, the innermost declarations
	order  []string          // names, in the order of the text
	text   map[string]string // own lines
	kind   map[string]code.Kind
	parent map[string]string
	broken uint32 // bytes that could not be read
}

// aboveLine matches a line above a declaration that belongs to it: a comment, a decorator or an attribute.
var aboveLine = regexp.MustCompile(`^\s*(//|/\*|\*|#[ !\[#]|#$|--|;;|@|\[)`)

// importEnd matches a line that opens or closes a group of imports.
var importEnd = regexp.MustCompile(`^\s*(import\s*[({]|[)}];?|[)}]\s*from\s.*)\s*$`)

func split(x *extract.Extractor, path string, lang code.Lang, src []byte) *parts {
	p := &parts{text: map[string]string{}, kind: map[string]code.Kind{}, parent: map[string]string{}}
	p.lines = strings.Split(strings.TrimSuffix(string(src), "\n"), "\n")
	p.owners = make([][]string, len(p.lines))
	facts := x.Extract(path, lang, src)
	p.broken = facts.ErrorBytes
	if facts.Problem != "" {
		p.broken++
	}
	for i := range facts.Symbols {
		p.addSymbol(facts, i)
	}
	imported := importLines(facts, p)
	p.addAbove(imported)
	for i, l := range p.lines {
		l = strings.TrimRight(l, " \t\r")
		if l == "" || len(p.owners[i]) == 0 && (imported[i] || importEnd.MatchString(l)) {
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

// addAbove gives comments, decorators and attributes to the declaration below them.
func (p *parts) addAbove(imported map[int]bool) {
	for i := len(p.lines) - 1; i > 0; i-- {
		below, above := p.owners[i], p.owners[i-1]
		if len(below) == 0 || imported[i-1] || !aboveLine.MatchString(p.lines[i-1]) {
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
		if first < len(p.lines) && closing.MatchString(p.lines[first]) { // names before a call that imports, over several lines
			for first > max(0, line-maxImport) && len(p.owners[first-1]) == 0 && namesOnly.MatchString(p.lines[first-1]) {
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

// closing matches a line that begins with the end of a list of names.
var closing = regexp.MustCompile(`^\s*[})]\s*=`)

// namesOnly matches a line of a list of names, which runs nothing.
var namesOnly = regexp.MustCompile(`^[\s\w$,:]*({|=\s*{)?\s*(//.*)?$`)

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
