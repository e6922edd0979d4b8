// Command guard checks the promises of guarded tasks that tests of packages cannot check. It prints a table and fails if a promise
// is missed.
//
//	go run ./bench/guard -overlay [-runs N]
//
// -overlay has eight processes at once work in work trees of their own, from making one to merging and cleaning up. They are killed at
// random moments, some with the git that they run, and begun again until they are done (overlay.go, worker.go).
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"ken/bench/world"
)

type options struct {
	overlay bool
	runs    int
}

func main() {
	var o options
	var w worker
	flag.BoolVar(&o.overlay, "overlay", false, "work trees of eight processes that are killed")
	flag.IntVar(&o.runs, "runs", 200, "how often")
	flag.StringVar(&w.id, "worker", "", "be a worker in a work tree of this id (started by the program itself)")
	flag.StringVar(&w.dir, "dir", "", "project of the worker")
	flag.StringVar(&w.part, "part", "", "what the worker does")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if w.id != "" {
		if err := w.runPart(ctx); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if !o.overlay {
		flag.Usage()
		os.Exit(2)
	}
	t := &world.Table{}
	if err := errors.Join(runOverlays(ctx, &o, t), t.Summary()); err != nil {
		fmt.Fprintln(os.Stderr, "guard:", err)
		os.Exit(1)
	}
}
