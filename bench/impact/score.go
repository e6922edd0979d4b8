package main

import (
	"fmt"
	"slices"

	"ken/internal/ask/rank"
)

// weights are those of the column.
func weights() (w rank.Vector) {
	for _, f := range rank.Column(rank.Impact) {
		w[f] = rank.Table[f].Impact.Value
	}
	return w
}

// top is how many files of a ranking count.
const top = 10

// recall is the share of a trial's files among the first ten by some weights.
// Ties are decided by path; a candidate no weight speaks for is none.
func (t *trial) recall(w *rank.Vector) float64 {
	hits := 0
	for _, e := range t.first(w) {
		if e.right {
			hits++
		}
	}
	return float64(hits) / float64(t.others)
}

// entry is a candidate with its score.
type entry struct {
	score float64
	path  string
	right bool
}

// first are the first ten candidates by some weights.
func (t *trial) first(w *rank.Vector) []entry {
	var best [top]entry
	n := 0
	for i := range t.of.candidates {
		c := &t.of.candidates[i]
		e := entry{path: c.path}
		for k, v := range c.signals {
			e.score += w[k] * v
		}
		if e.score == 0 {
			continue
		}
		at := n
		for at > 0 && (best[at-1].score < e.score || best[at-1].score == e.score && best[at-1].path > e.path) {
			at--
		}
		if at == top {
			continue
		}
		n = min(n+1, top)
		copy(best[at+1:n], best[at:n-1])
		best[at] = e
	}
	for i := range best[:n] {
		best[i].right = t.right(best[i].path)
	}
	return slices.Clone(best[:n])
}

// print shows some trials that miss something, spread over all.
func (r *repository) print(n int) {
	w := weights()
	var missing []*trial
	for i := range r.trials {
		if r.trials[i].recall(&w) < 1 {
			missing = append(missing, &r.trials[i])
		}
	}
	for k := 0; k < n && k*len(missing)/n < len(missing); k++ {
		t := missing[k*len(missing)/n]
		fmt.Printf("\n%s %s seed %s\n", r.name, t.commit[:10], t.of.seed)
		first := t.first(&w)
		for _, p := range t.paths {
			if p != t.of.seed && !slices.ContainsFunc(first, func(e entry) bool { return e.path == p }) {
				fmt.Printf("  missed %s\n", p)
			}
		}
		for _, e := range first {
			fmt.Printf("  %v %.2f %s\n", e.right, e.score, e.path)
		}
	}
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
	fused := weights()
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
