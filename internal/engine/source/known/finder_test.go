package known_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"ken/internal/engine/source/known"
)

// TestFinder: a text in which a set masks a value is one in which there is something, whatever the value.
func TestFinder(t *testing.T) {
	values := []string{plain, dotted, uuid, slash, plain[:17], strings.Repeat(plain, 6)}
	s := set(values...)
	f := known.NewFinder()
	r := rand.New(rand.NewPCG(5, 6))
	none := 0
	for range 20000 {
		text := hostile(r, values[r.IntN(len(values)):])
		if r.IntN(3) == 0 {
			text = hostile(r, nil)
		}
		any := f.HasCertainRun(text)
		if masked := s.MaskString(string(text)) != string(text); masked && !any {
			t.Fatalf("%.300q holds a value and is said to hold none", text)
		}
		if !any {
			none++
		}
	}
	if none < 1000 {
		t.Errorf("only %d texts are said to hold none", none)
	}
	for _, text := range []string{"", "import \"k8s.io/kubernetes/pkg/apis/core/v1\"", "func ValidatePodTemplateSpecForReplicaSet2(ctx)"} {
		if f.HasCertainRun([]byte(text)) {
			t.Errorf("there is something in %q", text)
		}
	}
}

// TestFinderAllocations: measuring the runs of a text allocates nothing.
func TestFinderAllocations(t *testing.T) {
	var text strings.Builder
	for i := range 100 {
		fmt.Fprintf(&text, "ValidatePodTemplateSpecForReplicaSet%d ", i)
	}
	f := known.NewFinder() // which measures each run once, so there is no warm-up
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f.HasCertainRun([]byte(text.String()))
	runtime.ReadMemStats(&after)
	if n := after.Mallocs - before.Mallocs; n > 50 {
		t.Errorf("%d allocations at 100 runs", n)
	}
}
