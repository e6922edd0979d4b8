// Package position says in a line where a project's plan is: the phase that is worked on and the next step. It is what
// status lines, the first words of a session and briefs show where there is a planning folder. Package inventory counts.
package position

import (
	"fmt"
	"os"
	"strings"

	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/inventory"
)

// Position is where a plan is.
type Position struct {
	Phase       string // the number of the phase that the next step is about, "" if it is about none
	Name        string // of that phase, as somebody wrote it; without it the line has the number alone
	Phases      int    // of the milestone
	Done, Plans int    // of the phase
	Command     string // the next step: execute-phase, plan-phase, …
	Why         string
}

// At is the position of the project that a directory belongs to. ok is false where no planning folder is, where it cannot be
// read, and where there is neither roadmap nor state, because a line of nothing helps nobody.
func At(dir, home string) (p Position, ok bool) {
	project, err := folder.Find(dir, home)
	if err != nil {
		return p, false
	}
	f, err := folder.Open(project, folder.Options{Pointer: folder.PointerOf(project, os.Getenv)})
	if err != nil {
		return p, false
	}
	defer f.Close()
	inv, err := inventory.Read(f)
	if err != nil || inv.Roadmap == nil && inv.State == nil {
		return p, false
	}
	step := inv.Next()
	p = Position{Phases: inv.Counts().Phases, Command: step.Command, Why: step.Reason}
	if s := step.Phase; s != nil {
		p.Phase, p.Name, p.Done, p.Plans = s.ID.String(), line(s.Name), s.DonePlans(), len(s.Plans)
	}
	return p, true
}

// line is a text in one line.
func line(s string) string { return strings.Join(strings.Fields(s), " ") }

// Next is the next step with what it is about: execute-phase 2.
func (p *Position) Next() string {
	if p.Phase == "" {
		return p.Command
	}
	return p.Command + " " + p.Phase
}

// Short is the position for a status line: phase 2/5 1/3.
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

// maxName is how much of a phase's name is shown, in characters.
const maxName = 60

// Line is the position in a sentence.
func (p *Position) Line() string {
	if p.Phase == "" {
		return "next is " + p.Command + " (" + line(p.Why) + ")"
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
	return s + "; next is " + p.Next() + "; ken plan shows all"
}
