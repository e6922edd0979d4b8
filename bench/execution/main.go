// Execution checks the executors of plans in made repositories: two to six of them work side by side, commit, rename, delete, collide,
// write files of others, and are killed before they are done; the processes that make, merge and clean up their work trees are killed at
// any moment, too. At the end no commit and no summary is lost, nothing unwanted is in the base, and nothing is left behind. `.ci/accept
// execution` runs it.
//
//	go run ./bench/execution [-runs 200] [-seed 1] [-v]
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"

	"ken/bench/world"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	runs := flag.Int("runs", 200, "how many runs")
	seed := flag.Uint64("seed", 1, "of the first run; each has the next one")
	verbose := flag.Bool("v", false, "show each run")
	flag.Parse()
	if err := runAll(ctx, *runs, *seed, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// workTotals counts the work of all runs.
type workTotals struct {
	runs, executors, commits, summaries, kills, conflicts, deletions, refused, renames, rescued, abandoned, restored int
}

func (t *workTotals) add(o workTotals) {
	t.runs++
	t.executors += o.executors
	t.commits += o.commits
	t.summaries += o.summaries
	t.kills += o.kills
	t.conflicts += o.conflicts
	t.deletions += o.deletions
	t.refused += o.refused
	t.renames += o.renames
	t.rescued += o.rescued
	t.abandoned += o.abandoned
	t.restored += o.restored
}

func runAll(ctx context.Context, runs int, seed uint64, verbose bool) error {
	var sum workTotals
	var faults []string
	built, remove, err := world.Scratch("ken-execution")
	if err != nil {
		return err
	}
	defer remove()
	ken, err := world.Build(ctx, built)
	if err != nil {
		return err
	}
	start := time.Now()
	for i := range runs {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r, err := newRun(ctx, ken, seed+uint64(i))
		if err != nil {
			return err
		}
		if err := r.execute(); err != nil {
			r.recordFault("%v", err)
		} else {
			r.checkRepository()
		}
		for _, f := range r.faults {
			faults = append(faults, fmt.Sprintf("seed %d: %s", r.seed, f))
		}
		sum.add(r.workTotals)
		if verbose || len(r.faults) > 0 {
			fmt.Printf("seed %d: %+v %v\n", r.seed, r.workTotals, r.faults)
		}
		if len(r.faults) > 0 {
			fmt.Printf("  kept in %s\n", r.top)
		} else if err := os.RemoveAll(r.top); err != nil {
			return err
		}
	}
	fmt.Printf("%d runs with %d executors in %v: %d commits, %d summaries (%d rescued), %d conflicts, %d deletions, %d merges refused, %d renames, "+
		"%d abandoned, %d folders made again, %d processes killed: %d faults\n", sum.runs, sum.executors, time.Since(start).Round(time.Second), sum.commits, sum.summaries,
		sum.rescued, sum.conflicts, sum.deletions, sum.refused, sum.renames, sum.abandoned, sum.restored, sum.kills, len(faults))
	if len(faults) > 0 {
		return fmt.Errorf("MISSED: %d faults, the first: %s", len(faults), faults[0])
	}
	return nil
}
