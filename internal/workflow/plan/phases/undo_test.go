package phases_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ken/internal/workflow/plan/phases"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/planop/operationtest"
	"ken/internal/workflow/plan/statechange"
)

// anyStep is a command line of any operation that changes something, with inputs that mostly make sense.
func anyStep(r *rand.Rand) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	phase := pick("1", "2", "3", "4", "5", "6", "7", "4.1", "3.1", "77")
	word := pick("one", `"two words"`, `"a | b"`, "Ünï", "x", `"- [ ] **Phase 9: trap**"`)
	list := []string{
		"state update " + pick("Status", "Plan", "Phase", "stopped_at", "Nothing") + " " + word,
		"state patch --Status " + word + " --Progress 10%", "state begin-phase --phase " + phase, "state planned-phase --phase " + phase + " --plans 3",
		"state advance-plan", "state record-metric --phase " + phase + " --plan 1 --duration " + word, "state update-progress",
		"state add-decision --summary " + word, "state add-blocker --text " + word, "state resolve-blocker --text " + pick("a", "x"),
		"state record-session --stopped-at " + word, "state signal-waiting --question " + word, "state signal-resume", "state sync", "state prune --keep-recent " + pick("0", "1"),
		"phase add " + word, "phase add-batch one two", "phase insert " + phase + " " + word, "phase remove " + phase, "phase remove --force " + phase,
		"phase complete " + phase, "phase complete --force " + phase, "phases clear --confirm", "phases archive", "roadmap update-plan-progress " + phase,
		"requirements mark-complete " + pick("A-1", "A-2", "A-10", "NONE"), "milestone complete v" + pick("1.1", "2.0") + " --force",
		"milestone complete v3.0 --force --archive-phases",
	}
	return list[r.IntN(len(list))]
}

// TestUndoGivesTheStartingBytes makes changes in any order in all folders of testdata and of the package of states. Steps undoes
// all of them and holds the folder to its starting bytes, folders included; after each change the same once more is no change, or
// a change that can be undone, too.
func TestUndoGivesTheStartingBytes(t *testing.T) {
	ops := slices.Concat(statechange.All(), phases.All())
	files, err := filepath.Glob("testdata/*.txtar")
	more, err2 := filepath.Glob("../statechange/testdata/*.txtar")
	if err != nil || err2 != nil || len(files) == 0 || len(more) == 0 {
		t.Fatal(err, err2, len(files), len(more))
	}
	for i, file := range append(files, more...) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			_, folder := operationtest.Parts(string(b))
			seed := uint64(i) + 1
			r := rand.New(rand.NewPCG(seed, seed))
			var steps strings.Builder
			for range 6 {
				fmt.Fprintf(&steps, "> %s\n", anyStep(r))
			}
			operationtest.Steps(t, ops, steps.String()+[]string{"", "crlf\n", "bom\n"}[r.IntN(3)], folder)
		})
	}
}

// TestAddedAndRemoved: what is added or inserted in any folder of testdata and removed again leaves no byte but for the date that
// the answer names.
func TestAddedAndRemoved(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for i, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, folder := operationtest.Parts(string(b))
		if strings.Contains(file, "milestone_done") {
			continue // all its phases are complete, so that a new one is the current one
		}
		if state := folder["STATE.md"]; strings.Contains(folder["ROADMAP.md"], "<<<") || strings.Contains(state, "<<<") {
			continue
		}
		ends := []string{"", "crlf\n", "bom\n"}[i%3]
		folder["STATE.md"] = strings.Replace(folder["STATE.md"], "total_plans: 4", fmt.Sprintf("total_plans: %d", countPlans(folder)), 1)
		operationtest.Steps(t, phases.All(), ends+"> phase add --id 50 y\n> phase remove 50\nsame\n", folder)
		operationtest.Steps(t, phases.All(), ends+"> phase insert 3 y\n> phase insert 3 z\n> phase remove 3.2\n> phase remove 3.1\nsame\n", folder)
	}
}

func countPlans(folder map[string]string) (n int) {
	for name := range folder {
		if strings.HasPrefix(name, "phases/") && strings.HasSuffix(name, "-PLAN.md") {
			n++
		}
	}
	return n
}

// TestPhaseWithALink: a folder that holds what is not read is not removed, because it could not be given back.
func TestPhaseWithALink(t *testing.T) {
	for _, target := range []string{"/etc/passwd", "01-01-PLAN.md"} {
		root := t.TempDir()
		dir := filepath.Join(root, ".planning", "phases", "01-base")
		err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(root, ".planning", "ROADMAP.md"), []byte("# R\n\n### Phase 1: Base\n"), 0o644),
			os.WriteFile(filepath.Join(dir, "01-01-PLAN.md"), nil, 0o644), os.Symlink(target, filepath.Join(dir, "link.md")))
		if err != nil {
			t.Skip(err)
		}
		for _, words := range [][]string{{"phase", "remove", "1"}, {"phases", "clear", "--confirm"}} {
			_, err := planop.RunWords(t.Context(), phases.All(), planop.Surroundings{Dir: root, StateDir: filepath.Join(root, "state"), Getenv: func(string) string { return "" }, Now: time.Now}, words)
			if err == nil || !strings.Contains(err.Error(), "link.md") {
				t.Errorf("%v: %v", words, err)
			}
			if _, err := os.Lstat(filepath.Join(dir, "01-01-PLAN.md")); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestRemoveLeavesTheTable: a table of progress below the last phase without a heading of its own is about all phases.
func TestRemoveLeavesTheTable(t *testing.T) {
	const table = "| Phase | Plans Complete | Status |\n|---|---|---|\n| 1. Base | 1/1 | Complete |\n"
	for row, wanted := range map[string]string{"| 2. Search | 0/0 | - |\n": "-| 2. Search | 0/0 | - |", "": "-**Goal**: b"} {
		got := operationtest.Steps(t, phases.All(), "> phase remove 2\n", map[string]string{
			"ROADMAP.md": "# Roadmap\n\n### Phase 1: Base\n**Goal**: a\n\n### Phase 2: Search\n**Goal**: b\n\n" + table + row,
		})
		check(t, got, []string{"-### Phase 2: Search", wanted}, []string{"-| 1. Base", "-| Phase", "overlaps"})
	}
}

// TestUnreadableIsNotWritten: an operation on phases refuses a document that is no text, names it, and changes nothing.
func TestUnreadableIsNotWritten(t *testing.T) {
	for _, text := range []string{"# Roadmap\n\x00\x01\n", "# Roadmap\n\n### Phase 1: B\xff\n\n### Phase 2: C\n"} {
		root := t.TempDir()
		dir := filepath.Join(root, ".planning", "phases", "02-c")
		file := filepath.Join(root, ".planning", "ROADMAP.md")
		err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(file, []byte(text), 0o644), os.WriteFile(filepath.Join(dir, "02-01-PLAN.md"), nil, 0o644))
		if err != nil {
			t.Fatal(err)
		}
		in := planop.Surroundings{Dir: root, StateDir: filepath.Join(root, "state"), Getenv: func(string) string { return "" }, Now: time.Now}
		for _, words := range [][]string{
			{"phase", "add", "x"}, {"phase", "insert", "1", "x"}, {"phase", "remove", "2", "--force"}, {"phase", "complete", "2", "--force"},
			{"roadmap", "update-plan-progress", "2"},
		} {
			_, err := planop.RunWords(t.Context(), phases.All(), in, words)
			if err == nil || !strings.Contains(err.Error(), "ROADMAP.md is not read") {
				t.Errorf("%v: %v", words, err)
			}
			if got, err := os.ReadFile(file); err != nil || string(got) != text {
				t.Errorf("%v: %q %v", words, got, err)
			}
			if _, err := os.Lstat(filepath.Join(dir, "02-01-PLAN.md")); err != nil {
				t.Errorf("%v: %v", words, err)
			}
		}
	}
}
