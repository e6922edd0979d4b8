package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/bench/world"
	"ken/internal/workflow/agent/runtimes"
)

// maxSession is the longest time of a session; a usual one takes some seconds.
const maxSession = 2 * time.Minute

// place is a home and a project of a client.
type place struct {
	client
	*world.Table
	dir, bin, keep string
	runtime        runtimes.Runtime
	path           []string // folders of programs, those of the client first
	model          *model
}

func (p *place) home() string    { return filepath.Join(p.dir, "home") }
func (p *place) project() string { return filepath.Join(p.dir, "project") }

// cell prints a row of the client.
func (p *place) cell(what, must, reached string, ok bool) { p.Row(p.name+": "+what, must, reached, ok) }

// env is all that client and ken see of the environment.
func (p *place) env() []string {
	path := append([]string{p.bin}, p.path...)
	env := []string{
		"PATH=" + strings.Join(append(path, os.Getenv("PATH")), string(os.PathListSeparator)),
		"HOME=" + p.home(), "LANG=C.UTF-8", "TERM=dumb", "SHELL=/bin/bash", "GIT_CONFIG_NOSYSTEM=1", "NO_COLOR=1", "CI=1", "KEN_DEBUG=1",
	}
	if p.model != nil {
		env = append(env, p.environ(p.model.url)...)
	}
	return env
}

// ken runs ken in the project and returns what it prints. It fails if ken does.
func (p *place) ken(ctx context.Context, args ...string) (string, error) {
	return p.run(ctx, append([]string{filepath.Join(p.bin, "ken")}, args...)...)
}

// run runs a program in the project and returns what it prints. It fails if the program does.
func (p *place) run(ctx context.Context, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, maxSession)
	defer cancel()
	program := args[0]
	for _, folder := range p.path {
		at := filepath.Join(folder, program)
		if _, err := os.Stat(at); err == nil && !filepath.IsAbs(program) {
			program = at
		}
	}
	cmd := exec.CommandContext(ctx, program, args[1:]...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = p.project(), p.env(), 5*time.Second
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if err != nil {
		err = fmt.Errorf("%s: %w: %s", strings.Join(args[:min(len(args), 3)], " "), err, lastLines(out.String()+"\n"+errs.String()))
	}
	if strings.TrimSpace(out.String()) == "" || err != nil { // some list on standard error
		return out.String() + errs.String(), err
	}
	return out.String(), nil
}

func lastLines(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-4):], " / ")
}

// The files of the project, and the one that the model writes.
const (
	oldFile = "package words\n\n// Hello greets.\nfunc Hello() string { return \"hello\" }\n"
	newFile = "package words\n\n// Greet greets.\nfunc Greet() string { return \"hi\" }\n"
)

// prepare makes home and project and installs ken for the user. It fails if a file cannot be written or ken fails.
func (p *place) prepare(ctx context.Context) (err error) {
	files := map[string]string{
		"go.mod": "module greet\n\ngo 1.22\n", "main.go": "package main\n\nimport \"greet/words\"\n\nfunc main() { println(words.Hello()) }\n",
		"words/words.go": oldFile,
	}
	if err := world.WriteFiles(p.project(), files); err != nil {
		return err
	}
	if _, err := world.Git(ctx, p.project(), "init", "-q"); err != nil {
		return err
	}
	if err := world.Commit(ctx, p.project(), "begin"); err != nil {
		return err
	}
	if p.model, err = startModel(); err != nil {
		return err
	}
	// A client may run commands in a shell of its own that begins as a login does.
	profile := "export PATH=" + p.bin + ":$PATH\n"
	if err := world.WriteFiles(p.home(), map[string]string{".profile": profile}); err != nil {
		return err
	}
	for name, text := range p.settings(p.model.url) {
		if err := world.WriteFiles(p.home(), map[string]string{name: strings.ReplaceAll(text, "PROJECT", p.project())}); err != nil {
			return err
		}
	}
	commands := [][]string{{"init"}, {"install", p.name, "--user", "--yes"}}
	if p.runtime.Skills.User == "" { // it has skills of projects alone
		commands = append(commands, []string{"install", p.name, "--project", "--yes"})
	}
	for _, args := range commands {
		if _, err := p.ken(ctx, args...); err != nil {
			return err
		}
	}
	if p.login == nil {
		return nil
	}
	_, err = p.run(ctx, append([]string{p.command}, p.login(p.model.url)...)...)
	return err
}

// played is what came of a session.
type played struct {
	requests []request // of the conversation
	all      string    // the text of all requests
	printed  string
	log      []string // a line for each event that ken got: its runtime, its name and what was noted
	took     time.Duration
}

// last returns the last request of the conversation.
func (s *played) last() request { return s.requests[len(s.requests)-1] }

// count returns how often ken got an event.
func (s *played) count(event string) (n int) {
	for _, line := range s.log {
		if f := strings.Fields(line); len(f) > 1 && f[1] == event+":" && !strings.HasSuffix(line, "of no event") {
			n++
		}
	}
	return n
}

// play has the client work through the steps of a script, and keeps what was said under a name. It fails if the client does, or does not
// reach the model.
func (p *place) play(ctx context.Context, name string, more []string, steps ...step) (*played, error) {
	p.model.begin(steps)
	log := filepath.Join(p.home(), ".local", "state", "ken", "hooks.log")
	os.Remove(log) // the events of the session before
	began := time.Now()
	out, failed := p.run(ctx, slices.Concat([]string{p.command}, p.args, more, []string{prompt})...)
	s := &played{printed: out, took: time.Since(began)}
	s.requests, s.all = p.model.answered()
	noted, _ := os.ReadFile(log) // without events there is none
	for line := range strings.Lines(string(noted)) {
		_, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		s.log = append(s.log, rest)
	}
	for file, text := range map[string]string{"requests": s.all, "printed": out, "hooks": string(noted)} {
		if err := os.WriteFile(filepath.Join(p.keep, name+"-"+file+".txt"), []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	if failed == nil && len(s.requests) == 0 {
		failed = fmt.Errorf("no request of the conversation reached the model: %s", lastLines(out))
	}
	return s, failed
}
