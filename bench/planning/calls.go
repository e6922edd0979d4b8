package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ken/bench/world"
	"ken/internal/operation"
	"ken/internal/workflow/plan/folder"
)

// outcome is what a call led to: what it wrote on standard output, how it ended, and the files of the planning folder after it.
type outcome struct {
	Exit   int
	Stdout string
	Files  map[string]string
}

// leaves are the values of the answer by their paths. The answer of a call that failed is its exit code, because texts of errors are each
// program's own.
func (o *outcome) leaves() map[string]string {
	if o.Exit != 0 {
		return map[string]string{"<exit>": fmt.Sprint(o.Exit)}
	}
	var v any
	if json.Unmarshal([]byte(o.Stdout), &v) != nil {
		return map[string]string{"<stdout>": strings.TrimSpace(o.Stdout)}
	}
	leaves := leafValues(v)
	delete(leaves, "hash") // of a commit, which has the time in it
	if text, ok := leaves[""]; ok {
		return map[string]string{"<stdout>": text}
	}
	return leaves
}

// callTally counts the calls of one operation by how the answers of both programs compare.
type callTally struct {
	equal, words, named, unnamed int
	lost                         int            // lines that ken lost and the other program kept
	fields                       map[string]int // that differ and have no row
	first                        string         // the first call that differs unnamed
}

// askOther runs the other program in a copy of the folder, or answers with what it did before where o.cache has it.
func (c *comparison) askOther(ctx context.Context, f *comparedFolder, words []string) (*outcome, error) {
	sum := sha256.New()
	fmt.Fprintf(sum, "%q %q", filepath.Base(f.dir), words)
	for _, name := range slices.Sorted(maps.Keys(f.files)) {
		fmt.Fprintf(sum, "%q %q", name, f.files[name])
	}
	kept := filepath.Join(c.cache, fmt.Sprintf("%x", sum.Sum(nil)))
	answer := &outcome{}
	if text, err := os.ReadFile(kept); c.cache != "" && err == nil {
		return answer, json.Unmarshal(text, answer)
	}
	copied, remove, err := copyFolder(f.dir)
	if err != nil {
		return nil, err
	}
	defer remove()
	cmd := exec.CommandContext(ctx, "node", append([]string{c.program}, words...)...)
	cmd.Dir = copied
	cmd.Env = append(os.Environ(), "HOME="+c.home, "GSD_AGENTS_DIR="+c.getenv("GSD_AGENTS_DIR"))
	out, err := cmd.Output()
	if ended, ok := errors.AsType[*exec.ExitError](err); ok {
		answer.Exit = ended.ExitCode()
	} else if err != nil {
		return nil, err
	}
	answer.Stdout = c.withoutPlaces(string(out), copied)
	if answer.Files, err = planningFiles(copied); err != nil || c.cache == "" {
		return answer, err
	}
	text, err := json.Marshal(answer)
	if err != nil {
		return nil, err
	}
	return answer, os.WriteFile(kept, text, 0o644)
}

// askKen gives the command line to ken in a copy of the folder.
func (c *comparison) askKen(ctx context.Context, dir string, words []string) (*outcome, error) {
	copied, remove, err := copyFolder(dir)
	if err != nil {
		return nil, err
	}
	defer remove()
	answer := &outcome{}
	if answer.Exit, answer.Stdout, err = c.runKen(ctx, copied, words); err != nil {
		return nil, err
	}
	answer.Stdout = c.withoutPlaces(answer.Stdout, copied)
	answer.Files, err = planningFiles(copied)
	return answer, err
}

// comparedFolder is a project whose planning folder both programs are asked about.
type comparedFolder struct {
	dir, name string
	files     map[string]string // of the planning folder
}

// compareCall compares what both programs answer to a command line, and what became of the files.
func (c *comparison) compareCall(ctx context.Context, f *comparedFolder, q *commandLine, scored bool) error {
	words, name := append(strings.Fields(q.operation), q.args...), f.name
	theirs, err := c.askOther(ctx, f, words)
	if err != nil {
		return err
	}
	ours, err := c.askKen(ctx, f.dir, words)
	if err != nil {
		return fmt.Errorf("%s: %w", strings.Join(words, " "), err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if scored {
		c.scoreAnswer(q.operation, name, theirs, ours)
	}
	t := c.calls[q.operation]
	if t == nil {
		t = &callTally{fields: map[string]int{}}
		c.calls[q.operation] = t
	}
	want, have := theirs.leaves(), ours.leaves()
	if _, failed := want["<exit>"]; failed {
		delete(have, "error") // also ken's answer is that it failed: the exit code is compared
		if len(have) > 0 {
			have = map[string]string{"<exit>": fmt.Sprint(ours.Exit)}
		}
	}
	differ, named, unnamed := 0, 0, []string{}
	both := maps.Clone(want)
	maps.Copy(both, have)
	for leaf := range both {
		a, inTheirs := want[leaf]
		b, inOurs := have[leaf]
		switch {
		case inTheirs && inOurs && a == b:
		case isOwnWords(leaf, inTheirs && inOurs):
			differ++
		case c.isExcused(q.operation, leaf):
			differ++
			named++
		default:
			unnamed = append(unnamed, fieldPattern(leaf))
			if c.verbose {
				fmt.Printf("    %s: %s: %s is %.200s, the other %.200s\n", name, strings.Join(words, " "), leaf,
					cmp.Or(b, "(none)"), cmp.Or(a, "(none)"))
			}
		}
	}
	switch {
	case len(unnamed) > 0:
		t.unnamed++
		slices.Sort(unnamed)
		for _, f := range slices.Compact(unnamed) {
			t.fields[f]++
		}
		t.first = cmp.Or(t.first, name+": "+strings.Join(words, " "))
	case named > 0:
		t.named++
	case differ > 0:
		t.words++
	default:
		t.equal++
	}
	before := f.files
	lost := lostLines(before, ours.Files, theirs.Files, q.operation == "phase remove")
	t.lost += len(lost)
	if c.verbose && len(lost) > 0 {
		fmt.Printf("    %s: %s: lost %q\n", name, strings.Join(words, " "), lost)
	}
	if !q.writes && !maps.Equal(before, ours.Files) {
		t.fields["(changed by reading)"]++
	}
	return nil
}

// scoreAnswer counts the leaves of two answers, if the other program answers with values.
func (c *comparison) scoreAnswer(operationName, name string, theirs, ours *outcome) {
	o, _ := operation.Find(c.declared, strings.Fields(operationName))
	if o == nil || o.Name != operationName && !slices.Contains(o.Aliases, operationName) {
		c.missing[operationName] = true
		return
	}
	var want any
	have := any(map[string]any{"error": ""})
	if theirs.Exit != 0 || json.Unmarshal([]byte(theirs.Stdout), &want) != nil {
		return
	}
	if ours.Exit == 0 && json.Unmarshal([]byte(ours.Stdout), &have) != nil {
		have = ours.Stdout
	}
	c.compareLeaves(operationName, name, leafValues(want), leafValues(have))
}

// isOwnWords reports whether a field is text that each program writes in its own words.
func isOwnWords(leaf string, inBoth bool) bool {
	parts := strings.Split(strings.TrimRight(leaf, ".0123456789"), ".")
	switch parts[len(parts)-1] {
	case "near", "reason", "message":
		return true
	case "error", "errors", "warnings", "fix":
		return inBoth
	}
	return false
}

// fieldPattern is a leaf with stars for the numbers of elements.
func fieldPattern(leaf string) string {
	parts := strings.Split(leaf, ".")
	for i, p := range parts {
		if strings.Trim(p, "0123456789") == "" {
			parts[i] = "*"
		}
	}
	return strings.Join(parts, ".")
}

// lostLines returns the lines of the files before a call that are in no file after ken's call, but after that of the other program.
// Values of fields, cells behind the first, digits, blanks, boxes and bars are not compared, because a call may set them, nor is a row of
// dashes, which stands for none,
// and files that a call is there to remove are not.
func lostLines(before, ours, theirs map[string]string, removes bool) (lost []string) {
	normal := func(line string) string {
		if key, _, ok := strings.Cut(line, ":"); ok && len(key) < 40 {
			line = key
		}
		if cells := strings.Split(line, "|"); len(cells) > 2 {
			line = cells[1]
		}
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune("0123456789 \t\r█░[]x", r) {
				return -1
			}
			return r
		}, line)
	}
	lines := func(files map[string]string) map[string]bool {
		set := map[string]bool{}
		for _, text := range files {
			for line := range strings.Lines(text) {
				set[normal(strings.TrimRight(line, "\r\n"))] = true
			}
		}
		return set
	}
	kept, other := lines(ours), lines(theirs)
	old := maps.Clone(before)
	for name := range before {
		if _, ok := ours[name]; !ok && removes { // of folders with one number each program removes another
			delete(old, name)
		}
	}
	for line := range lines(old) {
		if !kept[line] && other[line] && strings.Trim(line, "-") != "" {
			lost = append(lost, line)
		}
	}
	slices.Sort(lost)
	return lost
}

// printCalls prints a line an operation and returns how many promises were missed.
func (c *comparison) printCalls() (missed int) {
	var all callTally
	for _, operation := range slices.Sorted(maps.Keys(c.calls)) {
		t := c.calls[operation]
		fmt.Printf("  %-30s %4d calls: %4d equal, %4d own words, %4d named, %4d unnamed, %d lines lost", operation,
			t.equal+t.words+t.named+t.unnamed, t.equal, t.words, t.named, t.unnamed, t.lost)
		for _, f := range slices.Sorted(maps.Keys(t.fields)) {
			fmt.Printf(" `%s` %d", f, t.fields[f])
		}
		if t.first != "" {
			fmt.Printf(" (%s)", t.first)
		}
		fmt.Println()
		all.equal, all.words, all.named = all.equal+t.equal, all.words+t.words, all.named+t.named
		all.unnamed, all.lost = all.unnamed+t.unnamed, all.lost+t.lost
	}
	n := all.equal + all.words + all.named + all.unnamed
	share := 100 * float64(all.named) / float64(max(n, 1))
	verdict := "kept"
	if all.unnamed+all.lost > 0 || share > 19 || n == 0 {
		verdict, missed = "MISSED", 1
	}
	fmt.Printf("%-32s %d of %d operations: %d equal, %d with own words alone, "+
		"%d with a difference that has a row (%.1f %%, at most 19), %d without (0); %d lines lost (0): %s\n", "calls", n, len(c.calls), all.equal, all.words, all.named, share, all.unnamed, all.lost, verdict)
	return missed
}

// copyFolder copies a project into a scratch folder, under its own name.
func copyFolder(dir string) (copied string, remove func(), err error) {
	top, remove, err := world.Scratch("ken-planning")
	if err != nil {
		return "", nil, err
	}
	copied = filepath.Join(top, filepath.Base(dir))
	if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
		remove()
		return "", nil, err
	}
	return copied, remove, nil
}

// planningFiles returns the texts of the files of a planning folder.
func planningFiles(dir string) (map[string]string, error) {
	files := map[string]string{}
	root := filepath.Join(dir, folder.Name)
	err := filepath.WalkDir(root, func(at string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && at == root {
			return nil
		}
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(at)
		files[strings.TrimPrefix(filepath.ToSlash(at), filepath.ToSlash(dir)+"/")] = string(text)
		return err
	})
	return files, err
}

// timeOfDay is the time in a moment, which is another for each program.
var timeOfDay = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`T\d\d:\d\d:\d\d(\.\d+)?Z`) })

// withoutPlaces replaces the places of a project and of the home, and times of day, which are others for each program.
func (c *comparison) withoutPlaces(text, dir string) string {
	text = strings.NewReplacer(dir, "/PROJECT", c.home, "/HOME").Replace(text)
	return timeOfDay().ReplaceAllString(text, "T")
}
