package statechange

import (
	"context"
	"encoding/json"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/planop"
)

// SessionRecorded has the fields about the last session that were set.
type SessionRecorded struct {
	Recorded bool     `json:"recorded"`
	Reason   string   `json:"reason,omitempty"`
	Updated  []string `json:"updated,omitempty"`
	DerivedKeys
}

// SignaledQuestion is the file with a question that waits for a person's answer.
type SignaledQuestion struct {
	Signaled bool   `json:"signaled"`
	Path     string `json:"path"`
}

// ResumeAnswer reports that work continues, and whether a question was waiting.
type ResumeAnswer struct {
	Resumed bool `json:"resumed"`
	Removed bool `json:"removed"`
}

const waiting = "WAITING.json"

type stateRecordSessionInput struct {
	StoppedAt  string `flag:"stopped-at" help:"where it stopped"`
	ResumeFile string `flag:"resume-file" help:"what to go on from"`
}

type stateSignalWaitingInput struct {
	Type     *string `flag:"type" help:"what it is; decision_point if not given"`
	Question string  `flag:"question" help:"what is asked"`
	Options  string  `flag:"options" help:"the answers it can have, separated by |"`
	Phase    string  `flag:"phase" help:"the phase it is about"`
}

func sessionOperations() []*planop.Operation {
	record := changeOperation(planop.Spec[stateRecordSessionInput, *SessionRecorded]{
		Name: "state record-session", Summary: "write down where this session stopped",
		Plain: func(a *SessionRecorded) string { return trueOrFalse(a.Recorded) },
	}, false, (*stateJob).recordSession)
	signal := planop.Spec[stateSignalWaitingInput, SignaledQuestion]{
		Name: "state signal-waiting", Summary: "leave a question for a person in WAITING.json",
		Plain: func(SignaledQuestion) string { return trueOrFalse(true) }, Writes: true, Shared: true, Run: signalWaiting,
	}.Operation()
	resume := planop.Spec[planop.NoInput, ResumeAnswer]{
		Name: "state signal-resume", Summary: "take the question in WAITING.json away",
		Plain: func(a ResumeAnswer) string { return trueOrFalse(a.Removed) }, Writes: true, Shared: true, Run: resumeWork,
	}.Operation()
	return []*planop.Operation{record, signal, resume}
}

func (j *stateJob) recordSession(in *stateRecordSessionInput) (*SessionRecorded, error) {
	out := &SessionRecorded{Updated: j.sheet.SetSession(j.Now(), oneLine(in.StoppedAt), oneLine(in.ResumeFile))}
	if out.Recorded = len(out.Updated) > 0; !out.Recorded {
		out.Reason = "No session fields found in STATE.md"
	}
	return out, nil
}

// signalWaiting writes the file of a question that waits for a person's answer.
func signalWaiting(ctx context.Context, c *planop.Call, in *stateSignalWaitingInput) (SignaledQuestion, error) {
	name, err := c.PathBelowPlanning(waiting)
	if err != nil {
		return SignaledQuestion{}, err
	}
	orNil := func(s string) *string {
		if s != "" {
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
	}{"waiting", "decision_point", orNil(in.Question), []string{}, c.Now().UTC().Format("2006-01-02T15:04:05.000Z"), orNil(in.Phase)}
	if in.Type != nil {
		question.Type = *in.Type
	}
	for o := range strings.SplitSeq(in.Options, "|") {
		if o = strings.TrimSpace(o); o != "" {
			question.Options = append(question.Options, o)
		}
	}
	b, err := json.MarshalIndent(question, "", "  ")
	if err != nil {
		return SignaledQuestion{}, err
	}
	_, err = c.Change(ctx, c.Name, func(change.Read) ([]change.File, error) {
		text := string(b) + "\n"
		return []change.File{{Name: name, Text: &text}}, nil
	})
	if err != nil {
		return SignaledQuestion{}, err
	}
	at := path.Join(folder.Name, name)
	if c.Original { // gsd-tools names it from the root of the disk
		project, err := c.Project()
		if err != nil {
			return SignaledQuestion{}, err
		}
		at = filepath.Join(project, filepath.FromSlash(at))
	}
	return SignaledQuestion{true, at}, nil
}

// resumeWork removes the file of the question.
func resumeWork(ctx context.Context, c *planop.Call, _ *planop.NoInput) (ResumeAnswer, error) {
	name, err := c.PathBelowPlanning(waiting)
	if err != nil {
		return ResumeAnswer{}, err
	}
	r, err := c.Change(ctx, c.Name, func(change.Read) ([]change.File, error) {
		return []change.File{{Name: name}}, nil
	})
	removed := slices.ContainsFunc(r.Changed, func(f change.Changed) bool { return f.Name == name }) // counters may have changed, too
	return ResumeAnswer{true, removed}, err
}
