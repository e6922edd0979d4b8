// Command cheats replays what clients have tried to get past the guard of a task: each script of cheats.txt in a repository of its own,
// with hooks. A script ends with 0 if its cheat got through. Usage:
// go run ./bench/sound/cheats [-repo CLONE] [-full] [-mcp] [-run REGEXP] [-v]
package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"ken/bench/world"
)

// script has the cheats, each below a line "== NAME", or "== documented NAME" for one that docs/guard.md says ken cannot stop, and for
// what is no cheat, by which the scripts are checked. What is above the first is run before each.
//
//go:embed cheats.txt
var script string

func main() {
	only := flag.String("run", "", "only cheats whose names match")
	verbose := flag.Bool("v", false, "print what each script prints")
	repo := flag.String("repo", "", "a clone in which the scripts run, instead of a repository of two packages")
	full := flag.Bool("full", false, "at level full: the cheats that begin with leave for a declaration, after all that the level demands")
	overMCP := flag.Bool("mcp", false, "as a client of the server for agents calls, instead of by the command line")
	flag.Parse()
	if flag.Arg(0) == "call" {
		os.Exit(forward(flag.Arg(1), flag.Args()[2:]))
	}
	through, err := run(*only, *repo, *full, *overMCP, *verbose)
	if err != nil {
		fmt.Fprintln(os.Stderr, "cheats:", err)
		os.Exit(2)
	}
	if through > 0 {
		os.Exit(1)
	}
}

func run(only, repo string, full, overMCP, verbose bool) (through int, err error) {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return 0, err
	}
	dir, remove, err := world.Scratch("ken-cheats-")
	if err != nil {
		return 0, err
	}
	defer remove()
	ken, err := world.Build(context.Background(), dir)
	if err != nil {
		return 0, err
	}
	parts := strings.Split(script, "\n== ")
	documented, held := 0, 0
	for i, p := range parts[1:] {
		name, body, _ := strings.Cut(p, "\n")
		name, known := strings.CutPrefix(name, "documented ")
		if !pattern.MatchString(name) || overMCP && strings.Contains(name, "in a shell") { // what the protocol does not have
			continue
		}
		if full {
			if !strings.Contains(body, read) || !strings.Contains(body, leave) && !strings.Contains(body, " T; ") {
				continue
			}
			body = strings.ReplaceAll(strings.ReplaceAll(body, "start auto s", "start full s"), read, "ready;")
		}
		at := filepath.Join(dir, fmt.Sprint(i))
		out, err := play(at, ken, repo, parts[0]+"\n"+body, overMCP)
		failed := &exec.ExitError{}
		switch {
		case err != nil && !errors.As(err, &failed):
			return through, err
		case err != nil && failed.ExitCode() == 99:
			return through, fmt.Errorf("%s: its preparation failed: %s", name, out)
		case err != nil && strings.Contains(name, "no cheat"):
			through++
			fmt.Printf("an honest one was refused: %s\n%s", name, out)
		case err != nil:
			held++
		case known:
			documented++
		default:
			through++
			fmt.Printf("got through: %s\n%s", name, out)
		}
		if verbose {
			fmt.Printf("%s: %v\n%s\n", name, err, out)
		}
	}
	fmt.Printf("%d cheats held, %d documented and honest ones got through, %d others got through or honest ones were refused (must be 0)\n", held, documented, through)
	return through, nil
}

// What scripts do at level auto to get leave for the declaration.
const (
	read  = "ok k get_function_at_line web/cart.go 9;"
	leave = "ok k check_write_target price/price.go:Price;"
)

// play runs a script in a folder of its own.
func play(dir, ken, repo, body string, overMCP bool) ([]byte, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	c := exec.Command("sh", "-c", body)
	c.Dir = dir
	c.Env = world.Environment(filepath.Join(dir, "home"))
	c.Env = append(c.Env, "KEN="+ken, "REPO="+repo, "KEN_STATE="+filepath.Join(dir, "state"), "CLAUDE_CODE_SESSION_ID=")
	if overMCP {
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		socket := filepath.Join(dir, "socket")
		l, err := net.Listen("unix", socket)
		if err != nil {
			return nil, err
		}
		r := &relay{ken: ken, env: c.Env, log: io.Discard, clients: map[string]*world.Client{}}
		done := make(chan struct{})
		go func() { r.serve(l); close(done) }()
		defer func() { l.Close(); <-done }()
		c.Env = append(c.Env, "CALL="+self, "SOCKET="+socket)
	}
	return c.CombinedOutput()
}
