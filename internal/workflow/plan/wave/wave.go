// Package wave divides the plans of a phase into waves, groups of plans that can be carried out at the same time, and leads through the
// phase wave by wave.
//
// A wave is computed from depends_on, in topological order; a different number in a plan is reported but not used. The layout itself knows
// no files; read.go and operations.go read plans for it.
//
// A run leads an orchestrator, the agent that starts other agents, through a phase: planning, checking and revising of plans, waves of
// executors with their checkpoints, deviations and repairs, gates (conditions to pass), verification, and gaps. It is a state machine
// without I/O: ApplyEvent takes a state and an event and returns the next state, NextActions returns the steps to do now. So it works with
// any agent program, and a new session continues where the last one stopped. It runs nothing: it returns commands, and an agent runs them
// and reports their results. Its knowledge is in tables: gates, rules for deviations and checkpoints (tables.go), and transitions
// (machine.go). Its operations keep states (keep.go) and compare reports with the files (evidence.go).
package wave

import (
	"fmt"
	"slices"
	"strings"

	"ken/internal/workflow/plan/planop"
)

// Plan has the facts about a plan that determine its wave.
type Plan struct {
	ID        string
	Written   int // the wave in its file, or 0
	DependsOn []string
	Files     []string // the files it writes, with slashes, from the root of the project
	Done      bool
	Halted    bool // its summary reports that it was given up
	Retired   bool // replaced by another plan
	Draft     bool // not filled yet, so in no wave
	// Unreadable is why its front matter cannot be read, "" if it can. What it depends on is not known, so it is in no wave.
	Unreadable string
}

// State is the progress of a plan.
type State string

// The states of a plan.
const (
	Done    State = "done"
	Ready   State = "ready"
	Waiting State = "waiting" // for a plan that it depends on or, in a run, for its executor
	Halted  State = "halted"  // given up, or dependent on a plan that was
	Retired State = "retired"
	Draft   State = "draft" // in no wave until it is filled
	// In a run alone:
	Running  State = "running"
	Awaiting State = "awaiting" // a checkpoint or a question
	Failed   State = "failed"   // to be repaired, or given up
)

// Placed is a plan with its wave.
type Placed struct {
	Plan
	Wave  int // 0 if the plan is retired or a draft
	Needs []string
	// External are unfinished dependencies outside the phase.
	External []string
	State    State
	Reason   string // the reason of the states waiting and halted
}

// Meeting is a pair of plans in one wave that write the same files.
type Meeting struct {
	A, B  string
	Files []string
}

// Wave is a group of plans that do not depend on each other.
type Wave struct {
	Number int
	Plans  []string
	// Batches are groups of plans that run at the same time, one batch after the other.
	Batches  [][]string
	Meetings []Meeting
	Complete bool
	// Sequence is the reason why its plans run one after the other though no limit of the phase asks for it, or "".
	Sequence string
}

// Layout is the order in which the plans of a phase are carried out.
type Layout struct {
	Plans    []Placed // in order of wave and ID
	Waves    []Wave
	Next     int      // the first wave with something left to do, or 0
	Ready    []string // the plans of that wave that can begin now
	Warnings []string
}

// Limits are the bounds of how many plans run at the same time.
type Limits struct {
	// Together is the maximal number of plans that run at the same time, or 0 for no limit.
	Together int
	// Least is the number of plans from which on those of a wave run at the same time.
	Least int
	// Sequence is the reason why plans run one after the other, or "".
	Sequence string
}

// Options are the facts that Arrange needs besides the plans.
type Options struct {
	// Elsewhere reports whether there is a plan with an ID in another phase, and whether it is done.
	Elsewhere func(id string) (there, done bool)
	Limits
	// Meet returns the files that two plans both write. If it is nil, their Files are compared.
	Meet func(a, b *Plan) []string
}

// CycleError reports that plans wait for each other. Each cycle begins and ends with the same plan.
type CycleError struct{ Cycles [][]string }

func (e *CycleError) Error() string {
	var list []string
	for _, c := range e.Cycles {
		list = append(list, strings.Join(c, " → "))
	}
	return "plans wait for each other: " + strings.Join(list, "; ")
}

// layout is a Layout while it is being computed.
type layout struct {
	opt   Options
	plans []*Placed
	by    map[string]*Placed
	out   Layout
}

// Arrange divides the plans of a phase into waves. It fails with a *planop.Fault if two plans have the same ID, or with a
// *CycleError.
func Arrange(plans []Plan, opt Options) (*Layout, error) {
	if opt.Meet == nil {
		opt.Meet = func(a, b *Plan) []string { return SharedPaths(a.Files, b.Files) }
	}
	l := &layout{opt: opt, by: map[string]*Placed{}}
	for _, p := range plans {
		if l.by[p.ID] != nil {
			return nil, planop.Faultf("plan_ambiguous", "there are two plans %s", p.ID)
		}
		placed := &Placed{Plan: p, Needs: []string{}, External: []string{}}
		l.by[p.ID] = placed
		l.plans = append(l.plans, placed)
	}
	slices.SortFunc(l.plans, func(a, b *Placed) int { return strings.Compare(a.ID, b.ID) })
	for _, p := range l.plans {
		l.setDependencies(p)
	}
	if err := l.numberWaves(); err != nil {
		return nil, err
	}
	slices.SortStableFunc(l.plans, func(a, b *Placed) int { return a.Wave - b.Wave })
	l.setStates()
	l.collectWaves()
	for _, p := range l.plans {
		l.out.Plans = append(l.out.Plans, *p)
	}
	return &l.out, nil
}

func (l *layout) warn(format string, args ...any) {
	l.out.Warnings = append(l.out.Warnings, fmt.Sprintf(format, args...))
}

// setDependencies finds the plans that a plan depends on.
func (l *layout) setDependencies(p *Placed) {
	for _, text := range p.DependsOn {
		id := DependencyID(text)
		if id == "" {
			continue
		}
		switch on := l.findPlan(id, p.ID); {
		case on != nil && on.Retired:
			l.warn("%s depends on %s, which another plan has replaced; that dependency is ignored", p.ID, on.ID)
		case on != nil && on.Draft:
			if !slices.Contains(p.External, on.ID) {
				p.External = append(p.External, on.ID)
			}
		case on != nil:
			if !slices.Contains(p.Needs, on.ID) {
				p.Needs = append(p.Needs, on.ID)
			}
		default:
			l.addExternal(p, id)
		}
	}
	slices.Sort(p.Needs)
}

func (l *layout) addExternal(p *Placed, id string) {
	there, done := false, false
	if l.opt.Elsewhere != nil {
		there, done = l.opt.Elsewhere(id)
	}
	switch {
	case !there:
		l.warn("%s depends on %s, which does not exist; that dependency is ignored%s", p.ID, id, l.nearPlansNote(id))
	case !done && !slices.Contains(p.External, id):
		p.External = append(p.External, id)
	}
}

// nearPlansNote returns the end of a warning, with the plans whose IDs begin or end with one that does not exist or have its numbers, or
// "" if there are none.
func (l *layout) nearPlansNote(id string) string {
	var list []string
	for _, p := range l.plans {
		if strings.HasPrefix(p.ID, id) || strings.HasSuffix(p.ID, id) || planNumbers(p.ID) == planNumbers(id) {
			list = append(list, p.ID)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return " (near: " + strings.Join(list, ", ") + ")"
}

// DependencyID returns the ID in a dependency: 01-02 for `01-02-PLAN.md`, for "Plan 01-02" and for plans/01-02/PLAN.md.
func DependencyID(text string) string {
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

// findPlan returns the plan that an ID means: the one with the whole ID, with the same numbers, or with the number of a plan alone. If
// several have the same numbers, it prefers a plan other than asks, which has the dependency.
func (l *layout) findPlan(id, asks string) *Placed {
	if p := l.by[id]; p != nil {
		return p
	}
	var found *Placed
	for _, p := range l.plans {
		n := planNumbers(p.ID)
		alone := n[strings.LastIndexByte(n, '-')+1:]
		if n == "" || planNumbers(id) != n && strings.TrimLeft(id, "0") != alone {
			continue
		}
		if found == nil || found.ID == asks {
			found = p
		}
	}
	return found
}

// planNumbers returns the numbers of phase and plan in an ID, in a form that is the same for 01-02-login, 01-02 and 1-2. It returns "" if
// there are not two.
func planNumbers(id string) string {
	phase, rest, ok := strings.Cut(id, "-")
	if !ok || phase == "" {
		return ""
	}
	if !isDigit(phase[0]) { // the project code
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
