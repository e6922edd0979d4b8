package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/statefile"
)

// TestDecisionHalfDone: the decision of a process that was killed after any step is in the file and in the memory once somebody reads.
func TestDecisionHalfDone(t *testing.T) {
	dir := served(t)
	ken := func(args ...string) string {
		t.Helper()
		out, err := exec.Command("ken", append([]string{"-C", dir}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v: %s", args, err, out)
		}
		return string(out)
	}
	ken("session", "decide", "the first one")
	path := filepath.Join(dir, ".ken", "knowledge", "decisions.md")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	deciding := filepath.Join(os.Getenv("KEN_STATE"), "deciding", statefile.Name(dir)+".json")
	for decision, file := range map[string]string{"in no place": string(before), "in the file": string(before) + "\n## 2026-03-01 \n\nin the file\n"} {
		note, err := json.Marshal(map[string]any{"kind": "decision", "at": "2026-03-01T10:00:00Z", "text": decision})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.WriteFile(path, []byte(file), 0o644), os.WriteFile(deciding, note, 0o600)); err != nil {
			t.Fatal(err)
		}
		shown := ken("session", "show")
		text, err := os.ReadFile(path)
		if err != nil || strings.Count(string(text), decision) != 1 {
			t.Errorf("%v: the file is %s", err, text)
		}
		if kept := ken("memory", "list"); strings.Count(shown, decision) != 1 || strings.Count(kept, decision) != 1 {
			t.Errorf("shown:\n%s\nkept:\n%s", shown, kept)
		}
		if _, err := os.Lstat(deciding); err == nil {
			t.Error("it is not finished")
		}
	}
}
