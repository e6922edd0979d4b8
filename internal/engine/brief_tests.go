package engine

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"ken/internal/code"
)

// BriefTest is a test file that covers files to be changed.
type BriefTest struct {
	Path   string
	Covers []string // those files; empty if it merely fits the goal
	weight float64
}

// maxTested bounds the dependents of a file that are looked at for tests among
// them.
const maxTested = 80

// tests finds what tests the files to be changed: test files with an edge to
// them, and those beside them with their name; then tests that fit the goal.
func (b *briefer) tests() error {
	list := map[int64]*BriefTest{}
	cover := func(f *code.File, i int, weight float64) {
		if _, ok := b.place[f.ID]; ok || !kindOf(f).test || f.Lang == "" || kindOf(f).data {
			return
		}
		t := list[f.ID]
		if t == nil {
			t = &BriefTest{Path: f.Path}
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
	for i := range b.out.Modify {
		if err := b.testsOf(i, cover); err != nil {
			return err
		}
	}
	for i := range b.found.Files[:min(len(b.found.Files), 2*briefModify)] {
		f := &b.found.Files[i]
		if list[f.ID] != nil || i < 5 {
			cover(&f.File, -1, 1.5/float64(1+i/3))
		}
	}
	for _, t := range list {
		b.out.Tests = append(b.out.Tests, *t)
	}
	slices.SortFunc(b.out.Tests, func(x, y BriefTest) int {
		return cmp.Or(cmp.Compare(y.weight, x.weight), strings.Compare(x.Path, y.Path))
	})
	b.out.Tests = b.out.Tests[:min(len(b.out.Tests), briefTests)]
	return b.commands()
}

// testsOf hands on the test files around the i-th file to be changed.
func (b *briefer) testsOf(i int, cover func(f *code.File, i int, weight float64)) error {
	c := &b.out.Modify[i]
	edges, err := b.s.r.EdgesTo(c.ID)
	if err != nil {
		return err
	}
	looked := 0
	for _, e := range edges {
		if e.Relation != code.RelTests && (looked == maxTested || !e.Relation.Depends()) {
			continue
		}
		looked++
		f, err := b.s.fileByID(e.Source)
		if err != nil {
			return err
		}
		weight := 1.0
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

// beside hands on tests of the same name in the file's directory or one of
// tests below it.
func (b *briefer) beside(i int, cover func(f *code.File, i int, weight float64)) error {
	c := &b.out.Modify[i]
	dir := dirOf(c.Path)
	for _, sub := range [...]string{"", "__tests__", "test", "tests"} {
		files, err := b.s.r.FilesIn(strings.TrimPrefix(path.Join(dir, sub), "/"))
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

// testStem is a file's name without extension and what marks tests, in small
// letters: "auth.service.test.ts", "test_auth.py", "AuthTests.java".
func testStem(p string) string {
	s := path.Base(p)
	if i := strings.LastIndexByte(s, '.'); i > 0 {
		s = s[:i]
	}
	for _, x := range [...]string{".test", ".spec", "_test", "-test", "_spec", "Tests", "Test", "Spec"} {
		s = strings.TrimSuffix(s, x)
	}
	return strings.ToLower(strings.TrimPrefix(s, "test_"))
}
