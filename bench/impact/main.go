// Command impact measures how well the files that change together are
// predicted: a repository is indexed as it was a number of commits ago, and of
// every later commit one changed file is given and the others are to be found.
//
//	go run ./bench/impact -mirror CLONES -work SCRATCH -repos a/b,c/d [-trace FILE]
//
// CLONES holds owner+name/repo git directories. The index sees a clone whose
// HEAD is the old commit: no later one is an ancestor of it. Commits are those of
// the first-parent line (a merge counts with all its changes). One counts if it
// changed 2 to 10 source files the index has: files in a programming language, tests
// among them, neither generated nor vendored. Each of them is the seed once;
// recall@10 is the share of the others among the first ten files ranked, those
// that are no source files left out. The mean is over seeds; "by commit" is the
// mean over commits of their seeds' mean.
//
// "imports alone" and "co-change alone" rank by those signals only.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/bench/world"
	"ken/internal/ask/impact"
	"ken/internal/ask/rank"
	"ken/internal/code"
	"ken/internal/engine"
	"ken/internal/engine/view"
	"ken/internal/lang"
	"ken/internal/store/sqlite"
)

// commitsBack is the number of commits between HEAD and the commit that is indexed.
const commitsBack = 200

// seedTrial is one seed and the files to find with it.
type seedTrial struct {
	commit string
	of     *ranking
	paths  []string // that changed, the seed among them
	others int
}

// isToFind reports whether a file is one of those to be found.
func (t *seedTrial) isToFind(path string) bool { return slices.Contains(t.paths, path) }

// ranking has a seed and its candidates: the files that any signal suggests, by path.
type ranking struct {
	seed       string
	candidates []candidate
}

type candidate struct {
	path    string
	signals rank.Vector
}

// repository is one repository's trials.
type repository struct {
	name    string
	commits int
	trials  []seedTrial
	slow    []time.Duration // of the rankings
}

func main() {
	mirror := flag.String("mirror", "", "folder of clones")
	work := flag.String("work", "", "scratch folder")
	repos := flag.String("repos", "", "owner/name, separated by commas")
	trace := flag.String("trace", "", "file for samples that bench/rank fits weights to")
	flag.Parse()
	var all []*repository
	for _, name := range strings.Split(*repos, ",") {
		r, err := loadRepository(*mirror, *work, name)
		if err != nil {
			fmt.Fprintln(os.Stderr, "impact:", name+":", err)
			os.Exit(1)
		}
		all = append(all, r)
		fmt.Fprintf(os.Stderr, "%-26s %d commits, %d seeds, ranking p50 %s\n", name, r.commits, len(r.trials), world.Millis(world.Percentile(r.slow, 50)))
	}
	printReport(all)
	if *trace != "" {
		if err := writeSamples(*trace, all); err != nil {
			fmt.Fprintln(os.Stderr, "impact:", err)
			os.Exit(1)
		}
	}
}

func loadRepository(mirror, work, name string) (*repository, error) {
	ctx := context.Background()
	src, err := world.Clone(mirror, name)
	if err != nil {
		return nil, err
	}
	base, err := world.Git(ctx, src, "rev-list", "--first-parent", fmt.Sprintf("--skip=%d", commitsBack), "-n1", "HEAD")
	if err != nil {
		return nil, err
	}
	if base == "" {
		return nil, fmt.Errorf("fewer than %d commits", commitsBack)
	}
	tree, err := world.ShareClone(ctx, mirror, name, work)
	if err != nil {
		return nil, err
	}
	if err := world.Checkout(ctx, tree, base); err != nil {
		return nil, err
	}
	commits, err := laterCommits(ctx, src, base)
	if err != nil {
		return nil, err
	}
	e := engine.New(engine.Options{Root: tree, Store: sqlite.New(filepath.Join(tree, ".ken", "index.db"))})
	defer e.Close()
	if _, err := e.Update(ctx, engine.Request{Create: true}); err != nil {
		return nil, err
	}
	r := &repository{name: name}
	err = e.Answer(ctx, engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		return nil, r.makeTrials(ctx, s, commits)
	})
	return r, err
}

// commit is a later commit and the files it changed that were there before.
type commit struct {
	id    string
	paths []string
}

func laterCommits(ctx context.Context, src, base string) ([]commit, error) {
	out, err := world.Git(ctx, src, "log", "--first-parent", "-m", "--no-renames", "--name-only", "-z", "--diff-filter=MD", "--format=%x01%H", base+"..HEAD")
	if err != nil {
		return nil, err
	}
	var list []commit
	for _, rec := range strings.Split(out, "\x01")[1:] {
		f := strings.FieldsFunc(rec, func(r rune) bool { return r == 0 || r == '\n' })
		list = append(list, commit{f[0], f[1:]})
	}
	return list, nil
}

// makeTrials makes the trials of a repository.
func (r *repository) makeTrials(ctx context.Context, s *view.Snapshot, commits []commit) error {
	sources := map[string]bool{}
	for f, err := range s.Files(ctx) {
		if err != nil {
			return err
		}
		if isSource(f) {
			sources[f.Path] = true
		}
	}
	ranked := map[string]*ranking{}
	for _, c := range commits {
		paths := slices.DeleteFunc(slices.Clone(c.paths), func(p string) bool { return !sources[p] })
		slices.Sort(paths)
		paths = slices.Compact(paths)
		if len(paths) < 2 || len(paths) > 10 {
			continue
		}
		r.commits++
		for _, seed := range paths {
			of, ok := ranked[seed]
			if !ok {
				var err error
				if of, err = r.rankFiles(ctx, s, seed, sources); err != nil {
					return err
				}
				ranked[seed] = of
			}
			r.trials = append(r.trials, seedTrial{commit: c.id, of: of, paths: paths, others: len(paths) - 1})
		}
	}
	return nil
}

func (r *repository) rankFiles(ctx context.Context, s *view.Snapshot, seed string, sources map[string]bool) (*ranking, error) {
	start := time.Now()
	files, err := impact.ImpactFiles(ctx, s, []string{seed}, 0)
	if err != nil {
		return nil, err
	}
	r.slow = append(r.slow, time.Since(start))
	of := &ranking{seed: seed}
	for i := range files {
		if sources[files[i].Path] {
			of.candidates = append(of.candidates, candidate{files[i].Path, files[i].Signals})
		}
	}
	slices.SortFunc(of.candidates, func(a, b candidate) int { return strings.Compare(a.path, b.path) })
	return of, nil
}

func isSource(f code.File) bool {
	l := lang.Of(f.Lang)
	return (l.Tier == lang.Full || l.Tier == lang.Symbols && l.Sort == lang.Programming) && f.Flags&(code.FlagGenerated|code.FlagVendored) == 0
}
