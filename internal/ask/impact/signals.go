package impact

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"ken/internal/ask/filename"
	"ken/internal/ask/rank"
	"ken/internal/code"
	"ken/internal/engine/search"
	"ken/internal/engine/store"
)

// Limits of the work for each seed.
const (
	maxRankText      = 100 // files with words in common
	maxRankEdges     = 400 // files at the other end of edges, each way
	maxRankDirectory = 200 // files of its directory
	maxRankNames     = 400 // names that are looked up
	rareFiles        = 12  // largest number of files that use a rare name
)

// historySource finds the files that changed in the same commits as the seed.
type historySource struct{ of *seed }

// Name returns the name of the source in rank.Table.
func (historySource) Name() string { return rank.FromHistory }

// Signals fills the features of this source for all candidates.
func (s historySource) Signals(_ context.Context, _ *rank.Query, set *rank.Set) error {
	v, err := s.of.view.History()
	if err != nil || v == nil {
		return err
	}
	files, err := s.of.view.Index.FilesIn(code.Dir(s.of.path))
	if err != nil {
		return err
	}
	var beside []string
	for _, f := range files[:min(len(files), maxRankDirectory)] {
		beside = append(beside, f.Path)
	}
	ties, err := v.Ties(s.of.path, beside, s.of.view.IndexedPath)
	if err != nil {
		return err
	}
	s.of.folders = ties.Folders
	for i := range ties.List {
		t := &ties.List[i]
		s.of.note(set, t.Path, rank.CoChange, t.Together)
		s.of.note(set, t.Path, rank.Dependent, t.Dependent)
		s.of.note(set, t.Path, rank.SecondHop, t.SecondHop)
		s.of.note(set, t.Path, rank.SeedDirectoryChanges, t.Directory)
		s.of.note(set, t.Path, rank.SimilarMessages, t.SimilarMessages)
	}
	return nil
}

// textSource finds the files that share rare words with the seed.
type textSource struct{ of *seed }

// Name returns the name of the source in rank.Table.
func (textSource) Name() string { return rank.FromText }

// Signals fills the features of this source for all candidates.
func (s textSource) Signals(ctx context.Context, _ *rank.Query, set *rank.Set) error {
	text, err := s.of.view.Text(ctx, s.of.path)
	if err != nil || text == nil {
		return err
	}
	rows, err := s.of.view.Index.Symbols(s.of.file.ID)
	if err != nil {
		return err
	}
	doc := search.NewIndexer().Doc(s.of.path, func(yield func(string) bool) {
		for i := range rows {
			if !rows[i].Kind.IsText() && !yield(rows[i].Name) {
				return
			}
		}
	}, text)
	x, err := search.NewIndex(s.of.view.Index)
	if err != nil {
		return err
	}
	list, err := x.Similar(doc)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(m search.Similar) bool { return x.File(int(m.Doc)) == s.of.file.ID })
	slices.SortFunc(list, func(a, b search.Similar) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Doc, b.Doc))
	})
	known, err := s.earlierCandidates(set)
	if err != nil {
		return err
	}
	for i, m := range list {
		id := x.File(int(m.Doc))
		path := known[id]
		if i < maxRankText {
			n, _ := s.of.view.Lookup.NodeByID(id)
			path = n.Path
		}
		s.of.note(set, path, rank.SharedWords, float64(m.Score))
		s.of.note(set, path, rank.SharedWordsOfBest, float64(m.Score/list[0].Score))
	}
	return nil
}

// earlierCandidates returns the candidates that earlier stages found, by id. Looking up the path of each of the thousands of files
// that share a word would take longer than finding them.
func (s textSource) earlierCandidates(set *rank.Set) (map[int64]string, error) {
	out := map[int64]string{}
	for _, p := range set.Paths() {
		if !set.WasCandidate(p) {
			continue
		}
		id, err := s.of.view.PathID(p)
		if err != nil {
			return nil, err
		}
		out[id] = p
	}
	delete(out, 0) // candidates that only existed in the past
	return out, nil
}

// edgesSource finds the files that depend on the seed, or on which the seed depends.
type edgesSource struct{ of *seed }

// Name returns the name of the source in rank.Table.
func (edgesSource) Name() string { return rank.FromEdges }

// Signals fills the features of this source for all candidates.
func (s edgesSource) Signals(_ context.Context, _ *rank.Query, set *rank.Set) error {
	out, err := s.of.view.Index.EdgesFrom(s.of.file.ID)
	if err != nil {
		return err
	}
	in, err := s.of.view.Index.EdgesTo(s.of.file.ID)
	if err != nil {
		return err
	}
	for _, e := range out[:min(len(out), maxRankEdges)] {
		f, err := s.of.view.FileByID(e.Target)
		if err != nil {
			return err
		}
		s.edge(set, f.Path, e, edgeWeight(int(f.Dependents)), rank.ImportedBySeed)
	}
	for _, e := range in[:min(len(in), maxRankEdges)] {
		n, _ := s.of.view.Lookup.NodeByID(e.Source)
		s.edge(set, n.Path, e, edgeWeight(len(in)), rank.ImportsSeed)
	}
	return nil
}

// edgeWeight returns the weight of one of the n dependencies of a file. The more there are, the less each counts.
func edgeWeight(n int) float64 { return 1 / (1 + math.Log2(1+float64(n)/4)) }

func (s edgesSource) edge(set *rank.Set, p string, e store.EdgeRow, worth float64, imports rank.Feature) {
	if e.Confidence == code.Ambiguous {
		worth /= 2
	}
	switch e.Relation {
	case code.RelImports:
		s.of.note(set, p, imports, worth)
	case code.RelTests:
		s.of.note(set, p, rank.TestEdge, worth)
	case code.RelMentions:
		s.of.note(set, p, imports, worth/4)
	default:
		s.of.note(set, p, rank.UseEdge, worth)
	}
}

// rareNamesSource finds the files that use the same rarely used names as the seed.
type rareNamesSource struct{ of *seed }

// Name returns the name of the source in rank.Table.
func (rareNamesSource) Name() string { return rank.FromNames }

// Signals fills the features of this source for all candidates.
func (s rareNamesSource) Signals(_ context.Context, _ *rank.Query, set *rank.Set) error {
	names, err := s.names()
	if err != nil {
		return err
	}
	index, score := s.of.view.Index, map[int64]float64{}
	for _, name := range names[:min(len(names), maxRankNames)] {
		count, err := index.NameCount(name)
		if err != nil {
			return err
		}
		if count.Files == 0 || count.Files > rareFiles {
			continue
		}
		ids, err := index.Referrers(name)
		if err != nil {
			return err
		}
		for _, id := range ids {
			score[id] += 1 / float64(1+len(ids))
		}
	}
	for id, v := range score {
		n, _ := s.of.view.Lookup.NodeByID(id)
		s.of.note(set, n.Path, rank.RareNames, v/(v+1))
	}
	return nil
}

// names returns the names that the seed uses or declares. Long names come first, because they are rare.
func (s rareNamesSource) names() ([]string, error) {
	home, err := s.of.view.Site(s.of.file.ID)
	if err != nil || home.Packed == nil {
		return nil, err
	}
	refs, err := home.Packed.AllRefs()
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for i := range refs {
		names[refs[i].Name] = true
	}
	rows, err := s.of.view.Index.Symbols(s.of.file.ID)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		if !rows[i].Kind.IsText() {
			names[rows[i].Name] = true
		}
	}
	out := make([]string, 0, len(names))
	for name := range names {
		out = append(out, name)
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return out, nil
}

// namedWeights holds the weights of kinds of companions, by how often such files change together.
var namedWeights = map[string]float64{
	filename.CompanionTest: 1, filename.CompanionSubject: 1, filename.CompanionHeader: 1, filename.CompanionTypes: 1, filename.CompanionGenerated: 0.8, filename.CompanionSnapshot: 0.8,
	filename.CompanionFixture: 0.6, filename.CompanionStyle: 0.6, filename.CompanionTemplate: 0.6, filename.CompanionLayer: 0.6, filename.CompanionVariant: 0.6, filename.CompanionMock: 0.6, filename.CompanionSame: 0.6,
	filename.CompanionFactory: 0.5, filename.CompanionStory: 0.5,
}

// otherCompanion is the weight of the kinds that are not in namedWeights.
const otherCompanion = 0.3

// companionsSource finds the files that belong to the seed by their names, such as its test.
type companionsSource struct{ of *seed }

// Name returns the name of the source in rank.Table.
func (companionsSource) Name() string { return rank.FromCompanions }

// Signals fills the features of this source for all candidates.
func (s companionsSource) Signals(ctx context.Context, _ *rank.Query, set *rank.Set) error {
	list, err := s.of.names.Companions(ctx, []string{s.of.path})
	for _, c := range list {
		s.of.note(set, c.Path, rank.Companion, cmp.Or(namedWeights[c.Kind], otherCompanion)*float64(1+c.Near)/4)
	}
	return err
}

// directorySource finds the files in the directory of the seed.
type directorySource struct{ of *seed }

// Name returns the name of the source in rank.Table.
func (directorySource) Name() string { return rank.FromDirectory }

// Signals fills the features of this source for all candidates.
func (s directorySource) Signals(_ context.Context, _ *rank.Query, set *rank.Set) error {
	list, err := s.of.view.Index.FilesIn(code.Dir(s.of.path))
	if err != nil {
		return err
	}
	for _, f := range list[:min(len(list), maxRankDirectory)] {
		s.of.note(set, f.Path, rank.SameDirectory, 2/(1+math.Sqrt(float64(len(list)))))
	}
	return nil
}
