// Package agentevent handles the events of an agent's session: it keeps the index current after an edit, remembers the work done, and
// replies with facts that the agent needs, mostly none. It uses the vocabulary of workflow/agent, whatever the runtime. Its neighbours
// are delivery/hook, the surface that reads events and writes replies, and delivery/project, whose engine and memory it uses.
package agentevent

import (
	"context"
	"strings"

	"ken/internal/knowledge/outcome"
	"ken/internal/knowledge/session"
	"ken/internal/workflow/agent"
)

// Handle handles an event and returns the reply. It never fails: errors go to Debug, because they must not stop the agent.
func (h *Handler) Handle(ctx context.Context, e *agent.Event) agent.Reply {
	r := h.handleKind(ctx, e)
	if h.Building && (e.Kind == agent.SessionStart || e.Kind == agent.Prompt) && h.showOnce(ctx, e, "building") {
		r.Context = strings.TrimPrefix(r.Context+"\n"+buildingLine, "\n")
	}
	if h.Foreign && e.Kind == agent.SessionStart && e.Source == "startup" {
		r.Context = strings.TrimPrefix(r.Context+"\n"+foreignLine, "\n")
	}
	return r
}

// foreignLine begins a session whose environment hides the index and the memory, as that of a runtime does that hands few variables on.
const foreignLine = "[INTELLIGENCE] ken's index and memory of this project are not used in this session: they were made with another state directory than " +
	"the one to which KEN_STATE, XDG_STATE_HOME or HOME lead here. Tell the user to start this program with the variables of their shell, or to run `ken index` here"

// buildingLine is shown once in a session if there is no index yet.
const buildingLine = "[INTELLIGENCE] ken is building the index of this clone in the background; `ken summary` and other questions answer as soon as it is built"

func (h *Handler) handleKind(ctx context.Context, e *agent.Event) agent.Reply {
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
		h.noteCommand(ctx, e, false)
		return newReply(h.onShell(ctx, e)) // a failed command may have changed files first
	case agent.SubagentStop:
		if e.AgentType != "" { // a sub-agent without a type is a copy of the agent itself that summarizes its context
			h.recordEvent(ctx, e, session.Event{Kind: session.Delegated})
		}
	case agent.BeforeCompact:
		h.onCompact(ctx, e)
	case agent.Stop:
		return h.onStop(ctx, e)
	case agent.StopAsync:
		h.onStopAsync(ctx, e)
	case agent.SessionEnd:
		h.recordEvent(ctx, e, session.Event{Kind: session.Ended, Source: e.Source})
		h.forgetPrompts(ctx, e)
		h.consolidateMemory(ctx)
		h.keepPages(ctx)
	}
	return agent.Reply{}
}

// onAfterTool handles the use of a tool that succeeded.
func (h *Handler) onAfterTool(ctx context.Context, e *agent.Event) agent.Reply {
	lines := h.onTaskStart(ctx, e)
	h.recordShownLines(ctx, e)
	switch e.Tool {
	case agent.Edit:
		h.recordReadFiles(ctx, e)
		lines = append(h.onEdit(ctx, e), h.advisePlanning(ctx, e)...)
	case agent.Shell:
		h.onTestRun(ctx, e, true)
		h.noteCommand(ctx, e, true)
		lines = append(append(lines, h.onShell(ctx, e)...), h.adviseCommit(e)...)
	case agent.Read, agent.Fetch:
		h.recordReadFiles(ctx, e)
		lines = h.scanRead(ctx, e)
	}
	reply := newReply(lines)
	if warning := h.contextWarning(e); warning != "" {
		reply.Context = strings.TrimPrefix(reply.Context+"\n[INTELLIGENCE] "+warning, "\n")
	}
	return reply
}

// onTestRun records that tests passed or failed, if a command ran tests and its exit status is theirs.
func (h *Handler) onTestRun(ctx context.Context, e *agent.Event, passed bool) {
	if e.Tool != agent.Shell || e.Interrupted || e.Background {
		return
	}
	if command, decides := testCommand(e.Command); decides {
		t := &session.TestRun{Command: command, Passed: passed, At: h.Now()}
		if h.recordEvent(ctx, e, session.Event{Kind: session.Tested, Test: t}) {
			o := outcome.Outcome{Result: outcome.Failure, Source: outcome.FromTests, Reason: "failed", Detail: t.Command}
			if t.Passed {
				o.Result, o.Reason = outcome.Success, "passed"
			}
			h.recordOutcome(ctx, h.sessionRecord(ctx, e.Session), o)
		}
	}
}

// onCompact remembers a compaction and forgets which items the agent was shown, because its context is new.
func (h *Handler) onCompact(ctx context.Context, e *agent.Event) {
	h.recordEvent(ctx, e, session.Event{Kind: session.Compacted, Source: e.Source})
	h.forgetShownItems(ctx, e)
	if g := h.Project.Gauge; g != nil {
		if _, ok := g.Get(e.Session); ok {
			h.logError(g.Put(e.Session, session.Reading{Remaining: 100}))
		}
	}
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
