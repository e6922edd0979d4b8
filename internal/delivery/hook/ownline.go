package hook

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"ken/internal/workflow/process"
)

// Alone is the environment variable that makes ken's status line print only its own line.
// It is set for the user's own command, which may call ken's again, and by users who want
// nothing else to be run.
const Alone = "KEN_STATUSLINE_ALONE"

// Limits of the user's own status line.
const (
	ownTime   = 2 * time.Second
	maxOwn    = 16 << 10 // bytes
	ownLines  = 8
	resetAll  = "\x1b[0m"
	separator = " │ "
)

// runOwnLine runs the user's own status line command, which ken's has replaced in the
// settings, and returns its lines. It gets the same payload, in the same directory.
func (l *StatusLine) runOwnLine(ctx context.Context, s *status, payload []byte) []string {
	if l.Own == nil || l.Getenv(Alone) != "" {
		return nil
	}
	command := l.Own(l.possibleProjects(s))
	if command == "" {
		return nil
	}
	c := process.Command{
		Path: "/bin/sh", Args: []string{"-c", command}, Dir: l.Dir, Env: append(os.Environ(), Alone+"=1"), Stdin: payload, Time: ownTime, Most: maxOwn,
	}
	if runtime.GOOS == "windows" { // Claude Code uses the shell of git there
		if c.Path = l.Getenv("CLAUDE_CODE_GIT_BASH_PATH"); c.Path == "" {
			c.Path = "bash.exe"
		}
	}
	r, err := c.Run(ctx)
	switch {
	case err != nil:
	case r.Late:
		err = fmt.Errorf("it did not end within %v", ownTime)
	case r.Cut:
		err = errors.New("it wrote more than 16 kB")
	case r.Code != 0:
		err = fmt.Errorf("it ended with status %d", r.Code)
	}
	if err != nil {
		l.Debug(fmt.Errorf("run the user's own status line: %w", err))
		return nil
	}
	text := strings.Trim(strings.ReplaceAll(strings.ToValidUTF8(string(r.Stdout), "?"), "\r\n", "\n"), "\n")
	if strings.TrimSpace(text) == "" {
		return nil
	}
	lines := strings.Split(text, "\n")
	return lines[:min(len(lines), ownLines)]
}

// possibleProjects returns the directories that may belong to a repository, as far as they are known.
func (l *StatusLine) possibleProjects(s *status) []string {
	dirs := []string{s.Dir, s.Workspace.Project, l.Dir}
	if p, err := l.Open(s.Dir); err == nil && p != nil {
		dirs = append(dirs, p.Root)
	}
	return dirs
}

// joinLines joins the user's lines with ken's: on one line if the terminal is known to be
// wide enough for both, else below each other.
func joinLines(own []string, line, columns string) string {
	if len(own) == 0 || line == "" {
		return strings.Join(append(own, line), "\n")
	}
	width, _ := strconv.Atoi(columns)
	last := len(own) - 1
	styled := strings.Contains(own[last], "\x1b")
	if styled {
		own[last] += resetAll // so that an open colour does not affect ken's line
	}
	if joined := own[0] + separator + line; last == 0 && shownWidth(joined) <= width {
		return joined
	}
	return strings.Join(append(own, line), "\n")
}

// shownWidth returns about how many columns a line takes on a terminal: escape sequences take
// none. Wide characters count as one.
func shownWidth(s string) (n int) {
	for s != "" {
		if s[0] == 0x1b {
			s = s[escapeLength(s):]
			continue
		}
		_, size := utf8.DecodeRuneInString(s)
		s = s[size:]
		n++
	}
	return n
}

// escapeLength returns the length of the escape sequence that a text begins with.
func escapeLength(s string) int {
	if len(s) < 2 {
		return len(s)
	}
	switch s[1] {
	case '[': // ends with a letter or another of the last bytes
		for i := 2; i < len(s); i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1
			}
		}
	case ']': // ends with BEL or ESC \
		for i := 2; i < len(s); i++ {
			if s[i] == 0x07 {
				return i + 1
			}
			if strings.HasPrefix(s[i:], "\x1b\\") {
				return i + 2
			}
		}
	default:
		return 2
	}
	return len(s)
}
