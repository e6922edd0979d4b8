// Package task is what is kept of guarded tasks: a task as its bytes, what was looked at in it, and the prompts that
// quotes are looked for in. It says nothing of what a task may do: guard judges that. Its
// neighbours are store/sqlite/memory, which keeps tasks, and delivery/tasks, whose operations change them.
package task

import (
	"context"
	"time"
)

// Kept is a task as it is kept. Body is the guard's; the rest is what tasks are found by.
type Kept struct {
	ID      string
	Session string // of the host; "" as long as no session is bound to it
	Began   time.Time
	Changed time.Time
	Ended   time.Time // zero while it goes on
	Body    []byte
}

// Depth is how much of something was seen.
type Depth int

// The depths, the least first.
const (
	Named    Depth = iota + 1 // an answer named it
	Outlined                  // its declarations were listed
	Read                      // its text was seen
)

// Look is something that was looked at in a task: by one of ken's tools, or by the host's, as a hook saw it.
type Look struct {
	Tool   string
	Path   string
	Symbol string // qualified name; "" if the file as a whole
	Depth  Depth
	// First and Last are the lines that were read, from 1; both 0 mean the whole file.
	First, Last int
	At          time.Time
}

// Prompt is what a user wrote. Texts in it are masked.
type Prompt struct {
	Number int // in its session, from 1
	At     time.Time
	Text   string
}

// Bounds of what is kept.
const (
	MaxPrompts = 20 // of a session, the last ones
	MaxLooks   = 20_000
)

// Store keeps tasks. It is safe for use by many processes.
type Store interface {
	// BeginTask keeps a new task; one whose id is taken is an error.
	BeginTask(ctx context.Context, k Kept) error
	// Task is one task with its looks, oldest first; false if there is none.
	Task(ctx context.Context, id string) (Kept, []Look, bool, error)
	// Tasks are the latest tasks, the last first; of a session unless that is "", and only those that go on if open.
	Tasks(ctx context.Context, session string, open bool, limit int) ([]Kept, error)
	// ChangeTask hands a task to f and keeps what f makes of it, so that of two that change it at once none is lost.
	ChangeTask(ctx context.Context, id string, f func(k *Kept, looks []Look) error) error
	// AddLooks adds what was looked at. What is known is not added again.
	AddLooks(ctx context.Context, id string, looks []Look) error
	// BindTask binds a session of the host to a task. One that is bound to another session stays with it.
	BindTask(ctx context.Context, id, session string) (bound bool, err error)
	Prompts
}

// Prompts keeps what users wrote, masked.
type Prompts interface {
	// AddPrompt keeps a prompt of a session; the oldest are forgotten.
	AddPrompt(ctx context.Context, session string, at time.Time, text string) error
	// ForgetPrompts forgets the prompts of a session, of all if it is "".
	ForgetPrompts(ctx context.Context, session string) error
	// Prompts are those that are kept of a session, oldest first.
	Prompts(ctx context.Context, session string) ([]Prompt, error)
}
