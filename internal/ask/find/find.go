// Package find answers a text in words with ranked files and the declarations in
// them. Postings give candidates, mentions of paths and names and past commits
// add theirs (candidates.go). The stages below fill the features of ask/rank,
// which holds the weights; the text of the best is read as it is now.
package find

import (
	"context"
	"strings"

	"ken/internal/ask/rank"
	"ken/internal/code"
	"ken/internal/engine/view"
)

// SearchOptions bounds and extends an answer. The zero value is the default.
type SearchOptions struct {
	Limit   int // files; 0 means 20, math.MaxInt all
	Symbols int // symbols; 0 means 20
	// Trace keeps the features of every candidate, for measurements.
	Trace bool
	// Plain ranks by the linear sum alone.
	Plain bool
	// Sources are further sources of signals, run with those of the first stage.
	// They rate the candidates and add none.
	Sources []rank.Source
	// Known holds memories of the project that may concern the query.
	Known Known
}

// Find ranks files and their declarations for a text. Filters alone list the files that pass them. It returns a *code.UsageError for
// an empty query or a filter value that no file can have, and fails if the index or a text cannot be read or ctx ends.
func Find(ctx context.Context, s *view.Snapshot, text string, opt SearchOptions) (*Found, error) {
	if strings.TrimSpace(text) == "" {
		return nil, code.Usagef("the query is empty")
	}
	q, err := newQuery(s, text)
	if err != nil {
		return nil, err
	}
	if err := checkFilters(&q.parsed.Filters); err != nil {
		return nil, err
	}
	if q.parsed.IsFilter() {
		return list(ctx, q, &opt.Known, opt)
	}
	c := newCandidates(q, opt.Known)
	if err := c.gather(ctx); err != nil {
		return nil, err
	}
	model := rank.NewModel(rank.Find)
	set := rank.NewSet(model)
	for i := range c.list {
		set.Add(c.list[i].file.Path)
	}
	if err := set.Run(ctx, &rank.Query{Text: text}, stages(q, c, opt.Sources)); err != nil {
		return nil, err
	}
	grown := !opt.Plain && isLearned(q, set)
	if grown {
		trees, err := rank.ByTrees()
		if err != nil {
			return nil, err
		}
		if err := set.Refine(trees); err != nil {
			return nil, err
		}
	}
	a := answerer{query: q, candidates: c, model: model, set: set, grown: grown}
	return a.answer(opt)
}

// isLearned reports whether a query is like those that trees are learned from: about source, in a tree with a history.
func isLearned(q *query, set *rank.Set) bool {
	past := false
	for i := range set.Len() {
		past = past || set.At(i)[rank.Commits] > 0
	}
	return past && !wantsOther(q.parsed)
}

// stages returns the sources of signals. Each stage but the first sees the scores of
// the stages before: the first scores select the texts to read, those with the texts
// the starting points in the import graph, those with the graph the directories, and
// those with the directories the likely candidates.
// The weights were fitted to this order; with one stage for all that need scores
// they would have to be fitted again.
func stages(q *query, c *candidates, more []rank.Source) []rank.Stage {
	first := []rank.Source{
		&postingsSource{q, c}, &mentionsSource{q, c}, &pathSource{q, c}, &fileSource{q, c}, &historySource{q, c}, &embeddingSource{c},
	}
	return []rank.Stage{
		{Sources: append(first, more...)},
		{Scored: true, Sources: []rank.Source{&textSource{q, c}, &directorySource{c}}},
		{Scored: true, Sources: []rank.Source{&importsSource{q, c}, &symbolsSource{q, c}}},
		{Scored: true, Sources: []rank.Source{&topDirectorySource{c}}},
		{Scored: true, Sources: []rank.Source{&topHistorySource{q}}},
		{Scored: true, Sources: []rank.Source{&earlierSource{c}, &saidSource{c}}},
		{Scored: true, Sources: []rank.Source{&orderSource{q, c}}},
	}
}
