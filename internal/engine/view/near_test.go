package view

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// plainScore is what nearest.score has to give, written without regard to time.
func plainScore(want, name string) (int, bool) {
	a, b, limit := strings.ToLower(name), strings.ToLower(want), allowedMistakes(len(want))
	apart := abs(len(a) - len(b))
	switch {
	case len(name) > len(b)+64:
		return 0, false
	case a == b:
		return 0, true
	case len(b) >= 3 && strings.Contains(a, b), len(b) >= 3 && len(a) >= 4 && strings.Contains(b, a):
		return 20 + apart, true
	case apart > limit || len(a) > 64 || len(b) > 64:
		return 0, false
	}
	if d := plainDistance(a, b); d <= limit {
		return 5 * d, true
	}
	return 0, false
}

// plainDistance returns the optimal string alignment distance by its definition.
func plainDistance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		for j := range rows[i] {
			if i == 0 || j == 0 {
				rows[i][j] = i + j
				continue
			}
			change := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}

// TestNearScore compares scores with their plain definition, for names that are
// alike: mistyped ones, parts, other cases, letters beyond ASCII, long ones.
func TestNearScore(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	letters := []string{"a", "b", "c", "A", "B", "_", "é", "Ä", "日", "1", "xyz", "Pod"}
	word := func() string {
		var b strings.Builder
		for range rng.IntN(12) {
			b.WriteString(letters[rng.IntN(len(letters))])
		}
		return b.String()
	}
	for range 20_000 {
		want := word()
		n := newNearestNames(want)
		name := []byte(want)
		for range rng.IntN(4) {
			at := rng.IntN(len(name) + 1)
			switch rng.IntN(4) {
			case 0:
				name = slices.Insert(name, at, letters[rng.IntN(6)][0])
			case 1:
				name = slices.Delete(name, min(at, len(name)), min(at+1, len(name)))
			case 2:
				if at > 1 {
					name[at-1], name[at-2] = name[at-2], name[at-1]
				}
			case 3:
				name = append(name, strings.Repeat(word(), 1+rng.IntN(3))...)
			}
		}
		for _, other := range []string{string(name), word(), want + want} {
			got, ok := n.distanceTo(other)
			if should, is := plainScore(want, other); got != should || ok != is {
				t.Fatalf("%q for %q scores %d, %v; want %d, %v", other, want, got, ok, should, is)
			}
		}
	}
}
