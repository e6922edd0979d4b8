// Package writeset finds the files that a plan is going to write: the files it declares, those that its text names, and with an index
// those that declare or have to change with them. Two plans whose sets meet cannot run side by side.
//
// Neighbours: package claim reads the text of a plan, package place finds the files; delivery/plancode shows the sets.
package writeset

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"ken/internal/delivery/plancode/claim"
	"ken/internal/delivery/plancode/place"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// Kind is the reason why a file is in the set of a plan.
type Kind string

// The kinds, the strongest first.
const (
	Declared  Kind = "files_modified"
	Task      Kind = "files"
	Artifact  Kind = "artifacts"
	Changed   Kind = "changes"      // the text of a task states that it is changed or made
	Named     Kind = "action"       // the text of a task names it
	Installs  Kind = "installs"     // a manifest that a command of the plan writes
	Generated Kind = "generated"    // made from a file of the set, or it from that
	Caller    Kind = "caller"       // uses a symbol whose signature changes
	Registers Kind = "registers"    // names all neighbours of a new file
	Declares  Kind = "declares"     // declares a symbol that the text of a task changes
	Test      Kind = "test"         // the test of a file of the set
	Together  Kind = "co_change"    // changed with a file of the set more often than not
	Linked    Kind = "key_links"    // the end of a connection that uses the other
	Used      Kind = "used"         // the other end
	Checked   Kind = "verification" // how the plan is verified names it
	Read      Kind = "context"      // the plan has it read
	Mentioned Kind = "text"
)

// kindRank gives the order of the kinds, the strongest first.
var kindRank = map[Kind]int{
	Declared: 0, Task: 1, Artifact: 2, Changed: 3, Installs: 4, Generated: 5, Caller: 6, Linked: 7, Declares: 8, Named: 9, Registers: 10,
	Test: 11, Together: 12, Used: 13, Checked: 14, Read: 15, Mentioned: 16,
}

// IsStated reports whether the plan itself states that it writes a file.
func (k Kind) IsStated() bool { return kindRank[k] <= kindRank[Artifact] }

// Reason is the reason why a file is in a set.
type Reason struct {
	Kind   Kind   `json:"kind"`
	Detail string `json:"detail,omitempty"`
}

// Entry is a file of a set with the reasons.
type Entry struct {
	Path    string
	Exists  bool
	Reasons []Reason // the strongest one first
}

// Kind returns the strongest kind.
func (e *Entry) Kind() Kind { return e.Reasons[0].Kind }

// Set is the set of files that a plan is going to write.
type Set struct {
	Plan    string
	Entries []Entry // by kind, then path
	Outside []string
}

// setMaker builds the write set of a plan.
type setMaker struct {
	c      *claim.Claims
	places *place.Places
	s      *view.Snapshot // nil without an index
	at     map[string]int
	set    Set
}

// New returns the write set of a plan. s may be nil: then only the plan's own statements count. It returns an error if the index cannot
// be read.
func New(ctx context.Context, s *view.Snapshot, places *place.Places, plan string, c *claim.Claims) (*Set, error) {
	m := &setMaker{c: c, places: places, s: s, at: map[string]int{}, set: Set{Plan: plan, Outside: c.Outside}}
	m.addStated()
	if s != nil {
		for _, step := range []func(context.Context) error{m.addSymbolFiles, m.addCompanions, m.addRegisterFiles, m.addChangedTogether} {
			if err := step(ctx); err != nil {
				return nil, err
			}
		}
	}
	// Commands of package managers write the manifest of the nearest folder above the plan's files that has one.
	for _, command := range m.c.Installs {
		for _, row := range lang.Installs() {
			if !strings.HasPrefix(command, row.Command) {
				continue
			}
			if p := m.manifestPath(row.Manifest); p != "" {
				m.add(p, Installs, command)
			}
			break
		}
	}
	for i := range m.set.Entries {
		e := &m.set.Entries[i]
		slices.SortStableFunc(e.Reasons, func(a, b Reason) int { return cmp.Compare(kindRank[a.Kind], kindRank[b.Kind]) })
	}
	slices.SortFunc(m.set.Entries, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(kindRank[a.Kind()], kindRank[b.Kind()]), cmp.Compare(a.Path, b.Path))
	})
	return &m.set, nil
}

// maxReasons is the number of reasons that are kept for one file.
const maxReasons = 6

func (m *setMaker) add(p string, k Kind, detail string) {
	i, ok := m.at[p]
	if !ok {
		i = len(m.set.Entries)
		m.at[p] = i
		m.set.Entries = append(m.set.Entries, Entry{Path: p, Exists: m.places.Exists(p)})
	}
	e := &m.set.Entries[i]
	if len(e.Reasons) < maxReasons && !slices.ContainsFunc(e.Reasons, func(r Reason) bool { return r.Kind == k }) {
		e.Reasons = append(e.Reasons, Reason{k, detail})
	}
}

var kindOfRole = map[claim.Role]Kind{
	claim.Declared: Declared, claim.TaskFile: Task, claim.Artifact: Artifact, claim.Action: Named, claim.Link: Linked,
	claim.Checking: Checked, claim.Reading: Read, claim.Prose: Mentioned,
}

// addStated adds the files that the plan names. A name without its folders that is in no index means the written file of that name with a
// full path, if the plan has one.
func (m *setMaker) addStated() {
	full := map[string][]string{}
	for _, f := range m.c.Files {
		if f.Role.Writes() {
			b := path.Base(f.Path)
			if !slices.Contains(full[b], f.Path) {
				full[b] = append(full[b], f.Path)
			}
		}
	}
	for _, f := range m.c.Files {
		p, ok, several := m.places.Find(f.Path)
		if !ok {
			if own := full[path.Base(f.Path)]; len(own) == 1 && strings.HasSuffix("/"+own[0], "/"+f.Path) {
				p = own[0]
			} else if len(several) > 1 || !strings.Contains(f.Path, "/") && !f.Role.Writes() {
				continue // it may be any file
			}
		}
		k := kindOfRole[f.Role]
		if k == Named && (f.New || f.Changes) {
			k = Changed
		}
		if k == Linked && f.Used {
			k = Used
		}
		m.add(p, k, "")
	}
}

// statedFiles returns the files that the plan itself lists as written.
func (m *setMaker) statedFiles() (out []string) {
	for i := range m.set.Entries {
		e := &m.set.Entries[i]
		if slices.ContainsFunc(e.Reasons, func(r Reason) bool { return r.Kind.IsStated() }) {
			out = append(out, e.Path)
		}
	}
	return out
}

func (m *setMaker) manifestPath(name string) string {
	votes := map[string]int{}
	for _, p := range m.statedFiles() {
		for dir := path.Dir(p); ; dir = path.Dir(dir) {
			if c := path.Join(dir, name); m.places.Exists(c) {
				votes[c]++
				break
			}
			if dir == "." || dir == "/" {
				break
			}
		}
	}
	best := ""
	for p, n := range votes {
		if best == "" || n > votes[best] || n == votes[best] && p < best {
			best = p
		}
	}
	return best
}
