package op

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ken/internal/ask/refs"
	"ken/internal/ask/unused"
	"ken/internal/code"
	"ken/internal/delivery/injection"
	"ken/internal/delivery/render"
	"ken/internal/engine/view"
	"ken/internal/operation"
)

// SymbolCard is the answer of show about a symbol.
type SymbolCard struct {
	Symbol
	Doc           string         `json:"doc,omitempty" doc:"doc comment, at most 1024 bytes"`
	Params        []Param        `json:"parameters" doc:"in source order"`
	Returns       string         `json:"returns,omitempty" doc:"return type as written"`
	Members       []OutlineLine  `json:"members" doc:"declarations inside it, in source order"`
	UnparsedLines []uint32       `json:"unparsed_lines,omitempty" doc:"lines inside it that could not be parsed and hold names, so that it may use more than callees lists"`
	References    int            `json:"references" doc:"number of references to it"`
	Confidences   map[string]int `json:"confidences" doc:"number of references by verdict"`
	ResolvedShare float64        `json:"resolved_share" doc:"share (0 to 1) of all references with the name that could be decided"`
	Dropped       int            `json:"dropped" doc:"uses of the name that mean something else, as in refs"`
	Settled       bool           `json:"settled" doc:"the references are complete, as in refs"`
	Absence       *render.Unused `json:"absence,omitempty" doc:"how far finding no reference can be trusted; left out if one was found"`
	Source        string         `json:"source,omitempty" doc:"with --source: its lines, secrets masked"`
	Callers       []Caller       `json:"callers" doc:"symbols and files that use it, tests left out, by path and line"`
	Tests         []Caller       `json:"tests" doc:"symbols and files of tests that use it, by path and line"`
}

// Param is a parameter.
type Param struct {
	Name     string `json:"name" doc:"name"`
	Type     string `json:"type,omitempty" doc:"type as written"`
	Optional bool   `json:"optional" doc:"may be left out"`
	Default  string `json:"default,omitempty" doc:"default value as written"`
}

// Caller is a symbol that uses another one, or a file that uses it outside of any symbol.
type Caller struct {
	Path       operation.Path `json:"path" doc:"file"`
	Line       uint32         `json:"line" doc:"line of the first use in it"`
	Name       string         `json:"name,omitempty" doc:"qualified name of the symbol"`
	Uses       int            `json:"uses" doc:"number of references in it"`
	Confidence string         `json:"confidence" doc:"of the surest of them"`
	Through    string         `json:"through,omitempty" doc:"the member that the surest is bound to, which the symbol overrides or implements"`
}

func symbolCard(ctx context.Context, s *view.Snapshot, sym *view.Symbol, all *view.References) (SymbolCard, error) {
	c := SymbolCard{Symbol: symbolRow(sym), Doc: injection.Shown(sym.Doc), Returns: sym.Returns, Confidences: map[string]int{}}
	for _, p := range sym.Params {
		c.Params = append(c.Params, Param(p))
	}
	members, err := s.Members(sym)
	if err != nil {
		return c, err
	}
	for i := range members {
		line := outlineLine(&members[i].Symbol)
		line.Depth = members[i].Depth
		c.Members = append(c.Members, line)
	}
	if c.UnparsedLines, err = refs.UnparsedLines(ctx, s, sym); err != nil {
		return c, err
	}
	c.References, c.ResolvedShare, c.Dropped = len(all.List), all.ResolvedShare, all.DroppedCount()
	if c.References == 0 {
		absence, err := unused.Symbols(ctx, s, []view.Symbol{*sym}, all, nil)
		c.Absence = render.NewUnused(absence)
		return c, err
	}
	doubt, err := unused.FirstDoubt(ctx, s, []view.Symbol{*sym}, all)
	if err != nil {
		return c, err
	}
	c.Settled = doubt == nil
	return c, c.fillCallers(ctx, s, all.List)
}

// fillCallers gathers references by the symbol around them. The list must be
// sorted by path and place, and so are the callers.
func (c *SymbolCard) fillCallers(ctx context.Context, s *view.Snapshot, refs []view.Reference) error {
	type key struct{ path, in string }
	at := map[key]*Caller{}
	var order []key
	for i := range refs {
		r := &refs[i]
		c.Confidences[r.Verdict()]++
		k := key{r.Path, r.In}
		if at[k] == nil {
			at[k] = &Caller{Path: operation.Path(r.Path), Line: r.Line, Name: r.In, Confidence: r.Confidence.String(), Through: r.Through}
			order = append(order, k)
		}
		at[k].Uses++
		if r.Confidence > parseConfidence(at[k].Confidence) {
			at[k].Confidence, at[k].Through = r.Confidence.String(), r.Through
		}
	}
	tests := map[string]bool{}
	for _, k := range order {
		test, known := tests[k.path]
		if !known {
			f, err := s.File(ctx, k.path)
			if err != nil {
				return err
			}
			test = f.Flags&code.FlagTest != 0
			tests[k.path] = test
		}
		if test {
			c.Tests = append(c.Tests, *at[k])
		} else {
			c.Callers = append(c.Callers, *at[k])
		}
	}
	return nil
}

// memberLimit is the number of members that text shows.
const memberLimit = 50

// hasUsesOf reports whether the references of two symbols are the same, as those of overloads are that no call tells apart.
func (c *SymbolCard) hasUsesOf(o *SymbolCard) bool {
	type counts struct {
		references, dropped int
		settled             bool
	}
	if c.References == 0 || (counts{c.References, c.Dropped, c.Settled} != counts{o.References, o.Dropped, o.Settled}) {
		return false
	}
	return maps.Equal(c.Confidences, o.Confidences) && slices.Equal(c.Callers, o.Callers) && slices.Equal(c.Tests, o.Tests)
}

// writeSymbolCard writes a card. If its references are those of another one, place is the place of that.
func writeSymbolCard(t *operation.Text, c *SymbolCard, place string) {
	t.Line("%s  %s %s  %s", t.Bold(c.Qualified), exportedWord(c.Exported), c.Kind, pathLine(c.Path, c.Line))
	t.Line("  %s", c.Signature)
	if c.Doc != "" {
		t.Paragraph("  ", firstLines(c.Doc))
	}
	if n := len(c.UnparsedLines); n > 0 {
		first := strings.Trim(fmt.Sprint(c.UnparsedLines[:min(n, docLines)]), "[]")
		more := ""
		if n > docLines {
			more = fmt.Sprintf(" and %d more", n-docLines)
		}
		t.Line("  not parsed inside: line %s%s", strings.ReplaceAll(first, " ", ", "), more)
	}
	if n := len(c.Members); n > 0 {
		t.Heading("%s", operation.Plural(n, "member"))
		writeFirst(t, n, memberLimit, func(i int) {
			m := &c.Members[i]
			t.Line("  %d  %s%s", m.Line, strings.Repeat("  ", m.Depth), operation.Clip(m.Signature))
		})
	}
	if c.References == 0 {
		t.Line("")
		render.WriteUnused(t, c.Absence)
		return
	}
	if place != "" {
		t.Heading("%s, the same as of %s", operation.Plural(c.References, "reference"), place)
		return
	}
	t.Heading("%s: %s%s", operation.Plural(c.References, "reference"), byTier(c.Confidences), render.CompletenessRemark(c.Dropped, c.Settled))
	writeCallerLines(t, c.Callers)
	if n := len(c.Tests); n > 0 {
		t.Heading("used by %s", operation.Plural(n, "test"))
		writeCallerLines(t, c.Tests)
	}
}

// docLines is the number of lines of a doc comment that text shows.
const docLines = 10

// firstLines returns the beginning of a doc comment, with a mark if it is cut.
func firstLines(doc string) string {
	lines := strings.Split(doc, "\n")
	if len(lines) <= docLines {
		return doc
	}
	return strings.TrimRight(strings.Join(lines[:docLines], "\n"), " \n") + " …"
}

func exportedWord(yes bool) string {
	if yes {
		return "exported"
	}
	return "internal"
}

func writeCallerLines(t *operation.Text, list []Caller) {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Caller) int { return compareConfidence(a.Confidence, b.Confidence) })
	sure := slices.IndexFunc(list, func(c Caller) bool { return c.Confidence == code.Ambiguous.String() })
	if sure < 0 {
		sure = len(list)
	}
	writeFirst(t, len(list), min(cardLimit, sure+maxAmbiguous), func(i int) {
		c := &list[i]
		t.Printf("  %s", pathLine(c.Path, c.Line))
		if c.Name != "" {
			t.Printf("  %s", c.Name)
		}
		if c.Uses > 1 {
			t.Printf("  %d×", c.Uses)
		}
		if c.Through != "" {
			t.Line("  %s", t.Dim("["+view.VerdictThrough+" "+c.Through+"]"))
			return
		}
		t.Line("%s", markUnsure(t, c.Confidence))
	})
}
