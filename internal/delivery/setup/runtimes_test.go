package setup

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/delivery/project"
)

// run runs install or uninstall in a project with a home, and returns its answer.
func run(t *testing.T, root, home string, in installInput, d direction, confirm func(string) (bool, error)) (*installAnswer, error) {
	t.Helper()
	e := at(root, map[string]string{"HOME": home, "KEN_STATE": filepath.Join(home, "state"), "PATH": filepath.Join(home, "bin")})
	e.Confirm = confirm
	var got *installAnswer
	err := runInstall(context.Background(), (*project.Env)(e), &in, func(a *installAnswer) error { got = a; return nil }, d)
	return got, err
}

// TestRuntimes: products that share files keep them until the last is taken out, and those on the machine are found.
func TestRuntimes(t *testing.T) {
	dir := t.TempDir()
	root, home := filepath.Join(dir, "p"), filepath.Join(dir, "h")
	for _, d := range []string{root, filepath.Join(home, ".codex"), filepath.Join(home, "bin")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(home, "bin", "gemini"), "")
	write(t, filepath.Join(root, "AGENTS.md"), "# Mine\n")

	in := installInput{Runtimes: []string{"codex", "opencode"}, Project: true, Yes: true}
	if a, err := run(t, root, home, in, installDirection(), nil); err != nil || !a.Changed || a.Runtime != "codex, opencode" || a.Folder != root {
		t.Fatalf("%+v, %v", a, err)
	}
	rules := func() string {
		b, _ := os.ReadFile(filepath.Join(root, "AGENTS.md"))
		return string(b)
	}
	a, err := run(t, root, home, installInput{Runtimes: []string{"codex"}, Project: true, Yes: true}, removeDirection(), nil)
	if err != nil || !strings.Contains(rules(), "ken brief") {
		t.Fatalf("opencode lost its rules: %v %q", err, rules())
	}
	if last := a.Files[len(a.Files)-1]; last.Action != "kept" || last.Note != "opencode uses it as well" {
		t.Errorf("%+v", last)
	}
	if _, err := run(t, root, home, installInput{Runtimes: []string{"opencode"}, Project: true, Yes: true}, removeDirection(), nil); err != nil || rules() != "# Mine\n" {
		t.Errorf("%v %q", err, rules())
	}

	asked := ""
	no := func(q string) (bool, error) { asked = q; return false, nil }
	if _, err := run(t, root, home, installInput{}, installDirection(), no); err == nil || !strings.Contains(asked, "codex (OpenAI Codex CLI), gemini (Gemini CLI)") {
		t.Errorf("%v, asked %q", err, asked)
	}
	if a, err := run(t, root, home, installInput{Detected: true, DryRun: true, User: true}, installDirection(), nil); err != nil || a.Runtime != "codex, gemini" {
		t.Errorf("%+v, %v", a, err)
	}
	for _, test := range []struct {
		in  installInput
		err string
	}{
		{installInput{Runtimes: []string{"codex"}, Local: true}, "codex has no --local: it has --project and --user"},
		{installInput{Runtimes: []string{"codxe"}}, "is codex meant?"},
		{installInput{Runtimes: []string{"codex"}, Plugin: "x"}, "--plugin is for claude alone"},
		{installInput{}, "name those that you mean, or give --detected"},
	} {
		if _, err := run(t, root, home, test.in, installDirection(), nil); err == nil || !strings.Contains(err.Error(), test.err) {
			t.Errorf("%+v: %v", test.in, err)
		}
	}
	in = installInput{Runtimes: []string{"gemini"}, Project: true, Profile: "core", DryRun: true}
	if a, err := run(t, root, home, in, installDirection(), nil); err != nil || len(a.Files) != 3 {
		t.Errorf("the core has one skill, rules, and settings: %+v, %v", a, err)
	}
}

// TestApprovalCheck: hooks that a product does not run before its user has approved them are a problem, with the one thing to do.
func TestApprovalCheck(t *testing.T) {
	dir := t.TempDir()
	root, home := filepath.Join(dir, "p"), filepath.Join(dir, "h")
	for _, d := range []string{root, home} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := run(t, root, home, installInput{Runtimes: []string{"codex"}, User: true, Yes: true}, installDirection(), nil); err != nil {
		t.Fatal(err)
	}
	e := at(root, map[string]string{"HOME": home, "KEN_STATE": filepath.Join(home, "state")})
	x, err := newExamination(e)
	if err != nil {
		t.Fatal(err)
	}
	list := runtimeChecks(t.Context(), x.installer, x.options, e.Getenv, nil)
	if len(list) != 1 || list[0].State != problem || !strings.Contains(list[0].Text, "10 of 10 hooks of ken are not approved") || !strings.Contains(list[0].Text, "type /hooks in a session") {
		t.Errorf("%+v", list)
	}
	// What the program keeps is read, and what cannot be read is said.
	write(t, filepath.Join(home, ".codex", "config.toml"), "[")
	if list := runtimeChecks(t.Context(), x.installer, x.options, e.Getenv, nil); len(list) != 1 || list[0].State != problem {
		t.Errorf("%+v", list)
	}
}

// TestUninstallAlone: without a name all goes that install puts in without a scope, at home as well, and what is installed for the user on purpose
// stays.
func TestUninstallAlone(t *testing.T) {
	dir := t.TempDir()
	root, home := filepath.Join(dir, "p"), filepath.Join(dir, "h")
	for _, d := range []string{root, filepath.Join(home, ".codex")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(home, ".codex", "config.toml"), "model = \"o\"\n")
	for _, in := range []installInput{{Runtimes: []string{"claude", "codex", "gemini"}, Yes: true}, {Runtimes: []string{"claude"}, User: true, Yes: true}} {
		if _, err := run(t, root, home, in, installDirection(), nil); err != nil {
			t.Fatal(err)
		}
	}
	a, err := run(t, root, home, installInput{Yes: true}, removeDirection(), nil)
	if err != nil || a.Runtime != "claude, codex, gemini" || !strings.Contains(strings.Join(a.Notes, "\n"), "codex had it for the user: it is gone from all projects") {
		t.Fatalf("%+v, %v", a, err)
	}
	config, err := os.ReadFile(filepath.Join(home, ".codex", "config.toml"))
	if err != nil || string(config) != "model = \"o\"\n" {
		t.Errorf("%s %v", config, err)
	}
	for _, p := range []string{filepath.Join(home, ".gemini"), filepath.Join(home, ".agents"), filepath.Join(root, ".claude")} {
		if _, err := os.Lstat(p); err == nil {
			t.Errorf("%s is there", p)
		}
	}
	if _, err := os.Stat(filepath.Join(home, ".claude", "settings.json")); err != nil {
		t.Error(err)
	}
	if _, err := run(t, root, home, installInput{Yes: true}, removeDirection(), nil); err == nil || !strings.Contains(err.Error(), "for no product") {
		t.Error(err)
	}
}
