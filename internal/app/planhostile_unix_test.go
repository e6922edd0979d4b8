//go:build unix

package app

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"ken/internal/delivery/cli"
	"ken/internal/delivery/planning"
	"ken/internal/delivery/project"
	"ken/internal/engine/store"
	"ken/internal/git/gittest"
	"ken/internal/operation"
	"ken/internal/workflow/plan/planop"
)

const (
	planText = "---\nphase: 01-first\nplan: 01\nwave: 1\ndepends_on: []\nfiles_modified: [a.go]\nrequirements: [A-1]\nmust_haves:\n  truths:\n    - \"It: works\"\n" +
		"  artifacts:\n    - path: a.go\n      provides: \"all\"\n---\n\n<objective>x</objective>\n<tasks>\n<task type=\"auto\">\n<name>One</name>\n<files>a.go</files>\n</task>\n</tasks>\n"
	noteText = "---\nstatus: open\ntitle: A\ncreated: 2026-01-01\n---\n\n# A\n\ntext\n"
)

// soundPlans is a planning folder in which every operation finds something to do.
func soundPlans() map[string]string {
	return map[string]string{
		"STATE.md": "---\ngsd_state_version: 1.0\nmilestone: v1.0\nstatus: executing # by hand\nprogress:\n  total_phases: 2\n  percent: 10\n---\n\n# State\n\n" +
			"## Current Position\n\nPhase: 1 of 2 (First)\nPlan: 1 of 2 in current phase\nStatus: In progress\nLast activity: 2026-01-01 — Began\n\nProgress: [█░░] 10%\n\n" +
			"## Accumulated Context\n\n### Decisions\n\n- [Phase 1]: a — b\n\n### Blockers/Concerns\n\n- some words\n\n### Quick Tasks Completed\n\n" +
			"| # | Description | Date | Commit | Directory |\n|---|---|---|---|---|\n\n## Session Continuity\n\nLast session: 2026-01-01\nStopped at: x\nResume file: None\n",
		"ROADMAP.md": "# Roadmap\n\n- 🚧 **v1.0 New** - Phases 1-2\n\n## v1.0 New\n\n- [ ] **Phase 1: First** - a\n- [ ] **Phase 2: Second** - b\n\n" +
			"### Phase 1: First\n**Goal**: g\n**Requirements**: [A-1]\n**Plans**: 2 plans\n\n- [x] 01-01: x\n- [ ] 01-02: y\n\n### Phase 2: Second\n**Goal**: h\n\n" +
			"| Phase | Plans Complete | Status | Completed |\n|---|---|---|---|\n| 1. First | 1/2 | In Progress | - |\n| 2. Second | 0/0 | Not started | - |\n",
		"REQUIREMENTS.md": "# Requirements\n\n- [ ] **A-1**: it works\n\n## Traceability\n\n| Requirement | Phase | Status |\n|---|---|---|\n| A-1 | Phase 1 | Pending |\n",
		"PROJECT.md":      "# One\n\n## Core Value\n\nx\n", "MILESTONES.md": "# Milestones\n\n## v0.9 Old (Shipped: 2025-01-01)\n\n- x\n",
		"config.json":                      `{"mode": "yolo", "intel": {"enabled": true}, "graphify": {"enabled": true}}` + "\n",
		"phases/01-first/01-01-PLAN.md":    planText,
		"phases/01-first/01-01-SUMMARY.md": "---\nphase: 01-first\nplan: 01\nrequirements-completed: [A-1]\n---\n\n# S\n\n**Done**\n",
		"phases/01-first/01-02-PLAN.md":    strings.ReplaceAll(planText, "plan: 01", "plan: 02"), "phases/01-first/01-CONTEXT.md": "# C\n",
		"phases/01-first/01-UAT.md":          "---\nstatus: testing\n---\n\n## Current Test\n\nnumber: 1\n\n## Tests\n\n### 1. One\nexpected: x\nresult: [pending]\n",
		"phases/01-first/01-VERIFICATION.md": "---\nstatus: gaps_found\nscore: 1/2\n---\n\n# V\n", "phases/02-second/.gitkeep": "",
		"todos/pending/2026-01-01-a.md": noteText, "notes/2026-01-01-a.md": noteText, "seeds/SEED-001-a.md": noteText, "threads/a.md": noteText, "debug/a.md": noteText,
		"quick/260101-001-a/260101-001-PLAN.md": planText, "quick/260101-001-a/260101-001-SUMMARY.md": "---\nphase: q\n---\n\n# S\n",
		"spikes/001-a/README.md": "---\nspike: 001\nname: a\nverdict: PENDING\n---\n\n# A\n", "spikes/MANIFEST.md": "# Spikes\n", "sketches/001-a/README.md": "---\nsketch: 001\nname: a\n---\n\n# A\n",
		"intel/file-roles.json": `{"_meta": {"updated_at": "2026-01-01T00:00:00Z"}, "entries": {"a.go": {}}}`, "graphs/graph.json": `{"nodes": [{"id": "a", "label": "A"}], "links": []}`,
		"phases/01-first/LEARNINGS.md": "# L\n\n## Decisions\n\n### One\n\nx\n",
	}
}

// planValues are the values of positional inputs by their names; one that is new has to be named here.
var planValues = map[string]string{
	"PHASE": "1", "PLAN": "01-01", "PHASE|PLAN": "1", "FILE": ".planning/phases/01-first/01-01-PLAN.md", "FIELD": "Status", "FIELD…": "Status", "VALUE": "x", "KEY": "mode",
	"NAME": "a", "TITLE": "some words", "TEXT": "some words", "DESCRIPTION": "some words", "QUERY": "words", "TERM": "a", "ID": "A-1", "AGENT": "gsd-planner", "AREA": "general",
	"COMMIT": "HEAD", "MESSAGE": "a message", "PATH": ".planning/STATE.md", "AFTER": "1", "VERSION": "v1.0", "PROFILE": "budget", "PROJECT": "a", "EVENT": "begun", "JSON": "{}",
	"FORMAT": "json", "FORM": "date", "KIND": "summary", "RESULT": "VALIDATED", "STATUS": "resolved", "WORD": "a",
	"WORKFLOW": "plan-phase", "BASE": "main", "CONTEXT": ".planning/phases/01-first/01-CONTEXT.md",
}

// planArgs are command lines of operations whose positional inputs alone do nothing.
var planArgs = map[string]string{
	"template fill": "summary --phase 1 --plan 2", "template show": "summary", "template select": ".planning/phases/01-first/01-01-PLAN.md", "scaffold context": "--phase 2",
	"scaffold uat": "--phase 2", "scaffold verification": "--phase 2", "scaffold phase-dir": "--phase 7 --name Far",
	"frontmatter get": ".planning/STATE.md", "frontmatter set": ".planning/STATE.md --field status --value done",
	"frontmatter merge": `.planning/STATE.md --data {"status":"done"}`, "frontmatter validate": ".planning/phases/01-first/01-01-PLAN.md --schema plan", "state patch": "--Status Ready",
	"state begin-phase": "--phase 1 --name First --plans 2", "state planned-phase": "--phase 1 --plans 2", "state add-decision": "--phase 1 --summary keep",
	"state add-blocker": "--text key", "state resolve-blocker": "--text some", "state record-metric": "--phase 1 --plan 1 --duration 5min --tasks 3 --files 4",
	"state record-session": "--stopped-at here --resume-file none", "state signal-waiting": "--question why", "todo complete": "2026-01-01-a.md", "note promote": "2026-01-01-a",
	"quick status": "260101-001", "quick complete": "260101-001", "spike status": "001-a VALIDATED", "spike complete": "001-a VALIDATED", "sketch status": "001-a A", "sketch complete": "001-a A",
	"seed status": "SEED-001-a active", "seed complete": "SEED-001-a", "thread status": "a resolved", "debug status": "a fixing", "init remove-workspace": "one",
	"verify-summary": ".planning/phases/01-first/01-01-SUMMARY.md", "summary-extract": ".planning/phases/01-first/01-01-SUMMARY.md", "verify plan-structure": ".planning/phases/01-first/01-01-PLAN.md",
	"verify artifacts": ".planning/phases/01-first/01-01-PLAN.md", "verify key-links": ".planning/phases/01-first/01-01-PLAN.md", "validate health": "--repair", "phase complete": "1 --force",
	"phase remove": "2 --force", "milestone complete": "v1.0 --name New --archive-phases --force", "phases clear": "--confirm", "backlog promote": "999.1", "phase add-batch": "One Two", "workstream create": "side",
	"workstream status": "side", "workstream complete": "side", "workstream set": "side", "skill-manifest": "--write", "from-gsd2": "--force", "intel patch-meta": ".planning/intel/file-roles.json",
	"guide": "", "check completion": "phase 1", "gap-analysis": "--phase-dir .planning/phases/01-first",
	"gate record": "--cmd true --exit 0", "run report": "1 started", "commit": "message --files .planning/STATE.md", "commit-to-subrepo": "message --files api/x", "scan-sessions": "--path ../home",
	"extract-messages": "a --path ../home", "profile-sample": "--path ../home", "worktree record-agent": "01-01 agent", "learnings query": "--tag x", "state prune": "--keep-recent 0",
	"config-set": "mode yolo", "config-set-model-profile": "budget", "learnings prune": "--older-than 1d", "validate context": "--used 1000 --window 200000",
	"executor create": "1 01-02 --dry-run", "detect-custom-files": "--config-dir ../home", "write-profile": "--input ../home/analysis.json",
	"generate-dev-preferences": "--analysis ../home/analysis.json", "generate-claude-profile": "--analysis ../home/analysis.json",
}

// planWords is a command line of an operation.
func planWords(t *testing.T, o *planop.Operation) []string {
	t.Helper()
	words := strings.Fields(o.Name)
	if args, ok := planArgs[o.Name]; ok {
		return append(words, strings.Fields(args)...)
	}
	for _, a := range o.Input() {
		if !a.Positional {
			continue
		}
		v, ok := planValues[a.Name]
		if len(a.Enum) > 0 {
			v, ok = a.Enum[0], true
		}
		if !ok {
			t.Errorf("%s: what %s can be is not in planValues", o.Name, a.Name)
		}
		words = append(words, strings.Fields(v)...)
	}
	return words
}

// hostilePlans is a world around a planning folder: a home, and what lies outside.
type hostilePlans struct {
	t     *testing.T
	base  string
	ops   []*planop.Operation
	seen  map[string]seenFile
	limit time.Duration
}

type seenFile struct {
	size int64
	at   time.Time
	ino  uint64
	sum  string
}

func (h *hostilePlans) path(parts ...string) string {
	return filepath.Join(append([]string{h.base}, parts...)...)
}

func (h *hostilePlans) write(name, text string) {
	h.t.Helper()
	gittest.Write(h.t, h.base, name, text)
}

// plan puts a text into the planning folder, in the place of whatever is there.
func (h *hostilePlans) plan(name, text string) {
	h.t.Helper()
	h.gone(name)
	h.write("project/.planning/"+name, text)
}

func (h *hostilePlans) gone(name string) {
	h.t.Helper()
	if err := os.RemoveAll(h.path("project/.planning", name)); err != nil {
		h.t.Fatal(err)
	}
}

func (h *hostilePlans) check(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *hostilePlans) fifo(name string) {
	h.t.Helper()
	h.gone(name)
	h.check(syscall.Mkfifo(h.path("project/.planning", name), 0o644))
}

func (h *hostilePlans) link(name, to string) {
	h.t.Helper()
	h.gone(name)
	h.check(os.Symlink(to, h.path("project/.planning", name)))
}

// each changes the text of every file of some names.
func (h *hostilePlans) each(change func(text string) string, names ...string) {
	h.t.Helper()
	sound := soundPlans()
	for _, name := range names {
		h.plan(name, change(sound[name]))
	}
}

// made makes the world anew.
func (h *hostilePlans) made(change func(h *hostilePlans)) {
	h.t.Helper()
	h.check(filepath.WalkDir(h.base, func(at string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			return os.Chmod(at, 0o755)
		}
		return err
	}))
	h.check(os.RemoveAll(h.base))
	for name, text := range soundPlans() {
		h.write("project/.planning/"+name, text)
	}
	h.write("project/a.go", "package a\n")
	h.write("outside/secret.md", "---\nstatus: outside\n---\n\n# Outside\n\nStatus: outside\n")
	h.write("outside/phases/01-01-PLAN.md", planText)
	h.write("home/analysis.json", `{"dimensions": {}}`)
	h.write("home/gsd-workspaces/one/WORKSPACE.md", "# Workspace: one\n")
	h.check(os.MkdirAll(h.path("state"), 0o755))
	change(h)
}

// tree is what is on disk, but for what belongs to ken itself and to git.
func (h *hostilePlans) tree() map[string]string {
	h.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(h.base, func(at string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrPermission) {
			return nil
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(h.base, at)
		if err != nil {
			return err
		}
		if rel == "state" || d.IsDir() && d.Name() == ".git" {
			return filepath.SkipDir
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		switch {
		case d.Type()&fs.ModeSymlink != 0:
			to, err := os.Readlink(at)
			all[rel] = "link to " + to
			return err
		case !d.Type().IsRegular():
			all[rel] = d.Type().String()
			return nil
		}
		all[rel] = h.sum(at, info)
		return nil
	})
	h.check(err)
	return all
}

// sum is the content of a file in short. One that has not been written since is not read again.
func (h *hostilePlans) sum(at string, info fs.FileInfo) string {
	h.t.Helper()
	now := seenFile{size: info.Size(), at: info.ModTime()}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		now.ino = st.Ino
	}
	if had, ok := h.seen[at]; ok && had.size == now.size && had.at.Equal(now.at) && had.ino == now.ino {
		return had.sum
	}
	data, err := os.ReadFile(at)
	h.check(err)
	now.sum = fmt.Sprintf("%d bytes %x", len(data), sha256.Sum256(data))
	h.seen[at] = now
	return now.sum
}

// run runs a command line; it fails the test if there is a panic, no end, or neither an answer nor a word.
func (h *hostilePlans) run(words ...string) (answer string, err error, ended bool) {
	h.t.Helper()
	var out, errs bytes.Buffer
	getenv := func(name string) string {
		switch name {
		case "HOME":
			return h.path("home")
		case "TMPDIR":
			return h.path("state")
		}
		return ""
	}
	c := &cli.Command{
		Dir: h.path("project"), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: getenv, Color: func() (string, error) { return "never", nil },
		Groups: []cli.Group{{Name: "plan", Default: "show", Tools: func() []*project.Tool {
			return planning.Tools[*project.Project](h.ops, planop.Surroundings{
				Home: h.path("home"), StateDir: h.path("state"), Getenv: getenv, Now: time.Now,
			})
		}}},
	}
	ctx, cancel := context.WithTimeout(h.t.Context(), h.limit)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				done <- fmt.Errorf("PANIC %v\n%s", r, debug.Stack())
			}
		}()
		done <- c.Run(ctx, append(append([]string{"plan"}, words...), "--json"))
	}()
	select {
	case err = <-done:
	case <-time.After(h.limit + 2*time.Second):
		h.t.Errorf("%s: no end", clipped(words))
		return "", nil, false
	}
	switch {
	case err != nil && strings.HasPrefix(err.Error(), "PANIC"):
		h.t.Errorf("%s: %v", clipped(words), err)
		return "", err, false
	case ctx.Err() != nil:
		h.t.Errorf("%s: took longer than %v: %v", clipped(words), h.limit, err)
	case err == nil && out.Len() == 0, err != nil && strings.TrimSpace(err.Error()) == "":
		h.t.Errorf("%s: neither an answer nor a word", clipped(words))
	}
	return out.String(), err, true
}

// clipped is a command line as a mistake is named by it.
func clipped(words []string) string {
	return fmt.Sprintf("%.200q", words)
}

// differences names what is not the same in two trees.
func differences(before, after map[string]string) (list []string) {
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if now, ok := after[name]; !ok {
			list = append(list, fmt.Sprintf("%q is gone", name))
		} else if now != before[name] {
			list = append(list, fmt.Sprintf("%q was %s and is %s", name, before[name], now))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(after)) {
		// An empty planning folder plans nothing: it stays when the first file in it is taken back.
		if _, ok := before[name]; !ok && name != "project/.planning" {
			list = append(list, fmt.Sprintf("%q is new", name))
		}
	}
	return list
}

// ask runs an operation and looks whether it kept to what it may do. It reports whether the world is as it was.
func (h *hostilePlans) ask(o *planop.Operation, words []string, before map[string]string) bool {
	h.t.Helper()
	what := clipped(words)
	_, err, ended := h.run(words...)
	if !ended {
		return false
	}
	after := h.tree()
	changed := differences(before, after)
	if len(changed) == 0 {
		return true
	}
	for _, c := range changed {
		if strings.HasPrefix(c, `"outside`) || o.Lasting == "" && !strings.HasPrefix(c, `"project/.planning`) {
			h.t.Errorf("%s (%v): outside of the planning folder: %s", what, err, c)
		}
	}
	switch {
	case o.Lasting != "":
		for _, c := range changed {
			if strings.HasPrefix(c, `"project/.planning`) && strings.HasSuffix(c, "is gone") {
				h.t.Errorf("%s: %s", what, c)
			}
		}
	case o.Effect == operation.Reads:
		h.t.Errorf("%s only asks, and %s", what, strings.Join(changed, "; "))
	case err != nil:
		h.t.Errorf("%s failed (%v), and %s", what, err, strings.Join(changed, "; "))
	default:
		if _, err, ok := h.run("undo"); !ok || err != nil {
			h.t.Errorf("%s: undo: %v", what, err)
		} else if left := differences(before, h.tree()); len(left) > 0 {
			h.t.Errorf("%s: after undo %s", what, strings.Join(left, "; "))
		} else {
			return true
		}
	}
	return false
}

func conflicted(text string) string {
	first, rest, _ := strings.Cut(text, "\n")
	half := len(rest) / 2
	half += strings.IndexByte(rest[half:], '\n') + 1
	return first + "\n" + rest[:half] + "<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> branch\n" + rest[half:]
}

func hostileWorlds() []struct {
	name  string
	make  func(h *hostilePlans)
	every int // of so many operations one is asked, because each takes long
} {
	texts := []string{"STATE.md", "ROADMAP.md", "REQUIREMENTS.md", "phases/01-first/01-01-PLAN.md", "phases/01-first/01-01-SUMMARY.md", "phases/01-first/01-UAT.md"}
	all := slices.Sorted(maps.Keys(soundPlans()))
	git := func(h *hostilePlans) {
		gittest.Run(h.t, h.path("project"), "init", "-q")
	}
	return []struct {
		name  string
		make  func(h *hostilePlans)
		every int
	}{
		{"sound", func(*hostilePlans) {}, 1},
		{"conflicts", func(h *hostilePlans) { h.each(conflicted, all...) }, 1},
		{"two blocks of front matter", func(h *hostilePlans) {
			h.each(func(s string) string { return "---\nstatus: paused\nown: x\n---\n\n" + s }, texts...)
		}, 2},
		{"tabs", func(h *hostilePlans) {
			h.each(func(s string) string { return strings.ReplaceAll(s, "  ", "\t") }, texts...)
		}, 2},
		{"half written", func(h *hostilePlans) { h.each(func(s string) string { return s[:min(len(s), 40)] }, all...) }, 1},
		{"no text", func(h *hostilePlans) {
			h.each(func(s string) string { return strings.ReplaceAll(s, "e", "\xff\x00") }, all...)
		}, 2},
		{"twice", func(h *hostilePlans) { h.each(func(s string) string { return s + s }, all...) }, 2},
		{"windows", func(h *hostilePlans) {
			h.each(func(s string) string { return "\ufeff" + strings.ReplaceAll(s, "\n", "\r\n") }, all...)
		}, 2},
		{"empty files", func(h *hostilePlans) { h.each(func(string) string { return "" }, all...) }, 2},
		{"empty folder", func(h *hostilePlans) { h.gone(""); h.check(os.Mkdir(h.path("project/.planning"), 0o755)) }, 1},
		{"none", func(h *hostilePlans) { h.gone("") }, 1},
		{"a file for the folder", func(h *hostilePlans) { h.gone(""); h.write("project/.planning", "x") }, 1},
		{"pipes", func(h *hostilePlans) {
			h.fifo("STATE.md")
			h.fifo("phases/01-first/01-01-SUMMARY.md")
			h.fifo("phases/01-first/01-03-PLAN.md")
			h.fifo("todos/pending/pipe.md")
			h.fifo("intel/stack.json")
		}, 1},
		{"more pipes", func(h *hostilePlans) {
			for _, name := range []string{"ROADMAP.md", "config.json", "REQUIREMENTS.md", "PROJECT.md", "active-workstream", "graphs/graph.json", "STATE.md.lock", "WAITING.json", "MILESTONES.md"} {
				h.fifo(name)
			}
			h.fifo("phases/01-first/01-01-PLAN.md")
			h.fifo("threads/a.md")
		}, 1},
		{"links out", func(h *hostilePlans) {
			h.link("STATE.md", "../../outside/secret.md")
			h.link("phases/02-second", "../../../outside/phases")
			h.link("todos/pending/out.md", h.path("outside/secret.md"))
			h.link("notes", "../../outside")
			h.link("config.json", "../../outside/none")
			h.link("ROADMAP.md", "ROADMAP.md")
		}, 1},
		{"more links out", func(h *hostilePlans) {
			for _, name := range []string{"phases/01-first", "todos", "quick", "seeds", "threads", "debug", "spikes", "sketches", "intel", "graphs", "milestones", "workstreams"} {
				h.link(name, h.path("outside"))
			}
		}, 2},
		{"the folder is a link out", func(h *hostilePlans) {
			h.gone("")
			h.check(os.Symlink("../outside", h.path("project/.planning")))
		}, 1},
		{"names", func(h *hostilePlans) {
			for _, name := range []string{"phases/03-a\nb/03-01-PLAN.md", "phases/04-\x1b[31m/x", "todos/pending/a\nb.md", "phases/-rf/-n.md", "phases/01-first/01-03\n-PLAN.md", "phases/05-\xff/05-01-PLAN.md",
				"workstreams/a\nb/STATE.md", "phases/99999999999999999999-big/x", "phases/01-first/" + strings.Repeat("n", 200) + "-PLAN.md", "quick/\n/x", "phases/1-first/01-01-PLAN.md"} {
				h.plan(name, planText)
			}
		}, 2},
		{"files for folders", func(h *hostilePlans) {
			for _, name := range []string{"phases", "todos", "notes", "seeds", "threads", "debug", "quick", "spikes", "sketches", "intel", "graphs", "milestones", "workstreams"} {
				h.plan(name, "x")
			}
		}, 1},
		{"folders for files", func(h *hostilePlans) {
			for _, name := range []string{"STATE.md", "ROADMAP.md", "config.json", "REQUIREMENTS.md", "active-workstream", "WAITING.json", "STATE.md.lock", ".lock", "phases/01-first/01-01-PLAN.md", "STATE-ARCHIVE.md"} {
				h.gone(name)
				h.plan(name+"/x", "x")
			}
		}, 2},
		{"pipes for folders", func(h *hostilePlans) {
			for _, name := range []string{"phases", "todos", "notes", "seeds", "threads", "debug", "quick", "spikes", "sketches", "intel", "graphs", "milestones", "workstreams"} {
				h.fifo(name)
			}
		}, 1},
		{"no writing", func(h *hostilePlans) {
			h.check(filepath.WalkDir(h.path("project/.planning"), func(at string, d fs.DirEntry, err error) error {
				if err != nil || !d.IsDir() {
					return err
				}
				return os.Chmod(at, 0o555)
			}))
		}, 1},
		{"no journal", func(h *hostilePlans) { h.check(os.RemoveAll(h.path("state"))); h.write("state", "a file") }, 1},
		{"a newer format", func(h *hostilePlans) {
			h.each(func(s string) string {
				return strings.Replace(s, "gsd_state_version: 1.0", "gsd_state_version: 99.0\nunknown: {a: [b, {c: d}]}\nactive_phase: 7", 1)
			}, "STATE.md")
			h.plan("config.json", `{"version": 99, "mode": {"new": [1]}, "model_profile": 7, "workflow": "x", "planning": [], "intel": {"enabled": true}, "git": null}`)
			h.plan("phases/07-new/PLAN-07-a.yaml", "new: true\n")
			h.plan("manifest.v9", "x")
		}, 2},
		{"odd settings", func(h *hostilePlans) { h.plan("config.json", `[`+strings.Repeat(`{"a":[`, 20000)) }, 2},
		{"ignored by git", func(h *hostilePlans) { git(h); h.write("project/.gitignore", ".planning/\n") }, 3},
		{"in git", git, 3},
		{"a broken repository", func(h *hostilePlans) { h.write("project/.git", "gitdir: ../outside\n") }, 2},
		{"large", func(h *hostilePlans) {
			h.each(func(s string) string {
				return s + strings.Repeat("- a line of no sense, **with** | marks | `and` <tags>\n", 10<<20/52)
			}, "STATE.md", "ROADMAP.md")
		}, 40},
		{"many parts", func(h *hostilePlans) {
			h.each(func(s string) string { return strings.Repeat(s, 10<<20/len(s)) }, "STATE.md", "ROADMAP.md")
		}, 40},
	}
}

// TestPlansOfBadFolders asks every operation of planning about folders that nobody should have. There has to be an answer or a word
// about what is wrong, in time; what only asks changes nothing, what fails leaves everything as it was, what was changed is taken back
// byte for byte, and nothing outside the folder is touched.
func TestPlansOfBadFolders(t *testing.T) {
	gittest.IsolateSettings(t)
	gittest.SetUser(t, "t")
	ops := planningOperations(func(string) (*project.Project, error) { return nil, store.ErrNoIndex })
	for at, world := range hostileWorlds() {
		if world.name == "no writing" && os.Getuid() == 0 {
			continue // root writes all the same; files for folders are in the way of everybody
		}
		t.Run(strings.ReplaceAll(world.name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			h := &hostilePlans{t: t, base: filepath.Join(t.TempDir(), "base"), ops: ops, seen: map[string]seenFile{}, limit: time.Minute}
			h.check(os.MkdirAll(h.base, 0o755))
			h.made(world.make)
			before := h.tree()
			for i, o := range ops {
				every := world.every
				if testing.Short() {
					every *= 6
				}
				if (i+at)%every == 0 && !h.ask(o, planWords(t, o), before) {
					h.made(world.make)
					before = h.tree()
				}
			}
		})
	}
}

// TestPlansOfBadWords asks every operation of a sound folder with words that nobody should write.
func TestPlansOfBadWords(t *testing.T) {
	gittest.IsolateSettings(t)
	ops := planningOperations(func(string) (*project.Project, error) { return nil, store.ErrNoIndex })
	h := &hostilePlans{t: t, base: filepath.Join(t.TempDir(), "base"), ops: ops, seen: map[string]seenFile{}, limit: time.Minute}
	h.check(os.MkdirAll(h.base, 0o755))
	sound := func(*hostilePlans) {}
	h.made(sound)
	before := h.tree()
	bad := []string{
		"../../outside/secret.md", h.path("outside/secret.md"), "", "a\nb", "\x00\xff", "99999999999999999999", "-1", "[", "\u202e", "--", "---\nx: y\n---", "<<<<<<< HEAD",
		strings.Repeat("long ", 1<<16), strings.Repeat("1.", 5000), `{"a":`, "| a |", "$(touch x)", ".planning", "STATE.md/", "~",
	}
	for i, o := range ops {
		for k, word := range bad {
			if (i+k)%map[bool]int{false: 3, true: 10}[testing.Short()] != 0 {
				continue
			}
			words := strings.Fields(o.Name)
			for _, f := range o.Input() {
				switch {
				case f.Positional:
					words = append(words, word)
				case f.Type != "boolean" && !f.Pairs && f.Name != "ws":
					words = append(words, "--"+f.Name, word)
				}
			}
			if !h.ask(o, words, before) {
				h.made(sound)
				before = h.tree()
			}
		}
	}
}
