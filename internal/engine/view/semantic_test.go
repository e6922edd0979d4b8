package view_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/engine"
	"ken/internal/engine/enginetest"
	"ken/internal/engine/view"
	"ken/internal/store/sqlite"
)

// counting embeds a text as how often it names three things, so that nearness is
// known; it fails while down is set.
type counting struct{ down bool }

func (*counting) Model() string { return "counting" }

func (c *counting) Embed(_ context.Context, texts []string) ([][]float32, error) {
	if c.down {
		return nil, errors.New("nobody answers")
	}
	out := make([][]float32, len(texts))
	for i, t := range texts {
		v := make([]float32, 64)
		for at, word := range []string{"cat", "dog", "tree"} {
			v[at*20] = float32(strings.Count(t, word))
		}
		v[63] = 0.01
		out[i] = v
	}
	return out, nil
}

// TestSemanticFiles: the file whose passages mean most nearly what a text does comes
// first, and an endpoint that fails is an error and not an empty list.
func TestSemanticFiles(t *testing.T) {
	c := &counting{}
	opt := engine.Options{Embedding: engine.Embedding{Embedder: c, Vectors: sqlite.NewVectors(filepath.Join(t.TempDir(), "vectors.db"))}}
	p := enginetest.NewWith(t, map[string]string{
		"cats.go":  "package a\n\n// cat cat cat\nfunc Cat() {}\n",
		"dogs.go":  "package a\n\n// dog dog dog\nfunc Dog() {}\n",
		"trees.go": "package a\n\n// tree tree\nfunc Tree() {}\n",
	}, opt)
	if _, err := p.Engine.Embed(context.Background(), engine.EmbedRequest{}); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{"the dog": "dogs.go", "a cat": "cats.go", "one tree": "trees.go"} {
		p.Ask(func(ctx context.Context, s *view.Snapshot) error {
			list, err := s.SemanticFiles(ctx, query, 2)
			if err != nil || len(list) != 2 {
				t.Fatalf("%s: %v, %v", query, list, err)
			}
			f, err := s.FileByID(list[0].FileID)
			if f.Path != want || list[0].Score < list[1].Score {
				t.Errorf("%s: %s before the other, scores %v", query, f.Path, list)
			}
			return err
		})
	}
	c.down = true
	p.Ask(func(ctx context.Context, s *view.Snapshot) error {
		if list, err := s.SemanticFiles(ctx, "another dog", 2); err == nil {
			t.Errorf("an endpoint that fails gave %v", list)
		}
		return nil
	})
}
