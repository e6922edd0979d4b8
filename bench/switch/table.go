package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// slack is what an update may take beside its share, because starting takes time.
const slack = 50 * time.Millisecond

// most is what an update may take in shares of a full index, however much changed.
const most = 1.2

// allowed is how much of a full index an update of a share of all files may take.
func allowed(share float64) float64 { return min(most, 0.15+1.2*share) }

// row is one switch in the table.
type row struct {
	repo string
	pair
	difference
	factor float64 // of a full index that is allowed
	result
}

// used is which part of what it may take an update took; over 1 is too much.
func (r *row) used() (wall, processor float64) {
	part := func(u, f time.Duration) float64 { return u.Seconds() / (r.factor*f.Seconds() + slack.Seconds()) }
	return part(r.update.wall, r.full.wall), part(r.update.processor, r.full.processor)
}

// table is the rows measured so far.
type table struct{ rows []row }

func (t *table) head() {
	fmt.Println("| repository | apart | switch | files that differ | share | … of bytes | update, wall | full, wall | of what it may take " +
		"| update, processor | full, processor | of what it may take | kept | same facts |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")
}

func (t *table) add(r row) {
	t.rows = append(t.rows, r)
	wall, processor := r.used()
	fmt.Printf("| %s | %s | %.9s → %.9s | %d | %.3f | %.3f | %.2f s | %.2f s | %.2f | %.2f s | %.2f s | %.2f | %s | %s |\n",
		r.repo, r.kind, r.from, r.to, r.paths, r.share, r.bytes, r.update.wall.Seconds(), r.full.wall.Seconds(), wall,
		r.update.processor.Seconds(), r.full.processor.Seconds(), processor, mark(wall <= 1 && processor <= 1), mark(r.same))
	if !r.same {
		fmt.Fprintf(os.Stderr, "%s %s → %s: the updated index and the new one differ:\n%s", r.repo, r.from, r.to, r.unlike)
	}
}

func mark(ok bool) string {
	if ok {
		return "✓"
	}
	return "✗"
}

// repository measures the pairs of one repository.
func (t *table) repository(ctx context.Context, o options, repo string) error {
	name, dir, ok := strings.Cut(repo, "=")
	if !ok {
		dir = repo
		if name = filepath.Base(filepath.Clean(dir)); name == "repo" {
			name = filepath.Base(filepath.Dir(filepath.Clean(dir)))
		}
	}
	line, err := firstParents(ctx, dir)
	if err != nil {
		return err
	}
	if len(line) < 2 {
		return errors.New("it has no two commits")
	}
	b := newBench(o, name)
	if err := os.RemoveAll(filepath.Dir(b.tree)); err != nil {
		return err
	}
	defer os.RemoveAll(filepath.Dir(b.tree))
	if _, err := git(ctx, "", "clone", "-q", "--shared", "--no-checkout", dir, b.tree); err != nil {
		return err
	}
	for _, p := range draw(line, o.from+o.pairs, o.seed)[o.from:] {
		r, err := b.pair(ctx, dir, p)
		if err != nil {
			return err
		}
		r.repo = name
		t.add(*r)
	}
	return nil
}

// pair measures one switch.
func (b *bench) pair(ctx context.Context, dir string, p pair) (*row, error) {
	d, err := differing(ctx, dir, p.from, p.to)
	if err != nil {
		return nil, err
	}
	checkout := func(id string) error {
		_, err := git(ctx, b.tree, "checkout", "-q", "-f", "--detach", id)
		if err == nil {
			_, err = git(ctx, b.tree, "clean", "-q", "-f", "-f", "-d", "-x", "-e", "/.ken")
		}
		return err
	}
	if err := checkout(p.from); err != nil {
		return nil, err
	}
	if err := b.start(ctx); err != nil {
		return nil, err
	}
	if err := checkout(p.to); err != nil {
		return nil, err
	}
	r, err := b.compare(ctx)
	return &row{pair: p, difference: d, factor: allowed(d.share), result: r}, err
}

// renamed measures a folder that gets another name.
func (t *table) renamed(ctx context.Context, o options) error {
	from, folder := filepath.Split(filepath.Clean(o.rename))
	b := newBench(o, "renamed")
	defer os.RemoveAll(filepath.Dir(b.tree))
	if err := errors.Join(os.RemoveAll(filepath.Dir(b.tree)), copyTree(from, b.tree)); err != nil {
		return err
	}
	commit := []string{"-c", "user.name=b", "-c", "user.email=b@example.org", "commit", "-q", "-m", "all"}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, commit} {
		if _, err := git(ctx, b.tree, args...); err != nil {
			return err
		}
	}
	if err := b.start(ctx); err != nil {
		return err
	}
	files, err := git(ctx, b.tree, "ls-files", "-z", "--", folder)
	if err != nil {
		return err
	}
	if err := os.Rename(filepath.Join(b.tree, folder), filepath.Join(b.tree, folder+"2")); err != nil {
		return err
	}
	r, err := b.compare(ctx)
	if err != nil {
		return err
	}
	n := strings.Count(files, "\x00")
	t.add(row{repo: filepath.Base(filepath.Clean(from)), pair: pair{"renamed", folder, folder + "2"},
		difference: difference{paths: 2 * n}, factor: most, result: r})
	return nil
}

// copyTree copies regular files and folders, all writable.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(p string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, p)
		if err != nil {
			return err
		}
		out := filepath.Join(to, rel)
		switch {
		case d.IsDir():
			return os.MkdirAll(out, 0o755)
		case !d.Type().IsRegular():
			return nil
		}
		b, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		return os.WriteFile(out, b, 0o644)
	})
}

// summary prints, of each repository and distance, how many pairs kept to what they
// may take and the worst.
func (t *table) summary() {
	groups := map[[2]string][]row{}
	for _, r := range t.rows {
		for _, k := range [][2]string{{r.repo, r.kind}, {r.repo, "all"}} {
			groups[k] = append(groups[k], r)
		}
	}
	fmt.Println("\n| repository | apart | pairs | share, median | … of bytes | update ÷ full, wall, median | update ÷ full, processor, median " +
		"| worst of what it may take, wall | worst, processor | kept | same facts |\n|---|---|---|---|---|---|---|---|---|---|---|")
	var keys [][2]string
	for _, r := range t.rows { // in the order measured
		for _, k := range [][2]string{{r.repo, r.kind}, {r.repo, "all"}} {
			if !slices.Contains(keys, k) {
				keys = append(keys, k)
			}
		}
	}
	for _, k := range keys {
		summarize(k, groups[k])
	}
}

func summarize(of [2]string, rows []row) {
	var shares, bytes, walls, processors []float64
	var worst [2]float64
	kept, same := 0, 0
	for i := range rows {
		r := &rows[i]
		shares, bytes = append(shares, r.share), append(bytes, r.bytes)
		walls = append(walls, r.update.wall.Seconds()/r.full.wall.Seconds())
		processors = append(processors, r.update.processor.Seconds()/r.full.processor.Seconds())
		wall, processor := r.used()
		worst = [2]float64{max(worst[0], wall), max(worst[1], processor)}
		if wall <= 1 && processor <= 1 {
			kept++
		}
		if r.same {
			same++
		}
	}
	fmt.Printf("| %s | %s | %d | %.3f | %.3f | %.2f | %.2f | %.2f | %.2f | %d of %d | %d of %d |\n", of[0], of[1], len(rows), median(shares),
		median(bytes), median(walls), median(processors), worst[0], worst[1], kept, len(rows), same, len(rows))
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}
