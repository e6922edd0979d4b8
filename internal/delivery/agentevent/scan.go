package agentevent

import (
	"context"
	"path"
	"strings"

	"ken/internal/delivery/agenttext"
	"ken/internal/delivery/injection"
	"ken/internal/workflow/agent"
)

// guarded are the folders whose texts later sessions start with, so that an order to an agent
// in them would be followed again and again.
var guarded = []string{".planning/", ".ken/knowledge/"}

// aboutOrders are files and folders that quote such passages for a living.
var aboutOrders = []string{"REVIEW.md", "CHECKPOINT.md", "SECURITY.md", "security/", "injection/"}

// scanWritten warns of passages worded as orders in a text that is about to be written into one of the guarded folders.
func (h *Handler) scanWritten(e *agent.Event) []string {
	var lines []string
	for _, p := range h.inProject(e) {
		if !isBelow(p, guarded) {
			continue
		}
		if text := injection.Text(injection.Scan(strings.Join(e.Written, "\n")), "What is written to "+agenttext.Code(p)); text != "" {
			lines = append(lines, "- "+text)
		}
	}
	return lines
}

// scanRead warns of such passages in a text that was read, once for a file and session. It does not look at the guarded folders and at
// files that quote such passages.
func (h *Handler) scanRead(ctx context.Context, e *agent.Event) []string {
	where := "What was fetched"
	if len(e.Files) > 0 {
		where = agenttext.Code(path.Base(e.Files[0]))
		if isBelow(e.Files[0], guarded) || isBelow(e.Files[0], aboutOrders) {
			return nil
		}
	}
	text := injection.Text(injection.Scan(e.Output), where)
	if text == "" || !h.showOnce(ctx, e, "orders in "+strings.Join(e.Files, " ")+text) {
		return nil
	}
	return []string{"- " + text}
}

// isBelow reports whether a path is one of some files, or below one of some folders.
func isBelow(p string, list []string) bool {
	p = "/" + strings.ReplaceAll(p, `\`, "/")
	for _, l := range list {
		if strings.HasSuffix(l, "/") && strings.Contains(p, "/"+l) || path.Base(p) == l {
			return true
		}
	}
	return false
}
