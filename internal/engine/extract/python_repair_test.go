package extract

import (
	"bytes"
	"math/rand"
	"testing"

	"ken/internal/code"
)

// TestPythonRecovery removes one bracket, quote or colon from each corpus file and
// counts the functions and classes that are still found.
func TestPythonRecovery(t *testing.T) {
	paths, sources := corpus(t, ".py")
	e := testExtractor(t)
	rnd := rand.New(rand.NewSource(1))
	var whole, found, extra int
	for i := 0; i < len(sources); i += 3 {
		at := 0
		if len(sources[i]) > 0 {
			at = rnd.Intn(len(sources[i]))
		}
		next := bytes.IndexAny(sources[i][at:], "(){}[]\"':")
		want := pythonNames(e.Extract(paths[i], "python", sources[i]))
		if next < 0 {
			continue
		}
		broken := append(append([]byte{}, sources[i][:at+next]...), sources[i][at+next+1:]...)
		facts := e.Extract(paths[i], "python", broken)
		if facts.ErrorBytes == 0 {
			continue
		}
		checkFacts(t, broken, facts)
		got := pythonNames(facts)
		whole += len(want)
		for n := range want {
			if got[n] {
				found++
			}
		}
		for n := range got {
			if !want[n] {
				extra++
			}
		}
	}
	t.Logf("of %d declarations %d are found, %d invented", whole, found, extra)
	if float64(found) < 0.9*float64(whole) || float64(extra) > 0.03*float64(whole) {
		t.Error("recovery got worse")
	}
}

func pythonNames(f *code.Facts) map[string]bool {
	names := map[string]bool{}
	for _, s := range f.Symbols {
		if s.Kind.IsFunction() || s.Kind.IsType() {
			names[s.Qualified] = true
		}
	}
	return names
}
