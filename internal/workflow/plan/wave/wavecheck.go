package wave

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"ken/internal/git"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/gate"
	"ken/internal/workflow/plan/planop"
)

// preCommitTools are the programs that run checks before commits, by the file with which a repository sets one up.
var preCommitTools = []struct{ file, command string }{
	{".pre-commit-config.yaml", "pre-commit run --all-files"}, {".pre-commit-config.yml", "pre-commit run --all-files"}, {"prek.toml", "prek run --all-files"},
	{"lefthook.yml", "lefthook run pre-commit --all-files"}, {"lefthook.yaml", "lefthook run pre-commit --all-files"},
	{".lefthook.yml", "lefthook run pre-commit --all-files"}, {".lefthook.yaml", "lefthook run pre-commit --all-files"},
	{"lefthook.toml", "lefthook run pre-commit --all-files"}, {".husky/pre-commit", "sh .husky/pre-commit"}, {".overcommit.yml", "overcommit --run"},
}

// preCommit returns the command that runs what a repository checks before commits, and the file that sets it up; "" if there is none.
func preCommit(project string) (command, file string) {
	for _, t := range preCommitTools {
		if st, err := os.Lstat(filepath.Join(project, filepath.FromSlash(t.file))); err == nil && st.Mode().IsRegular() {
			return t.command, t.file
		}
	}
	if r, err := git.Find(project); err == nil && len(r.Hooks(git.ReadConfig(r), "pre-commit")) > 0 {
		return "git hook run pre-commit", "git's hook pre-commit"
	}
	return "", ""
}

// waveChecks returns the commands that end a wave: those before commits, which executors in work trees may have left out, and the tests of
// the project. It fails if the index cannot be read.
func waveChecks(ctx context.Context, c *planop.Call, p *Policy, results *gate.Results) (list []WaveCheck, err error) {
	project, err := c.Project()
	if err != nil {
		return nil, err
	}
	add := func(command, why string) {
		if command != "" {
			list = append(list, WaveCheck{results.Of(ctx, command), why})
		}
	}
	add(preCommit(project))
	if p.TestCommand != "" {
		add(p.TestCommand, "workflow.test_command")
		return list, nil
	}
	if c.Tests == nil {
		return list, nil
	}
	tests, looked, err := c.Tests(ctx, c)
	p.TestsUnknown = !looked
	for _, t := range tests {
		add(t.Line, t.Source)
	}
	return list, err
}

// openChecks returns those of the checks that have not passed on the present code.
func openChecks(checks []WaveCheck) (open []string) {
	for _, w := range checks {
		if !w.isPassed() {
			open = append(open, w.Command+" ("+w.status()+")")
		}
	}
	return open
}

// checkWaveEnd fails if a report that a wave passed differs from the recorded ends of its checks. A report without a result gets that of
// the checks.
func (l *phaseRun) checkWaveEnd(ctx context.Context, e *Event) error {
	checks, err := waveChecks(ctx, l.call, l.policy, l.results)
	if err != nil {
		return err
	}
	open := openChecks(checks)
	if e.Result == "" {
		e.Result = "passed"
		for _, w := range checks {
			if w.Current && w.State == "failed" {
				e.Result, e.Text = "failed", w.Command+": "+w.String()
			}
		}
	}
	if e.Result != "passed" {
		return nil
	}
	if err := checkWave(l.call, l.run, l.phase); err != nil || len(open) == 0 {
		return err
	}
	return planop.Faultf("no_evidence", "wave %d is not closed: %s; report each with --ran 'EXIT COMMAND'", l.run.Wave, strings.Join(open, "; "))
}

// planningReader returns the function that reads a file of the planning folder by its path from the root of the project.
func (l *phaseRun) planningReader() (func(file string) (string, error), error) {
	f, err := l.call.Folder()
	return func(file string) (string, error) {
		below, ok := strings.CutPrefix(path.Clean(file), folder.Name+"/")
		if !ok {
			return "", errors.New("not in the planning folder")
		}
		return f.ReadRoot(below)
	}, err
}

// checkProof fails if the verification of a phase is passed and leaves something open.
func (l *phaseRun) checkProof(ctx context.Context) error {
	read, err := l.planningReader()
	if err != nil {
		return err
	}
	inv, err := l.call.Inventory()
	if err != nil {
		return err
	}
	open := gate.Unproved(ctx, inv, l.phase.Phase, read, l.results)
	if len(open) == 0 {
		return nil
	}
	more := ""
	if n := len(open) - 3; n > 0 {
		more = fmt.Sprintf("; and %d more", n)
	}
	first := strings.Join(open[:min(3, len(open))], "; ")
	return planop.Faultf("no_evidence", "%s (%d): %s%s", l.phase.FirstOfKind("VERIFICATION"), len(open), first, more)
}
