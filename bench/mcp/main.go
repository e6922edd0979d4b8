// Command mcp measures ken's server of the Model Context Protocol, and checks what it promises.
//
//	go run ./bench/mcp [-short] [-speed] [-ken FILE] [-symbol NAME] [-word LITERAL] DIR
//	go run ./bench/mcp -short
//	go run ./bench/mcp -conformance
//	go run ./bench/mcp [-short] -inspector [DIR]
//	go run ./bench/mcp -install
//
// -conformance runs the protocol's own tests over HTTP, -inspector has its inspector list and use everything (npm installs both
// into the user's cache, which -install does alone).
//
// DIR is an indexed project; -short without one makes a small one. The table has a line for each promise: what must be
// reached, and what was. One that is missed ends the program with 1; with -short no time counts, because continuous
// integration measures nothing well. Clients are killed, and bad input is given, on small projects made for that.
// A folder bench_mcp_probe is made in DIR for the measurement of truth after an edit, and removed.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"time"

	"ken/bench/mcp/others"
)

func main() {
	if len(os.Args) == 4 && os.Args[1] == killClient {
		fmt.Fprintln(os.Stderr, beKilled(os.Args[2], os.Args[3])) // it comes back only if it could not go on
		os.Exit(1)
	}
	var b bench
	flag.BoolVar(&b.short, "short", false, "little of everything, and no time counts")
	flag.BoolVar(&b.speed, "speed", false, "measure how long starts and calls take, and no more")
	flag.StringVar(&b.ken, "ken", "", "ken binary (default: built from this tree)")
	flag.StringVar(&b.symbol, "symbol", "Pod", "name that show, refs and impact ask about")
	flag.StringVar(&b.word, "word", "kubelet", "literal that grep looks for and find asks about")
	user, _ := os.UserCacheDir()
	var t others.Trial
	flag.StringVar(&t.Cache, "cache", filepath.Join(user, "ken-mcp"), "folder that npm installs into")
	for name, part := range map[string]func(context.Context) error{"conformance": t.Conformance, "inspector": t.Inspector, "install": t.Install} {
		flag.BoolFunc(name, "do what is said above and no more", func(string) error {
			b.only = func(ctx context.Context) error {
				t.Ken, t.Dir, t.Short = b.ken, b.dir, b.short
				err := part(ctx)
				b.missed += t.Missed
				return err
			}
			return nil
		})
	}
	flag.Parse()
	if flag.NArg() > 1 || flag.NArg() == 0 && b.only == nil && !b.short {
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
	if b.only != nil {
		return b.only(ctx)
	}
	fmt.Printf("| what | must reach | reached |\n|---|---|---|\n")
	if b.dir == "" {
		home, dir, err := b.ownProject(ctx)
		if err != nil {
			return err
		}
		defer os.RemoveAll(home)
		b.dir = dir
	}
	parts := []func(context.Context) error{b.start, b.calls, b.many, b.truth, b.killed, b.badInput}
	if b.speed {
		parts = parts[:3]
	}
	for _, part := range parts {
		if err := part(ctx); err != nil {
			return err
		}
	}
	return nil
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
