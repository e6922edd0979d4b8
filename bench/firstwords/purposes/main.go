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
	for part := range strings.SplitSeq(string(text), "\n@ ") {
		header, rows, _ := strings.Cut(part, "\n")
		repository, commit, ok := strings.Cut(header, "@")
		if !ok {
			continue // the comment at the beginning
		}
		if err := b.measure(ctx, repository, commit, rows); err != nil {
			return fmt.Errorf("%s: %w", repository, err)
		}
	}
	t := world.Table{}
	share := 100 * float64(b.shown) / float64(max(1, b.marked))
	t.Row(fmt.Sprintf("purposes shown of files with a reason in doc or README, of %d", b.marked), "≥ 85 %", fmt.Sprintf("%.1f %%", share), share >= 85)
	t.LeaveOut(fmt.Sprintf("shown of %d others", b.others), "readers judge", fmt.Sprint(b.extra))
	return t.Summary()
}

// measure checks a repository out, indexes it and asks for the pages of its marked files, which are rows of a mark and a path.
func (b *bench) measure(ctx context.Context, repository, commit, rows string) error {
	tree, err := world.ShareClone(ctx, b.mirror, repository, b.work)
	if err != nil {
		return err
	}
	if err = world.Checkout(ctx, tree, commit); err != nil {
		return err
	}
	if _, err = b.command(ctx, "index", "-C", tree); err != nil {
		return err
	}
	marks, args := map[string]string{}, []string{"entity", "show", "-C", tree, "--json", "--"}
	for line := range strings.Lines(rows) {
		if mark, file, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			marks[file] = mark
			args = append(args, file)
		}
	}
	out, err := b.command(ctx, args...)
	if err != nil {
		return err
	}
	var answer struct {
		Pages []struct{ Path, Purpose, From string }
	}
	if err = json.Unmarshal(out, &answer); err != nil {
		return err
	}
	for _, p := range answer.Pages {
		why, has := marks[p.Path] == "why", p.Purpose != ""
		switch {
		case why && has:
			b.marked, b.shown = b.marked+1, b.shown+1
		case why:
			b.marked++
		case has:
			b.others, b.extra = b.others+1, b.extra+1
		default:
			b.others++
		}
		fmt.Printf("%s\t%s/%s\t%s\t%s\n", marks[p.Path], filepath.Base(tree), p.Path, p.From, p.Purpose)
	}
	return nil
}

func (b *bench) command(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, b.ken, args...)
	cmd.Env = world.Environment(filepath.Join(b.work, "home"))
	return cmd.Output()
}
