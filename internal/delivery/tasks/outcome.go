package tasks

import (
	"context"
	"fmt"

	"ken/internal/delivery/project"
	"ken/internal/guard"
	"ken/internal/guard/frame"
	"ken/internal/knowledge/outcome"
	"ken/internal/operation"
)

type recordInput struct {
	Outcome  string `arg:"OUTCOME" enum:"success,failure,partial" help:"how the task turned out"`
	Analysis string `flag:"analysis" value:"TEXT" help:"why: a cause, what the user said"`
	Task     string `flag:"task" value:"ID" help:"the task; default: the one that goes on"`
}

func recordTool() *tool {
	return spec[recordInput, answer]{
		Name: string(guard.RecordOutcome), Group: group, Topic: operation.ChangeSafely, MCP: offer(), Effect: operation.Adds, Summary: "how a task turned out: ends it",
		Long:    "Of a success, agreements are proposed: what the feature was confirmed to mean. \"ken agreement add\" keeps one.",
		Example: []string{"task record_outcome success", `task record_outcome failure --analysis "the port was hard-coded"`},
		Run:     runRecord,
		Text:    text[recordInput],
	}.Tool()
}

func runRecord(ctx context.Context, e *env, in *recordInput, emit func(*answer) error) error {
	return withTask(ctx, e, in.Task, emit, func(w *taskCall, ctx context.Context) error {
		logs := w.p.Logs()
		if logs == nil {
			return project.ErrNoMemory
		}
		o := outcome.Outcome{
			At: w.now, Result: outcome.Result(in.Outcome), Source: outcome.FromUser, Detail: in.Analysis,
			Session: hostSession(w.task), Phase: string(w.task.State), Intent: parseIntent(w.task.Intent), Files: listedFiles(w.task),
		}
		if err := logs.Record(&o); err != nil {
			return err
		}
		if err := w.p.LearnOutcome(ctx, logs, &o); err != nil {
			return err
		}
		lost := w.treeIsLost()
		err := w.changeTask(ctx, func(t *guard.Task) {
			if t.State == guard.PreCommit && t.Overlay && !lost { // unmerged work is not ended
				t.Outcome = in.Outcome
				return
			}
			t.End(in.Outcome, w.now)
		})
		if err != nil {
			return err
		}
		w.a.setTaskFields(w.task)
		w.a.Message = "recorded as " + in.Outcome
		if o.Result == outcome.Success {
			w.a.Proposals = proposeAgreements(w.task)
		}
		return nil
	})
}

// proposeAgreements returns agreements that a success suggests: the words of the user for a feature, and the symbols that were confirmed
// to be it or rated as FACT. It returns none unless the feature is a fact.
func proposeAgreements(t *guard.Task) (out []string) {
	feature := t.Frame.Find(frame.TargetFeature)
	if feature.Source != frame.Fact {
		return nil
	}
	for _, r := range t.Relevance {
		if r.Confirmed || r.Tier == guard.TierFact {
			out = append(out, fmt.Sprintf("ken agreement add %s %s --evidence TEXT", operation.Quote(feature.Value), operation.Quote(r.Symbol)))
		}
	}
	return out
}
