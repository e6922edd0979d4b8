// Real is one scripted run in a checkout of a repository that others wrote: a phase is added, planned, checked, carried out side by side,
// verified and completed with the program itself, and what its answers say is compared with git, with the files, and with gsd-tools.
//
//	go run ./bench/execution/real -mirror CLONES [-oracle gsd-tools.cjs]
//
// CLONES is a folder of clones, each as owner+name/repo. The oracle is of get-shit-done-cc@1.37.1 and runs under node.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"

	"golang.org/x/tools/txtar"

	"ken/internal/workflow/plan/commit"
	"ken/internal/workflow/plan/execute"
	"ken/internal/workflow/plan/phases"
	"ken/internal/workflow/plan/run"
)

// The repository of the scripted run, which has a planning folder of its own, and what its agents write.
const (
	realName   = "datafolklabs/cement"
	realCommit = "788d390eb112f3fcb79b026c1b7a798de12a264d"
)

//go:embed testdata/cement.txtar
var realScript []byte

// phaseTitle is what the phase is called that the run adds.
const phaseTitle = "Counting what is registered"

// real is the run.
type real struct {
	ctx    context.Context
	top    string
	dir    string
	ken    string // the program
	oracle string // gsd-tools.cjs, "" for none
	steps  []txtar.File

	phase, folder string            // its number, and where its plans are
	at            map[string]string // where each plan is carried out
	facts, calls  int
	faults        []string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	mirror := flag.String("mirror", "", "folder of clones, each as owner+name/repo")
	oracle := flag.String("oracle", "", "gsd-tools.cjs of get-shit-done-cc@1.37.1, which has to work with the folder afterwards")
	flag.Parse()
	if err := realRun(ctx, *mirror, *oracle); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func realRun(ctx context.Context, mirror, oracle string) error {
	top, err := os.MkdirTemp("", "ken-real")
	if err != nil {
		return err
	}
	defer os.RemoveAll(top)
	if top, err = filepath.EvalSymlinks(top); err != nil {
		return err
	}
	r := &real{
		ctx: ctx, top: top, dir: filepath.Join(top, "project"), ken: filepath.Join(top, "ken"), oracle: oracle, at: map[string]string{},
		steps: txtar.Parse(realScript).Files,
	}
	for _, step := range []func() error{
		func() error { return r.begin(mirror) }, r.plan, r.check, r.start, r.executed, r.merged, r.verified, r.completed,
	} {
		if err := step(); err != nil {
			return fmt.Errorf("after %d calls: %w", r.calls, err)
		}
	}
	fmt.Printf("%s: 3 plans side by side, 1 rejected by the check, 1 failed and repaired, 1 in conflict: %d calls of ken, %d facts of its answers compared, %d wrong\n",
		realName, r.calls, r.facts, len(r.faults))
	for _, f := range r.faults {
		fmt.Println("  " + f)
	}
	if len(r.faults) > 0 {
		return errors.New("MISSED: what ken said is not so")
	}
	return nil
}

// begin checks the repository out, builds the program and has it make an index.
func (r *real) begin(mirror string) error {
	if err := os.Mkdir(r.dir, 0o700); err != nil {
		return err
	}
	archive := filepath.Join(r.top, "tree.tar")
	clone := filepath.Join(mirror, strings.ReplaceAll(realName, "/", "+"), "repo")
	for _, args := range [][]string{
		{"go", "build", "-o", r.ken, "./cmd/ken"}, {"git", "-C", clone, "archive", "--format=tar", "-o", archive, realCommit}, {"tar", "-x", "-C", r.dir, "-f", archive},
		{"git", "init", "-q", "-b", "main", r.dir}, {"git", "-C", r.dir, "config", "user.name", "A"}, {"git", "-C", r.dir, "config", "user.email", "a@example.org"},
		{"git", "-C", r.dir, "add", "-A"}, {"git", "-C", r.dir, "commit", "-q", "-m", "as it was"}, {r.ken, "-C", r.dir, "init"},
	} {
		if out, err := exec.CommandContext(r.ctx, args[0], args[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, out)
		}
	}
	_, err := r.git("commit", "-q", "--allow-empty", "-m", "the program was set up")
	return err
}

func (r *real) git(args ...string) (string, error) {
	out, err := exec.CommandContext(r.ctx, "git", append([]string{"-C", r.dir}, args...)...).Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", strings.Join(args, " "), err)
	}
	return strings.TrimRight(string(out), "\n"), nil
}

// ask calls an operation of planning, and fails if it does.
func (r *real) ask(into any, words ...string) error {
	r.calls++
	cmd := exec.CommandContext(r.ctx, r.ken, append([]string{"plan", "--json", "-C", r.dir}, words...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("ken plan %s: %w: %s%s", strings.Join(words, " "), err, out, stderr.Bytes())
	}
	return json.Unmarshal(out, into)
}

// report tells the run what happened, and says whether it is at a stage then.
func (r *real) report(stage run.Stage, event ...string) error {
	var a run.Answer
	if err := r.ask(&a, append([]string{"run", "report", r.phase}, event...)...); err != nil {
		return err
	}
	r.fact(a.Run.Stage == stage, "after %v the run is %s, not %s: %s", event, a.Run.Stage, stage, a.Run.Why)
	for _, action := range a.Next {
		for _, c := range action.Commands {
			if err := r.named(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// named checks a command that an answer names: that the program knows it.
func (r *real) named(command string) error {
	r.calls++
	words := strings.Fields(command)
	out, err := exec.CommandContext(r.ctx, r.ken, append([]string{"plan", "help"}, words[:min(2, len(words))]...)...).CombinedOutput()
	if err != nil && len(words) > 1 {
		out, err = exec.CommandContext(r.ctx, r.ken, "plan", "help", words[0]).CombinedOutput()
	}
	r.fact(err == nil, "ken names %q, and does not know it: %s", command, out)
	return r.ctx.Err()
}

func (r *real) fact(so bool, form string, args ...any) {
	r.facts++
	if !so {
		r.faults = append(r.faults, fmt.Sprintf(form, args...))
	}
}

// script calls a function for each section of a step: the rest of its name, and its text.
func (r *real) script(step string, do func(name, text string) error) error {
	found := false
	for _, s := range r.steps {
		if name, ok := strings.CutPrefix(s.Name, step+"/"); ok {
			found = true
			if err := do(name, string(s.Data)); err != nil {
				return fmt.Errorf("%s: %w", s.Name, err)
			}
		}
	}
	if !found {
		return fmt.Errorf("the script has nothing for %s", step)
	}
	return nil
}

// edit makes a part of a file another.
func edit(file, from, to string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if strings.Count(string(text), from) != 1 {
		return fmt.Errorf("%s has %q %d times", file, from, strings.Count(string(text), from))
	}
	return os.WriteFile(file, []byte(strings.Replace(string(text), from, to, 1)), 0o600)
}

// plan adds the phase and writes its plans.
func (r *real) plan() error {
	var added phases.Added
	if err := r.ask(&added, "phase", "add", phaseTitle); err != nil {
		return err
	}
	r.phase, r.folder = added.Padded, filepath.Join(r.dir, added.Directory)
	r.fact(exists(r.folder), "%s is said to be added and is not there", added.Directory)
	for _, step := range []string{"insert", "insert-row"} {
		if err := r.script(step, func(name, text string) error {
			line, _, _ := strings.Cut(text, "\n")
			return edit(filepath.Join(r.dir, name), line+"\n", text)
		}); err != nil {
			return err
		}
	}
	if err := r.script("plan", func(name, text string) error {
		return os.WriteFile(filepath.Join(r.folder, name), []byte(text), 0o600)
	}); err != nil {
		return err
	}
	var a run.Answer
	if err := r.ask(&a, "run", "start", r.phase); err != nil {
		return err
	}
	r.fact(a.Run.Stage == run.Checking, "the run is %s though there are plans", a.Run.Stage)
	return nil
}

// start has the work trees made.
func (r *real) start() error {
	var committed commit.Answer
	if err := r.ask(&committed, "commit", "plan phase "+r.phase); err != nil {
		return err
	}
	head, err := r.git("rev-parse", "HEAD")
	if err != nil {
		return err
	}
	r.fact(committed.Hash != nil && strings.HasPrefix(head, *committed.Hash), "ken says it committed %v, and HEAD is %s", committed.Hash, head)
	if err := r.waves(); err != nil {
		return err
	}
	var made execute.CreateAnswer
	if err := r.ask(&made, "executor", "create", r.phase); err != nil {
		return err
	}
	r.fact(len(made.Executors) == 3, "there are %d executors", len(made.Executors))
	for _, e := range made.Executors {
		tip, err := r.git("rev-parse", e.Branch)
		r.fact(err == nil && tip == head && e.Base == head, "%s is said to begin from %s on %s, which is %s", e.Plan, e.Base, e.Branch, tip)
		r.fact(exists(filepath.Join(e.Directory, e.PlanFile)), "%s is said to be in %s", e.PlanFile, e.Directory)
		r.at[e.Plan] = e.Directory
		if err := r.report(run.Executing, "started", "--plan", e.Plan); err != nil {
			return err
		}
		if err := r.payload(e.Plan); err != nil {
			return err
		}
	}
	return nil
}
