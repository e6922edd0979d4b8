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
	enginetest.Answers(t, "testdata/*.txtar", *update, answer)
}

func answer(ctx context.Context, s *view.Snapshot, words []string) (out []string, err error) {
	if words[0] == "summary" {
		return summarised(ctx, s)
	}
	return intelOf(ctx, s, words)
}

func summarised(ctx context.Context, s *view.Snapshot) ([]string, error) {
	sum, err := summary.Of(ctx, s, summary.NoPages())
	if err != nil {
		return nil, err
	}
	out := []string{fmt.Sprintf("files %d %v", sum.Files, sum.Languages), fmt.Sprintf("about %q", sum.About)}
	for _, l := range sum.Layers {
		out = append(out, fmt.Sprintf("layer %+v", l))
	}
	out = append(out, fmt.Sprintf("public %q", sum.Public), fmt.Sprintf("packages %v", sum.Packages), fmt.Sprintf("tests %+v", sum.Tests), fmt.Sprintf("entries %+v", sum.Entries))
	for _, h := range sum.Hotspots {
		out = append(out, fmt.Sprintf("hotspot %s %d %s %q", h.Path, h.Dependents, h.Type, h.Purpose))
	}
	for _, c := range sum.Types {
		out = append(out, fmt.Sprintf("type %s %d %v", c.Type, c.Count, c.Examples))
	}
	for _, c := range sum.Commits {
		out = append(out, fmt.Sprintf("commit %q %d %v", c.Subject, c.Changed, c.Files))
	}
	for _, d := range sum.Doubtful {
		out = append(out, fmt.Sprintf("doubtful %s %s", d.Path, d.Reason))
	}
	return out, nil
}

func intelOf(ctx context.Context, s *view.Snapshot, words []string) (out []string, err error) {
	query := strings.Join(words[1:], " ")
	found, err := find.Find(ctx, s, query, find.SearchOptions{Limit: 5})
	if err != nil {
		return nil, err
	}
	intel, err := find.MakeIntel(ctx, s, query, found)
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
