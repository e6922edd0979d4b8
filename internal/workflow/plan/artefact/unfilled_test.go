package artefact_test

import (
	"slices"
	"testing"

	"ken/internal/workflow/plan/artefact"
)

// TestUnfilled: a placeholder of a template is no content, wherever it is; brackets that are a part of a name are.
func TestUnfilled(t *testing.T) {
	const body = "<objective>Build</objective>\n<tasks><task><name>T</name><files>a.go</files><action>Write a.go</action></task></tasks>\n"
	for _, test := range []struct {
		text string
		want []string
	}{
		{"---\nfiles_modified: [a.go]\ndepends_on: []\n---\n" + body, nil},
		{"---\nfiles_modified: [\"[file paths]\"]\n---\n" + body, []string{"files_modified"}},
		{"---\nfiles_modified:\n  - a.go\n  - '[paths]'\n---\n" + body, []string{"files_modified"}},
		{"---\nfiles_modified: [\"app/[slug]/page.tsx\", \"[...all].ts\"]\n---\n" + body, nil},
		{"---\ndepends_on: [\"[plan ids]\"]\nrequirements: ['[REQ-ID]']\nmust_haves:\n  truths:\n    - \"[What is true]\"\n---\n" + body,
			[]string{"depends_on", "requirements", "must_haves.truths"}},
		{"---\na: b\n---\n<objective>[What it builds]</objective>\n<tasks><task><name>T</name><files>[file paths]</files><action>[What to do]</action></task></tasks>\n",
			[]string{"the objective", "files of task 1", "action of task 1"}},
	} {
		if got := artefact.ParsePlan(test.text).Unfilled(); !slices.Equal(got, test.want) {
			t.Errorf("%q\ngot  %q\nwant %q", test.text, got, test.want)
		}
	}
}
