// Command find measures `ken find` on tasks with known answers: the text of an
// issue or of a commit, and the files that were changed for it.
//
//	go run ./bench/find -data FOLDER -mirror CLONES -work SCRATCH [-accept] [-trace FILE]
//	go run ./bench/find -memory -data FOLDER -mirror CLONES -work SCRATCH
//	go run ./bench/find -relevance -data FOLDER -mirror CLONES -work SCRATCH
//	go run ./bench/find -table FOLDER -data FILE -mirror CLONES -work SCRATCH
//	go run ./bench/find -functions FOLDER -data FILE -mirror CLONES -work SCRATCH
//
// FOLDER holds dev.jsonl, a line a task: id, repo, lang, base_commit, query,
// gold (paths), source. CLONES holds owner+name/repo git directories. Every task
// runs on a work tree at its base_commit, and the index reads no later history. -data may name the file itself.
// With -accept it fails if a bound of the development tasks is missed.
// With -memory the earlier tasks of a repository are remembered, with their right
// files (memory.go). -relevance prints how often a file of a certain score is right
// (relevance.go). -table writes the features of all candidates, a file for each repository that has none yet (table.go), -functions
// those of the functions of the first files (functions.go): bench/rank/trees learns from both.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"ken/bench/rank/train"
	"ken/bench/world"
	"ken/internal/ask/find"
	"ken/internal/ask/rank"
	"ken/internal/engine"
	"ken/internal/engine/view"
	"ken/internal/knowledge/memory"
	"ken/internal/store/sqlite"
)

type task struct {
	ID, Repo, Lang, Query, Source string
	Base                          string `json:"base_commit"`
	Gold                          []string
	Lines                         map[string][][2]int `json:"gold_lines"`

	at time.Time // of the commit it begins from
}

// taskResult is the result of one task.
type taskResult struct {
	ID        string
	Repo      string
	Lang      string
	Source    string
	Gold      []string
	Ranks     []int // of the gold files, 0 if not in the list
	Elapsed   time.Duration
	Index     time.Duration
	Trace     []find.FoundTrace
	Rated     []ratedFile
	Functions *functionRow

	With     *taskResult // with a memory of the tasks before
	Purposes *taskResult // with the purposes of files
}

func main() {
	data := flag.String("data", "", "folder of dev.jsonl")
	mirror := flag.String("mirror", "", "folder of clones")
	work := flag.String("work", "", "scratch folder, about 1 GB")
	trace := flag.String("trace", "", "file for samples that bench/rank fits weights to")
	table := flag.String("table", "", "folder for the features of all candidates")
	functions := flag.String("functions", "", "folder for the features of the functions of the first files")
	plain := flag.Bool("plain", false, "rank by the linear sum alone")
	accept := flag.Bool("accept", false, "fail if a bound is missed")
	past := flag.Bool("history", true, "use the history of the repositories")
	memory := flag.Bool("memory", false, "measure what remembering earlier tasks changes, without and with history")
	relevance := flag.Bool("relevance", false, "fit the cut points by which a guarded task rates symbols")
	flag.Parse()
	b := bench{data: *data, mirror: *mirror, work: *work, trace: *trace, table: *table, functions: *functions,
		plain: *plain, past: *past, accept: *accept}
	do := b.run
	if *memory {
		do = b.measureMemory
	}
	if *relevance {
		do = b.measureRelevance
	}
	if err := do(); err != nil {
		fmt.Fprintln(os.Stderr, "find:", err)
		os.Exit(1)
	}
}

// bench holds the arguments of a run.
type bench struct {
	data, mirror, work, trace, table, functions string

	past     bool
	plain    bool
	accept   bool
	remember bool // each task knows the tasks before it, and is asked without and with them
}

func (b *bench) run() error {
	all, err := b.runTasks()
	if err != nil {
		return err
	}
	if b.trace != "" {
		column := rank.Column(rank.Find)
		var samples []train.Sample
		for i := range all {
			samples = append(samples, newSample(&all[i], all[i].Trace, column))
		}
		var text bytes.Buffer
		if err := errors.Join(train.WriteSamples(&text, column, samples), os.WriteFile(b.trace, text.Bytes(), 0o644)); err != nil {
			return err
		}
	}
	printReport(all)
	if m := measure(all); b.accept && !m.reaches(&bounds) {
		return fmt.Errorf("missed: Acc@1 %.1f (%.0f), Acc@5 %.1f (%.0f), MRR %.3f (%.2f)",
			m.acc[1], bounds.acc[1], m.acc[5], bounds.acc[5], m.mrr, bounds.mrr)
	}
	return nil
}

// runTasks runs all tasks, repository by repository.
func (b *bench) runTasks() ([]taskResult, error) {
	file := b.data
	if filepath.Ext(file) != ".jsonl" {
		file = filepath.Join(file, "dev.jsonl")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	byRepo := map[string][]*task{}
	for line := range bytes.Lines(text) {
		t := &task{}
		if err := json.Unmarshal(line, t); err != nil {
			return nil, err
		}
		byRepo[t.Repo] = append(byRepo[t.Repo], t)
	}
	repos := slices.Collect(maps.Keys(byRepo))
	slices.SortFunc(repos, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(byRepo[b]), len(byRepo[a])), strings.Compare(a, b))
	})
	var mu sync.Mutex
	var all []taskResult
	todo := make(chan string)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for repo := range todo {
				out, err := b.runRepo(repo, byRepo[repo])
				if b.table != "" && err == nil {
					err = b.writeTable(repo, out)
					for i := range out {
						out[i].Trace = nil // gigabytes in all
					}
				}
				if b.functions != "" && err == nil {
					err = b.writeFunctions(repo, out)
				}
				mu.Lock()
				if err != nil {
					fmt.Fprintf(os.Stderr, "%s: %v\n", repo, err)
				}
				all = append(all, out...)
				fmt.Fprintf(os.Stderr, "%-28s %s\n", repo, summaryLine(out))
				mu.Unlock()
			}
		})
	}
	for _, r := range repos {
		if _, err := os.Stat(b.tableFile(r)); b.table == "" || err != nil {
			todo <- r
		}
	}
	close(todo)
	wg.Wait()
	slices.SortFunc(all, func(a, b taskResult) int { return strings.Compare(a.ID, b.ID) })
	return all, nil
}

func (b *bench) runRepo(repo string, tasks []*task) ([]taskResult, error) {
	ctx := context.Background()
	tree, err := world.ShareClone(ctx, b.mirror, repo, b.work)
	if err != nil {
		return nil, err
	}
	for _, t := range tasks {
		date, err := world.Git(ctx, tree, "log", "-1", "--format=%ct", t.Base)
		if err != nil {
			return nil, err
		}
		seconds, err := strconv.ParseInt(date, 10, 64)
		if err != nil {
			return nil, err
		}
		t.at = time.Unix(seconds, 0)
	}
	if b.table != "" {
		defer os.RemoveAll(tree)
	}
	slices.SortFunc(tasks, func(a, b *task) int { return cmp.Or(a.at.Compare(b.at), strings.Compare(a.ID, b.ID)) })
	var out []taskResult
	var known *memory.Index
	if b.remember {
		known = memory.NewIndex()
	}
	for _, t := range tasks {
		if err := world.Checkout(ctx, tree, t.Base); err != nil {
			return out, err
		}
		if _, err := world.Git(ctx, tree, "clean", "-fdqx", "-e", ".ken"); err != nil {
			return out, err
		}
		o, err := b.runTask(t, tree, known)
		if err != nil {
			return out, fmt.Errorf("%s: %w", t.ID, err)
		}
		out = append(out, o)
		if known != nil {
			it := memory.Item{Kind: memory.Outcome, Subject: t.ID, Text: t.Query, At: t.at, Evidence: memory.Evidence{For: 1, Last: t.at}}
			for _, g := range t.Gold {
				it.Pins = append(it.Pins, memory.Pin{Target: g})
			}
			known.Add(it)
		}
	}
	return out, nil
}

func (b *bench) runTask(t *task, tree string, known *memory.Index) (taskResult, error) {
	o := taskResult{ID: t.ID, Repo: t.Repo, Lang: t.Lang, Source: t.Source, Gold: t.Gold}
	ctx := context.Background()
	store := sqlite.New(filepath.Join(tree, ".ken", "index.db"))
	opt := engine.Options{Root: tree, Store: store}
	if !b.past {
		opt.HistoryCommits = -1
	}
	e := engine.New(opt)
	defer e.Close()
	start := time.Now()
	if _, err := e.Update(ctx, engine.Request{Create: true}); err != nil {
		return o, err
	}
	o.Index = time.Since(start)
	err := e.Answer(ctx, engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		ask := find.SearchOptions{Limit: 100, Trace: b.trace != "" || b.table != "" || b.functions != "" || b.remember, Plain: b.plain}
		start = time.Now()
		found, err := find.Find(ctx, s, t.Query, ask)
		if err != nil {
			return nil, err
		}
		o.Elapsed = time.Since(start)
		o.Ranks, o.Trace, o.Rated = goldPlaces(t, found), found.Trace, rateFiles(t, found)
		if b.functions != "" {
			if o.Functions, err = newFunctionRow(s, t, found); err != nil {
				return nil, err
			}
		}
		if known == nil {
			return nil, nil
		}
		plain := found
		like := memory.Query{Text: t.Query, Now: t.at, Kinds: []memory.Kind{memory.Outcome}}
		ask.Known = find.FromMemory(known.Match(like, find.MaxEarlier))
		if found, err = find.Find(ctx, s, t.Query, ask); err != nil {
			return nil, err
		}
		o.With = &taskResult{Ranks: goldPlaces(t, found), Trace: found.Trace}
		if ask.Known, err = similarPurposes(ctx, s, t, plain); err != nil {
			return nil, err
		}
		if found, err = find.Find(ctx, s, t.Query, ask); err != nil {
			return nil, err
		}
		o.Purposes = &taskResult{Ranks: goldPlaces(t, found), Trace: found.Trace}
		return nil, nil
	})
	return o, err
}

// goldPlaces returns the positions of the right files in an answer, from 1; 0 for those that are missing.
func goldPlaces(t *task, found *find.Found) (out []int) {
	for _, g := range t.Gold {
		out = append(out, 1+slices.IndexFunc(found.Files, func(f find.FoundFile) bool { return f.Path == g }))
	}
	return out
}

// newSample converts a task's traced ranking to a sample for fitting weights.
func newSample(o *taskResult, trace []find.FoundTrace, column []rank.Feature) train.Sample {
	s := train.Sample{Group: o.Repo, Total: 1}
	for k := range trace {
		c, share := &trace[k], 0.0
		if slices.Contains(o.Gold, c.Path) {
			share = 1 / float64(len(o.Gold))
		}
		s.Rows = append(s.Rows, train.NewRow(column, &c.Features, share))
	}
	return s
}

// allWithin reports whether all right files are among the first k of the answer.
func allWithin(o *taskResult, k int) bool {
	return !slices.ContainsFunc(o.Ranks, func(r int) bool { return r == 0 || r > k })
}

// figures are the measures of a list of tasks: the percentage of those with all right files among the first k, with one of them among
// the first five, and the mean of 1 by the place of the first right one.
type figures struct {
	acc      [11]float64
	hit, mrr float64
}

// bounds are what the development tasks must reach.
var bounds = figures{acc: [11]float64{1: 50, 5: 83}, mrr: 0.83}

func (f *figures) reaches(bound *figures) bool {
	return f.acc[1] >= bound.acc[1] && f.acc[5] >= bound.acc[5] && f.mrr >= bound.mrr
}

func measure(list []taskResult) (f figures) {
	n := float64(max(1, len(list)))
	for i := range list {
		o := &list[i]
		for _, k := range []int{1, 3, 5, 10} {
			if allWithin(o, k) {
				f.acc[k] += 100 / n
			}
		}
		if found := slices.DeleteFunc(slices.Clone(o.Ranks), func(r int) bool { return r == 0 }); len(found) > 0 {
			best := slices.Min(found)
			f.mrr += 1 / float64(best) / n
			if best <= 5 {
				f.hit += 100 / n
			}
		}
	}
	return f
}

func summaryLine(list []taskResult) string {
	var times []time.Duration
	for i := range list {
		times = append(times, list[i].Elapsed)
	}
	f := measure(list)
	return fmt.Sprintf("n %3d  Acc@1 %5.1f  @3 %5.1f  @5 %5.1f  @10 %5.1f  hit@5 %5.1f  MRR %.3f  p50 %s p95 %s", len(list),
		f.acc[1], f.acc[3], f.acc[5], f.acc[10], f.hit, f.mrr,
		world.Millis(world.Percentile(times, 50)), world.Millis(world.Percentile(times, 95)))
}

func printReport(all []taskResult) {
	groups := func(title string, key func(*taskResult) string) {
		by := map[string][]taskResult{}
		for i := range all {
			by[key(&all[i])] = append(by[key(&all[i])], all[i])
		}
		for _, k := range slices.Sorted(maps.Keys(by)) {
			fmt.Printf("%-8s %-28s %s\n", title, k, summaryLine(by[k]))
		}
	}
	groups("all", func(*taskResult) string { return "" })
	groups("files", func(o *taskResult) string { return strconv.Itoa(len(o.Gold)) })
	groups("source", func(o *taskResult) string { return o.Source })
	groups("lang", func(o *taskResult) string { return o.Lang })
	groups("repo", func(o *taskResult) string { return o.Repo })
}
