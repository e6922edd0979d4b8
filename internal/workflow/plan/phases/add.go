package phases

import (
	"encoding/json"
	"path"
	"strconv"
	"strings"

	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/planop"
)

// Added is a phase added at the end of the milestone.
type Added struct {
	Number    any    `json:"phase_number"` // a number, or a text for a custom name
	Padded    string `json:"padded"`
	Name      string `json:"name"`
	Slug      string `json:"slug"`
	Directory string `json:"directory"`
	Naming    string `json:"naming_mode"`
}

// Batch are phases that were added together.
type Batch struct {
	Phases []Added `json:"phases"`
	Count  int     `json:"count"`
}

// Inserted is a phase that was inserted between two others.
type Inserted struct {
	Number    string `json:"phase_number"`
	After     string `json:"after_phase"`
	Name      string `json:"name"`
	Slug      string `json:"slug"`
	Directory string `json:"directory"`
}

type phaseAddInput struct {
	Description string `arg:"DESCRIPTION…" help:"what it is about"`
	ID          string `flag:"id" help:"its number or name; else the next number"`
	Plans       int    `flag:"plans" value:"N" help:"write drafts of so many plans"`
}

type phaseAddBatchInput struct {
	Description  []string `arg:"[DESCRIPTION…]" help:"what a phase is about, a word of the command line each"`
	Descriptions *string  `flag:"descriptions" help:"what the phases are about, as a JSON list of texts"`
}

type phaseInsertInput struct {
	After       string `arg:"AFTER" help:"the phase that it comes behind"`
	Description string `arg:"DESCRIPTION…" help:"what it is about"`
}

func addOperations() []*planop.Operation {
	add := changeOperation(planop.Spec[phaseAddInput, Added]{
		Name: "phase add", Everyday: true, Summary: "add a phase at the end of the milestone", Plain: func(a Added) string { return a.Padded },
	}, func(j *phaseJob, in *phaseAddInput) (Added, error) {
		if err := j.checkRoadmap(); err != nil {
			return Added{}, err
		}
		a, err := j.addPhase(in.Description, in.ID, nil)
		if err != nil {
			return Added{}, err
		}
		_, err = j.writeDrafts(path.Base(a.Directory), a.Padded, 0, in.Plans)
		return a, err
	})
	batch := changeOperation(planop.Spec[phaseAddBatchInput, Batch]{
		Name: "phase add-batch", Summary: "add several phases at the end of the milestone",
	}, (*phaseJob).addBatch)
	insert := changeOperation(planop.Spec[phaseInsertInput, Inserted]{
		Name: "phase insert", Summary: "insert a phase behind another, with a decimal number",
		Plain: func(a Inserted) string { return a.Number },
	}, (*phaseJob).insertPhase)
	return []*planop.Operation{add, batch, insert, draftOperation()}
}

// nameAndSlug returns the name of a phase, its description in one line, and the slug, the form of the name in its folder's name. It fails
// if the description is empty.
func (j *phaseJob) nameAndSlug(text string) (name, slug string, err error) {
	name = strings.Join(strings.Fields(text), " ")
	if name == "" {
		return "", "", planop.Usagef("the description is empty")
	}
	if slug = phaseid.Slug(name, 60); slug == "" {
		slug = "phase" // a description without a Latin letter
	}
	return name, slug, nil
}

// addPhase adds a phase at the end of the milestone. The id is its number or name; for "" it gets the next number. It gets the folder of an
// entry of the backlog, which may be nil.
func (j *phaseJob) addPhase(description, id string, entry *inventory.Phase) (Added, error) {
	name, slug, err := j.nameAndSlug(description)
	if err != nil {
		return Added{}, err
	}
	set, err := j.Settings()
	if err != nil {
		return Added{}, err
	}
	out := Added{Name: name, Slug: slug, Naming: set.Text("phase_naming")}
	number := j.nextNumber()
	switch {
	case id != "":
		parsed, ok := phaseid.Parse(id)
		if !ok || strings.ContainsAny(id, "/\\ ") {
			return Added{}, planop.Usagef("--id is %.60q, which is not a number or name of a phase", id)
		}
		number = parsed
	case out.Naming == "custom":
		number = phaseid.ID{Custom: strings.ToUpper(slug)}
	}
	if hasID(j.takenNumbers(), number) {
		return Added{}, planop.Faultf("phase_exists", "there is a phase %s already", number)
	}
	a := &phaseAddition{original: j.Original, id: number, name: name, milestone: j.road.view.Version}
	out.Number, out.Padded = number.String(), number.PaddedNumber()
	if number.Custom != "" {
		out.Padded = number.Custom
	} else if n, err := strconv.Atoi(number.Digits); err == nil && number.String() == number.Digits {
		out.Number = n
	}
	if last, ok := j.road.insertionSection(phaseid.ID{}); ok && out.Naming != "custom" {
		a.depends = last.ID.Number()
	}
	out.Directory, err = j.takeFolder(entry, set.Text("project_code"), out.Padded, slug)
	if err != nil {
		return Added{}, err
	}
	return out, j.road.addPhase(a)
}

// makeFolder makes the folder of a phase, with an empty file in it, because git keeps no empty folder.
func (j *phaseJob) makeFolder(code, number, slug string) (string, error) {
	dir := path.Join("phases", phaseid.FolderName(code, number, slug))
	f, err := j.Folder()
	if err != nil {
		return "", err
	}
	if f.Exists(dir) {
		return "", planop.Faultf("phase_exists", "there is a folder %s already", j.displayName(dir))
	}
	return j.displayName(dir), j.putText(path.Join(dir, ".gitkeep"), "")
}

// takenNumbers returns the phase numbers that are taken: those of the milestone, of phases added by this job, and of folders.
func (j *phaseJob) takenNumbers() (list []phaseid.ID) {
	for _, p := range j.road.view.Phases {
		list = append(list, p.ID)
	}
	for _, p := range j.inv.Phases {
		list = append(list, p.ID)
	}
	for _, p := range j.inv.Others {
		list = append(list, p.ID)
	}
	return list
}

// nextNumber returns the number of the next phase. The first phase of a milestone continues the numbers of earlier milestones.
func (j *phaseJob) nextNumber() phaseid.ID {
	list := j.takenNumbers()
	if len(list) == 0 {
		for _, p := range j.road.Phases {
			list = append(list, p.ID)
		}
		for _, a := range j.inv.Archives {
			for _, p := range a.Phases {
				list = append(list, p.ID)
			}
		}
	}
	return phaseid.NextNumber(list)
}

func hasID(list []phaseid.ID, id phaseid.ID) bool {
	for _, other := range list {
		if phaseid.Same(other, id) {
			return true
		}
	}
	return false
}

func (j *phaseJob) addBatch(in *phaseAddBatchInput) (Batch, error) {
	if err := j.checkRoadmap(); err != nil {
		return Batch{}, err
	}
	list := in.Description
	if in.Descriptions != nil {
		if err := json.Unmarshal([]byte(*in.Descriptions), &list); err != nil {
			return Batch{}, planop.Usagef("--descriptions is not a JSON list of texts: %v", err)
		}
	}
	if len(list) == 0 {
		return Batch{}, planop.Usagef("there is no description")
	}
	out := Batch{Phases: []Added{}}
	for _, d := range list {
		a, err := j.addPhase(d, "", nil)
		if err != nil {
			return Batch{}, err
		}
		out.Phases = append(out.Phases, a)
	}
	out.Count = len(out.Phases)
	return out, nil
}

func (j *phaseJob) insertPhase(in *phaseInsertInput) (Inserted, error) {
	if err := j.checkRoadmap(); err != nil {
		return Inserted{}, err
	}
	name, slug, err := j.nameAndSlug(in.Description)
	if err != nil {
		return Inserted{}, err
	}
	after, err := j.findPhase(in.After)
	if err != nil {
		return Inserted{}, err
	}
	if _, ok := j.road.phaseSection(after.ID); !ok || after.ID.Custom != "" {
		fault := &planop.Fault{Reason: "phase_not_found", Message: "ROADMAP.md has no section of a phase " + after.ID.String() + " in the current milestone"}
		for _, p := range j.road.view.Phases {
			fault.Near = append(fault.Near, p.ID.String())
		}
		fault.Near = fault.Near[:min(5, len(fault.Near))]
		return Inserted{}, fault
	}
	set, err := j.Settings()
	if err != nil {
		return Inserted{}, err
	}
	id := phaseid.NextDecimal(after.ID, j.takenNumbers())
	out := Inserted{Number: id.PaddedNumber(), After: in.After, Name: name, Slug: slug}
	if out.Directory, err = j.makeFolder(set.Text("project_code"), id.PaddedNumber(), slug); err != nil {
		return Inserted{}, err
	}
	return out, j.road.addPhase(&phaseAddition{original: j.Original,
		id: id, name: name, depends: after.ID.Number(), inserted: true, after: after.ID, milestone: j.road.view.Version,
	})
}

// takeFolder gives the folder of an entry of the backlog the number and name of a phase, and its files the number. Without one it makes a
// folder.
func (j *phaseJob) takeFolder(entry *inventory.Phase, code, number, slug string) (string, error) {
	if entry == nil || entry.Dir == "" {
		return j.makeFolder(code, number, slug)
	}
	dir := path.Join("phases", phaseid.FolderName(code, number, slug))
	if f, err := j.Folder(); err != nil {
		return "", err
	} else if f.Exists(dir) {
		return "", planop.Faultf("phase_exists", "there is a folder %s already", j.displayName(dir))
	}
	name := func(name string) string {
		if rest, ok := strings.CutPrefix(name, entry.Token()+"-"); ok {
			return number + "-" + rest
		}
		return name
	}
	var err error
	j.renamed, err = j.moveOrRemove(j.planningPath(entry.Dir), dir, name, func(text string) (string, error) { return text, nil })
	return j.displayName(dir), err
}
