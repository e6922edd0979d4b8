package planning_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/delivery/planning"
	"ken/internal/workflow/plan/planop"
)

// TestSizeChangesNoChannel: an answer of any size is on standard output. The other program writes one of more than 50,000 characters into
// a temporary file and prints its name, so that prompts that read the answer read that.
func TestSizeChangesNoChannel(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".planning"), 0o755); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("a word ", 20_000)
	if err := os.WriteFile(filepath.Join(dir, ".planning", "STATE.md"), []byte("# State\n\n## Notes\n\n"+long+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, faults bytes.Buffer
	c := planning.GSD{Operations: planning.All(), Stdout: &out, Stderr: &faults, In: planop.Surroundings{
		Dir: dir, StateDir: t.TempDir(), Stdin: strings.NewReader(""), Getenv: func(string) string { return "" }, Now: time.Now,
	}}
	if err := c.Run(context.Background(), []string{"state", "load"}); err != nil {
		t.Fatal(err, faults.String())
	}
	if !json.Valid(out.Bytes()) || !strings.Contains(out.String(), strings.TrimSpace(long)) {
		t.Errorf("%d bytes, which begin with %.60q", out.Len(), out.String())
	}
}
