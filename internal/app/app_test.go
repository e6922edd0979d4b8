package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/operation"

	"ken/internal/engine/store"
)

// program makes a program over a new directory that holds files.
func program(t *testing.T, files map[string]string) (*Program, *bytes.Buffer, *bytes.Buffer) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs bytes.Buffer
	return &Program{Getenv: environ(t), Dir: dir, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs}, &out, &errs
}

// environ is an environment of a state directory and no more. Without one nothing in
// .ken is believed.
func environ(t *testing.T) func(string) string {
	t.Helper()
	return with(nil, map[string]string{"KEN_STATE": t.TempDir()})
}

// with adds variables to an environment.
func with(getenv func(string) string, vars map[string]string) func(string) string {
	return func(k string) string {
		if v, ok := vars[k]; ok || getenv == nil {
			return v
		}
		return getenv(k)
	}
}

func (p *Program) run(ctx context.Context, args ...string) int {
	p.Args = args
	return p.Run(ctx)
}

func TestRun(t *testing.T) {
	p, out, errs := program(t, map[string]string{"a.go": "package a\n\nfunc F() {}\n"})
	ctx := context.Background()
	if code := p.run(ctx, "index"); code != Found {
		t.Fatalf("exit %d: %s", code, errs)
	}
	out.Reset()
	if code := p.run(ctx, "def", "F"); code != Found || out.String() != "a.go:3  function  func F()\n" {
		t.Errorf("exit %d: %q %s", code, out, errs)
	}
	// An argument longer than a kernel would pass on.
	out.Reset()
	errs.Reset()
	if code := p.run(ctx, "def", strings.Repeat("\x1b", 1<<20)); code != Failed || errs.Len() > 200 || out.Len() > 0 || strings.Contains(errs.String(), "\x1b") {
		t.Errorf("exit %d: %d bytes on stderr", code, errs.Len())
	}
}

func TestInterrupted(t *testing.T) {
	p, _, errs := program(t, map[string]string{"a.go": "package a\n"})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, args := range [][]string{{"init"}, {"index"}, {"index", "--full"}, {"grep", "x"}} {
		if code := p.run(ctx, args...); code != Interrupted {
			t.Errorf("%v: exit %d: %s", args, code, errs)
		}
	}
	if code := p.run(context.Background(), "index"); code != Found {
		t.Errorf("afterwards: exit %d: %s", code, errs)
	}
}

// cancelling is an output whose reader goes away in the middle.
type cancelling struct{ cancel func() }

func (c cancelling) Write(b []byte) (int, error) {
	c.cancel()
	return len(b), nil
}

// TestInterruptedOutput makes sure that an answer cut short is no success.
func TestInterruptedOutput(t *testing.T) {
	files := map[string]string{}
	for i := range 100 {
		files[fmt.Sprintf("f%d.txt", i)] = strings.Repeat("a line to find\n", 200)
	}
	p, _, errs := program(t, files)
	if code := p.run(context.Background(), "index"); code != Found {
		t.Fatalf("exit %d: %s", code, errs)
	}
	for _, format := range []string{"text", "json"} {
		ctx, cancel := context.WithCancel(context.Background())
		p.Stdout = cancelling{cancel}
		if code := p.run(ctx, "grep", "find", "--limit", "0", "--format", format); code != Interrupted {
			t.Errorf("%s: exit %d: %s", format, code, errs)
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// TestOutputFails makes sure that an answer that could not be written is no success.
func TestOutputFails(t *testing.T) {
	p, _, errs := program(t, map[string]string{"a.go": "package a\n\nfunc F() {}\n"})
	if code := p.run(context.Background(), "index"); code != Found {
		t.Fatalf("exit %d: %s", code, errs)
	}
	p.Stdout = fullDisk{}
	for _, args := range [][]string{{"def", "F"}, {"def", "F", "--json"}, {"def", "F", "--format", "paths"}, {"export", "index"}, {"version"}} {
		errs.Reset()
		if code := p.run(context.Background(), args...); code != Failed || !strings.Contains(errs.String(), "no space left") {
			t.Errorf("%v: exit %d: %s", args, code, errs)
		}
	}
}

func TestOutcome(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		err  error
		code int
		want string
	}{
		{&operation.NothingError{Message: "no x"}, Nothing, "no x"},
		{&operation.NothingError{Message: "no x", Near: []string{"y\x1b", "z"}}, Nothing, `no x; near: y\x1b, z`},
		{&operation.UnprovenError{Message: "could not tell"}, Failed, "could not tell"},
		{fmt.Errorf("read %s: %w", "a\x1b", os.ErrPermission), Failed, `read a\x1b: permission denied`},
		{store.ErrNewerSchema, Failed, store.ErrNewerSchema.Error()},
		{errors.New(strings.Repeat("é", 5000)), Failed, strings.Repeat("é", maxMessage/2) + " …"},
	} {
		if code, got := exitCode(ctx, c.err, nil); code != c.code || got != c.want {
			t.Errorf("%.40v: got %d %q", c.err, code, got)
		}
	}
}

func TestFindRoot(t *testing.T) {
	p, _, _ := program(t, map[string]string{
		"set/.ken/x": "", "set/sub/deep/x": "", "set/nested/.git/HEAD": "", "set/nested/in/x": "",
		"repo/.git/HEAD": "", "repo/sub/x": "", "worktree/.git": "gitdir: x", "worktree/sub/x": "", "plain/sub/x": "", "odd/.ken": "a file", "odd/sub/x": "",
		"home/.ken/x": "", "home/project/x": "",
	})
	base, err := filepath.EvalSymlinks(p.Dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		dir            string
		found, created string // relative; "" if there is none
	}{
		{"set/sub/deep", "set", "set"},
		{"set", "set", "set"},
		{"set/nested/in", "", "set/nested"},
		{"repo/sub", "", "repo"},
		{"worktree/sub", "", "worktree"},
		{"plain/sub", "", "plain/sub"},
		{"odd/sub", "", "odd/sub"},
		{"home", "home", "home"},
		{"home/project", "", "home/project"},
	} {
		for create, want := range map[bool]string{false: c.found, true: c.created} {
			got, err := findRoot(filepath.Join(base, c.dir), filepath.Join(base, "home"), create)
			if want == "" {
				if !errors.Is(err, store.ErrNoIndex) {
					t.Errorf("%s: got %s, %v", c.dir, got, err)
				}
				continue
			}
			if err != nil || got != filepath.Join(base, want) {
				t.Errorf("%s, create %v: got %s, %v", c.dir, create, got, err)
			}
		}
	}
}
