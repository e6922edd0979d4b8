// Command ken answers questions about a repository from an index that stays true.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"ken/internal/app"
)

func main() { os.Exit(run()) }

// run is the program; a second signal ends it at once.
func run() int {
	heap := app.Collect(os.Getenv)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	dir, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(os.Stderr, "ken: find the working directory:", err)
		return app.Failed
	}
	self, _ := os.Executable() // without its path no index is built in the background
	p := app.Program{Self: self, Args: os.Args[1:], Getenv: os.Getenv, Dir: dir, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
	p.Heap = heap
	return p.Run(ctx)
}
