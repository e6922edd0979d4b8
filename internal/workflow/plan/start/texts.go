package start

import (
	"fmt"
	"strings"
	"time"

	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/roadmap"
	"ken/internal/workflow/plan/yamltree"
)

// madeText is a file that a plan begins with.
type madeText struct{ name, text string }

// texts returns the files that a plan begins with.
func (a *answers) texts(c *planop.Call) ([]madeText, error) {
	road := a.roadmap
	if road == "" {
		road = a.roadmapText()
	}
	now := c.Now().UTC()
	if a.after != nil {
		text, err := a.nextState(road, now)
		return []madeText{{"ROADMAP.md", road}, {"STATE.md", text}}, err
	}
	return []madeText{{"PROJECT.md", a.projectText(now)}, {"ROADMAP.md", road}, {"STATE.md", a.stateText(road, now)}}, nil
}

// nextState returns STATE.md of the milestone before, at the first phase of this one.
func (a *answers) nextState(road string, now time.Time) (string, error) {
	b, err := inventory.NewStateText(a.after.Doc.Text())
	if err != nil {
		return "", err
	}
	first := a.findBeginning(road)
	b.SetFront(first.version, "milestone")
	b.SetFront(first.milestone, "milestone_name")
	b.SetFront("planning", "status")
	b.SetPhase(first.phase, first.name, max(first.phases, a.offset+len(a.Phases)))
	b.SetFocus("Phase " + first.phase + " — " + first.name)
	b.SetPlan(0, 0)
	b.Set("Status", "Ready to plan")
	b.Activity(now.Format(time.DateOnly), first.version+" began")
	b.SetIn("Stopped at", first.version+" began", "Session Continuity", "Session")
	return b.Text()
}

// beginning is the first phase to work on in a roadmap, and its milestone.
type beginning struct {
	version, milestone, phase, name string
	phases                          int
}

// findBeginning returns where work on a roadmap begins.
func (a *answers) findBeginning(road string) beginning {
	r := roadmap.Parse(road)
	b := beginning{phase: "1", name: a.Name}
	if b.version, b.milestone = r.CurrentMilestone(); b.version == "" {
		b.version = a.Milestone
	}
	if b.milestone == "" {
		b.milestone = a.Name
	}
	view := r.MilestoneView(b.version)
	b.phases = len(view.Phases)
	for _, p := range view.Phases {
		if done, _ := r.CheckState(p.ID); !done {
			b.phase, b.name = p.ID.String(), p.Name
			break
		}
	}
	return b
}

func (a *answers) phaseLines() []string {
	list := []string{}
	for i, p := range a.Phases {
		list = append(list, fmt.Sprintf("%d %s", a.offset+i+1, p.Name))
	}
	for _, p := range roadmap.Parse(a.roadmap).Phases {
		list = append(list, p.ID.String()+" "+p.Name)
	}
	return list
}

func (p phase) goal() string {
	if p.Goal != "" {
		return p.Goal
	}
	return p.Name
}

func (a *answers) projectText(now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", a.Name)
	if a.Goal != "" {
		fmt.Fprintf(&b, "\n## What This Is\n\n%s\n\n## Core Value\n\n%s\n", a.Goal, a.Goal)
	}
	if len(a.Phases) > 0 {
		b.WriteString("\n## Requirements\n\n### Active\n\n")
	}
	for _, p := range a.Phases {
		fmt.Fprintf(&b, "- [ ] %s\n", p.goal())
	}
	fmt.Fprintf(&b, "\n## Key Decisions\n\n| Decision | Rationale | Outcome |\n|----------|-----------|---------|\n\n---\n*Last updated: %s when the plan began*\n", now.Format(time.DateOnly))
	return b.String()
}

func (a *answers) roadmapText() string {
	var list, details, rows strings.Builder
	for i, p := range a.Phases {
		n := a.offset + i + 1
		fmt.Fprintf(&list, "- [ ] **Phase %d: %s**\n", n, p.Name)
		depends := "Nothing (first phase)"
		if i > 0 {
			depends = fmt.Sprintf("Phase %d", n-1)
		}
		fmt.Fprintf(&details, "\n### Phase %d: %s\n**Goal**: %s\n**Depends on**: %s\n", n, p.Name, p.goal(), depends)
		if p.Source != "" {
			fmt.Fprintf(&details, "**Source**: %s\n", p.Source)
		}
		details.WriteString("**Plans**: 0 plans\n")
		fmt.Fprintf(&rows, "| %d. %s | 0/0 | Not started | - |\n", n, strings.ReplaceAll(p.Name, "|", "\\|"))
	}
	goal := ""
	if a.after != nil && a.Goal != "" { // that of the first milestone is in PROJECT.md
		goal = a.Goal + "\n\n"
	}
	return fmt.Sprintf("# Roadmap: %s\n\n## %s %s\n\n%s%s%s\n## Progress\n\n"+
		"| Phase | Plans Complete | Status | Completed |\n|-------|----------------|--------|-----------|\n%s", a.project, a.Milestone, a.Name, goal, &list, &details, &rows)
}

func (a *answers) stateText(road string, now time.Time) string {
	at := a.findBeginning(road)
	core := ""
	if a.Goal != "" {
		core = "**Core value:** " + a.Goal + "\n"
	}
	return fmt.Sprintf(`---
gsd_state_version: "1.0"
milestone: %s
milestone_name: %s
status: planning
last_updated: %s
last_activity: %s
progress:
  total_phases: 0
  completed_phases: 0
  total_plans: 0
  completed_plans: 0
  percent: 0
---

# Project State

## Project Reference

See: .planning/PROJECT.md
%s**Current focus:** Phase %s — %s

## Current Position

Phase: %s of %d (%s)
Plan: Not started
Status: Ready to plan
Last activity: %s — the plan began

Progress: %s

## Performance Metrics

**By Phase:**

| Phase | Plans | Total | Avg/Plan |
|-------|-------|-------|----------|

## Accumulated Context

### Decisions

None yet.

### Blockers/Concerns

None yet.

## Session Continuity

Last session: %s
Stopped at: the plan began
Resume file: None
`, yamltree.Quote(at.version), yamltree.Quote(at.milestone), yamltree.Quote(now.Format("2006-01-02T15:04:05.000Z")), now.Format(time.DateOnly), core,
		at.phase, at.name, at.phase, at.phases, at.name, now.Format(time.DateOnly), inventory.ProgressText(0), now.Format("2006-01-02T15:04:05.000Z"))
}

// askQuestions asks a person for what a plan begins with. Without one it fails and names the command that has the answers.
func askQuestions(question func(string) (string, error), a *answers) (err error) {
	if question == nil {
		return planop.Faultf("answers_needed", "name the phases, as in: ken plan start 'Login: people can log in' 'Search: …'; "+
			"--from takes them from a file, --name and --goal are those of the project")
	}
	ask := func(text, otherwise string) string {
		if err != nil {
			return ""
		}
		reply := ""
		if reply, err = question(text); oneLine(reply) == "" {
			return otherwise
		}
		return oneLine(reply)
	}
	what := "project"
	if a.after != nil {
		what = "milestone " + a.Milestone
	}
	a.Name = ask("Name of the "+what+" ("+a.Name+"):", a.Name)
	if a.after == nil {
		a.project = a.Name
	}
	a.Goal = ask("What is it for, in a sentence?", a.Goal)
	for {
		line := ask(fmt.Sprintf("Phase %d, as 'name: goal'; nothing ends the list:", a.offset+len(a.Phases)+1), "")
		if line == "" {
			break
		}
		name, goal, _ := strings.Cut(line, ":")
		a.Phases = append(a.Phases, phase{Name: oneLine(name), Goal: oneLine(goal)})
	}
	if err == nil && len(a.Phases) == 0 {
		return planop.Faultf("answers_needed", "a plan has at least one phase")
	}
	return err
}
