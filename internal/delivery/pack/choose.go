package pack

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"ken/internal/code"

	"ken/internal/ask/codemap"
	"ken/internal/engine/view"
)

// minShare is the smallest number of tokens for the signatures of one file: with less for each, many files would all be shown badly.
// For files found by a search less is enough, because matches come first.
const (
	minShare      = 400
	minFoundShare = 120
)

func (p *packer) minShare() int {
	if p.opt.BodyShare > 0 {
		return minFoundShare
	}
	return minShare
}

// isNearlyFull reports whether less than a fiftieth of the budget is left, too little to look at further files.
func (p *packer) isNearlyFull() bool { return p.freeTokens() <= p.opt.Budget/50 }

// chooseNamed chooses the lines and symbols that the request names.
func (p *packer) chooseNamed() error {
	for _, f := range p.files {
		if len(f.Item.Lines)+len(f.Symbols) == 0 {
			continue
		}
		if err := p.loadFile(f); err != nil {
			return err
		}
		for _, r := range f.Item.Lines {
			p.namedLines(f, r)
		}
		for i := range f.Symbols {
			if at := f.symbolIndex(&f.Symbols[i]); at >= 0 {
				p.namedSymbol(f, at)
			}
		}
		p.addImports(f)
	}
	return nil
}

// namedLines chooses a range of lines and the signatures of the declarations around it.
func (p *packer) namedLines(f *file, r Lines) {
	r, ok := f.lines.clampRange(r)
	if !ok {
		return
	}
	f.wants = append(f.wants, r)
	if a, exists := p.sourceAtom(f, r); !p.takeIfFits(a, exists, p.freeTokens()) && exists && !p.addBeginning(f, r, p.freeTokens()) {
		p.addClippedLine(f, r)
	}
	for i := range f.symbols {
		sp := f.symbols[i].Span
		if int(sp.Line) < r.From && int(sp.EndLine) >= r.From && !f.symbols[i].Kind.IsText() {
			a, exists := p.signatureAtom(f, i)
			p.takeIfFits(a, exists, p.freeTokens())
		}
	}
}

// namedSymbol chooses a symbol with its body and the signatures of the
// declarations around it. If it is too large, the signatures of its members are
// shown, or its beginning if it has none.
func (p *packer) namedSymbol(f *file, at int) {
	r := f.bodyLines(at)
	f.wants = append(f.wants, r)
	room := p.freeTokens()
	if p.opt.BodyShare > 0 {
		room -= p.opt.Budget / 100 * (100 - p.opt.BodyShare)
	}
	if a, exists := p.sourceAtom(f, r); !p.takeIfFits(a, exists, room) && exists {
		if members := f.memberIndexes(at); len(members) > 0 && p.opt.BodyShare == 0 {
			for _, i := range append([]int{at}, members...) {
				a, exists := p.signatureAtom(f, i)
				p.takeIfFits(a, exists, p.freeTokens())
			}
		} else if p.opt.BodyShare > 0 {
			a, exists := p.signatureAtom(f, at)
			p.takeIfFits(a, exists, p.freeTokens())
		} else {
			p.addBeginning(f, r, room)
		}
	}
	for up := f.symbols[at].Parent; up >= 0 && int(up) < len(f.symbols); up = f.symbols[up].Parent {
		a, exists := p.signatureAtom(f, int(up))
		p.takeIfFits(a, exists, p.freeTokens())
	}
}

// bodyLines returns the lines of symbol i with the comment and the decorators above it.
func (f *file) bodyLines(i int) Lines {
	sp := f.symbols[i].Span
	return Lines{f.lines.commentStart(int(sp.Line)), int(sp.EndLine)}
}

// memberIndexes returns the symbols directly inside symbol at that have lines of their own.
func (f *file) memberIndexes(at int) []int {
	var out []int
	for i := range f.symbols {
		if int(f.symbols[i].Parent) == at && f.symbols[i].Span.Line > f.symbols[at].Span.Line {
			out = append(out, i)
		}
	}
	return out
}

// maxImportLines and importShare bound the cost at which imports are shown with a part of their file.
const (
	maxImportLines = 30
	importShare    = 20 // of the budget, one in so many
)

// addImports shows the imports of a file that is shown in part.
func (p *packer) addImports(f *file) {
	if len(f.spans) == 0 {
		return
	}
	list, err := p.src.Imports(p.ctx, f.File.Path)
	if err != nil { // they were not asked for
		return
	}
	var r Lines
	for i := range list {
		switch l := int(list[i].Line); {
		case l == 0 || list[i].Kind == code.ImportPath || list[i].Kind == code.ImportMention:
		case r.From == 0:
			r = Lines{l, l}
		case l-r.To <= 3: // the rest is imported somewhere in the code
			r.To = max(r.To, l)
		}
	}
	if r.From == 0 || r.To-r.From >= maxImportLines || r.To > len(f.lines) {
		return
	}
	if r.From > 1 && strings.HasSuffix(f.lines[r.From-2], "(") && r.To < len(f.lines) && strings.HasPrefix(f.lines[r.To], ")") {
		r.From, r.To = r.From-1, r.To+1 // Go's block
	}
	a, exists := p.sourceAtom(f, r)
	p.takeIfFits(a, exists, min(p.freeTokens(), p.opt.Budget/importShare))
}

// isWholeWanted reports whether the request names the file itself, and not lines or symbols in it.
func (f *file) isWholeWanted() bool { return len(f.Item.Lines)+len(f.Symbols) == 0 || f.Whole }

// shareOutBudget gives every file that was asked for as a whole its share of the budget.
func (p *packer) shareOutBudget() error {
	var want []*file
	for _, f := range p.files {
		if f.isWholeWanted() {
			want = append(want, f)
		}
	}
	for i, f := range want {
		if p.freeTokens() <= 0 || p.isNearlyFull() {
			return nil
		}
		if err := p.loadFile(f); err != nil {
			return err
		}
		if err := p.showWithin(f, min(p.freeTokens(), max(p.minShare(), p.freeTokens()/(len(want)-i)))); err != nil {
			return err
		}
	}
	return nil
}

// showWithin shows a file within room tokens: whole if it is small, else its
// signatures, or its beginning if it has none.
func (p *packer) showWithin(f *file, room int) error {
	small := f.tokens < SmallFile && f.File.Problem == "" && !f.Outline && !p.opt.Compress
	if small || p.opt.Prefer == Code && !p.opt.Compress {
		if a, exists := p.sourceAtom(f, Lines{1, len(f.lines)}); p.takeIfFits(a, exists, p.freeTokens()) {
			return nil
		}
	}
	if len(f.symbols) == 0 {
		if !p.opt.Compress {
			p.addBeginning(f, Lines{1, len(f.lines)}, room)
		}
		return nil
	}
	return p.addSignatures(f, room)
}

// addSignatures shows as many signatures as fit into room: all, or the weightiest.
func (p *packer) addSignatures(f *file, room int) error {
	order, err := p.symbolsByWeight(f)
	if err != nil {
		return err
	}
	for _, i := range order {
		a, exists := p.signatureAtom(f, i)
		if p.takeIfFits(a, exists, room) {
			room -= a.cost
		}
	}
	return nil
}

// symbolsByWeight returns the indexes of a file's symbols, the most important first: declarations before their parts, exported before
// others, and by the number of files that use the name.
func (p *packer) symbolsByWeight(f *file) ([]int, error) {
	uses, err := p.src.Uses(p.ctx, f.symbols)
	if err != nil {
		return nil, err
	}
	order, weight := make([]int, len(f.symbols)), make([]float64, len(f.symbols))
	for i := range f.symbols {
		order[i] = i
		weight[i] = codemap.Weight(f.symbols[i].Kind, f.symbols[i].Exported, uses[i])
		if f.matches(&f.symbols[i]) {
			weight[i] *= matchFactor
		}
		if up := f.symbols[i].Parent; up >= 0 && int(up) < i { // a part comes after its container
			weight[i] = min(weight[i], weight[up])
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weight[b], weight[a]) })
	return order, nil
}

// matchFactor is the factor by which a symbol found by the search counts more.
const matchFactor = 16

func (f *file) matches(s *view.Symbol) bool {
	return slices.ContainsFunc(f.Matched, func(m view.Symbol) bool { return m.Span.Start == s.Span.Start && m.Name == s.Name })
}

// spendRest spends the tokens that the files' shares left over, file by file: first in even parts, then in order.
func (p *packer) spendRest() error {
	for _, even := range [...]bool{true, false} {
		for i, f := range p.files {
			if p.isNearlyFull() {
				return nil
			}
			if !f.isWholeWanted() {
				continue // only the named parts are wanted
			}
			if err := p.loadFile(f); err != nil {
				return err
			}
			room := p.freeTokens()
			if even {
				room = min(room, max(p.minShare(), room/(len(p.files)-i)))
			}
			if err := p.fillFile(f, room); err != nil {
				return err
			}
		}
	}
	return nil
}

// chunkLines is the number of lines in which source outside of symbols is added at once.
const chunkLines = 30

// fillFile shows more of a file within room tokens: signatures, then bodies, then other lines.
func (p *packer) fillFile(f *file, room int) error {
	before := p.spent
	left := func() int { return room - (p.spent - before) }
	order, err := p.symbolsByWeight(f)
	if err != nil {
		return err
	}
	for _, i := range order {
		if a, exists := p.signatureAtom(f, i); left() > 0 {
			p.takeIfFits(a, exists, left())
		}
	}
	if p.wantsOnlySignatures(f) {
		return nil
	}
	for _, i := range order {
		if left() <= 0 {
			return nil
		}
		if f.isUnit(i) {
			a, exists := p.sourceAtom(f, f.bodyLines(i))
			p.takeIfFits(a, exists, left())
		}
	}
	for from := 1; from <= len(f.lines) && left() > 0; from += chunkLines {
		a, exists := p.sourceAtom(f, Lines{from, from + chunkLines - 1})
		p.takeIfFits(a, exists, left())
	}
	return nil
}

// wantsOnlySignatures reports whether the request excludes the bodies of a file.
func (p *packer) wantsOnlySignatures(f *file) bool {
	return p.opt.Compress || p.opt.Prefer == Signatures && len(f.symbols) > 0
}

// isUnit reports whether a symbol's source is worth showing on its own: a
// function, or a type that has no functions inside.
func (f *file) isUnit(at int) bool {
	k := f.symbols[at].Kind
	if !k.IsFunction() && !k.IsType() && !k.IsText() {
		return false
	}
	for i := at + 1; i < len(f.symbols); i++ {
		if int(f.symbols[i].Parent) == at && (f.symbols[i].Kind.IsFunction() || k.IsText()) {
			return false
		}
	}
	return true
}

// addBeginning shows the beginning of a range that does not fit, with a line about the number of missing lines.
func (p *packer) addBeginning(f *file, r Lines, room int) bool {
	r, ok := f.lines.clampRange(r)
	fresh := f.spans.without(r)
	if !ok || len(fresh) == 0 {
		return false
	}
	r = fresh[0]
	n := sort.Search(r.To-r.From+1, func(n int) bool { // one line more than fits
		a, exists := p.sourceAtom(f, Lines{r.From, r.From + n})
		return exists && a.cost > room
	})
	if n == 0 {
		return false
	}
	a, exists := p.sourceAtom(f, Lines{r.From, r.From + n - 1})
	if !p.takeIfFits(a, exists, room) {
		return false
	}
	if missing := r.To - (r.From + n - 1); missing > 0 {
		f.cuts[r.From+n-1] = missing
	}
	return true
}

// addClippedLine shows the beginning of the first line of a range if even that
// line alone does not fit.
func (p *packer) addClippedLine(f *file, r Lines) bool {
	r, ok := f.lines.clampRange(r)
	fresh := f.spans.without(r)
	if !ok || len(fresh) == 0 || p.freeTokens() < minClip {
		return false
	}
	r = fresh[0]
	line := f.lines[r.From-1]
	cost := func(n int) int {
		q := filePart{source: true, from: r.From, to: r.From, text: clipLine(line, n), cut: r.To - r.From + 1}
		return p.partCost(f, q)
	}
	frame := 0
	if f.shows == 0 {
		frame = p.frameCost(f)
	}
	n := sort.Search(len(line), func(n int) bool { return cost(n+1)+frame > p.freeTokens() })
	if n < minClip {
		return false
	}
	f.clips[r.From], f.cuts[r.From] = n, r.To-r.From+1
	p.takeAtom(atom{file: f.at, sig: -1, Lines: Lines{r.From, r.From}, cost: cost(n) + frame})
	return true
}

// minClip is the smallest worthwhile beginning of a line, in bytes, and the smallest
// room for it, in tokens.
const minClip = 12

// clipLine returns the beginning of a line, cut between characters.
func clipLine(line string, n int) string {
	for n > 0 && n < len(line) && !utf8.RuneStart(line[n]) {
		n--
	}
	return line[:n] + "…"
}
