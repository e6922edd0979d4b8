package convention

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/lang"
)

// ownStem returns the part of a file's name that its author chose freely: without extension, the rest after the first dot,
// and marks of tests.
func (f *source) ownStem() string {
	stem, _, _ := strings.Cut(f.stem, ".")
	for _, mark := range [...]string{"_test", "_spec", "-test", "-spec"} {
		stem = strings.TrimSuffix(stem, mark)
	}
	return strings.TrimPrefix(stem, "test_")
}

// requiredNames holds file names without extension that a language or framework requires.
var requiredNames = []string{"index", "main", "mod", "lib", "__init__", "__main__", "doc", "package-info", "module-info", "setup", "conftest"}

// countFileNames counts the naming styles of files, in the whole project and in each folder.
func countFileNames(t *voteCount, list []source) {
	for i := range list {
		f := &list[i]
		stem := f.ownStem()
		if f.test || stem == "" || slices.Contains(requiredNames, stem) || lang.Of(f.Lang).TypeNamesFile {
			continue
		}
		follows, against := namingStyles(stem)
		t.addVote(key{topic: FileNames, lang: f.Lang}, f.Path, follows, against)
		if dir := code.Dir(f.Path); dir != "" {
			t.addVote(key{topic: FileNames, lang: f.Lang, dir: dir}, f.Path, follows, against)
		}
	}
}

// countTestFiles counts the names and places of test files.
func countTestFiles(t *voteCount, list []source) {
	byStem := map[string][]string{} // folders with a source file of a stem
	for i := range list {
		if f := &list[i]; !f.test {
			byStem[f.stem] = append(byStem[f.stem], code.Dir(f.Path))
		}
	}
	for i := range list {
		f := &list[i]
		names := &lang.Of(f.Lang).Tests
		if !f.test || !names.Match(f.base) || lang.Of(f.Lang).TestFilesOnly {
			continue
		}
		pattern, stem := testPattern(f)
		if pattern == "" {
			continue
		}
		t.addChoice(key{topic: TestNames, lang: f.Lang}, f.Path, pattern)
		if place := testPlace(code.Dir(f.Path), byStem[stem]); place != "" {
			t.addChoice(key{topic: TestPlaces, lang: f.Lang}, f.Path, place)
		}
	}
}

// testPattern returns the pattern of a test file's name and the stem of the file under test.
func testPattern(f *source) (pattern, stem string) {
	for _, mark := range [...]string{".test", ".spec", "_test", "_tests", "_spec", "-test", "-spec", "Tests", "Test", "TestCase", "Spec", "IT"} {
		if rest, ok := strings.CutSuffix(f.stem, mark); ok && rest != "" {
			return "*" + mark + f.ext, rest
		}
	}
	for _, mark := range [...]string{"test_", "test-", "Test"} {
		if rest, ok := strings.CutPrefix(f.stem, mark); ok && rest != "" {
			return mark + "*" + f.ext, rest
		}
	}
	return "", ""
}

// The places of tests.
const (
	beside = "beside what they test"
	below  = "in a folder %s beside what they test"
	apart  = "in a tree of their own: %s"
)

// testPlace returns the place of a test relative to the folders of the source files of the same name; "" if there are none.
func testPlace(dir string, dirs []string) string {
	switch base := path.Base(dir); {
	case len(dirs) == 0:
		return ""
	case slices.Contains(dirs, dir):
		return beside
	case slices.Contains(dirs, code.Dir(dir)) && dir != "":
		return strings.Replace(below, "%s", base, 1)
	}
	for at := dir; at != ""; at = code.Dir(at) {
		if b := path.Base(at); slices.Contains([]string{"test", "tests", "spec", "specs", "__tests__"}, b) {
			return strings.Replace(apart, "%s", b, 1)
		}
	}
	return ""
}

// purposes maps endings of file names to their meaning in frameworks.
var purposes = map[string]string{
	"service": "Service class", "controller": "API controller", "component": "Component", "module": "Module", "directive": "Directive", "pipe": "Pipe",
	"guard": "Guard of routes", "resolver": "Resolver", "model": "Model", "entity": "Entity", "schema": "Schema", "dto": "Data transfer object",
	"repository": "Repository", "store": "Store", "hook": "Hook", "util": "Helpers", "utils": "Helpers", "types": "Types", "type": "Types", "d": "Type declarations",
	"test": "Test file", "spec": "Test file", "e2e": "End-to-end test", "bench": "Benchmark", "stories": "Stories of a component", "mock": "Mock", "config": "Configuration",
	"styles": "Styles", "route": "Route", "routes": "Routes", "middleware": "Middleware", "interceptor": "Interceptor", "fixture": "Data for tests",
}

// findSuffixes returns the endings of at least MinSamples files: ".service.ts", "_test.go".
func findSuffixes(list []source) []Suffix {
	count := map[string]int{}
	mean := map[string]string{}
	for i := range list {
		f := &list[i]
		at := strings.LastIndexByte(f.stem, '.')
		if at < 0 && f.test {
			at = strings.LastIndexByte(f.stem, '_')
		}
		if at <= 0 || at == len(f.stem)-1 {
			continue
		}
		ending := f.stem[at:] + f.ext
		count[ending]++
		mean[ending] = purposes[f.stem[at+1:]]
	}
	var out []Suffix
	for ending, n := range count {
		if n >= MinSamples {
			out = append(out, Suffix{ending, mean[ending], n})
		}
	}
	slices.SortFunc(out, func(a, b Suffix) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Ending, b.Ending)) })
	return out
}

// findDirectories returns the folders of at least MinSamples files whose names have an ending or a style in common.
func findDirectories(list []source) (out []Directory) {
	in := map[string][]*source{}
	for i := range list {
		dir := code.Dir(list[i].Path)
		in[dir] = append(in[dir], &list[i])
	}
	for dir, files := range in {
		if len(files) < MinSamples || dir == "" {
			continue
		}
		patterns := map[string]int{}
		for _, f := range files {
			if at := strings.LastIndexByte(f.stem, '.'); at > 0 {
				patterns["*"+f.stem[at:]+f.ext]++
				continue
			}
			if p, _ := testPattern(f); f.test && p != "" {
				patterns[p]++
				continue
			}
			if follows, _ := namingStyles(f.stem); len(follows) == 1 && !slices.Contains(requiredNames, f.stem) {
				patterns[follows[0]+f.ext]++
			}
		}
		best := ""
		for p, n := range patterns {
			if n > patterns[best] || n == patterns[best] && p < best {
				best = p
			}
		}
		if n := patterns[best]; n*100 >= MinAgreement*len(files) {
			out = append(out, Directory{dir, len(files), best, n})
		}
	}
	slices.SortFunc(out, func(a, b Directory) int { return cmp.Compare(a.Path, b.Path) })
	return out
}
