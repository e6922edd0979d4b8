// Command mcp measures ken's server of the Model Context Protocol and checks its
// promises.
//
//	go run ./bench/mcp [-short] [-speed] DIR
//	go run ./bench/mcp -short
//	go run ./bench/mcp -conformance
//	go run ./bench/mcp [-short] -inspector [DIR]
//	go run ./bench/mcp -sdk
//	go run ./bench/mcp -install
//
// DIR is an indexed project; -short without one makes a small one, and no time
// counts. -conformance runs the protocol's own tests over HTTP, -inspector has its
// inspector list and use everything, -sdk clients of the Python and TypeScript
// SDKs; npm and pip install them into the user's cache, which -install does alone
// for npm's. Clients are killed, and bad input is sent, on small projects.
// A folder bench_mcp_probe is made in DIR for edits, and removed.
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
	"ken/bench/world"
)

// bench is a run of the program.
type bench struct {
	*world.Table
	ken, dir string
	speed    bool
	only     func(context.Context) error // the one part to do; nil for the table
}

// What the questions are about, in kubernetes and in a made project.
const (
	symbol = "Pod"     // show, refs and impact
	word   = "kubelet" // grep and find
)

func main() {
	if len(os.Args) == 4 && os.Args[1] == killClient {
		fmt.Fprintln(os.Stderr, askUntilKilled(os.Args[2], os.Args[3])) // it returns only if it could not go on
		os.Exit(1)
	}
	b := bench{Table: &world.Table{}}
	flag.BoolVar(&b.Short, "short", false, "little of everything, and no time counts")
	flag.BoolVar(&b.speed, "speed", false, "measure starts and calls alone")
	var t others.Trial
	for name, part := range map[string]func(context.Context) error{"conformance": t.Conformance, "inspector": t.Inspector, "sdk": t.SDKs, "install": t.Install} {
		flag.BoolFunc(name, "this part alone", func(string) error {
			b.only = func(ctx context.Context) error {
				t.Ken, t.Dir, t.Short = b.ken, b.dir, b.Short
				err := part(ctx)
				b.Missed += t.Missed
				return err
			}
			return nil
		})
	}
	flag.Parse()
	if flag.NArg() > 1 || flag.NArg() == 0 && b.only == nil && !b.Short {
		flag.Usage()
		os.Exit(2)
	}
	b.dir = flag.Arg(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := b.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "mcp:", err)
		os.Exit(1)
	}
}

func (b *bench) run(ctx context.Context) error {
	scratch, remove, err := world.Scratch("ken-bench-mcp-")
	if err != nil {
		return err
	}
	defer remove()
	if b.ken, err = world.Build(ctx, scratch); err != nil {
		return err
	}
	if b.only != nil {
		if err := b.only(ctx); err != nil {
			return err
		}
		return b.Summary()
	}
	if b.dir == "" {
		os.Setenv("KEN_STATE", filepath.Join(scratch, "state"))
		if b.dir, err = b.makeProject(ctx, scratch); err != nil {
			return err
		}
	}
	parts := []func(context.Context) error{
		b.measureStart, b.measureCalls, b.measureClients, b.editAndAsk, b.switchAndAsk, b.killClients, b.sendBadInput,
	}
	if b.speed {
		parts = parts[:3]
	}
	for _, part := range parts {
		if err := part(ctx); err != nil {
			return err
		}
	}
	return b.Summary()
}

// runCount returns n, or a twentieth of it in a short run.
func (b *bench) runCount(n int) int {
	if b.Short {
		return max(3, n/20)
	}
	return n
}

// measureStart compares spawning a server up to its list of tools with "ken version", in turns.
func (b *bench) measureStart(ctx context.Context) error {
	var version, listed []time.Duration
	for range b.runCount(60) {
		began := time.Now()
		if err := exec.CommandContext(ctx, b.ken, "version").Run(); err != nil {
			return err
		}
		version = append(version, time.Since(began))
		began = time.Now()
		c, err := b.spawnServer(ctx)
		if err != nil {
			return err
		}
		if _, err := c.Request("tools/list", world.Params{}); err != nil {
			return err
		}
		listed = append(listed, time.Since(began))
		c.Close()
	}
	v, l := world.Percentile(version, 50), world.Percentile(listed, 50)
	b.RowOfTime("spawn, initialize, tools/list, p50", "≤ 3 × ken version", fmt.Sprintf("%s, %.1f × %s", world.Millis(l), float64(l)/float64(v), world.Millis(v)), l <= 3*v)
	return nil
}

// client is a server that answers one request at a time.
type client struct{ *world.Client }

func (b *bench) spawnServer(ctx context.Context) (*client, error) {
	c, err := world.Start(exec.CommandContext(ctx, b.ken, "-C", b.dir, "mcp"), "2025-11-25")
	return &client{c}, err
}

// call calls a tool, given as the parameters of the request, and returns the line of
// the answer, which may be an error.
func (c *client) call(params string) ([]byte, error) {
	return c.Exchange(c.Message("tools/call", params))
}

// mustCall calls a tool and fails if the answer is an error.
func (c *client) mustCall(params string) ([]byte, error) {
	line, err := c.call(params)
	if err == nil && isRefused(line) {
		err = fmt.Errorf("%.60s: %.300s", params, line)
	}
	return line, err
}
