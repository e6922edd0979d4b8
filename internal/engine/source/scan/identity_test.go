package scan

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

// folding is a file system that ignores case and form, as those of macOS do.
type folding map[string][]string // names by directory

func fold(p string) string { return strings.ToLower(norm.NFC.String(p)) }

func (f folding) list(dir string) []string {
	for d, names := range f {
		if fold(d) == fold(dir) {
			return names
		}
	}
	return nil
}

func (f folding) exists(p string) bool {
	dir, base := "", p
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		dir, base = p[:i], p[i+1:]
	}
	for _, n := range f.list(dir) {
		if fold(n) == fold(base) {
			return true
		}
	}
	return false
}

func (f folding) same(a, b string) bool { return fold(a) == fold(b) && f.exists(a) }

func TestCanonical(t *testing.T) {
	tree := folding{"": {"src", "Größe", "2024"}, "src": {"App.ts", "Cafe\u0301.ts", "db"}, "src/db": {"x.go"}, "Größe": {"a.txt"}}
	for in, want := range map[string]string{
		"src/App.ts":             "src/App.ts",
		"SRC/app.TS":             "src/App.ts",
		"src/caf\u00e9.ts":       "src/Cafe\u0301.ts",
		"src/Cafe\u0301.ts":      "src/Cafe\u0301.ts",
		"gr\u00f6\u00dfe/A.txt":  "Größe/a.txt",
		"gro\u0308\u00dfe/A.txt": "Größe/a.txt",
		"SRC/DB/x.go":            "src/db/x.go",
		"SRC/new/File.go":        "src/new/File.go",
		"2024":                   "2024",
		"nosuch/App.ts":          "nosuch/App.ts",
		"../up":                  "../up",
		"":                       "",
	} {
		if got := canonicalPath(in, tree); got != want {
			t.Errorf("canonical(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestCanonicalDisk: where case counts, two files that differ in it stay two.
func TestCanonicalDisk(t *testing.T) {
	dir := t.TempDir()
	for _, p := range []string{"a.txt", "A.txt", "d/x.txt"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(p)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, p), []byte(p), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "a.txt")); string(b) != "a.txt" {
		t.Skip("case does not count here")
	}
	s := mustNew(t, Options{Root: dir})
	for _, p := range []string{"a.txt", "A.txt", "d/x.txt", "D/x.txt", "d/X.txt", "nosuch"} {
		if got := s.Canonical(p); got != p {
			t.Errorf("Canonical(%q) = %q", p, got)
		}
	}
}
