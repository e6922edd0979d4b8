package agentevent

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"ken/internal/delivery/agenttext"
	"ken/internal/delivery/project"
	"ken/internal/delivery/tasks"
	"ken/internal/knowledge/task"
	"ken/internal/workflow/agent"
)

// boundTask returns the guarded task that an agent works on. Only bindings are read for it, so sessions without a task pay nothing.
func (h *Handler) boundTask(e *agent.Event) (id string, ok bool) {
	if h.Project.Bound == nil {
		return "", false
	}
	return h.Project.Bound.Task(e.Session, e.Agent)
}

// starter is the command that begins a guarded task.
const starter = "task start_session"

// onTaskStart binds the session to the task that a tool has begun. It returns a line if the task is stricter than it began.
func (h *Handler) onTaskStart(ctx context.Context, e *agent.Event) []string {
	if e.Tool != agent.StartTask && !(e.Tool == agent.Shell && strings.Contains(e.Command, starter)) {
		return nil
	}
	m := h.openMemory()
	if m == nil || h.Project.Bound == nil {
		return nil
	}
	id, raised, err := tasks.BindSession(ctx, h.Project, m, sessionID(e.Session), e.Output, h.Now())
	if err == nil && id != "" {
		err = h.Project.Bound.Bind(e.Session, e.Agent, id)
	}
	h.logError(err)
	if raised == "" {
		return nil
	}
	return []string{"- " + raised}
}

// recordShownLines records in the task which lines of files a tool showed.
func (h *Handler) recordShownLines(ctx context.Context, e *agent.Event) {
	if len(e.Seen) == 0 {
		return
	}
	id, ok := h.boundTask(e)
	if !ok {
		return
	}
	if m := h.openMemory(); m != nil {
		h.logError(tasks.AddLooks(ctx, h.Project, m, id, h.shownLines(e)))
	}
}

// shownLines returns the parts of the project's files that a tool showed. Paths of a search are relative to the agent's working
// directory.
func (h *Handler) shownLines(e *agent.Event) (out []task.ReadPart) {
	rel := map[string]string{}
	printed := len(e.Seen) < tasks.MaxSearched // a longer search is not read to its end
	for _, s := range e.Seen {
		p, known := rel[s.Path]
		if !known {
			if in := h.projectPaths(&agent.Event{Dir: e.Dir, Files: []string{s.Path}}); len(in) > 0 {
				p = in[0]
			}
			rel[s.Path] = p
		}
		if p == "" {
			continue
		}
		l := task.ReadPart{Tool: e.ToolName, Path: p, Depth: task.Named, First: s.First, Last: s.Last, At: h.Now()}
		switch {
		case s.Text:
			l.Depth = task.Read
		case e.Tool == agent.Grep && s.First > 0 && printed:
			out = append(out, task.ReadPart{Tool: e.ToolName, Path: p, Depth: task.Read, First: s.First, Last: s.Last, At: h.Now(), Of: e.Pattern})
		}
		out = append(out, l)
	}
	return out
}

// judgeWrite has the guard decide on a write in a session that is bound to a task, and returns an empty reply if the write may happen.
// If the guard itself fails, the copy of the task decides (unjudged.go).
func (h *Handler) judgeWrite(ctx context.Context, e *agent.Event) (r agent.Reply) {
	id, ok := h.boundTask(e)
	if !ok {
		return r
	}
	files := h.absolutePaths(e)
	if len(files) == 0 {
		return r
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	v, err := h.judgeFiles(ctx, e, id, files)
	for err == nil && v.Ended {
		h.logError(h.Project.Bound.Unbind(e.Session, id))
		before := id
		if id, ok = h.boundTask(e); !ok || id == before {
			return r
		}
		v, err = h.judgeFiles(ctx, e, id, files)
	}
	switch {
	case err != nil:
		h.logError(err)
		open, _ := h.Project.Bound.OpenTask(id)
		open.ID = id
		u := unjudged{open, h.displayPath(files[0]), files[0], "the memory or the index of the project cannot be used", h.Project.Guards.Advise}
		return u.reply()
	case v.Allowed:
		return r
	}
	text := h.refusalText(id, h.displayPath(files[0]), &v)
	if h.Project.Guards.Advise {
		return agent.Reply{Context: "[INTELLIGENCE] advice: " + text}
	}
	return agent.Reply{Deny: "[INTELLIGENCE] " + text}
}

// errNoMemory is returned if the memory that holds the task cannot be opened.
var errNoMemory = errors.New("a session is bound to a task, and the memory of the project cannot be opened")

func (h *Handler) judgeFiles(ctx context.Context, e *agent.Event, id string, files []string) (v tasks.Verdict, err error) {
	m := h.openMemory()
	if m == nil {
		return v, errNoMemory
	}
	written := &tasks.Written{}
	for _, x := range e.Edits {
		written.Edits = append(written.Edits, tasks.Edit(x))
	}
	if len(e.Edits) == 0 && len(e.Written) == 1 && e.ToolName == "Write" {
		written.Text = &e.Written[0]
	}
	return tasks.JudgeWrite(ctx, h.Project, m, id, files, written, h.Now())
}

// absolutePaths returns the files of an event as absolute paths, which do not depend on the working directory. Files of the project
// begin with its root, in which links are resolved.
func (h *Handler) absolutePaths(e *agent.Event) (out []string) {
	for _, f := range absoluteFiles(e) {
		if rel, err := h.Project.Rel(f); err == nil {
			f = h.Project.Absolute(rel)
		}
		out = append(out, f)
	}
	return out
}

// absoluteFiles returns the files of an event as absolute paths. Links in their folders are resolved, links in their last elements are not.
func absoluteFiles(e *agent.Event) (out []string) {
	for _, f := range e.Files {
		if !filepath.IsAbs(f) {
			f = filepath.Join(e.Dir, f)
		}
		out = append(out, filepath.Join(project.RealPath(filepath.Dir(f)), filepath.Base(f)))
	}
	return out
}

// displayPath returns the path of a file as texts for the agent show it.
func (h *Handler) displayPath(file string) string {
	if rel, err := h.Project.Rel(file); err == nil {
		return rel
	}
	return file
}

// maxMissing is the number of missing things that a refusal names.
const maxMissing = 5

// refusalText renders the reason why a file may not be written, and the cheapest way forward.
func (h *Handler) refusalText(id, file string, v *tasks.Verdict) string {
	var b strings.Builder
	fmt.Fprintf(&b, "the task %s gives no leave to write %s (%s): %s", agenttext.Text(id), agenttext.Code(file), v.Error, agenttext.Text(v.Message))
	for _, m := range v.Missing[:min(len(v.Missing), maxMissing)] {
		fmt.Fprintf(&b, "\nnext: %s", agenttext.Text(m.Next))
	}
	if len(v.Missing) == 0 && v.Hint != "" {
		fmt.Fprintf(&b, "\nnext: %s", agenttext.Text(v.Hint))
	}
	return h.Project.Engine.Hide(b.String())
}
