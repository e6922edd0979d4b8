package intro

import (
	"ken/internal/ask/summary"
	"ken/internal/delivery/block"
	"ken/internal/operation"
)

// Answer is a summary as `ken summary` answers with it, whole whatever the text shows.
type Answer struct {
	Project   string     `json:"project" doc:"name of the root directory"`
	About     *Quote     `json:"about,omitempty" doc:"first sentence of the README at the top"`
	Files     int        `json:"files" doc:"number of listed files"`
	Languages []Language `json:"languages" doc:"programming languages by files, at most four"`
	Packages  []string   `json:"packages" doc:"packages from outside that most files import, without standard libraries"`
	Layers    []Layer    `json:"layers" doc:"directories that hold most of the code, those with most first"`
	Tests     Place      `json:"tests" doc:"where tests are"`
	Entries   Entries    `json:"entry_points" doc:"where programs start"`
	Hotspots  []Hotspot  `json:"hotspots" doc:"source files most others depend on, most first, then by path"`
	Patterns  []Pattern  `json:"patterns" doc:"how the code is written, the most telling first"`
	Types     []Type     `json:"types" doc:"files by type, the most frequent first, those of no type last"`
	Commits   []Commit   `json:"commits" doc:"last commits that changed files, newest first"`
	Stale     []Doubt    `json:"stale_files" doc:"files whose facts are in doubt, by path"`
	Tokens    int        `json:"tokens" doc:"tokens of the text, o200k_base"`
	LeftOut   string     `json:"left_out,omitempty" doc:"what the text leaves out for its budget"`
	block.Excluded
	Text string `json:"-"` // what is printed, "" if there is nothing to say
}

// Quote is a sentence of the repository.
type Quote struct {
	Text string         `json:"text" doc:"the sentence"`
	Path operation.Path `json:"path" doc:"file it is from"`
}

// Language is a language and the number of files in it.
type Language struct {
	Name  string `json:"name" doc:"language"`
	Files int    `json:"files" doc:"number of files"`
}

// Layer is a directory that holds much of the code.
type Layer struct {
	Path  operation.Path `json:"path" doc:"directory; . is the root"`
	Rest  bool           `json:"rest" doc:"other layers are in it, too, and this is what they leave"`
	Role  string         `json:"role,omitempty" doc:"what directories of this name hold"`
	Says  *Quote         `json:"says,omitempty" doc:"what the directory says of itself, in the doc comment of the file that introduces it or in its README"`
	Files int            `json:"files" doc:"source files in it, those of other layers left out"`
	Parts []string       `json:"directories" doc:"names of the directories in it with most code, layers left out, at most four"`
	Top   operation.Path `json:"top,omitempty" doc:"the one of them that most files depend on"`
}

// Place says where files of some sort are.
type Place struct {
	Files int            `json:"files" doc:"number of files"`
	Path  operation.Path `json:"path" doc:"deepest directory that holds two thirds of them; . is the root"`
}

// Entries are the files programs start in.
type Entries struct {
	Place
	First []File `json:"shallowest_files" doc:"those that are the least deep, at most six"`
}

// File is a file and nothing else.
type File struct {
	Path operation.Path `json:"path" doc:"file"`
}

// Hotspot is a file many others depend on.
type Hotspot struct {
	Path       operation.Path `json:"path" doc:"file"`
	Dependents int            `json:"dependents" doc:"number of files that depend on it directly"`
	Type       string         `json:"type" doc:"module, service, component, util, api, config, model or hook"`
	Purpose    string         `json:"purpose,omitempty" doc:"first sentence of its doc comment, or of that of the declaration it is named for"`
	Offers     []string       `json:"offers" doc:"if it has no purpose, names of it that most files use, at most four"`
}

// Pattern is how most of the code is written.
type Pattern struct {
	About   string         `json:"about,omitempty" doc:"topic and language; missing of a folder's"`
	Path    operation.Path `json:"path,omitempty" doc:"folder it holds in; missing: the whole project"`
	Pattern string         `json:"pattern" doc:"what most do"`
	Agree   int            `json:"agree" doc:"samples that do"`
	Samples int            `json:"samples" doc:"samples that could"`
}

// Type is a type of files.
type Type struct {
	Type     string `json:"type" doc:"service, component, util, api, config, model, hook, test, or module for all others"`
	Count    int    `json:"count" doc:"number of files with declarations"`
	Examples []File `json:"examples" doc:"those most files depend on, at most four"`
}

// Commit is a past commit.
type Commit struct {
	Commit  string `json:"commit" doc:"first digits of its object id"`
	Date    string `json:"date" doc:"day of the commit, UTC"`
	Subject string `json:"subject" doc:"first line of its message"`
	Files   []File `json:"files" doc:"files it changed that are still there, by their present names"`
	Changed int    `json:"changed" doc:"number of all files it changed"`
}

// Doubt is a file whose facts are in doubt.
type Doubt struct {
	Path   operation.Path `json:"path" doc:"file"`
	Reason string         `json:"reason" doc:"as in the quarantined files of status"`
}

// AnswerOf makes an answer of a summary, with its text in the long form or in that of Start.
func AnswerOf(s *summary.Summary, full bool, o Options) (Answer, error) {
	render := Start
	if full {
		render = Full
	}
	fitted, err := render(s, nil, o)
	a := rows(s)
	a.Text, a.Tokens, a.LeftOut, a.Excluded = fitted.Text, fitted.Tokens, fitted.LeftOut, o.Excluded
	return a, err
}

func rows(s *summary.Summary) Answer {
	a := Answer{Project: s.Name, About: quote(s.About), Files: s.Files, Packages: s.Packages,
		Tests: placeOf(s.Tests), Entries: Entries{placeOf(s.Entries.Place), pathsOf(s.Entries.Paths)}}
	for _, l := range s.Languages {
		a.Languages = append(a.Languages, Language{l.Name, l.Files})
	}
	for _, l := range s.Layers {
		a.Layers = append(a.Layers, Layer{dirPath(l.Dir), l.Rest, l.Role, quote(l.Says), l.Files, l.Parts, operation.Path(l.Top)})
	}
	for _, h := range s.Hotspots {
		a.Hotspots = append(a.Hotspots, Hotspot{operation.Path(h.Path), h.Dependents, h.Type, h.Purpose, h.Offers})
	}
	for _, p := range s.Patterns {
		a.Patterns = append(a.Patterns, Pattern{p.About, operation.Path(p.Dir), p.Pattern, p.Agree, p.Samples})
	}
	for _, t := range s.Types {
		a.Types = append(a.Types, Type{t.Type, t.Count, pathsOf(t.Examples)})
	}
	for i := range s.Commits {
		c := &s.Commits[i]
		a.Commits = append(a.Commits, Commit{c.Hash[:min(shortHash, len(c.Hash))], day(c), c.Subject, pathsOf(c.Files), c.Changed})
	}
	for _, d := range s.Doubtful {
		a.Stale = append(a.Stale, Doubt{operation.Path(d.Path), d.Reason})
	}
	return a
}

func quote(q summary.Quote) *Quote {
	if q.Text == "" {
		return nil
	}
	return &Quote{q.Text, operation.Path(q.Path)}
}

func placeOf(p summary.Place) Place { return Place{p.Files, dirPath(p.Dir)} }

// dirPath is a directory as answers print it: the root is ".".
func dirPath(d string) operation.Path {
	if d == "" {
		return "."
	}
	return operation.Path(d)
}

func pathsOf(list []string) []File {
	out := make([]File, len(list))
	for i, p := range list {
		out[i] = File{operation.Path(p)}
	}
	return out
}
