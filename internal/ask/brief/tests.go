package brief

import (
	"cmp"
	"math"
	"path"
	"slices"
	"strings"

	"ken/internal/ask/refs"
	"ken/internal/code"
	"ken/internal/lang"
)

// BriefTest is a test file that covers files to be changed.
type BriefTest struct {
	Path   string
	Covers []string // those files; if there are none, Why has the reason
	Why    string
	weight float64
}

// namesake puts the file with the same name as the test first among the files that the test covers, because a test often imports it by
// way of another.
func (b *briefer) namesake(t *BriefTest) {
	stem := testStem(t.Path)
	for i := range b.out.Modify {
		p := b.out.Modify[i].Path
		if testStem(p) != stem || stem == "index" || p == t.Path || slices.Contains(t.Covers, p) {
			continue
		}
		if root, _, _ := strings.Cut(p, "/"); !strings.HasPrefix(t.Path, root) && len(t.Covers) == 0 {
			continue // of the same name, elsewhere
		}
		t.Covers = slices.Insert(t.Covers, 0, p)
		t.weight += 2 / (1 + 0.5*float64(i))
	}
}

// maxTested is the number of tests of one file that are looked at.
const maxTested = 24

// tests finds the tests of the files to be changed: test files with an edge to them, and those beside them with their name; then tests
// that fit the goal.
func (b *briefer) tests() error {
	list := map[int64]*BriefTest{}
	add := func(f *code.File, i int, weight float64, why string) {
		if _, ok := b.place[f.ID]; ok || !b.runs(f) {
			return
		}
		t := list[f.ID]
		if t == nil {
			t = &BriefTest{Path: f.Path, Why: why}
			list[f.ID] = t
		}
		if i < 0 {
			t.weight += weight
			return
		}
		if p := b.out.Modify[i].Path; !slices.Contains(t.Covers, p) {
			t.Covers = append(t.Covers, p)
			t.weight += weight / (1 + 0.5*float64(i))
		}
	}
	cover := func(f *code.File, i int, weight float64) { add(f, i, weight, "") }
	for i := range b.out.Modify {
		if err := b.directTests(i, cover); err != nil {
			return err
		}
		if c := &b.out.Modify[i]; c.Declares["tests"] && lang.Of(c.Lang).InlineTests { // its own
			list[c.ID] = &BriefTest{Path: c.Path, Covers: []string{c.Path}, weight: 2 / (1 + 0.5*float64(i))}
		}
	}
	if err := b.testsThrough(cover); err != nil {
		return err
	}
	for i := range b.found.Files[:min(len(b.found.Files), 2*briefModify)] {
		f := &b.found.Files[i]
		add(&f.File, -1, 1.5/float64(1+i/3), "fits the goal")
	}
	for _, p := range b.past {
		f, err := b.s.FileByID(p.id)
		if err != nil {
			return err
		}
		add(&f, -1, 2*p.Score, "often changed with them")
	}
	for _, t := range list {
		b.namesake(t)
		b.out.Tests = append(b.out.Tests, *t)
	}
	slices.SortFunc(b.out.Tests, func(x, y BriefTest) int {
		return cmp.Or(cmp.Compare(y.weight, x.weight), strings.Compare(x.Path, y.Path))
	})
	b.out.Tests = b.out.Tests[:min(len(b.out.Tests), briefTests)]
	return b.commands()
}

// directTests calls cover for each test that uses the i-th file to be changed.
func (b *briefer) directTests(i int, cover func(f *code.File, i int, weight float64)) error {
	c := &b.out.Modify[i]
	edges, err := b.s.Index.EdgesFromTests(c.ID, maxTested)
	if err != nil {
		return err
	}
	for _, e := range edges {
		f, err := b.s.FileByID(e.Source)
		if err != nil {
			return err
		}
		weight := 1 / (1 + math.Log1p(float64(c.DepCount))/4) // many imports make each less telling
		if e.Relation == code.RelTests {
			weight = 2
		}
		if testStem(f.Path) == testStem(c.Path) {
			weight++
		}
		cover(&f, i, weight)
	}
	return b.beside(i, cover)
}

// throughFiles is the number of files to be changed for which indirect tests are searched, that is tests that reach them through others.
const throughFiles = 3

// testsThrough calls cover for each test that reaches one of the first files to be changed only through others.
func (b *briefer) testsThrough(cover func(f *code.File, i int, weight float64)) error {
	for i := range b.out.Modify[:min(len(b.out.Modify), throughFiles)] {
		list, err := refs.Tests(b.ctx, b.s, b.out.Modify[i].Path)
		if err != nil {
			return err
		}
		for k := range list {
			if t := &list[k]; t.Steps > 1 && list[0].Steps > 1 {
				cover(&t.File, i, 1/float64(t.Steps))
			}
		}
	}
	return nil
}

// beside calls cover for each test with the name of the i-th file in its directory, or in a directory of tests below or beside it.
func (b *briefer) beside(i int, cover func(f *code.File, i int, weight float64)) error {
	c := &b.out.Modify[i]
	dir := code.Dir(c.Path)
	for _, sub := range [...]string{"", "__tests__", "test", "tests", "../__tests__", "../test", "../tests"} {
		if dir == "" && strings.HasPrefix(sub, "..") {
			continue
		}
		files, err := b.s.Index.FilesIn(strings.TrimPrefix(path.Join("/", dir, sub), "/"))
		if err != nil {
			return err
		}
		for j := range files {
			if f := &files[j]; f.ID != c.ID && testStem(f.Path) == testStem(c.Path) {
				cover(f, i, 2)
			}
		}
	}
	return nil
}

// runs reports whether a file is run as a test.
func (b *briefer) runs(f *code.File) bool {
	run, err := refs.RunAsTest(b.s, f)
	b.s.Lookup.Fail(err)
	return run
}

// testStem returns a file's name in lower case, without extension and marks of tests: "auth.service.test.ts", "test_auth.py",
// "AuthTests.java".
func testStem(p string) string {
	s := path.Base(p)
	if i := strings.LastIndexByte(s, '.'); i > 0 {
		s = s[:i]
	}
	for _, x := range [...]string{".test", ".spec", "_test", "-test", "_spec", "Tests", "Test", "Spec"} {
		if len(s) > len(x) {
			s = strings.TrimSuffix(s, x)
		}
	}
	return strings.ToLower(strings.TrimPrefix(s, "test_"))
}
