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

// CodeSource makes the code part for a phase, or for one of its plans, within a budget of tokens, and lists the parts left out. plan is
// nil for the whole phase. It fails if the index cannot be read.
type CodeSource func(ctx context.Context, c *planop.Call, phase *wave.Phase, plan *artefact.Plan, budget int) (string, []Left, error)

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

// All are the operations of payloads. code is nil where there is no index.
func All(code CodeSource) []*planop.Operation {
	return []*planop.Operation{{
		Name: "payload", Summary: "what an agent of a phase reads first, within a share of its window, each part with its tokens",
		Args: []planop.Arg{
			{Name: "PHASE", Help: "the number of a phase: 3, 2.1, 03A"},
			{Name: "PLAN", Help: "the plan of an executor: 03-01", Optional: true},
		},
		Flags: []planop.Flag{
			{Name: "role", Help: "who reads it; executor if a plan is named, else verifier", Enum: []string{"executor", "verifier", "planner", "checker"}},
			{Name: "window", Help: "tokens that the agent can hold; context_window of config.json unless given", Kind: planop.Number},
			{Name: "tokenizer", Help: "what counts", Enum: []string{token.TokenizerO200K, token.TokenizerCL100K, token.TokenizerClaude}},
			{Name: "text", Help: "the text itself", Kind: planop.Switch},
		},
		Run:  func(ctx context.Context, c *planop.Call) (any, error) { return run(ctx, c, code) },
		Page: func(a any) string { return a.(*Answer).page() },
	}}
}

func run(ctx context.Context, c *planop.Call, code CodeSource) (any, error) {
	phase, _, _, err := wave.ReadPhase(c, c.Arg("PHASE"))
	if err != nil {
		return nil, err
	}
	g := &gathering{call: c, phase: phase, plan: c.Arg("PLAN"), role: Role(c.Flag("role"))}
	if g.role == "" {
		g.role = Verifier
		if g.plan != "" {
			g.role = Executor
		}
	}
	if err := g.checkPlan(); err != nil {
		return nil, err
	}
	set, err := c.Settings()
	if err != nil {
		return nil, err
	}
	if g.window, err = c.Number("window", set.Number("context_window")); err != nil {
		return nil, err
	}
	if g.window < 1 {
		return nil, c.Operation.Usagef("a window of %d tokens holds nothing", g.window)
	}
	if err := g.gather(); err != nil {
		return nil, err
	}
	name := c.Flag("tokenizer")
	if name == "" {
		name = token.TokenizerO200K
	}
	return g.fit(ctx, name, code)
}

// checkPlan fails if an executor has no plan, or if the phase has no such plan.
func (g *gathering) checkPlan() error {
	if g.role == Executor && g.plan == "" {
		return g.call.Operation.Usagef("an executor needs a PLAN to carry out")
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

func (g *gathering) fit(ctx context.Context, name string, code CodeSource) (*Answer, error) {
	count, err := token.NewTokenizer(name)
	if err != nil {
		return nil, err
	}
	var left []Left
	for _, s := range g.absent {
		left = append(left, Left{s.Name, s.File, count.Count([]byte(s.Text)), "only in windows of 500,000 tokens and more"})
	}
	var part Code
	switch {
	case g.role == Planner || g.role == Checker:
	case code == nil:
		left = append(left, Left{Name: "code", Reason: "there is no index; \"ken index\" makes one"})
	default:
		part = func(ctx context.Context, budget int) (string, []Left, error) {
			return code(ctx, g.call, g.phase, g.phase.Written[g.plan], budget)
		}
	}
	p, err := Fit(ctx, count, g.window, g.list, part)
	if err != nil {
		return nil, err
	}
	p.Left = append(p.Left, left...)
	a := &Answer{Role: g.role, Phase: g.phase.Token(), Plan: g.plan, Share: Share, Tokenizer: count.Name(), Payload: *p}
	a.asText = g.call.Switched("text")
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
