package main

import (
	"fmt"
	"math"
	"os"
	"slices"

	"ken/internal/ask/impact"
)

// parts is in how many parts the repositories are dealt out, of which each is
// measured with weights fitted to the others.
const parts = 5

// tuneAll fits weights to all repositories, and measures what such weights are
// worth on repositories they were not fitted to.
func tuneAll(all []*repository) {
	var sum, byCommit [2]float64
	for part := range parts {
		var rest, held []*repository
		for i, r := range all {
			if i%parts == part {
				held = append(held, r)
			} else {
				rest = append(rest, r)
			}
		}
		w := fit(rest)
		for _, r := range held {
			f := r.measure(&w)
			fmt.Printf("left out %-32s %.3f by seed, %.3f by commit\n", r.name, f.bySeed, f.byCommit)
			sum[0], sum[1] = sum[0]+f.bySeed*float64(len(r.trials)), sum[1]+float64(len(r.trials))
			byCommit[0], byCommit[1] = byCommit[0]+f.byCommit*float64(r.commits), byCommit[1]+float64(r.commits)
		}
	}
	fmt.Printf("left out, overall %.3f by seed, %.3f by commit\n", sum[0]/sum[1], byCommit[0]/byCommit[1])
	w := fit(all)
	for i, v := range w {
		fmt.Printf("\t%d: %.2f, // %s\n", i, v, impact.ImpactSignal(i))
	}
}

// rows are rankings with what is to be found in each: a softmax over a ranking's
// scores should give every file its share.
type rows struct {
	x     [][]float64 // by row
	share []float64   // of row: how often it was to be found; the sum of all is 1
	ends  []int       // where the rows of a ranking end
	scale []float64   // what the columns were divided by
}

// deep is how many of a ranking's first by each signal are looked at, beside
// what is to be found: all would be ten times as many.
const deep = 15

// gather makes rows. Half the weight of a trial is as means over seeds have it,
// half as means over commits do; a repository's is as the root of its trials.
func gather(all []*repository) *rows {
	m := &rows{}
	for _, r := range all {
		perCommit := map[string]int{}
		for i := range r.trials {
			perCommit[r.trials[i].commit]++
		}
		shares, order := map[*ranking]map[string]float64{}, []*ranking(nil)
		for i := range r.trials {
			t := &r.trials[i]
			if shares[t.of] == nil {
				shares[t.of] = map[string]float64{}
				order = append(order, t.of)
			}
			v := 1/float64(len(r.trials)) + 1/float64(perCommit[t.commit]*r.commits)
			for _, p := range t.paths {
				if p != t.of.seed {
					shares[t.of][p] += v / float64(t.others) * math.Sqrt(float64(len(r.trials)))
				}
			}
		}
		for _, of := range order {
			m.add(of, shares[of])
		}
	}
	m.normalize()
	return m
}

func (m *rows) add(of *ranking, share map[string]float64) {
	taken := make([]bool, len(of.candidates))
	for s := range of.first() {
		taken[s] = true
	}
	for i := range of.candidates {
		c := &of.candidates[i]
		if taken[i] || share[c.path] > 0 {
			m.x = append(m.x, slices.Clone(c.signals[:]))
			m.share = append(m.share, share[c.path])
		}
	}
	m.ends = append(m.ends, len(m.x))
}

// first are the places of the first candidates by each signal.
func (of *ranking) first() map[int]bool {
	out := map[int]bool{}
	at := make([]int, len(of.candidates))
	for s := range impact.ImpactWeights() {
		for i := range at {
			at[i] = i
		}
		slices.SortStableFunc(at, func(a, b int) int {
			switch x, y := of.candidates[a].signals[s], of.candidates[b].signals[s]; {
			case x > y:
				return -1
			case x < y:
				return 1
			}
			return 0
		})
		for _, i := range at[:min(len(at), deep)] {
			if of.candidates[i].signals[s] > 0 {
				out[i] = true
			}
		}
	}
	return out
}

func (m *rows) normalize() {
	n := len(impact.ImpactWeights())
	m.scale = make([]float64, n)
	mean, sum := make([]float64, n), 0.0
	for _, x := range m.x {
		for k, v := range x {
			mean[k] += v / float64(len(m.x))
		}
	}
	for _, x := range m.x {
		for k, v := range x {
			m.scale[k] += (v - mean[k]) * (v - mean[k]) / float64(len(m.x))
		}
	}
	for k := range m.scale {
		m.scale[k] = math.Sqrt(m.scale[k]) + 1e-9
	}
	for i, x := range m.x {
		for k := range x {
			x[k] /= m.scale[k]
		}
		sum += m.share[i]
	}
	for i := range m.share {
		m.share[i] /= sum
	}
}

// ridge keeps weights of signals that say the same small.
const ridge = 1e-4

// loss is the cross entropy between the shares and the softmax of the scores,
// with its slope, 0 for weights that are kept (Cao et al., "Learning to rank: from pairwise approach to
// listwise approach", 2007).
func (m *rows) loss(w []float64, out []bool) (float64, []float64) {
	slope, sum := make([]float64, len(w)), 0.0
	var score []float64
	start := 0
	for _, end := range m.ends {
		score = score[:0]
		top, whole := math.Inf(-1), 0.0
		for i := start; i < end; i++ {
			v := 0.0
			for k, x := range m.x[i] {
				v += w[k] * x
			}
			score, top, whole = append(score, v), max(top, v), whole+m.share[i]
		}
		z := 0.0
		for _, v := range score {
			z += math.Exp(v - top)
		}
		for i, v := range score {
			at := start + i
			p := math.Exp(v-top) / z
			sum -= m.share[at] * (v - top - math.Log(z))
			g := whole*p - m.share[at]
			for k, x := range m.x[at] {
				slope[k] += g * x
			}
		}
		start = end
	}
	for k, v := range w {
		sum += ridge * v * v
		if slope[k] += 2 * ridge * v; out[k] {
			slope[k] = 0
		}
	}
	return sum, slope
}

// fit finds the weights of the least loss where none is below 0 but those of
// signals that describe a file alone: a tie between two files is no reason against
// one. A signal that would get such a weight is left out, and the rest fitted anew.
func fit(all []*repository) impact.ImpactSignals {
	m := gather(all)
	out := make([]bool, len(m.scale))
	for {
		w, loss := m.descend(out)
		again := false
		for k := range w {
			if w[k] < 0 && !slices.Contains(free[:], impact.ImpactSignal(k)) {
				out[k], again = true, true
			}
		}
		if again {
			continue
		}
		fmt.Fprintf(os.Stderr, "%d rankings, %d rows, loss %.4f\n", len(m.ends), len(m.x), loss)
		var weights impact.ImpactSignals
		for k := range weights {
			weights[k] = w[k] / m.scale[k]
		}
		return weights
	}
}

// free are the signals that may speak against a file.
var free = [...]impact.ImpactSignal{impact.SignalAcross, impact.SignalLarge, impact.SignalCrowd, impact.SignalMade}

// descend finds the least loss by L-BFGS (Nocedal and Wright, "Numerical
// Optimization", algorithm 7.4), some weights kept at 0. There is one minimum.
func (m *rows) descend(out []bool) ([]float64, float64) {
	w := make([]float64, len(m.scale))
	at, slope := m.loss(w, out)
	var steps, turns [][]float64
	for range 80 {
		dir := direction(slope, steps, turns)
		next, v, g := m.line(w, at, slope, dir, out)
		if next == nil || at-v < 1e-7 {
			break
		}
		step, turn := make([]float64, len(w)), make([]float64, len(w))
		for k := range w {
			step[k], turn[k] = next[k]-w[k], g[k]-slope[k]
		}
		if dot(step, turn) > 1e-12 {
			steps, turns = append(steps, step), append(turns, turn)
			steps, turns = steps[max(0, len(steps)-8):], turns[max(0, len(turns)-8):]
		}
		w, at, slope = next, v, g
	}
	return w, at
}

// line halves a step until the loss falls enough; nil if it never does.
func (m *rows) line(w []float64, at float64, slope, dir []float64, out []bool) (next []float64, v float64, g []float64) {
	down := dot(slope, dir)
	for size := 1.0; size > 1e-6; size /= 2 {
		next = slices.Clone(w)
		for k := range next {
			next[k] += size * dir[k]
		}
		if v, g = m.loss(next, out); v <= at+1e-4*size*down {
			return next, v, g
		}
	}
	return nil, 0, nil
}

// direction is where the loss falls, by its slope and the last steps.
func direction(slope []float64, steps, turns [][]float64) []float64 {
	d := make([]float64, len(slope))
	for k := range d {
		d[k] = -slope[k]
	}
	a := make([]float64, len(steps))
	for i := len(steps) - 1; i >= 0; i-- {
		a[i] = dot(steps[i], d) / dot(steps[i], turns[i])
		for k := range d {
			d[k] -= a[i] * turns[i][k]
		}
	}
	if n := len(steps) - 1; n >= 0 {
		by := dot(steps[n], turns[n]) / dot(turns[n], turns[n])
		for k := range d {
			d[k] *= by
		}
	}
	for i := range steps {
		b := dot(turns[i], d) / dot(steps[i], turns[i])
		for k := range d {
			d[k] += (a[i] - b) * steps[i][k]
		}
	}
	return d
}

func dot(a, b []float64) float64 {
	s := 0.0
	for k := range a {
		s += a[k] * b[k]
	}
	return s
}
