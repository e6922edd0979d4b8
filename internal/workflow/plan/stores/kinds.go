package stores

import (
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"ken/internal/workflow/plan/argument"
	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/scaffold"
)

// kind is a store of files that have a status.
type kind struct {
	name, plural, dir string
	what              string // for help
	statuses          []string
	closed            string // the status of what is finished
	closedDir         string // where such files go, "" if they stay
	updated           string // the key with the last change, "" if there is none
	note              string // the key that a list shows
	flags             []planop.Flag
	compose           func(c *planop.Call, title string, names []string) (made, error)
}

var kinds = [...]kind{
	{
		name: "seed", plural: "seeds", dir: "seeds", what: "idea for a later milestone", statuses: []string{"dormant", "active", "triggered", "implemented"}, closed: "implemented",
		note: "trigger_when", compose: composeSeed,
		flags: []planop.Flag{
			{Name: "trigger", Help: "when the idea is to come up again", Kind: planop.Words}, {Name: "scope", Help: "small, medium or large"},
			{Name: "why", Help: "why it matters", Kind: planop.Words},
		},
	},
	{
		name: "thread", plural: "threads", dir: "threads", what: "thread of work over several sessions", statuses: []string{"open", "in_progress", "resolved"},
		closed: "resolved", updated: "updated", compose: composeThread, flags: []planop.Flag{{Name: "goal", Help: "what it is for", Kind: planop.Words}},
	},
	{
		name: "debug", plural: "debug_sessions", dir: "debug", what: "debug session", closed: "resolved", closedDir: "debug/resolved", updated: "updated",
		statuses: []string{"gathering", "investigating", "fixing", "verifying", "awaiting_human_verify", "resolved"}, compose: composeDebug,
	},
}

func (k *kind) operations() []*planop.Operation {
	name := planop.Arg{Name: "NAME", Help: "a file, or a part of its name that no other has"}
	return []*planop.Operation{
		{
			Name: k.name + " create", Summary: "begin a " + k.what, Writes: true, Args: []planop.Arg{{Name: "TITLE", Help: "what it is about", Many: true}}, Flags: k.flags,
			Run: func(ctx context.Context, c *planop.Call) (any, error) {
				title := argument.Line(c.Arg("TITLE"))
				return create(ctx, c, k.dir, func(names []string) (made, error) { return k.compose(c, title, names) })
			},
		},
		{
			Name: k.name + " list", Summary: "the entries of " + k.dir, Flags: []planop.Flag{{Name: "status", Help: "with this status alone", Enum: k.statuses}},
			Run: func(_ context.Context, c *planop.Call) (any, error) { return k.list(c) },
		},
		{
			Name: k.name + " status", Summary: "set the status of a " + k.what, Writes: true,
			Args: []planop.Arg{name, {Name: "STATUS", Help: "the new status", Enum: k.statuses}},
			Run:  func(ctx context.Context, c *planop.Call) (any, error) { return k.set(ctx, c, c.Arg("STATUS")) },
		},
		{
			Name: k.name + " complete", Summary: "close a " + k.what, Writes: true, Args: []planop.Arg{name},
			Run: func(ctx context.Context, c *planop.Call) (any, error) { return k.set(ctx, c, k.closed) },
		},
	}
}

func (k *kind) list(c *planop.Call) (any, error) {
	f, err := c.Folder()
	if err != nil {
		return nil, err
	}
	var list []Entry
	for _, dir := range []string{k.dir, k.closedDir} {
		if dir == "" {
			continue
		}
		files, found, err := notes(f, dir)
		if err != nil {
			return nil, err
		}
		for i, n := range found {
			e := Entry{
				ID: n.Value("id"), File: files[i], Title: or(n.Title(), strings.TrimSuffix(files[i], ".md")), Status: or(n.Status(), k.statuses[0]),
				Created: or(n.Value("created"), n.Value("planted")), Updated: n.Value("updated"), Path: f.Path(path.Join(dir, files[i])),
			}
			if k.note != "" {
				e.Note = n.Value(k.note)
			}
			if c.Flag("status") == "" || c.Flag("status") == e.Status {
				list = append(list, e)
			}
		}
	}
	return listed(k.plural, list), nil
}

// set makes the status of an entry another one, and moves what is finished where that goes.
func (k *kind) set(ctx context.Context, c *planop.Call, status string) (any, error) {
	f, err := c.Folder()
	if err != nil {
		return nil, err
	}
	dir := k.dir
	file, err := pick(c, "Entry", dir, c.Arg("NAME"))
	if err != nil && k.closedDir != "" {
		var later error
		if file, later = pick(c, "Entry", k.closedDir, c.Arg("NAME")); later == nil {
			dir, err = k.closedDir, nil
		}
	}
	if err != nil {
		return nil, err
	}
	goal := k.dir
	if status == k.closed && k.closedDir != "" {
		goal = k.closedDir
	}
	from, err := c.Below(path.Join(dir, file))
	if err != nil {
		return nil, err
	}
	to, err := c.Below(path.Join(goal, file))
	if err != nil {
		return nil, err
	}
	answer := StatusSet{Updated: true, File: file, Path: f.Path(path.Join(goal, file)), Status: status}
	_, err = c.Change(ctx, c.Operation.Name+" "+file, func(read change.Read) ([]change.File, error) {
		text, there, err := read(from)
		if err != nil || !there {
			return nil, errorOr(err, planop.Faultf("entry_not_found", "%s is gone", from))
		}
		if from != to {
			if _, there, err := read(to); there || err != nil {
				return nil, errorOr(err, planop.Faultf("already_exists", "%s is there already", to))
			}
		}
		answer.Previous = artefact.ParseNote(text).Status()
		after, err := k.withStatus(c, text, status, answer.Previous)
		if err != nil {
			return nil, err
		}
		files := []change.File{{Name: to, Text: &after}}
		if from != to {
			files = append(files, change.File{Name: from})
		}
		return files, nil
	})
	return answer, err
}

// withStatus is a text with another status. The one that it has is no change, and no reason for another date.
func (k *kind) withStatus(c *planop.Call, text, status, previous string) (string, error) {
	if status == previous {
		return text, nil
	}
	fields, values := []string{"status"}, map[string]any{"status": status}
	if k.updated != "" {
		now := c.Now().UTC().Format(timeForm)
		if old := artefact.ParseNote(text).Value(k.updated); len(old) == len(time.DateOnly) {
			now = now[:len(time.DateOnly)]
		}
		fields, values[k.updated] = append(fields, k.updated), now
	}
	return scaffold.WithFields(text, fields, values)
}

func errorOr(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

func composeSeed(c *planop.Call, title string, names []string) (made, error) {
	now := c.Now().UTC()
	id := "SEED-" + nextNumber(names, "SEED-")
	during := "[milestone]"
	if q, err := c.Questions(); err == nil {
		if r := q.Report(); r.Version != "" {
			during = strings.TrimSpace(r.Version + " " + r.Name)
		}
	}
	text, err := filled("stores/seed.md", title, map[string]string{
		"id": id, "title": title, "date": now.Format(time.DateOnly), "during": during, "trigger": or(argument.Line(c.Flag("trigger")), "[what has to happen first]"),
		"scope": or(argument.Line(c.Flag("scope")), "unknown"), "why": or(argument.Line(c.Flag("why")), "[why it matters]"),
	})
	file := id + "-" + slugOf(title) + ".md"
	entry := Entry{ID: id, File: file, Title: title, Status: "dormant", Created: now.Format(time.DateOnly)}
	return made{file: file, text: text, entry: entry}, err
}

func composeThread(c *planop.Call, title string, _ []string) (made, error) {
	now, slug := c.Now().UTC().Format(time.DateOnly), slugOf(title)
	text, err := filled("stores/thread.md", title, map[string]string{
		"slug": slug, "title": title, "date": now, "goal": or(argument.Line(c.Flag("goal")), "[What is true when the thread can be closed]"),
	})
	return made{file: slug + ".md", text: text, entry: Entry{File: slug + ".md", Title: title, Status: "open", Created: now}}, err
}

func composeDebug(c *planop.Call, title string, names []string) (made, error) {
	now, slug := c.Now().UTC().Format(timeForm), slugOf(title)
	if slices.Contains(names, slug+".md") {
		return made{}, planop.Faultf("already_exists", "there is a session %s already; \"ken plan debug list\" shows it", slug)
	}
	text, err := filled("DEBUG.md", title, map[string]string{"title": title, "time": now})
	return made{file: slug + ".md", text: text, entry: Entry{File: slug + ".md", Title: title, Status: "gathering", Created: now}}, err
}
