package main

import (
	"cmp"
	"math"
	"slices"

	"ken/internal/engine/search"
)

// Learning a linear score. First the likelihood of each right file against all
// wrong candidates of its task (ListNet's softmax, Z. Cao et al., "Learning to
// Rank: From Pairwise Approach to Listwise Approach", 2007), which is convex;
// then, from there, what is measured besides: that the last right file comes before
// the wrong one that would push it out of the first 5 or 10. Both with a penalty on
// the squares of weights and Adam's steps.
const (
	penalty = 0.002
	steps   = 300
	rate    = 0.1
	// Of the second part.
	edgeSteps  = 120
	edgeRate   = 0.03
	edgeWeight = 0.5
	softness   = 0.7 // of the least of the right files' scores
)

type weights [search.NFeatures]float64

func (w *weights) score(x *search.Features) float64 {
	s := 0.0
	for i, v := range x {
		s += w[i] * float64(v)
	}
	return s
}

func learn(list []sample) weights {
	var w weights
	descend(list, &w, steps, rate, 0.999, 0)
	return descend(list, &w, edgeSteps, edgeRate, 0.99, edgeWeight)
}

// descend moves the weights and returns the mean of those of the last third.
func descend(list []sample, w *weights, steps int, rate, memory, edge float64) (mean weights) {
	var m, v weights
	late := steps - steps/3
	for t := 1; t <= steps; t++ {
		g := gradient(list, w, edge)
		for i := range w {
			g[i] += penalty * w[i]
			m[i] = 0.9*m[i] + 0.1*g[i]
			v[i] = memory*v[i] + (1-memory)*g[i]*g[i]
			w[i] -= rate * m[i] / (1 - math.Pow(0.9, float64(t))) / (math.Sqrt(v[i]/(1-math.Pow(memory, float64(t)))) + 1e-8)
			if t > late {
				mean[i] += w[i] / float64(steps-late)
			}
		}
	}
	return mean
}

func gradient(list []sample, w *weights, edge float64) (g weights) {
	n := 0
	var score, by []float64
	for i := range list {
		s := &list[i]
		if s.found == 0 || s.found == len(s.rows) {
			continue
		}
		n++
		score, by = score[:0], by[:0]
		for j := range s.rows {
			score, by = append(score, w.score(&s.rows[j])), append(by, 0)
		}
		likelihood(s, score, by)
		for _, k := range [...]int{5, 10} {
			if edge > 0 && s.found == s.gold && s.found <= k {
				inFirst(s, score, by, k, edge)
			}
		}
		for j, d := range by {
			for k, x := range s.rows[j] {
				g[k] += d * float64(x)
			}
		}
	}
	for k := range g {
		g[k] /= float64(max(1, n))
	}
	return g
}

// likelihood adds the derivatives by the scores of -log p(right file), the mean
// over the right files.
func likelihood(s *sample, score, by []float64) {
	top := slices.Max(score)
	sum := 0.0
	for _, v := range score[s.found:] {
		sum += math.Exp(v - top)
	}
	all := 0.0
	for j := range s.found {
		miss := sum / (sum + math.Exp(score[j]-top)) / float64(s.found)
		by[j] -= miss
		all += miss
	}
	for j := s.found; j < len(score); j++ {
		by[j] += all * math.Exp(score[j]-top) / sum
	}
}

// inFirst adds the derivatives of log(1 + exp(edge - least)): least is a soft
// minimum of the right files' scores, edge the mean of the three wrong ones around
// the first that must stay behind.
func inFirst(s *sample, score, by []float64, k int, weight float64) {
	order := make([]int, len(score)-s.found)
	for j := range order {
		order[j] = s.found + j
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
	behind := k - s.found
	if behind+1 >= len(order) {
		return
	}
	around := order[max(0, behind-1) : behind+2]
	edge := 0.0
	for _, j := range around {
		edge += score[j] / float64(len(around))
	}
	low := slices.Min(score[:s.found])
	sum := 0.0
	for _, v := range score[:s.found] {
		sum += math.Exp((low - v) / softness)
	}
	least := low - softness*math.Log(sum)
	d := weight / (1 + math.Exp(least-edge))
	for _, j := range around {
		by[j] += d / float64(len(around))
	}
	for j, v := range score[:s.found] {
		by[j] -= d * math.Exp((low-v)/softness) / sum
	}
}
