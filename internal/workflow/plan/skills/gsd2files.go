package skills

import (
	"fmt"
	"path"
	"strings"

	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/yamltree"
)

// planningFiles returns the files of a planning folder with the content of the imported milestones.
func (r *gsd2Reader) planningFiles(milestones []*milestone, today string) (list []change.File) {
	add := func(name, text string) { list = append(list, change.File{Name: name, Text: &text}) }
	if text := r.readText("PROJECT.md"); text != nil {
		add("PROJECT.md", *text)
	} else {
		add("PROJECT.md", "# Project\n\n## What This Is\n\nTaken over from a folder .gsd.\n\n## Core Value\n\nNot written down yet.\n\n## Requirements\n\n### Active\n")
	}
	if text := r.readText("REQUIREMENTS.md"); text != nil {
		add("REQUIREMENTS.md", *text)
	}
	add("config.json", "{\n  \"mode\": \"interactive\"\n}\n")
	add("ROADMAP.md", roadmapText(milestones))
	add("STATE.md", stateText(milestones, today))
	for _, m := range milestones {
		for _, s := range m.slices {
			n := fmt.Sprintf("%02d", s.number)
			dir := path.Join("phases", n+"-"+s.slug)
			context := fmt.Sprintf("# Phase %s: %s - Context\n\nTaken over from slice %s.\n", n, s.title, s.id)
			if s.context != "" {
				context += "\n" + s.context + "\n"
			}
			add(path.Join(dir, n+"-CONTEXT.md"), context)
			if s.research != "" {
				add(path.Join(dir, n+"-RESEARCH.md"), s.research)
			}
			for i, t := range s.tasks {
				id := fmt.Sprintf("%s-%02d", n, i+1)
				add(path.Join(dir, id+"-PLAN.md"), planText(s, t, i+1))
				if t.summary != nil {
					add(path.Join(dir, id+"-SUMMARY.md"), summaryText(s, *t.summary, i+1, today))
				}
			}
		}
	}
	return list
}

func roadmapText(milestones []*milestone) string {
	var b strings.Builder
	b.WriteString("# Roadmap\n\n## Phases\n\n")
	for _, m := range milestones {
		for _, s := range m.slices {
			box := " "
			if s.done {
				box = "x"
			}
			fmt.Fprintf(&b, "- [%s] **Phase %d: %s**\n", box, s.number, oneLine(s.title))
		}
	}
	b.WriteString("\n## Phase Details\n")
	for _, m := range milestones {
		for _, s := range m.slices {
			fmt.Fprintf(&b, "\n### Phase %d: %s\n\n**Goal**: %s\n**Milestone**: %s\n**Requirements**: TBD\n**Plans**: %d\n\n",
				s.number, oneLine(s.title), oneLine(s.title), oneLine(m.title), len(s.tasks))
			for i, t := range s.tasks {
				box := " "
				if t.summary != nil {
					box = "x"
				}
				fmt.Fprintf(&b, "- [%s] %02d-%02d-PLAN.md — %s\n", box, s.number, i+1, oneLine(t.title))
			}
		}
	}
	return b.String()
}

func stateText(milestones []*milestone, today string) string {
	all, done := 0, 0
	var current *slice
	for _, m := range milestones {
		for _, s := range m.slices {
			all++
			if s.done {
				done++
			} else if current == nil {
				current = s
			}
		}
	}
	phase, status := fmt.Sprintf("%d of %d", all, all), "All phases complete"
	if current != nil {
		phase, status = fmt.Sprintf("%d of %d (%s)", current.number, all, oneLine(current.title)), "Ready to plan"
	}
	percent := 0
	if all > 0 {
		percent = 100 * done / all
	}
	bar := strings.Repeat("█", percent/10) + strings.Repeat("░", 10-percent/10)
	return "# Project State\n\n## Project Reference\n\nSee: .planning/PROJECT.md\n\n## Current Position\n\nPhase: " + phase + "\nStatus: " + status +
		"\nLast activity: " + today + " — taken over from .gsd\n\nProgress: [" + bar + "] " + fmt.Sprint(percent) + "%\n\n## Accumulated Context\n\n" +
		"### Decisions\n\nNone yet.\n\n### Blockers/Concerns\n\nNone yet.\n\n## Session Continuity\n\nLast session: " + today +
		"\nStopped at: Taken over from .gsd\nResume file: None\n"
}

// planText returns the text of a plan with one task. The plan depends on the one before it, because the format of .gsd has no
// dependencies.
func planText(s *slice, t task, n int) string {
	needs := "[]"
	if n > 1 {
		needs = fmt.Sprintf("[\"%02d-%02d\"]", s.number, n-1)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "---\nphase: %02d-%s\nplan: %q\ntype: execute\nwave: %d\ndepends_on: %s\nfiles_modified: []\nautonomous: true\nrequirements: []\nmust_haves:\n",
		s.number, s.slug, fmt.Sprintf("%02d", n), n, needs)
	if len(t.musts) == 0 {
		b.WriteString("  truths: []\n")
	} else {
		b.WriteString("  truths:\n")
		for _, must := range t.musts {
			fmt.Fprintf(&b, "    - %s\n", yamltree.Quote(oneLine(must)))
		}
	}
	fmt.Fprintf(&b, "---\n\n<objective>\n%s\n</objective>\n\n<context>\nSlice %s: %s\n", oneLine(t.title), s.id, oneLine(s.title))
	if t.description != "" {
		fmt.Fprintf(&b, "\n%s\n", t.description)
	}
	b.WriteString("</context>\n")
	return b.String()
}

// summaryText returns the text of a plan's summary. Its body is that of the imported summary.
func summaryText(s *slice, text string, n int, today string) string {
	d := document.Parse(text)
	body := strings.TrimSpace(d.BytesOf(d.Body()).Text(text))
	if body == "" {
		body = "# Summary\n\nDone before it was taken over."
	}
	return fmt.Sprintf("---\nphase: %02d-%s\nplan: %q\nsubsystem: unknown\ntags: []\nduration: unknown\ncompleted: %s\n---\n\n%s\n",
		s.number, s.slug, fmt.Sprintf("%02d", n), today, body)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func previewText(milestones []*milestone, files []change.File) string {
	slices, done, tasks, doneTasks := 0, 0, 0, 0
	for _, m := range milestones {
		for _, s := range m.slices {
			slices++
			if s.done {
				done++
			}
			for _, t := range s.tasks {
				tasks++
				if t.summary != nil {
					doneTasks++
				}
			}
		}
	}
	var b strings.Builder
	b.WriteString("Files of .planning:\n")
	for _, f := range files {
		fmt.Fprintf(&b, "  %s\n", f.Name)
	}
	fmt.Fprintf(&b, "\nmilestones: %d\nphases, of slices: %d, %d complete\nplans, of tasks: %d, %d complete\n", len(milestones), slices, done, tasks, doneTasks)
	b.WriteString("not taken over: the ledger of costs, the database, and what editors keep")
	return b.String()
}
