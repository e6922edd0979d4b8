package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ken/internal/ask/rank"
)

// top is how many files of a ranking count.
const top = 10

// recall is the share of a trial's files among the first ten by some weights.
// Ties are decided by path; a candidate no weight speaks for is none.
func (t *trial) recall(w *rank.Vector) float64 {
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
		if t.right(p) {
			hits++
		}
	}
	return float64(hits) / float64(t.others)
}

// figures are means of recall@10.
type figures struct{ bySeed, byCommit float64 }

func (r *repository) measure(w *rank.Vector) figures {
	var f figures
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

// ceiling is the share of files that are among the candidates at all.
func (r *repository) ceiling() float64 {
	sum := 0.0
	for i := range r.trials {
		hits := 0
		for k := range r.trials[i].of.candidates {
			if r.trials[i].right(r.trials[i].of.candidates[k].path) {
				hits++
			}
		}
		sum += float64(hits) / float64(r.trials[i].others)
	}
	return sum / float64(len(r.trials))
}

// alone are weights of a few signals and nothing else.
func alone(signals ...rank.Feature) *rank.Vector {
	var w rank.Vector
	for _, s := range signals {
		w[s] = 1
	}
	return &w
}

func report(all []*repository) {
	var fused rank.Vector
	for _, f := range rank.Column(rank.Impact) {
		fused[f] = rank.Table[f].Impact.Value
	}
	rows := []struct {
		name string
		w    *rank.Vector
	}{
		{"ken", &fused},
		{"imports alone", alone(rank.ImportedBySeed, rank.ImportsSeed, rank.UseEdge, rank.TestEdge)},
		{"co-change alone", alone(rank.CoChange)},
		{"words alone", alone(rank.SharedWords)},
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
			f := r.measure(row.w)
			fmt.Printf(" %16.3f", f.bySeed)
			sums[i] += f.bySeed * float64(len(r.trials))
			if i == 0 {
				perRepo += f.bySeed / float64(len(all))
				byCommit += f.byCommit * float64(r.commits)
			}
		}
		f := r.measure(&fused)
		fmt.Printf(" %10.3f %8.3f\n", f.byCommit, r.ceiling())
		seeds, commits = seeds+len(r.trials), commits+r.commits
	}
	fmt.Printf("%-26s %7d %6d", "overall", commits, seeds)
	for i := range rows {
		fmt.Printf(" %16.3f", sums[i]/float64(seeds))
	}
	fmt.Printf(" %10.3f\n%-26s %31.3f\n", byCommit/float64(commits), "mean of repositories", perRepo)
}
