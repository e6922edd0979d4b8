package render

import (
	"ken/internal/ask/summary"
	"ken/internal/delivery/injection"
	"ken/internal/delivery/project"
	"ken/internal/operation"
)

// Summary is the JSON form of a summary. It is complete, whatever the text leaves out.
type Summary struct {
	Project   string          `json:"project" doc:"name of the root directory"`
	About     *quote          `json:"about,omitempty" doc:"first sentence of the README at the top"`
	Files     int             `json:"files" doc:"number of listed files"`
	Languages []languageFiles `json:"languages" doc:"programming languages by files, at most four"`
	Commands  []command       `json:"commands" doc:"how it is built, tested, checked and run, by directory; in those for one file or one test, words in capitals stand for its names"`
	Public    []quote         `json:"public_entries" doc:"what other projects use of it, with the manifest that names it"`
	Rules     []quote         `json:"rules" doc:"sentences of contribution guides and agents' files that demand something of code, at most three"`
	Pages     *pageCounts     `json:"pages,omitempty" doc:"state of the written pages, if there are any"`
	Packages  []string        `json:"packages" doc:"packages that its manifests declare, those that most files import first"`
	Layers    []layer         `json:"layers" doc:"directories that hold most of the code, those with most first"`
	Tests     Place           `json:"tests" doc:"where tests are"`
	Entries   entryPoints     `json:"entry_points" doc:"where programs start"`
	Hotspots  []hotspot       `json:"hotspots" doc:"source files most others depend on, most first, then by path"`
	Patterns  []pattern       `json:"patterns" doc:"how the code is written, the most telling first"`
	Types     []fileType      `json:"types" doc:"files by type, the most frequent first, those of no type last"`
	Commits   []summaryCommit `json:"commits" doc:"last commits that changed files, newest first"`
	Stale     []staleFile     `json:"stale_files" doc:"files whose facts are in doubt, by path"`
	Tokens    int             `json:"tokens" doc:"tokens of the text, o200k_base"`
	LeftOut   string          `json:"left_out,omitempty" doc:"what the text leaves out for its budget"`
	project.Excluded
	Text string `json:"-"` // the printed text, "" if there is none
}

// quote is a sentence quoted from the repository.
type quote struct {
	Text string         `json:"text" doc:"the sentence"`
	Path operation.Path `json:"path" doc:"file it is from"`
}

// languageFiles is a language and the number of files in it.
type languageFiles struct {
	Name  string `json:"name" doc:"language"`
	Files int    `json:"files" doc:"number of files"`
}

// command is a command line of the project.
type command struct {
	Kind   string         `json:"kind" doc:"set up, build, test, one file, one test, lint or run"`
	Dir    operation.Path `json:"directory" doc:"working directory; . is the root"`
	Line   string         `json:"line" doc:"the command line; ken does not run it"`
	Source operation.Path `json:"source" doc:"file it is read from"`
}

// layer is a directory that holds much of the code.
type layer struct {
	Path  operation.Path `json:"path" doc:"directory; . is the root"`
	Rest  bool           `json:"rest" doc:"other layers are in it, too, and this is what they leave"`
	Role  string         `json:"role,omitempty" doc:"what directories of this name hold"`
	Says  *quote         `json:"says,omitempty" doc:"what the directory says of itself, in the doc comment of the file that introduces it or in its README"`
	Files int            `json:"files" doc:"source files in it, those of other layers left out"`
	Parts []string       `json:"directories" doc:"names of the directories in it with most code, layers left out, at most four"`
	Top   operation.Path `json:"top,omitempty" doc:"the one of them that most files depend on"`
}

// Place is the location of files of some sort.
type Place struct {
	Files int            `json:"files" doc:"number of files"`
	Path  operation.Path `json:"path" doc:"deepest directory that holds two thirds of them; . is the root"`
}

// entryPoints are the files programs start in.
type entryPoints struct {
	Place
	First []pathRow `json:"shallowest_files" doc:"those that are the least deep, at most six"`
}

// pageCounts is the state of the written pages.
type pageCounts struct {
	Written int       `json:"written" doc:"pages there are"`
	Stale   []pathRow `json:"stale_files" doc:"files whose page is older than their API"`
	Waiting int       `json:"waiting" doc:"files that deserve a page and have none"`
}

// pathRow is a row with nothing but a file's path.
type pathRow struct {
	Path operation.Path `json:"path" doc:"file"`
}

// hotspot is a file many others depend on.
type hotspot struct {
	Path       operation.Path `json:"path" doc:"file"`
	Dependents int            `json:"dependents" doc:"number of files that depend on it directly"`
	Type       string         `json:"type" doc:"module, service, component, util, api, config, model or hook"`
	Purpose    string         `json:"purpose,omitempty" doc:"first sentence of its doc comment, or of that of the declaration it is named for"`
}

// pattern is how most of the code is written.
type pattern struct {
	About   string         `json:"about,omitempty" doc:"topic and language; missing of a folder's"`
	Path    operation.Path `json:"path,omitempty" doc:"folder it holds in; missing: the whole project"`
	Pattern string         `json:"pattern" doc:"what most do"`
	Agree   int            `json:"agree" doc:"samples that do"`
	Samples int            `json:"samples" doc:"samples that could"`
}

// fileType is a type of files.
type fileType struct {
	Type     string    `json:"type" doc:"service, component, util, api, config, model, hook, test, or module for all others"`
	Count    int       `json:"count" doc:"number of files with declarations"`
	Examples []pathRow `json:"examples" doc:"those most files depend on, at most four"`
}

// summaryCommit is a past commit.
type summaryCommit struct {
	Commit  string    `json:"commit" doc:"first digits of its object id"`
	Date    string    `json:"date" doc:"day of the commit, UTC"`
	Subject string    `json:"subject" doc:"first line of its message"`
	Files   []pathRow `json:"files" doc:"files it changed that are still there, by their present names"`
	Changed int       `json:"changed" doc:"number of all files it changed"`
}

// staleFile is a file whose index facts may be out of date.
type staleFile struct {
	Path   operation.Path `json:"path" doc:"file"`
	Reason string         `json:"reason" doc:"as in the quarantined files of status"`
}

// NewSummary returns the answer for a summary, with its text in the long form or in that of SessionStart. It returns an error if the
// tokenizer cannot be loaded.
func NewSummary(s *summary.Summary, full bool, o SummaryOptions) (Summary, error) {
	render := SessionStart
	if full {
		render = FullSummary
	}
	fitted, err := render(s, nil, o)
	a := summaryRows(s)
	a.Text, a.Tokens, a.LeftOut, a.Excluded = fitted.Text, fitted.Tokens, fitted.LeftOut, o.Excluded
	return a, err
}

func summaryRows(s *summary.Summary) Summary {
	a := Summary{Project: s.Name, About: quoteRow(s.About), Files: s.Files, Packages: s.Packages,
		Tests: placeRow(s.Tests), Entries: entryPoints{placeRow(s.Entries.Place), pathRows(s.Entries.Paths)}}
	for _, l := range s.Languages {
		a.Languages = append(a.Languages, languageFiles{l.Name, l.Files})
	}
	for _, c := range s.Commands {
		a.Commands = append(a.Commands, command{c.Kind.String(), dirPath(c.Dir), c.Line, operation.Path(c.Source)})
	}
	for _, q := range s.Public {
		a.Public = append(a.Public, *quoteRow(q))
	}
	for _, q := range s.Rules {
		a.Rules = append(a.Rules, *quoteRow(q))
	}
	if s.Pages.Written > 0 {
		a.Pages = &pageCounts{s.Pages.Written, pathRows(s.Pages.Stale), s.Pages.Waiting}
	}
	for _, l := range s.Layers {
		a.Layers = append(a.Layers, layer{dirPath(l.Dir), l.Rest, l.Role, quoteRow(l.Says), l.Files, l.Parts, operation.Path(l.Top)})
	}
	for _, h := range s.Hotspots {
		a.Hotspots = append(a.Hotspots, hotspot{operation.Path(h.Path), h.Dependents, h.Type, injection.Shown(h.Purpose)})
	}
	for _, p := range s.Patterns {
		a.Patterns = append(a.Patterns, pattern{p.About, operation.Path(p.Dir), p.Pattern, p.Agree, p.Samples})
	}
	for _, t := range s.Types {
		a.Types = append(a.Types, fileType{t.Type, t.Count, pathRows(t.Examples)})
	}
	for i := range s.Commits {
		c := &s.Commits[i]
		hash := c.Hash[:min(shortHash, len(c.Hash))]
		a.Commits = append(a.Commits, summaryCommit{hash, commitDay(c), injection.Shown(c.Subject), pathRows(c.Files), c.Changed})
	}
	for _, d := range s.Doubtful {
		a.Stale = append(a.Stale, staleFile{operation.Path(d.Path), d.Reason})
	}
	return a
}

func quoteRow(q summary.Quote) *quote {
	if q.Text == "" {
		return nil
	}
	return &quote{injection.Shown(q.Text), operation.Path(q.Path)}
}

func placeRow(p summary.Place) Place { return Place{p.Files, dirPath(p.Dir)} }

// dirPath returns a directory as answers print it: the root is ".".
func dirPath(d string) operation.Path {
	if d == "" {
		return "."
	}
	return operation.Path(d)
}

func pathRows(list []string) []pathRow {
	out := make([]pathRow, len(list))
	for i, p := range list {
		out[i] = pathRow{operation.Path(p)}
	}
	return out
}
