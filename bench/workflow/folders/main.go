// Folders measures whether the guide that ken names for a project in mid-phase is the right one. The projects and their right steps are
// in bench/workflow/folders.txt, written down by hand before any of them was shown to ken.
//
//	go run ./bench/workflow/folders -mirror CLONES [-list bench/workflow/folders_held.txt]
//
// Each planning folder is taken out of its clone, CLONES/owner+name/repo, into a scratch repository, where "ken plan guide" is run as
// the skill ken-do runs it. The program fails if fewer than nine of ten are named right.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// project is a repository at a commit, with the step that comes next there.
type project struct {
	repository, commit, want string
}

func main() {
	mirror := flag.String("mirror", "", "folder of clones, each as owner+name/repo")
	list := flag.String("list", "bench/workflow/folders.txt", "the projects and their right steps")
	flag.Parse()
	if err := measure(context.Background(), *mirror, *list); err != nil {
		fmt.Fprintln(os.Stderr, "folders:", err)
		os.Exit(1)
	}
}

func measure(ctx context.Context, mirror, list string) error {
	if mirror == "" {
		return fmt.Errorf("-mirror has to be given")
	}
	projects, err := readProjects(list)
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "ken-folders-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	ken := filepath.Join(scratch, "ken")
	if _, err := output(ctx, ".", "go", "build", "-o", ken, "./cmd/ken"); err != nil {
		return err
	}
	right := 0
	for i, p := range projects {
		dir := filepath.Join(scratch, fmt.Sprint(i))
		if err := checkOut(ctx, mirror, dir, p); err != nil {
			return fmt.Errorf("%s: %w", p.repository, err)
		}
		got, err := namedStep(ctx, ken, dir)
		if err != nil {
			got = err.Error()
		}
		verdict := "right"
		if got != p.want {
			verdict = "wanted " + p.want
		} else {
			right++
		}
		fmt.Printf("%-40s %-20s %s\n", p.repository, got, verdict)
	}
	fmt.Printf("right: %d of %d\n", right, len(projects))
	if len(projects) < 10 || right*10 < len(projects)*9 {
		return fmt.Errorf("fewer than nine of ten, or fewer than ten projects")
	}
	return nil
}

// readProjects returns the projects of a list. It fails if a project has no step or not two lines why.
func readProjects(name string) (list []project, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	reasons := 0
	lines := bufio.NewScanner(file)
	check := func() {
		if n := len(list); n > 0 && (list[n-1].want == "" || reasons != 2) && err == nil {
			err = fmt.Errorf("%s: %s needs a step and two lines why", name, list[n-1].repository)
		}
	}
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if step, ok := strings.CutPrefix(line, "step: "); ok && len(list) > 0 {
			list[len(list)-1].want = step
		} else if strings.HasPrefix(line, "why: ") {
			reasons++
		} else if repository, commit, ok := strings.Cut(line, "@"); ok {
			check()
			list, reasons = append(list, project{repository: repository, commit: commit}), 0
		} else {
			return nil, fmt.Errorf("%s: %q is no line of the list", name, line)
		}
	}
	check()
	if err == nil {
		err = lines.Err()
	}
	return list, err
}

// checkOut writes the planning folder of a project to a new repository in dir.
func checkOut(ctx context.Context, mirror, dir string, p project) error {
	clone := filepath.Join(mirror, strings.ReplaceAll(p.repository, "/", "+"), "repo")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	archive := dir + ".tar"
	for _, c := range [][]string{
		{"git", "-C", clone, "archive", "--prefix=.planning/", "-o", archive, p.commit + ":.planning"},
		{"tar", "xf", archive, "-C", dir},
		{"git", "-C", dir, "init", "-q"},
		{"git", "-C", dir, "add", "-A"},
		{"git", "-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "planning"},
	} {
		if _, err := output(ctx, ".", c...); err != nil {
			return err
		}
	}
	return nil
}

// namedStep returns the step that ken names in a folder: the guide and the phase, if it has one, without leading zeros.
func namedStep(ctx context.Context, ken, dir string) (string, error) {
	text, err := output(ctx, dir, ken, "plan", "guide", "--format", "json")
	if ended := (*exec.ExitError)(nil); errors.As(err, &ended) && text != "" {
		err = nil // an answer, and a file that could not be read
	}
	if err != nil {
		return "", err
	}
	var guide struct {
		Name  string
		Facts []string
	}
	if err := json.Unmarshal([]byte(text), &guide); err != nil {
		return "", err
	}
	for _, fact := range guide.Facts {
		if step, ok := strings.CutPrefix(fact, "next: "); ok {
			step, _, _ = strings.Cut(step, " (")
			if step != guide.Name && !strings.HasPrefix(step, guide.Name+" ") {
				return step + " but guide " + guide.Name, nil
			}
			return strings.ReplaceAll(step, " 0", " "), nil // as a folder that the roadmap does not have is numbered
		}
	}
	return guide.Name, nil
}

func output(ctx context.Context, dir string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, args[0], args[1:]...)
	c.Dir = dir
	var problems strings.Builder
	c.Stderr = &problems
	text, err := c.Output()
	if err != nil {
		return string(text), fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(problems.String()))
	}
	return string(text), nil
}
