package codebase

import (
	"cmp"
	"context"
	"errors"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ken/internal/ask/grep"
	"ken/internal/code"
	"ken/internal/engine/view"
	"ken/internal/knowledge/purpose"
	"ken/internal/lang"
)

// variable is an environment variable with the places where code reads it.
type variable struct {
	name  string
	files []string
}

// note is a line that marks unfinished work.
type note struct {
	word, path, text string
	line             uint32
	test             bool
}

// change is a file with the number of its changes.
type change struct {
	path    string
	commits int
	lines   uint32
}

// readsVariable matches code that reads an environment variable by a literal name.
const readsVariable = `process\.env\.([A-Z][A-Z0-9_]+)|import\.meta\.env\.([A-Z][A-Z0-9_]+)|` +
	`(?:process\.env|os\.environ|\bENV)\[\s*["']([A-Za-z_][A-Za-z0-9_]*)["']\]|` +
	`(?:os\.Getenv|os\.LookupEnv|os\.getenv|os\.environ\.get|System\.getenv|GetEnvironmentVariable|` +
	`env::var|env::var_os|ENV\.fetch|\bgetenv|\benv!)` +
	`\(\s*["']([A-Za-z_][A-Za-z0-9_]*)["']`

const leavesWork = `\b(TODO|FIXME|HACK|XXX)\b`

var variables = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(readsVariable) })

var leftWork = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(leavesWork) })

// readTexts reads the code once, for environment variables and for notes of unfinished work.
func (c *Code) readTexts(ctx context.Context, s *view.Snapshot) error {
	var only []code.File
	test := map[string]bool{}
	for i := range c.all {
		f := &c.all[i]
		if isSource(f.Class, f.Lang) || isTest(f.Class, f.Lang) {
			only = append(only, *f)
			test[f.Path] = isTest(f.Class, f.Lang)
		}
	}
	if len(only) == 0 {
		return nil
	}
	at := map[string]int{}
	for m, err := range grep.Grep(ctx, s, view.GrepQuery{Regex: readsVariable + "|" + leavesWork, Only: only}) {
		if err != nil {
			return err
		}
		if word := leftWork().FindString(m.Text); word != "" {
			c.notes = append(c.notes, note{word, m.Path, strings.TrimSpace(m.Text), m.Line, test[m.Path]})
		}
		if test[m.Path] || isComment(&m) {
			continue
		}
		for _, groups := range variables().FindAllStringSubmatch(m.Text, -1) {
			name := cmp.Or(groups[1:]...)
			i, ok := at[name]
			if !ok {
				i = len(c.variables)
				at[name] = i
				c.variables = append(c.variables, variable{name: name})
			}
			if v := &c.variables[i]; !slices.Contains(v.files, m.Path) {
				v.files = append(v.files, m.Path)
			}
		}
	}
	slices.SortFunc(c.variables, func(a, b variable) int { return strings.Compare(a.name, b.name) })
	slices.SortStableFunc(c.notes, func(a, b note) int { return cmp.Or(strings.Compare(a.path, b.path), cmp.Compare(a.line, b.line)) })
	return nil
}

// isComment reports whether a line is nothing but a comment.
func isComment(m *view.GrepMatch) bool {
	line := strings.TrimSpace(m.Text)
	for _, mark := range append([]string{"*"}, lang.Of(lang.Detect(m.Path, nil)).Line...) {
		if strings.HasPrefix(line, mark) {
			return true
		}
	}
	return false
}

// readFolderPurposes reads the descriptions of folders of the first two levels and of entry points.
func (c *Code) readFolderPurposes(ctx context.Context, s *view.Snapshot) error {
	for _, d := range c.folderTree() {
		text, _, err := purpose.Introduction(ctx, s, d.path)
		if err != nil {
			return err
		}
		if text != "" {
			c.readmes[d.path] = text
		}
	}
	for _, p := range c.entryFiles() {
		f, err := s.File(ctx, p)
		var gone *code.NotFoundError
		if errors.As(err, &gone) {
			continue
		}
		if err != nil {
			return err
		}
		says, err := purpose.FilePurpose(ctx, s, &f)
		if err != nil {
			return err
		}
		if says.From != purpose.Unknown && says.From != purpose.Place {
			c.purposes[p] = says.Text
		}
	}
	return nil
}

// entryFiles returns the files that programs start in, those nearest to the root first.
func (c *Code) entryFiles() (out []string) {
	for i := range c.all {
		if f := &c.all[i]; f.Flags&code.FlagEntry != 0 && isSource(f.Class, f.Lang) {
			out = append(out, f.Path)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")) })
	return out
}

// findMostChanged finds the source files that most commits changed.
func (c *Code) findMostChanged(_ context.Context, s *view.Snapshot) error {
	var paths []string
	var lines []uint32
	for i := range c.all {
		if f := &c.all[i]; isSource(f.Class, f.Lang) {
			paths, lines = append(paths, f.Path), append(lines, f.Lines)
		}
	}
	list, err := s.Activities(paths)
	if err != nil || list == nil {
		return err
	}
	for i := range list {
		if list[i].Commits > 1 {
			c.changes = append(c.changes, change{paths[i], list[i].Commits, lines[i]})
		}
	}
	slices.SortStableFunc(c.changes, func(a, b change) int {
		return cmp.Or(cmp.Compare(b.commits, a.commits), strings.Compare(a.path, b.path))
	})
	return nil
}

// directory is a folder with the files below it.
type directory struct {
	path                 string
	files, source, tests int
	generated, vendored  int
	fixtures, tracked    int
	top                  string // the source file that most others depend on
	dependents           uint32
}

// folderTree returns the folders of the first two levels, sorted by path.
func (c *Code) folderTree() []directory {
	at := map[string]*directory{}
	for i := range c.all {
		f := &c.all[i]
		parts := strings.Split(path.Dir(f.Path), "/")
		for n := 1; n <= min(2, len(parts)); n++ {
			p := strings.Join(parts[:n], "/")
			if p == "." {
				continue
			}
			d := at[p]
			if d == nil {
				d = &directory{path: p}
				at[p] = d
			}
			d.add(f)
		}
	}
	var out []directory
	for _, d := range at {
		out = append(out, *d)
	}
	slices.SortFunc(out, func(a, b directory) int { return strings.Compare(a.path+"/", b.path+"/") })
	return out
}

func (d *directory) add(f *code.File) {
	d.files++
	one := func(n *int, holds bool) {
		if holds {
			*n++
		}
	}
	one(&d.source, isSource(f.Class, f.Lang))
	one(&d.tests, isTest(f.Class, f.Lang))
	one(&d.generated, f.Class.Has(code.ClassGenerated))
	one(&d.vendored, f.Class.Has(code.ClassVendored))
	one(&d.fixtures, f.Class.Has(code.ClassFixture))
	one(&d.tracked, f.Flags&code.FlagTracked != 0)
	if isSource(f.Class, f.Lang) && f.Dependents > d.dependents {
		d.top, d.dependents = f.Path, f.Dependents
	}
}
