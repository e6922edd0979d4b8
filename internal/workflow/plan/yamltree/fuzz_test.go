package yamltree_test

import (
	"testing"

	"ken/internal/workflow/plan/edit"
	"ken/internal/workflow/plan/yamltree"
)

// FuzzTree: whatever the text is, every span is inside its parent, a value set to what it is
// changes nothing, and a text that is set is what is read afterwards, with all other keys as they
// were.
func FuzzTree(f *testing.F) {
	for _, s := range []string{
		"a: 1\nb: [x, \"y\"]\nc:\n  - k: v\n    l: 'w'\n", "a: |\n  x\n\n y\nb: {k: v}\n", "a: \"x\n y\" # c\n- z\n", "\ta: b\r\n", "a:\n- b\n- - c\n", "a: [\n", "a: 'x\n", "a: x\n  y\nb:c\n",
	} {
		f.Add(s, "v: w")
	}
	f.Fuzz(func(t *testing.T, text, value string) {
		tree := parse(text)
		tree.Walk(func(n *yamltree.Node) {
			checkSpan(t, text, n.Span)
			if n.Kind == yamltree.Scalar {
				if e := tree.SetScalar(n, n.Value); e != nil {
					t.Fatalf("%q set to itself: %v", n.Value, e)
				}
			}
		})
		for _, p := range tree.Root.Pairs {
			checkSpan(t, text, p.Span)
			checkSet(t, text, tree, p.Key, value)
		}
	})
}

func checkSpan(t *testing.T, text string, s edit.Span) {
	if s.Start < 0 || s.End < s.Start || s.End > len(text) {
		t.Fatalf("span %v of %d bytes", s, len(text))
	}
}

func checkSet(t *testing.T, text string, tree *yamltree.Tree, key, value string) {
	edits, err := tree.Set(key, value, "\n")
	if err != nil {
		return
	}
	changed, err := edit.Apply(text, edits)
	if err != nil {
		t.Fatalf("%q = %q: %v", key, value, err)
	}
	after := parse(changed)
	if len(tree.Problems) > 0 {
		return // what is read of a broken text may change with it
	}
	got := after.Get(key)
	if got == nil || !after.HasValue(got, value) {
		t.Fatalf("%q = %q in %q: %q", key, value, text, changed)
	}
	if len(after.Root.Pairs) != len(tree.Root.Pairs) {
		t.Fatalf("%q = %q in %q: %q has %d keys instead of %d", key, value, text, changed, len(after.Root.Pairs), len(tree.Root.Pairs))
	}
}
