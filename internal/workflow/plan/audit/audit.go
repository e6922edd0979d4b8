// Package audit declares the operations that list open work in a planning folder before a milestone is closed: tests for a person to
// make, and decisions for a person to take. They change nothing. A file that cannot be read is reported, because it may contain open
// work. Neighbours: package artefact reads the files, package stores writes the small stores.
package audit

import (
	"path"
	"slices"
	"strings"

	"ken/internal/workflow/plan/argument"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/planop"
)

// All returns the operations of this package.
func All() []*planop.Operation {
	return []*planop.Operation{
		planop.Spec[planop.NoInput, Tests]{
			Name: "audit-uat", Summary: "tests of the milestone's phases that a person has yet to make", Run: auditUAT,
			Page: func(a Tests) string { return a.page() },
		}.Operation(),
		planop.Spec[planop.NoInput, Open]{
			Name: "audit-open", Summary: "everything in the planning folder that is still open", Run: auditOpen, Bare: true,
			Plain: func(a Open) string { return strings.TrimSuffix(a.page(), "\n") }, Page: func(a Open) string { return a.page() },
		}.Operation(),
		checkpointOperation(),
	}
}

// reader reads files of a planning folder and collects the unreadable ones.
type reader struct {
	*folder.Folder
	failed []string
}

func (r *reader) addUnreadable(err error) { r.failed = append(r.failed, err.Error()) }

// unreadableFiles returns the files that could not be read, and those whose names or links made the program ignore them.
func (r *reader) unreadableFiles() []string {
	list := slices.Clone(r.failed)
	for _, err := range r.Problems {
		list = append(list, err.Error())
	}
	return slices.Compact(slices.Sorted(slices.Values(list)))
}

// file is the name and text of a file.
type file struct{ name, text string }

// readFiles returns the Markdown files of a folder for whose names wanted returns true, by name.
func (r *reader) readFiles(dir string, wanted func(name string) bool) (list []file) {
	entries, err := r.List(dir)
	if err != nil {
		r.addUnreadable(err)
	}
	for _, e := range entries {
		if e.Dir || !strings.HasSuffix(e.Name, ".md") || !wanted(e.Name) {
			continue
		}
		text, err := r.Read(path.Join(dir, e.Name))
		if err != nil {
			r.addUnreadable(err)
			continue
		}
		list = append(list, file{e.Name, text})
	}
	return list
}

// folderNames returns the names of the folders in a folder.
func (r *reader) folderNames(dir string) (names []string) {
	entries, err := r.List(dir)
	if err != nil {
		r.addUnreadable(err)
	}
	for _, e := range entries {
		if e.Dir {
			names = append(names, e.Name)
		}
	}
	return names
}

// kindFilter returns a function that reports whether a file is of a kind. It accepts all forms of names in use, such as UAT.md, 01-UAT.md,
// 01-HUMAN-UAT.md and 01-UAT-2.md, but no plan or summary, whatever else its name contains.
func kindFilter(kind string) func(name string) bool {
	return func(name string) bool {
		for _, other := range [...]string{"PLAN", "SUMMARY"} {
			if _, ok := inventory.StemOfKind(name, other); ok {
				return false
			}
		}
		return strings.Contains("-"+strings.TrimSuffix(name, ".md")+"-", "-"+kind+"-")
	}
}

// phaseNumber returns the number in the name of a phase folder, or the whole name if it has none.
func phaseNumber(dir string) string {
	if id, _, ok := phaseid.ParseFolder(dir); ok {
		return id.Number()
	}
	return dir
}

// displayLine returns a text of an untrusted file as one line of at most most characters.
func displayLine(text string, most int) string {
	runes := []rune(argument.SingleLine(argument.DisplayText(text)))
	if len(runes) > most {
		return strings.TrimSpace(string(runes[:most-1])) + "…"
	}
	return string(runes)
}

// newReader returns a reader of the planning folder of a call.
func newReader(c *planop.Call) (*reader, error) {
	f, err := c.Folder()
	return &reader{Folder: f}, err
}
