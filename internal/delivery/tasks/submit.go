package tasks

import (
	"context"
	"encoding/json"
	"strings"

	"ken/internal/code"
	"ken/internal/guard"
	"ken/internal/operation"
)

type understandInput struct {
	Targets    []string `flag:"target-files" value:"TARGET" help:"files, or PATH:NAME, that shall be changed or made; may be repeated"`
	Symbols    []string `flag:"symbols-identified" value:"NAME" help:"symbols that matter, best as PATH:NAME; may be repeated"`
	Entries    []string `flag:"entry-points" value:"NAME" help:"symbols from which the targets are reached; may be repeated"`
	Files      []string `flag:"files-analyzed" value:"FILE" help:"files that were analyzed; may be repeated"`
	Patterns   []string `flag:"existing-patterns" value:"PLACE TEXT" help:"a file or PATH:NAME that does alike, and what it does; may be repeated"`
	Hypotheses []string `flag:"hypotheses" value:"TEXT" help:"what is believed and was not seen yet; may be repeated"`
	Notes      string   `flag:"notes" value:"TEXT" help:"anything else; it is not judged"`
	Task       string   `flag:"task" value:"ID" help:"the task; default: the one that goes on"`
}

func understandTool() *tool {
	return spec[understandInput, answer]{
		Name: string(guard.SubmitUnderstood), Group: group, Topic: operation.ChangeSafely, Rare: true, MCP: offer(), Effect: operation.Adds, Summary: "say what was understood, and what shall change: ends EXPLORATION",
		Long: "What is named has to exist and to have been looked at in the task; at level full a reference or import has to tie it to a target. At level auto the\n" +
			"targets suffice. What is missing is listed with how it is got.",
		Example: []string{"task submit_understanding --target-files internal/api/server.go:Server.Start"},
		Run: func(ctx context.Context, e *env, in *understandInput, emit func(*answer) error) error {
			return withTask(ctx, e, in.Task, emit, func(w *taskCall, ctx context.Context) error {
				r := &guard.Request{Tool: guard.SubmitUnderstood, Hypotheses: w.hideAll(in.Hypotheses)}
				err := w.fillUnderstanding(ctx, r, in.Targets, &statedClaims{in.Symbols, in.Entries, in.Files, in.Patterns})
				if err != nil {
					return err
				}
				return w.decideAndDemand(ctx, r)
			})
		},
		Text: text[understandInput],
	}.Tool()
}

func (w *taskCall) hideAll(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = w.p.Engine.Hide(s)
	}
	return out
}

// fillUnderstanding fills a request with targets and claims, and with the number of names of each kind that could be claimed.
func (w *taskCall) fillUnderstanding(ctx context.Context, r *guard.Request, targets []string, u *statedClaims) (err error) {
	if r.Targets, err = w.newFinder().Find(ctx, targets); err != nil {
		return err
	}
	all := w.withTaskTargets(r.Targets)
	t, err := w.findTies(ctx, all)
	if err != nil {
		return err
	}
	if r.Have = t.counts(); len(all) == 0 { // nothing shall change: whatever was looked up counts
		r.Have = guard.Counts{Symbols: 1, Files: 1}
	}
	r.Claims, err = w.resolveClaims(ctx, u, t)
	return err
}

// withTaskTargets returns the targets of the task followed by more ones.
func (w *taskCall) withTaskTargets(more []guard.Target) []guard.Target {
	out := append([]guard.Target{}, more...)
	for _, g := range w.task.Targets {
		if !containsTarget(more, g) {
			out = append(out, g)
		}
	}
	return out
}

func containsTarget(list []guard.Target, g guard.Target) bool {
	for i := range list {
		if list[i].Key() == g.Key() {
			return true
		}
	}
	return false
}

// decideAndDemand lets the guard decide on a request and adds to the answer its demands for the targets.
func (w *taskCall) decideAndDemand(ctx context.Context, r *guard.Request) error {
	before := w.task.State
	switch r.Tool {
	case guard.CheckWriteTarget, guard.AddExplored, guard.SubmitForReview:
		if w.treeIsLost() {
			return w.refuseLostTree()
		}
	}
	d, err := w.decide(ctx, r)
	if err != nil {
		return err
	}
	for i := range r.Targets {
		w.a.Targets = append(w.a.Targets, newTargetRow(w.task, &r.Targets[i]))
	}
	if !d.Allowed {
		return refusalError(&d)
	}
	return w.enterWorkTree(ctx, before)
}

type semanticInput struct {
	Reasons    []string `flag:"semantic-reason" value:"REASON" help:"why similar code was searched for: no_definition_found, no_reference_found, no_similar_implementation, architecture_unknown or context_fragmented"`
	Hypotheses []string `flag:"hypotheses" value:"TEXT" help:"what is believed now; one that begins with \"SLOT: \" fills that slot; may be repeated"`
	Queries    []string `flag:"search-queries" value:"TEXT" help:"what was searched for; it is not judged"`
	Task       string   `flag:"task" value:"ID" help:"the task; default: the one that goes on"`
}

func submitSemanticTool() *tool {
	return spec[semanticInput, answer]{
		Name: string(guard.SubmitSemantic), Group: group, Topic: operation.ChangeSafely, Rare: true, MCP: offer(), Effect: operation.Adds, Summary: "say what a search for similar code suggests: ends SEMANTIC",
		Example: []string{`task submit_semantic --semantic-reason architecture_unknown --hypotheses "requests are validated in middleware"`},
		Run: func(ctx context.Context, e *env, in *semanticInput, emit func(*answer) error) error {
			return withTask(ctx, e, in.Task, emit, func(w *taskCall, ctx context.Context) error {
				r := &guard.Request{Tool: guard.SubmitSemantic}
				for _, s := range in.Reasons {
					r.Reasons = append(r.Reasons, guard.Reason(s))
				}
				for _, h := range in.Hypotheses {
					r.Hypotheses = append(r.Hypotheses, hypothesisText(w.p.Engine.Hide(h)))
				}
				return w.decideAndDemand(ctx, r)
			})
		},
		Text: text[semanticInput],
	}.Tool()
}

// hypothesisText returns the text of a hypothesis, which may be given as an object with text and confidence; an agent's own confidence
// does not count.
func hypothesisText(s string) string {
	var o struct{ Text string }
	if strings.HasPrefix(strings.TrimSpace(s), "{") && json.Unmarshal([]byte(s), &o) == nil && o.Text != "" {
		return o.Text
	}
	return s
}

type verifyInput struct {
	Verified []string `flag:"verified" value:"JSON" objects:"yes" help:"{hypothesis, status: confirmed or rejected, evidence: {tool, target}} of each; may be repeated"`
	Symbols  []string `flag:"symbols-identified" value:"NAME" help:"all symbols that matter, if the understanding was low; may be repeated"`
	Entries  []string `flag:"entry-points" value:"NAME" help:"as in submit_understanding; may be repeated"`
	Files    []string `flag:"files-analyzed" value:"FILE" help:"as in submit_understanding; may be repeated"`
	Patterns []string `flag:"existing-patterns" value:"PLACE TEXT" help:"as in submit_understanding; may be repeated"`
	Task     string   `flag:"task" value:"ID" help:"the task; default: the one that goes on"`
}

type verdict struct {
	Hypothesis string
	Status     string
	Evidence   struct{ Tool, Target, File string }
}

func verifyTool() *tool {
	return spec[verifyInput, answer]{
		Name: string(guard.SubmitVerified), Group: group, Topic: operation.ChangeSafely, Rare: true, MCP: offer(), Effect: operation.Adds, Summary: "say which hypotheses are true, and what shows it: ends VERIFICATION",
		Long: "Evidence is a tool that was used in the task and what it showed: a file or PATH:NAME that is tied to a target. A hypothesis that is wrong leads back to\n" +
			"EXPLORATION. What submit_understanding lacked has to be there now.",
		Example: []string{`task submit_verification --verified '{"hypothesis":"…","status":"confirmed","evidence":{"tool":"find_references","target":"api/server.go:Start"}}'`},
		Run:     runVerify,
		Text:    text[verifyInput],
	}.Tool()
}

func runVerify(ctx context.Context, e *env, in *verifyInput, emit func(*answer) error) error {
	return withTask(ctx, e, in.Task, emit, func(w *taskCall, ctx context.Context) error {
		r := &guard.Request{Tool: guard.SubmitVerified}
		u := statedClaims{in.Symbols, in.Entries, in.Files, in.Patterns}
		for _, c := range w.task.Claims { // earlier claims count, too
			u.add(&c)
		}
		if err := w.fillUnderstanding(ctx, r, nil, &u); err != nil {
			return err
		}
		t, err := w.findTies(ctx, w.task.Targets)
		if err != nil {
			return err
		}
		for _, s := range in.Verified {
			var v verdict
			if json.Unmarshal([]byte(w.p.Engine.Hide(s)), &v) != nil {
				return code.Usagef("a verification is no object with hypothesis, status and evidence {tool, target}")
			}
			if v.Evidence.Target == "" {
				v.Evidence.Target = v.Evidence.File
			}
			c, err := w.resolveEvidence(ctx, v.Evidence.Target, t)
			if err != nil {
				return err
			}
			r.Verdicts = append(r.Verdicts, guard.Verified{
				Hypothesis: v.Hypothesis, Status: guard.Verdict(v.Status), Tool: v.Evidence.Tool, Evidence: c,
			})
		}
		return w.decideAndDemand(ctx, r)
	})
}

// add adds a claim that was made before, unless it is made again or named nothing.
func (u *statedClaims) add(c *guard.Claim) {
	name := c.Path
	if c.Symbol != "" {
		name += ":" + c.Symbol
	}
	if c.Text != "" {
		name += " " + c.Text
	}
	list := map[guard.Kind]*[]string{
		guard.Symbols: &u.symbols, guard.EntryPoints: &u.entries, guard.Files: &u.files, guard.Patterns: &u.patterns,
	}[c.Kind]
	if list == nil || !c.Exists() {
		return
	}
	for _, given := range *list {
		if given == name || given == c.Name {
			return
		}
	}
	*list = append(*list, name)
}
