package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ken/bench/world"
)

// maxCalls is the number of commands with which a phase of three plans in two waves has to be planned, carried out and closed.
const maxCalls = 25

// walker is a person who has never heard of plans: who types the command that ken named last, and does the work that it asks for.
type walker struct {
	ctx   context.Context
	ken   string
	root  string
	env   []string
	calls []string
	ends  []string // dead ends: commands that ken named and refused, answers after which there is nothing to type
	false []string // statements that are not so
	todo  []string
}

// walkPhase goes through a phase, from an empty repository to its end, by the commands that ken names alone.
func walkPhase(ctx context.Context, verbose bool) (missed int, err error) {
	root, remove, err := world.Scratch("ken-walk")
	if err != nil {
		return 0, err
	}
	defer remove()
	program, err := world.Build(ctx, root)
	if err != nil {
		return 0, err
	}
	w := &walker{ctx: ctx, ken: program, root: filepath.Join(root, "project"), env: world.Environment(filepath.Join(root, "home"))}
	if err := errors.Join(os.MkdirAll(w.root, 0o755), os.MkdirAll(filepath.Join(root, "home"), 0o755)); err != nil {
		return 0, err
	}
	if _, err := world.Git(ctx, w.root, "init", "-q", "-b", "main"); err != nil {
		return 0, err
	}
	for _, set := range []string{"user.name", "user.email"} {
		if _, err := world.Git(ctx, w.root, "config", set, "a@example.com"); err != nil {
			return 0, err
		}
	}
	closed, err := w.walk(verbose)
	if err != nil {
		return 0, err
	}
	verdict := "kept"
	if !closed || len(w.calls) > maxCalls || len(w.ends)+len(w.false) > 0 {
		verdict, missed = "MISSED", 1
	}
	fmt.Printf("%-32s %d calls (%d), %d dead ends (0), %d false texts (0), closed %t: %s\n", "a phase by named commands", len(w.calls), maxCalls, len(w.ends),
		len(w.false), closed, verdict)
	for _, line := range slices.Concat(w.ends, w.false) {
		fmt.Println("  " + line)
	}
	return missed, nil
}

func (w *walker) walk(verbose bool) (closed bool, err error) {
	w.todo = []string{`start "Base: it greets" "More: it greets in two languages"`}
	for len(w.todo) > 0 && len(w.calls) < 2*maxCalls {
		line := w.todo[0]
		w.todo = w.todo[1:]
		words, err := w.words(line)
		if err != nil {
			return false, err
		}
		w.calls = append(w.calls, line)
		text, ok := w.run(words...)
		if verbose {
			fmt.Printf("$ ken plan %q\n%s", words, text)
		}
		if !ok {
			w.ends = append(w.ends, fmt.Sprintf("%s was named and refused: %s", line, text))
			return false, nil
		}
		if strings.HasPrefix(text, "Phase 01: complete") {
			w.compare(line)
			return true, nil
		}
		if named := namedCommands(text); len(named) > 0 {
			w.todo = named
		}
		if err := w.work(words, text); err != nil {
			return false, fmt.Errorf("after %s: %w", line, err)
		}
		w.compare(line)
	}
	if len(w.todo) == 0 {
		w.ends = append(w.ends, fmt.Sprintf("after %q nothing is named", w.calls[len(w.calls)-1]))
	}
	return false, nil
}

// run runs ken and returns what it prints.
func (w *walker) run(words ...string) (text string, ok bool) {
	cmd := exec.CommandContext(w.ctx, w.ken, append([]string{"plan"}, words...)...)
	cmd.Dir, cmd.Env = w.root, w.env
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

var namedLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s*(?:then: |next: |by hand: )?ken plan (.+)$`) })

// namedCommands returns the commands that an answer names as next, in their order.
func namedCommands(text string) (list []string) {
	for _, m := range namedLine().FindAllStringSubmatch(text, -1) {
		list = append(list, m[1])
	}
	return list
}

var oneWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"[^"]*"|'[^']*'|\[[^\]]*\]|\S+`) })

// words returns the words of a command, with values for what ken leaves open: numbers, choices, and the exit status of commands, which run
// now.
func (w *walker) words(line string) (words []string, err error) {
	last, tree := "", w.root
	for _, word := range oneWord().FindAllString(line, -1) {
		if strings.HasPrefix(word, "[") {
			continue
		}
		word = strings.Trim(word, `"'`)
		switch command, ran := strings.CutPrefix(word, "EXIT "); {
		case ran:
			word = fmt.Sprintf("%d %s", w.exit(tree, command), command)
		case word == "N" && last == "--plans":
			word = "3"
		case word == "N":
			word = "0"
		case strings.HasPrefix(word, "passed|"):
			word = "passed"
		}
		if last == "--plan" {
			tree = w.tree(word) // what an executor reports ran in its work tree
		}
		words, last = append(words, word), word
	}
	return words, nil
}

func (w *walker) exit(dir, command string) int {
	cmd := exec.CommandContext(w.ctx, "sh", "-c", command)
	cmd.Dir, cmd.Env = dir, w.env
	err := cmd.Run()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		return failed.ExitCode()
	}
	if err != nil {
		return 127
	}
	return 0
}

// The plans of the phase: the first two in one wave, the third in the next.
var walkedPlans = map[string]struct{ file, text, needs, wave string }{
	"01-01": {"hello.sh", "echo hello\n", "[]", "1"},
	"01-02": {".husky/pre-commit", "sh -n hello.sh\n", "[]", "1"},
	"01-03": {"test.sh", "test \"$(sh hello.sh)\" = hello\n", `["01-01", "01-02"]`, "2"},
}

// work does what an answer asks for: drafts are filled, plans carried out, and a verification is written.
func (w *walker) work(words []string, text string) error {
	switch {
	case words[0] == "phase" && words[1] == "draft":
		for id := range walkedPlans {
			if err := w.fillPlan(id); err != nil {
				return err
			}
		}
		return world.Commit(w.ctx, w.root, "plans")
	case words[0] == "payload" && len(words) > 2:
		return w.carryOut(words[2])
	case words[0] == "check" && strings.Contains(text, ": blocked"):
		w.ends = append(w.ends, "a plan is blocked: "+text)
	case words[0] == "template":
		return w.answer()
	}
	return nil
}

var placeholder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[[A-Za-z][^\]\n]*\]`) })

// fillPlan fills the draft of a plan: each placeholder, and the fields of its front matter.
func (w *walker) fillPlan(id string) error {
	p := walkedPlans[id]
	name := filepath.Join(w.root, ".planning/phases/01-base", id+"-PLAN.md")
	b, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	text := strings.NewReplacer(
		"wave: 1", "wave: "+p.wave, "depends_on: []", "depends_on: "+p.needs, "files_modified: []", "files_modified: ["+p.file+"]", "truths: []", "truths:\n    - "+p.file+" does its part",
		"[paths]", p.file, "[A command that shows it]", "test -f "+p.file, "[What to do, exactly enough that no further question is needed]", "Write "+p.file,
	).Replace(string(b))
	return os.WriteFile(name, []byte(placeholder().ReplaceAllString(text, "It is there")), 0o644)
}

// tree returns the folder in which a plan is carried out.
func (w *walker) tree(id string) string {
	tree := filepath.Join(w.root, ".ken/worktrees", id)
	if _, err := os.Stat(tree); errors.Is(err, fs.ErrNotExist) {
		return w.root
	}
	return tree
}

// carryOut does what the executor of a plan does, in its work tree.
func (w *walker) carryOut(id string) error {
	p := walkedPlans[id]
	tree := w.tree(id)
	err := world.WriteFiles(tree, map[string]string{
		p.file: p.text, ".planning/phases/01-base/" + id + "-SUMMARY.md": "---\nphase: 01-base\nplan: " + id[3:] + "\n---\n# Summary\n\n**" + p.file + " is there**\n",
	})
	return errors.Join(err, world.Commit(w.ctx, tree, "carry out "+id))
}

// answer fills the verification: each truth gets a status and what shows it.
func (w *walker) answer() error {
	name := filepath.Join(w.root, ".planning/phases/01-base/01-VERIFICATION.md")
	b, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	text := strings.NewReplacer("status: pending", "status: passed", " does its part |  |  |", " does its part | verified | the file, and its test |").Replace(string(b))
	return os.WriteFile(name, []byte(placeholder().ReplaceAllString(text, "None")), 0o644)
}

// compare holds what ken shows against the files.
func (w *walker) compare(line string) {
	text, ok := w.run("show", "--json")
	var page struct {
		Done  int `json:"completed_plans"`
		Plans int `json:"total_plans"`
		Stale []string
		Next  struct{ Operation string }
	}
	if err := json.Unmarshal([]byte(text), &page); !ok || err != nil {
		w.false = append(w.false, fmt.Sprintf("after %s: ken plan ended with %s", line, text))
		return
	}
	wrong := func(format string, args ...any) {
		w.false = append(w.false, "after "+line+": "+fmt.Sprintf(format, args...))
	}
	dir := filepath.Join(w.root, ".planning/phases/01-base")
	plans, _ := filepath.Glob(filepath.Join(dir, "*-PLAN.md"))
	summaries, _ := filepath.Glob(filepath.Join(dir, "*-SUMMARY.md"))
	if page.Done != len(summaries) || page.Plans != len(plans) {
		wrong("%d of %d plans are shown, there are %d of %d", page.Done, page.Plans, len(summaries), len(plans))
	}
	if len(page.Stale) > 0 {
		wrong("STATE.md is stale: %s", strings.Join(page.Stale, ", "))
	}
	if page.Next.Operation == "" {
		wrong("no operation is next")
	}
}
