// Package inventory lists the phases, plans and summaries of a project. It is the only package that joins the phases of the roadmap
// with their folders. Counts, percentages, states, the position and the next step are computed from the inventory on demand, here and
// nowhere else. The copies of them in STATE.md and ROADMAP.md are only read to report differences; the type StateText sets those of
// STATE.md.
//
// Neighbours: folder reads files, roadmap and state interpret two of them, phaseid the numbers.
package inventory

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"ken/internal/workflow/plan/edit"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/roadmap"
	"ken/internal/workflow/plan/settings"
	"ken/internal/workflow/plan/state"
)

// Inventory is the content of a planning folder.
type Inventory struct {
	Roadmap *roadmap.Roadmap       // nil if there is none
	State   *state.State           // nil if there is none
	View    roadmap.MilestoneLines // the current milestone
	Phases  []*Phase               // the phases of the current milestone, by number
	Backlog []*Phase               // phases 999.x, which do not count
	// Others are phases that have a folder but are not in the current milestone.
	Others []*Phase
	// Unnumbered are the folders without a number in the folder of phases.
	Unnumbered []string
	Archives   []Archive // newest version first
	Problems   []error   // files that could not be read, and duplicate numbers

	// Original: answers are for a caller of gsd-tools, which counts otherwise. What is written does not depend on it.
	Original bool

	from        *folder.Folder
	unverified  bool              // config.json switches verification off
	undiscussed bool              // config.json switches discussions off
	verified    map[*Phase]string // the results of Verification
	results     map[*Phase]Step   // those of openResult
}

// Archive has the phases of a shipped milestone.
type Archive struct {
	Version string
	Dir     string // from the root of the project
	Phases  []*Phase
}

// Phase is a phase that is in the roadmap, has a folder, or both.
type Phase struct {
	ID     phaseid.ID
	Name   string         // from the roadmap, else the words of the folder
	Detail *roadmap.Phase // the section in the roadmap, or nil
	Listed bool           // a checklist of the roadmap contains it
	Ticked bool           // it is ticked there
	Dir    string         // the folder, from the root of the project; "" if there is none
	Also   []string       // further folders with the same number, whose files are not counted
	Files

	base string // the name of the folder
	slug string
}

// Token returns the number of the phase without the project code, as in the name of its folder.
func (p *Phase) Token() string {
	if id, _, ok := phaseid.ParseFolder(p.base); ok {
		return id.Number()
	}
	return p.ID.Number()
}

// ReadFile returns the text of a file in the folder of a phase. It fails as folder.Folder.Read does.
func (inv *Inventory) ReadFile(p *Phase, name string) (string, error) {
	return inv.from.ReadRoot(path.Join(strings.TrimPrefix(p.Dir, folder.Name+"/"), name))
}

// Slug returns the words in the name of the phase's folder.
func (p *Phase) Slug() string { return p.slug }

// Read returns the inventory of a planning folder. For a file that cannot be read it has a problem. It returns an error if the folder of
// phases cannot be listed.
func Read(f *folder.Folder) (*Inventory, error) {
	inv := &Inventory{from: f, Problems: slices.Clone(f.Problems)}
	before := len(f.Problems)
	if text, ok := inv.readText("ROADMAP.md"); ok {
		inv.Roadmap = roadmap.Parse(text)
		inv.addProblems("ROADMAP.md", inv.Roadmap.Problems())
	}
	if text, ok := inv.readText("STATE.md"); ok {
		inv.State = state.Parse(text)
		inv.addProblems("STATE.md", inv.State.Problems())
	}
	config, ok := inv.readText("config.json")
	if !ok {
		config, _ = f.ReadRoot("config.json") // a workstream without settings of its own uses the shared ones
	}
	set := settings.Parse(config)
	inv.unverified, inv.undiscussed = !set.IsOn("workflow.verifier"), set.IsOn("workflow.skip_discuss")
	if inv.Roadmap != nil {
		version := ""
		if inv.State != nil {
			version = inv.Roadmap.VersionAt(inv.State.FrontValue("milestone"), inv.State.Position().Phase)
		}
		inv.View = inv.Roadmap.MilestoneView(version)
	} else {
		inv.View = roadmap.MilestoneLines{Scope: roadmap.Unreadable, Why: "there is no ROADMAP.md"}
	}
	disk, unnumbered, err := inv.readFolders(f.List, "phases", f.Base)
	if err != nil {
		return nil, err
	}
	inv.Unnumbered = unnumbered
	inv.joinFolders(disk)
	inv.readArchives()
	inv.Problems = append(inv.Problems, f.Problems[before:]...)
	return inv, nil
}

// addProblems adds the problems in a file, with the name of the file and their lines.
func (inv *Inventory) addProblems(name string, list []edit.Problem) {
	for _, p := range list {
		inv.Problems = append(inv.Problems, &folder.Error{File: inv.from.Path(name), Err: p})
	}
}

// readText returns the text of a file of the planning folder or the chosen workstream. If an existing file cannot be read, it adds a
// problem.
func (inv *Inventory) readText(name string) (string, bool) {
	text, err := inv.from.Read(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		inv.Problems = append(inv.Problems, err)
	}
	return text, err == nil
}

// lister returns the entries of a folder.
type lister func(dir string) ([]folder.Entry, error)

// readFolders reads the folders of phases in dir. base is the path of dir's parent from the root of the project.
func (inv *Inventory) readFolders(list lister, dir, base string) (found []*Phase, unnumbered []string, err error) {
	entries, err := list(dir)
	if err != nil {
		return nil, nil, err
	}
	for _, e := range entries {
		if !e.Dir {
			continue
		}
		id, slug, ok := phaseid.ParseFolder(e.Name)
		if !ok {
			unnumbered = append(unnumbered, e.Name)
			continue
		}
		p := &Phase{ID: id, Name: strings.ReplaceAll(slug, "-", " "), Dir: path.Join(base, dir, e.Name), base: e.Name, slug: slug}
		if p.Files, err = readFiles(list, path.Join(dir, e.Name), id); err != nil {
			inv.Problems = append(inv.Problems, err)
		}
		found = append(found, p)
	}
	slices.SortStableFunc(found, func(a, b *Phase) int { return phaseid.Compare(a.ID, b.ID) })
	return found, unnumbered, nil
}

// joinFolders joins the phases of the roadmap with the folders of phases.
func (inv *Inventory) joinFolders(disk []*Phase) {
	named := map[string]*Phase{}
	inv.addRoadmapPhases(named)
	// Without a phase in the roadmap every folder belongs to the milestone.
	everything := len(named) == 0
	folders := map[string][]*Phase{}
	for _, p := range disk {
		folders[p.ID.Key()] = append(folders[p.ID.Key()], p)
	}
	inv.claimUnnumbered()
	for _, p := range disk {
		group := folders[p.ID.Key()]
		if group == nil {
			continue
		}
		delete(folders, p.ID.Key())
		in := named[p.ID.Key()]
		chosen := choosePhaseFolder(group, in)
		for _, also := range group {
			if also != chosen {
				chosen.Also = append(chosen.Also, also.Dir)
				err := fmt.Errorf("phase %s has another folder, %s, whose files are counted", p.ID, chosen.base)
				inv.Problems = append(inv.Problems, &folder.Error{File: also.Dir, Err: err})
			}
		}
		switch {
		case in != nil:
			in.Dir, in.base, in.slug, in.Files, in.Also = chosen.Dir, chosen.base, chosen.slug, chosen.Files, chosen.Also
		case chosen.ID.IsBacklog():
			inv.Backlog = append(inv.Backlog, chosen)
		case everything:
			inv.Phases = append(inv.Phases, chosen)
		default:
			inv.Others = append(inv.Others, chosen)
		}
	}
	byNumber := func(a, b *Phase) int { return phaseid.Compare(a.ID, b.ID) }
	slices.SortStableFunc(inv.Phases, byNumber)
	slices.SortStableFunc(inv.Backlog, byNumber)
}

// addRoadmapPhases makes a phase of each section of the roadmap, and of each entry of a checklist that has no section.
func (inv *Inventory) addRoadmapPhases(named map[string]*Phase) {
	if inv.Roadmap == nil {
		return
	}
	for i := range inv.View.Phases {
		d := &inv.View.Phases[i]
		if named[d.ID.Key()] != nil {
			at := &folder.Error{File: inv.from.Path("ROADMAP.md"), Err: fmt.Errorf("line %d: phase %s has a second section", d.Line+1, d.ID)}
			inv.Problems = append(inv.Problems, at)
			continue
		}
		p := &Phase{ID: d.ID, Name: d.Name, Detail: d}
		named[d.ID.Key()] = p
		if d.Backlog {
			inv.Backlog = append(inv.Backlog, p)
		} else {
			inv.Phases = append(inv.Phases, p)
		}
	}
	for _, c := range inv.Roadmap.Checklist {
		if c.Shipped || !inv.View.Has(c.Item.Line) {
			continue
		}
		p := named[c.ID.Key()]
		if p == nil && c.ID.IsBacklog() {
			continue
		}
		if p == nil {
			p = &Phase{ID: c.ID, Name: c.Name}
			named[c.ID.Key()] = p
			inv.Phases = append(inv.Phases, p)
		}
		p.Listed = true
		p.Ticked = p.Ticked || c.Done
	}
}

// claimUnnumbered assigns folders without a number to phases that have a custom name instead of a number.
func (inv *Inventory) claimUnnumbered() {
	inv.Unnumbered = slices.DeleteFunc(inv.Unnumbered, func(name string) bool {
		for _, p := range slices.Concat(inv.Phases, inv.Backlog) {
			rest, ok := strings.CutPrefix(strings.ToLower(name)+"-", p.ID.Key()+"-")
			if p.ID.Custom == "" || p.Dir != "" || !ok {
				continue
			}
			p.Dir, p.base, p.slug = inv.from.Path(path.Join("phases", name)), name, strings.TrimSuffix(rest, "-")
			var err error
			if p.Files, err = readFiles(inv.from.List, path.Join("phases", name), p.ID); err != nil {
				inv.Problems = append(inv.Problems, err)
			}
			return true
		}
		return false
	})
}

// choosePhaseFolder returns the folder of a phase from several with its number: the one with its name, else the one with most plans, else
// the first by name. It does not use file times, because a checkout changes them.
func choosePhaseFolder(group []*Phase, in *Phase) *Phase {
	best := group[0]
	for _, p := range group[1:] {
		if in != nil {
			want := phaseid.Slug(in.Name, 60)
			if p.slug == want && best.slug != want {
				best = p
				continue
			}
			if best.slug == want {
				continue
			}
		}
		if len(p.Plans) > len(best.Plans) {
			best = p
		}
	}
	return best
}

// readArchives reads the phases of shipped milestones.
func (inv *Inventory) readArchives() {
	entries, err := inv.from.ListRoot("milestones")
	if err != nil {
		inv.Problems = append(inv.Problems, err)
		return
	}
	for _, e := range entries {
		version, ok := strings.CutSuffix(e.Name, "-phases")
		if !e.Dir || !ok || !isVersion(version) {
			continue
		}
		dir := path.Join("milestones", e.Name)
		phases, _, err := inv.readFolders(inv.from.ListRoot, dir, folder.Name)
		if err != nil {
			inv.Problems = append(inv.Problems, err)
			continue
		}
		inv.Archives = append(inv.Archives, Archive{version, path.Join(folder.Name, dir), phases})
	}
	slices.SortStableFunc(inv.Archives, func(a, b Archive) int { return CompareVersions(b.Version, a.Version) })
}

// isVersion reports whether a text is a version, as the names of archives have it: v1.0.
func isVersion(s string) bool {
	return len(s) > 1 && s[0] == 'v' && strings.Trim(s[1:], "0123456789.") == ""
}

// CompareVersions compares two versions part by part as numbers, so that v1.9 comes before v1.10.
func CompareVersions(a, b string) int {
	as, bs := strings.Split(strings.TrimPrefix(a, "v"), "."), strings.Split(strings.TrimPrefix(b, "v"), ".")
	for i := range min(len(as), len(bs)) {
		x, y := strings.TrimLeft(as[i], "0"), strings.TrimLeft(bs[i], "0")
		if len(x) != len(y) {
			return len(x) - len(y)
		}
		if c := strings.Compare(x, y); c != 0 {
			return c
		}
	}
	return len(as) - len(bs)
}

// Find returns the phase with a number. It looks in the current milestone, the backlog, the folders that are not in the roadmap, and the
// archives. For an archived phase it also returns the version of the milestone.
func (inv *Inventory) Find(id phaseid.ID) (p *Phase, archived string) {
	for _, list := range [][]*Phase{inv.Phases, inv.Backlog, inv.Others} {
		for _, p := range list {
			if phaseid.Same(p.ID, id) {
				return p, ""
			}
		}
	}
	for _, a := range inv.Archives {
		for _, p := range a.Phases {
			if phaseid.Same(p.ID, id) {
				return p, a.Version
			}
		}
	}
	return nil, ""
}

// FindText is like Find, for a number as a user writes it: 3, 03 or Phase 3.
func (inv *Inventory) FindText(text string) (p *Phase, archived string) {
	if id, ok := phaseid.Parse(strings.TrimPrefix(text, "Phase ")); ok {
		return inv.Find(id)
	}
	return nil, ""
}

// NearPhases returns the numbers of phases similar to one that does not exist: those that begin with the same number, then the nearest
// ones.
func (inv *Inventory) NearPhases(text string) []string {
	const most = 5
	id, _ := phaseid.Parse(text)
	all := slices.Concat(inv.Phases, inv.Others, inv.Backlog)
	var same, beside, words []string
	for _, p := range all {
		switch {
		case id.Digits != "" && p.ID.Base().Key() == id.Base().Key():
			same = append(same, p.ID.String())
		case text != "" && strings.Contains(strings.ToLower(p.Name), strings.ToLower(text)):
			words = append(words, p.ID.String())
		default:
			beside = append(beside, p.ID.String())
		}
	}
	if id.Digits != "" {
		// The phases after the place of the number, and the two before it.
		at, _ := slices.BinarySearchFunc(inv.Phases, id, func(p *Phase, id phaseid.ID) int { return phaseid.Compare(p.ID, id) })
		beside = nil
		for _, p := range inv.Phases[max(0, min(at, len(inv.Phases))-2):] {
			if p.ID.Base().Key() != id.Base().Key() {
				beside = append(beside, p.ID.String())
			}
		}
	}
	list := slices.Concat(same, words, beside)
	return list[:min(len(list), most)]
}
