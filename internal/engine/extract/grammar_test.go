package extract

import "testing"

// TestGrammars checks that every symbol and field a spec names exists, because a grammar
// update must not silently lose one.
func TestGrammars(t *testing.T) {
	for _, r := range languages() {
		for _, s := range []*spec{r.spec, r.second} {
			if s == nil {
				continue
			}
			if _, unknown := newGrammar(s); len(unknown) > 0 {
				t.Errorf("%s: grammar has no %q", r.lang, unknown)
			}
		}
	}
}
