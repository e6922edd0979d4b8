package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"ken/bench/commits"
)

// reading is what a reader opened until all source files that a commit changed were open.
type reading struct{ files, tokens int }

// measureReading measures how much a reader opens before all source files that a commit changed are open, for each drawn commit: one that
// opens the files with most words of the message first, and one that reads ken's brief and opens the files that it names, in its order,
// before those. The brief counts as read.
func (b *bench) measureReading(ctx context.Context, ken *rival) error {
	tasks, err := commits.Draw(ctx, b.mirror, "bench/rivals/corpus.txt", b.seed, b.commits)
	if err != nil {
		return err
	}
	var before, after []reading
	for i := range tasks {
		t := &tasks[i]
		dir, files, err := b.treeBefore(ctx, t)
		if err != nil {
			return err
		}
		if err := ken.index(ctx, dir); err != nil {
			return err
		}
		text, err := ken.goals[0].ask(ctx, dir, t.Query)
		if err != nil {
			return err
		}
		words := append(commits.WordOrder(dir, t.Query, files), files...)
		without := b.readUntil(dir, words, t.Gold)
		with := b.readUntil(dir, append(commits.NamedInOrder(text, files), words...), t.Gold)
		with.tokens += b.counter.Count([]byte(text))
		before, after = append(before, without), append(after, with)
		if b.verbose {
			fmt.Fprintf(os.Stderr, "reading: %s: without ken %d files, %d tokens; with it %d files, %d tokens\n",
				t.ID, without.files, without.tokens, with.files, with.tokens)
		}
		if err := ken.clean(dir); err != nil {
			return err
		}
	}
	fmt.Printf("opened until all changed source files of a commit were open, medians of %d commits: without ken %s, with its brief %s\n\n",
		len(tasks), medians(before), medians(after))
	return nil
}

// readUntil opens files in an order until all right ones are open.
func (b *bench) readUntil(dir string, order, right []string) (r reading) {
	opened, left := map[string]bool{}, len(right)
	for _, p := range order {
		if left == 0 {
			break
		}
		if opened[p] {
			continue
		}
		opened[p] = true
		text, err := os.ReadFile(filepath.Join(dir, p))
		if err != nil {
			continue
		}
		r.files, r.tokens = r.files+1, r.tokens+b.counter.Count(text)
		if slices.Contains(right, p) {
			left--
		}
	}
	return r
}

func medians(list []reading) string {
	var files, tokens []int
	for _, r := range list {
		files, tokens = append(files, r.files), append(tokens, r.tokens)
	}
	slices.Sort(files)
	slices.Sort(tokens)
	if len(list) == 0 {
		return none
	}
	return fmt.Sprintf("%d files of %d tokens", files[len(files)/2], tokens[len(tokens)/2])
}
