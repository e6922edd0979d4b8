package tasks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ken/internal/ask/find"
	"ken/internal/code"
	"ken/internal/delivery/tasks/targets"
	"ken/internal/engine/view"
	"ken/internal/guard"
	"ken/internal/knowledge/agreement"
	"ken/internal/operation"
)

// Thresholds for the score of a symbol's file divided by that of the best file, fitted to tasks with known answers by bench/find
// -relevance: above the first, half of the files are right; below the second are at most a tenth of the right ones.
const (
	leastFact = 0.90
	leastRisk = 0.55
)

// maxRated is the number of files that are ranked to rate symbols by.
const maxRated = 50

type validateInput struct {
	Feature string   `flag:"target-feature" value:"TEXT" help:"what the symbols should be about; default: the slot of the frame, else the query"`
	Symbols []string `arg:"NAME…" key:"symbols" help:"symbols, best as PATH:NAME"`
	Task    string   `flag:"task" value:"ID" help:"the task; default: the one that goes on"`
}

func validateTool() *tool {
	return spec[validateInput, answer]{
		Name: string(guard.ValidateSymbols), Group: group, Topic: operation.ChangeSafely, Rare: true, MCP: offer(), Effect: operation.Adds, Summary: "how far symbols go with a feature, in three tiers",
		Long: "A symbol that was agreed on to be what the feature means, or whose file ken find ranks with the best for it, is a FACT; one far below is REJECTED and does not count\n" +
			"unless confirm_symbol_relevance shows it in the code; between them it is a RISK.",
		Example: []string{`task validate_symbol_relevance --target-feature "login" LoginForm.validate Session.open`},
		Run:     runValidate,
		Text:    text[validateInput],
	}.Tool()
}

func runValidate(ctx context.Context, e *env, in *validateInput, emit func(*answer) error) error {
	return withTask(ctx, e, in.Task, emit, func(w *taskCall, ctx context.Context) error {
		d, err := w.decide(ctx, &guard.Request{Tool: guard.ValidateSymbols})
		if err != nil || !d.Allowed {
			return firstError(err, &d)
		}
		feature := w.featureText(in.Feature)
		scores, err := w.fileScores(ctx, feature)
		if err != nil {
			return err
		}
		var rated []guard.Relevance
		for _, n := range in.Symbols {
			r, why, err := w.rateSymbol(ctx, n, feature, scores)
			if err != nil {
				return err
			}
			w.a.Relevance = append(w.a.Relevance, symbolRow{r.Symbol, string(r.Tier), r.Score, why})
			rated = append(rated, r)
		}
		return w.changeTask(ctx, func(t *guard.Task) { t.Relevance = mergeRelevance(t.Relevance, rated) })
	})
}

// featureText returns the description of the feature that symbols are compared with.
func (w *taskCall) featureText(given string) string {
	if given != "" {
		return w.p.Engine.Hide(given)
	}
	if v := w.task.Frame.Find("target_feature").Value; v != "" {
		return v
	}
	return w.task.Query
}

// fileScores returns the files relevant to a text, each with its score divided by that of the best: by the sum alone, to which the
// thresholds were fitted.
func (w *taskCall) fileScores(ctx context.Context, text string) (map[string]float64, error) {
	found, err := find.Find(ctx, w.s, text, find.SearchOptions{Limit: maxRated, Plain: true})
	if err != nil {
		return nil, err
	}
	out := map[string]float64{}
	for i := range found.Files {
		if top := found.Files[0].Score; top > 0 {
			out[found.Files[i].Path] = found.Files[i].Score / top
		}
	}
	return out, nil
}

// rateSymbol rates how relevant a symbol is for a feature. why explains a rating of none.
func (w *taskCall) rateSymbol(ctx context.Context, name, feature string, scores map[string]float64) (r guard.Relevance, why string,
	err error) {
	t, err := w.p.Target(ctx, w.s, name)
	if err != nil {
		return guard.Relevance{Symbol: name, Tier: guard.TierRejected}, "there is no such symbol", ignoreNotFound(err)
	}
	if len(targets.Places(t.Symbols)) != 1 {
		return guard.Relevance{Symbol: name, Tier: guard.TierRejected}, "it is no symbol, or several: name one as PATH:NAME", nil
	}
	y := &t.Symbols[0]
	r = guard.Relevance{Symbol: y.Path + ":" + y.Qualified, Score: scores[y.Path]}
	if term, ok := w.agreedTerm(feature, y); ok {
		r.Tier, r.Score = guard.TierFact, 1
		return r, "agreed: " + operation.Quote(term) + " means it", nil
	}
	switch {
	case r.Score >= leastFact:
		r.Tier, why = guard.TierFact, "its file is among the best for the feature"
	case r.Score >= leastRisk:
		r.Tier, why = guard.TierRisk, "its file is about the feature among others: look whether it is meant"
	default:
		r.Tier, why = guard.TierRejected, "its file is hardly about the feature; if it is meant, confirm_symbol_relevance with code that shows it"
	}
	return r, why, nil
}

// agreedTerm returns a term of the feature that an agreement defines as a symbol.
func (w *taskCall) agreedTerm(feature string, y *view.Symbol) (string, bool) {
	kept, err := agreement.Folder{Root: w.p.Root}.List()
	if err != nil && len(kept) == 0 {
		return "", false
	}
	for _, a := range agreement.MentionedIn(kept, feature) {
		if a.Symbol == y.Qualified && a.File == y.Path {
			return a.Term, true
		}
	}
	return "", false
}

// mergeRelevance returns old ratings overridden by new ones. A symbol that was confirmed remains confirmed, with its new rating.
func mergeRelevance(old, rated []guard.Relevance) []guard.Relevance {
	out := slices.Clone(rated)
	for i := range out {
		out[i].Confirmed = slices.ContainsFunc(old, func(o guard.Relevance) bool { return o.Symbol == out[i].Symbol && o.Confirmed })
	}
	for _, o := range old {
		if !slices.ContainsFunc(out, func(r guard.Relevance) bool { return r.Symbol == o.Symbol }) {
			out = append(out, o)
		}
	}
	return out
}

type confirmInput struct {
	Symbols   []string `arg:"NAME…" key:"relevant_symbols" help:"symbols, best as PATH:NAME"`
	Evidence  []string `flag:"code-evidence" value:"PLACE" help:"file or PATH:NAME that shows it, looked at in the task; one for all symbols, or one of each in order"`
	Reasoning string   `flag:"reasoning" value:"TEXT" help:"why; it is not judged"`
	Task      string   `flag:"task" value:"ID" help:"the task; default: the one that goes on"`
}

func confirmTool() *tool {
	return spec[confirmInput, answer]{
		Name: string(guard.ConfirmSymbols), Group: group, Topic: operation.ChangeSafely, Rare: true, MCP: offer(), Effect: operation.Adds, Summary: "confirm that symbols are what is meant, by code that was looked at",
		Example: []string{"task confirm_symbol_relevance web/login.py:LoginForm.validate --code-evidence web/login.py"},
		Run:     runConfirm,
		Text:    text[confirmInput],
	}.Tool()
}

func runConfirm(ctx context.Context, e *env, in *confirmInput, emit func(*answer) error) error {
	return withTask(ctx, e, in.Task, emit, func(w *taskCall, ctx context.Context) error {
		d, err := w.decide(ctx, &guard.Request{Tool: guard.ConfirmSymbols})
		if err != nil || !d.Allowed {
			return firstError(err, &d)
		}
		if n := len(in.Evidence); n != 1 && n != len(in.Symbols) {
			return code.Usagef("give --code-evidence once for all symbols, or once for each")
		}
		var confirmed []guard.Relevance
		for i, n := range in.Symbols {
			r, why, err := w.confirmSymbol(ctx, n, in.Evidence[min(i, len(in.Evidence)-1)])
			if err != nil {
				return err
			}
			if why != "" {
				w.a.Inconsistent = append(w.a.Inconsistent, why)
				continue
			}
			confirmed = append(confirmed, r)
			w.a.Relevance = append(w.a.Relevance, symbolRow{r.Symbol, string(r.Tier), r.Score, "confirmed"})
		}
		w.a.Unjudged = []string{"whether the symbols mean the feature: only that the code exists, was seen and is tied to them is checked"}
		if err := w.changeTask(ctx, func(t *guard.Task) { t.Relevance = keepConfirmed(t.Relevance, confirmed) }); err != nil {
			return err
		}
		if len(w.a.Inconsistent) > 0 {
			w.a.Allowed, w.a.Error = false, guard.EvidenceMissing
			return &operation.AlarmError{Message: w.a.Error, Refused: true}
		}
		return nil
	})
}

// keepConfirmed returns the old ratings, with those of confirmed symbols replaced.
func keepConfirmed(old, confirmed []guard.Relevance) []guard.Relevance {
	out := slices.Clone(confirmed)
	for _, o := range old {
		if !slices.ContainsFunc(out, func(r guard.Relevance) bool { return r.Symbol == o.Symbol }) {
			out = append(out, o)
		}
	}
	return out
}

// confirmSymbol checks the evidence for one symbol: symbol and place exist, the agent looked at both, and they are in one file or tied
// by a reference or import. Otherwise why is the reason.
func (w *taskCall) confirmSymbol(ctx context.Context, name, place string) (r guard.Relevance, why string, err error) {
	none := &ties{}
	c, err := w.resolveClaim(ctx, guard.Symbols, name, none)
	if err != nil || c.Symbol == "" {
		return r, fmt.Sprintf("%s is no symbol, or several", operation.Quote(name)), err
	}
	t, err := w.findTies(ctx, []guard.Target{{Path: c.Path, Symbol: c.Symbol}})
	if err != nil {
		return r, "", err
	}
	p, err := w.resolveEvidence(ctx, strings.TrimSpace(place), t)
	switch {
	case err != nil:
		return r, "", err
	case !p.Exists():
		return r, fmt.Sprintf("there is no %s", operation.Quote(place)), nil
	case !p.Tied && p.Path != c.Path:
		return r, fmt.Sprintf("nothing ties %s to %s", operation.Quote(place), operation.Quote(name)), nil
	case !w.task.HasLookedUp(&c) || !w.task.HasLookedUp(&p):
		return r, fmt.Sprintf("%s and %s were not both looked at in this task", operation.Quote(name), operation.Quote(place)), nil
	}
	r = guard.Relevance{Symbol: c.Path + ":" + c.Symbol, Tier: guard.TierFact, Confirmed: true}
	for _, o := range w.task.Relevance {
		if o.Symbol == r.Symbol {
			r.Score = o.Score
		}
	}
	return r, "", nil
}
