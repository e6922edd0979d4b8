package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"ken/internal/engine/search"
)

// sample is one task: the features of its candidates, right ones first.
type sample struct {
	repo  string
	gold  int // right files, those among the candidates or not
	found int // right candidates: the first of rows
	rows  []search.Features
}

// fit fits the ranker's weights to traced tasks. What it reports first is measured
// on repositories whose tasks were left out of the fit.
func fit(path string, out io.Writer) error {
	all, err := readTrace(path)
	if err != nil {
		return err
	}
	repos := map[string]bool{}
	for _, s := range all {
		repos[s.repo] = true
	}
	total := tally{}
	for repo := range repos {
		var train, test []sample
		for _, s := range all {
			if s.repo == repo {
				test = append(test, s)
			} else {
				train = append(train, s)
			}
		}
		w := learn(train)
		for i := range test {
			total.add(&test[i], &w)
		}
	}
	fmt.Fprintf(out, "left out:  %s\n", total)
	w := learn(all)
	seen := tally{}
	for i := range all {
		seen.add(&all[i], &w)
	}
	fmt.Fprintf(out, "fitted:    %s\n", seen)
	order := make([]int, search.NFeatures)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(math.Abs(float64(w[b])), math.Abs(float64(w[a]))) })
	for _, i := range order {
		fmt.Fprintf(out, "%-16s %6.2f\n", search.FeatureNames[i], w[i])
	}
	return nil
}

// readTrace reads what -trace wrote.
func readTrace(path string) ([]sample, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 64<<20)
	in.Scan() // names
	var out []sample
	for in.Scan() {
		var o outcome
		if err := json.Unmarshal(in.Bytes(), &o); err != nil {
			return nil, err
		}
		s := sample{repo: o.Repo, gold: len(o.Gold)}
		for _, right := range []bool{true, false} {
			for _, c := range o.Trace {
				if slices.Contains(o.Gold, c.Path) == right {
					s.rows = append(s.rows, c.Features)
				}
			}
			if right {
				s.found = len(s.rows)
			}
		}
		out = append(out, s)
	}
	return out, in.Err()
}

// tally counts how well tasks were ranked.
type tally struct {
	n           int
	acc5, acc10 int
	mrr         float64
}

func (t *tally) add(s *sample, w *weights) {
	t.n++
	scores := make([]float64, len(s.rows))
	for i := range scores {
		scores[i] = w.score(&s.rows[i])
	}
	best, worst := math.MaxInt, 0
	for i := range s.found {
		rank := 1
		for j := range scores {
			if scores[j] > scores[i] || scores[j] == scores[i] && j > i {
				rank++
			}
		}
		best, worst = min(best, rank), max(worst, rank)
	}
	if s.found == 0 {
		return
	}
	t.mrr += 1 / float64(best)
	if s.found == s.gold && worst <= 5 {
		t.acc5++
	}
	if s.found == s.gold && worst <= 10 {
		t.acc10++
	}
}

func (t tally) String() string {
	n := float64(max(1, t.n))
	return fmt.Sprintf("n %d  Acc@5 %.1f  Acc@10 %.1f  MRR %.3f", t.n, 100*float64(t.acc5)/n, 100*float64(t.acc10)/n, t.mrr/n)
}
