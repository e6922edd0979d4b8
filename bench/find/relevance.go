package main

import (
	"fmt"
	"slices"

	"ken/internal/ask/find"
)

// A guarded task rates symbols in three tiers by the score of their file as a share of the best score (delivery/tasks). The cut points
// are fitted here: a FACT need not be looked at, so at least half of such files have to be right; a REJECTED file does not count, so it
// may be at most a tenth of the ranked right files.
const (
	leastRight = 0.5
	mostLost   = 0.1
	ratedFiles = 50 // that are ranked to rate by
)

// ratedFile is a file of an answer: its score as a share of the best, and whether it was changed for the task.
type ratedFile struct {
	Share float64
	Right bool
}

// rateFiles returns the files of an answer with their scores as shares of the best one.
func rateFiles(t *task, found *find.Found) (out []ratedFile) {
	for i := range found.Files[:min(len(found.Files), ratedFiles)] {
		f := &found.Files[i]
		if top := found.Files[0].Score; top > 0 {
			out = append(out, ratedFile{f.Score / top, slices.Contains(t.Gold, f.Path)})
		}
	}
	return out
}

// countAbove counts the files whose share is at least a cut point, and those of them that are right.
func countAbove(all []taskResult, cut float64) (files, right int) {
	for i := range all {
		for _, r := range all[i].Rated {
			if r.Share >= cut {
				files++
				if r.Right {
					right++
				}
			}
		}
	}
	return files, right
}

// fitCutPoints returns the cut points: the lowest share from which on files are right often enough, and the highest below which few right
// ones are.
func fitCutPoints(all []taskResult) (fact, risk float64) {
	_, ranked := countAbove(all, 0)
	fact = 1
	for k := 20; k >= 0; k-- {
		cut := float64(k) / 20
		files, right := countAbove(all, cut)
		if float64(right) >= leastRight*float64(files) {
			fact = cut
		}
		if risk == 0 && float64(ranked-right) <= mostLost*float64(ranked) {
			risk = cut
		}
	}
	return fact, min(risk, fact)
}

// measureRelevance prints how often files of a share are right, the cut points that follow, and how those fitted on every second
// repository do on the others.
func (b *bench) measureRelevance() error {
	b.plain = true // as delivery/tasks asks
	all, err := b.runTasks()
	if err != nil {
		return err
	}
	var gold int
	for i := range all {
		gold += len(all[i].Gold)
	}
	_, ranked := countAbove(all, 0)
	fmt.Printf("%d tasks, %d right files, %d of them among the %d best\n\n", len(all), gold, ranked, ratedFiles)
	fmt.Println("| share of the best score | files | right | of the ranked right ones |\n|---|---|---|---|")
	for k := 20; k >= 1; k-- {
		cut := float64(k) / 20
		files, right := countAbove(all, cut)
		fmt.Printf("| ≥ %.2f | %d | %.3f | %.3f |\n", cut, files, share(right, files), share(right, ranked))
	}
	fact, risk := fitCutPoints(all)
	fmt.Printf("\nFACT from %.2f, REJECTED below %.2f\n", fact, risk)
	var repos []string
	for i := range all {
		if !slices.Contains(repos, all[i].Repo) {
			repos = append(repos, all[i].Repo)
		}
	}
	slices.Sort(repos)
	for half := range 2 {
		var in, out []taskResult
		for i := range all {
			if slices.Index(repos, all[i].Repo)%2 == half {
				in = append(in, all[i])
			} else {
				out = append(out, all[i])
			}
		}
		fact, risk := fitCutPoints(in)
		files, right := countAbove(out, fact)
		_, kept := countAbove(out, risk)
		_, ranked := countAbove(out, 0)
		fmt.Printf("fitted on half %d: FACT from %.2f, REJECTED below %.2f; on the other half %.3f of the FACTs are right, %.3f of the right ones are REJECTED\n",
			half+1, fact, risk, share(right, files), 1-share(kept, ranked))
	}
	return nil
}

// share returns a part of a whole, or 0 of nothing.
func share(part, whole int) float64 { return float64(part) / float64(max(whole, 1)) }
