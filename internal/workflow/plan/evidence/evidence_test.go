package evidence

import (
	"os"
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
	if e, ok := seen.Of("go test ./..."); !ok || e.Exit != 0 || e.Time != "2026-01-01T00:00:00Z" {
		t.Errorf("%+v", seen)
	}
	if _, ok := seen.Of("go test ./... || true"); ok {
		t.Error("another command line is another command")
	}
	if text, err := os.ReadFile(seenFile(state, dir)); err != nil || len(text) == 0 || strings.Contains(string(text), "secret") {
		t.Errorf("%v %s", err, text)
	}
}
