package owner

import (
	"os"
	"testing"
)

// BenchmarkPlace is what each command pays for knowing whose the index is.
// KEN_INDEXED names an indexed project, KEN_STATE its state directory.
func BenchmarkPlace(b *testing.B) {
	root := os.Getenv("KEN_INDEXED")
	if root == "" {
		b.Skip("KEN_INDEXED names no indexed project")
	}
	for b.Loop() {
		f := New(root, NewState(os.Getenv("KEN_STATE")), func(string) {})
		if p := f.Place(); p.Print == "" {
			b.Fatal("no id")
		}
	}
}
