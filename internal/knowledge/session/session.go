// Package session has what ken remembers of agents' sessions: their times, the files they changed, the tests they ran, and
// what was decided, noted and left to do. A session is that of the host; the facts come from the events that its runtime
// reports, from git and from texts that agents and people write, never from guesses.
//
// Events are values that a Store applies, each once; decisions.go keeps decisions as text that people can read and commit.
// Its neighbours are store/sqlite/memory, the store, and delivery/agentevent, which makes events of the reports of a
// runtime.
package session

import (
	"context"
	"time"
)

// Kind is the kind of an event.
type Kind string

// The kinds of events.
const (
	Started   Kind = "start"
	Prompted  Kind = "prompt"
	Edited    Kind = "edit"  // the agent wrote files
	Found     Kind = "found" // a look at the tree found files changed
	Tested    Kind = "test"
	Delegated Kind = "subagent"
	Compacted Kind = "compact"
	Stopped   Kind = "stop"
	Ended     Kind = "end"
	Noted     Kind = "note"
	Decided   Kind = "decision"
	Planned   Kind = "todo"
	Done      Kind = "done" // a todo is done
)

// Change is the kind of a change to a file.
type Change string

// The changes of a file.
const (
	Created  Change = "created"
	Modified Change = "modified"
	Deleted  Change = "deleted"
)

// FileChange is a change of one file, by its path in the project.
type FileChange struct {
	Path   string `json:"path"`
	Change Change `json:"change"`
}

// Event is one thing that happened in a session, such as an edit or a run of tests. All texts in it are masked.
type Event struct {
	// Key identifies an event: a second one with the same key is a repeated report. Events with "" are never repeated.
	Key string `json:"key,omitempty"`
	// Within is how long the key is remembered; 0 is for ever.
	Within  time.Duration `json:"within,omitempty"`
	Claim   string        `json:"claim,omitempty"` // the reporter; the first to claim a key has the event
	Session string        `json:"session"`
	Agent   string        `json:"agent,omitempty"`
	Runtime string        `json:"runtime,omitempty"`
	Kind    Kind          `json:"kind"`
	At      time.Time     `json:"at"`
	Source  string        `json:"source,omitempty"` // why it started, was compacted or ended
	Phase   string        `json:"phase,omitempty"`
	Commit  string        `json:"commit,omitempty"` // HEAD, at the start
	Files   []FileChange  `json:"files,omitempty"`
	Test    *TestRun      `json:"test,omitempty"`
	Note    *Note         `json:"note,omitempty"`
	Tokens  int64         `json:"tokens,omitempty"` // used by the session so far, if the host reports it
	// Achieved is what the agent's last message of a turn describes as done; see Achievement. Sure is set if it has a word for that: then
	// it replaces the sentence of an earlier turn.
	Achieved string `json:"achieved,omitempty"`
	Sure     bool   `json:"sure,omitempty"`
}

// TestRun is one run of tests.
type TestRun struct {
	Command string    `json:"command"`
	Passed  bool      `json:"passed"`
	At      time.Time `json:"at"`
}

// Note is a text that was written down: a note, a decision, or a thing to do.
type Note struct {
	ID        int64     `json:"id"`
	Kind      Kind      `json:"kind"` // Noted, Decided or Planned
	Session   string    `json:"session,omitempty"`
	At        time.Time `json:"at"`
	Topic     string    `json:"topic,omitempty"`
	Text      string    `json:"text"`
	Rationale string    `json:"rationale,omitempty"`
	Pins      []Pin     `json:"pins,omitempty"`
	Done      time.Time `json:"done,omitzero"`   // when the thing to do was done
	Terms     []uint64  `json:"terms,omitempty"` // of all its texts, to match it with prompts
	// Foreign marks a note that was not written on this machine, but came with the repository.
	Foreign bool `json:"foreign,omitempty"`
}

// Pin ties a note to a file or symbol, with the content that it had when the note was written.
type Pin struct {
	Target string `json:"target"` // PATH or PATH:SYMBOL
	Hash   string `json:"hash"`   // of its text at that time
}

// Record is the record of one session.
type Record struct {
	ID       string
	Runtime  string
	Started  time.Time
	Last     time.Time // of its last event
	Ended    time.Time // zero if it has not ended
	Source   string    // why it started
	Reason   string    // why it ended
	Phase    string
	Commit   string // HEAD when it started
	Prompts  int
	Agents   int    // sub-agents that ran
	Compacts int    // compactions
	Tokens   int64  // used, 0 if the host does not report it
	Achieved string // in the words of the agent, "" if they are not known
	Files    []FileChange
	Tests    []TestRun // the last of each command, oldest first
	Notes    []Note    // oldest first
}

// Reading is a measurement of the context that a session has left, with the last warning to its agent.
type Reading struct {
	Remaining float64   `json:"remaining"` // percent of the context
	At        time.Time `json:"at"`        // the time of the report of the status line
	Warned    string    `json:"warned,omitempty"`
	Since     int       `json:"since,omitempty"` // uses of tools since the warning
}

// Store stores the records of sessions and their notes. It is safe for use by many processes.
type Store interface {
	// Apply takes events in the order of their time, and reports which of them were new: it skips an event whose key is known.
	Apply(ctx context.Context, events []Event) (fresh []bool, err error)
	// Claimed reports whether claim was the first to report the event with a key.
	Claimed(ctx context.Context, key, claim string) (bool, error)
	// Sessions returns the latest sessions, the last one first.
	Sessions(ctx context.Context, limit int) ([]Record, error)
	// Session returns one session; false if it is not recorded.
	Session(ctx context.Context, id string) (Record, bool, error)
	// Notes returns the latest notes of the kinds, the last first; open leaves out things that are done.
	Notes(ctx context.Context, kinds []Kind, open bool, limit int) ([]Note, error)
	// Like returns the open notes, decisions and things to do that share the most distinctive terms, the best first. It leaves
	// out those that share too few to be about the same.
	Like(ctx context.Context, terms []uint64, limit int) ([]Note, error)
	// Show returns those of the items that a session's agent was not shown before, and records that it is shown them now. Forget
	// has it shown everything again.
	Show(ctx context.Context, session, agent string, items []string) ([]string, error)
	Forget(ctx context.Context, session string) error
}
