package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// exampleModule is the repository of the example in docs/examples.md. It is a dependency
// of this module, so go.mod pins its version and the module cache has it.
const exampleModule = "github.com/spf13/cobra"

var (
	exampleBlock = regexp.MustCompile("(?ms)^## An example$.*?^```\n(.*?)^```$")
	elapsed      = regexp.MustCompile(`\d+(\.\d+)? m?s:`)
)

// TestExample runs the commands of the example in docs/examples.md and compares
// their output with the page. A line "…" in it is for any number of lines.
func TestExample(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "examples.md"))
	if err != nil {
		t.Fatal(err)
	}
	block := exampleBlock.FindSubmatch(page)
	if block == nil {
		t.Fatal("docs/examples.md has no example")
	}
	u, dir := newUser(t), exampleProject(t)
	commands := strings.Split("\n"+string(block[1]), "\n$ ")[1:]
	if len(commands) < 5 {
		t.Fatalf("%d commands", len(commands))
	}
	for _, c := range commands {
		line, want, _ := strings.Cut(c, "\n")
		words := strings.Fields(line)
		if words[0] != "ken" || strings.ContainsAny(line, `"'|`) {
			t.Fatalf("%q: the test runs ken alone, with plain words", line)
		}
		r := u.ken(dir, words[1:]...)
		if r.status != 0 {
			t.Errorf("%s: exit %d: %s", line, r.status, r.stderr)
		}
		if missing := firstMissing(want, r.out); missing != "" {
			t.Errorf("%s: the page has the line %q, which does not follow in\n%s", line, missing, r.out)
		}
	}
}

// exampleProject copies the example's module into a new git repository.
func exampleProject(t *testing.T) string {
	t.Helper()
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", exampleModule).Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "cobra")
	if err := os.CopyFS(dir, os.DirFS(strings.TrimSpace(string(module)))); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "one"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	return dir
}

// firstMissing returns the first line of an example that the output does not
// have where the example has it, or "" if the output is as shown. Blank lines
// and times are not compared.
func firstMissing(example, output string) string {
	lines := func(s string) []string {
		return strings.FieldsFunc(elapsed.ReplaceAllString(s, "T:"), func(r rune) bool { return r == '\n' })
	}
	have, skip := lines(output), false
	for _, want := range lines(example) {
		if strings.TrimSpace(want) == "…" {
			skip = true
			continue
		}
		at := 0
		for at < len(have) && have[at] != want && skip {
			at++
		}
		if at == len(have) || have[at] != want {
			return want
		}
		have, skip = have[at+1:], false
	}
	if len(have) > 0 && !skip {
		return "(end), before " + have[0]
	}
	return ""
}

func TestFirstMissing(t *testing.T) {
	for _, c := range []struct{ example, output, want string }{
		{"a\nb", "a\n\nb\n", ""},
		{"a\n…\nd", "a\nb\nc\nd\n", ""},
		{"a\n…", "a\nb\n", ""},
		{"indexed in 1.4 s: 3", "indexed in 20 ms: 3", ""},
		{"a\nc", "a\nb\nc\n", "c"},
		{"a", "a\nb\n", "(end), before b"},
		{"…\nz", "a\nb\n", "z"},
	} {
		if got := firstMissing(c.example, c.output); got != c.want {
			t.Errorf("firstMissing(%q, %q) = %q, want %q", c.example, c.output, got, c.want)
		}
	}
}
