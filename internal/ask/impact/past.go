package impact

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/search"
)

// kin asks the history.
func (r *impactRanker) kin() error {
	v, err := r.s.History()
	if err != nil || v == nil {
		return err
	}
	files, err := r.s.Index.FilesIn(code.Dir(r.seed))
	if err != nil {
		return err
	}
	var beside []string
	for _, f := range files[:min(len(files), maxRankBeside)] {
		beside = append(beside, f.Path)
	}
	k, err := v.Ties(r.seed, beside, r.s.IndexedPath)
	if err != nil {
		return err
	}
	r.folders = k.Folders
	for i := range k.List {
		c := &k.List[i]
		r.note(c.Path, SignalTogether, c.Together)
		r.note(c.Path, SignalNeeds, c.Dependent)
		r.note(c.Path, SignalSecond, c.SecondHop)
		r.note(c.Path, SignalDirectory, c.Directory)
		r.note(c.Path, SignalSaid, c.SimilarMessages)
	}
	return nil
}

// maxRankText is how many files with words like the seed's are candidates.
const maxRankText = 100

// text finds the files that share words few files hold.
func (r *impactRanker) text() error {
	text, err := r.s.Text(r.ctx, r.seed)
	if err != nil || text == nil {
		return err
	}
	rows, err := r.s.Index.Symbols(r.file.ID)
	if err != nil {
		return err
	}
	doc := search.NewIndexer().Doc(r.seed, func(yield func(string) bool) {
		for i := range rows {
			if !rows[i].Kind.IsText() && !yield(rows[i].Name) {
				return
			}
		}
	}, text)
	x, err := search.NewIndex(r.s.Index)
	if err != nil {
		return err
	}
	list, err := x.Similar(doc)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(m search.Similar) bool { return x.File(int(m.Doc)) == r.file.ID })
	slices.SortFunc(list, func(a, b search.Similar) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Doc, b.Doc)) })
	for i, m := range list {
		n, ok := r.s.Lookup.NodeByID(x.File(int(m.Doc)))
		if !ok || i >= maxRankText && r.found[n.Path] == nil {
			continue
		}
		r.note(n.Path, SignalText, float64(m.Score))
		r.note(n.Path, SignalTextMost, float64(m.Score/list[0].Score))
	}
	return nil
}

// rows fills what the rows of all candidates tell.
func (r *impactRanker) rows() error {
	test := r.file.Flags&code.FlagTest != 0
	for p, sig := range r.found {
		f, ok, err := r.s.Index.FileByPath(p)
		if err != nil {
			return err
		}
		if !ok {
			delete(r.found, p)
			continue
		}
		if f.Flags&(code.FlagGenerated|code.FlagVendored) != 0 {
			sig[SignalMade] = 1
		}
		if (f.Flags&code.FlagTest != 0) != test {
			sig[SignalAcross] = 1
		}
		sig[SignalLarge] = min(1, math.Log2(1+float64(f.Lines))/16)
		sig[SignalCrowd] = min(1, math.Log2(1+float64(r.crowd[code.Dir(p)]))/10)
		sig[SignalNear] = 1 / float64(1+steps(code.Dir(r.seed), code.Dir(p)))
		sig[SignalFolder] = r.folders[code.Dir(p)]
		if a, ok, err := r.s.Activity(f.ID); err != nil {
			return err
		} else if ok {
			sig[SignalFresh] = a.Activity30 / (a.Activity30 + 1)
		}
	}
	return nil
}

// steps is how many directories lie between two on the way over the one that
// holds both.
func steps(a, b string) int {
	slash := func(c rune) bool { return c == '/' }
	x, y := strings.FieldsFunc(a, slash), strings.FieldsFunc(b, slash)
	same := 0
	for same < min(len(x), len(y)) && x[same] == y[same] {
		same++
	}
	return len(x) + len(y) - 2*same
}

// places turns strengths into places: 1 for the strongest, 5/6 for the next.
func (r *impactRanker) places() error {
	var values []float64
	for _, s := range [...]struct{ of, into ImpactSignal }{
		{SignalTogether, SignalTogetherPlace}, {SignalNeeds, SignalNeedsPlace}, {SignalText, SignalTextPlace},
		{SignalSecond, SignalSecond}, {SignalDirectory, SignalDirectory}, {SignalSaid, SignalSaid},
	} {
		values = values[:0]
		for _, sig := range r.found {
			if sig[s.of] > 0 {
				values = append(values, -sig[s.of])
			}
		}
		slices.Sort(values)
		for _, sig := range r.found {
			if sig[s.of] > 0 {
				before, _ := slices.BinarySearch(values, -sig[s.of])
				sig[s.into] = 5 / float64(5+before)
			}
		}
	}
	return nil
}
