package engine_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"ken/internal/engine/enginetest"
)

// TestDoor: what the engine hands on to its parts reaches them with the project's
// root, patterns and readings.
func TestDoor(t *testing.T) {
	ctx := context.Background()
	token := "ghp_" + "x7Kq2ZrT9wLmB4nVcY8pHs3DfGj6Ra1Eu5Qt"
	p := enginetest.New(t, map[string]string{
		"go.mod": "module m\n\ngo 1.26\n", "a/a.go": "package a\n\nfunc F() int { return G() }\n\nfunc G() int { return 1 }\n",
		".kenignore": "# notes\nout/\n",
	})
	e := p.Engine
	if got := e.Hide("use " + token + " here"); strings.Contains(got, token) || !strings.HasSuffix(got, " here") {
		t.Errorf("Hide: %q", got)
	}
	if got := e.Canonical("a/a.go"); got != "a/a.go" {
		t.Errorf("Canonical: %q", got)
	}
	patterns, err := e.IgnorePatterns()
	if err != nil || !slices.Contains(patterns, "out/") {
		t.Errorf("IgnorePatterns: %q, %v", patterns, err)
	}
	names := map[string]bool{}
	for _, r := range e.SecretRules() {
		names[r.ID] = true
	}
	if !names["github-pat"] {
		t.Errorf("%d secret rules, none for GitHub's tokens", len(names))
	}
	if size, err := e.Tokens(ctx, "a/a.go"); err != nil || size.O200K == 0 {
		t.Errorf("Tokens: %+v, %v", size, err)
	}
	if _, err := e.Tokens(ctx, "a/none.go"); err == nil {
		t.Error("Tokens: a file that is not there has a size")
	}
	if dir, bytes := e.CacheSize(); dir != "" || bytes != 0 {
		t.Errorf("CacheSize: %q, %d without a cache", dir, bytes)
	}
	rep, err := e.Exact(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	if rep.Rev == 0 || rep.Elapsed <= 0 || rep.Packages != 1 || rep.Covered != 1 {
		t.Errorf("Exact: %+v", rep)
	}
}
