// Command sure tests the rule "sure means sure" with generated repositories: every way of getting at a declaration, for each kind of
// declaration, under the same or another local name, with and without a syntax error in the file that uses it, used or unused. What is
// true follows from the construction, never from ken. The ways are rows in ways/*.txt; known.txt lists what is known to fail.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var o options
	flag.StringVar(&o.run, "run", "", "judge the cases whose id matches this expression")
	flag.IntVar(&o.sample, "sample", 0, "judge at most so many cases of each language, chosen by -seed; 0: all")
	flag.Uint64Var(&o.seed, "seed", 1, "of the sample")
	flag.StringVar(&o.dump, "dump", "", "write the trees of failing cases below this folder; with -run those of all cases")
	flag.StringVar(&o.check, "check", "", "have the languages' own parsers check the files of each whole case below this folder, and ask nothing")
	flag.BoolVar(&o.notes, "notes", false, "list also what is not decided and what is unused and not none")
	flag.BoolVar(&o.all, "known", false, "list also the faults that are known")
	flag.Parse()
	if err := o.main(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "sure:", err)
		os.Exit(1)
	}
}

type options struct {
	run, dump, check string
	sample           int
	seed             uint64
	notes, all       bool
}

// selectCases returns the cases that the options name.
func (o *options) selectCases() (out []*testCase, err error) {
	languages, err := readLanguages()
	if err != nil {
		return nil, err
	}
	pattern, err := regexp.Compile(o.run)
	if err != nil {
		return nil, err
	}
	for _, l := range languages {
		var list []*testCase
		for _, c := range l.cases() {
			if pattern.MatchString(c.id()) {
				list = append(list, c)
			}
		}
		out = append(out, pick(list, o.sample, o.seed)...)
	}
	return out, nil
}

func (o *options) main(ctx context.Context) error {
	list, err := o.selectCases()
	if err != nil {
		return err
	}
	if o.check != "" {
		return checkSources(ctx, o.check, list)
	}
	knowns, err := readKnown(knownText)
	if err != nil {
		return err
	}
	results, err := run(ctx, list)
	if err != nil {
		return err
	}
	fresh := 0
	for _, r := range results {
		for _, f := range r.faults {
			is := isKnown(knowns, r.c.id(), f)
			if !is {
				fresh++
			}
			if !is || o.all {
				fmt.Printf("FALSE %s  %s\n", r.c.id(), f)
			}
		}
		for _, n := range r.notes {
			if o.notes {
				fmt.Printf("note %s  %s\n", r.c.id(), n)
			}
		}
		if o.dump != "" && (len(r.faults) > 0 || o.run != "") {
			if err := dumpCase(o.dump, r.c); err != nil {
				return err
			}
		}
	}
	sum := writeTable(os.Stdout, results)
	var stale []string
	for _, k := range knowns {
		if k.met == 0 && o.run == "" && o.sample == 0 {
			stale = append(stale, k.pattern)
		}
	}
	switch {
	case fresh > 0:
		return fmt.Errorf("%d false answers that known.txt does not list", fresh)
	case len(stale) > 0:
		return fmt.Errorf("no case of these fails any more, take them out of known.txt:\n%s", strings.Join(stale, "\n"))
	case o.run == "" && sum.cases < 5000 && o.sample == 0:
		return fmt.Errorf("%d cases, want 5000", sum.cases)
	}
	return nil
}
