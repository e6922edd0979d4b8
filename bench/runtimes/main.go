// Command runtimes tries ken in agents other than Claude Code, as they are, with a scripted model on the loopback interface: ken is
// installed for a user, an agent writes a file and asks ken, and what reached the model, the index and the memory is looked at.
//
//	go run ./bench/runtimes [-only codex,gemini] [-keep FOLDER]
package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/bench/world"
)

//go:embed package.json
var manifest []byte

// maxSession is the longest time of a session; a usual one takes some seconds.
const maxSession = 2 * time.Minute

func main() {
	only := flag.String("only", "", "names of clients, with commas between")
	keep := flag.String("keep", "", "a folder for what was asked of the model and what the clients printed")
	flag.Parse()
	missed, err := run(context.Background(), *only, *keep)
	if err != nil {
		fmt.Fprintln(os.Stderr, "runtimes:", err)
		os.Exit(2)
	}
	if missed > 0 {
		os.Exit(1)
	}
}

func run(ctx context.Context, only, keep string) (missed int, err error) {
	user, err := os.UserCacheDir()
	if err != nil {
		return 0, err
	}
	programs := filepath.Join(user, "ken-runtimes")
	if err := world.InstallPackages(ctx, programs, manifest); err != nil {
		return 0, err
	}
	scratch, remove, err := world.Scratch("ken-runtimes")
	if err != nil {
		return 0, err
	}
	defer remove()
	if keep == "" {
		keep = filepath.Join(scratch, "kept")
	}
	if _, err := world.Build(ctx, filepath.Join(scratch, "bin")); err != nil {
		return 0, err
	}
	fmt.Printf("%-10s %-10s %s\n", "client", "version", "cells")
	for _, c := range clients() {
		if only != "" && !slices.Contains(strings.Split(only, ","), c.name) {
			continue
		}
		s := &session{client: c, programs: programs, dir: filepath.Join(scratch, c.name), bin: filepath.Join(scratch, "bin")}
		s.keep = filepath.Join(keep, c.name)
		if err := s.play(ctx); err != nil {
			fmt.Printf("%-10s MISSED: %v\n", c.name, err)
			missed++
			continue
		}
		missed += s.missed
	}
	return missed, nil
}

// session is one session of a client, in a home and a project of its own.
type session struct {
	client
	programs, dir, bin, keep string
	model                    *model
	missed                   int
}

func (s *session) home() string    { return filepath.Join(s.dir, "home") }
func (s *session) project() string { return filepath.Join(s.dir, "project") }

// env is all that client and ken see of the environment.
func (s *session) env() []string {
	return append([]string{
		"PATH=" + strings.Join([]string{s.bin, filepath.Join(s.programs, "node_modules", ".bin"), os.Getenv("PATH")}, string(os.PathListSeparator)),
		"HOME=" + s.home(), "LANG=C.UTF-8", "TERM=dumb", "SHELL=/bin/bash", "GIT_CONFIG_NOSYSTEM=1", "NO_COLOR=1", "CI=1", "KEN_DEBUG=1",
	}, s.environ(s.model.url)...)
}

// ken runs ken in the project and returns what it prints.
func (s *session) ken(ctx context.Context, args ...string) (string, error) {
	return s.command(ctx, append([]string{filepath.Join(s.bin, "ken")}, args...)...)
}

func (s *session) command(ctx context.Context, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, maxSession)
	defer cancel()
	program := args[0]
	if !filepath.IsAbs(program) {
		program = filepath.Join(s.programs, "node_modules", ".bin", program)
	}
	cmd := exec.CommandContext(ctx, program, args[1:]...)
	cmd.Dir, cmd.Env = s.project(), s.env()
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s: %w: %s", strings.Join(args[:min(len(args), 3)], " "), err, lastLines(string(out)))
	}
	return string(out), err
}

func lastLines(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-4):], " / ")
}

const newFile = "package words\n\n// Greet greets.\nfunc Greet() string { return \"hi\" }\n"

// play installs ken, has the client work and looks at what came of it.
func (s *session) play(ctx context.Context) error {
	target := filepath.Join(s.project(), "words", "new.go")
	var err error
	s.model, err = startModel([]func([]string) (use, bool){
		func([]string) (use, bool) { return s.write(target, newFile), true },
		askKen, callKen,
	})
	if err != nil {
		return err
	}
	defer s.model.serve.Close()
	files := map[string]string{
		"go.mod": "module greet\n\ngo 1.22\n", "main.go": "package main\n\nimport \"greet/words\"\n\nfunc main() { println(words.Hello()) }\n",
		"words/words.go": "package words\n\n// Hello greets.\nfunc Hello() string { return \"hello\" }\n",
	}
	if err := errors.Join(os.MkdirAll(s.home(), 0o755), os.MkdirAll(s.keep, 0o755), world.WriteFiles(s.project(), files)); err != nil {
		return err
	}
	if _, err := world.Git(ctx, s.project(), "init", "-q"); err != nil {
		return err
	}
	for name, text := range s.settings(s.model.url) {
		if err := world.WriteFiles(s.home(), map[string]string{name: strings.ReplaceAll(text, "PROJECT", s.project())}); err != nil {
			return err
		}
	}
	if _, err := s.ken(ctx, "init"); err != nil {
		return err
	}
	if _, err := s.ken(ctx, "install", s.name, "--user", "--yes"); err != nil {
		return err
	}
	began := time.Now()
	out, err := s.command(ctx, s.args...)
	took := time.Since(began)
	requests := s.model.answered()
	var all strings.Builder
	for _, r := range s.model.requests {
		all.WriteString(r.path + " " + r.body + "\n")
	}
	os.WriteFile(filepath.Join(s.keep, "requests.txt"), []byte(all.String()), 0o644)
	os.WriteFile(filepath.Join(s.keep, "printed.txt"), []byte(out), 0o644)
	if log, err := os.ReadFile(filepath.Join(s.home(), ".local", "state", "ken", "hooks.log")); err == nil {
		os.WriteFile(filepath.Join(s.keep, "hooks.log"), log, 0o644)
	}
	if err != nil {
		return err
	}
	if len(requests) == 0 {
		return fmt.Errorf("no request of the conversation reached the model: %s", lastLines(out))
	}
	remembered, _ := s.ken(ctx, "session", "show", "--json")
	found, _ := s.ken(ctx, "find", "Greet")
	last := requests[len(requests)-1]
	for _, cell := range []struct {
		name string
		ok   bool
	}{
		{"session text in the first request", strings.Contains(requests[0].body, "Critical Hotspots")},
		{"rules", strings.Contains(requests[0].body, "indexed by ken")},
		{"skills listed", strings.Contains(requests[0].body, "ken-plan")},
		{"server listed", slices.ContainsFunc(last.tools, isKens) || strings.Contains(all.String(), "mcp__ken")},
		{"tool called", strings.Contains(last.body, "words: greet") || strings.Contains(last.body, "new.go") && last.used > 1},
		{"edit recorded", strings.Contains(remembered, "words/new.go")},
		{"under its name", strings.Contains(remembered, `"runtime":"`+s.name+`"`)},
		{"edit in the index", strings.Contains(found, "words/new.go")},
	} {
		verdict := "passes"
		if !cell.ok {
			verdict = "MISSED"
			s.missed++
		}
		fmt.Printf("%-10s %-34s %s\n", s.name, cell.name, verdict)
	}
	fmt.Printf("%-10s %d requests, %d tools used, %.1f s\n", s.name, len(requests), last.used, took.Seconds())
	return nil
}

// isKens reports whether a tool is one of ken's server.
func isKens(tool string) bool {
	return strings.Contains(tool, "ken_") || strings.HasPrefix(tool, "mcp__ken/")
}

// askKen returns a use of ken's tool for searching, or of the client's tool that finds the tools which it does not list.
func askKen(tools []string) (use, bool) {
	for _, name := range tools {
		if isKens(name) && strings.HasSuffix(name, "find") {
			return use{tool: name, input: map[string]any{"query": "greet"}}, true
		}
	}
	return use{tool: "tool_search", input: map[string]any{"query": "select:mcp__ken__find"}}, slices.Contains(tools, "tool_search")
}

// callKen returns a use of ken's tool through the client's tool for those that it does not list.
func callKen(tools []string) (use, bool) {
	input := map[string]any{"name": "mcp__ken__find", "arguments": map[string]any{"query": "greet"}}
	return use{tool: "tool_call", input: input}, slices.Contains(tools, "tool_call")
}
