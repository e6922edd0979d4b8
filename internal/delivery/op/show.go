package op

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"ken/internal/ask/refs"
	"ken/internal/delivery/memories"
	"ken/internal/delivery/project"
	"ken/internal/engine/view"
	"ken/internal/operation"
)

type showInput struct {
	Target string `arg:"FILE|SYMBOL" key:"target" help:"file, or symbol as in def"`
	Source bool   `flag:"source" help:"with the source"`
	Limit  *int   `flag:"limit" value:"N" help:"symbols shown if several have the name; 0: all (default 3)"`
}

type showAnswer struct {
	Revision
	Files   []FileCard     `json:"files" paths:"yes" doc:"the file, if a file was asked for"`
	Symbols []SymbolCard   `json:"symbols" paths:"yes" doc:"the symbols, by path and line, if a name was asked for"`
	Total   int            `json:"total" doc:"number of files or symbols that have the name, also those --limit left out"`
	Known   []memories.Row `json:"memories,omitempty" doc:"what was decided and noted about their files"`
}

func showTool() *Tool {
	return spec[showInput, showAnswer]{
		Name:  "show",
		Topic: operation.Ask, Logged: true,
		MCP: operation.Offer{
			Set: "core", Place: 3,
			About: "Card of a file or symbol: purpose, signature, uses, dependents, tests. Use instead of opening a file.",
			Shown: "target=path, or name as in refs; source",
		},
		Summary: "card of a file or symbol: what it is, offers, needs, who uses and tests it",
		Example: []string{"show src/app.ts", "show Server.Start", "show Server.Start --source"},
		Run:     runShow,
		Text:    textShow,
	}.Tool()
}

// defaultCards is the number of symbols of the same name that show describes.
const defaultCards = 3

func runShow(ctx context.Context, env *Env, in *showInput, emit func(*showAnswer) error) error {
	p, err := project.Open(env, operation.Existing)
	if err != nil {
		return err
	}
	limit := defaultCards
	if in.Limit != nil {
		limit = *in.Limit
	}
	var a showAnswer
	err = p.AskShown(ctx, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		a = showAnswer{Revision: Revision{s.Rev()}}
		t, err := p.Target(ctx, s, in.Target)
		if nf, ok := project.AsNotFound(err); ok && nf.What == "file" {
			return []string{nf.Name}, err
		}
		if err != nil {
			return nil, err
		}
		paths, err := a.fill(ctx, p, s, t, limit)
		if err == nil && in.Source {
			err = a.addSource(ctx, s)
		}
		if err == nil {
			a.Known, err = memories.ForFiles(ctx, p, s, paths)
		}
		return paths, err
	})
	return operation.Finish(&a, project.NotFound(err), emit)
}

// fill makes the descriptions of files or symbols and returns the paths they show.
func (a *showAnswer) fill(ctx context.Context, p *project.Project, s *view.Snapshot, t view.Target, limit int) ([]string, error) {
	if t.File != "" {
		card, err := fileCard(ctx, s, t.File)
		if err == nil {
			page := p.PageOf(t.File)
			card.Type = cmp.Or(page.Type(t.File), card.Type)
			card.Purpose, err = page.Purpose(ctx, s, t.File, card.Purpose)
		}
		a.Files, a.Total = []FileCard{card}, 1
		return []string{t.File}, err
	}
	a.Total = len(t.Symbols)
	list := firstN(t.Symbols, &limit)
	used, err := refs.Each(ctx, s, list)
	if err != nil {
		return nil, err
	}
	for i := range list {
		card, err := symbolCard(ctx, s, &list[i], &used[i])
		if err != nil {
			return nil, err
		}
		a.Symbols = append(a.Symbols, card)
	}
	return symbolPaths(list), nil
}

// addSource adds the source of the file or symbols.
func (a *showAnswer) addSource(ctx context.Context, s *view.Snapshot) error {
	for i := range a.Files {
		text, err := s.Text(ctx, string(a.Files[i].Path))
		if err != nil {
			return err
		}
		a.Files[i].Source = string(text)
	}
	for i := range a.Symbols {
		c := &a.Symbols[i]
		text, err := s.Text(ctx, string(c.Path))
		if err != nil {
			return err
		}
		lines := strings.SplitAfter(string(text), "\n")
		from, to := min(int(c.Line)-1, len(lines)), min(int(c.EndLine), len(lines))
		c.Source = strings.Join(lines[from:max(from, to)], "")
	}
	return nil
}

// writeSource writes the lines of a source with their numbers, the first of which is given.
func writeSource(t *operation.Text, source string, first int) {
	if source == "" {
		return
	}
	t.Heading("source")
	for i, line := range strings.Split(strings.TrimSuffix(source, "\n"), "\n") {
		parts := strings.Split(strings.TrimSuffix(line, "\r"), "\t") // tabs are no danger to a terminal
		for k := range parts {
			parts[k] = operation.Escape(parts[k])
		}
		t.Printf("%d  %s\n", first+i, operation.Styled(strings.Join(parts, "\t")))
	}
}

func textShow(t *operation.Text, _ *showInput, a *showAnswer) error {
	for i := range a.Files {
		writeFileCard(t, &a.Files[i])
		writeSource(t, a.Files[i].Source, 1)
	}
	for i := range a.Symbols {
		if i > 0 {
			t.Line("")
		}
		same := slices.IndexFunc(a.Symbols[:i], func(c SymbolCard) bool { return c.hasUsesOf(&a.Symbols[i]) })
		if same < 0 {
			writeSymbolCard(t, &a.Symbols[i], "")
		} else {
			writeSymbolCard(t, &a.Symbols[i], pathLine(a.Symbols[same].Path, a.Symbols[same].Line))
		}
		writeSource(t, a.Symbols[i].Source, int(a.Symbols[i].Line))
	}
	t.More("", a.Total-len(a.Files)-len(a.Symbols))
	memories.WriteRows(t, a.Known)
	return nil
}
