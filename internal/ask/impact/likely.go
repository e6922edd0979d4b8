package impact

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"ken/internal/ask/filename"
	"ken/internal/ask/rank"
	"ken/internal/code"
	"ken/internal/engine/view"
)

// ImpactFile is a file that is likely to change together with the targets.
type ImpactFile struct {
	Path  string
	Score float64 // how likely it is, relative to the first, which has 1
	// Why lists the reasons for it, the strongest first.
	Why     []string
	Signals rank.Vector
}

// ImpactFiles ranks the files that are likely to change together with seeds, best first. It combines the history, the graph of
// imports, tests and uses, names and places into one list. With limit 0 it returns all files that have any signal. The model's
// weights were fitted so that a softmax over the scores of all files is the share of future changes that each is expected to have.
// It returns an error if the index or the history cannot be read or ctx ends.
func ImpactFiles(ctx context.Context, s *view.Snapshot, seeds []string, limit int) ([]ImpactFile, error) {
	model := rank.NewModel(rank.Impact)
	out, err := fuse(ctx, s, model, seeds)
	if err != nil {
		return nil, err
	}
	scores := make(map[string]float32, len(out))
	for i := range out {
		scores[out[i].Path] = model.Score(&out[i].Signals)
	}
	slices.SortFunc(out, func(a, b ImpactFile) int {
		return cmp.Or(cmp.Compare(scores[b.Path], scores[a.Path]), cmp.Compare(a.Path, b.Path))
	})
	if limit > 0 {
		out = out[:min(len(out), limit)]
	}
	for i := range out {
		out[i].Score = math.Exp(float64(scores[out[i].Path] - scores[out[0].Path]))
		out[i].Why = whyLikely(model, &out[i].Signals)
	}
	return out, s.Lookup.Err
}

// fuse collects the signals of all seeds into one set. A signal of a file is the strongest that any seed gives, plus a little of the
// others.
func fuse(ctx context.Context, s *view.Snapshot, model *rank.Model, seeds []string) ([]ImpactFile, error) {
	var out []ImpactFile
	at := map[string]int{}
	names, err := filename.NewNames(s)
	if err != nil {
		return nil, err
	}
	for _, path := range seeds {
		set, err := signals(ctx, s, names, model, path, seeds)
		if err != nil {
			return nil, fmt.Errorf("rank what changes with %s: %w", path, err)
		}
		for i, p := range set.Paths() {
			if slices.Contains(seeds, p) {
				continue
			}
			k, ok := at[p]
			if !ok {
				k = len(out)
				at[p] = k
				out = append(out, ImpactFile{Path: p})
			}
			sum := &out[k].Signals
			for f, v := range set.At(i) {
				sum[f] = max(sum[f], v) + min(sum[f], v)/float64(2*len(seeds))
			}
		}
	}
	return out, nil
}

// signals collects the signals of one seed in stages. Texts and names add only their best candidates, but rate those of earlier
// stages; files and places need all candidates.
func signals(
	ctx context.Context, s *view.Snapshot, names *filename.Names, model *rank.Model, path string, seeds []string,
) (*rank.Set, error) {
	file, ok, err := s.Index.FileByPath(path)
	if err != nil {
		return nil, err
	}
	of := &seed{view: s, names: names, path: path, file: file}
	stages := []rank.Stage{{Sources: []rank.Source{historySource{of}}}}
	if ok {
		stages = append(stages,
			rank.Stage{Sources: []rank.Source{textSource{of}, edgesSource{of}, rareNamesSource{of}, companionsSource{of}, directorySource{of}}},
			rank.Stage{Sources: []rank.Source{nameWordsSource{of}}})
	}
	stages = append(stages, rank.Stage{Sources: []rank.Source{fileSource{of}}}, rank.Stage{Sources: []rank.Source{placesSource{}}})
	set := rank.NewSet(model)
	return set, set.Run(ctx, &rank.Query{Seeds: seeds}, stages)
}

// maxLikelyWhy is the number of reasons listed for a file.
const maxLikelyWhy = 4

// whyLikely returns the reasons that contribute at least a tenth of the score of v.
func whyLikely(model *rank.Model, v *rank.Vector) []string {
	strengths := model.Reasons(v, &rank.Vector{})
	total := float64(0)
	for _, s := range strengths {
		total += max(s.Value, 0)
	}
	slices.SortStableFunc(strengths, func(a, b rank.Strength) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.Reason, b.Reason))
	})
	var out []string
	for _, s := range strengths {
		if s.Value <= 0 || s.Value < total/10 || len(out) == maxLikelyWhy {
			break
		}
		out = append(out, string(s.Reason))
	}
	return out
}

// seed is a changed file for which the files that are likely to change with it are ranked.
type seed struct {
	view    *view.Snapshot
	names   *filename.Names // of all paths
	path    string
	file    code.File
	folders map[string]float64 // directories that changed with it
	crowd   map[string]int     // files by directory
}

// note raises feature f of a file to v. If the file is no candidate yet, it becomes one.
func (s *seed) note(set *rank.Set, path string, f rank.Feature, v float64) {
	if path == s.path || path == "" || v <= 0 {
		return
	}
	x := &set.At(set.Add(path))[f]
	*x = max(*x, min(v, 1))
}
