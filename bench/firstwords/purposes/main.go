// Command purposes measures which files with a reason to be there ken shows one for.
//
//	go run ./bench/firstwords/purposes -mirror CLONES -work SCRATCH [-ken PROGRAM] [-marks FILE]
//
// CLONES holds owner+name/repo git directories. The marks name files and whether readers found their reason in a doc comment or a README.
// Each purpose that is shown is printed, for readers to judge.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"ken/bench/world"
)

func main() {
	b := bench{}
	flag.StringVar(&b.mirror, "mirror", "", "folder of clones")
	flag.StringVar(&b.work, "work", "", "scratch folder")
	flag.StringVar(&b.ken, "ken", "", "program to measure instead of that of this tree")
	marks := flag.String("marks", "bench/firstwords/purposes/marks.txt", "file of marked files")
	flag.Parse()
	if err := b.run(context.Background(), *marks); err != nil {
		fmt.Fprintln(os.Stderr, "purposes:", err)
		os.Exit(1)
	}
}

type bench struct {
	mirror, work, ken string
	marked, shown     int // files with a reason, and those of them with a purpose
	others, extra     int // the other files, and those of them with a purpose
}

func (b *bench) run(ctx context.Context, marks string) (err error) {
	if b.ken == "" {
		if b.ken, err = world.Build(ctx, b.work); err != nil {
			return err
		}
	}
	text, err := os.ReadFile(marks)
	if err != nil {
		return err
	}
	tree := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if repository, commit, ok := strings.Cut(line, "@"); ok && !strings.Contains(line, " ") {
			if tree, err = b.prepare(ctx, repository, commit); err != nil {
				return err
			}
		} else if mark, file, ok := strings.Cut(line, " "); ok && mark != "#" {
			b.look(ctx, tree, mark == "why", file)
		}
	}
	t := world.Table{}
	share := 100 * float64(b.shown) / float64(max(1, b.marked))
	t.Row(fmt.Sprintf("purposes shown of files with a reason in doc or README, of %d", b.marked), "≥ 85 %", fmt.Sprintf("%.1f %%", share), share >= 85)
	t.LeaveOut(fmt.Sprintf("shown of %d others", b.others), "readers judge", fmt.Sprint(b.extra))
	return t.Summary()
}

// prepare checks a repository out and indexes it.
func (b *bench) prepare(ctx context.Context, repository, commit string) (tree string, err error) {
	if tree, err = world.ShareClone(ctx, b.mirror, repository, b.work); err != nil {
		return "", err
	}
	if err = world.Checkout(ctx, tree, commit); err != nil {
		return "", err
	}
	_, err = b.command(ctx, "index", "-C", tree)
	return tree, err
}

// look counts one file and prints its purpose.
func (b *bench) look(ctx context.Context, tree string, why bool, file string) {
	out, err := b.command(ctx, "show", "-C", tree, "--json", file)
	var card struct {
		Purpose string `json:"purpose"`
	}
	if err == nil {
		err = json.Unmarshal(out, &card)
	}
	if err != nil {
		fmt.Printf("%s: %v\n", file, err)
	}
	mark := "-"
	if why {
		mark = "why"
		b.marked++
	} else {
		b.others++
	}
	switch {
	case card.Purpose == "":
	case why:
		b.shown++
	default:
		b.extra++
	}
	fmt.Printf("%s\t%s/%s\t%s\n", mark, filepath.Base(tree), file, card.Purpose)
}

func (b *bench) command(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, b.ken, args...)
	cmd.Env = world.Environment(filepath.Join(b.work, "home"))
	return cmd.Output()
}
