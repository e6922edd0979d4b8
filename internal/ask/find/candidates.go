package find

import (
	"context"
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/search"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
	"ken/internal/engine/words"
)

// Limits of the numbers of candidates.
const (
	maxByPostings = 120
	maxByHistory  = 40
	maxFits       = 12 // files that one mention may match
	maxOwn        = 3  // files one frame of a traceback may be in
)

// candidate is a file that may be the answer, with the evidence that made it one.
type candidate struct {
	doc      int32
	file     code.File
	mention  mention
	learned  float32 // score by past commits with such words
	commits  []int
	semantic float32 // similarity of its best passage, above the last of the list
	text     reading
	rated    []ratedSymbol // its declarations, best first, nil before
	said     said
}

// mention holds the ways in which a query names a file, with their weights.
type mention struct {
	path    float32 // weight of the best mention of its path
	frame   float32 // the same for a mention with a line, as in a traceback
	crash   int     // place of its innermost frame in a traceback, from 1; 0 if there is none
	first   float32 // the earlier in the query, the higher
	defs    float32 // weight of the mentioned names that it declares
	title   float32 // the same in the first line of the query
	named   string  // the matching mention of a path
	defined []string
}

// reading is the evidence that the text of a candidate contains.
type reading struct {
	hits    []search.Hit
	passage search.Passage
	pairs   []search.PairHits
	phrases []string
}

// candidates are the files that may be the answer. Once gathered, their places are those in the rank.Set, too.
type candidates struct {
	q       *query
	known   Known
	list    []candidate
	at      map[int64]int // place by file id
	split   *words.Splitter
	earlier []earlier
	notes   []string
}

func newCandidates(q *query, known Known) *candidates {
	return &candidates{q: q, known: known, at: map[int64]int{}, split: words.NewSplitter()}
}

// gather finds the candidates by all kinds of evidence and loads the index rows of their files.
func (c *candidates) gather(ctx context.Context) error {
	fits, err := c.fits()
	if err != nil {
		return err
	}
	for _, d := range c.q.postings.Top(maxByPostings, fits) {
		c.add(d)
	}
	if err := c.addMentioned(); err != nil {
		return err
	}
	if err := c.addLearned(ctx); err != nil {
		return err
	}
	if err := c.addSemantic(ctx); err != nil {
		return err
	}
	if err := c.addRemembered(); err != nil {
		return err
	}
	return c.load()
}

// fits returns the function that reports whether a document passes the filters of the query other than kind, nil if there are none.
func (c *candidates) fits() (func(doc int32) bool, error) {
	if !c.q.parsed.Filters.NarrowFiles() {
		return nil, nil
	}
	files, err := admitted(c.q, &c.known)
	if err != nil {
		return nil, err
	}
	docs := make([]bool, c.q.index.Docs())
	for i := range files {
		if d, ok := c.q.index.Doc(files[i].ID); ok {
			docs[d] = true
		}
	}
	return func(doc int32) bool { return docs[doc] }, nil
}

func (c *candidates) add(doc int32) *candidate {
	id := c.q.index.File(int(doc))
	i, ok := c.at[id]
	if !ok {
		i = len(c.list)
		c.at[id] = i
		c.list = append(c.list, candidate{doc: doc})
	}
	return &c.list[i]
}

// addMentioned adds the files that the query names by path, or by a declared name.
func (c *candidates) addMentioned() error {
	for i := range c.q.parsed.Paths {
		if err := c.byPath(&c.q.parsed.Paths[i], i); err != nil {
			return err
		}
	}
	for i := range c.q.parsed.Names {
		if err := c.byName(&c.q.parsed.Names[i]); err != nil {
			return err
		}
	}
	return nil
}

// byPath finds the files whose path ends in the mentioned path; if none does, those that share most of its last segments.
func (c *candidates) byPath(m *search.Mention, place int) error {
	terms := c.terms(path.Base(m.Text))
	if len(terms) == 0 {
		return nil
	}
	docs, err := c.q.index.All(terms)
	if err != nil || len(docs) > 2000 {
		return err
	}
	best, fits := 0, []int32(nil)
	for _, d := range docs {
		p, err := c.q.view.Index.PathByID(c.q.index.File(int(d)))
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
		of := &c.add(d).mention
		w := m.Weight / float32(len(fits))
		of.byPath(w, m.Text)
		if m.Line > 0 {
			of.frame = max(of.frame, w/(1+0.1*float32(place)))
			if own := len(fits) <= maxOwn && isOwn(m.Text, best); own && (of.crash == 0 || m.Inner < of.crash) {
				of.crash = m.Inner
			}
		}
		of.first = max(of.first, 1/(1+float32(place)))
	}
	return nil
}

// libraryDirs are the directories that hold installed libraries.
var libraryDirs = map[string]bool{"site-packages": true, "dist-packages": true, "node_modules": true, "gems": true, "registry": true, "mod": true}

// isOwn reports whether a path of a traceback, whose last n segments match a file of the project, means that file: all segments of a
// relative path have to match, two of an absolute one, and all below the directory of libraries for an installed library.
func isOwn(p string, n int) bool {
	segs := strings.Split(strings.Trim(p, "/"), "/")
	for i := len(segs) - 1; i >= 0; i-- {
		if libraryDirs[segs[i]] {
			return n >= len(segs)-1-i
		}
	}
	return n == len(segs) || n >= 2
}

func (m *mention) byPath(weight float32, text string) {
	if m.path < weight {
		m.path, m.named = weight, text
	}
}

// terms returns the search terms of some words.
func (c *candidates) terms(list ...string) []words.Term {
	var out []words.Term
	for _, w := range list {
		for _, k := range c.split.Word(w) {
			out = append(out, k.Term)
		}
	}
	return out
}

// commonTail returns the number of last segments that two paths share.
func commonTail(a, b string) int {
	x, y := strings.Split(a, "/"), strings.Split(strings.Trim(b, "/"), "/")
	n := 0
	for n < len(x) && n < len(y) && strings.EqualFold(x[len(x)-1-n], y[len(y)-1-n]) {
		n++
	}
	return n
}

// nameParts cuts a qualified name at the separators of all languages.
func nameParts(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(".:#->", r) })
}

// byName finds the files that declare a name, and modules written with dots.
func (c *candidates) byName(m *search.Mention) error {
	parts := nameParts(m.Text)
	if len(parts) == 0 {
		return nil
	}
	if err := c.byModule(m, parts); err != nil {
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
		if err := c.addDeclaring(name, m, w); err != nil {
			return err
		}
	}
	return nil
}

func (c *candidates) addDeclaring(name string, m *search.Mention, w float32) error {
	ids, err := c.q.view.Index.SymbolIDs(name)
	if err != nil || len(ids) == 0 || len(ids) > 300 {
		return err
	}
	files := make([]int64, len(ids))
	for i, id := range ids {
		files[i] = id.File
	}
	slices.Sort(files) // so that candidates come in the same order each time
	files = slices.Compact(files)
	each := w / float32(len(files))
	for _, id := range files {
		d, ok := c.q.index.Doc(id)
		if !ok {
			continue
		}
		if _, known := c.at[id]; !known && len(files) > maxFits {
			continue
		}
		of := &c.add(int32(d)).mention
		of.defs += each
		if m.Title {
			of.title += each
		}
		if len(files) <= maxFits && !slices.Contains(of.defined, name) {
			of.defined = append(of.defined, name)
		}
	}
	return nil
}

// byModule finds the file of a dotted name: a.b.c is a/b/c.py, or a/b.py with a c in it.
func (c *candidates) byModule(m *search.Mention, parts []string) error {
	if len(parts) < 2 {
		return nil
	}
	for cut := range 2 {
		segments := parts[:len(parts)-cut]
		terms := c.terms(segments...)
		if len(terms) == 0 {
			continue
		}
		docs, err := c.q.index.All(terms)
		if err != nil || len(docs) > 500 {
			return err
		}
		fits, err := c.modules(docs, segments)
		if err != nil {
			return err
		}
		if len(fits) == 0 || len(fits) > 4 {
			continue
		}
		w := m.Weight * 0.6 / float32(len(fits))
		if len(segments) == 1 {
			w *= 0.5
		}
		for _, d := range fits {
			c.add(d).mention.byPath(w, m.Text)
		}
		return nil
	}
	return nil
}

// modules returns those of docs whose path ends in all segments of a dotted name.
func (c *candidates) modules(docs []int32, segments []string) ([]int32, error) {
	want := strings.Join(segments, "/")
	var fits []int32
	for _, d := range docs {
		p, err := c.q.view.Index.PathByID(c.q.index.File(int(d)))
		if err != nil {
			return nil, err
		}
		stem := strings.TrimSuffix(p, path.Ext(p))
		stem = strings.TrimSuffix(strings.TrimSuffix(stem, "/__init__"), "/mod")
		if commonTail(stem, want) == len(segments) {
			fits = append(fits, d)
		}
	}
	return fits, nil
}

// addLearned adds the files that past commits with such words changed.
func (c *candidates) addLearned(ctx context.Context) error {
	list, err := c.q.view.LearnedFiles(ctx, c.q.historyTerms(), maxByHistory)
	if err != nil {
		return err
	}
	for _, l := range list {
		d, ok := c.q.index.Doc(l.FileID)
		if !ok {
			continue
		}
		of := c.add(int32(d))
		of.learned, of.commits = float32(l.Score), l.Commits
	}
	return nil
}

// addSemantic adds the files whose embeddings are similar to the query's. An error of the endpoint becomes a note, because the rest of
// the answer does not need it.
func (c *candidates) addSemantic(ctx context.Context) error {
	s := c.q.view
	list, err := s.SemanticFiles(ctx, c.q.text, view.MaxSemantic+1)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		note := "answered without embeddings: " + s.Tree.MaskString(err.Error())
		c.notes = append(c.notes, note)
		s.Opt.Semantic.WarnOnce(s.Opt.Log, note)
		return nil
	}
	// Cosines of one model lie close together, so what counts is how far a file is
	// above the last file of the list.
	floor := 0.0
	if len(list) > view.MaxSemantic {
		floor = list[view.MaxSemantic].Score
		list = list[:view.MaxSemantic]
	} else if len(list) > 0 {
		floor = list[len(list)-1].Score * 0.99
	}
	for _, x := range list {
		if d, ok := c.q.index.Doc(x.FileID); ok && x.Score > 0 {
			c.add(int32(d)).semantic = float32(x.Score - floor)
		}
	}
	return nil
}

// load reads the rows of the candidates and drops those that the filters exclude.
func (c *candidates) load() error {
	keep := c.list[:0]
	clear(c.at)
	for _, of := range c.list {
		file, err := c.q.view.FileByID(c.q.index.File(int(of.doc)))
		if err != nil {
			return err
		}
		if file.ID == 0 || !admits(&c.q.parsed.Filters, &file, c.known.WrittenType) {
			continue
		}
		if ok, err := c.declaresKind(file.ID); err != nil {
			return err
		} else if !ok {
			continue
		}
		of.file = file
		c.at[file.ID] = len(keep)
		keep = append(keep, of)
	}
	c.list = keep
	return nil
}

// declaresKind reports whether a file has a declaration of the wanted kinds.
func (c *candidates) declaresKind(id int64) (bool, error) {
	kinds := c.q.parsed.Filters.Kinds
	if len(kinds) == 0 {
		return true, nil
	}
	rows, err := c.q.view.Index.Symbols(id)
	return slices.ContainsFunc(rows, func(row store.SymbolRow) bool { return slices.Contains(kinds, row.Kind.String()) }), err
}
