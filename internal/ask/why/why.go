// Package why finds how one part of a repository depends on another: the shortest ways of dependencies from files to files, or of uses from
// symbols to symbols, each step with the place of its first use. Its neighbour ask/refs lists everything that a target reaches.
package why

import (
	"cmp"
	"context"
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
	Line       uint32        // of the first use in From, 0 if the use has no place
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
	maxCollected = 400   // ways of which the surest are chosen
	maxReached   = 50000 // places looked at
	maxDoubted   = 200   // places of which is proven that nothing else depends on them
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

// link is a step found by a search from the goal backwards.
type link[N cmp.Ordered] struct {
	to   N
	step Step
}

// search goes from a goal backwards, level by level, until a level has starts.
type search[N cmp.Ordered] struct {
	isStart func(N) bool
	seen    map[N]bool
	next    map[N][]link[N] // towards the goal
	reached int
}

// before returns the places one step before those of a level, each with its link, those of tests only if they are wanted.
type before[N cmp.Ordered] func(level []N, tests bool, add func(from N, l link[N])) error

// run returns the starts that it met, in order. What only tests need is followed if there is no other way.
func (x *search[N]) run(ctx context.Context, goal []N, step before[N]) (starts []N, err error) {
	for _, tests := range []bool{false, true} {
		x.seen, x.next, x.reached = map[N]bool{}, map[N][]link[N]{}, 0
		for _, n := range goal {
			x.seen[n] = true
		}
		for level := goal; len(level) > 0 && len(starts) == 0 && x.reached < maxReached; {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if level, err = x.level(level, tests, step); err != nil {
				return nil, err
			}
			starts = slices.DeleteFunc(slices.Clone(level), func(n N) bool { return !x.isStart(n) })
		}
		if len(starts) > 0 {
			break
		}
	}
	return starts, nil
}

// level returns the places one step before those of a level that were not seen before.
func (x *search[N]) level(level []N, tests bool, step before[N]) (met []N, err error) {
	err = step(level, tests, func(from N, l link[N]) {
		if x.seen[from] {
			return
		}
		list := x.next[from]
		if list == nil {
			met = append(met, from)
		}
		i := slices.IndexFunc(list, func(o link[N]) bool { return o.to == l.to })
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

// ways returns the ways from the starts, the surest first, and whether there are more than the given number.
func (x *search[N]) ways(starts []N, most int) (out []Way, more bool) {
	var walk func(n N, way Way)
	walk = func(n N, way Way) {
		if len(x.next[n]) == 0 {
			out = append(out, slices.Clone(way))
			return
		}
		for _, l := range x.next[n] {
			if len(out) == maxCollected {
				more = true
				return
			}
			walk(l.to, append(way, l.step))
		}
	}
	for _, n := range starts {
		walk(n, nil)
	}
	slices.SortStableFunc(out, func(a, b Way) int { return cmp.Or(cmp.Compare(b.Confidence(), a.Confidence()), compareWays(a, b)) })
	return out[:min(len(out), most)], more || len(out) > most
}

func compareWays(a, b Way) int {
	for i := range min(len(a), len(b)) {
		x, y := &a[i], &b[i]
		if c := cmp.Or(strings.Compare(x.From.Path, y.From.Path), cmp.Compare(x.Line, y.Line), strings.Compare(x.From.Name, y.From.Name),
			strings.Compare(x.To.Path, y.To.Path), strings.Compare(x.To.Name, y.To.Name)); c != 0 {
			return c
		}
	}
	return 0
}
