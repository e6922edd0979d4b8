package purpose_test

import (
	"context"
	"testing"

	"ken/internal/engine"
	"ken/internal/engine/enginetest"
	"ken/internal/engine/view"
	"ken/internal/knowledge/purpose"
)

// TestIntroduction reads the descriptions of manifests, each in a folder of its own beside a README.
func TestIntroduction(t *testing.T) {
	w := enginetest.NewTree(t)
	cases := []struct{ dir, file, text, want string }{
		{"cargo", "Cargo.toml", "[package]\nname = \"a\"\nauthors = [\"b\"]\ndescription = \"Reads a tree once\"\n", "Reads a tree once"},
		{"workspace", "Cargo.toml", "[workspace]\n[dependencies.x]\ndescription = \"Not of this one\"\n", "A readme of words."},
		{"python", "pyproject.toml", "[build-system]\nrequires = []\n\n[project]\nauthors = [\n  {name = \"a\"},\n]\ndescription = \"Reads a tree once\"\n", "Reads a tree once"},
		{"setup", "setup.py", "from setuptools import setup\nsetup(name='a', description='Reads a tree once', version='1')\n", "Reads a tree once"},
		{"gem", "a.gemspec", "Gem::Specification.new do |s|\n  s.summary = \"Reads a tree once\"\nend\n", "Reads a tree once"},
		{"php", "composer.json", "{\"description\": \"Reads a tree once\"}", "Reads a tree once"},
		{"node", "package.json", "{\"description\": \"Reads a tree once. And more.\"}", "Reads a tree once."},
		{"short", "package.json", "{\"description\": \"Reads trees\"}", "A readme of words."},
		{"broken", "package.json", "{\"description\": \"Reads a tree once", "A readme of words."},
		{"sponsors", "package.json", "{\"description\": \"Sponsored by our gold sponsors\"}", "A readme of words."},
	}
	for _, c := range cases {
		w.Write(c.dir+"/"+c.file, c.text)
		w.Write(c.dir+"/README.md", "# A\n\nA readme of words.\n")
	}
	w.Commit("everything")
	err := w.Index().Engine.Answer(context.Background(), engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		for _, c := range cases {
			if got, _, err := purpose.Introduction(ctx, s, c.dir); err != nil || got != c.want {
				t.Errorf("%s: got %q, %v; want %q", c.dir, got, err, c.want)
			}
		}
		return nil, nil
	})
	if err != nil {
		t.Error(err)
	}
}
