// Command planning checks the promises about planning folders: every version of every file in them is read and written back
// byte for byte, an edit touches the bytes of its field alone, nothing panics, killed processes lose nothing, and a phase can be lived
// through by typing what ken names next. It
// prints a table and fails if a promise is missed.
//
//	go run ./bench/planning [-short] [-mirror CLONES] [-oracle PROGRAM] [-speed] [-answers] [-changes] [-walk] [-views N]
//
// corpus.txt lists public repositories, owner/name@commit; -mirror is a folder of their clones, each as owner+name/repo. The
// short form needs neither: it reads a made folder, with every fault that people and programs leave in such files.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"ken/bench/world"
)

type options struct {
	short                   bool
	answers, speed, changes bool // this part and no more
	walk                    bool // this part and no more, with all that is printed
	views                   int
	seed                    uint64
	mirror, oracle          string
	cache, folders          string
	verbose                 bool
}

func main() {
	if len(os.Args) == 3 && os.Args[1] == countingArgument {
		if err := countInFolder(context.Background(), os.Args[2]); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		return
	}
	var o options
	flag.BoolVar(&o.short, "short", false, "the folder that is made up, and no more")
	flag.BoolVar(&o.answers, "answers", false, "with -oracle and -mirror: the comparison of answers, and no more")
	flag.BoolVar(&o.speed, "speed", false, "how long cold processes take, and no more; with -oracle also those of the other program")
	flag.BoolVar(&o.changes, "changes", false, "50 lines of 20 processes that change a folder, some of them killed, and no more")
	flag.BoolVar(&o.walk, "walk", false, "a phase that is lived through by typing what ken names next, with all answers, and no more")
	flag.IntVar(&o.views, "views", 0, "so many random sequences after whose steps all views of a folder are compared, and no more")
	flag.Uint64Var(&o.seed, "seed", 1, "with -views: the number of the first sequence")
	flag.StringVar(&o.mirror, "mirror", "", "folder of clones, each as owner+name/repo")
	flag.StringVar(&o.cache, "cache", "", "with -answers: a folder in which answers of the other program are kept")
	flag.StringVar(&o.folders, "folders", "", "with -answers: the made folders whose names contain this, and no others")
	flag.BoolVar(&o.verbose, "v", false, "with -answers: print each difference that has no row")
	flag.StringVar(&o.oracle, "oracle", "", "gsd-tools.cjs of get-shit-done-cc@1.37.1, whose answers are compared; it runs under node")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	missed, err := run(ctx, &o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "planning:", err)
		os.Exit(1)
	}
	if missed > 0 {
		fmt.Printf("\n%d missed\n", missed)
		os.Exit(1)
	}
}

func run(ctx context.Context, o *options) (missed int, err error) {
	switch {
	case o.views > 0:
		return compareViews(ctx, o.views, o.seed)
	case o.walk:
		return walkPhase(ctx, true)
	case o.speed:
		return measureSpeed(ctx, o)
	case o.changes:
		return checkMutations(ctx, 50, 20)
	case o.answers:
		return compareAnswers(ctx, o)
	}
	made := &fileTally{}
	for name, text := range madeVariants() {
		made.checkFile(name, text)
	}
	missed = made.printRow("made-up folder")
	processes, lines, each := 50, 50, 20
	if o.short {
		processes, lines, each = 8, 4, 4
	}
	parts := []func() (int, error){
		checkFolder, func() (int, error) { return checkKilled(ctx, processes) }, func() (int, error) { return checkMutations(ctx, lines, each) },
		func() (int, error) { return walkPhase(ctx, false) },
	}
	if !o.short {
		parts = append(parts, func() (int, error) { return measureSpeed(ctx, o) }, func() (int, error) { return readHistories(ctx, o) })
	}
	for _, part := range parts {
		n, err := part()
		if missed += n; err != nil {
			return missed, err
		}
	}
	return missed, nil
}

// readHistories checks the files in the histories of the corpus, and compares answers, where this machine has clones and the other program.
func readHistories(ctx context.Context, o *options) (missed int, err error) {
	if o.mirror == "" {
		fmt.Println("not measured here: repositories of the corpus (-mirror names their clones)")
		return 0, nil
	}
	list, err := world.Corpus("bench/planning/corpus.txt")
	if err != nil {
		return missed, err
	}
	all := &fileTally{}
	for _, r := range list {
		if err := all.readHistory(ctx, o.mirror, r); err != nil {
			return missed, fmt.Errorf("%s: %w", r.Repository, err)
		}
	}
	missed = all.printRow(fmt.Sprintf("%d repositories", len(list)))
	if o.oracle == "" {
		fmt.Println("not measured here: answers of the other program (-oracle)")
		return missed, nil
	}
	n, err := compareAnswers(ctx, o)
	return missed + n, err
}
