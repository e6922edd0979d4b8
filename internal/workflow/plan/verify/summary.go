package verify

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode"

	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/planop"
)

type summaryAnswer struct {
	Passed bool          `json:"passed"`
	Checks summaryChecks `json:"checks"`
	Errors []string      `json:"errors"`
}

type summaryChecks struct {
	Exists    bool    `json:"summary_exists"`
	Files     created `json:"files_created"`
	Commits   bool    `json:"commits_exist"`
	SelfCheck string  `json:"self_check"`
}

type created struct {
	Checked int      `json:"checked"`
	Found   int      `json:"found"`
	Missing []string `json:"missing"`
}

// namedFiles returns the paths in a summary that have a slash and an extension: between backticks, and after words such as "Created:".
func namedFiles(content string) (list []string) {
	add := func(name string) {
		if strings.Contains(name, "/") && hasExtension(name, len(name)) && !strings.HasPrefix(name, "http") && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	for line := range strings.Lines(content) {
		parts := strings.Split(line, "`")
		for i := 1; i < len(parts)-1; i += 2 {
			add(parts[i])
		}
	}
	for line := range strings.Lines(content) {
		for _, word := range []string{"created:", "modified:", "added:", "updated:", "edited:"} {
			if i := strings.Index(strings.ToLower(line), word); i >= 0 {
				if f := strings.Fields(line[i+len(word):]); len(f) > 0 {
					add(strings.Trim(f[0], "`"))
				}
			}
		}
	}
	return list
}

// commitIDs returns the words of a text that can be ids of commits.
func commitIDs(content string) []string {
	return strings.FieldsFunc(content, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func isID(word string) bool {
	const least, most = 7, 40
	return len(word) >= least && len(word) <= most && strings.Trim(word, "0123456789abcdef") == ""
}

func verifySummary(ctx context.Context, c *planop.Call, in *verifySummaryInput) (summaryAnswer, error) {
	a := summaryAnswer{Checks: summaryChecks{Files: created{Missing: []string{}}, SelfCheck: "not_found"}, Errors: []string{}}
	content, err := userFileText(c, in.File)
	if missing := (*planop.Fault)(nil); errors.As(err, &missing) {
		a.Errors = append(a.Errors, "SUMMARY.md not found")
		return a, nil
	}
	if err != nil {
		return summaryAnswer{}, err
	}
	t, err := openTree(c)
	if err != nil {
		return summaryAnswer{}, err
	}
	defer t.close()
	files := namedFiles(content)
	files = files[:min(len(files), max(0, in.CheckCount))]
	for _, f := range files {
		if !t.exists(f) {
			a.Checks.Files.Missing = append(a.Checks.Files.Missing, f)
		}
	}
	missing := a.Checks.Files.Missing
	a.Checks.Exists, a.Checks.SelfCheck = true, artefact.ParseSummary(content).SelfCheck
	a.Checks.Files.Checked, a.Checks.Files.Found = len(files), len(files)-len(missing)
	if len(missing) > 0 {
		a.Errors = append(a.Errors, "Missing files: "+strings.Join(missing, ", "))
	}
	if err := a.checkCommits(ctx, c, content); err != nil {
		return summaryAnswer{}, err
	}
	if a.Checks.SelfCheck == "failed" {
		a.Errors = append(a.Errors, "Self-check section indicates failure")
	}
	a.Passed = len(missing) == 0 && a.Checks.SelfCheck != "failed"
	return a, nil
}

// checkCommits checks that the first commits exist that the summary lists.
func (a *summaryAnswer) checkCommits(ctx context.Context, c *planop.Call, content string) error {
	const most = 3
	is, err := commitLookup(ctx, c)
	if err != nil {
		return err
	}
	n := 0
	for _, word := range commitIDs(content) {
		if !isID(word) || n == most {
			continue
		}
		n++
		a.Checks.Commits = a.Checks.Commits || is(word)
	}
	if n > 0 && !a.Checks.Commits {
		a.Errors = append(a.Errors, "Referenced commit hashes not found in git history")
	}
	return nil
}
