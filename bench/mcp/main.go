// Command mcp measures ken's server of the Model Context Protocol, and checks what it promises.
//
//	go run ./bench/mcp [-short] [-ken FILE] [-symbol NAME] [-word LITERAL] DIR
//
// DIR is an indexed project. The table has a line for each promise: what must be reached, and what was. One that is
// missed ends the program with 1; with -short no time counts, because continuous integration measures nothing well.
// A file bench_mcp_probe.go is written into DIR for the measurement of truth after an edit, and removed.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"time"
)

// bench is what is measured.
type bench struct {
	ken, dir, symbol, word string
	short                  bool
	missed                 int
}

func main() {
	var b bench
	flag.BoolVar(&b.short, "short", false, "little of everything, and no time counts")
	flag.StringVar(&b.ken, "ken", "", "ken binary (default: built from this tree)")
	flag.StringVar(&b.symbol, "symbol", "Pod", "name that show, refs and impact ask about")
	flag.StringVar(&b.word, "word", "kubelet", "literal that grep looks for and find asks about")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	b.dir = flag.Arg(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := b.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "mcp:", err)
		os.Exit(2)
	}
	if b.missed > 0 {
		os.Exit(1)
	}
}

func (b *bench) run(ctx context.Context) error {
	if b.ken == "" {
		dir, err := os.MkdirTemp("", "ken-bench-mcp-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		b.ken = filepath.Join(dir, "ken")
		if out, err := exec.CommandContext(ctx, "go", "build", "-o", b.ken, "./cmd/ken").CombinedOutput(); err != nil {
			return fmt.Errorf("build: %w: %s", err, out)
		}
	}
	fmt.Printf("| what | must reach | reached |\n|---|---|---|\n")
	for _, part := range []func(context.Context) error{b.start, b.calls, b.many, b.truth, b.killed} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	return nil
}

// row prints a line of the table. timed says that the promise is of a time.
func (b *bench) row(what, must, reached string, ok, timed bool) {
	if !ok {
		reached += " **missed**"
		if !timed || !b.short {
			b.missed++
		}
	}
	fmt.Printf("| %s | %s | %s |\n", what, must, reached)
}

func (b *bench) runs(n int) int {
	if b.short {
		return max(3, n/20)
	}
	return n
}

// start compares spawning a server up to its list of tools with "ken version", in turns.
func (b *bench) start(ctx context.Context) error {
	var version, listed []time.Duration
	for range b.runs(60) {
		began := time.Now()
		if err := exec.CommandContext(ctx, b.ken, "version").Run(); err != nil {
			return err
		}
		version = append(version, time.Since(began))
		began = time.Now()
		c, err := b.spawn(ctx)
		if err != nil {
			return err
		}
		if _, err := c.ask("tools/list", "{}"); err != nil {
			return err
		}
		listed = append(listed, time.Since(began))
		c.close()
	}
	v, l := share(version, 50), share(listed, 50)
	b.row("spawn, initialize, tools/list, p50", "≤ 3 × ken version", fmt.Sprintf("%s, %.1f × %s", ms(l), float64(l)/float64(v), ms(v)), l <= 3*v, true)
	return nil
}

// questions are the calls that are measured, each with the time that is aimed at.
func (b *bench) questions() []question {
	q := func(name, key, value string, aim int) question {
		return question{name, fmt.Sprintf(`{%q:%q}`, key, value), time.Duration(aim) * time.Millisecond}
	}
	return []question{
		q("show", "target", b.symbol, 15), q("refs", "name", b.symbol, 15), q("grep", "regex", b.word, 15),
		q("impact", "target", b.symbol, 40), q("find", "query", b.word, 60),
	}
}

type question struct {
	name, args string
	aim        time.Duration
}

// calls measures each question on one server, and how much memory the server has afterwards.
func (b *bench) calls(ctx context.Context) error {
	c, err := b.spawn(ctx)
	if err != nil {
		return err
	}
	defer c.close()
	for _, q := range b.questions() {
		took, err := c.timed(q, b.runs(60)+1)
		if err != nil {
			return err
		}
		p95 := share(took[1:], 95) // the first reads the index from disk
		b.row("tools/call "+q.name+", p95 (p50; first)", "aim "+ms(q.aim), fmt.Sprintf("%s (%s; %s)", ms(p95), ms(share(took[1:], 50)), ms(took[0])), p95 <= q.aim, true)
	}
	kb := resident(c.cmd.Process.Pid)
	b.row("memory after these calls", "≤ 60 MB idle", fmt.Sprintf("%d MB", kb/1024), kb <= 60<<10, true)
	return nil
}

// clients is how many ask at once.
const clients = 8

// many compares clients that ask at once with one.
func (b *bench) many(ctx context.Context) error {
	q := b.questions()[0]
	one, err := b.spawn(ctx)
	if err != nil {
		return err
	}
	alone, err := one.timed(q, b.runs(100))
	one.close()
	if err != nil {
		return err
	}
	type done struct {
		took []time.Duration
		err  error
	}
	results := make(chan done, clients)
	for range clients {
		go func() {
			c, err := b.spawn(ctx)
			if err != nil {
				results <- done{err: err}
				return
			}
			defer c.close()
			took, err := c.timed(q, b.runs(100))
			results <- done{took, err}
		}()
	}
	var all []time.Duration
	for range clients {
		r := <-results
		if r.err != nil {
			return r.err
		}
		all = append(all, r.took[1:]...)
	}
	limit := 1.5 * clients / float64(runtime.NumCPU())
	ratio := float64(share(all, 95)) / float64(share(alone[1:], 95))
	b.row("8 clients at once, p95 of show", fmt.Sprintf("≤ %.1f × one, no errors", limit), fmt.Sprintf("%.1f × %s, 0 errors", ratio, ms(share(alone[1:], 95))), ratio <= limit, true)
	return nil
}

// share is the percentile of durations.
func share(d []time.Duration, percent int) time.Duration {
	d = slices.Clone(d)
	slices.Sort(d)
	return d[min(len(d)-1, len(d)*percent/100)]
}

func ms(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }
