package history

import (
	"cmp"
	"math/bits"
	"slices"
)

// maxScoredTerms is the number of a query's terms that are counted per file: one bit of a word each.
const maxScoredTerms = 64

// heaviest assigns a bit to each of the terms with the largest weights, by
// index in the list, and -1 to the others.
func heaviest(terms []Query) []int8 {
	order := make([]int, len(terms))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(terms[b].Weight, terms[a].Weight) })
	out := make([]int8, len(terms))
	for rank, i := range order {
		out[i] = -1
		if rank < maxScoredTerms {
			out[i] = int8(rank)
		}
	}
	return out
}

// MessageScores scores files, by index in paths, by the messages of all commits that changed them: BM25 as if those were
// one text, each word counted once per commit. LearnedFiles starts from the few commits most similar to the query; this
// also finds files of many commits that each are a little similar. It returns an error if the history cannot be read.
func (v *View) MessageScores(terms []Query, paths []string) ([]float64, error) {
	if err := v.scoreCommits(terms); err != nil || v.withTerms == 0 {
		return make([]float64, len(paths)), err
	}
	place, err := v.places(paths)
	if err != nil {
		return nil, err
	}
	counts, length := make([][maxScoredTerms]uint16, len(paths)), make([]float64, len(paths))
	for i, mask := range v.heldTerms {
		for _, f := range v.changedFiles(i) {
			p := int(place[f]) - 1
			if p < 0 {
				continue
			}
			length[p] += float64(v.size[i])
			for m := mask; m != 0; m &= m - 1 {
				counts[p][bits.TrailingZeros64(m)]++
			}
		}
	}
	sum, files := 0.0, 0
	for _, l := range length {
		if l > 0 {
			sum += l
			files++
		}
	}
	out := make([]float64, len(counts))
	for p := range counts {
		norm := k1 * (0.25 + 0.75*length[p]/(sum/float64(max(files, 1))+1))
		for k, n := range counts[p] {
			if n > 0 {
				out[p] += v.termWeight[k] * float64(n) * (k1 + 1) / (float64(n) + norm)
			}
		}
	}
	return out, nil
}
