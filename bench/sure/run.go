package main

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// perTree is the number of cases that share a tree, if they cannot influence each other.
const perTree = 25

// run judges cases, each in a tree of its own or with others of its language. The results have the order of the cases.
func run(ctx context.Context, list []*testCase) ([]*result, error) {
	type job []int
	var jobs []job
	shared := map[*language]job{}
	for i, c := range list {
		if c.isAlone() {
			jobs = append(jobs, job{i})
			continue
		}
		if shared[c.lang] = append(shared[c.lang], i); len(shared[c.lang]) == perTree {
			jobs = append(jobs, shared[c.lang])
			shared[c.lang] = nil
		}
	}
	for _, l := range shared {
		if len(l) > 0 {
			jobs = append(jobs, l)
		}
	}
	out := make([]*result, len(list))
	errs := make([]error, len(jobs))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for n := int(next.Add(1)) - 1; n < len(jobs) && ctx.Err() == nil; n = int(next.Add(1)) - 1 {
				part := make([]*testCase, len(jobs[n]))
				for i, at := range jobs[n] {
					part[i] = list[at]
				}
				results, err := runTree(ctx, part)
				errs[n] = err
				for i, r := range results {
					out[jobs[n][i]] = r
				}
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return out, ctx.Err()
}

// runTree judges cases in one tree.
func runTree(ctx context.Context, list []*testCase) ([]*result, error) {
	all := make([]*built, len(list))
	files := []map[string]string{rootFiles(list)}
	for i, c := range list {
		all[i] = c.build()
		files = append(files, all[i].files)
	}
	t, err := newTree(ctx, files...)
	if t != nil {
		defer t.remove()
	}
	if err != nil {
		return nil, err
	}
	var out []*result
	for i, c := range list {
		r, err := judge(ctx, t, c, all[i])
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

// rootFiles returns the files of the root of a tree of cases of one language. {each TEXT} is TEXT for every case, with its directory.
func rootFiles(list []*testCase) map[string]string {
	out := map[string]string{}
	for _, f := range list[0].lang.root {
		text := f.text
		if before, rest, ok := strings.Cut(text, "{each "); ok {
			one, after, _ := strings.Cut(rest, "}")
			for _, c := range list {
				before += strings.ReplaceAll(one, "DIR", "w"+word(c.n))
			}
			text = before + after
		}
		out[f.path] = text
	}
	return out
}

// pick returns at most n cases of each language, chosen by a seed, or all for 0.
func pick(list []*testCase, n int, seed uint64) []*testCase {
	if n == 0 || n >= len(list) {
		return list
	}
	out := slices.Clone(list)
	rand.New(rand.NewPCG(seed, 1)).Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	out = out[:n]
	slices.SortFunc(out, func(a, b *testCase) int { return cmp.Compare(a.n, b.n) })
	return out
}

//go:embed known.txt
var knownText string

// known is a pattern of cases that are known to fail, and why.
type known struct {
	pattern string // of path.Match over ID:FAULT; "**" matches any text
	why     string
	met     int
}

// readKnown returns the lines of known.txt. The list may only shrink.
func readKnown(text string) (out []*known, err error) {
	for n, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		pattern, why, ok := strings.Cut(line, " ")
		if _, err := path.Match(pattern, ""); err != nil || !ok {
			return nil, fmt.Errorf("known.txt:%d: want a pattern and a reason", n+1)
		}
		out = append(out, &known{pattern: pattern, why: strings.TrimSpace(why)})
	}
	return out, nil
}

// sort of fault by its first word.
func faultKind(fault string) string {
	kind, _, _ := strings.Cut(fault, ":")
	return kind
}

// isKnown reports whether a fault of a case is in the list, and notes that.
func isKnown(list []*known, id, fault string) bool {
	for _, k := range list {
		if ok, _ := path.Match(k.pattern, id+":"+faultKind(fault)); ok {
			k.met++
			return true
		}
	}
	return false
}

// tally is a row of the table.
type tally struct {
	cases                       int
	faults                      map[string]int
	used, decided, unused, none int
}

func (t *tally) add(r *result) {
	if t.faults == nil {
		t.faults = map[string]int{}
	}
	t.cases++
	kinds := map[string]bool{}
	for _, f := range r.faults {
		kinds[faultKind(f)] = true
	}
	for k := range kinds {
		t.faults[k]++
	}
	t.used, t.decided, t.unused, t.none = t.used+r.used, t.decided+r.decided, t.unused+r.unused, t.none+r.none
}

func (t *tally) row(name string) string {
	f := t.faults
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %s | %s |", name, t.cases, f[falseNone], f[falseFull], f[falseRename], f[wrongSure],
		percent(t.none, t.unused), percent(t.decided, t.used))
}

func percent(n, of int) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %% of %d", 100*float64(n)/float64(of), of)
}

// writeTable writes the table of all languages and returns the sum.
func writeTable(w io.Writer, results []*result) *tally {
	fmt.Fprintln(w, "| language | cases | false none | false 100 % | false \"0 unsure\" | wrong sure | unused: none | used: decided |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|")
	rows, sum := map[string]*tally{}, &tally{}
	var order []string
	for _, r := range results {
		name := r.c.lang.name
		if rows[name] == nil {
			rows[name] = &tally{}
			order = append(order, name)
		}
		rows[name].add(r)
		sum.add(r)
	}
	for _, name := range order {
		fmt.Fprintln(w, rows[name].row(name))
	}
	fmt.Fprintln(w, sum.row("all"))
	return sum
}

// dumpCase writes the files of a case below a directory.
func dumpCase(dir string, c *testCase) error {
	files := c.build().files
	for p, text := range rootFiles([]*testCase{c}) {
		files[p] = text
	}
	return writeFiles(filepath.Join(dir, strings.ReplaceAll(c.id(), "/", ".")), files)
}

func writeFiles(dir string, files map[string]string) error {
	for p, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(p))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
