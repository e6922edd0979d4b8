// Package position describes in one line how far a project is: its current phase and its next step. The line is shown in status lines, at
// the beginning of sessions and in briefs, if there is a planning folder. Package inventory computes the numbers.
package position

import (
	"context"
	"fmt"
	"os"
	"strings"

	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/inventory"
)

// Position is the phase of the next step, and its progress.
type Position struct {
	Phase       string // the number of the phase of the next step, or ""
	Goal        string // of that phase, "" if the roadmap has none
	Name        string // of that phase, as written; without it the line has only the number
	Phases      int    // of the milestone
	Done, Plans int    // of the phase
	Command     string // the next step: execute-phase, plan-phase, …
	Why         string
}

// ProjectPosition returns the position of the project that a directory belongs to. It returns false if there is no planning folder, if it
// cannot be read, or if it has neither roadmap nor state.
func ProjectPosition(dir, home, state string) (p Position, ok bool) {
	project, err := folder.Find(dir, home)
	if err != nil {
		return p, false
	}
	if state != "" {
		if _, err := change.Recover(context.Background(), project, change.Options{StateDir: state}); err != nil {
			return p, false // it is half of a change
		}
	}
	f, err := folder.Open(project, folder.Options{Pointer: folder.SessionPointer(project, os.Getenv)})
	if err != nil {
		return p, false
	}
	defer f.Close()
	inv, err := inventory.Read(f)
	if err != nil || inv.Roadmap == nil && inv.State == nil {
		return p, false
	}
	step := inv.NextStep()
	p = Position{Phases: inv.Counts().Phases, Command: step.Command, Why: step.Reason}
	if s := step.Phase; s != nil {
		p.Phase, p.Name, p.Done, p.Plans = s.ID.String(), oneLine(s.Name), s.DonePlans(), len(s.Plans)
		if inv.Roadmap != nil && s.Detail != nil {
			p.Goal = oneLine(inv.Roadmap.Value(*s.Detail, "Goal"))
		}
	}
	return p, true
}

// oneLine returns s in one line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// NextStep returns the next step with the number of its phase, such as "execute-phase 2".
func (p *Position) NextStep() string {
	if p.Phase == "" {
		return p.Command
	}
	return p.Command + " " + p.Phase
}

// Short returns the position for a status line, such as "phase 2/5 1/3": phase 2 of 5, with 1 of 3 plans done.
func (p *Position) Short() string {
	if p.Phase == "" {
		return p.Command
	}
	s := fmt.Sprintf("phase %s/%d", p.Phase, p.Phases)
	if p.Plans > 0 {
		s += fmt.Sprintf(" plan %d/%d", p.Done, p.Plans)
	}
	return s
}

// maxName is the maximal number of characters of a phase's name that are shown.
const maxName = 60

// Line returns the position as a sentence.
func (p *Position) Line() string {
	if p.Phase == "" {
		return "next is " + p.Command + " (" + oneLine(p.Why) + ")"
	}
	name := []rune(p.Name)
	if len(name) > maxName {
		name = append(name[:maxName-1], '…')
	}
	s := fmt.Sprintf("phase %s of %d", p.Phase, p.Phases)
	if len(name) > 0 {
		s += fmt.Sprintf(" (%s)", string(name))
	}
	if p.Plans > 0 {
		s += fmt.Sprintf(", %d of %d plans done", p.Done, p.Plans)
	}
	return s + "; next is " + p.NextStep() + "; ken plan shows all"
}
