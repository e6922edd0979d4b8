package graph

import (
	"path"
	"strings"

	"ken/internal/code"
)

// testTrees are pairs of directories: one of tests, and the one of the files that they test.
var testTrees = [][2]string{
	{"src/test/", "src/main/"},
	{"/tests/", "/src/"}, {"/test/", "/src/"}, {"/test/", "/lib/"}, {"/test/", "/app/"},
	{"/spec/", "/lib/"}, {"/spec/", "/app/"},
	{".Tests/", "/"}, {".Test/", "/"},
}

// testSuffixes are the endings of test names, after the name of the tested file.
var testSuffixes = []string{"_test", ".test", ".spec", "-test", "-spec", "_spec", "Test", "Tests", "IT", "Spec"}

// Subjects returns the paths of the files that a test may test, judging by
// its name, likeliest first: a/foo_test.go → a/foo.go,
// a/__tests__/foo.test.ts → a/foo.ts, tests/test_foo.py → tests/foo.py and
// foo.py above, src/test/java/x/FooTest.java → src/main/java/x/Foo.java.
func Subjects(p string) []string {
	dir, base := code.Dir(p), path.Base(p)
	ext := path.Ext(base)
	stem := strings.TrimSuffix(base, ext)
	subject := stem
	for _, suffix := range testSuffixes {
		if s, ok := strings.CutSuffix(stem, suffix); ok && s != "" {
			subject = s
			break
		}
	}
	if s, ok := strings.CutPrefix(stem, "test_"); ok && s != "" {
		subject = s
	}
	if subject == stem {
		return nil
	}
	exts := []string{ext}
	switch ext { // a script may test a component
	case ".ts":
		exts = append(exts, ".tsx", ".vue", ".svelte")
	case ".js":
		exts = append(exts, ".jsx", ".vue", ".svelte")
	}
	var out []string
	add := func(d string) {
		for _, e := range exts {
			q := subject + e
			if d != "" {
				q = d + "/" + q
			}
			out = append(out, q)
		}
	}
	add(dir)
	switch path.Base(dir) {
	case "__tests__", "tests", "test", "spec", "specs":
		add(code.Dir(dir))
	}
	for _, swap := range testTrees {
		if d := strings.Replace("/"+dir+"/", swap[0], swap[1], 1); d != "/"+dir+"/" {
			add(strings.Trim(d, "/"))
		}
	}
	return out
}
