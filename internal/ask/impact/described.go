package impact

import (
	"context"
	"math"
	"path"
	"slices"
	"strings"

	"ken/internal/ask/filename"
	"ken/internal/ask/rank"
	"ken/internal/code"
)

// maxRankWords is the number of files up to which a word in their names adds them as
// candidates. More frequent words only rate candidates.
const maxRankWords = 40

// nameWordsSource finds files whose names, or folders' names, share words with the name of the seed, the file whose impact is ranked.
// Rare words count more. As it reads all paths, it also counts the files of each directory.
type nameWordsSource struct{ of *seed }

// Name returns the name of the source in rank.Table.
func (nameWordsSource) Name() string { return rank.FromPath }

// Signals fills the features of this source for all candidates.
func (s nameWordsSource) Signals(_ context.Context, _ *rank.Query, set *rank.Set) error {
	s.of.crowd = map[string]int{}
	m := newNameMatcher(s.of.path)
	for row := range s.of.names.Rows {
		s.of.crowd[code.Dir(s.of.names.Rows[row].Path)]++
		m.offer(s.of.names, row)
	}
	for i := range m.hits {
		h := &m.hits[i]
		share, rarest := m.rate(h)
		if set.WasCandidate(h.path) || rarest <= maxRankWords {
			s.of.note(set, h.path, rank.NameWords, share*min(1, 4/math.Log2(4+float64(rarest))))
		}
	}
	return nil
}

// nameMatcher finds the paths whose names share words with one name.
type nameMatcher struct {
	words []string // of the name
	count []int    // paths that have each
	hits  []nameHit
}

// nameHit is a path that shares words with the name.
type nameHit struct {
	path   string
	has    []bool // which words
	others int    // number of other words of its name
}

func newNameMatcher(p string) *nameMatcher {
	words := slices.Compact(slices.Sorted(slices.Values(filename.Subject(p))))
	return &nameMatcher{words: words, count: make([]int, len(words))}
}

func (m *nameMatcher) offer(names *filename.Names, row int) {
	p, folded := names.Rows[row].Path, names.Fold(row)
	if !slices.ContainsFunc(m.words, func(w string) bool { return strings.Contains(folded, w) }) {
		return
	}
	own := filename.Words(strings.TrimSuffix(path.Base(p), path.Ext(p)))
	own = append(own, filename.Words(path.Base(code.Dir(p)))...)
	h := nameHit{path: p, has: make([]bool, len(m.words))}
	any := false
	for i, w := range m.words {
		if slices.ContainsFunc(own, func(o string) bool { return o == w || filename.Singular(o) == filename.Singular(w) }) {
			h.has[i], any = true, true
			m.count[i]++
		}
	}
	if !any {
		return
	}
	for _, o := range names.Subject(row) {
		if !slices.Contains(m.words, o) {
			h.others++
		}
	}
	m.hits = append(m.hits, h)
}

// rate returns the share of the words' weights that a path has, and the number of paths that have the rarest of its words.
func (m *nameMatcher) rate(h *nameHit) (share float64, rarest int) {
	all, rarest := 0.0, math.MaxInt
	for i, n := range m.count {
		weight := 1 / math.Log2(2+float64(n))
		all += weight
		if h.has[i] {
			share += weight
			rarest = min(rarest, n)
		}
	}
	return share / (all + 0.2*float64(h.others)), rarest
}

// fileSource rates candidates by the index rows of their files.
type fileSource struct{ of *seed }

// Name returns the name of the source in rank.Table.
func (fileSource) Name() string { return rank.FromFile }

// Signals fills the features of this source. It drops candidates that only existed
// in the past.
func (s fileSource) Signals(_ context.Context, _ *rank.Query, set *rank.Set) error {
	gone := make([]bool, set.Len())
	for i, p := range set.Paths() {
		f, ok, err := s.of.view.Index.FileByPath(p)
		if err != nil {
			return err
		}
		if gone[i] = !ok; ok {
			if err := s.describe(&f, set.At(i)); err != nil {
				return err
			}
		}
	}
	set.Drop(func(place int) bool { return gone[place] })
	return nil
}

func (s fileSource) describe(f *code.File, v *rank.Vector) error {
	dir := code.Dir(f.Path)
	if f.Flags&(code.FlagGenerated|code.FlagVendored) != 0 {
		v[rank.GeneratedOrVendored] = 1
	}
	if f.Flags&code.FlagTest != s.of.file.Flags&code.FlagTest {
		v[rank.TestBoundary] = 1
	}
	v[rank.Lines] = min(1, math.Log2(1+float64(f.Lines))/16)
	v[rank.DirectoryCrowd] = min(1, math.Log2(1+float64(s.of.crowd[dir]))/10)
	v[rank.DirDistance] = 1 / float64(1+dirSteps(code.Dir(s.of.path), dir))
	v[rank.OwnDirectoryChanges] = s.of.folders[dir]
	a, ok, err := s.of.view.Activity(f.ID)
	if ok {
		v[rank.RecentActivity] = a.Activity30 / (a.Activity30 + 1)
	}
	return err
}

// dirSteps returns the number of steps from one directory to another by way of their common parent.
func dirSteps(a, b string) int {
	slash := func(c rune) bool { return c == '/' }
	x, y := strings.FieldsFunc(a, slash), strings.FieldsFunc(b, slash)
	same := 0
	for same < min(len(x), len(y)) && x[same] == y[same] {
		same++
	}
	return len(x) + len(y) - 2*same
}

// placesSource converts the strengths of signals to ranks among the candidates,
// because strengths of different seeds are hard to compare. Some features keep both.
type placesSource struct{}

// Name returns the name of the source in rank.Table.
func (placesSource) Name() string { return rank.FromPlaces }

// Signals fills the features of this source for all candidates.
func (placesSource) Signals(_ context.Context, _ *rank.Query, set *rank.Set) error {
	for _, f := range [...]struct{ of, into rank.Feature }{
		{rank.CoChange, rank.CoChangePlace}, {rank.Dependent, rank.DependentPlace}, {rank.SharedWords, rank.SharedWordsPlace},
		{rank.SecondHop, rank.SecondHop}, {rank.SeedDirectoryChanges, rank.SeedDirectoryChanges}, {rank.SimilarMessages, rank.SimilarMessages},
	} {
		set.SharedPlace(f.of, f.into)
	}
	return nil
}
