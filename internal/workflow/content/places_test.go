package content_test

import (
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"ken/internal/workflow/content"
	"ken/internal/workflow/plan/edit"
	"ken/internal/workflow/plan/yamltree"
)

// commands are the names of the commands that a workflow has, inner those of the workflows behind them that have no command.
var (
	commands = strings.Fields(`new-project new-milestone new-workspace list-workspaces remove-workspace discuss-phase spec-phase ui-phase
		ai-integration-phase plan-phase plan-review-convergence ultraplan-phase import research-phase list-phase-assumptions analyze-dependencies
		execute-phase verify-work ship next progress do autonomous manager fast quick spike sketch spike-wrap-up sketch-wrap-up code-review
		code-review-fix ui-review eval-review validate-phase secure-phase add-tests audit-uat audit-fix audit-milestone plan-milestone-gaps
		add-phase insert-phase remove-phase add-backlog review-backlog complete-milestone milestone-summary cleanup pause-work resume-work
		session-report stats thread workstreams note add-todo check-todos plant-seed explore debug forensics health undo pr-branch map-codebase
		scan intel graphify docs-update ingest-docs extract-learnings profile-user review settings set-profile update reapply-patches from-gsd2
		inbox help join-discord`)
	inner = strings.Fields(`execute-plan verify-phase transition node-repair diagnose-issues discovery-phase discuss-phase-assumptions
		discuss-phase-power resume-project extract_learnings`)
)

// TestPlaces holds the tables of what became of a purpose or subject: one place for each, which is there.
func TestPlaces(t *testing.T) {
	keys := map[content.PlaceKind][]string{content.Purposes: {"guide", "call", "dropped"}, content.Subjects: {"file", "call", "dropped"}}
	for kind, allowed := range keys {
		b, err := os.ReadFile(path.Join("files/places", string(kind)+".yml"))
		if err != nil {
			t.Fatal(err)
		}
		top := yamltree.Parse(string(b), edit.Span{Start: 0, End: len(b)}, 0)
		if len(top.Problems) > 0 {
			t.Fatalf("%s: %v", kind, top.Problems[0])
		}
		for i, n := range top.Get("rows").Items {
			if len(n.Pairs) != 2 || n.Pairs[0].Key != "name" || !slices.Contains(allowed, n.Pairs[1].Key) || n.Pairs[1].Value.Text() == "" {
				t.Errorf("%s: row %d: a name and one of %v are meant", kind, i+1, allowed)
			}
		}
		for _, p := range content.Places(kind) {
			checkPlace(t, p)
		}
	}
}

func checkPlace(t *testing.T, p content.Place) {
	t.Helper()
	if p.Guide != "" && !slices.Contains(content.Names(content.GuideKind), p.Guide) {
		t.Errorf("%s: there is no guide %q", p.Name, p.Guide)
	}
	if _, ok := content.Find(p.File); p.File != "" && !ok {
		t.Errorf("%s: there is no text %q", p.Name, p.File)
	}
	if p.Call != "" && !strings.HasPrefix(p.Call, "ken ") {
		t.Errorf("%s: %q is no call of ken", p.Name, p.Call)
	}
	if p.Dropped != "" && len(p.Dropped) < 30 {
		t.Errorf("%s: %q is no reason", p.Name, p.Dropped)
	}
}

func placeNames(k content.PlaceKind) (names []string) {
	for _, p := range content.Places(k) {
		names = append(names, p.Name)
	}
	return names
}

func TestPurposes(t *testing.T) {
	if len(commands) != 82 {
		t.Fatalf("there are %d commands; 82 are meant", len(commands))
	}
	if got, want := placeNames(content.Purposes), slices.Concat(commands, inner); !slices.Equal(got, want) {
		t.Errorf("places are given to %v\n%v are meant", got, want)
	}
}

func TestSubjects(t *testing.T) {
	names := placeNames(content.Subjects)
	if len(names) != 54 {
		t.Errorf("%d subjects have a place; 51 references and 3 contexts are meant", len(names))
	}
	slices.Sort(names)
	if got := len(slices.Compact(names)); got != 54 {
		t.Errorf("%d of 54 names are different", got)
	}
}

// TestGuidesReached fails for a guide that serves no purpose of the table.
func TestGuidesReached(t *testing.T) {
	reached := map[string]bool{}
	for _, p := range content.Places(content.Purposes) {
		reached[p.Guide] = true
	}
	for _, name := range content.Names(content.GuideKind) {
		if !reached[name] {
			t.Errorf("the guide %s serves no purpose", name)
		}
	}
}
