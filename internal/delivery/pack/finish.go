package pack

import (
	"bytes"
	"slices"
)

// fits checks that the frame fits into the budget and accounts for it.
func (p *packer) fits() error {
	p.render()
	if p.used > p.opt.Budget {
		e := &BudgetError{Budget: p.opt.Budget}
		// The least fixed point: the budget itself is printed, longer if larger.
		for p.opt.Budget = 1; ; p.opt.Budget = p.used {
			if p.render(); p.used <= p.opt.Budget {
				e.Least = p.opt.Budget
				return e
			}
		}
	}
	p.spent = p.used + min(p.opt.Budget/leftShare, p.leftCost(len(p.files)))
	return nil
}

// leftShare is the part of the budget, one in so many, that may list files left
// out one by one.
const leftShare = 20

// leftCost estimates the list of the first n files left out.
func (p *packer) leftCost(n int) int {
	left, _, _ := p.left()
	h := &head{left: left[:min(n, len(left))], leftFiles: len(left)}
	p.piece = p.write.end(p.piece[:0], h)
	return p.count(p.piece)
}

// left returns the files without a shown part, in order of importance, with their number and tokens.
func (p *packer) left() (list []Left, files, tokens int) {
	for _, f := range p.files {
		if f.shows > 0 {
			continue
		}
		l := Left{Path: f.File.Path, Tokens: f.tokens, Why: "budget"}
		switch {
		case f.loaded && len(f.lines) == 0:
			l.Why = "empty"
		case f.loaded && len(f.symbols) == 0 && p.opt.Compress:
			l.Why = "no signatures"
		}
		list = append(list, l)
	}
	list = append(list, p.opt.Skipped...)
	for _, l := range list {
		tokens += l.Tokens
	}
	return list, len(list), tokens
}

// render makes the document of the atoms chosen so far and counts it. The document
// contains its own number of tokens; the number changes the count through its
// length only, so a few rounds make both agree.
func (p *packer) render() {
	list, files, tokens := p.left()
	h := &head{revision: p.opt.Revision, tokenizer: p.opt.Tokenizer.Name(),
		budget: p.opt.Budget != unlimited, used: p.used, total: p.opt.Budget,
		left: list[:min(p.listed, len(list))], leftFiles: files, leftTokens: tokens}
	docs := p.documents()
	if h.files = len(docs); !h.budget {
		for i := range docs {
			h.tokens += docs[i].fileTokens
		}
	}
	for range 8 {
		b := p.write.begin(p.buf[:0], h)
		for i := range docs {
			b = p.write.entry(b, &docs[i], i == 0)
		}
		b = p.write.enter(b)
		for i := range docs {
			b = p.write.file(b, &docs[i], i == 0)
		}
		p.buf = p.write.end(b, h)
		if p.used = p.count(p.buf); p.used == h.used {
			return
		}
		h.used = p.used
	}
}

// documents returns the files with a shown part.
func (p *packer) documents() []shown {
	var out []shown
	for _, f := range p.files {
		if f.shows == 0 {
			continue
		}
		s := shown{path: f.File.Path, lang: f.File.Lang, lines: len(f.lines), fileTokens: f.tokens, parts: f.parts(p.write.plain())}
		p.piece = p.piece[:0]
		for i := range s.parts {
			p.piece = append(append(p.piece, s.parts[i].text...), '\n')
		}
		s.tokens = p.count(bytes.TrimSuffix(p.piece, []byte{'\n'}))
		out = append(out, s)
	}
	return out
}

// parts returns the pieces of a file that are shown, by line.
func (f *file) parts(plain bool) []part {
	var out []part
	for _, r := range f.spans {
		out = f.sources(out, r)
	}
	for i := range f.symbols {
		if f.sigs[i] && !f.spans.has(int(f.symbols[i].Span.Line)) {
			q := signaturePart(&f.symbols[i], plain)
			q.depth = symbolDepth(f.symbols, i)
			out = append(out, q)
		}
	}
	slices.SortStableFunc(out, func(a, b part) int { return a.from - b.from })
	return out
}

// sources appends a range as parts: a line that is shown by its beginning ends
// one, whatever follows.
func (f *file) sources(out []part, r Lines) []part {
	for line := range f.clips {
		if r.From <= line && line < r.To {
			return f.sources(f.sources(out, Lines{r.From, line}), Lines{line + 1, r.To})
		}
	}
	q := part{source: true, from: r.From, to: r.To, text: f.lines.cut(r.From, r.To), cut: f.cuts[r.To]}
	if n, ok := f.clips[r.To]; ok {
		last := f.lines[r.To-1]
		q.text = q.text[:len(q.text)-len(last)] + clipLine(last, n)
		if f.spans.has(r.To + 1) {
			q.cut = 1
		}
	}
	return append(out, q)
}

// maxDepth bounds how far a signature is indented.
const maxDepth = 8

// rounds bounds how often the choice is completed after counting.
const rounds = 8

// finish counts the chosen text, drops atoms that are too much and fills the rest of the budget. It does not use the fitter of
// delivery/agenttext, which knows all its parts and asks only how many of them fit: a packer makes its atoms while it chooses (a body
// replaces its signature, a range is cut, a file's share depends on the others), and its text, up to a whole repository, is too long to
// be counted anew for every choice. So it adds up estimates and corrects them by a few counts.
func (p *packer) finish() (*Pack, error) {
	p.listed = p.listing()
	for range rounds {
		p.shrinkToFit()
		if p.used*100 >= p.opt.Budget*97 {
			break
		}
		had := len(p.atoms)
		if err := p.rest(); err != nil {
			return nil, err
		}
		if len(p.atoms) == had {
			p.lastCut()
		}
		if len(p.atoms) == had {
			break
		}
	}
	p.shrinkToFit()
	p.listMoreLeft()
	out := &Pack{Text: p.buf, Tokens: p.used}
	for _, f := range p.files {
		switch {
		case f.shows > 0:
			out.Shown++
		default:
			out.Left++
		}
	}
	gone, _, _ := p.left()
	out.Gone = gone[:out.Left]
	return out, nil
}

// listing is how many of the files left out are listed one by one.
func (p *packer) listing() int {
	list, _, _ := p.left()
	n := min(len(list), maxListedLeft)
	for n > 0 && p.leftCost(n) > p.opt.Budget/leftShare {
		n = n * 3 / 4
	}
	return n
}

// maxListedLeft is how many files left out are listed one by one at most.
const maxListedLeft = 100

// listMoreLeft spends a rest of the budget that is too small for another part on listing more of the files left out.
func (p *packer) listMoreLeft() {
	list, _, _ := p.left()
	for most := min(len(list), maxListedLeft); p.listed < most; {
		had := p.listed
		p.listed += max(1, min(most-had, (p.opt.Budget-p.used)/leftTokens))
		if p.render(); p.used > p.opt.Budget {
			p.listed = had
			p.render()
			return
		}
	}
}

// leftTokens is more than listing one file usually costs.
const leftTokens = 60

// shrinkToFit drops the least important atoms until the count of the whole is
// within the budget, and replaces the estimate by that count.
func (p *packer) shrinkToFit() {
	for p.render(); p.used > p.opt.Budget; p.render() {
		if len(p.atoms) == 0 {
			p.listed = 0 // the frame alone fits, see fits
			continue
		}
		p.margin += p.used - p.opt.Budget
		for over := p.used - p.opt.Budget; over > 0 && len(p.atoms) > 0; {
			over -= p.atoms[len(p.atoms)-1].cost
			a := p.atoms[len(p.atoms)-1]
			p.atoms = p.atoms[:len(p.atoms)-1]
			p.spent -= a.cost
			f := p.files[a.file]
			f.spans, f.shows = nil, 0
			if a.sig < 0 {
				delete(f.cuts, a.To)
				delete(f.clips, a.To)
			}
			clear(f.sigs)
			for _, o := range p.atoms {
				if o.file == a.file {
					f.apply(o)
				}
			}
		}
	}
	p.spent = p.used
}

// lastCut fills the rest of the budget with the beginning of the first part that did not fit as a whole.
func (p *packer) lastCut() {
	for _, f := range p.files {
		if !f.loaded {
			continue
		}
		wants := f.wants
		if f.whole() && !p.onlySignatures(f) {
			wants = append(slices.Clone(wants), Lines{1, len(f.lines)})
		}
		for _, r := range wants {
			if p.cut(f, r, p.free()) || p.clip(f, r) {
				return
			}
		}
	}
}
