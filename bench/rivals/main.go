// Command rivals measures ken beside other programs that answer the same questions, each in its documented default, on repositories on
// which none of them was tuned (corpus.txt, written before the first run).
//
//	go run ./bench/rivals -mirror CLONES -work SCRATCH [-short] [-only NAMES] [-seed 34] [-commits 60] [-runs 3]
//	    [-parts index,symbols,commits,reading] [-ken PROGRAM] [-v]
//
// CLONES holds owner+name/repo git directories. The programs are installed from npm, PyPI, the Go proxy and Debian at the versions of
// install.go and package.json, into the user's cache folder; one that cannot be had, or does not run, has a row that gives the reason.
//
// The work is the same for all: an index of the five repositories from nothing; the index after an edit of one file; the definitions and
// references of symbols, whose truth (truth/LANGUAGE.jsonl) go/types, TypeScript, pyright, javac and intelephense know; the files that 60
// commits changed, in at most 2,000 tokens of what a program answers to the commit's message; and the tokens of its listing of tools.
// Programs take turns, and times are given as multiples of ken's in the same turn, because machines are noisy.
//
// With -short the program looks for mistakes of its own: one repository, three symbols of each, two commits, and what is installed.
//
// `go run ./bench/refs -lang LANGUAGE -trees FOLDER -truth FOLDER -seed 34 -n 30` wrote the truth.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"ken/bench/commits"
	"ken/bench/world"
	"ken/internal/token"
)

type bench struct {
	mirror, work, only, program, parts string
	short, verbose                     bool
	seed                               uint64
	commits, runs                      int
	counter                            *token.Tokenizer
	trees                              []tree
}

func main() {
	b := bench{}
	flag.StringVar(&b.mirror, "mirror", "", "folder of clones")
	flag.StringVar(&b.work, "work", "", "scratch folder")
	flag.StringVar(&b.only, "only", "", "names of programs, by commas, beside ken")
	flag.StringVar(&b.program, "ken", "", "program to measure instead of that of this tree")
	flag.StringVar(&b.parts, "parts", "index,symbols,commits,reading", "what is measured")
	flag.BoolVar(&b.short, "short", false, "a small run that shows that the program works")
	flag.BoolVar(&b.verbose, "v", false, "print what is missed")
	flag.Uint64Var(&b.seed, "seed", 34, "seed by which commits are drawn")
	flag.IntVar(&b.commits, "commits", 60, "number of commits")
	flag.IntVar(&b.runs, "runs", 3, "turns of what is timed")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := b.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "rivals:", err)
		os.Exit(1)
	}
}

func (b *bench) run(ctx context.Context) (err error) {
	if b.mirror == "" || b.work == "" {
		return fmt.Errorf("-mirror and -work are needed")
	}
	if b.counter, err = token.NewTokenizer(token.TokenizerO200K); err != nil {
		return err
	}
	if b.work, err = filepath.Abs(b.work); err != nil {
		return err
	}
	if err := os.MkdirAll(b.work, 0o755); err != nil {
		return err
	}
	if b.program == "" {
		if b.program, err = world.Build(ctx, b.work); err != nil {
			return err
		}
	}
	if b.short {
		b.commits, b.runs = 2, 1
	}
	if err := b.openTrees(ctx); err != nil {
		return err
	}
	rivals, err := install(ctx, filepath.Join(b.work, "home"), b.program, b.only)
	if err != nil {
		return err
	}
	for _, part := range strings.Split(b.parts, ",") {
		switch part {
		case "index":
			err = b.timeIndexes(ctx, rivals)
		case "symbols":
			err = b.askAllSymbols(ctx, rivals)
		case "reading":
			err = b.measureReading(ctx, rivals[0])
		case "commits":
			err = b.askCommits(ctx, rivals)
		default:
			err = fmt.Errorf("there is no part %q", part)
		}
		if err != nil {
			return err
		}
	}
	b.print(rivals)
	return nil
}

// askCommits asks every program that takes a goal about each drawn commit, in a tree of its own.
func (b *bench) askCommits(ctx context.Context, rivals []*rival) error {
	tasks, err := commits.Draw(ctx, b.mirror, "bench/rivals/corpus.txt", b.seed, b.commits)
	if err != nil {
		return err
	}
	for i := range tasks {
		t := &tasks[i]
		dir, files, err := b.treeBefore(ctx, t)
		if err != nil {
			return err
		}
		rivals[0].scoreFor(countOfWords).Add(t, commits.WordCount(b.counter, budget, dir, t.Query, files))
		for _, r := range rivals {
			if err := b.askCommit(ctx, r, t, dir, files); err != nil {
				return fmt.Errorf("%s: %s: %w", r.name, t.ID, err)
			}
		}
	}
	return nil
}

// treeBefore returns the tree before a commit, and its files.
func (b *bench) treeBefore(ctx context.Context, t *commits.Task) (dir string, files []string, err error) {
	folder := filepath.Join(b.work, "commits")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", nil, err
	}
	if dir, err = world.ShareClone(ctx, b.mirror, t.Repo, folder); err != nil {
		return "", nil, err
	}
	if err := world.Checkout(ctx, dir, t.Base); err != nil {
		return "", nil, err
	}
	list, err := world.Git(ctx, dir, "ls-files")
	return dir, strings.Split(list, "\n"), err
}

func (b *bench) askCommit(ctx context.Context, r *rival, t *commits.Task, dir string, files []string) error {
	if len(r.goals) == 0 || r.broken != "" {
		return nil
	}
	if !r.reads {
		if err := errors.Join(r.clean(dir), r.index(ctx, dir)); err != nil {
			return err
		}
	}
	for _, way := range r.goals {
		text, err := way.ask(ctx, dir, t.Query)
		if err != nil {
			return err
		}
		missed := r.scoreFor(way.name).Add(t, commits.NamedPaths(b.cut(text), files))
		if b.verbose && len(missed) > 0 {
			fmt.Fprintf(os.Stderr, "%s, %s: %s misses %s\n", r.name, way.name, t.ID, strings.Join(missed, ", "))
		}
	}
	if r.reads {
		return nil
	}
	return r.clean(dir)
}

// cut returns the first lines of an answer that are within the budget.
func (b *bench) cut(text string) string {
	if b.counter.Count([]byte(text)) <= budget {
		return text
	}
	lines := strings.SplitAfter(text, "\n")
	for i, tokens := 0, 0; i < len(lines); i++ {
		if tokens += b.counter.Count([]byte(lines[i])); tokens > budget {
			return strings.Join(lines[:i], "")
		}
	}
	return text
}
