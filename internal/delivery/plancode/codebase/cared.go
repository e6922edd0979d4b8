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

// rare notes that nothing is common enough to be a habit.
func (s *section) rare() {
	s.unless("Nothing that %d of 100 do, of at least %d samples.", convention.MinAgreement, convention.MinSamples)
}

func (c *Code) conventions(p *page) {
	s := p.section("Naming")
	c.habit(s, convention.FileNames, convention.FunctionNames, convention.TypeNames, convention.ConstantNames)
	s.rare()
	s = p.section("Style")
	c.addFiles(s, style)
	s.unless("No file with settings of a formatter or linter that ken knows by name.")
	s = p.section("Imports")
	c.habit(s, convention.Imports)
	s.rare()
	s = p.section("Error Handling")
	c.habit(s, convention.ErrorTypes)
	s.rare()
	s = p.section("Functions and Modules")
	c.habit(s, convention.Exports)
	if lines, middle, longest := c.lengths(); lines > 0 {
		s.row("Source files: %d; half of them have at most %s lines, nine of ten at most %s", lines, operation.Group(middle), operation.Group(longest))
	}
	s.rare()
}

// lengths are how many source files there are, and the lines that half and nine of ten of them have at most.
func (c *Code) lengths() (n int, middle, longest uint32) {
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

func (c *Code) testingPage(p *page) {
	s := p.section("Framework")
	c.byUse(s, testing)
	for _, l := range c.builtIn() {
		s.row("%s", l)
	}
	c.addFiles(s, tests)
	for _, m := range c.manifests {
		for _, sc := range m.Scripts {
			if strings.Contains(strings.ToLower(sc.Name), "test") {
				s.row("%s has the script %s: %s", name(m.Path), name(sc.Name), script(sc.Value))
			}
		}
	}
	s.unless("No framework for tests that ken knows is declared in a manifest, imported, or set up in a file.")
	c.organisation(p.section("Organisation"))
	s = p.section("Mocking")
	c.byUse(s, mocking)
	s.unless("No manifest that ken reads declares a library for this that ken knows, and nothing imports one.")
	c.fixtures(p.section("Fixtures"))
}

func script(text string) string {
	if text = quoteSafe(text); strings.HasPrefix(text, "(not shown") {
		return text
	}
	return name(text)
}

// builtIn returns the frameworks that languages bring with them, if there are tests for them.
func (c *Code) builtIn() (out []string) {
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
		out = append(out, fmt.Sprintf("Go's own `testing`, run by `go test ./...` in each folder with a `go.mod` — %s", files(n)))
	}
	if n := count["rust"]; n > 0 {
		out = append(out, fmt.Sprintf("Rust's own tests, run by `cargo test` — %s", files(n)))
	}
	return out
}

func (c *Code) organisation(s *section) {
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
		s.say("The index has no test files: none with a name, a place or a content by which ken knows tests.")
		return
	}
	var parts []string
	for _, l := range byCount(langs) {
		parts = append(parts, fmt.Sprintf("%s %d", plain(string(l)), langs[l]))
	}
	s.row("%s that test or belong to tests: %s", files(n), strings.Join(parts, ", "))
	folders := byCount(by)
	for _, d := range folders[:min(len(folders), maxRows)] {
		s.row("%s — %s", name(d), files(by[d]))
	}
	s.more(len(folders)-maxRows, "folder")
	c.habit(s, convention.TestPlaces, convention.TestNames)
}

// topFolder returns the folder of the first two levels that a file is in.
func topFolder(file string) string {
	parts := strings.Split(path.Dir(file), "/")
	if parts[0] == "." {
		return "."
	}
	return strings.Join(parts[:min(2, len(parts))], "/") + "/"
}

// byCount returns the keys of counts, the largest first.
func byCount[K ~string](m map[K]int) []K {
	var out []K
	for k := range m {
		out = append(out, k)
	}
	slices.SortFunc(out, func(a, b K) int { return cmp.Or(cmp.Compare(m[b], m[a]), strings.Compare(string(a), string(b))) })
	return out
}

func (c *Code) fixtures(s *section) {
	by := map[string]int{}
	for i := range c.all {
		if f := &c.all[i]; f.Class.Has(code.ClassFixture) {
			by[path.Dir(f.Path)+"/"]++
		}
	}
	folders := byCount(by)
	for _, d := range folders[:min(len(folders), maxRows)] {
		s.row("%s — %s", name(d), files(by[d]))
	}
	s.more(len(folders)-maxRows, "folder")
	s.unless("No folder with a name by which ken knows data for tests.")
}

// Bounds of the section on concerns.
const (
	longFile   = 500 // lines
	manyChange = 5   // commits
)

func (c *Code) concerns(p *page) {
	c.leftWork(p.section("Technical Debt"))
	s := p.section("Large Files")
	c.large(s)
	s = p.section("Import Cycles")
	for _, cycle := range c.cycles {
		s.row("%s import each other: %s", files(len(cycle)), list(cycle, 8))
	}
	s.unless("No files of the index import each other in a circle, as far as imports are resolved.")
	s = p.section("Fragile Areas")
	for _, x := range c.changes[:min(len(c.changes), maxRows)] {
		if x.commits >= manyChange {
			s.row("%s — changed by %d commits of the history that ken keeps, %s lines", name(x.path), x.commits, operation.Group(x.lines))
		}
	}
	s.unless("No source file was changed by %d commits of the history that ken keeps, or there is no history.", manyChange)
	c.countUntested(p.section("Missing Tests"))
	s = p.section("Not Wholly Read")
	for _, q := range c.doubtful[:min(len(c.doubtful), maxRows)] {
		s.row("%s — %s", name(q.Path), strings.ReplaceAll(q.Reason, "_", " "))
	}
	s.more(len(c.doubtful)-maxRows, "file")
	s.unless("All files of languages that ken reads were read whole, so that nothing above is missing for that reason.")
}

func (c *Code) leftWork(s *section) {
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
		s.say("No line of code holds the word TODO, FIXME, HACK or XXX.")
		return
	}
	var parts []string
	for _, w := range byCount(count) {
		parts = append(parts, fmt.Sprintf("%s %d", w, count[w]))
	}
	s.row("Lines of code with such a word: %s; in tests: %d", strings.Join(parts, ", "), len(c.notes)-len(source))
	folders := byCount(by)
	var most []string
	for _, d := range folders[:min(len(folders), 6)] {
		most = append(most, fmt.Sprintf("%s %d", name(d), by[d]))
	}
	if len(most) > 0 {
		s.row("Outside of tests most are in %s", strings.Join(most, ", "))
	}
	for _, n := range source[:min(len(source), 2*maxRows)] {
		s.row("%s:%d %s", name(n.path), n.line, script(n.text))
	}
	s.more(len(source)-2*maxRows, "line")
}

func (c *Code) large(s *section) {
	var all []*code.File
	for i := range c.all {
		if f := &c.all[i]; isSource(f.Class, f.Lang) && f.Lines > longFile {
			all = append(all, f)
		}
	}
	slices.SortStableFunc(all, func(a, b *code.File) int { return cmp.Compare(b.Lines, a.Lines) })
	for _, f := range all[:min(len(all), maxRows)] {
		s.row("%s — %s lines, %s on it", name(f.Path), operation.Group(f.Lines), verb(int(f.Dependents), "depends", "depend"))
	}
	s.more(len(all)-maxRows, "file")
	s.unless("No source file has more than %d lines.", longFile)
}

// countUntested counts the source files that no test depends on by itself.
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
		s.say("No test of the index is known to depend on a source file, so that nothing can be said of what is tested.")
		return
	}
	folders := byCount(missing)
	if len(folders) > 0 {
		s.say("Source files that no test depends on by itself; a test that reaches them through others is not counted:")
	}
	for _, d := range folders[:min(len(folders), maxRows)] {
		s.row("%s — %d of %s", name(d), missing[d], files(total[d]))
	}
	s.more(len(folders)-maxRows, "folder")
	s.unless("Tests depend on every source file that declares something.")
}
