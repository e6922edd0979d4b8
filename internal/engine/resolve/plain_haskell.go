package resolve

import (
	"regexp"
	"slices"
	"strings"

	"ken/internal/code"
)

// haskellModule finds the file of a module: A.B is A/B.hs below a source directory, which is one above the importing
// file, one of the usual folders there, or one that a package's .cabal file names.
func (r *plainResolver) haskellModule(p *probe, dir, spec string) Result {
	rel := strings.ReplaceAll(spec, ".", "/")
	if rel == "" || strings.Contains(spec, "/") || strings.Contains(rel, "//") || rel[0] == '/' {
		return Result{}
	}
	file := ""
	try := func(root string) bool {
		stem := under(root, rel)
		for _, ext := range [...]string{".hs", ".lhs", ".hsc"} {
			if p.hasExt(stem, ext) {
				file = stem + ext
				return true
			}
		}
		return false
	}
	if upwards(dir, func(d string) bool {
		for _, sub := range [...]string{"", "src", "lib", "library", "app", "test", "tests"} {
			if root := under(d, sub); (sub == "" || p.hasBelow(root)) && try(root) {
				return true
			}
		}
		return false
	}) || slices.ContainsFunc(r.cabalRoots(), try) {
		return Result{File: file}
	}
	return Result{External: spec, Std: spec == "Prelude" || strings.HasPrefix(spec, "GHC.")}
}

func (r *plainResolver) cabalRoots() []string {
	if r.cabal != nil {
		return r.cabal
	}
	r.cabal = []string{}
	for _, file := range r.t.Configs("*.cabal") {
		content, _ := config(r.t, file)
		for _, d := range append(parseCabal(content).Dirs, "") {
			root, ok := join(code.Dir(file), d)
			if ok && !slices.Contains(r.cabal, root) && len(r.cabal) < maxGems {
				r.cabal = append(r.cabal, root)
			}
		}
	}
	return r.cabal
}

// cabalFile holds the source directories of a *.cabal file, as written.
type cabalFile struct{ Dirs []string }

func parseCabal(content []byte) cabalFile {
	var c cabalFile
	re := regexp.MustCompile(`(?mi)^[ \t]*hs-source-dirs[ \t]*:[ \t]*([^\n]*)(?:\n[ \t]+([^:\n]*)$)?`)
	for _, m := range re.FindAllSubmatch(content, maxSegments) {
		for _, d := range strings.FieldsFunc(string(m[1])+" "+string(m[2]), func(r rune) bool { return r == ',' || r <= ' ' }) {
			if !slices.Contains(c.Dirs, d) {
				c.Dirs = append(c.Dirs, d)
			}
		}
	}
	return c
}
