package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ken/internal/ask/rank"
)

// top is the number of first files of a ranking that count.
const top = 10

// recall returns the share of a trial's files that are among the first ten by
// the weights w. Ties are ordered by path; candidates without any signal do
// not count.
func (t *seedTrial) recall(w *rank.Vector) float64 {
	var paths []string
	scores := map[string]float64{}
	for i := range t.of.candidates {
		c := &t.of.candidates[i]
		score := 0.0
		for k, v := range c.signals {
			score += w[k] * v
		}
		if score != 0 {
			paths = append(paths, c.path)
			scores[c.path] = score
		}
	}
	slices.SortFunc(paths, func(a, b string) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), strings.Compare(a, b)) })
	hits := 0
	for _, p := range paths[:min(len(paths), top)] {
		if t.isToFind(p) {
			hits++
		}
	}
	return float64(hits) / float64(t.others)
}

// meanRecall are means of recall@10.
type meanRecall struct{ bySeed, byCommit float64 }

func (r *repository) measureRecall(w *rank.Vector) meanRecall {
	var f meanRecall
	byCommit := map[string][2]float64{}
	for i := range r.trials {
		t := &r.trials[i]
		v := t.recall(w)
		f.bySeed += v / float64(len(r.trials))
		c := byCommit[t.commit]
		byCommit[t.commit] = [2]float64{c[0] + v, c[1] + 1}
	}
	for _, t := range r.trials { // in a fixed order: sums of floats depend on it
		if c, ok := byCommit[t.commit]; ok {
			f.byCommit += c[0] / c[1] / float64(r.commits)
			delete(byCommit, t.commit)
		}
	}
	return f
}

// reachableShare returns the share of files to find that are among the candidates, the upper limit of recall.
func (r *repository) reachableShare() float64 {
	sum := 0.0
	for i := range r.trials {
		hits := 0
		for k := range r.trials[i].of.candidates {
			if r.trials[i].isToFind(r.trials[i].of.candidates[k].path) {
				hits++
			}
		}
		sum += float64(hits) / float64(r.trials[i].others)
	}
	return sum / float64(len(r.trials))
}

// signalsAlone returns weights of only the given signals.
func signalsAlone(signals ...rank.Feature) *rank.Vector {
	var w rank.Vector
	for _, s := range signals {
		w[s] = 1
	}
	return &w
}

func printReport(all []*repository) {
	var fused rank.Vector
	for _, f := range rank.Column(rank.Impact) {
		fused[f] = rank.Table[f].Impact.Value
	}
	rows := []struct {
		name string
		w    *rank.Vector
	}{
		{"ken", &fused},
		{"imports alone", signalsAlone(rank.ImportedBySeed, rank.ImportsSeed, rank.UseEdge, rank.TestEdge)},
		{"co-change alone", signalsAlone(rank.CoChange)},
		{"words alone", signalsAlone(rank.SharedWords)},
	}
	fmt.Printf("%-26s %7s %6s", "recall@10", "commits", "seeds")
	for _, row := range rows {
		fmt.Printf(" %16s", row.name)
	}
	fmt.Printf(" %10s %8s\n", "by commit", "ceiling")
	seeds, commits := 0, 0
	sums := make([]float64, len(rows))
	var perRepo, byCommit float64
	for _, r := range all {
		fmt.Printf("%-26s %7d %6d", r.name, r.commits, len(r.trials))
		for i, row := range rows {
			f := r.measureRecall(row.w)
			fmt.Printf(" %16.3f", f.bySeed)
			sums[i] += f.bySeed * float64(len(r.trials))
			if i == 0 {
				perRepo += f.bySeed / float64(len(all))
				byCommit += f.byCommit * float64(r.commits)
			}
		}
		f := r.measureRecall(&fused)
		fmt.Printf(" %10.3f %8.3f\n", f.byCommit, r.reachableShare())
		seeds, commits = seeds+len(r.trials), commits+r.commits
	}
	fmt.Printf("%-26s %7d %6d", "overall", commits, seeds)
	for i := range rows {
		fmt.Printf(" %16.3f", sums[i]/float64(seeds))
	}
	fmt.Printf(" %10.3f\n%-26s %31.3f\n", byCommit/float64(commits), "mean of repositories", perRepo)
}
