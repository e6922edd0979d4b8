package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// commit is what a patch says of one commit.
type commit struct {
	id, subject string
	files       []*fileChange
}

// fileChange is one file of a patch without context lines.
type fileChange struct {
	path                     string
	created, deleted, binary bool
	hunks                    []hunk
}

// hunk is one stretch of a patch: lines that went and lines that came.
type hunk struct {
	oldFrom, newFrom int
	removed, added   []string
}

// lines is how many lines a file lost and got.
func (f *fileChange) lines() (removed, added int) {
	for _, h := range f.hunks {
		removed += len(h.removed)
		added += len(h.added)
	}
	return removed, added
}

// logFormat begins each commit of a patch with a byte that no path begins with.
const logFormat = "--format=%x01%H%x01%s"

// gitDir is where the clone of owner/name is.
func gitDir(clones, name string) string {
	return filepath.Join(clones, strings.Replace(name, "/", "+", 1), "repo")
}

// git runs git on a bare repository without what its configuration could start.
func git(dir string, args ...string) ([]byte, error) {
	harmless := []string{"--git-dir=" + dir, "-c", "core.quotePath=false", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"}
	cmd := exec.Command("git", append(harmless, args...)...)
	cmd.Env = append(os.Environ(), "GIT_NO_LAZY_FETCH=1", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, bytes.TrimSpace(errs.Bytes()))
	}
	return out, nil
}

// show is one commit with its patch.
func show(dir, id string) (*commit, error) {
	out, err := git(dir, "show", "-p", "-U0", "--no-renames", "--no-color", "--no-ext-diff", "--no-textconv", logFormat, id)
	if err != nil {
		return nil, err
	}
	all := patches(out)
	if len(all) != 1 {
		return nil, fmt.Errorf("%s: %d commits", id, len(all))
	}
	return all[0], nil
}

// patches reads what git log -p prints with logFormat and without context.
func patches(out []byte) []*commit {
	var all []*commit
	var c *commit
	var f *fileChange
	r := bufio.NewReader(bytes.NewReader(out))
	oldLeft, newLeft := 0, 0
	for {
		line, err := r.ReadString('\n')
		if err == io.EOF && line == "" {
			return all
		}
		line = strings.TrimSuffix(line, "\n")
		switch {
		case oldLeft > 0 && strings.HasPrefix(line, "-"):
			h := &f.hunks[len(f.hunks)-1]
			h.removed = append(h.removed, strings.TrimSuffix(line[1:], "\r"))
			oldLeft--
		case newLeft > 0 && strings.HasPrefix(line, "+"):
			h := &f.hunks[len(f.hunks)-1]
			h.added = append(h.added, strings.TrimSuffix(line[1:], "\r"))
			newLeft--
		case strings.HasPrefix(line, "\x01"):
			id, subject, _ := strings.Cut(line[1:], "\x01")
			c, f = &commit{id: id, subject: subject}, nil
			all = append(all, c)
		case c == nil:
		case strings.HasPrefix(line, "diff --git "):
			f = &fileChange{path: pathOf(line)}
			c.files = append(c.files, f)
		case f == nil:
		case strings.HasPrefix(line, "new file mode"):
			f.created = true
		case strings.HasPrefix(line, "deleted file mode"):
			f.deleted = true
		case strings.HasPrefix(line, "Binary files "):
			f.binary = true
		case strings.HasPrefix(line, "@@ "):
			var h hunk
			h.oldFrom, oldLeft, h.newFrom, newLeft = hunkHead(line)
			f.hunks = append(f.hunks, h)
		}
	}
}

// pathOf is the path of "diff --git a/PATH b/PATH": without renames both are one.
func pathOf(line string) string {
	rest := strings.TrimPrefix(line, "diff --git a/")
	return rest[:max(0, (len(rest)-len(" b/"))/2)]
}

// hunkHead reads "@@ -10,2 +9 @@": a count that is not there is 1.
func hunkHead(line string) (oldFrom, oldLines, newFrom, newLines int) {
	fields := strings.Fields(line)
	if len(fields) < 3 {
		return 0, 0, 0, 0
	}
	number := func(s string) (int, int) {
		from, count, found := strings.Cut(s[1:], ",")
		a, _ := strconv.Atoi(from)
		if !found {
			return a, 1
		}
		n, _ := strconv.Atoi(count)
		return a, n
	}
	oldFrom, oldLines = number(fields[1])
	newFrom, newLines = number(fields[2])
	return oldFrom, oldLines, newFrom, newLines
}
