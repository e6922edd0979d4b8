package history

import (
	"fmt"
	"testing"

	"ken/internal/code"
)

// TestLift: what changes with a seed more than by chance, which the file that
// changes with everything does not.
func TestLift(t *testing.T) {
	var commits []*code.LogCommit
	for i := range 12 {
		files := []string{"log.txt", fmt.Sprintf("other%d.go", i)}
		if i%3 == 0 {
			files = []string{"log.txt", "a.go", "a_store.go"}
		}
		commits = append(commits, commit(i+1, nil, "change", files...))
	}
	v := view(t, line(100, commits...))
	paths := []string{"a.go", "log.txt", "a_store.go", "other1.go", "never.go"}
	got, err := v.Lift(paths, []int{0, 3})
	if err != nil || len(got) != 2 || len(got[0]) != len(paths) {
		t.Fatalf("%v, %v", got, err)
	}
	a := got[0]
	if a[0] != 0 || a[3] != 0 || a[4] != 0 || a[2] < 0.5 || a[1] > a[2]/3 {
		t.Errorf("beside a.go: %v", a)
	}
	if got[1][2] != 0 {
		t.Errorf("beside other1.go: %v", got[1])
	}
	if got, err := v.Lift(nil, nil); err != nil || len(got) != 0 {
		t.Errorf("of nothing: %v, %v", got, err)
	}
}
