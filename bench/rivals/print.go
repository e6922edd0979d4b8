package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"ken/bench/commits"
	"ken/bench/world"
)

const none = "–"

// print prints the table of all programs, then references by language and what could not be measured.
func (b *bench) print(rivals []*rival) {
	fmt.Println("| program | index | after an edit | definitions found (listed per name) | references: precision, recall | a question | " +
		"of 60 commits: files, tests (paths named) | listing |\n|---|---|---|---|---|---|---|---|")
	for _, r := range rivals {
		if r.broken != "" {
			continue
		}
		for n, way := range r.ways() {
			cells := []string{r.name + " " + r.version + comma(way), none, none, none, r.usedCell(way), none, r.scoreCell(way), none}
			if n == 0 {
				cells[1], cells[2], cells[3] = timeCell(r, r.indexTimes, r.indexOver), timeCell(r, r.editTimes, r.editOver), r.definedCell()
				cells[5] = milliseconds(r.askTimes)
				if r.listing > 0 {
					cells[7] = fmt.Sprintf("%d tools, %d tokens", r.listed, r.listing)
				}
			}
			fmt.Println("| " + strings.Join(cells, " | ") + " |")
		}
	}
	b.printLanguages(rivals)
	fmt.Println()
	for _, r := range rivals {
		if why := cmp.Or(r.broken, r.note); why != "" {
			fmt.Printf("%s %s: %s\n", r.name, r.version, why)
		}
	}
}

func comma(way string) string {
	if way == "" {
		return ""
	}
	return ", " + way
}

// ways returns the names of all ways in which a program was asked, or one without a name.
func (r *rival) ways() (list []string) {
	for _, w := range r.references {
		list = append(list, w.name)
	}
	for _, w := range r.goals {
		list = append(list, w.name)
	}
	if r.score[countOfWords] != nil {
		list = append(list, countOfWords)
	}
	if len(list) == 0 {
		list = []string{""}
	}
	return list
}

func (r *rival) usedCell(way string) string {
	t := tally{}
	for language, x := range r.used[way] {
		if language != ofCallables {
			t.add(x)
		}
	}
	return t.cell()
}

func (t *tally) cell() string {
	if t.symbols == 0 {
		return none
	}
	cell := fmt.Sprintf("%.1f %%, %.1f %% of %d", t.precision(), t.recall(), t.truth)
	if t.failed > 0 {
		cell += fmt.Sprintf(" (%d of %d questions without an answer)", t.failed, t.symbols)
	}
	return cell
}

func (r *rival) definedCell() string {
	if r.defined.symbols == 0 {
		return none
	}
	return fmt.Sprintf("%d of %d (%.1f)", r.defined.found, r.defined.symbols, float64(r.defined.right)/float64(r.defined.symbols))
}

func (r *rival) scoreCell(way string) string {
	s := r.score[way]
	if s == nil {
		return none
	}
	return fmt.Sprintf("%.1f %% of %d, %.1f %% of %d (%d)", commits.Percent(s.Source, s.Sources), s.Sources, commits.Percent(s.Test, s.Tests), s.Tests, s.Paths)
}

// timeCell has the median of times and, beside ken's, that of the multiples.
func timeCell(r *rival, times []time.Duration, over []float64) string {
	if len(times) == 0 {
		return none
	}
	cell := milliseconds(times)
	if r.name != kenName {
		slices.Sort(over)
		cell += fmt.Sprintf(", %.1f ×", over[len(over)/2])
	}
	return cell
}

func milliseconds(times []time.Duration) string {
	if len(times) == 0 {
		return none
	}
	return fmt.Sprintf("%d ms", world.Percentile(times, 50).Milliseconds())
}

// printLanguages prints precision and recall of references by language.
func (b *bench) printLanguages(rivals []*rival) {
	fmt.Print("\n| references by language: precision, recall of the uses |")
	for _, t := range b.trees {
		fmt.Printf(" %s (%s) |", t.language, t.rows[0].By)
	}
	fmt.Println(" " + ofCallables + " |\n|---|---|" + strings.Repeat("---|", len(b.trees)))
	for _, r := range rivals {
		for _, way := range slices.Sorted(maps.Keys(r.used)) {
			fmt.Printf("| %s, %s |", r.name, way)
			for _, t := range append(slices.Clone(b.trees), tree{language: ofCallables}) {
				cell := none
				if x := r.used[way][t.language]; x != nil {
					cell = x.cell()
				}
				fmt.Printf(" %s |", cell)
			}
			fmt.Println()
		}
	}
}
