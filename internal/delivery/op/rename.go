package op

import (
	"context"
	"fmt"
	"strings"

	"ken/internal/ask/refs"
	"ken/internal/ask/rename"
	"ken/internal/ask/unused"
	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/engine/view"
	"ken/internal/operation"
)

type renameInput struct {
	Old    string `arg:"OLD" help:"name of one declaration; Type.method, pkg.Name and path:Name narrow"`
	New    string `arg:"NEW" help:"its new name, without what narrows it"`
	Unsure bool   `flag:"unsure" help:"the patch changes the unsure places too"`
}

// RenamePlace is an occurrence of a name that the rename must change.
type RenamePlace struct {
	Path       operation.Path `json:"path" doc:"file"`
	Line       uint32         `json:"line" doc:"line of the name"`
	Start      uint32         `json:"start" doc:"first byte of the name"`
	End        uint32         `json:"end" doc:"byte after the name"`
	Kind       string         `json:"kind" doc:"definition, import, export, or the kind of the reference"`
	Confidence string         `json:"confidence" doc:"as in refs"`
	Through    string         `json:"through,omitempty" doc:"the member it is bound to, which is renamed with the target"`
	Unsure     string         `json:"unsure,omitempty" doc:"why it may have to stay as it is; left out if it is sure"`
	LineText   string         `json:"line_text" doc:"its line, every secret masked"`
}

type renameAnswer struct {
	Revision
	Places    []RenamePlace `json:"places" paths:"yes" doc:"what the rename must touch, by path and byte"`
	Sure      int           `json:"sure" doc:"number of places that are sure"`
	Targets   []Symbol      `json:"symbols" doc:"the declarations that are renamed together: with overloads, constructors and the members that override or implement each other"`
	Conflicts []Symbol      `json:"conflicts" doc:"declarations beside them that have the new name already"`
	Doubt     string        `json:"doubt,omitempty" doc:"why there may be more places than these; left out if it is proven that there are none"`
	Patch     string        `json:"patch" doc:"a patch without context that changes the sure places, with --unsure all"`
}

func renameTool() *Tool {
	return spec[renameInput, renameAnswer]{
		Name:  "rename",
		Topic: operation.ChangeSafely, Logged: true,
		MCP:     operation.Offer{Set: "full", Place: 7},
		Summary: "every place a rename must touch, as a patch for git apply",
		Long: "Nothing is written: the output is a patch without context lines, for \"git apply --unidiff-zero\". Declarations, overloads,\n" +
			"members that override or implement each other, references, imports and exports are renamed together. Places that are bound\n" +
			"by their name alone, or that belong to a member of a type outside the repository, are unsure: they are listed above the\n" +
			"patch, after \"#\", and the patch leaves them alone without --unsure. A line that holds a masked value is never in it.\n" +
			"Comments and strings are not looked at, nor names of files, but that of the file of a public type in Java is changed with it.",
		Example: []string{"rename Store.Read Fetch", "rename Store.Read Fetch | git apply --unidiff-zero", "rename src/db.ts:open connect --unsure"},
		Run:     runRename,
		Text:    textRename,
	}.Tool()
}

func runRename(ctx context.Context, env *Env, in *renameInput, emit func(*renameAnswer) error) error {
	if !rename.IsName(in.New) {
		return code.Usagef("%s is not a name that code can declare", operation.Quote(in.New))
	}
	p, err := project.Open(env, operation.Existing)
	if err != nil {
		return err
	}
	var a renameAnswer
	err = p.AskChecked(ctx, func(ctx context.Context, s *view.Snapshot) error {
		a = renameAnswer{Revision: Revision{s.Rev()}}
		targets, err := s.Definitions(ctx, p.SymbolName(in.Old))
		if err != nil {
			return err
		}
		targets = rename.TopLevel(targets, in.Old)
		if targets[0].Name == in.New {
			return code.Usagef("%s has that name", operation.Quote(in.Old))
		}
		found, err := rename.Places(ctx, s, targets, in.New)
		if err != nil {
			return err
		}
		if n := len(found.Apart); n > 0 {
			return code.Usagef("%s means %s that do not go together, as %s and %s: narrow it by type or path", operation.Quote(in.Old),
				operation.Plural(n+len(found.Targets), "definition"), declarationPlace(&found.Targets[0]), declarationPlace(&found.Apart[0]))
		}
		if err := a.fillDoubt(ctx, s, &found); err != nil {
			return err
		}
		return a.fill(&found, in)
	})
	return operation.Finish(&a, project.NotFound(err), emit)
}

// declarationPlace returns the place of a declaration for an error text.
func declarationPlace(s *view.Symbol) string {
	return fmt.Sprintf("%s (%s:%d)", operation.Escape(s.Qualified), operation.Escape(s.Path), s.Span.Line)
}

// fillDoubt sets Doubt, unless it is proven that nothing else uses the declarations that are renamed.
func (a *renameAnswer) fillDoubt(ctx context.Context, s *view.Snapshot, found *rename.Answer) error {
	uses, err := refs.References(ctx, s, found.Targets)
	if err != nil {
		return err
	}
	uses.ResolvedShare = 1 // uses that nothing decides are listed as unsure
	doubt, err := unused.FirstDoubt(ctx, s, found.Targets, &uses)
	a.Doubt = unused.Doubted(doubt).Reason()
	return err
}

func (a *renameAnswer) fill(found *rename.Answer, in *renameInput) error {
	a.Targets, a.Conflicts = symbolRows(found.Targets), symbolRows(found.Taken)
	var places []rename.Place
	for i := range found.Places {
		p := &found.Places[i]
		a.Places = append(a.Places, RenamePlace{
			Path: operation.Path(p.Path), Line: p.Line, Start: p.Start, End: p.End, Kind: p.Kind, Confidence: p.Confidence.String(),
			Through: p.Through, Unsure: p.Unsure, LineText: p.LineText(),
		})
		if p.Unsure == "" {
			a.Sure++
		}
		if p.Unsure == "" || in.Unsure {
			places = append(places, *p)
		}
	}
	var b strings.Builder
	err := rename.WritePatch(&b, places, in.New, found.Files)
	a.Patch = b.String()
	return err
}

func textRename(t *operation.Text, in *renameInput, a *renameAnswer) error {
	if len(a.Targets) == 0 {
		return nil
	}
	t.Printf("# %s to %s: %s in all", operation.Quote(in.Old), in.New, operation.Plural(len(a.Places), "place"))
	if n := len(a.Places) - a.Sure; n > 0 || a.Doubt == "" {
		t.Printf(", %d unsure", n)
	}
	t.Line("")
	if a.Doubt != "" {
		t.Line("# there may be more: %s", operation.Escape(a.Doubt))
	}
	for i := range a.Conflicts {
		t.Line("# taken: %s %s has that name  %s", a.Conflicts[i].Kind, a.Conflicts[i].Qualified, pathLine(a.Conflicts[i].Path, a.Conflicts[i].Line))
	}
	for i := range a.Places {
		p := &a.Places[i]
		if p.Unsure == "" {
			continue
		}
		t.Line("# unsure: %s  %s, %s: %s", pathLine(p.Path, p.Line), p.Kind, p.Unsure, operation.Escape(strings.TrimSpace(p.LineText)))
	}
	_, err := fmt.Fprint(t.Raw(), a.Patch)
	return err
}
