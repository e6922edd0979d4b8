package rank

import (
	_ "embed" // the table of trees
	"fmt"
	"slices"
	"strings"
	"sync"
)

//go:embed find.trees
var findTrees []byte

// ByTrees returns the trees that correct the sum of find.
var ByTrees = sync.OnceValues(func() (*Trees, error) { return ReadTrees(findTrees) })

// Inputs of trees that are no features. One that begins with placeOf is 5/(5+n), n being the candidates with a larger value of a feature.
const (
	inputPlace = "sum place" // 1/(1+n/4) at place n by the sum, from 0
	inputGap   = "sum gap"   // how far the sum is below the best
	inputLead  = "sum lead"  // how far the second best sum is below the best
	inputCount = "count"     // logarithm of the number of candidates
	placeOf    = "place of "
)

// Refine adds the sums of trees to the scores and orders the candidates anew. It fails if the trees have an input that is not known.
func (s *Set) Refine(t *Trees) error {
	if len(s.vectors) < 2 {
		return nil
	}
	inputs, err := s.inputs(t)
	if err != nil {
		return err
	}
	for i := range s.vectors {
		s.scores[i] += float32(t.Score(inputs[i])) / leafUnit
	}
	s.trees, s.seen = t, inputs
	s.sort()
	return nil
}

// Moved returns what each feature of a candidate, or its place by the feature, added to the sum of the trees by which the set was refined.
func (s *Set) Moved(place int) *Vector {
	out := &Vector{}
	if s.trees == nil {
		return out
	}
	for k, v := range s.trees.Moves(s.seen[place]) {
		feature, _ := strings.CutPrefix(s.trees.Inputs[k], placeOf)
		if f := featureNamed(feature); f >= 0 {
			out[f] += float64(v) / leafUnit
		}
	}
	return out
}

// featureNamed returns the feature with a name of Table, or -1.
func featureNamed(name string) int {
	return slices.IndexFunc(Table[:], func(r Row) bool { return r.Name == name })
}

// inputs returns what trees see of each candidate, by the order of their names.
func (s *Set) inputs(t *Trees) ([][]int32, error) {
	out := make([][]int32, len(s.vectors))
	for i := range out {
		out[i] = make([]int32, len(t.Inputs))
	}
	for k, name := range t.Inputs {
		values, err := s.input(name)
		if err != nil {
			return nil, err
		}
		for i, v := range values {
			out[i][k] = Quantize(v)
		}
	}
	return out, nil
}

// input returns the values of one input, by candidate.
func (s *Set) input(name string) ([]float64, error) {
	out := make([]float64, len(s.vectors))
	first, second := s.scores[s.order[0]], s.scores[s.order[1]]
	switch name {
	case inputPlace:
		for n, i := range s.order {
			out[i] = 1 / (1 + float64(n)/4)
		}
		return out, nil
	case inputGap:
		for i := range out {
			out[i] = float64(first - s.scores[i])
		}
		return out, nil
	case inputLead:
		return slices.Repeat([]float64{float64(first - second)}, len(out)), nil
	case inputCount:
		return slices.Repeat([]float64{Log(float64(len(out)))}, len(out)), nil
	}
	feature, byPlace := strings.CutPrefix(name, placeOf)
	f := featureNamed(feature)
	if f < 0 {
		return nil, fmt.Errorf("trees of an unknown input %q", name)
	}
	for i := range out {
		out[i] = s.vectors[i][f]
	}
	if byPlace {
		SharedPlaces(out)
	}
	return out, nil
}
