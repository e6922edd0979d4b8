package summary_test

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"testing"

	"ken/internal/ask/find"
	"ken/internal/ask/summary"
	"ken/internal/engine/enginetest"
	"ken/internal/engine/view"
)

var update = flag.Bool("update", false, "rewrite the expected answers")

// TestAnswers asks a small tree in two languages, with history and a secret.
func TestAnswers(t *testing.T) {
	enginetest.Answers(t, "testdata/shop.txtar", *update, answer)
}

func answer(ctx context.Context, s *view.Snapshot, words []string) (out []string, err error) {
	query := strings.Join(words[1:], " ")
	found, err := find.Find(ctx, s, query, find.SearchOptions{Limit: 5})
	if err != nil {
		return nil, err
	}
	intel, err := summary.IntelOf(ctx, s, query, found)
	if err != nil {
		return nil, err
	}
	for _, c := range intel.Matches {
		out = append(out, fmt.Sprintf("%s %q exports %v", c.Path, c.Purpose, c.Exports))
	}
	for _, r := range intel.Related {
		out = append(out, fmt.Sprintf("  %s %s %s %v", r.Path, r.Relation, r.Match, r.Names))
	}
	return out, nil
}
