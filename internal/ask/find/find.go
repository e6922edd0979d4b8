// Package find answers a text in words with ranked files and the declarations in
// them. Postings give candidates, mentions of paths and names and past commits
// add theirs, the text of the best is read as it is now; engine/search holds the
// features and their weights.
package find

import (
	"bytes"
	"cmp"
	"context"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"

	"ken/internal/code"
	"ken/internal/engine/search"
	"ken/internal/engine/source"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
	"ken/internal/engine/words"
)

// SearchOptions say what of an answer is wanted. The zero value is the default.
type SearchOptions struct {
	Limit   int // files; 0 means 20
	Symbols int // symbols; 0 means 20
	// Trace keeps the features of every candidate, for measurements.
	Trace bool
}

// Found is the answer to a search, best first.
type Found struct {
	Query   *search.Query
	Files   []FoundFile
	Symbols []FoundSymbol
	Trace   []FoundTrace // of all candidates, if asked for
	Notes   []string     // what could not be asked
}

// FoundFile is one file with what speaks for it.
type FoundFile struct {
	code.File
	Score   float64
	Why     []string // most telling first
	Line    int      // of the passage that fits best, and its end; 0 if none
	EndLine int
	Symbols []FoundSymbol // of the file, best first
}

// FoundSymbol is a declaration with what it scores; scores compare within one answer.
type FoundSymbol struct {
	Path      string
	Name      string // qualified
	Kind      code.Kind
	Line      int
	EndLine   int
	Score     float64
	Signature string
}

// FoundTrace is a candidate as the ranker saw it.
type FoundTrace struct {
	Path     string
	Features search.Features
}

// Numbers of candidates that are looked at closer.
const (
	maxCandidates = 120 // by postings alone
	maxRead       = 32  // their text is read
	maxSymbolsOf  = 12  // files whose declarations are rated
)

// Find ranks files and their declarations for a text.
func Find(ctx context.Context, s *view.Snapshot, text string, opt SearchOptions) (*Found, error) {
	if strings.TrimSpace(text) == "" {
		return nil, code.Usagef("the query is empty")
	}
	f := &finder{s: s, ctx: ctx, text: text, q: search.Parse(text), opt: opt}
	for _, step := range []func() error{f.retrieve, f.mentioned, f.learned, f.semantic, f.load, f.read, f.company, f.near, f.beside, f.given} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return f.answer()
}

// finder is the work of one search.
type finder struct {
	s    *view.Snapshot
	ctx  context.Context
	opt  SearchOptions
	text string // as it was asked
	q    *search.Query
	idx  *search.Index
	says *search.Scores

	cands []candidate
	at    map[int64]int // file id → place in cands
	feats []search.Features
	notes []string
}

// candidate is a file that may be the answer.
type candidate struct {
	doc      int32
	file     code.File
	path     float32 // how well a mention of a path fits
	frame    float32
	learned  float32 // what past commits with such words say, and the best of them
	commits  []int
	semantic float32 // how near its best passage is to the query, above the rest of the list
	defs     float32
	title    float32
	first    float32
	hits     []search.Hit
	passage  search.Passage
	pairs    []search.PairHits
	phrases  []string
	defined  []string
	named    string // the mention of a path that fits
	commit   string // the past commit that speaks for it most
}

// retrieve takes the best files by postings.
func (f *finder) retrieve() (err error) {
	if f.idx, err = search.NewIndex(f.s.Index); err != nil {
		return err
	}
	if f.says, err = f.idx.Score(f.q); err != nil {
		return err
	}
	f.at = map[int64]int{}
	for _, d := range f.says.Top(maxCandidates) {
		f.add(d)
	}
	return nil
}

func (f *finder) add(doc int32) *candidate {
	id := f.idx.File(int(doc))
	i, ok := f.at[id]
	if !ok {
		i = len(f.cands)
		f.at[id] = i
		f.cands = append(f.cands, candidate{doc: doc})
	}
	return &f.cands[i]
}

// maxFits bounds the files one mention may mean.
const maxFits = 12

// mentioned adds the files that the query names by path, or by what they declare.
func (f *finder) mentioned() error {
	split := words.NewSplitter()
	for i := range f.q.Paths {
		if err := f.byPath(split, &f.q.Paths[i], i); err != nil {
			return err
		}
	}
	for i := range f.q.Names {
		if err := f.byName(split, &f.q.Names[i]); err != nil {
			return err
		}
	}
	return nil
}

// byPath finds the files whose path ends in what is mentioned; if none does, in
// its last parts.
func (f *finder) byPath(split *words.Splitter, m *search.Mention, place int) error {
	base := path.Base(m.Text)
	var terms []words.Term
	for _, k := range split.Word(base) {
		terms = append(terms, k.Term)
	}
	if len(terms) == 0 {
		return nil
	}
	docs, err := f.idx.All(terms)
	if err != nil || len(docs) > 2000 {
		return err
	}
	best, fits := 0, []int32(nil)
	for _, d := range docs {
		p, err := f.s.Index.PathByID(f.idx.File(int(d)))
		if err != nil {
			return err
		}
		switch n := commonTail(p, m.Text); {
		case n > best:
			best, fits = n, []int32{d}
		case n == best && n > 0:
			fits = append(fits, d)
		}
	}
	if best == 0 || len(fits) > maxFits {
		return nil
	}
	for _, d := range fits {
		c := f.add(d)
		w := m.Weight / float32(len(fits))
		if c.path < w {
			c.path, c.named = w, m.Text
		}
		if m.Line > 0 {
			c.frame = max(c.frame, w/(1+0.1*float32(place)))
		}
		c.first = max(c.first, 1/(1+float32(place)))
	}
	return nil
}

// commonTail is the number of last segments that two paths share.
func commonTail(a, b string) int {
	x, y := strings.Split(a, "/"), strings.Split(strings.Trim(b, "/"), "/")
	n := 0
	for n < len(x) && n < len(y) && strings.EqualFold(x[len(x)-1-n], y[len(y)-1-n]) {
		n++
	}
	return n
}

// byName finds the files that declare a name, and modules written with dots.
func (f *finder) byName(split *words.Splitter, m *search.Mention) error {
	parts := strings.FieldsFunc(m.Text, func(r rune) bool { return strings.ContainsRune(".:#->", r) })
	if len(parts) == 0 {
		return nil
	}
	if err := f.byModule(split, m, parts); err != nil {
		return err
	}
	for back := range min(2, len(parts)) {
		name := parts[len(parts)-1-back]
		if len(name) < 3 {
			continue
		}
		w := m.Weight
		if back > 0 { // the qualifier: Class of Class.method
			w *= 0.8
		}
		if err := f.declaring(name, m, w); err != nil {
			return err
		}
	}
	return nil
}

func (f *finder) declaring(name string, m *search.Mention, w float32) error {
	ids, err := f.s.Index.SymbolIDs(name)
	if err != nil || len(ids) == 0 || len(ids) > 300 {
		return err
	}
	files := map[int64]bool{}
	for _, id := range ids {
		files[id.File] = true
	}
	each := w / float32(len(files))
	for id := range files {
		d, ok := f.idx.Doc(id)
		if !ok {
			continue
		}
		if _, known := f.at[id]; !known && len(files) > maxFits {
			continue
		}
		c := f.add(int32(d))
		c.defs += each
		if m.Title {
			c.title += each
		}
		if len(files) <= maxFits && !slices.Contains(c.defined, name) {
			c.defined = append(c.defined, name)
		}
	}
	return nil
}

// byModule finds the file a dotted name stands for: a.b.c is a/b/c.py, or a/b.py
// with a c in it.
func (f *finder) byModule(split *words.Splitter, m *search.Mention, parts []string) error {
	if len(parts) < 2 {
		return nil
	}
	for cut := range 2 {
		segs := parts[:len(parts)-cut]
		if len(segs) < 1 {
			continue
		}
		var terms []words.Term
		for _, seg := range segs {
			for _, k := range split.Word(seg) {
				terms = append(terms, k.Term)
			}
		}
		if len(terms) == 0 {
			continue
		}
		docs, err := f.idx.All(terms)
		if err != nil || len(docs) > 500 {
			return err
		}
		want := strings.Join(segs, "/")
		var fits []int32
		for _, d := range docs {
			p, err := f.s.Index.PathByID(f.idx.File(int(d)))
			if err != nil {
				return err
			}
			stem := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(p, path.Ext(p)), "/__init__"), "/mod")
			if n := commonTail(stem, want); n >= 2 && n == len(segs) || n >= 1 && n == len(segs) && len(segs) == 1 && cut == 1 {
				fits = append(fits, d)
			}
		}
		if len(fits) == 0 || len(fits) > 4 {
			continue
		}
		w := m.Weight * 0.6 / float32(len(fits))
		if len(segs) == 1 {
			w *= 0.5
		}
		for _, d := range fits {
			if c := f.add(d); c.path < w {
				c.path, c.named = w, m.Text
			}
		}
		return nil
	}
	return nil
}

// load reads the rows of the candidates and drops those the filters refuse.
func (f *finder) load() error {
	keep := f.cands[:0]
	clear(f.at)
	for _, c := range f.cands {
		file, err := f.s.FileByID(f.idx.File(int(c.doc)))
		if err != nil {
			return err
		}
		if file.ID == 0 || !admits(&f.q.Filters, &file) {
			continue
		}
		if ok, err := f.declares(file.ID); err != nil || !ok {
			if err != nil {
				return err
			}
			continue
		}
		c.file = file
		f.at[file.ID] = len(keep)
		keep = append(keep, c)
	}
	f.cands = keep
	f.feats = make([]search.Features, len(f.cands))
	if err := f.lively(); err != nil {
		return err
	}
	split := words.NewSplitter()
	weigh := newPathWeigher(f.q, f.says.IDF)
	for i := range f.cands {
		f.describe(&f.cands[i], &f.feats[i], split, weigh)
	}
	for _, x := range []search.Feature{search.FBody, search.FNamed, search.FTitle, search.FDefines, search.FDefinesTitle, search.FCodeTerms, search.FSemantic} {
		search.Relative(f.feats, x)
	}
	f.ranked(search.FBody, search.FRankBody)
	f.ranked(search.FRankLearned, search.FRankLearned)
	return nil
}

// declares reports whether a file has a declaration of the kinds asked for.
func (f *finder) declares(id int64) (bool, error) {
	kinds := f.q.Filters.Kinds
	if len(kinds) == 0 {
		return true, nil
	}
	rows, err := f.s.Index.Symbols(id)
	return slices.ContainsFunc(rows, func(row store.SymbolRow) bool { return slices.Contains(kinds, row.Kind.String()) }), err
}

// ranked fills one feature with 1/(1+rank/4) by another.
func (f *finder) ranked(by, into search.Feature) {
	order := make([]int, len(f.feats))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(f.feats[b][by], f.feats[a][by]), strings.Compare(f.cands[a].file.Path, f.cands[b].file.Path))
	})
	for rank, i := range order {
		if f.feats[i][by] > 0 {
			f.feats[i][into] = 1 / (1 + float32(rank)/4)
		}
	}
}

func (f *finder) describe(c *candidate, x *search.Features, split *words.Splitter, weigh *pathWeigher) {
	x[search.FBody], x[search.FNamed] = f.says.Body[c.doc], f.says.Named[c.doc]
	x[search.FCodeTerms] = f.says.Code[c.doc]
	x[search.FTitle], x[search.FMatched] = f.says.Title[c.doc], f.says.Matched[c.doc]
	x[search.FBase], x[search.FBaseCover], x[search.FDirs], x[search.FBaseExact] = weigh.path(split, c.file.Path)
	x[search.FRankLearned], x[search.FSemantic] = c.learned, c.semantic
	x[search.FPath], x[search.FFrame], x[search.FMentionFirst] = c.path, c.frame, c.first
	x[search.FDefines], x[search.FDefinesTitle] = c.defs, c.title
	x[search.FLength] = search.Log(float64(c.file.Lines))
	is := c.file.Class
	set := func(at search.Feature, on bool) {
		if on {
			x[at] = 1
		}
	}
	set(search.FTest, is.Has(code.ClassTest))
	set(search.FDoc, is.Has(code.ClassDocument))
	set(search.FData, is.Has(code.ClassData))
	set(search.FOther, is.Has(code.ClassOther))
	set(search.FExample, is.Has(code.ClassExample))
	set(search.FGenerated, is.Has(code.ClassGenerated))
	set(search.FVendored, is.Has(code.ClassVendored))
	set(search.FDeclares, strings.HasSuffix(c.file.Path, ".d.ts") || strings.HasSuffix(c.file.Path, ".pyi"))
	set(search.FCode, is.Kind() == 0 && !is.Has(code.ClassGenerated|code.ClassVendored))
	set(search.FTestWanted, is.Has(code.ClassTest) && f.q.WantTest)
	set(search.FDocWanted, is.Has(code.ClassDocument) && f.q.WantDoc)
}

// read looks into the text of the best candidates.
func (f *finder) read() error {
	order := f.order()
	if len(order) > maxRead {
		order = order[:maxRead]
	}
	if _, err := f.s.Tree.Scanner(); err != nil {
		return err
	}
	known := map[int64][]store.Secret{}
	for _, i := range order {
		id := f.cands[i].file.ID
		var err error
		if known[id], err = f.s.Index.FileSecrets(id); err != nil {
			return err
		}
	}
	todo := make(chan int)
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), 4) {
		wg.Go(func() {
			m := search.NewMatcher(f.q, f.says.IDF)
			r, err := f.s.Tree.NewReader(nil)
			if err != nil {
				panic(err) // the scanner was made above
			}
			for i := range todo {
				c := &f.cands[i]
				f.look(r, m, c, known[c.file.ID])
			}
		})
	}
	for _, i := range order {
		todo <- i
	}
	close(todo)
	wg.Wait()
	f.pairs(order)
	for i := range f.cands {
		c := &f.cands[i]
		f.feats[i][search.FPassage] = c.passage.Score
		f.feats[i][search.FPhrase] = min(1, float32(len(c.phrases)))
		if f.q.Typed {
			f.feats[i][search.FTyped] = f.feats[i][search.FPhrase]
		}
	}
	search.Relative(f.feats, search.FPassage)
	f.ranked(search.FPassage, search.FRankPassage)
	return f.ctx.Err()
}

// pairs rates what was read by the query's neighbouring words.
func (f *finder) pairs(read []int) {
	texts := make([][]search.PairHits, len(read))
	for k, i := range read {
		texts[k] = f.cands[i].pairs
	}
	for k, v := range search.RatePairs(f.q, texts) {
		f.feats[read[k]][search.FPairs] = v
	}
	search.Relative(f.feats, search.FPairs)
}

// maxLook is how much of a candidate's text is read.
const maxLook = 96 << 10

// look reads one candidate.
func (f *finder) look(r *source.Reader, m *search.Matcher, c *candidate, secrets []store.Secret) {
	text := r.Head(f.ctx, &c.file, secrets, maxLook)
	c.hits = m.Hits(nil, text)
	c.passage, c.pairs = m.Best(c.hits), m.Pairs(c.hits)
	for _, p := range f.q.Phrases {
		if bytes.Contains(text, []byte(p)) {
			c.phrases = append(c.phrases, p)
		}
	}
}

// near rates the candidates that stand beside strong ones in the import graph.
func (f *finder) near() error {
	order := f.order()
	for rank, i := range order {
		if rank == 10 {
			break
		}
		w := 1 / float32(rank+2)
		c := &f.cands[i]
		out, err := f.s.Index.EdgesFrom(c.file.ID)
		if err != nil {
			return err
		}
		f.spread(out, func(e store.EdgeRow) int64 { return e.Target }, w)
		if c.file.Dependents > 100 {
			continue
		}
		in, err := f.s.Index.EdgesTo(c.file.ID)
		if err != nil {
			return err
		}
		f.spread(in, func(e store.EdgeRow) int64 { return e.Source }, w)
	}
	search.Relative(f.feats, search.FImportNeighbour)
	return nil
}

func (f *finder) spread(edges []store.EdgeRow, end func(store.EdgeRow) int64, w float32) {
	for _, e := range edges {
		if j, ok := f.at[end(e)]; ok {
			f.feats[j][search.FImportNeighbour] += w / (4 + float32(len(edges)))
		}
	}
}

// order is the places of the candidates, best first.
func (f *finder) order() []int {
	order := make([]int, len(f.cands))
	scores := make([]float32, len(f.cands))
	for i := range order {
		order[i], scores[i] = i, f.feats[i].Score()
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), strings.Compare(f.cands[a].file.Path, f.cands[b].file.Path))
	})
	return order
}
