// Command mutate measures what the tests of a package notice: it changes the
// package in one small place at a time, as a mistake would, and runs the tests
// of that package alone. The share of changes that make a test fail says more
// than coverage, which also counts what runs but is not looked at.
//
//	go run ./bench/mutate -seed 1 -n 60 ./internal/engine/graph
//
// The tree is not touched: changed files are handed to the compiler as an
// overlay. Changes that do not compile do not count; a test that does not end
// in time counts as one that fails. The same seed picks the same changes of the
// same source.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run() error {
	seed := flag.Uint64("seed", 1, "which changes are picked")
	n := flag.Int("n", 60, "how many changes are tried")
	parallel := flag.Int("p", 1, "how many are tried at once")
	least := flag.Float64("least", 0, "fail if fewer percent are noticed")
	list := flag.Bool("list", false, "list the changes of the package, try none")
	verbose := flag.Bool("v", false, "print every change as it is tried")
	flag.Parse()
	if flag.NArg() != 1 {
		return errors.New("usage: mutate [flags] PACKAGE")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	p, err := load(ctx, flag.Arg(0))
	if err != nil {
		return err
	}
	all := p.mutants()
	if *list {
		for _, m := range all {
			fmt.Println(m)
		}
		return nil
	}
	t, err := newTrial(ctx, p)
	if err != nil {
		return err
	}
	defer t.close()
	fmt.Printf("%s: %d places to change, its tests take %.1f s\n", p.ImportPath, len(all), t.normal.Seconds())
	results, err := t.all(ctx, strata(all, *n, *seed), *parallel, *verbose)
	if err != nil {
		return err
	}
	return report(results, *least)
}

// report prints what was noticed and what was not.
func report(results []result, least float64) error {
	noticed, tried, slow, broken := 0, 0, 0, 0
	for _, r := range results {
		broken += r.broken
		if r.outcome == none {
			continue
		}
		tried++
		if r.outcome != survived {
			noticed++
		}
		if r.outcome == timedOut {
			slow++
		}
	}
	if tried == 0 {
		return errors.New("no change compiles")
	}
	for _, r := range results {
		if r.outcome == survived {
			fmt.Println("survived:", r.mutant)
		}
	}
	share := 100 * float64(noticed) / float64(tried)
	fmt.Printf("noticed %d of %d (%.0f %%), %d of them by running out of time; %d more did not compile\n", noticed, tried, share, slow, broken)
	if share < least {
		return fmt.Errorf("less than %.0f %%", least)
	}
	return nil
}
