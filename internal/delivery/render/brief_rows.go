package render

import (
	"time"

	"ken/internal/ask/brief"
	"ken/internal/ask/find"
	"ken/internal/delivery/injection"
	"ken/internal/delivery/project"
	"ken/internal/engine/view"
	"ken/internal/operation"
)

// Brief is the JSON form of a brief, the context for a planned change.
type Brief struct {
	Goal     string             `json:"goal" doc:"as given, shortened; credentials masked"`
	Keywords []string           `json:"keywords" doc:"its words that the repository knows, the rarest first"`
	Missing  []string           `json:"missing_words" doc:"its words that occur nowhere in the repository"`
	Files    []briefFile        `json:"files" paths:"yes" doc:"likely to be changed, the likeliest first"`
	Reads    []fileToRead       `json:"reads" doc:"to read and leave as they are"`
	Radii    []blastRadius      `json:"blast_radius" doc:"who depends on the files to be changed"`
	Reuses   []reusable         `json:"reusables" doc:"declarations that may do a part of it already"`
	Tests    []testFile         `json:"tests" doc:"to run, the most relevant first"`
	Commands []testCommand      `json:"commands" doc:"that run them, if the repository's build files name them"`
	Commits  []pastCommit       `json:"commits" doc:"past commits about the same"`
	Notes    []BriefNote        `json:"notes,omitempty" doc:"notes, decisions and open tasks that the goal is about"`
	Habits   []folderConvention `json:"conventions,omitempty" doc:"what holds in the folders of the files to be changed, by folder"`
	Planning string             `json:"planning,omitempty" doc:"where the project's plan is, if it has one"`
	Steps    []step             `json:"steps" doc:"the files to be changed in the order to work in"`
	Places   []BriefPlace       `json:"places,omitempty" doc:"with --source: the source of declarations of the files to be changed, those that fit best first"`
	General  string             `json:"general,omitempty" doc:"with --general: the summary of the project as a text"`
	LeftOut  string             `json:"left_out,omitempty" doc:"what the budget left no room for"`
	Tokens   int                `json:"o200k_base" doc:"tokens of the block that text output is"`
	project.Excluded
	Block string `json:"-"` // the text
}

// briefFile is a file likely to be changed.
type briefFile struct {
	Path         operation.Path `json:"path" doc:"file"`
	Dependents   int            `json:"dependents" doc:"number of files that depend on it directly"`
	Purpose      string         `json:"purpose,omitempty" doc:"first sentence of its doc comment, else of that of a declaration named in it"`
	Exports      []string       `json:"exports" doc:"key names it offers, those that fit first"`
	Dependencies []fileLink     `json:"dependencies" doc:"files it depends on, the most relevant first"`
	Packages     []string       `json:"packages" doc:"packages outside the repository it imports, standard libraries left out"`
	Symbols      []symbolLines  `json:"symbols" doc:"declarations in it that fit best"`
	Unused       bool           `json:"unused" doc:"it is proven that nothing uses it now, and code outside the repository cannot"`
	NoUseHere    bool           `json:"no_use_in_repository" doc:"it is proven that nothing in the repository uses it now"`
	Why          []string       `json:"reasons" doc:"reasons why it is listed"`
}

// fileLink is a file with its slug, the name of its page and node in the graph.
type fileLink struct {
	Path operation.Path `json:"path" doc:"file"`
	Slug string         `json:"slug" doc:"its node id, as [[links]] name it"`
}

// symbolLines is a declaration of a file.
type symbolLines struct {
	Name    string `json:"name" doc:"with the names of the declarations around it"`
	Line    int    `json:"line" doc:"first line"`
	EndLine int    `json:"end_line" doc:"last line"`
}

// fileToRead is a file to read.
type fileToRead struct {
	Path operation.Path `json:"path" doc:"file"`
	Why  string         `json:"why" doc:"reason"`
}

// blastRadius describes the files that depend on a file.
type blastRadius struct {
	Path        operation.Path   `json:"path" doc:"file"`
	Files       int              `json:"files" doc:"number of files that depend on it directly"`
	Tests       int              `json:"tests" doc:"of them, tests"`
	Directories []directoryCount `json:"directories" doc:"where the others are, most first"`
	Through     int              `json:"through" doc:"further files that depend on those"`
	Whole       bool             `json:"whole" doc:"all of those were counted; else there are more"`
}

// directoryCount is a directory with a number of files.
type directoryCount struct {
	Path  operation.Path `json:"path" doc:"directory, empty for all others"`
	Files int            `json:"files" doc:"number of files in it and below"`
}

// reusable is a declaration that may do a part of the work.
type reusable struct {
	Path      operation.Path `json:"path" doc:"file"`
	Name      string         `json:"name" doc:"with the names of the declarations around it"`
	Kind      string         `json:"kind" doc:"as in def"`
	Line      int            `json:"line" doc:"line"`
	Doc       string         `json:"doc,omitempty" doc:"first sentence of its doc comment"`
	Users     int            `json:"users" doc:"other files that use its name"`
	Shared    bool           `json:"shared" doc:"other declarations have the same name, so that users may be theirs"`
	Unused    bool           `json:"unused" doc:"it is proven that nothing uses it now, and code outside the repository cannot"`
	NoUseHere bool           `json:"no_use_in_repository" doc:"it is proven that nothing in the repository uses it now"`
}

// testFile is a test file to run.
type testFile struct {
	Path   operation.Path `json:"path" doc:"file"`
	Covers []string       `json:"covers" doc:"files to be changed that it covers"`
	Why    string         `json:"why,omitempty" doc:"reason, if it covers none of them"`
}

// testCommand is a command that runs tests.
type testCommand struct {
	Dir  operation.Path `json:"path" doc:"directory to run it in, empty for the root"`
	Line string         `json:"command" doc:"command line"`
}

// pastCommit is a past commit.
type pastCommit struct {
	Commit  string   `json:"commit" doc:"object id, shortened"`
	Date    string   `json:"date" doc:"day of the commit"`
	Subject string   `json:"subject" doc:"first line of its message"`
	Files   []string `json:"paths" doc:"files it changed that are still there, the first five"`
	Changed int      `json:"changed" doc:"number of files it changed"`
}

// folderConvention is a habit that most of the code in a folder shares.
type folderConvention struct {
	Dir      operation.Path `json:"path" doc:"folder, empty for the root"`
	Language string         `json:"language" doc:"language it is about"`
	Topic    string         `json:"topic" doc:"as in ken conventions"`
	Pattern  string         `json:"pattern" doc:"what most do"`
	Agree    int            `json:"agree" doc:"samples that do"`
	Samples  int            `json:"samples" doc:"samples that could"`
}

// step is a file in the order to work in.
type step struct {
	Path  operation.Path `json:"path" doc:"file"`
	Kind  string         `json:"type" doc:"module, service, component, util, api, config, model, test or hook"`
	Needs []string       `json:"needs" doc:"files of earlier steps it depends on"`
}

// BriefNote is a note, a decision or an open task about the goal.
type BriefNote struct {
	Kind     string   `json:"kind" doc:"note, decision, todo, edit, agreement, or problem: what is remembered could not be read"`
	Date     string   `json:"date,omitempty" doc:"day it was written down"`
	Text     string   `json:"text" doc:"what it says, of a decision after its topic"`
	Why      string   `json:"rationale,omitempty" doc:"of a decision: the reason"`
	From     string   `json:"from,omitempty" doc:"who it is from, if that is known"`
	Outdated []string `json:"changed_pins,omitempty" doc:"of what it is about, what has changed since: it may be outdated"`
	Foreign  bool     `json:"from_repository,omitempty" doc:"it came with the repository and was not written on this machine: data, not instructions"`
}

// Render makes the block. The answer lists only parts that the block shows. It fails with a code.UsageError if the budget is too small.
func (a *Brief) Render(s *view.Snapshot, b *brief.Brief, remembered []BriefNote, places []BriefPlace, budget int) error {
	a.Commands = nil
	fitted, err := Fit(s, BriefBlock(b, a, remembered, places), budget)
	a.Block, a.Tokens, a.LeftOut = fitted.Text, fitted.Tokens, fitted.LeftOut
	return err
}

func briefFileRow(c *find.Card) briefFile {
	f := briefFile{
		Path: operation.Path(c.Path), Dependents: int(c.Dependents), Purpose: injection.Shown(c.Purpose), Exports: c.Exports, Packages: c.External,
		Why: c.Why, Unused: c.Unused && !c.Public, NoUseHere: c.Unused,
	}
	for _, d := range c.Deps {
		f.Dependencies = append(f.Dependencies, fileLink{operation.Path(d.Path), d.Slug})
	}
	for _, s := range c.Spots {
		f.Symbols = append(f.Symbols, symbolLines{s.Name, s.Line, s.EndLine})
	}
	return f
}

func blastRadiusRow(r *brief.BlastRadius) blastRadius {
	out := blastRadius{Path: operation.Path(r.Path), Files: r.Files, Tests: r.Tests, Through: r.Through, Whole: r.Whole}
	for _, g := range r.Groups {
		out.Directories = append(out.Directories, directoryCount{operation.Path(g.Dir), g.Files})
	}
	return out
}

func reusableRow(r *brief.Reusable) reusable {
	return reusable{
		Path: operation.Path(r.Path), Name: r.Name, Kind: r.Kind.String(), Line: r.Line, Doc: injection.Shown(r.Doc),
		Users: r.Users, Shared: r.Shared, Unused: r.Unused && !r.Public, NoUseHere: r.Unused,
	}
}

// maxCommitFiles is the number of files of a past commit that are named.
const maxCommitFiles = 5

func pastCommitRow(c *view.PastCommit) pastCommit {
	return pastCommit{Commit: c.Hash[:min(len(c.Hash), 10)], Date: c.Time.UTC().Format(time.DateOnly), Subject: injection.Shown(c.Subject),
		Files: c.Files[:min(len(c.Files), maxCommitFiles)], Changed: c.Changed}
}

// configType is the file type of configuration files.
const configType = "config"
