package agentevent

import (
	"context"
	"path"
	"strings"

	"ken/internal/delivery/agenttext"
	"ken/internal/delivery/injection"
	"ken/internal/workflow/agent"
)

// guardedFolders are the folders whose texts later sessions start with, so that an order to an agent
// in them would be followed again and again.
var guardedFolders = []string{".planning/", ".ken/knowledge/"}

// orderQuotingFiles are files and folders that quote orders to agents as their subject, such as tests of this check.
var orderQuotingFiles = []string{"REVIEW.md", "CHECKPOINT.md", "SECURITY.md", "security/", "injection/"}

// scanWritten warns of passages worded as orders in a text that is about to be written into one of the guarded folders.
func (h *Handler) scanWritten(e *agent.Event) []string {
	var lines []string
	for _, p := range h.projectPaths(e) {
		if !isBelow(p, guardedFolders) {
			continue
		}
		if text := injection.HitsText(injection.Scan(strings.Join(e.Written, "\n")), "What is written to "+agenttext.Code(p)); text != "" {
			lines = append(lines, "- "+text)
		}
	}
	return lines
}

// scanRead warns of passages worded as orders in a text that was read, once for each file and session. It skips the guarded folders
// and the files that quote such passages.
func (h *Handler) scanRead(ctx context.Context, e *agent.Event) []string {
	text := ordersText(e)
	if text == "" || !h.warnOnce(ctx, e, "orders in "+strings.Join(e.Files, " ")+text) {
		return nil
	}
	return []string{"- " + text}
}

// ordersText returns a warning of passages worded as orders in a text that was read, "" if there is none.
func ordersText(e *agent.Event) string {
	where := "What was fetched"
	if len(e.Files) > 0 {
		where = agenttext.Code(path.Base(e.Files[0]))
		if isBelow(e.Files[0], guardedFolders) || isBelow(e.Files[0], orderQuotingFiles) {
			return ""
		}
	}
	return injection.HitsText(injection.Scan(e.Output), where)
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
