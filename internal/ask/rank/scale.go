package rank

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Log returns log(1+v), for counts.
func Log(v float64) float64 { return Single(math.Log1p(v)) }

// Single rounds to the 32 bits of scores: values that differ only by rounding become
// equal, so that paths decide and not the order of a sum.
func Single(v float64) float64 { return float64(float32(v)) }

// Relative divides a feature by its largest value among all candidates, because
// strengths compare badly from one query to the next.
func (s *Set) Relative(f Feature) {
	best := 0.0
	for i := range s.vectors {
		best = max(best, s.vectors[i][f])
	}
	if best <= 0 {
		return
	}
	for i := range s.vectors {
		s.vectors[i][f] = Single(s.vectors[i][f] / best)
	}
}

// ReciprocalRank fills a feature with 1/(1+rank/4) by another: 1 for the best
// candidate. Equal values are ranked by path.
func (s *Set) ReciprocalRank(by, into Feature) {
	order := make([]int, len(s.vectors))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(s.vectors[b][by], s.vectors[a][by]), strings.Compare(s.paths[a], s.paths[b]))
	})
	for rank, i := range order {
		if s.vectors[i][by] > 0 {
			s.vectors[i][into] = 1 / (1 + float64(rank)/4)
		}
	}
}

// SharedPlace fills a feature with 5/(5+n), n being the candidates that have more
// of another. Unlike ReciprocalRank it gives equal values the same.
func (s *Set) SharedPlace(of, into Feature) {
	var values []float64
	for i := range s.vectors {
		if v := s.vectors[i][of]; v > 0 {
			values = append(values, -v)
		}
	}
	slices.Sort(values)
	for i := range s.vectors {
		if v := s.vectors[i][of]; v > 0 {
			before, _ := slices.BinarySearch(values, -v)
			s.vectors[i][into] = 5 / float64(5+before)
		}
	}
}
