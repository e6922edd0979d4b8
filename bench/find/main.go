// Command find measures `ken find` on tasks with known answers: the text of an
// issue or of a commit, and the files that were changed for it.
//
//	go run ./bench/find -data FOLDER -mirror CLONES -work SCRATCH [-trace FILE]
//	go run ./bench/find -memory -data FOLDER -mirror CLONES -work SCRATCH
//	go run ./bench/find -relevance -data FOLDER -mirror CLONES -work SCRATCH
//
// FOLDER holds dev.jsonl, a line a task: id, repo, lang, base_commit, query,
// gold (paths), source. CLONES holds owner+name/repo git directories. Every task
// runs on a work tree at its base_commit, and the index reads no later history.
// With -memory the earlier tasks of a repository are remembered, with their right
// files (memory.go). -relevance prints how often a file of a certain score is right
// (relevance.go).
package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"ken/bench/rank/train"
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

	at time.Time // of the commit it begins from
}

// outcome is the result of one task.
type outcome struct {
	ID      string
	Repo    string
	Lang    string
	Source  string
	Gold    []string
	Ranks   []int // of the gold files, 0 if not in the list
	Elapsed time.Duration
	Index   time.Duration
	Trace   []find.FoundTrace
	Rated   []rated

	With     *outcome // with a memory of the tasks before
	Purposes *outcome // with the purposes of files
}

func main() {
	data := flag.String("data", "", "folder of dev.jsonl")
	mirror := flag.String("mirror", "", "folder of clones")
	work := flag.String("work", "", "scratch folder, about 1 GB")
	trace := flag.String("trace", "", "file for samples that bench/rank fits weights to")
	only := flag.String("repos", "", "only these repositories, separated by commas")
	jobs := flag.Int("jobs", 2, "repositories at a time")
	past := flag.Bool("history", true, "use the history of the repositories")
	memory := flag.Bool("memory", false, "measure what remembering earlier tasks changes, without and with history")
	relevance := flag.Bool("relevance", false, "fit the cut points by which a guarded task rates symbols")
	flag.Parse()
	b := bench{data: *data, mirror: *mirror, work: *work, trace: *trace, only: *only, jobs: *jobs, past: *past}
	do := b.run
	if *memory {
		do = b.memory
	}
	if *relevance {
		do = b.relevance
	}
	if err := do(); err != nil {
		fmt.Fprintln(os.Stderr, "find:", err)
		os.Exit(1)
	}
}

// bench holds the arguments of a run.
type bench struct {
	data, mirror, work, trace, only string

	jobs     int
	past     bool
	remember bool // each task knows the tasks before it, and is asked without and with them
}

func (b *bench) run() error {
	all, err := b.outcomes()
	if err != nil {
		return err
	}
	if b.trace != "" {
		if err := dump(b.trace, all); err != nil {
			return err
		}
	}
	report(all)
	return nil
}

// outcomes runs all tasks, repository by repository.
func (b *bench) outcomes() ([]outcome, error) {
	tasks, err := load(filepath.Join(b.data, "dev.jsonl"))
	if err != nil {
		return nil, err
	}
	byRepo := map[string][]*task{}
	for _, t := range tasks {
		if b.only == "" || slices.Contains(strings.Split(b.only, ","), t.Repo) {
			byRepo[t.Repo] = append(byRepo[t.Repo], t)
		}
	}
	var repos []string
	for r := range byRepo {
		repos = append(repos, r)
	}
	slices.SortFunc(repos, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(byRepo[b]), len(byRepo[a])), strings.Compare(a, b))
	})
	var mu sync.Mutex
	var all []outcome
	todo := make(chan string)
	var wg sync.WaitGroup
	for range b.jobs {
		wg.Go(func() {
			for repo := range todo {
				out, err := b.runRepo(repo, byRepo[repo])
				mu.Lock()
				if err != nil {
					fmt.Fprintf(os.Stderr, "%s: %v\n", repo, err)
				}
				all = append(all, out...)
				fmt.Fprintf(os.Stderr, "%-28s %s\n", repo, summary(out))
				mu.Unlock()
			}
		})
	}
	for _, r := range repos {
		todo <- r
	}
	close(todo)
	wg.Wait()
	slices.SortFunc(all, func(a, b outcome) int { return strings.Compare(a.ID, b.ID) })
	return all, nil
}

func load(path string) ([]*task, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []*task
	in := bufio.NewScanner(f)
	in.Buffer(nil, 16<<20)
	for in.Scan() {
		t := &task{}
		if err := json.Unmarshal(in.Bytes(), t); err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, in.Err()
}

func (b *bench) runRepo(repo string, tasks []*task) ([]outcome, error) {
	tree := filepath.Join(b.work, strings.ReplaceAll(repo, "/", "+"))
	src, err := findClone(b.mirror, repo)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(tree); err != nil {
		if err := git("", "clone", "-q", "--shared", "--no-checkout", src, tree); err != nil {
			return nil, err
		}
	}
	for _, t := range tasks {
		if t.at, err = commitDate(src, t.Base); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(tasks, func(a, b *task) int { return cmp.Or(a.at.Compare(b.at), strings.Compare(a.ID, b.ID)) })
	var out []outcome
	var known *memory.Index
	if b.remember {
		known = memory.NewIndex()
	}
	for _, t := range tasks {
		if err := checkout(tree, t.Base); err != nil {
			return out, err
		}
		if err := git(tree, "clean", "-fdqx", "-e", ".ken"); err != nil {
			return out, err
		}
		o, err := b.runTask(t, tree, known)
		if err != nil {
			return out, fmt.Errorf("%s: %w", t.ID, err)
		}
		out = append(out, o)
		if known != nil {
			known.Add(taskOutcome(t))
		}
	}
	return out, nil
}

// checkout moves the tree to a commit. A clone may lack its largest blobs: then
// what is there is taken.
func checkout(tree, commit string) error {
	if git(tree, "checkout", "-q", "-f", "--detach", commit) == nil {
		return nil
	}
	if err := git(tree, "read-tree", "--reset", commit); err != nil {
		return err
	}
	if err := git(tree, "update-ref", "--no-deref", "HEAD", commit); err != nil {
		return err
	}
	_ = git(tree, "checkout-index", "-a", "-f", "-q") // says what is missing, does the rest
	return nil
}

// findClone finds a repository's clone whatever the case of its name.
func findClone(mirror, repo string) (string, error) {
	list, err := os.ReadDir(mirror)
	if err != nil {
		return "", err
	}
	for _, e := range list {
		if strings.EqualFold(e.Name(), strings.ReplaceAll(repo, "/", "+")) {
			return filepath.Join(mirror, e.Name(), "repo"), nil
		}
	}
	return "", fmt.Errorf("no clone of %s", repo)
}

func git(dir string, args ...string) error {
	cmd := exec.Command("git", append([]string{"-c", "core.hooksPath=/dev/null", "-c", "advice.detachedHead=false", "-c", "core.symlinks=false"}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git %s: %w: %s", args[0], err, out)
	}
	return nil
}

func (b *bench) runTask(t *task, tree string, known *memory.Index) (outcome, error) {
	o := outcome{ID: t.ID, Repo: t.Repo, Lang: t.Lang, Source: t.Source, Gold: t.Gold}
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
		ask := find.SearchOptions{Limit: 100, Trace: b.trace != "" || b.remember}
		start = time.Now()
		found, err := find.Find(ctx, s, t.Query, ask)
		if err != nil {
			return nil, err
		}
		o.Elapsed = time.Since(start)
		o.Ranks, o.Trace, o.Rated = places(t, found), found.Trace, rateFiles(t, found)
		if known == nil {
			return nil, nil
		}
		plain := found
		ask.Known = like(known, t)
		if found, err = find.Find(ctx, s, t.Query, ask); err != nil {
			return nil, err
		}
		o.With = &outcome{Ranks: places(t, found), Trace: found.Trace}
		if ask.Known, err = purposes(ctx, s, t, plain); err != nil {
			return nil, err
		}
		if found, err = find.Find(ctx, s, t.Query, ask); err != nil {
			return nil, err
		}
		o.Purposes = &outcome{Ranks: places(t, found), Trace: found.Trace}
		return nil, nil
	})
	return o, err
}

// places are the places of the right files in an answer, from 1; 0 for those that are not in it.
func places(t *task, found *find.Found) (out []int) {
	for _, g := range t.Gold {
		out = append(out, 1+slices.IndexFunc(found.Files, func(f find.FoundFile) bool { return f.Path == g }))
	}
	return out
}

// sample is a trace of a task as a sample.
func sample(o *outcome, trace []find.FoundTrace, column []rank.Feature) train.Sample {
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

// dump writes the traces as samples.
func dump(path string, all []outcome) error {
	column := rank.Column(rank.Find)
	var samples []train.Sample
	for i := range all {
		samples = append(samples, sample(&all[i], all[i].Trace, column))
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	if err := train.Write(w, column, samples); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

// within reports whether the first k hold all gold files.
func within(o *outcome, k int) bool {
	return !slices.ContainsFunc(o.Ranks, func(r int) bool { return r == 0 || r > k })
}

func first(o *outcome) int {
	best := 0
	for _, r := range o.Ranks {
		if r > 0 && (best == 0 || r < best) {
			best = r
		}
	}
	return best
}

func summary(list []outcome) string {
	var acc [11]int
	mrr, hit := 0.0, 0
	times := []time.Duration{0}
	for i := range list {
		o := &list[i]
		for _, k := range []int{1, 3, 5, 10} {
			if within(o, k) {
				acc[k]++
			}
		}
		if f := first(o); f > 0 {
			mrr += 1 / float64(f)
			if f <= 5 {
				hit++
			}
		}
		times = append(times, o.Elapsed)
	}
	slices.Sort(times)
	n := float64(max(1, len(list)))
	pct := func(k int) float64 { return 100 * float64(k) / n }
	return fmt.Sprintf("n %3d  Acc@1 %5.1f  @3 %5.1f  @5 %5.1f  @10 %5.1f  hit@5 %5.1f  MRR %.3f  p50 %s p95 %s", len(list), pct(acc[1]), pct(acc[3]), pct(acc[5]), pct(acc[10]),
		pct(hit), mrr/n, times[len(times)/2].Round(100*time.Microsecond), times[len(times)*95/100].Round(100*time.Microsecond))
}

func report(all []outcome) {
	groups := func(title string, key func(*outcome) string) {
		by := map[string][]outcome{}
		for i := range all {
			by[key(&all[i])] = append(by[key(&all[i])], all[i])
		}
		var names []string
		for k := range by {
			names = append(names, k)
		}
		slices.Sort(names)
		for _, k := range names {
			fmt.Printf("%-8s %-28s %s\n", title, k, summary(by[k]))
		}
	}
	groups("all", func(*outcome) string { return "" })
	groups("source", func(o *outcome) string { return o.Source })
	groups("lang", func(o *outcome) string { return o.Lang })
	groups("repo", func(o *outcome) string { return o.Repo })
}
