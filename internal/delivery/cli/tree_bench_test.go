package cli

import (
	"testing"

	"ken/internal/delivery/op"
)

// BenchmarkTree measures the work of every run before it does anything.
func BenchmarkTree(b *testing.B) {
	for _, args := range [][]string{{"version"}, {"refs", "x"}} {
		b.Run(args[0], func(b *testing.B) {
			for b.Loop() {
				c := &Command{Tools: op.All()}
				c.commandTree(args)
			}
		})
	}
}
