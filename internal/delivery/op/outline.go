package op

import (
	"context"
	"strings"

	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/operation"

	"ken/internal/engine/view"
)

type outlineInput struct {
	Files []string `arg:"FILE…" help:"files to outline, and directories: all files below that declare something"`
	Lines bool     `flag:"lines" help:"with line numbers"`
}

// Outline lists the declarations of a file without their bodies.
type Outline struct {
	Path     operation.Path `json:"path" doc:"file"`
	Language string         `json:"language" doc:"language, empty if not known"`
	Lines    uint32         `json:"lines" doc:"lines of the file"`
	O200K    uint32         `json:"o200k_base" doc:"tokens of the file in that encoding"`
	Problem  string         `json:"problem,omitempty" doc:"why the file was not read whole; as in status"`
	Symbols  []OutlineLine  `json:"symbols" doc:"declarations in source order"`
}

// OutlineLine is a declaration in an outline.
type OutlineLine struct {
	Name      string `json:"name" doc:"its own name"`
	Qualified string `json:"qualified" doc:"with the names of the declarations around it"`
	Kind      string `json:"kind" doc:"as in def"`
	Signature string `json:"signature" doc:"the declaration on one line, without body"`
	Depth     int    `json:"depth" doc:"number of declarations around it"`
	Line      uint32 `json:"line" doc:"first line"`
	EndLine   uint32 `json:"end_line" doc:"last line"`
	Start     uint32 `json:"start" doc:"first byte"`
	End       uint32 `json:"end" doc:"byte after the last"`
	Exported  bool   `json:"exported" doc:"visible outside its file or package"`
}

type outlineAnswer struct {
	Revision
	Files []Outline `json:"files" paths:"yes" doc:"in the order asked for"`
}

func outlineTool() *Tool {
	return spec[outlineInput, outlineAnswer]{
		Name:  "outline",
		Topic: operation.Ask, Rare: true, Logged: true,
		MCP:     operation.Offer{Set: "full", Place: 2},
		Summary: "signatures of a file in source order, bodies gone",
		Example: []string{"outline src/app.ts", "outline --lines internal/app/app.go", "outline internal/app"},
		Run:     runOutline,
		Text:    textOutline,
	}.Tool()
}

func runOutline(ctx context.Context, env *Env, in *outlineInput, emit func(*outlineAnswer) error) error {
	p, err := project.Open(env, operation.Existing)
	if err != nil {
		return err
	}
	var a outlineAnswer
	var absent project.MissingFiles
	err = p.AskShown(ctx, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		a, absent = outlineAnswer{Revision: Revision{s.Rev()}}, project.MissingFiles{}
		var paths []string
		var gone error
		args, err := p.WithDirectories(s, in.Files, func(f *code.File) bool { return f.Symbols > 0 })
		if err != nil {
			return nil, err
		}
		for _, arg := range args {
			o, err := newOutline(ctx, p, s, arg)
			if nf, ok := project.AsNotFound(err); ok {
				gone = err
				paths = append(paths, nf.Name)
			}
			if err != nil {
				if err := absent.Add(err); err != nil {
					return paths, err
				}
				continue
			}
			paths = append(paths, string(o.Path))
			a.Files = append(a.Files, o)
		}
		return paths, gone
	})
	if absent.Err() != nil {
		err = absent.Err()
	}
	return operation.Finish(&a, err, emit)
}

func newOutline(ctx context.Context, p *project.Project, s *view.Snapshot, arg string) (Outline, error) {
	f, err := p.File(ctx, s, arg)
	if err != nil {
		return Outline{}, err
	}
	symbols, err := s.Symbols(ctx, f.Path)
	if err != nil {
		return Outline{}, err
	}
	return Outline{
		Path: operation.Path(f.Path), Language: string(f.Lang), Lines: f.Lines, O200K: f.O200K, Problem: string(f.Problem), Symbols: outlineLines(symbols),
	}, nil
}

func outlineLines(list []view.Symbol) []OutlineLine {
	out := make([]OutlineLine, len(list))
	for i := range list {
		out[i] = outlineLine(&list[i].Symbol)
		if p := int(list[i].Parent); p >= 0 && p < i {
			out[i].Depth = out[p].Depth + 1
		}
	}
	return out
}

func outlineLine(s *code.Symbol) OutlineLine {
	return OutlineLine{
		Name: s.Name, Qualified: s.Qualified, Kind: s.Kind.String(), Signature: s.Signature, Exported: s.Exported,
		Line: s.Span.Line, EndLine: s.Span.EndLine, Start: s.Span.Start, End: s.Span.End,
	}
}

func textOutline(t *operation.Text, in *outlineInput, a *outlineAnswer) error {
	for i := range a.Files {
		o := &a.Files[i]
		if len(a.Files) > 1 {
			if i > 0 {
				t.Line("")
			}
			t.Line("%s", t.Bold(string(o.Path)))
		}
		if o.Problem != "" {
			t.Line("not read whole: %s", o.Problem)
		}
		writeOutlineLines(t, o.Symbols, in.Lines)
	}
	return nil
}

func writeOutlineLines(t *operation.Text, list []OutlineLine, numbers bool) {
	for i := range list {
		s := &list[i]
		if numbers {
			t.Printf("%d\t", s.Line)
		}
		t.Line("%s%s", strings.Repeat("  ", s.Depth), s.Signature)
	}
}
