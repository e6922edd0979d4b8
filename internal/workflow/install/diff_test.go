package install

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestDiff(t *testing.T) {
	for _, tc := range []struct{ action, before, after, want string }{
		{Changed, "a\nb\nc\nd\ne\nf\n", "a\nb\nc\nX\nd\ne\nf\n", "@@ -2,4 +2,5 @@\n b\n c\n+X\n d\n e\n"},
		{Changed, "a\nb\nc\nd\ne\nf\ng\nh\ni\n", "A\nb\nc\nd\ne\nf\ng\nh\nI\n", "@@ -1,3 +1,3 @@\n-a\n+A\n b\n c\n@@ -7,3 +7,3 @@\n g\n h\n-i\n+I\n"},
		{Changed, "a", "a\nb\n", "@@ -1,1 +1,2 @@\n-a\n\\ No newline at end of file\n+a\n+b\n"},
		{Created, "", "a\n", "@@ -0,0 +1,1 @@\n+a\n"},
		{Removed, "a\n", "", "@@ -1,1 +0,0 @@\n-a\n"},
	} {
		got := Diff(Change{Path: "/p", Action: tc.action, Before: []byte(tc.before), After: []byte(tc.after)})
		head := map[string]string{Changed: "--- /p\n+++ /p\n", Created: "--- /dev/null\n+++ /p\n", Removed: "--- /p\n+++ /dev/null\n"}
		if got != head[tc.action]+tc.want {
			t.Errorf("%q to %q:\n%s", tc.before, tc.after, got)
		}
	}
	if got := Diff(Change{Before: []byte("a"), After: []byte("a")}); got != "" {
		t.Error(got)
	}
	long := Diff(Change{Path: "p", Action: Changed, Before: []byte(strings.Repeat("x", 10_000)), After: []byte("y")})
	if len(long) > 1000 {
		t.Errorf("%d bytes are shown", len(long))
	}
}

// TestCompare: the stretches that are found make the one list of the other.
func TestCompare(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		a, b := letters(r), letters(r)
		var got []string
		at := 0
		for _, s := range compareLines(a, b) {
			got = append(append(got, a[at:s.a]...), b[s.b:s.bEnd]...)
			at = s.aEnd
		}
		if got = append(got, a[at:]...); !slices.Equal(got, b) {
			t.Fatalf("%v to %v gives %v", a, b, got)
		}
	}
}

func letters(r *rand.Rand) []string {
	out := make([]string, r.IntN(12))
	for i := range out {
		out[i] = string(rune('a' + r.IntN(3)))
	}
	return out
}
