package stores

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"ken/internal/workflow/plan/argument"
	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/query"
	"ken/internal/workflow/plan/scaffold"
)

// Completed is a completed todo.
type Completed struct {
	Completed bool   `json:"completed"`
	File      string `json:"file"`
	Date      string `json:"date"`
}

// Matches are the todos that may belong to a phase.
type Matches struct {
	Phase   string  `json:"phase"`
	Matches []Match `json:"matches"`
	Count   int     `json:"todo_count"`
}

// Match is a todo that may belong to a phase, with the reasons.
type Match struct {
	File    string   `json:"file"`
	Title   string   `json:"title"`
	Area    string   `json:"area"`
	Score   float64  `json:"score"`
	Reasons []string `json:"reasons"`
}

type areaInput struct {
	Area string `arg:"[AREA]" help:"of this area alone"`
}

type todoCreateInput struct {
	Title    string   `arg:"TITLE…" help:"what to do"`
	Area     string   `flag:"area" help:"general if not given"`
	Priority string   `flag:"priority" help:"normal if not given"`
	Files    []string `flag:"files" help:"files it is about"`
	Problem  string   `flag:"problem" words:"yes" help:"what is wrong"`
	Solution string   `flag:"solution" words:"yes" help:"what may help"`
}

type fileInput struct {
	File string `arg:"FILE" help:"the name of a file of todos/pending"`
}

type phaseInput struct {
	Phase string `arg:"PHASE" help:"the number of a phase"`
}

func todoOperations() []*planop.Operation {
	return []*planop.Operation{
		planop.Spec[areaInput, query.Todos]{
			Name: "list-todos", Also: []string{"todo list"}, Summary: "todos that are not done",
			Run: func(_ context.Context, c *planop.Call, in *areaInput) (query.Todos, error) {
				q, err := query.New(c)
				if err != nil {
					return query.Todos{}, err
				}
				return q.Todos(in.Area)
			},
			Plain: func(a query.Todos) string { return strconv.Itoa(a.Count) },
		}.Operation(),
		planop.Spec[todoCreateInput, any]{
			Name: "todo create", Everyday: true, Also: []string{"todo add"}, Summary: "note something to do", Writes: true,
			Run: createTodo,
		}.Operation(),
		planop.Spec[fileInput, Completed]{
			Name: "todo complete", Summary: "move a todo to those that are done", Writes: true,
			Run: completeTodo, Plain: func(Completed) string { return "completed" },
		}.Operation(),
		planop.Spec[phaseInput, Matches]{
			Name: "todo match-phase", Summary: "todos that may belong to a phase, by words, area and files",
			Run: matchPhase,
		}.Operation(),
	}
}

func createTodo(ctx context.Context, c *planop.Call, in *todoCreateInput) (any, error) {
	title := argument.SingleLine(in.Title)
	now := c.Now().UTC()
	file := now.Format("2006-01-02") + "-" + titleSlug(title) + ".md"
	values := map[string]string{
		"title": title, "time": now.Format(timeForm), "area": cmp.Or(argument.SingleLine(in.Area), "general"), "priority": cmp.Or(argument.SingleLine(in.Priority), "normal"),
		"problem":  cmp.Or(argument.SingleLine(in.Problem), "[What is wrong, and where]"),
		"solution": cmp.Or(argument.SingleLine(in.Solution), "[What may help, or \"To be decided\"]"),
	}
	return createEntry(ctx, c, "todos/pending", func([]string) (madeFile, error) {
		text, err := fillTemplate("stores/todo.md", title, values)
		if files := in.Files; err == nil && len(files) > 0 {
			text, err = scaffold.WithFields(text, []string{"files"}, map[string]any{"files": files})
		}
		return madeFile{file: file, text: text, entry: Entry{File: file, Title: title, Created: now.Format(timeForm)}}, err
	})
}

// completeTodo moves a todo, and puts the day into its front matter.
func completeTodo(ctx context.Context, c *planop.Call, in *fileInput) (Completed, error) {
	f, err := c.Folder()
	if err != nil {
		return Completed{}, err
	}
	file, err := findEntry(c, "Todo", "todos/pending", in.File)
	if err != nil {
		return Completed{}, err
	}
	done := "completed"
	if f.Exists("todos/done") && !f.Exists("todos/completed") {
		done = "done" // some programs name the folder so
	}
	from, err := c.PathBelowPlanning(path.Join("todos/pending", file))
	if err != nil {
		return Completed{}, err
	}
	to, err := c.PathBelowPlanning(path.Join("todos", done, file))
	if err != nil {
		return Completed{}, err
	}
	day := c.Now().UTC().Format("2006-01-02")
	_, err = c.Change(ctx, "todo complete "+file, func(read change.Read) ([]change.File, error) {
		text, there, err := read(from)
		if err == nil && !there {
			err = fs.ErrNotExist
		}
		if err != nil {
			return nil, err
		}
		if _, there, err = read(to); there || err != nil {
			return nil, errors.Join(err, planop.Faultf("already_exists", "%s is there already", to))
		}
		if text, err = scaffold.WithFields(text, []string{"completed"}, map[string]any{"completed": day}); err != nil {
			return nil, err
		}
		return []change.File{{Name: to, Text: &text, From: from}, {Name: from}}, nil
	})
	return Completed{true, file, day}, err
}

// commonWords carry no information about the subject of a text.
const commonWords = " the and for with from that this will are was has have been not but all can into each when any use new tbd "

// significantWords returns the significant words of a text in lower case.
func significantWords(text string) []string {
	var list []string
	between := func(r rune) bool { return strings.ContainsRune(" \t\r\n-_/.,;:()[]{}|", r) }
	for _, w := range strings.FieldsFunc(strings.ToLower(text), between) {
		w = strings.Map(func(r rune) rune {
			if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
				return r
			}
			return -1
		}, w)
		if len(w) > 2 && !strings.Contains(commonWords, " "+w+" ") {
			list = append(list, w)
		}
	}
	return list
}

func matchPhase(_ context.Context, c *planop.Call, in *phaseInput) (Matches, error) {
	q, err := query.New(c)
	if err != nil {
		return Matches{}, err
	}
	phase := in.Phase
	id, err := argument.Phase(phase)
	if err != nil {
		return Matches{}, planop.Usagef("%s", err.Error())
	}
	p, _ := q.Inventory.Find(id)
	if p == nil {
		return Matches{}, &planop.Fault{Reason: "phase_not_found", Message: "there is no phase " + phase, Near: q.Inventory.NearPhases(phase)}
	}
	about := &todoMatcher{phase: map[string]bool{}}
	if r, err := q.RoadmapPhase(phase); err == nil {
		goal := ""
		if r.Goal != nil {
			goal = *r.Goal
		}
		about.text = strings.ToLower(r.Name + " " + goal + " " + r.Section)
	}
	for _, w := range significantWords(about.text) {
		about.phase[w] = true
	}
	if !c.Original {
		delete(about.phase, "tbd") // a placeholder is no subject
	}
	for _, plan := range p.Plans {
		text, err := q.Folder.ReadRoot(strings.TrimPrefix(path.Join(p.Dir, plan.File), ".planning/"))
		if err == nil {
			about.files = append(about.files, artefact.ParsePlan(text).Files...)
		}
	}
	todos, err := q.Todos("")
	if err != nil {
		return Matches{}, err
	}
	out := Matches{Phase: phase, Matches: []Match{}, Count: todos.Count}
	for _, t := range todos.Todos {
		text, err := q.Folder.Read("todos/pending/" + t.File)
		if err != nil {
			continue // the todo was completed meanwhile
		}
		if m := about.matchTodo(t, text); m.Score > 0 {
			out.Matches = append(out.Matches, m)
		}
	}
	slices.SortStableFunc(out.Matches, func(a, b Match) int { return int(100 * (b.Score - a.Score)) })
	return out, nil
}

// todoMatcher compares todos with the subject of a phase.
type todoMatcher struct {
	text  string
	phase map[string]bool // the words of the phase's subject
	files []string        // files that its plans will change
}

// comparedLength is the number of characters of a todo's body that are compared, besides its title.
const comparedLength = 200

// matchTodo compares a todo with the phase. The score adds up to 0.6 for common words, 0.3 for the same area, and 0.4 for a file that a
// plan changes.
func (m *todoMatcher) matchTodo(t query.Todo, text string) Match {
	out := Match{File: t.File, Title: t.Title, Area: t.Area, Reasons: []string{}}
	note := artefact.ParseNote(text)
	var body strings.Builder
	for line := range strings.Lines(text) {
		name, _, _ := strings.Cut(line, ":")
		if !slices.Contains([]string{"title", "area", "files", "created", "priority"}, name) {
			body.WriteString(line)
		}
	}
	runes := []rune(strings.TrimSpace(body.String()))
	var hits, seen []string
	for _, w := range significantWords(t.Title + " " + string(runes[:min(len(runes), comparedLength)])) {
		if m.phase[w] {
			hits = append(hits, w)
			if !slices.Contains(seen, w) {
				seen = append(seen, w)
			}
		}
	}
	if len(hits) > 0 {
		out.Score = min(0.2*float64(len(hits)), 0.6)
		out.Reasons = append(out.Reasons, "keywords: "+strings.Join(seen[:min(5, len(seen))], ", "))
	}
	if t.Area != "general" && strings.Contains(m.text, strings.ToLower(t.Area)) {
		out.Score += 0.3
		out.Reasons = append(out.Reasons, "area: "+t.Area)
	}
	var files []string
	if front := note.Doc.FrontMatter(); front != nil {
		for _, f := range front.Texts(front.Get("files")) {
			f, _, _ = strings.Cut(f, ":") // file:line
			if f != "" && slices.ContainsFunc(m.files, func(p string) bool { return strings.Contains(p, f) || strings.Contains(f, p) }) {
				files = append(files, f)
			}
		}
	}
	if len(files) > 0 {
		out.Score += 0.4
		out.Reasons = append(out.Reasons, "files: "+strings.Join(files[:min(3, len(files))], ", "))
	}
	out.Score = math.Round(out.Score*100) / 100
	return out
}
