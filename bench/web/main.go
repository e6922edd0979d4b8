// Command web tries ken's pages in Chromium and prints a table of what must be reached and what was; it ends with 1 if something was
// missed. It is a module of its own, because ken is built without a browser.
//
//	.ci/accept web [-axe FILE] [-short] [-shots FOLDER] REPOSITORY…
//
// which runs it in the root of the repository. A REPOSITORY is an indexed folder. It also makes a project with hostile names, and one
// whose pages are compared with pictures; with -short a seventh of the names is tried, and neither times nor the heap are measured, which
// other work on the machine changes. With -shots it writes pictures of all views of the repositories in both themes and two widths instead,
// with -questions it answers those of questions.txt. axe.min.js is of npm's axe-core; without it that row is not measured.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
)

// options are the arguments.
type options struct {
	ken, axe, shots string
	questions       string // clone of the repository of questions.txt
	short, update   bool
	repositories    []string
}

var errMissed = errors.New("something was missed")

func main() {
	var opt options
	flag.StringVar(&opt.ken, "ken", "ken", "the `PROGRAM`")
	flag.StringVar(&opt.axe, "axe", "", "axe.min.js, a `FILE` of npm's axe-core")
	flag.StringVar(&opt.shots, "shots", "", "`FOLDER` that pictures are written to")
	flag.StringVar(&opt.questions, "questions", "", "indexed clone of the repository of bench/web/questions.txt, in a `FOLDER`: the questions alone")
	flag.BoolVar(&opt.update, "update", false, "write the pictures of bench/web/pictures anew, to be looked at")
	flag.BoolVar(&opt.short, "short", false, "what takes a minute and depends on no other work of the machine")
	flag.Parse()
	opt.repositories = flag.Args()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, &opt)
	if errors.Is(err, errMissed) {
		os.Exit(1)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "web:", err)
		os.Exit(2)
	}
}

// run measures or takes pictures. It fails if Chromium or ken cannot be started, and with errMissed if a row was missed.
func run(ctx context.Context, opt *options) error {
	if opt.shots != "" {
		return takeShots(ctx, opt)
	}
	var t table
	if opt.questions != "" {
		if err := t.askQuestions(ctx, opt); err != nil {
			return err
		}
		return t.print()
	}
	scratch, err := os.MkdirTemp("", "ken-web")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	hostile, err := makeHostile(ctx, opt.ken, scratch)
	if err != nil {
		return err
	}
	t.checkAssets()
	if err := t.checkPictures(ctx, opt, scratch); err != nil {
		return err
	}
	if opt.update {
		return t.print()
	}
	for _, r := range append([]string{hostile}, opt.repositories...) {
		if err := t.checkRepository(ctx, opt, r, r == hostile); err != nil {
			return err
		}
	}
	return t.print()
}
