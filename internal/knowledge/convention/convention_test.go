package convention_test

import (
	"context"
	"flag"
	"fmt"
	"testing"

	"ken/internal/engine/enginetest"
	"ken/internal/engine/view"
	"ken/internal/knowledge/convention"
	"ken/internal/lang"
)

var update = flag.Bool("update", false, "rewrite the expected answers")

// TestAnswers counts the habits of small trees: those there are, and those for which there is
// too little evidence.
func TestAnswers(t *testing.T) {
	enginetest.Answers(t, "testdata/*.txtar", *update, func(ctx context.Context, s *view.Snapshot, words []string) (out []string, err error) {
		found, err := convention.Find(ctx, s)
		if err != nil {
			return nil, err
		}
		if words[0] == "patterns" {
			for _, c := range found.Patterns() {
				out = append(out, fmt.Sprintf("%+v", c))
			}
			return out, nil
		}
		list := found.Conventions
		if words[0] != "all" {
			var d *convention.Directory
			list, d = found.ForFile(words[0], lang.Detect(words[0], nil))
			if d != nil {
				out = append(out, fmt.Sprintf("folder %+v", *d))
			}
		}
		for _, c := range list {
			out = append(out, fmt.Sprintf("%s %s %s: %s %d%% %d/%d %v not %v", c.Counted(), c.Lang, c.Dir, c.Pattern, c.Confidence(), c.Agree, c.Samples, c.Examples, c.Counter))
		}
		if words[0] == "all" {
			for _, d := range found.Directories {
				out = append(out, fmt.Sprintf("folder %+v", d))
			}
			out = append(out, fmt.Sprintf("endings %+v", found.Suffixes))
		}
		return out, nil
	})
}
