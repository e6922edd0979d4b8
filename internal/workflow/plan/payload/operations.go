package payload

import (
	"context"
	"fmt"
	"strings"

	"ken/internal/token"
	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/wave"
)

// CodeSource returns the source code that a phase, or one of its plans, needs, within a budget of tokens. It lists the parts that it
// left out. plan is nil for the whole phase. It fails if the index cannot be read.
type CodeSource func(
	ctx context.Context, c *planop.Call, phase *wave.Phase, plan *artefact.Plan, tokenizer string, budget int,
) (string, []LeftOut, error)

// Answer is the answer of `ken plan payload`.
type Answer struct {
	Role      Role   `json:"role"`
	Phase     string `json:"phase"`
	Plan      string `json:"plan,omitempty"`
	Share     int    `json:"share_percent"`
	Tokenizer string `json:"tokenizer"`
	Payload
	asText bool
}

type payloadInput struct {
	Phase     string `arg:"PHASE" help:"the number of a phase: 3, 2.1, 03A"`
	Plan      string `arg:"[PLAN]" help:"the plan of an executor: 03-01"`
	Role      string `flag:"role" enum:"executor,verifier,planner,checker" help:"who reads it; executor if a plan is named, else verifier"`
	Window    *int   `flag:"window" value:"N" help:"tokens that the agent can hold; context_window of config.json unless given"`
	Tokenizer string `flag:"tokenizer" enum:"o200k,cl100k,claude-estimate" help:"what counts"`
	Text      bool   `flag:"text" help:"the text itself"`
}

// All returns the operations of this package. code is nil in a program without an index.
func All(code CodeSource) []*planop.Operation {
	return []*planop.Operation{planop.Spec[payloadInput, *Answer]{
		Name: "payload", Summary: "what an agent of a phase reads first, within a share of its window, each part with its tokens",
		Run: func(ctx context.Context, c *planop.Call, in *payloadInput) (*Answer, error) {
			return runPayload(ctx, c, code, in)
		},
		Page: (*Answer).page,
	}.Operation()}
}

func runPayload(ctx context.Context, c *planop.Call, code CodeSource, in *payloadInput) (*Answer, error) {
	phase, _, err := wave.ReadPhase(c, in.Phase)
	if err != nil {
		return nil, err
	}
	g := &sourceGatherer{call: c, phase: phase, plan: in.Plan, role: Role(in.Role)}
	if g.role == "" {
		g.role = Verifier
		if g.plan != "" {
			g.role = Executor
		}
	}
	if err := g.checkPlan(); err != nil {
		return nil, err
	}
	if g.role == Planner && c.Brief != nil {
		if g.brief, err = c.Brief(ctx, c, phase.Token()); err != nil {
			return nil, err
		}
	}
	set, err := c.Settings()
	if err != nil {
		return nil, err
	}
	if g.window = set.Number("context_window"); in.Window != nil {
		g.window = *in.Window
	}
	if g.window < 1 {
		return nil, planop.Usagef("a window of %d tokens holds nothing", g.window)
	}
	if err := g.gatherSources(); err != nil {
		return nil, err
	}
	name := in.Tokenizer
	if name == "" {
		name = token.TokenizerO200K
	}
	return g.fitPayload(ctx, name, code, in)
}

// checkPlan fails if the role is an executor and no plan was given, or if the phase has no such plan.
func (g *sourceGatherer) checkPlan() error {
	if g.role == Executor && g.plan == "" {
		return planop.Usagef("an executor needs a PLAN to carry out")
	}
	if g.plan != "" && g.phase.Layout.Plan(g.plan) == nil {
		var near []string
		for _, p := range g.phase.Plans {
			near = append(near, p.ID)
		}
		message := fmt.Sprintf("phase %s has no plan %.60q", g.phase.Token(), g.plan)
		return &planop.Fault{Reason: "plan_not_found", Message: message, Near: near}
	}
	return nil
}

func (g *sourceGatherer) fitPayload(ctx context.Context, name string, code CodeSource, in *payloadInput) (*Answer, error) {
	count, err := token.NewTokenizer(name)
	if err != nil {
		return nil, err
	}
	var left []LeftOut
	for _, s := range g.absent {
		left = append(left, LeftOut{s.Name, s.File, count.Count([]byte(s.Text)), "only in windows of 500,000 tokens and more"})
	}
	var part Code
	switch {
	case g.role == Planner || g.role == Checker:
	case code == nil:
		left = append(left, LeftOut{Name: "code", Reason: "there is no index; \"ken index\" makes one"})
	default:
		part = func(ctx context.Context, budget int) (string, []LeftOut, error) {
			return code(ctx, g.call, g.phase, g.phase.Written[g.plan], name, budget)
		}
	}
	p, err := FitSources(ctx, count, g.window, g.list, part)
	if err != nil {
		return nil, err
	}
	p.Left = append(p.Left, left...)
	a := &Answer{Role: g.role, Phase: g.phase.Token(), Plan: g.plan, Share: Share, Tokenizer: count.Name(), Payload: *p}
	a.asText = in.Text
	if !a.asText {
		a.Text = ""
	}
	return a, nil
}

func (a *Answer) page() string {
	if a.asText {
		return a.Text
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s of phase %s: %d of %d tokens, %d %% of a window of %d (%s)\n",
		a.Role, a.Phase, a.Tokens, a.Budget, a.Share, a.Window, a.Tokenizer)
	for _, p := range a.Parts {
		fmt.Fprintf(&b, "  %-12s %7d  %s", p.Name, p.Tokens, p.File)
		if p.Form != Whole {
			b.WriteString(" (" + strings.ReplaceAll(string(p.Form), "_", " ") + ")")
		}
		if len(p.Orders) > 0 {
			b.WriteString("  worded as orders to an agent: " + strings.Join(p.Orders, "; "))
		}
		b.WriteString("\n")
	}
	for _, l := range a.Left {
		fmt.Fprintf(&b, "left out: %s", l.Name)
		if l.File != "" {
			fmt.Fprintf(&b, " %s, %d tokens", l.File, l.Tokens)
		}
		fmt.Fprintf(&b, ": %s\n", l.Reason)
	}
	if !a.Complete {
		b.WriteString("the required texts of this role do not fit: use a larger window, or smaller plans\n")
	}
	return b.String()
}
