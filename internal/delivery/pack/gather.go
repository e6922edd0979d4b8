package pack

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strconv"
	"strings"

	"ken/internal/ask/codemap"
	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/engine/source"
	"ken/internal/engine/view"
	"ken/internal/operation"
	"ken/internal/token"
)

// Request names the parts of the repository to pack.
type Request struct {
	Targets          []string // files, directories, FILE:10-40 and symbols
	Diff             string   // a revision: pack the differences from it
	Query            string   // a search: pack the files that it finds
	Include, Exclude []string // globs that files of directories have to fit, and not to fit
	All              bool     // with generated, vendored, minified and very large files
	Bodies           bool     // for a query: pack the bodies of the best symbols
}

// Gathering finds the files, lines and symbols of a request.
type Gathering struct {
	Items   []Item
	Skipped []Left
	Absent  project.MissingFiles
	Paths   []string // shown in the answer or reported as missing
	Gone    error    // a file that is missing: the tree may have it by now

	p         *project.Project
	s         *view.Snapshot
	want      Request
	tokenizer *token.Tokenizer
	include   *source.Globs
	exclude   *source.Globs
}

// NewGathering returns a gathering for a request; t counts the tokens of files that are left out.
func NewGathering(p *project.Project, s *view.Snapshot, want Request, t *token.Tokenizer) *Gathering {
	return &Gathering{p: p, s: s, want: want, tokenizer: t, include: source.NewGlobs(want.Include), exclude: source.NewGlobs(want.Exclude)}
}

// Gather finds the files, lines and symbols of the request: targets, then changes, then the results of a query. It fails with a
// code.UsageError if a target has a wrong form, with an operation.NothingError if nothing changed or no file fits the query, and if the
// index cannot be read. Targets that do not exist are collected in Absent.
func (w *Gathering) Gather(ctx context.Context) error {
	targets, rev := w.want.Targets, w.want.Diff
	first := "" // a revision, if it is no target
	if rev == bareDiff && len(targets) > 0 {
		first = targets[0]
		if w.isRevision(ctx, first) { // --diff REV
			targets, rev, first = targets[1:], first, ""
		}
	}
	for i, arg := range targets {
		if err := w.resolveTarget(ctx, arg); err != nil {
			return err
		}
		if i == 0 && first != "" && w.Gone != nil {
			w.Absent = project.MissingFiles{}
			return code.Usagef("there is no revision, file or symbol %s", operation.Quote(first))
		}
	}
	if rev != "" {
		if err := w.addDiff(ctx, rev); err != nil {
			return err
		}
	}
	if w.want.Query != "" {
		return w.addQueryResults(ctx)
	}
	return nil
}

// maxNamesakes is how many symbols of one name are packed.
const maxNamesakes = 20

// resolveTarget adds the file, lines or symbol that an argument names, or records that it does not exist.
func (w *Gathering) resolveTarget(ctx context.Context, arg string) error {
	err := w.addTarget(ctx, arg)
	nf, ok := project.AsNotFound(err)
	if !ok {
		return err
	}
	if w.Gone = err; nf.What == "file" {
		w.Paths = append(w.Paths, nf.Name)
	}
	return w.Absent.Add(err)
}

func (w *Gathering) addTarget(ctx context.Context, arg string) error {
	rel, found, err := w.p.Locate(arg)
	if !found {
		if name, r, ok := parseLineTarget(arg); ok {
			return w.addLines(ctx, name, r)
		}
	}
	if err == nil && found && w.p.IsDir(rel) {
		return w.addDirectory(rel)
	}
	t, err := w.p.Target(ctx, w.s, arg)
	if _, gone := project.AsNotFound(err); gone {
		err = w.unknownNameError(ctx, arg, err)
	}
	if err != nil {
		return err
	}
	if t.File != "" {
		f, err := w.s.File(ctx, t.File)
		w.Add(f, Item{})
		return err
	}
	return w.addSymbols(ctx, t.Symbols)
}

// unknownNameError returns a better error for an argument that no declaration has as
// its name: if it looks like a file name ("ap.go"), that there is no such file.
func (w *Gathering) unknownNameError(ctx context.Context, arg string, err error) error {
	ext := path.Ext(arg)
	if ext == "" || strings.Contains(arg, ":") {
		return err
	}
	for f, ferr := range w.s.Files(ctx) {
		if ferr != nil {
			return ferr
		}
		if path.Ext(f.Path) == ext {
			if _, ferr := w.p.File(ctx, w.s, arg); ferr != nil {
				return ferr
			}
		}
	}
	return err
}

// parseLineTarget parses FILE:10-40 and FILE:10.
func parseLineTarget(arg string) (name string, r Lines, ok bool) {
	i := strings.LastIndexByte(arg, ':')
	if i <= 0 {
		return "", r, false
	}
	from, to, isRange := strings.Cut(arg[i+1:], "-")
	if !isRange {
		to = from
	}
	var errFrom, errTo error
	r.From, errFrom = strconv.Atoi(from)
	r.To, errTo = strconv.Atoi(to)
	return arg[:i], r, errFrom == nil && errTo == nil
}

func (w *Gathering) addLines(ctx context.Context, name string, r Lines) error {
	f, err := w.p.File(ctx, w.s, name)
	switch {
	case err != nil:
		return err
	case r.From < 1 || r.To < r.From:
		return code.Usagef("%d-%d is no range of lines of %s; it is written FILE:10-40", r.From, r.To, operation.Quote(f.Path))
	case r.From > int(f.Lines):
		return code.Usagef("%s has %s", operation.Quote(f.Path), operation.Plural(int(f.Lines), "line"))
	}
	w.Add(f, Item{Lines: []Lines{r}})
	return nil
}

// addDirectory adds all files below a directory, the most important first.
func (w *Gathering) addDirectory(rel string) error {
	list, err := w.Files(rel)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return operation.Nothingf("the index has no files below %s that are wanted", operation.Quote(rel))
	}
	ByImportance(list)
	for _, f := range list {
		w.Add(f, Item{})
	}
	return nil
}

// Files returns the text files below a directory that match the globs, sorted by path, and records those left out because they are
// generated, vendored or not read. It returns an error if the index cannot be read.
func (w *Gathering) Files(rel string) ([]code.File, error) {
	var list []code.File
	for f, err := range w.s.Files(context.Background()) {
		if err != nil {
			return nil, err
		}
		below := rel == "." || strings.HasPrefix(f.Path, rel+"/")
		if !below || !w.matchesGlobs(f.Path) {
			continue
		}
		if why := w.skipReason(f); why != "" {
			w.Skipped = append(w.Skipped, Left{Path: f.Path, Tokens: w.tokenizer.OfFile(f), Why: why})
			continue
		}
		list = append(list, f)
	}
	slices.SortStableFunc(w.Skipped, func(a, b Left) int { return cmp.Compare(b.Tokens, a.Tokens) })
	return list, nil
}

// matchesGlobs reports whether a path matches --include, if given, and does not match --exclude.
func (w *Gathering) matchesGlobs(path string) bool {
	return (len(w.want.Include) == 0 || w.include.Match(path)) && !w.exclude.Match(path)
}

// skipReason returns the reason why a file that was not named itself is left out, "" if it is not.
func (w *Gathering) skipReason(f code.File) string {
	switch {
	case w.want.All && (f.Problem == code.ProblemMinified || f.Problem == code.ProblemTooLarge), f.Problem == code.ProblemParseLimit:
	case f.Problem != code.ProblemNone:
		return string(f.Problem)
	}
	switch {
	case w.want.All:
	case f.Flags&code.FlagGenerated != 0:
		return "generated"
	case f.Flags&code.FlagVendored != 0:
		return "vendored"
	}
	return ""
}

// ByImportance sorts files by rank, but tests, documents and others that
// engine.Aside names come last.
func ByImportance(list []code.File) {
	aside := make(map[string]int, len(list))
	for i := range list {
		aside[list[i].Path] = codemap.Aside(&list[i])
	}
	slices.SortFunc(list, func(a, b code.File) int {
		return cmp.Or(cmp.Compare(aside[a.Path], aside[b.Path]), cmp.Compare(b.Rank, a.Rank), cmp.Compare(a.Path, b.Path))
	})
}

// addSymbols adds definitions, those of the most important files first.
func (w *Gathering) addSymbols(ctx context.Context, list []view.Symbol) error {
	byFile := map[string][]view.Symbol{}
	var files []code.File
	for _, s := range list {
		if byFile[s.Path] == nil {
			f, err := w.s.File(ctx, s.Path)
			if err != nil {
				return err
			}
			files = append(files, f)
		}
		byFile[s.Path] = append(byFile[s.Path], s)
	}
	ByImportance(files)
	for i, f := range files {
		if i < maxNamesakes {
			w.Add(f, Item{Symbols: byFile[f.Path]})
		} else {
			w.Skipped = append(w.Skipped, Left{Path: f.Path, Tokens: w.tokenizer.OfFile(f), Why: "namesake"})
		}
	}
	return nil
}

// Add adds an item of a file, unless the file has nothing to show.
func (w *Gathering) Add(f code.File, it Item) {
	it.File = f
	w.Paths = append(w.Paths, f.Path)
	switch f.Problem {
	case code.ProblemNone, code.ProblemMinified, code.ProblemParseLimit, code.ProblemTooLarge:
		w.Items = append(w.Items, it)
	default:
		w.Skipped = append(w.Skipped, Left{Path: f.Path, Tokens: w.tokenizer.OfFile(f), Why: string(f.Problem)})
	}
}
