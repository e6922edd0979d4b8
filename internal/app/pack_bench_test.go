package app

import (
	"io"
	"os"
	"testing"
)

// BenchmarkPackAll packs a whole indexed repository, which KEN_INDEXED names.
func BenchmarkPackAll(b *testing.B) {
	root := os.Getenv("KEN_INDEXED")
	if root == "" {
		b.Skip("KEN_INDEXED names no indexed project")
	}
	for _, format := range []string{"xml", "markdown", "json"} {
		b.Run(format, func(b *testing.B) {
			for b.Loop() {
				p := Program{Args: []string{"pack", "--all", "--format", format}, Dir: root, Stdout: io.Discard, Stderr: io.Discard, Getenv: os.Getenv}
				if status := p.Run(b.Context()); status != Found {
					b.Fatalf("exit %d", status)
				}
			}
		})
	}
}
