package app

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"ken/internal/git/gittest"
)

// terminal returns a new terminal: the side of a program, and that of a person, who types into it and reads what it shows.
func terminal(t *testing.T) (program, person *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { person.Close() })
	fd := int(person.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Skip(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Skip(err)
	}
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { program.Close() })
	return program, person
}

// askOnTerminal runs a command on a terminal into which lines were typed ahead. It returns the exit code, the answer, and what the terminal
// showed.
func (p *Program) askOnTerminal(t *testing.T, typed string, words ...string) (code int, answer, shown string) {
	t.Helper()
	program, person := terminal(t)
	var out bytes.Buffer
	q := *p
	q.Stdin, q.Stderr, q.Stdout = program, program, &out
	if _, err := io.WriteString(person, typed); err != nil {
		t.Fatal(err)
	}
	all := make(chan string)
	go func() {
		b, _ := io.ReadAll(person) // ends with an error when the program's side is closed
		all <- string(b)
	}()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second) // if more is asked than was typed
	defer cancel()
	code = q.run(ctx, words...)
	if err := program.Close(); err != nil {
		t.Error(err)
	}
	return code, out.String(), <-all
}

// TestPlanAsksOnATerminal: the questions of a beginning, and of the next milestone, are asked where a person is and an answer is missing.
// What deletes, or leaves something behind, asks nothing: a flag is the consent, which the error names.
func TestPlanAsksOnATerminal(t *testing.T) {
	gittest.IsolateSettings(t)
	gittest.SetUser(t, "t")
	p, out, errs := program(t, nil)
	gittest.Run(t, p.Dir, "init", "-q")
	const first, done = ".planning/phases/01-base/01-", "# Done\n"
	const plan = "---\nphase: 01-base\nplan: 01\nwave: 1\n---\n<objective>Greet</objective>\n<tasks><task><name>T</name><action>Write a.go</action></task></tasks>\n"
	for _, step := range []struct {
		name  string
		files map[string]string
		quiet string // commands that come first, separated by "; "
		typed string
		line  string
		code  int
		shows []string // of the terminal, in this order
		lacks string   // what the terminal does not show
		says  []string // of the answer
		holds []string // FILE: a line of it
	}{
		{name: "no phase", typed: "Hello\n\n\n", line: "start", code: Failed,
			shows: []string{`Name of the project \(\w+\):`, `What is it for, in a sentence\?`, `Phase 1, as 'name: goal'; nothing ends the list:`, `a plan has at least one phase`}},
		{name: "the end of what is typed", typed: "Hello\n\x04\x04", line: "start", code: Failed, shows: []string{`Name of the project`, `a plan has at least one phase`}},
		{name: "answers", typed: "Hello\nA greeting.\nBase: it greets\nMore\n\n", line: "start",
			shows: []string{`Phase 2, as 'name: goal'`, `Phase 3, as`}, says: []string{"Hello has a plan now, with 2 phases", "  1 Base", "  2 More"},
			holds: []string{"PROJECT.md: # Hello", "PROJECT.md: A greeting.", "ROADMAP.md: **Goal**: it greets", "ROADMAP.md: **Goal**: More"}},
		{name: "phases are given", quiet: "undo", typed: "x\n", line: "start Base:it --name Hello", lacks: "Name of", says: []string{"with 1 phase"}},
		{name: "a plan is there", typed: "x\n", line: "start", lacks: "Name of", says: []string{"there is a plan already, and nothing was missing"}},
		{name: "the next milestone", files: map[string]string{first + "01-PLAN.md": plan, first + "01-SUMMARY.md": done, first + "VERIFICATION.md": "---\nstatus: passed\n---\n"},
			quiet: "phase complete 1 --force; milestone complete v1.0 --archive-phases", typed: "Speed\nIt is fast.\nCache: answers are kept\n\n", line: "start",
			shows: []string{`Name of the milestone v1\.1 \(Hello\):`, `What is it for`, `Phase 2, as`, `Phase 3, as`}, says: []string{"  2 Cache"},
			holds: []string{"ROADMAP.md: # Roadmap: Hello", "ROADMAP.md: ## v1.1 Speed", "ROADMAP.md: It is fast.", "STATE.md: **Current focus:** Phase 2 — Cache"}},
		{name: "nothing is typed for the name", quiet: "undo", typed: "\n\nCache\n\n", line: "start", holds: []string{"ROADMAP.md: ## v1.1 Hello"}},
		{name: "phases clear", files: map[string]string{".planning/phases/02-cache/02-01-PLAN.md": plan, ".planning/phases/02-cache/02-01-SUMMARY.md": done},
			typed: "y\ny\n", line: "phases clear", code: Failed, shows: []string{"Pass --confirm to proceed"}, holds: []string{"phases/02-cache/02-01-SUMMARY.md: # Done"}},
		{name: "phase remove", typed: "y\ny\n", line: "phase remove 2", code: Failed, shows: []string{"--force"}, holds: []string{"phases/02-cache/02-01-SUMMARY.md: # Done"}},
		{name: "phase complete", typed: "y\ny\n", line: "phase complete 2", code: Failed, shows: []string{"--force"}, holds: []string{"ROADMAP.md: - [ ] **Phase 2: Cache**"}},
		{name: "milestone complete", typed: "y\ny\n", line: "milestone complete v1.1", code: Failed, shows: []string{"is not complete: .*; use --force to complete it anyway"},
			holds: []string{"ROADMAP.md: - [ ] **Phase 2: Cache**"}},
	} {
		for name, text := range step.files {
			gittest.Write(t, p.Dir, name, text)
		}
		for line := range strings.SplitSeq(step.quiet, "; ") {
			if line != "" && p.run(t.Context(), append([]string{"plan"}, strings.Fields(line)...)...) != Found {
				t.Fatalf("%s: %s: %s%s", step.name, line, out, errs)
			}
		}
		code, answer, shown := p.askOnTerminal(t, step.typed, append([]string{"plan"}, strings.Fields(step.line)...)...)
		if code != step.code {
			t.Errorf("%s: exit %d\n%s%s", step.name, code, answer, shown)
		}
		if asked := `(?s)` + strings.Join(step.shows, `.*`); !regexp.MustCompile(asked).MatchString(shown) {
			t.Errorf("%s: the terminal shows %q, not %s", step.name, shown, asked)
		}
		if step.lacks != "" && strings.Contains(shown, step.lacks) {
			t.Errorf("%s: the terminal shows %q", step.name, shown)
		}
		for _, line := range step.says {
			if !strings.Contains(answer, line+"\n") {
				t.Errorf("%s: the answer lacks %q: %s", step.name, line, answer)
			}
		}
		for _, held := range step.holds {
			name, line, _ := strings.Cut(held, ": ")
			b, err := os.ReadFile(p.Dir + "/.planning/" + name)
			if err != nil || !strings.Contains("\n"+string(b), "\n"+line+"\n") {
				t.Errorf("%s: %s lacks %q (%v)\n%s", step.name, name, line, err, b)
			}
		}
	}
}
