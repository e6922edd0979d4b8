package writeset

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"ken/internal/ask/filename"
	"ken/internal/ask/refs"
	"ken/internal/code"
	"ken/internal/delivery/plancode/claim"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
)

// Bounds of the lookups for one plan.
const (
	maxNames    = 120 // symbols that are looked up
	maxCallers  = 12  // files that use a symbol whose signature changes; one that more use is called from everywhere
	maxWritten  = 60  // files whose history and neighbours are asked for
	leastShare  = 0.5 // of the commits of a file that changed another one, too
	leastTimes  = 3   // commits that changed both
	maxTogether = 5   // files that changed with one
)

// addSymbolFiles adds the files that declare the symbols named in tasks, and the callers of those whose signature changes.
func (m *setMaker) addSymbolFiles(ctx context.Context) error {
	n := 0
	for _, y := range m.c.Symbols {
		if y.Role != claim.Action || y.New {
			continue
		}
		if n++; n > maxNames {
			return nil
		}
		rows, err := m.uniqueDefinitions(y.Name)
		if err != nil {
			return err
		}
		if len(rows) != 1 {
			continue
		}
		if y.Changes {
			m.add(rows[0].Path, Declares, y.Name)
		}
		if !m.signatureChanges(y.Line) || !slices.Contains(m.statedFiles(), rows[0].Path) {
			continue
		}
		if err := m.addCallers(ctx, &rows[0]); err != nil {
			return err
		}
	}
	return nil
}

// uniqueDefinitions returns the declarations of a name, if all of them are alike except for their container.
func (m *setMaker) uniqueDefinitions(name string) ([]store.SymbolRow, error) {
	last := code.LastSegment(name)
	rows, err := m.s.SymbolsNamed(last)
	if err != nil {
		return nil, err
	}
	rows = view.WithoutTexts(rows)
	if strings.Contains(name, ".") {
		rows = slices.DeleteFunc(slices.Clone(rows), func(r store.SymbolRow) bool {
			return r.Qualified != name && !strings.HasSuffix(r.Qualified, "."+name)
		})
	}
	return slices.DeleteFunc(slices.Clone(rows), func(r store.SymbolRow) bool { return r.Kind.IsText() }), nil
}

// signatureWords are the words in a plan that announce a change of a signature.
var signatureWords = []string{"signature", "parameter", "argument", "rename", "return type", "returns a", "now takes", "now returns"}

func (m *setMaker) signatureChanges(line int) bool {
	text := strings.ToLower(m.c.Line(line))
	return slices.ContainsFunc(signatureWords, func(w string) bool { return strings.Contains(text, w) })
}

func (m *setMaker) addCallers(ctx context.Context, row *store.SymbolRow) error {
	found, err := m.s.Detail([]store.SymbolRow{*row})
	if err != nil {
		return err
	}
	uses, err := refs.References(ctx, m.s, found)
	if err != nil {
		return err
	}
	var files []string
	for i := range uses.List {
		if r := &uses.List[i]; r.Confidence > code.Ambiguous && r.Path != row.Path && !slices.Contains(files, r.Path) {
			files = append(files, r.Path)
		}
	}
	if len(files) > maxCallers {
		return nil
	}
	for _, f := range files {
		m.add(f, Caller, row.Qualified)
	}
	return nil
}

// addCompanions adds tests of the written files, and files generated from them.
func (m *setMaker) addCompanions(ctx context.Context) error {
	written := m.statedFiles()
	list, err := filename.Companions(ctx, m.s, written[:min(len(written), maxWritten)])
	if err != nil {
		return err
	}
	for _, c := range list {
		switch c.Kind {
		case filename.CompanionGenerated, filename.CompanionSnapshot:
			m.add(c.Path, Generated, c.Of)
		case filename.CompanionTest:
			if c.Near >= 2 {
				m.add(c.Path, Test, c.Of)
			}
		}
	}
	return nil
}

// leastNeighbours is the number of files of a folder that another file must import to count as their register.
const leastNeighbours = 3

// addRegisterFiles adds the files that import most neighbours of a new file, because the new file usually has to be listed
// there, too: the index of a folder, a router, a list of commands.
func (m *setMaker) addRegisterFiles(context.Context) error {
	done := map[string]bool{}
	for _, p := range m.statedFiles() {
		if m.places.Exists(p) || isTestName(p) {
			continue
		}
		dir, ext := path.Dir(p), path.Ext(p)
		if key := dir + "\x00" + ext; done[key] {
			continue
		} else {
			done[key] = true
		}
		if err := m.addRegisters(p, dir, ext); err != nil {
			return err
		}
	}
	return nil
}

func (m *setMaker) addRegisters(p, dir, ext string) error {
	all, err := m.s.AllPaths()
	if err != nil {
		return err
	}
	from, _ := slices.BinarySearchFunc(all, dir+"/", func(r store.PathRow, s string) int { return strings.Compare(r.Path, s) })
	siblings := 0
	users := map[int64]int{}
	for _, r := range all[from:] {
		if !strings.HasPrefix(r.Path, dir+"/") || siblings > 200 {
			break
		}
		if path.Dir(r.Path) != dir || path.Ext(r.Path) != ext || isTestName(r.Path) {
			continue
		}
		siblings++
		edges, err := m.s.Index.EdgesTo(r.ID)
		if err != nil {
			return err
		}
		seen := map[int64]bool{}
		for _, e := range edges {
			if e.Relation == code.RelImports && !seen[e.Source] {
				seen[e.Source] = true
				users[e.Source]++
			}
		}
	}
	for id, n := range users {
		if n < leastNeighbours || 2*n < siblings {
			continue
		}
		f, err := m.s.FileByID(id)
		if err != nil {
			return err
		}
		if !f.Class.Has(code.ClassTest) {
			m.add(f.Path, Registers, fmt.Sprintf("%s: it imports %d of %d files of %s", p, n, siblings, dir))
		}
	}
	return nil
}

// isTestName reports whether a file's name is that of a test.
func isTestName(p string) bool {
	b := strings.ToLower(path.Base(p))
	return strings.Contains(b, "test") || strings.Contains(b, "spec")
}

// addChangedTogether adds the files that were changed in at least half of the commits that changed a written file.
func (m *setMaker) addChangedTogether(ctx context.Context) error {
	written := m.statedFiles()
	for _, p := range written[:min(len(written), maxWritten)] {
		if m.places.FileID(p) == 0 {
			continue
		}
		list, err := m.s.CoChanged(ctx, p, maxTogether)
		if err != nil {
			return err
		}
		for _, c := range list {
			if c.Score >= leastShare && c.Together >= leastTimes && !strings.HasPrefix(c.Path, ".planning/") {
				m.add(c.Path, Together, fmt.Sprintf("%s: %d of %d commits", p, c.Together, c.Commits))
			}
		}
	}
	return nil
}
