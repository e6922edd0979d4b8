// Package conventions declares the operation that shows how a project writes code. The habits are counted by knowledge/convention;
// delivery/op lists the operation.
package conventions

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/engine/view"
	"ken/internal/knowledge/convention"
	"ken/internal/lang"
	"ken/internal/operation"
)

type input struct {
	File  string `arg:"[FILE]" help:"a file that is to be written: what holds there"`
	All   bool   `flag:"all" help:"also what is the norm of a language, such as camelCase in Go"`
	Limit *int   `flag:"limit" value:"N" help:"rows of each list shown; 0: all (default 20 in text, all in JSON)"`
}

type answer struct {
	Revision    code.Rev        `json:"revision" doc:"state of the index the answer was computed from"`
	Conventions []Convention    `json:"conventions" doc:"what most of the code has in common, by topic"`
	Directories []ConventionDir `json:"directories" paths:"yes" doc:"folders whose files have an ending or a way of writing names in common; with FILE that of the file"`
	Suffixes    []ConventionEnd `json:"suffixes,omitempty" doc:"endings of file names, most files first"`
	Norms       int             `json:"norms,omitempty" doc:"conventions left out because they are the norm of their language; --all lists them"`
}

// Convention is one habit with its evidence.
type Convention struct {
	Topic      string   `json:"topic" doc:"file names, function names, type names, constant names, test file names, where tests are, imports, exports, error types"`
	Language   string   `json:"language,omitempty" doc:"language it is about"`
	Directory  string   `json:"directory,omitempty" doc:"folder it holds in; missing: the whole project"`
	Pattern    string   `json:"pattern" doc:"what most do"`
	Confidence int      `json:"confidence" doc:"share of the samples that do, in percent"`
	Agree      int      `json:"agree" doc:"samples that do"`
	Samples    int      `json:"samples" doc:"samples that could"`
	Examples   []string `json:"examples" doc:"at most three that do"`
	Counter    []string `json:"counter_examples" doc:"at most three that do not"`
}

// ConventionDir is a folder whose files have something in common.
type ConventionDir struct {
	Path    operation.Path `json:"path" doc:"folder"`
	Files   int            `json:"files" doc:"source files in it"`
	Pattern string         `json:"pattern" doc:"pattern of their names"`
	Agree   int            `json:"agree" doc:"files of the pattern"`
}

// ConventionEnd is an ending of file names.
type ConventionEnd struct {
	Ending  string `json:"ending" doc:"before the extension, with it"`
	Purpose string `json:"purpose,omitempty" doc:"what frameworks mean by it"`
	Files   int    `json:"files" doc:"files that have it"`
}

// Tool is the operation.
func Tool() *project.Tool {
	return operation.Spec[*project.Project, input, answer]{
		Name:  "conventions",
		Topic: operation.Remember, Logged: true,
		MCP: operation.Offer{
			Set: "knowledge", Place: 5,
			About: "How code is written here, counted: look before writing a file.",
		},
		Summary: "how this project writes code: names, places of tests, imports, with the evidence",
		Long: fmt.Sprintf("What at least %d%% of at least %d samples do, with examples for and against. ", convention.MinAgreement, convention.MinSamples) +
			"What a language forces, and what is its norm, is left out.\nWith FILE: what holds for a new file of that path.",
		Example: []string{"conventions", "conventions src/services/mail.service.ts"},
		Run:     run,
		Text:    text,
	}.Tool()
}

func run(ctx context.Context, env *project.Env, in *input, emit func(*answer) error) error {
	p, err := project.Open(env, operation.Existing)
	if err != nil {
		return err
	}
	var a *answer
	err = p.AskChecked(ctx, func(ctx context.Context, s *view.Snapshot) error {
		a = &answer{Revision: s.Rev()}
		found, err := convention.Find(ctx, s)
		if err != nil {
			return err
		}
		if in.File == "" {
			a.fill(found.Conventions, found.Directories, in.All)
			for _, e := range found.Suffixes {
				if !in.All && isForced(e.Ending) {
					a.Norms++
					continue
				}
				a.Suffixes = append(a.Suffixes, ConventionEnd{e.Ending, e.Purpose, e.Count})
			}
			return nil
		}
		rel, err := p.Rel(in.File)
		if err != nil {
			return err
		}
		list, dir := found.ForFile(rel, lang.Detect(rel, nil))
		var dirs []convention.Directory
		if dir != nil {
			dirs = []convention.Directory{*dir}
		}
		a.fill(list, dirs, in.All)
		return nil
	})
	if err == nil && len(a.Conventions)+len(a.Directories)+len(a.Suffixes)+a.Norms == 0 {
		err = operation.Nothingf("no habit has %d samples of which %d%% agree", convention.MinSamples, convention.MinAgreement)
	}
	return operation.Finish(a, err, emit)
}

// isForced reports whether the tools of a language demand an ending of file names, as Go's do of tests.
func isForced(ending string) bool {
	row := lang.Of(lang.Detect("x"+ending, nil))
	return row.TestFilesOnly && row.Tests.Match("x"+ending)
}

func (a *answer) fill(list []convention.Convention, dirs []convention.Directory, all bool) {
	for i := range list {
		c := &list[i]
		if !all && c.FollowsNorm() {
			a.Norms++
			continue
		}
		a.Conventions = append(a.Conventions,
			Convention{c.Counted(), string(c.Lang), c.Dir, c.Pattern, c.Confidence(), c.Agree, c.Samples, c.Examples, c.Counter})
	}
	for _, d := range dirs {
		a.Directories = append(a.Directories, ConventionDir{operation.Path(d.Path), d.Files, d.Pattern, d.Agree})
	}
}

func text(t *operation.Text, in *input, a *answer) error {
	limit := 20
	if in.Limit != nil {
		limit = *in.Limit
	}
	for _, c := range firstN(a.Conventions, limit) {
		about := c.Topic
		if c.Language != "" {
			about += ", " + c.Language
		}
		if c.Directory != "" {
			about += ", in " + c.Directory
		}
		t.Line("%s: %s  %s", about, t.Bold(c.Pattern), t.Dim(fmt.Sprintf("%d%%, %s of %s", c.Confidence, operation.Group(c.Agree), operation.Group(c.Samples))))
		t.Line("    such as %s", strings.Join(c.Examples, ", "))
		if len(c.Counter) > 0 {
			t.Line("    but not %s", strings.Join(c.Counter, ", "))
		}
	}
	t.More("", len(a.Conventions)-len(firstN(a.Conventions, limit)))
	if len(a.Directories) > 0 {
		t.Heading("folders")
		var rows [][]string
		for _, d := range firstN(a.Directories, limit) {
			rows = append(rows, []string{strconv.Itoa(d.Agree) + " of " + strconv.Itoa(d.Files), string(d.Path), d.Pattern})
		}
		t.Table("  ", 1, rows)
		t.More("  ", len(a.Directories)-len(rows))
	}
	if len(a.Suffixes) > 0 {
		t.Heading("endings of file names")
		var rows [][]string
		for _, e := range firstN(a.Suffixes, limit) {
			rows = append(rows, []string{operation.Group(e.Files), e.Ending, e.Purpose})
		}
		t.Table("  ", 1, rows)
		t.More("  ", len(a.Suffixes)-len(rows))
	}
	if a.Norms > 0 {
		t.Line("%s follow the norms of their languages: --all", operation.Group(a.Norms))
	}
	return nil
}

// firstN returns the first n entries of a list, all if n is 0.
func firstN[T any](list []T, n int) []T {
	if n <= 0 || len(list) <= n {
		return list
	}
	return list[:n]
}
