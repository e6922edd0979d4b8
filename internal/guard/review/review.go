// Package review shows the changes in a work tree by hunks, and commits the chosen ones. Every change and every hunk has an id made of
// its content, so that an id is valid only as long as the file is as it was shown. Package garbage judges the changes.
//
// It does the guard's only I/O, through package worktree.
package review

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"ken/internal/worktree"
)

// Review holds the changes in a work tree.
type Review struct {
	Start   string // the commit from which changes are counted
	Head    string // the commit of its branch
	Changes []Change
}

// Kind is the kind of a change.
type Kind string

// The kinds of changes.
const (
	Added    Kind = "added"
	Modified Kind = "modified"
	Deleted  Kind = "deleted"
)

// Opaque is the reason why a change is shown without its lines.
type Opaque string

// The reasons. The zero value means that the lines are shown.
const (
	Binary Opaque = "binary"
	Large  Opaque = "large"  // longer than worktree.MaxText
	Link   Opaque = "link"   // a symbolic link, before or after
	Nested Opaque = "nested" // a nested repository, which cannot be kept
	Mode   Opaque = "mode"   // only the executable bit changed
)

// Change is one changed file.
type Change struct {
	ID        string
	Path      string // from the top of the repository
	MovedFrom string // a deleted file of the same content
	Kind      Kind
	Opaque    Opaque
	Run       bool   // the executable bit has changed
	Committed bool   // on the work tree's branch already
	Old, New  string // the texts, unless it is opaque
	Hunks     []Hunk

	is worktree.Change
}

// Hunk is a range of old lines and the range of new lines that replaced it. Lines are counted from 1. An empty range is before the line
// that it names.
type Hunk struct {
	ID                string
	OldFrom, OldLines int
	NewFrom, NewLines int
}

// ReadChanges returns the current changes in a work tree. It fails if git fails, or if files cannot be read.
func ReadChanges(ctx context.Context, tree *worktree.Tree) (*Review, error) {
	look, err := tree.Look(ctx)
	if err != nil {
		return nil, err
	}
	defer look.Close()
	return newReview(ctx, look)
}

// newReview divides the changes that worktree found into hunks.
func newReview(ctx context.Context, look *worktree.TreeLook) (*Review, error) {
	var ids []string
	for _, c := range look.Changes {
		if isRegular(c.Old.Mode) && isRegular(c.New.Mode) {
			ids = append(ids, c.Old.ID, c.New.ID)
		}
	}
	texts, err := look.Texts(ctx, ids)
	if err != nil {
		return nil, err
	}
	lines, err := look.Lines(ctx, look.Changes, texts.Known)
	if err != nil {
		return nil, err
	}
	r := &Review{Start: look.Start, Head: look.Head}
	deleted := map[string]string{}
	for _, c := range look.Changes {
		if c.IsDeleted() {
			deleted[c.Old.ID] = c.Path
		}
	}
	for _, c := range look.Changes {
		change := describeChange(c, texts, lines)
		if c.IsNew() && change.Opaque != Nested {
			change.MovedFrom = deleted[c.New.ID]
		}
		r.Changes = append(r.Changes, change)
	}
	return r, nil
}

// isRegular reports whether a git file mode is that of a regular file, or 0 for a missing file.
func isRegular(mode uint32) bool { return mode == 0 || mode&0o170000 == 0o100000 }

// describeChange returns a change of a file with its texts, its hunks and their ids.
func describeChange(c worktree.Change, texts *worktree.Texts, lines map[worktree.IDPair][]worktree.LineChange) Change {
	out := Change{Path: c.Path, Kind: Modified, Committed: c.Committed, is: c}
	out.ID = shortHash(c.Path, c.Old.ID, c.New.ID, fmt.Sprint(c.Old.Mode), fmt.Sprint(c.New.Mode))
	switch {
	case c.IsNew():
		out.Kind = Added
	case c.IsDeleted():
		out.Kind = Deleted
	}
	out.Run = out.Kind == Modified && c.Old.Mode != c.New.Mode
	switch {
	case c.IsNested():
		out.Opaque = Nested
	case !isRegular(c.Old.Mode) || !isRegular(c.New.Mode):
		out.Opaque = Link
	case texts.Large[c.Old.ID] || texts.Large[c.New.ID]:
		out.Opaque = Large
	case texts.Binary[c.Old.ID] || texts.Binary[c.New.ID]:
		out.Opaque = Binary
	case c.Old.ID == c.New.ID:
		out.Opaque = Mode
	}
	if out.Opaque != "" {
		return out
	}
	out.Old, out.New = string(texts.Known[c.Old.ID]), string(texts.Known[c.New.ID])
	for _, l := range lines[worktree.ContentPair(c)] {
		out.Hunks = append(out.Hunks, Hunk{
			ID:      shortHash(out.ID, fmt.Sprint(l.From, l.Drop, l.To, l.Add)),
			OldFrom: l.From + 1, OldLines: l.Drop, NewFrom: l.To + 1, NewLines: l.Add,
		})
	}
	return out
}

// shortHash returns a short hash of the given strings.
func shortHash(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
}

// splitLines splits a text after each line feed, as git does.
func splitLines(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// Diff returns the hunks of a change as a patch, with around lines of context. The id of a hunk follows its head. Each line of
// context is shown once: if two hunks are near, only the first shows the lines between them.
func (c *Change) Diff(around int) string {
	var b strings.Builder
	old, now := splitLines(c.Old), splitLines(c.New)
	shown := 0 // number of lines of the old text shown so far
	for i, h := range c.Hunks {
		from, to := h.OldFrom-1, h.OldFrom-1+h.OldLines
		next := len(old)
		if i+1 < len(c.Hunks) {
			next = c.Hunks[i+1].OldFrom - 1
		}
		begin, end := max(shown, from-around), min(next, to+around)
		before, after := from-begin, end-to
		newBegin := h.NewFrom - 1 - before
		fmt.Fprintf(&b, "@@ -%s +%s @@ %s\n", hunkRange(begin, end-begin), hunkRange(newBegin, before+h.NewLines+after), h.ID)
		writeLines(&b, ' ', old[begin:from])
		writeLines(&b, '-', old[from:to])
		writeLines(&b, '+', now[h.NewFrom-1:h.NewFrom-1+h.NewLines])
		writeLines(&b, ' ', old[to:end])
		shown = end
	}
	return b.String()
}

// hunkRange returns "FROM,LINES" for the head of a hunk in a patch, in which an empty range names the line before.
func hunkRange(begin, n int) string {
	if n > 0 {
		begin++
	}
	return fmt.Sprintf("%d,%d", begin, n)
}

func writeLines(b *strings.Builder, mark byte, lines []string) {
	for _, l := range lines {
		b.WriteByte(mark)
		b.WriteString(l)
		if !strings.HasSuffix(l, "\n") {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// Has reports whether a file is changed.
func (r *Review) Has(path string) bool {
	return slices.ContainsFunc(r.Changes, func(c Change) bool { return c.Path == path })
}

// IsAt reports whether the change of a file has an id.
func (r *Review) IsAt(path, id string) bool {
	return slices.ContainsFunc(r.Changes, func(c Change) bool { return c.Path == path && c.ID == id })
}

// CommittedPaths returns the paths of the changes that are on the branch already.
func (r *Review) CommittedPaths() (out []string) {
	for i := range r.Changes {
		if r.Changes[i].Committed {
			out = append(out, r.Changes[i].Path)
		}
	}
	return out
}
