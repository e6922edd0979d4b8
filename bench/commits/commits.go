// Package commits has the rules by which measuring programs make tasks of commits: what of a message is a query, and which of the changed
// files are right answers.
package commits

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// trailer matches a line of a message that names people or numbers.
var trailer = regexp.MustCompile(`(?m)^(?i)(signed-off-by|co-authored-by|reviewed-by|closes|fixes|fixed|refs?|see|change-id|pr-url|git-svn-id|[a-z-]+-by):? .*$|\(?#[0-9]+\)?|https?://\S+`)

// PlainMessage returns a message without trailers, numbers of issues and addresses.
func PlainMessage(text string) string { return strings.TrimSpace(trailer.ReplaceAllString(text, "")) }

// The sorts of files are those of shared/eval/evallib.py, whose tasks ken was fitted to.
var (
	sourceExts    = strings.Fields("py pyx pyi go ts tsx mts cts js jsx mjs cjs vue svelte rs java kt kts scala groovy c h cc cpp cxx hpp hh hxx inc ipp cs rb php swift m mm lua ex exs dart sh sql")
	testDirs      = strings.Fields("test tests __tests__ spec specs e2e unit_tests androidtest")
	asideDirs     = strings.Fields("testdata __mocks__ fixtures __fixtures__ test-utils testutils fuzz snapshots __snapshots__ support")
	skipDirs      = strings.Fields("node_modules vendor third_party dist single_include __pycache__ playground examples example docs doc benchmarks benchmark bench benches website")
	testName      = regexp.MustCompile(`^test_.*\.pyi?$|_(tests?|spec)\.(py|go|rs|cc|cpp|c|ts|js|rb)$|\.(test|spec|test-d)\.[cm]?[jt]sx?$|(Test|Tests|TestCase|IT)\.(java|kt|scala|groovy|cs|php|swift)$|Spec\.(scala|groovy)$`)
	testDirEnding = regexp.MustCompile(`[-_.]tests?$`)
	generated     = regexp.MustCompile(`(\.pb\.go|_pb2(_grpc)?\.py|\.min\.js|\.d\.ts|\.generated\.\w+)$`)
)

func IsSource(p string) bool {
	return slices.Contains(sourceExts, strings.TrimPrefix(strings.ToLower(path.Ext(p)), "."))
}

// directories returns the names of the directories above a file, in lower case.
func directories(p string) []string {
	dir, _ := path.Split(strings.ToLower(p))
	return strings.Split(strings.TrimSuffix(dir, "/"), "/")
}

func inAny(p string, names []string) bool {
	return slices.ContainsFunc(directories(p), func(d string) bool { return slices.Contains(names, d) })
}

// inTests reports whether a file lies in a folder of tests.
func inTests(p string) bool {
	return inAny(p, testDirs) || slices.ContainsFunc(directories(p), testDirEnding.MatchString)
}

// IsTest reports whether a file is a test, and no data or helper of tests.
func IsTest(p string) bool {
	test := inTests(p) || testName.MatchString(path.Base(p))
	return IsSource(p) && test && !inAny(p, asideDirs) && !inAny(p, skipDirs)
}

// IsGold reports whether a file is source that may be the place of a change: no test, nothing generated, vendored or shown as an example.
func IsGold(p string) bool {
	test := inTests(p) || testName.MatchString(path.Base(p))
	aside := inAny(p, asideDirs) || inAny(p, skipDirs) || generated.MatchString(p)
	return IsSource(p) && !test && !aside
}
