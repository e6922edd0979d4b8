package render

import (
	"fmt"
	"path"
	"strings"

	"ken/internal/ask/find"
	"ken/internal/code"
	"ken/internal/delivery/agenttext"
	"ken/internal/delivery/project"
	"ken/internal/engine/view"
	"ken/internal/operation"
	"ken/internal/token"
)

// QueryBudget is the default budget of the answer to a query, in tokens.
const QueryBudget = 500

// MaxGoal is the length of the beginning of a query or goal that a block repeats, in bytes.
const MaxGoal = 240

// Budget returns the budget of a block: usual if asked is nil, and no limit if it is 0.
func Budget(asked *int, usual int) int {
	switch {
	case asked == nil:
		return usual
	case *asked == 0:
		return agenttext.Unlimited
	}
	return *asked
}

// Fit fits a block into a budget. It counts tokens of the encoding o200k_base in the text as it is printed, with secrets masked.
// It fails with a code.UsageError if the budget is too small.
func Fit(s *view.Snapshot, b *agenttext.Block, budget int) (agenttext.Fitted, error) {
	known, err := s.KnownSecrets()
	if err != nil {
		return agenttext.Fitted{}, err
	}
	counter, err := token.NewTokenizer(token.TokenizerO200K)
	if err != nil {
		return agenttext.Fitted{}, err
	}
	b.Count = func(text []byte) int {
		known.Mask(text)
		return counter.Count(text)
	}
	return b.Fit(budget)
}

// The lists of the answer to a query. Matches come first, and of the files related
// to them a few, because those help only once a match is known to be right.
const (
	queryMatches = iota
	queryRelated
)

// queryOrder gives the ranks of each list.
var queryOrder = [...]agenttext.Order{
	queryMatches: {First: 0, Step: 10},
	queryRelated: {First: 24, Step: 12},
}

// QueryBlock lays out the answer to a query for agents; left are the
// files that the index excludes. docs/formats.md describes the block.
func QueryBlock(in *find.Intel, left project.Excluded) *agenttext.Block {
	b := &agenttext.Block{Tag: "intel-query-result"}
	b.Head = fmt.Sprintf("## Query: %s\n", agenttext.QuoteGiven(agenttext.Clip(in.Query, MaxGoal))) + left.Line()
	for i := range in.Matches {
		rank := queryOrder[queryMatches].ItemRank(i)
		b.Parts = append(b.Parts, CardParts("Direct Matches (path, names or text fit the query)", "match", &in.Matches[i], rank, false)...)
	}
	for i := range in.Related {
		b.Parts = append(b.Parts, agenttext.Part{Section: "Related Files (import from matches)", What: "related file",
			Text: relatedLine(&in.Related[i]), Rank: queryOrder[queryRelated].ItemRank(i)})
	}
	return b
}

// The numbers that a file's details add to the rank of its name. Its purpose is the most useful for the fewest tokens; then come the
// names it offers and the lines to begin with. Its dependencies come last because its imports are seen on opening it.
const (
	afterPurpose      = 1
	afterExports      = 6
	afterLines        = 12
	afterDependencies = 22
)

// unusedText describes something that nothing in the repository uses. Code outside can use what is public.
func unusedText(public bool) string {
	if public {
		return "no use in this repository"
	}
	return "no use at present"
}

// dependentCount returns a text with the number of files that depend on a file. Zero does not prove that there is none, unless the index
// is complete.
func dependentCount(c *find.Card) string {
	if c.Dependents == 0 && !c.Unused {
		return "dependents not known"
	}
	return operation.Plural(int(c.Dependents), "dependent")
}

// CardParts returns the lines of one file. rank is that of its name; details have
// larger ones, so that they come after the name of a later file of similar worth.
func CardParts(section, what string, c *find.Card, rank float64, links bool) []agenttext.Part {
	out := []agenttext.Part{{Section: section, Gap: true, Rank: rank, What: what,
		Text: fmt.Sprintf("**%s** [%s]\n", agenttext.Text(c.Path), dependentCount(c))}}
	add := func(after float64, line string) {
		out = append(out, agenttext.Part{Section: section, Rank: rank + after, Text: line + "\n"})
	}
	switch purpose := agenttext.Text(agenttext.Clip(c.Purpose, maxCardPurpose)); {
	case c.Unused && purpose != "":
		add(afterPurpose, "Purpose: "+purpose+" ("+unusedText(c.Public)+")")
	case c.Unused:
		add(afterPurpose, "It has "+unusedText(c.Public))
	case purpose != "":
		add(afterPurpose, "Purpose: "+purpose)
	}
	if len(c.Exports) > 0 {
		line := "Exports: " + agenttext.CodeList(c.Exports)
		if more := c.Offered - len(c.Exports); more > 0 {
			line += fmt.Sprintf(", %d more", more)
		}
		add(afterExports, line)
	}
	if links && len(c.Deps)+len(c.External) > 0 {
		add(afterDependencies, "Dependencies: "+depList(c))
	}
	if line := spotLine(c); line != "" {
		add(afterLines, line)
	}
	return out
}

// maxCardPurpose and maxLinks bound the purpose and the links of a file, in bytes;
// the first link is always shown.
const (
	maxCardPurpose = 140
	maxLinks       = 160
)

// depList returns links to files of the repository, then packages outside it.
func depList(c *find.Card) string {
	var out []string
	size := 0
	for _, d := range c.Deps {
		if size += len(d.Slug); size > maxLinks && len(out) > 0 {
			break
		}
		out = append(out, "[["+agenttext.Text(d.Slug)+"]]")
	}
	more := c.DepCount - len(out)
	for _, e := range c.External {
		out = append(out, agenttext.Code(e))
	}
	line := strings.Join(out, ", ")
	if more > 0 {
		line += fmt.Sprintf(", %s more", operation.Plural(more, "file"))
	}
	return line
}

// spotLine returns the line that lists good places in a file to begin reading at.
func spotLine(c *find.Card) string {
	var out []string
	for _, s := range c.Spots {
		out = append(out, fmt.Sprintf("%s %s", agenttext.Code(s.Name), lineRange(s.Line, s.EndLine)))
	}
	if len(out) == 0 {
		return ""
	}
	return "Lines: " + strings.Join(out, ", ")
}

func lineRange(from, to int) string {
	if to <= from {
		return fmt.Sprint(from)
	}
	return fmt.Sprintf("%d–%d", from, to)
}

// relatedLine renders the relation of a file to a match.
func relatedLine(r *find.RelatedFile) string {
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
	line := fmt.Sprintf("- `%s` - %s %s", strings.ReplaceAll(agenttext.Text(r.Path), "`", "'"), verb, agenttext.Text(baseStem(r.Match)))
	if len(r.Names) > 0 {
		line += " for " + agenttext.CodeList(r.Names)
	}
	if r.Others > 0 {
		line += fmt.Sprintf(", and %s more", operation.Plural(r.Others, "match"))
	}
	return line + "\n"
}

// baseStem returns a file's name without directory and extension.
func baseStem(p string) string {
	base := path.Base(p)
	if s := strings.TrimSuffix(base, path.Ext(base)); s != "" {
		return s
	}
	return base
}
