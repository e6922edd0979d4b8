package plancode

import (
	"context"
	"strings"

	"ken/internal/ask/brief"
	"ken/internal/delivery/render"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/planop"
)

// BriefAnswer is the answer of `ken plan brief`.
type BriefAnswer struct {
	Phase string        `json:"phase"`
	Goal  string        `json:"goal"`
	Index Index         `json:"index"`
	Brief *render.Brief `json:"brief,omitempty"`
}

type briefInput struct {
	Phase  string `arg:"PHASE" help:"the number of a phase: 3, 2.1, 03A"`
	Budget int    `flag:"budget" terminal:"yes" default:"1900" value:"N" help:"tokens the block may have, 0 for any number"`
}

func (j *planIndexOps) brief() *planop.Operation {
	return planop.Spec[briefInput, *BriefAnswer]{
		Name: "brief", Summary: "what to know of the code before a phase is planned: its goal, asked as \"ken brief\" asks it",
		Run:  j.runBrief,
		Page: (*BriefAnswer).page,
	}.Operation()
}

// phaseGoal returns the phase's name, followed by its goal and success criteria, as far as the roadmap has them.
func phaseGoal(inv *inventory.Inventory, ph *inventory.Phase) string {
	parts := []string{ph.Name}
	if inv.Roadmap != nil && ph.Detail != nil {
		parts = append(parts, inv.Roadmap.Value(*ph.Detail, "Goal"))
		parts = append(parts, inv.Roadmap.Criteria(*ph.Detail)...)
	}
	var out []string
	for _, p := range parts {
		if p = strings.Join(strings.Fields(p), " "); p != "" && !strings.HasPrefix(p, "[To be planned]") {
			out = append(out, strings.TrimSuffix(p, "."))
		}
	}
	return strings.Join(out, ". ")
}

func (j *planIndexOps) runBrief(ctx context.Context, c *planop.Call, in *briefInput) (*BriefAnswer, error) {
	ph, err := findPhase(c, in.Phase)
	if err != nil {
		return nil, err
	}
	inv, err := c.Inventory()
	if err != nil {
		return nil, err
	}
	a := &BriefAnswer{Phase: ph.Token(), Goal: phaseGoal(inv, ph)}
	err = j.withSource(ctx, c, func(ctx context.Context, s *source) error {
		a.Index, a.Brief = s.index, nil
		if s.s == nil {
			return nil
		}
		goal := s.p.KnownSecrets().MaskString(s.p.Engine.Hide(a.Goal))
		found, err := brief.Make(ctx, s.s, goal, s.p.Pages(s.s).Known(goal))
		if err == nil {
			err = render.MarkUnused(ctx, s.s, found)
		}
		if err != nil {
			return err
		}
		answer := render.Brief{Goal: goal, Keywords: found.Keywords, Missing: found.Missing}
		if err := answer.Render(s.s, found, nil, nil, render.Budget(&in.Budget, briefBudget)); err != nil {
			return err
		}
		a.Goal, a.Brief = goal, &answer
		return nil
	})
	return a, err
}

// NewPhaseBriefer returns the function that operations which work without an index use for the brief of a phase.
func NewPhaseBriefer(open Open) planop.PhaseBriefer {
	j := &planIndexOps{open: open}
	return func(ctx context.Context, c *planop.Call, phase string) (string, error) {
		if root, err := c.Project(); err != nil || !hasIndex(root) {
			return "", err
		}
		a, err := j.runBrief(ctx, c, &briefInput{Phase: phase, Budget: briefBudget})
		if err != nil || a.Brief == nil || len(a.Brief.Files)+len(a.Brief.Tests) == 0 {
			return "", err
		}
		return a.Brief.Block, nil
	}
}

// briefBudget is the default budget of a brief in tokens.
const briefBudget = 1900

func (a *BriefAnswer) page() string {
	if a.Brief == nil {
		return "phase " + a.Phase + ": " + a.Goal + "\n" + a.Index.Note + "\n"
	}
	return a.Brief.Block
}
