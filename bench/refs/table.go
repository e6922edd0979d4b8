package main

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
)

// sumClasses adds the counts of the classes that a test takes.
func sumClasses(m map[string]int, take func(string) bool) int {
	n := 0
	for class, count := range m {
		if take(class) {
			n += count
		}
	}
	return n
}

func anyClass(string) bool { return true }

func isDropped(class string) bool { return strings.HasPrefix(class, "dropped") }

func isLost(class string) bool { return class == "nowhere" || isDropped(class) }

func isSure(class string) bool {
	return slices.Contains([]string{"exact", "import-resolved", "unique-name", "through", "import", "export", "definition"}, class)
}

// percentText writes a part of a whole in percent.
func percentText(part, whole int) string {
	if whole == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f %%", 100*float64(part)/float64(whole))
}

// tierPrecision returns how many references of some tiers mean the symbol,
// and how many the oracle could judge.
func (r *repoResult) tierPrecision(tiers ...string) (right, all int) {
	for _, t := range tiers {
		right += r.Listed[t+" right"] + r.Corrections["wrong "+t]
		all += r.Listed[t+" right"] + r.Listed[t+" wrong"]
	}
	return right, all
}

// lostUses counts the uses that ken dropped or did not find, without those for
// which the oracle was judged to be wrong.
func (r *repoResult) lostUses() int {
	n := sumClasses(r.Uses, isLost)
	for class, taken := range r.Corrections {
		if isLost(class) {
			n -= taken
		}
	}
	return n
}

// ambiguityPerUse returns the mean and median number of uncertain references for each use.
func (r *repoResult) ambiguityPerUse() (mean, median float64) {
	var each []float64
	entries, uses := 0, 0
	for _, a := range r.Ambiguous {
		entries += a.Entries
		uses += a.Uses
		each = append(each, float64(a.Entries)/float64(max(a.Uses, 1)))
	}
	if len(each) == 0 {
		return 0, 0
	}
	slices.Sort(each)
	return float64(entries) / float64(max(uses, 1)), each[len(each)/2]
}

// classCounts are all counts by class.
func (r *repoResult) classCounts() []*map[string]int {
	return []*map[string]int{&r.Uses, &r.Base, &r.Keys, &r.Implicit, &r.Listed, &r.Corrections}
}

// mergeResults adds up the repositories of a language.
func mergeResults(results []repoResult) []repoResult {
	var all []repoResult
	for _, r := range results {
		i := slices.IndexFunc(all, func(a repoResult) bool { return a.Lang == r.Lang })
		if i < 0 {
			i = len(all)
			all = append(all, repoResult{Lang: r.Lang, Repo: "all"})
		}
		a := &all[i]
		a.Symbols += r.Symbols
		a.Unknown += r.Unknown
		a.FalseNone += r.FalseNone
		a.FalseDecided += r.FalseDecided
		a.Ambiguous = append(a.Ambiguous, r.Ambiguous...)
		into, from := a.classCounts(), r.classCounts()
		for i := range into {
			if *into[i] == nil {
				*into[i] = map[string]int{}
			}
			for class, n := range *from[i] {
				(*into[i])[class] += n
			}
		}
	}
	return all
}

// writeTable prints a row for each repository and one for each language.
func writeTable(w io.Writer, results []repoResult) error {
	b := bufio.NewWriter(w)
	heads := []string{
		"language", "repository", "symbols (unknown)", "uses", "exact", "import-resolved", "unique-name", "through", "ambiguous", "other target",
		"dropped", "nowhere", "lost", "recall of the sure", "precision exact + import-resolved", "precision unique-name",
		"false none / decided", "ambiguous for each use: mean, median",
	}
	fmt.Fprintf(b, "| %s |\n|%s\n", strings.Join(heads, " | "), strings.Repeat("---|", len(heads)))
	rows := slices.Concat(results, mergeResults(results))
	slices.SortStableFunc(rows, func(x, y repoResult) int { return cmp.Compare(x.Lang, y.Lang) })
	for i := range rows {
		fmt.Fprintf(b, "| %s |\n", strings.Join(rows[i].rowCells(), " | "))
	}
	fmt.Fprintln(b)
	for i := range rows {
		if r := &rows[i]; r.Repo == "all" {
			fmt.Fprintf(b, "%s: dropped: %s; of a base's member: %s; keys of literals: %s; implicit: %s; not resolved by the oracle: %s\n",
				r.Lang, classesText(r.Uses, isDropped), classesText(r.Base, anyClass), classesText(r.Keys, anyClass), classesText(r.Implicit, anyClass),
				classesText(r.Listed, func(c string) bool { return strings.HasSuffix(c, " unknown") }))
		}
	}
	return b.Flush()
}

// rowCells are the row of a repository or language.
func (r *repoResult) rowCells() []string {
	total := sumClasses(r.Uses, anyClass)
	row := []string{r.Lang, r.Repo, fmt.Sprintf("%d (%d)", r.Symbols, r.Unknown), strconv.Itoa(total)}
	for _, class := range []string{"exact", "import-resolved", "unique-name", "through", "ambiguous", "other target"} {
		row = append(row, strconv.Itoa(r.Uses[class]))
	}
	right, all := r.tierPrecision("exact", "import-resolved")
	uniqueRight, uniqueAll := r.tierPrecision("unique-name")
	mean, median := r.ambiguityPerUse()
	return append(row, strconv.Itoa(sumClasses(r.Uses, isDropped)), strconv.Itoa(r.Uses["nowhere"]), percentText(r.lostUses(), total),
		percentText(sumClasses(r.Uses, isSure), total),
		fmt.Sprintf("%s of %d", percentText(right, all), all), fmt.Sprintf("%s of %d", percentText(uniqueRight, uniqueAll), uniqueAll),
		fmt.Sprintf("%d / %d", r.FalseNone, r.FalseDecided), fmt.Sprintf("%.2f, %.2f", mean, median))
}

// classesText writes counts by class, the most first.
func classesText(m map[string]int, take func(string) bool) string {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(m)), func(c string) bool { return !take(c) })
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(m[b], m[a]) })
	for i, c := range names {
		names[i] = fmt.Sprintf("%s %d", strings.TrimPrefix(c, "dropped: "), m[c])
	}
	return cmp.Or(strings.Join(names, ", "), "none")
}

// printDisagreements prints the disagreements of the classes that begin so, by class and in an
// order as good as random, so that the first of them are a sample.
func printDisagreements(w io.Writer, results []repoResult, class string) error {
	b := bufio.NewWriter(w)
	by := map[string][]disagreement{}
	for _, r := range results {
		for _, i := range r.Items {
			if class == "all" || strings.HasPrefix(i.Class, class) {
				by[r.Lang+" "+i.Class] = append(by[r.Lang+" "+i.Class], i)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(by)) {
		items := by[name]
		slices.SortFunc(items, func(x, y disagreement) int { return cmp.Compare(x.sortKey(), y.sortKey()) })
		fmt.Fprintf(b, "# %s: %d\n", name, len(items))
		for _, i := range items {
			fmt.Fprintf(b, "%s\t%s\t%s\t%.160s\n", i.Class, i.Place, i.Symbol, i.Text)
		}
	}
	return b.Flush()
}

func (i *disagreement) sortKey() string {
	h := sha256.Sum256([]byte(i.Class + "\x00" + i.Place + "\x00" + i.Symbol))
	return hex.EncodeToString(h[:])
}

// judgements are verdicts about disagreements, by class and place.
type judgements map[[2]string]string

func readJudged(file string) (judgements, error) {
	if file == "" {
		return nil, nil
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	j := judgements{}
	for n, line := range strings.Split(string(b), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) < 3 || f[2] != "ken" && f[2] != "oracle" {
			return nil, fmt.Errorf("%s:%d: not class, place and ken or oracle", file, n+1)
		}
		j[[2]string{f[0], f[1]}] = f[2]
	}
	return j, nil
}

// correctResults reduces each class, in each language, by the share of its
// judged disagreements in which the oracle was wrong.
func (j judgements) correctResults(results []repoResult) {
	type tally struct{ ken, judged int }
	tallies := map[[2]string]tally{}
	for _, r := range results {
		for _, i := range r.Items {
			key := [2]string{r.Lang, i.Class}
			t := tallies[key]
			switch j[[2]string{i.Class, i.Place}] {
			case "ken":
				t.ken++
				t.judged++
			case "oracle":
				t.judged++
			}
			tallies[key] = t
		}
	}
	for n := range results {
		r := &results[n]
		r.Corrections = map[string]int{}
		counts := map[string]int{}
		for _, i := range r.Items {
			counts[i.Class]++
		}
		for class, count := range counts {
			if t := tallies[[2]string{r.Lang, class}]; t.judged > 0 {
				r.Corrections[class] = (count*t.ken + t.judged/2) / t.judged
			}
		}
	}
}
