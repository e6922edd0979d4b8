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

// The states of a check.
const (
	good      = "good"
	note      = "note"
	problem   = "problem"
	unchecked = "unchecked"
)

// Check is the result of one check.
type Check struct {
	About string `json:"about" doc:"program, settings, plugin, status line, MCP server, index, memory, decisions or log"`
	State string `json:"state" doc:"good, note (worth to know), problem, or unchecked (it was not looked at)"`
	Text  string `json:"text" doc:"what there is to say"`
}

// Hook is one command that a runtime should call.
type Hook struct {
	Settings string `json:"settings" doc:"where it is registered: user, project, local, managed or plugin"`
	Event    string `json:"event" doc:"event as ken names it, or statusline"`
	Program  string `json:"program" doc:"program as the settings name it"`
	State    string `json:"state" doc:"good, problem, or unchecked (it was not run)"`
	Answer   string `json:"answer,omitempty" doc:"what it answered to a recorded payload, or what is wrong"`
	Elapsed  int64  `json:"elapsed_ms" doc:"how long it took, in milliseconds"`
	Last     string `json:"last_event,omitempty" doc:"when the runtime itself last called it in this project, RFC 3339, UTC; absent if that is not known to have happened"`
}

// Logged is a kind of failure in hooks, with its number.
type Logged struct {
	What  string `json:"what" doc:"read-only disk, full disk, no permission, too slow, panic, payload or other"`
	Count int    `json:"count" doc:"lines in hooks.log and the log before it"`
	Last  string `json:"last" doc:"time of the last one, RFC 3339, UTC"`
	Line  string `json:"line" doc:"the last one"`
}

type doctorAnswer struct {
	Root     string   `json:"root,omitempty" doc:"the project, if there is one here"`
	Problems int      `json:"problems" doc:"hooks and checks that are problems"`
	Hooks    []Hook   `json:"hooks" doc:"commands of ken that are registered, in the order of a session"`
	Checks   []Check  `json:"checks" doc:"what else was looked at, and what was not"`
	Faults   []Logged `json:"faults" doc:"what hooks noted in their log, by how often"`
}

// Doctor is the operation.
func Doctor() *project.Tool {
	return doctorSpec{
		Name:    "doctor",
		Topic:   operation.SetUp,
		Summary: "try the installed hooks, status line and MCP server, and say what is wrong with them",
		Long: "The commands that the settings of Claude Code name are run on recorded payloads, in a project and a state directory of their own.\n" +
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
