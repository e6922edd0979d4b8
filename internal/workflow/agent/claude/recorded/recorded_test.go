package recorded

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/workflow/agent"
	"ken/internal/workflow/agent/claude"
)

// TestPayloads: there is a payload of every event, it is read as that event, and all paths
// in it are of the project.
func TestPayloads(t *testing.T) {
	root := `/tmp/it's "odd" \ here`
	for _, kind := range agent.Kinds() {
		raw, err := Payload(string(kind), root)
		if err != nil {
			t.Fatal(err)
		}
		e, err := claude.Decode(kind, raw)
		if err != nil || e.Dir != root || e.Session == "" {
			t.Errorf("%s: %+v, %v", kind, e, err)
		}
		if strings.Contains(string(raw), inPayloads) {
			t.Errorf("%s names %s", kind, inPayloads)
		}
		for _, f := range e.Files {
			if f != root+"/cart.go" {
				t.Errorf("%s: %s", kind, f)
			}
		}
	}
	if raw, err := Payload(StatusLine, root); err != nil || !json.Valid(raw) {
		t.Error(err)
	}
	if _, err := Payload("none", root); err == nil {
		t.Error("a payload of nothing")
	}
}

func TestProject(t *testing.T) {
	root := filepath.Join(t.TempDir(), "project")
	if err := MakeProject(root); err != nil {
		t.Fatal(err)
	}
	if list, _ := os.ReadDir(root); len(list) != 3 {
		t.Errorf("%d files", len(list))
	}
}
