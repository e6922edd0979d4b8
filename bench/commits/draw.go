package commits

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path"
	"regexp"
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

// Task is one goal with the files that are right.
type Task struct {
	ID    string   `json:"id"`
	Repo  string   `json:"repo"`
	Query string   `json:"query"`
	Base  string   `json:"base_commit"`
	Gold  []string `json:"gold"`
	Tests []string `json:"tests"`
}

// Draw chooses commits of the repositories of a list by a seed, as many of each: those that change 1 to maxSources source files and at
// least one test that were there before, and whose message has no name of a changed file.
// It fails if a clone of the mirror is missing, or git fails.
func Draw(ctx context.Context, mirror, list string, seed uint64, n int) ([]Task, error) {
	pins, err := world.Corpus(list)
	if err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(seed, 1))
	var byRepo [][]Task
	for _, p := range pins {
		fit, err := fittingCommits(ctx, mirror, p)
		if err != nil {
			return nil, err
		}
		r.Shuffle(len(fit), func(i, j int) { fit[i], fit[j] = fit[j], fit[i] })
		byRepo = append(byRepo, fit)
	}
	var out []Task
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
func fittingCommits(ctx context.Context, mirror string, p world.Pin) (out []Task, err error) {
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
		t := Task{ID: p.Repository + "@" + part[0], Repo: p.Repository, Base: part[1], Query: PlainMessage(part[2])}
		if t.setFiles(part[3]) && len(word.FindAllString(t.Query, -1)) >= leastWords {
			out = append(out, t)
		}
	}
	return out, nil
}

// setFiles sets the right files from a list of git, and reports whether they are such as a draw wants.
func (t *Task) setFiles(changes string) bool {
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
		case IsTest(p):
			if status == "M" {
				t.Tests = append(t.Tests, p)
			}
		case !IsGold(p):
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
func (t *Task) keepTests(ctx context.Context, mirror string) (bool, error) {
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
