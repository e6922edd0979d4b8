package op

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strconv"
	"strings"

	"ken/internal/code"
	"ken/internal/delivery/pack"
	"ken/internal/delivery/project"
	"ken/internal/delivery/tool"
	"ken/internal/token"

	"ken/internal/ask/codemap"
	"ken/internal/engine/source"
	"ken/internal/engine/view"
)

// wanted gathers what the arguments of pack name.
type wanted struct {
	p         *project.Project
	s         *view.Snapshot
	in        *packInput
	tokenizer *token.Tokenizer
	include   *source.Globs
	exclude   *source.Globs
	items     []pack.Item
	skipped   []pack.Left
	absent    project.MissingFiles
	paths     []string // that the answer shows or says are missing
	gone      error    // a file that is missing: the tree may have it by now
}

func newWanted(p *project.Project, s *view.Snapshot, in *packInput, t *token.Tokenizer) *wanted {
	return &wanted{p: p, s: s, in: in, tokenizer: t, include: source.NewGlobs(in.Include), exclude: source.NewGlobs(in.Exclude)}
}

// gather finds everything the input names: targets, then what changed, then what
// a query finds.
func (w *wanted) gather(ctx context.Context) error {
	targets, rev := w.in.Targets, w.in.Diff
	if rev == bareDiff && len(targets) > 0 && w.isRevision(ctx, targets[0]) { // --diff REV
		targets, rev = targets[1:], targets[0]
	}
	for _, arg := range targets {
		if err := w.add(ctx, arg); err != nil {
			return err
		}
	}
	if rev != "" {
		if err := w.diff(ctx, rev); err != nil {
			return err
		}
	}
	if w.in.Query != "" {
		return w.query(ctx)
	}
	return nil
}

// maxNamesakes is how many symbols of one name are packed.
const maxNamesakes = 20

// add finds what an argument names; what does not exist is noted.
func (w *wanted) add(ctx context.Context, arg string) error {
	err := w.find(ctx, arg)
	nf, ok := project.Missing(err)
	if !ok {
		return err
	}
	if w.gone = err; nf.What == "file" {
		w.paths = append(w.paths, nf.Name)
	}
	return w.absent.Add(err)
}

func (w *wanted) find(ctx context.Context, arg string) error {
	rel, found, err := w.p.Locate(arg)
	if !found {
		if name, r, ok := cutLines(arg); ok {
			return w.lines(ctx, name, r)
		}
	}
	if err == nil && found && w.p.IsDir(rel) {
		return w.directory(rel)
	}
	t, err := w.p.Target(ctx, w.s, arg)
	if _, gone := project.Missing(err); gone {
		err = w.nearer(ctx, arg, err)
	}
	if err != nil {
		return err
	}
	if t.File != "" {
		f, err := w.s.File(ctx, t.File)
		w.file(f, pack.Item{})
		return err
	}
	return w.symbols(ctx, t.Symbols)
}

// nearer is the error about a name no declaration has: if it ends as files of the
// index do ("ap.go"), that there is no such file.
func (w *wanted) nearer(ctx context.Context, arg string, err error) error {
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

// cutLines reads FILE:10-40 and FILE:10.
func cutLines(arg string) (name string, r pack.Lines, ok bool) {
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

func (w *wanted) lines(ctx context.Context, name string, r pack.Lines) error {
	f, err := w.p.File(ctx, w.s, name)
	switch {
	case err != nil:
		return err
	case r.From < 1 || r.To < r.From:
		return code.Usagef("%d-%d is no range of lines of %s; it is written FILE:10-40", r.From, r.To, tool.Quote(f.Path))
	case r.From > int(f.Lines):
		return code.Usagef("%s has %s", tool.Quote(f.Path), tool.Plural(int(f.Lines), "line"))
	}
	w.file(f, pack.Item{Lines: []pack.Lines{r}})
	return nil
}

// directory takes all files below a directory, the most important first.
func (w *wanted) directory(rel string) error {
	list, err := w.files(rel)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return tool.Nothingf("the index has no files below %s that are wanted", tool.Quote(rel))
	}
	byImportance(list)
	for _, f := range list {
		w.file(f, pack.Item{})
	}
	return nil
}

// files are the files below a directory that hold text and that the globs take,
// by path. Files left out because they are generated, vendored or not read are noted.
func (w *wanted) files(rel string) ([]code.File, error) {
	var list []code.File
	for f, err := range w.s.Files(context.Background()) {
		if err != nil {
			return nil, err
		}
		below := rel == "." || strings.HasPrefix(f.Path, rel+"/")
		if !below || !w.globsTake(f.Path) {
			continue
		}
		if why := w.unwanted(f); why != "" {
			w.skipped = append(w.skipped, pack.Left{Path: f.Path, Tokens: w.tokenizer.OfFile(f), Why: why})
			continue
		}
		list = append(list, f)
	}
	slices.SortStableFunc(w.skipped, func(a, b pack.Left) int { return cmp.Compare(b.Tokens, a.Tokens) })
	return list, nil
}

// globsTake reports whether --include, if given, takes a path and --exclude does not.
func (w *wanted) globsTake(path string) bool {
	return (len(w.in.Include) == 0 || w.include.Match(path)) && !w.exclude.Match(path)
}

// unwanted says why a file that was not named is left out, "" if it is not.
func (w *wanted) unwanted(f code.File) string {
	switch {
	case w.in.All && (f.Problem == code.ProblemMinified || f.Problem == code.ProblemTooLarge), f.Problem == code.ProblemParseLimit:
	case f.Problem != code.ProblemNone:
		return string(f.Problem)
	}
	switch {
	case w.in.All:
	case f.Flags&code.FlagGenerated != 0:
		return "generated"
	case f.Flags&code.FlagVendored != 0:
		return "vendored"
	}
	return ""
}

// byImportance sorts files by rank, but tests, documents and others that
// engine.Aside names come last.
func byImportance(list []code.File) {
	aside := make(map[string]int, len(list))
	for i := range list {
		aside[list[i].Path] = codemap.Aside(&list[i])
	}
	slices.SortFunc(list, func(a, b code.File) int {
		return cmp.Or(cmp.Compare(aside[a.Path], aside[b.Path]), cmp.Compare(b.Rank, a.Rank), cmp.Compare(a.Path, b.Path))
	})
}

// symbols takes definitions, those of the most important files first.
func (w *wanted) symbols(ctx context.Context, list []view.Symbol) error {
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
	byImportance(files)
	for i, f := range files {
		if i < maxNamesakes {
			w.file(f, pack.Item{Symbols: byFile[f.Path]})
		} else {
			w.skipped = append(w.skipped, pack.Left{Path: f.Path, Tokens: w.tokenizer.OfFile(f), Why: "namesake"})
		}
	}
	return nil
}

// file takes a file that has something to show.
func (w *wanted) file(f code.File, it pack.Item) {
	it.File = f
	w.paths = append(w.paths, f.Path)
	switch f.Problem {
	case code.ProblemNone, code.ProblemMinified, code.ProblemParseLimit, code.ProblemTooLarge:
		w.items = append(w.items, it)
	default:
		w.skipped = append(w.skipped, pack.Left{Path: f.Path, Tokens: w.tokenizer.OfFile(f), Why: string(f.Problem)})
	}
}
