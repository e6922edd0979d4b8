package op

import (
	"context"
	"fmt"

	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/operation"

	"ken/internal/ask/grep"
	"ken/internal/engine/view"
)

type patternInput struct {
	Function  string `flag:"function" value:"REGEX" help:"name of a function or method"`
	Type      string `flag:"type" value:"REGEX" help:"name of a class, interface or other type"`
	Export    string `flag:"export" value:"REGEX" help:"name of something exported"`
	Import    string `flag:"import" value:"REGEX" help:"specifier the file imports"`
	Signature string `flag:"signature" value:"REGEX" help:"part of a signature"`
	Limit     *int   `flag:"limit" value:"N" help:"matches listed; 0: all (default 100 in text, all in JSON)"`
}

// Match is a symbol that matches a pattern, or a file whose import does.
type Match struct {
	Path      operation.Path `json:"path" doc:"file"`
	Line      uint32         `json:"line,omitempty" doc:"first line of the symbol"`
	EndLine   uint32         `json:"end_line,omitempty" doc:"last line"`
	Start     uint32         `json:"start" doc:"first byte"`
	End       uint32         `json:"end" doc:"byte after the last"`
	Name      string         `json:"name,omitempty" doc:"name of the symbol"`
	Qualified string         `json:"qualified,omitempty" doc:"with the names of the declarations around it"`
	Kind      string         `json:"kind,omitempty" doc:"as in def; missing for a re-exported name"`
	Signature string         `json:"signature,omitempty" doc:"the declaration on one line"`
	Import    string         `json:"import,omitempty" doc:"the specifier that matched --import"`
	Relevance float64        `json:"relevance" doc:"0 to 1: a whole name counts 1, a part ½, a signature 1, averaged; an import alone 0.7"`
}

type patternAnswer struct {
	Revision
	Matches []Match `json:"matches" paths:"yes" doc:"most relevant first, then by path and byte"`
}

func patternTool() *Tool {
	return spec[patternInput, patternAnswer]{
		Name:  "pattern",
		Topic: operation.Ask, Rare: true, Logged: true,
		MCP:     operation.Offer{Set: "full", Place: 11},
		Summary: "find symbols by regular expressions on name, export, import or signature",
		Long:    "Give at least one; all that are given must match. Regular expressions are RE2 and match anywhere.",
		Example: []string{`pattern --function '^use[A-Z]' --export .`, `pattern --signature ':\s*Promise<'`, `pattern --import '^react$' --type Props`},
		Run:     runPattern,
		Text:    textPattern,
	}.Tool()
}

func runPattern(ctx context.Context, env *Env, in *patternInput, emit func(*patternAnswer) error) error {
	p, err := project.Open(env, operation.Existing)
	if err != nil {
		return err
	}
	q := view.PatternQuery{Function: in.Function, Type: in.Type, Export: in.Export, Import: in.Import, Signature: in.Signature}
	if in.Limit != nil {
		q.Limit = *in.Limit
	}
	var a patternAnswer
	err = p.AskChecked(ctx, func(ctx context.Context, s *view.Snapshot) error {
		a.Revision.Revision = s.Rev()
		found, err := grep.Pattern(ctx, s, q)
		a.Matches = nil
		for i := range found {
			a.Matches = append(a.Matches, matchRow(&found[i]))
		}
		return err
	})
	if err == nil && len(a.Matches) == 0 {
		err = operation.Nothingf("nothing matches the pattern")
	}
	return operation.Finish(&a, err, emit)
}

func matchRow(m *view.PatternMatch) Match {
	row := Match{Path: operation.Path(m.Path), Import: m.Import, Relevance: m.Relevance}
	if s := m.Symbol; s != nil {
		row.Line, row.EndLine, row.Start, row.End = s.Span.Line, s.Span.EndLine, s.Span.Start, s.Span.End
		row.Name, row.Qualified, row.Signature = s.Name, s.Qualified, s.Signature
		if s.Kind != code.KindUnknown {
			row.Kind = s.Kind.String()
		}
	}
	return row
}

func textPattern(t *operation.Text, in *patternInput, a *patternAnswer) error {
	list := cutForText(a.Matches, in.Limit)
	for i := range list {
		m := &list[i]
		switch {
		case m.Line > 0:
			signature := qualifiedSignature(&Symbol{Name: m.Name, Qualified: m.Qualified, Signature: m.Signature})
			t.Printf("%s  %s  %s", t.Bold(pathLine(m.Path, m.Line)), t.Dim(m.Kind), signature)
		case m.Name != "":
			t.Printf("%s  exports %s", t.Bold(string(m.Path)), m.Name)
		default:
			t.Printf("%s", t.Bold(string(m.Path)))
		}
		if m.Import != "" {
			t.Printf("  imports %s", m.Import)
		}
		t.Line("  %s", t.Dim(formatRelevance(m.Relevance)))
	}
	if in.Limit == nil {
		t.More("", len(a.Matches)-len(list))
	}
	return nil
}

func formatRelevance(r float64) string { return fmt.Sprintf("[%.6g]", r) }
