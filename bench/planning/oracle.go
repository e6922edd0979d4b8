package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"ken/bench/world"
	"ken/internal/delivery/planning"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/planop"
)

// excuse is a field of an operation in which docs/planning-compat.md allows a difference.
type excuse struct{ operation, field string }

// readExcuses reads the first table of docs/planning-compat.md.
func readExcuses() ([]excuse, error) {
	text, err := os.ReadFile("docs/planning-compat.md")
	if err != nil {
		return nil, err
	}
	_, table, ok := strings.Cut(string(text), "|---|---|---|---|---|\n")
	if !ok {
		return nil, errors.New("docs/planning-compat.md has no table of fields")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	var list []excuse
	for row := range strings.Lines(table) {
		cells := strings.Split(row, "|")
		for i, field := range strings.Split(cells[2], "`") {
			if i%2 == 1 {
				list = append(list, excuse{strings.TrimSpace(cells[1]), field})
			}
		}
	}
	return list, nil
}

// score counts the equal values in the answers of both programs to an operation in a folder.
type score struct{ same, excused, all int }

type comparison struct {
	program  string
	home     string // of the user of both
	cache    string // a folder with answers of the other program, "" for none
	verbose  bool
	calls    map[string]*callTally
	excuses  []excuse
	scores   map[string]map[string]*score // by operation and folder
	declared []*planop.Operation
	missing  map[string]bool // operations that ken does not have
	mu       sync.Mutex      // guards calls, scores and missing
}

// compareAnswers compares answers with those of the other program, over folders that it calls healthy.
func compareAnswers(ctx context.Context, o *options) (missed int, err error) {
	c := &comparison{
		program: o.oracle, cache: o.cache, verbose: o.verbose, calls: map[string]*callTally{}, scores: map[string]map[string]*score{}, declared: planning.All(), missing: map[string]bool{},
	}
	home, remove, err := world.Scratch("ken-planning-home")
	if err != nil {
		return 0, err
	}
	defer remove()
	c.home = home
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		if err := errors.Join(os.Setenv("GIT_"+who+"_NAME", "A"), os.Setenv("GIT_"+who+"_EMAIL", "a@example.org")); err != nil {
			return 0, err
		}
	}
	if c.excuses, err = readExcuses(); err != nil {
		return 0, err
	}
	if err := c.compareMade(ctx, o.folders); err != nil {
		return 0, err
	}
	if o.mirror == "" {
		return c.printCalls(), nil
	}
	list, err := world.Corpus("bench/planning/healthy.txt")
	if err != nil {
		return 0, err
	}
	folders := 0
	for _, r := range list {
		n, err := c.compareRepository(ctx, o.mirror, r)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", r.Repository, err)
		}
		folders += n
	}
	missed = c.printCalls()
	raw, with := c.printScores()
	if len(c.missing) > 0 {
		fmt.Printf("  not there: %s\n", strings.Join(slices.Sorted(maps.Keys(c.missing)), ", "))
	}
	verdict := "kept"
	if with < 98 || folders < 8 {
		verdict, missed = "MISSED", missed+1
	}
	fmt.Printf("%-32s %d folders that the other program calls healthy, %d operations: %.2f %% of leaves agree, %.2f %% with those excused (at least 98): %s\n",
		"answers", folders, len(c.scores), raw, with, verdict)
	return missed, nil
}

// compareRepository compares one commit. It returns 0 if the other program does not call the folder
// healthy, not even after its own repair.
func (c *comparison) compareRepository(ctx context.Context, mirror string, r world.Pin) (int, error) {
	top, remove, err := world.Scratch("ken-planning")
	if err != nil {
		return 0, err
	}
	defer remove()
	dir := filepath.Join(top, path.Base(r.Repository)) // the same each time, because answers have it
	if err := os.Mkdir(dir, 0o755); err != nil {
		return 0, err
	}
	clone, err := world.Clone(mirror, r.Repository)
	if err != nil {
		return 0, err
	}
	// The folder alone, in a repository without a history, and links as files, because the programs write there.
	_, cloned := world.Git(ctx, dir, "clone", "-q", "--shared", "--no-checkout", clone, ".")
	_, checked := world.Git(ctx, dir, "-c", "core.symlinks=false", "checkout", "-q", r.Commit, "--", folder.Name)
	if err := errors.Join(cloned, checked, os.RemoveAll(filepath.Join(dir, ".git"))); err != nil {
		return 0, err
	}
	if _, err := world.Git(ctx, dir, "init", "-q", "--template="); err != nil {
		return 0, err
	}
	var health struct{ Status string }
	for _, args := range [][]string{{"validate", "health", "--repair"}, {"validate", "health"}} {
		if err := c.ask(ctx, dir, &health, args...); err != nil {
			return 0, err
		}
	}
	if health.Status != "healthy" {
		fmt.Printf("  %s is %s: not counted\n", r.Repository, health.Status)
		return 0, nil
	}
	return 1, c.compareCalls(ctx, dir, r.Repository, true)
}

func (c *comparison) ask(ctx context.Context, dir string, into any, args ...string) error {
	cmd := exec.CommandContext(ctx, "node", append([]string{c.program}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+c.home, "GSD_AGENTS_DIR="+c.getenv("GSD_AGENTS_DIR"))
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s: %w", strings.Join(args, " "), err)
	}
	return json.Unmarshal(out, into)
}

// runKen gives ken a command line. It returns the exit code and what was written on standard output.
func (c *comparison) runKen(ctx context.Context, dir string, words []string) (exit int, stdout string, err error) {
	var out bytes.Buffer
	run := planning.GSD{Operations: c.declared, Stdout: &out, Stderr: io.Discard, In: planop.Surroundings{
		Dir: dir, Home: planning.HomeDir(c.getenv), StateDir: filepath.Join(dir, ".git"), Stdin: strings.NewReader(""), Getenv: c.getenv, Now: time.Now,
	}}
	err = run.Run(ctx, words)
	if ended := (*planning.ExitError)(nil); errors.As(err, &ended) {
		return ended.Code, out.String(), nil
	}
	return 0, out.String(), err
}

// getenv is the environment of both programs: where the agents of the other one are, so that both see them, and the home of its user.
func (c *comparison) getenv(name string) string {
	switch name {
	case "GSD_AGENTS_DIR":
		return filepath.Join(filepath.Dir(c.program), "..", "..", "agents")
	case "HOME":
		return c.home
	}
	return ""
}

// leafValues are the values of an answer by their paths.
func leafValues(v any) map[string]string {
	out := map[string]string{}
	var walk func(path string, v any)
	walk = func(at string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, e := range v {
				walk(strings.TrimPrefix(at+"."+k, "."), e)
			}
		case []any:
			for i, e := range v {
				walk(fmt.Sprintf("%s.%d", at, i), e)
			}
			if len(v) == 0 {
				out[at] = "[]"
			}
		default:
			b, _ := json.Marshal(v)
			out[at] = string(b)
		}
	}
	walk("", v)
	for leaf := range out {
		if isVarying(leaf) {
			delete(out, leaf)
		}
	}
	return out
}

// isVarying reports whether a value depends on the time, the machine or its agents and models, and not on the folder.
func isVarying(leaf string) bool {
	name := leaf[strings.LastIndexByte(leaf, '.')+1:]
	for _, part := range []string{"_model", "timestamp", "agents_", "missing_agents", "last_updated", "scanned_at"} {
		if strings.Contains(leaf, part) {
			return true
		}
	}
	return slices.Contains([]string{"date", "project_root", "quick_id", "task_dir"}, name) || strings.HasPrefix(name, "git_") ||
		strings.HasSuffix(name, "_available")
}

// isExcused reports whether docs/planning-compat.md has a row for a field.
func (c *comparison) isExcused(operation, leaf string) bool {
	return slices.ContainsFunc(c.excuses, func(e excuse) bool {
		matches, _ := path.Match(e.field, strings.ReplaceAll(leaf, "/", "|"))
		return e.operation == operation && matches
	})
}

func (c *comparison) compareLeaves(operation, name string, theirs, ours map[string]string) {
	if c.scores[operation] == nil {
		c.scores[operation] = map[string]*score{}
	}
	s := c.scores[operation][name]
	if s == nil {
		s = &score{}
		c.scores[operation][name] = s
	}
	for leaf := range theirs {
		if _, ok := ours[leaf]; !ok {
			ours[leaf] = "(none)"
		}
	}
	for leaf, value := range ours {
		s.all++
		want, ok := theirs[leaf]
		if !ok {
			want = "(none)"
		}
		switch {
		case want == value:
			s.same++
		case c.isExcused(operation, leaf):
			s.excused++
		}
	}
}

// printScores prints a line an operation, and returns the macro averages over operations and folders,
// raw and with the excuses.
func (c *comparison) printScores() (raw, with float64) {
	n := 0.0
	for _, operation := range slices.Sorted(maps.Keys(c.scores)) {
		var r, w float64
		for _, s := range c.scores[operation] {
			r += 100 * float64(s.same) / float64(s.all)
			w += 100 * float64(s.same+s.excused) / float64(s.all)
		}
		k := float64(len(c.scores[operation]))
		fmt.Printf("  %-30s %6.2f %% agree, %6.2f %% with those excused\n", operation, r/k, w/k)
		raw, with, n = raw+r, with+w, n+k
	}
	if n == 0 {
		return 0, 0
	}
	return raw / n, with / n
}
