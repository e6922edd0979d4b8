// Command planning checks the promises about planning folders: every version of every file in them is read and written back
// byte for byte, an edit touches the bytes of its field alone, nothing panics, and killed processes lose nothing. It
// prints a table and fails if a promise is missed.
//
//	go run ./bench/planning [-short] [-mirror CLONES] [-corpus FILE] [-oracle PROGRAM] [-speed] [-answers [-only NAME]] [-changes] [-v]
//
// The corpus is a list of public repositories, owner/name@commit; -mirror is a folder of their clones, each as owner+name/repo. The
// short form needs neither: it reads a made folder, with every fault that people and programs leave in such files.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
)

type options struct {
	short, verbose  bool
	answers, speed  bool
	changes         bool
	mirror, corpus  string
	oracle, healthy string
	only            string
}

func main() {
	if len(os.Args) == 3 && os.Args[1] == counting {
		if err := count(context.Background(), os.Args[2]); err != nil {
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
	flag.BoolVar(&o.verbose, "v", false, "a line a repository, and what is wrong with files")
	flag.StringVar(&o.mirror, "mirror", "", "folder of clones, each as owner+name/repo")
	flag.StringVar(&o.corpus, "corpus", "bench/planning/corpus.txt", "list of repositories")
	flag.StringVar(&o.oracle, "oracle", "", "gsd-tools.cjs of get-shit-done-cc@1.37.1, whose answers are compared; it runs under node")
	flag.StringVar(&o.healthy, "healthy", "bench/planning/healthy.txt", "list of commits to compare answers on")
	flag.StringVar(&o.only, "only", "", "with -answers: operations whose name has this in it")
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
	if o.speed {
		return speed(ctx, o)
	}
	if o.changes {
		return checkMutations(ctx, 50, 20)
	}
	if o.answers {
		return compareAnswers(ctx, o)
	}
	made := &tally{}
	for name, text := range madeUp() {
		made.file(name, text)
	}
	missed += made.row("made-up folder")
	n, err := checkFolder()
	if err != nil {
		return missed, err
	}
	missed += n
	processes := 50
	if o.short {
		processes = 8
	}
	if n, err = checkKilled(ctx, processes); err != nil {
		return missed, err
	}
	missed += n
	lines, each := 50, 20
	if o.short {
		lines, each = 4, 4
	}
	if n, err = checkMutations(ctx, lines, each); err != nil {
		return missed, err
	}
	missed += n
	if !o.short {
		if n, err = speed(ctx, o); err != nil {
			return missed, err
		}
		missed += n
	}
	if o.short || o.mirror == "" {
		if !o.short {
			fmt.Println("not measured here: repositories of the corpus (-mirror names their clones)")
		}
		return missed, nil
	}
	list, err := readCorpus(o.corpus)
	if err != nil {
		return missed, err
	}
	all := &tally{}
	for _, r := range list {
		one := &tally{verbose: o.verbose}
		if err := one.history(ctx, o.mirror, r); err != nil {
			return missed, fmt.Errorf("%s: %w", r.name, err)
		}
		if o.verbose {
			one.row(r.name)
		}
		all.add(one)
	}
	missed += all.row(fmt.Sprintf("%d repositories", len(list)))
	if o.oracle == "" {
		fmt.Println("not measured here: answers of the other program (-oracle)")
		return missed, nil
	}
	n, err = compareAnswers(ctx, o)
	return missed + n, err
}

type repository struct{ name, commit string }

func readCorpus(file string) ([]repository, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var list []repository
	for line := range strings.Lines(string(text)) {
		if name, commit, ok := strings.Cut(strings.TrimSpace(line), "@"); ok && !strings.HasPrefix(name, "#") {
			list = append(list, repository{name, commit})
		}
	}
	return list, nil
}
