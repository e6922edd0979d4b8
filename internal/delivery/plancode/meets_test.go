package plancode_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ken/internal/delivery/plancode"
	"ken/internal/delivery/project"
	"ken/internal/engine/enginetest"
	"ken/internal/engine/store"
	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/payload"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/wave"
)

// tree returns a project in which one plan changes a signature and the other one the file that calls it.
func tree() map[string]string {
	files := map[string]string{
		".planning/ROADMAP.md": "# Roadmap\n\n### Phase 1: Base\n**Goal**: A base\n",
		"src/store.ts":         "export function getUser(id: string) { return id }\n",
		"src/api.ts":           "import { getUser } from \"./store\"\nexport function users() { return getUser(\"1\") }\n",
		"src/long.ts":          strings.Repeat("export function long() { return \"a line that takes some tokens\" }\n", 900),
		".ken/index.db":        "", // where it is looked for; the test has the index elsewhere
	}
	for i, p := range []string{
		"files_modified: [src/store.ts, src/long.ts, src/gone.ts]\n---\n<tasks><task type=\"auto\"><name>A</name><files>src/store.ts</files>\n" +
			"<action>Change the signature of `getUser()`: it takes a tenant.</action></task></tasks>\n",
		"files_modified: [src/api.ts]\n---\n<tasks><task type=\"auto\"><name>B</name><files>src/api.ts</files><action>Add a route.</action></task></tasks>\n",
	} {
		name := fmt.Sprintf(".planning/phases/01-base/01-0%d-PLAN.md", i+1)
		files[name] = fmt.Sprintf("---\nphase: 01-base\nplan: 0%d\nwave: 1\ndepends_on: []\n%s", i+1, p)
	}
	return files
}

// call runs an operation as the program does, with a function that finds meeting plans.
func call(t *testing.T, p *enginetest.Project, list []*planop.Operation, meet planop.MeetFinder, words string) (any, error) {
	t.Helper()
	a, err := planop.RunWords(t.Context(), list, planop.Surroundings{
		Dir: p.Root, StateDir: filepath.Join(t.TempDir(), "state"), Getenv: func(string) string { return "" }, Now: time.Now, Meet: meet,
	}, strings.Fields(words))
	if err != nil {
		return nil, err
	}
	return a.Value, nil
}

func opens(p *enginetest.Project) plancode.Open {
	return func(string) (*project.Project, error) {
		return &project.Project{Root: project.RealPath(p.Root), Dir: p.Root, Engine: p.Engine}, nil
	}
}

// TestWavesMeetInCode: plans that do not mention each other are set apart if they meet in the code, and only then.
func TestWavesMeetInCode(t *testing.T) {
	p := enginetest.New(t, tree())
	fails := func(string) (*project.Project, error) { return nil, errors.New("the disk is gone") }
	none := func(string) (*project.Project, error) { return nil, store.ErrNoIndex }
	for _, c := range []struct {
		what    string
		meet    planop.MeetFinder
		batches string
		why     string
		warning string
	}{
		{"the code is known", plancode.NewMeetFinder(opens(p)), "[[01-01] [01-02]]", "01-01: caller (getUser), 01-02: files_modified", ""},
		{"nothing knows the code", nil, "[[01-01 01-02]]", "", ""},
		{"there is no index", plancode.NewMeetFinder(none), "[[01-01 01-02]]", "", ""},
		{"the index cannot be read", plancode.NewMeetFinder(fails), "[[01-01 01-02]]", "", "the disk is gone"},
	} {
		answer, err := call(t, p, wave.All(), c.meet, "waves 1")
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		a := answer.(wave.Answer)
		if got := fmt.Sprint(a.Waves[0].Batches); got != c.batches || a.Indexed != (c.why != "") {
			t.Errorf("%s: %s, index used %v", c.what, got, a.Indexed)
		}
		if met := a.Waves[0].Meetings; c.why != "" && (len(met) != 1 || !slices.Equal(met[0].Reasons, []string{c.why})) {
			t.Errorf("%s: %+v", c.what, met)
		}
		if got := strings.Join(a.Warnings, "; "); c.warning == "" != (got == "") || !strings.Contains(got, c.warning) {
			t.Errorf("%s: warnings %q", c.what, got)
		}
	}
	p.Remove(".ken/index.db")
	opened := func(string) (*project.Project, error) {
		t.Error("a project without an index is opened")
		return nil, store.ErrNoIndex
	}
	if _, err := call(t, p, wave.All(), plancode.NewMeetFinder(opened), "waves 1"); err != nil {
		t.Error(err)
	}
}

// TestCodeOfPayload: the code of a payload is the plan's write set, within the window's share, and files left out are named.
func TestCodeOfPayload(t *testing.T) {
	p := enginetest.New(t, tree())
	list := payload.All(plancode.NewCodeSource(opens(p)))
	for _, window := range []int{200_000, 100_000, 20_000, 5_000, 2_000, 1_200, 900, 700, 500, 100, 1} {
		for _, words := range []string{"payload 1 01-01", "payload 1 01-02", "payload 1", "payload 1 01-01 --tokenizer claude-estimate"} {
			answer, err := call(t, p, list, nil, fmt.Sprintf("%s --text --window %d", words, window))
			if err != nil {
				t.Fatalf("%s: %v", words, err)
			}
			a := answer.(*payload.Answer)
			has := strings.Contains(a.Text, "<code>")
			if a.Tokens > a.Budget {
				t.Errorf("%s in %d: %d tokens of %d", words, window, a.Tokens, a.Budget)
			}
			said := slices.ContainsFunc(a.Left, func(l payload.LeftOut) bool { return l.Name == "code" && l.Reason != "" })
			if !has && !said {
				t.Errorf("%s in %d: no code, and nothing says why: %+v", words, window, a.Left)
			}
			if window != 200_000 {
				continue
			}
			own := strings.Contains(words, "01-02")
			if !has || !strings.Contains(a.Text, "export function users") || strings.Contains(a.Text, "a line that takes") == own {
				t.Errorf("%s: %.600s", words, a.Text)
			}
		}
	}
	alone := plancode.NewCodeSource(func(string) (*project.Project, error) { return nil, store.ErrNoIndex })
	answer, err := call(t, p, payload.All(alone), nil, "payload 1 01-01")
	if err != nil {
		t.Fatal(err)
	}
	if left := answer.(*payload.Answer).Left; !slices.ContainsFunc(left, func(l payload.LeftOut) bool { return strings.Contains(l.Reason, "there is no index") }) {
		t.Errorf("%+v", left)
	}
}

// TestMeetsEnds: a question about the code ends with its caller.
func TestMeetsEnds(t *testing.T) {
	p := enginetest.New(t, tree())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := planop.Surroundings{Dir: p.Root, Getenv: func(string) string { return "" }, Now: time.Now}
	s.Meet = func(context.Context, *planop.Call, map[string]*artefact.Plan) (func(a, b string) []planop.CommonFile, error) {
		return nil, ctx.Err()
	}
	if _, err := planop.RunWords(ctx, wave.All(), s, []string{"waves", "1"}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
