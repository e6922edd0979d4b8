package inventory

import (
	"slices"
	"strconv"
	"strings"

	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/edit"
)

// Copy is a computed value that STATE.md has a copy of, which differs.
type Copy struct{ Field, Written, Computed string }

// Stale returns the copies in STATE.md that differ from what is computed from the files. It returns none for a file that must not be
// written, because ken could not set them right.
func (inv *Inventory) Stale() []Copy {
	if inv.State == nil {
		return nil
	}
	b, err := NewStateText(inv.State.Doc.Text())
	if err != nil {
		return nil
	}
	return b.Recount(inv)
}

// Recount sets the copies of computed values to what the files give: the position, the counters and the progress, in the text and in the
// front matter. It returns those that differed. It adds no field.
func (b *StateText) Recount(inv *Inventory) (list []Copy) {
	list = append(b.recountPosition(inv), b.recountText(inv)...)
	return append(list, b.recountFront(inv)...)
}

// recountPosition sets the current phase, if STATE.md is at a complete one, and its current plan.
func (b *StateText) recountPosition(inv *Inventory) (list []Copy) {
	p, pos := inv.Current(), b.State.Position()
	if pos.Phase.IsNone() || len(inv.Phases) == 0 {
		return nil
	}
	if p == nil { // all are complete
		p = inv.Phases[len(inv.Phases)-1]
		if at, _ := inv.Find(pos.Phase); at != nil {
			return nil
		}
	}
	if at, archived := inv.Find(pos.Phase); at == nil || at != p && archived == "" && inv.IsComplete(at) {
		list = append(list, Copy{"Phase", pos.Phase.String(), p.ID.String()})
		b.SetPhase(p.ID.Number(), p.Name, PhaseTotal(inv, pos.Phases))
		from := &Phase{ID: pos.Phase, Name: pos.PhaseName}
		b.MoveFocus(from, "Phase "+p.ID.Number()+" — "+p.Name)
	} else if at != p {
		return nil // a phase of the backlog, or of another milestone
	}
	plan, plans := p.CurrentPlan()
	if begun := p.DonePlans() > 0; plans > 0 && (begun && pos.Plan != plan || pos.Plan > plan) {
		list = append(list, Copy{"Plan", strconv.Itoa(pos.Plan), strconv.Itoa(plan)})
		b.SetPlan(plan, plans)
	}
	if pos.Plans > 0 && plans > 0 && pos.Plans != plans {
		list = append(list, Copy{"Total Plans in Phase", strconv.Itoa(pos.Plans), strconv.Itoa(plans)})
		b.setTotal("Total Plans in Phase", plans)
		b.setTotal("Plan", plans)
	}
	return list
}

var ofTotal = lazyRegexp(`^(\S+ of )(\d+)`)

// setTotal gives a field another total, which is its number or follows "of" in it.
func (b *StateText) setTotal(field string, n int) {
	value := b.State.Value(field)
	if m := ofTotal().FindStringSubmatch(value); m != nil {
		b.Set(field, m[1]+strconv.Itoa(n)+strings.TrimPrefix(value, m[0]))
	} else if strings.Trim(value, "0123456789") == "" {
		b.Set(field, strconv.Itoa(n))
	}
}

// recountText sets the numbers of phases and the progress in the text.
func (b *StateText) recountText(inv *Inventory) (list []Copy) {
	c := inv.Counts()
	if c.Phases == 0 {
		return nil
	}
	before := b.State.Position().Phases
	if right := PhaseTotal(inv, before); before > 0 && before != right {
		list = append(list, Copy{"Total Phases", strconv.Itoa(before), strconv.Itoa(right)})
		for _, field := range [...]string{"Total Phases", "Phase", "Current Phase"} {
			if b.State.Value(field) != "" && (field == "Total Phases" || ofTotal().MatchString(b.State.Value(field))) {
				b.setTotal(field, right)
			}
		}
	}
	list = append(list, b.recountTotal(inv.donePlans())...)
	done := strconv.Itoa(c.CompletedPhases)
	if old := b.State.Value("Completed Phases"); old != "" && old != done {
		list = append(list, Copy{"Completed Phases", old, done})
		b.Set("Completed Phases", done)
	}
	if percent, ok := b.State.Percent(); ok && percent != c.Percent {
		list = append(list, Copy{"Progress", strconv.Itoa(percent) + "%", strconv.Itoa(c.Percent) + "%"})
		b.Set("Progress", ProgressText(c.Percent))
	}
	return list
}

// totalPlans matches the line of the metrics with the number of plans that were carried out in all milestones.
var totalPlans = lazyRegexp(`^[-*\s]*Total plans completed:\**\s*(\d+|\[N\])\s*$`)

// recountTotal sets the number of plans that were carried out in all milestones. It never gets smaller, because a milestone may be shipped
// without an archive of its phases.
func (b *StateText) recountTotal(done int) []Copy {
	d := b.State.Doc
	for i := d.Body().From; i < d.LineCount(); i++ {
		m := totalPlans().FindStringSubmatchIndex(d.Line(i))
		if m == nil || d.Kind(i) != document.Text {
			continue
		}
		old := d.Line(i)[m[2]:m[3]]
		if n, err := strconv.Atoi(old); err == nil && n >= done {
			return nil
		}
		at := d.LineStart(i)
		b.Edit([]edit.Edit{{Span: edit.Span{Start: at + m[2], End: at + m[3]}, New: strconv.Itoa(done)}}, nil)
		return []Copy{{"Total plans completed", old, strconv.Itoa(done)}}
	}
	return nil
}

// donePlans returns the number of plans that have a summary, in all phases that are there and in the archives.
func (inv *Inventory) donePlans() (n int) {
	for _, p := range slices.Concat(inv.Phases, inv.Others, inv.Backlog) {
		n += p.DonePlans()
	}
	for _, a := range inv.Archives {
		for _, p := range a.Phases {
			n += p.DonePlans()
		}
	}
	return n
}

// ProgressText returns a percentage with a bar, as STATE.md has it.
func ProgressText(percent int) string {
	return "[" + ProgressBar(percent, 10) + "] " + strconv.Itoa(percent) + "%"
}

// recountFront sets the counters below the key progress of the front matter.
func (b *StateText) recountFront(inv *Inventory) (list []Copy) {
	c := inv.Counts()
	for _, n := range []struct {
		key   string
		value int
	}{
		{"total_phases", c.Phases}, {"completed_phases", c.CompletedPhases}, {"total_plans", c.Plans}, {"completed_plans", c.CompletedPlans},
		{"percent", c.Percent},
	} {
		written, computed := b.State.FrontValue("progress", n.key), strconv.Itoa(n.value)
		if c.Phases > 0 && b.SetFront(computed, "progress", n.key) {
			list = append(list, Copy{"progress." + n.key, written, computed})
		}
	}
	return list
}

// PhaseTotal returns the number of phases that STATE.md should have after "of", as in "2 of 5". If phase numbers continue over milestones,
// some files have the count of phases there and others the last number. Both are right, so the present number stays if it is one of
// them; else it becomes the nearer one.
func PhaseTotal(inv *Inventory, present int) int {
	count, last := len(inv.Phases), 0
	for _, p := range inv.Phases {
		if n, err := strconv.Atoi(p.ID.Digits); err == nil {
			last = max(last, n)
		}
	}
	if away := func(n int) int { return max(n-present, present-n) }; away(count) < away(last) {
		return count
	}
	return last
}

// ProgressBar returns a progress bar for a percentage, with the given number of cells.
func ProgressBar(percent, cells int) string {
	full := (2*percent*cells + 100) / 200
	full = max(0, min(cells, full))
	return strings.Repeat("█", full) + strings.Repeat("░", cells-full)
}
