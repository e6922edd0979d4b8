package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
)

// measureCosts measures all events on all trees in one run.
func measureCosts(ctx context.Context, o options, t *table) error {
	var subjects []*measuredTree
	for _, n := range o.trees {
		s, err := newMeasuredTree(ctx, o, n)
		if err != nil {
			return err
		}
		subjects = append(subjects, s)
	}
	for _, part := range []func(context.Context, options, *table, []*measuredTree) error{
		measureEdits, measureSmallEvents, measureGuard, measureSearches, measureStarts, measurePrompts,
	} {
		if err := part(ctx, o, t, subjects); err != nil {
			return err
		}
	}
	if err := measureOutside(ctx, o, t, subjects[0]); err != nil {
		return err
	}
	for _, s := range subjects {
		if f := s.hookFaults(); f != "" {
			t.addCheck("no hook logged a fault", s.label, strings.ReplaceAll(strings.SplitN(f, "\n", 2)[0], "|", "/"), "none", false)
		}
	}
	return nil
}

// measureEdits measures the hook after an edit beside the index of the file alone.
func measureEdits(ctx context.Context, o options, t *table, subjects []*measuredTree) error {
	var things []measuredCommand
	number := 0
	for _, s := range subjects {
		before := func(run int) error {
			number++
			return s.editFile(run, number)
		}
		things = append(things, measuredCommand{name: s.label + " hook", p: s.project, args: []string{"hook", "claude", "post-tool-use"}, before: before,
			payload: func(run int) map[string]any {
				path := filepath.Join(s.dir, s.file(run))
				return s.payload("edits", "PostToolUse", map[string]any{
					"tool_name": "Edit", "tool_use_id": fmt.Sprintf("edit-%d", number),
					"tool_input":    map[string]any{"file_path": path, "old_string": "a", "new_string": fmt.Sprintf("func Added%d()", number/3)},
					"tool_response": map[string]any{"filePath": path, "type": "update"},
				})
			}})
		things = append(things, measuredCommand{name: s.label + " index", p: s.project, before: before,
			argsOf: func(run int) []string { return []string{"index", s.file(run)} }})
	}
	m, err := runInTurns(ctx, 1, o.runs, things)
	if err != nil {
		return err
	}
	const edited = "post-tool-use, an edit of a file of 500 lines"
	first := subjects[0]
	for _, s := range subjects {
		t.addRatio(edited, s.label, "ken index FILE", m[s.label+" hook"], m[s.label+" index"], ratioBound{1.25, 1.6})
	}
	for _, s := range subjects[1:] {
		t.addRatio(edited, s.label, "the same in "+first.label, m[s.label+" hook"], m[first.label+" hook"], ratioBound{p50: 1.2})
	}
	return nil
}
