package find

import (
	"bytes"
	"context"
	"runtime"
	"sync"

	"ken/internal/ask/rank"
	"ken/internal/engine/search"
	"ken/internal/engine/store"
)

// Limits of reading: the number of candidates, best first, and the bytes of each.
const (
	maxRead  = 32
	maxBytes = 96 << 10
)

// textSource reads the text of the best candidates.
type textSource struct {
	q *query
	c *candidates
}

// Name returns the name of the source in rank.Table.
func (*textSource) Name() string { return rank.FromText }

// Signals fills the features of this source for all candidates.
func (s *textSource) Signals(ctx context.Context, _ *rank.Query, set *rank.Set) error {
	best := set.Top(maxRead)
	if err := s.read(ctx, best); err != nil {
		return err
	}
	s.pairs(set, best)
	for i := range s.c.list {
		text, v := &s.c.list[i].text, set.At(i)
		v[rank.Passage] = float64(text.passage.Score)
		v[rank.Phrase] = min(1, float64(len(text.phrases)))
		if s.q.parsed.Typed {
			v[rank.Typed] = v[rank.Phrase]
		}
	}
	set.Relative(rank.Passage)
	set.ReciprocalRank(rank.Passage, rank.RankPassage)
	return ctx.Err()
}

func (s *textSource) read(ctx context.Context, best []int) error {
	if _, err := s.q.view.Tree.Scanner(); err != nil {
		return err
	}
	secrets := map[int64][]store.Secret{}
	for _, i := range best {
		id := s.c.list[i].file.ID
		var err error
		if secrets[id], err = s.q.view.Index.FileSecrets(id); err != nil {
			return err
		}
	}
	todo := make(chan int)
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), 4) {
		wg.Go(func() {
			m := search.NewMatcher(s.q.parsed, s.q.postings.IDF)
			r, err := s.q.view.Tree.NewReader(nil)
			if err != nil {
				panic(err) // the scanner was made above
			}
			for i := range todo {
				of := &s.c.list[i]
				s.look(r.Head(ctx, &of.file, secrets[of.file.ID], maxBytes), m, &of.text)
			}
		})
	}
	for _, i := range best {
		todo <- i
	}
	close(todo)
	wg.Wait()
	return nil
}

// look finds the words of the query in one text and stores the evidence in into.
func (s *textSource) look(text []byte, m *search.Matcher, into *reading) {
	into.hits = m.Hits(nil, text)
	into.passage, into.pairs = m.Best(into.hits), m.Pairs(into.hits)
	for _, p := range s.q.parsed.Phrases {
		if bytes.Contains(text, []byte(p)) {
			into.phrases = append(into.phrases, p)
		}
	}
}

// pairs rates the candidates by words of the query that are neighbours in their texts.
func (s *textSource) pairs(set *rank.Set, read []int) {
	texts := make([][]search.PairHits, len(read))
	for k, i := range read {
		texts[k] = s.c.list[i].text.pairs
	}
	for k, v := range search.RatePairs(s.q.parsed, texts) {
		set.At(read[k])[rank.Pairs] = float64(v)
	}
	set.Relative(rank.Pairs)
}
