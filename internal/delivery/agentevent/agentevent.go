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
		return h.onSessionStart(ctx, e)
	case agent.SubagentStart:
		return h.onSubagentStart(ctx, e)
	case agent.Prompt:
		return h.onPrompt(ctx, e)
	case agent.BeforeTool:
		return h.onBeforeTool(ctx, e)
	case agent.AfterTool:
		return h.onAfterTool(ctx, e)
	case agent.ToolFailed:
		h.onTestRun(ctx, e, false)
		return newReply(h.onShell(ctx, e)) // what fails may have changed files before
	case agent.SubagentStop:
		if e.AgentType != "" { // without one it is a copy of the agent itself, which sums up what is forgotten
			h.record(ctx, e, session.Event{Kind: session.Delegated})
		}
	case agent.BeforeCompact:
		h.onCompact(ctx, e)
	case agent.Stop:
		return h.onStop(ctx, e)
	case agent.StopAsync:
		h.onStopAsync(ctx, e)
	case agent.SessionEnd:
		h.record(ctx, e, session.Event{Kind: session.Ended, Source: e.Source})
		h.forgetPrompts(ctx, e)
		h.consolidate(ctx)
	}
	return agent.Reply{}
}

// onAfterTool handles the use of a tool that succeeded.
func (h *Handler) onAfterTool(ctx context.Context, e *agent.Event) agent.Reply {
	var lines []string
	h.onTaskStart(ctx, e)
	h.noteLooks(ctx, e)
	switch e.Tool {
	case agent.Edit:
		h.noteReads(ctx, e)
		lines = h.onEdit(ctx, e)
	case agent.Shell:
		h.onTestRun(ctx, e, true)
		lines = h.onShell(ctx, e)
	case agent.Read, agent.Fetch:
		h.noteReads(ctx, e)
		lines = h.scanRead(ctx, e)
	}
	reply := newReply(lines)
	if warning := h.contextWarning(e); warning != "" {
		reply.Context = strings.TrimPrefix(reply.Context+"\n[INTELLIGENCE] "+warning, "\n")
	}
	return reply
}

// onTestRun remembers a run of tests, if a command was one and its outcome is that of the tests.
func (h *Handler) onTestRun(ctx context.Context, e *agent.Event, passed bool) {
	if e.Tool != agent.Shell || e.Interrupted || e.Background {
		return
	}
	if command, decides := testRun(e.Command); decides {
		t := &session.TestRun{Command: command, Passed: passed, At: h.Now()}
		if h.record(ctx, e, session.Event{Kind: session.Tested, Test: t}) {
			h.recordTestOutcome(ctx, e, t)
		}
	}
}

// onCompact remembers a compaction. The agent has forgotten then what it was shown.
func (h *Handler) onCompact(ctx context.Context, e *agent.Event) {
	h.record(ctx, e, session.Event{Kind: session.Compacted, Source: e.Source})
	h.forget(ctx, e)
	h.resetContextWarning(e)
}

// onBeforeTool handles a tool that is going to be used.
func (h *Handler) onBeforeTool(ctx context.Context, e *agent.Event) agent.Reply {
	name := ""
	switch e.Tool {
	case agent.Edit:
		return h.onBeforeEdit(ctx, e)
	case agent.Grep:
		name = patternName(e.Pattern)
	case agent.Shell:
		name = searchedName(e.Command)
	}
	if name == "" {
		return agent.Reply{}
	}
	return h.onSearch(ctx, e, name)
}

// onBeforeEdit handles a file that is going to be written.
func (h *Handler) onBeforeEdit(ctx context.Context, e *agent.Event) agent.Reply {
	r := h.judgeWrite(ctx, e)
	if r.Deny != "" {
		return r
	}
	also := newReply(append(h.scanWritten(e), h.adviseEdit(ctx, e)...))
	r.Context = strings.TrimPrefix(strings.TrimSuffix(also.Context+"\n"+r.Context, "\n"), "\n")
	return r
}
