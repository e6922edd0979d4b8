package agentevent

import (
	"fmt"
	"time"

	"ken/internal/workflow/agent"
)

// Levels of the remaining context, in percent, and how often the agent is warned: at once when the level gets worse, else not again
// before some uses of tools. A reading older than staleReading is ignored, because the status line may not be shown any more.
const (
	lowContext      = 35
	criticalContext = 25
	usesBetween     = 5
	staleReading    = time.Minute
)

// contextWarning returns a warning that little of the context is left. It returns "" if there is enough or no fresh reading, if the
// agent was warned a short time ago, and for a sub-agent.
func (h *Handler) contextWarning(e *agent.Event) string {
	g := h.Project.Gauge
	if g == nil || e.Agent != "" {
		return ""
	}
	r, ok := g.Get(e.Session)
	if !ok || h.Now().Sub(r.At) > staleReading {
		return ""
	}
	level := ""
	switch {
	case r.Remaining <= criticalContext:
		level = "critical"
	case r.Remaining <= lowContext:
		level = "low"
	}
	worse := level != r.Warned && level != "" && (r.Warned == "" || level == "critical")
	r.Since++
	if due := level != "" && (worse || r.Since >= usesBetween); !due {
		if level == "" && r.Warned == "" {
			return "" // nothing to remember
		}
		h.logError(g.Put(e.Session, r))
		return ""
	}
	if h.planHooks().NoContextWarnings {
		return ""
	}
	r.Warned, r.Since = level, 0
	h.logError(g.Put(e.Session, r))
	text := fmt.Sprintf("%.0f %% of the context is left", r.Remaining)
	if level == "critical" {
		return text + ": it will be compacted soon; `ken session note` and `ken session todo` keep what must not be lost"
	}
	return text
}
