package tasks

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"ken/internal/ask/find"
	"ken/internal/delivery/injection"
	"ken/internal/delivery/tasks/targets"
	"ken/internal/engine/view"
	"ken/internal/operation"
)

// Bounds of what the beginning of a task shows of the declarations that its request is about.
const (
	maxLikely          = 3
	maxLikelyPlaces    = 4   // files that use one, and tests, each
	maxLikelySignature = 160 // bytes
)

type likelyRow struct {
	Path       operation.Path `json:"file" doc:"file"`
	Symbol     string         `json:"symbol" doc:"declaration"`
	Line       int            `json:"line" doc:"its first line"`
	Signature  string         `json:"signature" doc:"how it is declared, secrets masked"`
	Dependents int            `json:"dependents" doc:"files that depend on it directly"`
	Places     []string       `json:"places,omitempty" doc:"what uses it and has to be read, as get_function_at_line takes it"`
	Tests      []string       `json:"tests,omitempty" doc:"tests that use it"`
}

// likelyTargets returns the declarations that the request of a task is most likely about, with what has to be read before they are changed,
// so that the first steps need no search. It fails if the index cannot be read.
func (w *taskCall) likelyTargets(ctx context.Context) (out []likelyRow, err error) {
	names, err := w.namedDeclarations(ctx)
	if err != nil {
		return nil, err
	}
	found, err := find.Find(ctx, w.s, w.task.Query, find.SearchOptions{Limit: maxLikely, Symbols: 2 * maxLikely})
	if err != nil {
		return nil, err
	}
	for i := range found.Symbols {
		names = append(names, found.Symbols[i].Path+":"+found.Symbols[i].Name)
	}
	seen := map[string]bool{}
	for _, name := range names {
		list, err := w.newFinder().Find(ctx, []string{name})
		if err != nil {
			return nil, err
		}
		g := &list[0]
		if len(g.Candidates) > 0 || g.Symbol == "" || seen[g.Key()] {
			continue
		}
		seen[g.Key()] = true
		defs, err := w.s.Definitions(ctx, name)
		if err != nil {
			return nil, err
		}
		y := &defs[len(defs)-1] // of overloads the last one has the body
		row := likelyRow{
			Path: w.p.Path(g.Path), Symbol: g.Symbol, Line: int(y.Span.Line), Dependents: g.Dependents, Tests: g.Tests[:min(len(g.Tests), maxLikelyPlaces)],
			Signature: clipLine(injection.Shown(w.p.Engine.Hide(y.Signature)), maxLikelySignature),
		}
		for k := range g.Callers[:min(len(g.Callers), maxLikelyPlaces)] {
			row.Places = append(row.Places, g.Callers[k].Place())
		}
		if out = append(out, row); len(out) == maxLikely {
			break
		}
	}
	return out, nil
}

// nameWord matches a word of a request that can be the name of a declaration, alone or with that of what is around it.
var nameWord = regexp.MustCompile(`[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*`)

// maxNameWords is the number of words of a request that are looked up as names.
const maxNameWords = 40

// namedDeclarations returns the declarations outside of tests whose names are words of the request and mean nothing else. It fails if the
// index cannot be read.
func (w *taskCall) namedDeclarations(ctx context.Context) (out []string, err error) {
	words := nameWord.FindAllString(w.task.Query, maxNameWords)
	for _, word := range words {
		if len(word) < minNameWord {
			continue
		}
		defs, err := w.s.Definitions(ctx, word)
		if err != nil {
			if ignoreNotFound(err) != nil {
				return nil, err
			}
			continue
		}
		defs = slices.DeleteFunc(defs, func(y view.Symbol) bool {
			n, _ := w.s.Lookup.Node(y.Path)
			return n.Test || y.Qualified != y.Name && y.Name == word
		})
		if places := targets.Places(defs); len(places) == 1 {
			out = append(out, places[0].Path+":"+places[0].Symbol)
		}
	}
	return out, nil
}

// minNameWord is the length from which a word is looked up as a name.
const minNameWord = 4

// show adds a row to a text.
func (r *likelyRow) show(t *operation.Text) {
	t.Line("likely target %s:%s  line %d, %s  %s", r.Path, r.Symbol, r.Line, operation.Plural(r.Dependents, "dependent"), r.Signature)
	for _, part := range []struct {
		title string
		list  []string
	}{{"to be read", r.Places}, {"tests", r.Tests}} {
		if len(part.list) > 0 {
			t.Line("  %s: %s", part.title, strings.Join(part.list, " "))
		}
	}
}
