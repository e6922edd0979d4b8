package find

import (
	"ken/internal/engine/search"
	"ken/internal/engine/view"
)

// query is the text that is searched for, with the results of parsing it.
type query struct {
	view     *view.Snapshot
	text     string // as given
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

// historyTerms returns the query in the form the history takes.
func (q *query) historyTerms() []view.HistoryTerm {
	var terms []view.HistoryTerm
	for i := range q.parsed.Terms {
		t := &q.parsed.Terms[i]
		terms = append(terms, view.HistoryTerm{Term: t.Term, Weight: float64(t.Weight)})
	}
	return terms
}
