package tasks

import (
	"context"
	"fmt"
	"slices"

	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/guard"
	"ken/internal/guard/frame"
	"ken/internal/knowledge/outcome"
	"ken/internal/knowledge/task"
	"ken/internal/operation"
)

type recordInput struct {
	Outcome  string `arg:"OUTCOME" enum:"success,failure,partial" help:"how the task turned out"`
	Analysis string `flag:"analysis" value:"TEXT" help:"why: a cause, what the user said"`
	Task     string `flag:"task" value:"ID" help:"the task; default: the only one that goes on"`
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
	id, err := taskToEnd(ctx, e, guard.RecordOutcome, in.Task)
	if err != nil {
		return err
	}
	return withTask(ctx, e, id, emit, func(w *taskCall, ctx context.Context) error {
		logs := w.p.Logs()
		if logs == nil {
			return project.ErrNoMemory
		}
		o, err := w.newOutcome(ctx, outcome.Outcome{At: w.now, Result: outcome.Result(in.Outcome), Source: outcome.FromUser, Detail: in.Analysis})
		if err != nil {
			return err
		}
		if err := logs.Record(&o); err != nil {
			return err
		}
		if err := w.p.LearnOutcome(ctx, logs, &o); err != nil {
			return err
		}
		lost := w.treeIsLost()
		err = w.changeTask(ctx, func(t *guard.Task) {
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

// newOutcome returns an outcome with what is known of the task: its session, what it was for, and the files that it changed, with those
// that it was shown. It fails if git or the work tree cannot be read.
func (w *taskCall) newOutcome(ctx context.Context, o outcome.Outcome) (outcome.Outcome, error) {
	t := w.task
	o.Session, o.Phase, o.Intent, o.Task = hostSession(t), string(t.State), parseIntent(t.Intent), t.ID
	files, err := w.changedFiles(ctx)
	if err != nil {
		return o, err
	}
	o.Files = files
	_, looks, _, err := w.m.Tasks.Task(ctx, t.ID) // also those of what has changed since
	if err != nil {
		return o, err
	}
	for _, f := range o.Files {
		if slices.ContainsFunc(looks, func(l task.ReadPart) bool { return l.Path == f }) {
			o.Seen = append(o.Seen, f)
		}
	}
	return o, nil
}

// taskToEnd returns the id of the task that a step means which cannot be taken back: the named one, else the only open one in which the
// step is allowed, else "". It fails with a code.UsageError that names them if there are several.
func taskToEnd(ctx context.Context, e *env, tool guard.Tool, id string) (string, error) {
	if id != "" {
		return id, nil
	}
	p, err := project.Open(e, operation.Existing)
	if err != nil {
		return "", err
	}
	m, err := p.Memory(false)
	if err != nil || m == nil {
		return "", err
	}
	list, err := openTasks(ctx, m, p.Session)
	if err != nil {
		return "", err
	}
	var fit []*guard.Task
	for i := range list {
		if t, err := parseTask(&list[i]); err == nil && slices.Contains(guard.AllowedTools(t), tool) {
			fit = append(fit, t)
		}
	}
	switch {
	case len(fit) == 1:
		return fit[0].ID, nil
	case len(fit) > 1:
		names := describeTasks(fit[:min(len(fit), maxOpen)])
		return "", code.Usagef("%d tasks go on, and --task does not name the one that is meant: %s", len(fit), names)
	case len(list) == 0 && tool == guard.RecordOutcome:
		return mergedTask(ctx, m, p.Session)
	}
	return "", nil
}

// mergedTask returns the id of the last task of a session if a merge has ended it and no outcome was recorded, else "". It returns an error
// if the memory cannot be read.
func mergedTask(ctx context.Context, m *project.Memory, session string) (string, error) {
	list, err := m.Tasks.Tasks(ctx, session, false, 1)
	if err != nil || len(list) == 0 {
		return "", err
	}
	t, err := parseTask(&list[0])
	if err != nil || t.Outcome != merged {
		return "", err
	}
	return t.ID, nil
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
