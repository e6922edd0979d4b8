package source

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/engine/store"
)

// TestJoinSecrets: a file's findings are stored by where they begin, so that no
// two may begin at one place, however many rounds found them.
func TestJoinSecrets(t *testing.T) {
	got := joinSecrets([]store.Secret{{Rule: "key", Start: 10, End: 50}, {Rule: "other", Start: 60, End: 70}, {Rule: "rest", Start: 10, End: 55}, {Rule: "within", Start: 52, End: 60}, {Rule: "first", Start: 2, End: 9}})
	want := []store.Secret{{Rule: "first", Start: 2, End: 9}, {Rule: "key", Start: 10, End: 60}, {Rule: "other", Start: 60, End: 70}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if got := joinSecrets(nil); len(got) != 0 {
		t.Errorf("%v", got)
	}
}
