package agentevent

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"ken/internal/delivery/agenttext"
	"ken/internal/delivery/injection"
	"ken/internal/delivery/project"
	"ken/internal/knowledge/session"
	"ken/internal/workflow/agent"
)

// Bounds of what is read of a prompt and shown of the memory.
const (
	maxShown  = 5        // lines
	maxLooked = 20       // notes that are ranked
	maxPrompt = 64 << 10 // how much of a prompt is read, in bytes
	maxNote   = 200      // how much of a note is shown, in bytes
)

// Handler handles the events of one project.
type Handler struct {
	Project *project.Project
	Runtime string           // that reports the events
	Began   time.Time        // when the payload was there
	Now     func() time.Time // the clock
	// Debug receives errors, which the agent is not shown.
	Debug func(error)
	// Building is set if the index is being built in the background, because the project was just cloned.
	Building bool
	// Foreign is set if the index was made with another state directory, so that it is not used.
	Foreign bool

	claim    string
	memory   *project.Memory
	unusable error // the first error of the memory, nil if there was none
}

// openMemory returns the memory of the project, and makes it if there is none. It returns nil if it cannot be opened.
func (h *Handler) openMemory() *project.Memory {
	if h.memory != nil {
		return h.memory
	}
	m, err := h.Project.Memory(true)
	if err != nil {
		h.Debug(err)
		h.unusable = err
		return nil
	}
	h.memory = m
	return m
}

// repeatWindow is the time within which an equal event without an id of its own counts as a repetition.
const repeatWindow = 2 * time.Second

// recordEvent stores an event. mine reports whether this process stored it: if ken is
// installed twice, two processes get the same event, and only one may reply.
func (h *Handler) recordEvent(ctx context.Context, e *agent.Event, what session.Event) (mine bool) {
	m := h.openMemory()
	if m == nil {
		return true
	}
	what.Session, what.Agent, what.Runtime, what.At = sessionID(e.Session), sessionID(e.Agent), h.Runtime, h.Now()
	what.Tokens = e.Tokens
	switch what.Kind {
	case session.Started, session.Stopped, session.Ended:
		what.Phase = h.planPosition().Phase
	}
	what.Key, what.Within = eventKey(e)
	what.Claim = h.newClaim()
	mine, err := m.Record(ctx, what)
	if err != nil {
		h.Debug(err)
		h.unusable = err
		return true
	}
	return mine
}

// maxPhase is how much of a phase's name is kept, in bytes.
const maxPhase = 140

// planPosition returns the position in the project's plan. The file may come with a repository and is shown to later sessions, so fields
// worded as orders are left out.
func (h *Handler) planPosition() session.Plan {
	p := session.ReadPlan(h.Project.Root)
	number, _, _ := strings.Cut(p.Phase, ":")
	if len(injection.Scan(p.Phase)) > 0 {
		p.Phase = number
	}
	if len(injection.Scan(p.Status)) > 0 {
		p.Status = ""
	}
	p.Phase = agenttext.Clip(p.Phase, maxPhase)
	return p
}

// eventKey returns a key that identifies an event: the use of a tool, else the prompt with the payload, else the payload alone. An
// event with the last kind of key that comes again after the returned time is a new one.
func eventKey(e *agent.Event) (key string, within time.Duration) {
	parts := []string{e.Session, e.Agent, string(e.Kind)}
	switch {
	case e.ToolUse != "":
		parts = append(parts, "tool", e.ToolUse)
	case e.Prompt != "":
		parts = append(parts, "prompt", e.Prompt, string(e.Hash[:]))
	default:
		parts, within = append(parts, "hash", string(e.Hash[:])), repeatWindow
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16]), within
}

// newClaim returns a name for this process, under which it claims an event.
func (h *Handler) newClaim() string {
	if h.claim == "" {
		b := make([]byte, 8)
		rand.Read(b)
		h.claim = hex.EncodeToString(b)
	}
	return h.claim
}

// maxID is the longest id that is kept as it is.
const maxID = 200

// sessionID returns the form in which the memory keeps a session id of the runtime.
func sessionID(s string) string {
	if len(s) <= maxID {
		return s
	}
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// showOnce reports whether an item was not shown in the session before.
func (h *Handler) showOnce(ctx context.Context, e *agent.Event, item string) bool {
	m := h.openMemory()
	if m == nil {
		return false
	}
	fresh, err := m.Show(ctx, sessionID(e.Session), sessionID(e.Agent), []string{item})
	if err != nil && ctx.Err() == nil { // an expired deadline is no error
		h.Debug(err)
	}
	return len(fresh) > 0
}

// warnOnce is showOnce for a warning, which is rather given again than never: a memory that cannot be used does not silence it.
func (h *Handler) warnOnce(ctx context.Context, e *agent.Event, item string) bool {
	m := h.openMemory()
	if m == nil {
		return true
	}
	fresh, err := m.Show(ctx, sessionID(e.Session), sessionID(e.Agent), []string{item})
	h.logError(err)
	return err != nil || len(fresh) > 0
}

// forgetShownItems forgets which items a session was shown, so that all are shown again.
func (h *Handler) forgetShownItems(ctx context.Context, e *agent.Event) {
	if m := h.openMemory(); m != nil {
		if err := m.Forget(ctx, sessionID(e.Session)); err != nil {
			h.Debug(err)
		}
	}
}

// projectPaths returns those of the paths that are in the project, relative to its root.
func (h *Handler) projectPaths(e *agent.Event) (out []string) {
	for _, f := range e.Files {
		if !filepath.IsAbs(f) {
			f = filepath.Join(e.Dir, f)
		}
		rel, err := h.Project.Rel(f)
		if err == nil && rel != "." {
			out = append(out, rel)
		}
	}
	return out
}

// newReply returns a reply with one line for each entry.
func newReply(lines []string) agent.Reply {
	if len(lines) == 0 {
		return agent.Reply{}
	}
	return agent.Reply{Context: "[INTELLIGENCE] " + agenttext.Notice + "\n" + strings.Join(lines, "\n")}
}

// listFirst joins the first places of a list and counts the rest.
func listFirst(places []string, most int) string {
	if len(places) <= most {
		return strings.Join(places, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(places[:most], ", "), len(places)-most)
}

// logError reports an error, unless the work was cancelled.
func (h *Handler) logError(err error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		h.Debug(err)
	}
}
