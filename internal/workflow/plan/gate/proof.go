package gate

import (
	"context"
	"fmt"
	"path"
	"strings"

	"ken/internal/operation"
	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/evidence"
	"ken/internal/workflow/plan/inventory"
)

// Truth is a statement that a plan must make true, with the answer of the phase's verification.
type Truth struct {
	Plan   string          `json:"plan"`
	Text   string          `json:"truth"`
	Answer evidence.Answer `json:"answer"`
}

// Command is a command with which a plan verifies a task, and how it ended last.
type Command struct {
	Plan string `json:"plan"`
	Result
}

// Proof holds what shows that a phase is verified.
type Proof struct {
	Truths   []Truth   `json:"truths"`
	Commands []Command `json:"commands"`
	// Persons are the checks of plans that a person makes.
	Persons []string `json:"persons"`
}

// ReadProof returns what shows that a phase is verified: of each plan that was carried out, the truths with their answers, and the commands
// with their ends. read reads a file by its path from the root of the project; a file that cannot be read has nothing.
func ReadProof(ctx context.Context, p *inventory.Phase, read func(file string) (string, error), results *Results) *Proof {
	proof := &Proof{Truths: []Truth{}, Commands: []Command{}, Persons: []string{}}
	report := ""
	for _, name := range p.Names {
		if _, ok := inventory.StemOfKind(name, "VERIFICATION"); ok {
			text, err := read(path.Join(p.Dir, name))
			if err == nil {
				report += text + "\n"
			}
		}
	}
	for _, listed := range p.Plans {
		text, err := read(path.Join(p.Dir, listed.File))
		if err != nil || !listed.HasSummary() {
			continue
		}
		plan := artefact.ParsePlan(text)
		summary, err := read(path.Join(p.Dir, listed.Summary))
		halted := err == nil && strings.EqualFold(artefact.ParseSummary(summary).Status, "halted")
		if halted || strings.EqualFold(plan.Status, "superseded") {
			continue
		}
		proof.addPlan(ctx, listed.ID, plan, report, results)
	}
	return proof
}

func (proof *Proof) addPlan(ctx context.Context, id string, plan *artefact.Plan, report string, results *Results) {
	for _, truth := range plan.MustHaves.Truths {
		if !artefact.IsPlaceholder(truth) {
			proof.Truths = append(proof.Truths, Truth{id, truth, evidence.Truth(report, truth)})
		}
	}
	for _, t := range plan.Tasks {
		for _, command := range t.Commands {
			proof.Commands = append(proof.Commands, Command{id, results.Of(ctx, command)})
		}
		if t.IsCheckpoint() {
			proof.Persons = append(proof.Persons, strings.TrimSpace(id+" "+t.Name))
		}
	}
}

// Unproved returns what the verification of a phase leaves open although its status is passed: a truth without an answer, a command that
// did not end with 0, or whose end nothing recorded.
func Unproved(
	ctx context.Context, inv *inventory.Inventory, p *inventory.Phase, read func(file string) (string, error), results *Results,
) (open []string) {
	if inv.Verification(p) == "pending" {
		return []string{"it has placeholders of the template"}
	}
	proof := ReadProof(ctx, p, read, results)
	for _, t := range proof.Truths {
		switch t.Answer {
		case evidence.Unanswered:
			open = append(open, fmt.Sprintf("does not answer, with a status and what shows it, %s: %s", t.Plan, t.Text))
		case evidence.Failed:
			open = append(open, fmt.Sprintf("answers that it does not hold, %s: %s", t.Plan, t.Text))
		}
	}
	for _, cmd := range proof.Commands {
		switch {
		case cmd.State == "missing":
			open = append(open, fmt.Sprintf("how the command of %s ended is not recorded: run `%s`, then \"ken plan gate record --cmd %s --exit N\"",
				cmd.Plan, cmd.Command, operation.ShellWord(cmd.Command)))
		case cmd.State != "passed":
			open = append(open, fmt.Sprintf("the command of %s has not passed (%s): %s", cmd.Plan, cmd.String(), cmd.Command))
		}
	}
	return open
}
