package known_test

import (
	"math/rand/v2"
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
		any := f.Any(text)
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
		if f.Any([]byte(text)) {
			t.Errorf("there is something in %q", text)
		}
	}
}
