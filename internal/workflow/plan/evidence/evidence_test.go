package evidence

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestTruth(t *testing.T) {
	for report, want := range map[string]Answer{
		"":                 Unanswered,
		"status: passed\n": Unanswered,
		"It greets\n":      Unanswered,
		"| 1 | It greets | ✓ VERIFIED | `cat hello.txt` |":                        Verified,
		"| 1 | **It greets** | verified | hello.txt:1 |":                          Verified,
		"| 1 | It greets | verified |  |":                                         Unanswered, // nothing shows it
		"| 1 | It greets | [verified, failed or human] | [evidence] |":            Unanswered,
		"| 1 | It greets | ✗ FAILED | nothing is printed |":                       Failed,
		"| 1 | It greets | ? UNCERTAIN | a person has to look |":                  Failed,
		"| 1 | It greets | not verified | later |":                                Failed,
		"- [x] It greets | passed | `go test`":                                    Verified,
		"- [ ] It greets | passed | `go test`":                                    Failed,
		"| 1 | It greets | verified | a |\n| 2 | It greets | failed | b |":        Failed,
		"| 1 | It  GREETS | passed | hello.txt has the text that failed before |": Verified,
	} {
		if got := Truth(report, "It greets"); got != want {
			t.Errorf("%q: %s, want %s", report, got, want)
		}
	}
	for _, report := range []string{
		"| 1 | It greets in two languages | verified | b.go |", "| 1 | Nobody knows whether it greets | verified | b.go |",
		"- [x] It greets politely | passed | `go test`", "It greets the user. | verified | b.go |",
	} {
		if got := Truth(report, "It greets"); got != Unanswered {
			t.Errorf("%q answers another truth: %s", report, got)
		}
	}
	for _, report := range []string{"- [x] It greets: passed | `go test`", "1. **It greets.** | passed | b.go", "| 1 | It greets (a.go) | passed | b.go |"} {
		if got := Truth(report, "It greets"); got != Verified {
			t.Errorf("%q: %s", report, got)
		}
	}
	if Truth("| a \\| b | passed | x.go |", "a \\| b") != Verified {
		t.Error("a bar in a cell")
	}
}

func TestNote(t *testing.T) {
	state, dir := t.TempDir(), t.TempDir()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	note := func(command string, exit int) {
		t.Helper()
		if err := Note(t.Context(), state, dir, command, exit, now); err != nil {
			t.Fatal(err)
		}
	}
	note("go test ./...", 0)
	if len(ReadSeen(state, dir)) != 0 {
		t.Error("a project without a plan has records")
	}
	if err := os.MkdirAll(filepath.Join(dir, ".planning", "phases"), 0o755); err != nil {
		t.Fatal(err)
	}
	note("go test ./...", 1)
	note("cd "+dir+" &&  go  test ./...", 0)
	note("TOKEN=secret make", 2)
	seen := ReadSeen(state, dir)
	if e, ok := seen.Of(dir, "go test ./..."); !ok || e.Exit != 0 || e.Time != "2026-01-01T00:00:00Z" {
		t.Errorf("%+v", seen)
	}
	if _, ok := seen.Of(dir, "go test ./... || true"); ok {
		t.Error("another command line is another command")
	}
	if text, err := os.ReadFile(seenFile(state, dir)); err != nil || len(text) == 0 || strings.Contains(string(text), "secret") {
		t.Errorf("%v %s", err, text)
	}
}

// TestNoteKnowsTheFolder: a command that ran in another folder is another command.
func TestNoteKnowsTheFolder(t *testing.T) {
	state, dir, other := t.TempDir(), t.TempDir(), t.TempDir()
	for _, name := range []string{filepath.Join(dir, ".planning", "phases"), filepath.Join(dir, "a b"), filepath.Join(dir, "b")} {
		if err := os.MkdirAll(name, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, ran := range []struct{ in, command string }{
		{dir, "cd " + other + " && npm test"}, {dir, "cd b && npm test"}, {filepath.Join(dir, "b"), "cd '../a b' && go vet ."}, {dir, "cd $HOME && make"},
		{other, "cd " + dir + " && cargo test"}, {filepath.Join(dir, "b"), "pytest"},
	} {
		if err := Note(t.Context(), state, ran.in, ran.command, 0, now); err != nil {
			t.Fatal(err)
		}
	}
	seen := ReadSeen(state, dir)
	for command, want := range map[string]bool{
		"npm test": false, "cd b && npm test": true, "cd ./b/ && npm test": true, "cd a && npm test": false, "cd b && npm test || true": false,
		"cd 'a b' && go vet .": true, "go vet .": false, "make": false, "cd $HOME && make": true, "cargo test": true, "pytest": false, "cd b && pytest": true,
		"cd .. && pytest": false,
	} {
		if _, ok := seen.Of(dir, command); ok != want {
			t.Errorf("%s: seen %t, want %t", command, ok, want)
		}
	}
}

// TestSeenFileStaysSmall: a long file is cut, and keeps its last commands.
func TestSeenFileStaysSmall(t *testing.T) {
	state, dir := t.TempDir(), t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, ".planning", "phases"), 0o755); err != nil {
		t.Fatal(err)
	}
	file := seenFile(state, dir)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.Repeat("{\"sum\": \"old\"}\n", maxSeen/2/15+1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Note(t.Context(), state, dir, "make", 0, time.Now()); err != nil {
		t.Fatal(err)
	}
	if st, err := os.Stat(file); err != nil || st.Size() > keptSeen+1000 {
		t.Errorf("%v %v", st, err)
	}
	if _, ok := ReadSeen(state, dir).Of(dir, "make"); !ok {
		t.Error("the last command is gone")
	}
}
