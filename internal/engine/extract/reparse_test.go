package extract

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"ken/internal/engine/extract/lexical"
)

// TestReparse compares the tree of a source of which words were blanked, parsed again, with that of a whole parse. Where there are
// errors the parsers may go on in different ways.
func TestReparse(t *testing.T) {
	whole, again := mustParser(t), mustParser(t)
	compared := 0
	for name, s := range map[string]*spec{"c": cSpec(), "cpp": cppSpec()} {
		g, _ := newGrammar(s)
		random := rand.New(rand.NewPCG(1, 2))
		sources := reparseSources(t, name)
		for _, path := range slices.Sorted(maps.Keys(sources)) {
			src := sources[path]
			again.parse(g, src, limits{})
			again.adopt()
			for range 40 {
				other := blankWords(random, src)
				want, _ := whole.parse(g, other, limits{})
				got, _ := again.reparse(g, src, other, limits{})
				switch damaged := isDamaged(want); {
				case damaged != isDamaged(got):
					t.Errorf("%s: %t with errors by a whole parse, %t parsed again:\n%s", path, damaged, !damaged, other)
				case !damaged && !slices.Equal(want, got):
					t.Errorf("%s: the tree parsed again differs:\n%s", path, other)
				case !damaged:
					compared++
				}
				if random.IntN(2) == 0 {
					again.adopt()
					src = other
				}
			}
		}
	}
	if compared < 100 {
		t.Errorf("%d sources without errors, want at least 100", compared)
	}
}

func isDamaged(nodes []rawNode) bool {
	return slices.ContainsFunc(nodes, func(n rawNode) bool { return n.flags&(flagError|flagMissing) != 0 })
}

func mustParser(t *testing.T) *treeParser {
	t.Helper()
	p, err := newTreeParser()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.close)
	return p
}

// reparseSources returns the sources of C or C++ in testdata and of this package.
func reparseSources(t *testing.T, name string) map[string][]byte {
	t.Helper()
	sources := map[string][]byte{}
	paths, err := filepath.Glob("*.[ch]")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if sources[path], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	if paths, err = filepath.Glob(filepath.Join("testdata", name, "*.txtar")); err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			if ext := filepath.Ext(f.Name); ext == ".c" || ext == ".h" || ext == ".cc" || ext == ".cpp" {
				sources[path+":"+f.Name] = f.Data
			}
		}
	}
	return sources
}

// blankWords returns src without up to three of its words.
func blankWords(random *rand.Rand, src []byte) []byte {
	clean := bytes.Clone(src)
	for range 1 + random.IntN(3) {
		at := random.IntN(len(clean))
		for at > 0 && lexical.IsWord(clean[at-1]) {
			at--
		}
		for ; at < len(clean) && lexical.IsWord(clean[at]); at++ {
			clean[at] = ' '
		}
	}
	return clean
}
