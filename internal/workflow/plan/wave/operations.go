package wave

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/query"
)

// Answer is the answer of `ken plan waves`.
type Answer struct {
	Phase     string         `json:"phase"`
	Directory string         `json:"directory"`
	Plans     []AnsweredPlan `json:"plans"`
	Waves     []AnsweredWave `json:"waves"`
	Next      int            `json:"next_wave"` // 0 if nothing is left to do
	Ready     []string       `json:"ready"`     // plans that can begin now, side by side
	Sequence  string         `json:"sequential_reason,omitempty"`
	Warnings  []string       `json:"warnings"`
	Together  int            `json:"max_concurrent_agents"`
	Indexed   bool           `json:"index_used"` // the code index was used to find where plans meet
}

// AnsweredPlan is a plan with its wave.
type AnsweredPlan struct {
	ID         string   `json:"id"`
	File       string   `json:"file"`
	Wave       int      `json:"wave"`
	Written    int      `json:"written_wave"` // 0 if the file has none
	Needs      []string `json:"needs"`
	External   []string `json:"waits_outside"` // dependencies of other phases that are not done
	Files      []string `json:"files"`
	Autonomous bool     `json:"autonomous"`
	State      State    `json:"state"`
	Reason     string   `json:"reason,omitempty"`
}

// AnsweredWave is a group of plans that do not depend on each other.
type AnsweredWave struct {
	Wave     int               `json:"wave"`
	Complete bool              `json:"complete"`
	Batches  [][]string        `json:"batches"`
	Meetings []AnsweredMeeting `json:"set_apart"`
	Sequence string            `json:"sequential_reason,omitempty"`
}

// AnsweredMeeting is a pair of plans that are carried out one after the other, because they write the same files.
type AnsweredMeeting struct {
	Plans   []string `json:"plans"`
	Files   []string `json:"files"`
	Reasons []string `json:"reasons"` // of each file, "" if both plans list it
}

type wavesInput struct {
	Phase string `arg:"PHASE" help:"the number of a phase: 3, 2.1, 03A"`
	Wave  *int   `flag:"wave" value:"N" help:"fail unless this wave can begin"`
}

// All returns the operations of this package.
func All() []*planop.Operation {
	return []*planop.Operation{planop.Spec[wavesInput, Answer]{
		Name: "waves", Everyday: true, Summary: "the plans of a phase in waves by what they depend on, and which can begin now",
		Run:  runWaves,
		Page: Answer.page,
	}.Operation()}
}

func runWaves(ctx context.Context, c *planop.Call, in *wavesInput) (Answer, error) {
	phase, limits, err := ReadIndexed(ctx, c, in.Phase)
	if err != nil {
		return Answer{}, err
	}
	if in.Wave != nil {
		n := *in.Wave
		if n < 1 || n > len(phase.Layout.Waves) {
			return Answer{}, planop.Faultf("wave_not_found", "phase %s has %d waves, and no wave %d",
				phase.Token(), len(phase.Layout.Waves), n)
		}
		if err := phase.Layout.CheckMayBegin(n); err != nil {
			return Answer{}, err
		}
	}
	return newAnswer(phase, limits), nil
}

// ReadPhase reads the phase that a user names, with the limits of the settings. It fails with a *planop.Fault if there is no such phase or
// its plans cannot be ordered.
func ReadPhase(c *planop.Call, text string) (phase *Phase, limits Limits, err error) {
	q, err := query.New(c)
	if err != nil {
		return nil, limits, err
	}
	set, err := c.Settings()
	if err != nil {
		return nil, limits, err
	}
	limits.Together, limits.Least = max(set.Number("parallelization.max_concurrent_agents"), 1), set.Number("parallelization.min_plans_for_parallel")
	switch {
	case !set.IsOn("parallelization"):
		limits.Together, limits.Sequence = 1, "parallelization is off in config.json"
	case !set.IsOn("parallelization.plan_level"):
		limits.Together, limits.Sequence = 1, "parallelization.plan_level is off in config.json"
	}
	phase, err = Read(q, text, limits, nil)
	return phase, limits, WithReason(err)
}

// ReadIndexed is like ReadPhase, but also separates plans whose changes meet in the code according to an index. Without an index,
// only the files that the plans list count. It fails as ReadPhase does.
func ReadIndexed(ctx context.Context, c *planop.Call, text string) (phase *Phase, limits Limits, err error) {
	phase, limits, err = ReadPhase(c, text)
	if err != nil || c.Meet == nil || !phase.Layout.hasParallelWave() {
		return phase, limits, err
	}
	meet, err := c.Meet(ctx, c, phase.Written)
	switch {
	case ctx.Err() != nil:
		return nil, limits, ctx.Err()
	case err != nil: // plans can be carried out without an index, or with a broken one
		phase.Layout.Warnings = append(phase.Layout.Warnings, "the code was not looked up for where plans meet: "+err.Error())
		return phase, limits, nil
	case meet == nil:
		return phase, limits, nil
	}
	q, err := query.New(c)
	if err != nil {
		return nil, limits, err
	}
	whys := map[commonFile]string{}
	phase, err = Read(q, text, limits, func(a, b *Plan) []string {
		files := SharedPaths(a.Files, b.Files)
		for _, m := range meet(a.ID, b.ID) {
			if slices.Contains(files, m.File) {
				continue
			}
			files = append(files, m.File)
			whys[commonFile{a.ID, b.ID, m.File}] = m.Why
		}
		return files
	})
	if err != nil {
		return nil, limits, WithReason(err)
	}
	phase.Indexed, phase.whys = true, whys
	return phase, limits, nil
}

// hasParallelWave reports whether a wave has at least two plans, not all of them done.
func (l *Layout) hasParallelWave() bool {
	return slices.ContainsFunc(l.Waves, func(w Wave) bool { return len(w.Plans) > 1 && !w.Complete })
}

// WithReason gives a *CycleError its reason as a word for programs.
func WithReason(err error) error {
	if cycle, ok := errors.AsType[*CycleError](err); ok {
		return planop.Faultf("dependency_cycle", "%s; remove one depends_on", cycle.Error())
	}
	return err
}

func newAnswer(phase *Phase, limits Limits) Answer {
	a := Answer{
		Phase: phase.Token(), Directory: phase.Dir, Plans: []AnsweredPlan{}, Waves: []AnsweredWave{},
		Next: phase.Layout.Next, Ready: query.NonNil(phase.Layout.Ready),
		Sequence: limits.Sequence, Warnings: query.NonNil(phase.Layout.Warnings), Together: limits.Together, Indexed: phase.Indexed,
	}
	for _, p := range phase.Layout.Plans {
		a.Plans = append(a.Plans, AnsweredPlan{
			p.ID, phase.Dir + "/" + phase.Files.Plan(p.ID).File, p.Wave, p.Plan.Written, query.NonNil(p.Needs), query.NonNil(p.External), query.NonNil(p.Files),
			phase.Written[p.ID].Autonomous, p.State, p.Reason,
		})
	}
	for _, w := range phase.Layout.Waves {
		row := AnsweredWave{w.Number, w.Complete, w.Batches, []AnsweredMeeting{}, w.Sequence}
		for _, m := range w.Meetings {
			met := AnsweredMeeting{[]string{m.A, m.B}, m.Files, []string{}}
			for _, f := range m.Files {
				met.Reasons = append(met.Reasons, phase.MeetingReason(m.A, m.B, f))
			}
			row.Meetings = append(row.Meetings, met)
		}
		a.Waves = append(a.Waves, row)
	}
	return a
}

func (a Answer) page() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Phase %s, %s\n", a.Phase, a.Directory)
	by := map[string]AnsweredPlan{}
	for _, p := range a.Plans {
		by[p.ID] = p
		if p.State == Retired {
			fmt.Fprintf(&b, "  %s is superseded\n", p.ID)
		}
		if p.State == Draft {
			fmt.Fprintf(&b, "  %s is a draft: %s\n", p.ID, p.Reason)
		}
	}
	for _, w := range a.Waves {
		state := ""
		if w.Complete {
			state = ", complete"
		}
		fmt.Fprintf(&b, "Wave %d%s\n", w.Wave, state)
		if w.Sequence != "" {
			fmt.Fprintf(&b, "  one after another: %s\n", w.Sequence)
		}
		for i, batch := range w.Batches {
			if i > 0 {
				b.WriteString("  then\n")
			}
			for _, id := range batch {
				p := by[id]
				fmt.Fprintf(&b, "  %s  %s", id, p.State)
				if p.Reason != "" {
					b.WriteString(": " + p.Reason)
				}
				b.WriteString("\n")
			}
		}
		for _, m := range w.Meetings {
			var files []string
			for i, f := range m.Files {
				if m.Reasons[i] != "" {
					f += " (" + m.Reasons[i] + ")"
				}
				files = append(files, f)
			}
			fmt.Fprintf(&b, "  set apart: %s both write %s\n", strings.Join(m.Plans, " and "), strings.Join(files, ", "))
		}
	}
	switch {
	case len(a.Ready) > 0:
		fmt.Fprintf(&b, "can begin now: %s\n", strings.Join(a.Ready, ", "))
	case a.Next == 0 && len(a.Plans) > 0 && !slices.ContainsFunc(a.Plans, func(p AnsweredPlan) bool { return p.State == Draft }):
		b.WriteString("nothing is left to do\n")
	default:
		b.WriteString("nothing can begin now\n")
	}
	if a.Sequence != "" {
		fmt.Fprintf(&b, "one after another: %s\n", a.Sequence)
	}
	for _, w := range a.Warnings {
		fmt.Fprintf(&b, "warning: %s\n", w)
	}
	return b.String()
}
