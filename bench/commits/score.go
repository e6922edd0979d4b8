package commits

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"ken/internal/token"
)

// Score counts right files, those of them that were named, and the paths that were named.
type Score struct{ Source, Sources, Test, Tests, Paths int }

// Percent returns a share in percent, and 0 of none.
func Percent(n, of int) float64 { return 100 * float64(n) / float64(max(1, of)) }

// Add counts the files that a text names, and returns the right ones that it does not.
func (s *Score) Add(t *Task, named map[string]bool) (missed []string) {
	s.Paths += len(named)
	for _, p := range t.Gold {
		if s.Sources++; named[p] {
			s.Source++
		} else {
			missed = append(missed, p)
		}
	}
	for _, p := range t.Tests {
		if s.Tests++; named[p] {
			s.Test++
		} else {
			missed = append(missed, "test "+p)
		}
	}
	return missed
}

// pathWord matches what may be a path in a text.
var pathWord = regexp.MustCompile(`[\pL\pN_./@+~()\[\]-]+`)

// NamedPaths returns those of some files that a text names with their whole paths.
func NamedPaths(text string, files []string) map[string]bool {
	named := map[string]bool{}
	for _, p := range NamedInOrder(text, files) {
		named[p] = true
	}
	return named
}

// NamedInOrder returns those of some files that a text names with their whole paths, each once, as they are named.
func NamedInOrder(text string, files []string) (order []string) {
	is := map[string]bool{}
	for _, f := range files {
		is[f] = true
	}
	// The goal is repeated at the beginning.
	if _, rest, ok := strings.Cut(text, "## Relevant Intelligence"); ok {
		text = rest
	}
	for _, w := range pathWord.FindAllString(text, -1) {
		for _, p := range [...]string{w, strings.Trim(w, ".,()[]"), strings.TrimPrefix(w, "./")} {
			if is[p] {
				is[p] = false
				order = append(order, p)
			}
		}
	}
	return order
}

// word matches a word of a goal.
var word = regexp.MustCompile(`[\pL_][\pL\pN_]{2,}`)

// stopWords are words that most messages have.
var stopWords = strings.Fields("the and for with from that this not are was were when into have has add fix use remove update change make support allow should")

// WordOrder returns the files that hold words of a goal: those with most different words first, then with most of their occurrences.
func WordOrder(tree, goal string, files []string) (order []string) {
	var list []string
	for _, w := range word.FindAllString(strings.ToLower(goal), -1) {
		if !slices.Contains(stopWords, w) && !slices.Contains(list, w) {
			list = append(list, w)
		}
	}
	type hit struct {
		path        string
		words, hits int
	}
	var hits []hit
	for _, f := range files {
		if !IsSource(f) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(tree, f))
		if err != nil || len(text) > 1<<20 {
			continue
		}
		low, h := bytes.ToLower(append(text, f...)), hit{path: f}
		for _, w := range list {
			if n := bytes.Count(low, []byte(w)); n > 0 {
				h.words, h.hits = h.words+1, h.hits+n
			}
		}
		if h.words > 0 {
			hits = append(hits, h)
		}
	}
	slices.SortFunc(hits, func(x, y hit) int {
		return cmp.Or(cmp.Compare(y.words, x.words), cmp.Compare(y.hits, x.hits), strings.Compare(x.path, y.path))
	})
	for _, h := range hits {
		order = append(order, h.path)
	}
	return order
}

// WordCount returns the first files of WordOrder, as far as their paths fit into the budget.
func WordCount(counter *token.Tokenizer, budget int, tree, goal string, files []string) map[string]bool {
	named, tokens := map[string]bool{}, 0
	for _, p := range WordOrder(tree, goal, files) {
		if tokens += counter.Count([]byte(p + "\n")); tokens > budget {
			break
		}
		named[p] = true
	}
	return named
}
