package setup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/workflow/agent/claude"
	"ken/internal/workflow/install"
)

func TestSaid(t *testing.T) {
	for _, c := range []struct{ event, out, want, fails string }{
		{"stop", "", "answers nothing, as it should", ""},
		{"session-start", " \n", "", "it answered nothing"},
		{"session-start", `{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"äb"}}`, "answers 2 characters for the agent", ""},
		{"stop", "warning: x", "", "what is no JSON"},
		{"stop", `{"additionalContext":"x"}`, "", "what Claude Code does not read"},
		{"statusline", "a\n", "answers a", ""},
	} {
		got, err := describeAnswer(c.event, []byte(c.out))
		if got != c.want || (err != nil) != (c.fails != "") || err != nil && !strings.Contains(err.Error(), c.fails) {
			t.Errorf("%s %q: %q, %v", c.event, c.out, got, err)
		}
	}
}

func TestCounted(t *testing.T) {
	text := "2026-03-01T10:00:00Z claude stop: open x: read-only file system\n" +
		"2026-03-01T10:00:01Z claude stop: done in 4 ms\nno line\n\n" +
		"2026-03-02T10:00:00Z claude stop: SQLITE_FULL: database or disk is full\n" +
		"2026-03-03T10:00:00Z claude stop: attempt to write a readonly database\n" +
		"2026-03-03T10:00:00Z statusline: panic: index out of range\n"
	want := []Logged{
		{"read-only disk", 2, "2026-03-03T10:00:00Z", "claude stop: attempt to write a readonly database"},
		{"full disk", 1, "2026-03-02T10:00:00Z", "claude stop: SQLITE_FULL: database or disk is full"},
		{"panic", 1, "2026-03-03T10:00:00Z", "statusline: panic: index out of range"},
	}
	if diff := cmp.Diff(want, countLines(text)); diff != "" {
		t.Error(diff)
	}
}

// TestResolve: a program is run only if it is this one, or one that an installation of the
// user wrote.
func TestResolve(t *testing.T) {
	dir := t.TempDir()
	root, bin := filepath.Join(dir, "repo"), filepath.Join(dir, "bin")
	for _, path := range []string{filepath.Join(root, "ken"), filepath.Join(bin, "ken"), filepath.Join(dir, "self"), filepath.Join(dir, "other")} {
		os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(dir, "self"), filepath.Join(root, "link")); err != nil {
		t.Skip(err)
	}
	self, err := os.Stat(filepath.Join(dir, "self"))
	if err != nil {
		t.Fatal(err)
	}
	path := bin
	x := &examination{self: self, env: &env{Getenv: func(name string) string { return map[string]string{"PATH": path}[name] }}}
	x.options = claude.Options{Root: root, Ken: filepath.Join(dir, "self")}
	x.installer = installer(t)
	for program, want := range map[string]string{
		filepath.Join(dir, "self"):  x.options.Ken,
		filepath.Join(root, "link"): x.options.Ken,
		filepath.Join(dir, "other"): "",
		filepath.Join(root, "ken"):  "",
		filepath.Join(dir, "none"):  "",
		"./ken":                     "",
		"ken":                       filepath.Join(bin, "ken"),
	} {
		if got, state, why := x.resolveProgram(claude.Call{Program: program}); got != want || state == good || (got == "") != (why != "") {
			t.Errorf("%s: %q, %s, %q", program, got, state, why)
		}
	}
	for _, path = range []string{root, "", ".", filepath.Join(dir, "none")} {
		if got, _, _ := x.resolveProgram(claude.Call{Program: "ken"}); got != "" {
			t.Errorf("with PATH %q: %q", path, got)
		}
	}
	if got, _, _ := x.resolveProgram(claude.Call{Program: filepath.Join(dir, "self"), Odd: "odd"}); got != "" {
		t.Errorf("an odd one: %q", got)
	}
}

// TestSchemaOf reads the schema from a header.
func TestSchemaOf(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	header := append([]byte("SQLite format 3\x00"), make([]byte, 84)...)
	header[63] = 7
	for text, want := range map[string]int{string(header): 7, "short": -1, strings.Repeat("x", 200): -1} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, ok := storedSchema(path); ok != (want >= 0) || ok && got != want {
			t.Errorf("%q: %d, %v", text, got, ok)
		}
	}
}

func installer(t *testing.T) *install.Installer { return &install.Installer{State: t.TempDir()} }
