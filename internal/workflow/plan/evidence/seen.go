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
	"os"
	"path/filepath"
	"strings"
	"time"

	"ken/internal/git"
	"ken/internal/statefile"
	"ken/internal/workflow/plan/folder"
	"ken/internal/worktree"
)

// Ended is a command that a hook saw end. The file of them has a sum of the command and its folder instead of the text, because command
// lines can have secrets.
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

// Note records that a command, given to a shell in a folder, ended, if it ran in a project with a planning folder. It fails if the file
// cannot be written.
func Note(ctx context.Context, state, dir, command string, exit int, at time.Time) error {
	if state == "" || strings.TrimSpace(command) == "" {
		return nil
	}
	ranIn, _ := located(dir, command)
	project, err := folder.Find(ranIn, "")
	if err != nil {
		return nil // there is no plan that the command could be evidence for
	}
	e, top := Ended{Time: at.UTC().Format(time.RFC3339), Exit: exit}, project
	if r, err := git.Find(ranIn); err == nil {
		if rel, err := filepath.Rel(project, ranIn); err != nil || !filepath.IsLocal(rel) {
			top = r.Root // a linked work tree whose plan is in the main one
		}
		if h, err := (git.Git{}).Head(ctx, r); err == nil {
			e.Commit = h.Commit
		}
	}
	e.Sum = commandSum(top, dir, command)
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return appendSeen(seenFile(state, project), append(line, '\n'))
}

// appendSeen adds a line. It reads the file only if it has become large, because it runs after each command of an agent.
func appendSeen(file string, line []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	if st, err := os.Lstat(file); err == nil && st.Size() > maxSeen/2 {
		text, err := statefile.Read(file, maxSeen)
		if err != nil {
			return err
		}
		text = text[max(0, len(text)-keptSeen):]
		text = text[bytes.IndexByte(text, '\n')+1:]
		return statefile.Replace(file, append(text, line...), statefile.Options{})
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

// Of returns the last end of a command that runs in the root of a project.
func (s Seen) Of(project, command string) (Ended, bool) {
	e, ok := s[commandSum(project, project, command)]
	return e, ok
}

// commandSum returns a sum of a command line and the folder in which it runs. Repeated blanks do not count.
func commandSum(project, dir, command string) string {
	sum := sha256.Sum256([]byte(Key(project, dir, command)))
	return hex.EncodeToString(sum[:16])
}

// Key returns a text that two command lines given in a folder have in common if they run the same command in the same folder of a project.
func Key(project, dir, command string) string {
	ranIn, line := located(dir, command)
	if rel, err := filepath.Rel(project, ranIn); err == nil {
		ranIn = rel
	}
	return filepath.ToSlash(ranIn) + "\x00" + line
}

// located returns the folder in which a command line runs that is given in a folder, and the command without the changes of the folder
// before it and without repeated blanks.
func located(dir, line string) (ranIn, command string) {
	line = strings.Join(strings.Fields(line), " ")
	for {
		before, after, ok := strings.Cut(line, "&&")
		to := changedFolder(before)
		if !ok || to == "" {
			return dir, line
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(dir, to)
		}
		dir, line = filepath.Clean(to), strings.TrimSpace(after)
	}
}

// changedFolder returns the folder of a command "cd FOLDER", or "" for any other command and for a folder that only a shell knows.
func changedFolder(command string) string {
	to, ok := strings.CutPrefix(strings.TrimSpace(command), "cd ")
	if n := len(to); n > 1 && to[0] == to[n-1] && strings.ContainsRune(`'"`, rune(to[0])) {
		to = to[1 : n-1]
	} else if strings.Contains(to, " ") {
		return ""
	}
	if !ok || strings.HasPrefix(to, "-") || strings.ContainsAny(to, "$`~*?[]{}()<>|&;\"'\\") {
		return ""
	}
	return to
}
