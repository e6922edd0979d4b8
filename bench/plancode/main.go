// Command plancode measures ken's answers about plans and code: which plans of a wave would have written the same files, the verdicts on
// plans and phases that were carried out, and their cost. It prints a table and fails if a promise is missed.
//
//	go run ./bench/plancode -mirror CLONES -work SCRATCH [-list bench/plancode/pairs.txt] [-held] [-v]
//
// CLONES holds owner+name/repo git directories; the list names the repositories as owner/name@commit, "held" before those that
// were held out while the rules were written. SCRATCH is for trees and indexes.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"

	"ken/internal/delivery/plancode/check"
)

type options struct {
	mirror, work, list string
	held, open         bool
	verbose            bool
	phases             int
	claims             int
	ken                string            // the program
	alarms             map[string]string // true alarms with their reason, by repository, phase and commit
}

// corpusRow is a repository of the list.
type corpusRow struct {
	name, commit string
	held         bool
}

func main() {
	var o options
	flag.StringVar(&o.mirror, "mirror", "", "folder of clones, each as owner+name/repo")
	flag.StringVar(&o.work, "work", "", "scratch folder")
	flag.StringVar(&o.list, "list", "bench/plancode/corpus.txt", "list of repositories")
	flag.BoolVar(&o.held, "held", false, "those held out alone")
	flag.BoolVar(&o.open, "open", false, "those not held out alone")
	flag.BoolVar(&o.verbose, "v", false, "every pair that is judged wrongly, with why")
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
	rows, err := readList(o.list)
	if err != nil {
		return 0, err
	}
	if o.phases > 0 {
		return runPhases(ctx, o, rows)
	}
	if o.claims > 0 {
		return runClaims(ctx, o, rows)
	}
	var open, held tally
	for _, row := range rows {
		if o.held && !row.held || o.open && row.held {
			continue
		}
		t := &open
		if row.held {
			t = &held
		}
		if err := t.repository(ctx, o, row); err != nil {
			return 0, fmt.Errorf("%s: %w", row.name, err)
		}
	}
	if !o.held {
		missed += open.report("looked at while the rules were written")
	}
	if !o.open {
		missed += held.report("held out")
	}
	if !o.held && !o.open {
		all := open
		all.add(&held)
		missed += all.report("all")
	}
	return missed, nil
}

func runClaims(ctx context.Context, o *options, rows []corpusRow) (int, error) {
	o.ken = filepath.Join(o.work, "ken")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", o.ken, "./cmd/ken").CombinedOutput(); err != nil {
		return 0, fmt.Errorf("go build: %w: %s", err, out)
	}
	t := claimsTally{right: map[check.Verdict]int{}, wrong: map[check.Verdict]int{}, ask: map[check.Verdict]int{}}
	for _, row := range rows {
		if o.held && !row.held || o.open && row.held {
			continue
		}
		if err := t.claims(ctx, o, row); err != nil {
			return 0, fmt.Errorf("%s: %w", row.name, err)
		}
	}
	return t.report(filepath.Join(o.work, "claims")), nil
}

func runPhases(ctx context.Context, o *options, rows []corpusRow) (missed int, err error) {
	var t phasesTally
	if o.alarms, err = readAlarms("bench/plancode/alarms.txt"); err != nil {
		return 0, err
	}
	for _, row := range rows {
		if o.held && !row.held || o.open && row.held {
			continue
		}
		if err := t.phases(ctx, o, row, o.phases); err != nil {
			return 0, fmt.Errorf("%s: %w", row.name, err)
		}
	}
	fmt.Printf("\nphases: %d finished, %d of them with an alarm, of which %d do not hold or were not judged; %d spoiled, %d of them found\n",
		t.finished, t.alarms, t.wrong, t.sabotaged, t.caught)
	if 20*t.wrong > t.finished || 10*t.caught < 9*t.sabotaged {
		missed++
	}
	return missed, nil
}

func readList(file string) (rows []corpusRow, err error) {
	f, err := os.Open(filepath.Clean(file))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		rest, held := strings.CutPrefix(line, "held ")
		name, commit, _ := strings.Cut(rest, "@")
		rows = append(rows, corpusRow{name, commit, held})
	}
	return rows, lines.Err()
}
