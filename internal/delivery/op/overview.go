package op

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	kenoverview "ken/internal/ask/overview"
	"ken/internal/delivery/agenttext"
	"ken/internal/delivery/project"
	"ken/internal/engine"
	"ken/internal/engine/view"
	"ken/internal/operation"
	"ken/internal/token"
)

type overviewInput struct {
	Limit int `flag:"limit" value:"N" default:"5" help:"length of each list; 0: all"`
}

// Language is a language and its share of the repository.
type Language struct {
	Name   string `json:"name" doc:"language, or other"`
	Files  int    `json:"files" doc:"number of files"`
	Lines  int64  `json:"lines" doc:"their lines"`
	Tokens int64  `json:"o200k_base" doc:"their tokens in that encoding"`
}

// Directory is a directory with its importance.
type Directory struct {
	Path   operation.Path `json:"path" doc:"directory; . is the root's own files"`
	Files  int            `json:"files" doc:"number of files below it"`
	Lines  int64          `json:"lines" doc:"their lines"`
	Tokens int64          `json:"o200k_base" doc:"their tokens in that encoding"`
}

// Community is a group of files connected among each other.
type Community struct {
	Path  operation.Path `json:"path" doc:"directory most of its files share"`
	Files int            `json:"files" doc:"number of members"`
	Top   []FileName     `json:"members" doc:"members of highest rank, at most five"`
}

// Cycle is a group of files that import each other in circles.
type Cycle struct {
	Files []FileName `json:"files" doc:"members"`
}

// overview is the overview of a project that init and overview show.
type overview struct {
	Root        string      `json:"root" doc:"absolute path of the project"`
	Counts      Counts      `json:"counts" doc:"sums over the index"`
	Languages   []Language  `json:"languages" doc:"by number of files"`
	Directories []Directory `json:"directories" doc:"first two levels, by tokens"`
	Communities []Community `json:"communities" doc:"largest first"`
	Entries     []FileName  `json:"entry_points" doc:"files programs start in, by path"`
	Files       []HotFile   `json:"files" doc:"most depended-on files first, then by path"`
	Symbols     []HotSymbol `json:"symbols" doc:"most used symbols first, then by name"`
	Packages    []Package   `json:"packages" doc:"packages outside the repository, most imported first, without standard libraries"`
	Cycles      []Cycle     `json:"cycles" doc:"import cycles between files, largest first, at most five"`
	project.Excluded
}

type overviewAnswer struct {
	Revision
	overview
}

func overviewTool() *Tool {
	return spec[overviewInput, overviewAnswer]{
		Name:  "overview",
		Topic: operation.Ask, Logged: true,
		MCP: operation.Offer{
			Set: "core", Place: 1,
			About: "What this repository is: languages, directories, entry points, hotspots. First look.",
			Shown: "limit",
		},
		Summary: "languages, directories, communities, entry points, hotspots, packages",
		Long:    "In a repository that was not set up ken reads the whole tree for this answer, and keeps nothing.",
		Run:     runOverview,
		Text:    textOverview,
	}.Tool()
}

func runOverview(ctx context.Context, env *Env, in *overviewInput, emit func(*overviewAnswer) error) error {
	p, err := project.Open(env, operation.Unprepared)
	if err == nil && p.Temporary {
		_, err = p.Engine.Update(ctx, engine.Request{Create: true, Progress: env.Progress})
	}
	if err != nil {
		return err
	}
	var a overviewAnswer
	err = p.AskWhole(ctx, func(ctx context.Context, s *view.Snapshot) error {
		o, err := kenoverview.Overview(ctx, s, limitOrAll(in.Limit))
		if err != nil {
			return err
		}
		a = overviewAnswer{Revision: Revision{o.Info.Rev}, overview: newOverview(o)}
		a.Excluded, err = p.Excluded(s)
		return err
	})
	return operation.Finish(&a, err, emit)
}

func newOverview(o view.Overview) overview {
	a := overview{
		Root: o.Info.Root, Counts: newCounts(o.Info), Entries: fileNames(o.Entries),
		Files: hotFiles(o.Files), Symbols: hotSymbols(o.Symbols), Packages: packageRows(o.Externals),
	}
	for _, l := range o.Languages {
		a.Languages = append(a.Languages, Language{Name: l.Name, Files: l.Files, Lines: l.Lines, Tokens: l.Tokens})
	}
	for _, d := range o.Directories {
		a.Directories = append(a.Directories, Directory{Path: operation.Path(d.Name), Files: d.Files, Lines: d.Lines, Tokens: d.Tokens})
	}
	for _, c := range o.Communities {
		a.Communities = append(a.Communities, Community{Path: operation.Path(c.Name), Files: c.Files, Top: fileNames(c.Top)})
	}
	for _, c := range o.Cycles {
		a.Cycles = append(a.Cycles, Cycle{Files: fileNames(c)})
	}
	return a
}

// maxOverview is the number of tokens in which an overview with the usual lists fits: where paths are long, its lists are shorter.
const (
	maxOverview = 700
	usualRows   = 5
	fewestRows  = 2
	moreThanCut = 10 // rows that the line about shorter lists suggests
)

func textOverview(t *operation.Text, in *overviewInput, a *overviewAnswer) error {
	rows := in.Limit
	for rows > fewestRows && rows <= usualRows && overviewTokens(a, rows) > maxOverview {
		rows--
	}
	writeOverview(t, a, rows)
	if rows < in.Limit {
		t.Line("lists of %d, so that it fits %d tokens; longer ones: --limit %d", rows, maxOverview, moreThanCut)
	}
	return nil
}

// overviewTokens returns the number of tokens of an overview with lists of some length.
func overviewTokens(a *overviewAnswer, rows int) int {
	var b bytes.Buffer
	t := operation.NewText(&b, false)
	writeOverview(t, a, rows)
	if t.Flush() != nil {
		return 0
	}
	return token.CountText(b.Bytes()).O200K
}

func writeOverview(t *operation.Text, a *overviewAnswer, rows int) {
	c := a.Counts
	t.Line("%s", t.Dim(agenttext.Notice))
	t.Line("%s: %s, %s lines, %s tokens (o200k), %s, %s (revision %d)", t.Bold(filepath.Base(a.Root)), operation.Plural(c.Files, "file"), operation.Group(c.Lines), operation.Group(c.O200K),
		operation.Plural(c.Symbols, "symbol"), operation.Plural(c.Edges, "edge"), a.Revision.Revision)
	t.Printf("%s", operation.Styled(a.Excluded.Line()))
	writeLanguages(t, a.Languages)
	writeDirectories(t, a.Directories, rows)
	writeCommunities(t, firstN(a.Communities, &rows))
	if len(a.Entries) > 0 {
		t.Heading("entry points")
		for _, e := range firstN(a.Entries, &rows) {
			t.Line("  %s", e.Path)
		}
		t.More("  ", len(a.Entries)-len(firstN(a.Entries, &rows)))
	}
	writeHot(t, firstN(a.Files, &rows), firstN(a.Symbols, &rows))
	if len(a.Packages) > 0 {
		t.Heading("packages from outside (files that import them)")
		parts := make([]string, len(a.Packages))
		for i, p := range a.Packages {
			parts[i] = fmt.Sprintf("%s (%s)", operation.Escape(p.Name), operation.Group(p.Files))
		}
		t.Line("  %s", strings.Join(parts, ", "))
	}
	writeCycles(t, firstN(a.Cycles, &rows))
}

// maxLanguages is the number of languages that text lists.
const maxLanguages = 4

func writeLanguages(t *operation.Text, list []Language) {
	if len(list) == 0 {
		return
	}
	t.Heading("languages")
	var parts []string
	for _, l := range list[:min(len(list), maxLanguages)] {
		parts = append(parts, fmt.Sprintf("%s %s, %s lines", l.Name, operation.Plural(l.Files, "file"), operation.Group(l.Lines)))
	}
	if n := len(list) - maxLanguages; n > 0 {
		parts = append(parts, operation.Plural(n, "more language"))
	}
	t.Line("  %s", strings.Join(parts, "; "))
}

func writeDirectories(t *operation.Text, list []Directory, limit int) {
	if len(list) == 0 {
		return
	}
	t.Heading("directories by tokens")
	var rows [][]string
	for _, d := range firstN(list, &limit) {
		rows = append(rows, []string{operation.Group(d.Tokens), operation.Plural(d.Files, "file"), string(d.Path)})
	}
	t.Table("  ", 2, rows)
}

func writeCommunities(t *operation.Text, list []Community) {
	if len(list) == 0 {
		return
	}
	t.Heading("groups of files that belong together")
	for _, c := range list {
		t.Line("  %s in %s: %s", operation.Plural(c.Files, "file"), c.Path, joinPaths(c.Top[:min(len(c.Top), maxMembers)], string(c.Path)))
	}
}

// maxMembers is the number of members of a group that text names.
const maxMembers = 3

// maxCycleFiles is the number of members of a cycle that text names.
const maxCycleFiles = 4

func writeCycles(t *operation.Text, list []Cycle) {
	if len(list) == 0 {
		return
	}
	t.Heading("import cycles")
	for _, c := range list {
		more := ""
		if len(c.Files) > maxCycleFiles {
			more = ", …"
		}
		dir := commonDir(c.Files)
		t.Line("  %s in %s: %s%s", operation.Plural(len(c.Files), "file"), dir, joinPaths(c.Files[:min(len(c.Files), maxCycleFiles)], dir), more)
	}
}

// commonDir returns the deepest directory that holds all files, "." for the root.
func commonDir(list []FileName) string {
	dir := path.Dir(string(list[0].Path))
	for _, f := range list {
		for dir != "." && !strings.HasPrefix(string(f.Path), dir+"/") {
			dir = path.Dir(dir)
		}
	}
	return dir
}

// joinPaths writes paths relative to a directory; those outside it in full.
func joinPaths(list []FileName, dir string) string {
	parts := make([]string, len(list))
	for i, f := range list {
		parts[i] = strings.TrimPrefix(string(f.Path), dir+"/")
	}
	return strings.Join(parts, ", ")
}
