package agentevent

import (
	"context"
	"slices"
	"strings"
	"time"

	"ken/internal/code"
	"ken/internal/delivery/agenttext"
	"ken/internal/delivery/tasks"
	"ken/internal/workflow/agent"
)

// shellTime bounds the comparison of the tree after a command in a session that works on a guarded task. The rest is done when the
// agent stops.
const shellTime = 400 * time.Millisecond

// maxChanged is the number of files changed without permission that are named.
const maxChanged = 5

// onShell compares the tree after a command in a session that works on a guarded task, because a command cannot be judged before it
// runs. It returns the files that changed although the task does not permit it.
func (h *Handler) onShell(ctx context.Context, e *agent.Event) []string {
	id, ok := h.boundTask(e)
	if !ok || e.Tool != agent.Shell || runsOnlyKen(e.Command) {
		return nil
	}
	u, _, err := h.Project.Engine.CatchUp(ctx, shellTime)
	if err != nil {
		h.logError(err)
		return nil
	}
	if u.Full { // the index was rebuilt, so the changes are unknown
		return nil
	}
	files := h.recordUnpermittedChanges(ctx, id, u.Changes)
	if len(files) == 0 {
		return nil
	}
	var names []string
	for _, f := range files {
		names = append(names, agenttext.Code(f))
	}
	return []string{"- changed without leave of the task " + agenttext.Text(id) + ": " + listFirst(names, maxChanged) +
		"; check_write_target says of each what is missing, and submit_for_review waits for it or for the file as it was"}
}

// recordUnpermittedChanges records in a task which changes it does not permit, and returns lines about them.
func (h *Handler) recordUnpermittedChanges(ctx context.Context, id string, changes []code.Change) []string {
	changes = slices.DeleteFunc(slices.Clone(changes), func(c code.Change) bool { return strings.HasPrefix(c.Path, ".ken/") })
	m := h.openMemory()
	if m == nil || len(changes) == 0 {
		return nil
	}
	files, err := tasks.NoteChanges(ctx, h.Project, m, id, changes, h.Now())
	h.logError(err)
	return files
}

// runsOnlyKen reports whether a command line runs only ken, which changes files only as a task permits.
func runsOnlyKen(line string) bool {
	commands, ok := splitCommands(line)
	for i := range commands {
		if words := commands[i].programWords(); len(words) == 0 || words[0] != "ken" {
			return false
		}
	}
	return ok && len(commands) > 0 && !strings.Contains(line, ">")
}
