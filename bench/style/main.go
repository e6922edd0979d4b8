// Command style prints the shape of this module's source beside the bounds it
// is held to, as a table in Markdown.
//
//	go run ./bench/style [-C DIR] [-v]          sizes, cycles, interfaces, conditions, words
//	go run ./bench/style -cover [PACKAGE...]    statements that a package's own tests run
//	go run ./bench/style -perf OLD NEW CORPUS...   processor time and memory of two programs
//	go run ./bench/style -portable              the packages that need no C, tests included
//	go run ./bench/style -concurrent            the packages that start goroutines
//
// How each row counts. Source is every .go file but tests, testdata and folders
// hidden from the go command, the benches included; its lines are its newline
// characters. Code lines are those neither blank nor nothing but comment.
//
//   - Package size: lines of the source files in one folder, subfolders apart.
//   - Cycle of files: files of one package that all use each other, directly or
//     through others. A file uses another if it names a function, type,
//     variable, constant or method declared there; types decide which is meant.
//     Fields count for nothing of their own.
//   - Methods an interface lists itself: those written between its braces;
//     embedded interfaces are not counted again.
//   - Functions that take the whole reader: those with a parameter whose type is
//     an interface of the module with 30 methods and more, embedded ones
//     included, outside store, engine/update and engine/view.
//   - Comparisons with a language: == and != between a language and a literal
//     or constant that names one; cases: clauses of a switch over a language that
//     name one. A language is a value named so (…lang, …Language) or declared as
//     code.Lang in the function.
//   - Conditions: one expression of the syntax tree, made of the operands of && and ||,
//     with parentheses, negations and comparisons inside it; arguments
//     of calls and bodies of functions are others. Lines with four and more
//     operators are given beside it, because that is how the models were read.
//   - Operators: && and || in the syntax tree per 100 code lines.
//   - If in an if: an if without else that holds nothing but another. It is
//     here to show conditions that were split for their number.
//   - Longest import path: packages of the module from cmd/ken down, both ends
//     included.
//   - Single uses: functions and methods without a capital that the source names
//     exactly once, tests not counted, as a share of all functions.
//   - Names: functions whose whole name is a past participle (shown, known), and
//     those that end in Of.
//   - Failure: exported functions with an error result, methods of exported types
//     among them, whose comment names an error or failure.
//   - Words: uses per 1,000 lines that hold a comment, alone or after code; the
//     table is in package count.
//   - Wide lines: over 140 columns, a tab being one; lines inside a composite
//     literal of several lines, and those that fit without the text of their
//     string literals, are tables and literals and do not count.
//   - Coverage: go test -cover of the package alone; of delivery/op the
//     share that the scripts of cmd/ken run.
//   - Performance: see perf.go.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"slices"

	"ken/bench/style/count"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "style:", err)
		os.Exit(1)
	}
}

func run() error {
	dir := flag.String("C", ".", "the root of the module")
	verbose := flag.Bool("v", false, "list the places behind each row")
	cover := flag.Bool("cover", false, "measure coverage of the packages named, or of those with a bound")
	portable := flag.Bool("portable", false, "list the packages that need no C, those of the benches apart, which are for Unix")
	concurrent := flag.Bool("concurrent", false, "list the packages that start goroutines, those of the benches apart")
	perf := flag.Bool("perf", false, "compare two programs on corpora: OLD NEW CORPUS...")
	rounds := flag.Int("rounds", 7, "of -perf: how often each command runs")
	only := flag.String("only", "", "of -perf: the rows to measure, a regular expression")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	switch {
	case *portable:
		return listPortable(*dir)
	case *cover:
		return printCoverage(ctx, *dir, flag.Args(), *verbose)
	case *perf:
		if flag.NArg() < 3 {
			return errors.New("-perf needs two programs and at least one corpus")
		}
		return comparePerformance(ctx, flag.Arg(0), flag.Arg(1), flag.Args()[2:], *rounds, *only)
	case flag.NArg() > 0:
		return fmt.Errorf("unexpected argument %q", flag.Arg(0))
	}
	tree, err := count.Load(*dir)
	if err != nil {
		return err
	}
	if *concurrent {
		listConcurrent(tree)
		return nil
	}
	types, err := typeCheck(ctx, *dir, tree)
	if err != nil {
		return err
	}
	printRows(newRows(tree, types), *verbose)
	return nil
}

// listPortable prints the packages that can be vetted for other systems.
func listPortable(dir string) error {
	imports, err := count.LoadImports(dir)
	if err != nil {
		return err
	}
	all := maps.Clone(imports.Source)
	maps.Copy(all, imports.Tests)
	for _, p := range slices.Sorted(maps.Keys(all)) {
		if !imports.TestsNeedC(p) && !count.IsInPlaces(p, "bench", "bench/") {
			fmt.Println("./" + p)
		}
	}
	return nil
}

// listConcurrent prints the packages that are worth the race detector's time.
func listConcurrent(tree *count.Tree) {
	found := map[string]bool{}
	for _, f := range tree.Files {
		if len(f.Goroutines()) > 0 && !count.IsInPlaces(f.Package, "bench", "bench/") {
			found[f.Package] = true
		}
	}
	for _, p := range slices.Sorted(maps.Keys(found)) {
		fmt.Println("./" + p)
	}
}
