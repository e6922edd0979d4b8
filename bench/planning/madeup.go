package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"ken/bench/world"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/inventory"
)

const (
	madeState = "---\ngsd_state_version: 1.0\nmilestone: v1.0\nstatus: executing # by hand\nprogress:\n  total_phases: 9\n  percent: 100\n---\n\n# State\n\n## Current Position\n\n" +
		"Phase: 2 of 3 (Second)\nPlan: 1 of 2 in current phase\nStatus: In progress\nLast activity: 2026-01-01 — Began\n\nProgress: [█████░░░░░] 50%\n"
	madePlan = "---\nphase: 01-first\nplan: 01\nwave: 1\ndepends_on: []\nmust_haves:\n  truths:\n    - \"It: works\"\n  artifacts:\n    - path: a.go\n      provides: \"all\"\n---\n\n" +
		"<objective>x</objective>\n<tasks>\n<task type=\"auto\">\n<name>One</name>\n```go\nfunc F[T any]() {} // <task>\n```\n</task>\n</tasks>\n"
)

// madeRoadmap has three phases in a milestone that comes after one that was shipped.
func madeRoadmap() string {
	var b strings.Builder
	b.WriteString("# Roadmap\n\n- ✅ **v0.9 Old** - Phases 0\n- 🚧 **v1.0 New** - Phases 1-3\n\n<details>\n\n### Phase 0: Old\n\n</details>\n\n## v1.0 New\n\n")
	for i, name := range []string{"First", "Second", "Third"} {
		fmt.Fprintf(&b, "### Phase %d: %s\n**Goal**: g\n**Requirements**: [A-%d]\n\n- [ ] %02d-01: x\n\n```\n### Phase 9: in a fence\n```\n", i+1, name, i+1, i+1)
	}
	b.WriteString("\n| Phase | Plans Complete | Status | Completed |\n|---|---|---|---|\n| 1. First | 9/9 | Complete | - |\n")
	return b.String()
}

// madeFiles returns the files of the folder that is made up.
func madeFiles() map[string]string {
	return map[string]string{
		"STATE.md": madeState, "ROADMAP.md": madeRoadmap(), "phases/01-first/01-01-PLAN.md": madePlan, "phases/01-first/01-01-SUMMARY.md": "---\nphase: 01\n---\n\n# S\n",
		"phases/02-second/02-01-PLAN.md": madePlan, "phases/02-second/02-02-PLAN.md": madePlan, "phases/02-second/02-01-SUMMARY.md": "",
	}
}

// madeVariants returns these files, and each with the faults that people and programs leave in such files.
func madeVariants() map[string]string {
	hostile := map[string]string{}
	for name, text := range madeFiles() {
		hostile[name] = text
		hostile[name+" windows"] = strings.ReplaceAll(text, "\n", "\r\n")
		hostile[name+" mark"] = "\ufeff" + text
		hostile[name+" cut"] = text[:len(text)*2/3]
		hostile[name+" conflict"] = strings.Replace(text, "\n", "\n<<<<<<< HEAD\n=======\n>>>>>>> x\n", 1)
		hostile[name+" twice"] = text + text
		hostile[name+" tabs"] = strings.ReplaceAll(text, "  ", "\t")
		hostile[name+" bytes"] = strings.ReplaceAll(text, "e", "\xff\x00")
		hostile[name+" large"] = strings.Repeat(text, 1<<18/(len(text)+1))
	}
	return hostile
}

// checkFolder reads the folder from disk and compares it with the written files.
func checkFolder() (missed int, err error) {
	root, remove, err := world.Scratch("ken-planning")
	if err != nil {
		return 0, err
	}
	defer remove()
	if err := world.WriteFiles(filepath.Join(root, folder.Name), madeFiles()); err != nil {
		return 0, err
	}
	f, err := folder.Open(root, folder.Options{})
	if err != nil {
		return 0, err
	}
	defer f.Close()
	inv, err := inventory.Read(f)
	if err != nil {
		return 0, err
	}
	got, want := inv.Counts(), inventory.Counts{Phases: 3, Plans: 3, CompletedPlans: 2, Percent: 50} // no phase is verified
	verdict := "kept"
	if next := inv.NextStep(); got != want || inv.View.Scope != "complete" || next.Command != "execute-phase" || len(inv.Problems) > 0 {
		verdict, missed = fmt.Sprintf("MISSED, want %+v, next is %s, problems %v", want, next.Command, inv.Problems), 1
	}
	fmt.Printf("%-32s %+v, scope %s: %s\n", "counted", got, inv.View.Scope, verdict)
	return missed, nil
}
