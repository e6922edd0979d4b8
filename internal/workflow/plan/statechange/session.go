package statechange

import (
	"context"
	"encoding/json"
	"path"
	"strings"

	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/planop"
)

// SessionRecorded are the fields of the last session that were set.
type SessionRecorded struct {
	Recorded bool     `json:"recorded"`
	Reason   string   `json:"reason,omitempty"`
	Updated  []string `json:"updated,omitempty"`
	Derived
}

// Signaled says where a question waits for an answer.
type Signaled struct {
	Signaled bool   `json:"signaled"`
	Path     string `json:"path"`
}

// Resumed says that work goes on, and whether a question had waited.
type Resumed struct {
	Resumed bool `json:"resumed"`
	Removed bool `json:"removed"`
}

const waiting = "WAITING.json"

func sessionOperations() []*planop.Operation {
	record := changing(planop.Operation{
		Name: "state record-session", Summary: "write down where this session stopped",
		Flags: []planop.Flag{{Name: "stopped-at", Help: "where it stopped"}, {Name: "resume-file", Help: "what to go on from"}},
	}, false, (*job).record)
	record.Plain = func(a any) string { return yes(a.(*SessionRecorded).Recorded) }
	signal := &planop.Operation{
		Name: "state signal-waiting", Summary: "leave a question for a person in WAITING.json", Writes: true, Shared: true, Run: signal,
		Flags: []planop.Flag{
			{Name: "type", Help: "what it is; decision_point if not given"}, {Name: "question", Help: "what is asked"},
			{Name: "options", Help: "the answers it can have, separated by |"}, {Name: "phase", Help: "the phase it is about"},
		},
	}
	signal.Plain = func(any) string { return yes(true) }
	resume := &planop.Operation{Name: "state signal-resume", Summary: "take the question in WAITING.json away", Writes: true, Shared: true, Run: resume}
	resume.Plain = func(a any) string { return yes(a.(Resumed).Removed) }
	return []*planop.Operation{record, signal, resume}
}

func (j *job) record() (*SessionRecorded, error) {
	out := &SessionRecorded{}
	set := func(name, value string, fields ...string) {
		for _, f := range fields {
			if j.sheet.setIn(f, value, "Session Continuity", "Session") || j.sheet.Set(f, value) {
				out.Updated = append(out.Updated, name)
				return
			}
		}
	}
	now := j.Now().UTC().Format("2006-01-02T15:04:05.000Z")
	set("Last session", now, "Last session")
	set("Last Date", now, "Last Date")
	if at := oneLine(j.Flag("stopped-at")); at != "" {
		set("Stopped At", at, "Stopped At")
	}
	file := oneLine(j.Flag("resume-file"))
	if file == "" {
		file = "None" // that of an earlier session is not where this one stopped
	}
	set("Resume File", file, "Resume File")
	if out.Recorded = len(out.Updated) > 0; !out.Recorded {
		out.Reason = "No session fields found in STATE.md"
	}
	return out, nil
}

// signal leaves a question.
func signal(ctx context.Context, c *planop.Call) (any, error) {
	name, err := c.Below(waiting)
	if err != nil {
		return nil, err
	}
	orNil := func(flag string) *string {
		if s := c.Flag(flag); s != "" {
			return &s
		}
		return nil
	}
	question := struct {
		Status   string   `json:"status"`
		Type     string   `json:"type"`
		Question *string  `json:"question"`
		Options  []string `json:"options"`
		Since    string   `json:"since"`
		Phase    *string  `json:"phase"`
	}{"waiting", "decision_point", orNil("question"), []string{}, c.Now().UTC().Format("2006-01-02T15:04:05.000Z"), orNil("phase")}
	if c.Given("type") {
		question.Type = c.Flag("type")
	}
	for o := range strings.SplitSeq(c.Flag("options"), "|") {
		if o = strings.TrimSpace(o); o != "" {
			question.Options = append(question.Options, o)
		}
	}
	b, err := json.MarshalIndent(question, "", "  ")
	if err != nil {
		return nil, err
	}
	_, err = c.Change(ctx, c.Operation.Name, func(change.Read) ([]change.File, error) {
		text := string(b) + "\n"
		return []change.File{{Name: name, Text: &text}}, nil
	})
	return Signaled{true, path.Join(folder.Name, name)}, err
}

// resume takes the question away.
func resume(ctx context.Context, c *planop.Call) (any, error) {
	name, err := c.Below(waiting)
	if err != nil {
		return nil, err
	}
	r, err := c.Change(ctx, c.Operation.Name, func(change.Read) ([]change.File, error) {
		return []change.File{{Name: name}}, nil
	})
	return Resumed{true, len(r.Changed) > 0}, err
}
