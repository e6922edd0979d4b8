package tasks

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"path"
	"regexp"
	"slices"
	"time"

	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/delivery/tasks/content"
	"ken/internal/engine"
	"ken/internal/engine/view"
	"ken/internal/guard"
	"ken/internal/knowledge/task"
)

// startedTask matches the id of the task that start_session began, in its answer as JSON, as text, or as the value of a single field.
var startedTask = regexp.MustCompile(`"task_id":\s*"([0-9a-f]{12})"|(?m:^[A-Z_]+  task ([0-9a-f]{12})\r?$)|(?m:^([0-9a-f]{12})$)`)

// startTime is the longest time between the beginning of a task and the hook that gets the answer of start_session.
const startTime = 5 * time.Minute

// BindSession binds a session of the host to the task named in an answer of start_session, and returns its id. It returns "" if this
// session cannot have begun the task: if it does not exist, belongs to another session, has ended, or did not begin within startTime of
// now, so that a forged id binds nothing. If a task at level full goes on in the session, the task is at full from now on, and raised says
// so. It returns an error if the memory cannot be read or written.
func BindSession(ctx context.Context, p *project.Project, m *project.Memory, session, answer string, now time.Time,
) (id, raised string, err error) {
	found := startedTask.FindStringSubmatch(answer)
	if found == nil || session == "" {
		return "", "", nil
	}
	id = found[1] + found[2] + found[3]
	k, _, ok, err := m.Tasks.Task(ctx, id)
	if err != nil || !ok {
		return "", "", err
	}
	age := now.Sub(k.Began)
	if !k.Ended.IsZero() || age > startTime || age < -startTime {
		return "", "", nil
	}
	bound, err := m.Tasks.BindTask(ctx, id, session)
	if err != nil || !bound {
		return "", "", err
	}
	strict, err := strictTask(ctx, m, session, id, now)
	if err != nil || strict == "" {
		return id, "", err
	}
	w, err := openForHook(ctx, p, m, id, now)
	if err != nil || w == nil || w.task.Level == guard.Full {
		return id, "", err
	}
	return id, raisedText(strict), w.changeTask(ctx, func(t *guard.Task) { t.Level = guard.Full })
}

// errLost is returned for a task that goes on and that the memory does not have any more.
var errLost = errors.New("the memory has lost a task that goes on")

// openForHook finds a task for a hook; nil if it has ended or is unknown. It fails with errLost if the memory lacks it but a copy of it is
// kept, because else a task could be ended by deleting the memory.
func openForHook(ctx context.Context, p *project.Project, m *project.Memory, id string, now time.Time) (*taskCall, error) {
	k, looks, ok, err := m.Tasks.Task(ctx, id)
	if err == nil && !ok && p.Bound != nil {
		if _, open := p.Bound.OpenTask(id); open {
			err = errLost
		}
	}
	if err != nil || !ok || !k.Ended.IsZero() {
		return nil, err
	}
	t, err := parseTask(&k)
	if err != nil {
		return nil, err
	}
	t.Looks = looks
	return &taskCall{p: p, m: m, task: t, policy: taskPolicy(p), now: now, a: &answer{}, quick: true}, nil
}

// AddLooks records in a task what tools of the host showed.
func AddLooks(ctx context.Context, p *project.Project, m *project.Memory, id string, looks []task.ReadPart) error {
	content.BindLooks(p.Root, looks)
	return m.Tasks.AddLooks(ctx, id, looks)
}

// Verdict is the guard's decision on a write that is about to happen.
type Verdict struct {
	guard.Decision
	Ended bool // the task has ended, or is not known any more: it guards nothing
}

// JudgeWrite decides on a write of files, which are absolute paths, in a task. It uses the index as it is, because a hook has no time to
// compare the whole tree, and keeps the state only if it changed, because it runs before every write. It returns an error if the memory
// or the index cannot be read.
func JudgeWrite(
	ctx context.Context, p *project.Project, m *project.Memory, id string, files []string, written *Written, now time.Time,
) (v Verdict, err error) {
	w, err := openForHook(ctx, p, m, id, now)
	if err != nil || w == nil {
		return Verdict{Ended: err == nil}, err
	}
	r := &guard.Request{Tool: guard.Write}
	for _, f := range files {
		if why := w.uncovered(f); why != "" {
			r.Targets = []guard.Target{{Name: relativePath(p.Root, f), Path: f, Uncovered: why}}
			return Verdict{Decision: guard.Decide(w.policy, w.task, r)}, nil
		}
	}
	if w.treeIsLost() {
		return Verdict{Decision: *w.lostTree()}, nil
	}
	files, beside := w.projectPaths(files)
	if beside != nil {
		return Verdict{Decision: *beside}, nil
	}
	err = p.Ask(ctx, engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) (_ []string, err error) {
		w.s = s
		w.task.Looks = w.freshLooks(w.task.Looks)
		r.Targets, err = w.writeTargets(ctx, files)
		for i := range r.Targets {
			w.compareWritten(&r.Targets[i], written)
		}
		if err == nil {
			r.Hidden, err = hiddenSince(ctx, w.p, w.s, &w.task.Start)
		}
		return nil, err
	})
	w.s = nil
	if err != nil {
		return v, err
	}
	for i := range r.Targets {
		if path.IsAbs(r.Targets[i].Name) || r.Targets[i].Symbol == "" {
			r.Targets[i].Name = r.Targets[i].Path
		}
	}
	prompts, err := w.prompts(ctx)
	if err != nil {
		return v, err
	}
	for _, q := range prompts {
		r.Prompts = q.Number
	}
	v.Decision = guard.Decide(w.policy, w.task, r)
	if !v.Allowed { // a refusal changes nothing, and has the names to show
		return v, nil
	}
	if beside := w.refuseWithoutTree(files); beside != nil {
		return Verdict{Decision: *beside}, nil
	}
	before, err := json.Marshal(w.task)
	if err != nil {
		return v, err
	}
	w.task.Apply(w.policy, r, &v.Decision, now)
	w.noteBefore(w.task, r, &v.Decision)
	after, err := json.Marshal(w.task)
	if err != nil || bytes.Equal(before, after) {
		return v, err
	}
	err = w.changeTask(ctx, func(t *guard.Task) {
		v.Decision = guard.Decide(w.policy, t, r)
		t.Apply(w.policy, r, &v.Decision, now)
		w.noteBefore(t, r, &v.Decision)
	})
	return v, err
}

// NoteChanges records changes in the tree without an announced write, and returns the files that the task gives no leave for. They are
// judged as they are after the change; a deleted file never had leave. It returns an error if the memory or the index cannot be read.
func NoteChanges(
	ctx context.Context, p *project.Project, m *project.Memory, id string, changes []code.Change, now time.Time,
) (unruly []string, err error) {
	w, err := openForHook(ctx, p, m, id, now)
	if err != nil || w == nil {
		return nil, err
	}
	err = p.Ask(ctx, engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		w.s = s
		w.task.Looks = w.freshLooks(w.task.Looks)
		for i := range changes {
			leave, err := w.hasLeave(ctx, &changes[i], i < maxJudged)
			if err != nil {
				return nil, err
			}
			if !leave && len(unruly) < maxUnruly {
				unruly = append(unruly, changes[i].Path)
			}
		}
		return nil, nil
	})
	w.s = nil
	if err != nil || len(unruly) == 0 {
		return nil, err
	}
	return unruly, w.changeTask(ctx, func(t *guard.Task) {
		for _, f := range unruly {
			if len(t.Unpermitted) < maxUnruly && !slices.Contains(t.Unpermitted, f) {
				t.Unpermitted = append(t.Unpermitted, f)
			}
		}
	})
}

// hasLeave reports whether the task permits the change of a file.
func (w *taskCall) hasLeave(ctx context.Context, c *code.Change, judge bool) (bool, error) {
	if !judge || c.Type == code.Deleted {
		return false, nil
	}
	targets, err := w.writeTargets(ctx, []string{w.p.Absolute(c.Path)})
	if err != nil {
		return false, err
	}
	for i := range targets {
		w.compareWithCommit(ctx, &targets[i], "HEAD") // who changed it before the task is not known
	}
	d := guard.Decide(w.policy, w.task, &guard.Request{Tool: guard.Write, Targets: targets})
	return d.Allowed, nil
}
