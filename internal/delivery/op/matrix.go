package op

import (
	"cmp"
	"context"
	"slices"

	"ken/internal/ask/matrix"
	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/engine/view"
	"ken/internal/operation"
)

type matrixInput struct {
	Folder string `arg:"[PATH]" help:"folder whose parts are looked at (default: the whole project)"`
	Parts  int    `flag:"parts" value:"N" default:"30" help:"parts at most, 2 to 200: the folders with most files are divided first"`
}

type matrixAnswer struct {
	Revision
	Folder operation.Path `json:"folder" doc:"the folder, . for the whole project"`
	Parts  []matrixPart   `json:"parts" doc:"a part stands before those that it depends on; in a cycle that comes first which is depended on least"`
	Cells  []matrixCell   `json:"cells" doc:"dependencies of one part on another, in the order of parts; tests, documents and data do not count"`
	Cycles []matrixCycle  `json:"cycles" doc:"parts that depend on each other, the largest cycle first"`
	Share  float64        `json:"resolved_share" doc:"share (0 to 1) of the names that files of the project import that could be resolved"`
}

// matrixPart is a folder of a matrix.
type matrixPart struct {
	Folder operation.Path `json:"folder" doc:"with all below it that is no part of its own; (other folders) if there are too many"`
	Files  int            `json:"files" doc:"files that count"`
}

// matrixCell is the dependency of one part on another.
type matrixCell struct {
	From  operation.Path `json:"from" doc:"part"`
	To    operation.Path `json:"to" doc:"part that it depends on"`
	Files int            `json:"files" doc:"files of from that depend on files of to"`
	Uses  int            `json:"uses" doc:"pairs of files of which one depends on the other"`
	Back  bool           `json:"back" doc:"it leads back in a cycle: without such cells there would be none"`
}

// matrixCycle is a group of parts that depend on each other.
type matrixCycle struct {
	Parts []operation.Path `json:"parts" doc:"in their order"`
}

func matrixTool() *Tool {
	return spec[matrixInput, matrixAnswer]{
		Name:  "matrix",
		Topic: operation.Ask, Rare: true, Logged: true,
		MCP:     operation.Offer{Variant: operation.Variant{Tool: "overview", Key: "parts", About: "dependencies of folders"}},
		Summary: "which folders depend on which, and the cycles among them",
		Long: "Folders are in layers: each stands before those that it depends on. What leads back is part of a cycle; ken why FROM TO\n" +
			"tells of what a dependency is made. Tests, documents and data do not count.",
		Example: []string{"matrix", "matrix internal/engine --parts 60"},
		Run:     runMatrix,
		Text:    textMatrix,
	}.Tool()
}

// maxParts bounds a matrix, whose time grows with the square of its parts.
const maxParts = 200

func runMatrix(ctx context.Context, env *Env, in *matrixInput, emit func(*matrixAnswer) error) error {
	if in.Parts < 2 || in.Parts > maxParts {
		return code.Usagef("--parts is 2 to %d", maxParts)
	}
	p, err := project.Open(env, operation.Existing)
	if err != nil {
		return err
	}
	folder := ""
	if in.Folder != "" {
		if folder, _, err = p.Locate(in.Folder); err != nil {
			return err
		}
		if folder == "." {
			folder = ""
		}
	}
	shown := operation.Path(cmp.Or(folder, "."))
	var a matrixAnswer
	err = p.AskChecked(ctx, func(ctx context.Context, s *view.Snapshot) error {
		m, err := matrix.Of(ctx, s, folder, in.Parts)
		a = matrixAnswer{Revision: Revision{s.Rev()}, Folder: shown, Share: m.ResolvedShare}
		for _, x := range m.Parts {
			a.Parts = append(a.Parts, matrixPart{operation.Path(cmp.Or(x.Folder, ".")), x.Files})
		}
		for _, c := range m.Cells {
			a.Cells = append(a.Cells, matrixCell{a.Parts[c.From].Folder, a.Parts[c.To].Folder, c.Files, c.Uses, c.To < c.From})
		}
		for _, list := range m.Cycles {
			var row matrixCycle
			for _, i := range list {
				row.Parts = append(row.Parts, a.Parts[i].Folder)
			}
			a.Cycles = append(a.Cycles, row)
		}
		return err
	})
	if err == nil && len(a.Parts) == 0 {
		err = code.Usagef("no file of code is indexed in %s", operation.Escape(string(shown)))
	}
	return operation.Finish(&a, err, emit)
}

// maxInLine is the number of dependencies that the line of a part names.
const maxInLine = 8

func textMatrix(t *operation.Text, _ *matrixInput, a *matrixAnswer) error {
	t.Line("%s, %s, %s found; %s of the imported names resolved", t.Bold(operation.Plural(len(a.Parts), "part")),
		operation.Plural(len(a.Cells), "dependency"), operation.Plural(len(a.Cycles), "cycle"), operation.Percent(a.Share))
	for _, c := range a.Cycles {
		t.Printf("cycle: ")
		for i, part := range c.Parts {
			t.Printf("%s%s", operation.Styled([]string{"", ", "}[min(i, 1)]), part)
		}
		t.Line("")
	}
	for _, x := range a.Cells {
		if x.Back {
			t.Line("  back: %s → %s  %s", x.From, x.To, operation.Plural(x.Files, "file"))
		}
	}
	for _, part := range a.Parts {
		var row []matrixCell
		for _, c := range a.Cells {
			if c.From == part.Folder {
				row = append(row, c)
			}
		}
		slices.SortStableFunc(row, func(x, y matrixCell) int { return cmp.Compare(y.Files, x.Files) })
		t.Printf("%s  %s", part.Folder, operation.Plural(part.Files, "file"))
		for i, c := range row[:min(len(row), maxInLine)] {
			t.Printf("%s%s %d", operation.Styled([]string{" → ", ", "}[min(i, 1)]), c.To, c.Files)
		}
		if len(row) > maxInLine {
			t.Printf(", %d more", len(row)-maxInLine)
		}
		t.Line("")
	}
	return nil
}
