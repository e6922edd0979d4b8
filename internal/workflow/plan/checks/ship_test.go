package checks_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ken/internal/git/gittest"
	"ken/internal/workflow/plan/checks"
	"ken/internal/workflow/plan/planop/operationtest"
)

type shipAnswer struct {
	Ready    bool
	Verified bool    `json:"verification_passed"`
	Clean    bool    `json:"clean_tree"`
	Feature  bool    `json:"on_feature_branch"`
	Branch   *string `json:"current_branch"`
	Base     *string `json:"base_branch"`
	Remote   bool    `json:"remote_configured"`
	GH       bool    `json:"gh_available"`
	Signed   bool    `json:"gh_authenticated"`
	Reason   string  `json:"gh_reason"`
	Blockers []string
}

func text(s *string) string {
	if s == nil {
		return "null"
	}
	return *s
}

// verified are the files of a phase that is ready, but for git.
func verified(more map[string]string) map[string]string {
	files := withPhases(map[string]string{
		".planning/phases/01-base/01-01-PLAN.md": "x", ".planning/phases/01-base/01-01-SUMMARY.md": "x",
		".planning/phases/01-base/01-VERIFICATION.md": "---\nstatus: passed\n---\n",
	})
	for name, content := range more {
		files[name] = content
	}
	return files
}

// shipping is a project on a branch of its own with a remote repository that nobody can reach.
func shipping(t *testing.T, more map[string]string) *operationtest.Project {
	t.Helper()
	gittest.IsolateSettings(t)
	p := operationtest.New(t, checks.All(), verified(more))
	gittest.Run(t, p.Dir, "init", "-q")
	gittest.Commit(t, p.Dir, "one")
	gittest.Run(t, p.Dir, "switch", "-q", "-c", "gsd/phase-01-base")
	gittest.Run(t, p.Dir, "remote", "add", "origin", "https://nowhere.invalid/x.git")
	return p
}

// TestShipReady goes through what stands in the way, one thing at a time.
func TestShipReady(t *testing.T) {
	for name, row := range map[string]struct {
		files map[string]string
		do    func(t *testing.T, p *operationtest.Project)
		want  []string // the beginnings of the blockers
	}{
		"ready":        {nil, nil, nil},
		"not verified": {map[string]string{".planning/phases/01-base/01-VERIFICATION.md": "---\nstatus: human_needed\n---\n"}, nil, []string{".planning/phases/01-base/01-VERIFICATION.md: the status is"}},
		"half verified": {map[string]string{".planning/phases/01-base/01-VERIFICATION.md": "---\nstatus: pass"}, nil,
			[]string{"phase 1: 01-VERIFICATION.md: its status is", ".planning/phases/01-base/01-VERIFICATION.md: the status is"}},
		"a missing plan": {map[string]string{".planning/phases/01-base/01-02-PLAN.md": "x"}, nil, []string{"phase 1: without a summary are 01-02"}},
		"threats": {map[string]string{".planning/phases/01-base/01-SECURITY.md": "---\nthreats_open: 1\n---\n"}, nil,
			[]string{".planning/phases/01-base/01-SECURITY.md: threats_open"}},
		"changed": {nil, func(t *testing.T, p *operationtest.Project) { p.Write("a.txt", "x") }, []string{"not committed: a.txt"}},
		"notes":   {nil, func(t *testing.T, p *operationtest.Project) { p.Write(".planning/x.md", "x") }, []string{"not committed: .planning/x.md"}},
		"notes that are not committed": {map[string]string{".planning/config.json": `{"commit_docs": false}`},
			func(t *testing.T, p *operationtest.Project) { p.Write(".planning/x.md", "x") }, nil},
		"main": {nil, func(t *testing.T, p *operationtest.Project) { gittest.Run(t, p.Dir, "switch", "-q", "main") }, []string{"main is the branch"}},
		"the base of config.json": {map[string]string{".planning/config.json": `{"git": {"base_branch": "gsd/phase-01-base"}}`}, nil,
			[]string{"gsd/phase-01-base is the branch"}},
		"no branch": {nil, func(t *testing.T, p *operationtest.Project) { gittest.Run(t, p.Dir, "switch", "-q", "--detach") }, []string{"HEAD is on no branch"}},
		"no remote": {nil, func(t *testing.T, p *operationtest.Project) { gittest.Run(t, p.Dir, "remote", "remove", "origin") }, []string{"there is no remote"}},
		"no repository": {nil, func(t *testing.T, p *operationtest.Project) {
			if err := os.RemoveAll(filepath.Join(p.Dir, ".git")); err != nil {
				t.Fatal(err)
			}
		}, []string{"there is no git repository"}},
		"no commit": {nil, func(t *testing.T, p *operationtest.Project) {
			gittest.Run(t, p.Dir, "switch", "-q", "--orphan", "new")
			for name, content := range verified(nil) {
				p.Write(name, content)
			}
		}, []string{"not committed: ", "there is no commit"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := shipping(t, row.files)
			if row.do != nil {
				row.do(t, p)
			}
			var got shipAnswer
			answer(t, p, "check ship-ready 1", &got)
			if got.Ready != (len(row.want) == 0) || got.GH || got.Signed || got.Reason == "" {
				t.Errorf("%+v", got)
			}
			if !slices.EqualFunc(got.Blockers, row.want, strings.HasPrefix) {
				t.Errorf("blockers %q, want %q", got.Blockers, row.want)
			}
		})
	}
}

// TestShipReadyBranches: HEAD on no branch is no feature branch, and what a branch is pushed to is not what it began from. The original
// answers "HEAD", which is not main, and the branch itself.
func TestShipReadyBranches(t *testing.T) {
	p := shipping(t, nil)
	var got shipAnswer
	check := func(what, branch, base string, feature bool) {
		t.Helper()
		got = shipAnswer{}
		answer(t, p, "check ship-ready 1", &got)
		if text(got.Branch) != branch || text(got.Base) != base || got.Feature != feature {
			t.Errorf("%s: branch %s, base %s, feature %v; want %s, %s, %v", what, text(got.Branch), text(got.Base), got.Feature, branch, base, feature)
		}
	}
	gittest.Run(t, p.Dir, "config", "branch.gsd/phase-01-base.merge", "refs/heads/gsd/phase-01-base")
	check("pushed", "gsd/phase-01-base", "main", true)
	gittest.Run(t, p.Dir, "branch", "-m", "main", "trunk")
	check("nothing says which", "gsd/phase-01-base", "null", true)
	gittest.Run(t, p.Dir, "update-ref", "refs/remotes/origin/trunk", "HEAD")
	gittest.Run(t, p.Dir, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
	check("the remote says", "gsd/phase-01-base", "trunk", true)
	gittest.Run(t, p.Dir, "switch", "-q", "trunk")
	check("on it", "trunk", "trunk", false)
	gittest.Run(t, p.Dir, "switch", "-q", "--detach")
	check("detached", "null", "trunk", false)
}

// TestShipReadyRunsNothing: a branch may have a name that a shell would run, and a repository may name programs; neither is run.
func TestShipReadyRunsNothing(t *testing.T) {
	p := shipping(t, map[string]string{".gitattributes": "*.x filter=evil\n", "a.x": "a\n"})
	ran := filepath.Join(p.Home, "ran")
	const branch = "x;touch${IFS}ran;`touch${IFS}ran`"
	gittest.Run(t, p.Dir, "switch", "-q", "-c", branch)
	gittest.Run(t, p.Dir, "config", "filter.evil.clean", "touch '"+ran+"'; cat")
	gittest.Run(t, p.Dir, "config", "core.fsmonitor", "touch '"+ran+"'")
	p.Write("a.x", "b\n")
	var got shipAnswer
	answer(t, p, "check ship-ready 1", &got)
	if text(got.Branch) != branch || got.Clean || got.Ready {
		t.Errorf("%+v", got)
	}
	for _, at := range []string{ran, filepath.Join(p.Dir, "ran")} {
		if _, err := os.Stat(at); err == nil {
			t.Errorf("%s: something ran", at)
		}
	}
	p.Fails("check ship-ready 9", "no phase", "near: 1, 2")
}

// TestHonoredDecisions: commits of the phase and files that it changed speak for it; those of another phase, whose decisions have the
// same ids, do not.
func TestHonoredDecisions(t *testing.T) {
	const plan = ".planning/phases/01-base/01-01-"
	p := shipping(t, map[string]string{
		".planning/phases/01-base/01-CONTEXT.md": "<decisions>\n- **D-01:** a\n- **D-02:** b\n- **D-03:** c\n- **D-04:** d\n- **D-05:** e\n</decisions>\n",
		plan + "PLAN.md":                         "---\nfiles_modified: [a.go, ../out.go, gone.go, docs/]\n---\n",
		plan + "SUMMARY.md":                      "---\nkey-files:\n  created:\n    - b.go\nfiles_modified:\n  - c.go\n---\n",
		"a.go":                                   "// as D-02 says\n", "b.go": "// D-03\n", "c.go": "// D-04x\n", "d.go": "// D-05\n",
	})
	gittest.Run(t, p.Dir, "commit", "-q", "--allow-empty", "-m", "feat(02-01): as D-01 and D-05 say")
	var got struct {
		Blocking bool
		Honored  int
		Missed   []struct{ ID string } `json:"not_honored"`
	}
	missed := func(want string) {
		t.Helper()
		got.Missed = nil
		answer(t, p, "check decision-coverage-verify .planning/phases/01-base .planning/phases/01-base/01-CONTEXT.md", &got)
		var ids []string
		for _, m := range got.Missed {
			ids = append(ids, m.ID)
		}
		if strings.Join(ids, " ") != want || got.Blocking || got.Honored != 5-len(ids) {
			t.Errorf("%+v, want %s", got, want)
		}
	}
	missed("D-01 D-04 D-05")
	gittest.Run(t, p.Dir, "commit", "-q", "--allow-empty", "-m", "feat(01-01): a\n\nAs D-01 says.")
	missed("D-04 D-05")
}

// TestPhaseWordsAreWhole: the original finds a user interface in "build" and in "platform", and calls from outside in "the rest".
func TestPhaseWordsAreWhole(t *testing.T) {
	for goal, want := range map[string][2]bool{
		"Build the platform, preview the rest": {false, false}, "A guide for builders": {false, false}, "A form": {true, false}, "Dashboards.": {true, false},
		"The UI/API": {true, true}, "REST endpoints": {false, true}, "": {false, false},
	} {
		files := withPhases(map[string]string{".planning/ROADMAP.md": "# Roadmap\n\n### Phase 1: X\n**Goal**: " + goal + "\n"})
		files[".planning/ROADMAP.md"] = "# Roadmap\n\n### Phase 1: X\n**Goal**: " + goal + "\n"
		var got struct {
			Frontend bool `json:"has_frontend"`
			API      bool `json:"has_api"`
		}
		answer(t, operationtest.New(t, checks.All(), files), "detect phase-type 1", &got)
		if got.Frontend != want[0] || got.API != want[1] {
			t.Errorf("%q: %+v, want %v", goal, got, want)
		}
	}
}

// TestCoveredIdsWhole: REQ-1 is not REQ-10, and D-1 neither D-10 nor AD-1 nor D-1-a.
func TestCoveredIdsWhole(t *testing.T) {
	for content, want := range map[string]bool{
		"D-1": true, "(D-1)": true, "**D-1:** x": true, "D-1, D-2": true, "D-1–D-3": true, "D-1 - x": true, "D-1.": true, "D-10 and D-1": true, "é D-1": true,
		"D-10": false, "AD-1": false, "D-1-a": false, "D-1_a": false, "x-D-1": false, "d-1": false, "D-1é": false, "": false,
	} {
		files := withPhases(map[string]string{
			".planning/phases/01-base/01-CONTEXT.md": "<decisions>\n- **D-1:** a\n</decisions>\n",
			".planning/phases/01-base/01-01-PLAN.md": "<objective>\n" + content + "\n</objective>\n",
		})
		p := operationtest.New(t, checks.All(), files)
		var got struct{ Passed bool }
		answer(t, p, "check decision-coverage-plan 1", &got)
		if got.Passed != want {
			t.Errorf("%q: passed %v", content, got.Passed)
		}
		var gaps struct{ Counts struct{ Covered int } }
		if answer(t, p, "gap-analysis 1", &gaps); (gaps.Counts.Covered == 1) != want {
			t.Errorf("%q: gap-analysis covers %d", content, gaps.Counts.Covered)
		}
	}
}

// TestGapRequirementsBothColons: **Requirements**: and **Requirements:** are one. Readers of the original know one of them, and its own
// template writes the other.
func TestGapRequirementsBothColons(t *testing.T) {
	for _, field := range []string{"**Requirements**: REQ-1", "**Requirements:** REQ-1", "**Requirements**: [REQ-1]"} {
		files := withPhases(map[string]string{".planning/REQUIREMENTS.md": "- [ ] **REQ-1**: a\n- [ ] **REQ-2**: b\n"})
		files[".planning/ROADMAP.md"] = "# Roadmap\n\n### Phase 1: X\n" + field + "\n"
		var got struct {
			Scope string
			Rows  []struct{ Item string }
		}
		answer(t, operationtest.New(t, checks.All(), files), "gap-analysis --phase-dir=1", &got)
		if got.Scope != "phase" || len(got.Rows) != 1 || got.Rows[0].Item != "REQ-1" {
			t.Errorf("%s: %+v", field, got)
		}
	}
}

// TestPhaseByItsFolder: prompts name the folder of a phase and its file from the root of the project or from that of the machine,
// wherever they are run, and through whichever link.
func TestPhaseByItsFolder(t *testing.T) {
	const dir = ".planning/phases/01-base"
	p := shipping(t, map[string]string{dir + "/01-CONTEXT.md": "<decisions>\n- **D-01:** a\n</decisions>\n", "sub/a.txt": "x"})
	link := filepath.Join(p.Home, "link")
	if err := os.Symlink(p.Dir, link); err != nil {
		t.Skip(err)
	}
	top := p.Dir
	p.Dir = filepath.Join(top, "sub")
	for _, phase := range []string{"1", "01", dir, dir + "/", filepath.Join(top, dir), filepath.Join(link, dir)} {
		for _, file := range []string{"", "null", dir + "/01-CONTEXT.md", filepath.Join(top, dir, "01-CONTEXT.md")} {
			var got struct{ Total int }
			answer(t, p, "check decision-coverage-plan '"+phase+"' '"+file+"'", &got)
			if got.Total != 1 {
				t.Errorf("%s %s: %+v", phase, file, got)
			}
		}
	}
	p.Fails("check decision-coverage-plan "+filepath.Dir(top), "no phase")
	p.Fails("check decision-coverage-plan "+filepath.Join(top, ".planning/phases/07-x"), "near: 1, 2")
}

// TestGatesAgreeWithShipReady: a phase that is not ready for being carried on by its files does not pass the gates of shipping either.
func TestGatesAgreeWithShipReady(t *testing.T) {
	const dir = ".planning/phases/01-base/"
	for name, more := range map[string]map[string]string{
		"ready":          nil,
		"not verified":   {dir + "01-VERIFICATION.md": "---\nstatus: human_needed\n---\n"},
		"a missing plan": {dir + "01-02-PLAN.md": "x"},
		"threats":        {dir + "01-SECURITY.md": "---\nthreats_open: 1\n---\n"},
	} {
		p := shipping(t, more)
		var ship shipAnswer
		answer(t, p, "check ship-ready 1", &ship)
		var gates struct {
			Passed   bool
			Blockers []struct {
				Items []string `json:"anti_patterns"`
			}
		}
		answer(t, p, "check gates ship --phase 1", &gates)
		if gates.Passed != ship.Ready || ship.Ready != (more == nil) {
			t.Errorf("%s: the gates passed: %t, %v; ready: %t, %v", name, gates.Passed, gates.Blockers, ship.Ready, ship.Blockers)
		}
		var plan struct{ Passed bool }
		answer(t, p, "check gates plan-phase --phase 1", &plan)
		if !plan.Passed {
			t.Errorf("%s: the gates of planning do not pass", name)
		}
	}
}
