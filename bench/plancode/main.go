// Command plancode measures ken's answers about plans and code: which plans of a wave would have written the same files, the verdicts on
// plans and phases that were carried out, and their cost. It prints a table and fails if a promise is missed.
//
//	go run ./bench/plancode -mirror CLONES -work SCRATCH [-phases N] [-names] [-list FILE]
//
// With -names it compares ken's verdicts with those that people gave before (names.txt), and sets invented names into the same plans
// (invented.txt).
//
// CLONES holds owner+name/repo git directories; corpus.txt names the repositories as owner/name@commit, and held.txt those that
// were held out while the rules were written. SCRATCH is for trees and indexes.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"

	"ken/bench/world"
)

type options struct {
	mirror, work string
	list         string
	phases       int
	names        bool
	alarms       map[string]string // true alarms with their reason, by repository, phase and commit
}

func main() {
	var o options
	flag.StringVar(&o.mirror, "mirror", "", "folder of clones, each as owner+name/repo")
	flag.StringVar(&o.work, "work", "", "scratch folder")
	flag.StringVar(&o.list, "list", "", "compare the write sets of the repositories of this list alone")
	flag.IntVar(&o.phases, "phases", 0, "verify so many finished phases of each repository, and spoil them, instead of comparing write sets")
	flag.BoolVar(&o.names, "names", false, "compare verdicts on names with those of people, and look for invented ones, in the plans of names.txt")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	missed, err := run(ctx, &o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "plancode:", err)
		os.Exit(1)
	}
	if missed > 0 {
		fmt.Printf("\n%d missed\n", missed)
		os.Exit(1)
	}
}

func run(ctx context.Context, o *options) (missed int, err error) {
	if o.mirror == "" || o.work == "" {
		return 0, fmt.Errorf("-mirror and -work have to be given")
	}
	if o.names {
		return runNames(ctx, o)
	}
	if o.list != "" {
		return measureList(ctx, o)
	}
	open, err := world.Corpus("bench/plancode/corpus.txt")
	if err != nil {
		return 0, err
	}
	held, err := world.Corpus("bench/plancode/held.txt")
	if err != nil {
		return 0, err
	}
	if o.phases > 0 {
		return runPhases(ctx, o, slices.Concat(open, held))
	}
	var all pairTally
	for _, part := range []struct {
		title string
		rows  []world.Pin
	}{{"looked at while the rules were written", open}, {"held out", held}} {
		var t pairTally
		for _, row := range part.rows {
			if err := t.measureRepository(ctx, o, row); err != nil {
				return 0, fmt.Errorf("%s: %w", row.Repository, err)
			}
		}
		missed += t.printReport(part.title)
		all.add(&t)
	}
	return missed + all.printReport("all"), nil
}

// measureList compares the write sets of the repositories of one list.
func measureList(ctx context.Context, o *options) (missed int, err error) {
	rows, err := world.Corpus(o.list)
	if err != nil {
		return 0, err
	}
	var t pairTally
	for _, row := range rows {
		if err := t.measureRepository(ctx, o, row); err != nil {
			return 0, fmt.Errorf("%s: %w", row.Repository, err)
		}
		fmt.Fprintf(os.Stderr, "%s: %d of %d true pairs found so far, %d wrong\n", row.Repository, t.found, t.actual, t.wrong)
	}
	return t.printReport(o.list), nil
}

func runPhases(ctx context.Context, o *options, rows []world.Pin) (missed int, err error) {
	var t phasesTally
	if o.alarms, err = readAlarms("bench/plancode/alarms.txt"); err != nil {
		return 0, err
	}
	for _, row := range rows {
		if err := t.verifyPhases(ctx, o, row); err != nil {
			return 0, fmt.Errorf("%s: %w", row.Repository, err)
		}
	}
	fmt.Printf("\nphases: %d finished, %d of them with an alarm, of which %d do not hold or were not judged; %d spoiled, %d of them found\n",
		t.finished, t.alarms, t.wrong, t.sabotaged, t.caught)
	if 20*t.wrong > t.finished || 10*t.caught < 9*t.sabotaged {
		missed++
	}
	return missed, nil
}
