// Package outcomes declares the operation over the outcomes of agents' work: it records and counts them and shows possible
// improvements. They are defined and analysed by knowledge/outcome; delivery/op lists the operation. judge.go has git judge earlier
// sessions, which delivery/agentevent also does.
package outcomes

import (
	"context"
	"slices"
	"strings"
	"time"

	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/engine"
	"ken/internal/engine/view"
	"ken/internal/knowledge/outcome"
	"ken/internal/operation"
)

type (
	env  = project.Env
	spec = operation.Spec[*project.Project, input, answer]
)

type input struct {
	Action  string   `arg:"ACTION" enum:"record,stats,insights" help:"record [success|failure|partial [TEXT]], stats or insights"`
	Words   []string `arg:"[TEXT…]" help:"record: how it turned out, and why; nothing has git judge the sessions before"`
	Session string   `flag:"session" value:"ID" help:"record: session it is about (default: the one that runs the command, else the last); insights: analyse this session"`
	Limit   *int     `flag:"limit" value:"N" help:"latest outcomes looked at; 0: all (default 1000 of stats, 100 of insights)"`
}

// Tool is the operation.
func Tool() *project.Tool {
	return spec{
		Name:  "outcome",
		Topic: operation.Remember,
		MCP: operation.Offer{
			Set: "knowledge", Place: 8,
			About: "How a task turned out: record success, failure or partial; stats and insights.",
		},
		Effect:  operation.Adds,
		Summary: "how agents' work turned out: recorded, counted, and what can be improved",
		Long: "Outcomes are recorded from what happens: tests that run after edits, a next prompt that says it does not work, edits that were kept or reverted.\n" +
			"They are lines of .ken/logs/outcomes.jsonl, on this machine alone; .ken/logs/queries.jsonl has what an agent's session asked ken. Prompts are kept in neither.\n" +
			"\"record\" without a text has git judge the sessions before; with one it writes down what you say.",
		Example: []string{"outcome record", "outcome record failure \"the port was hard-coded\"", "outcome stats", "outcome insights", "outcome insights --session ID"},
		Run:     run,
		Text:    text,
	}.Tool()
}

func run(ctx context.Context, e *env, in *input, emit func(*answer) error) error {
	p, err := project.Open(e, operation.Existing)
	if err != nil {
		return err
	}
	a := &answer{}
	err = p.Ask(ctx, engine.AsIndexed, func(_ context.Context, s *view.Snapshot) ([]string, error) {
		a.Revision = s.Rev()
		return nil, nil
	})
	if err != nil {
		return err
	}
	if in.Action != "record" && len(in.Words) > 0 {
		return code.Usagef("ken outcome %s takes no text", in.Action)
	}
	logs := p.Logs()
	if logs == nil {
		if in.Action == "record" {
			return project.ErrNoMemory
		}
		return operation.Finish(a, operation.Nothingf("no outcome is recorded: none can be kept of this project"), emit)
	}
	switch in.Action {
	case "record":
		err = a.recordOutcome(ctx, p, logs, in)
	case "stats":
		err = a.addStats(logs, in)
	default:
		err = a.addInsights(logs, in)
	}
	return operation.Finish(a, err, emit)
}

// recordOutcome stores an outcome.
func (a *answer) recordOutcome(ctx context.Context, p *project.Project, logs *outcome.Logs, in *input) error {
	if len(in.Words) == 0 {
		found, err := Judge(ctx, p, logs, time.Now().UTC(), 0)
		for i := range found {
			a.Outcomes = append(a.Outcomes, newOutcomeRow(&found[i]))
		}
		if err == nil && len(found) == 0 {
			err = operation.Nothingf("git says of no session that was not judged yet whether its edits were kept")
		}
		return err
	}
	result := outcome.Result(strings.ToLower(in.Words[0]))
	if !slices.Contains([]outcome.Result{outcome.Success, outcome.Failure, outcome.Partial}, result) {
		return code.Usagef("say how it turned out: ken outcome record success, failure or partial, not %s", operation.Quote(in.Words[0]))
	}
	o := outcome.Outcome{At: time.Now(), Result: result, Source: outcome.FromUser, Detail: strings.Join(in.Words[1:], " "), Session: in.Session}
	if o.Session == "" {
		o.Session = p.Session
	}
	if err := addSessionFacts(ctx, p, &o); err != nil {
		return err
	}
	if err := logs.Record(&o); err != nil {
		return err
	}
	a.Outcomes = []outcomeRow{newOutcomeRow(&o)}
	return p.LearnOutcome(ctx, logs, &o)
}

// addSessionFacts adds the facts of the session that an outcome belongs to: the named session, else the last.
func addSessionFacts(ctx context.Context, p *project.Project, o *outcome.Outcome) error {
	m, err := p.Memory(false)
	if err != nil {
		return err
	}
	if m == nil {
		if o.Session == "" {
			return code.Usagef("no session is remembered that it could be about; name one with --session")
		}
		return nil
	}
	if err := m.Drain(ctx); err != nil {
		return err
	}
	list, err := m.Sessions(ctx, 1)
	if err != nil {
		return err
	}
	if o.Session != "" {
		r, ok, err := m.Store.Session(ctx, o.Session)
		if err != nil || !ok {
			return err
		}
		list = append(list[:0], r)
	}
	if len(list) == 0 {
		return code.Usagef("no session is remembered that it could be about; name one with --session")
	}
	w := SessionWork(&list[0])
	o.Session, o.Phase, o.Intent, o.Files = w.Session, w.Phase, w.Intent(), w.Files()
	return nil
}

// limitOrDefault returns the number of outcomes to read: *given, or otherwise if given is nil.
func limitOrDefault(given *int, otherwise int) int {
	switch {
	case given == nil:
		return otherwise
	case *given == 0:
		return int(^uint(0) >> 1)
	}
	return *given
}

func (a *answer) readOutcomes(logs *outcome.Logs) (*outcome.LogContent, error) {
	k, err := logs.Read()
	if err != nil {
		return nil, err
	}
	for _, b := range k.Bad {
		a.Unreadable = append(a.Unreadable, badRow{b.File, b.Line, b.Why})
	}
	return k, nil
}

// errNone returns the error for logs without an outcome.
func errNone() error {
	return operation.Nothingf("no outcome is recorded yet; ken install claude has them recorded, and ken outcome record does")
}

func (a *answer) addStats(logs *outcome.Logs, in *input) error {
	k, err := a.readOutcomes(logs)
	if err != nil {
		return err
	}
	s := k.Stats(limitOrDefault(in.Limit, outcome.StatsLimit))
	if s.All.Total() == 0 {
		return errNone()
	}
	a.Stats = &stats{
		Sessions: s.Sessions, Total: newTally(s.All), Intents: countedRows(s.Intents), Phases: countedRows(s.Phases), Sources: countedRows(s.Sources),
		Asked: newTally(s.With), Unasked: newTally(s.Without),
	}
	return nil
}

func (a *answer) addInsights(logs *outcome.Logs, in *input) error {
	k, err := a.readOutcomes(logs)
	if err != nil {
		return err
	}
	if in.Session != "" {
		s, ok := k.Session(in.Session)
		if !ok {
			return operation.Nothingf("nothing is recorded of the session %s", operation.Quote(in.Session))
		}
		a.Session = newAnalysis(s)
		return nil
	}
	found := k.Insights(limitOrDefault(in.Limit, outcome.InsightLimit))
	if found.Outcomes == 0 {
		return errNone()
	}
	a.Insights = newInsights(found)
	return nil
}
