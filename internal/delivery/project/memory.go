package project

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"time"

	"ken/internal/code"
	"ken/internal/knowledge/entity"
	"ken/internal/knowledge/memory"
	"ken/internal/knowledge/session"
	"ken/internal/knowledge/task"
	"ken/internal/worktree"
)

// ErrNoMemory is returned if a project cannot have a memory, because no id can be stored for it or because git tracks its memory folder.
var ErrNoMemory = errors.New("nothing can be remembered of this project")

// Spool stores records of events until they are applied to the memory; store/spool implements it.
type Spool interface {
	Append(record []byte) error
	Apply(ctx context.Context, f func(records [][]byte) error) error
}

// Memory is the memory of a project: events, notes and learned items. An event is first written to a spool and then applied, so
// that none is lost if the process is killed in between.
type Memory struct {
	session.Store
	Spool Spool
	Pages entity.Queue // who writes which page of meaning
	// Learned are items made of observations and notes; imported items go through it too, masked.
	Learned memory.Store
	Tasks   task.Store // guarded tasks
	// Worktrees are the work trees that ken made. One of them has the memory of the tree that it was made from.
	Worktrees worktree.Store
	// Graph reads all of Learned at once.
	Graph memory.GraphReader
	// Hide masks the credentials in a text, because nothing that was recognised as one is kept.
	Hide func(string) string
}

// maxText is the length of the stored beginning of a text, in bytes.
const maxText = 8 << 10

// Record writes an event and applies it, together with events that killed processes left. mine reports whether this process was the
// first of two that report the same event. It fails if the event can be neither written nor applied.
func (m *Memory) Record(ctx context.Context, e session.Event) (mine bool, err error) {
	if err := m.Append(&e); err != nil {
		return false, err
	}
	seen := false
	err = m.drain(ctx, func(applied *session.Event, fresh bool) {
		if applied.Key == e.Key && applied.Claim == e.Claim {
			seen, mine = true, fresh
		}
	})
	if err != nil || seen || e.Key == "" {
		return mine || e.Key == "", err
	}
	return m.Claimed(ctx, e.Key, e.Claim) // another process applied it
}

// Append masks an event and writes it, so that it will be applied. It fails if it cannot be written.
func (m *Memory) Append(e *session.Event) error {
	m.mask(e)
	data, err := json.Marshal(e)
	if err == nil {
		err = m.Spool.Append(data)
	}
	if err != nil {
		return fmt.Errorf("remember: %w", err)
	}
	return nil
}

// Drain applies the events in the spool. It returns an error if the memory cannot be read or written; on a read-only system it leaves
// the events and returns no error, so that the memory can still be read.
func (m *Memory) Drain(ctx context.Context) error {
	err := m.drain(ctx, func(*session.Event, bool) {})
	if errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return err
}

func (m *Memory) drain(ctx context.Context, applied func(e *session.Event, fresh bool)) error {
	return m.Spool.Apply(ctx, func(records [][]byte) error {
		events := make([]session.Event, 0, len(records))
		for _, r := range records {
			var e session.Event
			if json.Unmarshal(r, &e) == nil { // else a version that is not this one wrote it
				events = append(events, e)
			}
		}
		fresh, err := m.Apply(ctx, events)
		for i := range fresh {
			applied(&events[i], fresh[i])
		}
		return err
	})
}

// mask hides secrets in all texts of an event and shortens them.
func (m *Memory) mask(e *session.Event) {
	for _, s := range []*string{&e.Session, &e.Agent, &e.Runtime, &e.Source, &e.Phase, &e.Commit, &e.Achieved} {
		*s = m.maskText(*s)
	}
	for i := range e.Files {
		e.Files[i].Path = m.maskText(e.Files[i].Path)
	}
	if e.Test != nil {
		e.Test.Command = m.maskText(e.Test.Command)
	}
	if n := e.Note; n != nil {
		n.Topic, n.Text, n.Rationale = m.maskText(n.Topic), m.maskText(n.Text), m.maskText(n.Rationale)
		for i := range n.Pins {
			n.Pins[i].Target = m.maskText(n.Pins[i].Target)
		}
	}
}

// Mask hides secrets in all texts of an item that is to be learned, and shortens them.
func (m *Memory) Mask(it *memory.Item) {
	for _, s := range []*string{&it.Subject, &it.Topic, &it.Text, &it.From, &it.Session} {
		*s = m.maskText(strings.ToValidUTF8(*s, "\ufffd"))
	}
	it.Pins = it.Pins[:min(len(it.Pins), memory.MaxPins)]
	for i := range it.Pins {
		it.Pins[i].Target = m.maskText(it.Pins[i].Target)
	}
}

func (m *Memory) maskText(s string) string {
	return m.Hide(s[:code.CutLength(s, maxText)])
}

// EventTimes stores the time of the last event of each kind from the agent's
// runtime; store/hookstate implements it.
type EventTimes interface {
	Note(kind string, at time.Time) error
	Last(kind string) (time.Time, bool)
}

// Gauge stores how much of its context each session has left; store/hookstate implements it.
type Gauge interface {
	Get(session string) (session.Reading, bool)
	Put(session string, r session.Reading) error
}

// Bindings store which guarded task an agent of a session works on; store/hookstate implements them.
type Bindings interface {
	// Task is the task that an agent is bound to: its own, else that of its session.
	Task(session, agent string) (id string, ok bool)
	// Bind binds an agent to a task, and with it its session if nothing binds that yet.
	Bind(session, agent, task string) error
	// Unbind unbinds a session from a task.
	Unbind(session, task string) error
	// KeepOpen keeps a sealed copy of an open task, OpenTask returns it, and DropOpen deletes that of a task that has ended.
	KeepOpen(o task.OpenTask) error
	OpenTask(id string) (o task.OpenTask, ok bool)
	DropOpen(id string) error
	// WasUsedLately reports whether a session was bound lately.
	WasUsedLately(now time.Time) bool
}

// lateSessions is the number of sessions whose created files count as new.
const lateSessions = 5

// CreatedFiles returns the files that the latest sessions created. It fails if the memory cannot be read.
func (p *Project) CreatedFiles(ctx context.Context) (out []string, err error) {
	m, err := p.Memory(false)
	if err != nil || m == nil {
		return nil, err
	}
	if err := m.Drain(ctx); err != nil {
		return nil, err
	}
	list, err := m.Sessions(ctx, lateSessions)
	for i := range list {
		out = append(out, list[i].ChangedFiles(session.Created)...)
	}
	return out, err
}
