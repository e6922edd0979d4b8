package readers_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/readers"
)

var update = flag.Bool("update", false, "write what is answered into the test data")

// TestPayloads answers the lines of each file of test data on the folder in it.
func TestPayloads(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			root := t.TempDir()
			var lines, want string
			for _, f := range a.Files {
				switch f.Name {
				case "lines":
					lines = string(f.Data)
					continue
				case "want":
					want = string(f.Data)
					continue
				}
				at := filepath.Join(root, filepath.FromSlash(f.Name))
				if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(at, f.Data, 0o644); err != nil {
					t.Fatal(err)
				}
				old := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
				if err := os.Chtimes(at, old, old); err != nil {
					t.Fatal(err)
				}
			}
			var got strings.Builder
			for line := range strings.Lines(lines) {
				fmt.Fprintf(&got, "> %s%s\n", line, answer(t, root, strings.Fields(line)))
			}
			if *update {
				for i := range a.Files {
					if a.Files[i].Name == "want" {
						a.Files[i].Data = []byte(got.String())
					}
				}
				if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if got.String() != want {
				t.Errorf("got\n%s", got.String())
			}
		})
	}
}

func answer(t *testing.T, root string, words []string) string {
	t.Helper()
	a, err := planop.RunWords(context.Background(), readers.Payloads(), planop.Surroundings{
		Dir: root, Getenv: func(string) string { return "" }, Now: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) },
	}, words)
	if err != nil {
		return strings.ReplaceAll(err.Error(), root, "ROOT")
	}
	b, err := json.MarshalIndent(a.Value, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(b), root, "ROOT")
}
