package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"ken/bench/world"
)

// trial is one run: a project, the agents that work in it, what they read and what is wrong.
type trial struct {
	ctx     context.Context
	root    string // of the project
	bin     string // folder with ken
	env     []string
	scripts map[string]script
	answers []answer // of the user
	verbose bool
	wrong   *wrongs // nil for a run without deviations
	// translate, if set, returns a use of a tool as the client has it.
	translate func(use) (tool string, input map[string]any)

	mu     sync.Mutex
	agents map[string]*agent
	faults []string
	// complaints are about answers to deviations.
	complaints []string
	trace      []string // what was done, "AGENT: COMMAND"
	checked    int      // calls, paths and scripts that were looked for in what was read
	unread     int      // of these, not found
	guide      string   // the guide that was followed last
	tokens     ledger
}

// answer is what the user answers to a question that has a text.
type answer struct{ question, text string }

// maxFaults is the number of faults after which a run prints no more.
const maxFaults = 20

func (t *trial) fault(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.faults) >= maxFaults {
		return
	}
	t.faults = append(t.faults, fmt.Sprintf(format, args...))
	if t.verbose {
		fmt.Println("  FAULT", t.faults[len(t.faults)-1])
	}
}

func (t *trial) failed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.faults) > 0
}

func (t *trial) note(a *agent, what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.trace = append(t.trace, a.name+": "+strings.TrimSuffix(what, `; echo "exit: $?"`))
}

// ask returns what the user answers to the last text of a turn. It returns false if nothing was asked.
func (t *trial) ask(question string) (string, bool) {
	for _, a := range t.answers {
		if strings.Contains(question, a.question) {
			t.mu.Lock()
			t.trace = append(t.trace, "ask: "+a.question)
			t.mu.Unlock()
			return a.text, true
		}
	}
	return "", false
}

var skillHead = regexp.MustCompile(`(?m)^(?:name|description): (.*)$`)

var turnMark = regexp.MustCompile(`\[turn ([\w-]+)\]`)

// agentFor returns the agent whose script a prompt names, and begins it if it has not. It returns nil without a script.
func (t *trial) agentFor(prompt string) *agent {
	m := turnMark.FindStringSubmatch(prompt)
	if m == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if a := t.agents[m[1]]; a != nil {
		return a
	}
	s := t.scripts[m[1]]
	if s == nil {
		return nil
	}
	a := t.newAgent(m[1], s)
	t.agents[m[1]] = a
	return a
}

// newTrial makes a project in a scratch folder, in which ken is installed for Claude Code.
func newTrial(ctx context.Context, home, bin string, files map[string]string) (*trial, error) {
	t := &trial{ctx: ctx, root: filepath.Join(home, "greet"), bin: bin, agents: map[string]*agent{}}
	path := "PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH")
	t.env = append(world.Environment(home, "CLAUDECODE=1", "CLAUDE_CODE_SESSION_ID=bench"), path)
	if err := world.WriteFiles(t.root, files); err != nil {
		return nil, err
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"config", "user.name", "dev"}, {"config", "user.email", "dev@example.com"}} {
		if _, err := world.Git(ctx, t.root, args...); err != nil {
			return nil, err
		}
	}
	if err := world.Commit(ctx, t.root, "Begin"); err != nil {
		return nil, err
	}
	for _, args := range []string{"ken init", "ken install claude --project --yes"} {
		if r := t.runShell(args); r.failed {
			return nil, fmt.Errorf("%s: %s", args, r.text)
		}
	}
	return t, world.Commit(ctx, t.root, "Use ken")
}

// runShell runs a command in the project.
func (t *trial) runShell(command string) result {
	cmd := exec.CommandContext(t.ctx, "bash", "-c", command)
	cmd.Dir, cmd.Env = t.root, t.env
	out, err := cmd.CombinedOutput()
	return result{strings.TrimRight(string(out), "\n"), err != nil}
}
