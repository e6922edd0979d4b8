// Command fleet measures what ken knows of several repositories at once.
//
//	go run ./bench/fleet -attributed [-mirror CLONES] [-work SCRATCH] [-only NAMES]
//	go run ./bench/fleet -precision DIR
//
// -attributed prints, for each language, which share of the uses of other packages is attributed to a package and a symbol, on the
// trees of trees.txt; CLONES has a bare clone of each, as bench/find takes them. -precision compares the uses in a Go module, whose
// dependencies are in the module cache, with those that go/types finds.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"ken/bench/world"
)

func main() {
	attributed := flag.Bool("attributed", false, "the share of uses that is attributed, on real trees")
	precision := flag.String("precision", "", "compare the uses of other packages in a Go module with those of go/types")
	var t trees
	flag.StringVar(&t.list, "trees", "bench/fleet/trees.txt", "list of trees")
	flag.StringVar(&t.mirror, "mirror", "", "folder of clones")
	flag.StringVar(&t.work, "work", "", "folder of work trees, which is kept")
	flag.StringVar(&t.only, "only", "", "only repositories whose name contains this")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, &t, *attributed, *precision); err != nil {
		fmt.Fprintln(os.Stderr, "fleet:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, t *trees, attributed bool, precision string) error {
	scratch, remove, err := world.Scratch("fleet")
	if err != nil {
		return err
	}
	defer remove()
	ken, err := world.Build(ctx, scratch)
	if err != nil {
		return err
	}
	switch {
	case attributed && t.mirror != "" && t.work != "":
		return t.attributed(ctx, ken)
	case precision != "":
		return judge(ctx, ken, precision)
	}
	flag.Usage()
	return fmt.Errorf("nothing to do")
}
