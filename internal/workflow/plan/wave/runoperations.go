package wave

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ken/internal/git"
	"ken/internal/operation"
	"ken/internal/workflow/agent/runtimes"
	"ken/internal/workflow/content/models"
	"ken/internal/workflow/plan/gate"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/settings"
)

// RunAnswer is the answer of the operations of runs.
type RunAnswer struct {
	Run  *Run     `json:"run"`
	Next []Action `json:"next"`
	// After is the operation with which the project goes on behind a phase that is complete.
	After string `json:"after,omitempty" calls:"ken plan"`
}

// Rules are the tables of gates, deviations and checkpoints that all runs follow.
type Rules struct {
	Gates       []GateRow       `json:"gates"`
	Deviations  []Deviation     `json:"deviations"`
	Checkpoints []CheckpointRow `json:"checkpoints"`
	Repairs     []string        `json:"repairs"`
	Revisions   int             `json:"max_revisions"`
	Attempts    int             `json:"max_attempts"`
	Events      []string        `json:"events"`
}

// RunEffects are what a run asks of the executors and does in the planning folder.
type RunEffects struct {
	// Executed fails if a plan has no summary in the work tree of an executor.
	Executed func(ctx context.Context, c *planop.Call, phase, plan string) error
	// Begin begins the execution of a phase in STATE.md.
	Begin func(ctx context.Context, c *planop.Call, phase string) error
	// Complete closes a phase, which is verified or not.
	Complete func(ctx context.Context, c *planop.Call, phase string, verified bool) error
	// Begun returns the plans of a phase that have an executor.
	Begun func(c *planop.Call, phase string) ([]BegunPlan, error)
}

// BegunPlan is a plan with an executor.
type BegunPlan struct {
	Plan      string
	OwnTree   bool   // it is carried out in a work tree of its own
	Directory string // the root of the project in that work tree
}

// RunOperations returns the operations of runs.
func RunOperations(effects RunEffects) []*planop.Operation {
	return []*planop.Operation{effects.startOperation(), effects.nextOperation(), effects.reportOperation(), rulesOperation()}
}

const lasting = "what was reported stays; \"ken plan run start PHASE --again\" begins anew"

// phaseRun is the run of a phase in one call of an operation.
type phaseRun struct {
	call    *planop.Call
	effects *RunEffects
	phase   *Phase
	steps   Steps
	states  *stateStore
	run     *Run
	// reported is the run before it followed the files.
	reported *Run
	facts    *phaseFacts
	begun    bool          // something was reported
	at       int           // the number of its state
	results  *gate.Results // how commands ended
	policy   *Policy
}

func (f *RunEffects) openRun(c *planop.Call, text string) (*phaseRun, error) {
	phase, _, err := ReadPhase(c, text)
	if err != nil {
		return nil, err
	}
	steps, err := ReadSteps()
	if err != nil {
		return nil, err
	}
	l := &phaseRun{call: c, effects: f, phase: phase, steps: steps}
	if err := l.findStates(); err != nil {
		return nil, err
	}
	return l, l.loadRun()
}

// findStates finds the folder with the states of the run. It fails if there is no planning folder or its repository cannot be read.
func (l *phaseRun) findStates() error {
	at, err := l.call.Folder()
	if err != nil {
		return err
	}
	dir, err := stateDir(l.call, at.Project)
	if err != nil {
		return err
	}
	l.states = &stateStore{filepath.Join(dir, runKey(at.Workstream, l.token())), l.call.StateDir}
	return nil
}

// token returns the number of the phase as in the name of its folder, also before there is one.
func (l *phaseRun) token() string {
	if l.phase.Dir == "" {
		return l.phase.ID.PaddedNumber()
	}
	return l.phase.Token()
}

// stateDir returns the folder for the states of runs: in git's folder of the work tree or, without git, in ken's folder for states.
func stateDir(c *planop.Call, project string) (string, error) {
	repo, err := git.Find(project)
	switch {
	case err == nil && repo.OwnsTree():
		return filepath.Join(repo.GitDir, "ken", "runs"), nil
	case err != nil && !errors.Is(err, git.ErrNoRepository):
		return "", err
	}
	sum := sha256.Sum256([]byte(project))
	return filepath.Join(c.StateDir, "runs", hex.EncodeToString(sum[:8])), nil
}

func (l *phaseRun) loadRun() (err error) {
	if l.run, l.at, err = l.states.lastState(); err != nil {
		return err
	}
	set, err := l.call.Settings()
	if err != nil {
		return err
	}
	l.setPolicy(set, l.run != nil && l.run.Auto)
	inv, err := l.call.Inventory()
	if err != nil {
		return err
	}
	if l.begun = l.run != nil; !l.begun {
		l.run = NewRun(l.token(), runPlans(l.phase), l.policy)
	}
	p := l.phase.Phase
	l.facts = &phaseFacts{
		complete: l.phase.Archived != "" || inv.IsComplete(p), verified: inv.IsVerified(p), drafts: len(inv.Drafts(p)) > 0, plans: runPlans(l.phase),
	}
	l.reported = l.run.clone()
	l.run.followFiles(l.facts, l.policy)
	return l.followExecutors()
}

// setPolicy takes over the settings. With auto, a person is only asked if necessary.
func (l *phaseRun) setPolicy(set *settings.Settings, auto bool) {
	l.policy = newPolicy(set, auto || isAuto(set))
	if l.call.Getenv != nil && runtimes.Calling(l.call.Getenv).Models {
		l.policy.Model = func(role string) string {
			name, _ := models.Resolve(set, "gsd-"+role)
			return name
		}
	}
}

// applyEvent returns the state after an event. The event may be the reason why the files are ahead of the last report, so it is applied
// to that state first.
func (l *phaseRun) applyEvent(e Event) (*Run, error) {
	if e.Name == "planned" && !l.begun && l.run.Stage != Planning { // the files had the plans before the report
		r := l.run.clone()
		r.Step, r.Last = r.Step+1, e.Name
		return r, nil
	}
	r, err := ApplyEvent(l.reported, e, l.policy)
	if err != nil {
		r, err = ApplyEvent(l.run, e, l.policy)
	}
	if err == nil {
		r.followFiles(l.facts, l.policy)
	}
	return r, err
}

// newAnswer returns the run with what is next. It fails as waveChecks does.
func (l *phaseRun) newAnswer(ctx context.Context) (*RunAnswer, error) {
	results, err := l.readResults(ctx)
	if err != nil {
		return nil, err
	}
	switch l.run.Stage {
	case Executing:
		if err := l.followExecutors(); err != nil {
			return nil, err
		}
		l.policy.Commands = map[string][]string{}
		for id, plan := range l.phase.Written {
			for _, t := range plan.Tasks {
				l.policy.Commands[id] = append(l.policy.Commands[id], t.Commands...)
			}
		}
	case WaveGate:
		list, err := l.executors()
		if err != nil {
			return nil, err
		}
		l.policy.Unmerged = slices.ContainsFunc(list, func(b BegunPlan) bool { return b.OwnTree })
		if l.policy.Unmerged {
			break // what the checks are is known when all is merged
		}
		if l.policy.Checks, err = waveChecks(ctx, l.call, l.policy, results); err != nil {
			return nil, err
		}
	case Verifying:
		read, err := l.planningReader()
		if err != nil {
			return nil, err
		}
		l.policy.Commands = map[string][]string{}
		for _, cmd := range gate.ReadProof(ctx, l.phase.Phase, read, results).Commands {
			if cmd.State != "passed" {
				l.policy.Commands[cmd.Plan] = append(l.policy.Commands[cmd.Plan], cmd.Command)
			}
		}
	}
	return &RunAnswer{Run: l.run, Next: NextActions(l.run, l.policy, l.steps)}, nil
}

// readResults returns how commands ended, read at the first call.
func (l *phaseRun) readResults(ctx context.Context) (_ *gate.Results, err error) {
	if l.results == nil {
		l.results, err = gate.ReadResults(ctx, l.call)
	}
	return l.results, err
}

// saveRun writes the next state, unless the call is a dry run.
func (l *phaseRun) saveRun(r *Run) error {
	l.run = r
	if l.call.DryRun {
		return nil
	}
	return l.states.putState(r, l.at)
}

func answerPage(a *RunAnswer) string { return a.page() }

type runStartInput struct {
	Phase string `arg:"PHASE" help:"the number of a phase: 3, 2.1, 03A"`
	Auto  bool   `flag:"auto" help:"ask nobody what need not be asked"`
	Again bool   `flag:"again" help:"also if there is a run that has not ended"`
	Force bool   `flag:"force" help:"also if the project has no requirements yet"`
}

func (f *RunEffects) startOperation() *planop.Operation {
	return planop.Spec[runStartInput, *RunAnswer]{
		Name: "run start", Summary: "begin to lead agents through a phase", Writes: true, Lasting: lasting, Page: answerPage,
		Run: func(ctx context.Context, c *planop.Call, in *runStartInput) (*RunAnswer, error) {
			l, err := f.openRun(c, in.Phase)
			if err != nil {
				return nil, err
			}
			ended := !l.begun || l.run.Stage == Complete || l.run.Stage == Stopped
			if !ended && !in.Again {
				return nil, planop.Faultf("run_exists", "phase %s has a run, which is %s; --again begins anew", l.token(), l.run.Stage)
			}
			if err := checkRequirements(c, in.Force); err != nil {
				return nil, err
			}
			set, err := c.Settings()
			if err != nil {
				return nil, err
			}
			l.setPolicy(set, in.Auto)
			r := NewRun(l.token(), runPlans(l.phase), l.policy)
			r.followFiles(l.facts, l.policy)
			if err := l.saveRun(r); err != nil {
				return nil, withBusyReason(err)
			}
			return l.afterReport(ctx, Planning)
		},
	}.Operation()
}

// checkRequirements fails if the project has no requirements and no phase has begun: then plans have nothing to answer for.
func checkRequirements(c *planop.Call, force bool) error {
	inv, err := c.Inventory()
	if err != nil || force || !inv.IsUntouched() || inv.HasRequirements() {
		return err
	}
	return planop.Faultf("no_requirements", "there are no requirements yet: ken plan guide goes on with them; --force begins without")
}

func withBusyReason(err error) error {
	if errors.Is(err, errTaken) {
		return planop.Faultf("busy", "%s; ask again", err.Error())
	}
	return err
}

type phaseInput struct {
	Phase string `arg:"PHASE" help:"the number of a phase: 3, 2.1, 03A"`
}

func (f *RunEffects) nextOperation() *planop.Operation {
	return planop.Spec[phaseInput, *RunAnswer]{
		Name: "run next", Also: []string{"run status"}, Summary: "where the run of a phase is, and what is to be done now", Page: answerPage,
		Run: func(ctx context.Context, c *planop.Call, in *phaseInput) (*RunAnswer, error) {
			l, err := f.openRun(c, in.Phase)
			if err != nil {
				return nil, err
			}
			a, err := l.newAnswer(ctx)
			if err != nil {
				return nil, err
			}
			inv, err := c.Inventory()
			if err == nil && l.run.closed {
				a.After = inv.NextStep().Line()
			}
			return a, err
		},
	}.Operation()
}

type runReportInput struct {
	Phase    string   `arg:"PHASE" help:"the number of a phase: 3, 2.1, 03A"`
	Event    string   `arg:"EVENT" help:"what happened"`
	Plan     string   `flag:"plan" help:"the plan that it is about"`
	Task     string   `flag:"task" help:"the task that it is about"`
	Result   string   `flag:"result" help:"of a gate, a decision, a repair, a verification"`
	Text     string   `flag:"text" help:"a reason, a question or an answer"`
	Type     string   `flag:"type" help:"of a checkpoint: human-verify, decision, human-action, auth"`
	Options  []string `flag:"options" help:"of a decision"`
	Kind     []string `flag:"kind" help:"of a deviation: bug, missing, blocking, architectural"`
	Foreign  bool     `flag:"foreign" help:"the task did not cause the deviation"`
	Blockers *int     `flag:"blockers" value:"N" help:"that a check found"`
	Warnings *int     `flag:"warnings" value:"N" help:"that a check found"`
	Issues   string   `flag:"issues" value:"LIST" help:"what a check found, in its words; - reads standard input"`
	Gaps     *int     `flag:"gaps" value:"N" help:"that a verification found"`
	Ran      []string `flag:"ran" value:"RAN" help:"a command that was run, behind its exit status: '0 go test ./...'; it is recorded"`
}

func (f *RunEffects) reportOperation() *planop.Operation {
	return planop.Spec[runReportInput, *RunAnswer]{
		Name: "run report", Enums: map[string][]string{"EVENT": Events()},
		Summary: "report what happened in the run of a phase, and hear what is next", Writes: true, Lasting: lasting, Page: answerPage,
		Run: func(ctx context.Context, c *planop.Call, in *runReportInput) (*RunAnswer, error) {
			e, err := newEvent(c, in)
			if err != nil {
				return nil, err
			}
			return f.applyReport(ctx, c, e, in)
		},
	}.Operation()
}

// newEvent returns the event that a call reports.
func newEvent(c *planop.Call, in *runReportInput) (e Event, err error) {
	e = Event{
		Name: in.Event, Plan: in.Plan, Task: in.Task, Type: in.Type, Kinds: in.Kind, Foreign: in.Foreign,
		Options: in.Options, Text: in.Text, Result: in.Result,
	}
	for _, n := range []struct {
		name  string
		given *int
		to    *int
	}{{"blockers", in.Blockers, &e.Blockers}, {"warnings", in.Warnings, &e.Warnings}, {"gaps", in.Gaps, &e.Gaps}} {
		if n.given == nil {
			continue
		}
		if *n.to = *n.given; *n.to < 0 {
			return e, planop.Usagef("--%s is below zero", n.name)
		}
	}
	if e.Name == "checked" {
		return e, readFindings(c, &e, in)
	}
	return e, nil
}

// maxFindings is the largest list of issues that a report takes.
const maxFindings = 64 << 10

// readFindings reads the issues that a check found, which a later session needs as much as this one. It fails if there is none of a check
// that found blockers, or if the list has another number of them.
func readFindings(c *planop.Call, e *Event, in *runReportInput) error {
	if in.Blockers == nil && in.Warnings == nil {
		return planop.Usagef("give what the check found as --blockers and --warnings, 0 if nothing")
	}
	e.Findings = in.Issues
	if in.Issues == "-" {
		b, err := io.ReadAll(io.LimitReader(c.Stdin, maxFindings+1))
		if err != nil {
			return fmt.Errorf("read the issues: %w", err)
		}
		e.Findings = string(b)
	}
	e.Findings = strings.TrimSpace(e.Findings)
	listed := len(blockerLine().FindAllString(e.Findings, -1))
	switch {
	case len(e.Findings) > maxFindings:
		return planop.Usagef("--issues has more than %d bytes", maxFindings)
	case e.Findings == "" && e.Blockers > 0:
		return planop.Usagef("--issues is missing: the list as the checker wrote it, which the planner reads in its payload")
	case listed > 0 && listed != e.Blockers:
		return planop.Usagef("--issues lists %s, and --blockers is %d", operation.Plural(listed, "blocker"), e.Blockers)
	}
	return nil
}

// blockerLine matches the line of an issue that is a blocker.
var blockerLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?mi)^[ \t-]*severity:[ \t]*["']?blocker\b`) })

// Findings returns the issues of the last check of a phase, as its checker wrote them, or "" if there was none or they are settled. It
// fails if the run of the phase cannot be read.
func Findings(c *planop.Call, phase *Phase) (string, error) {
	l := &phaseRun{call: c, phase: phase}
	if err := l.findStates(); err != nil {
		return "", err
	}
	r, _, err := l.states.lastState()
	if err != nil || r == nil || !slices.Contains([]Stage{Planning, Checking, Revising, Deciding}, r.Stage) {
		return "", err
	}
	return r.Findings, nil
}

// maxTries is the number of attempts to report an event, because other processes may report at the same time.
const maxTries = 50

func (f *RunEffects) applyReport(ctx context.Context, c *planop.Call, e Event, in *runReportInput) (*RunAnswer, error) {
	l, err := f.openRun(c, in.Phase)
	if err != nil {
		return nil, err
	}
	results, err := l.readResults(ctx)
	if err != nil {
		return nil, err
	}
	tree := ""
	if len(in.Ran) > 0 && in.Plan != "" {
		if tree, err = l.planTree(in.Plan); err != nil {
			return nil, err
		}
	}
	if err := results.Add(ctx, c, in.Phase, in.Plan, tree, in.Ran); err != nil {
		return nil, err
	}
	for range maxTries {
		if err := l.checkEvidence(ctx, &e); err != nil {
			return nil, err
		}
		r, err := l.applyEvent(e)
		if err != nil {
			return nil, planop.Faultf("event_refused", "%s", err.Error())
		}
		before := l.run.Stage
		if !l.begun {
			before = Planning
		}
		if err := results.Save(ctx, c); err != nil {
			return nil, err
		}
		err = l.saveRun(r)
		if err == nil {
			return l.afterReport(ctx, before)
		}
		if !errors.Is(err, errTaken) {
			return nil, err
		}
		if err := l.loadRun(); err != nil {
			return nil, err
		}
	}
	return nil, withBusyReason(errTaken)
}

func rulesOperation() *planop.Operation {
	return planop.Spec[planop.NoInput, Rules]{
		Name: "run rules", Summary: "the gates, the rules for deviations and checkpoints, and the limits that runs follow",
		Anywhere: true,
		Run: func(context.Context, *planop.Call, *planop.NoInput) (Rules, error) {
			return Rules{Gates(), Deviations(), Checkpoints(), Repairs(), MaxRevisions, MaxAttempts, Events()}, nil
		},
		Page: func(a Rules) string {
			var b strings.Builder
			t := a
			for _, g := range t.Gates {
				fmt.Fprintf(&b, "gate %s (%s): %s\n", g.Name, g.Kind, g.Asks)
			}
			for _, d := range t.Deviations {
				fmt.Fprintf(&b, "deviation %d, %s: %s: %s\n", d.Rule, d.Kind, d.Means, d.Action)
			}
			for _, c := range t.Checkpoints {
				fmt.Fprintf(&b, "checkpoint %s: %s; when nobody is asked: %s\n", c.Type, c.Asks, c.Auto)
			}
			fmt.Fprintf(&b, "at most %d revisions, %d attempts to mend something\n", t.Revisions, t.Attempts)
			return b.String()
		},
	}.Operation()
}
