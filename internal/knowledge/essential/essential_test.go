package essential_test

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"testing"

	"ken/internal/engine/enginetest"
	"ken/internal/engine/view"
	"ken/internal/knowledge/essential"
)

var update = flag.Bool("update", false, "rewrite the expected answers")

// TestAnswers finds the documents of small trees and takes from them what matters.
func TestAnswers(t *testing.T) {
	enginetest.Answers(t, "testdata/*.txtar", *update, func(ctx context.Context, s *view.Snapshot, words []string) (out []string, err error) {
		c, err := essential.AllDocuments(ctx, s, s.Tree.Root())
		if err != nil {
			return nil, err
		}
		for _, b := range c.Broken {
			out = append(out, "broken "+b)
		}
		for _, d := range c.Documents {
			if words[0] != "all" && words[0] != d.Path {
				continue
			}
			out = append(out, fmt.Sprintf("%s %s %s by %q in %q", d.Kind, d.Path, d.Status, d.By, d.Kept))
			if words[0] == d.Path {
				out = append(out, strings.Split(d.Summary, "\n")...)
				if d.Notes != "" {
					out = append(out, "notes: "+d.Notes)
				}
			}
		}
		return out, nil
	})
}
