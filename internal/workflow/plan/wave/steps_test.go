package wave

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ken/internal/workflow/content"
)

// TestStepsAreChecked: the file of steps is read as it is, and not without one of them, with one twice, or with one that nothing uses.
func TestStepsAreChecked(t *testing.T) {
	all, err := content.Stages()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewSteps(all); err != nil {
		t.Error(err)
	}
	for i, s := range all {
		for _, list := range [][]content.Step{slices.Delete(slices.Clone(all), i, i+1), append(slices.Clone(all), s)} {
			if _, err := NewSteps(list); err == nil || !strings.Contains(err.Error(), `"`+s.Name+`"`) {
				t.Errorf("%d steps, %s: %v", len(list), s.Name, err)
			}
		}
	}
	if _, err := NewSteps(append(slices.Clone(all), content.Step{Name: "dancing"})); err == nil {
		t.Error("a step that nothing uses is taken")
	}
}

// TestStepNames holds the list of names to the names that the source uses.
func TestStepNames(t *testing.T) {
	text, err := os.ReadFile("next.go")
	if err != nil {
		t.Fatal(err)
	}
	used := []string{string(Checking), string(Approving), string(Closing), string(Human)} // by their stages
	for _, m := range regexp.MustCompile(`(?:f\.actions?\(|step :?= )"([a-z ]+)"`).FindAllStringSubmatch(string(text), -1) {
		if !slices.Contains(used, m[1]) {
			used = append(used, m[1])
		}
	}
	names := stepNames()
	slices.Sort(used)
	slices.Sort(names)
	if !slices.Equal(used, names) {
		t.Errorf("next.go uses %q, the list has %q", used, names)
	}
}
