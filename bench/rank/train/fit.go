package train

import (
	"math"
	"slices"

	"ken/internal/ask/rank"
)

// Fitting a linear score. First the cross entropy between the shares and the
// softmax of the scores (ListNet: Z. Cao et al., "Learning to Rank: From Pairwise
// Approach to Listwise Approach", 2007), which is convex. Then, if Options.First
// asks for it, the second measure: that the last right candidate comes before the
// wrong one that would push it out of the first few. Both with a penalty on the
// squares of weights and Adam's steps; a weight that may not be negative is put
// back to 0 after each.
const (
	penalty = 0.002
	steps   = 300
	rate    = 0.1
	// Of the second part.
	edgeSteps  = 120
	edgeRate   = 0.03
	edgeWeight = 0.5
	softness   = 0.7 // of the least of the right candidates' scores
)

// Options control a fit.
type Options struct {
	Origins []rank.Origin // of the column's weights: which may be negative, which stay
	Start   []float64     // the weights set by hand; the others start at 0
	First   []int         // the numbers of first candidates that must hold all that is right
}

// DefaultOptions returns the options of a question's column.
func DefaultOptions(q rank.Question, column []rank.Feature, first []int) Options {
	o := Options{First: first}
	for _, f := range column {
		w := rank.Table[f].Weight(q)
		o.Origins = append(o.Origins, w.Origin)
		o.Start = append(o.Start, w.Value)
	}
	return o
}

// Fit finds weights for samples.
func Fit(samples []Sample, o Options) []float64 {
	f := weightFitter{samples: samples, o: o, w: make([]float64, len(o.Start))}
	for k, origin := range o.Origins {
		if origin.Stays() {
			f.w[k] = o.Start[k]
		}
	}
	mean := f.descendGradient(steps, rate, 0.999, 0)
	if len(o.First) > 0 {
		mean = f.descendGradient(edgeSteps, edgeRate, 0.99, edgeWeight)
	}
	return mean
}

type weightFitter struct {
	samples    []Sample
	o          Options
	w          []float64
	score, by  []float64 // of one sample, used again
	right, bad []int
}

// descendGradient moves the weights and returns the mean of those of the last third.
func (f *weightFitter) descendGradient(steps int, rate, memory, edge float64) []float64 {
	n := len(f.w)
	m, v, mean := make([]float64, n), make([]float64, n), make([]float64, n)
	late := steps - steps/3
	for t := 1; t <= steps; t++ {
		g := f.gradient(edge)
		for k := range f.w {
			if !f.o.Origins[k].Stays() {
				g[k] += penalty * f.w[k]
				m[k] = 0.9*m[k] + 0.1*g[k]
				v[k] = memory*v[k] + (1-memory)*g[k]*g[k]
				slope := m[k] / (1 - math.Pow(0.9, float64(t)))
				f.w[k] -= rate * slope / (math.Sqrt(v[k]/(1-math.Pow(memory, float64(t)))) + 1e-8)
			}
			if f.o.Origins[k] == rank.Positive {
				f.w[k] = max(f.w[k], 0)
			}
			if t > late {
				mean[k] += f.w[k] / float64(steps-late)
			}
		}
	}
	return mean
}

// gradient returns the slope of the loss, the mean over the samples by the
// number of right candidates.
func (f *weightFitter) gradient(edge float64) []float64 {
	g, sum := make([]float64, len(f.w)), 0.0
	for i := range f.samples {
		s := &f.samples[i]
		f.scoreRows(s)
		if len(f.right) == 0 || len(f.bad) == 0 {
			continue
		}
		sum += s.Total
		f.addLikelihood(s)
		for _, k := range f.o.First {
			if edge > 0 && s.isComplete() && len(f.right) <= k {
				f.addEdge(k, edge*s.Total)
			}
		}
		for j, d := range f.by {
			for k, x := range s.Rows[j].Features {
				g[k] += d * x
			}
		}
	}
	for k := range g {
		g[k] /= max(sum, 1e-9)
	}
	return g
}

// isComplete reports whether all right answers are among the candidates.
func (s *Sample) isComplete() bool {
	sum := 0.0
	for _, r := range s.Rows {
		sum += r.Share
	}
	return sum > s.Total*(1-1e-9)
}

// scoreRows scores the rows of a sample.
func (f *weightFitter) scoreRows(s *Sample) {
	f.score, f.by, f.right, f.bad = f.score[:0], f.by[:0], f.right[:0], f.bad[:0]
	for j := range s.Rows {
		f.score, f.by = append(f.score, dotProduct(f.w, s.Rows[j].Features)), append(f.by, 0)
		if s.Rows[j].Share > 0 {
			f.right = append(f.right, j)
		} else {
			f.bad = append(f.bad, j)
		}
	}
}

// addLikelihood adds the derivatives of the cross entropy with respect to the scores.
func (f *weightFitter) addLikelihood(s *Sample) {
	top, sum, share := slices.Max(f.score), 0.0, 0.0
	for j, v := range f.score {
		sum += math.Exp(v - top)
		share += s.Rows[j].Share
	}
	for j, v := range f.score {
		f.by[j] += share*math.Exp(v-top)/sum - s.Rows[j].Share
	}
}

// addEdge adds the derivatives of log(1 + exp(edge - least)): least is a soft
// minimum of the right candidates' scores, edge the mean of the three wrong ones
// around the first place after the cut.
func (f *weightFitter) addEdge(k int, weight float64) {
	slices.SortFunc(f.bad, func(a, b int) int {
		switch {
		case f.score[a] > f.score[b]:
			return -1
		case f.score[a] < f.score[b]:
			return 1
		}
		return a - b
	})
	behind := k - len(f.right)
	if behind+1 >= len(f.bad) {
		return
	}
	around := f.bad[max(0, behind-1) : behind+2]
	edge := 0.0
	for _, j := range around {
		edge += f.score[j] / float64(len(around))
	}
	low := math.Inf(1)
	for _, j := range f.right {
		low = min(low, f.score[j])
	}
	sum := 0.0
	for _, j := range f.right {
		sum += math.Exp((low - f.score[j]) / softness)
	}
	least := low - softness*math.Log(sum)
	d := weight / (1 + math.Exp(least-edge))
	for _, j := range around {
		f.by[j] += d / float64(len(around))
	}
	for _, j := range f.right {
		f.by[j] -= d * math.Exp((low-f.score[j])/softness) / sum
	}
}

func dotProduct(a, b []float64) float64 {
	s := 0.0
	for k := range a {
		s += a[k] * b[k]
	}
	return s
}
