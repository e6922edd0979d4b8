package render

import (
	"os"
	"path/filepath"
	"testing"
)

func made(t *testing.T, ignore string) string {
	t.Helper()
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, ".ken"), 0o755); err != nil {
		t.Fatal(err)
	}
	if ignore != "" {
		if err := os.WriteFile(filepath.Join(root, ".ken", ".gitignore"), []byte(ignore), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestIgnored(t *testing.T) {
	for list, want := range map[string]bool{
		"# ken\n*\n!/.gitignore\n!/config.yml\n!/knowledge/\n!/knowledge/**\n": true,
		"*\r\n":               true,
		"":                    false,
		"index.db\n":          false,
		"*\n!/summary.md\n":   false,
		"*\n!*.md\n":          false,
		"# nothing ignored\n": false,
	} {
		if got := summaryFileIgnored(made(t, list)); got != want {
			t.Errorf("%q: %v", list, got)
		}
	}
}

// TestWrite: the file is replaced as a whole, and only if it differs. A link in its place is
// replaced and not followed.
func TestWrite(t *testing.T) {
	root := made(t, "*\n")
	path := filepath.Join(root, SummaryFile)
	for i, step := range []struct {
		text string
		want bool
	}{{"one", true}, {"one", false}, {"two", true}} {
		if changed, err := WriteSummaryFile(root, step.text); changed != step.want || err != nil {
			t.Errorf("%d: %v, %v", i, changed, err)
		}
	}
	other := filepath.Join(t.TempDir(), "other")
	if err := os.WriteFile(other, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	os.Remove(path)
	if err := os.Symlink(other, path); err != nil {
		t.Skip(err)
	}
	if changed, err := WriteSummaryFile(root, "mine"); !changed || err != nil {
		t.Error(changed, err)
	}
	if b, _ := os.ReadFile(other); string(b) != "mine" {
		t.Errorf("what the link leads to was changed: %q", b)
	}
	if st, err := os.Lstat(path); err != nil || !st.Mode().IsRegular() {
		t.Error("the link is still there")
	}
	os.Remove(path)
	os.Mkdir(path, 0o755)
	if _, err := WriteSummaryFile(root, "x"); err == nil {
		t.Error("a folder was replaced")
	}
	if left, _ := filepath.Glob(filepath.Join(root, ".ken", "*.tmp")); len(left) > 0 {
		t.Error(left)
	}
}
