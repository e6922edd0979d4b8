package agentevent

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"ken/internal/delivery/agenttext"
	"ken/internal/delivery/project"
	"ken/internal/knowledge/session"
	"ken/internal/workflow/agent"
)

// adviseEdit returns advice about a file that is about to be changed. It never stops the
// edit, and returns nothing unless the settings ask for advice.
func (h *Handler) adviseEdit(ctx context.Context, e *agent.Event) (lines []string) {
	g := h.Project.Guards
	g.Workflow = g.Workflow || h.planHooks().WorkflowGuard
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

// planHooks returns what the settings of the planning folder ask of hooks.
func (h *Handler) planHooks() project.PlanHooks {
	if h.Project.PlanHooks == nil {
		return project.PlanHooks{}
	}
	return h.Project.PlanHooks()
}

// maxFirstLine is the number of characters of the first line of a commit's message that lists of commits show.
const maxFirstLine = 72

// conventional matches the first line of a commit's message that names the sort of the change.
var conventional = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:feat|fix|docs|style|refactor|perf|test|build|ci|chore|revert)(?:\([^)]+\))?!?: \S`)
})

// adviseCommit returns advice about the message of a commit that a command has made, if the planning folder asks for it. There is
// none about a message that is not in the command.
func (h *Handler) adviseCommit(e *agent.Event) []string {
	if !strings.Contains(e.Command, "commit") || !h.planHooks().Checks {
		return nil
	}
	commands, ok := splitCommands(e.Command)
	if !ok {
		return nil
	}
	for i := range commands {
		subject, ok := commitSubject(commands[i].words)
		switch {
		case !ok:
		case !conventional().MatchString(subject):
			return []string{"- the message of this commit begins with no type as in \"fix(auth): why\""}
		case utf8.RuneCountInString(subject) > maxFirstLine:
			return []string{fmt.Sprintf("- the first line of this commit's message has %d characters, more than %d", utf8.RuneCountInString(subject), maxFirstLine)}
		}
	}
	return nil
}

// commitSubject returns the first line of the message that a command gives to git commit; ok is false if it gives none.
func commitSubject(words []string) (subject string, ok bool) {
	at := slices.Index(words, "commit")
	if at < 1 || path.Base(words[0]) != "git" {
		return "", false
	}
	for i := at + 1; i < len(words); i++ {
		message, isLong := strings.CutPrefix(words[i], "--message=")
		takesNext := words[i] == "--message" || strings.HasPrefix(words[i], "-") && !strings.HasPrefix(words[i], "--") && strings.HasSuffix(words[i], "m")
		switch {
		case takesNext && i+1 < len(words):
			message = words[i+1]
		case !isLong:
			continue
		}
		subject, _, _ = strings.Cut(strings.TrimSpace(message), "\n")
		return subject, true
	}
	return "", false
}

// advisePlanning returns advice, once a session for each file, if a file of the planning folder was changed by hand: counters and positions
// that are computed from it may be stale.
func (h *Handler) advisePlanning(ctx context.Context, e *agent.Event) (lines []string) {
	for _, p := range h.projectPaths(e) {
		if !strings.HasPrefix(p, ".planning/") || !h.planHooks().Checks || !h.showOnce(ctx, e, "planning "+p) {
			continue
		}
		text := " was changed by hand: if a phase has begun or ended, `ken plan run next` tells what follows, and `ken plan state sync` writes the counters anew"
		lines = append(lines, "- "+agenttext.Code(p)+text)
	}
	return lines
}
