package scaffold

import (
	"fmt"
	"path"
	"strings"

	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/planop"
)

// truthHead is the head of the table of truths in the template of a verification.
const truthHead = "| # | Truth | Status | Evidence |\n|---|-------|--------|----------|\n"

// withTruths returns the text of a verification with a row for each truth that the plans of the phase must make true. Its status and
// evidence are empty, so that the verification answers none until they are filled. It fails if a plan cannot be read.
func (t *phaseTarget) withTruths(c *planop.Call, text string) (string, error) {
	f, err := c.Folder()
	if err != nil {
		return "", err
	}
	var rows strings.Builder
	n := 0
	for _, listed := range t.phase.Plans {
		content, err := f.ReadRoot(path.Join(t.dir, listed.File))
		if err != nil {
			return "", err
		}
		for _, truth := range artefact.ParsePlan(content).MustHaves.Truths {
			if n++; !artefact.IsPlaceholder(truth) {
				fmt.Fprintf(&rows, "| %d | %s |  |  |\n", n, strings.ReplaceAll(strings.Join(strings.Fields(truth), " "), "|", "\\|"))
			}
		}
	}
	return strings.Replace(text, truthHead, truthHead+rows.String(), 1), nil
}
