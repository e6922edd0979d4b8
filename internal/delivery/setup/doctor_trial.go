package setup

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"ken/internal/config"
	"ken/internal/operation"
	"ken/internal/workflow/agent"
	"ken/internal/workflow/agent/claude/recorded"
	"ken/internal/workflow/process"
)

// trial is a command that is to be run.
type trial struct {
	path string // of the program
	hook int    // which of the answer's hooks
}

// statusEvent is the kind of the status line, which is no event.
const statusEvent = recorded.StatusLine

// Limits of a trial.
const (
	trialTime   = 20 * time.Second
	trialOutput = 1 << 20
)

// answeringEvents are the events whose trial payload asks for something in the trial
// project, so that an empty answer is a fault.
var answeringEvents = []string{string(agent.SessionStart), string(agent.BeforeTool), string(agent.SubagentStart), statusEvent}

// tryProgram runs the commands of one program from one source of settings.
func (x *examination) tryProgram(ctx context.Context, path string, list []trial) error {
	dir, err := os.MkdirTemp("", "ken-doctor-")
	if err != nil {
		return fmt.Errorf("make a project for trials: %w", err)
	}
	defer os.RemoveAll(dir)
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return fmt.Errorf("make a project for trials: %w", err)
	}
	s := &trialProject{program: path, root: filepath.Join(dir, "project"), state: filepath.Join(dir, "state")}
	if err := recorded.MakeProject(s.root); err != nil {
		return fmt.Errorf("make a project for trials: %w", err)
	}
	s.env = s.environment(dir)
	r, err := s.run(ctx, nil, "init")
	if err != nil || r.Code != 0 {
		return fmt.Errorf("\"ken init\" in a project for trials: %w", programError(&r, err))
	}
	for _, t := range list {
		s.tryHook(ctx, &x.answer.Hooks[t.hook])
	}
	x.answer.Checks = append(x.answer.Checks, s.tryServer(ctx))
	return nil
}

// trialProject is a temporary project in which a program is tried.
type trialProject struct {
	program, root, state string
	env                  []string
	logged               int // bytes of the log that were read
}

// environment returns the user's environment, changed so that everything that ken stores is below dir.
func (s *trialProject) environment(dir string) []string {
	out := slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "KEN_") || strings.HasPrefix(v, "CLAUDE") || strings.HasPrefix(v, "XDG_")
	})
	return append(out, "KEN_STATE="+s.state, "KEN_CACHE=off", "KEN_STATUSLINE_ALONE=1",
		"XDG_CONFIG_HOME="+filepath.Join(dir, "config"), "XDG_CACHE_HOME="+filepath.Join(dir, "cache"))
}

func (s *trialProject) run(ctx context.Context, in []byte, args ...string) (process.Result, error) {
	c := process.Command{Path: s.program, Args: args, Dir: s.root, Env: s.env, Stdin: in, Time: trialTime, Most: trialOutput}
	return c.Run(ctx)
}

// programError returns the error of a program that failed.
func programError(r *process.Result, err error) error {
	said := operation.Clip(strings.TrimSpace(string(r.Stderr)))
	switch {
	case err != nil:
		return err
	case r.Late:
		return fmt.Errorf("it did not end within %v", trialTime)
	case r.Cut:
		return fmt.Errorf("it wrote more than %s", operation.Size(trialOutput))
	case r.Code != 0:
		return fmt.Errorf("it ended with status %d: %s", r.Code, said)
	case said != "":
		return fmt.Errorf("it wrote to standard error: %s", said)
	}
	return nil
}

// tryHook runs one command with a payload for its event.
func (s *trialProject) tryHook(ctx context.Context, h *Hook) {
	payload, err := recorded.Payload(h.Event, s.root)
	if err != nil {
		h.State, h.Answer = unchecked, err.Error()
		return
	}
	args := []string{"hook", "claude", h.Event}
	if h.Event == statusEvent {
		args = args[:0:0]
		args = append(args, "statusline")
	}
	r, err := s.run(ctx, payload, args...)
	h.Elapsed = r.Took.Milliseconds()
	if err = programError(&r, err); err == nil {
		h.Answer, err = describeAnswer(h.Event, r.Stdout)
	}
	if line := s.newLog(); err == nil && line != "" {
		err = fmt.Errorf("it noted in its log: %s", line)
	}
	h.State = good
	if err != nil {
		h.State, h.Answer = problem, err.Error()
	}
}

// describeAnswer describes an answer. It fails if a runtime could not read it.
func describeAnswer(event string, out []byte) (string, error) {
	text := strings.TrimSpace(string(out))
	switch {
	case text == "" && slices.Contains(answeringEvents, event):
		return "", fmt.Errorf("it answered nothing, and there was something to answer")
	case text == "":
		return "answers nothing, as it should", nil
	case event == statusEvent:
		return "answers " + operation.Clip(text), nil
	}
	var reply struct {
		Specific struct {
			Event   string `json:"hookEventName"`
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal(out, &reply); err != nil {
		return "", fmt.Errorf("it answered what is no JSON: %s", operation.Clip(text))
	}
	if reply.Specific.Event == "" || reply.Specific.Context == "" {
		return "", fmt.Errorf("it answered what Claude Code does not read: %s", operation.Clip(text))
	}
	return fmt.Sprintf("answers %s for the agent", operation.Plural(utf8.RuneCountInString(reply.Specific.Context), "character")), nil
}

// newLog returns the first line that the commands have added to the log.
func (s *trialProject) newLog() string {
	raw, err := os.ReadFile(config.HookLog(func(name string) string { return map[string]string{"KEN_STATE": s.state}[name] }))
	if err != nil || len(raw) <= s.logged {
		return ""
	}
	line, _, _ := strings.Cut(string(raw[s.logged:]), "\n")
	s.logged = len(raw)
	return operation.Clip(line)
}
