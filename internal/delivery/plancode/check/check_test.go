package check_test

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"testing"

	"ken/internal/delivery/plancode/check"
	"ken/internal/delivery/plancode/place"
	"ken/internal/engine/enginetest"
	"ken/internal/engine/view"
	"ken/internal/workflow/plan/artefact"
)

var update = flag.Bool("update", false, "rewrite what is expected")

// TestCheck compares plans of small trees with their code: a question is the file of a plan, followed by FILE=PLAN for files that
// others make.
func TestCheck(t *testing.T) {
	enginetest.Answers(t, "testdata/*.txtar", *update, func(ctx context.Context, s *view.Snapshot, words []string) ([]string, error) {
		text, err := s.Text(ctx, words[0])
		if err != nil {
			return nil, err
		}
		rows, err := s.AllPaths()
		if err != nil {
			return nil, err
		}
		makes := map[string]string{}
		for _, w := range words[1:] {
			file, by, _ := strings.Cut(w, "=")
			makes[file] = by
		}
		around := &check.Surroundings{ID: strings.TrimSuffix(words[0], "-PLAN.md"), Makes: func(file string) string { return makes[file] }}
		r, err := check.Compare(ctx, s, place.New(rows, nil), artefact.ParsePlan(string(text)), around)
		if err != nil {
			return nil, err
		}
		var out []string
		for _, list := range [][]check.Claim{r.Files, r.Names, r.Signatures} {
			for _, c := range list {
				out = append(out, strings.TrimRight(fmt.Sprintf("%s %s (%s) %s %s", c.Verdict, c.Name, c.Part, c.Is, strings.Join(c.Near, ", ")), " "))
			}
		}
		for _, i := range r.Issues {
			out = append(out, fmt.Sprintf("%s %s: %s (%s)", i.Severity, i.Dimension, i.Description, i.Hint))
		}
		return out, nil
	})
}
