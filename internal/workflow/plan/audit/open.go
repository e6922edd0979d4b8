package audit

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/planop"
)

// Open is the open work in a planning folder.
type Open struct {
	Scanned  string   `json:"scanned_at"`
	Has      bool     `json:"has_open_items"`
	Counts   Counts   `json:"counts"`
	Items    Items    `json:"items"`
	Problems []string `json:"problems,omitempty"` // unreadable files
}

// Counts are the numbers of open items of each kind.
type Counts struct {
	Debug         int `json:"debug_sessions"`
	Quick         int `json:"quick_tasks"`
	Threads       int `json:"threads"`
	Todos         int `json:"todos"`
	Seeds         int `json:"seeds"`
	UAT           int `json:"uat_gaps"`
	Verifications int `json:"verification_gaps"`
	Questions     int `json:"context_questions"`
	Total         int `json:"total"`
}

// Items are all open items of a planning folder, by kind.
type Items struct {
	Debug         []Debug        `json:"debug_sessions"`
	Quick         []Quick        `json:"quick_tasks"`
	Threads       []Thread       `json:"threads"`
	Todos         []Todo         `json:"todos"`
	Seeds         []Seed         `json:"seeds"`
	UAT           []UATGap       `json:"uat_gaps"`
	Verifications []Verification `json:"verification_gaps"`
	Questions     []Questions    `json:"context_questions"`
}

// Debug is a debug session that is not resolved.
type Debug struct {
	Slug       string `json:"slug"`
	Status     string `json:"status"`
	Updated    string `json:"updated"`
	Hypothesis string `json:"hypothesis"`
}

// Quick is a quick task that is not complete. The status of one without a summary is "missing".
type Quick struct {
	Slug        string `json:"slug"`
	Date        string `json:"date"`
	Status      string `json:"status"`
	Description string `json:"description"`
	ID          string `json:"quick_id,omitempty"`
}

// Thread is a thread, a long subject of several sessions, that is open.
type Thread struct {
	Slug    string `json:"slug"`
	Status  string `json:"status"`
	Updated string `json:"updated"`
	Title   string `json:"title"`
}

// Todo is a pending todo.
type Todo struct {
	File     string `json:"filename"`
	Priority string `json:"priority"`
	Area     string `json:"area"`
	Summary  string `json:"summary"`
}

// Seed is an idea that was not carried out.
type Seed struct {
	ID     string `json:"seed_id"`
	Slug   string `json:"slug"`
	Status string `json:"status"`
	Title  string `json:"title"`
}

// UATGap is a file of acceptance tests that are not finished.
type UATGap struct {
	Phase  string `json:"phase"`
	File   string `json:"file"`
	Status string `json:"status"`
	Open   int    `json:"open_scenario_count"`
}

// Verification is the verification of a phase that found gaps or needs a person.
type Verification struct {
	Phase  string `json:"phase"`
	File   string `json:"file"`
	Status string `json:"status"`
}

// Questions are the unanswered questions in the context document of a phase.
type Questions struct {
	Phase     string   `json:"phase"`
	File      string   `json:"file"`
	Count     int      `json:"question_count"`
	Questions []string `json:"questions"`
}

// The maximal lengths of quoted texts.
const maxShown, maxQuestion = 100, 200

func auditOpen(_ context.Context, c *planop.Call, _ *planop.NoInput) (Open, error) {
	r, err := newReader(c)
	if err != nil {
		return Open{}, err
	}
	o := Open{Scanned: c.Now().UTC().Format("2006-01-02T15:04:05.000Z")}
	i, n := &o.Items, &o.Counts
	i.Debug, i.Quick, i.Threads, i.Todos, i.Seeds = r.debugSessions(), r.openQuickTasks(), r.openThreads(), r.pendingTodos(), r.openSeeds()
	i.UAT, i.Verifications, i.Questions = []UATGap{}, []Verification{}, []Questions{}
	for _, dir := range r.folderNames("phases") {
		i.addPhase(r, dir)
	}
	n.Debug, n.Quick, n.Threads, n.Todos, n.Seeds = len(i.Debug), len(i.Quick), len(i.Threads), len(i.Todos), len(i.Seeds)
	n.UAT, n.Verifications, n.Questions = len(i.UAT), len(i.Verifications), len(i.Questions)
	n.Total = n.Debug + n.Quick + n.Threads + n.Todos + n.Seeds + n.UAT + n.Verifications + n.Questions
	o.Has = n.Total > 0
	o.Problems = r.unreadableFiles()
	return o, nil
}

func acceptAll(string) bool { return true }

// fileSlug returns the name of a file without its ending.
func fileSlug(name string) string { return displayLine(strings.TrimSuffix(name, ".md"), maxShown) }

// isStatus reports whether a status is one of words. Blanks, dashes and underscores in it are the same.
func isStatus(status string, words ...string) bool {
	return slices.Contains(words, strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(status))))
}

// lastChange returns the time of a note's last change from its front matter.
func lastChange(n *artefact.Note) string {
	return displayLine(cmp.Or(n.Value("updated"), n.Value("date")), maxShown)
}

// debugSessions returns the debug sessions that are not resolved. It does not read the folder resolved.
func (r *reader) debugSessions() []Debug {
	list := []Debug{}
	for _, f := range r.readFiles("debug", func(name string) bool { return name != "knowledge-base.md" }) {
		n := artefact.ParseNote(f.text)
		if status := cmp.Or(n.Status(), "unknown"); !isStatus(status, "resolved", "complete") {
			list = append(list, Debug{fileSlug(f.name), displayLine(status, maxShown), lastChange(n), displayLine(debugFocus(n.Doc), maxShown)})
		}
	}
	return list
}

// debugFocus returns the hypothesis of a debug session, or the first line about its subject if it has none.
func debugFocus(d *document.Document) string {
	h, ok := d.FindHeading(d.Body(), "Current Focus")
	if !ok {
		return ""
	}
	if f, ok := d.Field(h.Section(), "hypothesis"); ok && !isStatus(d.Value(f), "", "|", ">") {
		return d.Value(f)
	}
	for i := h.Line + 1; i < h.End; i++ {
		line := strings.TrimSpace(d.Line(i))
		if d.Kind(i) == document.Text && line != "" && line != "hypothesis: |" && line != "hypothesis:" {
			return line
		}
	}
	return ""
}

// openQuickTasks returns the quick tasks that have no summary, or a summary with another status than complete.
func (r *reader) openQuickTasks() []Quick {
	list := []Quick{}
	for _, dir := range r.folderNames("quick") {
		entries, err := r.List(path.Join("quick", dir))
		if err != nil {
			r.addUnreadable(err)
		}
		var names []string
		for _, e := range entries {
			names = append(names, e.Name)
		}
		q, ok := artefact.ParseQuickTask(dir)
		if !ok {
			q.Slug = dir
		}
		if status := r.quickStatus(dir, q.Summaries(names)); status != "complete" {
			words := displayLine(strings.ReplaceAll(q.Slug, "-", " "), maxShown)
			list = append(list, Quick{displayLine(q.Slug, maxShown), q.Date, displayLine(status, maxShown), words, q.ID})
		}
	}
	return list
}

// quickStatus returns the status of a quick task from its summaries: complete, unless one of them has another status.
func (r *reader) quickStatus(dir string, summaries []string) string {
	for _, name := range summaries {
		text, err := r.Read(path.Join("quick", dir, name))
		if err != nil {
			r.addUnreadable(err)
			return "unreadable"
		}
		if status := artefact.ParseNote(text).Value("status"); status != "" && !isStatus(status, "complete", "completed", "done", "passed") {
			return strings.ToLower(status)
		}
	}
	if len(summaries) == 0 {
		return "missing"
	}
	return "complete"
}

// openThreads returns the open threads. A thread without a status is open, as in the list of threads.
func (r *reader) openThreads() []Thread {
	list := []Thread{}
	for _, f := range r.readFiles("threads", acceptAll) {
		n := artefact.ParseNote(f.text)
		status := cmp.Or(n.Status(), "open")
		if isStatus(status, "resolved", "closed", "complete", "completed", "done", "archived") {
			continue
		}
		title := strings.TrimSpace(strings.TrimPrefix(n.Title(), "Thread:"))
		list = append(list, Thread{fileSlug(f.name), displayLine(status, maxShown), lastChange(n), displayLine(title, maxShown)})
	}
	return list
}

func (r *reader) pendingTodos() []Todo {
	list := []Todo{}
	for _, f := range r.readFiles("todos/pending", acceptAll) {
		n := artefact.ParseNote(f.text)
		priority, area := displayLine(n.Value("priority"), maxShown), displayLine(n.Value("area"), maxShown)
		list = append(list, Todo{displayLine(f.name, maxShown), priority, area, displayLine(todoSummary(n), maxShown)})
	}
	return list
}

// todoSummary returns the title of a todo, or its first line that is not a heading, because all todos begin with the same headings.
func todoSummary(n *artefact.Note) string {
	if title := n.Value("title"); title != "" {
		return title
	}
	d := n.Doc
	for i := d.Body().From; i < d.LineCount(); i++ {
		line := strings.TrimSpace(d.Line(i))
		if d.Kind(i) == document.Text && line != "" && !strings.HasPrefix(line, "#") {
			return line
		}
	}
	return n.Title()
}

func (r *reader) openSeeds() []Seed {
	list := []Seed{}
	for _, f := range r.readFiles("seeds", func(name string) bool { return strings.HasPrefix(name, "SEED-") }) {
		n := artefact.ParseNote(f.text)
		if status := cmp.Or(n.Status(), "dormant"); isStatus(status, "dormant", "active", "triggered") {
			id := fileSlug(f.name)
			list = append(list, Seed{id, strings.TrimPrefix(id, "SEED-"), status, displayLine(n.Title(), maxShown)})
		}
	}
	return list
}

// addPhase adds the open items in the folder of a phase, which may belong to any milestone.
func (i *Items) addPhase(r *reader, dir string) {
	at, phase := path.Join("phases", dir), displayLine(phaseNumber(dir), maxShown)
	for _, f := range r.readFiles(at, kindFilter("UAT")) {
		if u := artefact.ParseUAT(f.text); !u.IsClosed() {
			i.UAT = append(i.UAT, UATGap{phase, f.name, displayLine(strings.ToLower(cmp.Or(u.Status, "unknown")), maxShown), u.Pending()})
		}
	}
	for _, f := range r.readFiles(at, kindFilter("VERIFICATION")) {
		if status := strings.ToLower(artefact.ParseVerification(f.text).Status); isStatus(status, "gaps_found", "human_needed") {
			i.Verifications = append(i.Verifications, Verification{phase, f.name, status})
		}
	}
	for _, f := range r.readFiles(at, kindFilter("CONTEXT")) {
		open := artefact.OpenQuestions(f.text)
		for n, q := range open {
			open[n] = displayLine(q, maxQuestion)
		}
		if len(open) > 0 {
			i.Questions = append(i.Questions, Questions{phase, f.name, len(open), open})
		}
	}
}
