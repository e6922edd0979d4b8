package history

import (
	"cmp"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"ken/internal/engine/words"
)

// Tie is a file that past commits tie to another, the seed, in five ways. Each is a strength between 0 and 1.
type Tie struct {
	Path string
	// Together is CoChange.Score, the share of the seed's commits that changed this
	// file. Dependent is the share of this file's commits that changed the seed.
	Together, Dependent float64
	// SecondHop measures how much it changed together with files that changed together with the seed.
	SecondHop float64
	// Directory is the share of the commits of the seed's directory that changed
	// this file.
	Directory float64
	// SimilarMessages measures how much commits with messages similar to the seed's changed this file, without the
	// seed's own commits.
	SimilarMessages float64
}

// Ties are the files and directories that past commits connect with a file.
type Ties struct {
	List []Tie // by path
	// Folders are the directories of files that changed with it ("" is the top), each
	// with the share of its commits that changed a file there.
	Folders map[string]float64
}

// Bounds of the search for ties.
const (
	tiesTogether = 400 // files that changed together
	tiesOther    = 100 // files by each other tie
	tiesExpanded = 40  // partners whose partners count
	tiesSubjects = 10  // last commits whose messages count
	tiesSimilar  = 80  // commits with messages like those
)

// Scales, in commits, over which a commit's weight falls to 1/e.
const (
	scaleDirectory = 500
	scaleMessages  = 1000
)

// Ties finds the files that past commits tie to a file. siblings are the files of its directory. Files that keep rejects
// are left out. It returns the error of keep, or one if the history cannot be read.
func (v *View) Ties(file string, siblings []string, keep func(string) (bool, error)) (Ties, error) {
	k := tieSearch{v: v, found: map[uint32]*tiedFile{}}
	if err := v.invert(); err != nil {
		return Ties{}, err
	}
	seed, ok, err := v.index(file)
	if err != nil {
		return Ties{}, err
	}
	if ok {
		k.secondHop(k.together(seed))
		if err := k.similarMessages(seed); err != nil {
			return Ties{}, err
		}
	}
	if err := k.directory(siblings); err != nil {
		return Ties{}, err
	}
	delete(k.found, seed)
	list, err := k.list(file, keep)
	if err != nil || !ok {
		return Ties{List: list}, err
	}
	folders, err := k.folders(seed)
	return Ties{list, folders}, err
}

// tieSearch gathers the ties of one file.
type tieSearch struct {
	v     *View
	found map[uint32]*tiedFile
	err   error // of the first path that could not be read
}

type tiedFile struct {
	Tie
	index uint32
}

func (k *tieSearch) file(id uint32) *tiedFile {
	f, ok := k.found[id]
	if !ok {
		f = &tiedFile{index: id}
		k.found[id] = f
	}
	return f
}

// together returns the files that commits changed together with the seed, the strongest first.
func (k *tieSearch) together(seed uint32) []*tiedFile {
	var list []*tiedFile
	for id, p := range k.v.partners(seed) {
		f := k.file(id)
		f.Together = p.weight / (float64(k.v.fileWeight[seed]) + shrink)
		f.Dependent = p.weight / (float64(k.v.fileWeight[id]) + shrink)
		list = append(list, f)
	}
	k.sort(list, func(f *tiedFile) float64 { return f.Together })
	return list[:min(len(list), tiesExpanded)]
}

// sort puts the strongest by a tie first, equals by path, because indexes of paths differ between a history read anew
// and one updated.
func (k *tieSearch) sort(list []*tiedFile, tie func(*tiedFile) float64) {
	slices.SortFunc(list, func(a, b *tiedFile) int {
		if c := cmp.Compare(tie(b), tie(a)); c != 0 || a == b {
			return c
		}
		return cmp.Compare(k.path(a), k.path(b))
	})
}

// path looks a path up when it is first needed, because most files found are not listed.
func (k *tieSearch) path(f *tiedFile) string {
	if f.Path == "" && k.err == nil {
		f.Path, k.err = k.v.path(f.index)
	}
	return f.Path
}

func (k *tieSearch) secondHop(strong []*tiedFile) {
	sum := map[uint32]float64{}
	for _, s := range strong {
		for id, p := range k.v.partners(s.index) {
			sum[id] += s.Together * p.weight / (float64(k.v.fileWeight[s.index]) + shrink)
		}
	}
	for id, x := range sum {
		k.file(id).SecondHop = x / (x + 1)
	}
}

// recent weighs a commit by the number of commits after it and of files it changed.
func (v *View) recent(commit uint32, scale float64) float64 {
	return math.Exp(-float64(v.head.n-1-int(commit))/scale) * v.sizeWeight(len(v.changedFiles(int(commit))))
}

func (k *tieSearch) directory(files []string) error {
	var commits []uint32
	for _, p := range files {
		id, ok, err := k.v.index(p)
		if err != nil {
			return err
		}
		if ok {
			commits = append(commits, k.v.changingCommits(id)...)
		}
	}
	slices.Sort(commits)
	all, sum := float64(shrink), map[uint32]float64{}
	for _, c := range slices.Compact(commits) {
		w := k.v.recent(c, scaleDirectory)
		all += w
		for _, f := range k.v.changedFiles(int(c)) {
			sum[f] += w
		}
	}
	for id, x := range sum {
		k.file(id).Directory = x / all
	}
	return nil
}

// similarMessages rates files by the commits whose messages are similar to
// those of the last commits of the seed, the file in question.
func (k *tieSearch) similarMessages(seed uint32) error {
	own := k.v.changingCommits(seed)
	var terms []Query
	split, weight := words.NewSplitter(), 1.0
	for i := len(own) - 1; i >= max(0, len(own)-tiesSubjects); i-- {
		subject, err := k.v.Subject(int(own[i]))
		if err != nil {
			return err
		}
		split.Each([]byte(subject), func(_, _ int, toks []words.Token) {
			for _, t := range toks {
				terms = append(terms, Query{t.Term, weight})
			}
		})
		weight *= 0.8
	}
	hits, err := k.v.similar(terms, tiesSimilar)
	if err != nil {
		return err
	}
	most, sum := 0.0, map[uint32]float64{}
	for _, h := range hits {
		if _, mine := slices.BinarySearch(own, h.commit); mine {
			continue
		}
		share := float64(h.score / hits[0].score)
		for _, f := range k.v.changedFiles(int(h.commit)) {
			sum[f] += share * share * k.v.recent(h.commit, scaleMessages)
			most = max(most, sum[f])
		}
	}
	for id, x := range sum {
		k.file(id).SimilarMessages = x / (most + 0.3)
	}
	return nil
}

// list returns the files with the strongest ties of each kind.
func (k *tieSearch) list(file string, keep func(string) (bool, error)) ([]Tie, error) {
	chosen := map[uint32]*tiedFile{}
	for _, sort := range []struct {
		limit int
		tie   func(*tiedFile) float64
	}{
		{tiesTogether, func(f *tiedFile) float64 { return f.Together }},
		{tiesOther, func(f *tiedFile) float64 { return f.SecondHop }},
		{tiesOther, func(f *tiedFile) float64 { return f.Directory }},
		{tiesOther, func(f *tiedFile) float64 { return f.SimilarMessages }},
	} {
		list := slices.DeleteFunc(slices.Collect(maps.Values(k.found)), func(f *tiedFile) bool { return sort.tie(f) == 0 })
		k.sort(list, sort.tie)
		for _, f := range list {
			if sort.limit == 0 || k.err != nil {
				break
			}
			if chosen[f.index] == nil {
				if ok, err := keep(k.path(f)); err != nil {
					return nil, err
				} else if !ok || f.Path == file {
					continue
				}
				chosen[f.index] = f
			}
			sort.limit--
		}
	}
	var out []Tie
	for _, f := range chosen {
		out = append(out, f.Tie)
	}
	slices.SortFunc(out, func(a, b Tie) int { return cmp.Compare(a.Path, b.Path) })
	return out, k.err
}

// folders returns the directories in which the commits of a file changed other files,
// each with its share of the weight of all commits of the file.
func (k *tieSearch) folders(seed uint32) (map[string]float64, error) {
	all, sum, dirs := float64(shrink), map[string]float64{}, map[uint32]string{}
	var seen []string
	for _, c := range k.v.changingCommits(seed) {
		w := k.v.recent(c, scaleDirectory)
		all += w
		seen = seen[:0]
		for _, f := range k.v.changedFiles(int(c)) {
			if f == seed {
				continue
			}
			d, ok := dirs[f]
			if !ok {
				p, err := k.v.path(f)
				if err != nil {
					return nil, err
				}
				d, _ = path.Split(p)
				d = strings.TrimSuffix(d, "/")
				dirs[f] = d
			}
			if !slices.Contains(seen, d) {
				seen = append(seen, d)
				sum[d] += w
			}
		}
	}
	for d := range sum {
		sum[d] /= all
	}
	return sum, nil
}
