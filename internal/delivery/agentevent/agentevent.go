// Package agentevent is what ken does when something happens in an agent's session: it keeps
// the index true on an edit, remembers what was done, and says what the agent should know,
// which mostly is nothing. It is written in the words of workflow/agent, whatever the
// runtime. Its neighbours are delivery/hook, the surface that reads events and writes
// replies, and delivery/project, whose engine and memory it uses.
package agentevent

import (
	"context"
	"strings"

	"ken/internal/knowledge/session"
	"ken/internal/workflow/agent"
)

// Handle does what an event calls for and returns what to say. It never fails: what goes
// wrong is said to Debug, because an agent must not be stopped by it.
func (h *Handler) Handle(ctx context.Context, e *agent.Event) agent.Reply {
	switch e.Kind {
	case agent.SessionStart:
		return h.started(ctx, e)
	case agent.SubagentStart:
		return h.delegated(ctx, e)
	case agent.Prompt:
		return h.prompted(ctx, e)
	case agent.BeforeTool:
		return h.beforeTool(ctx, e)
	case agent.AfterTool:
		return h.afterTool(ctx, e)
	case agent.ToolFailed:
		h.tested(ctx, e, false)
		return says(h.ran(ctx, e)) // what fails may have changed files before
	case agent.SubagentStop:
		if e.AgentType != "" { // without one it is a copy of the agent itself, which sums up what is forgotten
			h.record(ctx, e, session.Event{Kind: session.Delegated})
		}
	case agent.BeforeCompact:
		h.compacted(ctx, e)
	case agent.Stop:
		return h.stopped(ctx, e)
	case agent.StopAsync:
		h.reconcile(ctx, e)
	case agent.SessionEnd:
		h.record(ctx, e, session.Event{Kind: session.Ended, Source: e.Source})
		h.forgetPrompts(ctx, e)
		h.consolidate(ctx)
	}
	return agent.Reply{}
}

// afterTool handles the use of a tool that succeeded.
func (h *Handler) afterTool(ctx context.Context, e *agent.Event) agent.Reply {
	var lines []string
	h.bind(ctx, e)
	h.saw(ctx, e)
	switch e.Tool {
	case agent.Edit:
		h.hasRead(ctx, e)
		lines = h.edited(ctx, e)
	case agent.Shell:
		h.tested(ctx, e, true)
		lines = h.ran(ctx, e)
	case agent.Read, agent.Fetch:
		h.hasRead(ctx, e)
		lines = h.scanned(ctx, e)
	}
	reply := says(lines)
	if warning := h.context(e); warning != "" {
		reply.Context = strings.TrimPrefix(reply.Context+"\n[INTELLIGENCE] "+warning, "\n")
	}
	return reply
}

// tested remembers a run of tests, if a command was one and its outcome is that of the tests.
func (h *Handler) tested(ctx context.Context, e *agent.Event, passed bool) {
	if e.Tool != agent.Shell || e.Interrupted || e.Background {
		return
	}
	if command, decides := testRun(e.Command); decides {
		t := &session.TestRun{Command: command, Passed: passed, At: h.Now()}
		if h.record(ctx, e, session.Event{Kind: session.Tested, Test: t}) {
			h.byTests(ctx, e, t)
		}
	}
}

// compacted remembers a compaction. The agent has forgotten then what it was shown.
func (h *Handler) compacted(ctx context.Context, e *agent.Event) {
	h.record(ctx, e, session.Event{Kind: session.Compacted, Source: e.Source})
	h.forget(ctx, e)
	h.uncompacted(e)
}

// beforeTool handles a tool that is going to be used.
func (h *Handler) beforeTool(ctx context.Context, e *agent.Event) agent.Reply {
	name := ""
	switch e.Tool {
	case agent.Edit:
		return h.beforeEdit(ctx, e)
	case agent.Grep:
		name = nameIn(e.Pattern)
	case agent.Shell:
		name = searched(e.Command)
	}
	if name == "" {
		return agent.Reply{}
	}
	return h.known(ctx, e, name)
}

// beforeEdit handles a file that is going to be written.
func (h *Handler) beforeEdit(ctx context.Context, e *agent.Event) agent.Reply {
	r := h.judgeWrite(ctx, e)
	if r.Deny != "" {
		return r
	}
	also := says(append(h.planted(e), h.advised(ctx, e)...))
	r.Context = strings.TrimPrefix(strings.TrimSuffix(also.Context+"\n"+r.Context, "\n"), "\n")
	return r
}
