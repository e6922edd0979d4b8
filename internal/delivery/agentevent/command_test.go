package agentevent

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/workflow/agent"
	"ken/internal/workflow/agent/claude"
)

func TestTestRun(t *testing.T) {
	for _, c := range []struct {
		line, command string
		decides       bool
	}{
		{"go test ./...", "go test ./...", true},
		{"cd a && CGO_ENABLED=1 go test -run 'A|B' ./x", "go test -run A|B ./x", true},
		{"npm test", "npm test", true},
		{"npm run test -- --watch=false", "npm run test -- --watch=false", true},
		{"npx jest src/a.test.ts", "jest src/a.test.ts", true},
		{"python -m pytest -q tests", "pytest -q tests", true},
		{"python3 -m unittest", "unittest", true},
		{"python manage.py test app", "python manage.py test app", true},
		{"./gradlew :core:test --info", "gradlew :core:test --info", true},
		{"mvn -q -B test", "mvn -q -B test", true},
		{"mvn clean verify", "mvn clean verify", true},
		{"make -j4 test", "make -j4 test", true},
		{"cargo test --workspace", "cargo test --workspace", true},
		{"uv run pytest", "pytest", true},
		{"bundle exec rspec spec", "rspec spec", true},
		{"node --test", "node --test", true},
		{"go vet ./... && go test ./...", "go test ./...", false}, // vet may have failed
		{"go test ./... && echo good", "go test ./...", false},
		{"go test ./... | tail -5", "go test ./...", false},
		{"go test ./... || true", "go test ./...", false},
		{"go test ./...; echo done", "go test ./...", false},
		{"go test ./... 2>&1", "go test ./... 2>&1", true},
		{"# go test\nls", "", false},
		{"echo 'go test'", "", false},
		{"go build ./...", "", false},
		{"grep test a.go", "", false},
		{"make", "", false},
		{"npm run build", "", false},
		{"echo $(go test)", "", false},
		{"cat <<EOF\ngo test\nEOF", "", false},
		{"'go test", "", false},
		{strings.Repeat("x ", maxCommand), "", false},
		{"", "", false},
	} {
		command, decides := testCommand(c.line)
		if command != c.command || decides != c.decides {
			t.Errorf("%q: %q, %v; want %q, %v", c.line, command, decides, c.command, c.decides)
		}
	}
}

// recordedCommands returns the command lines in payloads that Claude Code sent.
func recordedCommands(f *testing.F) (out []string) {
	f.Helper()
	paths, err := filepath.Glob("../../workflow/agent/claude/testdata/payloads/P*Bash*.json")
	if err != nil || len(paths) == 0 {
		f.Fatalf("no payloads: %v", err)
	}
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		e, err := claude.Decode(agent.BeforeTool, bytes.ReplaceAll(raw, []byte("hook_event_name"), []byte("_")))
		if err != nil || e.Command == "" {
			f.Fatalf("%s: %+v, %v", path, e, err)
		}
		out = append(out, e.Command)
	}
	return out
}

func FuzzCommand(f *testing.F) {
	for _, s := range []string{"go test ./...", "a && b || c; d | e & f", `x "a\"b" 'c' \ d`, "rg -n foo src", "a # b\nc", "2>&1", "<<E"} {
		f.Add(s)
	}
	for _, line := range recordedCommands(f) {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		testCommand(line)
		searchedName(line)
		list, ok := splitCommands(line)
		total := 0
		for _, c := range list {
			for _, w := range c.words {
				total += len(w)
			}
		}
		if total > len(line) || !ok && list != nil {
			t.Errorf("%q became %q", line, list)
		}
	})
}

func TestSearched(t *testing.T) {
	for line, want := range map[string]string{
		"grep -rn parseConfig src":             "parseConfig",
		"rg 'parseConfig\\('":                  "parseConfig",
		"rg -n --type go \"func parseConfig\"": "parseConfig",
		"git grep parseConfig":                 "parseConfig",
		"grep -e parseConfig -r .":             "parseConfig",
		"rg '\\bStore\\.Apply\\b'":             "Store.Apply",
		"egrep '^class Foo'":                   "Foo",
		"rg foo | head":                        "",
		"cat a | grep foo":                     "",
		"ls":                                   "",
		"rg 'a.*b'":                            "",
		"rg 'foo|bar'":                         "",
		"rg TODO":                              "TODO",
		"grep -c x":                            "",
	} {
		if got := searchedName(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
