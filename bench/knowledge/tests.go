package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"

	"ken/bench/world"
)

// testedPromise is a row of the table that tests of a package hold.
type testedPromise struct {
	what, must string
	pkg, tests string
	// long: -short leaves these tests out.
	long bool
	// figures matches the logged figures to print; nil prints how many tests passed.
	figures *regexp.Regexp
}

func testedPromises() []testedPromise {
	const memory, script = "./internal/store/sqlite/memory", "./cmd/ken"
	return []testedPromise{
		{"record edit, context, feedback, init, consolidate, in process", "10,000 insights: ≤ 2 / 15 / 10 / 200 / 500 ms; 100,000: three times that",
			memory, "^TestSpeeds$", false, regexp.MustCompile(`(\d+) items: +([a-z ]+?) +median +([0-9.]+ ms)`)},
		{"200,000 duplicates", "size and rank of the unique set", memory, "^TestDuplicatesStored$", false, nil},
		{"a simulated year: 10,000 sessions, drifting code, 5 % wrong feedback", "≤ 50 MB; precision of the top 5 as after a month; removed code gone or marked",
			memory, "^TestYear$", false, regexp.MustCompile(`(after \d+ sessions: [^\n]*)`)},
		{"50 processes that write into the memory, killed again and again", "nothing that was reported stored is lost, the database is whole", memory, "^TestKilled$", false,
			regexp.MustCompile(`(\d+ processes were killed, [^\n]*)`)},
		{"evidence, caps and removed code", "confidence follows evidence, once a session", memory, "^(TestEvidence|TestCap|TestGone|TestEdits)$", false, nil},
		{"items that 50 processes learn, killed at random", "none that was reported stored is lost", memory, "^TestKilled$", false,
			regexp.MustCompile(`(\d+ processes were killed[^\n]*)`)},
		{"renamed files, damaged relations, an older layout", "items follow, relations are computed again, nothing is lost", memory,
			"^(TestMoved|TestDamagedPages|TestUpgradeLearned)$", false, nil},
		{"lines of the logs of 50 processes, killed at random", "none that was reported stored is lost, none is half", "./internal/store/linelog", "^TestKilled$", false, nil},
		{"a full log, a half line, another's line", "named and skipped, nothing else lost", "./internal/store/linelog", "^(TestLines|TestFull|TestStrange)$", false, nil},
		{"complaints in prompts, English and Japanese", "each of the table found as what it is, none in a task", "./internal/knowledge/outcome",
			"^(TestComplaints|TestPhrases|TestLongPrompt)$", false, nil},
		{"edits kept or reverted, by git", "said only where git shows it", "./internal/knowledge/outcome", "^TestJudge", false, nil},
		{"exports against their schemas", "queue, graph-state, ranked-context, index, session are valid", script, "^TestScripts$/^(exportmemory|export|session|sessionfields)$", false, nil},
		{"bad input: conflicts, two branches, 10 MB, bytes, pipes, hostile text, other scripts, half a line", "named, kept, nothing else held back", script,
			"^TestScripts$/^(badknowledge|hostileknowledge|entity|outcome|memory|agreement|context|conventions)$", false, nil},
		{"credentials in prompts, commands, notes, logs", "none is kept", "./internal/app", "^TestPlantedMemory$", true, nil},
	}
}

// runTests runs the tests. They measure their bounds only where KEN_ACCEPT is set, which -short does not set; its results are mostly in
// the cache of go test.
func runTests(ctx context.Context, o *options, t *world.Table) error {
	for _, p := range testedPromises() {
		if o.short && p.long {
			t.LeaveOut(p.what, p.must, "left out by -short: go test "+p.pkg+" -run '"+p.tests+"'")
			continue
		}
		args, env := []string{"test", "-json", "-timeout", "30m", "-run", p.tests}, os.Environ()
		if !o.short {
			args, env = append(args, "-count=1"), append(env, "KEN_ACCEPT=1")
		}
		cmd := exec.CommandContext(ctx, "go", append(args, p.pkg)...)
		cmd.Env = env
		out, _ := cmd.Output() // the events name the tests that failed
		r := parseResult(out)
		reached := r.String()
		if p.figures != nil && r.failed == 0 {
			if logged := r.logFigures(p.figures); logged != "" {
				reached = logged
			}
		}
		t.Row(p.what, p.must, reached, r.passed > 0 && !r.broken)
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// testResult is the outcome of a run of tests.
type testResult struct {
	passed, failed int
	log            strings.Builder
	broken         bool
	faults         []string // tests that failed
	last           string   // line that a test logged
}

// parseResult reads the events of go test -json.
func parseResult(out []byte) *testResult {
	r := &testResult{}
	sc := bufio.NewScanner(bytes.NewReader(out))
	sc.Buffer(nil, 16<<20)
	for sc.Scan() {
		var e struct{ Action, Test, Output string }
		if json.Unmarshal(sc.Bytes(), &e) != nil {
			continue
		}
		switch {
		case e.Action == "pass" && e.Test != "":
			r.passed++
		case e.Action == "fail" && e.Test != "":
			r.failed++
			r.faults = append(r.faults, e.Test)
		case e.Action == "fail":
			r.broken = true // the package, which may not even compile
		case e.Action == "output":
			r.log.WriteString(e.Output)
			if strings.Contains(e.Output, "_test.go:") {
				r.last = strings.TrimSpace(e.Output)
			}
		}
	}
	return r
}

func (r *testResult) String() string {
	switch {
	case r.failed > 0:
		return fmt.Sprintf("%s failed: %s", strings.Join(r.faults, ", "), r.last)
	case r.broken:
		return "the tests could not be run"
	case r.passed == 0:
		return "there is no such test"
	}
	return fmt.Sprintf("%d tests passed", r.passed)
}

// logFigures returns the matches of an expression in the log, with their groups joined.
func (r *testResult) logFigures(e *regexp.Regexp) string {
	var out []string
	for _, m := range e.FindAllStringSubmatch(r.log.String(), -1) {
		out = append(out, strings.Join(m[1:], " "))
	}
	return strings.Join(out, "; ")
}
