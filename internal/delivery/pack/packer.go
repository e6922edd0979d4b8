package pack

import (
	"context"
	"slices"

	"ken/internal/engine/view"
)

// packer chooses the parts to show. Its choice is a list of atoms, the most important first. The document is made from them anew
// whenever it is counted, so that an atom is taken back by dropping it from the list.
type packer struct {
	ctx   context.Context
	src   Source
	opt   Options
	write writer
	files []*file // in the order of the items

	atoms  []atom
	spent  int    // estimate for the frame and the atoms
	margin int    // by how much estimates were too low so far
	buf    []byte // of the last rendering
	piece  []byte // of the last estimate
	used   int    // tokens of buf, as its text states them
	listed int    // files left out that are listed one by one
}

// file is a file that may be shown.
type file struct {
	Item
	at      int
	tokens  int // of the whole file
	loaded  bool
	lines   lines
	symbols []view.Symbol
	wants   []Lines // the named lines
	sigCost []int   // estimates of the signatures, made when first needed

	// The contents of the atoms.
	spans lineSpans
	sigs  []bool
	shows int         // atoms that count
	cuts  map[int]int // last line shown of a range that was cut → lines missing
	clips map[int]int // line shown in part → bytes of it
}

// atom is the smallest unit of the choice: a signature or a range of lines.
type atom struct {
	file int
	sig  int // index of a symbol, -1 for lines
	Lines
	cost int // estimate in tokens
}

func newPacker(ctx context.Context, src Source, items []Item, opt Options) *packer {
	p := &packer{ctx: ctx, src: src, opt: opt, write: newWriter(opt.Format, opt.Compress)}
	for i, it := range mergeItems(items) {
		p.files = append(p.files, &file{Item: it, at: i, tokens: opt.Tokenizer.OfFile(it.File), cuts: map[int]int{}, clips: map[int]int{}})
	}
	return p
}

// mergeItems merges all items about the same file into one.
func mergeItems(items []Item) []Item {
	at := map[string]int{}
	var out []Item
	for _, it := range items {
		i, ok := at[it.File.Path]
		if !ok {
			at[it.File.Path] = len(out)
			out = append(out, it)
			continue
		}
		o := &out[i]
		plain := len(it.Lines)+len(it.Symbols) == 0 || len(o.Lines)+len(o.Symbols) == 0
		o.Lines = append(slices.Clone(o.Lines), it.Lines...)
		o.Symbols = append(slices.Clone(o.Symbols), it.Symbols...)
		o.Matched = append(slices.Clone(o.Matched), it.Matched...)
		o.Outline = o.Outline && it.Outline
		o.Whole = o.Whole || it.Whole || plain
	}
	return out
}

// loadFile reads a file's text and symbols.
func (p *packer) loadFile(f *file) error {
	if f.loaded {
		return nil
	}
	f.loaded = true
	text, err := p.src.Text(p.ctx, f.File.Path)
	if err != nil {
		return err
	}
	f.lines = newLines(text, p.write.plain())
	all, err := p.src.Symbols(p.ctx, f.File.Path)
	if err != nil {
		return err
	}
	// The text may be newer than the index by a moment: symbols beyond its end are dropped.
	for _, s := range all {
		if s.Signature != "" && s.Span.Line >= 1 && int(s.Span.EndLine) <= len(f.lines) {
			f.symbols = append(f.symbols, s)
		}
	}
	f.sigs = make([]bool, len(f.symbols))
	return nil
}

// symbolIndex returns the index of a symbol in the file's list, -1 if it is not there.
func (f *file) symbolIndex(s *view.Symbol) int {
	return slices.IndexFunc(f.symbols, func(o view.Symbol) bool {
		return o.Span.Start == s.Span.Start && o.Name == s.Name
	})
}

// freeTokens returns the estimated rest of the budget.
func (p *packer) freeTokens() int { return p.opt.Budget - p.spent - p.margin }

// countTokens returns the tokens of a piece of output.
func (p *packer) countTokens(b []byte) int {
	if p.opt.Mask != nil {
		p.opt.Mask(b)
	}
	return p.opt.Tokenizer.Count(b)
}

// frameCost estimates the tokens of the text around a file's parts.
func (p *packer) frameCost(f *file) int {
	s := &shownFile{path: f.File.Path, lang: f.File.Lang, lines: len(f.lines), fileTokens: f.tokens, parts: []filePart{}}
	p.piece = p.write.entry(p.piece[:0], s, false)
	p.piece = p.write.file(p.piece, s, false)
	return p.countTokens(p.piece) + 6 // the words of the summary
}

// partCost estimates the tokens of parts inside a file that is shown.
func (p *packer) partCost(f *file, parts ...filePart) int {
	s := &shownFile{lang: f.File.Lang}
	empty := p.write.file(p.piece[:0], s, false)
	base := p.countTokens(empty)
	s.parts = parts
	p.piece = p.write.file(empty[:0], s, false)
	return max(p.countTokens(p.piece)-base, 0) + 1
}

// signatureCost estimates a signature.
func (p *packer) signatureCost(f *file, i int) int {
	if f.sigCost == nil {
		f.sigCost = make([]int, len(f.symbols))
	}
	if f.sigCost[i] == 0 {
		f.sigCost[i] = p.partCost(f, signaturePart(&f.symbols[i], p.write.plain()))
	}
	return f.sigCost[i]
}

// signatureAtom returns the atom that shows a symbol without its body; ok is false if
// that adds nothing.
func (p *packer) signatureAtom(f *file, i int) (atom, bool) {
	if f.sigs[i] || f.spans.has(int(f.symbols[i].Span.Line)) {
		return atom{}, false
	}
	a := atom{file: f.at, sig: i, cost: p.signatureCost(f, i)}
	if f.shows == 0 {
		a.cost += p.frameCost(f)
	}
	return a, true
}

// sourceAtom returns the atom that shows a range of lines; ok is false if all are shown already.
func (p *packer) sourceAtom(f *file, r Lines) (atom, bool) {
	r, ok := f.lines.clampRange(r)
	if !ok {
		return atom{}, false
	}
	fresh := f.spans.without(r)
	if len(fresh) == 0 {
		return atom{}, false
	}
	a := atom{file: f.at, sig: -1, Lines: r}
	for _, n := range fresh {
		a.cost += p.partCost(f, filePart{source: true, from: n.From, to: n.To, text: f.lines.cut(n.From, n.To)})
	}
	for i := range f.symbols { // signatures that its lines make superfluous
		if l := int(f.symbols[i].Span.Line); f.sigs[i] && r.From <= l && l <= r.To {
			a.cost -= p.signatureCost(f, i)
		}
	}
	a.cost = max(a.cost, 1)
	if f.shows == 0 {
		a.cost += p.frameCost(f)
	}
	return a, true
}

// takeAtom adds an atom to the choice.
func (p *packer) takeAtom(a atom) {
	p.atoms = append(p.atoms, a)
	p.spent += a.cost
	p.files[a.file].markShown(a)
}

// takeIfFits adds an atom to the choice if exists is true and it fits into room tokens.
func (p *packer) takeIfFits(a atom, exists bool, room int) bool {
	if !exists || a.cost > room || a.cost > p.freeTokens() {
		return false
	}
	p.takeAtom(a)
	return true
}

func (f *file) markShown(a atom) {
	f.shows++
	if a.sig >= 0 {
		f.sigs[a.sig] = true
		return
	}
	f.spans = f.spans.with(a.Lines)
}
