package agentevent

import (
	"context"

	"ken/internal/workflow/agent"
)

// prompted handles what a user wrote.
func (h *Handler) prompted(ctx context.Context, e *agent.Event) agent.Reply {
	_ = ctx
	_ = e
	return agent.Reply{}
}
