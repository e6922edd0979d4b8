package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// world is a project that ken works in.
type world struct {
	ken, dir, home string
}

// newWorld makes a small project with an index.
func newWorld(ctx context.Context, o *options, name string) (*world, error) {
	w := &world{ken: o.ken, dir: filepath.Join(o.scratch, name, "tree"), home: filepath.Join(o.scratch, name, "home")}
	for _, d := range []string{w.home, w.dir} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return nil, err
		}
	}
	for i := range 40 {
		text := fmt.Sprintf("package p\n\n// Part%d is a part.\nfunc Part%d(n int) int { return Part%d(n - 1) }\n", i, i, (i+1)%40)
		if err := os.WriteFile(filepath.Join(w.dir, fmt.Sprintf("part%d.go", i)), []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	return w, w.begin(ctx)
}

// begin puts the project under version control and has ken index it.
func (w *world) begin(ctx context.Context) error {
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "one"}} {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Dir, cmd.Env = w.dir, append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("git %v: %w: %s", args, err, out)
		}
	}
	if out, err := w.command(ctx, "", "init").CombinedOutput(); err != nil {
		return fmt.Errorf("ken init: %w: %s", err, out)
	}
	return nil
}

// command is ken in the project, run by an agent's session or, with "", by a person.
func (w *world) command(ctx context.Context, session string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, w.ken, args...)
	cmd.Dir = w.dir
	cmd.Env = w.env(session)
	return cmd
}

// env is what ken sees of the environment: no setting of the user's, and a home of its own.
func (w *world) env(session string) (out []string) {
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "KEN_") && !strings.HasPrefix(e, "CLAUDE") && !strings.HasPrefix(e, "XDG_") {
			out = append(out, e)
		}
	}
	return append(out, "HOME="+w.home, "KEN_STATE="+filepath.Join(w.home, "state"), "CLAUDE_CODE_SESSION_ID="+session)
}
