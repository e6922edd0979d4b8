// Package evidence finds what shows that work was done: commands whose end a hook saw, and the answers that a verification gives to what
// must be true. Its neighbour gate has the commands whose end an agent reported, and joins both.
package evidence

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ken/internal/git"
	"ken/internal/statefile"
	"ken/internal/workflow/plan/folder"
	"ken/internal/worktree"
)

// Ended is a command that a hook saw end. The file of them has a sum of the command instead of its text, because command lines can have
// secrets.
type Ended struct {
	Time   string `json:"time"`
	Sum    string `json:"sum"`
	Exit   int    `json:"exit"`
	Commit string `json:"commit,omitempty"` // HEAD of the work tree in which it ran
}

const (
	maxSeen  = 4 << 20 // bytes of the file
	keptSeen = 1 << 20 // bytes that are left of a file that has become larger
)

// seenFile returns the file of the commands that hooks saw in a project. It is in the user's state directory, so that no repository can
// bring one. The work trees of a project share it.
func seenFile(state, project string) string {
	if main, _, ok := worktree.MainRoot(project); ok {
		project = main
	}
	if real, err := filepath.EvalSymlinks(project); err == nil {
		project = real
	}
	sum := sha256.Sum256([]byte(project))
	return filepath.Join(state, "runs", hex.EncodeToString(sum[:8]), "commands.jsonl")
}

// Note records that a command ended, if the project has a planning folder. It fails if the file cannot be written.
func Note(ctx context.Context, state, dir, command string, exit int, at time.Time) error {
	if state == "" || strings.TrimSpace(command) == "" {
		return nil
	}
	project, err := folder.Find(dir, "")
	if err != nil {
		return nil // there is no plan that the command could be evidence for
	}
	e := Ended{Time: at.UTC().Format(time.RFC3339), Sum: commandSum(command), Exit: exit}
	if r, err := git.Find(dir); err == nil {
		if h, err := (git.Git{}).Head(ctx, r); err == nil {
			e.Commit = h.Commit
		}
	}
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return appendSeen(seenFile(state, project), append(line, '\n'))
}

func appendSeen(file string, line []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	if text, err := statefile.Read(file, maxSeen); err == nil && len(text) > maxSeen/2 {
		text = text[len(text)-keptSeen:]
		text = text[bytes.IndexByte(text, '\n')+1:]
		return statefile.Replace(file, append(text, line...), statefile.Options{})
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(line)
	return errors.Join(err, f.Close())
}

// Seen holds the commands that hooks saw end in a project, by their sums, the last end of each.
type Seen map[string]Ended

// ReadSeen returns the commands that hooks saw end in a project. A file that cannot be read has none.
func ReadSeen(state, project string) Seen {
	seen := Seen{}
	if state == "" {
		return seen
	}
	text, err := statefile.Read(seenFile(state, project), maxSeen)
	if err != nil {
		return seen
	}
	for sc := bufio.NewScanner(bytes.NewReader(text)); sc.Scan(); {
		var e Ended
		if json.Unmarshal(sc.Bytes(), &e) == nil && e.Sum != "" {
			seen[e.Sum] = e
		}
	}
	return seen
}

// Of returns the last end of a command.
func (s Seen) Of(command string) (Ended, bool) {
	e, ok := s[commandSum(command)]
	return e, ok
}

// commandSum returns a sum of a command line. Blanks do not count, nor does a change of the folder before the command.
func commandSum(line string) string {
	sum := sha256.Sum256([]byte(PlainCommand(line)))
	return hex.EncodeToString(sum[:16])
}

// PlainCommand returns a command line without repeated blanks and without a change of the folder before the command.
func PlainCommand(line string) string {
	line = strings.Join(strings.Fields(line), " ")
	if before, after, ok := strings.Cut(line, "&&"); ok && strings.HasPrefix(before, "cd ") && !strings.ContainsAny(before, ";|&") {
		line = strings.TrimSpace(after)
	}
	return line
}
