// Command hooks measures the cost of ken inside an agent, and checks its promises there.
//
//	go run ./bench/hooks [-short] [-busy] [-parts costs,start,kill,install] [-trees 8000,50000] [-runs 60]
//		[-seed 1] [-ken FILE] [-work SCRATCH]
//
// It makes trees of so many files by the seed, out of the Go standard library with other names, commits and indexes them. Then:
//
//	costs    every event, each time as a process of its own, in turns with its yardstick; the ratios of their times
//	start    the text that a session begins with, in projects of many states, in tokens
//	kill     200 hooks at once, some of them killed; their events
//	install  settings files of many shapes in every scope: installed twice, uninstalled, killed in between
//
// The program fails if a promise of the table is not kept. Times are those of the wall clock. The same
// ratios of processor time are beside them, because a busy machine hides less of them; with -busy they decide. With -short there
// is one small tree and little of everything, and no ratio counts, because continuous integration measures nothing well.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

func main() {
	var o options
	var chosen, trees string
	flag.BoolVar(&o.short, "short", false, "little of everything, and no ratio counts")
	flag.BoolVar(&o.busy, "busy", false, "processor time decides, because the machine is busy")
	flag.StringVar(&chosen, "parts", "costs,start,kill,install", "what to do, by commas")
	flag.StringVar(&trees, "trees", "8000,50000", "files of the trees, by commas")
	flag.IntVar(&o.runs, "runs", 60, "runs of each event and each yardstick")
	flag.Uint64Var(&o.seed, "seed", 1, "what everything is drawn by")
	flag.StringVar(&o.ken, "ken", "", "ken binary (default: built from this tree)")
	flag.StringVar(&o.work, "work", "", "scratch folder, in which trees are found again (default: a temporary one)")
	flag.Parse()
	o.parts = strings.Split(chosen, ",")
	o.states, o.many, o.rounds, o.settings = 120, 200, 5, 60
	if o.short {
		trees, o.runs, o.states, o.many, o.rounds, o.settings = "300", 2, 12, 60, 1, 6
	}
	for _, t := range strings.Split(trees, ",") {
		n, err := strconv.Atoi(t)
		if err != nil || n < minTree {
			fmt.Fprintln(os.Stderr, "hooks: -trees takes numbers of at least", minTree, "by commas")
			os.Exit(2)
		}
		o.trees = append(o.trees, n)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	t := &table{short: o.short, busy: o.busy}
	if err := run(ctx, o, t); err != nil {
		fmt.Fprintln(os.Stderr, "hooks:", err)
		os.Exit(1)
	}
	if t.missed > 0 {
		os.Exit(1)
	}
}

// part is one of the things to measure or check.
type part struct {
	name string
	do   func(context.Context, options, *table) error
}

var parts = [...]part{{"costs", costs}, {"start", starts}, {"kill", checkKilled}, {"install", checkInstall}}

func run(ctx context.Context, o options, t *table) error {
	if o.work == "" {
		tmp, err := os.MkdirTemp("", "ken-hooks")
		if err != nil {
			return err
		}
		defer os.RemoveAll(tmp)
		o.work = tmp
	}
	var err error
	if o.work, err = filepath.Abs(o.work); err != nil {
		return err
	}
	if o.ken == "" {
		o.ken = filepath.Join(o.work, "ken")
		build := exec.CommandContext(ctx, "go", "build", "-o", o.ken, "./cmd/ken")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return err
		}
	}
	for _, name := range o.parts {
		if !slices.ContainsFunc(parts[:], func(p part) bool { return p.name == name }) {
			return errors.New("there is no part " + strconv.Quote(name))
		}
	}
	t.head()
	for _, p := range parts {
		if !slices.Contains(o.parts, p.name) {
			continue
		}
		if err := p.do(ctx, o, t); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	t.summary()
	return nil
}
