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

// maxChanged is how many of the files that changed without leave are named.
const maxChanged = 5

// onShell compares the tree after a command in a session that works on a guarded task, because a command cannot be judged before it
// runs. It returns the files that changed without leave of the task.
func (h *Handler) onShell(ctx context.Context, e *agent.Event) []string {
	id, ok := h.boundTask(e)
	if !ok || e.Tool != agent.Shell || ownCommands(e.Command) {
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
	files := h.noteChanges(ctx, id, u.Changes)
	if len(files) == 0 {
		return nil
	}
	var names []string
	for _, f := range files {
		names = append(names, agenttext.Code(f))
	}
	return []string{"- changed without leave of the task " + agenttext.Text(id) + ": " + list(names, maxChanged) +
		"; check_write_target says of each what is missing, and submit_for_review waits for it or for the file as it was"}
}

// noteChanges notes in a task which of some changes it gives no leave for.
func (h *Handler) noteChanges(ctx context.Context, id string, changes []code.Change) []string {
	changes = slices.DeleteFunc(slices.Clone(changes), func(c code.Change) bool { return strings.HasPrefix(c.Path, ".ken/") })
	m := h.openMemory()
	if m == nil || len(changes) == 0 {
		return nil
	}
	files, err := tasks.NoteChanges(ctx, h.Project, m, id, changes, h.Now())
	h.logError(err)
	return files
}

// ownCommands reports whether a command line runs ken alone, which changes files only as a task has decided.
func ownCommands(line string) bool {
	commands, ok := split(line)
	for i := range commands {
		if words := commands[i].program(); len(words) == 0 || words[0] != "ken" {
			return false
		}
	}
	return ok && len(commands) > 0 && !strings.Contains(line, ">")
}
