package stores

import (
	"cmp"
	"context"
	"path"
	"strconv"
	"strings"
	"time"

	"ken/internal/workflow/plan/argument"
	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/planop"
)

// QuickTask is a quick task: a small piece of work outside of the phases.
type QuickTask struct {
	ID        string `json:"quick_id"`
	Slug      string `json:"slug"`
	Date      string `json:"date"`
	Status    string `json:"status"`
	Directory string `json:"directory"`
}

// QuickCreated is a new quick task.
type QuickCreated struct {
	Created     bool   `json:"created"`
	Description string `json:"description"`
	QuickTask
}

// QuickList are the quick tasks, in the order of their ids.
type QuickList struct {
	Count int         `json:"count"`
	Tasks []QuickTask `json:"quick_tasks"`
}

// QuickCompleted is a quick task that STATE.md lists as completed.
type QuickCompleted struct {
	Completed bool `json:"completed"`
	QuickTask
	Recorded bool   `json:"recorded"` // a row was added; false if it existed
	Commit   string `json:"commit,omitempty"`
}

type descriptionInput struct {
	Description string `arg:"DESCRIPTION…" help:"what to do"`
}

type quickListInput struct {
	Status string `flag:"status" enum:"complete,incomplete" help:"of this status alone"`
}

type quickStatusInput struct {
	ID string `arg:"ID" help:"the id of a quick task, or a part of its folder that no other has"`
}

type quickCompleteInput struct {
	ID          string `arg:"ID" help:"the id of a quick task, or a part of its folder that no other has"`
	Commit      string `flag:"commit" help:"the commit of the work"`
	Description string `flag:"description" words:"yes" help:"the words of its folder if not given"`
}

func quickOperations() []*planop.Operation {
	return []*planop.Operation{
		planop.Spec[descriptionInput, QuickCreated]{
			Name: "quick create", Summary: "make the folder of a quick task", Writes: true, Run: createQuick,
			Plain: func(a QuickCreated) string { return a.Directory },
		}.Operation(),
		planop.Spec[quickListInput, QuickList]{
			Name: "quick list", Summary: "quick tasks, with whether they have a summary", Run: listQuick,
		}.Operation(),
		planop.Spec[quickStatusInput, QuickTask]{Name: "quick status", Summary: "a quick task", Run: showQuick}.Operation(),
		planop.Spec[quickCompleteInput, QuickCompleted]{
			Name: "quick complete", Summary: "name a quick task that has its summary in STATE.md", Writes: true, Shared: true,
			Run: completeQuick,
		}.Operation(),
	}
}

// The maximal length of a quick task's title in a folder name, and the number of seconds that one step of its id represents.
const (
	maxQuickSlug = 40
	idSeconds    = 2
)

// quickID returns an id of the day, and three letters for the time of day. Tasks that begin within two seconds would have the same id,
// so it takes the next one that is not in names.
func quickID(now time.Time, names []string) string {
	day := now.Format("060102")
	midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	const letters = 36 * 36 * 36
	for n := int(now.Sub(midnight).Seconds()) / idSeconds; ; n = (n + 1) % letters {
		part := strconv.FormatInt(int64(n), 36)
		id := day + "-" + strings.Repeat("0", 3-len(part)) + part
		taken := false
		for _, name := range names {
			taken = taken || name == id || strings.HasPrefix(name, id+"-")
		}
		if !taken {
			return id
		}
	}
}

func createQuick(ctx context.Context, c *planop.Call, in *descriptionInput) (QuickCreated, error) {
	description := argument.SingleLine(in.Description)
	if description == "" {
		return QuickCreated{}, planop.Usagef("DESCRIPTION is empty")
	}
	f, err := c.Folder()
	if err != nil {
		return QuickCreated{}, err
	}
	now := c.Now().UTC()
	slug := cmp.Or(phaseid.Slug(description, maxQuickSlug), "task")
	answer := QuickCreated{Created: true, Description: description}
	_, err = c.Change(ctx, "quick create "+slug, func(change.Read) ([]change.File, error) {
		names, err := namesIn(f, "quick")
		if err != nil {
			return nil, err
		}
		id := quickID(now, names)
		dir := path.Join("quick", id+"-"+slug)
		answer.QuickTask = QuickTask{ID: id, Slug: slug, Date: now.Format(time.DateOnly), Status: "incomplete", Directory: f.Path(dir)}
		below, err := c.PathBelowPlanning(path.Join(dir, ".gitkeep"))
		if err != nil {
			return nil, err
		}
		empty := ""
		return []change.File{{Name: below, Text: &empty}}, nil
	})
	return answer, err
}

// quickTask reads a quick task from its folder. It reports false if the folder is none of a quick task.
func quickTask(f *folder.Folder, name string) (QuickTask, bool, error) {
	q, ok := artefact.ParseQuickTask(name)
	if !ok {
		return QuickTask{}, false, nil
	}
	files, err := namesIn(f, path.Join("quick", name))
	if err != nil {
		return QuickTask{}, false, err
	}
	status := "incomplete"
	if q.IsDone(files) {
		status = "complete"
	}
	return QuickTask{q.ID, q.Slug, q.Date, status, f.Path(path.Join("quick", name))}, true, nil
}

func listQuick(_ context.Context, c *planop.Call, in *quickListInput) (QuickList, error) {
	f, err := c.Folder()
	if err != nil {
		return QuickList{}, err
	}
	entries, err := f.List("quick")
	if err != nil {
		return QuickList{}, err
	}
	out := QuickList{Tasks: []QuickTask{}}
	for _, e := range entries {
		if !e.Dir {
			continue
		}
		q, ok, err := quickTask(f, e.Name)
		if err != nil {
			return QuickList{}, err
		}
		if ok && (in.Status == "" || in.Status == q.Status) {
			out.Tasks = append(out.Tasks, q)
		}
	}
	out.Count = len(out.Tasks)
	return out, nil
}

func findQuick(c *planop.Call, id string) (QuickTask, error) {
	name, err := findEntry(c, "Quick task", "quick", id)
	if err != nil {
		return QuickTask{}, err
	}
	f, err := c.Folder()
	if err != nil {
		return QuickTask{}, err
	}
	q, ok, err := quickTask(f, name)
	if err == nil && !ok {
		err = planop.Faultf("entry_not_found", "%s is not the folder of a quick task", name)
	}
	return q, err
}

func showQuick(_ context.Context, c *planop.Call, in *quickStatusInput) (QuickTask, error) {
	return findQuick(c, in.ID)
}

// completeQuick adds a row for a quick task to the table of completed ones in STATE.md. If there is no table, it adds that, too.
func completeQuick(ctx context.Context, c *planop.Call, in *quickCompleteInput) (QuickCompleted, error) {
	q, err := findQuick(c, in.ID)
	if err != nil {
		return QuickCompleted{}, err
	}
	if q.Status != "complete" {
		return QuickCompleted{}, planop.Faultf("summary_missing", "%s has no %s-SUMMARY.md yet", q.Directory, q.ID)
	}
	below, err := c.PathBelowPlanning("STATE.md")
	if err != nil {
		return QuickCompleted{}, err
	}
	row := map[string]string{
		"#": q.ID, "description": cmp.Or(argument.SingleLine(in.Description), strings.ReplaceAll(q.Slug, "-", " ")), "date": c.Now().UTC().Format(time.DateOnly),
		"commit": argument.SingleLine(in.Commit), "status": "Complete",
		"directory": "[" + path.Base(q.Directory) + "](./quick/" + path.Base(q.Directory) + "/)",
	}
	row["task"] = row["description"] // some tables name the column so
	answer := QuickCompleted{Completed: true, QuickTask: q, Commit: row["commit"]}
	_, err = c.Change(ctx, "quick complete "+q.ID, func(read change.Read) ([]change.File, error) {
		text, there, err := read(below)
		if err != nil || !there {
			return nil, errorOr(err, planop.Faultf("state_not_found", "there is no STATE.md"))
		}
		doc := document.Parse(text)
		if line := doc.ConflictLine(); line > 0 {
			return nil, planop.Faultf("conflict", "STATE.md: line %d begins an unresolved merge conflict", line)
		}
		after, added := withQuickRow(doc, q.ID, row)
		answer.Recorded = added
		return []change.File{{Name: below, Text: &after}}, nil
	})
	return answer, err
}

const quickHeading = "Quick Tasks Completed"

// withQuickRow returns the text of STATE.md with a row for a quick task. The row has the columns of the table that is there.
func withQuickRow(doc *document.Document, id string, row map[string]string) (text string, added bool) {
	newline := doc.Newline()
	heading, ok := doc.FindHeading(doc.Body(), quickHeading)
	if ok {
		for _, t := range doc.Tables(heading.Section()) {
			if doc.Column(t, "Description", "Task") < 0 {
				continue // a table about something else
			}
			return withTableRow(doc, t, id, row)
		}
	}
	var cells []string
	columns := []string{"#", "Description", "Date", "Commit", "Directory"}
	for _, name := range columns {
		cells = append(cells, strings.ReplaceAll(row[strings.ToLower(name)], "|", `\|`))
	}
	table := []string{"| " + strings.Join(columns, " | ") + " |", "|---|---|---|---|---|", "| " + strings.Join(cells, " | ") + " |"}
	if ok {
		return insertLine(doc, heading.Line+1, newline+strings.Join(table, newline)), true
	}
	at := doc.LineCount()
	if h, ok := doc.FindHeading(doc.Body(), "Session Continuity", "Session"); ok {
		at = h.Line
	}
	block := "### " + quickHeading + newline + newline + strings.Join(table, newline)
	if at < doc.LineCount() {
		return insertLine(doc, at, block+newline), true
	}
	return insertLine(doc, at, newline+block), true
}

// withTableRow returns the text of a document with a row at the end of a table. If a row has the id already, the text is unchanged.
func withTableRow(doc *document.Document, t document.Table, id string, row map[string]string) (text string, added bool) {
	last := t.Head.Line + 1
	for _, r := range t.Rows {
		if strings.Contains(doc.Cell(r, 0), id) {
			return doc.Text(), false
		}
		last = r.Line
	}
	var cells []string
	for i := range t.Head.Cells {
		cells = append(cells, strings.ReplaceAll(row[strings.ToLower(doc.Cell(t.Head, i))], "|", `\|`))
	}
	return insertLine(doc, last+1, "| "+strings.Join(cells, " | ")+" |"), true
}

// insertLine returns the text of a document with lines inserted before the line with number line.
func insertLine(doc *document.Document, line int, lines string) string {
	text, newline := doc.Text(), doc.Newline()
	at := doc.LineStart(min(line, doc.LineCount()))
	before := text[:at]
	if before != "" && !strings.HasSuffix(before, "\n") {
		before += newline
	}
	return before + lines + newline + text[at:]
}
