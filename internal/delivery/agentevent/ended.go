package agentevent

import (
	"context"
	"strconv"
	"strings"

	"ken/internal/workflow/agent"
	"ken/internal/workflow/plan/evidence"
)

// noteCommand records how a command ended, as evidence for a plan, if the project has one.
func (h *Handler) noteCommand(ctx context.Context, e *agent.Event, passed bool) {
	if e.Tool != agent.Shell || e.Interrupted || e.Background {
		return
	}
	exit := 0
	if !passed {
		exit = exitStatus(e.Output)
	}
	dir := e.Dir
	if dir == "" {
		dir = h.Project.Root
	}
	h.logError(evidence.Note(ctx, h.Project.State, dir, e.Command, exit, h.Now()))
}

// exitStatus returns the exit status that the error of a tool has ("Exit code 2"), or 1 if it has none.
func exitStatus(output string) int {
	after, ok := strings.CutPrefix(strings.TrimSpace(output), "Exit code ")
	if fields := strings.Fields(after); ok && len(fields) > 0 {
		if n, err := strconv.Atoi(fields[0]); err == nil && n > 0 {
			return n
		}
	}
	return 1
}
