// Command hooks measures the cost of ken inside an agent, and checks its promises there.
//
//	go run ./bench/hooks [-short] [-busy] [-parts costs,runtimes,start,kill,install] [-runs 60]
//
// It makes trees of 8,000 and 50,000 files out of the Go standard library with other names, commits and indexes them. Then:
//
//	costs    every event, each time as a process of its own, in turns with its yardstick; the ratios of their times
//	runtimes the events of all other runtimes, on the smaller tree, with payloads as their makers describe them; plugins beside ken alone
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
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"

	"ken/bench/world"
)

func main() {
	o := options{trees: []int{8000, 50000}, states: 120, many: 200, rounds: 5, settings: 60}
	flag.BoolVar(&o.short, "short", false, "little of everything, and no ratio counts")
	flag.BoolVar(&o.busy, "busy", false, "processor time decides, because the machine is busy")
	chosen := flag.String("parts", "costs,runtimes,start,kill,install", "what to do, by commas")
	flag.IntVar(&o.runs, "runs", 60, "runs of each event and each yardstick")
	flag.Parse()
	o.parts = strings.Split(*chosen, ",")
	if o.short {
		o.trees, o.runs, o.states, o.many, o.rounds, o.settings = []int{300}, 2, 12, 60, 1, 6
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

// parts are the things to measure or check.
var parts = [...]struct {
	name string
	do   func(context.Context, options, *table) error
}{{"costs", measureCosts}, {"runtimes", measureRuntimes}, {"start", checkStartTexts}, {"kill", checkKilled}, {"install", checkInstall}}

func run(ctx context.Context, o options, t *table) error {
	work, remove, err := world.Scratch("ken-hooks")
	if err != nil {
		return err
	}
	defer remove()
	o.work = work
	if o.ken, err = world.Build(ctx, work); err != nil {
		return err
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
