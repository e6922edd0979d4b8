// Package artefact interprets the files of a planning folder that have no package of their own: plans, summaries, verifications,
// acceptance tests, requirements, the project, milestones, and the small stores of todos, notes, seeds, threads and quick tasks. Each
// type holds its document, whose parts know their bytes, so that a field can be set without touching the rest.
//
// Reading never fails. A missing field is a zero value; missing required fields are also listed.
package artefact

import (
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/yamltree"
)

// Plan is the content of a PLAN.md.
type Plan struct {
	Doc          *document.Document
	Phase, ID    string
	Type         string // execute or tdd
	Wave         int    // 1 if not given
	DependsOn    []string
	Files        []string // the files to be changed
	Requirements []string
	Autonomous   bool // true if not given
	Status       string
	Objective    string // its first line
	Tasks        []Task
	MustHaves    MustHaves
	Missing      []string // required keys that are missing
}

// MustHaves are the conditions that must hold after a plan is carried out.
type MustHaves struct {
	Truths    []string
	Artifacts []Artifact
	Links     []Link
}

// Artifact is a file that must exist.
type Artifact struct {
	Path, Provides, Contains string
	MinLines                 int
	Exports                  []string
}

// Link is a required connection between two files.
type Link struct{ From, To, Via, Pattern string }

// Task is a task of a plan.
type Task struct {
	Name, Type, Gate                        string
	TDD                                     bool
	Heading                                 bool // a heading of an older plan, without parts
	Files                                   []string
	HasFiles, HasAction, HasVerify, HasDone bool
	Unfilled                                []string // the parts that are placeholders
	Commands                                []string // that verify it, of its parts <automated>
	Line                                    int      // from 0
}

// IsCheckpoint reports whether the task waits for a person.
func (t Task) IsCheckpoint() bool { return strings.HasPrefix(t.Type, "checkpoint") }

// IsPlaceholder reports whether a text is a placeholder of a template, such as "[what it is for]", and nothing else.
func IsPlaceholder(text string) bool {
	inner, begins := strings.CutPrefix(strings.TrimSpace(text), "[")
	inner, ends := strings.CutSuffix(inner, "]")
	return begins && ends && !strings.ContainsAny(inner, "[]") && strings.ContainsFunc(inner, unicode.IsLetter)
}

// IsDraft reports whether the plan has yet to be filled: its objective or a part of a task is a placeholder.
func (p *Plan) IsDraft() bool {
	return len(p.Unfilled()) > 0
}

// Unfilled returns the parts of the plan that are placeholders: its objective, lists of its front matter, and parts of its tasks.
func (p *Plan) Unfilled() (parts []string) {
	for _, list := range []struct {
		name   string
		values []string
	}{{"files_modified", p.Files}, {"depends_on", p.DependsOn}, {"requirements", p.Requirements}, {"must_haves.truths", p.MustHaves.Truths}} {
		if slices.ContainsFunc(list.values, IsPlaceholder) {
			parts = append(parts, list.name)
		}
	}
	if IsPlaceholder(p.Objective) {
		parts = append(parts, "the objective")
	}
	for _, tag := range p.Doc.Tags(p.Doc.Body()) {
		content := strings.TrimSpace(strings.TrimPrefix(p.Doc.TagContent(tag), "- [ ]"))
		if tag.Parent < 0 && IsPlaceholder(content) && (tag.Name == "verification" || tag.Name == "success_criteria") {
			parts = append(parts, tag.Name)
		}
	}
	for i, t := range p.Tasks {
		for _, part := range t.Unfilled {
			parts = append(parts, fmt.Sprintf("%s of task %d", part, i+1))
		}
	}
	return parts
}

// ParsePlan reads a PLAN.md.
func ParsePlan(text string) *Plan {
	d := document.Parse(text)
	f := d.FrontMatter()
	p := &Plan{
		Doc: d, Phase: f.Get("phase").Text(), ID: f.Get("plan").Text(), Type: f.Get("type").Text(), Status: f.Get("status").Text(),
		Wave: positiveScalar(f.Get("wave"), 1), Autonomous: true, DependsOn: stringList(f, "depends_on"), Requirements: stringList(f, "requirements"),
		Files: stringList(f, "files_modified", "files-modified"),
	}
	if n := f.Get("autonomous"); n != nil {
		p.Autonomous = n.Text() == "true"
	}
	p.Missing = missingKeys(f, planKeys)
	p.readMustHaves(f)
	p.readBody()
	if p.Objective == "" {
		p.Objective = f.Get("objective").Text()
	}
	return p
}

// stringList returns the list of strings at the first of the keys that exists.
func stringList(f *yamltree.Tree, keys ...string) []string {
	for _, key := range keys {
		if n := f.Get(key); n != nil {
			return f.Texts(n)
		}
	}
	return nil
}

// positiveScalar returns the number of a scalar, or otherwise if it is not a number above zero.
func positiveScalar(n *yamltree.Node, otherwise int) int {
	if v, err := strconv.Atoi(strings.TrimSpace(n.Text())); err == nil && v > 0 {
		return v
	}
	return otherwise
}

func (p *Plan) readMustHaves(f *yamltree.Tree) {
	p.MustHaves.Truths = f.Texts(f.Get("must_haves", "truths"))
	if list := f.Get("must_haves", "artifacts"); list != nil {
		for _, it := range list.Items {
			a := Artifact{Path: it.Get("path").Text(), Provides: it.Get("provides").Text(), Contains: it.Get("contains").Text(), Exports: f.Texts(it.Get("exports"))}
			a.MinLines = positiveScalar(it.Get("min_lines"), 0)
			if it.Kind == yamltree.Scalar {
				a.Path = it.Value
			}
			p.MustHaves.Artifacts = append(p.MustHaves.Artifacts, a)
		}
	}
	if list := f.Get("must_haves", "key_links"); list != nil {
		for _, it := range list.Items {
			l := Link{it.Get("from").Text(), it.Get("to").Text(), it.Get("via").Text(), it.Get("pattern").Text()}
			p.MustHaves.Links = append(p.MustHaves.Links, l)
		}
	}
}

func (p *Plan) readBody() {
	d := p.Doc
	tags := d.Tags(d.Body())
	at := map[int]int{} // the index of a tag of a task → the index of the task
	for i, tag := range tags {
		switch tag.Name {
		case "objective":
			if p.Objective == "" {
				p.Objective, _, _ = strings.Cut(d.TagContent(tag), "\n")
				p.Objective = strings.TrimSpace(p.Objective)
			}
		case "task":
			at[i] = len(p.Tasks)
			p.Tasks = append(p.Tasks, Task{Type: tag.Attr("type"), Gate: tag.Attr("gate"), TDD: tag.Attr("tdd") == "true", Line: tag.Line})
		case "automated":
			if tag.Parent < 0 {
				continue
			}
			if t, ok := at[tags[tag.Parent].Parent]; ok && tags[tag.Parent].Name == "verify" {
				p.Tasks[t].addCommands(d.TagContent(tag))
			}
		default:
			if t, ok := at[tag.Parent]; ok {
				p.Tasks[t].setChild(tag.Name, d.TagContent(tag))
			}
		}
	}
	if len(p.Tasks) > 0 {
		return
	}
	// Older plans have their tasks below headings.
	for _, h := range d.Headings() {
		title := h.Text.Text(d.Text())
		if n := strings.TrimPrefix(title, "Task "); n != title && n != "" && '0' <= n[0] && n[0] <= '9' {
			_, name, _ := strings.Cut(n, ":")
			p.Tasks = append(p.Tasks, Task{Name: strings.TrimSpace(name), Heading: true, Line: h.Line})
		}
	}
}

// addCommands adds the commands that a part <automated> has, one a line. A line that a template left, or that begins
// with MISSING, is none.
func (t *Task) addCommands(content string) {
	for line := range strings.Lines(html.UnescapeString(content)) {
		line = strings.Trim(strings.TrimSpace(line), "`")
		if line != "" && !IsPlaceholder(line) && !strings.HasPrefix(line, "MISSING") && !strings.HasPrefix(line, "#") {
			t.Commands = append(t.Commands, line)
		}
	}
}

func (t *Task) setChild(tag, content string) {
	switch tag {
	case "name", "files", "read_first", "action", "verify", "acceptance_criteria", "done":
		inner := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(content), "<automated>"), "</automated>")
		if before, after, ok := strings.Cut(inner, ":"); ok && tag == "name" && strings.HasPrefix(before, "Task ") {
			inner = after
		}
		if IsPlaceholder(inner) {
			t.Unfilled = append(t.Unfilled, tag)
		}
	}
	switch tag {
	case "name":
		t.Name = content
	case "files":
		t.HasFiles = true
		for f := range strings.FieldsFuncSeq(content, func(c rune) bool { return c == ',' || c == '\n' }) {
			if f = strings.Trim(strings.TrimSpace(f), "-` "); f != "" && !IsPlaceholder(f) {
				t.Files = append(t.Files, f)
			}
		}
	case "action":
		t.HasAction = true
	case "verify":
		t.HasVerify = true
	case "done":
		t.HasDone = true
	}
}

// Summary is the content of a SUMMARY.md, which describes the results of a plan.
type Summary struct {
	Doc                    *document.Document
	Phase, Plan, Subsystem string
	Duration, Completed    string
	Status                 string
	OneLiner               string
	Tags                   []string
	Requires               []Dependency
	Provides, Affects      []string
	TechAdded              []string
	TechPatterns           []string
	Created, Modified      []string // files
	KeyDecisions           []string
	Patterns               []string
	Requirements           []string // completed by the plan
	SelfCheck              string   // passed, failed or not_found
	Missing                []string
}

// Dependency is a result of an earlier phase that a plan used.
type Dependency struct{ Phase, Provides string }

// ParseSummary reads a SUMMARY.md. In older files the keys provides and affects are below dependency-graph.
func ParseSummary(text string) *Summary {
	d := document.Parse(text)
	f := d.FrontMatter()
	one := func(key string) string { return f.Get(key).Text() }
	s := &Summary{
		Doc: d, Phase: one("phase"), Plan: one("plan"), Subsystem: one("subsystem"), Duration: one("duration"), Completed: one("completed"), Status: one("status"),
		OneLiner: one("one-liner"), Tags: stringList(f, "tags"), Provides: stringList(f, "provides"), Affects: stringList(f, "affects"), KeyDecisions: stringList(f, "key-decisions", "key_decisions"),
		Patterns: stringList(f, "patterns-established", "patterns_established"), Requirements: stringList(f, "requirements-completed", "requirements_completed"),
		TechAdded: f.Texts(f.Get("tech-stack", "added")), TechPatterns: f.Texts(f.Get("tech-stack", "patterns")),
		Created: f.Texts(f.Get("key-files", "created")), Modified: f.Texts(f.Get("key-files", "modified")),
	}
	if s.Provides == nil {
		s.Provides = f.Texts(f.Get("dependency-graph", "provides"))
	}
	if s.Affects == nil {
		s.Affects = f.Texts(f.Get("dependency-graph", "affects"))
	}
	if list := f.Get("requires"); list != nil {
		for _, it := range list.Items {
			s.Requires = append(s.Requires, Dependency{it.Get("phase").Text(), it.Get("provides").Text()})
		}
	}
	s.Missing = missingKeys(f, summaryKeys)
	if s.OneLiner == "" {
		s.OneLiner = oneLiner(d)
	}
	s.SelfCheck = selfCheck(d)
	return s
}

// oneLiner returns the bold text with which the first line below a heading begins, or "". It describes the result in one line.
func oneLiner(d *document.Document) string {
	for _, h := range d.Headings() {
		for i := h.Line + 1; i < h.End; i++ {
			line := strings.TrimSpace(d.Line(i))
			if line == "" {
				continue
			}
			inner, ok := strings.CutPrefix(line, "**")
			if inner, _, closed := strings.Cut(inner, "**"); ok && closed {
				return strings.TrimSpace(inner)
			}
			break
		}
	}
	return ""
}

// selfCheck returns the result in the self-check section.
func selfCheck(d *document.Document) string {
	result := "not_found"
	for _, h := range d.Headings() {
		title := strings.ToLower(h.Text.Text(d.Text()))
		if !strings.HasPrefix(title, "self-check") && !strings.HasPrefix(title, "self check") && title != "verification" && title != "quality check" {
			continue
		}
		text := title + "\n" + strings.ToLower(d.BytesOf(h.Section()).Text(d.Text()))
		switch {
		case strings.Contains(text, "fail") || strings.Contains(text, "✗") || strings.Contains(text, "❌"):
			return "failed"
		case strings.Contains(text, "pass") || strings.Contains(text, "✓") || strings.Contains(text, "✅"):
			result = "passed"
		}
	}
	return result
}
