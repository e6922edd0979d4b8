package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	kenfind "ken/internal/ask/find"
	"ken/internal/engine"
	"ken/internal/engine/view"
)

const searched = `
-- src/router/tree.go --
package router

// addRoute puts a handler into the tree of routes.
func addRoute(path string) { insertChild(path) }

func insertChild(path string) {}
-- src/router/tree_test.go --
package router

import "testing"

func TestAddRoute(t *testing.T) { addRoute("wildcard conflict"); addRoute("wildcard"); addRoute("wildcard") }
-- src/auth/session.py --
"""Sessions of users."""

class SessionStore:
    def revoke(self, token):
        """Forget a session and its refresh token."""
        return self.backend.delete(token)
-- src/auth/keys.py --
api_key = "sk_live_` + "4eC39HqLyjWDarjtT1zdp7dc" + `"
def load_key():
    return api_key
-- docs/router.md --
# Router

How a wildcard conflict is told when a route is added.
`

func find(t *testing.T, p *project, query string) *kenfind.Found {
	t.Helper()
	var out *kenfind.Found
	err := p.e.Answer(context.Background(), engine.WholeTree, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		found, err := kenfind.Find(ctx, s, query, kenfind.SearchOptions{})
		out = found
		return nil, err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func first(f *kenfind.Found) string {
	if len(f.Files) == 0 {
		return ""
	}
	return f.Files[0].Path
}

// TestSearch: what a text is about comes first, whatever way it says so, and
// what changed since is found by what it says now.
func TestSearch(t *testing.T) {
	root := t.TempDir()
	for _, f := range txtar.Parse([]byte(searched)).Files {
		path := filepath.Join(root, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p := newProject(t, root)
	for query, want := range map[string]string{
		"wildcard conflict when routes are added":              "src/router/tree.go",
		"add tests for the wildcard conflict of routes":        "src/router/tree_test.go",
		"docs: explain the wildcard conflict":                  "docs/router.md",
		"it fails in session.py":                               "src/auth/session.py",
		"panic: x\n\tgithub.com/a/b/src/router/tree.go:6 +0x1": "src/router/tree.go",
		"`SessionStore.revoke` does not return":                "src/auth/session.py",
		"AttributeError in auth.session when revoking":         "src/auth/session.py",
		"insert child":     "src/router/tree.go",
		"revoked sessions": "src/auth/session.py",
		"wildcard lang:python OR revoke lang:python":                       "src/auth/session.py",
		"wildcard path:docs":                                               "docs/router.md",
		"\"Forget a session\"":                                             "src/auth/session.py",
		"https://github.com/a/b/blob/main/src/auth/keys.py#L2 looks wrong": "src/auth/keys.py",
	} {
		if got := first(find(t, p, query)); got != want {
			t.Errorf("%q: %s first, want %s", query, got, want)
		}
	}
	for _, query := range []string{"4eC39HqLyjWDarjtT1zdp7dc", "qqqq", "漢字", "()[]*"} {
		if f := find(t, p, query); len(f.Files) > 0 {
			t.Errorf("%q: found %s (%v)", query, f.Files[0].Path, f.Files[0].Why)
		}
	}
	long := strings.Repeat("x1y2", 15)
	if err := os.WriteFile(filepath.Join(root, "data.txt"), []byte(long+" ballast"), 0o644); err != nil {
		t.Fatal(err)
	}
	if f := find(t, p, "ballast "+long); first(f) != "data.txt" || strings.Contains(strings.Join(f.Files[0].Why, " "), long) {
		t.Errorf("a word of %d letters: %v", len(long), f.Files)
	}
	f := find(t, p, "revoke a session")
	if i := slices.IndexFunc(f.Symbols, func(s kenfind.FoundSymbol) bool { return s.Name == "SessionStore.revoke" }); i != 0 {
		t.Errorf("the method comes as number %d of %+v", i, f.Symbols)
	}
	if err := os.WriteFile(filepath.Join(root, "src/router/tree.go"), []byte("package router\n\n// throttle waits.\nfunc throttle() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := first(find(t, p, "throttle")); got != "src/router/tree.go" {
		t.Errorf("after an edit: %q", got)
	}
	if f := find(t, p, "insertChild"); len(f.Files) > 0 {
		t.Errorf("what is gone is found in %s", f.Files[0].Path)
	}
}
