package op

import (
	"context"
	"fmt"
	"sync"

	"ken/internal/ask/find"
	"ken/internal/code"
	"ken/internal/delivery/memories"
	"ken/internal/delivery/project"
	"ken/internal/delivery/render"
	"ken/internal/engine/view"
	"ken/internal/operation"
)

type findInput struct {
	Query   []string `arg:"[QUERY…]" text:"yes" help:"what is looked for: words, an issue, a traceback"`
	File    string   `flag:"query-file" terminal:"yes" value:"FILE" help:"read the query from a file, - for standard input"`
	Limit   int      `flag:"limit" value:"N" default:"10" help:"files listed, or declarations with --symbols; 0: all"`
	Format  string   `flag:"format" terminal:"yes" value:"FORMAT" enum:"text,paths,intel" default:"text" help:"text; paths: one a line, best first; or intel: a block for agents"`
	Symbols bool     `flag:"symbols" help:"list declarations of the first twenty files, best first, instead of files"`
	Budget  *int     `flag:"budget" terminal:"yes" value:"N" help:"tokens the block for agents may have, 0 for any number (default 500)"`
}

// FindFile is a file that matches a query.
type FindFile struct {
	Path    operation.Path `json:"path" doc:"file"`
	Score   float64        `json:"score" doc:"compares within one answer"`
	Why     []string       `json:"why" doc:"reasons why it is listed, strongest first"`
	Symbols []FindSymbol   `json:"symbols" doc:"its declarations that fit best"`
}

// FindSymbol is a declaration that matches a query.
type FindSymbol struct {
	Path    operation.Path `json:"path" doc:"file"`
	Name    string         `json:"name" doc:"with the names of the declarations around it"`
	Kind    string         `json:"kind" doc:"as in def"`
	Line    int            `json:"line" doc:"first line"`
	EndLine int            `json:"end_line" doc:"last line"`
	Score   float64        `json:"score" doc:"compares within one list"`
}

// doubtText takes a share in percent.
const doubtText = "The first file is a guess: %.0f in 100 such are right. A name from the code, a path or the text of an error would help."

type findAnswer struct {
	Revision
	Files   []FindFile   `json:"files" paths:"yes" doc:"best first"`
	Symbols []FindSymbol `json:"symbols" doc:"best first, of all files"`
	Chance  float64      `json:"chance,omitempty" doc:"probability that the first file is right, judged by past tasks, in a tree with a history"`
	Doubt   string       `json:"doubt,omitempty" doc:"what would help, where the first file is more likely wrong than right"`
	project.Excluded
	Notes []string       `json:"notes,omitempty" doc:"what could not be asked, such as an endpoint for embeddings that did not answer"`
	Known []memories.Row `json:"memories,omitempty" doc:"what was decided, noted and agreed about the same, what fits best first"`
	block string
}

func findTool() *Tool {
	return spec[findInput, findAnswer]{
		Name:  "find",
		Topic: operation.Ask, Logged: true,
		MCP: operation.Offer{
			Set: "core", Place: 2,
			About: "Files and symbols a task, question, error or traceback is about, ranked, with reasons.",
			Shown: `query=words or a whole issue, "phrases", OR, and type: lang: path: kind: test:no to narrow; symbols=true: functions, not files; limit`,
		},
		Summary: "files and symbols a task or question is about, best first",
		Long: "Takes plain words, \"quoted phrases\", OR, and type:service lang:go path:src/api kind:class test:no; or a long text:\n" +
			"an issue, an error message, a traceback. Every file says why it is listed. Filters alone list the files that pass them, by rank.\n" +
			"With --format intel the answer is a block for agents, with what depends on the matches; it never has more tokens (o200k_base) than its budget.",
		Example: []string{`find "retry with backoff"`, `find 'path:internal kind:method close connection'`, `find --query-file issue.md --format paths`, `find "file uploads" --format intel --budget 800`},
		Run:     runFind,
		Text:    textFind,
	}.Tool()
}

// options returns the bounds of the answer: --limit counts what is listed.
func (in *findInput) options(known find.Known) find.SearchOptions {
	opt := find.SearchOptions{Limit: limitOrAll(in.Limit), Known: known}
	if in.Symbols {
		opt.Symbols = opt.Limit
	}
	return opt
}

func runFind(ctx context.Context, env *Env, in *findInput, emit func(*findAnswer) error) error {
	if in.Symbols && in.Format != "text" {
		return code.Usagef("--symbols is a list of its own: leave --format out")
	}
	query, err := operation.QueryText(env.Stdin, env.Dir, in.Query, in.File)
	if err != nil {
		return err
	}
	p, err := project.Open(env, operation.Existing)
	if err != nil {
		return err
	}
	// A credential in the query is masked so that no answer repeats it; it finds nothing anyway,
	// because the index holds none. Compiling the rules overlaps with opening the index.
	hidden := sync.OnceValue(func() string { return p.Engine.Hide(query) })
	remembered := sync.OnceValue(func() *memories.Found { return memories.Lookup(ctx, p, hidden()) })
	go remembered()
	var a findAnswer
	err = p.AskChecked(ctx, func(ctx context.Context, s *view.Snapshot) error {
		query := p.KnownSecrets().MaskString(hidden())
		memory, rows, err := remembered().Resolve(ctx, p, s)
		if err != nil {
			return err
		}
		found, err := find.Find(ctx, s, query, in.options(memory))
		if err != nil {
			return err
		}
		a = findAnswer{Revision: Revision{s.Rev()}, Symbols: findSymbols(found.Symbols), Notes: found.Notes, Known: rows, Chance: found.Chance}
		if found.IsDoubtful() {
			a.Doubt = fmt.Sprintf(doubtText, 100*found.Chance)
		}
		if a.Excluded, err = p.Excluded(s); err != nil {
			return err
		}
		if in.Format == "intel" {
			if a.block, err = findIntel(ctx, p, s, query, found, &a, in.Budget); err != nil {
				return err
			}
		}
		for i := range found.Files {
			f := &found.Files[i]
			a.Files = append(a.Files, FindFile{Path: operation.Path(f.Path), Score: f.Score, Why: f.Why, Symbols: findSymbols(f.Symbols)})
		}
		return nil
	})
	if err == nil && len(a.Files) == 0 {
		err = operation.Nothingf("no file fits the query")
	}
	return operation.Finish(&a, err, emit)
}

// findIntel returns the answer as a block of text for agents.
func findIntel(
	ctx context.Context, p *project.Project, s *view.Snapshot, query string, found *find.Found, a *findAnswer, budget *int,
) (string, error) {
	if len(found.Files) == 0 {
		return "", nil
	}
	intel, err := find.MakeIntel(ctx, s, query, found)
	if err == nil {
		err = render.SetWrittenCardPurposes(ctx, p, s, intel.Matches)
	}
	if err != nil {
		return "", err
	}
	layout := render.QueryBlock(intel, a.Excluded)
	layout.Parts = append(layout.Parts, memories.RowParts(a.Known)...)
	fitted, err := render.Fit(s, layout, render.Budget(budget, render.QueryBudget))
	return fitted.Text, err
}

func findSymbols(list []find.FoundSymbol) []FindSymbol {
	var out []FindSymbol
	for _, s := range list {
		out = append(out, FindSymbol{
			Path: operation.Path(s.Path), Name: s.Name, Kind: s.Kind.String(), Line: s.Line, EndLine: s.EndLine, Score: s.Score,
		})
	}
	return out
}

func textFind(t *operation.Text, in *findInput, a *findAnswer) error {
	if in.Format == "intel" {
		t.Printf("%s", operation.Styled(a.block))
		return nil
	}
	if in.Symbols {
		for _, s := range a.Symbols {
			t.Line("%s:%d–%d  %s %s", s.Path, s.Line, s.EndLine, t.Dim(s.Kind), s.Name)
		}
		if len(a.Symbols) == 0 {
			t.Line("no declaration of the first twenty files fits the query")
		}
	} else {
		listFiles(t, in, a)
	}
	if in.Format != "paths" {
		if a.Doubt != "" {
			t.Line("%s", t.Dim(a.Doubt))
		}
		memories.WriteRows(t, a.Known)
		t.Printf("%s", operation.Styled(a.Excluded.Line()))
	}
	return nil
}

func listFiles(t *operation.Text, in *findInput, a *findAnswer) {
	for i := range a.Files {
		f := &a.Files[i]
		if in.Format == "paths" {
			t.Line("%s", f.Path)
			continue
		}
		t.Line("%s", t.Bold(string(f.Path)))
		if len(f.Why) > 0 {
			t.Line("    %s", t.Dim(find.ShortWhy(f.Why)))
		}
		for _, s := range f.Symbols[:min(3, len(f.Symbols))] {
			t.Line("    %d–%d  %s %s", s.Line, s.EndLine, t.Dim(s.Kind), s.Name)
		}
	}
}
