package extract

import (
	"reflect"
	"testing"

	"ken/internal/code"
)

// TestCorpus reads every file of KEN_CORPUS and checks that its facts are consistent,
// that hardly any file hits a limit, and that two readings agree.
func TestCorpus(t *testing.T) {
	files, size := scriptCorpus(t, "go", "typescript", "javascript", "python", "rust", "java", "csharp", "php", "kotlin", "swift")
	e := testExtractor(t)
	var broken, symbols, refs, limited int
	var errors uint64
	for _, f := range files {
		facts := e.Extract(f.path, f.lang, f.data)
		checkFacts(t, f.data, facts)
		if facts.Problem != "" {
			t.Logf("%s: %s", f.path, facts.Problem)
			limited++
		}
		if facts.ErrorBytes > 0 {
			broken++
			errors += uint64(facts.ErrorBytes)
		}
		symbols, refs = symbols+len(facts.Symbols), refs+len(facts.Refs)
		if again := e.Extract(f.path, f.lang, f.data); !sameFacts(facts, again) {
			t.Errorf("%s: two readings differ", f.path)
		}
	}
	t.Logf("%d files, %d bytes: %d symbols, %d references; %d files with %d error bytes, %d limited",
		len(files), size, symbols, refs, broken, errors, limited)
	if limited*1000 > len(files) {
		t.Errorf("%d of %d files hit a limit", limited, len(files))
	}
}

func sameFacts(a, b *code.Facts) bool {
	return reflect.DeepEqual(a, b)
}
