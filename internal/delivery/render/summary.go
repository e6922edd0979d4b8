// Package render turns the answers of questions into rows of JSON and into texts for agents and people, each within a budget of
// tokens: the summary of a project as the first text of a session, of a sub-agent and as a file (summary*.go), briefs (brief.go),
// cards of files (card.go), call trees (calls.go), files that go with a change (companions.go), and how far "nothing uses it" can be
// trusted (unused.go). Texts are masked before their tokens are counted. Sessions and notes are values that the caller fills in. Its
// neighbours are ask, which answers, delivery/agenttext, the fitter, and delivery/op, whose operations use it.
package render

import (
	"math"
	"time"

	"ken/internal/ask/summary"
	"ken/internal/delivery/agenttext"
	"ken/internal/delivery/project"
	"ken/internal/engine/source"
	"ken/internal/token"
)

// Tag is the name of the tags around every text of this package.
const Tag = "codebase-intelligence"

// The budgets, in tokens of o200k_base with the tags, and of the long form in bytes.
const (
	StartBudget    = 500
	LastBudget     = 200 // of the last session, beside StartBudget
	SubagentBudget = 200
	ChangesBudget  = 100
	FullBytes      = 10 << 10
)

// fullLast is the budget of the last session in the long form of the summary, in tokens.
const fullLast = 800

// LastSession describes the previous session, or the agent's own session after a compaction.
type LastSession struct {
	ID         string
	Unfinished bool          // its end was not reported: it was interrupted, or still runs
	Same       bool          // it is the agent's own session, which a compaction made it forget
	When       time.Time     // when it ended, or was last heard of; zero if only Todos are known
	Duration   time.Duration // 0 if it is not known
	Phase      string
	Summary    string
	Decisions  []string
	Todos      []string // open tasks of all sessions, the oldest first
}

// ChangedFile is a file that changed after the last event of a session.
type ChangedFile struct {
	Path string
	What string // "modified", "created" or "deleted"
}

// SummaryOptions are the settings of a text about a project.
type SummaryOptions struct {
	Known *source.Known // secrets that are masked; may be nil
	// Unchecked is set if the tree could not be compared with the index in time.
	Unchecked bool
	Excluded  project.Excluded
	// Documents is a line about the project's rules and design documents, "" for none.
	Documents string
	// Planning is a line about where the project's plan is, "" for none.
	Planning string
}

// SessionStart returns the text that a session begins with. It has at most StartBudget tokens, and LastBudget more if there was a
// session before. It is empty if the project has no files and no last session. It returns an error if the tokenizer cannot be loaded.
func SessionStart(s *summary.Summary, last *LastSession, o SummaryOptions) (agenttext.Fitted, error) {
	c, err := o.counter()
	if err != nil || s.Files == 0 && last == nil {
		return agenttext.Fitted{}, err
	}
	b := &agenttext.Block{Tag: Tag, Head: summaryHead(s, &o), Count: c.tokens}
	addParts(b, aboutParts(s), commandParts(s), ruleParts(s), layerParts(s), noteParts(s), hotspotParts(s, len(s.Hotspots)), patternParts(s))
	return c.fitBlock(b, c.lastSession(last, LastBudget), StartBudget)
}

// SubagentStart returns the text that a sub-agent begins with: the layers of the code and the three files that most other files
// depend on. It has at most SubagentBudget tokens. It returns an error if the tokenizer cannot be loaded.
func SubagentStart(s *summary.Summary, o SummaryOptions) (agenttext.Fitted, error) {
	c, err := o.counter()
	if err != nil || s.Files == 0 {
		return agenttext.Fitted{}, err
	}
	b := &agenttext.Block{Tag: Tag, Head: summaryHead(s, &o), Count: c.tokens}
	addParts(b, layerParts(s), hotspotParts(s, 3))
	return c.fitBlock(b, agenttext.Part{}, SubagentBudget)
}

// ChangedFiles returns the text that a resumed session begins with: the files that changed while it was away. It has at most
// ChangesBudget tokens, and is empty if nothing changed. It returns an error if the tokenizer cannot be loaded.
func ChangedFiles(list []ChangedFile, o SummaryOptions) (agenttext.Fitted, error) {
	c, err := o.counter()
	if err != nil || len(list) == 0 {
		return agenttext.Fitted{}, err
	}
	b := &agenttext.Block{Tag: Tag, Head: "Files changed since this session's last event:\n", Count: c.tokens}
	addParts(b, changedParts(list))
	return c.fitBlock(b, agenttext.Part{}, ChangesBudget)
}

// FullSummary returns the whole summary, in at most FullBytes bytes. It returns an error if the tokenizer cannot be loaded.
func FullSummary(s *summary.Summary, last *LastSession, o SummaryOptions) (agenttext.Fitted, error) {
	return fullSummary(s, last, o, FullBytes)
}

func fullSummary(s *summary.Summary, last *LastSession, o SummaryOptions, budget int) (agenttext.Fitted, error) {
	c, err := o.counter()
	if err != nil || s.Files == 0 {
		return agenttext.Fitted{}, err
	}
	b := &agenttext.Block{Tag: Tag, Head: summaryHead(s, &o), Count: func(text []byte) int { return len(text) }}
	addParts(b, aboutParts(s), commandParts(s), ruleParts(s), layerParts(s), noteParts(s), hotspotParts(s, len(s.Hotspots)), patternParts(s),
		typeParts(s), commitParts(s), staleParts(s))
	said := c.lastSession(last, fullLast)
	return c.fitBlock(b, said, budget-len(sectionHeading(said.Section)+said.Text))
}

func addParts(b *agenttext.Block, lists ...[]agenttext.Part) {
	for _, l := range lists {
		b.Parts = append(b.Parts, l...)
	}
}

// textCounter counts the tokens of texts as they will be printed: with secrets masked.
type textCounter struct {
	known *source.Known
	*token.Tokenizer
}

func (o *SummaryOptions) counter() (*textCounter, error) {
	t, err := token.NewTokenizer(token.TokenizerO200K)
	return &textCounter{o.Known, t}, err
}

func (c *textCounter) tokens(text []byte) int {
	c.known.Mask(text)
	return c.Count(text)
}

// maxShare limits a single line to a third of a budget, because a file's name can be longer than the whole budget and must not
// displace the lines after it.
const maxShare = 3

// fitBlock fits a block into a budget and masks secrets. The part about the last session has a budget of its own.
func (c *textCounter) fitBlock(b *agenttext.Block, last agenttext.Part, budget int) (agenttext.Fitted, error) {
	for i := range b.Parts {
		if p := &b.Parts[i]; b.Count([]byte(p.Text)) > budget/maxShare {
			p.Rank = math.Inf(1)
		}
	}
	if last.Text != "" {
		b.Parts = append(b.Parts, last)
		budget += b.Count([]byte(sectionHeading(last.Section) + last.Text))
	}
	fitted, err := b.Fit(budget)
	if err != nil { // not even one part beside the head
		b.Parts = nil
		if fitted, err = b.Fit(budget); err != nil {
			return agenttext.Fitted{}, nil
		}
	}
	text := []byte(fitted.Text)
	c.known.Mask(text)
	fitted.Text, fitted.Tokens = string(text), c.Count(text)
	return fitted, nil
}
