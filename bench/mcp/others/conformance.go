package others

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A suite is a run of the protocol's own tests of servers, which speak HTTP only.
type testSuite struct {
	name   string
	script []string // of npm's package
	args   []string
}

func testSuites() []testSuite {
	at := func(pkg string) []string { return []string{pkg, "dist", "index.js"} }
	return []testSuite{
		{"0.1.16", at("conformance"), []string{"--suite", "all"}},
		{"0.2.0-alpha.12, 2025-11-25", at("conformance-next"), []string{"--requirements", "2025-11-25"}},
		{"0.2.0-alpha.12, 2026-07-28", at("conformance-next"), []string{"--requirements", "2026-07-28"}},
	}
}

// scenarioOutcome is the result of a scenario.
type scenarioOutcome struct {
	passed int
	failed []string // names of checks
}

// Conformance runs the protocol's own tests, on ken and on the server of bench/mcp/fixture, which has the tools, resources and prompts that
// they ask for. A failing check has to be in the list of exceptions, and each exception has to fail, so that the list stays true. It
// returns an error if the tests cannot be run.
func (t *Trial) Conformance(ctx context.Context) error {
	p, err := installPrograms(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("| suite | scenario | checks passed | |\n|---|---|---|---|\n")
	for _, fixture := range []bool{false, true} {
		if err := t.runSuites(ctx, p, fixture); err != nil {
			return err
		}
	}
	return nil
}

// runSuites runs the suites on one server.
func (t *Trial) runSuites(ctx context.Context, p *npmPrograms, fixture bool) error {
	listed, server := exceptions(fixture), map[bool]string{false: "ken, ", true: "fixture, "}[fixture]
	seen := map[string]map[string]bool{} // scenario → checks that failed in any run
	err := t.withHTTPServer(ctx, "", fixture, func(url, work string) error {
		for i, s := range testSuites() {
			found, err := s.runSuite(ctx, p, url, filepath.Join(work, fmt.Sprint(i)))
			if err != nil {
				return err
			}
			for _, name := range slices.Sorted(maps.Keys(found)) {
				t.reportScenario(server+s.name, name, found[name], listed)
				if seen[name] == nil {
					seen[name] = map[string]bool{}
				}
				for _, c := range found[name].failed {
					seen[name][c] = true
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, e := range listed {
		for _, c := range e.failing() {
			if !seen[e.scenario][c] {
				t.Missed++
				fmt.Printf("| %sall | %s | | **%s passes or is gone: take it out of the list** |\n", server, e.scenario, c)
			}
		}
	}
	return nil
}

// reportScenario prints a line of the table and counts failures that are no exceptions.
func (t *Trial) reportScenario(suite, name string, o scenarioOutcome, listed []exception) {
	var excused []string
	reason := ""
	for _, e := range listed {
		if e.scenario == name {
			excused, reason = append(excused, e.failing()...), ": "+e.reason
		}
	}
	verdict := "passes"
	if o.passed == 0 {
		verdict = "left out by the suite itself"
	}
	if len(o.failed) > 0 {
		verdict = "does not apply" + reason
		for _, c := range o.failed {
			if !slices.Contains(excused, c) {
				verdict = "**failed: " + c + "**"
				t.Missed++
			}
		}
	}
	fmt.Printf("| %s | %s | %d of %d | %s |\n", suite, name, o.passed, o.passed+len(o.failed), verdict)
}

// runSuite runs a suite and returns the outcome of each scenario.
func (s *testSuite) runSuite(ctx context.Context, p *npmPrograms, url, into string) (map[string]scenarioOutcome, error) {
	cmd := p.command(ctx, s.script, append([]string{"server", "--url", url, "-o", into}, s.args...)...)
	cmd.Dir = p.folder
	said, err := cmd.CombinedOutput() // it ends with 1 because scenarios that do not apply fail
	files, globbed := filepath.Glob(filepath.Join(into, "server-*", "checks.json"))
	if globbed != nil {
		return nil, globbed
	}
	if len(files) < leastScenarios {
		return nil, fmt.Errorf("conformance %s ran %d scenarios: %w: %.2000s", s.name, len(files), err, said)
	}
	found := map[string]scenarioOutcome{}
	for _, f := range files {
		o, err := readChecks(f)
		if err != nil {
			return nil, err
		}
		found[scenarioName(filepath.Base(filepath.Dir(f)))] = o
	}
	return found, nil
}

// leastScenarios is how many each suite has at least; with fewer it did not run.
const leastScenarios = 30

// scenarioName takes the time off the name of a folder, as in server-ping-2026-11-23T02-02-58-878Z.
func scenarioName(folder string) string {
	return strings.TrimPrefix(folder[:max(0, len(folder)-len("-2026-11-23T02-02-58-878Z"))], "server-")
}

func readChecks(file string) (scenarioOutcome, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return scenarioOutcome{}, err
	}
	var checks []struct{ ID, Status string }
	if err := json.Unmarshal(raw, &checks); err != nil {
		return scenarioOutcome{}, fmt.Errorf("%s: %w", file, err)
	}
	var o scenarioOutcome
	for _, c := range checks {
		switch c.Status {
		case "SUCCESS":
			o.passed++
		case "SKIPPED", "INFO":
		default:
			o.failed = append(o.failed, c.ID)
		}
	}
	return o, nil
}
