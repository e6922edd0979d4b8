package extract

import (
	"cmp"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
	"ken/internal/lang"
)

// A syntax error can swallow uses and declarations without a trace: a grammar skips tokens, or takes what
// follows for something that no reader looks at. Every word near an error that no fact covers is therefore
// recorded as a reference of kind RefUnparsed, so that whoever asks for its name hears of the place. "Near" is
// the function around the error or, outside of functions, the text between the declarations around it. Local
// names cannot be told from others there, and count as well: that costs a few bytes in files with errors. A reference
// near an error is recorded both ways; the second counts where the first is said to mean something else.

// addUnparsed adds a reference for each word of text near an error of the syntax tree that no other fact covers.
func (f *file) addUnparsed(text string) {
	row := lang.Of(f.lang)
	blanked := f.blankedRanges()
	if len(f.damage)+len(blanked) == 0 || row.Tier != lang.Full {
		return
	}
	w := unparsedWords{facts: f.facts, row: row, text: text, imported: map[string]bool{}}
	w.used = newPlaceCursor(len(f.facts.Refs), func(i int32) uint32 { return f.facts.Refs[i].Start })
	w.declared = newPlaceCursor(len(f.facts.Symbols), func(i int32) uint32 { return f.facts.Symbols[i].NameStart })
	for i := range f.facts.Imports {
		m := &f.facts.Imports[i]
		w.imported[m.Alias] = true
		for _, n := range m.Names {
			w.imported[n.Name], w.imported[n.Alias] = true, true
		}
	}
	for _, c := range f.comments {
		w.comments = append(w.comments, byteRange{f.start(c), f.end(c)})
	}
	w.covered = mergeRanges(slices.Clone(f.masked))
	w.lines = lexical.AppendLines(nil, text)
	w.scopes = newScopeCursor(f.facts.Symbols)
	w.leaves = f.leaves()
	w.lost = mergeRanges(slices.Concat(f.damage, blanked))
	w.near = mergeRanges(damagedRegions(f.facts.Symbols, f.damage, uint32(len(text))))
	for _, r := range mergeRanges(slices.Concat(w.near, blanked)) {
		w.scan(r)
	}
	w.record()
	if f.facts.ErrorBytes == 0 { // a repair hid the words together with the error
		for i := range w.found {
			f.facts.ErrorBytes += w.found[i].end - w.found[i].start
		}
	}
}

// leaves returns the leaves of the tree in source order, as ranges of those that need no further look: keywords,
// comments, and the leaves that the reader of the language took notice of. A word inside of a longer leaf, such
// as the text of a string, belongs to it.
func (f *file) leaves() (list []leaf) {
	for i := range f.read {
		if r := &f.nodes[i]; int(r.next) == i+1 && r.end > r.start {
			list = append(list, leaf{byteRange{r.start, r.end}, r.flags&flagNamed == 0, f.read[i]})
		}
	}
	return list
}

// leaf is a leaf of a syntax tree: a keyword, or a word that the reader of the language may have taken notice of.
type leaf struct {
	byteRange
	isKeyword, isRead bool
}

// blankedRanges returns the parts of the text that a repair or mask hid from the grammar, in source order. A single
// word that is hidden alone is a keyword that the grammar does not know, and a line of a directive declares nothing.
func (f *file) blankedRanges() (blanked []byteRange) {
	text := f.tree.text
	if len(f.parsed) != len(text) || string(f.parsed) == text {
		return nil
	}
	for i := 0; i < len(text); i++ {
		if f.parsed[i] == text[i] {
			continue
		}
		start, end, words := i, i, 0
		for ; i < len(text) && (f.parsed[i] != text[i] || lexical.IsSpace(text[i])); i++ {
			if lexical.IsSpace(text[i]) {
				continue
			}
			if text[i] == '#' && startsLine(text, i) {
				i = lexical.LineEnd(text, i)
				break
			}
			end = i + 1
			isFirst := i == start || !lexical.IsWord(text[i-1])
			if isFirst && lexical.IsWord(text[i]) && !strings.HasPrefix(text[i:], "in ") { // `in out` before a type parameter
				words++
			}
		}
		if words > 1 {
			blanked = append(blanked, byteRange{uint32(start), uint32(end)})
		}
	}
	return blanked
}

// startsLine reports whether only white space comes before a place on its line.
func startsLine(text string, place int) bool {
	return strings.TrimSpace(text[strings.LastIndexByte(text[:place], '\n')+1:place]) == ""
}

// mergeRanges returns ranges in source order, those that overlap joined.
func mergeRanges(ranges []byteRange) (merged []byteRange) {
	slices.SortFunc(ranges, func(a, b byteRange) int { return cmp.Compare(a.start, b.start) })
	for _, r := range ranges {
		if n := len(merged); n > 0 && r.start <= merged[n-1].end {
			merged[n-1].end = max(merged[n-1].end, r.end)
			continue
		}
		merged = append(merged, r)
	}
	return merged
}

// damagedRegions returns the parts of a file in which errors may have swallowed facts. damage is in source order.
func damagedRegions(symbols []code.Symbol, damage []byteRange, size uint32) (regions []byteRange) {
	scopes := newScopeCursor(symbols)
	for _, d := range damage {
		around := scopes.at(d.start)
		for around >= 0 && !symbols[around].Kind.IsFunction() {
			around = symbols[around].Parent
		}
		r := byteRange{scopes.lastEnd, size}
		if around >= 0 {
			r = byteRange{symbols[around].Span.Start, symbols[around].Span.End}
		} else if next := scopes.next(d.end); next >= 0 {
			r.end = symbols[next].Span.Start
		}
		regions = append(regions, byteRange{min(r.start, d.start), max(r.end, d.end)})
	}
	return regions
}

// scopeCursor finds the symbols around places that are asked for in source order.
type scopeCursor struct {
	symbols []code.Symbol
	order   []int32 // by start, outer symbols first
	passed  int     // index in order of the first symbol that begins after the last place
	open    []int32 // the symbols around the last place, outermost first
	lastEnd uint32  // the end of the last symbol that ended before the last place, or the start of the one around it
}

func newScopeCursor(symbols []code.Symbol) *scopeCursor {
	c := &scopeCursor{symbols: symbols, order: make([]int32, len(symbols))}
	for i := range c.order {
		c.order[i] = int32(i)
	}
	slices.SortStableFunc(c.order, func(a, b int32) int {
		x, y := &symbols[a].Span, &symbols[b].Span
		return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(y.End, x.End))
	})
	return c
}

// at returns the index of the innermost symbol around a place, or -1.
func (c *scopeCursor) at(place uint32) int32 {
	for ; c.passed < len(c.order) && c.symbols[c.order[c.passed]].Span.Start <= place; c.passed++ {
		c.closeBefore(c.symbols[c.order[c.passed]].Span.Start)
		c.open = append(c.open, c.order[c.passed])
		c.lastEnd = c.symbols[c.order[c.passed]].NameStart
	}
	c.closeBefore(place)
	if len(c.open) == 0 {
		return -1
	}
	return c.open[len(c.open)-1]
}

// closeBefore drops the symbols that end at a place or before it.
func (c *scopeCursor) closeBefore(place uint32) {
	for len(c.open) > 0 && c.symbols[c.open[len(c.open)-1]].Span.End <= place {
		c.lastEnd = c.symbols[c.open[len(c.open)-1]].Span.End
		c.open = c.open[:len(c.open)-1]
	}
}

// next returns the index of the first symbol that begins at a place or after it, or -1.
func (c *scopeCursor) next(place uint32) int32 {
	i, _ := slices.BinarySearchFunc(c.order, place, func(s int32, p uint32) int { return cmp.Compare(c.symbols[s].Span.Start, p) })
	if i == len(c.order) {
		return -1
	}
	return c.order[i]
}

// unparsedWords collects the words near errors that no fact covers.
type unparsedWords struct {
	facts    *code.Facts
	row      *lang.Info
	text     string
	declared *placeCursor // declarations by the starts of their names
	used     *placeCursor // references by the starts of theirs
	imported map[string]bool
	leaves   []leaf
	lost     []byteRange // errors and blanked text
	near     []byteRange // the text near errors
	covered  []byteRange // blanked macros, whose names are references
	comments []byteRange
	lines    []uint32
	scopes   *scopeCursor
	found    []foundWord
}

// foundWord is a word to be recorded. It is a tenth as large as a reference: of a file that is lost wholly there are very many.
type foundWord struct {
	byteRange
	scope int32
	ref   int32 // that it repeats, or -1
}

// placeCursor finds things by places that are asked for in source order.
type placeCursor struct {
	order []int32 // by place, equal ones by number
	place func(i int32) uint32
}

func newPlaceCursor(n int, place func(i int32) uint32) *placeCursor {
	c := &placeCursor{make([]int32, n), place}
	for i := range c.order {
		c.order[i] = int32(i)
	}
	slices.SortStableFunc(c.order, func(a, b int32) int { return cmp.Compare(place(a), place(b)) })
	return c
}

// at returns the last thing at a place, or -1.
func (c *placeCursor) at(place uint32) int32 {
	found := int32(-1)
	for len(c.order) > 0 && c.place(c.order[0]) <= place {
		if c.place(c.order[0]) == place {
			found = c.order[0]
		}
		c.order = c.order[1:]
	}
	return found
}

// scan adds the words of one region. Where the grammar found a place for a word, that the reader took notice of it
// is enough: it is a local name then. Words of imports count only where they are part of the damage.
func (w *unparsedWords) scan(r byteRange) {
	for i := r.start; i < r.end; {
		for len(w.comments) > 0 && w.comments[0].end <= i {
			w.comments = w.comments[1:]
		}
		if len(w.comments) > 0 && w.comments[0].start <= i {
			i = w.comments[0].end
			continue
		}
		if skipped := w.skip(i); skipped > i {
			i = skipped
			continue
		}
		end := i
		for end < r.end && lexical.IsWord(w.text[end]) {
			end++
		}
		if end == i {
			i++
			continue
		}
		isKnown := containsNext(&w.covered, i) || !containsNext(&w.lost, i) && (w.isUnderstood(i) || w.imported[w.text[i:end]])
		isDeclared := w.declared.at(i) >= 0
		if ref := w.used.at(i); ref >= 0 {
			if containsNext(&w.near, i) {
				// Again, as unparsed: what it means was judged by a broken tree, so that a judgement that it means something else is no proof.
				r := &w.facts.Refs[ref]
				w.found = append(w.found, foundWord{byteRange{r.Start, r.End}, r.Scope, ref})
			}
		} else if lexical.IsWordStart(w.text[i]) && !isDeclared && !isKnown {
			w.add(i, end)
		}
		i = end
	}
}

// isUnderstood reports whether the word at a place is a keyword, a local name that the reader of the language took notice of, or a
// part of a longer leaf. Outside of functions there are no local names: what was read and not recorded there was misread, such as a
// class that an error before it made an expression. Places come in source order.
func (w *unparsedWords) isUnderstood(place uint32) bool {
	for len(w.leaves) > 0 && w.leaves[0].end <= place {
		w.leaves = w.leaves[1:]
	}
	if len(w.leaves) == 0 || w.leaves[0].start > place {
		return false
	}
	l := w.leaves[0]
	return l.start < place || l.isKeyword || l.isRead && w.isInFunction(place)
}

func (w *unparsedWords) isInFunction(place uint32) bool {
	scope := w.scopes.at(place)
	for scope >= 0 && !w.facts.Symbols[scope].Kind.IsFunction() {
		scope = w.facts.Symbols[scope].Parent
	}
	return scope >= 0
}

// containsNext reports whether one of the ranges contains a place, and drops those before it. Places come in source order.
func containsNext(ranges *[]byteRange, place uint32) bool {
	for len(*ranges) > 0 && (*ranges)[0].end <= place {
		*ranges = (*ranges)[1:]
	}
	return len(*ranges) > 0 && (*ranges)[0].start <= place
}

// skip returns the end of the comment or string that begins at a place, or the place itself. A string counts only
// if it is closed on its line and holds no expression, because near an error any quote may be a stray one.
func (w *unparsedWords) skip(at uint32) uint32 {
	rest := w.text[at:]
	if !w.row.Strings.Attributes || !strings.HasPrefix(rest, "#[") {
		for _, mark := range w.row.Line {
			if strings.HasPrefix(rest, mark) {
				return at + uint32(lexical.LineEnd(rest, 0))
			}
		}
	}
	if open := w.row.Block[0]; open != "" && strings.HasPrefix(rest, open) {
		if n := strings.Index(rest, w.row.Block[1]); n >= 0 {
			return at + uint32(n+len(w.row.Block[1]))
		}
	}
	if rest[0] != '"' {
		return at
	}
	for i := 1; i < len(rest) && rest[i] != '\n' && rest[i] != '{'; i++ {
		switch {
		case rest[i] == '"':
			return at + uint32(i) + 1
		case rest[i] == '\\' && i+1 < len(rest) && rest[i+1] == '(': // an expression in Swift
			return at
		case rest[i] == '\\':
			i++
		}
	}
	return at
}

// keywords are words that begin no use in any language: they would only fill the index.
var keywords = map[string]bool{"if": true, "else": true, "for": true, "while": true, "return": true, "switch": true, "case": true,
	"break": true, "continue": true, "endif": true, "ifdef": true, "ifndef": true, "define": true, "int": true, "char": true, "void": true, "const": true, "unsigned": true,
	"public": true, "private": true, "protected": true, "static": true, "true": true, "false": true, "null": true}

// add adds the word in [start, end) unless it is a parameter of the declaration around it.
func (w *unparsedWords) add(start, end uint32) {
	name := w.text[start:end]
	if keywords[name] {
		return
	}
	scope := w.scopes.at(start)
	if scope >= 0 && slices.ContainsFunc(w.facts.Symbols[scope].Params, func(p code.Param) bool { return p.Name == name }) {
		return
	}
	if int(end) < len(w.text) && (w.text[end] == '?' || w.text[end] == '!') { // a method of Ruby
		w.append(start, end+1, scope)
	}
	if start > 0 && w.text[start-1] == '#' { // a private member of JavaScript
		w.append(start-1, end, scope)
	}
	w.append(start, end, scope)
}

func (w *unparsedWords) append(start, end uint32, scope int32) {
	w.found = append(w.found, foundWord{byteRange{start, end}, scope, -1})
}

// record adds the references for the words that were found.
func (w *unparsedWords) record() {
	refs := slices.Grow(w.facts.Refs, len(w.found))
	for _, x := range w.found {
		name, line := w.text[x.start:x.end], lexical.Line(w.lines, x.start)
		if x.ref >= 0 {
			name, line = refs[x.ref].Name, refs[x.ref].Line
		}
		refs = append(refs, code.Ref{
			Name: name, Kind: code.RefUnparsed, Via: code.ViaMember, Import: -1, Start: x.start, End: x.end, Line: line, Scope: x.scope,
		})
	}
	w.facts.Refs = refs
}
