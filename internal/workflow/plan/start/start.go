// Package start declares the operation that begins a plan: it makes the files of a planning folder from answers, or takes over what is
// there: a planning folder, a roadmap alone, a list of issues or a document. No file that it makes has a placeholder.
package start

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ken/internal/statefile"
	"ken/internal/workflow/plan/argument"
	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/roadmap"
	"ken/internal/workflow/plan/state"
)

// All returns the operations of this package.
func All() []*planop.Operation {
	return []*planop.Operation{planop.Spec[startInput, *Started]{
		Name: "start", Everyday: true, Summary: "begin a plan, from answers, a roadmap, a list of issues or a document; or take over what is there",
		Writes: true, Anywhere: true, Run: startPlan, Page: (*Started).page,
	}.Operation()}
}

type startInput struct {
	Phases    []string `arg:"[PHASE…]" help:"a phase each, with its goal behind a colon: 'Login: people can log in'"`
	Name      string   `flag:"name" help:"of the project; else that of its folder"`
	Goal      string   `flag:"goal" help:"what it is for, in a sentence"`
	Milestone string   `flag:"milestone" help:"the version that the phases lead to; v1.0 if not given"`
	From      string   `flag:"from" value:"FILE" help:"phases are taken from a roadmap, issues (a list in Markdown, or JSON of gh issue list --json) or a document"`
	Answers   string   `flag:"answers" value:"JSON" help:"name, goal, milestone and phases (name, goal) as an object of JSON"`
}

// answers are what a plan begins with.
type answers struct {
	Name      string  `json:"name"`
	Goal      string  `json:"goal"`
	Milestone string  `json:"milestone"`
	Phases    []phase `json:"phases"`

	project string       // the name of the project, where Name is that of a milestone
	roadmap string       // a text that is taken over as ROADMAP.md
	after   *state.State // of the milestone before; nil if this is the first
	offset  int          // the number of the last phase before
}

// phase is a phase with its goal.
type phase struct {
	Name   string `json:"name"`
	Goal   string `json:"goal"`
	Source string `json:"source"` // where it was taken from: an issue
}

// Started is a plan that was begun or taken over.
type Started struct {
	Begun  bool     `json:"begun"` // false if there was nothing to make
	Name   string   `json:"name"`
	Phases []string `json:"phases"`
	Made   []string `json:"made"`
	Next   string   `json:"next" calls:"ken plan"` // the operation of ken plan that comes next
	Why    string   `json:"why"`
}

func (a *Started) page() string {
	var b strings.Builder
	if a.Begun {
		s := "s"
		if len(a.Phases) == 1 {
			s = ""
		}
		fmt.Fprintf(&b, "%s has a plan now, with %d phase%s\n", a.Name, len(a.Phases), s)
	} else {
		b.WriteString("there is a plan already, and nothing was missing\n")
	}
	for _, p := range a.Phases {
		b.WriteString("  " + p + "\n")
	}
	fmt.Fprintf(&b, "next: %s\n  ken plan %s\n", a.Why, a.Next)
	return b.String()
}

func startPlan(ctx context.Context, c *planop.Call, in *startInput) (*Started, error) {
	_, err := c.Folder()
	there := err == nil
	if err != nil && !errors.Is(err, folder.ErrNone) && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	given, err := readAnswers(c, in)
	if err != nil {
		return nil, err
	}
	var inv *inventory.Inventory
	if there {
		if inv, err = c.Inventory(); err != nil {
			return nil, err
		}
		if inv.Roadmap != nil && !inv.IsArchived() {
			return takeOver(ctx, c, inv, given)
		}
	}
	if inv != nil && inv.Roadmap != nil {
		if err := given.follow(c, inv); err != nil {
			return nil, err
		}
	}
	given.complete(c)
	if len(given.Phases) == 0 && given.roadmap == "" {
		if err := askQuestions(c.Ask, given); err != nil {
			return nil, err
		}
	}
	out := &Started{Begun: true, Name: given.project, Phases: given.phaseLines(), Made: []string{}}
	if c.DryRun && !there {
		out.Next, out.Why = "start", "it was only tried"
		return out, nil
	}
	if _, err := c.Begin(); err != nil {
		return nil, err
	}
	return out, makeFiles(ctx, c, given, out)
}

// complete sets what no answer has: the name of the project is that in PROJECT.md, or that of its folder.
func (a *answers) complete(c *planop.Call) {
	a.project = projectName(c)
	if a.Name != "" && a.after == nil {
		a.project = a.Name
	}
	if a.Name == "" {
		a.Name = a.project
	}
	if a.Milestone == "" {
		a.Milestone = "v1.0"
	}
}

// projectName returns the title of PROJECT.md, or the name of the user's folder.
func projectName(c *planop.Call) string {
	if f, err := c.Folder(); err == nil {
		text, _ := f.ReadRoot("PROJECT.md")
		for _, h := range document.Parse(text).Headings() {
			if name := oneLine(h.Text.Text(text)); h.Level == 1 && name != "" {
				return name
			}
		}
	}
	return filepath.Base(c.Dir)
}

// follow makes the phases those of the milestone after the last one, whose roadmap is in the archive. Their numbers go on. It fails if the
// milestone is in the archive, too.
func (a *answers) follow(c *planop.Call, inv *inventory.Inventory) error {
	a.after = inv.State
	for _, p := range slices.Concat(inv.Phases, inv.Others) {
		if n, err := strconv.Atoi(p.ID.Digits); err == nil && !p.ID.IsBacklog() {
			a.offset = max(a.offset, n)
		}
	}
	if a.Milestone == "" {
		a.Milestone = nextVersion(inv.Version())
	}
	f, err := c.Folder()
	if err == nil && f.ExistsRoot("milestones/"+a.Milestone+"-ROADMAP.md") {
		err = planop.Faultf("milestone_exists", "milestone %s is in the archive: name another one with --milestone", a.Milestone)
	}
	return err
}

// nextVersion returns the version after another one: v1.1 after v1.0.
func nextVersion(version string) string {
	at := strings.LastIndexByte(version, '.') + 1
	n, err := strconv.Atoi(version[at:])
	if err != nil {
		return version + ".1"
	}
	return version[:at] + strconv.Itoa(n+1)
}

// takeOver completes a planning folder that has a roadmap.
func takeOver(ctx context.Context, c *planop.Call, inv *inventory.Inventory, given *answers) (*Started, error) {
	if len(given.Phases) > 0 {
		return nil, planop.Faultf("plan_exists", "there is a plan already: \"ken plan phase add\" adds a phase to it")
	}
	given.complete(c)
	out := &Started{Name: given.project, Phases: []string{}, Made: []string{}}
	for _, p := range inv.Phases {
		out.Phases = append(out.Phases, p.ID.String()+" "+p.Name)
	}
	given.roadmap = inv.Roadmap.Doc.Text()
	return out, makeFiles(ctx, c, given, out)
}

// makeFiles makes those of the files of a plan that are not there.
func makeFiles(ctx context.Context, c *planop.Call, given *answers, out *Started) error {
	f, err := c.Folder()
	if err != nil {
		return err
	}
	texts, err := given.texts(c)
	if err != nil {
		return err
	}
	_, err = c.Change(ctx, c.Name, func(read change.Read) ([]change.File, error) {
		var files []change.File
		for _, t := range texts {
			name, err := c.PathBelowPlanning(t.name)
			if err != nil {
				return nil, err
			}
			_, there, err := read(name)
			if err != nil {
				return nil, err
			}
			if there && (given.after == nil || t.name == "PROJECT.md") {
				continue
			}
			files = append(files, change.File{Name: name, Text: &t.text})
			out.Made = append(out.Made, f.Path(t.name))
		}
		return files, nil
	})
	if err != nil {
		return err
	}
	out.Begun = len(out.Made) > 0
	inv, err := c.Inventory()
	if err != nil {
		return err
	}
	step := inv.NextStep()
	out.Next, out.Why = step.Line(), step.String()
	if !c.DryRun && len(inv.Phases) == 0 {
		out.Next, out.Why = "phase add NAME", "the roadmap has no phase"
	}
	return nil
}

// readAnswers reads the flags of a call, its JSON, and the file that it names.
func readAnswers(c *planop.Call, in *startInput) (*answers, error) {
	a := &answers{}
	if in.Answers != "" {
		if err := argument.JSON("--answers", in.Answers, a); err != nil {
			return nil, planop.Usagef("%s", err.Error())
		}
	}
	for _, set := range []struct {
		to    *string
		value string
	}{{&a.Name, in.Name}, {&a.Goal, in.Goal}, {&a.Milestone, in.Milestone}} {
		if set.value != "" {
			*set.to = set.value
		}
		*set.to = oneLine(*set.to)
	}
	for _, p := range in.Phases {
		name, goal, _ := strings.Cut(p, ":")
		a.Phases = append(a.Phases, phase{Name: name, Goal: goal})
	}
	if in.From != "" {
		if err := a.readFile(c, in.From); err != nil {
			return nil, err
		}
	}
	for i := range a.Phases {
		p := &a.Phases[i]
		if p.Name, p.Goal, p.Source = oneLine(p.Name), oneLine(p.Goal), oneLine(p.Source); p.Name == "" {
			return nil, planop.Usagef("a phase has no name")
		}
	}
	return a, nil
}

// maxSource is the maximal number of bytes of a file that phases are taken from.
const maxSource = 4 << 20

func (a *answers) readFile(c *planop.Call, name string) error {
	if !filepath.IsAbs(name) {
		name = filepath.Join(c.Dir, name)
	}
	local, err := filepath.Rel(c.Dir, name)
	if err != nil || !filepath.IsLocal(local) {
		return planop.Faultf("path_outside", "%.200s is not below this folder", name)
	}
	root, err := os.OpenRoot(c.Dir)
	if err != nil {
		return err
	}
	defer root.Close()
	b, err := statefile.ReadIn(root, local, maxSource)
	if err != nil {
		return &folder.Error{File: filepath.ToSlash(local), Err: err}
	}
	text := string(b)
	if c.Mask != nil {
		text = c.Mask(text)
	}
	if r := roadmap.Parse(text); len(r.Phases) > 0 {
		a.roadmap = text
		return nil
	}
	list, err := readPhases(text)
	if err != nil {
		return err
	}
	a.Phases = append(a.Phases, list...)
	return nil
}

func oneLine(text string) string { return strings.Join(strings.Fields(argument.SingleLine(text)), " ") }
