package health

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"ken/internal/git"
	"ken/internal/statefile"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/roadmap"
)

// diagnosis lists copies of computed values in files that are wrong.
type diagnosis struct {
	Healthy  bool     `json:"healthy"`
	Drifts   []drift  `json:"drifts"`
	Looked   []string `json:"looked_at"`
	Problems []string `json:"problems"`
}

// drift is a copy that differs from the computed value.
type drift struct {
	File  string `json:"file"`
	Line  int    `json:"line"` // from 1; 0 for the whole file
	What  string `json:"what"`
	Says  string `json:"says"`
	Right string `json:"is"`
}

func (d diagnosis) page() string {
	var b strings.Builder
	for _, r := range d.Drifts {
		at := r.File
		if r.Line > 0 {
			at += ":" + strconv.Itoa(r.Line)
		}
		fmt.Fprintf(&b, "%s: %s says %s, it is %s\n", at, r.What, r.Says, r.Right)
	}
	for _, p := range d.Problems {
		fmt.Fprintf(&b, "could not be read: %s\n", p)
	}
	if d.Healthy {
		b.WriteString("no copy differs from what was counted\n")
	} else if len(d.Drifts) > 0 {
		b.WriteString("ken counts anew whenever it is asked, so its answers are right; ken plan state sync and ken plan roadmap update-plan-progress PHASE set the copies right\n")
	}
	fmt.Fprintf(&b, "looked at %s\n", strings.Join(d.Looked, ", "))
	return b.String()
}

func diagnose(_ context.Context, c *planop.Call, _ *planop.NoInput) (diagnosis, error) {
	inv, err := c.Inventory()
	if err != nil {
		return diagnosis{}, err
	}
	f, err := c.Folder()
	if err != nil {
		return diagnosis{}, err
	}
	d := diagnosis{Drifts: []drift{}, Looked: []string{}, Problems: []string{}}
	d.checkState(f, inv)
	d.checkRoadmap(f, inv)
	if err := d.compareWorktrees(f); err != nil {
		return diagnosis{}, err
	}
	for _, p := range inv.Problems {
		d.Problems = append(d.Problems, p.Error())
	}
	d.Healthy = len(d.Drifts)+len(d.Problems) == 0
	return d, nil
}

func (d *diagnosis) addDrift(file string, line int, what, says, is string) {
	if says != is {
		d.Drifts = append(d.Drifts, drift{file, line, what, says, is})
	}
}

// checkState checks the counters and the position of STATE.md.
func (d *diagnosis) checkState(f *folder.Folder, inv *inventory.Inventory) {
	s := inv.State
	if s == nil {
		return
	}
	file := f.Path("STATE.md")
	d.Looked = append(d.Looked, file)
	for _, c := range inv.Stale() {
		d.addDrift(file, 0, c.Field, c.Written, c.Computed)
	}
	pos := s.Position()
	if p, _ := inv.Find(pos.Phase); p == nil && !pos.Phase.IsNone() && inv.Current() == nil {
		d.addDrift(file, pos.PhaseField.Line+1, "phase", pos.Phase.String(), "no phase of the roadmap or the folders")
	}
}

// checkRoadmap checks the ticks of phases and plans in the roadmap, and its progress table.
func (d *diagnosis) checkRoadmap(f *folder.Folder, inv *inventory.Inventory) {
	r := inv.Roadmap
	if r == nil {
		return
	}
	file := f.Path("ROADMAP.md")
	d.Looked = append(d.Looked, file)
	for _, check := range r.Checklist {
		p := currentPhase(inv, check.ID)
		if p == nil || check.Shipped || len(p.Plans) == 0 {
			continue
		}
		if check.Done && !p.IsExecuted() {
			d.addDrift(file, check.Item.Line+1, "box of phase "+check.ID.String(), "done", fmt.Sprintf("%d of %d plans done", p.DonePlans(), len(p.Plans)))
		}
	}
	for _, p := range inv.Phases {
		if p.Detail == nil || p.Dir == "" {
			continue
		}
		for _, item := range r.Plans(*p.Detail) {
			for _, plan := range p.Plans {
				if plan.ID == item.ID && plan.HasSummary() != item.Done {
					d.addDrift(file, item.Item.Line+1, "box of plan "+item.ID, doneWord(item.Done), doneWord(plan.HasSummary()))
				}
			}
		}
	}
	for _, row := range r.Rows {
		p := currentPhase(inv, row.ID)
		done, all, ok := strings.Cut(strings.TrimSpace(row.Plans), "/")
		if p == nil || p.Dir == "" || !ok {
			continue
		}
		says := strings.TrimSpace(done) + "/" + strings.TrimSpace(all)
		d.addDrift(file, row.Row.Line+1, "plans of phase "+row.ID.String(), says, fmt.Sprintf("%d/%d", p.DonePlans(), len(p.Plans)))
	}
	if v := inv.View; v.Scope == roadmap.Truncated || v.Scope == roadmap.Unreadable {
		d.addDrift(file, 0, "milestone", string(v.Scope), v.Why)
	}
}

func doneWord(done bool) string {
	if done {
		return "done"
	}
	return "open"
}

// currentPhase returns the phase with a number, or nil if there is none or only an archived one.
func currentPhase(inv *inventory.Inventory, id phaseid.ID) *inventory.Phase {
	p, archived := inv.Find(id)
	if archived != "" {
		return nil
	}
	return p
}

// compareWorktrees compares STATE.md and ROADMAP.md with those of other work trees of the repository, because each has its own.
func (d *diagnosis) compareWorktrees(f *folder.Folder) error {
	r, err := git.Find(f.Project)
	if errors.Is(err, git.ErrNoRepository) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, top := range git.Worktrees(r) {
		if sameNumber(top, r.Root) {
			continue
		}
		for _, name := range []string{"STATE.md", "ROADMAP.md"} {
			own, err := f.Read(name)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(r.Root, f.Project)
			if err != nil {
				return err
			}
			at := filepath.Join(top, rel, filepath.FromSlash(f.Path(name)))
			other, err := statefile.ReadFollow(at, folder.MaxBytes)
			if err != nil { // the other work tree has no such file
				continue
			}
			d.Looked = append(d.Looked, filepath.ToSlash(at))
			if string(other) != own {
				d.addDrift(filepath.ToSlash(at), 0, name+" of another work tree", "something else", "what this one has")
			}
		}
	}
	return nil
}

func sameNumber(a, b string) bool {
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(x, y)
}
