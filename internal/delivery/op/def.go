package op

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/operation"

	"ken/internal/engine/view"
)

type defInput struct {
	Name  string `arg:"NAME" help:"name; Type.method, pkg.Name and path:Name narrow"`
	Kind  string `flag:"kind" value:"KIND" help:"only declarations of this kind: function, method, class, …"`
	Limit *int   `flag:"limit" value:"N" help:"symbols listed; 0: all (default 100 in text, all in JSON)"`
}

type defAnswer struct {
	Revision
	Symbols []Symbol `json:"symbols" paths:"yes" doc:"definitions, by path and line"`
	Total   int      `json:"total" doc:"number of definitions, also those --limit left out"`
}

func defTool() *Tool {
	return spec[defInput, defAnswer]{
		Name:  "def",
		Topic: operation.Ask, Rare: true, Logged: true,
		MCP:     operation.Offer{Set: "full", Place: 3},
		Summary: "where a name is defined",
		Example: []string{"def createApp", "def Server.Start", "def internal/app:Program", "def parse --kind function"},
		Run:     runDef,
		Text:    textDef,
	}.Tool()
}

func runDef(ctx context.Context, env *Env, in *defInput, emit func(*defAnswer) error) error {
	if _, ok := code.ParseKind(in.Kind); in.Kind != "" && !ok {
		return code.Usagef("there is no kind %q; the kinds are %s", in.Kind, strings.Join(code.KindNames(), ", "))
	}
	p, err := project.Open(env, operation.Existing)
	if err != nil {
		return err
	}
	var a defAnswer
	err = p.AskShown(ctx, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		a = defAnswer{Revision: Revision{s.Rev()}}
		found, err := s.Definitions(ctx, p.SymbolName(in.Name))
		if err != nil {
			return nil, err
		}
		if in.Kind != "" {
			found = slices.DeleteFunc(found, func(s view.Symbol) bool { return s.Kind.String() != in.Kind })
		}
		a.Total = len(found)
		a.Symbols = symbolRows(firstN(found, in.Limit))
		return symbolPaths(found), nil
	})
	if err == nil && a.Total == 0 {
		err = operation.Nothingf("no %s %s", in.Kind, operation.Quote(in.Name))
	}
	return operation.Finish(&a, project.NotFound(err), emit)
}

func textDef(t *operation.Text, in *defInput, a *defAnswer) error {
	list := cutForText(a.Symbols, in.Limit)
	for i := range list {
		writeSymbol(t, &list[i])
	}
	t.More("", a.Total-len(list))
	return nil
}

// writeSymbol writes a declaration on one line.
func writeSymbol(t *operation.Text, s *Symbol) {
	t.Line("%s  %s  %s", t.Bold(pathLine(s.Path, s.Line)), t.Dim(s.Kind), qualifiedSignature(s))
}

// qualifiedSignature returns the signature of a declaration, after its qualified
// name if it is inside another one.
func qualifiedSignature(s *Symbol) string {
	if s.Qualified == s.Name {
		return s.Signature
	}
	return s.Qualified + ": " + s.Signature
}

// pathLine returns "path:line".
func pathLine(p operation.Path, line uint32) string { return fmt.Sprintf("%s:%d", p, line) }
