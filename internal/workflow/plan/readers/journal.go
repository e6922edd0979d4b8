package readers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ken/internal/operation"
	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/planop"
)

// undoAnswer is the result of undoing a change, or of its dry run.
type undoAnswer struct {
	Undone bool `json:"undone"`
	entry
}

// entry is a change that can be undone.
type entry struct {
	ID    string   `json:"id"`
	What  string   `json:"what"`
	Time  string   `json:"time"`
	Files []string `json:"files"`
}

func newEntry(e change.Entry) entry {
	return entry{e.ID, e.What, e.Time.Format(time.DateTime), append([]string{}, e.Files...)}
}

type entries struct {
	Changes []entry `json:"changes"`
	Count   int     `json:"count"`
	// Strange are files that cannot be undone, because they do not have the user's seal.
	Strange []strangeEntry `json:"strange,omitempty"`
}

// strangeEntry is a file in the place of a change. All but the path is its own claim.
type strangeEntry struct {
	Path       string   `json:"path"`
	Unfinished bool     `json:"unfinished"`
	What       string   `json:"what"`
	Files      []string `json:"files"`
}

func journalOperations() []*planop.Operation {
	return []*planop.Operation{
		planop.Spec[planop.NoInput, undoAnswer]{
			Name: "undo", Everyday: true, Summary: "take the last change of the planning folder back, byte for byte", Writes: true, Run: undoLast,
			Page: func(a undoAnswer) string {
				return fmt.Sprintf("%s, of %s: %s\n", a.What, a.Time, strings.Join(a.Files, ", "))
			},
		}.Operation(),
		planop.Spec[planop.NoInput, entries]{
			Name: "changes", Summary: "the changes that undo can take back, newest first", Run: listChanges,
			Page: func(a entries) string {
				var b strings.Builder
				for _, e := range a.Changes {
					fmt.Fprintf(&b, "%s  %s: %s\n", e.Time, e.What, strings.Join(e.Files, ", "))
				}
				if len(a.Strange) > 0 {
					b.WriteString("not yours, and never undone: each came with the repository or was made under another state directory; remove those you do not know\n")
				}
				for _, s := range a.Strange {
					fmt.Fprintf(&b, "%s claims %.100q of %.300q\n", s.Path, s.What, s.Files)
				}
				return b.String()
			},
		}.Operation(),
	}
}

// lastWriter returns the writer of the planning folder that was changed last: the project's own, or that of a workstream.
func lastWriter(c *planop.Call) (*change.Writer, error) {
	writers, err := c.Writers()
	if err != nil {
		return nil, err
	}
	best, newest := writers[0], ""
	for _, w := range writers {
		list, err := w.List()
		if err != nil {
			return nil, err
		}
		if len(list) > 0 && list[0].ID > newest {
			best, newest = w, list[0].ID
		}
	}
	return best, nil
}

func undoLast(ctx context.Context, c *planop.Call, _ *planop.NoInput) (undoAnswer, error) {
	w, err := lastWriter(c)
	if err != nil {
		return undoAnswer{}, err
	}
	e, r, err := w.Undo(ctx, c.DryRun)
	var later *change.ChangedError
	switch {
	case errors.Is(err, change.ErrNothing):
		text := err.Error()
		if strange, err := w.StrangeEntries(); err == nil && len(strange) > 0 {
			text += fmt.Sprintf(" that was made under your state directory; \"ken plan changes\" lists the others (%d)", len(strange))
		}
		return undoAnswer{}, operation.Nothingf("%s", text)
	case errors.As(err, &later):
		return undoAnswer{}, planop.Faultf("changed_since", "%s", err.Error())
	case err != nil:
		return undoAnswer{}, err
	}
	c.Results = append(c.Results, r)
	return undoAnswer{!c.DryRun, newEntry(e)}, nil
}

func listChanges(_ context.Context, c *planop.Call, _ *planop.NoInput) (entries, error) {
	writers, err := c.Writers()
	if err != nil {
		return entries{}, err
	}
	var list []change.Entry
	for _, w := range writers {
		more, err := w.List()
		if err != nil {
			return entries{}, err
		}
		list = append(list, more...)
	}
	strange, err := writers[0].StrangeEntries() // all writers have one journal
	if err != nil {
		return entries{}, err
	}
	slices.SortFunc(list, func(a, b change.Entry) int { return strings.Compare(b.ID, a.ID) })
	out := entries{Changes: []entry{}, Count: len(list)}
	for _, s := range strange {
		out.Strange = append(out.Strange, strangeEntry{s.Path, s.Open, s.What, append([]string{}, s.Files...)})
	}
	for _, e := range list {
		out.Changes = append(out.Changes, newEntry(e))
	}
	return out, nil
}
