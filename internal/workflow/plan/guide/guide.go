// Package guide prints the guides, roles and references of package content with the facts of a project: the phase and its documents, the
// folder in which an executor works, models, and which steps of a guide apply. Package wave leads agents through a phase and names the
// roles; here is what they read.
package guide

import (
	"cmp"
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"ken/internal/operation"
	"ken/internal/workflow/agent/runtimes"
	"ken/internal/workflow/content"
	"ken/internal/workflow/content/models"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/settings"
	"ken/internal/workflow/plan/wave"
)

// Answer is the answer of `ken plan guide`.
type Answer struct {
	Kind    content.Kind `json:"kind"`
	Name    string       `json:"name"`
	Args    []string     `json:"args"`
	Purpose string       `json:"purpose"`
	Runtime string       `json:"runtime"`
	// Facts are lines about the project.
	Facts []string `json:"facts" calls:"text"`
	// Steps are those of a guide that apply, LeftOut the others, each with its reason.
	Steps   []Step   `json:"steps,omitempty"`
	LeftOut []string `json:"left_out,omitempty" calls:"text"`
	// First are the calls that a role begins with.
	First []string `json:"first,omitempty" calls:"command"`
	// Writes are the documents that a role writes, as files of the phase where it has one.
	Writes []string `json:"writes,omitempty"`
	Text   string   `json:"text,omitempty" calls:"text"` // of a role or a reference
	Next   []string `json:"next,omitempty" calls:"command"`
	runs   runtimes.Runtime
}

// Step is a step of a guide, with the arguments of the guide in its calls.
type Step struct {
	Name    string         `json:"name"`
	Do      string         `json:"do" calls:"text"`
	Run     []string       `json:"run,omitempty" calls:"command"`
	Agent   *content.Agent `json:"agent,omitempty"`
	Gate    string         `json:"gate,omitempty"`
	Options []string       `json:"options,omitempty"`
	Writes  []string       `json:"writes,omitempty"`
}

// Facts are what other packages know of a phase.
type Facts struct {
	// Begun returns the plans of a phase that have an executor. It fails if those cannot be listed.
	Begun func(c *planop.Call, phase string) ([]wave.BegunPlan, error)
	// Topics returns what a phase is about: interface, schema, api, infrastructure, ai. It fails if its files cannot be read.
	Topics func(c *planop.Call, phase string) ([]string, error)
	// Kept reports whether the roadmap is committed, or is not to be. It fails if the settings cannot be read.
	Kept func(ctx context.Context, c *planop.Call) (bool, error)
}

// printer prints one text in a project.
type printer struct {
	facts Facts
	call  *planop.Call
	set   *settings.Settings
	inv   *inventory.Inventory // nil without a planning folder
	phase *inventory.Phase     // nil if the text is about none
	dir   string               // the folder of the phase, or the one that it will have; "" if its name cannot be shown
	args  map[string]string    // values of placeholders
	a     *Answer
}

// newPrinter reads the facts of the project. Without a planning folder there are none.
func newPrinter(c *planop.Call, facts Facts, runtime string) (*printer, error) {
	a := &Answer{Args: []string{}, Facts: []string{}, runs: named("")}
	p := &printer{facts: facts, call: c, args: map[string]string{}, a: a}
	if c.Getenv != nil {
		p.a.runs = runtimes.Calling(c.Getenv)
	}
	if runtime != "" {
		p.a.runs = named(runtime)
	}
	p.a.Runtime = p.a.runs.Name
	var err error
	p.inv, err = c.Inventory()
	if errors.Is(err, folder.ErrNone) {
		p.set = settings.Parse("")
		return p, nil
	}
	if err != nil {
		return nil, err
	}
	p.set, err = c.Settings()
	return p, err
}

// named returns the runtime of a name, or one of which nothing is known.
func named(name string) runtimes.Runtime {
	r, _ := runtimes.Named(name)
	return r
}

// takeArgs gives the arguments of a text their values. A phase that was not named is that of the next step. It fails with a
// *planop.Fault if one is missing, too many are given, or there is no such phase or plan.
func (p *printer) takeArgs(name string, takes, given []string) error {
	if len(given) > len(takes) && !(len(takes) > 0 && strings.Contains(takes[len(takes)-1], "TEXT")) {
		return planop.Usagef("%s takes %d arguments, not %d", name, len(takes), len(given))
	}
	for i, placeholder := range takes {
		key, optional := strings.CutPrefix(strings.TrimSuffix(placeholder, "]"), "[")
		value := ""
		switch {
		case i < len(given) && i == len(takes)-1:
			value = strings.Join(given[i:], " ")
		case i < len(given):
			value = given[i]
		case key == "PHASE" && p.inv != nil && p.inv.NextStep().Phase != nil:
			value = p.inv.NextStep().Phase.Token()
		case optional:
			continue
		default:
			p.args[key] = "" // the text is printed with the placeholder, for those who read it first
			continue
		}
		if key == "PHASE" {
			if err := p.findPhase(value); err != nil {
				return err
			}
			value = p.phase.Token()
		}
		if key == "PLAN" && p.phase != nil && p.phase.Plan(value).File == "" {
			var near []string
			for _, plan := range p.phase.Plans {
				near = append(near, plan.ID)
			}
			return &planop.Fault{Reason: "plan_not_found", Message: "phase " + p.phase.Token() + " has no plan " + value, Near: near}
		}
		p.args[key] = value
		p.a.Args = append(p.a.Args, value)
	}
	return nil
}

func (p *printer) findPhase(text string) error {
	if p.inv == nil {
		return folder.ErrNone
	}
	found, _ := p.inv.FindText(text)
	if found == nil {
		return &planop.Fault{Reason: "phase_not_found", Message: "there is no phase " + text, Near: p.inv.NearPhases(text)}
	}
	p.phase, p.dir = found, found.Dir
	if p.dir == "" {
		p.dir = p.futureDir()
	}
	return nil
}

// futureDir returns the folder that the phase will have, as `ken plan phase draft` makes it, or "" if its name cannot be shown.
func (p *printer) futureDir() string {
	code := p.set.Text("project_code")
	name := strings.Join(strings.Fields(p.phase.Name), " ")
	if code != phaseid.Slug(code, len(code)) && code != strings.ToUpper(phaseid.Slug(code, len(code))) || p.isOrder(name) {
		return ""
	}
	slug := cmp.Or(phaseid.Slug(name, 60), "phase") // a name without a Latin letter
	return path.Join(p.planningBase(), "phases", phaseid.FolderName(code, p.phase.ID.PaddedNumber(), slug))
}

// isOrder reports whether a text of the project is worded as an order to an agent.
func (p *printer) isOrder(text string) bool {
	return p.call.Orders != nil && len(p.call.Orders(text)) > 0
}

// phaseFacts describes the phase and what its folder has.
func (p *printer) phaseFacts() {
	if p.phase == nil {
		return
	}
	line := "phase " + p.phase.Token()
	name := strings.Join(strings.Fields(p.phase.Name), " ")
	if p.isOrder(name) {
		name = "(name left out: it is worded as an order)"
	}
	if name != "" {
		line += " " + name
	}
	if p.phase.Dir == "" {
		line += ": it has no folder yet"
		if p.dir != "" {
			line += "; the first document makes " + p.dir
		}
		p.a.Facts = append(p.a.Facts, line)
		return
	}
	line += " in " + p.phase.Dir + ": "
	var list []string
	for _, kind := range inventory.DocumentKinds() {
		if kind != "PLAN" && kind != "SUMMARY" && p.phase.Has(kind) {
			list = append(list, kind)
		}
	}
	if n := len(p.phase.Plans); n > 0 {
		list = append(list, operation.Plural(n, "plan")+", "+operation.Plural(p.phase.DonePlans(), "summary"))
	}
	if len(list) == 0 {
		list = append(list, "no documents")
	}
	p.a.Facts = append(p.a.Facts, line+strings.Join(list, ", "))
}

// planFacts describes the plan of an executor and the folder in which it works. It fails as Facts.Begun does.
func (p *printer) planFacts() error {
	plan := p.args["PLAN"]
	if plan == "" || p.phase == nil {
		return nil
	}
	p.a.Facts = append(p.a.Facts, "plan "+path.Join(p.phase.Dir, p.phase.Plan(plan).File))
	begun, err := p.facts.Begun(p.call, p.phase.Token())
	if err != nil {
		return err
	}
	for _, b := range begun {
		if b.Plan == plan && b.OwnTree {
			how := strings.ReplaceAll(runtimes.FolderNote, "FOLDER", operation.ShellWord(b.Directory))
			p.a.Facts = append(p.a.Facts, "folder "+b.Directory+": work in it alone. "+how)
		}
	}
	return nil
}

// fill returns a text with the values of the placeholders in calls of ken, each quoted for a shell.
func (p *printer) fill(text string) string {
	words := strings.Split(text, " ")
	for i, word := range words {
		bare := strings.TrimRight(word, "`.,;:)")
		if value := p.args[bare]; value != "" {
			words[i] = operation.ShellWord(value) + word[len(bare):]
		}
	}
	return strings.Join(words, " ")
}

func (p *printer) fillAll(list []string) []string {
	out := make([]string, len(list))
	for i, text := range list {
		out[i] = p.fill(text)
	}
	return out
}

// fillText fills the calls of ken that stand in back quotes in a text.
func (p *printer) fillText(text string) string {
	parts := strings.Split(text, "`")
	for i := 1; i < len(parts); i += 2 {
		if strings.HasPrefix(parts[i], "ken ") {
			parts[i] = p.fill(parts[i])
		}
	}
	return strings.Join(parts, "`")
}

// documentFiles returns the paths under which documents are written: in the folder of the phase, or below the planning folder.
func (p *printer) documentFiles(kinds []string) []string {
	list := slices.Clone(kinds)
	for i, kind := range list {
		switch {
		case slices.Contains(inventory.DocumentKinds(), kind):
			if p.phase != nil && p.dir != "" {
				list[i] = path.Join(p.dir, p.documentName(kind))
			}
		case strings.Contains(kind, "."):
			list[i] = path.Join(p.planningBase(), kind)
		}
	}
	return list
}

// planningBase returns the folder of roadmap and state.
func (p *printer) planningBase() string {
	if f, err := p.call.Folder(); err == nil {
		return f.Base
	}
	return folder.Name
}

// documentName returns the name of a document of the phase.
func (p *printer) documentName(kind string) string {
	prefix := p.phase.ID.PaddedNumber()
	if p.phase.Dir != "" {
		prefix = p.phase.Token()
	}
	if kind == "PLAN" || kind == "SUMMARY" {
		return cmp.Or(p.args["PLAN"], prefix+"-NN") + "-" + kind + ".md"
	}
	return cmp.Or(p.phase.FirstOfKind(kind), prefix+"-"+kind+".md")
}

// printGuide prints the steps of a guide that apply.
func (p *printer) printGuide(name string, given []string) error {
	g, err := content.ReadGuide(name)
	if err != nil {
		return err
	}
	if err := p.takeArgs(name, g.Takes, given); err != nil {
		return err
	}
	p.phaseFacts()
	p.a.Purpose, p.a.Next = g.Purpose, p.fillAll(g.Next)
	for _, s := range g.Steps {
		why, err := p.reasonAgainst(s.When)
		if err != nil {
			return err
		}
		if why != "" {
			p.a.LeftOut = append(p.a.LeftOut, s.Name+" ("+why+")")
			continue
		}
		step := Step{
			Name: s.Name, Do: p.fillText(s.Do), Run: p.fillAll(s.Run), Gate: s.Gate, Options: s.Options, Writes: p.documentFiles(s.Writes),
		}
		if s.Role != "" {
			if step.Agent, err = p.newAgent(s.Role); err != nil {
				return err
			}
		}
		p.a.Steps = append(p.a.Steps, step)
	}
	return nil
}

// newAgent returns an agent with a role. Its arguments are those of the guide that have the same names.
func (p *printer) newAgent(role string) (*content.Agent, error) {
	r, err := content.ReadRole(role)
	if err != nil {
		return nil, err
	}
	var args []string
	for _, placeholder := range r.Takes {
		value := p.args[strings.Trim(placeholder, "[]")]
		if value == "" {
			break
		}
		args = append(args, value)
	}
	model := ""
	if p.a.runs.Models {
		model, _ = models.Resolve(p.set, "gsd-"+role)
	}
	return content.NewAgent(role, model, args...), nil
}

// reasonAgainst returns the first condition that does not hold, in words, or "". A condition is "setting KEY" and "unset KEY" for a
// setting that is on or off, "has KIND" and "lacks KIND" for a document of the phase or, without a phase, of the planning folder, and
// "about TOPIC" for a topic of the phase. It fails as Facts.Topics does.
func (p *printer) reasonAgainst(conditions []string) (string, error) {
	for _, condition := range conditions {
		word, what, _ := strings.Cut(condition, " ")
		switch word {
		case "setting", "unset":
			switch on := p.set.IsOn(what); {
			case on && word == "unset":
				return what + " is on", nil
			case !on && word == "setting":
				return what + " is off", nil
			}
		case "has", "lacks":
			switch has := p.hasDocument(what); {
			case has && word == "lacks":
				return what + " is there", nil
			case !has && word == "has":
				return "there is no " + what, nil
			}
		case "about":
			if p.phase == nil {
				break
			}
			topics, err := p.facts.Topics(p.call, p.phase.Token())
			if err != nil {
				return "", err
			}
			if !slices.Contains(topics, what) {
				return "it is not about " + what, nil
			}
		}
	}
	return "", nil
}

func (p *printer) hasDocument(kind string) bool {
	if p.phase != nil && slices.Contains(inventory.DocumentKinds(), kind) {
		return p.phase.Has(kind)
	}
	f, err := p.call.Folder()
	if err != nil {
		return false
	}
	_, err = f.ReadRoot(kind + ".md")
	return err == nil
}

// printRole prints a role with what the agent that takes it has to know.
func (p *printer) printRole(name string, given []string) error {
	r, err := content.ReadRole(name)
	if err != nil {
		return err
	}
	if err := p.takeArgs(name, r.Takes, given); err != nil {
		return err
	}
	p.phaseFacts()
	if err := p.planFacts(); err != nil {
		return err
	}
	p.a.Purpose, p.a.First, p.a.Writes, p.a.Text = r.Purpose, p.fillAll(r.Reads), p.documentFiles(r.Writes), p.fillText(r.Text)
	return nil
}

// replacement returns the text that takes the place of a purpose or subject of get-shit-done, "" if a call of ken does, or nothing, which
// it notes. It returns false, with the name, if there is no such purpose or subject.
func (p *printer) replacement(name string) (text string, ok bool) {
	for _, k := range []content.PlaceKind{content.Purposes, content.Subjects} {
		for _, place := range content.Places(k) {
			if place.Name != name {
				continue
			}
			switch {
			case place.Call != "":
				p.a.Facts = append(p.a.Facts, name+": `"+place.Call+"`")
			case place.Dropped != "":
				p.a.Facts = append(p.a.Facts, name+" was left out: "+place.Dropped)
			}
			p.a.Name = name
			return place.Guide + place.File, true
		}
	}
	return name, false
}

// printText prints the text of a name. It fails with a *planop.Fault if there is none.
func (p *printer) printText(name string, given []string) error {
	kind, ok := content.Find(name)
	if !ok {
		if name, ok = p.replacement(name); !ok {
			return unknownName(name)
		}
		if name == "" {
			return nil // a call of ken, or nothing, takes its place
		}
		kind, _ = content.Find(name)
	}
	p.a.Kind, p.a.Name = kind, name
	switch kind {
	case content.GuideKind:
		return p.printGuide(name, given)
	case content.RoleKind:
		return p.printRole(name, given)
	}
	r, err := content.ReadReference(name)
	if err == nil {
		p.a.Purpose, p.a.Text = r.Purpose, r.Text
	}
	return err
}
