package tasks

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ken/internal/ask/unused"
	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/delivery/tasks/content"
	"ken/internal/delivery/tasks/targets"
	"ken/internal/engine/view"
	"ken/internal/guard"
	"ken/internal/knowledge/outcome"
	"ken/internal/knowledge/task"
	"ken/internal/operation"
	"ken/internal/worktree"
)

// taskCall is one call of an operation on a task.
type taskCall struct {
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

// newFinder returns a finder that looks targets up in the view of this call.
func (w *taskCall) newFinder() *targets.Finder {
	return &targets.Finder{Paths: w.p, Snapshot: w.s, Quick: w.quick, Most: w.policy.MaxDependents, Had: w.task.Targets, Unused: unused.Proven}
}

// maxOpen is the number of open tasks that are named.
const maxOpen = 5

// withTask opens the project, finds the task, runs f over a view of the whole tree and emits the answer.
func withTask(ctx context.Context, e *env, id string, emit func(*answer) error, f func(w *taskCall, ctx context.Context) error) error {
	p, err := project.Open(e, operation.Existing)
	if err != nil {
		return err
	}
	a := &answer{}
	err = p.AskWhole(ctx, func(ctx context.Context, s *view.Snapshot) error {
		a.Revision = s.Rev()
		w, err := newTaskCall(ctx, p, s, id)
		if err == nil {
			w.env, w.a = e, a
			err = f(w, ctx)
			if err != nil && a.Task == "" { // nothing was decided
				a.setTaskFields(w.task)
				a.Allowed = false
				err = project.NotFound(err)
				if n, ok := errors.AsType[*operation.NothingError](err); ok {
					n.Refused, a.Error, a.Message = true, "not_found", n.Error()
				}
			}
			if a.Root != "" && w.treeIsLost() {
				a.Root = ""
				if lost := w.lostTree(); a.Error == "" {
					a.Warnings, a.Hint = append(a.Warnings, lost.Message), lost.Hint
				}
			}
			w.s = nil // it is not valid after the answer
		}
		return err
	})
	return operation.Finish(a, project.NotFound(err), emit)
}

// newTaskCall finds the task that a call is about.
func newTaskCall(ctx context.Context, p *project.Project, s *view.Snapshot, id string) (*taskCall, error) {
	m, err := p.Memory(false)
	if err != nil {
		return nil, err
	}
	w := &taskCall{p: p, s: s, m: m, policy: taskPolicy(p), now: time.Now().UTC()}
	if m == nil {
		return nil, noTask()
	}
	k, err := currentTask(ctx, m, p.Session, id)
	if err != nil {
		return nil, err
	}
	return w, w.loadTask(ctx, k.ID)
}

// QuerySession returns the session under which a question of an operation on tasks is logged where no session of a host is known: that of
// the task with the given id, or of the one that goes on. It returns "" if there is none.
func QuerySession(ctx context.Context, p *project.Project, id string) string {
	m, err := p.Memory(false)
	if err != nil || m == nil {
		return ""
	}
	k, err := currentTask(ctx, m, p.Session, id)
	if err != nil || k.ID == "" {
		return ""
	}
	return hostSession(&guard.Task{ID: k.ID, Session: k.Session})
}

func noTask() error { return code.Usagef("no task goes on here; start_session begins one") }

func taskPolicy(p *project.Project) guard.Policy {
	policy := guard.DefaultPolicy()
	if n := p.Guards.Dependents; n > 0 {
		policy.MaxDependents = n
	}
	return policy
}

// currentTask returns the named task, also one that has ended, else the last one of openTasks. It fails with a code.UsageError if there is
// none. Several tasks may be open, because ending them is optional; each answer names its task.
func currentTask(ctx context.Context, m *project.Memory, session, id string) (task.StoredTask, error) {
	if id != "" {
		k, _, ok, err := m.Tasks.Task(ctx, id)
		if err == nil && !ok {
			err = code.Usagef("there is no task %s; %s", operation.Quote(id), listOpenTasks(ctx, m))
		}
		return k, err
	}
	list, err := openTasks(ctx, m, session)
	if err == nil && len(list) == 0 {
		err = noTask()
	}
	if err != nil {
		return task.StoredTask{}, err
	}
	return list[0], nil
}

// openTasks returns the open tasks that a call without an id can mean, the last one first: those of its session, else those that belong to
// no session; without a session, all. It returns an error if the memory cannot be read.
func openTasks(ctx context.Context, m *project.Memory, session string) ([]task.StoredTask, error) {
	if session != "" {
		list, err := m.Tasks.Tasks(ctx, session, true, maxOthers)
		if err != nil || len(list) > 0 {
			return list, err
		}
	}
	list, err := m.Tasks.Tasks(ctx, "", true, maxOthers)
	return slices.DeleteFunc(list, func(k task.StoredTask) bool { return session != "" && k.Session != "" }), err
}

// maxOthers is the number of open tasks that are searched for one that belongs to no session.
const maxOthers = 50

// listOpenTasks returns a text that names the open tasks.
func listOpenTasks(ctx context.Context, m *project.Memory) string {
	list, err := m.Tasks.Tasks(ctx, "", true, maxOpen)
	if err != nil || len(list) == 0 {
		return "none goes on"
	}
	var tasks []*guard.Task
	for i := range list {
		if t, err := parseTask(&list[i]); err == nil {
			tasks = append(tasks, t)
		}
	}
	return "these go on: " + describeTasks(tasks)
}

// describeTasks returns the ids of tasks with what they are for.
func describeTasks(list []*guard.Task) string {
	var names []string
	for _, t := range list {
		names = append(names, fmt.Sprintf("%s (%s %s)", t.ID, t.Intent, operation.Quote(clipLine(t.Query, 60))))
	}
	return strings.Join(names, ", ")
}

// parseTask decodes a stored task.
func parseTask(k *task.StoredTask) (*guard.Task, error) {
	t := &guard.Task{}
	if err := json.Unmarshal(k.Body, t); err != nil {
		return nil, fmt.Errorf("the task %s: %w", k.ID, code.ErrDamaged)
	}
	t.ID, t.Session, t.Ended = k.ID, k.Session, k.Ended
	return t, nil
}

// loadTask reads the task with its looks, the places that the agent was shown.
func (w *taskCall) loadTask(ctx context.Context, id string) error {
	k, looks, ok, err := w.m.Tasks.Task(ctx, id)
	if err == nil && !ok {
		err = noTask()
	}
	if err != nil {
		return err
	}
	w.task, err = parseTask(&k)
	if err == nil {
		w.task.Looks = w.freshLooks(looks)
	}
	return err
}

// freshLooks returns looks as they are of the files now. Without a view of the index they stay as they are.
func (w *taskCall) freshLooks(looks []task.ReadPart) []task.ReadPart {
	if w.s == nil {
		return looks
	}
	return content.FreshLooks(w.p.Root, looks, func(path string) (string, bool) {
		f, ok, err := w.s.Index.FileByPath(path)
		return hex.EncodeToString(f.Hash[:]), ok && err == nil
	})
}

// decide has the guard decide on a request and keeps the resulting state. The task is read again inside the transaction, so that of two
// calls at once each sees the changes of the other.
func (w *taskCall) decide(ctx context.Context, r *guard.Request) (d guard.Decision, err error) {
	prompts, err := w.prompts(ctx)
	if err != nil {
		return d, err
	}
	for _, p := range prompts {
		r.Prompts = p.Number
	}
	if r.Hidden, err = hiddenSince(ctx, w.p, w.s, &w.task.Start); err != nil {
		return d, err
	}
	err = w.changeTask(ctx, func(t *guard.Task) {
		d = guard.Decide(w.policy, t, r)
		t.Apply(w.policy, r, &d, w.now)
		w.noteBefore(t, r, &d)
	})
	if err == nil {
		w.a.setDecision(w.task, r.Tool, &d)
	}
	return d, err
}

// changeTask calls f to change the task and stores the result.
func (w *taskCall) changeTask(ctx context.Context, f func(t *guard.Task)) error {
	before := guard.Task{}
	err := w.m.Tasks.ChangeTask(ctx, w.task.ID, func(k *task.StoredTask, looks []task.ReadPart) error {
		t, err := parseTask(k)
		if err != nil {
			return err
		}
		t.Looks = w.freshLooks(looks)
		before = *t
		f(t)
		w.task, k.Changed, k.Ended = t, w.now, t.Ended
		k.Body, err = json.Marshal(t)
		return err
	})
	if t := w.task; err == nil && (t.Ended != before.Ended || t.Level != before.Level || t.Root != before.Root) {
		err = keepCopy(w.p, t)
	}
	return err
}

// keepCopy keeps a copy of an open task in the user's state directory, and deletes that of one that has ended.
func keepCopy(p *project.Project, t *guard.Task) error {
	switch {
	case p.Bound == nil:
		return nil
	case !t.Ended.IsZero():
		return p.Bound.DropOpen(t.ID)
	}
	main := p.Root
	if root, _, ok := worktree.MainRoot(main); ok {
		main = root
	}
	o := task.OpenTask{ID: t.ID, Level: string(t.Level), Project: main, Root: t.Root}
	if o.Root == "" {
		o.Root = main
	}
	return p.Bound.KeepOpen(o)
}

// prompts returns the prompts recorded in the session that is bound to the task.
func (w *taskCall) prompts(ctx context.Context) ([]task.Prompt, error) {
	if w.task.Session == "" {
		return nil, nil
	}
	return w.m.Tasks.Prompts(ctx, w.task.Session)
}

// refusalError returns the error of a call that the guard refused, reported after the answer; nil if it was let through.
func refusalError(d *guard.Decision) error {
	if d.Allowed {
		return nil
	}
	return &operation.AlarmError{Message: d.Error, Refused: true}
}

// newID returns a name for a task that cannot be guessed and is valid in a branch's name.
func newID() string {
	b := make([]byte, 6)
	rand.Read(b)
	return hex.EncodeToString(b)
}

// recordLooks stores which lines an answer showed in the task that they can belong to. Without an open task it does nothing, but it fails
// if id names a task that does not exist.
func recordLooks(ctx context.Context, p *project.Project, id string, looks []task.ReadPart) error {
	m, err := p.Memory(false)
	if err != nil || m == nil || len(looks) == 0 {
		return nil
	}
	k, err := currentTask(ctx, m, p.Session, id)
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
	content.BindLooks(p.Root, looks)
	return m.Tasks.AddLooks(ctx, k.ID, looks)
}

// refusedTree is the error of a call that could not be done with the task's work tree.
const refusedTree = "overlay_refused"

// treeIsLost reports whether the work tree of the task is gone, however it was removed. A folder that was made again in its place is none.
func (w *taskCall) treeIsLost() bool {
	if w.task.Root == "" {
		return false
	}
	_, _, ok := worktree.MainRoot(w.task.Root)
	return !ok
}

// lostTree returns the decision on a call that needs the work tree of a task whose work tree is gone.
func (w *taskCall) lostTree() *guard.Decision {
	return &guard.Decision{
		Error: refusedTree, Message: "the work tree of the task is gone, with what was not committed in it: " + w.task.Root, State: w.task.State,
		Hint:         "revert_to_exploration, after which the next write makes a new one; or record_outcome, which ends the task",
		AllowedTools: guard.AllowedTools(w.task),
	}
}

// refuseLostTree refuses a call because the work tree of the task is gone.
func (w *taskCall) refuseLostTree() error {
	d := w.lostTree()
	w.a.setDecision(w.task, "", d)
	return refusalError(d)
}

// maxDirty is the number of files with changes that are not committed of which a task remembers how they were.
const maxDirty = 2000

// noteBefore notes how files are that may be written from now on, where no git can tell later whether they were changed.
func (w *taskCall) noteBefore(t *guard.Task, r *guard.Request, d *guard.Decision) {
	writes := r.Tool == guard.CheckWriteTarget || r.Tool == guard.AddExplored || r.Tool == guard.Write
	if !writes || !d.Allowed || t.Start.Head != "" || t.Overlay {
		return
	}
	for i := range r.Targets {
		path := r.Targets[i].Path
		if _, ok := t.Before[path]; ok || path == "" || len(t.Before) >= maxDirty {
			continue
		}
		if t.Before == nil {
			t.Before = map[string]string{}
		}
		t.Before[path] = content.Fingerprint(w.p.Root, path)
	}
}

func hostSession(t *guard.Task) string {
	if t.Session != "" {
		return t.Session
	}
	return "task-" + t.ID
}

func parseIntent(i guard.Intent) outcome.Intent {
	switch i {
	case guard.Implement:
		return outcome.Implement
	case guard.Modify:
		return outcome.Modify
	}
	return outcome.Investigate
}

func firstError(err error, d *guard.Decision) error {
	if err != nil {
		return err
	}
	return refusalError(d)
}

type taskInput struct {
	Task string `flag:"task" value:"ID" help:"the task; default: the one that goes on"`
}
