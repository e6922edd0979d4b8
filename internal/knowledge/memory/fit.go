package memory

// Conditions under which a newer item replaces an older one.
const (
	replacedFactor = 0.6
	// leastFit is the least score of the newer relative to the older.
	leastFit = 0.6
	// trustedMore is the lead in confidence from which on an older item is not replaced.
	trustedMore = 0.15
	// maxSameFile bounds the items about one file that are compared with each other.
	maxSameFile = 24
)

// demoteReplaced lowers, in sorted hits, the scores of notes and decisions that a newer one about the same file replaces: it has
// much the same words and is not trusted much less. A decision that was revised is often closer to a question than the
// revision, so that without this both would be shown. It reports whether there were such.
func demoteReplaced(hits []Hit) bool {
	about := map[string][]int{}
	for i := range hits {
		if it := hits[i].Item; it.Kind == Note || it.Kind == Decision {
			for _, p := range it.Pins {
				if list := about[p.Path()]; len(list) < maxSameFile {
					about[p.Path()] = append(list, i)
				}
			}
		}
	}
	replaced := map[int]bool{}
	for _, list := range about {
		for k, i := range list {
			for _, j := range list[:k] {
				older, newer := i, j
				if hits[i].Item.At.After(hits[j].Item.At) {
					older, newer = j, i
				}
				if hits[older].Item.At.Before(hits[newer].Item.At) && supersedes(&hits[newer], &hits[older]) {
					replaced[older] = true
				}
			}
		}
	}
	for i := range replaced {
		hits[i].Score *= replacedFactor
		hits[i].Reason.Replaced = true
	}
	return len(replaced) > 0
}

// supersedes reports whether a newer item replaces an older one.
func supersedes(newer, older *Hit) bool {
	if newer.Score < leastFit*older.Score {
		return false
	}
	if newer.Item.Gone || newer.Reason.Confidence+trustedMore < older.Reason.Confidence {
		return false
	}
	return Jaccard(newer.grams, older.grams) > LeastSimilar
}

// Limits for items that are shown although the user did not ask for them.
const (
	leastScore = 0.2
	leastShare = 0.65 // of the score of the best
	leastWords = 2    // that query and item share, unless the query names a file that the item is about
)

// WorthShowing returns the hits, best first, that are worth showing although the user did not ask: none about removed code,
// none that a newer one replaces, none that fits much less than the best, and of items drawn from edits only those about
// a file that the query names.
func WorthShowing(hits []Hit, most int) (out []Hit) {
	for i := range hits {
		h := &hits[i]
		if len(out) == most || h.Score < leastScore || h.Score < leastShare*hits[0].Score {
			break
		}
		if h.isWorthShowing() {
			out = append(out, *h)
		}
	}
	return out
}

func (h *Hit) isWorthShowing() bool {
	if h.Item.Gone || h.Reason.Replaced {
		return false
	}
	return len(h.Reason.Files) > 0 || h.Item.Kind != Edit && len(h.Reason.Words) >= leastWords
}
