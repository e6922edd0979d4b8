package rank

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Log returns log(1+v), which makes large counts comparable.
func Log(v float64) float64 { return Single(math.Log1p(v)) }

// Single rounds a value to 32 bits, as scores are: values that differ only by
// rounding become equal, so that paths decide and not the order of a sum.
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

// ReciprocalRank sets feature into to 1/(1+rank/4), where rank is the place
// of a candidate by feature by: 1 for the best. Equal values are ranked by
// path.
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

// SharedPlace sets feature into to 5/(5+n), where n is the number of candidates
// with a larger value of feature of. Unlike ReciprocalRank it gives equal
// candidates the same value.
func (s *Set) SharedPlace(of, into Feature) {
	values := make([]float64, len(s.vectors))
	for i := range s.vectors {
		values[i] = s.vectors[i][of]
	}
	SharedPlaces(values)
	for i, v := range values {
		if v > 0 {
			s.vectors[i][into] = v
		}
	}
}

// SharedPlaces replaces each value above 0 by 5/(5+n), where n is the number of larger ones, and the others by 0.
func SharedPlaces(values []float64) {
	order := slices.Clone(values)
	slices.Sort(order)
	for i, v := range values {
		if values[i] = 0; v > 0 {
			after, _ := slices.BinarySearchFunc(order, v, func(a, b float64) int {
				if a <= b {
					return -1
				}
				return 1
			})
			values[i] = 5 / float64(5+len(order)-after)
		}
	}
}
