package verify

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/planop"
)

// requiredParts returns the parts of a kind that a plan requires, at least one, and the project's files in which they are looked for, which
// the caller closes. It fails if the plan requires none.
func requiredParts[Part any](c *planop.Call, kind string, of func(*artefact.MustHaves) []Part, in *planInput) (projectTree, []Part, error) {
	content, err := userFileText(c, in.Plan)
	if err != nil {
		return projectTree{}, nil, err
	}
	wanted := of(&artefact.ParsePlan(content).MustHaves)
	if len(wanted) == 0 {
		return projectTree{}, nil, planop.NewValueFault("no_must_haves", fmt.Sprintf("No must_haves.%s found in frontmatter", kind), "path", in.Plan)
	}
	t, err := openTree(c)
	return t, wanted, err
}

type artifactAnswer struct {
	All       bool       `json:"all_passed"`
	Passed    int        `json:"passed"`
	Total     int        `json:"total"`
	Artifacts []artifact `json:"artifacts"`
}

type artifact struct {
	Path   string   `json:"path"`
	Exists bool     `json:"exists"`
	Issues []string `json:"issues"`
	Passed bool     `json:"passed"`
}

func verifyArtifacts(_ context.Context, c *planop.Call, in *planInput) (artifactAnswer, error) {
	t, wanted, err := requiredParts(c, "artifacts", func(m *artefact.MustHaves) []artefact.Artifact { return m.Artifacts }, in)
	if err != nil {
		return artifactAnswer{}, err
	}
	defer t.close()
	a := artifactAnswer{Artifacts: []artifact{}}
	for _, w := range wanted {
		w.Path, _, _ = strings.Cut(w.Path, " (") // a remark after the path is not part of it
		if w.Path != "" {
			a.Artifacts = append(a.Artifacts, t.checkArtifact(w))
		}
	}
	for _, row := range a.Artifacts {
		if row.Passed {
			a.Passed++
		}
	}
	a.Total = len(a.Artifacts)
	a.All = a.Passed == a.Total && a.Total > 0
	return a, nil
}

func (t projectTree) checkArtifact(w artefact.Artifact) artifact {
	row := artifact{Path: w.Path, Exists: t.exists(w.Path), Issues: []string{}}
	if !row.Exists {
		row.Issues = append(row.Issues, "File not found")
		return row
	}
	content, _ := t.read(w.Path) // a directory has no text, and lacks all parts
	if n := strings.Count(content, "\n") + 1; w.MinLines > 0 && n < w.MinLines {
		row.Issues = append(row.Issues, fmt.Sprintf("Only %d lines, need %d", n, w.MinLines))
	}
	if w.Contains != "" && !strings.Contains(content, w.Contains) {
		row.Issues = append(row.Issues, "Missing pattern: "+w.Contains)
	}
	for _, name := range w.Exports {
		if !strings.Contains(content, name) {
			row.Issues = append(row.Issues, "Missing export: "+name)
		}
	}
	row.Passed = len(row.Issues) == 0
	return row
}

type linkAnswer struct {
	All      bool   `json:"all_verified"`
	Verified int    `json:"verified"`
	Total    int    `json:"total"`
	Links    []link `json:"links"`
}

type link struct {
	From     string `json:"from"`
	To       string `json:"to"`
	Via      string `json:"via"`
	Verified bool   `json:"verified"`
	Detail   string `json:"detail"`
}

func verifyLinks(_ context.Context, c *planop.Call, in *planInput) (linkAnswer, error) {
	t, wanted, err := requiredParts(c, "key_links", func(m *artefact.MustHaves) []artefact.Link { return m.Links }, in)
	if err != nil {
		return linkAnswer{}, err
	}
	defer t.close()
	a := linkAnswer{Links: []link{}}
	for _, w := range wanted {
		if w.From == "" { // a sentence, which cannot be checked
			continue
		}
		row := link{From: w.From, To: w.To, Via: w.Via}
		row.Verified, row.Detail = t.findLink(w)
		if row.Verified {
			a.Verified++
		}
		a.Links = append(a.Links, row)
	}
	a.Total = len(a.Links)
	a.All = a.Verified == a.Total && a.Total > 0
	return a, nil
}

// findLink looks for a required connection of two files: for its pattern in both files, or for the name of the target in the source.
func (t projectTree) findLink(w artefact.Link) (bool, string) {
	source, ok := t.read(w.From)
	switch {
	case !ok:
		return false, "Source file not found"
	case w.Pattern == "" && w.To != "" && strings.Contains(source, w.To):
		return true, "Target referenced in source"
	case w.Pattern == "":
		return false, "Target not referenced in source"
	}
	re, err := regexp.Compile(w.Pattern)
	if err != nil {
		return false, "Invalid regex pattern: " + w.Pattern
	}
	if re.MatchString(source) {
		return true, "Pattern found in source"
	}
	if target, ok := t.read(w.To); ok && re.MatchString(target) {
		return true, "Pattern found in target"
	}
	return false, fmt.Sprintf("Pattern \"%s\" not found in source or target", w.Pattern)
}
