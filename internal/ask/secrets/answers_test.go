package secrets_test

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ken/internal/ask/secrets"
	"ken/internal/engine/enginetest"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
)

var update = flag.Bool("update", false, "rewrite the expected answers")

// TestAnswers asks a small tree in two languages, with history and a secret.
func TestAnswers(t *testing.T) {
	enginetest.Answers(t, "testdata/shop.txtar", *update, answer)
}

func answer(ctx context.Context, s *view.Snapshot, words []string) (out []string, err error) {
	var list []store.FoundSecret
	var allowed secrets.Allowed
	switch words[0] {
	case "secrets":
		list, allowed, err = secrets.Secrets(ctx, s, words[1:])
	case "staged":
		list, allowed, err = secrets.StagedSecrets(ctx, s, words[1:])
	case "history":
		list, allowed, err = secrets.HistorySecrets(ctx, s, words[1:], nil)
	default:
		return nil, fmt.Errorf("no question %s", words[0])
	}
	for _, f := range list {
		out = append(out, fmt.Sprintf("%s:%d:%d %s %s of a commit: %v", f.Path, f.Line, f.Col, f.Rule, f.Kind, f.Commit != ""))
	}
	return append(out, fmt.Sprint("allowed ", allowed.All)), err
}

// TestStaged finds what is staged and not committed, and leaves out what a comment allows.
func TestStaged(t *testing.T) {
	w := enginetest.NewTree(t)
	w.Write("a.yml", "name: a\n")
	w.Commit("one")
	w.Write("sub/b.yml", "password: \"kT9#vLq2Zx81mWpR\"\n# ken:allow-secret\npassword: \"uX4!bNe7Qa52kGsD\"\n")
	w.Git("add", "-A")
	p := w.Index()
	for paths, want := range map[string][]string{
		"":    {"sub/b.yml:1:12 generic-password password of a commit: false", "allowed 1"},
		"sub": {"sub/b.yml:1:12 generic-password password of a commit: false", "allowed 1"},
		"a":   {"allowed 0"},
	} {
		p.Ask(func(ctx context.Context, s *view.Snapshot) error {
			words := append([]string{"staged"}, strings.Fields(paths)...)
			got, err := answer(ctx, s, words)
			if !slices.Equal(got, want) {
				t.Errorf("below %q: %q, want %q", paths, got, want)
			}
			return err
		})
	}
}
