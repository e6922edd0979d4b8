package find

import (
	"math"
	"path"

	"ken/internal/engine/search"
)

// maxGiven is the number of candidates that are taken for likely.
const maxGiven = 6

// given rates the candidates by those that are likely right: what the past changed
// with them, and what is written in their language. Likely is a softmax over the scores so far, which is what the weights were
// fitted for.
func (f *finder) given() error {
	order := f.order()
	order = order[:min(maxGiven, len(order))]
	if len(order) == 0 {
		return nil
	}
	chance := make([]float32, len(order))
	sum := float32(0)
	best := f.feats[order[0]].Score()
	for k, i := range order {
		chance[k] = float32(math.Exp(float64(f.feats[i].Score() - best)))
		sum += chance[k]
	}
	paths := make([]string, len(f.cands))
	for i := range f.cands {
		paths[i] = f.cands[i].file.Path
	}
	lift, err := f.s.Lift(paths, order)
	if err != nil {
		return err
	}
	for k, j := range order {
		for i := range paths {
			if path.Ext(paths[i]) == path.Ext(paths[j]) {
				f.feats[i][search.FSameExt] += chance[k] / sum
			}
		}
	}
	for k := range lift {
		for i, l := range lift[k] {
			f.feats[i][search.FTogether] += chance[k] / sum * float32(l)
		}
	}
	search.Relative(f.feats, search.FTogether)
	return nil
}
