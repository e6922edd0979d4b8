// Package describe finds the lines of a document that describe a name, as reference documentation does: the heading of its section,
// its row of a table, its item of a list or its definition. A name in a sentence or an example is not described there. The notations
// are those of Markdown, reStructuredText and AsciiDoc, and headings of HTML. Its neighbour ask/impact asks for the names of changed
// code.
package describe

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The parts of a document in which a line can describe a name.
const (
	Heading    = "heading"
	Row        = "table row"
	Item       = "list item"
	Definition = "definition"
)

// Line is a line that describes a name.
type Line struct {
	Number int // from 1
	Name   string
	As     string
}

// Sure is the certainty that an occurrence of a name in a document means the declaration.
type Sure int

// The levels of certainty, with the places in which a name counts.
const (
	Common Sure = iota // short or generic (run, config): only where it is marked as code, called, or preceded by a kind of declaration
	Word               // may be a word of prose (Start): also where it is a whole cell or term
	Term               // is written as names are in code (PriceOf, max_size): anywhere in a heading
)

// MaxCommon is the length of a plain word, in bytes, up to which it is as common as a generic name.
const MaxCommon = 4

// Certainty returns how surely an occurrence of a name means the declaration. A generic name is that of many unrelated things.
func Certainty(name string, generic bool) Sure {
	switch {
	case IsTerm(name):
		return Term
	case len(name) <= MaxCommon, generic:
		return Common
	}
	return Word
}

// IsTerm reports whether a word is written as names are in code and no word of prose is: with an underscore, a point, a colon or a
// capital inside.
func IsTerm(w string) bool {
	hasLetter := func(s string) bool { return strings.ContainsFunc(s, unicode.IsLetter) }
	lower, inner := false, false
	for i, r := range w {
		switch {
		case r == '_' && i > 0 && i < len(w)-1:
			return true
		case (r == '.' || r == ':') && hasLetter(w[:i]) && hasLetter(w[i:]):
			return true
		case unicode.IsUpper(r) && lower:
			inner = true
		case unicode.IsLower(r):
			lower = true
		}
	}
	return inner
}

// Names holds the names to look for, each with its certainty.
type Names map[string]Sure

// Lines returns the lines of a document that describe names, in their order and at most the given number.
func Lines(text []byte, names Names, most int) []Line {
	if len(names) == 0 {
		return nil
	}
	p := &page{names: names}
	for line := range bytes.Lines(text) {
		p.number++
		if p.line(bytes.TrimRight(line, "\r\n \t")); len(p.out) >= most {
			break
		}
	}
	return p.out
}

// page is the state of reading a document line by line.
type page struct {
	names  Names
	number int
	last   []byte // the line before, if it is prose: perhaps an underlined title or a defined term
	fence  string // end of the open block of code, "" if none is open
	block  string // end of the open block of text, "" if none is open
	front  bool   // in the front matter of a Markdown text
	out    []Line
}

func (p *page) line(line []byte) {
	inner := bytes.TrimLeft(line, " \t")
	if p.skip(line, inner) {
		p.last = nil
		return
	}
	last := p.last
	p.last = nil
	switch {
	case len(inner) == 0:
	case len(last) > 0 && underlines(line):
		p.add(p.number-1, p.headingName(last), Heading)
	case len(last) > 0 && bytes.HasPrefix(inner, []byte(": ")):
		p.add(p.number-1, p.termName(last), Definition)
	default:
		name, as := p.structural(line, inner)
		p.add(p.number, name, as)
		if as == "" {
			p.last = line
		}
	}
}

// skip reports whether a line describes nothing because it is inside a block of code or in the front matter.
func (p *page) skip(line, inner []byte) bool {
	switch {
	case p.number == 1 && string(line) == "---":
		p.front = true
	case p.front:
		p.front = string(line) != "---" && string(line) != "..."
	case p.fence != "":
		if bytes.HasPrefix(inner, []byte(p.fence)) {
			p.fence = ""
		}
	case p.block != "" && string(inner) == p.block:
		p.block = ""
	case p.isTextBlock(inner):
	case fence(inner) != "" && (len(p.last) == 0 || !underlines(line)):
		p.fence = fence(inner)
	default:
		return false
	}
	return true
}

// isTextBlock reports whether a line begins a block of Markdown that holds no code but a directive, as MyST has them: "```{eval-rst}". The
// directive may describe a declaration itself: "```{autofunction} shop.price".
func (p *page) isTextBlock(line []byte) bool {
	marks := len(line) - len(bytes.TrimLeft(line, string(line[:min(1, len(line))])))
	if marks < 3 || bytes.IndexByte([]byte("`~:"), line[0]) < 0 || !bytes.HasPrefix(line[marks:], []byte("{")) {
		return false
	}
	kind, rest, ok := bytes.Cut(line[marks+1:], []byte("}"))
	if !ok || bytes.HasPrefix(kind, []byte("code")) || bytes.HasPrefix(kind, []byte("literal")) {
		return false
	}
	p.block = string(line[:marks])
	p.add(p.number, p.directiveName(slices.Concat(kind, []byte("::"), rest)), Definition)
	return true
}

// fence returns the line that ends the block of code which the given line begins, or "" if it begins none.
func fence(line []byte) string {
	for _, mark := range []string{"```", "~~~", "----"} {
		if bytes.HasPrefix(line, []byte(mark)) && (mark != "----" || len(line) == len(mark)) {
			return mark
		}
	}
	return ""
}

// structural returns the name that a line describes because it is a heading, a row or another part with a notation. as is the part, or ""
// if the line is prose.
func (p *page) structural(line, inner []byte) (name, as string) {
	afterMarks := bytes.TrimLeft(line, "#")
	if len(afterMarks) == len(line) {
		afterMarks = bytes.TrimLeft(line, "=")
	}
	switch {
	case len(afterMarks) < len(line) && bytes.HasPrefix(afterMarks, []byte(" ")):
		return p.headingName(bytes.Trim(line, "#= ")), Heading
	case inner[0] == '|':
		cell, _, _ := bytes.Cut(inner[1:], []byte("|"))
		return p.termName(cell), Row
	case bytes.HasPrefix(inner, []byte(".. ")):
		return p.directiveName(inner[len(".. "):]), Definition
	case bytes.HasPrefix(inner, []byte("::: ")): // of mkdocstrings
		return p.leadingName(string(inner[len("::: "):])), Definition
	case inner[0] == '\\' || inner[0] == '@': // of Doxygen
		command, _, _ := bytes.Cut(inner[1:], []byte(" "))
		if !slices.Contains(doxygenCommands, string(command)) {
			return "", ""
		}
		return p.headingName(inner[1:]), Definition
	case bytes.HasPrefix(bytes.ToLower(inner), []byte("<h")), bytes.HasPrefix(bytes.ToLower(inner), []byte("<dt")):
		return p.headingName(stripTags(inner)), Heading
	}
	if term, what, ok := bytes.Cut(inner, []byte("::")); ok && (len(what) == 0 || what[0] == ' ') {
		return p.termName(term), Definition
	}
	if item, ok := itemText(inner); ok {
		return p.itemName(item), Item
	}
	return "", ""
}

// underlines reports whether a line is an underline, which makes the line before it a title.
func underlines(line []byte) bool {
	return len(line) >= 3 && bytes.IndexByte([]byte("=-~^\"*+"), line[0]) >= 0 && len(bytes.Trim(line, string(line[:1]))) == 0
}

// stripTags returns a line of HTML without its tags.
func stripTags(line []byte) []byte {
	var out []byte
	inside := false
	for _, c := range line {
		switch {
		case c == '<':
			inside = true
		case c == '>':
			inside = false
		case !inside:
			out = append(out, c)
		}
	}
	return out
}

// itemText returns the text of a list item, and reports whether the line is one.
func itemText(line []byte) ([]byte, bool) {
	digits := bytes.TrimLeft(line, "0123456789")
	switch {
	case len(line) > 2 && bytes.IndexByte([]byte("-*+"), line[0]) >= 0 && line[1] == ' ':
		return line[2:], true
	case len(digits) < len(line) && bytes.HasPrefix(digits, []byte(". ")):
		return digits[2:], true
	}
	return nil, false
}

// itemName returns the name that a list item describes: the item begins with it, marked as code or bold, and a description follows.
func (p *page) itemName(item []byte) string {
	rest := bytes.TrimLeft(item, "*_")
	bold := len(rest) < len(item)
	end := bytes.IndexAny(rest, "*")
	if len(rest) > 0 && rest[0] == '`' {
		end = bytes.IndexByte(rest[1:], '`') + 1
	} else if !bold {
		return ""
	}
	if end <= 0 {
		return ""
	}
	after := bytes.TrimLeft(rest[end:], "`*_ ")
	if bytes.HasPrefix(after, []byte("(")) { // its type
		_, after, _ = bytes.Cut(after, []byte(")"))
		after = bytes.TrimLeft(after, " *_")
	}
	r, _ := utf8.DecodeRune(after)
	if len(after) > 0 && !strings.ContainsRune(":-–—=：", r) {
		return ""
	}
	return p.leadingName(string(bytes.Trim(rest[:end], "`")))
}

// directives are the directives of reStructuredText that describe a declaration or a setting.
var directives = strings.Fields("function method class attribute data exception module autofunction automethod autoclass autoattribute autodata autoexception " +
	"autoproperty autodecorator autoenum autotypevar doxygenfunction doxygenclass doxygenstruct doxygenenum doxygentypedef doxygendefine " +
	"doxygenvariable doxygeninterface doxygenunion doxygenconcept property decorator confval setting option envvar type struct enum enumerator macro member var variable describe object program")

// doxygenCommands are the commands of Doxygen that document a declaration from another place.
var doxygenCommands = strings.Fields("fn class struct enum union interface def var typedef property concept")

// directiveName returns the name that a directive describes.
func (p *page) directiveName(rest []byte) string {
	kind, signature, ok := strings.Cut(string(rest), ":: ")
	kind = kind[strings.LastIndexByte(kind, ':')+1:]
	if !ok || !slices.Contains(directives, kind) {
		return ""
	}
	signature = strings.TrimLeft(signature, " ")
	if name := p.leadingName(signature); name != "" && !slices.Contains(settingDirectives, kind) {
		return name // also a common word, because the directive is about a declaration
	}
	return p.termName([]byte(signature))
}

// settingDirectives are those of the directives that describe settings and programs.
var settingDirectives = strings.Fields("confval setting option envvar describe object program")

// termName returns the name that a cell or a term describes: the name is all of the text, is marked as code in it, or begins it.
func (p *page) termName(text []byte) string {
	name := p.leadingName(string(bytes.Trim(text, " \t*_")))
	if name != "" && p.names[name] > Common {
		return name
	}
	return p.headingName(text)
}

// kinds are words such as "function" that precede the name of a declaration.
var kinds = strings.Fields("function func fn def method class type struct interface trait enum const constant variable var field property setting " +
	"option parameter key")

// headingName returns the name that a heading describes.
func (p *page) headingName(title []byte) string {
	for rest := title; ; {
		_, after, ok := bytes.Cut(rest, []byte("`"))
		span, next, closed := bytes.Cut(after, []byte("`"))
		if !ok || !closed {
			break
		}
		if name := p.leadingName(string(span)); name != "" {
			return name
		}
		rest = next
	}
	words := strings.FieldsFunc(string(title), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
	for i, w := range words {
		followsKind := i > 0 && slices.Contains(kinds, strings.ToLower(words[i-1]))
		if sure, ok := p.names[w]; ok && (sure == Term || followsKind || bytes.Contains(title, []byte(w+"("))) {
			return w
		}
	}
	return ""
}

// leadingName returns the name with which code begins: Price for shop.Price(n).
func (p *page) leadingName(code string) string {
	code = strings.TrimLeft(code, "$@-*&")
	if i := strings.IndexAny(code, "( \t=<[{,;"); i >= 0 {
		code = code[:i]
	}
	for _, c := range []string{code, strings.TrimSuffix(code, ":"), code[strings.LastIndexAny(code, ".:#>/")+1:]} {
		if _, ok := p.names[c]; ok {
			return c
		}
	}
	return ""
}

func (p *page) add(number int, name, as string) {
	if name != "" {
		p.out = append(p.out, Line{Number: number, Name: name, As: as})
	}
}
