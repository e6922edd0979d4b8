package op

import (
	"cmp"
	"context"
	"errors"
	"io"

	"ken/internal/code"
	"ken/internal/delivery/pack"
	"ken/internal/delivery/project"
	"ken/internal/engine/view"
	"ken/internal/operation"
	"ken/internal/token"
)

type packInput struct {
	Targets   []string `arg:"[TARGET…]" help:"files, ranges of lines (FILE:10-40), directories, symbols as in def; without any, the whole repository"`
	Budget    *int     `flag:"budget" terminal:"yes" value:"N" help:"tokens the whole output may have; 0: any number (default 5000, of a whole repository 0)"`
	Query     string   `flag:"query" value:"TEXT" help:"what find finds for the text: bodies of the best symbols, then signatures"`
	Diff      string   `flag:"diff" value:"REV" bare:"HEAD" help:"what the working tree changed against REV (of A..B: what B changed), by symbol"`
	Format    string   `flag:"format" terminal:"yes" value:"FORMAT" enum:"xml,markdown,json" default:"xml" help:"form of the output"`
	Prefer    string   `flag:"prefer" value:"WHAT" enum:"signatures,source" help:"signatures: never more of a file than those; source: files whole as long as they fit; default: signatures, then source"`
	Tokenizer string   `flag:"tokenizer" value:"NAME" enum:"cl100k,o200k,claude-estimate" default:"o200k" help:"how tokens are counted; claude-estimate is a factor over o200k"`
	Compress  bool     `flag:"compress" help:"signatures only, a line each"`
	Include   []string `flag:"include" value:"GLOB" help:"of directories and of the whole repository only these files, as in .gitignore; repeatable"`
	Exclude   []string `flag:"exclude" value:"GLOB" help:"and not these"`
	All       bool     `flag:"all" help:"with generated, vendored, minified and very large files"`
}

// packAnswer documents the answer of pack with --format json. The packer writes
// the JSON itself, because the budget is counted on the final text.
type packAnswer struct {
	Revision
	Note        string      `json:"note" doc:"that the texts are data, for the agent that reads them"`
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
	Path   operation.Path `json:"path" doc:"file"`
	Tokens int            `json:"tokens" doc:"tokens of the whole file; 0 if they were not counted"`
	Shown  string         `json:"shown,omitempty" doc:"what is shown: whole, lines, signatures; only if there is a budget"`
}

type packFile struct {
	Path       operation.Path  `json:"path" doc:"file"`
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
	Path   operation.Path `json:"path" doc:"file"`
	Tokens int            `json:"tokens" doc:"what it would cost whole; 0 if that was not counted"`
	Why    string         `json:"why" doc:"budget, empty, or why it was not read: as in status"`
}

// Raw returns a function that writes the pack in the requested format.
func (a *packAnswer) Raw() func(io.Writer) error { return a.write }

func packTool() *Tool {
	return spec[packInput, packAnswer]{
		Name:  "pack",
		Topic: operation.Ask, Logged: true,
		MCP:     operation.Offer{Set: "full", Place: 12},
		Summary: "source code for an agent within a budget of tokens",
		Long: "A file of less than 500 tokens is shown whole, a range of lines with the signatures around it, a symbol with its body; a larger file\n" +
			"by its signatures, within its share of the budget, and then by as much source as fits. No line is shown twice. The budget is kept\n" +
			"exactly: it is counted on the final text. What did not fit is listed with its cost. Secrets are masked.\n" +
			"Without targets it is the whole repository, as a stream: every text file git does not ignore, whole or, with --compress, by its signatures;\n" +
			"generated, vendored, minified ones and those over the size limit only with --all. With a budget the most important files come first.\n" +
			"claude-estimate counts 1.35 tokens for each of o200k_base; the vocabulary of Claude's models is not published.",
		Example: []string{"pack src/app.ts src/db.ts --budget 3000", "pack internal/app/app.go:10-40 Server.Start", "pack src/api --prefer signatures --format markdown",
			`pack --query "retry with backoff"`, "pack --diff main", "pack --compress > repository.xml", "pack --include '*.go' --exclude testdata/ --budget 100000"},
		Run:  runPack,
		Text: func(t *operation.Text, _ *packInput, a *packAnswer) error { return a.write(t.Raw()) },
	}.Tool()
}

// request turns the input into a request for a pack.
func (in *packInput) request() pack.Request {
	return pack.Request{
		Targets: in.Targets, Diff: in.Diff, Query: in.Query, Include: in.Include, Exclude: in.Exclude, All: in.All,
		Bodies: in.Prefer != "signatures" && !in.Compress,
	}
}

func runPack(ctx context.Context, env *Env, in *packInput, emit func(*packAnswer) error) error {
	p, err := project.Open(env, operation.Existing)
	if err != nil {
		return err
	}
	opt, err := packOptions(in)
	if err != nil {
		return err
	}
	if len(in.Targets) == 0 && in.Query == "" && in.Diff == "" {
		return packAll(ctx, p, in, opt, emit)
	}
	var made *pack.Pack
	var absent project.MissingFiles
	ask := p.AskShown
	if in.Query != "" || in.Diff != "" { // which files there are depends on all
		ask = p.AskCheckedPaths
	}
	err = ask(ctx, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		w := pack.NewGathering(p, s, in.request(), opt.Tokenizer)
		err := w.Gather(ctx)
		made, absent, opt.Skipped, opt.Revision, opt.Mask = nil, w.Absent, w.Skipped, s.Rev(), p.KnownSecrets().Mask
		if err != nil || len(w.Items)+len(w.Skipped) == 0 {
			return w.Paths, cmp.Or(err, w.Gone)
		}
		if made, err = pack.New(ctx, s, w.Items, opt); err != nil {
			return w.Paths, packError(err)
		}
		return w.Paths, w.Gone
	})
	if absent.Err() != nil {
		err = absent.Err()
	}
	if made == nil {
		return err
	}
	return operation.Finish(&packAnswer{write: made.Write}, err, emit)
}

// packAll packs the whole repository: as a stream, or with a budget its most
// important files.
func packAll(ctx context.Context, p *project.Project, in *packInput, opt pack.Options, emit func(*packAnswer) error) error {
	return p.AskWhole(ctx, func(ctx context.Context, s *view.Snapshot) error {
		w := pack.NewGathering(p, s, in.request(), opt.Tokenizer)
		files, err := w.Files(".")
		if err != nil {
			return err
		}
		opt.Skipped, opt.Revision, opt.Mask = w.Skipped, s.Rev(), p.KnownSecrets().Mask
		if len(files) == 0 {
			return operation.Nothingf("there are no files to pack")
		}
		if in.Budget == nil || *in.Budget == 0 {
			opt.MaskPaths = p.KnownSecrets().HasParts()
			p.PrintMasked()
			return emit(&packAnswer{write: func(out io.Writer) error { return pack.Stream(ctx, out, s, files, opt) }})
		}
		pack.ByImportance(files)
		for _, f := range files {
			w.Add(f, pack.Item{})
		}
		made, err := pack.New(ctx, s, w.Items, opt)
		if err != nil {
			return packError(err)
		}
		return emit(&packAnswer{write: made.Write})
	})
}

func packOptions(in *packInput) (pack.Options, error) {
	t, err := token.NewTokenizer(in.Tokenizer)
	opt := pack.Options{Tokenizer: t, Budget: pack.DefaultBudget, Format: pack.Format(in.Format), Compress: in.Compress}
	if in.Budget != nil {
		opt.Budget = *in.Budget
	}
	if in.Query != "" {
		opt.BodyShare = pack.QueryBodies
	}
	switch in.Prefer {
	case "signatures":
		opt.Prefer = pack.Signatures
	case "source":
		opt.Prefer = pack.Code
	}
	return opt, err
}

// packError turns the error of a budget that is too small into a usage error.
func packError(err error) error {
	var small *pack.BudgetError
	if errors.As(err, &small) {
		return code.Usagef("%v", small)
	}
	return err
}
