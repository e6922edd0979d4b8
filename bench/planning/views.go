package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"ken/bench/world"
	"ken/internal/delivery/planning"
	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/position"
)

// sequenceLength is the number of operations, edits, commits and checkouts of a sequence.
const sequenceLength = 30

// compareViews plays random sequences and compares all views of the folder after each step. It prints the contradictions.
func compareViews(ctx context.Context, sequences int, seed uint64) (missed int, err error) {
	steps, views := 0, 0
	begin := time.Now()
	for n := range sequences {
		s, remove, err := newSequence(ctx, seed+uint64(n))
		if err != nil {
			return missed, err
		}
		found, err := s.play()
		remove()
		if err != nil {
			return missed, fmt.Errorf("sequence %d: %w", seed+uint64(n), err)
		}
		steps, views = steps+len(s.done), views+s.views
		if len(found) > 0 {
			missed++
			fmt.Printf("  sequence %d, after %s:\n    %s\n", seed+uint64(n), strings.Join(s.done[max(0, len(s.done)-4):], "; "), strings.Join(found, "\n    "))
		}
	}
	verdict := "kept"
	if missed > 0 {
		verdict = "MISSED"
	}
	fmt.Printf("%-32s %d sequences, %d steps, %d views compared in %s: %d with contradictions (0): %s\n",
		"one truth", sequences, steps, views, time.Since(begin).Round(time.Second), missed, verdict)
	return min(missed, 1), nil
}

// sequence is a planning folder that is changed at random.
type sequence struct {
	ctx   context.Context
	root  string
	list  []*planop.Operation
	r     *rand.Rand
	done  []string
	views int
}

const sequenceRoadmap = `# Roadmap

- [ ] **Phase 1: Base** - the base
- [ ] **Phase 2: Search** - finds
- [ ] **Phase 3: Show** - shows

### Phase 1: Base
**Goal**: a base
**Plans**: 2 plans

Plans:
- [ ] 01-01: one

### Phase 2: Search
**Goal**: search
**Depends on:** Phase 1

### Phase 3: Show
**Goal**: show

## Progress

| Phase | Plans Complete | Status | Completed |
|-------|----------------|--------|-----------|
| 1. Base | 0/2 | Not started | - |
| 2. Search | 0/0 | Not started | - |
| 3. Show | 0/0 | Not started | - |
`

const sequenceState = `---
gsd_state_version: 1.0
milestone: v1.0
status: executing
progress:
  total_phases: 3
  completed_phases: 0
  total_plans: 2
  completed_plans: 0
  percent: 0
---

# State

## Current Position

Phase: 1 of 3 (Base)
Plan: 1 of 2 in current phase
Status: Executing
Last activity: 2026-01-01

Progress: [░░░░░░░░░░] 0%

## Decisions

None

## Blockers

None
`

const filledPlan = "---\nwave: 1\n---\n<objective>Build it</objective>\n<tasks><task><name>T</name><action>Write a.go</action></task></tasks>\n"
const draftPlan = "---\nwave: 1\n---\n<objective>[What this plan builds]</objective>\n"

func newSequence(ctx context.Context, seed uint64) (*sequence, func(), error) {
	root, remove, err := world.Scratch("ken-views")
	if err != nil {
		return nil, nil, err
	}
	s := &sequence{ctx: ctx, root: root, list: planning.All(), r: rand.New(rand.NewPCG(seed, seed))}
	for name, text := range map[string]string{
		"ROADMAP.md": sequenceRoadmap, "STATE.md": sequenceState, "config.json": "{}\n", "phases/01-base/01-01-PLAN.md": filledPlan, "phases/01-base/01-02-PLAN.md": filledPlan,
	} {
		err = errors.Join(err, s.write(name, text))
	}
	err = errors.Join(err, s.git("init", "-q"), s.commit())
	return s, remove, err
}

func (s *sequence) git(args ...string) error {
	_, err := world.Git(s.ctx, s.root, args...)
	return err
}

func (s *sequence) commit() error {
	return errors.Join(s.git("add", "-A"), s.git("-c", "user.name=x", "-c", "user.email=x@x", "commit", "-q", "--allow-empty", "-m", "x"))
}

func (s *sequence) path(name string) string {
	return filepath.Join(s.root, ".planning", filepath.FromSlash(name))
}

func (s *sequence) write(name, text string) error {
	return errors.Join(os.MkdirAll(filepath.Dir(s.path(name)), 0o755), os.WriteFile(s.path(name), []byte(text), 0o644))
}

func (s *sequence) pick(list ...string) string { return list[s.r.IntN(len(list))] }

// play makes the steps until one of them leaves views that contradict each other, which it returns.
func (s *sequence) play() ([]string, error) {
	for range sequenceLength {
		wrote, err := s.step()
		if err != nil {
			return nil, err
		}
		before, err := s.treeSum()
		if err != nil {
			return nil, err
		}
		found := s.contradictions(wrote)
		after, err := s.treeSum()
		if err != nil {
			return nil, err
		}
		if before != after {
			found = append(found, "a view changed the folder")
		}
		if len(found) > 0 {
			return found, nil
		}
	}
	return nil, nil
}

// step makes one change. It reports whether an operation of ken wrote files.
func (s *sequence) step() (wrote bool, err error) {
	switch n := s.r.IntN(20); {
	case n < 7:
		what, err := s.editByHand()
		s.done = append(s.done, "hand: "+what)
		return false, err
	case n == 7:
		s.done = append(s.done, "commit")
		return false, s.commit()
	case n == 8:
		back := "HEAD~" + strconv.Itoa(s.r.IntN(3))
		s.done = append(s.done, "checkout "+back)
		if s.git("rev-parse", "-q", "--verify", back) != nil {
			return false, nil
		}
		return false, errors.Join(s.git("checkout", "-q", "-f", back), s.git("clean", "-fdq"))
	}
	line := s.operation()
	s.done = append(s.done, line)
	a, err := s.ask(line)
	if err != nil {
		return false, nil // a refusal changes nothing
	}
	given := strings.HasPrefix(line, "state update ") || strings.HasPrefix(line, "state patch") || line == "undo"
	return !given && slices.ContainsFunc(a.Results, func(r change.Result) bool { return len(r.Changed) > 0 }), nil
}

func (s *sequence) operation() string {
	phase := s.pick("1", "2", "3", "4", "1.1")
	plan := "0" + phase + "-0" + s.pick("1", "2")
	return s.pick(
		"state begin-phase --phase "+phase, "state planned-phase --phase "+phase, "state advance-plan", "state sync", "state update-progress", "state add-decision --summary x",
		"state update Status Executing", "state patch --Progress 77%", "state record-session --stopped-at here", "phase add Fourth", "phase insert "+phase+" Between", "phase remove "+phase,
		"phase remove --force "+phase, "phase complete "+phase, "phase complete --force "+phase, "roadmap update-plan-progress "+phase, "phases clear --confirm", "phases archive",
		"milestone complete v1.0 --archive-phases", "milestone complete v1.0 --force --archive-phases", "undo", "scaffold phase-dir --phase "+phase+" --name x",
		"template fill plan --phase "+phase, "template fill summary --phase "+phase, "template fill verification --phase "+phase, "todo create x",
		"run report "+phase+" checked --blockers 0", "run report "+phase+" planned", "run report "+phase+" gate --result passed", "run report "+phase+" started --plan "+plan,
		"run report "+phase+" executed --plan "+plan, "run report "+phase+" verified --result passed", "run start "+phase+" --again", "config-set workflow.verifier "+s.pick("true", "false"),
	)
}

// editByHand changes the folder as a person or another program does.
func (s *sequence) editByHand() (what string, err error) {
	dir := s.pick("phases/01-base/01-", "phases/02-search/02-", "phases/03-show/03-")
	number := s.pick("01", "02", "03")
	text := func(name, old, new string) error {
		b, err := os.ReadFile(s.path(name))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return errors.Join(err, s.write(name, strings.Replace(string(b), old, new, 1)))
	}
	line := func(prefix, value string) error {
		b, err := os.ReadFile(s.path("STATE.md"))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		lines := strings.Split(string(b), "\n")
		for i, l := range lines {
			if strings.HasPrefix(l, prefix) {
				lines[i] = prefix + value
			}
		}
		return errors.Join(err, s.write("STATE.md", strings.Join(lines, "\n")))
	}
	what = s.pick("plan", "draft", "summary", "summary", "no summary", "passed", "gaps_found", "human_needed", "no verification", "tick", "untick", "phase", "plan line", "percent", "context", "no folder")
	switch what {
	case "plan":
		err = s.write(dir+number+"-PLAN.md", filledPlan)
	case "draft":
		err = s.write(dir+number+"-PLAN.md", draftPlan)
	case "summary":
		err = s.write(dir+number+"-SUMMARY.md", "# Done\n")
	case "no summary":
		err = os.RemoveAll(s.path(dir + number + "-SUMMARY.md"))
	case "passed", "gaps_found", "human_needed":
		err = s.write(dir+"VERIFICATION.md", "---\nstatus: "+what+"\n---\n")
	case "no verification":
		err = os.RemoveAll(s.path(dir + "VERIFICATION.md"))
	case "tick":
		err = text("ROADMAP.md", "- [ ] **Phase", "- [x] **Phase")
	case "untick":
		err = text("ROADMAP.md", "- [x] **Phase", "- [ ] **Phase")
	case "phase":
		err = line("Phase: ", s.pick("1", "2", "3", "9")+" of 3 (X)")
	case "plan line":
		err = line("Plan: ", s.pick("1 of 2", "2 of 3", "Not started"))
	case "percent":
		err = line("  percent: ", "88")
	case "context":
		err = s.write(dir+"CONTEXT.md", "# Context\n")
	case "no folder":
		err = os.RemoveAll(filepath.Dir(s.path(dir + "x")))
	}
	return what + " " + dir, err
}

// treeSum returns a sum of all files of the planning folder.
func (s *sequence) treeSum() (string, error) {
	h := sha256.New()
	err := filepath.WalkDir(s.path(""), func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(name)
		fmt.Fprintf(h, "%s\x00%s\x00", name, b)
		return err
	})
	return string(h.Sum(nil)), err
}

func (s *sequence) ask(line string) (*planop.Answer, error) {
	return planop.RunWords(s.ctx, s.list, planop.Surroundings{
		Dir: s.root, StateDir: filepath.Join(s.root, ".git", "state"), Getenv: func(string) string { return "" }, Now: time.Now,
	}, strings.Fields(line))
}

// view reads the answer of an operation.
func (s *sequence) view(line string, into any) error {
	s.views++
	a, err := s.ask(line)
	if err != nil {
		return fmt.Errorf("%s: %w", line, err)
	}
	return json.Unmarshal(a.JSON, into)
}

type countsView struct {
	Phases    int `json:"total_phases"`
	Completed int `json:"completed_phases"`
	Plans     int `json:"total_plans"`
	Done      int `json:"completed_plans"`
	Percent   int `json:"percent"`
}

type pageView struct {
	countsView
	Count  int `json:"phase_count"`
	Phases []struct{ Number, Status string }
	Next   struct{ Command, Phase, Operation string }
	Stale  []string
}

// contradictions compares all views of the folder. wrote: the last step was an operation of ken that changed files.
func (s *sequence) contradictions(wrote bool) (found []string) {
	var page pageView
	if err := s.view("show", &page); err != nil {
		return []string{err.Error()}
	}
	differ := func(what string, a, b any) {
		if a != b {
			found = append(found, fmt.Sprintf("%s: %v and %v", what, a, b))
		}
	}
	counts := page.countsView
	counts.Phases = page.Count
	complete := 0
	for _, p := range page.Phases {
		if p.Status == "complete" {
			complete++
		}
	}
	differ("complete phases of the page, counted and listed", counts.Completed, complete)
	if wrote && len(page.Stale) > 0 {
		found = append(found, "ken's own write left STATE.md stale: "+strings.Join(page.Stale, ", "))
	}
	found = append(found, s.compareCounts(counts)...)
	found = append(found, s.compareSteps(&page)...)
	found = append(found, s.compareState(&page, counts)...)
	return append(found, s.compareRun(&page)...)
}

func (s *sequence) compareCounts(page countsView) (found []string) {
	var progress, stats, analysis struct {
		Plans           int `json:"total_plans"`
		Done            int `json:"total_summaries"`
		Percent         int
		ProgressPercent int `json:"progress_percent"`
		Completed       int `json:"phases_completed"`
		Phases          int `json:"phases_total"`
	}
	if err := errors.Join(s.view("progress", &progress), s.view("stats", &stats)); err != nil {
		return []string{err.Error()}
	}
	want := fmt.Sprint(page.Plans, page.Done, page.Percent, page.Completed, page.Phases)
	if got := fmt.Sprint(progress.Plans, progress.Done, progress.Percent, stats.Completed, stats.Phases); got != want {
		found = append(found, "progress and stats "+got+", page "+want)
	}
	if err := s.view("roadmap analyze", &analysis); err == nil && analysis.ProgressPercent != page.Percent {
		found = append(found, fmt.Sprintf("roadmap analyze %d %%, page %d %%", analysis.ProgressPercent, page.Percent))
	}
	return found
}

func (s *sequence) compareSteps(page *pageView) (found []string) {
	var next struct {
		Command string
		Args    []string
	}
	if err := s.view("route next-action", &next); err != nil {
		return []string{err.Error()}
	}
	want := strings.TrimSpace(page.Next.Command + " " + page.Next.Phase)
	if got := strings.TrimSpace(next.Command + " " + strings.Join(next.Args, " ")); got != want {
		found = append(found, "next-action "+got+", page "+want)
	}
	s.views++
	at, ok := position.ProjectPosition(s.root, "", filepath.Join(s.root, ".git", "state"))
	if got := at.NextStep(); !ok || got != want {
		found = append(found, "status line "+got+", page "+want)
	}
	return found
}

func (s *sequence) compareState(page *pageView, counts countsView) (found []string) {
	var state struct {
		Phase    string `json:"current_phase"`
		Progress countsView
	}
	if _, err := os.Stat(s.path("STATE.md")); err != nil {
		return nil
	}
	var valid struct{ Valid bool }
	if err := errors.Join(s.view("state json", &state), s.view("state validate", &valid)); err != nil {
		return []string{err.Error()}
	}
	if state.Progress != counts {
		found = append(found, fmt.Sprintf("state json %+v, page %+v", state.Progress, counts))
	}
	if page.Next.Phase != "" && state.Phase != page.Next.Phase {
		found = append(found, "state json is at phase "+state.Phase+", page at "+page.Next.Phase)
	}
	if valid.Valid && len(page.Stale) > 0 {
		found = append(found, "state validate finds nothing, and the page calls STATE.md stale: "+strings.Join(page.Stale, ", "))
	}
	return found
}

// compareRun compares the run of the current phase with the step of the page, if the page leads to a run.
func (s *sequence) compareRun(page *pageView) (found []string) {
	if page.Next.Phase == "" || strings.HasPrefix(page.Next.Operation, "guide ") {
		return nil
	}
	var run struct {
		Run  struct{ Stage string }
		Next []struct{ Commands []string }
	}
	if err := s.view("run next "+page.Next.Phase, &run); err != nil {
		return []string{err.Error()}
	}
	before := []string{"planning", "checking", "revising", "approving", "deciding", "stopped"}
	may := map[string][]string{
		"discuss-phase": {"planning", "stopped"}, "plan-phase": append(before, "verifying", "wave_gate", "human"), "execute-phase": append(before, "executing", "wave_gate"),
		"verify-work": {"wave_gate", "verifying", "human", "deciding", "planning", "closing", "complete", "stopped"}, "complete-phase": {"wave_gate", "verifying", "closing", "complete", "deciding", "stopped", "planning"},
	}[page.Next.Command]
	if !slices.Contains(may, run.Run.Stage) {
		found = append(found, "the run of phase "+page.Next.Phase+" is "+run.Run.Stage+", page "+page.Next.Command)
	}
	return found
}
