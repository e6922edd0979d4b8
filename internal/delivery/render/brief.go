package render

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"ken/internal/ask/brief"
	"ken/internal/delivery/agenttext"
	"ken/internal/operation"
)

// The lists of a brief, each with ranks of its own. Parts of small rank are kept
// first, so the first entries of every list come before further entries of any.
const (
	briefFiles = iota
	briefBlast
	briefNotes
	briefReuse
	briefTests
	briefCommands
	briefReads
	briefCommits
	briefConventions
	briefSteps
	briefSource
)

// briefOrder gives the ranks of each list, with the reason.
var briefOrder = [...]agenttext.Order{
	// A brief is read to learn which files to change, so they come first. The small
	// step keeps names of further files before most details of the first ones, whose
	// ranks begin at that of the name (see afterPurpose).
	briefFiles: {First: 0, Step: 4},
	// Who is affected by the change. The step is large because files far down are less likely to be changed at all.
	briefBlast: {First: 12, Step: 12},
	// Past decisions hold for the work, and the code does not show them.
	briefNotes: {First: 13, Step: 7},
	// Code that exists need not be written again.
	briefReuse: {First: 16, Step: 9},
	// Tests show that the work is done; a test comes before the command that runs it,
	// because most agents know how to run tests. The step is small because a line is short.
	briefTests:    {First: 12, Step: 1.5},
	briefCommands: {First: 19, Step: 10},
	// A search finds files to read too, so they come after parts that it does not find.
	briefReads: {First: 20, Step: 7},
	// Past commits are examples, and one example is nearly as good as several.
	briefCommits: {First: 26, Step: 14},
	// How code is written there matters once it is written, and the files beside show it, too.
	briefConventions: {First: 23, Step: 9},
	// The order to work in only repeats names from above, as one large part.
	briefSteps: {First: 27},
	// Source comes behind all that is shorter; without it nothing is left out for it, because it is asked for with a larger budget.
	briefSource: {First: 30, Step: 3},
}

// briefTag is the tag of the block.
const briefTag = "phase-relevant-intel"

// fewDependents is added to the rank of the line about a file's dependents if
// there is only one, because that one is easily found.
const fewDependents = 20

// briefLayout builds the block of a brief and adds the parts that are kept to the answer.
type briefLayout struct {
	agenttext.Block
	answer *Brief
}

// BriefBlock lays out a brief with the notes relevant to its goal; docs/formats.md describes it.
func BriefBlock(b *brief.Brief, a *Brief, remembered []BriefNote, places []BriefPlace) *agenttext.Block {
	head := briefHead(b) + planLine(a.Planning) + a.Excluded.Line()
	r := &briefLayout{Block: agenttext.Block{Tag: briefTag, Head: head}, answer: a}
	r.addFiles(b)
	for i := range b.Blast {
		d := &b.Blast[i]
		rank := briefOrder[briefBlast].ItemRank(i)
		if d.Files == 1 {
			rank += fewDependents
		}
		r.add("Blast Radius", "blast line", rank, blastText(d), func() { a.Radii = append(a.Radii, blastRadiusRow(d)) })
	}
	for i := range remembered {
		n := &remembered[i]
		r.add("Decided and Noted Before", "note", briefOrder[briefNotes].ItemRank(i), noteText(n), func() { a.Notes = append(a.Notes, *n) })
	}
	for i := range b.Reuse {
		d := &b.Reuse[i]
		r.add("Existing Code to Reuse", "reusable declaration", briefOrder[briefReuse].ItemRank(i), reuseText(d),
			func() { a.Reuses = append(a.Reuses, reusableRow(d)) })
	}
	for i := range b.Read {
		d := &b.Read[i]
		text := fmt.Sprintf("- %s - %s\n", agenttext.Code(d.Path), agenttext.Text(d.Why))
		r.add("Files to Read", "further file", briefOrder[briefReads].ItemRank(i), text,
			func() { a.Reads = append(a.Reads, fileToRead{operation.Path(d.Path), d.Why}) })
	}
	r.addTests(b)
	for i := range b.Commits {
		d := pastCommitRow(&b.Commits[i])
		r.add("Similar Past Commits", "past commit", briefOrder[briefCommits].ItemRank(i), commitText(&d),
			func() { a.Commits = append(a.Commits, d) })
	}
	r.addConventions(b)
	r.addSteps(b)
	for i := range places {
		p := &places[i]
		r.Parts = append(r.Parts, agenttext.Part{Section: "Source", What: "declaration's source", Gap: true, Rank: briefOrder[briefSource].ItemRank(i),
			Text: p.text(), Keep: func() { a.Places = append(a.Places, *p) }})
	}
	return &r.Block
}

// planLine returns the line about the current position in the project's plan.
func planLine(planning string) string {
	if planning == "" {
		return ""
	}
	return "**Plan:** " + agenttext.Text(planning) + "\n"
}

// addFiles adds the files likely to be changed.
func (r *briefLayout) addFiles(b *brief.Brief) {
	for i := range b.Modify {
		c := &b.Modify[i]
		parts := CardParts("Files You'll Likely Modify", "likely file", c, briefOrder[briefFiles].ItemRank(i), true)
		parts[0].Keep = func() { r.answer.Files = append(r.answer.Files, briefFileRow(c)) }
		r.Parts = append(r.Parts, parts...)
	}
}

func (r *briefLayout) add(section, what string, rank float64, text string, keep func()) {
	r.Parts = append(r.Parts, agenttext.Part{Section: section, What: what, Rank: rank, Text: text, Keep: keep})
}

// maxNote is the length of a note's shown beginning, in bytes.
const maxNote = 200

// noteText renders a note as a line. Its text is quoted, because people and repositories wrote it.
func noteText(n *BriefNote) string {
	text := "- " + strings.TrimSpace(n.Date+" "+n.Kind)
	if n.From != "" {
		text += ", from " + agenttext.Quote(agenttext.Clip(n.From, maxNote))
	}
	text += ": " + agenttext.Quote(agenttext.Clip(n.Text, maxNote))
	if n.Why != "" {
		text += ", because " + agenttext.Quote(agenttext.Clip(n.Why, maxNote))
	}
	if len(n.Outdated) > 0 {
		text += " (possibly outdated: " + agenttext.CodeList(n.Outdated[:min(len(n.Outdated), 2)]) + " changed since)"
	}
	if n.Foreign && n.From == "" {
		text += " (came with the repository)"
	}
	return text + "\n"
}

func briefHead(b *brief.Brief) string {
	var h strings.Builder
	fmt.Fprintf(&h, "## Phase Goal\n%s\n\n## Relevant Intelligence (Auto-Selected)\n", agenttext.QuoteGiven(agenttext.Clip(b.Goal, MaxGoal)))
	if len(b.Keywords) > 0 {
		fmt.Fprintf(&h, "Keywords found: %s\n", wordList(b.Keywords))
	}
	if len(b.Missing) > 0 {
		fmt.Fprintf(&h, "Nowhere in this repository: %s\n", wordList(b.Missing))
	}
	return h.String()
}

// wordList joins words of the goal.
func wordList(list []string) string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = agenttext.Text(agenttext.Clip(w, 40))
	}
	return strings.Join(out, ", ")
}

// testReasons is the number of tests whose reason is shown. Of those behind it the name is worth more than the reason: the budget has room
// for twice as many.
const testReasons = 5

// addTests adds the tests and the commands that run them.
func (r *briefLayout) addTests(brief *brief.Brief) {
	for i := range brief.Tests {
		d := &brief.Tests[i]
		text := "- " + agenttext.Code(d.Path)
		switch {
		case i >= testReasons:
		case len(d.Covers) > 0:
			text += " - covers " + agenttext.Text(shortNames(d.Covers, 3))
		default:
			text += " - " + agenttext.Text(d.Why)
		}
		r.add("Tests to Run", "test", briefOrder[briefTests].ItemRank(i), text+"\n",
			func() { r.answer.Tests = append(r.answer.Tests, testFile{operation.Path(d.Path), d.Covers, d.Why}) })
	}
	for i := range brief.Commands {
		c := testCommand{operation.Path(brief.Commands[i].Dir), brief.Commands[i].Line}
		text := "- run: "
		if c.Dir != "" {
			text = "- run in " + agenttext.Code(string(c.Dir)+"/") + ": "
		}
		r.add("Tests to Run", "command", briefOrder[briefCommands].ItemRank(i), text+agenttext.Code(c.Line)+"\n",
			func() { r.answer.Commands = append(r.answer.Commands, c) })
	}
}

// addConventions adds the conventions of the folders of the files to be changed, a line for each folder and language.
func (r *briefLayout) addConventions(b *brief.Brief) {
	for from := 0; from < len(b.Here); {
		first := &b.Here[from]
		to := from + 1
		for to < len(b.Here) && b.Here[to].Dir == first.Dir && b.Here[to].Lang == first.Lang {
			to++
		}
		dir := "the root"
		if first.Dir != "" {
			dir = agenttext.Code(first.Dir + "/")
		}
		var said []string
		var rows []folderConvention
		for i := range b.Here[from:to] {
			c := &b.Here[from+i]
			pattern := agenttext.Text(agenttext.Clip(c.Pattern, maxPattern))
			said = append(said, fmt.Sprintf("%s %s (%d of %d)", c.Topic, pattern, c.Agree, c.Samples))
			rows = append(rows, folderConvention{operation.Path(c.Dir), string(c.Lang), string(c.Topic), c.Pattern, c.Agree, c.Samples})
		}
		text := fmt.Sprintf("- %s (%s): %s\n", dir, agenttext.Text(string(first.Lang)), strings.Join(said, "; "))
		r.add("Conventions Here", "convention", briefOrder[briefConventions].ItemRank(from), text,
			func() { r.answer.Habits = append(r.answer.Habits, rows...) })
		from = to
	}
}

// maxPattern is the length of the shown beginning of a convention's pattern, in bytes.
const maxPattern = 80

// addSteps adds the order to work in as a single part, because an incomplete order would mislead.
func (r *briefLayout) addSteps(brief *brief.Brief) {
	if len(brief.Steps) < 2 {
		return
	}
	var paths []string
	for i := range brief.Steps {
		paths = append(paths, brief.Steps[i].Path)
	}
	names := uniqueNames(paths)
	var text strings.Builder
	for i := range brief.Steps {
		d := &brief.Steps[i]
		fmt.Fprintf(&text, "%d. %s", i+1, agenttext.Code(names[i]))
		switch {
		case len(d.Needs) > 0:
			text.WriteString(" - after " + agenttext.Text(shortNames(d.Needs, 3)))
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
	r.add("Suggested Order", "suggested order", briefOrder[briefSteps].ItemRank(0), text.String(), func() {
		for i := range brief.Steps {
			d := &brief.Steps[i]
			r.answer.Steps = append(r.answer.Steps, step{operation.Path(d.Path), d.Kind, d.Needs})
		}
	})
}

// uniqueNames returns the names of files, with as many of their directories as make
// them different.
func uniqueNames(paths []string) (out []string) {
	for _, p := range paths {
		name := path.Base(p)
		shared := func() bool {
			return slices.ContainsFunc(paths, func(o string) bool { return o != p && (o == name || strings.HasSuffix(o, "/"+name)) })
		}
		for dir := path.Dir(p); dir != "." && shared(); dir = path.Dir(dir) {
			name = path.Base(dir) + "/" + name
		}
		out = append(out, name)
	}
	return out
}

// shortNames joins the names of the first n files, and counts the others.
func shortNames(paths []string, n int) string {
	text := strings.Join(uniqueNames(paths)[:min(n, len(paths))], ", ")
	if more := len(paths) - n; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// blastText renders which files depend on a file.
func blastText(d *brief.BlastRadius) string {
	var out []string
	for _, g := range d.Groups {
		switch g.Dir {
		case "":
			out = append(out, fmt.Sprintf("%d elsewhere", g.Files))
		case ".":
			out = append(out, fmt.Sprintf("%d at the top", g.Files))
		default:
			out = append(out, fmt.Sprintf("%d in %s", g.Files, agenttext.Code(g.Dir+"/")))
		}
	}
	if d.Tests > 0 {
		out = append(out, operation.Plural(d.Tests, "test"))
	}
	text := fmt.Sprintf("Changing %s affects %s: %s", agenttext.Code(d.Path), operation.Plural(d.Files, "file"), strings.Join(out, ", "))
	switch {
	case !d.Whole:
		text += fmt.Sprintf("; through them more than %s", operation.Group(d.Through))
	case d.Through > 0:
		text += fmt.Sprintf("; through them %s more", operation.Group(d.Through))
	}
	return "- " + text + "\n"
}

func reuseText(d *brief.Reusable) string {
	text := fmt.Sprintf("- %s (%s:%d)", agenttext.Code(d.Name), agenttext.Text(d.Path), d.Line)
	switch {
	case d.Unused:
		text += " has " + unusedText(d.Public)
	case d.Users == 0:
		text += " no other file uses its name"
	case d.Shared:
		text += fmt.Sprintf(" %s its name, which other declarations share", useCount(d.Users))
	default:
		text += " " + useCount(d.Users) + " it"
	}
	if d.Doc != "" {
		text += ": " + agenttext.Text(agenttext.Clip(d.Doc, 110))
	}
	return text + "\n"
}

func useCount(n int) string {
	if n == 1 {
		return "1 file uses"
	}
	return operation.Group(n) + " files use"
}

func commitText(d *pastCommit) string {
	text := fmt.Sprintf("- %s %s %s", agenttext.Text(d.Commit), d.Date, agenttext.Quote(agenttext.Clip(d.Subject, 90)))
	if d.Changed > 0 {
		text += ", " + operation.Plural(d.Changed, "file")
	}
	return text + "\n"
}
