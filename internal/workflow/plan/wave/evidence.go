package wave

import (
	"context"
	"fmt"
	"strings"

	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/settings"
)

// newPolicy returns the settings that determine the course of a run. With auto, a person is only asked if necessary.
func newPolicy(set *settings.Settings, auto bool) *Policy {
	p := &Policy{
		Auto: auto, Check: set.IsOn("workflow.plan_check"), Verify: set.IsOn("workflow.verifier"), Repair: set.IsOn("workflow.node_repair"),
		RepairBudget: set.Number("workflow.node_repair_budget"), Skips: map[string]string{}, TestCommand: set.Text("workflow.test_command"),
	}
	for _, g := range Gates() {
		if g.Setting != "" && !set.IsOn(g.Setting) {
			p.Skips[g.Name] = g.Setting + " is off"
		}
	}
	return p
}

// isAuto reports whether the settings ask for runs without questions to a person.
func isAuto(set *settings.Settings) bool {
	return set.Text("mode") == "yolo" || set.IsOn("workflow.auto_advance") || set.IsOn("workflow._auto_chain_active")
}

// runPlans returns the plans of a phase in the form that a run needs.
func runPlans(phase *Phase) map[string]*RunPlan {
	plans := map[string]*RunPlan{}
	for _, p := range phase.Layout.Plans {
		switch p.State {
		case Done, Halted:
			plans[p.ID] = &RunPlan{Wave: p.Wave, Needs: p.Needs, State: p.State, Reason: p.Reason}
		case Ready, Waiting:
			plans[p.ID] = &RunPlan{Wave: p.Wave, Needs: p.Needs, State: Waiting}
		}
	}
	return plans
}

// checkEvidence fails if the files do not confirm a reported event. A success that left no trace in them does not count.
func (l *phaseRun) checkEvidence(ctx context.Context, e *Event) error {
	c, phase := l.call, l.phase
	none := func(format string, args ...any) error { return planop.Faultf("no_evidence", format, args...) }
	switch e.Name {
	case "planned":
		e.Plans = runPlans(phase)
		open := 0
		for _, p := range e.Plans {
			if p.State == Waiting {
				open++
			}
		}
		if open == 0 {
			return none("phase %s has no plan that is not carried out", phase.Token())
		}
	case "executed":
		if !phase.Files.Plan(e.Plan).HasSummary() {
			return l.effects.Executed(ctx, c, phase.Token(), e.Plan)
		}
	case "halted":
		if p := phase.Layout.Plan(e.Plan); p != nil && p.State != Halted {
			return none("%s is %s in the planning folder; a summary with \"status: halted\" halts it and what depends on it", e.Plan, p.State)
		}
	case "gate":
		if l.run.Stage == WaveGate {
			return l.checkWaveEnd(ctx, e)
		}
	case "verified":
		return l.checkVerified(ctx, e)
	}
	return nil
}

// checkVerified fails unless VERIFICATION.md has the result and, if that is a pass, leaves nothing open.
func (l *phaseRun) checkVerified(ctx context.Context, e *Event) error {
	c, phase := l.call, l.phase
	inv, err := c.Inventory()
	if err != nil {
		return err
	}
	name := phase.FirstOfKind("VERIFICATION")
	switch status := inv.Verification(phase.Phase); {
	case name == "":
		return planop.Faultf("no_evidence", "phase %s has no VERIFICATION.md; \"ken plan template fill verification --phase %s\" begins one", phase.Token(), phase.Token())
	case status == "pending":
		return planop.Faultf("no_evidence", "%s is not filled: its status is pending, or it has placeholders of the template", name)
	case status != e.Result:
		return planop.Faultf("no_evidence", "VERIFICATION.md of phase %s has the status %q", phase.Token(), status)
	case e.Result != "passed":
		return nil
	}
	return l.checkProof(ctx)
}

// checkWave fails unless the summaries of a wave are all in the main tree without a failed self-check.
func checkWave(c *planop.Call, r *Run, phase *Phase) error {
	inv, err := c.Inventory()
	if err != nil {
		return err
	}
	for _, id := range r.plansInState(true, Done) {
		p := phase.Files.Plan(id)
		if !p.HasSummary() {
			return planop.Faultf("no_evidence", "the summary of %s is not in the main tree: merge it before its wave is checked", id)
		}
		text, err := inv.ReadFile(phase.Phase, p.Summary)
		if err != nil {
			return err
		}
		if artefact.ParseSummary(text).SelfCheck == "failed" {
			return planop.Faultf("no_evidence", "the summary of %s says that its self-check failed", id)
		}
	}
	return nil
}

// page returns a run as text for people.
func (a *RunAnswer) page() string {
	var b strings.Builder
	r := a.Run
	fmt.Fprintf(&b, "Phase %s: %s", r.Phase, strings.ReplaceAll(string(r.Stage), "_", " "))
	if r.Stage == Executing || r.Stage == WaveGate {
		fmt.Fprintf(&b, ", wave %d", r.Wave)
	}
	if r.Why != "" {
		b.WriteString(" (" + r.Why + ")")
	}
	b.WriteString("\n")
	for _, n := range a.Next {
		b.WriteString(n.Who + ": ")
		if n.Plan != "" {
			b.WriteString(n.Plan + ": ")
		}
		b.WriteString(n.What + "\n")
		if n.Question != "" {
			fmt.Fprintf(&b, "  %s\n", n.Question)
		}
		if len(n.Options) > 0 {
			fmt.Fprintf(&b, "  one of: %s\n", strings.Join(n.Options, ", "))
		}
		alone := ""
		if n.Agent != nil {
			fmt.Fprintf(&b, "  %s\n", n.Agent.Line())
			alone = "by hand: "
		}
		for _, cmd := range n.Commands {
			fmt.Fprintf(&b, "  %sken plan %s\n", alone, cmd)
		}
		for _, cmd := range n.Helps {
			fmt.Fprintf(&b, "  helps: ken plan %s\n", cmd)
		}
		for _, w := range n.Checks {
			fmt.Fprintf(&b, "  run: %s  (%s; %s)\n", w.Command, w.Why, w.status())
		}
		for _, cmd := range n.Report {
			fmt.Fprintf(&b, "  then: ken plan %s\n", cmd)
		}
		for _, cmd := range n.Otherwise {
			fmt.Fprintf(&b, "  otherwise: ken plan %s\n", cmd)
		}
	}
	if a.After != "" {
		fmt.Fprintf(&b, "then: ken plan %s\n", a.After)
	}
	for _, later := range r.Later {
		fmt.Fprintf(&b, "for deferred-items.md: %s\n", later)
	}
	return b.String()
}
