package op

import (
	"context"
	"time"

	"ken/internal/delivery/block"
	"ken/internal/delivery/card"
	"ken/internal/delivery/project"
	"ken/internal/delivery/tool"

	"ken/internal/ask/brief"
	"ken/internal/engine/view"
)

type briefInput struct {
	Goal   []string `arg:"[GOAL…]" help:"what is to be done, in plain words: a phase's goal, an issue, a bug report"`
	File   string   `flag:"query-file" value:"FILE" help:"read the goal from a file, - for standard input"`
	Budget *int     `flag:"budget" value:"N" help:"tokens the block may have, 0 for any number (default 1900)"`
}

// briefBudget is how many tokens a brief has unless asked.
const briefBudget = 1900

type briefAnswer struct {
	Revision
	Goal     string        `json:"goal" doc:"as given, shortened; credentials masked"`
	Keywords []string      `json:"keywords" doc:"its words that the repository knows, the rarest first"`
	Missing  []string      `json:"missing_words" doc:"its words that occur nowhere in the repository"`
	Files    []BriefFile   `json:"files" paths:"yes" doc:"likely to be changed, the likeliest first"`
	Reads    []BriefRead   `json:"reads" doc:"to read and leave as they are"`
	Radii    []BriefRadius `json:"blast_radius" doc:"who depends on the files to be changed"`
	Reuses   []BriefReuse  `json:"reusables" doc:"declarations that may do a part of it already"`
	Tests    []BriefTest   `json:"tests" doc:"to run, the most relevant first"`
	Commands []BriefRun    `json:"commands" doc:"that run them, if the repository's build files name them"`
	Commits  []BriefCommit `json:"commits" doc:"past commits about the same"`
	Steps    []BriefStep   `json:"steps" doc:"the files to be changed in the order to work in"`
	LeftOut  string        `json:"left_out,omitempty" doc:"what the budget left no room for"`
	Tokens   int           `json:"o200k_base" doc:"tokens of the block that text output is"`
	block.Excluded
	block string
}

// BriefFile is a file likely to be changed.
type BriefFile struct {
	Path         tool.Path     `json:"path" doc:"file"`
	Dependents   int           `json:"dependents" doc:"number of files that depend on it directly"`
	Purpose      string        `json:"purpose,omitempty" doc:"first sentence of its doc comment, else of that of a declaration named in it"`
	Exports      []string      `json:"exports" doc:"key names it offers, those that fit first"`
	Dependencies []BriefLink   `json:"dependencies" doc:"files it depends on, the most relevant first"`
	Packages     []string      `json:"packages" doc:"packages outside the repository it imports, standard libraries left out"`
	Symbols      []BriefSymbol `json:"symbols" doc:"declarations in it that fit best"`
	Unused       bool          `json:"unused" doc:"it has no dependents, and it is sure that nothing uses it now"`
	Why          []string      `json:"reasons" doc:"reasons why it is listed"`
}

// BriefLink is a file with its node id.
type BriefLink struct {
	Path tool.Path `json:"path" doc:"file"`
	Slug string    `json:"slug" doc:"its node id, as [[links]] name it"`
}

// BriefSymbol is a declaration of a file.
type BriefSymbol struct {
	Name    string `json:"name" doc:"with the names of the declarations around it"`
	Line    int    `json:"line" doc:"first line"`
	EndLine int    `json:"end_line" doc:"last line"`
}

// BriefRead is a file to read.
type BriefRead struct {
	Path tool.Path `json:"path" doc:"file"`
	Why  string    `json:"why" doc:"reason"`
}

// BriefRadius describes the files that depend on a file.
type BriefRadius struct {
	Path        tool.Path   `json:"path" doc:"file"`
	Files       int         `json:"files" doc:"number of files that depend on it directly"`
	Tests       int         `json:"tests" doc:"of them, tests"`
	Directories []BriefPart `json:"directories" doc:"where the others are, most first"`
	Through     int         `json:"through" doc:"further files that depend on those"`
	Whole       bool        `json:"whole" doc:"all of those were counted; else there are more"`
}

// BriefPart is a directory with a number of files.
type BriefPart struct {
	Path  tool.Path `json:"path" doc:"directory, empty for all others"`
	Files int       `json:"files" doc:"number of files in it and below"`
}

// BriefReuse is a declaration that may do a part of the work.
type BriefReuse struct {
	Path   tool.Path `json:"path" doc:"file"`
	Name   string    `json:"name" doc:"with the names of the declarations around it"`
	Kind   string    `json:"kind" doc:"as in def"`
	Line   int       `json:"line" doc:"line"`
	Doc    string    `json:"doc,omitempty" doc:"first sentence of its doc comment"`
	Users  int       `json:"users" doc:"other files that use its name"`
	Shared bool      `json:"shared" doc:"other declarations have the same name, so that users may be theirs"`
	Unused bool      `json:"unused" doc:"it is sure that nothing uses it now"`
}

// BriefTest is a test file to run.
type BriefTest struct {
	Path   tool.Path `json:"path" doc:"file"`
	Covers []string  `json:"covers" doc:"files to be changed that it covers"`
	Why    string    `json:"why,omitempty" doc:"reason, if it covers none of them"`
}

// BriefRun is a command that runs tests.
type BriefRun struct {
	Dir  tool.Path `json:"path" doc:"directory to run it in, empty for the root"`
	Line string    `json:"command" doc:"command line"`
}

// BriefCommit is a past commit.
type BriefCommit struct {
	Commit  string   `json:"commit" doc:"object id, shortened"`
	Date    string   `json:"date" doc:"day of the commit"`
	Subject string   `json:"subject" doc:"first line of its message"`
	Files   []string `json:"paths" doc:"files it changed that are still there, the first five"`
	Changed int      `json:"changed" doc:"number of files it changed"`
}

// BriefStep is a file in the order to work in.
type BriefStep struct {
	Path  tool.Path `json:"path" doc:"file"`
	Kind  string    `json:"type" doc:"module, service, component, util, api, config, model, test or hook"`
	Needs []string  `json:"needs" doc:"files of earlier steps it depends on"`
}

func briefTool() *Tool {
	return spec[briefInput, briefAnswer]{
		Name:    "brief",
		Summary: "what to know before working towards a goal, as a block for agents",
		Long: "Files likely to be changed and files to read first, who depends on them, existing code to reuse, tests to run, past commits about the same,\n" +
			"and the order to work in. The block never has more tokens (o200k_base) than its budget; what matters least is left out first, and the block says so.\n" +
			"Takes the same texts as find. It is computed from the index: no model is asked, and nothing is run.",
		Example: []string{`brief "Add rate limiting to the authentication endpoints"`, "brief --query-file issue.md --budget 1000"},
		Run:     runBrief,
		Text: func(t *tool.Text, _ *briefInput, a *briefAnswer) error {
			t.Printf("%s", tool.Styled(a.block))
			return nil
		},
	}.Tool()
}

func runBrief(ctx context.Context, env *Env, in *briefInput, emit func(*briefAnswer) error) error {
	goal, err := queryOf(env, in.Goal, in.File)
	if err != nil {
		return err
	}
	p, err := project.Open(env, tool.Existing)
	if err != nil {
		return err
	}
	goal = p.Engine.Hide(goal)
	var a briefAnswer
	err = p.AskChecked(ctx, func(ctx context.Context, s *view.Snapshot) error {
		goal := p.Known().MaskString(goal)
		a = briefAnswer{Revision: Revision{s.Rev()}, Goal: block.Clip(goal, card.MaxGoal)}
		var err error
		if a.Excluded, err = p.Excluded(s); err != nil {
			return err
		}
		b, err := brief.Make(ctx, s, goal)
		if err != nil {
			return err
		}
		a.Keywords, a.Missing = b.Keywords, b.Missing
		if len(b.Modify)+len(b.Read)+len(b.Tests) == 0 {
			return nil
		}
		return a.render(s, b, card.Budget(in.Budget, briefBudget))
	})
	if err == nil && a.block == "" {
		err = tool.Nothingf("nothing in the repository fits the goal")
	}
	return tool.Finish(&a, err, emit)
}

// render makes the block. The answer lists only what the block shows.
func (a *briefAnswer) render(s *view.Snapshot, b *brief.Brief, budget int) error {
	a.Commands = nil
	fitted, err := card.Fit(s, &newBriefBlock(b, a).Block, budget)
	a.block, a.Tokens, a.LeftOut = fitted.Text, fitted.Tokens, fitted.LeftOut
	return err
}

func briefFile(c *brief.FileCard) BriefFile {
	f := BriefFile{
		Path: tool.Path(c.Path), Dependents: int(c.Dependents), Purpose: c.Purpose, Exports: c.Exports, Packages: c.External,
		Why: c.Why, Unused: c.Unused,
	}
	for _, d := range c.Deps {
		f.Dependencies = append(f.Dependencies, BriefLink{tool.Path(d.Path), d.Slug})
	}
	for _, s := range c.Spots {
		f.Symbols = append(f.Symbols, BriefSymbol{s.Name, s.Line, s.EndLine})
	}
	return f
}

func briefRadius(r *brief.BlastRadius) BriefRadius {
	out := BriefRadius{Path: tool.Path(r.Path), Files: r.Files, Tests: r.Tests, Through: r.Through, Whole: r.Whole}
	for _, g := range r.Groups {
		out.Directories = append(out.Directories, BriefPart{tool.Path(g.Dir), g.Files})
	}
	return out
}

func briefReuse(r *brief.Reusable) BriefReuse {
	return BriefReuse{
		Path: tool.Path(r.Path), Name: r.Name, Kind: r.Kind.String(), Line: r.Line, Doc: r.Doc,
		Users: r.Users, Shared: r.Shared, Unused: r.Unused,
	}
}

// briefCommitFiles is how many files of a past commit are named.
const briefCommitFiles = 5

func briefCommit(c *view.PastCommit) BriefCommit {
	return BriefCommit{Commit: c.Hash[:min(len(c.Hash), 10)], Date: c.Time.UTC().Format(time.DateOnly), Subject: c.Subject,
		Files: c.Files[:min(len(c.Files), briefCommitFiles)], Changed: c.Changed}
}

// configType is the type of files that hold settings.
const configType = "config"
