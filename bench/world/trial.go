package world

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

// Trial is a git working tree to which patches are applied and taken back, with a command of the shell that checks it, "" for none.
type Trial struct{ Dir, Check string }

// Apply applies a patch without context lines, with more flags of git apply. It returns what git printed.
func (t *Trial) Apply(ctx context.Context, patch string, flags ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"apply", "--unidiff-zero", "--whitespace=nowarn"}, flags...)...)
	cmd.Dir, cmd.Stdin = t.Dir, strings.NewReader(patch)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// numbers are the column of a message, or a time.
var numbers = regexp.MustCompile(`[0-9]+(\.[0-9]+)?`)

// Messages counts the lines that the check prints, without numbers, with one name put in the place of another, which the check knows as
// OLD_NAME. That the check fails is one message more. It returns an error if the check cannot be started.
func (t *Trial) Messages(ctx context.Context, name, instead string) (map[string]int, error) {
	counts := map[string]int{}
	if t.Check == "" {
		return counts, nil
	}
	cmd := exec.CommandContext(ctx, "sh", "-c", t.Check)
	cmd.Dir = t.Dir
	cmd.Env = append(os.Environ(), "OLD_NAME="+instead)
	out, err := cmd.CombinedOutput()
	exit := (*exec.ExitError)(nil)
	switch {
	case err != nil && !errors.As(err, &exit):
		return nil, err
	case exit != nil:
		counts["the check fails"]++
	}
	for line := range bytes.Lines(out) {
		s := string(line)
		if name != "" {
			s = strings.ReplaceAll(s, name, instead)
		}
		counts[numbers.ReplaceAllString(strings.TrimSpace(s), "0")]++
	}
	return counts, nil
}
