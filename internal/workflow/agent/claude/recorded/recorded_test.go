package recorded

import (
	"encoding/json"
	stdflag "flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/workflow/agent"
	"ken/internal/workflow/agent/claude"
)

var update = stdflag.Bool("update", false, "copy the payloads again")

// TestCopies: the payloads are those that were recorded.
func TestCopies(t *testing.T) {
	used := map[string]bool{}
	names := []string{StatusLine}
	for _, kind := range agent.Kinds() {
		names = append(names, string(kind))
	}
	for _, name := range names {
		copied := payloadFile(name) + ".json"
		used[copied] = true
		want, err := os.ReadFile(filepath.Join("..", "testdata", "payloads", copied))
		if err != nil {
			t.Fatal(err)
		}
		if *update {
			if err := os.WriteFile(copied, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(copied); err != nil || string(got) != string(want) {
			t.Errorf("%s is not what was recorded (-update copies it again); %v", copied, err)
		}
	}
	list, err := filepath.Glob("*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		if !used[f] {
			t.Errorf("%s is used for nothing", f)
		}
	}
}

// TestPayloads: there is a payload of every event, it is read as that event, and all paths
// in it are of the project or beside it.
func TestPayloads(t *testing.T) {
	root := `/tmp/it's "odd" \ here/project`
	for _, kind := range agent.Kinds() {
		raw, err := Payload(string(kind), root)
		if err != nil {
			t.Fatal(err)
		}
		e, err := claude.Decode(kind, raw)
		if err != nil || e.Dir != root || e.Session == "" || !strings.HasPrefix(e.Transcript, filepath.Dir(root)) {
			t.Errorf("%s: %+v, %v", kind, e, err)
			continue
		}
		if strings.Contains(string(raw), recordedHome) {
			t.Errorf("%s names %s", kind, recordedHome)
		}
		for _, f := range e.Files {
			if f != root+"/words/words.go" {
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
