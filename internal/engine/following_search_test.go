package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ken/internal/ask/grep"
	"ken/internal/engine"
	"ken/internal/engine/view"
)

// TestFollowSearch searches for literals while files change, of which some held them before and hold them again: what is
// remembered of texts must never hide a match.
func TestFollowSearch(t *testing.T) {
	root := t.TempDir()
	w := &worktree{t: t, root: root, rnd: rand.New(rand.NewPCG(3, 9)), git: true}
	words := []string{"alphaOne", "betaTwo", "gammaThree", "deltaFour"}
	text := func() string {
		return fmt.Sprintf("package a\n\n// %s and %s\nvar _ = 1\n", words[w.rnd.IntN(len(words))], words[w.rnd.IntN(len(words))])
	}
	for i := range 12 {
		w.write(fmt.Sprintf("dir%d/f%d.go", i%3, i), text())
	}
	p := newProject(t, root)
	time.Sleep(3500 * time.Millisecond) // nothing is remembered of files that are young
	follow(t, p)
	known := 0
	for i := range 60 {
		for _, word := range words {
			got, lacking := p.lines(word)
			if want := holding(t, root, word); !slices.Equal(got, want) {
				t.Fatalf("after %d changes %s is found in %v, want %v", i, word, got, want)
			}
			known += lacking
		}
		f := fmt.Sprintf("dir%d/f%d.go", i%3, i%12)
		switch i % 5 {
		case 0, 1, 2:
			w.write(f, text())
		case 3:
			os.Remove(filepath.Join(root, f))
		case 4:
			w.write("new/"+f, text())
		}
	}
	if known == 0 {
		t.Error("nothing was remembered of any text: the test tries nothing")
	}
}

// lines returns the lines that hold a literal, and in how many files it was known to be absent.
func (p *project) lines(literal string) (found []string, lacking int) {
	p.t.Helper()
	err := p.e.Answer(context.Background(), engine.WholeTree, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		for f, err := range s.Index.Files() {
			if err != nil {
				return nil, err
			}
			if s.Sketches().Lacks(&f, []byte(literal)) {
				lacking++
			}
		}
		for m, err := range grep.Grep(ctx, s, view.GrepQuery{Regex: literal}) {
			if err != nil {
				return nil, err
			}
			found = append(found, fmt.Sprintf("%s:%d", m.Path, m.Line))
		}
		return nil, nil
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return found, lacking
}

// holding returns the lines of a tree that hold a literal, read from its files.
func holding(t *testing.T, root, literal string) (found []string) {
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(root, path)
		for i, line := range bytes.Split(text, []byte("\n")) {
			if bytes.Contains(line, []byte(literal)) {
				found = append(found, fmt.Sprintf("%s:%d", filepath.ToSlash(rel), i+1))
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	return found
}
