package extract

import "testing"

// BenchmarkRuby reads the corpus, with the parse into a flat tree to compare
// with.
func BenchmarkRuby(b *testing.B) {
	_, sources := corpus(b, ".rb")
	size := int64(0)
	for _, s := range sources {
		size += int64(len(s))
	}
	b.Run("parse", func(b *testing.B) {
		g, _ := newGrammar(rubySpec())
		p, err := newTreeParser()
		if err != nil {
			b.Fatal(err)
		}
		defer p.close()
		b.SetBytes(size)
		for b.Loop() {
			for _, s := range sources {
				p.parse(g, s, limits{})
			}
		}
	})
	b.Run("extract", func(b *testing.B) {
		b.SetBytes(size)
		b.ReportAllocs()
		symbols, refs := 0, 0
		for b.Loop() {
			symbols, refs = 0, 0
			e := New()
			for _, s := range sources {
				f := e.Extract("f.rb", "ruby", s)
				symbols, refs = symbols+len(f.Symbols), refs+len(f.Refs)
			}
			e.Close()
		}
		b.ReportMetric(float64(symbols), "symbols")
		b.ReportMetric(float64(refs), "refs")
	})
}
