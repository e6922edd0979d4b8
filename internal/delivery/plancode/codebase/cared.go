package codebase

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/knowledge/convention"
	"ken/internal/lang"
	"ken/internal/operation"
)

// noteNoHabits adds the remark that nothing is common enough to be a convention.
func (s *section) noteNoHabits() {
	s.addNotFound("Nothing that %d of 100 do, of at least %d samples.", convention.MinAgreement, convention.MinSamples)
}

func (c *Code) addConventions(p *page) {
	s := p.section("Naming")
	c.addHabits(s, convention.FileNames, convention.FunctionNames, convention.TypeNames, convention.ConstantNames)
	s.noteNoHabits()
	s = p.section("Style")
	c.addFiles(s, style)
	s.addNotFound("No file with settings of a formatter or linter that ken knows by name.")
	s = p.section("Imports")
	c.addHabits(s, convention.Imports)
	s.noteNoHabits()
	s = p.section("Error Handling")
	c.addHabits(s, convention.ErrorTypes)
	s.noteNoHabits()
	s = p.section("Functions and Modules")
	c.addHabits(s, convention.Exports)
	if lines, middle, longest := c.sourceLengths(); lines > 0 {
		s.addRow("Source files: %d; half of them have at most %s lines, nine of ten at most %s", lines, operation.Group(middle), operation.Group(longest))
	}
	s.noteNoHabits()
}

// sourceLengths returns the number of source files, and the numbers of lines that half and nine tenths of them do not exceed.
func (c *Code) sourceLengths() (n int, middle, longest uint32) {
	var all []uint32
	for i := range c.all {
		if f := &c.all[i]; isSource(f.Class, f.Lang) {
			all = append(all, f.Lines)
		}
	}
	if len(all) == 0 {
		return 0, 0, 0
	}
	slices.Sort(all)
	return len(all), all[(len(all)-1)/2], all[(len(all)-1)*9/10]
}

func (c *Code) addTesting(p *page) {
	s := p.section("Framework")
	c.addPackagesByPurpose(s, testing)
	for _, l := range c.builtInTestFrameworks() {
		s.addRow("%s", l)
	}
	c.addFiles(s, tests)
	for _, m := range c.manifests {
		for _, sc := range m.Scripts {
			if strings.Contains(strings.ToLower(sc.Name), "test") {
				s.addRow("%s has the script %s: %s", quoteName(m.Path), quoteName(sc.Name), scriptCommand(sc.Value))
			}
		}
	}
	s.addNotFound("No framework for tests that ken knows is declared in a manifest, imported, or set up in a file.")
	c.addTestOrganisation(p.section("Organisation"))
	s = p.section("Mocking")
	c.addPackagesByPurpose(s, mocking)
	s.addNotFound("No manifest that ken reads declares a library for this that ken knows, and nothing imports one.")
	c.addFixtures(p.section("Fixtures"))
}

func scriptCommand(text string) string {
	if text = quoteSafe(text); strings.HasPrefix(text, "(not shown") {
		return text
	}
	return quoteName(text)
}

// builtInTestFrameworks returns the test frameworks that are part of the languages in use, if the project has tests for them.
func (c *Code) builtInTestFrameworks() (out []string) {
	count := map[code.Lang]int{}
	modules := 0
	for i := range c.all {
		if f := &c.all[i]; isTest(f.Class, f.Lang) {
			count[f.Lang]++
		}
	}
	for _, m := range c.manifests {
		if path.Base(m.Path) == "go.mod" {
			modules++
		}
	}
	if n := count["go"]; n > 0 && modules > 0 {
		out = append(out, fmt.Sprintf("Go's own `testing`, run by `go test ./...` in each folder with a `go.mod` — %s", fileCount(n)))
	}
	if n := count["rust"]; n > 0 {
		out = append(out, fmt.Sprintf("Rust's own tests, run by `cargo test` — %s", fileCount(n)))
	}
	return out
}

func (c *Code) addTestOrganisation(s *section) {
	by := map[string]int{}
	langs := map[code.Lang]int{}
	n := 0
	for i := range c.all {
		if f := &c.all[i]; isTest(f.Class, f.Lang) {
			n++
			by[topFolder(f.Path)]++
			langs[f.Lang]++
		}
	}
	if n == 0 {
		s.addSentence("The index has no test files: none with a name, a place or a content by which ken knows tests.")
		return
	}
	var parts []string
	for _, l := range keysByCount(langs) {
		parts = append(parts, fmt.Sprintf("%s %d", plainLine(string(l)), langs[l]))
	}
	s.addRow("%s that test or belong to tests: %s", fileCount(n), strings.Join(parts, ", "))
	folders := keysByCount(by)
	for _, d := range folders[:min(len(folders), maxRows)] {
		s.addRow("%s — %s", quoteName(d), fileCount(by[d]))
	}
	s.addMore(len(folders)-maxRows, "folder")
	c.addHabits(s, convention.TestPlaces, convention.TestNames)
}

// topFolder returns the folder of the first two levels that a file is in.
func topFolder(file string) string {
	parts := strings.Split(path.Dir(file), "/")
	if parts[0] == "." {
		return "."
	}
	return strings.Join(parts[:min(2, len(parts))], "/") + "/"
}

// keysByCount returns the keys of a map, the largest count first.
func keysByCount[K ~string](m map[K]int) []K {
	var out []K
	for k := range m {
		out = append(out, k)
	}
	slices.SortFunc(out, func(a, b K) int { return cmp.Or(cmp.Compare(m[b], m[a]), strings.Compare(string(a), string(b))) })
	return out
}

func (c *Code) addFixtures(s *section) {
	by := map[string]int{}
	for i := range c.all {
		if f := &c.all[i]; f.Class.Has(code.ClassFixture) {
			by[path.Dir(f.Path)+"/"]++
		}
	}
	folders := keysByCount(by)
	for _, d := range folders[:min(len(folders), maxRows)] {
		s.addRow("%s — %s", quoteName(d), fileCount(by[d]))
	}
	s.addMore(len(folders)-maxRows, "folder")
	s.addNotFound("No folder with a name by which ken knows data for tests.")
}

// Bounds of the section on concerns.
const (
	longFile   = 500 // lines
	manyChange = 5   // commits
)

func (c *Code) addConcerns(p *page) {
	c.addUnfinishedWork(p.section("Technical Debt"))
	s := p.section("Large Files")
	c.addLargeFiles(s)
	s = p.section("Import Cycles")
	for _, cycle := range c.cycles {
		s.addRow("%s import each other: %s", fileCount(len(cycle)), nameList(cycle, 8))
	}
	s.addNotFound("No files of the index import each other in a circle, as far as imports are resolved.")
	s = p.section("Fragile Areas")
	for _, x := range c.changes[:min(len(c.changes), maxRows)] {
		if x.commits >= manyChange {
			s.addRow("%s — changed by %d commits of the history that ken keeps, %s lines", quoteName(x.path), x.commits, operation.Group(x.lines))
		}
	}
	s.addNotFound("No source file was changed by %d commits of the history that ken keeps, or there is no history.", manyChange)
	c.countUntested(p.section("Missing Tests"))
	s = p.section("Not Wholly Read")
	for _, q := range c.doubtful[:min(len(c.doubtful), maxRows)] {
		s.addRow("%s — %s", quoteName(q.Path), strings.ReplaceAll(q.Reason, "_", " "))
	}
	s.addMore(len(c.doubtful)-maxRows, "file")
	s.addNotFound("All files of languages that ken reads were read whole, so that nothing above is missing for that reason.")
}

func (c *Code) addUnfinishedWork(s *section) {
	count, by := map[string]int{}, map[string]int{}
	var source []note
	for _, n := range c.notes {
		count[n.word]++
		if !n.test {
			by[topFolder(n.path)]++
			source = append(source, n)
		}
	}
	if len(c.notes) == 0 {
		s.addSentence("No line of code holds the word TODO, FIXME, HACK or XXX.")
		return
	}
	var parts []string
	for _, w := range keysByCount(count) {
		parts = append(parts, fmt.Sprintf("%s %d", w, count[w]))
	}
	s.addRow("Lines of code with such a word: %s; in tests: %d", strings.Join(parts, ", "), len(c.notes)-len(source))
	folders := keysByCount(by)
	var most []string
	for _, d := range folders[:min(len(folders), 6)] {
		most = append(most, fmt.Sprintf("%s %d", quoteName(d), by[d]))
	}
	if len(most) > 0 {
		s.addRow("Outside of tests most are in %s", strings.Join(most, ", "))
	}
	for _, n := range source[:min(len(source), 2*maxRows)] {
		s.addRow("%s:%d %s", quoteName(n.path), n.line, scriptCommand(n.text))
	}
	s.addMore(len(source)-2*maxRows, "line")
}

func (c *Code) addLargeFiles(s *section) {
	var all []*code.File
	for i := range c.all {
		if f := &c.all[i]; isSource(f.Class, f.Lang) && f.Lines > longFile {
			all = append(all, f)
		}
	}
	slices.SortStableFunc(all, func(a, b *code.File) int { return cmp.Compare(b.Lines, a.Lines) })
	for _, f := range all[:min(len(all), maxRows)] {
		s.addRow("%s — %s lines, %s on it", quoteName(f.Path), operation.Group(f.Lines), countWithVerb(int(f.Dependents), "depends", "depend"))
	}
	s.addMore(len(all)-maxRows, "file")
	s.addNotFound("No source file has more than %d lines.", longFile)
}

// countUntested counts the source files that no test depends on directly.
func (c *Code) countUntested(s *section) {
	total, missing := map[string]int{}, map[string]int{}
	any := false
	for i := range c.all {
		f := &c.all[i]
		any = any || c.tested[f.ID]
		if !isSource(f.Class, f.Lang) || f.Symbols == 0 || lang.LanguageTier(f.Lang) != lang.Full {
			continue
		}
		d := topFolder(f.Path)
		total[d]++
		if !c.tested[f.ID] {
			missing[d]++
		}
	}
	if !any {
		s.addSentence("No test of the index is known to depend on a source file, so that nothing can be said of what is tested.")
		return
	}
	folders := keysByCount(missing)
	if len(folders) > 0 {
		s.addSentence("Source files that no test depends on by itself; a test that reaches them through others is not counted:")
	}
	for _, d := range folders[:min(len(folders), maxRows)] {
		s.addRow("%s — %d of %s", quoteName(d), missing[d], fileCount(total[d]))
	}
	s.addMore(len(folders)-maxRows, "folder")
	s.addNotFound("Tests depend on every source file that declares something.")
}
