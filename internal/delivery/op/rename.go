package op

import (
	"context"
	"fmt"
	"slices"
	"strings"

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

// NamedPlace is a place that names a declaration, or may, and is no reference.
type NamedPlace struct {
	Kind     string         `json:"kind" doc:"string, text or unread, as the kinds of hatches of refs; mention in prose"`
	Path     operation.Path `json:"path,omitempty" doc:"file; left out if it has no place"`
	Line     uint32         `json:"line,omitempty" doc:"line; left out if it has no place"`
	LineText string         `json:"line_text" doc:"its line, every secret masked, or the reason"`
}

type renameAnswer struct {
	Revision
	Places    []RenamePlace `json:"places" paths:"yes" doc:"what the rename must touch, by path and byte"`
	Sure      int           `json:"sure" doc:"number of places that are sure"`
	Hatches   []NamedPlace  `json:"hatches" doc:"places that may name it and are no references, a few of each kind: strings, data, code that was not read; they may break, and the patch leaves them alone"`
	Mentions  []NamedPlace  `json:"mentions" doc:"comments and documents that name it, the first ones; the patch leaves them alone, and nothing breaks"`
	Mentioned int           `json:"mentioned" doc:"number of mentions"`
	Targets   []Symbol      `json:"symbols" doc:"the declarations that are renamed together: with overloads, constructors and the members that override or implement each other"`
	Conflicts []Symbol      `json:"conflicts" doc:"declarations beside them that have the new name already"`
	Patch     string        `json:"patch" doc:"a patch without context that changes the sure places, with --unsure all"`
}

func renameTool() *Tool {
	return spec[renameInput, renameAnswer]{
		Name:  "rename",
		Topic: operation.ChangeSafely, Logged: true,
		MCP:     operation.Offer{Set: "full", Place: 7},
		Summary: "every place a rename must touch, as a patch for git apply",
		Long: "Nothing is written: the output is a patch without context lines, for \"git apply --unidiff-zero\". Declarations, overloads,\n" +
			"members that override or implement each other, references, imports and exports are renamed together. The patch is applied in\n" +
			"memory and the code asked again: a place is sure if it means the renamed declaration then, and all others what they meant.\n" +
			"Unsure are places that are bound by their name alone, that belong to a member of a type outside the repository, that another\n" +
			"declaration of the new name would hide or that could not be parsed, and strings, data and templates that name it. They are listed\n" +
			"above the patch, after \"#\", and the patch leaves them alone; --unsure changes those that are references, too. Mentions in comments\n" +
			"and documents, which break nothing, are listed and left, too. If no place is sure there is no patch (exit 2). A line that holds a\n" +
			"masked value is never in it. Names of files are not looked at, but that of the file of a type that has its name in Java and PHP is\n" +
			"changed with it.",
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
		named := &found.Named
		doubts := slices.DeleteFunc(named.Doubts, func(u unused.UnseenUse) bool { // a string that is a reference, too
			return slices.ContainsFunc(found.Places, func(p rename.Place) bool { return p.Path == u.Path && p.Line == u.Line && p.Unsure != "" })
		})
		a.Hatches, a.Mentions, a.Mentioned = namedPlaces(doubts), namedPlaces(named.Mentions), named.Total
		return a.fill(&found, in)
	})
	return operation.Finish(&a, project.NotFound(err), emit)
}

func namedPlaces(list []unused.UnseenUse) (out []NamedPlace) {
	for _, u := range list {
		out = append(out, NamedPlace{Kind: u.Kind, Path: operation.Path(u.Path), Line: u.Line, LineText: u.Detail})
	}
	return out
}

// declarationPlace returns the place of a declaration for an error text.
func declarationPlace(s *view.Symbol) string {
	return fmt.Sprintf("%s (%s:%d)", operation.Escape(s.Qualified), operation.Escape(s.Path), s.Span.Line)
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
	if len(a.Places) > 0 && a.Sure == 0 && !in.Unsure {
		return &operation.UnprovenError{Message: "no patch, because no place is sure: " + a.Places[0].Unsure + "; --unsure makes one that changes them all"}
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
	all := len(a.Places) + len(a.Hatches)
	t.Line("# %s to %s: %s in all, %d unsure", operation.Quote(in.Old), in.New, operation.Plural(all, "place"), all-a.Sure)
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
	for _, u := range a.Hatches {
		t.Line("# unsure: %s  %s, it is no reference: %s", pathLine(u.Path, u.Line), u.Kind, operation.Escape(u.LineText))
	}
	for _, u := range a.Mentions {
		t.Line("# mention: %s  %s", pathLine(u.Path, u.Line), operation.Escape(u.LineText))
	}
	if n := a.Mentioned - len(a.Mentions); n > 0 {
		t.Line("# and %s in comments and documents", operation.Plural(n, "more mention"))
	}
	_, err := fmt.Fprint(t.Raw(), a.Patch)
	return err
}
