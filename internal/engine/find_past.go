package engine

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"ken/internal/engine/history"
	"ken/internal/engine/search"
)

// maxLearned is the number of files taken from past commits.
const maxLearned = 40

// learned adds the files that past commits with such words changed.
func (f *finder) learned() error {
	var terms []HistoryTerm
	for i := range f.q.Terms {
		t := &f.q.Terms[i]
		terms = append(terms, HistoryTerm{Term: t.Term, Weight: float64(t.Weight)})
	}
	list, err := f.s.LearnedFiles(f.ctx, terms, maxLearned)
	if err != nil {
		return err
	}
	for _, l := range list {
		d, ok := f.idx.Doc(l.FileID)
		if !ok {
			continue
		}
		c := f.add(int32(d))
		c.learned, c.commits = float32(l.Score), l.Commits
	}
	return nil
}

// lively says of the candidates how often and how lately they changed.
func (f *finder) lively() error {
	newest := int64(0)
	acts := make([]history.Activity, len(f.cands))
	for i := range f.cands {
		a, ok, err := f.s.Activity(f.cands[i].file.ID)
		if err != nil {
			return err
		}
		if ok {
			acts[i] = a
			newest = max(newest, a.Last.Unix())
		}
	}
	for i, a := range acts {
		if a.Commits == 0 {
			continue
		}
		x := &f.feats[i]
		x[search.FChurn] = search.Log(a.Churn)
		x[search.FCommits] = search.Log(float64(a.Commits))
		days := float64(newest-a.Last.Unix()) / 86400
		x[search.FRecent] = float32(math.Exp(-days / 90))
	}
	search.Relative(f.feats, search.FChurn)
	search.Relative(f.feats, search.FCommits)
	return nil
}

// together rates the candidates that change with the strongest ones.
func (f *finder) together() error {
	order := f.order()
	var seeds []string
	for _, i := range order[:min(3, len(order))] {
		seeds = append(seeds, f.cands[i].file.Path)
	}
	for _, seed := range seeds {
		list, err := f.s.CoChanged(f.ctx, seed, 30)
		if err != nil {
			return err
		}
		for _, l := range list {
			i := slices.IndexFunc(f.cands, func(c candidate) bool { return c.file.Path == l.Path })
			if i < 0 {
				continue
			}
			if x := &f.feats[i][search.FCoChange]; *x < float32(l.Score) {
				*x = float32(l.Score)
				f.cands[i].beside = seed
			}
		}
	}
	return nil
}

// subject is that of the past commit that speaks most for a candidate, "" if none does.
func (f *finder) subject(c *candidate) (string, error) {
	if len(c.commits) == 0 {
		return "", nil
	}
	p, err := f.s.PastCommit(c.commits[0])
	return cmp.Or(strings.TrimSpace(p.Subject), ""), err
}
