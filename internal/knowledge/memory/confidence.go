package memory

import (
	"math"
	"time"
)

// trustRule holds the confidence in an item of a kind before there is evidence, and the number of days without evidence
// after which the confidence is half. Texts that a person wrote last longer than items that ken counted.
type trustRule struct {
	prior float64
	half  float64
}

func kindTrust(k Kind) trustRule {
	switch k {
	case Decision:
		return trustRule{0.6, 365}
	case Note:
		return trustRule{0.5, 180}
	case Outcome:
		return trustRule{0.5, 180}
	default:
		return trustRule{0.4, 90}
	}
}

const (
	// priorWeight is the number of pieces of evidence that the initial confidence is worth.
	priorWeight = 2
	// LeastConfidence is the lower bound for neglect: an item without contradiction never becomes worthless.
	LeastConfidence = 0.05
)

// Confidence returns how far an item can be trusted at a time, 0 to 1. It rises with evidence for it, each piece a little
// less than the one before, falls with evidence against it, and decays with the time since the last evidence or since the
// item was written. It is a function of stored values, so neither reading nor consolidating often changes it.
func (it *Item) Confidence(now time.Time) float64 {
	t := kindTrust(it.Kind)
	c := (priorWeight*t.prior + float64(it.For)) / (priorWeight + float64(it.For+it.Against))
	since := it.At
	if it.Last.After(since) {
		since = it.Last
	}
	if days := now.Sub(since).Hours() / 24; days > 0 && !since.IsZero() {
		c *= math.Exp2(-days / t.half)
	}
	return max(c, LeastConfidence)
}

// doubtWeight is the largest share of a score that evidence against an item takes.
const doubtWeight = 0.6

// doubtFactor returns the share of its score that an item keeps despite evidence against it. A contradicted item may fit a
// query better than the correct one, because it is about the same, so it loses more than its confidence.
func (it *Item) doubtFactor() float64 {
	return 1 - doubtWeight*float64(it.Against)/float64(it.For+it.Against+1)
}

// Worth returns the value by which items are kept when there are too many. Trusted, central and used items are worth more,
// texts of a person more than counted ones, and items about removed code little.
func (it *Item) Worth(now time.Time) float64 {
	w := it.Confidence(now) + 0.3*it.Rank + 0.2*float64(it.Used)/float64(it.Used+3)
	switch it.Kind {
	case Decision, Note:
		w++
	case Outcome:
		w += 0.3
	}
	w *= it.doubtFactor()
	if it.Gone {
		w /= 10
	}
	return w
}
