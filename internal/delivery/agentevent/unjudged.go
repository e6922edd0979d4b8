package agentevent

import (
	"strings"

	"ken/internal/delivery/agenttext"
	"ken/internal/delivery/tasks"
	"ken/internal/guard"
	"ken/internal/knowledge/task"
	"ken/internal/workflow/agent"
)

// unjudged is a write in a session that works on a guarded task, which cannot be judged because something of the project cannot be read.
type unjudged struct {
	open   task.OpenTask // the copy of the task in the user's state directory; without one it has an ID alone
	file   string        // as texts show it
	abs    string
	why    string // what cannot be read
	advise bool   // the user's settings have writes advised of, not stopped
}

// reply denies the write if the copy of the task says that it is strict, because else a guard could be switched off by breaking what it
// reads. Agent and user are told in every case.
func (u *unjudged) reply() agent.Reply {
	text := "ken could not judge the write of " + agenttext.Code(u.file) + " for the task " + agenttext.Text(u.open.ID) + ", because " + u.why
	strict := u.open.Level == string(guard.Full) || u.open.Level != "" && tasks.Uncovered(u.open.Project, u.ownTree(), u.abs) != ""
	if !strict || u.advise {
		text += ", so nothing stops it"
		return agent.Reply{Context: "[INTELLIGENCE] " + text, Notice: text + "; `ken doctor` and `ken task get_session_status` say more"}
	}
	text += ", so it is denied"
	return agent.Reply{Deny: "[INTELLIGENCE] " + text + "; ask the user to mend that", Notice: text + "; `ken doctor` says more. Another session is not stopped"}
}

// ownTree returns the root of the task's work tree, "" if it has none.
func (u *unjudged) ownTree() string {
	if u.open.Root == u.open.Project {
		return ""
	}
	return u.open.Root
}

// Unopened handles the events of a project that cannot be opened, because its settings are broken or its folder .ken is gone.
type Unopened struct {
	Open   *task.OpenTask // the task of the session, nil if it works on none
	Why    string         // it cannot be opened; "" if there is no project any more
	Advise bool           // the user's settings have writes advised of, not stopped
}

// Handle handles an event and returns the reply. It judges no write and knows nothing of the project, so it replies to few events.
func (u *Unopened) Handle(e *agent.Event) agent.Reply {
	switch {
	case e.Kind == agent.BeforeTool && e.Tool == agent.Edit && u.Open != nil:
		why := u.Why
		if why == "" {
			why = "the project is not set up any more"
		}
		files := absoluteFiles(e)
		if len(files) == 0 {
			return agent.Reply{}
		}
		x := unjudged{*u.Open, agenttext.Clip(files[0], maxNote), files[0], why, u.Advise}
		return x.reply()
	case u.Why == "":
		return agent.Reply{}
	case e.Kind == agent.AfterTool && (e.Tool == agent.Read || e.Tool == agent.Fetch):
		if text := ordersText(e); text != "" {
			return newReply([]string{"- " + text})
		}
	case e.Kind == agent.SessionStart:
		text := "ken says nothing of this project in this session, because " + u.Why
		return agent.Reply{Context: "[INTELLIGENCE] " + text, Notice: text + "; `ken doctor` says more"}
	}
	return agent.Reply{}
}

// withoutMemory adds to the reply to the start of a session that nothing can be remembered, so that the agent does not rely on it.
func (h *Handler) withoutMemory(r agent.Reply) agent.Reply {
	if h.unusable == nil {
		return r
	}
	text := "ken can remember nothing of this project, because its memory cannot be used: tasks are not judged, and a warning may come again"
	r.Context = strings.TrimPrefix(r.Context+"\n[INTELLIGENCE] "+text, "\n")
	r.Notice = text + "; `ken doctor` says more"
	return r
}
