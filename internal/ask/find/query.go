package find

import (
	"ken/internal/engine/search"
	"ken/internal/engine/view"
)

// query is one text that is searched for, and what reading it gave.
type query struct {
	view     *view.Snapshot
	text     string // as it was asked
	parsed   *search.Query
	index    *search.Index
	postings *search.Scores
}

func newQuery(s *view.Snapshot, text string) (*query, error) {
	q := &query{view: s, text: text, parsed: search.Parse(text)}
	var err error
	if q.index, err = search.NewIndex(s.Index); err != nil {
		return nil, err
	}
	q.postings, err = q.index.Score(q.parsed)
	return q, err
}

// historyTerms is the query as the history takes it.
func (q *query) historyTerms() []view.HistoryTerm {
	var terms []view.HistoryTerm
	for i := range q.parsed.Terms {
		t := &q.parsed.Terms[i]
		terms = append(terms, view.HistoryTerm{Term: t.Term, Weight: float64(t.Weight)})
	}
	return terms
}
