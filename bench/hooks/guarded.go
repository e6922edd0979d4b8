package main

import (
	"context"
	"fmt"
	"path/filepath"
)

// guardBound bounds the decision on a write in a session that works on a guarded task.
var guardBound = ratioBound{p50: 2.2}

// measureGuard measures the decision on a write beside `ken version`: in a session that works on a guarded task, and in one that does
// not, in the same tree.
func measureGuard(ctx context.Context, o options, t *table, subjects []*measuredTree) error {
	const bound, free = "guarded", "not guarded"
	var things []measuredCommand
	for _, s := range subjects {
		out, err := s.runKen(ctx, s.dir, nil, "task", "start_session", "a change of many files", "--intent", "MODIFY")
		if err != nil {
			return err
		}
		began := s.payload(bound, "PostToolUse", map[string]any{
			"tool_name": "mcp__ken__start_session", "tool_use_id": "start " + s.label, "tool_input": map[string]any{},
			"tool_response": []map[string]any{{"type": "text", "text": string(out.out)}},
		})
		if _, err := s.runHook(ctx, "post-tool-use", began); err != nil {
			return err
		}
		things = append(things, measuredCommand{name: s.label + " version", p: s.project, args: []string{"version"}})
		for _, session := range []string{bound, free} {
			things = append(things, measuredCommand{name: s.label + session, p: s.project, args: []string{"hook", "claude", "pre-tool-use"},
				payload: func(run int) map[string]any {
					return s.payload(session, "PreToolUse", map[string]any{
						"tool_name": "Edit", "tool_use_id": fmt.Sprint("write ", session, run),
						"tool_input": map[string]any{"file_path": filepath.Join(s.dir, s.file(run)), "old_string": "a", "new_string": "b"},
					})
				}})
		}
	}
	m, err := runInTurns(ctx, 7, o.runs, things)
	if err != nil {
		return err
	}
	for _, s := range subjects {
		t.addRatio("pre-tool-use, a write in a guarded task", s.label, "ken version", m[s.label+bound], m[s.label+" version"], guardBound)
		t.addRatio("pre-tool-use, a write beside one", s.label, "ken version", m[s.label+free], m[s.label+" version"], smallBound)
	}
	return nil
}
