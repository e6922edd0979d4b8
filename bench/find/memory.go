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

// leastTasks is the number of tasks that a repository must have to count, because its memory is empty at first.
const leastTasks = 10

// maxPurposes is the number of first files of an answer whose purposes are compared with the query.
const maxPurposes = 64

// similarPurposes returns the derived purposes of the first files of an answer that are similar to the query.
func similarPurposes(ctx context.Context, s *view.Snapshot, t *task, found *find.Found) (k find.Known, err error) {
	x := memory.NewIndex()
	for i := range found.Files[:min(len(found.Files), maxPurposes)] {
		f := &found.Files[i]
		p, err := purpose.FilePurpose(ctx, s, &f.File)
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

// knowledgeVariant is a kind of knowledge that is added to the ranking, with the features it fills.
type knowledgeVariant struct {
	name   string
	source string
	of     func(o *taskResult) *taskResult // the result of a task with it
	points [2]float64                      // of Acc@5, its repository left out
}

// histories are the two ways in which tasks are run.
var histories = [2]string{"without history", "with history"}

// fillsFeature reports whether the variant fills a feature that has data to be fitted to.
func (v *knowledgeVariant) fillsFeature(f rank.Feature) bool {
	return rank.Table[f].Source == v.source && f != rank.Agreed
}

func (b *bench) measureMemory() error {
	var runs [2][]taskResult // without and with history
	work := b.work
	for i, past := range []bool{false, true} {
		b.past, b.remember, b.work = past, true, filepath.Join(work, fmt.Sprintf("history-%v", past))
		if err := os.MkdirAll(b.work, 0o755); err != nil {
			return err
		}
		var err error
		if runs[i], err = b.runTasks(); err != nil {
			return err
		}
	}
	list := []knowledgeVariant{
		{name: "ken find with a memory of earlier tasks", source: rank.FromEarlier, of: func(o *taskResult) *taskResult { return o.With }},
		{name: "ken find with the purposes of files", source: rank.FromSaid, of: func(o *taskResult) *taskResult { return o.Purposes }},
	}
	var missed []string
	for i := range list {
		left := list[i].printReport(runs)
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

// accuracyChange returns by how many points of Acc@5, and by how many tasks, the variant changes the results.
func (v *knowledgeVariant) accuracyChange(all []taskResult) (points float64, tasks int) {
	for i := range all {
		tasks += boolToInt(allWithin(v.of(&all[i]), 5)) - boolToInt(allWithin(&all[i], 5))
	}
	return 100 * float64(tasks) / float64(max(1, len(all))), tasks
}

// missedBounds returns the bounds that the variant misses if each repository is ranked without having been fitted to.
func (v *knowledgeVariant) missedBounds(left [2][]taskResult) (out []string) {
	for i, least := range []float64{leastWithout, leastWith} {
		if v.points[i] < least {
			out = append(out, fmt.Sprintf("%+.2f points %s, at least %+.1f", v.points[i], histories[i], least))
		}
		by := map[string][]taskResult{}
		for k := range left[i] {
			by[left[i][k].Lang] = append(by[left[i][k].Lang], left[i][k])
		}
		for _, lang := range slices.Sorted(maps.Keys(by)) {
			points, tasks := v.accuracyChange(by[lang])
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

// printReport prints the changes of a variant, and returns the outcomes with their
// repository left out of the fit.
func (v *knowledgeVariant) printReport(runs [2][]taskResult) (left [2][]taskResult) {
	fmt.Println(v.name)
	all := v.rankLeftOut(runs)
	for i, title := range histories {
		left[i] = withEnoughTasks(all[i])
		v.points[i], _ = v.accuracyChange(left[i])
		for k, kept := range [][]taskResult{withEnoughTasks(runs[i]), left[i]} {
			fmt.Printf(" %s, %s\n", title, []string{"weights of the table", "its repository left out"}[k])
			v.printChanges("all", kept, func(*taskResult) string { return "" })
			v.printChanges("lang", kept, func(o *taskResult) string { return o.Lang })
			v.printChanges("repo", kept, func(o *taskResult) string { return o.Repo })
		}
	}
	column := rank.Column(rank.Find)
	w := train.Fit(v.newSamples(runs, true, column), v.fixedWeights(column, nil))
	fmt.Println(" weights fitted to all, those of the other features as in the table")
	for k, f := range column {
		if v.fillsFeature(f) {
			fmt.Printf("  %-24s %6.2f  now %6.2f\n", rank.Table[f].Name, w[k], rank.Table[f].Find.Value)
		}
	}
	return left
}

// withEnoughTasks returns the outcomes of repositories with tasks enough.
func withEnoughTasks(all []taskResult) []taskResult {
	tasks := map[string]int{}
	for i := range all {
		tasks[all[i].Repo]++
	}
	return slices.DeleteFunc(slices.Clone(all), func(o taskResult) bool { return tasks[o.Repo] < leastTasks })
}

// fixedWeights returns options that fit only the weights of the variant's features; the other weights
// are given, or are those of the table.
func (v *knowledgeVariant) fixedWeights(column []rank.Feature, given []float64) train.Options {
	o := train.DefaultOptions(rank.Find, column, []int{5, 10})
	for k, f := range column {
		if v.fillsFeature(f) {
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

// newSamples returns the rankings of all runs as samples: with the variant, or without it.
func (v *knowledgeVariant) newSamples(runs [2][]taskResult, with bool, column []rank.Feature) (out []train.Sample) {
	for i := range runs {
		for k := range runs[i] {
			o := &runs[i][k]
			switch {
			case with:
				out = append(out, newSample(o, v.of(o).Trace, column))
			case i == 1:
				out = append(out, newSample(o, o.Trace, column))
			}
		}
	}
	return out
}

// leftOutParts is the number of parts into which the repositories are divided for cross-validation: each part is ranked by weights fitted
// to the others, as train.MeasureLeftOut does.
const leftOutParts = 10

// rankLeftOut ranks the files of every task by weights that were fitted without the task's repository.
func (v *knowledgeVariant) rankLeftOut(runs [2][]taskResult) (out [2][]taskResult) {
	var repos []string
	for i := range runs[0] {
		repos = append(repos, runs[0][i].Repo)
	}
	slices.Sort(repos)
	repos = slices.Compact(repos)
	column := rank.Column(rank.Find)
	for part := range min(leftOutParts, len(repos)) {
		held := func(o *taskResult) bool { k, _ := slices.BinarySearch(repos, o.Repo); return k%leftOutParts == part }
		var rest [2][]taskResult
		for i := range runs {
			rest[i] = slices.DeleteFunc(slices.Clone(runs[i]), func(o taskResult) bool { return held(&o) })
		}
		plain := train.DefaultOptions(rank.Find, column, []int{5, 10})
		for k, f := range column {
			if rank.Table[f].Source == rank.FromEarlier {
				plain.Origins[k] = rank.ByHand // they are 0 in these samples
			}
		}
		base := train.Fit(v.newSamples(rest, false, column), plain)
		all := train.Fit(v.newSamples(rest, true, column), v.fixedWeights(column, base))
		for i := range runs {
			for k := range runs[i] {
				if o := runs[i][k]; held(&o) {
					with := taskResult{Ranks: goldRanks(&o, v.of(&o).Trace, column, all)}
					o.Ranks, o.With, o.Purposes = goldRanks(&o, o.Trace, column, base), &with, &with
					out[i] = append(out[i], o)
				}
			}
		}
	}
	return out
}

// goldRanks returns the positions of the right files in a ranking by the weights w.
func goldRanks(o *taskResult, trace []find.FoundTrace, column []rank.Feature, w []float64) (out []int) {
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

// printChanges prints the changes that the variant makes, by groups of tasks with the same key.
func (v *knowledgeVariant) printChanges(title string, all []taskResult, key func(*taskResult) string) {
	by := map[string][]taskResult{}
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
				a, b := allWithin(&list[i], k), allWithin(v.of(&list[i]), k)
				was, now = was+boolToInt(a), now+boolToInt(b)
				up, down = up+boolToInt(b && !a), down+boolToInt(a && !b)
			}
			fmt.Printf("  @%d %5.1f %+5.2f", k, 100*float64(was)/n, 100*float64(now-was)/n)
			if k == 5 {
				fmt.Printf(" (+%d −%d)", up, down)
			}
		}
		fmt.Println()
	}
}

func boolToInt(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
