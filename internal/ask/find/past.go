package find

import (
	"math"
	"strings"

	"ken/internal/engine/search"
	"ken/internal/engine/view"
)

// maxLearned is the number of files taken from past commits.
const maxLearned = 40

// learned adds the files that past commits with such words changed.
func (f *finder) learned() error {
	list, err := f.s.LearnedFiles(f.ctx, f.asked(), maxLearned)
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

// asked is the query as the history takes it.
func (f *finder) asked() []view.HistoryTerm {
	var terms []view.HistoryTerm
	for i := range f.q.Terms {
		t := &f.q.Terms[i]
		terms = append(terms, view.HistoryTerm{Term: t.Term, Weight: float64(t.Weight)})
	}
	return terms
}

// lively says of the candidates how often and how lately they changed.
func (f *finder) lively() error {
	paths := make([]string, len(f.cands))
	for i := range f.cands {
		paths[i] = f.cands[i].file.Path
	}
	acts, err := f.s.Activities(paths)
	if err != nil {
		return err
	}
	newest := int64(0)
	for _, a := range acts {
		if a.Commits > 0 {
			newest = max(newest, a.Last.Unix())
		}
	}
	for i, a := range acts {
		if a.Commits == 0 {
			continue
		}
		x := &f.feats[i]
		x[search.FCommits] = search.Log(float64(a.Commits))
		x[search.FActivity30], x[search.FActivity180] = float32(math.Min(1, a.Activity30)), float32(a.Activity180)
		days := float64(newest-a.Last.Unix()) / 86400
		x[search.FRecent] = float32(math.Exp(-days / 90))
	}
	search.Relative(f.feats, search.FCommits)
	search.Relative(f.feats, search.FActivity180)
	scores, err := f.s.MessageScores(f.asked(), paths)
	for i, v := range scores {
		f.feats[i][search.FMessages] = float32(v)
	}
	search.Relative(f.feats, search.FMessages)
	return err
}

// subject is that of the past commit that speaks most for a candidate, "" if none does.
func (f *finder) subject(c *candidate) (string, error) {
	if len(c.commits) == 0 {
		return "", nil
	}
	s, err := f.s.Subject(c.commits[0])
	return strings.TrimSpace(s), err
}
