package agentevent

import (
	"context"
	"path"
	"slices"
	"strings"

	"ken/internal/delivery/agenttext"
	"ken/internal/knowledge/session"
	"ken/internal/workflow/agent"
)

// adviseEdit returns advice about a file that is about to be changed. It never stops the
// edit, and returns nothing unless the settings ask for advice.
func (h *Handler) adviseEdit(ctx context.Context, e *agent.Event) (lines []string) {
	g := h.Project.Guards
	if !g.Read && !g.Workflow {
		return nil
	}
	for _, p := range h.projectPaths(e) {
		if g.Read && h.Project.Exists(p) && h.showOnce(ctx, e, readItemID(p)) {
			lines = append(lines, "- "+agenttext.Code(p)+" was not read in this session before this change")
		}
		if g.Workflow {
			lines = append(lines, h.adviseUnplanned(ctx, e, p)...)
		}
	}
	return lines
}

func readItemID(path string) string { return "read " + path }

// recordReadFiles remembers which files an agent has read or written, while the settings ask for it.
func (h *Handler) recordReadFiles(ctx context.Context, e *agent.Event) {
	if !h.Project.Guards.Read {
		return
	}
	for _, p := range h.projectPaths(e) {
		h.showOnce(ctx, e, readItemID(p))
	}
}

// unplannedFiles are files and folders whose changes belong to no plan.
var unplannedFiles = []string{
	".planning/", ".ken/", ".claude/", ".github/", ".gitignore", ".dockerignore", ".env", ".envrc", ".editorconfig", "CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "GEMINI.md",
}

// adviseUnplanned returns advice, once in a session, if a file is changed in a planned project while no plan is being executed.
// Sub-agents get none: they work on the task they were started for.
func (h *Handler) adviseUnplanned(ctx context.Context, e *agent.Event, p string) []string {
	settings := isBelow(p, unplannedFiles) || strings.HasPrefix(path.Base(p), ".env.")
	if e.Agent != "" || settings || slices.Contains([]string{".json", ".toml", ".yml", ".yaml"}, path.Ext(p)) {
		return nil
	}
	plan := h.planPosition()
	if plan == (session.Plan{}) || plan.IsExecuting() || !h.showOnce(ctx, e, "unplanned") {
		return nil
	}
	status := plan.Status
	if status == "" {
		status = "nothing"
	}
	return []string{"- " + agenttext.Code(p) + " is changed while no plan is being carried out: the status in " + session.PlanFile + " is " +
		agenttext.Quote(agenttext.Clip(h.Project.Engine.Hide(status), maxNote))}
}
