package plancode_test

import (
	"fmt"
	"strings"
	"testing"

	"ken/internal/delivery/plancode"
	"ken/internal/delivery/project"
	"ken/internal/engine/enginetest"
	"ken/internal/engine/store"
)

// TestSize: the size of a change follows its files and what depends on them.
func TestSize(t *testing.T) {
	files := map[string]string{
		".planning/ROADMAP.md": "# Roadmap\n\n### Phase 1: Base\n**Goal**: A base\n", ".ken/index.db": "",
		"src/alone.ts": "export function alone() { return 1 }\n",
		"src/core.ts":  "export function core() { return 1 }\n",
		"src/few.ts":   "export function few() { return 1 }\n",
		"src/used.ts":  "export function used() { return 1 }\n",
		"src/user.ts":  "import { used } from \"./used\"\nexport function user() { return used() }\n",
		"src/few0.ts":  "import { few } from \"./few\"\nexport function few0() { return few() }\n",
		// A test that covers few.ts.
		"src/few.test.ts": "import { few } from \"./few\"\ntest(\"few\", () => { expect(few()).toBe(1) })\n",
	}
	for i := range 20 {
		files[fmt.Sprintf("src/user%d.ts", i)] = fmt.Sprintf("import { core } from \"./core\"\nexport function user%d() { return core() }\n", i)
	}
	p := enginetest.New(t, files)
	p.Update()
	list := plancode.All(opens(p))
	for words, want := range map[string]string{
		"src/alone.ts": "fast: 1 file to change, 0 files to be verified, covered by 0 test files",
		"src/new.ts":   "fast: 1 file to change",
		"src/few.ts":   "fast: 1 file to change, 1 file to be verified, covered by 1 test file",
		"src/used.ts":  "quick: code depends on it and no test covers it",
		"src/core.ts":  "phase: 1 file to change, 20 files to be verified",
		"src/user0.ts src/user1.ts src/user2.ts src/user3.ts": "quick: 4 files to change",
	} {
		got, err := call(t, p, list, nil, "size "+words)
		if err != nil {
			t.Errorf("%s: %v", words, err)
			continue
		}
		a := got.(*plancode.SizeAnswer)
		if text := a.Size + ": " + strings.Join(a.Reasons, ", "); !strings.HasPrefix(text, want) {
			t.Errorf("%s:\n got %s\nwant %s", words, text, want)
		}
	}
	if _, err := call(t, p, list, nil, "size"); err == nil || !strings.Contains(err.Error(), "name the files") {
		t.Errorf("without files: %v", err)
	}
	none := plancode.All(func(string) (*project.Project, error) { return nil, store.ErrNoIndex })
	got, err := call(t, p, none, nil, "size src/alone.ts")
	if err != nil {
		t.Fatal(err)
	}
	if a := got.(*plancode.SizeAnswer); a.Size != "quick" || a.Index.Used {
		t.Errorf("without an index nothing is fast: %+v", a)
	}
}
