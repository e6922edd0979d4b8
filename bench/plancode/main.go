// Command plancode measures ken's answers about plans and code: which plans of a wave would have written the same files, the verdicts on
// plans and phases that were carried out, and their cost. It prints a table and fails if a promise is missed.
//
//	go run ./bench/plancode -mirror CLONES -work SCRATCH [-phases N] [-claims N]
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
	"path/filepath"
	"slices"

	"ken/bench/world"
	"ken/internal/delivery/plancode/check"
)

type options struct {
	mirror, work string
	phases       int
	claims       int
	ken          string            // the program
	alarms       map[string]string // true alarms with their reason, by repository, phase and commit
}

func main() {
	var o options
	flag.StringVar(&o.mirror, "mirror", "", "folder of clones, each as owner+name/repo")
	flag.StringVar(&o.work, "work", "", "scratch folder")
	flag.IntVar(&o.phases, "phases", 0, "verify so many finished phases of each repository, and spoil them, instead of comparing write sets")
	flag.IntVar(&o.claims, "claims", 0, "check so many plans of each repository at the commit that wrote them, and compare the verdicts with git; answers stay in SCRATCH/claims")
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
	if o.claims > 0 {
		return runClaims(ctx, o, slices.Concat(open, held))
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

func runClaims(ctx context.Context, o *options, rows []world.Pin) (missed int, err error) {
	if o.ken, err = world.Build(ctx, o.work); err != nil {
		return 0, err
	}
	t := claimsTally{right: map[check.Verdict]int{}, wrong: map[check.Verdict]int{}, ask: map[check.Verdict]int{}}
	for _, row := range rows {
		if err := t.checkClaims(ctx, o, row); err != nil {
			return 0, fmt.Errorf("%s: %w", row.Repository, err)
		}
	}
	return t.printReport(filepath.Join(o.work, "claims")), nil
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
