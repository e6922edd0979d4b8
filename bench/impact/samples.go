package main

import (
	"bytes"
	"cmp"
	"errors"
	"math"
	"os"
	"slices"

	"ken/bench/rank/train"
	"ken/internal/ask/rank"
)

// writeSamples writes the rankings as samples for bench/rank.
func writeSamples(path string, all []*repository) error {
	column := rank.Column(rank.Impact)
	var samples []train.Sample
	for _, r := range all {
		samples = append(samples, r.samples(column)...)
	}
	var text bytes.Buffer
	return errors.Join(train.WriteSamples(&text, column, samples), os.WriteFile(path, text.Bytes(), 0o644))
}

// samples returns the rankings of a repository with the share that each file has
// of the files to find. Half the weight of a trial is as means over seeds have it,
// half as means over commits do; a repository's is the root of its trials.
func (r *repository) samples(column []rank.Feature) []train.Sample {
	perCommit := map[string]int{}
	for i := range r.trials {
		perCommit[r.trials[i].commit]++
	}
	shares, total, order := map[*ranking]map[string]float64{}, map[*ranking]float64{}, []*ranking(nil)
	for i := range r.trials {
		t := &r.trials[i]
		if shares[t.of] == nil {
			shares[t.of] = map[string]float64{}
			order = append(order, t.of)
		}
		v := 1/float64(len(r.trials)) + 1/float64(perCommit[t.commit]*r.commits)
		v *= math.Sqrt(float64(len(r.trials)))
		total[t.of] += v
		for _, p := range t.paths {
			if p != t.of.seed {
				shares[t.of][p] += v / float64(t.others)
			}
		}
	}
	var out []train.Sample
	for _, of := range order {
		s := train.Sample{Group: r.name, Total: total[of]}
		taken := of.firstBySignal(column)
		for i := range of.candidates {
			c := &of.candidates[i]
			if taken[i] || shares[of][c.path] > 0 {
				s.Rows = append(s.Rows, train.NewRow(column, &c.signals, shares[of][c.path]))
			}
		}
		out = append(out, s)
	}
	return out
}

// sampledPerSignal is the number of files that each signal ranks first
// and that are sampled, besides the files to find: all files would be
// ten times as many.
const sampledPerSignal = 15

// firstBySignal returns the candidates that are among the first ones by any signal.
func (of *ranking) firstBySignal(column []rank.Feature) map[int]bool {
	out := map[int]bool{}
	at := make([]int, len(of.candidates))
	for _, f := range column {
		for i := range at {
			at[i] = i
		}
		slices.SortStableFunc(at, func(a, b int) int {
			return cmp.Compare(of.candidates[b].signals[f], of.candidates[a].signals[f])
		})
		for _, i := range at[:min(len(at), sampledPerSignal)] {
			if of.candidates[i].signals[f] > 0 {
				out[i] = true
			}
		}
	}
	return out
}
