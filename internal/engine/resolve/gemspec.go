package resolve

import (
	"regexp"
	"slices"
	"strings"
)

// gemspec holds the directories of a *.gemspec file in which require looks for the gem's files, as written. Because
// the file is a program, computed values are not known.
type gemspec struct{ Roots []string }

// rubyGem is a gemspec with its directories as paths of the repository.
type rubyGem struct {
	dir   string
	roots []string
}

func newRubyGem(dir string, spec gemspec) rubyGem {
	g := rubyGem{dir: dir}
	if len(spec.Roots) == 0 {
		spec.Roots = []string{"lib"}
	}
	for _, rel := range spec.Roots {
		if root, ok := join(dir, rel); ok && !slices.Contains(g.roots, root) && len(g.roots) < maxSegments {
			g.roots = append(g.roots, root)
		}
	}
	return g
}

// parseGemspec reads `s.require_paths = ["lib", "ext"]` and its variants.
func parseGemspec(content []byte) gemspec {
	var g gemspec
	paths := regexp.MustCompile(`(?m)^[^#\n]*\.require_paths?\s*(?:=|<<|\+=)\s*(.*)$`)
	quoted := regexp.MustCompile(`["']([^"'\n]*)["']`)
	words := regexp.MustCompile(`%w[\[({<|]([^\])}>|\n]*)`)
	for _, m := range paths.FindAllSubmatch(content, maxSegments) {
		for _, q := range quoted.FindAllSubmatch(m[1], maxSegments) {
			g.Roots = append(g.Roots, string(q[1]))
		}
		for _, w := range words.FindAllSubmatch(m[1], maxSegments) {
			g.Roots = append(g.Roots, strings.Fields(string(w[1]))...)
		}
	}
	g.Roots = slices.DeleteFunc(g.Roots, func(s string) bool { return s == "" || strings.HasPrefix(s, "/") || strings.Contains(s, "#{") })
	return g
}
