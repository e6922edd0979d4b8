package tool

import (
	"context"
	"fmt"

	"ken/internal/engine"
)

type defInput struct {
	Name  string `arg:"NAME" help:"name; Type.method, pkg.Name and path:Name narrow"`
	Limit *int   `flag:"limit" value:"N" help:"symbols listed; 0: all (default 100 in text, all in JSON)"`
}

type defAnswer struct {
	Revision
	Symbols []Symbol `json:"symbols" paths:"yes" doc:"definitions, by path and line"`
	Total   int      `json:"total" doc:"number of definitions, also those --limit left out"`
}

func defTool() *Tool {
	return spec[defInput, defAnswer]{
		name:    "def",
		summary: "where a name is defined",
		example: []string{"def createApp", "def Server.Start", "def internal/app:Program"},
		run:     runDef,
		text:    textDef,
	}.tool()
}

func runDef(ctx context.Context, env *Env, in *defInput, emit func(*defAnswer) error) error {
	p, err := env.open(Existing)
	if err != nil {
		return err
	}
	var a defAnswer
	err = p.askShown(ctx, func(ctx context.Context, s *engine.Snapshot) ([]string, error) {
		a = defAnswer{Revision: Revision{s.Rev()}}
		found, err := s.Find(ctx, p.name(in.Name))
		if err != nil {
			return nil, err
		}
		a.Total = len(found)
		a.Symbols = symbolRows(cut(found, in.Limit))
		return symbolPaths(found), nil
	})
	return finish(&a, notFound(err), emit)
}

func textDef(t *Text, in *defInput, a *defAnswer) error {
	list := shown(a.Symbols, in.Limit)
	for i := range list {
		t.symbol(&list[i])
	}
	t.more("", a.Total-len(list))
	return nil
}

// symbol writes a declaration on one line.
func (t *Text) symbol(s *Symbol) {
	t.line("%s  %s  %s", t.bold(at(s.Path, s.Line)), t.dim(s.Kind), inContext(s))
}

// inContext is the signature, after the name of what encloses it if it does not tell.
func inContext(s *Symbol) string {
	if s.Qualified == s.Name {
		return s.Signature
	}
	return s.Qualified + ": " + s.Signature
}

// at is "path:line".
func at(p Path, line uint32) string { return fmt.Sprintf("%s:%d", p, line) }
