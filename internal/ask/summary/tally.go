package summary

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// TypeCount is the number of files of one type, with examples that have the most dependents.
type TypeCount struct {
	Type     string // of lang.NodeType
	Count    int
	Examples []string // paths, at most four
}

const maxExamples = 4

// tally holds the counts that one pass over all files gathers.
type tally struct {
	files []file // source, tests and settings
	dirs  *dir   // of source, by number of declarations
	tests *dir   // of tests, by number of files
}

// file holds the columns of a file's index row that a summary needs, a quarter of the row.
type file struct {
	id         int64
	path       string
	lang       code.Lang
	flags      code.Flags
	class      code.FileClass
	dependents uint32
}

// notCounted are the classes of files that do not show how a project is built: generated and vendored ones, and files that are not code.
const notCounted = code.ClassGenerated | code.ClassVendored | code.ClassDocument | code.ClassTranslation | code.ClassFixture

// maxWeight limits the weight of one file in its directory, because a file with thousands of declarations is data, or generated.
const maxWeight = 50

func newTally(s *view.Snapshot) (*tally, error) {
	t := &tally{}
	source, tests := newDirs(), newDirs()
	for r, err := range s.Index.Ranked() {
		if err != nil {
			return nil, err
		}
		if r.Class.Has(notCounted) {
			continue
		}
		f := file{r.ID, r.Path, r.Lang, r.Flags, r.Class, r.Dependents}
		switch {
		case isSource(r.Class, r.Lang):
			source.add(&f, int(min(r.Symbols, maxWeight))+1)
		case r.Class.Has(code.ClassTest) && lang.Of(r.Lang).Sort == lang.Programming:
			tests.add(&f, 1)
		}
		t.files = append(t.files, f)
	}
	slices.SortFunc(t.files, func(a, b file) int { return strings.Compare(a.path, b.path) })
	t.dirs, t.tests = source.tree(), tests.tree()
	return t, nil
}

// isSource reports whether a file of a class and language is source code of the program.
func isSource(class code.FileClass, l code.Lang) bool {
	const other = notCounted | code.ClassTest | code.ClassExample | code.ClassData
	return !class.Has(other) && lang.Of(l).Sort == lang.Programming
}

// maxCandidates is the number of files among which hotspots are chosen.
const maxCandidates = 4 * maxHotspots

// hottest returns the source files that have dependents, those with the most first, then by path.
func (t *tally) hottest() []*file {
	var out []*file
	for i := range t.files {
		f := &t.files[i]
		full := len(out) == maxCandidates
		if f.dependents == 0 || full && f.dependents <= out[maxCandidates-1].dependents || !isSource(f.class, f.lang) {
			continue
		}
		at, _ := slices.BinarySearchFunc(out, f, byDependents)
		for at < len(out) && out[at].dependents == f.dependents { // files come by path
			at++
		}
		out = slices.Insert(out, at, f)
		out = out[:min(len(out), maxCandidates)]
	}
	return slices.DeleteFunc(out, func(f *file) bool { return f.dependents*coolShare < out[0].dependents })
}

func byDependents(a, b *file) int { return cmp.Compare(b.dependents, a.dependents) }

// typeCounts counts files by type, the most frequent type first. Files of no type ("module") come last. A type that
// written returns counts instead of that of the path.
func (t *tally) typeCounts(written func(path string) string) []TypeCount {
	byType := map[string][]*file{}
	for i := range t.files {
		if f := &t.files[i]; !f.class.Has(code.ClassExample) {
			kind := cmp.Or(written(f.path), lang.NodeType(code.File{Path: f.path, Lang: f.lang, Flags: f.flags}))
			byType[kind] = append(byType[kind], f)
		}
	}
	var out []TypeCount
	for kind, files := range byType {
		slices.SortStableFunc(files, byDependents)
		c := TypeCount{Type: kind, Count: len(files)}
		for _, f := range files[:min(len(files), maxExamples)] {
			c.Examples = append(c.Examples, f.path)
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

// entries returns the files in which programs start, those nearest to the root first.
func (t *tally) entries() Entries {
	below := newDirs()
	var out Entries
	for i := range t.files {
		if f := &t.files[i]; f.flags&code.FlagEntry != 0 && isSource(f.class, f.lang) && t.startsProgram(f.path) {
			out.Paths = append(out.Paths, f.path)
			below.add(f, 1)
		}
	}
	slices.SortStableFunc(out.Paths, func(a, b string) int { return cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")) })
	out.Place = below.tree().place()
	out.Paths = out.Paths[:min(len(out.Paths), maxEntries)]
	return out
}

// startsProgram reports whether an entry is that of a program, and not of a build, a test, or a module whose own header declares it.
func (t *tally) startsProgram(p string) bool {
	base, ext := path.Base(p), path.Ext(p)
	stem := strings.TrimSuffix(p, ext)
	if strings.HasPrefix(ext, ".h") || base == "build.rs" || path.Base(stem) == "test" || path.Base(stem) == "tests" {
		return false
	}
	_, declared := slices.BinarySearchFunc(t.files, stem+".h", func(f file, to string) int { return strings.Compare(f.path, to) })
	return !declared
}

// place returns the number of counted files and the deepest directory that holds two thirds of them.
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
