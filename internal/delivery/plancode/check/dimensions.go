package check

import (
	"fmt"
	"strings"

	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/document"
)

// Dimension is one of the twelve that plans are reviewed by.
type Dimension struct {
	Number   int      `json:"number"`
	Name     string   `json:"name"`
	Judged   bool     `json:"judged"`
	Verdict  string   `json:"verdict"` // passed, warning, blocker or not_judged
	Evidence []string `json:"evidence"`
}

// dimensions are the twelve, with the function that judges each; those without one need a reader who understands the plan.
var dimensions = []struct {
	name  string
	judge func(x *checker, d *Dimension)
	why   string
}{
	{"requirement_coverage", (*checker).requirements, ""},
	{"task_completeness", (*checker).tasks, ""},
	{"dependency_correctness", (*checker).dependencies, ""},
	{"key_links_planned", (*checker).links, ""},
	{"scope_sanity", (*checker).scope, ""},
	{"verification_derivation", (*checker).derivation, ""},
	{"context_compliance", nil, "whether the plan does what was decided has to be read"},
	{"nyquist_sampling", (*checker).sampling, ""},
	{"cross_plan_data_contracts", nil, "what plans hand each other has to be understood"},
	{"project_instructions", nil, "whether the instructions of the project are followed has to be read"},
	{"research_resolved", (*checker).research, ""},
	{"pattern_compliance", nil, "whether the code follows its nearest example has to be read"},
}

func (d *Dimension) note(format string, args ...any) {
	d.Evidence = append(d.Evidence, fmt.Sprintf(format, args...))
}

// fail makes a verdict worse and adds the reason.
func (x *checker) fail(d *Dimension, level, task string, line int, hint, format string, args ...any) {
	if d.Verdict != "blocker" {
		d.Verdict = level
	}
	d.note(format, args...)
	x.issue(d.Name, level, task, line, hint, format, args...)
}

func (d *Dimension) cannot(why string) {
	d.Judged, d.Verdict = false, "not_judged"
	d.note("%s", why)
}

func (x *checker) requirements(d *Dimension) {
	if len(x.plan.Requirements) == 0 {
		if x.around.Phase {
			x.fail(d, "blocker", "", 0, "name the requirements that the plan is for", "requirements is empty")
		} else {
			d.cannot("a plan outside the phases covers no requirement")
		}
		return
	}
	if x.around.Requirements == nil {
		d.cannot("there is no REQUIREMENTS.md to compare with")
		return
	}
	for _, id := range x.plan.Requirements {
		if id = strings.TrimSpace(id); x.around.Requirements[id] {
			d.note("%s is in REQUIREMENTS.md", id)
		} else {
			x.fail(d, "warning", "", 0, "use an ID of REQUIREMENTS.md", "%s is in no list of requirements", id)
		}
	}
}

func (x *checker) tasks(d *Dimension) {
	if len(x.plan.Tasks) == 0 {
		x.fail(d, "blocker", "", 0, "divide the plan into tasks", "the plan has no task")
		return
	}
	for i := range x.plan.Tasks {
		t := &x.plan.Tasks[i]
		if t.Heading {
			d.cannot("tasks below headings have no parts to look at")
			return
		}
		if t.Checkpoint() {
			continue
		}
		for _, part := range []struct {
			name  string
			there bool
			level string
		}{{"files", t.HasFiles, "warning"}, {"action", t.HasAction, "blocker"}, {"verify", t.HasVerify, "blocker"}, {"done", t.HasDone, "warning"}} {
			if !part.there {
				x.fail(d, part.level, t.Name, t.Line+1, "add <"+part.name+">", "task %q has no <%s>", t.Name, part.name)
			}
		}
	}
	if len(d.Evidence) == 0 {
		d.note("%d tasks have files, action, verify and done", len(x.plan.Tasks))
	}
}

func (x *checker) dependencies(d *Dimension) {
	switch {
	case !x.around.Phase:
		d.cannot("a plan outside the phases depends on none")
	case x.around.Order != "":
		x.fail(d, "blocker", "", 0, "correct depends_on or wave", "%s", x.around.Order)
	default:
		d.note("depends_on names %d plans, all are there and in no circle", len(x.plan.DependsOn))
	}
}

// links judges whether both ends of each connection are there or made.
func (x *checker) links(d *Dimension) {
	links := x.plan.MustHaves.Links
	if len(links) == 0 {
		d.note("no key_links are named")
		return
	}
	known := map[string]Verdict{}
	for _, f := range x.r.Files {
		known[f.Name] = f.Verdict
	}
	for _, l := range links {
		for _, end := range []string{l.From, l.To} {
			if known[end] == Missing {
				x.fail(d, "blocker", "", 0, "name a file that is there or is made", "the connection from %s to %s ends at %s, which is not there", l.From, l.To, end)
			}
		}
	}
	if d.Verdict == "passed" {
		d.note("%d key_links end at files that are there or are made", len(links))
	}
}

// The sizes from which a plan is too large for one executor.
const (
	manyTasks, tooManyTasks = 4, 5
	manyFiles, tooManyFiles = 11, 15
)

func (x *checker) scope(d *Dimension) {
	tasks, files := 0, len(x.plan.Files)
	for i := range x.plan.Tasks {
		if !x.plan.Tasks[i].Checkpoint() {
			tasks++
		}
	}
	d.note("%d tasks, %d files, %d tokens to read", tasks, files, x.r.Reading.Tokens)
	switch {
	case tasks >= tooManyTasks:
		x.fail(d, "blocker", "", 0, "split the plan", "%d tasks: %d are too many for one executor", tasks, tooManyTasks)
	case tasks >= manyTasks:
		x.fail(d, "warning", "", 0, "split the plan", "%d tasks: two or three leave room", tasks)
	}
	switch {
	case files >= tooManyFiles:
		x.fail(d, "blocker", "", 0, "split the plan", "%d files: %d are too many for one executor", files, tooManyFiles)
	case files >= manyFiles:
		x.fail(d, "warning", "", 0, "split the plan", "%d files: up to ten leave room", files)
	}
	if half := x.around.Window / 2; half > 0 && x.r.Reading.Tokens > half {
		x.fail(d, "blocker", "", 0, "split the plan, or name parts of files", "what has to be read takes %d tokens, more than half of the window", x.r.Reading.Tokens)
	}
}

func (x *checker) derivation(d *Dimension) {
	m := &x.plan.MustHaves
	if len(m.Truths) == 0 {
		x.fail(d, "blocker", "", 0, "say what a user can observe afterwards", "must_haves has no truths")
	} else {
		d.note("%d truths; whether they can be observed has to be read", len(m.Truths))
	}
	for _, a := range m.Artifacts {
		real, ok, _ := x.places.Find(a.Path)
		if a.Path != "" && !ok && !x.writes[a.Path] && !x.writes[real] {
			x.fail(d, "warning", "", 0, "add it to files_modified", "the artifact %s is not there, and the plan does not write it", a.Path)
		}
	}
}

// verifiedTasks returns the tasks, by line, that name a command that verifies them.
func verifiedTasks(d *document.Document) map[int]bool {
	out := map[int]bool{}
	tags := d.Tags(d.Body())
	for _, tag := range tags {
		if tag.Name != "automated" || strings.HasPrefix(strings.ToLower(d.Content(tag)), "missing") {
			continue
		}
		for at := tag.Parent; at >= 0; at = tags[at].Parent {
			if tags[at].Name == "task" {
				out[tags[at].Line] = true
			}
		}
	}
	return out
}

func (x *checker) sampling(d *Dimension) {
	with := verifiedTasks(x.plan.Doc)
	without, row := 0, 0
	judged := func(t *artefact.Task) bool { return !t.Heading && !t.Checkpoint() }
	n := 0
	for i := range x.plan.Tasks {
		t := &x.plan.Tasks[i]
		if !judged(t) {
			continue
		}
		n++
		if with[t.Line] {
			row = 0
			continue
		}
		without++
		if row++; row == 3 {
			x.fail(d, "blocker", t.Name, t.Line+1, "give one of them a command", "three tasks in a row have no command that verifies them")
		}
	}
	switch {
	case n == 0:
		d.cannot("there is no task with parts to look at")
		return
	case without > 0 && d.Verdict == "passed":
		x.fail(d, "warning", "", 0, "add <automated> to <verify>", "%d of %d tasks have no command that verifies them", without, n)
	default:
		d.note("%d of %d tasks have a command that verifies them", n-without, n)
	}
	if x.around.Phase && !x.around.Validation {
		d.note("the phase has no VALIDATION.md")
	}
}

func (x *checker) research(d *Dimension) {
	if x.around.Research == "" {
		d.note("the phase has no research")
		return
	}
	doc := document.Parse(x.around.Research)
	h, ok := doc.Find(doc.Body(), "Open Questions")
	for _, other := range doc.Headings() {
		title := strings.ToLower(other.Text.In(doc.Text()))
		if !ok && strings.HasPrefix(title, "open questions") {
			h, ok = other, true
		}
	}
	if !ok {
		d.note("the research has no open questions")
		return
	}
	if strings.Contains(strings.ToLower(h.Text.In(doc.Text())), "resolved") {
		d.note("the open questions are marked as resolved")
		return
	}
	open := 0
	for _, it := range doc.Items(h.Section()) {
		text := strings.ToLower(it.Text.In(doc.Text()))
		if it.Indent > 0 || it.HasBox() && doc.IsChecked(it) {
			continue
		}
		if !strings.Contains(text, "resolved") && !strings.Contains(strings.ToLower(doc.Bytes(h.Section()).In(doc.Text())), "resolved") {
			open++
		}
	}
	if open > 0 {
		x.fail(d, "warning", "", 0, "resolve them, or mark them as RESOLVED", "%d open questions of the research are not marked as resolved", open)
		return
	}
	d.note("no question of the research is open")
}
