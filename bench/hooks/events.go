package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"ken/bench/world"
)

// event is one that is measured beside `ken version`.
type event struct {
	label, kind string
	most        ratioBound
	payload     func(s *measuredTree, run int) map[string]any
}

// smallBound bounds the cost of events that users must not notice.
var smallBound = ratioBound{p50: 1.6}

// toolPayloads returns a function that makes the payloads of a tool use.
func toolPayloads(event, name string, input, response map[string]any) func(s *measuredTree, run int) map[string]any {
	return func(s *measuredTree, run int) map[string]any {
		return s.payload("small", event, map[string]any{
			"tool_name": name, "tool_use_id": fmt.Sprintf("%s-%s-%v-%d", event, name, input["command"], run), "tool_input": input, "tool_response": response,
		})
	}
}

// eventPayloads returns a function that makes the payloads of an event without a tool, each in a session of its own.
func eventPayloads(name string, more map[string]any) func(s *measuredTree, run int) map[string]any {
	return func(s *measuredTree, run int) map[string]any {
		return s.payload(fmt.Sprintf("%s %d", name, run), name, more)
	}
}

// output is the text of a tool's output.
var output = strings.Repeat("	if err := s.check(ctx, entry); err != nil {\n", 200)

// smallEventTable are the events that must not be noticed.
var smallEventTable = []event{
	{"pre-tool-use, an edit", "pre-tool-use", smallBound, toolPayloads("PreToolUse", "Edit", map[string]any{"file_path": "/nowhere/a.go", "old_string": "a", "new_string": output}, nil)},
	{"pre-tool-use, a command", "pre-tool-use", smallBound, toolPayloads("PreToolUse", "Bash", map[string]any{"command": "ls -la internal"}, nil)},
	{"post-tool-use, a file read", "post-tool-use", smallBound, func(s *measuredTree, run int) map[string]any {
		path := filepath.Join(s.dir, s.file(run))
		return toolPayloads("PostToolUse", "Read", map[string]any{"file_path": path}, map[string]any{"type": "text", "file": map[string]any{"content": output}})(s, run)
	}},
	{"post-tool-use, a list of files", "post-tool-use", smallBound, toolPayloads("PostToolUse", "Glob", map[string]any{"pattern": "**/*.go"}, map[string]any{"filenames": []string{"a.go"}})},
	{"post-tool-use, a command", "post-tool-use", smallBound, toolPayloads("PostToolUse", "Bash", map[string]any{"command": "ls -la"}, map[string]any{"stdout": output})},
	{"post-tool-use, a command that ran tests", "post-tool-use", smallBound, toolPayloads("PostToolUse", "Bash", map[string]any{"command": "go test ./..."}, map[string]any{"stdout": output})},
	{"post-tool-use-failure, a command that ran tests", "post-tool-use-failure", smallBound, toolPayloads("PostToolUseFailure", "Bash", map[string]any{"command": "go test ./a"}, nil)},
	{"stop", "stop", smallBound, eventPayloads("Stop", map[string]any{"last_assistant_message": output})},
	{"session-end", "session-end", smallBound, eventPayloads("SessionEnd", map[string]any{"reason": "other"})},
	{"subagent-stop", "subagent-stop", ratioBound{}, eventPayloads("SubagentStop", map[string]any{"agent_id": "a1", "agent_type": "Explore"})},
	{"pre-compact", "pre-compact", ratioBound{}, eventPayloads("PreCompact", map[string]any{"trigger": "auto"})},
}

// measureSmallEvents measures the events that users must not notice, compared with `ken version`.
func measureSmallEvents(ctx context.Context, o options, t *table, subjects []*measuredTree) error {
	s := subjects[len(subjects)-1] // the largest, because none of them may depend on the tree
	things := []measuredCommand{{name: "version", p: s.project, args: []string{"version"}}}
	for _, e := range smallEventTable {
		things = append(things, measuredCommand{name: e.label, p: s.project, args: []string{"hook", "claude", e.kind}, says: mustBeEmpty,
			payload: func(run int) map[string]any { return e.payload(s, run) }})
	}
	m, err := runInTurns(ctx, 2, o.runs, things)
	if err != nil {
		return err
	}
	for _, e := range smallEventTable {
		t.addRatio(e.label, s.label, "ken version", m[e.label], m["version"], e.most)
	}
	return nil
}

// measureSearches measures a search of a known name beside the question itself.
func measureSearches(ctx context.Context, o options, t *table, subjects []*measuredTree) error {
	var things []measuredCommand
	for _, s := range subjects {
		things = append(things,
			measuredCommand{name: s.label + " hook", p: s.project, args: []string{"hook", "claude", "pre-tool-use"}, says: mustContain("[INTELLIGENCE]"),
				payload: func(run int) map[string]any {
					more := map[string]any{"tool_name": "Grep", "tool_use_id": fmt.Sprint("grep ", run), "tool_input": map[string]any{"pattern": s.name(run)}}
					return s.payload(fmt.Sprint("asking ", run), "PreToolUse", more)
				}},
			measuredCommand{name: s.label + " refs", p: s.project, argsOf: func(run int) []string { return []string{"refs", s.name(run)} }})
	}
	m, err := runInTurns(ctx, 3, o.runs, things)
	if err != nil {
		return err
	}
	for _, s := range subjects {
		t.addRatio("pre-tool-use, a search of a known name", s.label, "ken refs NAME", m[s.label+" hook"], m[s.label+" refs"], ratioBound{p50: 1.3})
	}
	return nil
}

// measureStarts measures the start of a session beside `ken status`: with nothing changed, and after a change of so much that the
// look at it cannot end in time.
func measureStarts(ctx context.Context, o options, t *table, subjects []*measuredTree) error {
	var things []measuredCommand
	for _, s := range subjects {
		things = append(things,
			measuredCommand{name: s.label + " start", p: s.project, args: []string{"hook", "claude", "session-start"}, says: mustContain("codebase-intelligence"),
				payload: func(run int) map[string]any {
					return s.payload(fmt.Sprint("starting ", run), "SessionStart", map[string]any{"source": "startup"})
				}},
			measuredCommand{name: s.label + " status", p: s.project, args: []string{"status"}})
	}
	m, err := runInTurns(ctx, 4, o.runs, things)
	if err != nil {
		return err
	}
	for _, s := range subjects {
		t.addRatio("session-start", s.label, "ken status", m[s.label+" start"], m[s.label+" status"], ratioBound{p95: 2})
	}
	return measureLateStarts(ctx, o, t, subjects[len(subjects)-1])
}

// measureLateStarts measures the start of a session in a tree whose changes take longer than a start may, and the end of a turn there.
func measureLateStarts(ctx context.Context, o options, t *table, s *measuredTree) error {
	changed, err := s.changeMany(ctx)
	if err != nil {
		return err
	}
	runs := max(o.runs/6, 1)
	m, err := runInTurns(ctx, 5, runs, []measuredCommand{
		{name: "start", p: s.project, args: []string{"hook", "claude", "session-start"}, says: mustContain("codebase-intelligence"),
			payload: func(run int) map[string]any {
				return s.payload(fmt.Sprint("late ", run), "SessionStart", map[string]any{"source": "startup"})
			}},
		{name: "status", p: s.project, args: []string{"status"}},
	})
	if err != nil {
		return err
	}
	label := fmt.Sprintf("%s, %d changed", s.label, changed)
	t.addRatio("session-start", label, "ken status", m["start"], m["status"], ratioBound{p95: 2})
	last, err := s.runHook(ctx, "session-start", s.payload("late", "SessionStart", map[string]any{"source": "startup"}))
	if err != nil {
		return err
	}
	if !t.short { // in a small tree it ends in time
		t.addCheck("session-start past its time", label, "", "says that the tree is not checked", strings.Contains(string(last.out), "tree not checked"))
	}
	return s.resumeTurns(ctx, t, label)
}

// changeMany changes a tenth of a tree as a command does.
func (s *measuredTree) changeMany(ctx context.Context) (int, error) {
	files, err := s.goFiles(ctx)
	if err != nil {
		return 0, err
	}
	n := 0
	for i, f := range files {
		if i%10 != 0 {
			continue
		}
		if err := s.appendLine(f, fmt.Sprintf("func addedByCommand%d() {}", i)); err != nil {
			return 0, err
		}
		n++
	}
	return n, nil
}

// stopTime is how long the work after a turn may take; half as much again is for starting and for the last step.
const stopTime = 500 * time.Millisecond

// resumeTurns ends turns until the index holds the changes of commands: each must end in time, and go on where the one before
// ended.
func (s *measuredTree) resumeTurns(ctx context.Context, t *table, label string) error {
	var longest time.Duration
	for turn := 1; turn <= 400; turn++ {
		o, err := s.runHook(ctx, "stop-async", s.payload("late", "Stop", map[string]any{"last_assistant_message": fmt.Sprint(turn)}))
		if err != nil {
			return err
		}
		longest = max(longest, o.wall)
		pending, err := s.countPending(ctx)
		if err != nil {
			return err
		}
		if pending == 0 {
			t.addCheck("stop-async", label, fmt.Sprintf("%d turns, longest %s", turn, world.Millis(longest)), "each within 500 ms and half of it",
				longest <= stopTime*3/2 || t.short)
			return nil
		}
	}
	t.addCheck("stop-async", label, "not done after 400 turns, longest "+world.Millis(longest), "goes on where it ended", false)
	return s.runUnmeasured(ctx, "index")
}
