package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"ken/bench/world"
)

// tree is a work tree of a repository of the corpus with the symbols whose truth is known.
type tree struct {
	dir, language string
	rows          []*row
}

// shortSymbols is the number of symbols of a short run.
const shortSymbols = 3

// openTrees checks the repositories of the corpus out and reads the truth about them.
func (b *bench) openTrees(ctx context.Context) error {
	list, err := os.ReadFile("bench/rivals/corpus.txt")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(list)) {
		words := strings.Fields(line)
		if len(words) != 2 || words[0] == "#" {
			continue
		}
		if b.short && len(b.trees) > 0 {
			break
		}
		repository, commit, _ := strings.Cut(words[0], "@")
		t := tree{language: words[1]}
		if t.dir, err = world.ShareClone(ctx, b.mirror, repository, b.work); err != nil {
			return err
		}
		if err := world.Checkout(ctx, t.dir, commit); err != nil {
			return err
		}
		if t.rows, err = readRows(t.language); err != nil {
			return err
		}
		if b.short {
			t.rows = t.rows[:shortSymbols]
		}
		b.trees = append(b.trees, t)
	}
	return nil
}

// askAllSymbols asks every program about all symbols, on a new index, and counts the tokens of its tools.
func (b *bench) askAllSymbols(ctx context.Context, rivals []*rival) error {
	for _, r := range rivals {
		for _, t := range b.trees {
			if r.index == nil || r.broken != "" || r.definitions == nil {
				continue
			}
			if err := errors.Join(r.clean(t.dir), r.index(ctx, t.dir)); err != nil {
				r.broken = "its index fails here: " + err.Error()
			}
		}
		if err := b.askSymbols(ctx, r); err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		b.listTools(ctx, r)
	}
	return nil
}

// askSymbols asks a program about all symbols.
func (b *bench) askSymbols(ctx context.Context, r *rival) error {
	if r.broken != "" || r.definitions == nil && len(r.references) == 0 {
		return nil
	}
	if r.closeAll != nil {
		defer r.closeAll()
	}
	for _, t := range b.trees {
		if r.languages != nil && !slices.Contains(r.languages, t.language) {
			continue
		}
		for _, x := range t.rows {
			if err := b.askSymbol(ctx, r, t.dir, x); err != nil {
				return err
			}
		}
	}
	return nil
}

// callables are the kinds of symbols that are called, for programs that list callers alone; ctags names a method of Python a member, as
// it does a field of Go.
var callables = strings.Fields("function func method methodSpec generator getter setter python:member")

// ofCallables is the name of their tally.
const ofCallables = "functions and methods"

// askSymbol asks a program where a symbol is declared and used. A question that fails counts as an answer without places.
func (b *bench) askSymbol(ctx context.Context, r *rival, dir string, x *row) error {
	note := func(what string, err error) {
		if err != nil && b.verbose {
			fmt.Fprintf(os.Stderr, "%s, %s of %s (%s:%d): %v\n", r.name, what, x.Symbol, x.File, x.Line, err)
		}
	}
	if r.definitions != nil {
		places, err := r.definitions(ctx, dir, x)
		note("definitions", err)
		r.defined.symbols++
		r.defined.truth++
		if slices.ContainsFunc(places, x.declared) {
			r.defined.found++
		}
		r.defined.right += len(places)
	}
	for _, way := range r.references {
		started := time.Now()
		places, err := way.ask(ctx, dir, x)
		r.askTimes = append(r.askTimes, time.Since(started))
		note(way.name, err)
		t := tally{}
		if err != nil {
			t.failed++
		}
		t.count(x, places)
		r.usedBy(way.name, x.language).add(&t)
		if slices.Contains(callables, x.Kind) || slices.Contains(callables, x.language+":"+x.Kind) {
			r.usedBy(way.name, ofCallables).add(&t)
		}
		if b.verbose {
			for _, u := range x.Uses {
				if !slices.Contains(places, u) {
					fmt.Fprintf(os.Stderr, "%s, %s: %s is missed at %s\n", r.name, way.name, x.Symbol, u)
				}
			}
		}
	}
	return ctx.Err()
}

// count compares an answer with the truth.
func (t *tally) count(x *row, places []string) {
	t.symbols++
	t.truth += len(x.Uses)
	slices.Sort(places)
	for _, p := range slices.Compact(places) {
		switch {
		case slices.Contains(x.Uses, p):
			t.found++
			t.right++
		case !x.declared(p) && !x.neither(p):
			t.wrong++
		}
	}
}
