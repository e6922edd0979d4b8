// Command brief measures `ken brief` on commits: with the message as the goal and the tree before the commit, how many of the source files
// and tests that the commit changed does the brief name, and how many paths in all.
//
//	go run ./bench/firstwords/brief -mirror CLONES -work SCRATCH [-list FILE] [-seed N] [-n 60] [-ken PROGRAM] [-v]
//	go run ./bench/firstwords/brief -mirror CLONES -work SCRATCH -data FILE
//
// CLONES holds owner+name/repo git directories. The commits are drawn by the seed from the repositories of the list: held.txt, on which
// nothing is tuned, or development.txt, the default. Beside ken stands a count of words: the files that hold most words of the message, as
// many as their paths fit into the same budget. With -data the tasks are those of a file such as dev.jsonl, which name no tests.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"ken/bench/commits"
	"ken/bench/world"
	"ken/internal/token"
)

// budget is the number of tokens of a brief, and of the list of the count of words.
const budget = 2000

type bench struct {
	mirror, work, ken string
	verbose           bool
	counter           *token.Tokenizer
}

func main() {
	b := bench{}
	list := flag.String("list", "bench/firstwords/brief/development.txt", "file of repositories")
	data := flag.String("data", "", "file of tasks, instead of a draw")
	write := flag.String("write", "", "file to which the drawn tasks are written")
	seed, n := flag.Uint64("seed", 29, "seed of the draw"), flag.Int("n", 60, "number of commits")
	flag.StringVar(&b.mirror, "mirror", "", "folder of clones")
	flag.StringVar(&b.work, "work", "", "scratch folder")
	flag.StringVar(&b.ken, "ken", "", "program to measure instead of that of this tree")
	flag.BoolVar(&b.verbose, "v", false, "print what each brief misses")
	flag.Parse()
	if err := b.run(context.Background(), *list, *data, *write, *seed, *n); err != nil {
		fmt.Fprintln(os.Stderr, "brief:", err)
		os.Exit(1)
	}
}

func (b *bench) run(ctx context.Context, list, data, write string, seed uint64, n int) (err error) {
	if b.counter, err = token.NewTokenizer(token.TokenizerO200K); err != nil {
		return err
	}
	if err := os.MkdirAll(b.work, 0o755); err != nil {
		return err
	}
	if b.ken == "" {
		if b.ken, err = world.Build(ctx, b.work); err != nil {
			return err
		}
	}
	var tasks []commits.Task
	if data == "" {
		if tasks, err = commits.Draw(ctx, b.mirror, list, seed, n); err == nil && write != "" {
			err = writeTasks(write, tasks)
		}
	} else {
		tasks, err = readTasks(data, n)
	}
	if err != nil {
		return err
	}
	var ken, count commits.Score
	for i := range tasks {
		if err := b.measure(ctx, &tasks[i], &ken, &count); err != nil {
			return fmt.Errorf("%s: %w", tasks[i].ID, err)
		}
	}
	t := world.Table{}
	t.Row(fmt.Sprintf("source files named, of %d in %d commits (count of words: %.1f %%)",
		ken.Sources, len(tasks), commits.Percent(count.Source, count.Sources)),
		"≥ 92 %", fmt.Sprintf("%.1f %%", commits.Percent(ken.Source, ken.Sources)), commits.Percent(ken.Source, ken.Sources) >= 92)
	if ken.Tests > 0 {
		t.Row(fmt.Sprintf("tests named, of %d (count of words: %.1f %%)", ken.Tests, commits.Percent(count.Test, count.Tests)),
			"≥ 92 %", fmt.Sprintf("%.1f %%", commits.Percent(ken.Test, ken.Tests)), commits.Percent(ken.Test, ken.Tests) >= 92)
	}
	mean := func(s *commits.Score) float64 { return float64(s.Paths) / float64(max(1, len(tasks))) }
	t.Row(fmt.Sprintf("paths named, in the mean (count of words: %.1f)", mean(&count)), "≤ 26",
		fmt.Sprintf("%.1f", mean(&ken)), mean(&ken) <= 26)
	return t.Summary()
}

// measure asks ken and the count of words on a tree at the task's base.
func (b *bench) measure(ctx context.Context, t *commits.Task, ken, count *commits.Score) error {
	scratch := filepath.Join(b.work, t.Base[:12])
	if err := os.MkdirAll(scratch, 0o755); err != nil {
		return err
	}
	tree, err := world.ShareClone(ctx, b.mirror, t.Repo, scratch)
	if err != nil {
		return err
	}
	if head, err := world.Git(ctx, tree, "rev-parse", "HEAD"); err != nil || head != t.Base {
		if err := world.Checkout(ctx, tree, t.Base); err != nil {
			return err
		}
	}
	tracked, err := world.Git(ctx, tree, "ls-files")
	if err != nil {
		return err
	}
	files := strings.Split(tracked, "\n")
	if out, err := b.command(ctx, "", "index", "-C", tree); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	text, err := b.command(ctx, t.Query, "brief", "-C", tree, "--budget", fmt.Sprint(budget), "--query-file", "-")
	if err != nil && text == "" {
		text = err.Error() // nothing fits the goal
	}
	named := commits.NamedPaths(text, files)
	missed := ken.Add(t, named)
	byWords := commits.WordCount(b.counter, budget, tree, t.Query, files)
	count.Add(t, byWords)
	if b.verbose {
		fmt.Printf("%s %s: %d paths, %s\n", t.Repo, t.Base[:12], len(named), firstLine(t.Query))
		for _, m := range missed {
			also := ""
			if byWords[strings.TrimPrefix(m, "test ")] {
				also = " (the count of words names it)"
			}
			fmt.Printf("    missed %s%s\n", m, also)
		}
	}
	return nil
}

func (b *bench) command(ctx context.Context, input string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, b.ken, args...)
	cmd.Stdin, cmd.Env = strings.NewReader(input), world.Environment(filepath.Join(b.work, "home"))
	var out bytes.Buffer
	cmd.Stdout = &out
	err := cmd.Run()
	return out.String(), err
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// writeTasks writes tasks, a line each, as readTasks reads them.
func writeTasks(file string, tasks []commits.Task) error {
	var out bytes.Buffer
	for i := range tasks {
		line, err := json.Marshal(&tasks[i])
		if err != nil {
			return err
		}
		out.Write(append(line, '\n'))
	}
	return os.WriteFile(file, out.Bytes(), 0o644)
}

// readTasks reads tasks of a file, one in so many that about n are read.
func readTasks(file string, n int) (tasks []commits.Task, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(text) {
		var t commits.Task
		if err := json.Unmarshal(line, &t); err != nil {
			return nil, err
		}
		tasks = append(tasks, t)
	}
	step := max(1, len(tasks)/max(1, n))
	var out []commits.Task
	for i := 0; i < len(tasks); i += step {
		out = append(out, tasks[i])
	}
	return out, nil
}
