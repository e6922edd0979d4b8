package op

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp/syntax"

	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/operation"

	"ken/internal/ask/grep"
	"ken/internal/engine/source"
	"ken/internal/engine/view"
)

type grepInput struct {
	Regex      string   `arg:"REGEX" help:"RE2, matched line by line"`
	Paths      []string `arg:"[PATH…]" help:"files or directories to search; default: all"`
	IgnoreCase bool     `flag:"ignore-case" short:"i" help:"letters match in either case"`
	Word       bool     `flag:"word" short:"w" help:"what matches is no part of a longer word"`
	FilesOnly  bool     `flag:"files-with-matches" short:"l" help:"only the files that have a match, one a line"`
	Context    int      `flag:"context" value:"N" help:"lines shown around each match; -C N as well"`
	Include    []string `flag:"include" value:"GLOB" help:"only files that match, as in .gitignore; may be given again"`
	Exclude    []string `flag:"exclude" value:"GLOB" help:"no files that match; may be given again"`
	Limit      *int     `flag:"limit" value:"N" help:"lines listed; 0: all (default 100 in text, all in JSON)"`
}

// GrepLine is a matching line.
type GrepLine struct {
	Path   operation.Path `json:"path" doc:"file"`
	Line   uint32         `json:"line" doc:"line"`
	Start  uint32         `json:"start" doc:"first byte of the match in the file"`
	End    uint32         `json:"end" doc:"byte after the match"`
	Text   string         `json:"text" doc:"the line; of one longer than 400 bytes what is around the match"`
	Before []string       `json:"before_lines,omitempty" doc:"with --context: lines before it"`
	After  []string       `json:"after_lines,omitempty" doc:"with --context: lines after it"`
	In     string         `json:"in,omitempty" doc:"qualified name of the innermost symbol around the match"`
	InKind string         `json:"in_kind,omitempty" doc:"kind of that symbol"`
}

type grepAnswer struct {
	Revision
	Matches operation.Rows[GrepLine] `json:"matches" paths:"yes" doc:"by path and line, one for each line that matches"`
	More    bool                     `json:"more" doc:"there are matches that --limit left out"`
}

func grepTool() *Tool {
	return spec[grepInput, grepAnswer]{
		Name:  "grep",
		Topic: operation.Ask, Logged: true,
		MCP: operation.Offer{
			Set: "core", Place: 8,
			About: "Lines of indexed text that match RE2, with the symbol around each.",
			Shown: "regex; path=files or directories; ignore_case; word; files_with_matches; context=lines around; include=globs",
		},
		Summary: "search the text of indexed files, with the symbol around each match",
		Example: []string{"grep 'TODO|FIXME'", "grep -i deprecated src/api", "grep -w -l retry --include '*.go'", "grep -C 2 panic"},
		Run:     runGrep,
		Text:    textGrep,
	}.Tool()
}

func runGrep(ctx context.Context, env *Env, in *grepInput, emit func(*grepAnswer) error) error {
	p, err := project.Open(env, operation.Existing)
	if err != nil {
		return err
	}
	if _, err := syntax.Parse(in.Regex, syntax.Perl); err != nil {
		return code.Usagef("%v", err)
	}
	q := grepQuery(in)
	limit := 0
	if in.Limit != nil && *in.Limit > 0 {
		limit = *in.Limit
		q.Limit = limit + 1 // one more than shown, to know whether there are more
	}
	found := false
	err = p.AskWhole(ctx, func(ctx context.Context, s *view.Snapshot) error {
		a := grepAnswer{Revision: Revision{s.Rev()}, Matches: emptyRows}
		var err error
		if q.Paths, err = existingPaths(p, in.Paths); err != nil {
			return operation.Finish(&a, err, emit)
		}
		a.Matches = func(yield func(GrepLine, error) bool) {
			n := 0
			for m, err := range grep.Grep(ctx, s, q) {
				found = found || err == nil
				if a.More = limit > 0 && n == limit; a.More {
					return
				}
				n++
				if !yield(grepLine(&m), err) {
					return
				}
			}
			if err := ctx.Err(); err != nil {
				yield(GrepLine{}, err) // the matches found so far are not all
			}
		}
		return emit(&a)
	})
	if err == nil && !found {
		err = operation.Nothingf("no line matches %s", operation.Quote(in.Regex))
	}
	return err
}

func grepQuery(in *grepInput) view.GrepQuery {
	q := view.GrepQuery{
		Regex: in.Regex, IgnoreCase: in.IgnoreCase, Word: in.Word, OnePerFile: in.FilesOnly, Context: min(max(in.Context, 0), maxGrepContext),
	}
	if len(in.Include) > 0 {
		q.Include = source.NewGlobs(in.Include)
	}
	if len(in.Exclude) > 0 {
		q.Exclude = source.NewGlobs(in.Exclude)
	}
	return q
}

// maxGrepContext is the largest number of lines shown around a match.
const maxGrepContext = 100

func emptyRows(func(GrepLine, error) bool) {}

// existingPaths makes paths relative to the root. It fails if one does not exist.
func existingPaths(p *project.Project, args []string) ([]string, error) {
	var out []string
	for _, arg := range args {
		rel, err := p.Rel(arg)
		if err != nil {
			return nil, err
		}
		if _, err := os.Lstat(filepath.Join(p.Root, filepath.FromSlash(rel))); errors.Is(err, os.ErrNotExist) {
			return nil, operation.Nothingf("no file or directory %s", operation.Quote(arg))
		}
		out = append(out, rel)
	}
	return out, nil
}

func grepLine(m *view.GrepMatch) GrepLine {
	row := GrepLine{
		Path: operation.Path(m.Path), Line: m.Line, Start: m.Start, End: m.End, Text: m.Text, In: m.In, Before: m.Before, After: m.After,
	}
	if m.In != "" {
		row.InKind = m.InKind.String()
	}
	return row
}

func textGrep(t *operation.Text, in *grepInput, a *grepAnswer) error {
	n := 0
	for m, err := range a.Matches {
		if err != nil {
			return err
		}
		if a.More = in.Limit == nil && n == textLimit; a.More {
			break
		}
		n++
		if in.FilesOnly {
			t.Line("%s", m.Path)
			continue
		}
		writeGrepLine(t, &m, n > 1 && in.Context > 0)
	}
	if a.More {
		t.Line("… and more (--limit 0 for all)")
	}
	return nil
}

// writeGrepLine writes a match with its context lines.
func writeGrepLine(t *operation.Text, m *GrepLine, apart bool) {
	if apart {
		t.Line("--")
	}
	around := func(line uint32, text string) {
		t.Line("%s  %s", t.Dim(fmt.Sprintf("%s-%d", m.Path, line)), operation.Styled(operation.EscapeLine(text)))
	}
	for i, text := range m.Before {
		around(m.Line-uint32(len(m.Before)-i), text)
	}
	t.Printf("%s  %s", t.Bold(pathLine(m.Path, m.Line)), operation.Styled(operation.EscapeLine(m.Text)))
	if m.In != "" {
		t.Printf("  %s", t.Dim("in "+m.In))
	}
	t.Line("")
	for i, text := range m.After {
		around(m.Line+uint32(i+1), text)
	}
}
