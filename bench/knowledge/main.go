// Command knowledge checks what ken promises of the knowledge that it keeps: how much it helps, how fast it is, that nothing of it is
// lost, that its exports have the shape of the tools they are for, and that bad input is named and harms nothing. It prints a
// table of what must be reached and what was, and ends with 1 if something was missed.
//
//	go run ./bench/knowledge [-short] [-ken PROGRAM] [-data FOLDER -mirror CLONES -work SCRATCH]
//
// It has to be started in the repository. What single packages promise is measured by their own tests, which it runs; what only the
// program as a whole can show is in kill.go (processes that are killed) and cost.go (what noting answers costs).
// -data, -mirror and -work are those of bench/find, whose measurement with a memory takes an hour; without them its row says so.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
)

type options struct {
	short              bool
	ken, scratch       string
	data, mirror, work string
}

func main() {
	var o options
	flag.BoolVar(&o.short, "short", false, "little of everything, and no time counts")
	flag.StringVar(&o.ken, "ken", "", "ken binary (default: built from this tree)")
	flag.StringVar(&o.data, "data", "", "folder of the tasks of bench/find")
	flag.StringVar(&o.mirror, "mirror", "", "folder of their clones")
	flag.StringVar(&o.work, "work", "", "scratch folder of bench/find")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	t := &table{}
	if err := run(ctx, &o, t); err != nil {
		fmt.Fprintln(os.Stderr, "knowledge:", err)
		os.Exit(1)
	}
	fmt.Printf("\n%d kept, %d missed, %d not measured here\n", t.kept, t.missed, t.left)
	if t.missed > 0 {
		os.Exit(1)
	}
}

func run(ctx context.Context, o *options, t *table) error {
	scratch, err := os.MkdirTemp("", "ken-knowledge")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	if o.scratch, err = filepath.EvalSymlinks(scratch); err != nil {
		return err
	}
	if o.ken == "" {
		o.ken = filepath.Join(o.scratch, "ken")
		build := exec.CommandContext(ctx, "go", "build", "-o", o.ken, "./cmd/ken")
		build.Stdout, build.Stderr = os.Stdout, os.Stderr
		if err := build.Run(); err != nil {
			return fmt.Errorf("build ken: %w", err)
		}
	}
	t.head()
	for _, part := range []func(context.Context, *options, *table) error{helps, tested, killed, noted} {
		if err := part(ctx, o, t); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// table prints rows as they come.
type table struct{ kept, missed, left int }

func (t *table) head() {
	fmt.Println("| what | must reach | reached | |")
	fmt.Println("|---|---|---|---|")
}

func (t *table) row(what, must, reached string, ok bool) {
	mark := "✓"
	if ok {
		t.kept++
	} else {
		mark = "✗"
		t.missed++
	}
	t.print(what, must, reached, mark)
}

// leave adds a row of what is not measured in this run.
func (t *table) leave(what, must, why string) {
	t.left++
	t.print(what, must, why, "–")
}

func (t *table) print(what, must, reached, mark string) {
	cell := func(s string) string { return strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "|", "/") }
	fmt.Printf("| %s | %s | %s | %s |\n", cell(what), cell(must), cell(reached), mark)
}

// helps measures what a memory changes in the answers of ken find, if there is something to measure on.
func helps(ctx context.Context, o *options, t *table) error {
	const what = "`go run ./bench/find -memory`: earlier tasks remembered"
	const must = "without history ≥ +2 points of Acc@5, with it not under −0.3; no language of 40 tasks below −1"
	if o.mirror == "" || o.data == "" || o.short {
		t.leave(what, must, "takes -data, -mirror and -work")
		return nil
	}
	cmd := exec.CommandContext(ctx, "go", "run", "./bench/find", "-memory", "-data", o.data, "-mirror", o.mirror, "-work", o.work)
	out, err := cmd.CombinedOutput()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	t.row(what, must, strings.Join(lines[max(0, len(lines)-3):], "; "), err == nil)
	return nil
}
