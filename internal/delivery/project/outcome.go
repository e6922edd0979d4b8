package project

import (
	"context"
	"slices"

	"ken/internal/knowledge/memory"
	"ken/internal/knowledge/outcome"
)

// queryOperations are the operations whose arguments describe the subject of a session.
var queryOperations = []string{"find", "brief"}

// maxAsked is the number of queries of a session that become items of the memory.
const maxAsked = 3

// LearnOutcome records an outcome as evidence for or against the items that the session was shown. If git shows the work to be kept, it
// also remembers the session's queries with the files that it changed. Passed tests are evidence that the memory has already. It fails
// if the memory or the logs cannot be read or written.
func (p *Project) LearnOutcome(ctx context.Context, logs *outcome.Logs, o *outcome.Outcome) error {
	m, err := p.Memory(false)
	if err != nil || m == nil {
		return err
	}
	why := map[outcome.Source]memory.EvidenceKind{
		outcome.FromGit: memory.Kept, outcome.FromPrompt: memory.Said, outcome.FromUser: memory.Said,
	}[o.Source]
	if why == 0 || o.Result == outcome.Partial {
		return nil
	}
	good := o.Result == outcome.Success
	if _, err := m.Learned.Judge(ctx, memory.Verdict{Session: o.Session, Good: good, Why: why, At: o.At, Files: o.Files}); err != nil {
		return err
	}
	if !good || len(o.Files) == 0 {
		return nil
	}
	items, err := outcomeItems(logs, o)
	if err != nil {
		return err
	}
	for i := range items {
		m.Mask(&items[i])
	}
	_, _, err = m.Learned.Learn(ctx, items)
	return err
}

// outcomeItems returns memory items for the queries of a session that ended well, each with the files that it changed.
func outcomeItems(logs *outcome.Logs, o *outcome.Outcome) (out []memory.Item, err error) {
	kept, err := logs.Read()
	if err != nil {
		return nil, err
	}
	for _, q := range slices.Backward(kept.Queries) {
		if q.Session != o.Session || q.Query == "" || !slices.Contains(queryOperations, q.Operation) {
			continue
		}
		it := memory.Item{Kind: memory.Outcome, Text: q.Query, From: string(o.Source), Session: o.Session, At: o.At,
			Evidence: memory.Evidence{For: 1, Last: o.At}}
		for _, f := range o.Files {
			it.Pins = append(it.Pins, memory.Pin{Target: f})
		}
		if out = append(out, it); len(out) == maxAsked {
			break
		}
	}
	return out, nil
}
