package memories

import (
	"slices"

	"ken/internal/engine/view"
	"ken/internal/knowledge/memory"
)

// Terms returns the words of a text that carry meaning, as sorted hash numbers.
func Terms(text string) (out []uint64) {
	skip := map[uint64]bool{}
	for _, t := range view.MessageTerms(memory.Common, 1) {
		skip[uint64(t.Term)] = true
	}
	for _, t := range view.MessageTerms(text, 1) {
		if !skip[uint64(t.Term)] {
			out = append(out, uint64(t.Term))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
