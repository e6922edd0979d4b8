package phases

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/roadmap"
)

// ShippedMilestone is a completed milestone, with the files of its archive.
type ShippedMilestone struct {
	Version         string          `json:"version"`
	Name            string          `json:"name"`
	Date            string          `json:"date"`
	Phases          int             `json:"phases"`
	Plans           int             `json:"plans"`
	Tasks           int             `json:"tasks"`
	Accomplishments []string        `json:"accomplishments"`
	Archived        ShippedArchives `json:"archived"`
	Milestones      bool            `json:"milestones_updated"`
	State           bool            `json:"state_updated"`
	Warnings        []string        `json:"warnings,omitempty"`
	Derived         []string        `json:"derived_fields,omitempty"`
}

// ShippedArchives are the files of the archive.
type ShippedArchives struct {
	Roadmap      bool `json:"roadmap"`
	Requirements bool `json:"requirements"`
	Audit        bool `json:"audit"`
	Phases       bool `json:"phases"`
}

type milestoneCompleteInput struct {
	Version       string `arg:"VERSION" help:"its version: v1.0"`
	Name          string `flag:"name" help:"its name; that in the roadmap if not given, else the version"`
	ArchivePhases bool   `flag:"archive-phases" help:"move the folders of its phases, too"`
	Force         bool   `flag:"force" help:"even if phases are not complete, which is a warning then"`
}

func milestoneOperation() *planop.Operation {
	return changeOperation(planop.Spec[milestoneCompleteInput, *ShippedMilestone]{
		Name: "milestone complete", Summary: "archive a milestone whose phases are all complete; try it with --dry-run first",
	}, (*phaseJob).shipMilestone)
}

var versionName = lazyRegexp(`^v?[0-9A-Za-z][0-9A-Za-z.\-]{0,30}$`)

func (j *phaseJob) shipMilestone(in *milestoneCompleteInput) (*ShippedMilestone, error) {
	version := in.Version
	if !versionName().MatchString(version) || strings.Contains(version, "..") {
		return nil, planop.Usagef("VERSION is %.40q; it must be like v1.0", version)
	}
	out := &ShippedMilestone{Version: version, Name: strings.Join(strings.Fields(in.Name), " "), Date: j.day(), Accomplishments: []string{}}
	if out.Name == "" && !j.Original && j.inv.View.Version == version {
		out.Name = j.inv.View.Name
	}
	if out.Name == "" {
		out.Name = version
	}
	if f, err := j.Folder(); err != nil {
		return nil, err
	} else if f.ExistsRoot("milestones/" + version + "-ROADMAP.md") {
		return nil, planop.Faultf("milestone_exists", "there is an archive of %s already: %s/milestones/%s-ROADMAP.md", version, folder.Name, version)
	}
	open, err := j.openReasons()
	if err != nil {
		return nil, err
	}
	if len(open) > 0 && !in.Force {
		return nil, planop.Faultf("milestone_incomplete", "%s is not complete: %s; use --force to complete it anyway", version, strings.Join(open, "; "))
	}
	out.Warnings = open
	if err := j.collectAccomplishments(out); err != nil {
		return nil, err
	}
	if err := j.archiveMilestone(out, in); err != nil {
		return nil, err
	}
	if err := j.addMilestoneEntry(out); err != nil {
		return nil, err
	}
	return out, j.shipState(out)
}

// openReasons returns the reasons why the milestone is not complete. It fails if not all phases of the roadmap are known, because
// the archive might then lack some.
func (j *phaseJob) openReasons() (open []string, err error) {
	if err := j.checkPhasesKnown(); err != nil {
		return nil, err
	}
	return UnfinishedPhases(j.inv), nil
}

// checkPhasesKnown fails if not all phases of the milestone are known.
func (j *phaseJob) checkPhasesKnown() error {
	if err := j.checkRoadmap(); err != nil {
		return err
	}
	if v := j.road.view; v.Scope == roadmap.Truncated || v.Scope == roadmap.Unreadable {
		return planop.Faultf("milestone_scope", "the phases of the milestone are not all known (%s): %s", v.Scope, v.Why)
	}
	return nil
}

var tasksField = lazyRegexp(`\*\*Tasks:\*\*\s*(\d+)`)

// collectAccomplishments counts phases, plans and tasks, and collects the one-line descriptions in the summaries.
func (j *phaseJob) collectAccomplishments(out *ShippedMilestone) error {
	for _, p := range j.inv.Phases {
		if p.Dir != "" {
			out.Phases++
		}
		out.Plans += len(p.Plans)
		for _, name := range p.Summaries {
			text, ok, err := j.readText(path.Join(j.planningPath(p.Dir), name))
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			if line := strings.TrimSpace(artefact.ParseSummary(text).OneLiner); line != "" && !artefact.IsPlaceholder(line) {
				out.Accomplishments = append(out.Accomplishments, line)
			}
			if m := tasksField().FindStringSubmatch(text); m != nil {
				n, _ := strconv.Atoi(m[1])
				out.Tasks += n
			} else {
				out.Tasks += len(artefact.ParsePlan(text).Tasks)
			}
		}
	}
	return nil
}

// putRoot gives a file that all workstreams share a new text.
func (j *phaseJob) putRoot(name, text string) {
	j.files = append(j.files, change.File{Name: name, Text: &text})
}

// archiveMilestone copies the roadmap and requirements into the archive of the milestone, and moves its audit and, on request, its phase
// folders there.
func (j *phaseJob) archiveMilestone(out *ShippedMilestone, in *milestoneCompleteInput) error {
	at := "milestones/" + out.Version
	j.putRoot(at+"-ROADMAP.md", j.road.Doc.Text())
	out.Archived.Roadmap = true
	text, ok, err := j.readText("REQUIREMENTS.md")
	if err != nil {
		return err
	}
	if out.Archived.Requirements = ok; ok {
		head := fmt.Sprintf("# Requirements of %s %s\n\n**Archived:** %s\n**Status:** SHIPPED\n\nThose of now are in `.planning/REQUIREMENTS.md`.\n\n---\n\n",
			out.Version, out.Name, out.Date)
		j.putRoot(at+"-REQUIREMENTS.md", head+text)
	}
	audit := out.Version + "-MILESTONE-AUDIT.md"
	if text, ok, err = j.read(audit); err != nil {
		return err
	}
	if out.Archived.Audit = ok; ok {
		j.files = append(j.files, change.File{Name: audit}, change.File{Name: "milestones/" + audit, Text: &text, From: audit})
	}
	if !in.ArchivePhases {
		return nil
	}
	for _, p := range j.inv.Phases {
		if p.Dir == "" {
			continue
		}
		out.Archived.Phases = true
		for _, dir := range append([]string{p.Dir}, p.Also...) {
			if err := j.moveToArchive(j.planningPath(dir), path.Join(at+"-phases", path.Base(dir))); err != nil {
				return err
			}
		}
	}
	return nil
}

// moveToArchive moves a folder, given from the planning folder, into another one.
func (j *phaseJob) moveToArchive(dir, to string) error {
	files, folders, err := j.listTree(dir)
	if err != nil {
		return err
	}
	for _, name := range files {
		from, err := j.PathBelowPlanning(name)
		if err != nil {
			return err
		}
		text, _, err := j.read(from)
		if err != nil {
			return err
		}
		next := path.Join(to, strings.TrimPrefix(name, dir+"/"))
		j.files = append(j.files, change.File{Name: from}, change.File{Name: next, Text: &text, From: from})
	}
	for _, name := range folders {
		below, err := j.PathBelowPlanning(name)
		if err != nil {
			return err
		}
		j.files = append(j.files, change.File{Name: below + "/"})
	}
	return nil
}

// addMilestoneEntry inserts the milestone into MILESTONES.md, before the older ones.
func (j *phaseJob) addMilestoneEntry(out *ShippedMilestone) error {
	text, _, err := j.read("MILESTONES.md")
	if err != nil {
		return err
	}
	nl := "\n"
	if strings.Contains(text, "\r\n") {
		nl = "\r\n"
	}
	lines := []string{
		fmt.Sprintf("## %s %s (Shipped: %s)", out.Version, out.Name, out.Date), "",
		fmt.Sprintf("**Phases completed:** %d phases, %d plans, %d tasks", out.Phases, out.Plans, out.Tasks), "", "**Key accomplishments:**",
	}
	for _, a := range out.Accomplishments {
		lines = append(lines, "- "+strings.Join(strings.Fields(a), " "))
	}
	if len(out.Accomplishments) == 0 {
		lines = append(lines, "- (none recorded)")
	}
	entry := strings.Join(append(lines, "", "---", "", ""), nl)
	at := firstEntry(text)
	if strings.TrimSpace(text) == "" {
		text, at = "# Milestones\n\n", len("# Milestones\n\n")
	}
	if at > 0 && text[at-1] != '\n' {
		entry = nl + nl + entry
	}
	out.Milestones = true
	j.putRoot("MILESTONES.md", text[:at]+entry+text[at:])
	return nil
}

// firstEntry returns the offset of the first milestone in MILESTONES.md, which is a heading of the second level, or of the end.
func firstEntry(text string) int {
	at := 0
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "## ") {
			return at
		}
		at += len(line)
	}
	return len(text)
}

func (j *phaseJob) shipState(out *ShippedMilestone) error {
	b, err := j.stateSheet()
	if err != nil || b == nil {
		return err
	}
	b.SetStatus(out.Version + " milestone complete")
	b.Activity(j.day(), out.Version+" milestone completed and archived")
	out.State, out.Derived, err = j.putState(b, j.inv)
	return err
}
