package tool

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"ken/internal/engine"
)

// newBriefBlock lays a brief out as document 000 §6.2 has it. The ranks say
// what is worth most: the files to be changed, what depends on them, how to test
// them; then what else helps. A later file's name is worth more than an earlier
// one's details.
func newBriefBlock(b *engine.Brief) *block {
	r := &block{tag: "phase-relevant-intel"}
	r.head = briefHead(b)
	for i := range b.Modify {
		c := &b.Modify[i]
		parts := cardParts("Files You'll Likely Modify", "likely file", c, 6*float64(i), true)
		parts[0].keep = func(a *briefAnswer) { a.Files = append(a.Files, briefFile(c)) }
		r.parts = append(r.parts, parts...)
	}
	for i := range b.Blast {
		d := &b.Blast[i]
		rank := 12 + 12*float64(i)
		if d.Files == 1 {
			rank += 20
		}
		r.add("Blast Radius", "blast line", rank, blastText(d), func(a *briefAnswer) { a.Radii = append(a.Radii, briefRadius(d)) })
	}
	for i := range b.Reuse {
		d := &b.Reuse[i]
		r.add("Existing Code to Reuse", "reusable declaration", 16+9*float64(i), reuseText(d), func(a *briefAnswer) { a.Reuses = append(a.Reuses, briefReuse(d)) })
	}
	for i := range b.Read {
		d := &b.Read[i]
		r.add("Files to Read", "further file", 20+7*float64(i), fmt.Sprintf("- %s - %s\n", codeText(d.Path), xmlText(d.Why)),
			func(a *briefAnswer) { a.Reads = append(a.Reads, BriefRead{Path(d.Path), d.Why}) })
	}
	r.tests(b)
	for i := range b.Commits {
		d := briefCommit(&b.Commits[i])
		r.add("Similar Past Commits", "past commit", 26+14*float64(i), commitText(&d), func(a *briefAnswer) { a.Commits = append(a.Commits, d) })
	}
	r.steps(b)
	return r
}

func (b *block) add(section, what string, rank float64, text string, keep func(*briefAnswer)) {
	b.parts = append(b.parts, part{section: section, what: what, rank: rank, text: text, keep: keep})
}

func briefHead(b *engine.Brief) string {
	var h strings.Builder
	fmt.Fprintf(&h, "## Phase Goal\n\"%s\"\n\n## Relevant Intelligence (Auto-Selected)\n", xmlText(clipped(b.Goal, maxGoal)))
	if len(b.Keywords) > 0 {
		fmt.Fprintf(&h, "Keywords found: %s\n", words(b.Keywords))
	}
	if len(b.Missing) > 0 {
		fmt.Fprintf(&h, "Nowhere in this repository: %s\n", words(b.Missing))
	}
	return h.String()
}

// words are some words of the user's, as one list.
func words(list []string) string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = xmlText(clipped(w, 40))
	}
	return strings.Join(out, ", ")
}

// tests adds the tests and the commands that run them.
func (b *block) tests(brief *engine.Brief) {
	for i := range brief.Tests {
		d := &brief.Tests[i]
		text := "- " + codeText(d.Path) + " - "
		if len(d.Covers) > 0 {
			text += "covers " + xmlText(shortNames(d.Covers, 3))
		} else {
			text += xmlText(d.Why)
		}
		b.add("Tests to Run", "test", 18+8*float64(i), text+"\n", func(a *briefAnswer) { a.Tests = append(a.Tests, BriefTest{Path(d.Path), d.Covers, d.Why}) })
	}
	for i := range brief.Commands {
		c := BriefRun{Path(brief.Commands[i].Dir), brief.Commands[i].Line}
		text := "- run: "
		if c.Dir != "" {
			text = "- run in " + codeText(string(c.Dir)+"/") + ": "
		}
		b.add("Tests to Run", "command", 19+10*float64(i), text+codeText(c.Line)+"\n", func(a *briefAnswer) { a.Commands = append(a.Commands, c) })
	}
}

// steps adds the order to work in, as a whole: a part of it would mislead.
func (b *block) steps(brief *engine.Brief) {
	if len(brief.Steps) < 2 {
		return
	}
	var text strings.Builder
	for i := range brief.Steps {
		d := &brief.Steps[i]
		fmt.Fprintf(&text, "%d. %s", i+1, codeText(d.Path))
		switch {
		case len(d.Needs) > 0:
			text.WriteString(" - after " + xmlText(shortNames(d.Needs, 3)))
		case d.Kind == configType:
			text.WriteString(" - settings")
		case d.Kind == "model":
			text.WriteString(" - types")
		}
		text.WriteByte('\n')
	}
	if len(brief.Tests) > 0 {
		fmt.Fprintf(&text, "%d. the tests above\n", len(brief.Steps)+1)
	}
	b.add("Suggested Order", "suggested order", 27, text.String(), func(a *briefAnswer) {
		for i := range brief.Steps {
			d := &brief.Steps[i]
			a.Steps = append(a.Steps, BriefStep{Path(d.Path), d.Kind, d.Needs})
		}
	})
}

// shortNames are the names of files, with as much of their directories as tells
// them apart.
func shortNames(paths []string, n int) string {
	var out []string
	for _, p := range paths[:min(n, len(paths))] {
		name := path.Base(p)
		for dir := path.Dir(p); dir != "." && slices.ContainsFunc(paths, func(o string) bool { return o != p && (o == name || strings.HasSuffix(o, "/"+name)) }); dir = path.Dir(dir) {
			name = path.Base(dir) + "/" + name
		}
		out = append(out, name)
	}
	text := strings.Join(out, ", ")
	if more := len(paths) - n; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// blastText says in words who depends on a file.
func blastText(d *engine.BlastRadius) string {
	var out []string
	for _, g := range d.Groups {
		switch g.Dir {
		case "":
			out = append(out, fmt.Sprintf("%d elsewhere", g.Files))
		case ".":
			out = append(out, fmt.Sprintf("%d at the top", g.Files))
		default:
			out = append(out, fmt.Sprintf("%d in %s", g.Files, codeText(g.Dir+"/")))
		}
	}
	if d.Tests > 0 {
		out = append(out, plural(d.Tests, "test"))
	}
	text := fmt.Sprintf("Changing %s affects %s: %s", codeText(d.Path), plural(d.Files, "file"), strings.Join(out, ", "))
	switch {
	case !d.Whole:
		text += fmt.Sprintf("; through them more than %s", group(d.Through))
	case d.Through > 0:
		text += fmt.Sprintf("; through them %s more", group(d.Through))
	}
	return "- " + text + "\n"
}

func reuseText(d *engine.Reusable) string {
	text := fmt.Sprintf("- %s (%s:%d)", codeText(d.Name), xmlText(d.Path), d.Line)
	switch {
	case d.Unused:
		text += " currently unused"
	case d.Users == 0:
		text += " no other file uses its name"
	case d.Shared:
		text += fmt.Sprintf(" %s its name, others bear it too", uses(d.Users))
	default:
		text += " " + uses(d.Users) + " it"
	}
	if d.Doc != "" {
		text += ": " + xmlText(clipped(d.Doc, 110))
	}
	return text + "\n"
}

func uses(n int) string {
	if n == 1 {
		return "1 file uses"
	}
	return group(n) + " files use"
}

func commitText(d *BriefCommit) string {
	text := fmt.Sprintf("- %s %s %s", xmlText(d.Commit), d.Date, xmlText(clipped(d.Subject, 90)))
	if len(d.Files) > 0 {
		text += ": " + codeList(d.Files[:min(3, len(d.Files))])
		if more := d.Changed - min(3, len(d.Files)); more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
	}
	return text + "\n"
}
