package op

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/engine"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
	"ken/internal/operation"
	"ken/internal/token"
)

type tokensInput struct {
	Files []string `arg:"FILE…" help:"files inside the project, indexed or not; directories: all indexed files below; - is standard input"`
}

// FileTokens is the size of a file.
type FileTokens struct {
	Path   operation.Path `json:"path" doc:"file; - for standard input"`
	CL100K int            `json:"cl100k_base" doc:"tokens in that encoding"`
	O200K  int            `json:"o200k_base" doc:"tokens in that encoding"`
	Lines  int            `json:"lines" doc:"lines"`
	Bytes  int64          `json:"bytes" doc:"bytes"`
}

type tokensAnswer struct {
	Revision
	Files operation.Rows[FileTokens] `json:"files" doc:"in the order asked for"`
}

func tokensTool() *Tool {
	return spec[tokensInput, tokensAnswer]{
		Name:  "tokens",
		Topic: operation.Ask, Rare: true,
		MCP:     operation.Offer{Set: "full", Place: 14},
		Summary: "exact token counts of files as they are on disk",
		Long:    "Text that spells a special token counts as ordinary text, bytes that are not UTF-8 as U+FFFD.\nNeeds no index; the revision is 0 without one.",
		Example: []string{"tokens README.md", "git diff | ken tokens -"},
		Run:     runTokens,
		Text:    textTokens,
	}.Tool()
}

func runTokens(ctx context.Context, env *Env, in *tokensInput, emit func(*tokensAnswer) error) error {
	p, err := project.Open(env, operation.Anywhere)
	if err != nil {
		return err
	}
	rev, err := indexRevision(ctx, p)
	if err != nil {
		return err
	}
	files, err := tokensFiles(ctx, p, in.Files)
	if err != nil {
		return err
	}
	var absent project.MissingFiles
	a := tokensAnswer{Revision: Revision{rev}}
	a.Files = func(yield func(FileTokens, error) bool) {
		for _, arg := range files {
			n, err := countTokens(ctx, p, env, arg)
			if err != nil {
				if err = absent.Add(addNearNames(ctx, p, err)); err == nil {
					continue
				}
			}
			row := FileTokens{Path: operation.Path(n.Path), CL100K: n.CL100K, O200K: n.O200K, Lines: n.Lines, Bytes: n.Bytes}
			if !yield(row, err) {
				return
			}
		}
	}
	if err := emit(&a); err != nil {
		return err
	}
	return absent.Err()
}

// tokensFiles returns the files that arguments name; the index is only
// needed for directories.
func tokensFiles(ctx context.Context, p *project.Project, args []string) (files []string, err error) {
	isDir := func(arg string) bool {
		rel, found, err := p.Locate(arg)
		return err == nil && found && p.IsDir(rel)
	}
	if !slices.ContainsFunc(args, isDir) {
		return args, nil
	}
	err = p.AskChecked(ctx, func(_ context.Context, s *view.Snapshot) error {
		files, err = p.WithDirectories(s, args, func(f *code.File) bool { return f.Problem != code.ProblemBinary })
		return err
	})
	return files, err
}

// indexRevision returns the revision of the index, 0 if there is none.
func indexRevision(ctx context.Context, p *project.Project) (rev code.Rev, err error) {
	err = p.Engine.Answer(ctx, engine.AsIndexed, func(_ context.Context, s *view.Snapshot) ([]string, error) {
		rev = s.Rev()
		return nil, nil
	})
	if errors.Is(err, store.ErrNoIndex) {
		return 0, nil
	}
	return rev, err
}

// maxStdin is the number of bytes of standard input that are counted.
const maxStdin = 256 << 20

func countTokens(ctx context.Context, p *project.Project, env *Env, arg string) (token.Size, error) {
	if arg != "-" {
		rel, err := p.Rel(arg)
		if err != nil {
			return token.Size{}, err
		}
		return p.Engine.Tokens(ctx, rel)
	}
	text, err := io.ReadAll(io.LimitReader(env.Stdin, maxStdin+1))
	switch {
	case err != nil:
		return token.Size{}, fmt.Errorf("read standard input: %w", err)
	case len(text) > maxStdin:
		return token.Size{}, code.Usagef("standard input is longer than %s", operation.Size(maxStdin))
	}
	n := token.CountText(text)
	n.Path = "-"
	return n, nil
}

func textTokens(t *operation.Text, in *tokensInput, a *tokensAnswer) error {
	rows := [][]string{{"o200k_base", "cl100k_base", "lines", "bytes", ""}}
	var sum FileTokens
	for f, err := range a.Files {
		if err != nil {
			return err
		}
		rows = append(rows, []string{
			operation.Group(f.O200K), operation.Group(f.CL100K), operation.Group(f.Lines), operation.Group(f.Bytes), string(f.Path),
		})
		sum.O200K, sum.CL100K, sum.Lines, sum.Bytes = sum.O200K+f.O200K, sum.CL100K+f.CL100K, sum.Lines+f.Lines, sum.Bytes+f.Bytes
	}
	if len(rows) == 1 {
		return nil
	}
	if len(rows) > 2 {
		rows = append(rows, []string{
			operation.Group(sum.O200K), operation.Group(sum.CL100K), operation.Group(sum.Lines), operation.Group(sum.Bytes), "total",
		})
	}
	t.Table("", 4, rows)
	return nil
}
