package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/bench/rank/train"
	"ken/internal/ask/find"
	"ken/internal/ask/rank"
	"ken/internal/engine/view"
	"ken/internal/knowledge/memory"
	"ken/internal/knowledge/purpose"
)

// A memory changes answers: the tasks of a repository are taken in the order of the commits they begin from, and each earlier one is
// remembered as one outcome that was right, with its text and its right files. Every task is asked without and with that memory, once
// over an index without history and once over one with it. The same is done with the purposes that are derived for the first files of an
// answer.
//
// "left out" are weights that have not seen the repository: those of the features without a memory are fitted to the other repositories,
// with their histories, and then, with these fixed, those of the features of a memory. "table" are the weights of rank.Table.

// leastTasks is how many tasks a repository must have to count: a memory is empty at first.
const leastTasks = 10

// maxPurposes is of how many first files of an answer the purposes are compared with a query.
const maxPurposes = 64

// purposes are the derived purposes of the first files of an answer, as far as they are like a query.
func purposes(ctx context.Context, s *view.Snapshot, t *task, found *find.Found) (k find.Known, err error) {
	x := memory.NewIndex()
	for i := range found.Files[:min(len(found.Files), maxPurposes)] {
		f := &found.Files[i]
		p, err := purpose.Of(ctx, s, &f.File)
		if err != nil {
			return k, err
		}
		if p.Text != "" {
			x.Add(memory.Item{Kind: memory.Note, Subject: f.Path, Text: p.Text, At: t.at})
		}
	}
	for _, h := range x.Match(memory.Query{Text: t.Query, Now: t.at}, 0) {
		k.Said = append(k.Said, find.Said{Path: h.Item.Subject, Like: h.Reason.Relevance, Text: h.Item.Text})
	}
	return k, nil
}

// variant is something that is added to an answer, with the source of the features it fills.
type variant struct {
	name   string
	source string
	of     func(o *outcome) *outcome // the result of a task with it
	points [2]float64                // of Acc@5, its repository left out
}

// histories are the two ways in which tasks are run.
var histories = [2]string{"without history", "with history"}

// fills reports whether a feature is filled by the variant and has something to be fitted to.
func (v *variant) fills(f rank.Feature) bool {
	return rank.Table[f].Source == v.source && f != rank.Agreed
}

func (b *bench) memory() error {
	var runs [2][]outcome // without and with history
	work := b.work
	for i, past := range []bool{false, true} {
		b.past, b.remember, b.work = past, true, filepath.Join(work, fmt.Sprintf("history-%v", past))
		if err := os.MkdirAll(b.work, 0o755); err != nil {
			return err
		}
		var err error
		if runs[i], err = b.outcomes(); err != nil {
			return err
		}
	}
	list := []variant{
		{name: "ken find with a memory of earlier tasks", source: rank.FromEarlier, of: func(o *outcome) *outcome { return o.With }},
		{name: "ken find with the purposes of files", source: rank.FromSaid, of: func(o *outcome) *outcome { return o.Purposes }},
	}
	var missed []string
	for i := range list {
		left := list[i].report(runs)
		if i == 0 {
			missed = list[i].missedBounds(left)
		}
	}
	for _, v := range list {
		fmt.Printf("%s: Acc@5 %+.2f points %s, %+.2f %s\n", v.name, v.points[0], histories[0], v.points[1], histories[1])
	}
	if len(missed) > 0 {
		return errors.New("a memory misses its bounds: " + strings.Join(missed, "; "))
	}
	return nil
}

// The bounds of a memory, in points of Acc@5: without history, with it, and in each language
// of many tasks. In a smaller one at most one task may be lost.
const (
	leastWithout  = 2.0
	leastWith     = -0.3
	leastLanguage = -1.0
	manyTasks     = 40
)

// change is by how many points of Acc@5 and how many tasks the variant changes some outcomes.
func (v *variant) change(all []outcome) (points float64, tasks int) {
	for i := range all {
		tasks += count(within(v.of(&all[i]), 5)) - count(within(&all[i], 5))
	}
	return 100 * float64(tasks) / float64(max(1, len(all))), tasks
}

// missedBounds are the bounds that a variant misses, with its repository left out.
func (v *variant) missedBounds(left [2][]outcome) (out []string) {
	for i, least := range []float64{leastWithout, leastWith} {
		if v.points[i] < least {
			out = append(out, fmt.Sprintf("%+.2f points %s, at least %+.1f", v.points[i], histories[i], least))
		}
		by := map[string][]outcome{}
		for k := range left[i] {
			by[left[i][k].Lang] = append(by[left[i][k].Lang], left[i][k])
		}
		for _, lang := range slices.Sorted(maps.Keys(by)) {
			points, tasks := v.change(by[lang])
			missed := points < leastLanguage
			if len(by[lang]) < manyTasks {
				missed = tasks < -1
			}
			if missed {
				out = append(out, fmt.Sprintf("%s %+.2f points %s", lang, points, histories[i]))
			}
		}
	}
	return out
}

// report prints the changes of a variant, and returns the outcomes with their
// repository left out of the fit.
func (v *variant) report(runs [2][]outcome) (left [2][]outcome) {
	fmt.Println(v.name)
	all := v.leaveOut(runs)
	for i, title := range histories {
		left[i] = enough(all[i])
		v.points[i], _ = v.change(left[i])
		for k, kept := range [][]outcome{enough(runs[i]), left[i]} {
			fmt.Printf(" %s, %s\n", title, []string{"weights of the table", "its repository left out"}[k])
			v.compare("all", kept, func(*outcome) string { return "" })
			v.compare("lang", kept, func(o *outcome) string { return o.Lang })
			v.compare("repo", kept, func(o *outcome) string { return o.Repo })
		}
	}
	column := rank.Column(rank.Find)
	w := train.Fit(v.samples(runs, true, column), v.fixedWeights(column, nil))
	fmt.Println(" weights fitted to all, those of the other features as in the table")
	for k, f := range column {
		if v.fills(f) {
			fmt.Printf("  %-24s %6.2f  now %6.2f\n", rank.Table[f].Name, w[k], rank.Table[f].Find.Value)
		}
	}
	return left
}

// enough returns the outcomes of repositories with tasks enough.
func enough(all []outcome) []outcome {
	tasks := map[string]int{}
	for i := range all {
		tasks[all[i].Repo]++
	}
	return slices.DeleteFunc(slices.Clone(all), func(o outcome) bool { return tasks[o.Repo] < leastTasks })
}

// fixedWeights are the options that fit the features of a variant alone; the weights of the others are
// given, or are those of the table.
func (v *variant) fixedWeights(column []rank.Feature, given []float64) train.Options {
	o := train.DefaultOptions(rank.Find, column, []int{5, 10})
	for k, f := range column {
		if v.fills(f) {
			o.Origins[k] = rank.Positive
			continue
		}
		o.Origins[k] = rank.ByHand
		if given != nil {
			o.Start[k] = given[k]
		}
	}
	return o
}

// samples are the traces of all runs with the variant, or of those with history without it.
func (v *variant) samples(runs [2][]outcome, with bool, column []rank.Feature) (out []train.Sample) {
	for i := range runs {
		for k := range runs[i] {
			o := &runs[i][k]
			switch {
			case with:
				out = append(out, sample(o, v.of(o).Trace, column))
			case i == 1:
				out = append(out, sample(o, o.Trace, column))
			}
		}
	}
	return out
}

// parts is in how many parts the repositories are dealt out, as train.LeftOut does.
const parts = 10

// leaveOut ranks every task by weights that were fitted without its repository.
func (v *variant) leaveOut(runs [2][]outcome) (out [2][]outcome) {
	var repos []string
	for i := range runs[0] {
		repos = append(repos, runs[0][i].Repo)
	}
	slices.Sort(repos)
	repos = slices.Compact(repos)
	column := rank.Column(rank.Find)
	for part := range min(parts, len(repos)) {
		held := func(o *outcome) bool { k, _ := slices.BinarySearch(repos, o.Repo); return k%parts == part }
		var rest [2][]outcome
		for i := range runs {
			rest[i] = slices.DeleteFunc(slices.Clone(runs[i]), func(o outcome) bool { return held(&o) })
		}
		plain := train.DefaultOptions(rank.Find, column, []int{5, 10})
		for k, f := range column {
			if rank.Table[f].Source == rank.FromEarlier {
				plain.Origins[k] = rank.ByHand // they are 0 in these samples
			}
		}
		base := train.Fit(v.samples(rest, false, column), plain)
		all := train.Fit(v.samples(rest, true, column), v.fixedWeights(column, base))
		for i := range runs {
			for k := range runs[i] {
				if o := runs[i][k]; held(&o) {
					with := outcome{Ranks: goldRanks(&o, v.of(&o).Trace, column, all)}
					o.Ranks, o.With, o.Purposes = goldRanks(&o, o.Trace, column, base), &with, &with
					out[i] = append(out[i], o)
				}
			}
		}
	}
	return out
}

// goldRanks returns the places of the right files by some weights.
func goldRanks(o *outcome, trace []find.FoundTrace, column []rank.Feature, w []float64) (out []int) {
	order := make([]int, len(trace))
	scores := make([]float32, len(trace))
	for i := range trace {
		order[i] = i
		for k, f := range column {
			scores[i] += float32(w[k]) * float32(trace[i].Features[f])
		}
	}
	slices.SortFunc(order, func(x, y int) int {
		return cmp.Or(cmp.Compare(scores[y], scores[x]), strings.Compare(trace[x].Path, trace[y].Path))
	})
	for _, g := range o.Gold {
		out = append(out, 1+slices.IndexFunc(order, func(i int) bool { return trace[i].Path == g }))
	}
	return out
}

// compare prints the changes of the variant, by groups.
func (v *variant) compare(title string, all []outcome, key func(*outcome) string) {
	by := map[string][]outcome{}
	for i := range all {
		by[key(&all[i])] = append(by[key(&all[i])], all[i])
	}
	for _, name := range slices.Sorted(maps.Keys(by)) {
		list := by[name]
		n := float64(len(list))
		fmt.Printf("  %-4s %-28s n %3d", title, name, len(list))
		for _, k := range []int{1, 3, 5, 10} {
			was, now, up, down := 0, 0, 0, 0
			for i := range list {
				a, b := within(&list[i], k), within(v.of(&list[i]), k)
				was, now = was+count(a), now+count(b)
				up, down = up+count(b && !a), down+count(a && !b)
			}
			fmt.Printf("  @%d %5.1f %+5.2f", k, 100*float64(was)/n, 100*float64(now-was)/n)
			if k == 5 {
				fmt.Printf(" (+%d −%d)", up, down)
			}
		}
		fmt.Println()
	}
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
