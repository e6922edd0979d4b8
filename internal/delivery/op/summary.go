package op

import (
	"context"

	"ken/internal/ask/summary"
	"ken/internal/delivery/intro"
	"ken/internal/delivery/project"
	"ken/internal/delivery/tool"
	"ken/internal/engine/view"
)

type summaryInput struct {
	Full bool `flag:"full" help:"the long form, at most 10 KB: also types of files, recent changes, stale files"`
}

type summaryAnswer struct {
	Revision
	intro.Answer
}

func summaryTool() *Tool {
	return spec[summaryInput, summaryAnswer]{
		Name:    "summary",
		Summary: "what an agent has to know when work begins: layers, hotspots, where tests are",
		Long: "At most 500 tokens (o200k_base). What matters least is left out first. It is computed from the index: no model is asked.\n" +
			"Directories and files are described by their own README and doc comments, or by what their names mean everywhere.",
		Run: runSummary,
		Text: func(t *tool.Text, _ *summaryInput, a *summaryAnswer) error {
			t.Printf("%s", tool.Styled(a.Text))
			return nil
		},
	}.Tool()
}

func runSummary(ctx context.Context, env *Env, in *summaryInput, emit func(*summaryAnswer) error) error {
	p, err := project.Open(env, tool.Existing)
	if err != nil {
		return err
	}
	var a summaryAnswer
	err = p.AskChecked(ctx, func(ctx context.Context, s *view.Snapshot) error {
		excluded, err := p.Excluded(s)
		if err != nil {
			return err
		}
		sum, err := summary.Of(ctx, s)
		if err != nil {
			return err
		}
		a.Revision = Revision{s.Rev()}
		a.Answer, err = intro.AnswerOf(sum, in.Full, intro.Options{Known: p.Known(), Excluded: excluded})
		return err
	})
	if err == nil && a.Text == "" {
		err = tool.Nothingf("the project has no files")
	}
	return tool.Finish(&a, err, emit)
}
