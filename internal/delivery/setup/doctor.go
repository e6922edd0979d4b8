package setup

import (
	"context"
	"fmt"
	"slices"

	"ken/internal/delivery/project"
	"ken/internal/operation"
)

type doctorSpec = operation.Spec[*project.Project, doctorInput, doctorAnswer]

type doctorInput struct{}

// Doctor is the operation.
func Doctor() *project.Tool {
	return doctorSpec{
		Name:    "doctor",
		Topic:   operation.SetUp,
		Summary: "try the installed hooks, status line and MCP server, and say what is wrong with them",
		Long: "Of other products it looks at what ken wrote, and at when a session of theirs was seen last.\n" +
			"The commands that the settings of Claude Code name are run on recorded payloads, in a project and a state directory of their own.\n" +
			"Whether Claude Code really calls a hook is read from when its last event came. Nothing is run but ken itself. Exit status 1: there are problems.",
		Run:  runDoctor,
		Text: writeDoctor,
	}.Tool()
}

func runDoctor(ctx context.Context, e *env, _ *doctorInput, emit func(*doctorAnswer) error) error {
	x, err := newExamination(e)
	if err != nil {
		return err
	}
	x.checkProgram()
	x.checkSystem()
	others := runtimeChecks(ctx, x.installer, x.options, x.env.Getenv, x.lastSessions(ctx))
	x.others, x.answer.Checks = len(others) > 0, append(x.answer.Checks, others...)
	x.checkSources()
	// The commands of each program run in a project of their own.
	slices.SortStableFunc(x.trials, func(a, b trial) int { return compareByEvent(x.answer.Hooks[a.hook], x.answer.Hooks[b.hook]) })
	for len(x.trials) > 0 && ctx.Err() == nil {
		path := x.trials[0].path
		source := x.answer.Hooks[x.trials[0].hook].Settings
		var these []trial
		x.trials = slices.DeleteFunc(x.trials, func(t trial) bool {
			// Two installations report one event, and the second would answer nothing.
			mine := t.path == path && x.answer.Hooks[t.hook].Settings == source
			if mine {
				these = append(these, t)
			}
			return mine
		})
		if err := x.tryProgram(ctx, path, these); err != nil {
			for _, t := range these {
				h := &x.answer.Hooks[t.hook]
				h.State, h.Answer = problem, err.Error()
			}
		}
	}
	x.checkLog()
	x.checkIndex(ctx)
	a := &x.answer
	for _, h := range a.Hooks {
		if h.State == problem {
			a.Problems++
		}
	}
	for _, c := range a.Checks {
		if c.State == problem {
			a.Problems++
		}
	}
	slices.SortStableFunc(a.Hooks, compareByEvent)
	if err = ctx.Err(); err == nil && a.Problems > 0 {
		err = &operation.AlarmError{Message: operation.Plural(a.Problems, "problem")}
	}
	return operation.Finish(a, err, emit)
}

func writeDoctor(t *operation.Text, _ *doctorInput, a *doctorAnswer) error {
	var rows [][]string
	for _, h := range a.Hooks {
		last := "never called here, as far as is known"
		if h.Last != "" {
			last = "last called " + h.Last
		}
		took := ""
		if h.State == good {
			took = fmt.Sprintf("%d ms", h.Elapsed)
		}
		rows = append(rows, []string{h.State, h.Settings, h.Event, took, h.Answer, last})
	}
	t.Table("", 0, rows)
	rows = nil
	for _, c := range a.Checks {
		rows = append(rows, []string{c.State, c.About, c.Text})
	}
	for _, l := range a.Faults {
		rows = append(rows, []string{note, "log", fmt.Sprintf("%s: %s, the last one %s: %s", l.What, operation.Plural(l.Count, "time"), l.Last, l.Line)})
	}
	if len(a.Hooks) > 0 {
		t.Line("")
	}
	t.Table("", 0, rows)
	return nil
}
