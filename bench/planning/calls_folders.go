package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"ken/bench/world"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/inventory"
)

// compareMade compares the calls over made folders: each of fifteen kinds with either line end.
func (c *comparison) compareMade(ctx context.Context, only string) error {
	for _, name := range madeKinds() {
		for _, newline := range []string{"lf", "crlf"} {
			if !strings.Contains(name+"-"+newline, only) {
				continue
			}
			if err := c.compareKind(ctx, name, newline); err != nil {
				return fmt.Errorf("%s-%s: %w", name, newline, err)
			}
		}
	}
	return nil
}

func (c *comparison) compareKind(ctx context.Context, name, newline string) error {
	top, remove, err := world.Scratch("ken-planning")
	if err != nil {
		return err
	}
	defer remove()
	dir := filepath.Join(top, "made-"+name)
	files := kindFiles(name)
	for at, text := range files {
		if newline == "crlf" {
			files[at] = strings.ReplaceAll(text, "\n", "\r\n")
		}
	}
	if err := world.WriteFiles(dir, files); err != nil {
		return err
	}
	if _, err := world.Git(ctx, dir, "init", "-q", "--template="); err != nil {
		return err
	}
	return c.compareCalls(ctx, dir, name+"-"+newline, false)
}

// compareCalls gives both programs all command lines about a folder. With scored the leaves of answers to the questions about all folders
// are counted, too.
func (c *comparison) compareCalls(ctx context.Context, dir, name string, scored bool) error {
	list, err := folderQuestions(dir)
	if err != nil {
		return err
	}
	extra, err := moreQuestions(dir)
	if err != nil {
		return err
	}
	before, err := planningFiles(dir)
	if err != nil {
		return err
	}
	f, all := &comparedFolder{dir, name, before}, append(slices.Clone(list), extra...)
	errs, next, workers := make([]error, len(all)), atomic.Int64{}, sync.WaitGroup{}
	for range 4 {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(all) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				errs[i] = c.compareCall(ctx, f, &all[i], scored && i < len(list))
			}
		})
	}
	workers.Wait()
	fmt.Fprintf(os.Stderr, "  %s: %d calls\n", name, len(all))
	return errors.Join(append(errs, ctx.Err())...)
}

// madeKinds are the kinds of made folders.
func madeKinds() []string {
	return []string{
		"new", "one-done", "decimals", "workstreams", "order", "hand-edited", "unicode", "next-milestone", "old-dialect", "duplicates",
		"details", "free-status", "no-roadmap", "no-state", "stores",
	}
}

const (
	kindState = "---\ngsd_state_version: 1.0\nmilestone: v1.0\nmilestone_name: First light\nstatus: executing\nstopped_at: Completed 01-02\n" +
		"last_updated: \"2026-01-02T10:00:00.000Z\"\nlast_activity: 2026-01-02\nprogress:\n  total_phases: 3\n  completed_phases: 1\n  total_plans: 4\n" +
		"  completed_plans: 2\n  percent: 50\n---\n\n# Project State\n\n## Project Reference\n\nSee: .planning/PROJECT.md (updated 2026-01-01)\n\n" +
		"**Core value:** it finds things\n**Current focus:** Phase 2: Search\n\n## Current Position\n\nPhase: 2 of 3 (Search)\nPlan: 1 of 2 in current phase\n" +
		"Status: In progress\nLast activity: 2026-01-02 — Completed 01-02\n\nProgress: [█████░░░░░] 50%\n\n## Performance Metrics\n\n" +
		"| Phase | Duration | Tasks | Files |\n|-------|----------|-------|-------|\n| Phase 1 P1 | 5min | 2 tasks | 3 files |\n\n" +
		"## Accumulated Context\n\n### Decisions\n\n- [Phase 1]: use an index\n- [Phase 2]: no server\n\n### Pending Todos\n\nNone yet.\n\n### Blockers/Concerns\n\n" +
		"- the key is missing\n\n## Session Continuity\n\nLast session: 2026-01-02 10:00\nStopped at: Completed 01-02\nResume file: None\n"
	kindPlan = "---\nphase: %s\nplan: %02d\ntype: execute\nwave: %d\ndepends_on: []\nfiles_modified: [src/%s.go, src/more.go]\nautonomous: true\n" +
		"requirements: [REQ-%02d]\nmust_haves:\n  truths:\n    - \"It finds\"\n  artifacts:\n    - path: src/%[4]s.go\n      provides: \"all\"\n" +
		"  key_links:\n    - from: src/%[4]s.go\n      to: src/more.go\n      via: \"a call\"\n      pattern: \"More\"\n---\n\n<objective>\nBuild %[4]s.\n</objective>\n\n" +
		"<context>\n@.planning/PROJECT.md\n@src/more.go\n</context>\n\n<tasks>\n\n<task type=\"auto\">\n  <name>Task 1: Write it</name>\n  <files>src/%[4]s.go</files>\n" +
		"  <action>Write `src/%[4]s.go`.</action>\n  <verify>go test ./...</verify>\n  <done>It passes</done>\n</task>\n\n</tasks>\n"
	kindSummary = "---\nphase: %s\nplan: %02d\nsubsystem: search\ntags: [go, index]\nprovides:\n  - \"the index\"\ntech-stack:\n  added: [bolt]\n  patterns: [\"one writer\"]\n" +
		"key-files:\n  created: [src/more.go]\n  modified: []\nkey-decisions:\n  - \"one file\"\nduration: 5min\ncompleted: 2026-01-02\n---\n\n" +
		"# Phase %[1]s Plan %[2]d: Base Summary\n\n**The index finds what it holds**\n\n## Accomplishments\n- It finds\n\n## Task Commits\n\n1. **Task 1** - `abc1234` (feat)\n\n" +
		"## Files Created/Modified\n- `src/more.go` - more\n\n## Self-Check: PASSED\n"
	kindRequirements = "# Requirements\n\n## v1 Requirements\n\n- [x] **REQ-01**: it finds\n- [ ] **REQ-02**: it shows\n- [ ] **REQ-10**: it is fast\n\n## Traceability\n\n" +
		"| Requirement | Phase | Status |\n|-------------|-------|--------|\n| REQ-01 | Phase 1 | Complete |\n| REQ-02 | Phase 2 | Pending |\n| REQ-10 | Phase 3 | Pending |\n"
	kindProject = "# Finder\n\n## What This Is\n\nA finder.\n\n## Core Value\n\nIt finds things.\n\n## Requirements\n\n### Active\n\n- [ ] It shows\n"
	kindConfig  = "{\n  \"mode\": \"interactive\",\n  \"granularity\": \"standard\",\n  \"parallelization\": true,\n  \"commit_docs\": true,\n  \"model_profile\": \"balanced\",\n" +
		"  \"workflow\": {\n    \"research\": true,\n    \"verifier\": true\n  }\n}\n"
)

// kindPhase is a phase of a made folder.
type kindPhase struct {
	number, name string
	plans, done  int
}

// kindRoadmap writes a roadmap as the other program's template has it.
func kindRoadmap(phases []kindPhase) string {
	var b strings.Builder
	b.WriteString("# Roadmap: Finder\n\n## Overview\n\nFrom nothing to a finder.\n\n## Phases\n\n")
	mark := func(p kindPhase) string {
		if p.plans > 0 && p.done == p.plans {
			return "x"
		}
		return " "
	}
	for _, p := range phases {
		fmt.Fprintf(&b, "- [%s] **Phase %s: %s** - %s is there\n", mark(p), p.number, p.name, p.name)
	}
	b.WriteString("\n## Phase Details\n\n")
	before := ""
	for _, p := range phases {
		fmt.Fprintf(&b, "### Phase %s: %s\n**Goal**: %s is there\n", p.number, p.name, p.name)
		if before == "" {
			b.WriteString("**Depends on**: Nothing (first phase)\n")
		} else {
			fmt.Fprintf(&b, "**Depends on**: Phase %s\n", before)
		}
		fmt.Fprintf(&b, "**Requirements**: REQ-0%s\n**Success Criteria** (what must be TRUE):\n  1. It is there\n  2. It works\n**Plans**: %d plans\n\nPlans:\n", p.number[:1], p.plans)
		for i := range p.plans {
			box := " "
			if i < p.done {
				box = "x"
			}
			fmt.Fprintf(&b, "- [%s] %s-%02d: part %d\n", box, paddedNumber(p.number), i+1, i+1)
		}
		b.WriteString("\n")
		before = p.number
	}
	b.WriteString("## Progress\n\n| Phase | Plans Complete | Status | Completed |\n|-------|----------------|--------|-----------|\n")
	for _, p := range phases {
		status, day := "Not started", "-"
		if p.done > 0 {
			status = "In Progress"
		}
		if mark(p) == "x" {
			status, day = "Complete", "2026-01-02"
		}
		fmt.Fprintf(&b, "| %s. %s | %d/%d | %s | %s |\n", p.number, p.name, p.done, p.plans, status, day)
	}
	return b.String()
}

func paddedNumber(number string) string {
	whole, rest, decimal := strings.Cut(number, ".")
	if len(whole) == 1 {
		whole = "0" + whole
	}
	if decimal {
		return whole + "." + rest
	}
	return whole
}

// kindFolder writes the files of a project with these phases.
func kindFolder(phases []kindPhase) map[string]string {
	files := map[string]string{
		".planning/STATE.md": kindState, ".planning/ROADMAP.md": kindRoadmap(phases), ".planning/REQUIREMENTS.md": kindRequirements,
		".planning/PROJECT.md": kindProject, ".planning/config.json": kindConfig, "src/more.go": "package src\n\nfunc More() {}\n",
	}
	for _, p := range phases {
		slug := strings.ToLower(strings.ReplaceAll(p.name, " ", "-"))
		folderName := paddedNumber(p.number) + "-" + slug
		if p.plans == 0 {
			continue
		}
		for i := range p.plans {
			at := path.Join(".planning/phases", folderName, fmt.Sprintf("%s-%02d-", paddedNumber(p.number), i+1))
			files[at+"PLAN.md"] = fmt.Sprintf(kindPlan, folderName, i+1, i+1, slug, len(files)%9+1)
			if i < p.done {
				files[at+"SUMMARY.md"] = fmt.Sprintf(kindSummary, folderName, i+1)
			}
		}
	}
	return files
}

var usualPhases = []kindPhase{{"1", "Base", 2, 2}, {"2", "Search", 2, 0}, {"3", "Show", 0, 0}}

// kindFiles returns the files of one kind of folder.
func kindFiles(kind string) map[string]string {
	files := kindFolder(usualPhases)
	edit := func(name string, pairs ...string) {
		files[".planning/"+name] = strings.NewReplacer(pairs...).Replace(files[".planning/"+name])
	}
	switch kind {
	case "new":
		files = kindFolder([]kindPhase{{"1", "Base", 0, 0}, {"2", "Search", 0, 0}, {"3", "Show", 0, 0}})
		edit("STATE.md", "Phase: 2 of 3 (Search)", "Phase: 1 of 3 (Base)", "Plan: 1 of 2 in current phase", "Plan: 0 of TBD in current phase",
			"In progress", "Ready to plan", "50%", "0%", "█████░░░░░", "░░░░░░░░░░", "percent: 50", "percent: 0", "status: executing", "status: planning")
	case "decimals":
		files = kindFolder([]kindPhase{{"1", "Base", 1, 1}, {"1.1", "Urgent fix", 1, 1}, {"2", "Search", 2, 1}, {"2.1", "Hot", 1, 0}, {"3", "Show", 0, 0}})
	case "workstreams":
		for name, text := range kindFolder(usualPhases) {
			if rest, ok := strings.CutPrefix(name, ".planning/"); ok && rest != "PROJECT.md" && rest != "config.json" {
				files[".planning/workstreams/api/"+rest] = text
			}
		}
	case "order":
		files = kindFolder([]kindPhase{{"3", "Show", 1, 0}, {"1", "Base", 2, 2}, {"10", "Last", 0, 0}, {"2", "Search", 2, 1}})
	case "hand-edited":
		edit("ROADMAP.md", "| Phase | Plans Complete | Status | Completed |", "| Phase | Milestone | Plans Complete | Status | Completed |",
			"|-------|----------------|--------|-----------|", "|---|---|:-:|---|--:|", "| 1. Base |", "| 1. Base | v1.0 |", "| 2. Search |", "| 2. Search | v1.0 |")
		files[".planning/ROADMAP.md"] = "\ufeff" + strings.TrimRight(files[".planning/ROADMAP.md"], "\n")
		edit("STATE.md", "Status: In progress", "**Status:**   In progress  ", "| Phase 1 P1 | 5min | 2 tasks | 3 files |", "| Phase 1 P1 | 5min |\n| by hand | a \\| b | c | d |")
	case "unicode":
		files = kindFolder([]kindPhase{{"1", "Über die Größe", 1, 1}, {"2", "検索 機能", 1, 0}, {"3", "Café ☕", 0, 0}})
		edit("STATE.md", "it finds things", "es findet «alles» — 検索")
	case "next-milestone":
		files = kindFolder([]kindPhase{{"4", "Rank", 1, 1}, {"5", "Share", 2, 0}})
		edit("ROADMAP.md", "## Phases\n", "## Milestones\n\n- ✅ **v1.0 First light** - Phases 1-3 (shipped 2026-01-01)\n- 🚧 **v1.1 Next** - Phases 4-5 (in progress)\n\n## Phases\n\n"+
			"<details>\n<summary>✅ v1.0 First light (Phases 1-3) - SHIPPED 2026-01-01</summary>\n\n### Phase 1: Base\n**Goal**: a base\n\n- [x] 01-01: one\n\n</details>\n\n### 🚧 v1.1 Next (In Progress)\n",
			"## Phase Details\n", "### Details\n")
		edit("STATE.md", "Phase: 2 of 3 (Search)", "Phase: 5 of 5 (Share)")
		files[".planning/MILESTONES.md"] = "# Milestones\n\n## v1.0 First light (Shipped: 2026-01-01)\n\n**Phases completed:** 3 phases, 4 plans\n\n---\n"
		files[".planning/milestones/v1.0-ROADMAP.md"] = kindRoadmap(usualPhases)
		files[".planning/milestones/v1.0-phases/01-base/01-01-PLAN.md"] = fmt.Sprintf(kindPlan, "01-base", 1, 1, "base", 1)
		files[".planning/milestones/v1.0-phases/01-base/01-01-SUMMARY.md"] = fmt.Sprintf(kindSummary, "01-base", 1)
	case "old-dialect":
		files[".planning/STATE.md"] = "---\ncustom: kept\nlist:\n  - a: 1\n    b: 2\nmilestone: v1.0\nstatus: paused\n---\n\n# Project State\n\n## Position\n\n**Current Phase:** 02\n**Current Phase Name:** Search\n**Total Phases:** 3\n" +
			"**Current Plan:** 1\n**Total Plans in Phase:** 2\n**Status:** Executing\n**Progress:** [█████░░░░░] 50%\n**Last Activity:** 2026-01-02\n**Last Activity Description:** Completed 01-02\n\n" +
			"## Decisions Made\n\n| Phase | Decision | Rationale |\n|-------|----------|-----------|\n| 1 | use an index | fast |\n\n## Blockers\n\n- the key is missing\n\n## Session\n\n**Last Date:** 2026-01-02\n**Stopped At:** 01-02\n**Resume File:** None\n"
	case "duplicates":
		for i, name := range []string{"02-search-old", "2-search"} {
			files[".planning/phases/"+name+"/02-01-PLAN.md"] = fmt.Sprintf(kindPlan, name, 1, i+1, "search", 2)
		}
	case "details":
		edit("ROADMAP.md", "## Phases\n", "## Phases\n\n<details open>\n<summary>v1.0 First light</summary>\n", "## Phase Details\n", "</details>\n\n## Phase Details\n")
	case "free-status":
		edit("STATE.md", "status: executing", "status: Blocked on infra", "Status: In progress", "Status: Blocked on infra")
	case "no-roadmap":
		delete(files, ".planning/ROADMAP.md")
	case "no-state":
		delete(files, ".planning/STATE.md")
	case "stores":
		addStores(files)
	}
	return files
}

// addStores adds todos, threads, seeds, quick tasks, tests of people, verifications, and other documents of phases.
func addStores(files map[string]string) {
	for name, text := range map[string]string{
		"todos/pending/2026-01-01-fix.md": "---\ntitle: Fix the search\narea: search\ncreated: 2026-01-01\nfiles:\n  - src/search.go\n---\n\n## Problem\n\nIt is slow, tbd.\n",
		"todos/pending/old.md":            "title: Old one\narea: general\ncreated: 2025-12-31\n\nNo front matter.\n", "todos/completed/done.md": "---\ntitle: Done\n---\n",
		"threads/t.md": "---\nstatus: open\n---\n\n# Thread: think\n", "seeds/SEED-001-x.md": "---\nid: SEED-001\nstatus: dormant\n---\n\n# Seed: X\n",
		"quick/260101-abc-fix/260101-abc-PLAN.md": "# P\n", "quick/260101-abc-fix/260101-abc-SUMMARY.md": "---\nstatus: complete\n---\n",
		"debug/slow.md":                   "---\nstatus: investigating\ntrigger: slow\nupdated: 2026-01-01\n---\n\n## Current Focus\n\nhypothesis: the disk\n",
		"phases/01-base/01-UAT.md":        "---\nstatus: partial\nphase: 01-base\n---\n\n## Current Test\n\nnumber: 2\nname: It shows\nexpected: |\n  A list.\nawaiting: user response\n\n## Tests\n\n### 1. It finds\nexpected: a hit\nresult: pass\n\n### 2. It shows\nexpected: A list.\nresult: [pending]\n\n## Summary\n\ntotal: 2\npassed: 1\nissues: 0\npending: 1\nskipped: 0\n\n## Gaps\n",
		"phases/01-base/VERIFICATION.md":  "---\nphase: 01-base\nstatus: passed\nscore: 2/2\n---\n\n# V\n",
		"phases/02-search/02-CONTEXT.md":  "# Context\n\n<decisions>\n- D-01: one file\n</decisions>\n\n## Open Questions\n\n- How fast?\n",
		"phases/02-search/02-RESEARCH.md": "# Research\n\n## Open Questions\n\n1. How?\n",
		"intel/files.json":                "{\"_meta\":{\"updated_at\":\"2026-01-01T00:00:00.000Z\",\"version\":1},\"entries\":{\"src/more.go\":{\"exports\":[\"More\"],\"type\":\"lib\"}}}\n",
		"graphs/graph.json":               "{\"nodes\":[{\"id\":\"a\",\"label\":\"More\"},{\"id\":\"b\",\"label\":\"Find\"}],\"edges\":[{\"source\":\"a\",\"target\":\"b\",\"confidence\":\"EXTRACTED\"}]}\n",
	} {
		files[".planning/"+name] = text
	}
	files[".planning/config.json"] = strings.Replace(kindConfig, "\"workflow\": {", "\"intel\": {\"enabled\": true},\n  \"graphify\": {\"enabled\": true},\n  \"workflow\": {", 1)
}

// moreQuestions are the command lines beyond those of folderQuestions: the other operations, forms of flags, and what is not there.
func moreQuestions(dir string) ([]commandLine, error) {
	f, err := folder.Open(dir, folder.Options{})
	if err != nil {
		return nil, err
	}
	defer f.Close()
	inv, err := inventory.Read(f)
	if err != nil {
		return nil, err
	}
	var list []commandLine
	read := func(lines ...string) {
		for _, line := range lines {
			list = append(list, splitCommand(line, false))
		}
	}
	read("agent-skills|gsd-executor", "check-commit", "state", "state load|--raw", "config-get|mode", "config-get|workflow.research", "config-get|no.such.key",
		"config-get|no.such.key|--default|x", "generate-slug|Ünïcode näme", "generate-slug|A Name|--raw", "graphify build", "graphify diff", "graphify query|More", "graphify status",
		"intel diff", "intel query|More", "intel status", "intel update", "intel validate", "intel extract-exports|src/more.go", "learnings list", "learnings query|--tag|go", "list-todos|search",
		"profile-questionnaire", "resolve-model|gsd-planner", "resolve-model|gsd-executor|--raw", "resolve-model|none", "skill-manifest", "validate agents", "verify commits|abc1234",
		"websearch|finder", "workstream get", "workstream list", "workstream progress", "workstream status|api", "workstream status|none", "roadmap get-phase|99", "roadmap get-phase|01",
		"roadmap get-phase|1|--raw", "find-phase|99", "find-phase|1|--raw", "phase-plan-index|99", "init execute-phase|99", "init plan-phase|99", "init phase-op|99", "init verify-work|99",
		"phase next-decimal|99", "verify phase-completeness|99", "todo match-phase|99", "stats|table", "stats|bar", "stats|json|--raw", "progress|bar|--raw", "progress|table|--raw",
		"state get|Current Phase", "state get|No Such", "state get|Progress|--raw", "state get|Decisions", "init|nonsense", "verify|nonsense", "nonsense", "state|nonsense",
		"frontmatter get|.planning/STATE.md", "frontmatter get|.planning/NONE.md", "frontmatter get|.planning/STATE.md|--field|status", "verify-summary|.planning/NONE.md",
		"verify-path-exists|none", "verify-path-exists|.planning/ROADMAP.md|--raw", "find-phase|1|--pick|directory", "phases list|--pick|directories[-1]", "phases list|--type|plans",
		"phases list|--type|summaries", "phases list|--phase|1", "phases list|--phase|99", "phases list|--include-archived", "phases clear", "uat render-checkpoint|--file|none.md",
		"summary-extract|.planning/NONE.md", "config-path|--raw", "init todos|search", "init list-workspaces", "init remove-workspace|none", "current-timestamp|none",
		"audit-open", "phase nonsense", "phase-plan-index|1|--pick|plans[0].id")
	write := func(lines ...string) {
		for _, line := range lines {
			list = append(list, splitCommand(line, true))
		}
	}
	write("phase add", "phase add|Two words", "phase add|Own|--id|X-1", "phase add-batch|One|Two", "phase insert|99|Between", "phase insert|1", "phase remove|99", "phase remove|1", "phase complete|99",
		"phase complete", "roadmap update-plan-progress|99", "roadmap update-plan-progress", "scaffold context|--phase|99", "scaffold uat|--phase|99", "scaffold verification|--phase|1",
		"scaffold phase-dir|--phase|1|--name|Base", "scaffold nonsense", "milestone complete|v9.9|--name|Big|One|--archive-phases", "milestone complete", "config-set|mode|nonsense",
		"config-set|no.such.key|1", "config-set|workflow.research|false", "config-set|hooks.context_warnings|false", "config-set|hooks.workflow_guard|true", "config-set|context_window|500000",
		"config-new-project", "config-new-project|{\"mode\":\"yolo\"}", "config-set-model-profile|none", "frontmatter merge|.planning/STATE.md|--data|{\"a\":1}", "frontmatter set|.planning/STATE.md|--field|status|--value|x",
		"generate-claude-md|--output|X.md", "intel snapshot", "learnings copy", "learnings prune|--older-than|30d", "learnings delete|none", "requirements mark-complete|REQ-02", "requirements mark-complete|REQ-02,REQ-10", "requirements mark-complete",
		"state add-blocker", "state add-decision", "state patch|--Status|Done|--Current Focus|x", "state prune|--dry-run", "state prune|--keep-recent|0", "state signal-resume", "state signal-waiting|--type|decision|--question|Which?",
		"state sync|--verify", "state update|No Such|x", "state update|Status", "state resolve-blocker|--text|nothing such", "template fill|plan|--phase|3", "template fill|summary|--phase|1|--plan|1", "template fill|nonsense|--phase|1",
		"template fill|verification|--phase|99", "todo complete|2026-01-01-fix.md", "todo complete|none.md", "validate health|--repair", "workstream create|more", "workstream create|Two Words", "workstream set|api", "workstream set|none", "workstream complete|none",
		"workstream complete|api", "graphify build|snapshot", "write-profile", "commit|docs: x|--files|.planning/STATE.md", "commit", "skill-manifest|--write")
	for _, p := range inv.Phases[:min(3, len(inv.Phases))] {
		for _, file := range slices.Sorted(slices.Values(p.Names)) {
			if strings.HasSuffix(file, "SUMMARY.md") {
				read("summary-extract|"+path.Join(p.Dir, file)+"|--fields|one_liner,key_files", "frontmatter validate|"+path.Join(p.Dir, file)+"|--schema|summary")
			}
		}
	}
	return list, nil
}

// splitCommand reads a command line that is written with bars: words before the first are the operation.
func splitCommand(line string, writes bool) commandLine {
	words := strings.Split(line, "|")
	return commandLine{operation: words[0], args: words[1:], writes: writes}
}
