package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path"
	"regexp"
	"slices"
	"strings"

	"ken/bench/world"
)

// Limits of a draw.
const (
	recent     = 3000 // commits of a repository from which it is drawn
	maxSources = 3    // source files that a commit may change
	maxChanged = 12   // files of all sorts
	leastWords = 4    // of a message
)

// draw chooses commits of the repositories of a list by a seed, as many of each: those that change 1 to maxSources source files and at
// least one test that were there before, and whose message has no name of a changed file.
func draw(ctx context.Context, mirror, list string, seed uint64, n int) ([]task, error) {
	pins, err := world.Corpus(list)
	if err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(seed, 1))
	var byRepo [][]task
	for _, p := range pins {
		fit, err := fittingCommits(ctx, mirror, p)
		if err != nil {
			return nil, err
		}
		r.Shuffle(len(fit), func(i, j int) { fit[i], fit[j] = fit[j], fit[i] })
		byRepo = append(byRepo, fit)
	}
	var out []task
	for round := 0; len(out) < n; round++ {
		drawn := false
		for _, fit := range byRepo {
			if round >= len(fit) || len(out) >= n {
				continue
			}
			drawn = true
			if ok, err := fit[round].keepTests(ctx, mirror); err != nil {
				return nil, err
			} else if ok {
				out = append(out, fit[round])
			}
		}
		if !drawn {
			break
		}
	}
	return out, nil
}

// fittingCommits returns the commits of a repository that a draw may choose.
func fittingCommits(ctx context.Context, mirror string, p world.Pin) (out []task, err error) {
	clone, err := world.Clone(mirror, p.Repository)
	if err != nil {
		return nil, err
	}
	log, err := world.Git(ctx, clone, "log", "--no-merges", "--no-renames", "--name-status", "-n", fmt.Sprint(recent),
		"--format=%x00%H%x01%P%x01%B%x01", p.Commit)
	if err != nil {
		return nil, err
	}
	for entry := range strings.SplitSeq(log, "\x00") {
		part := strings.Split(entry, "\x01")
		if len(part) < 4 || part[1] == "" {
			continue
		}
		t := task{ID: p.Repository + "@" + part[0], Repo: p.Repository, Base: part[1], Query: plainMessage(part[2])}
		if t.setFiles(part[3]) && len(word.FindAllString(t.Query, -1)) >= leastWords {
			out = append(out, t)
		}
	}
	return out, nil
}

// setFiles sets the right files from a list of git, and reports whether they are such as a draw wants.
func (t *task) setFiles(changes string) bool {
	changed := 0
	for line := range strings.Lines(changes) {
		status, p, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			continue
		}
		if changed++; strings.Contains(strings.ToLower(t.Query), strings.ToLower(path.Base(p))) {
			return false
		}
		switch {
		case isTest(p):
			if status == "M" {
				t.Tests = append(t.Tests, p)
			}
		case !isGold(p):
		case status != "M":
			return false
		default:
			t.Gold = append(t.Gold, p)
		}
	}
	few := changed <= maxChanged && len(t.Gold) <= maxSources
	return few && len(t.Gold) > 0 && len(t.Tests) > 0
}

// declaresTest matches the declaration of a test in any language: other files in a folder of tests are helpers and data.
var declaresTest = regexp.MustCompile(`\b(def test|func [tT]est|(public )?function test|class \w*Tests?\b)|@(Parameterized)?[tT]est\b|#\[(\w+::)?test|\[(Fact|Theory|Test)\b|` +
	`\bTEST(_CASE|_F|_P)?\(|\bSCENARIO\(|(?m:^\s*)(it|test|describe|context|specify|should|suite)(\.\w+)*[ (]+['"` + "`" + `]`)

// keepTests takes the files that declare no test out of a task's tests, and reports whether any are left.
func (t *task) keepTests(ctx context.Context, mirror string) (bool, error) {
	clone, err := world.Clone(mirror, t.Repo)
	if err != nil {
		return false, err
	}
	var keep []string
	for _, p := range t.Tests {
		if text, err := world.Git(ctx, clone, "show", t.Base+":"+p); err == nil && declaresTest.MatchString(text) {
			keep = append(keep, p)
		}
	}
	t.Tests = keep
	return len(keep) > 0, nil
}

// trailer matches a line of a message that names people or numbers.
var trailer = regexp.MustCompile(`(?m)^(?i)(signed-off-by|co-authored-by|reviewed-by|closes|fixes|fixed|refs?|see|change-id|pr-url|git-svn-id|[a-z-]+-by):? .*$|\(?#[0-9]+\)?|https?://\S+`)

// plainMessage returns a message without trailers, numbers of issues and addresses.
func plainMessage(text string) string { return strings.TrimSpace(trailer.ReplaceAllString(text, "")) }

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

func isSource(p string) bool {
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

// isTest reports whether a file is a test, and no data or helper of tests.
func isTest(p string) bool {
	test := inTests(p) || testName.MatchString(path.Base(p))
	return isSource(p) && test && !inAny(p, asideDirs) && !inAny(p, skipDirs)
}

// isGold reports whether a file is source that may be the place of a change: no test, nothing generated, vendored or shown as an example.
func isGold(p string) bool {
	test := inTests(p) || testName.MatchString(path.Base(p))
	aside := inAny(p, asideDirs) || inAny(p, skipDirs) || generated.MatchString(p)
	return isSource(p) && !test && !aside
}
