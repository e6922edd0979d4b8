// Package task has the stored form of guarded tasks: a task as bytes, the code that was read for it, and the user's prompts,
// in which quotes are searched. What a task may do is judged by guard. Its neighbours are store/sqlite/memory, which stores
// tasks, and delivery/tasks, whose operations change them.
package task

import (
	"context"
	"time"
)

// StoredTask is a stored task. Body is the guard's own form of the task; the other fields are for finding tasks.
type StoredTask struct {
	ID      string
	Session string // of the host; "" as long as no session is bound to it
	Began   time.Time
	Changed time.Time
	Ended   time.Time // zero if it has not ended
	Body    []byte
}

// OpenTask is what is kept of an open task beside the memory, in the user's state directory: it decides on a write where the memory or the
// settings of the project cannot be read.
type OpenTask struct {
	ID    string `json:"id"`
	Level string `json:"level"`
	// Project is the root of the project, and Root that of the tree that is written, which may be a work tree of it.
	Project string `json:"project"`
	Root    string `json:"root"`
}

// Depth is how closely something was read.
type Depth int

// The depths, the least first.
const (
	Named    Depth = iota + 1 // an answer named it
	Outlined                  // its declarations were listed
	Read                      // its text was seen
)

// ReadPart is a part of the code that an agent has read for a task: through one of ken's tools, or through the host's, as a hook reported
// it.
type ReadPart struct {
	Tool   string
	Path   string
	Symbol string // qualified name; "" for the file as a whole
	Depth  Depth
	// First and Last are the lines that were read, from 1; both are 0 for the whole file.
	First, Last int
	At          time.Time
	// Of is what the lines were printed for: PATH:NAME of a declaration whose uses were listed, or the pattern of a search. It is "" for
	// text that was itself asked for.
	Of string
	// Hash is the hash of the file's content at that time, "" if the index did not have it, and Marks the marks of the lines (see Marks).
	Hash, Marks string
}

// Prompt is a prompt of a user. Credentials in it are masked.
type Prompt struct {
	Number int // in its session, from 1
	At     time.Time
	Text   string
}

// Limits of the store.
const (
	MaxPrompts = 20 // of a session, the last ones
	MaxLooks   = 20_000
)

// Store stores tasks. It is safe for use by many processes.
type Store interface {
	// BeginTask adds a new task. It fails if the id is taken.
	BeginTask(ctx context.Context, k StoredTask) error
	// Task returns one task with its looks, oldest first; false if there is none.
	Task(ctx context.Context, id string) (StoredTask, []ReadPart, bool, error)
	// Tasks returns the latest tasks, the last first: those of a session unless that is "", and only those without an end if
	// open.
	Tasks(ctx context.Context, session string, open bool, limit int) ([]StoredTask, error)
	// ChangeTask passes a task to f and stores the changed one, so that concurrent changes are not lost.
	ChangeTask(ctx context.Context, id string, f func(k *StoredTask, looks []ReadPart) error) error
	// AddLooks adds looks that are not recorded yet.
	AddLooks(ctx context.Context, id string, looks []ReadPart) error
	// BindTask binds a session of the host to a task. A task that is bound to another session stays with it.
	BindTask(ctx context.Context, id, session string) (bound bool, err error)
	Prompts
}

// Prompts stores the prompts of users, masked.
type Prompts interface {
	// AddPrompt adds a prompt of a session and deletes its oldest if there are too many.
	AddPrompt(ctx context.Context, session string, at time.Time, text string) error
	// ForgetPrompts deletes the prompts of a session, of all if it is "".
	ForgetPrompts(ctx context.Context, session string) error
	// Prompts returns the stored prompts of a session, oldest first.
	Prompts(ctx context.Context, session string) ([]Prompt, error)
}
