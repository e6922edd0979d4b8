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

// folder is how a layer is called.
func folder(dir string) string {
	if dir == "" {
		return "the root"
	}
	return name(dir + "/")
}

func (c *Code) architecture(p *page) {
	s := p.section("Layers")
	for i, l := range c.sum.Layers {
		s.row("%s, %s", says(c.layer(i), quoteSafe(cmp.Or(l.Says.Text, l.What, l.Role))), files(l.Files))
		if uses := c.neighbours(i, 0); uses != "" {
			s.below("depends on %s", uses)
		}
		if used := c.neighbours(i, 1); used != "" {
			s.below("is used by %s", used)
		}
		if l.Top != "" {
			s.below("most others depend on %s", name(l.Top))
		}
	}
	s.unless("The index has no source files that could be divided.")
	s = p.section("Key Abstractions")
	for _, h := range c.sum.Hotspots[:min(len(c.sum.Hotspots), maxHot)] {
		about := quoteSafe(h.Purpose)
		if about == "" && len(h.Offers) > 0 {
			about = "offers " + list(h.Offers, 4)
		}
		s.row("%s, %s on it", says(name(h.Path), about), verb(h.Dependents, "depends", "depend"))
	}
	if len(c.hot) > 0 {
		s.say("\nDeclarations that most other files use, of names that are declared once:")
	}
	for i := range c.hot {
		h := &c.hot[i]
		s.row("%s in %s — %s", name(h.Qualified), name(h.Path), files(h.Files))
	}
	s.unless("No file of the index depends on another.")
	c.starts(p.section("Entry Points"))
}

// layer is how a layer is called.
func (c *Code) layer(i int) string {
	if l := &c.sum.Layers[i]; l.Rest {
		return "the rest of " + folder(l.Dir)
	}
	return folder(c.sum.Layers[i].Dir)
}

// verb returns a number of files with a verb.
func verb(n int, one, many string) string {
	if n == 1 {
		return files(n) + " " + one
	}
	return files(n) + " " + many
}

// neighbours returns the layers that a layer depends on (way 0), or that depend on it (way 1), the strongest first.
func (c *Code) neighbours(layer, way int) string {
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
		texts = append(texts, fmt.Sprintf("%s (%s)", c.layer(n.layer), files(n.files)))
	}
	return strings.Join(texts, ", ")
}

func (c *Code) starts(s *section) {
	all := c.entries()
	for _, p := range all[:min(len(all), maxRows)] {
		s.row("%s", says(name(p), quoteSafe(c.purposes[p])))
	}
	s.more(len(all)-maxRows, "entry point")
	s.unless("No file of the index is known to start a program.")
}

// maxTree is how many folders a tree shows.
const maxTree = 60

func (c *Code) structure(p *page) {
	tree := c.tree()
	s := p.section("Directory Layout")
	s.say("```")
	s.say(".")
	for _, d := range tree[:min(len(tree), maxTree)] {
		depth := strings.Count(d.path, "/")
		s.say("%s%s/  # %s", strings.Repeat("    ", depth+1), strings.ReplaceAll(plain(path.Base(d.path)), "`", "'"), d.holds())
	}
	if n := len(tree) - maxTree; n > 0 {
		s.say("    … and %s", operation.Plural(n, "more folder"))
	}
	s.say("```")
	c.folderPurposes(p.section("Directory Purposes"), tree)
	s = p.section("Key Files")
	all := c.entries()
	if len(all) > 0 {
		s.row("Entry points: %s", list(all, 6))
	}
	var manifests []string
	for _, m := range c.manifests {
		manifests = append(manifests, m.Path)
	}
	if len(manifests) > 0 {
		s.row("Manifests: %s", list(manifests, 6))
	}
	if len(c.sum.Hotspots) > 0 {
		var hot []string
		for _, h := range c.sum.Hotspots {
			hot = append(hot, h.Path)
		}
		s.row("Most depended on: %s", list(hot, 6))
	}
	if t := c.sum.Tests; t.Files > 0 {
		s.row("Tests: %s, most of them below %s", files(t.Files), folder(t.Dir))
	}
	s.unless("The index has no file of these sorts.")
	s = p.section("Naming")
	c.habit(s, convention.FileNames, convention.TestNames)
	for _, e := range c.habits.Suffixes[:min(len(c.habits.Suffixes), 8)] {
		s.row("%s: %s", name("*"+e.Ending), says(files(e.Count), plain(e.Purpose)))
	}
	s.unless("No way of naming files is common enough: %d of 100, of at least %d files.", convention.MinAgreement, convention.MinSamples)
	c.special(p.section("Special Directories"), tree)
}

// holds describes the content of a folder.
func (d *directory) holds() string {
	parts := []string{files(d.files)}
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

func (c *Code) folderPurposes(s *section, tree []directory) {
	said := map[string]string{}
	for _, l := range c.sum.Layers {
		said[l.Dir] = cmp.Or(l.Says.Text, l.What, l.Role)
	}
	silent := 0
	for _, d := range tree {
		text := cmp.Or(said[d.path], c.readmes[d.path])
		if text == "" && d.top == "" || len(s.lines) >= maxTree {
			silent++
			continue
		}
		line := says(name(d.path+"/"), quoteSafe(text))
		if d.top != "" {
			line += "; most others depend on " + name(d.top)
		}
		s.row("%s", line)
	}
	if silent > 0 {
		s.row("… and %s of the first two levels", operation.Plural(silent, "more folder"))
	}
	s.unless("The project has no folders.")
}

func (c *Code) special(s *section, tree []directory) {
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
				what = append(what, fmt.Sprintf("%d of %s %s", n.n, files(d.files), n.what))
			}
		}
		if tracked && d.tracked == 0 {
			what = append(what, "nothing in it is in git")
		}
		if len(what) > 0 && len(s.lines) < maxTree {
			s.row("%s — %s", name(d.path+"/"), strings.Join(what, ", "))
		}
	}
	s.unless("No folder of the first two levels is mostly generated, vendored or data for tests.")
}

// habit lists the habits of some topics.
func (c *Code) habit(s *section, topics ...convention.Topic) {
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
			about += ", in " + name(h.Dir+"/")
		}
		line := fmt.Sprintf("%s: %s, %s of %s", about, plain(h.Pattern), operation.Group(h.Agree), operation.Group(h.Samples))
		line += " (such as " + list(h.Examples, 3)
		if len(h.Counter) > 0 {
			line += "; but not " + list(h.Counter, 3)
		}
		s.row("%s)", line)
	}
	s.more(n-2*maxRows, "habit")
}
