// Package wave divides the plans of a phase into waves: plans that can run side by side, and which have to wait for which. A wave is
// computed from depends_on, in topological order; the number that a plan has written down is compared and never believed. It knows no
// files: its neighbour operations, in this package, reads plans and asks.
package wave

import (
	"fmt"
	"slices"
	"strings"
)

// Plan is a plan as far as waves are concerned.
type Plan struct {
	ID        string
	Written   int // the wave that its file names, 0 if none
	DependsOn []string
	Files     []string // that it writes, with slashes, from the root of the project
	Done      bool
	Halted    bool // its summary says that it was given up
	Retired   bool // another plan has taken its place
}

// State is how far a plan is.
type State string

// The states of a plan.
const (
	Done    State = "done"
	Ready   State = "ready"
	Waiting State = "waiting" // for a plan that is not done
	Halted  State = "halted"  // given up, or dependent on one that was
	Retired State = "retired"
)

// Placed is a plan with its wave.
type Placed struct {
	Plan
	Wave  int // 0 of one that is retired
	Needs []string
	// External are dependencies outside the phase that are not done.
	External []string
	State    State
	Reason   string // of waiting and halted
}

// Meeting are two plans of one wave that write the same.
type Meeting struct {
	A, B  string
	Files []string
}

// Wave are plans that depend on none of each other.
type Wave struct {
	Number int
	Plans  []string
	// Batches are the plans in the order in which they run: those of one batch side by side.
	Batches  [][]string
	Meetings []Meeting
	Complete bool
}

// Layout is how the plans of a phase run.
type Layout struct {
	Plans    []Placed // in order of wave and ID
	Waves    []Wave
	Next     int      // the first wave in which something is left to do, 0 if there is none
	Ready    []string // the first batch of it that has plans to run
	Warnings []string
}

// Options say what is known beside the plans themselves.
type Options struct {
	// Elsewhere answers for an ID that is no plan of the phase: whether there is such a plan, and whether it is done.
	Elsewhere func(id string) (there, done bool)
	// Together is how many plans run side by side at most; 0 is no limit.
	Together int
	// Meet lists what two plans both write; nil compares their Files.
	Meet func(a, b *Plan) []string
}

// CycleError says that plans wait for each other. Each cycle begins and ends with the same plan.
type CycleError struct{ Cycles [][]string }

func (e *CycleError) Error() string {
	var list []string
	for _, c := range e.Cycles {
		list = append(list, strings.Join(c, " → "))
	}
	return "plans wait for each other: " + strings.Join(list, "; ")
}

// TwiceError says that two plans have one ID.
type TwiceError struct{ ID string }

func (e *TwiceError) Error() string { return fmt.Sprintf("there are two plans %s", e.ID) }

// layout is a Layout that is being made.
type layout struct {
	opt   Options
	plans []*Placed
	by    map[string]*Placed
	out   Layout
}

// Of lays the plans of a phase out.
func Of(plans []Plan, opt Options) (*Layout, error) {
	if opt.Meet == nil {
		opt.Meet = func(a, b *Plan) []string { return Shared(a.Files, b.Files) }
	}
	l := &layout{opt: opt, by: map[string]*Placed{}}
	for _, p := range plans {
		if l.by[p.ID] != nil {
			return nil, &TwiceError{p.ID}
		}
		placed := &Placed{Plan: p, Needs: []string{}, External: []string{}}
		l.by[p.ID] = placed
		l.plans = append(l.plans, placed)
	}
	slices.SortFunc(l.plans, func(a, b *Placed) int { return strings.Compare(a.ID, b.ID) })
	for _, p := range l.plans {
		l.depend(p)
	}
	if err := l.number(); err != nil {
		return nil, err
	}
	slices.SortStableFunc(l.plans, func(a, b *Placed) int { return a.Wave - b.Wave })
	l.states()
	l.waves()
	for _, p := range l.plans {
		l.out.Plans = append(l.out.Plans, *p)
	}
	return &l.out, nil
}

func (l *layout) warn(format string, args ...any) {
	l.out.Warnings = append(l.out.Warnings, fmt.Sprintf(format, args...))
}

// depend finds the plans that a plan depends on.
func (l *layout) depend(p *Placed) {
	for _, text := range p.DependsOn {
		id := Name(text)
		if id == "" {
			continue
		}
		switch on := l.find(id, p.ID); {
		case on != nil && on.Retired:
			l.warn("%s depends on %s, which another plan has replaced; that dependency holds nothing up", p.ID, on.ID)
		case on != nil:
			if !slices.Contains(p.Needs, on.ID) {
				p.Needs = append(p.Needs, on.ID)
			}
		default:
			l.external(p, id)
		}
	}
	slices.Sort(p.Needs)
}

func (l *layout) external(p *Placed, id string) {
	there, done := false, false
	if l.opt.Elsewhere != nil {
		there, done = l.opt.Elsewhere(id)
	}
	switch {
	case !there:
		l.warn("%s depends on %s, and there is no such plan; that dependency holds nothing up%s", p.ID, id, l.near(id))
	case !done && !slices.Contains(p.External, id):
		p.External = append(p.External, id)
	}
}

// near names plans whose IDs end or begin as one that is not there.
func (l *layout) near(id string) string {
	var list []string
	for _, p := range l.plans {
		if strings.HasPrefix(p.ID, id) || strings.HasSuffix(p.ID, id) || numbers(p.ID) == numbers(id) {
			list = append(list, p.ID)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return " (near: " + strings.Join(list, ", ") + ")"
}

// Name is the ID in a dependency: 01-02 of `01-02-PLAN.md`, of "Plan 01-02" and of plans/01-02/PLAN.md.
func Name(text string) string {
	s := strings.Trim(strings.TrimSpace(text), "`\"'")
	s = strings.TrimPrefix(strings.TrimPrefix(s, "Plan "), "plan ")
	if rest, ok := strings.CutSuffix(s, "/PLAN.md"); ok {
		return rest[strings.LastIndexByte(rest, '/')+1:]
	}
	s = s[strings.LastIndexByte(s, '/')+1:]
	s = strings.TrimSuffix(strings.TrimSuffix(s, ".md"), "-PLAN")
	if lower := strings.ToLower(s); lower == "none" || lower == "[]" || lower == "null" {
		return ""
	}
	return s
}

// find is the plan that an ID means: the whole ID, the same numbers, or the number of a plan alone. A plan that shares the numbers of
// the one that asks is found before that one itself.
func (l *layout) find(id, asks string) *Placed {
	if p := l.by[id]; p != nil {
		return p
	}
	var found *Placed
	for _, p := range l.plans {
		n := numbers(p.ID)
		_, alone, _ := cutLast(n)
		if n == "" || numbers(id) != n && strings.TrimLeft(id, "0") != alone {
			continue
		}
		if found == nil || found.ID == asks {
			found = p
		}
	}
	return found
}

// numbers are phase and plan of an ID without zeros in front, the same for 01-02-login, 01-02 and 1-2; "" if it has not two.
func numbers(id string) string {
	phase, rest, ok := strings.Cut(id, "-")
	if !ok || phase == "" {
		return ""
	}
	if !isDigit(phase[0]) { // the code of the project
		if phase, rest, ok = strings.Cut(rest, "-"); !ok || phase == "" || !isDigit(phase[0]) {
			return ""
		}
	}
	plan, _, _ := strings.Cut(rest, "-")
	if plan == "" || strings.Trim(plan, "0123456789") != "" {
		return ""
	}
	return strings.TrimLeft(phase, "0") + "-" + strings.TrimLeft(plan, "0")
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func cutLast(s string) (before, after string, ok bool) {
	i := strings.LastIndexByte(s, '-')
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}
