package claude

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/workflow/agent"
)

// recordedPayload is one payload as Claude Code sent it. `go run ./bench/clients -record` writes them.
type recordedPayload struct {
	name string
	kind agent.Kind
	raw  []byte
}

// recordedPayloads are those of testdata/payloads, at least one of every event.
func recordedPayloads(t testing.TB) (out []recordedPayload) {
	t.Helper()
	paths, err := filepath.Glob("testdata/payloads/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no payloads: %v", err)
	}
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		event, _, _ := strings.Cut(name, "-")
		if event == "StatusLine" { // no event: package delivery/hook reads it
			continue
		}
		out = append(out, recordedPayload{name, events[event], raw})
	}
	return out
}

// TestRecorded compares what is read of each recorded payload with testdata/payloads.txt. Stop is
// read for both hooks that are registered for it.
func TestRecorded(t *testing.T) {
	var b strings.Builder
	seen := map[agent.Kind]bool{}
	for _, p := range recordedPayloads(t) {
		kinds := []agent.Kind{p.kind}
		if p.kind == agent.Stop {
			kinds = append(kinds, agent.StopAsync)
		}
		for _, kind := range kinds {
			seen[kind] = true
			e, err := Decode(kind, p.raw)
			if err != nil {
				t.Errorf("%s: %v", p.name, err)
				continue
			}
			fmt.Fprintf(&b, "%s as %s\n%s\n", p.name, kind, fieldsOf(t, e))
		}
	}
	for _, kind := range agent.Kinds() {
		if !seen[kind] {
			t.Errorf("no payload of %s is recorded", kind)
		}
	}
	const golden = "testdata/payloads.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// fieldsOf are the fields of an event that say something, one a line.
func fieldsOf(t *testing.T, e *agent.Event) string {
	t.Helper()
	e.Hash = [32]byte{}
	raw, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, name := range []string{
		"Session", "Agent", "AgentType", "Prompt", "ToolUse", "Dir", "Source", "Text", "ToolName", "Tool", "Files", "Written", "Command", "Pattern", "Output",
		"Seen", "Created", "Interrupted", "Background", "Repeated",
	} {
		if v := all[name]; v != nil && v != "" && v != false {
			fmt.Fprintf(&b, "  %s: %q\n", name, fmt.Sprint(v))
		}
	}
	return b.String()
}
