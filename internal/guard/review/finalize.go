package review

import (
	"context"
	"fmt"
	"strings"

	"ken/internal/worktree"
)

// Verdict is the decision to keep or discard a changed file.
type Verdict string

// The verdicts: keep the whole change, a part of it, or nothing.
const (
	Keep    Verdict = "keep"
	Discard Verdict = "discard"
	Part    Verdict = "part" // the named hunks are kept, the others discarded
)

// Decision is a verdict on one changed file.
type Decision struct {
	Path    string // relative to the root of the repository
	Verdict Verdict
	Hunks   []string // ids of those kept, for Part
	// Seen is the id of the change that the user reviewed. If it is set, the decision fails when the file has changed after the review.
	Seen string
}

// InvalidError is the error of a decision that cannot be carried out. Nothing is changed then.
type InvalidError struct {
	Path, Text string
}

func (e *InvalidError) Error() string { return e.Path + ": " + e.Text }

func newInvalid(path, format string, args ...any) error {
	return &InvalidError{Path: path, Text: fmt.Sprintf(format, args...)}
}

// Finalize commits the kept changes to the branch of a work tree and restores the discarded ones. Files without a decision stay as
// they are, and the answer names them. It fails with an Invalid error if a decision does not fit the current changes, and if git
// fails.
func Finalize(ctx context.Context, tree *worktree.Tree, decisions []Decision, message string) (*worktree.Commit, error) {
	r, err := ReadChanges(ctx, tree)
	if err != nil {
		return nil, err
	}
	choices, err := r.toChoices(decisions)
	if err != nil {
		return nil, err
	}
	return tree.Commit(ctx, choices, message)
}

// toChoices converts decisions to choices of a work tree.
func (r *Review) toChoices(decisions []Decision) ([]worktree.Choice, error) {
	changes := map[string]*Change{}
	for i := range r.Changes {
		changes[r.Changes[i].Path] = &r.Changes[i]
	}
	decided := map[string]bool{}
	var out []worktree.Choice
	for _, d := range decisions {
		c := changes[d.Path]
		switch {
		case c == nil:
			return nil, newInvalid(d.Path, "this file is not changed in the work tree; paths are those that the review shows")
		case decided[d.Path]:
			return nil, newInvalid(d.Path, "there are two decisions about this file")
		case d.Seen != "" && d.Seen != c.ID:
			return nil, newInvalid(d.Path, "the file has changed since it was reviewed; review it again")
		}
		decided[d.Path] = true
		choice, err := c.toChoice(&d)
		if err != nil {
			return nil, err
		}
		out = append(out, choice)
	}
	return out, nil
}

func (c *Change) toChoice(d *Decision) (worktree.Choice, error) {
	choice := worktree.Choice{Change: c.is}
	switch d.Verdict {
	case Keep:
		choice.Keep = true
		return choice, nil
	case Discard:
		return choice, nil
	case Part:
	default:
		return choice, newInvalid(d.Path, "%q is no verdict; they are %s, %s and %s", d.Verdict, Keep, Discard, Part)
	}
	if len(c.Hunks) == 0 {
		return choice, newInvalid(d.Path, "the change has no hunks (%s), so it can be kept or discarded as a whole", c.Opaque)
	}
	kept := map[string]bool{}
	for _, id := range d.Hunks {
		kept[id] = true
	}
	n := 0
	for _, h := range c.Hunks {
		if kept[h.ID] {
			n++
			delete(kept, h.ID)
		}
	}
	for id := range kept {
		return choice, newInvalid(d.Path, "%q is no hunk of this file as it is now; review it again", id)
	}
	switch n {
	case 0:
		return choice, nil
	case len(c.Hunks):
		choice.Keep = true
		return choice, nil
	}
	choice.Text = []byte(c.textWithHunks(d.Hunks))
	return choice, nil
}

// textWithHunks returns the old text of the file with the given hunks applied.
func (c *Change) textWithHunks(hunks []string) string {
	kept := map[string]bool{}
	for _, id := range hunks {
		kept[id] = true
	}
	old, now := splitLines(c.Old), splitLines(c.New)
	var b strings.Builder
	at := 0
	for _, h := range c.Hunks {
		if !kept[h.ID] {
			continue
		}
		addLines(&b, old[at:h.OldFrom-1])
		addLines(&b, now[h.NewFrom-1:h.NewFrom-1+h.NewLines])
		at = h.OldFrom - 1 + h.OldLines
	}
	addLines(&b, old[at:])
	return b.String()
}

// addLines appends lines to b. It ends a last line without a line feed if another line follows.
func addLines(b *strings.Builder, lines []string) {
	for _, l := range lines {
		if s := b.String(); s != "" && !strings.HasSuffix(s, "\n") {
			b.WriteByte('\n')
		}
		b.WriteString(l)
	}
}
