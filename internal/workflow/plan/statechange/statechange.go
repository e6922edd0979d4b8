// Package statechange declares the operations that change STATE.md. An edit only touches the value of its field. Copies of computed values
// are set again, and the answer names those of the front matter. Neighbours: package state reads the file, inventory counts and has the
// text while it is changed.
package statechange

import (
	"context"
	"strconv"
	"strings"

	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/planop"
)

// DerivedKeys has the keys of the front matter that were computed again. It is part of all answers but
// those for a caller of gsd-tools.
type DerivedKeys struct {
	Fields []string `json:"derived_fields,omitempty"`
}

func (d *DerivedKeys) setRefreshed(names []string) { d.Fields = names }

// answer is an answer that contains Derived.
type answer interface{ setRefreshed(names []string) }

// stateJob is one call of an operation that changes STATE.md.
type stateJob struct {
	*planop.Call
	sheet *inventory.StateText
	inv   *inventory.Inventory
}

// today returns the date of today, in the form that STATE.md uses.
func (j *stateJob) today() string { return j.Now().UTC().Format("2006-01-02") }

// findPhase returns the phase with the number that a user gave. In a folder without phases any number is accepted.
func (j *stateJob) findPhase(text string) (*inventory.Phase, error) {
	id, ok := phaseid.Parse(text)
	if ok {
		if p, archived := j.inv.Find(id); p != nil && archived == "" {
			return p, nil
		}
		if len(j.inv.Phases) == 0 {
			return &inventory.Phase{ID: id}, nil
		}
	}
	return nil, noPhaseError(j.inv, text)
}

func noPhaseError(inv *inventory.Inventory, text string) error {
	return &planop.Fault{Reason: "phase_not_found", Message: "there is no phase " + strconv.Quote(shorten(text)), Near: inv.NearPhases(text)}
}

func shorten(s string) string { return s[:min(len(s), 60)] }

// changeOperation declares an operation that changes STATE.md. With always, the copies in the front matter are computed again even if
// nothing else changes. Without it, setting a field to its present value changes no byte.
func changeOperation[In any, A answer](s planop.Spec[In, A], always bool, do func(j *stateJob, in *In) (A, error)) *planop.Operation {
	s.Writes, s.Shared = true, true
	s.Run = underLock(always, do)
	return s.Operation()
}

// underLock returns the function of an operation: it locks STATE.md, calls do, and writes the changes.
func underLock[In any, A answer](always bool, do func(j *stateJob, in *In) (A, error)) func(context.Context, *planop.Call, *In) (A, error) {
	return func(ctx context.Context, c *planop.Call, in *In) (A, error) {
		var a A
		_, err := c.Change(ctx, c.Name, func(read change.Read) ([]change.File, error) {
			j, file, err := openState(c, read)
			if err != nil {
				return nil, err
			}
			if a, err = do(j, in); err != nil {
				return nil, err
			}
			var derived []string
			if always || j.sheet.IsChanged() {
				derived = j.sheet.Refresh(j.inv, c.Now())
			}
			if !j.Original {
				a.setRefreshed(derived)
			}
			text, err := j.sheet.Text()
			file.Text = &text
			return []change.File{file}, err
		})
		return a, err
	}
}

// openState reads STATE.md for a change. The caller holds the lock.
func openState(c *planop.Call, read change.Read) (*stateJob, change.File, error) {
	name, err := c.PathBelowPlanning("STATE.md")
	if err != nil {
		return nil, change.File{}, err
	}
	text, ok, err := read(name)
	if err != nil {
		return nil, change.File{}, err
	}
	if !ok {
		return nil, change.File{}, planop.Faultf("state_not_found", "STATE.md not found")
	}
	j := &stateJob{Call: c}
	if j.sheet, err = inventory.NewStateText(text); err != nil {
		return nil, change.File{}, err
	}
	if j.inv, err = c.Inventory(); err != nil {
		return nil, change.File{}, err
	}
	return j, change.File{Name: name}, nil
}

// trueOrFalse returns "true" or "false", for the plain answer of operations that report whether they did something.
func trueOrFalse(did bool) string { return strconv.FormatBool(did) }

// oneLine returns a text in one line, with single blanks between its words.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
