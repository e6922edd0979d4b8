// Package why finds how one part of a repository depends on another: the shortest ways of dependencies from files to files, or of uses from
// symbols to symbols, each step with the place of its first use. Its neighbour ask/refs lists everything that a target reaches.
package why

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"ken/internal/ask/unused"
	"ken/internal/code"
	"ken/internal/engine/view"
)

// End is one end of a question: a folder, "." being the whole tree, or a file or symbols.
type End struct {
	Folder string
	view.Target
}

// Place is a file or, if it has a name, a symbol.
type Place struct {
	Path string
	Name string // qualified
	Kind code.Kind
}

// Step is a dependency of From on To.
type Step struct {
	From, To   Place
	Test       bool          // From holds tests
	Relation   code.Relation // of files
	Has        bool          // To is a member of From, of symbols
	Line       uint32        // of the first use in From, or of the member; 0 if that has no place there
	Used       string        // what From uses most of To, of files
	Uses       int           // how often From uses declarations of To, of files
	Confidence code.Confidence
}

// Way is a list of steps, the To of each being the From of the next.
type Way []Step

// Confidence returns that of the weakest step.
func (w Way) Confidence() code.Confidence {
	least := code.Exact
	for i := range w {
		least = min(least, w[i].Confidence)
	}
	return least
}

// Answer is how one end depends on another.
type Answer struct {
	Ways   []Way // equally long, the surest first
	More   bool  // there are other ways of that length
	Starts int   // files or symbols of the first end from which ways of that length go
	// Doubt is the reason why there may be a way that was not found, nil if there is none. It is looked for if no way was found.
	Doubt *unused.UnseenUse
}

// Limits of a search.
const (
	maxReached = 50000 // places looked at
	maxNamed   = 60000 // references bound on the ways between symbols
	maxDoubted = 200   // places of which is proven that nothing else depends on them
)

// tooMany is the doubt of a search that ended early.
func tooMany() *unused.UnseenUse {
	return &unused.UnseenUse{Kind: unused.UnseenPossible, Detail: "too much depends on it for all to be looked at", Doubt: true}
}

// Between returns at most the given number of shortest ways from one end to the other. Between two symbols it follows uses, else
// dependencies between files; those of tests only if there is no other way. It fails with a code.UsageError if the ends are the same or a
// folder has no file, and if the index cannot be read or ctx ends.
func Between(ctx context.Context, s *view.Snapshot, from, to End, most int) (Answer, error) {
	if len(from.Symbols) > 0 && len(to.Symbols) > 0 {
		return betweenSymbols(ctx, s, from.Symbols, to.Symbols, most)
	}
	return betweenFiles(ctx, s, from, to, most)
}

// link is a step found by a search from the goal backwards. It leads to a place by its id.
type link struct {
	to   int64
	step Step
}

// search goes from a goal backwards, level by level, until a level has starts. Places are ids of files or packed ids of symbols.
type search struct {
	isStart func(int64) bool
	// before adds the places one step before those of a level, each with its link, those of tests only if they are wanted.
	before  func(level []int64, tests bool, add func(from int64, l link)) error
	seen    map[int64]bool
	next    map[int64][]link // towards the goal
	reached int
	named   int // references that were bound
}

// isSpent reports whether a search has looked at so much that it ends.
func (x *search) isSpent() bool { return x.reached >= maxReached || x.named >= maxNamed }

// run returns the starts that it met, ascending. What only tests need is followed if there is no other way.
func (x *search) run(ctx context.Context, goal []int64) (starts []int64, err error) {
	for _, tests := range []bool{false, true} {
		x.seen, x.next, x.reached = map[int64]bool{}, map[int64][]link{}, 0
		for _, n := range goal {
			x.seen[n] = true
		}
		for level := goal; len(level) > 0 && len(starts) == 0 && !x.isSpent(); {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if level, err = x.level(level, tests); err != nil {
				return nil, err
			}
			starts = slices.DeleteFunc(slices.Clone(level), func(n int64) bool { return !x.isStart(n) })
		}
		if len(starts) > 0 || x.isSpent() {
			break
		}
	}
	return starts, nil
}

// level returns the places one step before those of a level that were not seen before, ascending.
func (x *search) level(level []int64, tests bool) (met []int64, err error) {
	err = x.before(level, tests, func(from int64, l link) {
		if x.seen[from] {
			return
		}
		list := x.next[from]
		if list == nil {
			met = append(met, from)
		}
		i := slices.IndexFunc(list, func(o link) bool { return o.to == l.to })
		switch {
		case i < 0:
			x.next[from] = append(list, l)
		case cmp.Or(cmp.Compare(list[i].step.Confidence, l.step.Confidence), cmp.Compare(l.step.Line, list[i].step.Line)) < 0:
			list[i] = l // surer, or as sure and earlier
		}
	})
	slices.Sort(met)
	for _, n := range met {
		x.seen[n] = true
	}
	x.reached += len(met)
	return met, err
}

// ways returns the ways from the starts, the surest first, and whether there are more than the given number. It lists those of one
// confidence after the other, so that the number of all ways, which can grow with each step, does not matter.
func (x *search) ways(starts []int64, most int) (out []Way, more bool) {
	var first []link
	for _, n := range starts {
		first = append(first, x.next[n]...)
	}
	best := map[int64]code.Confidence{} // of the ways from a place
	var surest func(list []link) code.Confidence
	surest = func(list []link) (c code.Confidence) {
		for _, l := range list {
			if _, ok := best[l.to]; !ok {
				best[l.to] = math.MaxUint8
				if next := x.next[l.to]; len(next) > 0 {
					best[l.to] = surest(next)
				}
			}
			c = max(c, min(l.step.Confidence, best[l.to]))
		}
		slices.SortFunc(list, func(a, b link) int { return compareSteps(&a.step, &b.step) })
		return c
	}
	surest(first)
	var walk func(list []link, way Way, least code.Confidence)
	walk = func(list []link, way Way, least code.Confidence) {
		for _, l := range list {
			if len(out) > most {
				return
			}
			if min(l.step.Confidence, best[l.to]) < least {
				continue
			}
			longer := append(slices.Clip(way), l.step)
			if next := x.next[l.to]; len(next) > 0 {
				walk(next, longer, least)
			} else if longer.Confidence() == least {
				out = append(out, longer)
			}
		}
	}
	for _, c := range []code.Confidence{code.Exact, code.ImportResolved, code.UniqueName, code.Ambiguous} {
		walk(first, nil, c)
	}
	return out[:min(len(out), most)], len(out) > most
}

// compareSteps orders steps by place.
func compareSteps(a, b *Step) int {
	return cmp.Or(strings.Compare(a.From.Path, b.From.Path), cmp.Compare(a.Line, b.Line), strings.Compare(a.From.Name, b.From.Name),
		strings.Compare(a.To.Path, b.To.Path), strings.Compare(a.To.Name, b.To.Name))
}
