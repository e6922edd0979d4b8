package rank

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// Query is the part of a question that sources of signals see.
type Query struct {
	Text  string // query of find, "" for impact
	Seeds []string
}

// Source fills features of candidates from one kind of evidence: the history, the
// texts, the import graph. Table lists the features of each source.
type Source interface {
	Name() string
	// Signals fills the features of this source, and may add candidates. It may
	// read the features of earlier stages and, in a scored stage, their scores. It does
	// not read features of another source of its stage, so that the order of the
	// sources of a stage changes nothing. It fails if the evidence cannot be read.
	Signals(ctx context.Context, q *Query, set *Set) error
}

// Stage is a list of sources that do not depend on each other. If it is scored, they see the scores by the features of all earlier
// stages.
type Stage struct {
	Scored  bool
	Sources []Source
}

// Set holds the candidates for one question, with their features and scores.
type Set struct {
	model   *Model
	paths   []string
	vectors []Vector
	places  map[string]int
	known   int // candidates when the stage began
	scores  []float32
	order   []int
	trees   *Trees    // that refined the scores, nil if none did
	seen    [][]int32 // what they saw of each candidate
}

// NewSet returns an empty set that is scored by a model.
func NewSet(m *Model) *Set {
	return &Set{model: m, places: map[string]int{}}
}

// Run fills the features stage by stage and scores the candidates by all of them. It returns the first error of a source, and fails if
// ctx ends.
func (s *Set) Run(ctx context.Context, q *Query, stages []Stage) error {
	for i := range stages {
		s.known = len(s.paths)
		if stages[i].Scored {
			s.score()
		}
		for _, source := range stages[i].Sources {
			if err := source.Signals(ctx, q, s); err != nil {
				return err
			}
		}
	}
	s.score()
	return ctx.Err()
}

// score computes the scores of the candidates from their current features, and orders them.
func (s *Set) score() {
	s.scores = slices.Grow(s.scores[:0], len(s.vectors))
	s.order = slices.Grow(s.order[:0], len(s.vectors))
	for i := range s.vectors {
		s.scores = append(s.scores, s.model.Score(&s.vectors[i]))
		s.order = append(s.order, i)
	}
	s.sort()
}

// sort orders the candidates by score, equal ones by path.
func (s *Set) sort() {
	slices.SortFunc(s.order, func(a, b int) int {
		return cmp.Or(cmp.Compare(s.scores[b], s.scores[a]), strings.Compare(s.paths[a], s.paths[b]))
	})
}

// Add returns the index of the candidate with a path. It adds the candidate if it is new.
func (s *Set) Add(path string) int {
	i, ok := s.places[path]
	if !ok {
		i = len(s.paths)
		s.places[path] = i
		s.paths = append(s.paths, path)
		s.vectors = append(s.vectors, Vector{})
	}
	return i
}

// WasCandidate reports whether a path was a candidate when the stage began.
func (s *Set) WasCandidate(path string) bool {
	i, ok := s.places[path]
	return ok && i < s.known
}

// Len returns the number of candidates.
func (s *Set) Len() int { return len(s.paths) }

// Paths returns the candidates by place. It must not be changed.
func (s *Set) Paths() []string { return s.paths }

// At returns the features of a candidate.
func (s *Set) At(place int) *Vector { return &s.vectors[place] }

// Top returns the places of the first n candidates by the scores of the earlier stages. It must not be changed.
func (s *Set) Top(n int) []int { return s.order[:min(n, len(s.order))] }

// Score returns the score of a candidate by the earlier stages.
func (s *Set) Score(place int) float32 { return s.scores[place] }

// Drop removes candidates from the set. Places change.
func (s *Set) Drop(unwanted func(place int) bool) {
	n := 0
	for i, p := range s.paths {
		if unwanted(i) {
			delete(s.places, p)
			continue
		}
		s.paths[n], s.vectors[n], s.places[p] = p, s.vectors[i], n
		n++
	}
	s.paths, s.vectors = s.paths[:n], s.vectors[:n]
}
