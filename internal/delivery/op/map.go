package op

import (
	"context"
	"io"
	"strings"

	"ken/internal/ask/codemap"
	"ken/internal/ask/find"
	"ken/internal/delivery/agenttext"
	"ken/internal/delivery/injection"
	"ken/internal/delivery/project"
	"ken/internal/engine/source"
	"ken/internal/engine/view"
	"ken/internal/operation"
	"ken/internal/token"
)

type mapInput struct {
	Focus     []string `arg:"[FOCUS…]" help:"files the map is drawn around"`
	Files     []string `flag:"focus" value:"FILE" help:"the same as an argument; repeatable"`
	Query     string   `flag:"query" value:"TEXT" help:"draw the map around what find finds for the text"`
	Budget    int      `flag:"budget" terminal:"yes" value:"N" default:"2000" help:"tokens the text may have"`
	Tokenizer string   `flag:"tokenizer" value:"NAME" enum:"cl100k,o200k,claude-estimate" default:"o200k" help:"how tokens are counted"`
}

type mapAnswer struct {
	Revision
	Tokenizer string    `json:"tokenizer" doc:"how tokens are counted"`
	Tokens    int       `json:"tokens" doc:"tokens of the map as text"`
	Total     int       `json:"total" doc:"files of the repository that have declarations"`
	Files     []MapFile `json:"files" paths:"yes" doc:"files with the declarations that fit the budget, most important first"`
	written   string
}

// MapFile is a file in a map, an overview of the most important declarations.
type MapFile struct {
	Path       operation.Path `json:"path" doc:"file"`
	Score      float64        `json:"score" doc:"share of all importance, to compare with others of this answer"`
	Dependents int            `json:"dependents" doc:"number of files that depend on it directly"`
	Symbols    []OutlineLine  `json:"symbols" doc:"its most important declarations in source order, with those around them"`
}

func mapTool() *Tool {
	return spec[mapInput, mapAnswer]{
		Name:  "map",
		Topic: operation.Ask, Rare: true, Logged: true,
		MCP:     operation.Offer{Set: "full", Place: 13},
		Summary: "the most important signatures of the repository within a budget",
		Long: "Files count by what depends on them, declarations by how many files use their names. With a focus or a query, what is near that\n" +
			"comes first. The budget is counted on the text, exactly; with --json too.",
		Example: []string{"map", "map --budget 4000", "map --focus src/api/server.ts", `map --query "token refresh" --budget 1000`},
		Run:     runMap,
		Text:    textMap,
	}.Tool()
}

func runMap(ctx context.Context, env *Env, in *mapInput, emit func(*mapAnswer) error) error {
	p, err := project.Open(env, operation.Existing)
	if err != nil {
		return err
	}
	counter, err := token.NewTokenizer(in.Tokenizer)
	if err != nil {
		return err
	}
	var a mapAnswer
	err = p.AskChecked(ctx, func(ctx context.Context, s *view.Snapshot) error {
		opt, err := mapOptions(ctx, p, s, in)
		if err != nil {
			return project.NotFound(err)
		}
		m, err := codemap.Map(ctx, s, opt)
		if err != nil {
			return err
		}
		a = mapAnswer{Revision: Revision{s.Rev()}, Tokenizer: counter.Name(), Total: m.Total}
		return a.fitText(m, in.Budget, counter, p.KnownSecrets())
	})
	return operation.Finish(&a, err, emit)
}

// mapOptions resolves the focus of the map, the files or symbols that it should centre on.
func mapOptions(ctx context.Context, p *project.Project, s *view.Snapshot, in *mapInput) (codemap.MapOptions, error) {
	// A line takes some twenty tokens, and some declarations of a file are shown.
	opt := codemap.MapOptions{Files: max(60, in.Budget/20), Focus: map[string]float64{}}
	for _, list := range [...][]string{in.Focus, in.Files} {
		for _, arg := range list {
			f, err := p.File(ctx, s, arg)
			if err != nil {
				return opt, err
			}
			opt.Focus[f.Path] = 1
		}
	}
	if in.Query == "" {
		return opt, nil
	}
	found, err := find.Find(ctx, s, in.Query, find.SearchOptions{Known: p.Pages(s).Known(in.Query)})
	if err != nil {
		return opt, err
	}
	if len(found.Files) == 0 {
		return opt, operation.Nothingf("no file fits the query")
	}
	for i := range found.Files {
		opt.Focus[found.Files[i].Path] += 1 / float64(2+i)
	}
	opt.Symbols = map[[2]string]bool{}
	for i := range found.Symbols {
		opt.Symbols[[2]string{found.Symbols[i].Path, found.Symbols[i].Name}] = true
	}
	return opt, nil
}

// fitText chooses how many declarations the text shows. The cost of one depends
// on the others shown, since it comes with its file and the declarations
// around it; so the number is found by bisection.
func (a *mapAnswer) fitText(m *codemap.CodeMap, budget int, counter *token.Tokenizer, known *source.Known) error {
	if len(m.Entries) == 0 {
		return operation.Nothingf("the repository has no declarations to map")
	}
	count := func(text []byte) int { // of the text as it is printed
		known.Mask(text)
		return counter.Count(text)
	}
	outlines := make([][]OutlineLine, len(m.Files)) // kept from one try to the next
	c := agenttext.Choice{
		Items: len(m.Entries), Budget: budget, Beyond: mapTries, Count: count,
		Render: func(n int) string { return mapText(topFiles(m, outlines, n)) },
	}
	text, tokens, n, err := c.Fit()
	if err != nil {
		return err
	}
	a.written, a.Tokens, a.Files = text, tokens, topFiles(m, outlines, n)
	return nil
}

// mapTries is the number of declarations that are tried after the first that does
// not fit, because a declaration more is not always more tokens.
const mapTries = 4

// topFiles returns the files of the first n entries with the entries and the
// declarations around them; outlines are cached outlines of the files.
func topFiles(m *codemap.CodeMap, outlines [][]OutlineLine, n int) []MapFile {
	picked := make([]map[int]bool, len(m.Files))
	var order []int
	for _, e := range m.Entries[:n] {
		if picked[e.File] == nil {
			picked[e.File] = map[int]bool{}
			order = append(order, e.File)
		}
		symbols := m.Files[e.File].Symbols
		for i := e.Symbol; i >= 0 && i < len(symbols); i = int(symbols[i].Parent) {
			picked[e.File][i] = true
		}
	}
	out := make([]MapFile, 0, len(order))
	for _, at := range order {
		f := &m.Files[at]
		row := MapFile{Path: operation.Path(f.Path), Score: f.Score, Dependents: int(f.Dependents)}
		if outlines[at] == nil {
			outlines[at] = outlineLines(f.Symbols)
			for i := range outlines[at] {
				l := &outlines[at][i]
				l.Signature = injection.Shown(l.Signature)
			}
		}
		for i, l := range outlines[at] {
			if picked[at][i] {
				row.Symbols = append(row.Symbols, l)
			}
		}
		out = append(out, row)
	}
	return out
}

// mapText returns the map as it is printed.
func mapText(files []MapFile) string {
	var b strings.Builder
	b.WriteString(agenttext.Notice + "\n")
	for i := range files {
		b.WriteString(operation.Escape(injection.Shown(string(files[i].Path))) + "\n")
		for _, s := range files[i].Symbols {
			b.WriteString(strings.Repeat("  ", s.Depth+1) + operation.Clip(operation.Escape(s.Signature)) + "\n")
		}
	}
	return b.String()
}

func textMap(t *operation.Text, _ *mapInput, a *mapAnswer) error {
	_, err := io.WriteString(t.Raw(), a.written)
	return err
}
