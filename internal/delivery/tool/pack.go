package tool

import (
	"cmp"
	"context"
	"errors"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"ken/internal/code"
	"ken/internal/delivery/pack"
	"ken/internal/engine"
)

type packInput struct {
	Targets   []string `arg:"[TARGET…]" help:"files, ranges of lines (FILE:10-40), directories, symbols as in def"`
	Budget    *int     `flag:"budget" value:"N" help:"tokens the whole output may have (default 5000)"`
	Format    string   `flag:"format" value:"FORMAT" enum:"xml,markdown,json" default:"xml" help:"form of the output"`
	Prefer    string   `flag:"prefer" value:"WHAT" enum:"signatures,source" help:"signatures: never more of a file than those; source: files whole as long as they fit; default: signatures, then source"`
	Tokenizer string   `flag:"tokenizer" value:"NAME" enum:"cl100k,o200k,claude-estimate" default:"o200k" help:"how tokens are counted; claude-estimate is a factor over o200k"`
	Compress  bool     `flag:"compress" help:"signatures only, a line each"`
}

// packAnswer is what pack answers with --format json. The packer writes it,
// because its budget is counted on the final text; what is declared here
// documents it.
type packAnswer struct {
	Revision
	Tokenizer   string      `json:"tokenizer" doc:"how tokens are counted"`
	BudgetUsed  int         `json:"budget_used,omitempty" doc:"tokens of this output, if there is a budget"`
	BudgetTotal int         `json:"budget_total,omitempty" doc:"tokens it may have"`
	FileTokens  int         `json:"file_tokens,omitempty" doc:"tokens of the files, if there is no budget"`
	Contents    []packEntry `json:"contents" doc:"files something is shown of, as they were asked for"`
	Files       []packFile  `json:"files" doc:"the same files with what is shown"`
	Left        packLeft    `json:"left_out" doc:"files that were asked for and did not fit, or hold nothing to show"`
	write       func(io.Writer) error
}

type packEntry struct {
	Path   Path   `json:"path" doc:"file"`
	Tokens int    `json:"tokens" doc:"tokens of the whole file"`
	Shown  string `json:"shown" doc:"what is shown: whole, lines, signatures"`
}

type packFile struct {
	Path       Path            `json:"path" doc:"file"`
	Language   string          `json:"language" doc:"language, empty if not known"`
	Lines      int             `json:"lines" doc:"lines of the file"`
	Tokens     int             `json:"tokens" doc:"tokens of what is shown"`
	Signatures []packSignature `json:"signatures" doc:"declarations shown without body, by line"`
	Sources    []packSource    `json:"sources" doc:"ranges of lines, each line once"`
}

type packSignature struct {
	Type      string `json:"type" doc:"function, class, interface, type or variable"`
	Name      string `json:"name" doc:"with the names of the declarations around it"`
	Line      int    `json:"line" doc:"first line of the declaration"`
	Signature string `json:"signature" doc:"the declaration on one line"`
}

type packSource struct {
	From int    `json:"line_start" doc:"first line"`
	To   int    `json:"line_end" doc:"last line"`
	Cut  int    `json:"cut_lines,omitempty" doc:"lines after it that did not fit"`
	Text string `json:"text" doc:"the lines, secrets masked"`
}

type packLeft struct {
	Count  int        `json:"count" doc:"number of files"`
	Tokens int        `json:"tokens" doc:"tokens of those files"`
	Files  []packGone `json:"files" doc:"the most important of them"`
}

type packGone struct {
	Path   Path   `json:"path" doc:"file"`
	Tokens int    `json:"tokens" doc:"what it would cost whole"`
	Why    string `json:"why" doc:"budget, empty, or why it was not read: as in status"`
}

// raw is the pack in the format asked for.
func (a *packAnswer) raw() func(io.Writer) error { return a.write }

func packTool() *Tool {
	return spec[packInput, packAnswer]{
		name:    "pack",
		summary: "source code for an agent within a budget of tokens",
		long: "A file of less than 500 tokens is shown whole, a range of lines with the signatures around it, a symbol with its body; a larger file\n" +
			"by its signatures, within its share of the budget, and then by as much source as fits. No line is shown twice. The budget is kept\n" +
			"exactly: it is counted on the final text. What did not fit is listed with its cost. Secrets are masked.\n" +
			"claude-estimate counts 1.35 tokens for each of o200k_base; the vocabulary of Claude's models is not published.",
		example: []string{"pack src/app.ts src/db.ts --budget 3000", "pack internal/app/app.go:10-40 Server.Start", "pack src/api --prefer signatures --format markdown"},
		run:     runPack,
		text:    func(t *Text, _ *packInput, a *packAnswer) error { return a.write(t.w) },
	}.tool()
}

func runPack(ctx context.Context, env *Env, in *packInput, emit func(*packAnswer) error) error {
	p, err := env.open(Existing)
	if err != nil {
		return err
	}
	if len(in.Targets) == 0 {
		return usagef("name files, ranges, directories or symbols to pack")
	}
	opt, err := packOptions(in)
	if err != nil {
		return err
	}
	var made *pack.Pack
	var absent absentees
	err = p.askShown(ctx, func(ctx context.Context, s *engine.Snapshot) ([]string, error) {
		w := wanted{p: p, s: s, tokenizer: opt.Tokenizer}
		for _, arg := range in.Targets {
			if err := w.add(ctx, arg); err != nil {
				return w.paths, err
			}
		}
		made, absent, opt.Skipped, opt.Revision = nil, w.absent, w.skipped, s.Rev()
		if len(w.items)+len(w.skipped) == 0 {
			return w.paths, w.gone
		}
		var err error
		if made, err = pack.New(ctx, s, w.items, opt); err != nil {
			return w.paths, packError(err)
		}
		return w.paths, w.gone
	})
	if absent.err != nil {
		err = absent.err
	}
	if made == nil {
		return err
	}
	return finish(&packAnswer{write: func(w io.Writer) error {
		_, err := w.Write(made.Text)
		return err
	}}, err, emit)
}

func packOptions(in *packInput) (pack.Options, error) {
	t, err := engine.NewTokenizer(in.Tokenizer)
	opt := pack.Options{Tokenizer: t, Budget: pack.DefaultBudget, Format: pack.Format(in.Format), Compress: in.Compress}
	if in.Budget != nil {
		opt.Budget = *in.Budget
	}
	switch in.Prefer {
	case "signatures":
		opt.Prefer = pack.Signatures
	case "source":
		opt.Prefer = pack.Code
	}
	return opt, err
}

// packError words what the packer refuses.
func packError(err error) error {
	var small *pack.BudgetError
	if errors.As(err, &small) {
		return usagef("%v", small)
	}
	return err
}

// wanted gathers what the arguments of pack name.
type wanted struct {
	p         *Project
	s         *engine.Snapshot
	tokenizer *engine.Tokenizer
	items     []pack.Item
	skipped   []pack.Left
	absent    absentees
	paths     []string // that the answer shows or says are missing
	gone      error    // a file that is missing: the tree may have it by now
}

// maxNamesakes is how many symbols of one name are packed.
const maxNamesakes = 20

// add finds what an argument names; what does not exist is noted.
func (w *wanted) add(ctx context.Context, arg string) error {
	err := w.find(ctx, arg)
	nf, ok := missing(err)
	if !ok {
		return err
	}
	if w.gone = err; nf.What == "file" {
		w.paths = append(w.paths, nf.Name)
	}
	return w.absent.add(err)
}

func (w *wanted) find(ctx context.Context, arg string) error {
	rel, found, err := w.p.locate(arg)
	if !found {
		if name, r, ok := cutLines(arg); ok {
			return w.lines(ctx, name, r)
		}
	}
	if err == nil && found && w.p.isDir(rel) {
		return w.directory(rel)
	}
	t, err := w.p.target(ctx, w.s, arg)
	if _, gone := missing(err); gone {
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

// nearer is the error of a name nothing bears: if it ends as files of the index
// do ("ap.go"), that there is no such file.
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
			if _, ferr := w.p.file(ctx, w.s, arg); ferr != nil {
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
	f, err := w.p.file(ctx, w.s, name)
	switch {
	case err != nil:
		return err
	case r.From < 1 || r.To < r.From:
		return usagef("%d-%d is no range of lines of %s; it is written FILE:10-40", r.From, r.To, Quote(f.Path))
	case r.From > int(f.Lines):
		return usagef("%s has %s", Quote(f.Path), plural(int(f.Lines), "line"))
	}
	w.file(f, pack.Item{Lines: []pack.Lines{r}})
	return nil
}

// directory takes all files below a directory, the most important first.
func (w *wanted) directory(rel string) error {
	var list []code.File
	for f, err := range w.s.Files(context.Background()) {
		if err != nil {
			return err
		}
		if rel == "." || strings.HasPrefix(f.Path, rel+"/") {
			list = append(list, f)
		}
	}
	if len(list) == 0 {
		return nothingf("the index has no files below %s", Quote(rel))
	}
	byImportance(list)
	for _, f := range list {
		w.file(f, pack.Item{})
	}
	return nil
}

// byImportance sorts files by rank, those that are beside the point last.
func byImportance(list []code.File) {
	slices.SortFunc(list, func(a, b code.File) int {
		return cmp.Or(cmp.Compare(aside(a), aside(b)), cmp.Compare(b.Rank, a.Rank), cmp.Compare(a.Path, b.Path))
	})
}

// aside is 0 for files that are the point of a repository, more for tests, for
// others' code and for what a program wrote.
func aside(f code.File) int {
	switch {
	case f.Flags&(code.FlagGenerated|code.FlagVendored|code.FlagMinified) != 0:
		return 2
	case f.Flags&code.FlagTest != 0:
		return 1
	}
	return 0
}

// symbols takes definitions, those of the most important files first.
func (w *wanted) symbols(ctx context.Context, list []engine.Symbol) error {
	byFile := map[string][]engine.Symbol{}
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
