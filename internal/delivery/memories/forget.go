package memories

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/knowledge/memory"
	"ken/internal/knowledge/session"
	"ken/internal/operation"
)

type forgetInput struct {
	IDs []string `arg:"ID…" help:"numbers of items, as ken recall shows them"`
}

type forgetAnswer struct {
	Revision  code.Rev  `json:"revision" doc:"state of the index the answer was computed from"`
	Forgotten []ItemRow `json:"forgotten_items" doc:"what was forgotten"`
	Notes     []string  `json:"notes,omitempty" doc:"what is to be known"`
}

// ForgetTool is the operation ken forget.
func ForgetTool() *project.Tool {
	return operation.Spec[*project.Project, forgetInput, forgetAnswer]{
		Name:  "forget",
		Topic: operation.Remember,
		MCP: operation.Offer{
			Set: "knowledge", Place: 2,
			About: "Remove items that recall showed, because they are wrong.",
		},
		Effect:  operation.Changes,
		Summary: "forget what is remembered, by number",
		Long:    "The notes and decisions that an item was made of are forgotten with it. What is in .ken/knowledge/decisions.md stays there.",
		Example: []string{"forget 12", "forget 12 14"},
		Run:     runForget,
		Text: func(t *operation.Text, in *forgetInput, a *forgetAnswer) error {
			for i := range a.Forgotten {
				r := &a.Forgotten[i]
				t.Line("forgotten: %s  %s %d  %s", r.Date, r.Kind, r.ID, r.Text)
			}
			for _, n := range a.Notes {
				t.Line("%s", n)
			}
			return nil
		},
	}.Tool()
}

func runForget(ctx context.Context, e *env, in *forgetInput, emit func(*forgetAnswer) error) error {
	p, err := project.Open(e, operation.Existing)
	if err != nil {
		return err
	}
	var ids []int64
	for _, word := range in.IDs {
		id, err := strconv.ParseInt(strings.TrimSuffix(word, ","), 10, 64)
		if err != nil {
			return code.Usagef("forget takes numbers, as ken recall shows them, not %s", operation.Quote(word))
		}
		ids = append(ids, id)
	}
	if len(ids) == 0 {
		return code.Usagef("say what to forget: ken forget ID")
	}
	a := &forgetAnswer{}
	if a.Revision, err = indexRevision(ctx, p); err != nil {
		return err
	}
	return operation.Finish(a, a.forget(ctx, p, ids), emit)
}

func (a *forgetAnswer) forget(ctx context.Context, p *project.Project, ids []int64) error {
	m, err := drainedMemory(ctx, p)
	if err != nil {
		return err
	}
	var items []memory.Item
	if m != nil {
		if items, err = m.Learned.Items(ctx, memory.Filter{IDs: ids}); err != nil {
			return err
		}
	}
	if len(items) == 0 {
		return operation.Nothingf("nothing has that number; ken recall and ken memory list show numbers")
	}
	if _, err := m.Learned.Drop(ctx, ids); err != nil {
		return err
	}
	kept, _, err := session.Decisions(p.Root)
	if err != nil {
		a.Notes = append(a.Notes, session.DecisionsFile+" could not be read: "+err.Error())
	}
	for i := range items {
		it := &items[i]
		a.Forgotten = append(a.Forgotten, itemRow(it, time.Now().UTC()))
		text, _, _ := strings.Cut(it.Text, memory.Because)
		if it.Kind == memory.Decision && slices.ContainsFunc(kept, func(n session.Note) bool { return n.Text == strings.TrimSpace(text) }) {
			a.Notes = append(a.Notes, "the decision is still in "+session.DecisionsFile+", from where it is shown as one that came with the repository")
		}
	}
	return nil
}
