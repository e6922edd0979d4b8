package op

import (
	"context"

	"ken/internal/ask/brief"
	"ken/internal/delivery/agenttext"
	"ken/internal/delivery/injection"
	"ken/internal/delivery/memories"
	"ken/internal/delivery/project"
	"ken/internal/delivery/render"
	"ken/internal/engine/view"
	"ken/internal/operation"
	"ken/internal/workflow/plan/position"
)

type briefInput struct {
	Goal   []string `arg:"[GOAL…]" text:"yes" help:"what is to be done, in plain words: a phase's goal, an issue, a bug report"`
	File   string   `flag:"query-file" terminal:"yes" value:"FILE" help:"read the goal from a file, - for standard input"`
	Budget *int     `flag:"budget" terminal:"yes" value:"N" help:"tokens the block may have, 0 for any number (default 1900)"`

	Source  bool `flag:"source" help:"also the source of what fits best, so that it need not be read: 5000 tokens in all"`
	General bool `flag:"general" help:"before it the summary of the project, at most 500 tokens more, for one who plans"`
}

// briefBudget is the default budget of a brief in tokens, and maxRemembered the largest number
// of notes in it.
const (
	briefBudget   = 1900
	sourceBudget  = 5000 // with source
	maxRemembered = 5
)

type briefAnswer struct {
	Revision
	render.Brief
}

func briefTool() *Tool {
	return spec[briefInput, briefAnswer]{
		Name:  "brief",
		Topic: operation.Ask, Logged: true,
		MCP: operation.Offer{
			Set: "core", Place: 6,
			About: "What to know for a goal: files to change and read, tests, past commits.",
			Shown: "goal=what is to be done, or an issue",
		},
		Summary: "what to know before working towards a goal, as a block for agents",
		Long: "Files likely to be changed and files to read first, who depends on them, existing code to reuse, tests to run, past commits about the same,\n" +
			"and the order to work in. The block never has more tokens (o200k_base) than its budget; what matters least is left out first, and the block says so.\n" +
			"Takes the same texts as find. It is computed from the index: no model is asked, and nothing is run.",
		Example: []string{`brief "Add rate limiting to the authentication endpoints"`, "brief --query-file issue.md --budget 1000", `brief --source "Reject an order without items"`},
		Run:     runBrief,
		Text: func(t *operation.Text, _ *briefInput, a *briefAnswer) error {
			t.Printf("%s%s", operation.Styled(a.General), operation.Styled(a.Block))
			return nil
		},
	}.Tool()
}

func runBrief(ctx context.Context, env *Env, in *briefInput, emit func(*briefAnswer) error) error {
	goal, err := operation.QueryText(env.Stdin, env.Dir, in.Goal, in.File)
	if err != nil {
		return err
	}
	p, err := project.Open(env, operation.Existing)
	if err != nil {
		return err
	}
	goal = p.Engine.Hide(goal)
	remembered, remembers := memories.NotesAbout(ctx, p, goal, maxRemembered), memories.Lookup(ctx, p, goal)
	var a briefAnswer
	err = p.AskChecked(ctx, func(ctx context.Context, s *view.Snapshot) error {
		goal := p.KnownSecrets().MaskString(goal)
		a = briefAnswer{Revision{s.Rev()}, render.Brief{Goal: agenttext.Clip(goal, render.MaxGoal)}}
		if at, ok := position.ProjectPosition(p.Root, "", p.State); ok {
			if len(injection.Scan(at.Name)) > 0 {
				at.Name = ""
			}
			a.Planning = p.KnownSecrets().MaskString(p.Engine.Hide(at.Line()))
		}
		var err error
		if a.Excluded, err = p.Excluded(s); err != nil {
			return err
		}
		memory, rows, err := remembers.Resolve(ctx, p, s)
		if err != nil {
			return err
		}
		b, err := brief.Make(ctx, s, goal, memory)
		if err == nil {
			err = render.MarkUnused(ctx, s, b)
		}
		if err == nil {
			err = render.SetWrittenCardPurposes(ctx, p, s, b.Modify)
		}
		if err != nil {
			return err
		}
		a.Keywords, a.Missing = b.Keywords, b.Missing
		if len(b.Modify)+len(b.Read)+len(b.Tests) == 0 {
			return nil
		}
		if in.General {
			if a.General, err = render.GeneralSummary(ctx, p, s); err != nil {
				return err
			}
		}
		var notes []render.BriefNote
		for _, n := range memories.MergeNotes(remembered, rows) {
			notes = append(notes, render.BriefNote(n))
		}
		if !in.Source {
			return a.Render(s, b, notes, nil, render.Budget(in.Budget, briefBudget))
		}
		places, err := render.ReadPlaces(ctx, s, b)
		if err != nil {
			return err
		}
		return a.Render(s, b, notes, places, render.Budget(in.Budget, sourceBudget))
	})
	if err == nil && a.Block == "" {
		err = operation.Nothingf("nothing in the repository fits the goal")
	}
	return operation.Finish(&a, err, emit)
}
