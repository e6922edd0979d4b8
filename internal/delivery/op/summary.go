package op

import (
	"context"

	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/delivery/render"
	"ken/internal/engine/view"
	"ken/internal/operation"
)

type summaryInput struct {
	Full  bool `flag:"full" help:"the long form, at most 10 KB: also types of files, recent changes, stale files"`
	Write bool `flag:"write" terminal:"yes" help:"write the long form to .ken/summary.md as well"`
}

type summaryAnswer struct {
	Revision code.Rev `json:"revision" doc:"state of the index the answer was computed from"`
	render.Summary
	File operation.Path `json:"file,omitempty" doc:"with --write: the file that holds the long form"`
}

// summaryTool is the operation that shows the summary, and writes the file.
func summaryTool() *project.Tool {
	return operation.Spec[*project.Project, summaryInput, summaryAnswer]{
		Name:  "summary",
		Topic: operation.ForAgents, Logged: true,
		MCP:     operation.Offer{Set: "full", Place: 1},
		Summary: "what an agent has to know when work begins: layers, hotspots, where tests are",
		Long: "At most 500 tokens (o200k_base). What matters least is left out first. It is computed from the index: no model is asked.\n" +
			"Directories and files are described by their own README and doc comments, or by what their names mean everywhere.\n" +
			"The file .ken/summary.md holds the long form, at most 10 KB. It is written with --write, and when an agent stops after files have changed; git ignores it.",
		Run: runSummary,
		Text: func(t *operation.Text, _ *summaryInput, a *summaryAnswer) error {
			t.Printf("%s", operation.Styled(a.Text))
			if a.File != "" {
				t.Line("the long form is in %s", a.File)
			}
			return nil
		},
	}.Tool()
}

func runSummary(ctx context.Context, env *project.Env, in *summaryInput, emit func(*summaryAnswer) error) error {
	p, err := project.Open(env, operation.Existing)
	if err != nil {
		return err
	}
	var a summaryAnswer
	long := ""
	err = p.AskChecked(ctx, func(ctx context.Context, s *view.Snapshot) error {
		excluded, err := p.Excluded(s)
		if err != nil {
			return err
		}
		sum, err := render.LoadSummary(ctx, p, s)
		if err != nil {
			return err
		}
		if in.Write {
			if long, err = render.SummaryFileText(ctx, p, s); err != nil {
				return err
			}
		}
		a.Revision = s.Rev()
		a.Summary, err = render.NewSummary(sum, in.Full, render.SummaryOptions{Known: p.KnownSecrets(), Excluded: excluded})
		return err
	})
	if err == nil && long != "" {
		a.File = render.SummaryFile
		_, err = render.WriteSummaryFile(p.Root, long)
	}
	if err == nil && a.Text == "" {
		err = operation.Nothingf("the project has no files")
	}
	return operation.Finish(&a, err, emit)
}
