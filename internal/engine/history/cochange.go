package history

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// CoChange is a file that changed together with the files of a question.
type CoChange struct {
	Path string
	// Score is between 0 and 1: the share of the commits of the file in question
	// that changed this one, too, and less where there are few. A commit weighs less
	// the older it is and the more files it changed. Files that change with
	// everything are not penalised: dividing by the weight of this file's own commits
	// as well, in whole or in part, found fewer of the files that did change.
	Score    float64
	Together int       // commits that changed both
	Commits  int       // commits that changed this file
	Last     time.Time // of the last that changed both
}

// shrink is the weight of imaginary commits that change a file alone. They lower the
// scores that rest on few commits, because the one commit of a new file is no
// pattern yet.
const shrink = 1

// partner sums up the commits that two files have in common.
type partner struct {
	weight   float64
	together int
	last     int64
}

// CoChanged finds the files that changed together with a path, best first: by score, then path. Deleted files are among
// them unless keep rejects them; limit 0 means no limit. It returns the error of keep, or one if the history cannot be
// read.
func (v *View) CoChanged(path string, limit int, keep func(string) (bool, error)) ([]CoChange, error) {
	return v.CoChangedAll([]string{path}, limit, keep)
}

// CoChangedAll finds the files that changed together with any of the paths, excluding the paths themselves. A file's
// scores are combined like independent chances: 1 - Π(1 - score). It returns the error of keep, or one if the history
// cannot be read.
func (v *View) CoChangedAll(paths []string, limit int, keep func(string) (bool, error)) ([]CoChange, error) {
	if err := v.invert(); err != nil {
		return nil, err
	}
	paths = slices.Compact(slices.Sorted(slices.Values(paths)))
	var seeds []uint32
	for _, p := range paths {
		id, ok, err := v.index(p)
		if err != nil {
			return nil, err
		}
		if ok {
			seeds = append(seeds, id)
		}
	}
	all := map[uint32]*pair{}
	for _, seed := range seeds {
		for id, p := range v.partners(seed) {
			if slices.Contains(seeds, id) {
				continue
			}
			f, ok := all[id]
			if !ok {
				f = &pair{miss: 1, index: id}
				all[id] = f
			}
			f.miss *= 1 - p.weight/(float64(v.fileWeight[seed])+shrink)
			f.together = max(f.together, p.together)
			f.last = max(f.last, p.last)
		}
	}
	var out []CoChange
	err := best(slices.Collect(maps.Values(all)), limit, v.path, keep, func(f *pair, path string) {
		out = append(out, CoChange{
			Path: path, Score: 1 - f.miss, Together: f.together,
			Commits: len(v.changingCommits(f.index)), Last: time.Unix(f.last, 0).UTC(),
		})
	})
	return out, err
}

// pair is a file together with the commits that it shares with the seeds, the files of the question.
type pair struct {
	partner
	miss  float64 // Π(1 - score)
	index uint32
}

func (p *pair) rank() float64 { return 1 - p.miss }
func (p *pair) file() uint32  { return p.index }

// best passes the n best of a list to emit, in order: by rank, then path. Paths also decide which of equal ranks are
// left out, because the indexes of paths depend on how the history was read.
func best[T interface {
	rank() float64
	file() uint32
}](list []T, limit int, pathOf func(uint32) (string, error), keep func(string) (bool, error), emit func(T, string)) error {
	slices.SortFunc(list, func(a, b T) int { return cmp.Compare(b.rank(), a.rank()) })
	type named struct {
		of   T
		path string
	}
	var tie []named
	for n := 0; len(list) > 0; {
		tie = tie[:0]
		k := 0
		for ; k < len(list) && list[k].rank() == list[0].rank(); k++ {
			path, err := pathOf(list[k].file())
			if err != nil {
				return err
			}
			tie = append(tie, named{list[k], path})
		}
		list = list[k:]
		slices.SortFunc(tie, func(a, b named) int { return cmp.Compare(a.path, b.path) })
		for _, t := range tie {
			if ok, err := keep(t.path); err != nil {
				return err
			} else if !ok {
				continue
			}
			emit(t.of, t.path)
			if n++; n == limit {
				return nil
			}
		}
	}
	return nil
}

// partners returns the other files of the commits that changed a file.
func (v *View) partners(seed uint32) map[uint32]partner {
	out := map[uint32]partner{}
	for _, i := range v.changingCommits(seed) {
		w := v.weight[i]
		if w == 0 {
			continue
		}
		for _, f := range v.changedFiles(int(i)) {
			if f == seed {
				continue
			}
			p := out[f]
			p.weight += float64(w)
			p.together++
			p.last = max(p.last, v.when[i])
			out[f] = p
		}
	}
	return out
}

// invert computes the commits of each file from the files of each commit.
func (v *View) invert() error {
	if err := v.open(); err != nil || v.commitEnds != nil {
		return err
	}
	v.commitEnds, v.fileWeight = make([]uint32, v.head.paths+1), make([]float32, v.head.paths)
	for i, w := range v.weight {
		for _, f := range v.changedFiles(i) {
			v.commitEnds[f+1]++
			v.fileWeight[f] += w
		}
	}
	for i := 1; i < len(v.commitEnds); i++ {
		v.commitEnds[i] += v.commitEnds[i-1]
	}
	v.fileCommits = make([]uint32, v.commitEnds[len(v.commitEnds)-1])
	at := slices.Clone(v.commitEnds)
	for i := range v.when {
		for _, f := range v.changedFiles(i) {
			v.fileCommits[at[f]] = uint32(i)
			at[f]++
		}
	}
	return nil
}

// changingCommits returns the commits that changed a file, oldest first.
func (v *View) changingCommits(id uint32) []uint32 {
	return v.fileCommits[v.commitEnds[id]:v.commitEnds[id+1]]
}

// Activity sums up the commits of a file.
type Activity struct {
	Commits int       // commits that changed it, without bulk ones
	Churn   float64   // sum of their weights by age: 1 at HEAD's time, halved every three years
	Last    time.Time // time of the last
	Authors int       // distinct authors
	// Activity30 and Activity180 weigh a commit by how many commits of the project
	// came after it: 1 for the last of all, 1/e for one followed by 30, or by 180.
	// Counted in commits instead of days, a quiet month does not make a file cold.
	Activity30, Activity180 float64
}

// Activity returns the activity of one file; ok is false if no stored commit changed it. It returns an error if the
// history cannot be read.
func (v *View) Activity(path string) (a Activity, ok bool, err error) {
	if err := v.invert(); err != nil {
		return a, false, err
	}
	id, ok, err := v.index(path)
	if err != nil || !ok {
		return a, false, err
	}
	t := tally{v: v}
	for _, i := range v.changingCommits(id) {
		t.add(int(i))
	}
	a = t.sum()
	return a, a.Commits > 0, nil
}

// Activities is Activity for many distinct files, by their index in paths. It is one pass over all commits, which costs
// less than the lists by file that Activity needs when first called. It returns an error if the history cannot be read.
func (v *View) Activities(paths []string) ([]Activity, error) {
	if err := v.open(); err != nil {
		return nil, err
	}
	tallies := make([]tally, len(paths))
	for i := range tallies {
		tallies[i].v = v
	}
	place, err := v.places(paths)
	if err != nil {
		return nil, err
	}
	for i := range v.when {
		for _, f := range v.changedFiles(i) {
			if p := place[f]; p > 0 {
				tallies[p-1].add(i)
			}
		}
	}
	out := make([]Activity, len(paths))
	for i := range tallies {
		out[i] = tallies[i].sum()
	}
	return out, nil
}

// places maps the index of a path to its position in paths, plus 1. The last
// result is kept, because one search needs it three times.
func (v *View) places(paths []string) ([]int32, error) {
	if v.lastPlaces != nil && slices.Equal(paths, v.lastPaths) {
		return v.lastPlaces, nil
	}
	place := make([]int32, v.head.paths)
	for i, p := range paths {
		id, ok, err := v.index(p)
		if err != nil {
			return nil, err
		}
		if ok {
			place[id] = int32(i) + 1
		}
	}
	v.lastPaths, v.lastPlaces = slices.Clone(paths), place
	return place, nil
}

// tally sums up the commits of one file.
type tally struct {
	v       *View
	a       Activity
	last    int64
	authors []uint32
}

// add counts commit i; commits must come in their order.
func (t *tally) add(i int) {
	v := t.v
	if t.a.Commits == 0 {
		t.last = v.when[i]
	}
	t.a.Commits++
	t.a.Churn += float64(v.ageWeights[i])
	t.a.Activity30 += float64(v.activity30[i])
	t.a.Activity180 += float64(v.activity180[i])
	if !slices.Contains(t.authors, v.author[i]) {
		t.authors = append(t.authors, v.author[i])
	}
	t.last = max(t.last, v.when[i])
}

func (t *tally) sum() Activity {
	t.a.Authors = len(t.authors)
	if t.a.Commits > 0 {
		t.a.Last = time.Unix(t.last, 0).UTC()
	}
	return t.a
}
