package pack

import (
	"bytes"
	"slices"
)

// reserveFrame reserves the tokens of the text around the files. It fails if they do not fit into the budget.
func (p *packer) reserveFrame() error {
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

// leftShare limits the list of files left out to 1/leftShare of the budget.
const leftShare = 20

// leftCost estimates the tokens of a list of the first n files left out.
func (p *packer) leftCost(n int) int {
	left, _, _ := p.leftOutFiles()
	h := &packHead{left: left[:min(n, len(left))], leftFiles: len(left)}
	p.piece = p.write.end(p.piece[:0], h)
	return p.countTokens(p.piece)
}

// leftOutFiles returns the files without a shown part, in order of importance, with their number and tokens.
func (p *packer) leftOutFiles() (list []Left, files, tokens int) {
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

// render makes the document of the chosen atoms (signatures and ranges of lines)
// and counts its tokens. The document contains that number, whose length changes
// the count, so a few rounds are made until both agree.
func (p *packer) render() {
	list, files, tokens := p.leftOutFiles()
	h := &packHead{revision: p.opt.Revision, tokenizer: p.opt.Tokenizer.Name(),
		budget: p.opt.Budget != unlimited, used: p.used, total: p.opt.Budget,
		left: list[:min(p.listed, len(list))], leftFiles: files, leftTokens: tokens}
	docs := p.shownFiles()
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
		if p.used = p.countTokens(p.buf); p.used == h.used {
			return
		}
		h.used = p.used
	}
}

// shownFiles returns the files with a shown part.
func (p *packer) shownFiles() []shownFile {
	var out []shownFile
	for _, f := range p.files {
		if f.shows == 0 {
			continue
		}
		s := shownFile{path: f.File.Path, lang: f.File.Lang, lines: len(f.lines), fileTokens: f.tokens, parts: f.parts(p.write.plain())}
		p.piece = p.piece[:0]
		for i := range s.parts {
			p.piece = append(append(p.piece, s.parts[i].text...), '\n')
		}
		s.tokens = p.countTokens(bytes.TrimSuffix(p.piece, []byte{'\n'}))
		out = append(out, s)
	}
	return out
}

// parts returns the shown pieces of a file in the order of lines.
func (f *file) parts(plain bool) []filePart {
	var out []filePart
	for _, r := range f.spans {
		out = f.appendSources(out, r)
	}
	for i := range f.symbols {
		if f.sigs[i] && !f.spans.has(int(f.symbols[i].Span.Line)) {
			q := signaturePart(&f.symbols[i], plain)
			q.depth = symbolDepth(f.symbols, i)
			out = append(out, q)
		}
	}
	slices.SortStableFunc(out, func(a, b filePart) int { return a.from - b.from })
	return out
}

// appendSources appends a range as parts. A line that is shown only in its
// beginning ends a part.
func (f *file) appendSources(out []filePart, r Lines) []filePart {
	for line := range f.clips {
		if r.From <= line && line < r.To {
			return f.appendSources(f.appendSources(out, Lines{r.From, line}), Lines{line + 1, r.To})
		}
	}
	q := filePart{source: true, from: r.From, to: r.To, text: f.lines.cut(r.From, r.To), cut: f.cuts[r.To]}
	if n, ok := f.clips[r.To]; ok {
		last := f.lines[r.To-1]
		q.text = q.text[:len(q.text)-len(last)] + clipLine(last, n)
		if f.spans.has(r.To + 1) {
			q.cut = 1
		}
	}
	return append(out, q)
}

// maxDepth bounds the indentation of a signature.
const maxDepth = 8

// maxRounds bounds the repetitions of counting the text and adding more to it.
const maxRounds = 8

// finish counts the chosen text, drops atoms that are too much and fills the rest of the budget. It does not use the fitter of
// delivery/agenttext, which knows all its parts and asks only how many of them fit: a packer makes its atoms while it chooses (a body
// replaces its signature, a range is cut, a file's share depends on the others), and its text, up to a whole repository, is too long to
// be counted anew for every choice. So it adds up estimates and corrects them by a few counts.
func (p *packer) finish() (*Pack, error) {
	p.listed = p.listedLeft()
	for range maxRounds {
		p.shrinkToFit()
		if p.used*100 >= p.opt.Budget*97 {
			break
		}
		had := len(p.atoms)
		if err := p.spendRest(); err != nil {
			return nil, err
		}
		if len(p.atoms) == had {
			p.fillWithBeginning()
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
	gone, _, _ := p.leftOutFiles()
	out.Gone = gone[:out.Left]
	return out, nil
}

// listedLeft returns the number of omitted files that are listed one by one.
func (p *packer) listedLeft() int {
	list, _, _ := p.leftOutFiles()
	n := min(len(list), maxListedLeft)
	for n > 0 && p.leftCost(n) > p.opt.Budget/leftShare {
		n = n * 3 / 4
	}
	return n
}

// maxListedLeft is the largest number of omitted files that are listed one by one.
const maxListedLeft = 100

// listMoreLeft lists more omitted files if the remaining budget is too small for another part.
func (p *packer) listMoreLeft() {
	list, _, _ := p.leftOutFiles()
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

// leftTokens is an upper estimate of the tokens of listing one omitted file.
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
					f.markShown(o)
				}
			}
		}
	}
	p.spent = p.used
}

// fillWithBeginning fills the rest of the budget with the beginning of the first part that did not fit as a whole.
func (p *packer) fillWithBeginning() {
	for _, f := range p.files {
		if !f.loaded {
			continue
		}
		wants := f.wants
		if f.isWholeWanted() && !p.wantsOnlySignatures(f) {
			wants = append(slices.Clone(wants), Lines{1, len(f.lines)})
		}
		for _, r := range wants {
			if p.addBeginning(f, r, p.freeTokens()) || p.addClippedLine(f, r) {
				return
			}
		}
	}
}
