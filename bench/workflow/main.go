// Command workflow has a scripted model follow what ken prints, and holds the result against what was to come out: a phase from the idea to
// the verified commit, and a small change. The model knows nothing but what it has read: each call of ken, path and script that it sends
// has to be, but for its arguments, in a text that the agent received before.
//
//	go run ./bench/workflow [-short] [-fast] [-mutants] [-mutant NAME] [-opencode] [-claude] [-wrong] [-v] [-keep FOLDER]
//
// The model answers Claude Code, which npm installs at a pinned version, over the loopback interface; with -fast a small client of this
// program's own, which does the same to the same scripts. -mutants repeats that with ken without one step of a file, for each: then the
// result has to be wrong, because what no text names is not done.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"time"

	"ken/bench/loopback"
	"ken/bench/world"
)

func main() {
	var o options
	flag.BoolVar(&o.short, "short", false, "the small client, and one step left out")
	flag.BoolVar(&o.fast, "fast", false, "the small client alone")
	flag.BoolVar(&o.verbose, "v", false, "print what was done, and the tokens of each kind of text")
	flag.StringVar(&o.mutant, "mutant", "", "run without this step of a file, such as execute-phase/review, and no more")
	flag.BoolVar(&o.mutants, "mutants", false, "run without each step of each file, and no more")
	flag.BoolVar(&o.opencode, "opencode", false, "opencode alone")
	flag.BoolVar(&o.claude, "claude", false, "Claude Code alone")
	flag.BoolVar(&o.wrong, "wrong", false, "a model that skips steps and answers badly, and no more")
	flag.StringVar(&o.keep, "keep", "", "folder for projects and logs")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, &o); err != nil {
		fmt.Fprintln(os.Stderr, "workflow:", err)
		os.Exit(1)
	}
}

type options struct {
	short, fast, verbose bool
	mutants, opencode    bool
	claude               bool
	wrong                bool
	keep, mutant         string
}

// bench is what the parts of a run share.
type bench struct {
	*options
	ctx   context.Context
	home  string // a scratch folder
	bin   string // folder with ken
	table world.Table
	count int // of trials
}

func run(ctx context.Context, o *options) error {
	home, remove, err := world.Scratch("ken-workflow")
	if err != nil {
		return err
	}
	if o.keep == "" {
		defer remove()
	} else if home, err = filepath.Abs(o.keep); err != nil {
		return err
	}
	b := &bench{options: o, ctx: ctx, home: home, bin: filepath.Join(home, "bin")}
	if err := os.MkdirAll(b.bin, 0o755); err != nil {
		return err
	}
	if _, err := world.Build(ctx, b.bin); err != nil {
		return err
	}
	if err := b.runAll(); err != nil {
		return err
	}
	return b.table.Summary()
}

// Limits of the tokens of our texts.
const (
	maxPhase = 25_000 // of a phase of three plans, from its planning to its end
	maxFast  = 3_000  // of a small change
)

func (b *bench) runAll() error {
	if b.mutants || b.mutant != "" {
		return b.runMutants(b.mutant, false)
	}
	if b.wrong {
		return b.runWrongs()
	}
	if b.opencode {
		return b.runOther()
	}
	if b.claude {
		return b.runReal()
	}
	if err := b.runBoth("a small client", (*trial).runFast); err != nil {
		return err
	}
	if err := b.runWrongs(); err != nil {
		return err
	}
	if b.short {
		return b.runMutants("", true)
	}
	if b.fast {
		return nil
	}
	if err := b.runMutants("", false); err != nil {
		return err
	}
	if err := b.runOther(); err != nil {
		return err
	}
	return b.runReal()
}

// runReal has Claude Code do the same. It fails if it cannot be had.
func (b *bench) runReal() error {
	program, err := loopback.Install(b.ctx)
	if err != nil {
		return err
	}
	return b.runBoth("Claude Code", func(t *trial, prompt string) {
		if err := t.runClaude(program, prompt); err != nil {
			t.fault("%v", err)
		}
	})
}

// runOther has opencode do the same, where it can be had.
func (b *bench) runOther() error {
	folders, err := installOpencode(b.ctx)
	if err != nil {
		b.table.LeaveOut("opencode: a phase from the idea to its end", "right", err.Error())
		return nil
	}
	return b.runBoth("opencode", func(t *trial, prompt string) {
		if err := t.runOpencode(folders, prompt); err != nil {
			t.fault("%v", err)
		}
	})
}

// runBoth has a client do the phase and the small change, and prints their rows. It fails if a project cannot be made.
func (b *bench) runBoth(client string, session func(*trial, string)) error {
	t, took, err := b.runPhase(b.bin, session)
	if err != nil {
		return err
	}
	b.row(client+": a phase from the idea to its end", "right", fmt.Sprintf("%d calls, %d agents, %.0f s", len(t.trace), len(t.agents), took.Seconds()), t)
	b.table.Row(client+": calls, paths and scripts in no text that was read before", "0", fmt.Sprintf("%d of %d", t.unread, t.checked), t.unread == 0)
	b.tokens(client+": tokens of ours for plan, execute, verify", maxPhase, t)
	t, took, err = b.runSmall(b.bin, session)
	if err != nil {
		return err
	}
	steps := len(guideSteps(t.guide))
	b.row(client+": a small change", "right", fmt.Sprintf("%d calls, %.0f s", len(t.trace), took.Seconds()), t)
	b.table.Row(client+": its steps", "≤ 2", fmt.Sprint(steps), steps > 0 && steps <= 2)
	b.tokens(client+": its tokens of ours", maxFast, t)
	return nil
}

// row prints a row that is kept if a trial has no fault, and its faults.
func (b *bench) row(what, must, reached string, t *trial) {
	b.table.Row(what, must, reached, !t.failed())
	if b.verbose {
		for _, line := range t.trace {
			fmt.Println("    " + line)
		}
	}
	for _, f := range t.faults {
		fmt.Println("    " + f)
	}
}

func (b *bench) tokens(what string, most int, t *trial) {
	n, other := t.tokens.totals()
	b.table.Row(what, fmt.Sprintf("≤ %d", most), fmt.Sprintf("%d (payloads and facts: %d)", n, other), n > 0 && n <= most)
	if b.verbose {
		t.tokens.print()
	}
}

// begin returns a trial in a project of its own.
func (b *bench) begin(bin string, files map[string]string) (*trial, error) {
	b.count++
	home := filepath.Join(b.home, fmt.Sprint("trial", b.count))
	if err := os.MkdirAll(home, 0o755); err != nil {
		return nil, err
	}
	t, err := newTrial(b.ctx, home, bin, files)
	if err != nil {
		return nil, err
	}
	t.answers = []answer{
		{"is this what you want?", "yes"}, {"is the roadmap right?", "yes"}, {"settle open questions first", "plan now"}, {"may the plans be carried out?", "yes"},
		{"may the phase end?", "yes"},
	}
	return t, nil
}

// idea is the prompt of the phase.
const idea = "I want a shell script that greets people by name, later also in German. [turn main]"

// runPhase has a client do a phase, from the idea to its end.
func (b *bench) runPhase(bin string, session func(*trial, string)) (*trial, time.Duration, error) {
	t, err := b.begin(bin, projectFiles)
	if err != nil {
		return nil, 0, err
	}
	t.scripts = phaseScripts()
	began := time.Now()
	session(t, idea)
	took := time.Since(began)
	if !t.failed() {
		t.checkPhase()
	}
	return t, took, nil
}

// runSmall has a client do a small change.
func (b *bench) runSmall(bin string, session func(*trial, string)) (*trial, time.Duration, error) {
	files := map[string]string{}
	for name, text := range projectFiles {
		files[name] = text
	}
	for _, p := range plans {
		files[p.file], files[p.test] = p.code, p.check
	}
	t, err := b.begin(bin, files)
	if err != nil {
		return nil, 0, err
	}
	t.scripts = map[string]script{"main": changeFast}
	began := time.Now()
	session(t, "In lib/name.sh the message for a missing name shall be a sentence. make test runs the tests. "+mark("main"))
	took := time.Since(began)
	if !t.failed() {
		t.checkFast()
	}
	return t, took, nil
}

var placeholder = regexp.MustCompile(`\[[A-Za-z][^\]\n]*\]`)

// fillPlaceholders fills the placeholders of a template that are left.
func fillPlaceholders(text string) string { return placeholder.ReplaceAllString(text, "None") }

// runWrongs has the small client do the phase, and before each step what a model could do wrongly.
func (b *bench) runWrongs() error {
	t, err := b.begin(b.bin, projectFiles)
	if err != nil {
		return err
	}
	w := &wrongs{left: deviations(), all: b.wrong || b.verbose}
	t.scripts, t.wrong = phaseScripts(), w
	t.runFast(idea)
	if !t.failed() {
		t.checkPhase()
	}
	for _, r := range w.rows {
		reached := fmt.Sprintf("%d of %d, %d of %d, %d of %d", r.passed[0], r.tries[0], r.passed[1], r.tries[1], r.passed[2], r.tries[2])
		what := r.step + ": skipped, answered badly, begun by a new session; refused with a reason or led back, nothing ticked"
		b.table.Row(what, "all", reached, r.passed == r.tries && r.claims == 0)
	}
	b.table.Row("deviations that were reached", "all", fmt.Sprintf("%d of %d", len(deviations())-len(w.left), len(deviations())), len(w.left) == 0)
	b.row("the phase afterwards", "right", "as without", t)
	for _, c := range t.complaints {
		fmt.Println("    " + c)
	}
	return nil
}
