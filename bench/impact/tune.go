package main

import (
	"fmt"
	"math"
	"os"
	"slices"

	"ken/internal/engine"
)

// tuneAll searches weights on all repositories but one, for each, and on all.
func tuneAll(all []*repository) {
	sum, n, byCommit, commits := 0.0, 0, 0.0, 0
	for i, held := range all {
		w := search(slices.Delete(slices.Clone(all), i, i+1))
		f := held.measure(&w)
		fmt.Printf("left out %-26s %.3f by seed, %.3f by commit\n", held.name, f.bySeed, f.byCommit)
		sum, n = sum+f.bySeed*float64(len(held.trials)), n+len(held.trials)
		byCommit, commits = byCommit+f.byCommit*float64(held.commits), commits+held.commits
	}
	fmt.Printf("left out, overall %27.3f by seed, %.3f by commit\n", sum/float64(n), byCommit/float64(commits))
	w := search(all)
	fmt.Printf("weights on all, overall %.3f:\n", goal(all, &w))
	for i, v := range w {
		fmt.Printf("\t%-22s %.2f\n", engine.ImpactSignal(i), v)
	}
}

// goal is the mean over repositories: a large one must not decide alone.
func goal(all []*repository, w *engine.ImpactSignals) float64 {
	sum := 0.0
	for _, r := range all {
		sum += r.measure(w).bySeed / float64(len(all))
	}
	return sum
}

// worthwhile is what a step must gain: smaller gains are the noise of some
// hundred commits.
const worthwhile = 0.001

// search climbs one weight after the other from equal ones, those of made files
// against them, with steps that shrink, until a round gains nothing.
func search(all []*repository) engine.ImpactSignals {
	var w engine.ImpactSignals
	for i := range w {
		w[i] = 0.5
	}
	w[engine.SignalMade] = -1
	best := goal(all, &w)
	for _, step := range []float64{2, 1.4} {
		for {
			before := best
			for i := range w {
				for _, v := range []float64{w[i] * step, w[i] / step, 0, w[i] + 0.3*(step-1), w[i] - 0.3*(step-1)} {
					try := w
					try[i] = math.Round(v*1000) / 1000
					if g := goal(all, &try); g > best+worthwhile {
						best, w = g, try
					}
				}
			}
			fmt.Fprintf(os.Stderr, "step %.2f: %.4f\n", step, best)
			if best == before {
				break
			}
		}
	}
	return w
}
