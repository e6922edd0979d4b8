package stores

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"ken/internal/workflow/plan/argument"
	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/query"
	"ken/internal/workflow/plan/scaffold"
)

// storeKind is a kind of store whose entries are files with a status, such as seeds or threads.
type storeKind struct {
	name, plural, dir string
	what              string // for help
	statuses          []string
	closed            string // the status of a finished entry
	closedDir         string // the folder for finished entries, "" if they stay
	updated           string // the key in the front matter that has the day of the last change, or ""
	note              string // the key in the front matter whose value a list shows
}

var (
	seeds = storeKind{
		name: "seed", plural: "seeds", dir: "seeds", what: "an idea for a later milestone", statuses: []string{"dormant", "active", "triggered", "implemented"}, closed: "implemented",
		note: "trigger_when",
	}
	threads = storeKind{
		name: "thread", plural: "threads", dir: "threads", what: "a thread of work over several sessions", statuses: []string{"open", "in_progress", "resolved"},
		closed: "resolved", updated: "updated",
	}
	debugSessions = storeKind{
		name: "debug", plural: "debug_sessions", dir: "debug", what: "a debug session", closed: "resolved", closedDir: "debug/resolved", updated: "updated",
		statuses: []string{"gathering", "investigating", "fixing", "verifying", "awaiting_human_verify", "resolved"},
	}
)

type seedInput struct {
	Title   string `arg:"TITLE…" help:"what it is about"`
	Trigger string `flag:"trigger" words:"yes" help:"when the idea is to come up again"`
	Scope   string `flag:"scope" help:"small, medium or large"`
	Why     string `flag:"why" words:"yes" help:"why it matters"`
}

type threadInput struct {
	Title string `arg:"TITLE…" help:"what it is about"`
	Goal  string `flag:"goal" words:"yes" help:"what it is for"`
}

type debugInput struct {
	Title string `arg:"TITLE…" help:"what it is about"`
}

type entriesInput struct {
	Status string `flag:"status" help:"with this status alone"`
}

type entryStatusInput struct {
	Name   string `arg:"NAME" help:"a file, or a part of its name that no other has"`
	Status string `arg:"STATUS" help:"the new status"`
}

type entryInput struct {
	Name string `arg:"NAME" help:"a file, or a part of its name that no other has"`
}

func kindOperations() []*planop.Operation {
	return slices.Concat(
		operationsOn(&seeds, composeSeed), operationsOn(&threads, composeThread), operationsOn(&debugSessions, composeDebug),
	)
}

// operationsOn declares the operations on a kind of store. Its new entries are composed from an In, the input of a call.
func operationsOn[In any](k *storeKind, compose func(c *planop.Call, in *In, names []string) (madeFile, error)) []*planop.Operation {
	return []*planop.Operation{
		planop.Spec[In, Created]{
			Name: k.name + " create", Summary: "begin " + k.what, Writes: true,
			Run: func(ctx context.Context, c *planop.Call, in *In) (Created, error) {
				return createEntry(ctx, c, k.dir, func(names []string) (madeFile, error) { return compose(c, in, names) })
			},
		}.Operation(),
		planop.Spec[entriesInput, ListedEntries]{
			Name: k.name + " list", Summary: "the entries of " + k.dir, Enums: map[string][]string{"status": k.statuses},
			Run: func(_ context.Context, c *planop.Call, in *entriesInput) (ListedEntries, error) {
				return k.listEntries(c, in.Status)
			},
		}.Operation(),
		planop.Spec[entryStatusInput, StatusSet]{
			Name: k.name + " status", Summary: "set the status of " + k.what, Writes: true, Enums: map[string][]string{"STATUS": k.statuses},
			Run: func(ctx context.Context, c *planop.Call, in *entryStatusInput) (StatusSet, error) {
				return k.setStatus(ctx, c, in.Name, in.Status)
			},
		}.Operation(),
		planop.Spec[entryInput, StatusSet]{
			Name: k.name + " complete", Summary: "close " + k.what, Writes: true,
			Run: func(ctx context.Context, c *planop.Call, in *entryInput) (StatusSet, error) {
				return k.setStatus(ctx, c, in.Name, k.closed)
			},
		}.Operation(),
	}
}

func (k *storeKind) listEntries(c *planop.Call, status string) (ListedEntries, error) {
	f, err := c.Folder()
	if err != nil {
		return nil, err
	}
	var list []Entry
	for _, dir := range []string{k.dir, k.closedDir} {
		if dir == "" {
			continue
		}
		files, found, err := readNotes(f, dir)
		if err != nil {
			return nil, err
		}
		for i, n := range found {
			e := Entry{
				ID: n.Value("id"), File: files[i], Title: cmp.Or(n.Title(), strings.TrimSuffix(files[i], ".md")), Status: cmp.Or(n.Status(), k.statuses[0]),
				Created: cmp.Or(n.Value("created"), n.Value("planted")), Updated: n.Value("updated"), Path: f.Path(path.Join(dir, files[i])),
			}
			if k.note != "" {
				e.Note = n.Value(k.note)
			}
			if status == "" || status == e.Status {
				list = append(list, e)
			}
		}
	}
	return newListed(k.plural, list), nil
}

// setStatus changes the status of an entry, and moves a finished entry into the folder for those.
func (k *storeKind) setStatus(ctx context.Context, c *planop.Call, name, status string) (StatusSet, error) {
	f, err := c.Folder()
	if err != nil {
		return StatusSet{}, err
	}
	dir := k.dir
	file, err := findEntry(c, "Entry", dir, name)
	if err != nil && k.closedDir != "" {
		var later error
		if file, later = findEntry(c, "Entry", k.closedDir, name); later == nil {
			dir, err = k.closedDir, nil
		}
	}
	if err != nil {
		return StatusSet{}, err
	}
	goal := k.dir
	if status == k.closed && k.closedDir != "" {
		goal = k.closedDir
	}
	from, err := c.PathBelowPlanning(path.Join(dir, file))
	if err != nil {
		return StatusSet{}, err
	}
	to, err := c.PathBelowPlanning(path.Join(goal, file))
	if err != nil {
		return StatusSet{}, err
	}
	answer := StatusSet{Updated: true, File: file, Path: f.Path(path.Join(goal, file)), Status: status}
	_, err = c.Change(ctx, c.Name+" "+file, func(read change.Read) ([]change.File, error) {
		text, there, err := read(from)
		if err != nil || !there {
			return nil, errorOr(err, planop.Faultf("entry_not_found", "%s is missing", from))
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
			files[0].From = from
			files = append(files, change.File{Name: from})
		}
		return files, nil
	})
	return answer, err
}

// withStatus returns the text of an entry with another status. If the status is the same, the text keeps its date of change.
func (k *storeKind) withStatus(c *planop.Call, text, status, previous string) (string, error) {
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

func composeSeed(c *planop.Call, in *seedInput, names []string) (madeFile, error) {
	title := argument.SingleLine(in.Title)
	now := c.Now().UTC()
	id := "SEED-" + nextNumber(names, "SEED-")
	during := "[milestone]"
	if q, err := query.New(c); err == nil {
		if r := q.Report(); r.Version != "" {
			during = strings.TrimSpace(r.Version + " " + r.Name)
		}
	}
	text, err := fillTemplate("stores/seed.md", title, map[string]string{
		"id": id, "title": title, "date": now.Format(time.DateOnly), "during": during, "trigger": cmp.Or(argument.SingleLine(in.Trigger), "[what has to happen first]"),
		"scope": cmp.Or(argument.SingleLine(in.Scope), "unknown"), "why": cmp.Or(argument.SingleLine(in.Why), "[why it matters]"),
	})
	file := id + "-" + titleSlug(title) + ".md"
	entry := Entry{ID: id, File: file, Title: title, Status: "dormant", Created: now.Format(time.DateOnly)}
	return madeFile{file: file, text: text, entry: entry}, err
}

func composeThread(c *planop.Call, in *threadInput, _ []string) (madeFile, error) {
	title := argument.SingleLine(in.Title)
	now, slug := c.Now().UTC().Format(time.DateOnly), titleSlug(title)
	text, err := fillTemplate("stores/thread.md", title, map[string]string{
		"slug": slug, "title": title, "date": now, "goal": cmp.Or(argument.SingleLine(in.Goal), "[What is true when the thread can be closed]"),
	})
	return madeFile{file: slug + ".md", text: text, entry: Entry{File: slug + ".md", Title: title, Status: "open", Created: now}}, err
}

func composeDebug(c *planop.Call, in *debugInput, names []string) (madeFile, error) {
	title := argument.SingleLine(in.Title)
	now, slug := c.Now().UTC().Format(timeForm), titleSlug(title)
	if slices.Contains(names, slug+".md") {
		return madeFile{}, planop.Faultf("already_exists", "there is a session %s already; \"ken plan debug list\" shows it", slug)
	}
	text, err := fillTemplate("DEBUG.md", title, map[string]string{"title": title, "time": now})
	return madeFile{file: slug + ".md", text: text, entry: Entry{File: slug + ".md", Title: title, Status: "gathering", Created: now}}, err
}
