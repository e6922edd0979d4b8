package tool

import (
	"fmt"
	"path"
	"strings"

	"ken/internal/code"
	"ken/internal/engine"
)

// intelBudget is how many tokens the block of a query has unless asked.
const intelBudget = 500

// maxGoal is how much of a query or goal a block repeats, in bytes.
const maxGoal = 240

// intelBlock is the answer to a query for agents (document 000 §6.3).
func intelBlock(in *engine.Intel, budget int) (text string, err error) {
	b := block{tag: "intel-query-result"}
	b.head = fmt.Sprintf("## Query: \"%s\"\n", xmlText(clipped(in.Query, maxGoal)))
	for i := range in.Matches {
		b.parts = append(b.parts, cardParts("Direct Matches (path, names or text fit the query)", "match", &in.Matches[i], float64(10*i), false)...)
	}
	for i := range in.Related {
		b.parts = append(b.parts, part{section: "Related Files (import from matches)", text: relatedLine(&in.Related[i]), rank: 24 + float64(12*i), what: "related file"})
	}
	text, _, _, err = b.fit(budget)
	return text, err
}

// cardParts are the lines of one file. rank is that of its name; details have
// larger ones, below those of a later file of much smaller worth.
func cardParts(section, what string, c *engine.FileCard, rank float64, links bool) []part {
	out := []part{{section: section, gap: true, rank: rank, what: what,
		text: fmt.Sprintf("**%s** [%s]\n", xmlText(c.Path), plural(int(c.Dependents), "dependent"))}}
	add := func(after float64, line string) {
		out = append(out, part{section: section, rank: rank + after, text: line + "\n"})
	}
	switch purpose := xmlText(clipped(c.Purpose, maxPurpose)); {
	case c.Unused && purpose != "":
		add(1, "Purpose: "+purpose+" (currently unused)")
	case c.Unused:
		add(1, "Currently unused")
	case purpose != "":
		add(1, "Purpose: "+purpose)
	}
	if len(c.Exports) > 0 {
		line := "Exports: " + codeList(c.Exports)
		if more := c.Offered - len(c.Exports); more > 0 {
			line += fmt.Sprintf(", %d more", more)
		}
		add(6, line)
	}
	if links && len(c.Deps)+len(c.External) > 0 {
		add(22, "Dependencies: "+depList(c))
	}
	if line := spotLine(c); line != "" {
		add(12, line)
	}
	return out
}

// maxPurpose and maxLinks bound a purpose and the links of a card, in bytes; one
// link is there however long.
const (
	maxPurpose = 140
	maxLinks   = 160
)

// depList are links to files of the repository, then packages outside it.
func depList(c *engine.FileCard) string {
	var out []string
	size := 0
	for _, d := range c.Deps {
		if size += len(d.Slug); size > maxLinks && len(out) > 0 {
			break
		}
		out = append(out, "[["+xmlText(d.Slug)+"]]")
	}
	more := c.DepCount - len(out)
	for _, e := range c.External {
		out = append(out, codeText(e))
	}
	line := strings.Join(out, ", ")
	if more > 0 {
		line += fmt.Sprintf(", %s more", plural(more, "file"))
	}
	return line
}

// spotLine says where in a file to begin.
func spotLine(c *engine.FileCard) string {
	var out []string
	for _, s := range c.Spots {
		out = append(out, fmt.Sprintf("%s %s", codeText(s.Name), lines(s.Line, s.EndLine)))
	}
	if len(out) == 0 {
		return ""
	}
	return "Lines: " + strings.Join(out, ", ")
}

func lines(from, to int) string {
	if to <= from {
		return fmt.Sprint(from)
	}
	return fmt.Sprintf("%d–%d", from, to)
}

// relatedLine says why a file is named beside the matches.
func relatedLine(r *engine.RelatedFile) string {
	verb := "imports"
	switch r.Relation {
	case code.RelExtends:
		verb = "extends"
	case code.RelImplements:
		verb = "implements"
	case code.RelUses:
		verb = "uses"
	case code.RelTests:
		verb = "tests"
	case code.RelGenerated:
		verb = "is generated from"
	}
	line := fmt.Sprintf("- `%s` - %s %s", strings.ReplaceAll(xmlText(r.Path), "`", "'"), verb, xmlText(stem(r.Match)))
	if len(r.Names) > 0 {
		line += " for " + codeList(r.Names)
	}
	if r.Others > 0 {
		line += fmt.Sprintf(", and %s more", plural(r.Others, "match"))
	}
	return line + "\n"
}

// stem is a file's name without directory and extension.
func stem(p string) string {
	base := path.Base(p)
	if s := strings.TrimSuffix(base, path.Ext(base)); s != "" {
		return s
	}
	return base
}
