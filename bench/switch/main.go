// Command switch measures what it costs to bring an index up to date after a
// checkout of another commit, against a full index of that commit.
//
//	go run ./bench/switch -repos NAME=DIR,… [-seed 1] [-pairs 40] [-rename DIR/FOLDER] [-ken FILE] [-work SCRATCH]
//
// DIR is a bare git directory of a repository with its history; without NAME= it is
// named by its folder. Pairs of commits of the first-parent line are drawn by
// the seed, a fifth each 1, 10, 100 and 1,000 commits apart and at random, in
// either direction. Of each pair the first commit is checked out and indexed, then the
// second is checked out, and `ken index` over the first's index and over none
// are measured in turns: the better of -rounds, by wall time and by processor time, each with
// caches of its own that hold nothing but what the first index left there. The
// share of files changed is that of all paths of both commits. An update may take
//
//	min(1.2, 0.15 + 1.2 × share) × full + 50 ms
//
// Afterwards the updated index must hold the same facts as the new one.
//
// -rename measures the same after a folder of a tree got another name, which may
// take 1.2 × full. The tree is copied.
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
	"strings"
)

type options struct {
	repos, rename, ken, work string
	pairs, rounds, from      int
	seed                     uint64
}

func main() {
	var o options
	flag.StringVar(&o.repos, "repos", "", "bare git directories, by commas, each as DIR or NAME=DIR")
	flag.StringVar(&o.rename, "rename", "", "folder to rename, as TREE/FOLDER")
	flag.StringVar(&o.ken, "ken", "", "ken binary (default: built from this tree)")
	flag.StringVar(&o.work, "work", "", "scratch folder (default: a temporary one)")
	flag.IntVar(&o.pairs, "pairs", 40, "pairs a repository")
	flag.IntVar(&o.from, "from", 0, "pairs to pass over, so that a run can be continued")
	flag.IntVar(&o.rounds, "rounds", 1, "runs of each measurement, the best of which counts")
	flag.Uint64Var(&o.seed, "seed", 1, "what the pairs are drawn by")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "switch:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	if o.repos == "" && o.rename == "" {
		return errors.New("neither -repos nor -rename is given")
	}
	if o.work == "" {
		tmp, err := os.MkdirTemp("", "ken-switch")
		if err != nil {
			return err
		}
		defer os.RemoveAll(tmp)
		o.work = tmp
	}
	if o.ken == "" {
		o.ken = filepath.Join(o.work, "ken")
		build := exec.CommandContext(ctx, "go", "build", "-o", o.ken, "./cmd/ken")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return err
		}
	}
	var t table
	t.head()
	for _, repo := range strings.FieldsFunc(o.repos, func(r rune) bool { return r == ',' }) {
		if err := t.repository(ctx, o, repo); err != nil {
			return fmt.Errorf("%s: %w", repo, err)
		}
	}
	if o.rename != "" {
		if err := t.renamed(ctx, o); err != nil {
			return fmt.Errorf("rename %s: %w", o.rename, err)
		}
	}
	t.summary()
	return nil
}
