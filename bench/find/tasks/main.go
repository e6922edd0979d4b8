// Command tasks makes the tasks from which the ranking of `ken find` is learned, of the history of public repositories: the message of a
// commit and the source files that it changed.
//
//	go run ./bench/find/tasks -mirror CLONES [-list bench/find/train.txt] [-each 110] > tasks.jsonl
//
// CLONES holds owner+name/repo git directories. The rows have the fields of dev.jsonl that bench/find reads, and the lines of each file
// that the commit changes, by the numbers before it. The same list gives the same rows.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"ken/bench/world"
)

// task is one commit as a question with its answer.
type task struct {
	ID     string              `json:"id"`
	Repo   string              `json:"repo"`
	Lang   string              `json:"lang"`
	Base   string              `json:"base_commit"`
	Query  string              `json:"query"`
	Gold   []string            `json:"gold"`
	Lines  map[string][][2]int `json:"gold_lines"`
	Source string              `json:"source"` // "title" or "message"
}

func main() {
	mirror := flag.String("mirror", "", "folder of clones")
	list := flag.String("list", "bench/find/train.txt", "repositories, owner/name@commit")
	each := flag.Int("each", 110, "most tasks of a repository")
	flag.Parse()
	if err := write(context.Background(), *mirror, *list, *each); err != nil {
		fmt.Fprintln(os.Stderr, "tasks:", err)
		os.Exit(1)
	}
}

// write prints the tasks of all repositories of a list. It fails if a clone is missing or git does.
func write(ctx context.Context, mirror, list string, each int) error {
	pins, err := world.Corpus(list)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(os.Stdout)
	rows := json.NewEncoder(out)
	rows.SetEscapeHTML(false)
	sum := 0
	for _, p := range pins {
		tasks, err := draw(ctx, mirror, p, each)
		if err != nil {
			return fmt.Errorf("%s: %w", p.Repository, err)
		}
		for i := range tasks {
			if err := rows.Encode(&tasks[i]); err != nil {
				return err
			}
		}
		sum += len(tasks)
		fmt.Fprintf(os.Stderr, "%-40s %4d tasks, %d in all\n", p.Repository, len(tasks), sum)
	}
	return out.Flush()
}
