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

// minShare is the least a file gets for its signatures, in tokens: with less for each, many files would all be shown badly. In files
// that a search found, matches come first, and less is enough.
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

// enough reports whether the rest of the budget is too small to look at further files: a fiftieth.
func (p *packer) enough() bool { return p.free() <= p.opt.Budget/50 }

// chooseNamed chooses the named lines and symbols.
func (p *packer) chooseNamed() error {
	for _, f := range p.files {
		if len(f.Item.Lines)+len(f.Symbols) == 0 {
			continue
		}
		if err := p.load(f); err != nil {
			return err
		}
		for _, r := range f.Item.Lines {
			p.namedLines(f, r)
		}
		for i := range f.Symbols {
			if at := f.index(&f.Symbols[i]); at >= 0 {
				p.namedSymbol(f, at)
			}
		}
		p.imports(f)
	}
	return nil
}

// namedLines chooses a range and the signatures of the declarations around it.
func (p *packer) namedLines(f *file, r Lines) {
	r, ok := f.lines.clamp(r)
	if !ok {
		return
	}
	f.wants = append(f.wants, r)
	if a, exists := p.source(f, r); !p.offer(a, exists, p.free()) && exists && !p.cut(f, r, p.free()) {
		p.clip(f, r)
	}
	for i := range f.symbols {
		sp := f.symbols[i].Span
		if int(sp.Line) < r.From && int(sp.EndLine) >= r.From && !f.symbols[i].Kind.IsText() {
			a, exists := p.signature(f, i)
			p.offer(a, exists, p.free())
		}
	}
}

// namedSymbol chooses a symbol with its body and the signatures of the
// declarations around it. If it is too large, the signatures of its members are
// shown, or its beginning if it has none.
func (p *packer) namedSymbol(f *file, at int) {
	r := f.body(at)
	f.wants = append(f.wants, r)
	room := p.free()
	if p.opt.BodyShare > 0 {
		room -= p.opt.Budget / 100 * (100 - p.opt.BodyShare)
	}
	if a, exists := p.source(f, r); !p.offer(a, exists, room) && exists {
		if members := f.members(at); len(members) > 0 && p.opt.BodyShare == 0 {
			for _, i := range append([]int{at}, members...) {
				a, exists := p.signature(f, i)
				p.offer(a, exists, p.free())
			}
		} else if p.opt.BodyShare > 0 {
			a, exists := p.signature(f, at)
			p.offer(a, exists, p.free())
		} else {
			p.cut(f, r, room)
		}
	}
	for up := f.symbols[at].Parent; up >= 0 && int(up) < len(f.symbols); up = f.symbols[up].Parent {
		a, exists := p.signature(f, int(up))
		p.offer(a, exists, p.free())
	}
}

// body returns the lines of a symbol with the comment and the decorators above it.
func (f *file) body(i int) Lines {
	sp := f.symbols[i].Span
	return Lines{f.lines.lead(int(sp.Line)), int(sp.EndLine)}
}

// members returns the symbols directly inside another that have lines of their own.
func (f *file) members(at int) []int {
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

// imports adds the imports of a partly shown file.
func (p *packer) imports(f *file) {
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
	a, exists := p.source(f, r)
	p.offer(a, exists, min(p.free(), p.opt.Budget/importShare))
}

// whole reports whether the file itself was asked for.
func (f *file) whole() bool { return len(f.Item.Lines)+len(f.Symbols) == 0 || f.Whole }

// shares gives every file that was asked for as a whole its share of the budget.
func (p *packer) shares() error {
	var want []*file
	for _, f := range p.files {
		if f.whole() {
			want = append(want, f)
		}
	}
	for i, f := range want {
		if p.free() <= 0 || p.enough() {
			return nil
		}
		if err := p.load(f); err != nil {
			return err
		}
		if err := p.share(f, min(p.free(), max(p.minShare(), p.free()/(len(want)-i)))); err != nil {
			return err
		}
	}
	return nil
}

// share shows a file within a share of the budget: whole if it is small, else by
// its signatures; one that has none by its beginning.
func (p *packer) share(f *file, room int) error {
	small := f.tokens < SmallFile && f.File.Problem == "" && !f.Outline && !p.opt.Compress
	if small || p.opt.Prefer == Code && !p.opt.Compress {
		if a, exists := p.source(f, Lines{1, len(f.lines)}); p.offer(a, exists, p.free()) {
			return nil
		}
	}
	if len(f.symbols) == 0 {
		if !p.opt.Compress {
			p.cut(f, Lines{1, len(f.lines)}, room)
		}
		return nil
	}
	return p.signatures(f, room)
}

// signatures shows as many signatures as fit into room: all, or the weightiest.
func (p *packer) signatures(f *file, room int) error {
	order, err := p.byWeight(f)
	if err != nil {
		return err
	}
	for _, i := range order {
		a, exists := p.signature(f, i)
		if p.offer(a, exists, room) {
			room -= a.cost
		}
	}
	return nil
}

// byWeight returns the places of a file's symbols, the most important first: declarations before their parts, exported before others,
// and by the number of files that use the name.
func (p *packer) byWeight(f *file) ([]int, error) {
	uses, err := p.src.Uses(p.ctx, f.symbols)
	if err != nil {
		return nil, err
	}
	order, weight := make([]int, len(f.symbols)), make([]float64, len(f.symbols))
	for i := range f.symbols {
		order[i] = i
		weight[i] = codemap.Weight(f.symbols[i].Kind, f.symbols[i].Exported, uses[i])
		if f.matches(&f.symbols[i]) {
			weight[i] *= matched
		}
		if up := f.symbols[i].Parent; up >= 0 && int(up) < i { // a part comes after its container
			weight[i] = min(weight[i], weight[up])
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weight[b], weight[a]) })
	return order, nil
}

// matched is how much more a symbol counts that a search found.
const matched = 16

func (f *file) matches(s *view.Symbol) bool {
	return slices.ContainsFunc(f.Matched, func(m view.Symbol) bool { return m.Span.Start == s.Span.Start && m.Name == s.Name })
}

// rest spends the tokens left by the shares, file by file: first in even parts, then in order.
func (p *packer) rest() error {
	for _, even := range [...]bool{true, false} {
		for i, f := range p.files {
			if p.enough() {
				return nil
			}
			if !f.whole() {
				continue // only the named parts are wanted
			}
			if err := p.load(f); err != nil {
				return err
			}
			room := p.free()
			if even {
				room = min(room, max(p.minShare(), room/(len(p.files)-i)))
			}
			if err := p.fill(f, room); err != nil {
				return err
			}
		}
	}
	return nil
}

// chunk is the number of lines source outside of symbols is taken in.
const chunk = 30

// fill shows more of a file: signatures, bodies, then lines.
func (p *packer) fill(f *file, room int) error {
	before := p.spent
	left := func() int { return room - (p.spent - before) }
	order, err := p.byWeight(f)
	if err != nil {
		return err
	}
	for _, i := range order {
		if a, exists := p.signature(f, i); left() > 0 {
			p.offer(a, exists, left())
		}
	}
	if p.onlySignatures(f) {
		return nil
	}
	for _, i := range order {
		if left() <= 0 {
			return nil
		}
		if f.isUnit(i) {
			a, exists := p.source(f, f.body(i))
			p.offer(a, exists, left())
		}
	}
	for from := 1; from <= len(f.lines) && left() > 0; from += chunk {
		a, exists := p.source(f, Lines{from, from + chunk - 1})
		p.offer(a, exists, left())
	}
	return nil
}

// onlySignatures reports whether a file's source is not wanted.
func (p *packer) onlySignatures(f *file) bool {
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

// cut adds the beginning of a range that does not fit, with the number of missing lines.
func (p *packer) cut(f *file, r Lines, room int) bool {
	r, ok := f.lines.clamp(r)
	fresh := f.spans.without(r)
	if !ok || len(fresh) == 0 {
		return false
	}
	r = fresh[0]
	n := sort.Search(r.To-r.From+1, func(n int) bool { // one line more than fits
		a, exists := p.source(f, Lines{r.From, r.From + n})
		return exists && a.cost > room
	})
	if n == 0 {
		return false
	}
	a, exists := p.source(f, Lines{r.From, r.From + n - 1})
	if !p.offer(a, exists, room) {
		return false
	}
	if missing := r.To - (r.From + n - 1); missing > 0 {
		f.cuts[r.From+n-1] = missing
	}
	return true
}

// clip shows the beginning of the first line of a range that does not fit even
// alone.
func (p *packer) clip(f *file, r Lines) bool {
	r, ok := f.lines.clamp(r)
	fresh := f.spans.without(r)
	if !ok || len(fresh) == 0 || p.free() < minClip {
		return false
	}
	r = fresh[0]
	line := f.lines[r.From-1]
	cost := func(n int) int {
		q := part{source: true, from: r.From, to: r.From, text: clipLine(line, n), cut: r.To - r.From + 1}
		return p.partCost(f, q)
	}
	frame := 0
	if f.shows == 0 {
		frame = p.frameCost(f)
	}
	n := sort.Search(len(line), func(n int) bool { return cost(n+1)+frame > p.free() })
	if n < minClip {
		return false
	}
	f.clips[r.From], f.cuts[r.From] = n, r.To-r.From+1
	p.take(atom{file: f.at, sig: -1, Lines: Lines{r.From, r.From}, cost: cost(n) + frame})
	return true
}

// minClip is the least of a line worth showing, in bytes, and the least room for it,
// in tokens.
const minClip = 12

// clipLine returns the beginning of a line, cut between characters.
func clipLine(line string, n int) string {
	for n > 0 && n < len(line) && !utf8.RuneStart(line[n]) {
		n--
	}
	return line[:n] + "…"
}
