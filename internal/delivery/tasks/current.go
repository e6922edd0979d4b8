package tasks

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/delivery/tasks/targets"
	"ken/internal/engine/view"
	"ken/internal/guard"
	"ken/internal/knowledge/task"
	"ken/internal/operation"
)

// work is one call of an operation on a task.
type work struct {
	env    *env // nil in a hook
	p      *project.Project
	s      *view.Snapshot
	m      *project.Memory
	task   *guard.Task
	policy guard.Policy
	now    time.Time
	a      *answer
	quick  bool // looks up only the facts that decide on a write
}

// finder finds targets as this call may look them up.
func (w *work) finder() *targets.Finder {
	return &targets.Finder{Paths: w.p, Snapshot: w.s, Quick: w.quick, Most: w.policy.MaxDependents, Had: w.task.Targets}
}

// maxOpen is how many tasks that go on are named.
const maxOpen = 5

// onTask opens the project, finds the task, runs f over a view of the whole tree and emits the answer.
func onTask(ctx context.Context, e *env, id string, emit func(*answer) error, f func(w *work, ctx context.Context) error) error {
	p, err := project.Open(e, operation.Existing)
	if err != nil {
		return err
	}
	a := &answer{}
	err = p.AskWhole(ctx, func(ctx context.Context, s *view.Snapshot) error {
		a.Revision = s.Rev()
		w, err := newWork(ctx, p, id)
		if err == nil {
			w.env, w.s, w.a = e, s, a
			err = f(w, ctx)
		}
		return err
	})
	return operation.Finish(a, project.NotFound(err), emit)
}

// newWork finds the task that a call is about.
func newWork(ctx context.Context, p *project.Project, id string) (*work, error) {
	m, err := p.Memory(false)
	if err != nil {
		return nil, err
	}
	w := &work{p: p, m: m, policy: taskPolicy(p), now: time.Now().UTC()}
	if m == nil {
		return nil, noTask()
	}
	k, err := current(ctx, m, p.Session, id)
	if err != nil {
		return nil, err
	}
	return w, w.load(ctx, k.ID)
}

func noTask() error { return code.Usagef("no task goes on here; start_session begins one") }

func taskPolicy(p *project.Project) guard.Policy {
	policy := guard.DefaultPolicy()
	if n := p.Guards.Dependents; n > 0 {
		policy.MaxDependents = n
	}
	return policy
}

// current returns the named task, also one that has ended, else the last open one of the session, else the last open one that belongs
// to no session of the host; without a session, the last open one of all. It fails with a code.UsageError if there is none. Several
// tasks may be open, because ending them is optional; each answer names its task.
func current(ctx context.Context, m *project.Memory, session, id string) (task.Kept, error) {
	if id != "" {
		k, _, ok, err := m.Tasks.Task(ctx, id)
		if err == nil && !ok {
			err = code.Usagef("there is no task %s; %s", operation.Quote(id), openTasks(ctx, m))
		}
		return k, err
	}
	if session != "" {
		list, err := m.Tasks.Tasks(ctx, session, true, 1)
		if err != nil || len(list) > 0 {
			return firstTask(list), err
		}
	}
	list, err := m.Tasks.Tasks(ctx, "", true, maxOthers)
	if err != nil {
		return task.Kept{}, err
	}
	for _, k := range list {
		if session == "" || k.Session == "" {
			return k, nil
		}
	}
	return task.Kept{}, noTask()
}

// maxOthers is how many tasks that go on are looked through for one that no session has.
const maxOthers = 50

func firstTask(list []task.Kept) task.Kept {
	if len(list) == 0 {
		return task.Kept{}
	}
	return list[0]
}

// openTasks names the tasks that go on.
func openTasks(ctx context.Context, m *project.Memory) string {
	list, err := m.Tasks.Tasks(ctx, "", true, maxOpen)
	if err != nil || len(list) == 0 {
		return "none goes on"
	}
	var names []string
	for i := range list {
		t, err := parse(&list[i])
		if err != nil {
			continue
		}
		names = append(names, fmt.Sprintf("%s (%s %s)", t.ID, t.Intent, operation.Quote(clip(t.Query, 60))))
	}
	return "these go on: " + strings.Join(names, ", ")
}

// parse reads a task.
func parse(k *task.Kept) (*guard.Task, error) {
	t := &guard.Task{}
	if err := json.Unmarshal(k.Body, t); err != nil {
		return nil, fmt.Errorf("the task %s: %w", k.ID, code.ErrDamaged)
	}
	t.ID, t.Session, t.Ended = k.ID, k.Session, k.Ended
	return t, nil
}

// load reads the task with its looks.
func (w *work) load(ctx context.Context, id string) error {
	k, looks, ok, err := w.m.Tasks.Task(ctx, id)
	if err == nil && !ok {
		err = noTask()
	}
	if err != nil {
		return err
	}
	w.task, err = parse(&k)
	if err == nil {
		w.task.Looks = looks
	}
	return err
}

// decide has the guard decide on a request and keeps the resulting state. The task is read again inside the transaction, so that of two
// calls at once each sees the changes of the other.
func (w *work) decide(ctx context.Context, r *guard.Request) (d guard.Decision, err error) {
	prompts, err := w.prompts(ctx)
	if err != nil {
		return d, err
	}
	for _, p := range prompts {
		r.Prompts = p.Number
	}
	err = w.change(ctx, func(t *guard.Task) {
		d = guard.Decide(w.policy, t, r)
		t.Apply(w.policy, r, &d, w.now)
	})
	if err == nil {
		w.a.fill(w.task, r.Tool, &d)
	}
	return d, err
}

// change changes the task and keeps it.
func (w *work) change(ctx context.Context, f func(t *guard.Task)) error {
	return w.m.Tasks.ChangeTask(ctx, w.task.ID, func(k *task.Kept, looks []task.Look) error {
		t, err := parse(k)
		if err != nil {
			return err
		}
		t.Looks = looks
		f(t)
		w.task, k.Changed, k.Ended = t, w.now, t.Ended
		k.Body, err = json.Marshal(t)
		return err
	})
}

// prompts returns those that were recorded of the session that is bound to the task.
func (w *work) prompts(ctx context.Context) ([]task.Prompt, error) {
	if w.task.Session == "" {
		return nil, nil
	}
	return w.m.Tasks.Prompts(ctx, w.task.Session)
}

// refusalError turns a decision that lets a call not through into an error, after its answer.
func refusalError(d *guard.Decision) error {
	if d.Allowed {
		return nil
	}
	return &operation.AlarmError{Message: d.Error}
}

// newID returns a name for a task that cannot be guessed and is valid in a branch's name.
func newID() string {
	b := make([]byte, 6)
	rand.Read(b)
	return hex.EncodeToString(b)
}

// look records looks in the task that they can belong to. Without an open task it does nothing, but it fails if id names a task that
// does not exist.
func look(ctx context.Context, p *project.Project, id string, looks []task.Look) error {
	m, err := p.Memory(false)
	if err != nil || m == nil || len(looks) == 0 {
		return nil
	}
	k, err := current(ctx, m, p.Session, id)
	if err != nil {
		if id != "" {
			return err
		}
		return nil
	}
	now := time.Now().UTC()
	for i := range looks {
		looks[i].At = now
	}
	return m.Tasks.AddLooks(ctx, k.ID, looks)
}
