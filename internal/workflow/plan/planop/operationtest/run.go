// Package operationtest runs operations of planning in tests, on a project made for one test.
package operationtest

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/operation"
	"ken/internal/workflow/plan/planop"
)

// Project is the project of one test.
type Project struct {
	t    testing.TB
	list []*planop.Operation
	Dir  string
	Home string
	Now  time.Time
	Env  map[string]string
}

// New makes a project of files, by their names from its root. A name with a trailing slash is an empty folder.
func New(t testing.TB, list []*planop.Operation, files map[string]string) *Project {
	t.Helper()
	home := t.TempDir()
	p := &Project{t: t, list: list, Dir: filepath.Join(home, "project"), Home: home, Now: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)}
	if err := os.Mkdir(p.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		p.Write(name, text)
	}
	return p
}

// Write writes a file.
func (p *Project) Write(name, text string) {
	p.t.Helper()
	at := filepath.Join(p.Dir, filepath.FromSlash(name))
	dir := filepath.Dir(at)
	if strings.HasSuffix(name, "/") {
		dir = at
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		p.t.Fatal(err)
	}
	if strings.HasSuffix(name, "/") {
		return
	}
	if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// Read returns the text of a file.
func (p *Project) Read(name string) string {
	p.t.Helper()
	b, err := os.ReadFile(filepath.Join(p.Dir, filepath.FromSlash(name)))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(b)
}

// Files returns all files of the project by their names from its root.
func (p *Project) Files() map[string]string {
	p.t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(p.Dir, func(at string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(p.Dir, at)
		if err == nil {
			out[filepath.ToSlash(rel)] = p.Read(filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return out
}

// Do runs an operation, given as the words of its command line, and returns its JSON in one line. It fails as the operation does.
func (p *Project) Do(words ...string) (string, error) {
	answer, _, err := p.run(words)
	return answer, err
}

// Plain runs an operation and returns its answer as --raw does.
func (p *Project) Plain(words ...string) string {
	p.t.Helper()
	_, plain, err := p.run(words)
	if err != nil {
		p.t.Errorf("%q: %v", words, err)
	}
	return plain
}

func (p *Project) run(words []string) (answer, plain string, err error) {
	p.t.Helper()
	a, err := planop.RunWords(context.Background(), p.list, planop.Surroundings{
		Dir: p.Dir, Home: p.Home, StateDir: filepath.Join(p.Home, "state"), Stdin: strings.NewReader(""),
		Getenv: func(name string) string { return p.Env[name] }, Now: func() time.Time { return p.Now },
	}, words)
	if unknown := (*planop.UnknownError)(nil); errors.As(err, &unknown) {
		p.t.Fatal(err)
	}
	if err != nil {
		return "", "", err
	}
	b, err := json.Marshal(a.Value)
	if err != nil {
		return "", "", err
	}
	if a.Plain != nil {
		plain = a.Plain()
	}
	if o, _ := operation.Find(p.list, words); o.Effect == operation.Reads && len(a.Results) > 0 {
		p.t.Errorf("%s wrote, and is not declared as one that does", o.Name)
	}
	return string(b), plain, nil
}

// Want runs an operation and compares its answer.
func (p *Project) Want(line, want string) {
	p.t.Helper()
	got, err := p.Do(Words(line)...)
	if err != nil {
		p.t.Errorf("%s: %v", line, err)
	} else if got != want {
		p.t.Errorf("%s:\n got %s\nwant %s", line, got, want)
	}
}

// Fails runs an operation that must fail, with words in its error, and leave all files unchanged.
func (p *Project) Fails(line string, words ...string) {
	p.t.Helper()
	before := p.Files()
	got, err := p.Do(Words(line)...)
	if err == nil {
		p.t.Errorf("%s: answered %s", line, got)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			p.t.Errorf("%s: %q is not in the error: %v", line, w, err)
		}
	}
	p.Same(line, before)
}

// Same compares all files with those before.
func (p *Project) Same(what string, before map[string]string) {
	p.t.Helper()
	after := p.Files()
	for name, text := range before {
		if now, ok := after[name]; !ok || now != text {
			p.t.Errorf("%s: %s changed:\n%s", what, name, now)
		}
	}
	for name := range after {
		if _, ok := before[name]; !ok {
			p.t.Errorf("%s: %s was made", what, name)
		}
	}
}

// Words splits a line at blanks, except those in '…'.
func Words(line string) []string {
	var words []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			words = append(words, part)
			continue
		}
		words = append(words, strings.Fields(part)...)
	}
	return words
}
