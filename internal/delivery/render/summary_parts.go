package render

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"ken/internal/ask/commands"
	"ken/internal/ask/summary"
	"ken/internal/delivery/agenttext"
	"ken/internal/engine/view"
	"ken/internal/knowledge/entity"
	"ken/internal/operation"
)

// The lists of a summary. Parts of small rank are kept first.
const (
	summaryAbout = iota
	summaryCommands
	summaryPublic
	summaryRules
	summaryLayers
	summaryHotspots
	summaryTests
	summaryPackages
	summaryEntries
	summaryPatterns
	summaryTypes
	summaryCommits
	summaryStale
	summaryChanges
)

// summaryOrder gives the ranks of each list, with the reason.
var summaryOrder = [...]agenttext.Order{
	// The purpose of the project explains all the rest.
	summaryAbout: {First: 0},
	// Without them an agent searches manifests, or guesses.
	summaryCommands: {First: 0, Step: 0.1},
	// One line each, asked for in nearly every session.
	summaryTests:   {First: 1},
	summaryPublic:  {First: 1.2},
	summaryEntries: {First: 1.4},
	// A reviewer refuses what breaks them, and nothing in the code shows them.
	summaryRules: {First: 2, Step: 0.3},
	// The places of the code save the first searches; the first entries are the most useful.
	summaryLayers: {First: 3, Step: 0.35},
	// The files that nearly everything depends on are found by any search for their names.
	summaryHotspots: {First: 6, Step: 0.5},
	summaryPackages: {First: 12},
	// How code is written here matters once code is written, and the code beside shows it, too.
	summaryPatterns: {First: 13, Step: 1},
	// Only in the long form.
	summaryStale:   {First: 14, Step: 6},
	summaryTypes:   {First: 20, Step: 4},
	summaryCommits: {First: 21, Step: 4},
	summaryChanges: {First: 0, Step: 1},
}

// Maximal lengths of quoted texts, in bytes. The name of a project is short
// enough for the smallest budget, whatever characters it has.
const (
	maxName           = 40
	maxAbout          = 200
	maxSummaryPurpose = 110
	maxSubject        = 90
	maxDocuments      = 220 // bytes: names of documents can be long
)

func summaryHead(s *summary.Summary, o *SummaryOptions) string {
	var h strings.Builder
	if o.Unchecked {
		fmt.Fprintf(&h, "index of revision %d, tree not checked\n", s.Rev)
	}
	fmt.Fprintf(&h, "# Codebase Intelligence\n\n**Project:** %s\n**Files:** %s", agenttext.Text(agenttext.Clip(s.Name, maxName)), operation.Group(s.Files))
	for i, l := range s.Languages {
		sep := ", "
		if i == 0 {
			sep = " | "
		}
		fmt.Fprintf(&h, "%s%s %s", sep, agenttext.Text(l.Name), operation.Group(l.Files))
	}
	h.WriteByte('\n')
	if o.Documents != "" {
		h.WriteString("**Documents:** " + agenttext.Text(agenttext.Clip(o.Documents, maxDocuments)) + "\n")
	}
	if o.Planning != "" {
		h.WriteString("**Plan:** " + agenttext.Text(agenttext.Clip(o.Planning, maxDocuments)) + "\n")
	}
	if line := pagesLine(&s.Pages); line != "" {
		h.WriteString("**Pages:** " + line + "\n")
	}
	return h.String() + o.Excluded.Line()
}

// maxStale is the number of files with a stale page that are named.
const maxStale = 2

// pagesLine returns a line about stale pages and pages that wait, "" if there is neither.
func pagesLine(p *entity.Standing) string {
	var parts []string
	if n := len(p.Stale); n > 0 {
		text := operation.Group(n) + " stale: " + agenttext.CodeList(p.Stale[:min(n, maxStale)])
		if more := n - maxStale; more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		parts = append(parts, text)
	}
	if p.Waiting > 0 {
		parts = append(parts, operation.Plural(p.Waiting, "file")+" without one")
	}
	if len(parts) == 0 {
		return ""
	}
	return operation.Group(p.Written) + " written, " + strings.Join(parts, "; ") + " (`ken entity next`)"
}

// ruleParts returns a line for each rule, with the document that demands it.
func ruleParts(s *summary.Summary) []agenttext.Part {
	var out []agenttext.Part
	for i, r := range s.Rules {
		out = append(out, agenttext.Part{Section: "Rules", What: "rule", Rank: summaryOrder[summaryRules].ItemRank(i),
			Text: "- " + agenttext.Quote(r.Text) + " (" + agenttext.Code(r.Path) + ")\n"})
	}
	return out
}

func aboutParts(s *summary.Summary) []agenttext.Part {
	if s.About.Text == "" {
		return nil
	}
	text := "**About:** " + agenttext.Quote(agenttext.Clip(s.About.Text, maxAbout)) + " (" + agenttext.Code(s.About.Path) + ")\n"
	return []agenttext.Part{{Text: text, Rank: summaryOrder[summaryAbout].ItemRank(0)}}
}

// commandParts returns a line for each command, with the file that it is read from: "- test: `make test` (Makefile)". Those for one
// file and one test are on the line of the tests.
func commandParts(s *summary.Summary) []agenttext.Part {
	var out []agenttext.Part
	add := func(text string) {
		out = append(out, agenttext.Part{Section: "Commands", What: "command", Rank: summaryOrder[summaryCommands].ItemRank(len(out)), Text: text})
	}
	for i := range s.Commands {
		c := &s.Commands[i]
		text := c.Kind.String() + ": " + steps(c.Line)
		if c.Kind == commands.TestFile || c.Kind == commands.TestOne {
			if last := len(out) - 1; last >= 0 && i > 0 && s.Commands[i-1].Dir == c.Dir && s.Commands[i-1].Kind >= commands.Test {
				out[last].Text = strings.TrimSuffix(out[last].Text, "\n") + "; " + text + "\n"
				continue
			}
		}
		if c.Dir != "" {
			text = "in " + directoryName(c.Dir) + " " + text
		}
		add("- " + text + " (" + agenttext.Code(c.Source) + ")\n")
	}
	return out
}

// steps returns a command line as code, each of its commands for itself, because "&" is escaped.
func steps(line string) string {
	var out []string
	for one := range strings.SplitSeq(line, " && ") {
		out = append(out, agenttext.Code(one))
	}
	return strings.Join(out, " then ")
}

const architecture = "Architecture Overview"

// layerParts returns the lines of directories; a line "elsewhere in" comes after the directories it excludes.
func layerParts(s *summary.Summary) []agenttext.Part {
	var out, rests []agenttext.Part
	for i := range s.Layers {
		l := &s.Layers[i]
		if isSaid := l.Says.Text != "" || len(s.Layers) == 1; l.Rest && l.Files < minRest || l.Files == 1 && !isSaid {
			continue
		}
		p := agenttext.Part{Section: architecture, What: "directory", Rank: summaryOrder[summaryLayers].ItemRank(i), Text: layerLine(l)}
		if l.Rest {
			rests = append(rests, p)
		} else {
			out = append(out, p)
		}
	}
	return append(out, rests...)
}

// minRest is the number of files outside of other directories that are worth a line.
const minRest = 3

// maxTop is the largest length of a shown path of a directory's most used file, in
// bytes; for a longer one only the file's name is shown.
const maxTop = 40

// layerLine returns the line of a directory: "- **Services** (`src/services/`): business logic".
func layerLine(l *summary.Layer) string {
	dir := directoryName(l.Dir)
	text := "- " + dir
	switch {
	case l.Rest:
		text = "- elsewhere in " + dir
	case l.Role != "":
		text = fmt.Sprintf("- **%s** (%s)", l.Role, dir)
	}
	files := operation.Plural(l.Files, "file")
	if l.Says.Text != "" {
		return fmt.Sprintf("%s: %s (%s)\n", text, agenttext.Text(agenttext.Clip(l.Says.Text, maxSummaryPurpose)), files)
	}
	text += ": " + files
	switch {
	case len(l.Parts) > 0:
		text += " with " + agenttext.CodeList(l.Parts)
	case l.Top != "" && l.Files > 1:
		top := strings.TrimPrefix(l.Top, l.Dir+"/")
		if len(top) > maxTop {
			top = path.Base(top)
		}
		text += ", most used " + agenttext.Code(top)
	}
	return text + "\n"
}

// directoryName returns the text that names a directory.
func directoryName(dir string) string {
	if dir == "" {
		return "the root"
	}
	return agenttext.Code(dir + "/")
}

// fewEntries is the number of entry files (with a main function or the like) that are named.
const fewEntries = 3

// noteParts returns the single lines about a project.
func noteParts(s *summary.Summary) []agenttext.Part {
	var out []agenttext.Part
	note := func(keep int, text string) {
		out = append(out, agenttext.Part{Section: architecture, Rank: summaryOrder[keep].ItemRank(0), Text: "- " + text + "\n"})
	}
	if t := s.Tests; t.Files > 0 {
		text := "Tests: " + operation.Plural(t.Files, "file")
		if t.Dir != "" {
			text += ", most in " + directoryName(t.Dir)
		}
		note(summaryTests, text)
	}
	if len(s.Public) > 0 {
		var names []string
		for _, p := range s.Public {
			names = append(names, p.Text)
		}
		note(summaryPublic, "Public entry: "+agenttext.CodeList(names)+" ("+agenttext.Code(s.Public[0].Path)+")")
	}
	if len(s.Packages) > 0 {
		note(summaryPackages, "Depends on: "+agenttext.CodeList(s.Packages))
	}
	switch e := s.Entries; {
	case e.Files > fewEntries && e.Dir != "":
		note(summaryEntries, fmt.Sprintf("Programs start in %s, most in %s", operation.Plural(e.Files, "file"), directoryName(e.Dir)))
	case e.Files > 0:
		text := "Programs start in: " + agenttext.CodeList(e.Paths[:min(fewEntries, len(e.Paths))])
		if more := e.Files - fewEntries; more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		note(summaryEntries, text)
	}
	return out
}

// hotspotParts returns the most used files as lines and not as rows of a table, because any of them may be left out.
func hotspotParts(s *summary.Summary, most int) []agenttext.Part {
	var out []agenttext.Part
	for i, h := range s.Hotspots[:min(most, len(s.Hotspots))] {
		text := fmt.Sprintf("- %s (%s)", agenttext.Code(h.Path), operation.Plural(h.Dependents, "dependent"))
		if h.Purpose != "" {
			text += ": " + agenttext.Text(agenttext.Clip(h.Purpose, maxSummaryPurpose))
		}
		out = append(out, agenttext.Part{Section: "Critical Hotspots", What: "hotspot", Rank: summaryOrder[summaryHotspots].ItemRank(i), Text: text + "\n"})
	}
	return out
}

// patternParts returns lines about the patterns that most of the code follows.
func patternParts(s *summary.Summary) []agenttext.Part {
	var out []agenttext.Part
	for i := range s.Patterns {
		p := &s.Patterns[i]
		text := fmt.Sprintf("- %s: %s (%s of %s)\n", agenttext.Text(p.About), agenttext.Text(agenttext.Clip(p.Pattern, maxSummaryPurpose)),
			operation.Group(p.Agree), operation.Group(p.Samples))
		if p.Dir != "" {
			text = fmt.Sprintf("- files in %s are named %s (%s of %s)\n",
				directoryName(p.Dir), agenttext.Code(p.Pattern), operation.Group(p.Agree), operation.Group(p.Samples))
		}
		out = append(out, agenttext.Part{Section: "Established Patterns", What: "pattern", Rank: summaryOrder[summaryPatterns].ItemRank(i), Text: text})
	}
	return out
}

func typeParts(s *summary.Summary) []agenttext.Part {
	var out []agenttext.Part
	for i, t := range s.Types {
		var names []string
		for _, p := range t.Examples {
			base := path.Base(p)
			name := cmp.Or(strings.TrimSuffix(base, path.Ext(base)), base)
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		text := fmt.Sprintf("- %s (%s): %s\n", t.Type, operation.Plural(t.Count, "file"), agenttext.CodeList(names))
		out = append(out, agenttext.Part{Section: "Module Statistics", What: "type", Rank: summaryOrder[summaryTypes].ItemRank(i), Text: text})
	}
	return out
}

// maxFiles is the number of files of a commit that are named.
const maxFiles = 6

func commitParts(s *summary.Summary) []agenttext.Part {
	var out []agenttext.Part
	for i := range s.Commits {
		out = append(out, agenttext.Part{Section: "Recent Changes", What: "commit", Rank: summaryOrder[summaryCommits].ItemRank(i), Text: commitLine(&s.Commits[i])})
	}
	return out
}

func commitLine(c *view.PastCommit) string {
	text := fmt.Sprintf("- %s %s %s: %s", c.Hash[:min(shortHash, len(c.Hash))], commitDay(c),
		agenttext.Quote(agenttext.Clip(c.Subject, maxSubject)), agenttext.CodeList(c.Files[:min(maxFiles, len(c.Files))]))
	if more := c.Changed - min(maxFiles, len(c.Files)); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text + "\n"
}

const shortHash = 10

func commitDay(c *view.PastCommit) string { return c.Time.UTC().Format("2006-01-02") }

// staleParts returns lines about the files whose index facts may be out of date.
func staleParts(s *summary.Summary) []agenttext.Part {
	var out []agenttext.Part
	for i, d := range s.Doubtful {
		out = append(out, agenttext.Part{Section: "Stale (facts incomplete)", What: "stale file", Rank: summaryOrder[summaryStale].ItemRank(i),
			Text: fmt.Sprintf("- %s: %s\n", agenttext.Code(d.Path), d.Reason)})
	}
	return out
}

func changedParts(list []ChangedFile) []agenttext.Part {
	var out []agenttext.Part
	for i, c := range list {
		out = append(out, agenttext.Part{What: "file", Rank: summaryOrder[summaryChanges].ItemRank(i),
			Text: "- " + c.What + " " + agenttext.Code(c.Path) + "\n"})
	}
	return out
}
