package mcp

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"ken/internal/token"
)

// TestMostThatFits cuts texts of lines of many lengths to many budgets: what is sent fits, and one line more does not.
func TestMostThatFits(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	words := []string{"func", "Pod", "pkg/apis/core/types.go:12", "\"quoted\"", "\t", "…", "日本語", "{}", "a", "ImplementationDetail"}
	for range 150 {
		var lines []string
		for range 1 + rng.IntN(400) {
			var line []string
			for range rng.IntN(1 + rng.IntN(30)) {
				line = append(line, words[rng.IntN(len(words))])
			}
			lines = append(lines, strings.Join(line, " "))
		}
		f := &fitter{budget: 200 + rng.IntN(3000), common: &commonArgs{from: 1}, counter: token.New(token.O200K)}
		trials := 0
		size := func(n int) int {
			trials++
			return f.size(textResult(strings.Join(lines[:n], "\n"), false))
		}
		near, beyond := f.estimate(lines)
		whole := size(len(lines)) <= f.budget-margin
		if beyond && whole {
			t.Fatalf("%d lines are said to be beyond %d tokens, and fit", len(lines), f.budget)
		}
		trials = 0
		n := f.largestFitting(near, len(lines), size)
		if trials > 12 {
			t.Errorf("%d trials for %d lines in %d tokens, begun at %d, ended at %d", trials, len(lines), f.budget, near, n)
		}
		if n > 0 && size(n) > f.budget-margin || n < len(lines) && size(n+1) <= f.budget-margin {
			t.Errorf("%d lines have %d tokens, one more %d, of %d", n, size(n), size(min(n+1, len(lines))), f.budget)
		}
	}
}

func BenchmarkFit(b *testing.B) {
	var lines []string
	for i := range 500 {
		lines = append(lines, fmt.Sprintf("  pkg/api/pod/testing/make.go:%d  SetTerminationGracePeriodSeconds  %d×", i, i%7))
	}
	text := strings.Join(lines, "\n")
	f := &fitter{budget: 2000, common: &commonArgs{from: 1}, counter: token.New(token.O200K)}
	for b.Loop() {
		f.text(text, "", &lineCapture{}, true)
	}
}
