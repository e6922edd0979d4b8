package memory

import (
	"math"
	"time"
)

// trust is what an item of a kind is taken for before there is evidence, and after how many days without any it is
// believed half as much. What a person wrote lasts longer than what was counted.
type trust struct {
	prior float64
	half  float64
}

func trustOf(k Kind) trust {
	switch k {
	case Decision:
		return trust{0.6, 365}
	case Note:
		return trust{0.5, 180}
	case Outcome:
		return trust{0.5, 180}
	default:
		return trust{0.4, 90}
	}
}

const (
	// priorWeight is for how many pieces of evidence the prior counts.
	priorWeight = 2
	// LeastConfidence is where neglect ends: what nobody contradicted is never worth nothing.
	LeastConfidence = 0.05
)

// Confidence is how far an item can be trusted at a time, 0 to 1. It rises with evidence for it, each piece a little less
// than the one before, falls with evidence against it, and decays with the time since the last evidence, or since it was
// written down. It is a function of what is stored, so that asking often, or consolidating often, changes nothing.
func (it *Item) Confidence(now time.Time) float64 {
	t := trustOf(it.Kind)
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

// doubtWeight is how much of a score evidence against an item takes at most.
const doubtWeight = 0.6

// undoubted is what evidence against an item leaves of its score. What was contradicted may fit a query better than what is
// right, because it is about the same, so it loses more than its confidence.
func (it *Item) undoubted() float64 {
	return 1 - doubtWeight*float64(it.Against)/float64(it.For+it.Against+1)
}

// Worth is by what items are kept when there are too many: what can be trusted, is central or was used is worth more, what
// a person wrote more than what was counted, and what is about removed code little.
func (it *Item) Worth(now time.Time) float64 {
	w := it.Confidence(now) + 0.3*it.Rank + 0.2*float64(it.Used)/float64(it.Used+3)
	switch it.Kind {
	case Decision, Note:
		w++
	case Outcome:
		w += 0.3
	}
	w *= it.undoubted()
	if it.Gone {
		w /= 10
	}
	return w
}
