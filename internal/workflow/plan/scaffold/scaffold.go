// Package scaffold declares the operations that make a file of a planning folder from its template, and those that read and
// change front matter. An existing file is never overwritten.
package scaffold

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"ken/internal/workflow/content/templates"
	"ken/internal/workflow/plan/argument"
	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/planop"
)

// All returns the operations of this package.
func All() []*planop.Operation {
	return slices.Concat(templateOperations(), frontMatterOperations())
}

// madePath returns the path of the file that was made, the answer with the flag --raw.
func madePath(a Made) string {
	if made := a; made.Created {
		return made.Path
	}
	return "exists"
}

type scaffoldInput struct {
	Phase string `flag:"phase" help:"the number of the phase"`
	Name  string `flag:"name" words:"yes" help:"the name of the phase, if it is not that of its folder"`
}

func scaffoldOperation(kind, summary string) *planop.Operation {
	return planop.Spec[scaffoldInput, Made]{
		Name: "scaffold " + kind, Summary: summary, Writes: true, Plain: madePath,
		Run: func(ctx context.Context, c *planop.Call, in *scaffoldInput) (Made, error) {
			return makeFromTemplate(ctx, c, in, kind)
		},
	}.Operation()
}

type planInput struct {
	Plan string `arg:"PLAN" help:"a PLAN.md"`
}

type templateFillInput struct {
	Kind   string  `arg:"KIND" enum:"summary,plan,verification" help:"what is begun"`
	Phase  string  `flag:"phase" help:"the number of the phase"`
	Plan   string  `flag:"plan" help:"the number or ID of the plan, 01 if not given"`
	Name   string  `flag:"name" words:"yes" help:"the name of the phase, if it is not that of its folder"`
	Type   string  `flag:"type" enum:"execute,tdd" help:"of a plan"`
	Wave   int     `flag:"wave" default:"1" value:"N" help:"of a plan"`
	Fields *string `flag:"fields" help:"keys of front matter, as an object of JSON"`
}

type nameInput struct {
	Name string `arg:"NAME" help:"roadmap, codebase/stack, …"`
}

func templateOperations() []*planop.Operation {
	return []*planop.Operation{
		planop.Spec[planInput, Selected]{
			Name: "template select", Summary: "which template of a summary fits a plan", Run: selectTemplate,
			Plain: func(a Selected) string { return a.Template },
		}.Operation(),
		planop.Spec[templateFillInput, Made]{
			Name: "template fill", Summary: "begin a summary, plan or verification of a phase", Writes: true, Run: fillTemplate,
			Plain: madePath,
		}.Operation(),
		planop.Spec[planop.NoInput, Templates]{
			Name: "template list", Summary: "the names of all templates", Anywhere: true,
			Run: func(context.Context, *planop.Call, *planop.NoInput) (Templates, error) {
				list := templates.Names()
				return Templates{list, len(list)}, nil
			},
			Page: func(a Templates) string { return strings.Join(a.Templates, "\n") + "\n" },
		}.Operation(),
		planop.Spec[nameInput, Shown]{
			Name: "template show", Summary: "a template, with its placeholders", Anywhere: true,
			Run: showTemplate, Plain: func(a Shown) string { return a.Text }, Page: func(a Shown) string { return a.Text },
		}.Operation(),
		scaffoldOperation("context", "begin the decisions of a phase"), scaffoldOperation("uat", "begin the acceptance tests of a phase"),
		scaffoldOperation("verification", "begin the verification of a phase"), scaffoldOperation("phase-dir", "make the folder of a phase"),
	}
}

// Selected is the template that fits a plan.
type Selected struct {
	Template  string `json:"template"`
	Type      string `json:"type"`
	Tasks     int    `json:"taskCount"`
	Files     int    `json:"fileCount"`
	Decisions bool   `json:"hasDecisions"`
	Error     string `json:"error,omitempty"`
}

// Made is a file or folder that was made.
type Made struct {
	Created   bool   `json:"created"`
	Reason    string `json:"reason,omitempty"`
	Directory string `json:"directory,omitempty"`
	Path      string `json:"path"`
	Template  string `json:"template,omitempty"`
}

// Templates are the names of templates.
type Templates struct {
	Templates []string `json:"templates"`
	Count     int      `json:"count"`
}

// Shown is a template with its text.
type Shown struct {
	Name         string   `json:"name"`
	Placeholders []string `json:"placeholders"`
	Text         string   `json:"text"`
}

func showTemplate(_ context.Context, c *planop.Call, in *nameInput) (Shown, error) {
	name := templates.Find(in.Name)
	if name == "" {
		return Shown{}, &planop.Fault{
			Reason: "template_not_found", Message: fmt.Sprintf("there is not exactly one template %.60q", in.Name), Near: nearTemplates(in.Name),
		}
	}
	text, _ := templates.Text(name)
	return Shown{name, append([]string{}, templates.Placeholders(text)...), text}, nil
}

// nearTemplates returns the names of templates that contain a text, or all names if none does.
func nearTemplates(name string) []string {
	var list []string
	for _, n := range templates.Names() {
		if strings.Contains(strings.ToLower(n), strings.ToLower(name)) {
			list = append(list, n)
		}
	}
	if list == nil {
		list = templates.Names()
	}
	return list
}

// selectTemplate returns the template for the summary of a plan, by the size of the plan: its tasks, or headings in an older plan, and
// the paths in it that are written as code.
// planFile returns the file of a plan that is given by its ID; anything else stays as it is. It fails as reading the inventory does.
func planFile(c *planop.Call, text string) (string, error) {
	inv, err := c.Inventory()
	if err != nil || inv.Original {
		return text, err
	}
	for _, p := range inv.Phases {
		if found := p.Plan(text); found.File != "" {
			return path.Join(p.Dir, found.File), nil
		}
	}
	return text, nil
}

func selectTemplate(_ context.Context, c *planop.Call, in *planInput) (Selected, error) {
	file, err := planFile(c, in.Plan)
	if err != nil {
		return Selected{}, err
	}
	below, err := locateFile(c, file)
	if err != nil {
		return Selected{}, err
	}
	f, err := c.Folder()
	if err != nil {
		return Selected{}, err
	}
	text, err := f.ReadRoot(below)
	if err != nil {
		// A caller makes a summary in any case, so this is no error.
		reason := err.Error()
		if errors.Is(err, fs.ErrNotExist) {
			reason = "File not found: " + in.Plan
		}
		return Selected{Template: "templates/summary-standard.md", Type: "standard", Error: reason}, nil
	}
	plan := artefact.ParsePlan(text)
	var files []string
	for _, m := range regexp.MustCompile("`([^`\n]+\\.[a-zA-Z]+)`").FindAllStringSubmatch(text, -1) {
		if strings.Contains(m[1], "/") && !strings.HasPrefix(m[1], "http") {
			files = append(files, m[1])
		}
	}
	slices.Sort(files)
	s := Selected{Type: "standard", Tasks: len(plan.Tasks), Files: len(slices.Compact(files)), Decisions: strings.Contains(strings.ToLower(text), "decision")}
	switch {
	case s.Decisions || s.Files > 6 || s.Tasks > 5:
		s.Type = "complex"
	case s.Tasks <= 2 && s.Files <= 3:
		s.Type = "minimal"
	}
	s.Template = "templates/summary-" + s.Type + ".md"
	return s, nil
}

// phaseTarget is the phase in which a file is made.
type phaseTarget struct {
	phase *inventory.Phase
	dir   string // from the planning folder
	name  string
}

func findTarget(c *planop.Call, phase, name string) (*phaseTarget, error) {
	id, err := argument.Phase(phase)
	if err != nil {
		return nil, planop.Usagef("--phase: %s", err.Error())
	}
	inv, err := c.Inventory()
	if err != nil {
		return nil, err
	}
	p, archived := inv.Find(id)
	if p == nil || p.Dir == "" || archived != "" {
		fault := planop.NewValueFault("phase_not_found", "Phase not found", "phase", phase)
		fault.Near = inv.NearPhases(phase)
		return nil, fault
	}
	t := &phaseTarget{phase: p, dir: strings.TrimPrefix(p.Dir, folder.Name+"/"), name: argument.SingleLine(name)}
	if t.name == "" {
		t.name = p.Name
	}
	if t.name == "" {
		t.name = "Unnamed"
	}
	return t, nil
}

// placeholderValues returns the values for the placeholders in a template.
func (t *phaseTarget) placeholderValues(c *planop.Call) map[string]string {
	slug := t.phase.Slug()
	if slug == "" {
		slug = phaseid.Slug(t.name, 60)
	}
	now := c.Now().UTC()
	f, err := c.Folder()
	planning := folder.Name
	if err == nil {
		planning = f.Base
	}
	return map[string]string{
		"phase": t.phase.ID.PaddedNumber(), "phase_id": t.phase.ID.PaddedNumber() + "-" + slug, "phase_name": t.name, "date": now.Format(time.DateOnly),
		"time": now.Format("2006-01-02T15:04:05.000Z"), "planning": planning,
	}
}

func fillTemplate(ctx context.Context, c *planop.Call, in *templateFillInput) (Made, error) {
	t, err := findTarget(c, in.Phase, in.Name)
	if err != nil {
		return Made{}, err
	}
	plan := in.Plan
	if plan == "" {
		plan = "01"
	}
	if own := t.phase.ID.PaddedNumber() + "-"; !c.Original {
		plan = strings.TrimPrefix(plan, own) // as in the ID of a plan
	}
	if n, err := strconv.Atoi(plan); err != nil || n < 0 || n > 999 {
		return Made{}, planop.Usagef("--plan is %.20q; it must be a number, or the ID of a plan of the phase", plan)
	} else {
		plan = fmt.Sprintf("%02d", n)
	}
	values := t.placeholderValues(c)
	values["plan"], values["wave"], values["type"] = plan, strconv.Itoa(in.Wave), "execute"
	if in.Type != "" {
		values["type"] = in.Type
	}
	kind, token := in.Kind, t.phase.ID.PaddedNumber()
	template, file := "summary.md", token+"-"+plan+"-SUMMARY.md"
	switch kind {
	case "plan":
		template, file = "phase-prompt.md", token+"-"+plan+"-PLAN.md"
	case "verification":
		template, file = "verification-report.md", token+"-VERIFICATION.md"
	}
	text, err := templates.Fill(template, values)
	if err != nil {
		return Made{}, err
	}
	if kind == "verification" && !c.Original {
		if text, err = t.withTruths(c, text); err != nil {
			return Made{}, err
		}
	}
	if in.Fields != nil {
		if text, err = withFlagFields(c, text, *in.Fields); err != nil {
			return Made{}, err
		}
	}
	return writeNew(ctx, c, path.Join(t.dir, file), text, kind)
}

// withFlagFields returns a text with the front matter keys that the flag --fields has as JSON.
func withFlagFields(c *planop.Call, text, data string) (string, error) {
	var fields map[string]any
	if err := argument.JSON("--fields", data, &fields); err != nil {
		return "", planop.Usagef("%s", err.Error())
	}
	names := argument.ObjectNames(data)
	for _, n := range names {
		if err := argument.CheckField(n); err != nil {
			return "", planop.Usagef("--fields: %s", err.Error())
		}
	}
	return WithFields(text, names, fields)
}

func makeFromTemplate(ctx context.Context, c *planop.Call, in *scaffoldInput, kind string) (Made, error) {
	if kind == "phase-dir" {
		return makePhaseFolder(ctx, c, in)
	}
	t, err := findTarget(c, in.Phase, in.Name)
	if err != nil {
		return Made{}, err
	}
	row := map[string][2]string{
		"context": {"context.md", "CONTEXT"}, "uat": {"UAT.md", "UAT"}, "verification": {"verification-report.md", "VERIFICATION"},
	}[kind]
	text, err := templates.Fill(row[0], t.placeholderValues(c))
	if err != nil {
		return Made{}, err
	}
	return writeNew(ctx, c, path.Join(t.dir, t.phase.ID.PaddedNumber()+"-"+row[1]+".md"), text, "")
}

// writeNew writes a new file. An existing one stays unchanged.
func writeNew(ctx context.Context, c *planop.Call, below, text, template string) (Made, error) {
	made := Made{Created: true, Path: path.Join(folder.Name, below), Template: template}
	_, err := c.Change(ctx, c.Name+" "+path.Base(below), func(read change.Read) ([]change.File, error) {
		_, there, err := read(below)
		switch {
		case err != nil:
			return nil, err
		case there && template != "":
			return nil, planop.NewValueFault("already_exists", "File already exists", "path", made.Path)
		case there:
			made = Made{Reason: "already_exists", Path: made.Path}
			return nil, nil
		}
		return []change.File{{Name: below, Text: &text}}, nil
	})
	return made, err
}

// isProjectCode reports whether a text has the form of a project code. Any other text in the setting could be a path.
func isProjectCode(s string) bool {
	return s != "" && len(s) <= 6 && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// makePhaseFolder makes the folder of a phase, unless there is one with its number.
func makePhaseFolder(ctx context.Context, c *planop.Call, in *scaffoldInput) (Made, error) {
	name := argument.SingleLine(in.Name)
	id, err := argument.Phase(in.Phase)
	if err != nil || name == "" {
		return Made{}, planop.Usagef("a folder needs --phase and --name")
	}
	inv, err := c.Inventory()
	if err != nil {
		return Made{}, err
	}
	if p, archived := inv.Find(id); p != nil && p.Dir != "" && archived == "" {
		return Made{Reason: "already_exists", Directory: p.Dir, Path: p.Dir}, nil
	}
	set, err := c.Settings()
	if err != nil {
		return Made{}, err
	}
	dir := id.PaddedNumber()
	if code := set.Text("project_code"); id.Custom == "" && isProjectCode(code) {
		dir = code + "-" + dir
	}
	if slug := phaseid.Slug(name, 60); slug != "" {
		dir += "-" + slug
	}
	below, err := c.PathBelowPlanning(path.Join("phases", dir, ".gitkeep"))
	if err != nil {
		return Made{}, err
	}
	place := path.Join(folder.Name, path.Dir(below))
	_, err = c.Change(ctx, "scaffold phase-dir "+dir, func(change.Read) ([]change.File, error) {
		empty := ""
		return []change.File{{Name: below, Text: &empty}}, nil
	})
	return Made{Created: true, Directory: place, Path: place}, err
}
