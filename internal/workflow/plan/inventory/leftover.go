package inventory

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/roadmap"
)

// Leftover is a folder of a phase whose milestone is over, and that was not archived with it.
type Leftover struct {
	Dir     string   // from the root of the project
	Version string   // of the milestone
	To      string   // its place in the archive, from the planning folder
	Open    []string // plans that were not carried out
	Stays   string   // the reason why it cannot be moved, or ""
}

// shippedMilestone has the phases that the archived roadmap of a milestone gives it.
type shippedMilestone struct {
	version string
	phases  []roadmap.Phase
}

// Leftovers returns the folders of phases of milestones whose roadmap is in the archive, by their names. A folder that can be one of the
// present milestone is none. It fails if the archive or the folder of phases cannot be read.
func (inv *Inventory) Leftovers() (list []Leftover, err error) {
	shipped, err := inv.shippedMilestones()
	if err != nil || len(shipped) == 0 {
		return nil, err
	}
	entries, err := inv.from.List("phases")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		id, slug, ok := phaseid.ParseFolder(e.Name)
		if !e.Dir || !ok || id.IsBacklog() || inv.isPresent(id, slug) {
			continue
		}
		var owners, named []string
		for _, m := range shipped {
			at := slices.IndexFunc(m.phases, func(p roadmap.Phase) bool { return phaseid.Same(p.ID, id) })
			if at < 0 {
				continue
			}
			owners = append(owners, m.version)
			if phaseid.Slug(m.phases[at].Name, 60) == slug {
				named = append(named, m.version)
			}
		}
		if len(named) > 0 {
			owners = named
		}
		if len(owners) == 0 || len(named) == 0 && inv.isPresent(id, "") {
			continue
		}
		list = append(list, inv.leftover(e.Name, owners))
	}
	return list, nil
}

// leftover returns the folder of a phase that milestones have.
func (inv *Inventory) leftover(name string, owners []string) Leftover {
	l := Leftover{Dir: path.Join(inv.from.Base, "phases", name), Version: owners[0]}
	l.To = path.Join("milestones", l.Version+"-phases", name)
	for _, p := range slices.Concat(inv.Phases, inv.Others) {
		if p.Dir == l.Dir {
			l.Open = p.IncompletePlans()
		}
	}
	switch {
	case len(owners) > 1:
		l.Stays = "the roadmaps of " + strings.Join(owners, " and ") + " have a phase with its number"
	case inv.from.ExistsRoot(l.To):
		l.Stays = "its place in the archive is taken"
	}
	return l
}

// isPresent reports whether the roadmap has a phase in its current milestone with a number and, if a slug is given, a name that makes it. A
// milestone that is archived is over, even while its roadmap is still there.
func (inv *Inventory) isPresent(id phaseid.ID, slug string) bool {
	if inv.IsArchived() {
		return false
	}
	return slices.ContainsFunc(inv.Phases, func(p *Phase) bool {
		return phaseid.Same(p.ID, id) && (slug == "" || phaseid.Slug(p.Name, 60) == slug)
	})
}

// shippedMilestones returns the milestones of the archived roadmaps, by their files' names. A roadmap that is about another milestone than
// its name has counts for none. It fails if one cannot be read.
func (inv *Inventory) shippedMilestones() (list []shippedMilestone, err error) {
	entries, err := inv.from.ListRoot("milestones")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		version, ok := strings.CutSuffix(e.Name, "-ROADMAP.md")
		if e.Dir || !ok || !isVersion(version) {
			continue
		}
		text, err := inv.from.ReadRoot("milestones/" + e.Name)
		if err != nil {
			return nil, err
		}
		if v := roadmap.Parse(text).MilestoneView(version); v.Version == version {
			list = append(list, shippedMilestone{version, v.Phases})
		}
	}
	return list, nil
}
