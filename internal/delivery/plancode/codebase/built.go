package codebase

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ken/internal/ask/surface/manifest"
	"ken/internal/code"
	"ken/internal/lang"
	"ken/internal/operation"
)

// language is a programming or markup language with its share of the code.
type language struct {
	name    code.Lang
	files   int
	lines   int64
	folders map[string]int // lines by the first folder
}

// languages returns the languages of the files that people wrote, by number of lines; programming languages apart from all others.
func (c *Code) languages() (programs, others []language) {
	at := map[code.Lang]*language{}
	for i := range c.all {
		f := &c.all[i]
		if f.Lang == "" || f.Class.Has(code.ClassGenerated|code.ClassVendored) || f.Flags&code.FlagMinified != 0 {
			continue
		}
		l := at[f.Lang]
		if l == nil {
			l = &language{name: f.Lang, folders: map[string]int{}}
			at[f.Lang] = l
		}
		l.files++
		l.lines += int64(f.Lines)
		first, _, ok := strings.Cut(f.Path, "/")
		if !ok {
			first = "."
		}
		l.folders[first] += int(f.Lines)
	}
	for _, l := range at {
		if lang.Of(l.name).Sort == lang.Programming {
			programs = append(programs, *l)
		} else {
			others = append(others, *l)
		}
	}
	order := func(a, b language) int {
		return cmp.Or(cmp.Compare(b.lines, a.lines), cmp.Compare(b.files, a.files), strings.Compare(string(a.name), string(b.name)))
	}
	slices.SortFunc(programs, order)
	slices.SortFunc(others, order)
	return programs, others
}

// mainFolders returns the folders that hold most of a language.
func (l *language) mainFolders() string {
	var all []string
	for d := range l.folders {
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(cmp.Compare(l.folders[b], l.folders[a]), strings.Compare(a, b)) })
	return nameList(all, 4)
}

func (c *Code) addStack(p *page) {
	programs, others := c.languages()
	s := p.section("Languages")
	for _, l := range programs[:min(len(programs), maxRows)] {
		s.addRow("%s — %s, %s, in %s", plainLine(string(l.name)), fileCount(l.files), operation.Plural(int(l.lines), "line"), l.mainFolders())
	}
	s.addMore(len(programs)-maxRows, "language")
	var rest []string
	for _, l := range others[:min(len(others), 8)] {
		rest = append(rest, fmt.Sprintf("%s (%s)", plainLine(string(l.name)), fileCount(l.files)))
	}
	if len(rest) > 0 {
		s.addRow("Besides: %s", strings.Join(rest, ", "))
	}
	s.addNotFound("The index has no file of a language that ken knows.")
	c.addRuntime(p.section("Runtime"))
	s = p.section("Frameworks")
	c.addPackagesByPurpose(s, framework)
	s.addNotFound("No manifest that ken reads declares a framework that ken knows, and nothing imports one.")
	c.addDependencies(p.section("Key Dependencies"))
	s = p.section("Configuration")
	c.addFiles(s, setting)
	s.addNotFound("No file with a name of settings that ken knows.")
}

func (c *Code) addRuntime(s *section) {
	for _, m := range c.manifests[:min(len(c.manifests), maxRows)] {
		var facts []string
		for _, f := range m.Says {
			facts = append(facts, plainLine(f.Name)+" "+quoteName(f.Value))
		}
		if len(facts) > 0 {
			s.addRow("%s: %s", quoteName(m.Path), strings.Join(facts, ", "))
		}
	}
	for _, f := range c.named {
		if f.sort == version {
			s.addRow("%s: %s", quoteName(f.path), describeEntry(f.what, quoteName(f.text)))
		}
	}
	var locks []string
	for _, f := range c.named {
		if f.sort == lock {
			locks = append(locks, fmt.Sprintf("%s (%s)", quoteName(f.path), f.what))
		}
	}
	if len(locks) > 0 {
		s.addRow("Package managers by their lockfiles: %s", strings.Join(locks[:min(len(locks), maxRows)], ", "))
		s.addMore(len(locks)-maxRows, "lockfile")
	} else if len(c.manifests) > 0 {
		s.addRow("Lockfile: none of a name that ken knows")
	}
	s.addNotFound("No manifest and no file that names a version, of those that ken knows.")
}

// neededPackage is a dependency with the manifests that declare it.
type neededPackage struct {
	manifest.Dependency
	in []string
}

func (c *Code) neededPackages() (out []neededPackage) {
	at := map[manifest.Dependency]int{}
	for _, m := range c.manifests {
		for _, d := range m.Dependencies {
			if d.Indirect {
				continue
			}
			i, ok := at[d]
			if !ok {
				i = len(out)
				at[d] = i
				out = append(out, neededPackage{Dependency: d})
			}
			out[i].in = append(out[i].in, m.Path)
		}
	}
	return out
}

// addPackagesByPurpose lists the dependencies known to serve a purpose, such as testing: declared ones, and ones that are imported
// without a declaration.
func (c *Code) addPackagesByPurpose(s *section, use usePurpose) {
	n := 0
	row := func(format string, args ...any) {
		if n++; n <= maxRows {
			s.addRow(format, args...)
		}
	}
	var declared []string
	for _, d := range c.neededPackages() {
		if slices.Contains(dependencyPurposes(d.Name), use) {
			declared = append(declared, strings.ToLower(d.Name))
			row("%s, declared in %s", versionText(&d.Dependency), nameList(d.in, 3))
		}
	}
	for _, e := range c.outside {
		is := func(name string) bool {
			lower := strings.ToLower(e.Name)
			return name == lower || strings.HasPrefix(lower, name+"/") || strings.HasPrefix(name, lower+"/")
		}
		if slices.Contains(dependencyPurposes(e.Name), use) && !slices.ContainsFunc(declared, is) {
			row("%s, imported by %s and declared in no manifest that ken reads", quoteName(e.Name), fileCount(e.Files))
		}
	}
	if n > maxRows {
		s.addRow("… and %d more", n-maxRows)
	}
	if c.unread > 0 {
		s.addRow("%s were not read for this", operation.Plural(c.unread, "manifest"))
	}
}

func versionText(d *manifest.Dependency) string {
	if d.Version == "" {
		return quoteName(d.Name)
	}
	return quoteName(d.Name) + " " + plainLine(d.Version)
}

func (c *Code) addDependencies(s *section) {
	for _, m := range c.manifests[:min(len(c.manifests), maxRows)] {
		var needs []string
		dev := 0
		for i := range m.Dependencies {
			switch d := &m.Dependencies[i]; {
			case d.Indirect:
			case d.Dev:
				dev++
			default:
				needs = append(needs, versionText(d))
			}
		}
		line := fmt.Sprintf("%s declares %s", quoteName(m.Path), operation.Plural(len(needs), "dependency"))
		if len(needs) != 1 {
			line = fmt.Sprintf("%s declares %d dependencies", quoteName(m.Path), len(needs))
		}
		if dev > 0 {
			line += fmt.Sprintf(", and %d for development and tests", dev)
		}
		if m.Problem != "" {
			line += " (" + m.Problem + ")"
		}
		s.addRow("%s", line)
		for _, d := range needs[:min(len(needs), 2*maxRows)] {
			s.addSubRow("%s", d)
		}
		if n := len(needs) - 2*maxRows; n > 0 {
			s.addSubRow("… and %d more", n)
		}
	}
	s.addMore(len(c.manifests)-maxRows, "manifest")
	if len(c.outside) > 0 {
		s.addSentence("\nFrom outside, imported by most files of the index:")
	}
	for _, e := range c.outside[:min(len(c.outside), maxOutside)] {
		s.addRow("%s — %s", quoteName(e.Name), fileCount(e.Files))
	}
	s.addNotFound("No manifest that ken reads, and no import that leads out of the project.")
}

// addFiles lists files whose names show one of the purposes.
func (c *Code) addFiles(s *section, sorts ...usePurpose) {
	by := map[string][]string{}
	var order []string
	for _, f := range c.named {
		if slices.Contains(sorts, f.sort) {
			if by[f.what] == nil {
				order = append(order, f.what)
			}
			by[f.what] = append(by[f.what], f.path)
		}
	}
	slices.Sort(order)
	for _, what := range order {
		s.addRow("%s", strings.TrimPrefix(what+": ", ": ")+nameList(by[what], 6))
	}
}

func (c *Code) addIntegrations(p *page) {
	for _, part := range []struct {
		heading string
		use     usePurpose
	}{{"APIs and Services", service}, {"Data Storage", storage}, {"Authentication", signIn}, {"Monitoring", watching}} {
		s := p.section(part.heading)
		c.addPackagesByPurpose(s, part.use)
		s.addNotFound("No manifest that ken reads declares a client for this that ken knows, and nothing imports one; " +
			"one that is written by hand would not be seen.")
	}
	s := p.section("CI/CD and Deployment")
	c.addFiles(s, build, deploy)
	s.addNotFound("No file with a name that ken knows of a service that builds or of a way to deploy.")
	s = p.section("Environment")
	if len(c.variables) > 0 {
		s.addSentence("Variables that code outside of tests reads by a name that is written there:")
	}
	for _, v := range c.variables[:min(len(c.variables), 4*maxRows)] {
		s.addRow("%s — %s", quoteName(v.name), nameList(v.files, 3))
	}
	s.addMore(len(c.variables)-4*maxRows, "variable")
	c.addFiles(s, sample)
	s.addNotFound("No code outside of tests reads a variable of the environment in a way that ken knows.")
}
