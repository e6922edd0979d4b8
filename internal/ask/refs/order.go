package refs

import (
	"slices"

	"ken/internal/engine/view"
)

// BySurety orders references, the surest first, then by place; those through a
// member above come after those bound by a name that is unique.
func BySurety(list []view.Reference) {
	slices.SortStableFunc(list, func(a, b view.Reference) int { return rank(&b) - rank(&a) })
}

func rank(r *view.Reference) int {
	n := 2 * int(r.Confidence)
	if r.Through != "" {
		n--
	}
	return n
}
