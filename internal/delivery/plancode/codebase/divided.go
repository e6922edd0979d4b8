package codebase

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/knowledge/convention"
	"ken/internal/operation"
)

// layerTitle returns the shown name of a layer with folder dir.
func layerTitle(dir string) string {
	if dir == "" {
		return "the root"
	}
	return quoteName(dir + "/")
}

func (c *Code) addArchitecture(p *page) {
	s := p.section("Layers")
	for i, l := range c.sum.Layers {
		s.addRow("%s, %s", describeEntry(c.layerName(i), quoteSafe(cmp.Or(l.Says.Text, l.Role))), fileCount(l.Files))
		if uses := c.neighbourLayers(i, 0); uses != "" {
			s.addSubRow("depends on %s", uses)
		}
		if used := c.neighbourLayers(i, 1); used != "" {
			s.addSubRow("is used by %s", used)
		}
		if l.Top != "" {
			s.addSubRow("most others depend on %s", quoteName(l.Top))
		}
	}
	s.addNotFound("The index has no source files that could be divided.")
	s = p.section("Key Abstractions")
	for _, h := range c.sum.Hotspots[:min(len(c.sum.Hotspots), maxHot)] {
		s.addRow("%s, %s on it", describeEntry(quoteName(h.Path), quoteSafe(h.Purpose)), countWithVerb(h.Dependents, "depends", "depend"))
	}
	if len(c.hot) > 0 {
		s.addSentence("\nDeclarations that most other files use, of names that are declared once:")
	}
	for i := range c.hot {
		h := &c.hot[i]
		s.addRow("%s in %s — %s", quoteName(h.Qualified), quoteName(h.Path), fileCount(h.Files))
	}
	s.addNotFound("No file of the index depends on another.")
	c.addEntryPoints(p.section("Entry Points"))
}

// layerName returns the shown name of layer i.
func (c *Code) layerName(i int) string {
	if l := &c.sum.Layers[i]; l.Rest {
		return "the rest of " + layerTitle(l.Dir)
	}
	return layerTitle(c.sum.Layers[i].Dir)
}

// countWithVerb returns a number of files with a verb in the right form.
func countWithVerb(n int, one, many string) string {
	if n == 1 {
		return fileCount(n) + " " + one
	}
	return fileCount(n) + " " + many
}

// neighbourLayers returns the layers that a layer depends on (way 0), or that depend on it (way 1), the strongest first.
func (c *Code) neighbourLayers(layer, way int) string {
	type neighbour struct{ layer, files int }
	var out []neighbour
	for key, n := range c.uses {
		if key[way] == layer {
			out = append(out, neighbour{key[1-way], n})
		}
	}
	slices.SortFunc(out, func(a, b neighbour) int { return cmp.Or(cmp.Compare(b.files, a.files), cmp.Compare(a.layer, b.layer)) })
	var texts []string
	for _, n := range out {
		texts = append(texts, fmt.Sprintf("%s (%s)", c.layerName(n.layer), fileCount(n.files)))
	}
	return strings.Join(texts, ", ")
}

func (c *Code) addEntryPoints(s *section) {
	all := c.entryFiles()
	for _, p := range all[:min(len(all), maxRows)] {
		s.addRow("%s", describeEntry(quoteName(p), quoteSafe(c.purposes[p])))
	}
	s.addMore(len(all)-maxRows, "entry point")
	s.addNotFound("No file of the index is known to start a program.")
}

// maxTree is how many folders a tree shows.
const maxTree = 60

func (c *Code) addStructure(p *page) {
	tree := c.folderTree()
	s := p.section("Directory Layout")
	s.addSentence("```")
	s.addSentence(".")
	for _, d := range tree[:min(len(tree), maxTree)] {
		depth := strings.Count(d.path, "/")
		s.addSentence("%s%s/  # %s", strings.Repeat("    ", depth+1), strings.ReplaceAll(plainLine(path.Base(d.path)), "`", "'"), d.contentText())
	}
	if n := len(tree) - maxTree; n > 0 {
		s.addSentence("    … and %s", operation.Plural(n, "more folder"))
	}
	s.addSentence("```")
	c.addFolderPurposes(p.section("Directory Purposes"), tree)
	s = p.section("Key Files")
	all := c.entryFiles()
	if len(all) > 0 {
		s.addRow("Entry points: %s", nameList(all, 6))
	}
	var manifests []string
	for _, m := range c.manifests {
		manifests = append(manifests, m.Path)
	}
	if len(manifests) > 0 {
		s.addRow("Manifests: %s", nameList(manifests, 6))
	}
	if len(c.sum.Hotspots) > 0 {
		var hot []string
		for _, h := range c.sum.Hotspots {
			hot = append(hot, h.Path)
		}
		s.addRow("Most depended on: %s", nameList(hot, 6))
	}
	if t := c.sum.Tests; t.Files > 0 {
		s.addRow("Tests: %s, most of them below %s", fileCount(t.Files), layerTitle(t.Dir))
	}
	s.addNotFound("The index has no file of these sorts.")
	s = p.section("Naming")
	c.addHabits(s, convention.FileNames, convention.TestNames)
	for _, e := range c.habits.Suffixes[:min(len(c.habits.Suffixes), 8)] {
		s.addRow("%s: %s", quoteName("*"+e.Ending), describeEntry(fileCount(e.Count), plainLine(e.Purpose)))
	}
	s.addNotFound("No way of naming files is common enough: %d of 100, of at least %d files.", convention.MinAgreement, convention.MinSamples)
	c.addSpecialFolders(p.section("Special Directories"), tree)
}

// contentText describes the content of a folder.
func (d *directory) contentText() string {
	parts := []string{fileCount(d.files)}
	for _, n := range []struct {
		n    int
		what string
	}{{d.source, "source"}, {d.tests, "test"}} {
		if n.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n.n, n.what))
		}
	}
	return strings.Join(parts, ", ")
}

func (c *Code) addFolderPurposes(s *section, tree []directory) {
	said := map[string]string{}
	for _, l := range c.sum.Layers {
		said[l.Dir] = cmp.Or(l.Says.Text, l.Role)
	}
	silent := 0
	for _, d := range tree {
		text := cmp.Or(said[d.path], c.readmes[d.path])
		if text == "" && d.top == "" || len(s.lines) >= maxTree {
			silent++
			continue
		}
		line := describeEntry(quoteName(d.path+"/"), quoteSafe(text))
		if d.top != "" {
			line += "; most others depend on " + quoteName(d.top)
		}
		s.addRow("%s", line)
	}
	if silent > 0 {
		s.addRow("… and %s of the first two levels", operation.Plural(silent, "more folder"))
	}
	s.addNotFound("The project has no folders.")
}

func (c *Code) addSpecialFolders(s *section, tree []directory) {
	tracked := false
	for i := range c.all {
		tracked = tracked || c.all[i].Flags&code.FlagTracked != 0
	}
	for _, d := range tree {
		var what []string
		for _, n := range []struct {
			n    int
			what string
		}{{d.generated, "written by programs"}, {d.vendored, "somebody else's code"}, {d.fixtures, "data for tests"}} {
			if 2*n.n > d.files {
				what = append(what, fmt.Sprintf("%d of %s %s", n.n, fileCount(d.files), n.what))
			}
		}
		if tracked && d.tracked == 0 {
			what = append(what, "nothing in it is in git")
		}
		if len(what) > 0 && len(s.lines) < maxTree {
			s.addRow("%s — %s", quoteName(d.path+"/"), strings.Join(what, ", "))
		}
	}
	s.addNotFound("No folder of the first two levels is mostly generated, vendored or data for tests.")
}

// addHabits lists the conventions of some topics.
func (c *Code) addHabits(s *section, topics ...convention.Topic) {
	n := 0
	for i := range c.habits.Conventions {
		h := &c.habits.Conventions[i]
		if !slices.Contains(topics, h.Topic) {
			continue
		}
		if n++; n > 2*maxRows {
			continue
		}
		about := string(h.Topic)
		if h.Lang != "" {
			about += ", " + string(h.Lang)
		}
		if h.Dir != "" {
			about += ", in " + quoteName(h.Dir+"/")
		}
		line := fmt.Sprintf("%s: %s, %s of %s", about, plainLine(h.Pattern), operation.Group(h.Agree), operation.Group(h.Samples))
		line += " (such as " + nameList(h.Examples, 3)
		if len(h.Counter) > 0 {
			line += "; but not " + nameList(h.Counter, 3)
		}
		s.addRow("%s)", line)
	}
	s.addMore(n-2*maxRows, "habit")
}
