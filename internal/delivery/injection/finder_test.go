package injection

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestFinder compares the finder with the regular expression itself, on the samples of this package put together at random, on its own
// source, and on the documents of the project.
func TestFinder(t *testing.T) {
	var texts []string
	for _, glob := range []string{"*.go", "../../../docs/*.md", "../../../*.md"} {
		files, err := filepath.Glob(glob)
		if err != nil || len(files) == 0 {
			t.Fatal(glob, err)
		}
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, string(b[:min(len(b), 64<<10)]))
		}
	}
	const seed = 1
	r := rand.New(rand.NewPCG(seed, seed))
	words := strings.Fields(strings.Join(texts, " "))
	for i := range rules {
		words = append(words, rules[i].sample)
	}
	for range 40 {
		var b strings.Builder
		for range 300 {
			b.WriteString(words[r.IntN(len(words))])
			b.WriteString([]string{" ", "  ", "\n", "", "é", "\xff", "無視"}[r.IntN(20)%7])
		}
		texts = append(texts, b.String())
	}
	if testing.Short() {
		texts = texts[len(texts)-20:]
	}
	compare := func(name, pattern string, f *finder, most int) {
		re := regexp.MustCompile(pattern)
		for _, text := range texts {
			plain, _ := plainText(text)
			var want []int
			for _, m := range re.FindAllStringIndex(plain, most) {
				want = append(want, m[0])
			}
			if got := f.find(newKeyed(plain), most); !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v in %.80q", name, got, want, plain)
			}
		}
	}
	encoded := regexp.MustCompile(`[A-Za-z0-9+/]{24,}={0,2}`)
	for _, text := range append(texts, strings.Repeat("aGk", 9)+"===b", strings.Repeat("a", 24)+"=", strings.Repeat("a/", 12)) {
		var want [][2]int
		for _, m := range encoded.FindAllStringIndex(text, 16) {
			want = append(want, [2]int{m[0], m[1]})
		}
		if got := encodedRuns(text, 16); !slices.Equal(got, want) {
			t.Errorf("runs of base 64: %v, want %v in %.80q", got, want, text)
		}
		if hexRun().MatchString(text) && longestRun(text, isHexPart) < shortestHex {
			t.Errorf("a decoding is left out: %.80q", text)
		}
	}
	for _, s := range signs() {
		compare(s.name, strings.ReplaceAll(s.pattern, " ", `\s+`), s.re, 64)
	}
	for i, f := range ruleFinders() {
		compare(rules[i].family, strings.ReplaceAll(rules[i].pattern, " ", " +"), f, 1)
	}
}
