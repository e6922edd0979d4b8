package lang

import (
	"testing"

	"ken/internal/code"
)

// BenchmarkOf is the lookup that binding does for every candidate.
func BenchmarkOf(b *testing.B) {
	langs := []code.Lang{"go", "typescript", "python", "java", "kotlin", "c", "cpp", "rust"}
	b.Run("table", func(b *testing.B) {
		n := 0
		for i := 0; b.Loop(); i++ {
			n += len(Of(langs[i%len(langs)]).Family)
		}
	})
	rows := map[code.Lang]*Info{}
	for i := range table {
		rows[table[i].Name] = &table[i]
	}
	b.Run("map", func(b *testing.B) {
		n := 0
		for i := 0; b.Loop(); i++ {
			n += len(rows[langs[i%len(langs)]].Family)
		}
	})
}
