package find

import (
	"context"
	"math"
	"path"
	"strings"

	"ken/internal/ask/rank"
	"ken/internal/code"
	"ken/internal/engine/search"
	"ken/internal/engine/words"
)

// postingsSource rates candidates by the words of the query that the index of words has for them.
type postingsSource struct {
	q *query
	c *candidates
}

// Name returns the name of the source in rank.Table.
func (*postingsSource) Name() string { return rank.FromPostings }

// Signals fills the features of this source for all candidates.
func (s *postingsSource) Signals(_ context.Context, _ *rank.Query, set *rank.Set) error {
	by := s.q.postings
	for i := range s.c.list {
		doc, v := s.c.list[i].doc, set.At(i)
		v[rank.Body], v[rank.Named] = float64(by.Body[doc]), float64(by.Named[doc])
		v[rank.CodeTerms] = float64(by.Code[doc])
		v[rank.Title], v[rank.Matched], v[rank.Rare] = float64(by.Title[doc]), float64(by.Matched[doc]), float64(by.Rare[doc])
	}
	for _, f := range []rank.Feature{rank.Body, rank.Named, rank.Title, rank.CodeTerms} {
		set.Relative(f)
	}
	set.ReciprocalRank(rank.Body, rank.RankBody)
	return nil
}

// mentionsSource rates candidates by the way in which the query names them, such as a path.
type mentionsSource struct {
	q *query
	c *candidates
}

// Name returns the name of the source in rank.Table.
func (*mentionsSource) Name() string { return rank.FromMentions }

// Signals fills the features of this source for all candidates.
func (s *mentionsSource) Signals(_ context.Context, _ *rank.Query, set *rank.Set) error {
	q := s.q.parsed
	size := rank.Log(float64(len(q.Terms)))
	names := rank.Log(float64(len(q.Names) + len(q.Paths)))
	for i := range s.c.list {
		m, v := &s.c.list[i].mention, set.At(i)
		v[rank.Path], v[rank.Frame], v[rank.MentionFirst] = float64(m.path), float64(m.frame), float64(m.first)
		v[rank.Defines], v[rank.DefinesTitle] = float64(m.defs), float64(m.title)
		v[rank.QueryWords], v[rank.QueryNames] = size, names
	}
	set.Relative(rank.Defines)
	set.Relative(rank.DefinesTitle)
	return nil
}

// embeddingSource rates candidates by the similarity of their embeddings to the query's.
type embeddingSource struct{ c *candidates }

// Name returns the name of the source in rank.Table.
func (*embeddingSource) Name() string { return rank.FromEmbedding }

// Signals fills the features of this source for all candidates.
func (s *embeddingSource) Signals(_ context.Context, _ *rank.Query, set *rank.Set) error {
	for i := range s.c.list {
		set.At(i)[rank.Semantic] = float64(s.c.list[i].semantic)
	}
	set.Relative(rank.Semantic)
	return nil
}

// fileSource rates candidates by the class of their files.
type fileSource struct {
	q *query
	c *candidates
}

// Name returns the name of the source in rank.Table.
func (*fileSource) Name() string { return rank.FromFile }

// Signals fills the features of this source for all candidates.
func (s *fileSource) Signals(_ context.Context, _ *rank.Query, set *rank.Set) error {
	crowd := map[string]int{}
	for i := range s.c.list {
		crowd[path.Dir(s.c.list[i].file.Path)]++
	}
	for i := range s.c.list {
		file, v := &s.c.list[i].file, set.At(i)
		describe(file, s.q.parsed, v)
		v[rank.Crowd], v[rank.Depth] = rank.Log(float64(crowd[path.Dir(file.Path)])), float64(strings.Count(file.Path, "/"))
	}
	return nil
}

func describe(file *code.File, q *search.Query, v *rank.Vector) {
	v[rank.Length] = rank.Log(float64(file.Lines))
	is := file.Class
	for _, class := range [...]struct {
		feature rank.Feature
		of      code.FileClass
	}{
		{rank.Test, code.ClassTest}, {rank.Doc, code.ClassDocument}, {rank.Data, code.ClassData}, {rank.Other, code.ClassOther},
		{rank.Example, code.ClassExample}, {rank.Generated, code.ClassGenerated}, {rank.Vendored, code.ClassVendored},
	} {
		v[class.feature] = number(is.Has(class.of))
	}
	mirror := strings.HasSuffix(file.Path, ".d.ts") || strings.HasSuffix(file.Path, ".pyi")
	v[rank.Declarations] = number(mirror)
	v[rank.Code] = number(is.Kind() == 0 && !is.Has(code.ClassGenerated|code.ClassVendored))
	v[rank.TestWanted] = number(is.Has(code.ClassTest) && q.WantTest)
	v[rank.DocWanted] = number(is.Has(code.ClassDocument) && q.WantDoc)
}

// number returns 1 for true and 0 for false.
func number(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// historySource rates candidates by past commits.
type historySource struct {
	q *query
	c *candidates
}

// Name returns the name of the source in rank.Table.
func (*historySource) Name() string { return rank.FromHistory }

// Signals fills the features of this source for all candidates.
func (s *historySource) Signals(_ context.Context, _ *rank.Query, set *rank.Set) error {
	for i := range s.c.list {
		v := set.At(i)
		v[rank.RankLearned], v[rank.Learned] = float64(s.c.list[i].learned), float64(s.c.list[i].learned)
	}
	set.Relative(rank.Learned)
	set.ReciprocalRank(rank.RankLearned, rank.RankLearned)
	if err := s.activity(set); err != nil {
		return err
	}
	scores, err := s.q.view.MessageScores(s.q.historyTerms(), set.Paths())
	for i, v := range scores {
		set.At(i)[rank.Messages] = rank.Single(v)
	}
	set.Relative(rank.Messages)
	return err
}

// activity sets the features for how often and how recently candidates changed.
func (s *historySource) activity(set *rank.Set) error {
	list, err := s.q.view.Activities(set.Paths())
	if err != nil {
		return err
	}
	newest := int64(0)
	for _, a := range list {
		if a.Commits > 0 {
			newest = max(newest, a.Last.Unix())
		}
	}
	for i, a := range list {
		if a.Commits == 0 {
			continue
		}
		v := set.At(i)
		v[rank.Commits] = rank.Log(float64(a.Commits))
		v[rank.Activity30], v[rank.Activity180] = rank.Single(min(1, a.Activity30)), rank.Single(a.Activity180)
		days := float64(newest-a.Last.Unix()) / 86400
		v[rank.Recent] = rank.Single(math.Exp(-days / 90))
	}
	set.Relative(rank.Commits)
	set.Relative(rank.Activity180)
	return nil
}

// pathSource rates candidates by the query's words in their paths.
type pathSource struct {
	q *query
	c *candidates
}

// Name returns the name of the source in rank.Table.
func (*pathSource) Name() string { return rank.FromPath }

// Signals fills the features of this source for all candidates.
func (s *pathSource) Signals(_ context.Context, _ *rank.Query, set *rank.Set) error {
	w := newPathWeigher(s.q.parsed, s.q.postings.IDF)
	for i := range s.c.list {
		w.weigh(s.c.list[i].file.Path, set.At(i))
	}
	return nil
}

// pathWeigher rates paths by the words of a query.
type pathWeigher struct {
	split  *words.Splitter
	weight map[words.Term]float32
	title  map[words.Term]bool
	total  float32
}

func newPathWeigher(q *search.Query, idf []float32) *pathWeigher {
	w := &pathWeigher{split: words.NewSplitter(), weight: map[words.Term]float32{}, title: map[words.Term]bool{}}
	for i := range q.Terms {
		t := &q.Terms[i]
		w.title[t.Term] = t.Title && idf[i] > 0
		w.weight[t.Term] = t.Weight * idf[i]
		w.total += t.Weight * idf[i]
	}
	w.total = max(w.total, 1)
	return w
}

// folderStems are file names that are less telling than their directory's name.
var folderStems = map[string]bool{"index": true, "mod": true, "__init__": true, "main": true, "lib": true}

// weigh fills the features of a path.
func (w *pathWeigher) weigh(p string, v *rank.Vector) {
	name, dir := path.Base(p), path.Dir(p)
	stem := strings.TrimSuffix(name, path.Ext(name))
	if folderStems[stem] {
		stem = path.Base(dir)
	}
	base, n, found, title := float32(0), 0, 0, 0
	for _, k := range w.split.Word(stem) {
		weight := w.weight[k.Term]
		if n++; n == 1 && weight > 0 && !k.Part {
			v[rank.BaseExact] = 1
		}
		if weight > 0 {
			base += weight
			found++
		}
		if w.title[k.Term] {
			title++
		}
	}
	if n > 0 {
		v[rank.BaseCover], v[rank.TitleBase] = float64(found)/float64(n), float64(title)/float64(n)
	}
	dirs, seen := float32(0), map[words.Term]bool{}
	for _, k := range w.split.Word(dir) {
		if !seen[k.Term] {
			seen[k.Term] = true
			dirs += w.weight[k.Term]
		}
	}
	v[rank.Base], v[rank.Dirs] = float64(base/w.total), float64(dirs/w.total)
}
