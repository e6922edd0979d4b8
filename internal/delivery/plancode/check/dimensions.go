package check

import (
	"fmt"
	"strings"

	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/document"
)

// Dimension is one of the twelve aspects by which plans are reviewed.
type Dimension struct {
	Number   int      `json:"number"`
	Name     string   `json:"name"`
	Judged   bool     `json:"judged"`
	Verdict  string   `json:"verdict"` // passed, warning, blocker or not_judged
	Evidence []string `json:"evidence"`
}

// dimensions are the twelve aspects, each with the function that judges it; those without a function need a reader who understands the
// plan.
var dimensions = []struct {
	name  string
	judge func(x *checker, d *Dimension)
	why   string
}{
	{"requirement_coverage", (*checker).judgeRequirements, ""},
	{"task_completeness", (*checker).judgeTasks, ""},
	{"dependency_correctness", (*checker).judgeDependencies, ""},
	{"key_links_planned", (*checker).judgeLinks, ""},
	{"scope_sanity", (*checker).judgeScope, ""},
	{"verification_derivation", (*checker).judgeDerivation, ""},
	{"context_compliance", nil, "whether the plan does what was decided has to be read"},
	{"nyquist_sampling", (*checker).judgeSampling, ""},
	{"cross_plan_data_contracts", nil, "what plans hand each other has to be understood"},
	{"project_instructions", nil, "whether the instructions of the project are followed has to be read"},
	{"research_resolved", (*checker).judgeResearch, ""},
	{"pattern_compliance", nil, "whether the code follows its nearest example has to be read"},
}

func (d *Dimension) addNote(format string, args ...any) {
	d.Evidence = append(d.Evidence, fmt.Sprintf(format, args...))
}

// addFailure makes the verdict of a dimension worse and adds the reason.
func (x *checker) addFailure(d *Dimension, level, task string, line int, hint, format string, args ...any) {
	if d.Verdict != "blocker" {
		d.Verdict = level
	}
	d.addNote(format, args...)
	x.addIssue(d.Name, level, task, line, hint, format, args...)
}

func (d *Dimension) setNotJudged(why string) {
	d.Judged, d.Verdict = false, "not_judged"
	d.addNote("%s", why)
}

func (x *checker) judgeRequirements(d *Dimension) {
	if len(x.plan.Requirements) == 0 {
		switch {
		case x.around.Phase && x.around.Requirements == nil:
			d.setNotJudged("there is no REQUIREMENTS.md whose requirements the plan could name")
		case x.around.Phase:
			x.addFailure(d, "blocker", "", 0, "name the requirements that the plan is for", "requirements is empty")
		default:
			d.setNotJudged("a plan outside the phases covers no requirement")
		}
		return
	}
	if x.around.Requirements == nil {
		d.setNotJudged("there is no REQUIREMENTS.md to compare with")
		return
	}
	for _, id := range x.plan.Requirements {
		if id = strings.TrimSpace(id); x.around.Requirements[id] {
			d.addNote("%s is in REQUIREMENTS.md", id)
		} else {
			x.addFailure(d, "warning", "", 0, "use an ID of REQUIREMENTS.md", "%s is in no list of requirements", id)
		}
	}
}

func (x *checker) judgeTasks(d *Dimension) {
	if len(x.plan.Tasks) == 0 {
		x.addFailure(d, "blocker", "", 0, "divide the plan into tasks", "the plan has no task")
		return
	}
	for i := range x.plan.Tasks {
		t := &x.plan.Tasks[i]
		if t.Heading {
			d.setNotJudged("tasks below headings have no parts to look at")
			return
		}
		if t.IsCheckpoint() {
			continue
		}
		for _, part := range []struct {
			name  string
			there bool
			level string
		}{{"files", t.HasFiles, "warning"}, {"action", t.HasAction, "blocker"}, {"verify", t.HasVerify, "blocker"}, {"done", t.HasDone, "warning"}} {
			if !part.there {
				x.addFailure(d, part.level, t.Name, t.Line+1, "add <"+part.name+">", "task %q has no <%s>", t.Name, part.name)
			}
		}
	}
	if len(d.Evidence) == 0 {
		d.addNote("%d tasks have files, action, verify and done", len(x.plan.Tasks))
	}
}

func (x *checker) judgeDependencies(d *Dimension) {
	switch {
	case !x.around.Phase:
		d.setNotJudged("a plan outside the phases depends on none")
	case x.around.Order != "":
		x.addFailure(d, "blocker", "", 0, "correct depends_on or wave", "%s", x.around.Order)
	default:
		d.addNote("depends_on names %d plans, all are there and in no circle", len(x.plan.DependsOn))
	}
}

// judgeLinks judges whether both ends of each key link, a connection that the plan requires, exist or are made.
func (x *checker) judgeLinks(d *Dimension) {
	links := x.plan.MustHaves.Links
	if len(links) == 0 {
		d.addNote("no key_links are named")
		return
	}
	known := map[string]Verdict{}
	for _, f := range x.r.Files {
		known[f.Name] = f.Verdict
	}
	for _, l := range links {
		for _, end := range []string{l.From, l.To} {
			if known[end] == Absent {
				x.addFailure(d, "blocker", "", 0, "name a file that is there or is made", "the connection from %s to %s ends at %s, which is not there", l.From, l.To, end)
			}
		}
	}
	if d.Verdict == "passed" {
		d.addNote("%d key_links end at files that are there or are made", len(links))
	}
}

// The sizes from which a plan is too large for one executor.
const (
	manyTasks, tooManyTasks = 4, 5
	manyFiles, tooManyFiles = 11, 15
)

func (x *checker) judgeScope(d *Dimension) {
	tasks, files := 0, len(x.plan.Files)
	for i := range x.plan.Tasks {
		if !x.plan.Tasks[i].IsCheckpoint() {
			tasks++
		}
	}
	d.addNote("%d tasks, %d files, %d tokens to read", tasks, files, x.r.Reading.Tokens)
	switch {
	case tasks >= tooManyTasks:
		x.addFailure(d, "blocker", "", 0, "split the plan", "%d tasks: %d are too many for one executor", tasks, tooManyTasks)
	case tasks >= manyTasks:
		x.addFailure(d, "warning", "", 0, "split the plan", "%d tasks: two or three leave room", tasks)
	}
	switch {
	case files >= tooManyFiles:
		x.addFailure(d, "blocker", "", 0, "split the plan", "%d files: %d are too many for one executor", files, tooManyFiles)
	case files >= manyFiles:
		x.addFailure(d, "warning", "", 0, "split the plan", "%d files: up to ten leave room", files)
	}
	if half := x.around.Window / 2; half > 0 && x.r.Reading.Tokens > half {
		x.addFailure(d, "blocker", "", 0, "split the plan, or name parts of files", "what has to be read takes %d tokens, more than half of the window", x.r.Reading.Tokens)
	}
}

func (x *checker) judgeDerivation(d *Dimension) {
	m := &x.plan.MustHaves
	if len(m.Truths) == 0 {
		x.addFailure(d, "blocker", "", 0, "say what a user can observe afterwards", "must_haves has no truths")
	} else {
		d.addNote("%d truths; whether they can be observed has to be read", len(m.Truths))
	}
	for _, a := range m.Artifacts {
		real, ok, _ := x.places.Find(a.Path)
		if a.Path != "" && !ok && !x.writes[a.Path] && !x.writes[real] {
			x.addFailure(d, "warning", "", 0, "add it to files_modified", "the artifact %s is not there, and the plan does not write it", a.Path)
		}
	}
}

// verifiedTasks returns the lines of the tasks that name a command that verifies them.
func verifiedTasks(d *document.Document) map[int]bool {
	out := map[int]bool{}
	tags := d.Tags(d.Body())
	for _, tag := range tags {
		if tag.Name != "automated" || strings.HasPrefix(strings.ToLower(d.TagContent(tag)), "missing") {
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

func (x *checker) judgeSampling(d *Dimension) {
	with := verifiedTasks(x.plan.Doc)
	without, row := 0, 0
	judged := func(t *artefact.Task) bool { return !t.Heading && !t.IsCheckpoint() }
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
			x.addFailure(d, "blocker", t.Name, t.Line+1, "give one of them a command", "three tasks in a row have no command that verifies them")
		}
	}
	switch {
	case n == 0:
		d.setNotJudged("there is no task with parts to look at")
		return
	case without > 0 && d.Verdict == "passed":
		x.addFailure(d, "warning", "", 0, "add <automated> to <verify>", "%d of %d tasks have no command that verifies them", without, n)
	default:
		d.addNote("%d of %d tasks have a command that verifies them", n-without, n)
	}
	if x.around.Phase && !x.around.Validation {
		d.addNote("the phase has no VALIDATION.md")
	}
}

func (x *checker) judgeResearch(d *Dimension) {
	if x.around.Research == "" {
		d.addNote("the phase has no research")
		return
	}
	doc := document.Parse(x.around.Research)
	h, ok := doc.FindHeading(doc.Body(), "Open Questions")
	for _, other := range doc.Headings() {
		title := strings.ToLower(other.Text.Text(doc.Text()))
		if !ok && strings.HasPrefix(title, "open questions") {
			h, ok = other, true
		}
	}
	if !ok {
		d.addNote("the research has no open questions")
		return
	}
	if strings.Contains(strings.ToLower(h.Text.Text(doc.Text())), "resolved") {
		d.addNote("the open questions are marked as resolved")
		return
	}
	open := 0
	for _, it := range doc.Items(h.Section()) {
		text := strings.ToLower(it.Text.Text(doc.Text()))
		if it.Indent > 0 || it.HasBox() && doc.IsChecked(it) {
			continue
		}
		if !strings.Contains(text, "resolved") && !strings.Contains(strings.ToLower(doc.BytesOf(h.Section()).Text(doc.Text())), "resolved") {
			open++
		}
	}
	if open > 0 {
		x.addFailure(d, "warning", "", 0, "resolve them, or mark them as RESOLVED", "%d open questions of the research are not marked as resolved", open)
		return
	}
	d.addNote("no question of the research is open")
}
