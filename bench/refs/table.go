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

// sum adds the counts of the classes that a test takes.
func sum(m map[string]int, take func(string) bool) int {
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

// share writes a part of a whole in percent.
func share(part, whole int) string {
	if whole == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f %%", 100*float64(part)/float64(whole))
}

// precision is how many of the references of some tiers mean the symbol, of
// those that the oracle could judge.
func (r *result) precision(tiers ...string) (right, all int) {
	for _, t := range tiers {
		right += r.Listed[t+" right"] + r.Corrections["wrong "+t]
		all += r.Listed[t+" right"] + r.Listed[t+" wrong"]
	}
	return right, all
}

// lostUses counts the uses that are dropped or nowhere, without those that judging
// took away.
func (r *result) lostUses() int {
	n := sum(r.Uses, isLost)
	for class, taken := range r.Corrections {
		if isLost(class) {
			n -= taken
		}
	}
	return n
}

// perUse are the mean and median of the ambiguous entries for each use.
func (r *result) perUse() (mean, median float64) {
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

// counts are all counts by class.
func (r *result) counts() []*map[string]int {
	return []*map[string]int{&r.Uses, &r.Base, &r.Keys, &r.Implicit, &r.Listed, &r.Corrections}
}

// merge adds up the repositories of a language.
func merge(results []result) []result {
	var all []result
	for _, r := range results {
		i := slices.IndexFunc(all, func(a result) bool { return a.Lang == r.Lang })
		if i < 0 {
			i = len(all)
			all = append(all, result{Lang: r.Lang, Repo: "all"})
		}
		a := &all[i]
		a.Symbols += r.Symbols
		a.Unknown += r.Unknown
		a.FalseNone += r.FalseNone
		a.FalseDecided += r.FalseDecided
		a.Ambiguous = append(a.Ambiguous, r.Ambiguous...)
		into, from := a.counts(), r.counts()
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
func writeTable(w io.Writer, results []result) error {
	b := bufio.NewWriter(w)
	heads := []string{
		"language", "repository", "symbols (unknown)", "uses", "exact", "import-resolved", "unique-name", "through", "ambiguous", "other target",
		"dropped", "nowhere", "lost", "recall of the sure", "precision exact + import-resolved", "precision unique-name",
		"false none / decided", "ambiguous for each use: mean, median",
	}
	fmt.Fprintf(b, "| %s |\n|%s\n", strings.Join(heads, " | "), strings.Repeat("---|", len(heads)))
	rows := slices.Concat(results, merge(results))
	slices.SortStableFunc(rows, func(x, y result) int { return cmp.Compare(x.Lang, y.Lang) })
	for i := range rows {
		fmt.Fprintf(b, "| %s |\n", strings.Join(rows[i].cells(), " | "))
	}
	fmt.Fprintln(b)
	for i := range rows {
		if r := &rows[i]; r.Repo == "all" {
			fmt.Fprintf(b, "%s: dropped: %s; of a base's member: %s; keys of literals: %s; implicit: %s; not resolved by the oracle: %s\n",
				r.Lang, classes(r.Uses, isDropped), classes(r.Base, anyClass), classes(r.Keys, anyClass), classes(r.Implicit, anyClass),
				classes(r.Listed, func(c string) bool { return strings.HasSuffix(c, " unknown") }))
		}
	}
	return b.Flush()
}

// cells are the row of a repository or language.
func (r *result) cells() []string {
	total := sum(r.Uses, anyClass)
	row := []string{r.Lang, r.Repo, fmt.Sprintf("%d (%d)", r.Symbols, r.Unknown), strconv.Itoa(total)}
	for _, class := range []string{"exact", "import-resolved", "unique-name", "through", "ambiguous", "other target"} {
		row = append(row, strconv.Itoa(r.Uses[class]))
	}
	right, all := r.precision("exact", "import-resolved")
	uniqueRight, uniqueAll := r.precision("unique-name")
	mean, median := r.perUse()
	return append(row, strconv.Itoa(sum(r.Uses, isDropped)), strconv.Itoa(r.Uses["nowhere"]), share(r.lostUses(), total),
		share(sum(r.Uses, isSure), total),
		fmt.Sprintf("%s of %d", share(right, all), all), fmt.Sprintf("%s of %d", share(uniqueRight, uniqueAll), uniqueAll),
		fmt.Sprintf("%d / %d", r.FalseNone, r.FalseDecided), fmt.Sprintf("%.2f, %.2f", mean, median))
}

// classes writes counts by class, the most first.
func classes(m map[string]int, take func(string) bool) string {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(m)), func(c string) bool { return !take(c) })
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(m[b], m[a]) })
	for i, c := range names {
		names[i] = fmt.Sprintf("%s %d", strings.TrimPrefix(c, "dropped: "), m[c])
	}
	return cmp.Or(strings.Join(names, ", "), "none")
}

// list prints the disagreements of the classes that begin so, by class and in an
// order as good as random, so that the first of them are a sample.
func list(w io.Writer, results []result, class string) error {
	b := bufio.NewWriter(w)
	by := map[string][]item{}
	for _, r := range results {
		for _, i := range r.Items {
			if class == "all" || strings.HasPrefix(i.Class, class) {
				by[r.Lang+" "+i.Class] = append(by[r.Lang+" "+i.Class], i)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(by)) {
		items := by[name]
		slices.SortFunc(items, func(x, y item) int { return cmp.Compare(x.order(), y.order()) })
		fmt.Fprintf(b, "# %s: %d\n", name, len(items))
		for _, i := range items {
			fmt.Fprintf(b, "%s\t%s\t%s\t%.160s\n", i.Class, i.Place, i.Symbol, i.Text)
		}
	}
	return b.Flush()
}

func (i *item) order() string {
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

// correct takes from each class, in each language, the share of its judged
// disagreements in which the oracle was wrong.
func (j judgements) correct(results []result) {
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
