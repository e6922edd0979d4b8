package summary

import (
	"cmp"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// TypeCount is how many files are of one type, and the ones of them that most files
// depend on.
type TypeCount struct {
	Type     string // as lang.NodeType says
	Count    int
	Examples []string // paths, at most four
}

const maxExamples = 4

// tally is what one pass over all files gathers.
type tally struct {
	files []code.File // source, tests and settings
	dirs  *dir        // of source, by number of declarations
	tests *dir        // of tests, by number of files
}

// notCounted are the files that say nothing of how a project is built: what a program
// wrote, what somebody else wrote, and what is no code.
const notCounted = code.ClassGenerated | code.ClassVendored | code.ClassDocument | code.ClassTranslation | code.ClassFixture

// maxWeight is what a file can add to the weight of its directory: one with thousands
// of declarations is data, or was written by a program.
const maxWeight = 50

func newTally(s *view.Snapshot) (*tally, error) {
	t := &tally{}
	source, tests := newDirs(), newDirs()
	for f, err := range s.Index.Ranked() {
		switch {
		case err != nil:
			return nil, err
		case f.Class.Has(notCounted):
			continue
		case isSource(&f):
			source.add(&f, int(min(f.Symbols, maxWeight))+1)
		case f.Class.Has(code.ClassTest) && lang.Of(f.Lang).Sort == lang.Programming:
			tests.add(&f, 1)
		}
		t.files = append(t.files, f)
	}
	slices.SortFunc(t.files, func(a, b code.File) int { return strings.Compare(a.Path, b.Path) })
	t.dirs, t.tests = source.tree(), tests.tree()
	return t, nil
}

// isSource reports whether a file is code that a change of the program changes.
func isSource(f *code.File) bool {
	const other = notCounted | code.ClassTest | code.ClassExample | code.ClassData
	return !f.Class.Has(other) && lang.Of(f.Lang).Sort == lang.Programming
}

// hottest are the source files most others depend on, most first, then by path.
func (t *tally) hottest() []*code.File {
	var out []*code.File
	for i := range t.files {
		f := &t.files[i]
		full := len(out) == maxHotspots
		if f.Dependents == 0 || full && f.Dependents <= out[maxHotspots-1].Dependents || !isSource(f) {
			continue
		}
		at, _ := slices.BinarySearchFunc(out, f, byDependents)
		for at < len(out) && out[at].Dependents == f.Dependents { // files come by path
			at++
		}
		out = slices.Insert(out, at, f)
		out = out[:min(len(out), maxHotspots)]
	}
	return out
}

func byDependents(a, b *code.File) int { return cmp.Compare(b.Dependents, a.Dependents) }

// typeCounts counts files by type, the most frequent type first. Files of no type
// ("module") come last.
func (t *tally) typeCounts() []TypeCount {
	byType := map[string][]*code.File{}
	for i := range t.files {
		if f := &t.files[i]; !f.Class.Has(code.ClassExample) {
			kind := lang.NodeType(*f)
			byType[kind] = append(byType[kind], f)
		}
	}
	var out []TypeCount
	for kind, files := range byType {
		slices.SortStableFunc(files, byDependents)
		c := TypeCount{Type: kind, Count: len(files)}
		for _, f := range files[:min(len(files), maxExamples)] {
			c.Examples = append(c.Examples, f.Path)
		}
		out = append(out, c)
	}
	rest := func(c TypeCount) int {
		if c.Type == "module" {
			return 1
		}
		return 0
	}
	slices.SortFunc(out, func(a, b TypeCount) int {
		return cmp.Or(cmp.Compare(rest(a), rest(b)), cmp.Compare(b.Count, a.Count), strings.Compare(a.Type, b.Type))
	})
	return out
}

// entries are where programs start: the files, the shallowest first.
func (t *tally) entries() Entries {
	below := newDirs()
	var out Entries
	for i := range t.files {
		if f := &t.files[i]; f.Flags&code.FlagEntry != 0 && isSource(f) {
			out.Paths = append(out.Paths, f.Path)
			below.add(f, 1)
		}
	}
	slices.SortStableFunc(out.Paths, func(a, b string) int { return cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")) })
	out.Place = below.tree().place()
	out.Paths = out.Paths[:min(len(out.Paths), maxEntries)]
	return out
}

// place finds the deepest directory that holds two thirds of what is counted.
func (d *dir) place() Place {
	out := Place{Files: d.total}
	for d != nil {
		out.Dir = d.path
		next := (*dir)(nil)
		for _, c := range d.children {
			if c.total*3 >= out.Files*2 {
				next = c
			}
		}
		d = next
	}
	return out
}
