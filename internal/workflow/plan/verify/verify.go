// Package verify declares the operations that hold what plans and summaries say against what is there: files, commits,
// wanted parts of files, links between them, schemas that were changed and not pushed. Nothing is run; a pattern of a plan is
// matched by package regexp, whose time grows with the text alone.
package verify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"ken/internal/git"
	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/operation"
	"ken/internal/workflow/plan/query"
)

// maxFile is how much of a file of the project is looked at, in bytes.
const maxFile = 8 << 20

// All are the operations.
func All() []*operation.Operation {
	file := []operation.Arg{{Name: "FILE", Help: "a file below .planning, from the root of the project"}}
	plan := []operation.Arg{{Name: "PLAN", Help: "the file of a plan, from the root of the project"}}
	phase := []operation.Arg{{Name: "PHASE", Help: "the number of a phase: 3, 2.1, 03A"}}
	return []*operation.Operation{
		{
			Name: "verify-summary", Also: []string{"verify summary"}, Summary: "whether files and commits that a summary names are there", Args: file,
			Flags: []operation.Flag{{Name: "check-count", Help: "how many of its files are looked for; 2 if not given", Kind: operation.Number}},
			Run:   summary, Plain: passed(func(a any) bool { return a.(summaryAnswer).Passed }, "passed", "failed"),
		},
		{Name: "verify plan-structure", Summary: "whether a plan has all parts that it needs", Args: plan, Run: structure,
			Plain: passed(func(a any) bool { return a.(query.Structure).Valid }, "valid", "invalid")},
		{Name: "verify phase-completeness", Summary: "whether every plan of a phase has a summary", Args: phase, Run: completeness,
			Plain: passed(func(a any) bool { return a.(query.Completeness).Complete }, "complete", "incomplete")},
		{Name: "verify references", Summary: "whether the files that a file names are there", Args: file, Run: references,
			Plain: passed(func(a any) bool { return a.(referenced).Valid }, "valid", "invalid")},
		{Name: "verify commits", Summary: "whether commits are there", Args: []operation.Arg{{Name: "COMMIT", Help: "ids of commits", Many: true}}, Run: commits,
			Plain: passed(func(a any) bool { return a.(committed).All }, "valid", "invalid")},
		{Name: "verify artifacts", Summary: "whether what a plan must produce is there and has what it must have", Args: plan, Run: artifacts,
			Plain: passed(func(a any) bool { return a.(artifactAnswer).All }, "valid", "invalid")},
		{Name: "verify key-links", Summary: "whether the files that a plan links refer to each other", Args: plan, Run: links,
			Plain: passed(func(a any) bool { return a.(linkAnswer).All }, "valid", "invalid")},
		{
			Name: "verify schema-drift", Summary: "whether a schema of a database was changed and not pushed", Args: phase,
			Flags: []operation.Flag{{Name: "skip", Help: "name what was found and block nothing", Kind: operation.Switch}}, Run: drift,
		},
	}
}

func passed(ok func(any) bool, yes, no string) func(any) string {
	return func(a any) string {
		if ok(a) {
			return yes
		}
		return no
	}
}

// text is a file that was named on the command line.
func text(c *operation.Call, name string) (string, error) {
	q, err := c.Questions()
	if err != nil {
		return "", err
	}
	at, err := inside(c, name)
	if err != nil {
		return "", err
	}
	s, err := q.Text(at)
	if errors.Is(err, fs.ErrNotExist) {
		return "", operation.Faultf("file_not_found", "File not found: %s", name)
	}
	return s, err
}

// inside is a path from the root of the project, whether it was given so or as an absolute one.
func inside(c *operation.Call, name string) (string, error) {
	root, err := c.Project()
	if err != nil || !filepath.IsAbs(name) {
		return filepath.ToSlash(name), err
	}
	rel, err := filepath.Rel(root, name)
	if err != nil || !filepath.IsLocal(rel) {
		return "", operation.Faultf("file_not_found", "%s is not in the project", name)
	}
	return filepath.ToSlash(rel), nil
}

// tree reads files of the project. Nothing outside it is looked at, not by links either.
type tree struct{ root *os.Root }

func open(c *operation.Call) (tree, error) {
	project, err := c.Project()
	if err != nil {
		return tree{}, err
	}
	root, err := os.OpenRoot(project)
	return tree{root}, err
}

func (t tree) close() error { return t.root.Close() }

func (t tree) exists(name string) bool {
	_, err := t.root.Stat(filepath.FromSlash(name))
	return err == nil
}

// read is a regular file of the project, up to a size; ok is false if there is none.
func (t tree) read(name string) (string, bool) {
	name = filepath.FromSlash(name)
	if st, err := t.root.Stat(name); err != nil || !st.Mode().IsRegular() { // opening a pipe would wait for a writer
		return "", false
	}
	f, err := t.root.Open(name)
	if err != nil {
		return "", false
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxFile))
	return string(b), err == nil
}

func structure(_ context.Context, c *operation.Call) (any, error) {
	if _, err := text(c, c.Arg("PLAN")); err != nil {
		return nil, err
	}
	q, err := c.Questions()
	if err != nil {
		return nil, err
	}
	at, err := inside(c, c.Arg("PLAN"))
	if err != nil {
		return nil, err
	}
	return q.Structure(at)
}

func completeness(_ context.Context, c *operation.Call) (any, error) {
	q, err := c.Questions()
	if err != nil {
		return nil, err
	}
	a, err := q.Completeness(c.Arg("PHASE"))
	if missing := (*query.PhaseError)(nil); errors.As(err, &missing) {
		return nil, &operation.Fault{Reason: "phase_not_found", Message: "there is no phase " + strconv.Quote(missing.Phase), Near: missing.Near}
	}
	return a, err
}

type referenced struct {
	Valid   bool     `json:"valid"`
	Found   int      `json:"found"`
	Missing []string `json:"missing"`
	Total   int      `json:"total"`
}

// references looks for the files that a text names as @path/to/file and as `path/to/file.ext`. A path out of the project is
// not looked for and missing, because nothing outside is read.
func references(_ context.Context, c *operation.Call) (any, error) {
	content, err := text(c, c.Arg("FILE"))
	if err != nil {
		return nil, err
	}
	t, err := open(c)
	if err != nil {
		return nil, err
	}
	defer t.close()
	a := referenced{Missing: []string{}}
	seen := map[string]bool{}
	for _, name := range append(atPaths(content), quotedPaths(content)...) {
		if seen[name] {
			continue
		}
		seen[name] = true
		if t.exists(name) {
			a.Found++
		} else {
			a.Missing = append(a.Missing, name)
		}
	}
	a.Total = a.Found + len(a.Missing)
	a.Valid = len(a.Missing) == 0
	return a, nil
}

// atPaths are the paths behind an @ that have a slash.
func atPaths(content string) (list []string) {
	for rest := content; ; {
		_, after, ok := strings.Cut(rest, "@")
		if !ok {
			return list
		}
		end := strings.IndexFunc(after, func(r rune) bool { return strings.ContainsRune(" \t\r\n,)", r) })
		if end < 0 {
			end = len(after)
		}
		if name := after[:end]; strings.Contains(strings.Trim(name, "/"), "/") || strings.HasPrefix(name, "/") {
			list = append(list, name)
		}
		rest = after[end:]
	}
}

// quotedPaths are the paths between backticks that have a slash and an extension.
func quotedPaths(content string) (list []string) {
	for line := range strings.Lines(content) {
		parts := strings.Split(line, "`")
		for i := 1; i < len(parts)-1; i += 2 {
			name := parts[i]
			template := strings.Contains(name, "${") || strings.Contains(name, "{{")
			if strings.Contains(name, "/") && hasExtension(name, 10) && !strings.HasPrefix(name, "http") && !template {
				list = append(list, name)
			}
		}
	}
	return list
}

// hasExtension reports whether a name ends in a dot and at most so many letters.
func hasExtension(name string, most int) bool {
	i := strings.LastIndexByte(name, '.')
	ext := name[i+1:]
	letters := strings.Trim(strings.ToLower(ext), "abcdefghijklmnopqrstuvwxyz") == ""
	return i > 0 && len(ext) > 0 && len(ext) <= most && letters
}

type committed struct {
	All     bool     `json:"all_valid"`
	Valid   []string `json:"valid"`
	Invalid []string `json:"invalid"`
	Total   int      `json:"total"`
}

// isCommit returns what reports whether a commit is there. Without git none is.
func isCommit(ctx context.Context, c *operation.Call) (func(string) bool, error) {
	project, err := c.Project()
	if err != nil {
		return nil, err
	}
	r, err := git.Find(project)
	if errors.Is(err, git.ErrNoRepository) {
		return func(string) bool { return false }, nil
	}
	if err != nil {
		return nil, err
	}
	return func(id string) bool {
		_, err := git.Git{}.Commit(ctx, r, id)
		return err == nil
	}, nil
}

func commits(ctx context.Context, c *operation.Call) (any, error) {
	is, err := isCommit(ctx, c)
	if err != nil {
		return nil, err
	}
	a := committed{Valid: []string{}, Invalid: []string{}}
	for _, id := range c.Rest() {
		if !strings.HasPrefix(id, "-") && is(id) {
			a.Valid = append(a.Valid, id)
		} else {
			a.Invalid = append(a.Invalid, id)
		}
	}
	a.All, a.Total = len(a.Invalid) == 0, len(c.Rest())
	return a, nil
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

func artifacts(_ context.Context, c *operation.Call) (any, error) {
	content, err := text(c, c.Arg("PLAN"))
	if err != nil {
		return nil, err
	}
	wanted := artefact.ParsePlan(content).MustHaves.Artifacts
	if len(wanted) == 0 {
		return nil, operation.Faultf("no_must_haves", "No must_haves.artifacts found in frontmatter")
	}
	t, err := open(c)
	if err != nil {
		return nil, err
	}
	defer t.close()
	a := artifactAnswer{Artifacts: []artifact{}}
	for _, w := range wanted {
		w.Path, _, _ = strings.Cut(w.Path, " (") // a remark behind it is none of its name
		if w.Path != "" {
			a.Artifacts = append(a.Artifacts, t.artifact(w))
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

func (t tree) artifact(w artefact.Artifact) artifact {
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

func links(_ context.Context, c *operation.Call) (any, error) {
	content, err := text(c, c.Arg("PLAN"))
	if err != nil {
		return nil, err
	}
	wanted := artefact.ParsePlan(content).MustHaves.Links
	if len(wanted) == 0 {
		return nil, operation.Faultf("no_must_haves", "No must_haves.key_links found in frontmatter")
	}
	t, err := open(c)
	if err != nil {
		return nil, err
	}
	defer t.close()
	a := linkAnswer{Links: []link{}}
	for _, w := range wanted {
		if w.From == "" { // a sentence, which nothing can judge
			continue
		}
		row := link{From: w.From, To: w.To, Via: w.Via}
		row.Verified, row.Detail = t.linked(w)
		if row.Verified {
			a.Verified++
		}
		a.Links = append(a.Links, row)
	}
	a.Total = len(a.Links)
	a.All = a.Verified == a.Total && a.Total > 0
	return a, nil
}

// linked looks for the pattern of a link in both files, or for the name of the target in the source.
func (t tree) linked(w artefact.Link) (bool, string) {
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

// named are the files that a summary names with a slash and an extension: between backticks, and behind Created: and the like.
func named(content string) (list []string) {
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

// commitIDs are the words of a text that can be ids of commits.
func commitIDs(content string) []string {
	return strings.FieldsFunc(content, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func isID(word string) bool {
	const least, most = 7, 40
	return len(word) >= least && len(word) <= most && strings.Trim(word, "0123456789abcdef") == ""
}

func summary(ctx context.Context, c *operation.Call) (any, error) {
	a := summaryAnswer{Checks: summaryChecks{Files: created{Missing: []string{}}, SelfCheck: "not_found"}, Errors: []string{}}
	count, err := c.Number("check-count", 2)
	if err != nil {
		return nil, err
	}
	content, err := text(c, c.Arg("FILE"))
	if missing := (*operation.Fault)(nil); errors.As(err, &missing) {
		a.Errors = append(a.Errors, "SUMMARY.md not found")
		return a, nil
	}
	if err != nil {
		return nil, err
	}
	t, err := open(c)
	if err != nil {
		return nil, err
	}
	defer t.close()
	files := named(content)
	files = files[:min(len(files), max(0, count))]
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
	if err := a.commits(ctx, c, content); err != nil {
		return nil, err
	}
	if a.Checks.SelfCheck == "failed" {
		a.Errors = append(a.Errors, "Self-check section indicates failure")
	}
	a.Passed = len(missing) == 0 && a.Checks.SelfCheck != "failed"
	return a, nil
}

// commits looks for the first commits that the summary names.
func (a *summaryAnswer) commits(ctx context.Context, c *operation.Call, content string) error {
	const most = 3
	is, err := isCommit(ctx, c)
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
