package plumbing

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ken/internal/git"
)

// TextConflict is a place of a text that two sides changed incompatibly, with its lines on each side.
type TextConflict struct {
	Base, Ours, Theirs string
}

// conflictMark is the length of the lines around conflicts, which no text has.
const conflictMark = 61

// MergeTexts merges the changes that two sides made to a text. It reads no repository, so no configuration of one and no merge driver. The
// merged text is nil if there are conflicts. It fails if git does, as for a text that is binary, or if no temporary file can be written.
func MergeTexts(ctx context.Context, g git.Git, base, ours, theirs []byte) ([]byte, []TextConflict, error) {
	dir, err := os.MkdirTemp("", "ken-merge-")
	if err != nil {
		return nil, nil, fmt.Errorf("merge texts: %w", err)
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string][]byte{"base": base, "ours": ours, "theirs": theirs} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			return nil, nil, fmt.Errorf("merge texts: %w", err)
		}
	}
	label := rand.Text() // a line of the texts cannot have it
	none := &git.Repo{Root: dir, GitDir: filepath.Join(dir, "none"), CommonDir: filepath.Join(dir, "none")}
	out, err := g.Run(ctx, none, nil, nil, "merge-file", "-p", "--diff3", fmt.Sprintf("--marker-size=%d", conflictMark),
		"-L", label, "-L", label, "-L", label, "ours", "base", "theirs")
	if err == nil {
		return out, nil, nil
	}
	conflicts := parseConflicts(out, label)
	if len(conflicts) == 0 || errors.Is(err, git.ErrNoGit) {
		return nil, nil, err
	}
	return nil, conflicts, nil
}

// parseConflicts reads the conflicts of a text that git merge-file has written with the marks of diff3.
func parseConflicts(out []byte, label string) (list []TextConflict) {
	var to *string
	for line := range bytes.Lines(out) {
		mark, rest, _ := strings.Cut(strings.TrimRight(string(line), "\r\n"), " ")
		isMark := len(mark) == conflictMark && strings.Count(mark, mark[:1]) == conflictMark
		switch {
		case isMark && mark[0] == '<' && rest == label:
			list = append(list, TextConflict{})
			to = &list[len(list)-1].Ours
		case isMark && mark[0] == '|' && rest == label && to != nil:
			to = &list[len(list)-1].Base
		case isMark && mark[0] == '=' && rest == "" && to != nil:
			to = &list[len(list)-1].Theirs
		case isMark && mark[0] == '>' && rest == label:
			to = nil
		case to != nil:
			*to += string(line)
		}
	}
	return list
}
