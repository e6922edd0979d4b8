package view

import (
	"context"

	"ken/internal/engine/history"
	"ken/internal/engine/store"
	"ken/internal/engine/words"
	"ken/internal/git"
)

// The types of answers about the history of commits; see package history.
type (
	CoChange     = history.CoChange
	PastCommit   = history.PastCommit
	CommitFilter = history.Filter
	Activity     = history.Activity
	HistoryInfo  = history.Info
	// HistoryTerm is a word of a query with its weight.
	HistoryTerm = history.Query
)

// LearnedFile is a file that was changed by past commits whose messages share words with a query.
type LearnedFile struct {
	FileID int64
	Path   string
	Score  float64 // 0–1, comparable within one answer; the best has 1
	// Commits are the numbers of those commits, at most three, best first:
	// see Snapshot.PastCommit.
	Commits []int
}

// History opens the history of commits, nil if there is none. It returns an error if the history cannot be read.
func (s *Snapshot) History() (*history.View, error) {
	if !s.past.asked {
		v, err := history.NewView(s.Index.History)
		if err != nil {
			return nil, err
		}
		s.past.asked, s.past.view = true, v
	}
	return s.past.view, nil
}

// IndexedPath reports whether a path that occurs in old commits is an indexed file now. It returns an error if the index cannot be read.
func (s *Snapshot) IndexedPath(p string) (bool, error) {
	id, err := s.PathID(p)
	return id != 0, err
}

// PathID returns the id of an indexed file, 0 if there is none. It keeps the id, because commits name the same files again and again. It
// returns an error if the index cannot be read.
func (s *Snapshot) PathID(p string) (int64, error) {
	id, ok := s.past.ids[p]
	if !ok {
		var err error
		if id, err = s.Index.FileID(p); err != nil {
			return 0, err
		}
		if s.past.ids == nil {
			s.past.ids = map[string]int64{}
		}
		s.past.ids[p] = id
	}
	return id, nil
}

// HistoryInfo describes the history of commits in the index; Problem is the reason if there is none. It returns an
// error if the history cannot be read.
func (s *Snapshot) HistoryInfo() (HistoryInfo, error) {
	v, err := s.History()
	if err != nil {
		return HistoryInfo{}, err
	}
	none := HistoryInfo{Limit: store.HistoryLimit(s.Opt.HistoryCommits)}
	if v != nil {
		if none, err = v.Info(); err != nil || none.Commits > 0 || none.Problem != "" {
			return none, err
		}
	}
	switch _, err := git.Find(s.Tree.Root()); {
	case store.HistoryLimit(s.Opt.HistoryCommits) == 0:
		none.Problem = "switched off"
	case err != nil:
		none.Problem = "no git repository"
	default:
		none.Problem = "no commit"
	}
	return none, nil
}

// CoChanged returns the indexed files that commits changed together with a file, best first: by score, then path.
// A limit of 0 returns all. There are none for a file without history. It returns an error if the history cannot
// be read.
func (s *Snapshot) CoChanged(ctx context.Context, path string, limit int) ([]CoChange, error) {
	return s.CoChangedAll(ctx, []string{path}, limit)
}

// CoChangedAll returns the indexed files that commits changed together with any of the paths. It returns an error if
// the history cannot be read.
func (s *Snapshot) CoChangedAll(_ context.Context, paths []string, limit int) ([]CoChange, error) {
	v, err := s.History()
	if err != nil || v == nil {
		return nil, err
	}
	return v.CoChangedAll(paths, limit, s.IndexedPath)
}

// LearnedFiles returns the indexed files changed by those past commits whose messages are most similar to a query,
// best first. A limit of 0 returns all. Package words makes the terms. It returns an error if the history cannot be
// read.
func (s *Snapshot) LearnedFiles(_ context.Context, terms []HistoryTerm, limit int) ([]LearnedFile, error) {
	v, err := s.History()
	if err != nil || v == nil {
		return nil, err
	}
	list, err := v.LearnedFiles(terms, limit, s.IndexedPath)
	if err != nil {
		return nil, err
	}
	out := make([]LearnedFile, len(list))
	for i, l := range list {
		id, err := s.PathID(l.Path)
		if err != nil {
			return nil, err
		}
		out[i] = LearnedFile{FileID: id, Path: l.Path, Score: l.Score, Commits: l.Commits}
	}
	return out, nil
}

// SimilarCommits returns the past commits whose messages are most similar to a query, best first, with those changed
// files that still exist. It returns an error if the history cannot be read.
func (s *Snapshot) SimilarCommits(_ context.Context, terms []HistoryTerm, limit int) ([]PastCommit, error) {
	v, err := s.History()
	if err != nil || v == nil {
		return nil, err
	}
	return v.SimilarCommits(terms, limit, s.IndexedPath)
}

// LatestCommits returns the stored commits that a filter selects, the newest first, with those changed files that still exist, and whether
// there are more. It returns an error if the history cannot be read.
func (s *Snapshot) LatestCommits(f CommitFilter) (list []PastCommit, more bool, err error) {
	v, err := s.History()
	if err != nil || v == nil {
		return nil, false, err
	}
	return v.Latest(f, s.IndexedPath)
}

// PastCommit returns a commit by its number in LearnedFile.Commits. It returns the zero PastCommit without a history, and
// an error if there is no such commit or the history cannot be read.
func (s *Snapshot) PastCommit(number int) (PastCommit, error) {
	v, err := s.History()
	if err != nil || v == nil {
		return PastCommit{}, err
	}
	return v.Commit(number, s.IndexedPath)
}

// Activity returns how often a file changed lately; ok is false if no commit of the history changed it. It returns an
// error if the index or the history cannot be read.
func (s *Snapshot) Activity(fileID int64) (a Activity, ok bool, err error) {
	v, err := s.History()
	if err != nil || v == nil {
		return a, false, err
	}
	path, err := s.Index.PathByID(fileID)
	if err != nil || path == "" {
		return a, false, err
	}
	return v.Activity(path)
}

// Activities returns how often files changed lately, in the order of paths; files that no commit of the history changed
// have no Commits. It returns nil without a history, and an error if the history cannot be read.
func (s *Snapshot) Activities(paths []string) ([]Activity, error) {
	v, err := s.History()
	if err != nil || v == nil {
		return nil, err
	}
	return v.Activities(paths)
}

// MessageScores returns a score for each path: how well the messages of all commits that changed it match a query.
// Scores can be compared only within one result. It returns nil without a history, and an error if the history cannot be
// read.
func (s *Snapshot) MessageScores(terms []HistoryTerm, paths []string) ([]float64, error) {
	v, err := s.History()
	if err != nil || v == nil {
		return nil, err
	}
	return v.MessageScores(terms, paths)
}

// Lift returns how much likelier a commit changes a file if it changes another one, the seed. seeds are indexes in
// paths. The result has a list for each seed, with a value for each path. It is nil without a history. It returns an
// error if the history cannot be read.
func (s *Snapshot) Lift(paths []string, seeds []int) ([][]float64, error) {
	v, err := s.History()
	if err != nil || v == nil {
		return nil, err
	}
	return v.Lift(paths, seeds)
}

// Subject returns the first line of a commit's message, by the commit's number in LearnedFile.Commits. It returns ""
// without a history, and an error if there is no such commit or the history cannot be read.
func (s *Snapshot) Subject(number int) (string, error) {
	v, err := s.History()
	if err != nil || v == nil {
		return "", err
	}
	return v.Subject(number)
}

// MessageTerms splits a text into the terms of a query for LearnedFiles and
// SimilarCommits, in the way that commit messages are split, each once with the
// given weight.
func MessageTerms(text string, weight float64) []HistoryTerm {
	var out []HistoryTerm
	seen := map[words.Term]bool{}
	words.NewSplitter().Each([]byte(text), func(_, _ int, toks []words.Token) {
		for _, t := range toks {
			if !seen[t.Term] {
				seen[t.Term] = true
				out = append(out, HistoryTerm{Term: t.Term, Weight: weight})
			}
		}
	})
	return out
}
