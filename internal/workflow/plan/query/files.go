package query

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/phaseid"
)

// Text returns the text of a file of the planning folder. file is its path from the root of the project. It returns an
// error if the file is not in the folder, or as folder.Folder.ReadRoot does.
func (q *Questions) Text(file string) (string, error) {
	name, ok := strings.CutPrefix(path.Clean(file), folder.Name+"/")
	if !ok {
		return "", &folder.Error{File: file, Err: errors.New("is not in " + folder.Name)}
	}
	return q.Folder.ReadRoot(name)
}

// FrontMatter returns the front matter of a file in the form of a decoded JSON object. All scalars are strings. It fails as Text does.
func (q *Questions) FrontMatter(file string) (map[string]any, error) {
	text, err := q.Text(file)
	if err != nil {
		return nil, err
	}
	out := map[string]any{}
	if f := document.Parse(text).FrontMatter(); f != nil {
		for _, p := range f.Root.Pairs {
			out[p.Key] = p.Value.JSONValue()
		}
	}
	return out, nil
}

// SummaryParts has the main parts of a plan's summary.
type SummaryParts struct {
	Path         string            `json:"path"`
	OneLiner     *string           `json:"one_liner"`
	KeyFiles     any               `json:"key_files"`
	TechAdded    []string          `json:"tech_added"`
	Patterns     []string          `json:"patterns"`
	Decisions    []ExtractDecision `json:"decisions"`
	Requirements []string          `json:"requirements_completed"`
}

// ExtractDecision is a decision in a summary, with the reason that follows its colon.
type ExtractDecision struct {
	Summary   string  `json:"summary"`
	Rationale *string `json:"rationale"`
}

// SummaryExtract returns the main parts of a plan's summary. It fails as Text does.
func (q *Questions) SummaryExtract(file string) (SummaryParts, error) {
	text, err := q.Text(file)
	if err != nil {
		return SummaryParts{Path: file}, err
	}
	s := artefact.ParseSummary(text)
	e := SummaryParts{
		Path: file, OneLiner: OrNil(s.OneLiner), KeyFiles: []any{}, TechAdded: NonNil(s.TechAdded), Patterns: NonNil(s.Patterns), Decisions: []ExtractDecision{},
		Requirements: NonNil(s.Requirements),
	}
	if n := s.Doc.FrontMatter().Get("key-files"); n != nil {
		e.KeyFiles = n.JSONValue()
	}
	for _, d := range s.KeyDecisions {
		row := ExtractDecision{Summary: d}
		if before, after, ok := strings.Cut(d, ":"); ok && before != "" {
			after = strings.TrimSpace(after)
			row = ExtractDecision{strings.TrimSpace(before), &after}
		}
		e.Decisions = append(e.Decisions, row)
	}
	return e, nil
}

// NonNil returns list, or an empty list if it is nil, because JSON distinguishes them.
func NonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// Digest has the content of all summaries, with those of archived phases first.
type Digest struct {
	Phases    map[string]*DigestPhase `json:"phases"`
	Decisions []DigestDecision        `json:"decisions"`
	TechStack []string                `json:"tech_stack"`
	Warnings  []string                `json:"warnings,omitempty"`
}

// DigestPhase is the content of the summaries of one phase.
type DigestPhase struct {
	Name     string   `json:"name"`
	Provides []string `json:"provides"`
	Affects  []string `json:"affects"`
	Patterns []string `json:"patterns"`
}

// DigestDecision is a decision in a summary.
type DigestDecision struct {
	Phase    string `json:"phase"`
	Decision string `json:"decision"`
}

// Digest reads all summaries of the folder.
func (q *Questions) Digest() Digest {
	d := Digest{Phases: map[string]*DigestPhase{}, Decisions: []DigestDecision{}, TechStack: []string{}}
	var phases []*inventory.Phase
	for _, a := range q.Inventory.Archives {
		phases = append(phases, a.Phases...)
	}
	current := slices.Concat(q.Inventory.Phases, q.Inventory.Others, q.Inventory.Backlog)
	slices.SortStableFunc(current, func(a, b *inventory.Phase) int { return strings.Compare(a.Dir, b.Dir) })
	for _, p := range append(phases, current...) {
		for _, name := range p.Summaries {
			text, err := q.Text(path.Join(p.Dir, name))
			if err != nil {
				d.Warnings = append(d.Warnings, err.Error())
				continue
			}
			d.addSummary(p, artefact.ParseSummary(text))
		}
	}
	return d
}

func (d *Digest) addSummary(p *inventory.Phase, s *artefact.Summary) {
	number := s.Phase
	if number == "" {
		number = p.Token()
	}
	phase := d.Phases[number]
	if phase == nil {
		phase = &DigestPhase{Name: strings.ReplaceAll(p.Slug(), "-", " "), Provides: []string{}, Affects: []string{}, Patterns: []string{}}
		if name := s.Doc.FrontMatter().Get("name").Text(); name != "" {
			phase.Name = name
		}
		d.Phases[number] = phase
	}
	phase.Provides = appendNew(phase.Provides, s.Provides)
	phase.Affects = appendNew(phase.Affects, s.Affects)
	phase.Patterns = appendNew(phase.Patterns, s.Patterns)
	d.TechStack = appendNew(d.TechStack, s.TechAdded)
	for _, text := range s.KeyDecisions {
		d.Decisions = append(d.Decisions, DigestDecision{number, text})
	}
}

func appendNew(list, more []string) []string {
	for _, s := range more {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// Completeness compares the plans of a phase with its summaries.
type Completeness struct {
	Complete   bool     `json:"complete"`
	Phase      string   `json:"phase"`
	Plans      int      `json:"plan_count"`
	Summaries  int      `json:"summary_count"`
	Incomplete []string `json:"incomplete_plans"`
	Orphans    []string `json:"orphan_summaries"`
	Errors     []string `json:"errors"`
	Warnings   []string `json:"warnings"`
}

// Completeness compares the plans of a phase with its summaries. It fails with a *PhaseError if there is no such phase or it has no
// folder.
func (q *Questions) Completeness(text string) (Completeness, error) {
	p, _, err := q.phase(text)
	if err != nil {
		return Completeness{}, err
	}
	if p.Dir == "" {
		return Completeness{}, &PhaseError{text, nil}
	}
	c := Completeness{
		Phase: p.Token(), Plans: len(p.Plans), Summaries: len(p.Summaries), Incomplete: p.IncompletePlans(), Orphans: []string{},
		Errors: []string{}, Warnings: []string{},
	}
	for _, s := range p.Orphans {
		stem, _ := inventory.StemOfKind(s, "SUMMARY")
		c.Orphans = append(c.Orphans, stem)
	}
	if len(c.Incomplete) > 0 {
		c.Errors = append(c.Errors, "Plans without summaries: "+strings.Join(c.Incomplete, ", "))
	}
	if len(c.Orphans) > 0 {
		c.Warnings = append(c.Warnings, "Summaries without plans: "+strings.Join(c.Orphans, ", "))
	}
	c.Complete = len(c.Errors) == 0
	return c, nil
}

// Structure is the result of a check that a plan has all its parts.
type Structure struct {
	Valid    bool            `json:"valid"`
	Errors   []string        `json:"errors"`
	Warnings []string        `json:"warnings"`
	Count    int             `json:"task_count"`
	Tasks    []StructureTask `json:"tasks"`
	Fields   []string        `json:"frontmatter_fields"`
}

// StructureTask is a task of a plan. Its fields report which parts the task has.
type StructureTask struct {
	Name      string `json:"name"`
	HasFiles  bool   `json:"hasFiles"`
	HasAction bool   `json:"hasAction"`
	HasVerify bool   `json:"hasVerify"`
	HasDone   bool   `json:"hasDone"`
}

// Structure checks a plan. It fails as Text does.
func (q *Questions) Structure(file string) (Structure, error) {
	text, err := q.Text(file)
	if err != nil {
		return Structure{}, err
	}
	plan := artefact.ParsePlan(text)
	s := Structure{Errors: []string{}, Warnings: []string{}, Tasks: []StructureTask{}, Fields: []string{}}
	for _, key := range plan.Missing {
		s.Errors = append(s.Errors, "Missing required frontmatter field: "+key)
	}
	checkpoints := false
	for _, t := range plan.Tasks {
		if !t.Heading {
			s.addTask(t)
		}
		checkpoints = checkpoints || t.IsCheckpoint()
	}
	if s.Count = len(s.Tasks); s.Count == 0 {
		s.Warnings = append(s.Warnings, "No <task> elements found")
	}
	if plan.Wave > 1 && len(plan.DependsOn) == 0 {
		s.Warnings = append(s.Warnings, "Wave > 1 but depends_on is empty")
	}
	if checkpoints && plan.Autonomous {
		s.Errors = append(s.Errors, "Has checkpoint tasks but autonomous is not false")
	}
	if f := plan.Doc.FrontMatter(); f != nil {
		for _, p := range f.Root.Pairs {
			s.Fields = appendNew(s.Fields, []string{p.Key})
		}
	}
	s.Valid = len(s.Errors) == 0
	return s, nil
}

// addTask checks that a task has its parts and lists it. A missing name or action is an error, another missing part a warning.
func (s *Structure) addTask(t artefact.Task) {
	name := t.Name
	if name == "" {
		name = "unnamed"
		s.Errors = append(s.Errors, "Task missing <name> element")
	}
	if !t.HasAction {
		s.Errors = append(s.Errors, "Task '"+name+"' missing <action>")
	}
	for _, part := range [...]struct {
		has  bool
		name string
	}{{t.HasVerify, "verify"}, {t.HasDone, "done"}, {t.HasFiles, "files"}} {
		if !part.has {
			s.Warnings = append(s.Warnings, "Task '"+name+"' missing <"+part.name+">")
		}
	}
	s.Tasks = append(s.Tasks, StructureTask{name, t.HasFiles, t.HasAction, t.HasVerify, t.HasDone})
}

// Todos is a list of todos.
type Todos struct {
	Count int    `json:"count"`
	Todos []Todo `json:"todos"`
}

// Todo is a todo file.
type Todo struct {
	File    string `json:"file"`
	Created string `json:"created"`
	Title   string `json:"title"`
	Area    string `json:"area"`
	Path    string `json:"path"`
}

// Todos returns the open todos of an area, or of all areas if area is "". It returns an error if a folder or file of todos cannot be
// read.
func (q *Questions) Todos(area string) (Todos, error) { return q.listTodos(area, "pending") }

// DoneTodos returns the finished todos. They are in the folder completed or, as some programs name it, done. It fails as Todos does.
func (q *Questions) DoneTodos() (Todos, error) { return q.listTodos("", "completed", "done") }

func (q *Questions) listTodos(area string, dirs ...string) (Todos, error) {
	out := Todos{Todos: []Todo{}}
	for _, dir := range dirs {
		entries, err := q.Folder.List(path.Join("todos", dir))
		if err != nil {
			return out, err
		}
		for _, e := range entries {
			if e.Dir || !strings.HasSuffix(e.Name, ".md") {
				continue
			}
			name := path.Join("todos", dir, e.Name)
			text, err := q.Folder.Read(name)
			if errors.Is(err, fs.ErrNotExist) {
				continue // the todo was completed meanwhile
			}
			if err != nil {
				return out, err
			}
			n := artefact.ParseNote(text)
			t := Todo{e.Name, cmp.Or(n.Value("created"), "unknown"), cmp.Or(n.Title(), "Untitled"), cmp.Or(n.Value("area"), "general"), q.Folder.Path(name)}
			if area == "" || t.Area == area {
				out.Todos = append(out.Todos, t)
			}
		}
	}
	out.Count = len(out.Todos)
	return out, nil
}

// FileList are files of phases.
type FileList struct {
	Files    []string `json:"files"`
	Count    int      `json:"count"`
	PhaseDir *string  `json:"phase_dir"`
	Error    string   `json:"error,omitempty"`
	Near     []string `json:"near,omitempty"`
}

// PhaseFiles returns the files of a kind, plans or summaries, of a phase. With kind "" it returns all files, with phase "" those of
// all phases. It does not fail: the answer reports an unknown phase, and one without a folder.
func (q *Questions) PhaseFiles(kind, phase string) FileList {
	out := FileList{Files: []string{}}
	list := slices.Concat(q.Inventory.Phases, q.Inventory.Others, q.Inventory.Backlog)
	slices.SortStableFunc(list, func(a, b *inventory.Phase) int { return phaseid.Compare(a.ID, b.ID) })
	if phase != "" {
		p, archived, err := q.phase(phase)
		missing, isMissing := errors.AsType[*PhaseError](err)
		switch {
		case isMissing:
			out.Error, out.Near = "Phase not found", missing.Near
			return out
		case p.Dir == "", archived != "":
			out.Error = "Phase not found"
			return out
		}
		list = []*inventory.Phase{p}
		out.PhaseDir = OrNil(p.Slug())
	}
	for _, p := range list {
		switch kind {
		case "plans":
			out.Files = append(out.Files, planFiles(p)...)
		case "summaries":
			out.Files = append(out.Files, sortedCopy(p.Summaries)...)
		default:
			out.Files = append(out.Files, p.Names...)
		}
	}
	out.Count = len(out.Files)
	return out
}
