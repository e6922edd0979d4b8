// Command summary draws repositories of a list by a seed and prints each sentence of their summaries, conventions and rules for readers
// to judge. It tries each command that ken names against what is there: its source must exist and hold the target. ken runs none of
// them, nor does this. Usage: go run ./bench/firstwords/summary -trees FOLDER [-ken PROGRAM] [-list FILE] [-seed N] [-n N], where FOLDER
// has a work tree owner+name of each repository.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	list := flag.String("list", "bench/firstwords/summary/held.txt", "file with a line owner/name@commit for each repository")
	trees := flag.String("trees", "", "folder with a work tree owner+name of each")
	ken := flag.String("ken", "ken", "the program that is asked")
	seed := flag.Int("seed", 1, "seed of the draw")
	n := flag.Int("n", 12, "repositories to draw")
	flag.Parse()
	missed, err := run(*list, *trees, *ken, *seed, *n)
	if err != nil {
		fmt.Fprintln(os.Stderr, "summary:", err)
		os.Exit(2)
	}
	if missed > 0 {
		os.Exit(1)
	}
}

func run(list, trees, ken string, seed, n int) (missed int, err error) {
	drawn, err := draw(list, seed, n)
	if err != nil {
		return 0, err
	}
	sentences, tested := 0, 0
	for _, name := range drawn {
		tree := filepath.Join(trees, strings.ReplaceAll(name, "/", "+"))
		if _, err := os.Stat(tree); err != nil {
			return 0, fmt.Errorf("no work tree of %s: %w", name, err)
		}
		fmt.Printf("\n== %s\n", name)
		n, wrong, hasTest, err := judge(ken, tree)
		if err != nil {
			return 0, err
		}
		sentences += n
		missed += wrong
		if hasTest {
			tested++
		}
	}
	fmt.Printf("\n%d repositories, %d sentences to judge; %d name a test command, %d commands that are not there\n",
		len(drawn), sentences, tested, missed)
	return missed, nil
}

// draw returns n names of a list, in the order that a seed gives them.
func draw(list string, seed, n int) ([]string, error) {
	text, err := os.ReadFile(list)
	if err != nil {
		return nil, err
	}
	var names []string
	for line := range strings.Lines(string(text)) {
		if name, _, ok := strings.Cut(strings.TrimSpace(line), "@"); ok && !strings.HasPrefix(line, "#") {
			names = append(names, name)
		}
	}
	place := func(name string) string {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", seed, name))
		return string(sum[:])
	}
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(place(a), place(b)) })
	return names[:min(n, len(names))], nil
}

// judge prints the lines of the answers about one work tree, and tries its commands.
func judge(ken, tree string) (sentences, wrong int, hasTest bool, err error) {
	if _, err := ask(ken, tree, "init", "--private"); err != nil {
		return 0, 0, false, err
	}
	for _, question := range [...]string{"summary", "conventions"} {
		text, err := ask(ken, tree, question)
		if err != nil && question == "summary" {
			return 0, 0, false, err
		}
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSpace(line)
			isOfSummary := strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "**About")
			if isOfSummary || question == "conventions" && line != "" {
				sentences++
				fmt.Printf("%3d %s\n", sentences, line)
			}
		}
	}
	raw, err := ask(ken, tree, "summary", "--json")
	if err != nil {
		return 0, 0, false, err
	}
	var answer struct {
		Commands []struct{ Kind, Directory, Line, Source string }
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return 0, 0, false, fmt.Errorf("read the summary of %s: %w", tree, err)
	}
	for _, c := range answer.Commands {
		hasTest = hasTest || c.Kind == "test"
		if why := missing(filepath.Join(tree, c.Source), c.Line); why != "" {
			wrong++
			fmt.Printf("  ! %s: %s: %s\n", c.Kind, c.Line, why)
		}
	}
	return sentences, wrong, hasTest, nil
}

func ask(ken, tree string, arguments ...string) ([]byte, error) {
	c := exec.Command(ken, arguments...)
	c.Dir = tree
	var out bytes.Buffer
	c.Stdout = &out
	if err := c.Run(); err != nil {
		return out.Bytes(), fmt.Errorf("%s in %s: %w", strings.Join(c.Args, " "), tree, err)
	}
	return out.Bytes(), nil
}

// targetCallers are programs that run a target of the file that a command is read from.
var targetCallers = []string{"make", "just", "task", "npm run", "pnpm", "yarn", "composer"}

// missing returns why a command cannot be there, "" if nothing speaks against it.
func missing(source, line string) string {
	text, err := os.ReadFile(source)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "its source is not there"
	case err != nil:
		return err.Error()
	}
	for _, caller := range targetCallers {
		target, ok := strings.CutPrefix(line, caller+" ")
		isInstall := strings.HasPrefix(target, "install") || strings.HasPrefix(target, "exec ")
		if ok && !isInstall && !strings.Contains(target, " ") && !bytes.Contains(text, []byte(target)) {
			return "its source has no " + target
		}
	}
	return ""
}
