package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/internal/delivery/planning"
	"ken/internal/operation"
	"ken/internal/workflow/plan/folder"
)

// timed are command lines whose cold processes are measured, each as gsd-tools has it; "" if it has none.
var timed = [...]struct{ ken, other string }{
	{"plan", ""}, {"plan progress", "progress"}, {"plan roadmap analyze", "roadmap analyze"}, {"plan route next-action", ""},
	{"plan init execute-phase 2", "init execute-phase 2"}, {"plan init plan-phase 2", "init plan-phase 2"}, {"plan init new-project", "init new-project"},
	{"plan init new-milestone", "init new-milestone"}, {"plan init quick x", "init quick x"}, {"plan init resume", "init resume"},
	{"plan init verify-work 2", "init verify-work 2"}, {"plan init phase-op 2", "init phase-op 2"}, {"plan init todos", "init todos"},
	{"plan init milestone-op", "init milestone-op"}, {"plan init map-codebase", "init map-codebase"}, {"plan init progress", "init progress"},
	{"plan init manager", "init manager"},
}

// runs is how often each command line is measured; its median counts.
const runs = 15

// makeFolder makes a folder of so many phases, each with so many plans; half of the phases are done.
func makeFolder(phases, plans int) (root string, err error) {
	if root, err = os.MkdirTemp("", "ken-planning"); err != nil {
		return "", err
	}
	put := func(name, text string) {
		at := filepath.Join(root, folder.Name, filepath.FromSlash(name))
		err = errors.Join(err, os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte(text), 0o644))
	}
	var list, details strings.Builder
	for i := 1; i <= phases; i++ {
		done := i <= phases/2
		mark := map[bool]string{true: "x", false: " "}[done]
		fmt.Fprintf(&list, "- [%s] **Phase %d: Name %d** - does a thing\n", mark, i, i)
		fmt.Fprintf(&details, "### Phase %d: Name %d\n**Goal**: a goal\n**Depends on**: Phase %d\n**Requirements**: [A-%02d]\n\nPlans:\n", i, i, i-1, i)
		for j := 1; j <= plans; j++ {
			id := fmt.Sprintf("%02d-%02d", i, j)
			fmt.Fprintf(&details, "- [%s] %s: a plan\n", mark, id)
			put(fmt.Sprintf("phases/%02d-name-%d/%s-PLAN.md", i, i, id), madePlan)
			if done {
				put(fmt.Sprintf("phases/%02d-name-%d/%s-SUMMARY.md", i, i, id), "---\nphase: "+id[:2]+"\nplan: "+id[3:]+"\n---\n\n# Summary\n\nDone.\n")
			}
		}
		details.WriteString("\n")
	}
	put("ROADMAP.md", "# Roadmap\n\n## v1.0 First\n\n"+list.String()+"\n## Phase Details\n\n"+details.String())
	put("STATE.md", strings.Replace(madeState, "2 of 3", fmt.Sprintf("2 of %d", phases), 1))
	put("PROJECT.md", "# Project\n\n## Core Value\n\nIt works.\n")
	put("config.json", "{}\n")
	return root, errors.Join(err, exec.Command("git", "init", "-q", root).Run())
}

// speed measures cold processes against `ken version`, and those of the other program where it is there.
func speed(ctx context.Context, o *options) (missed int, err error) {
	top, err := os.MkdirTemp("", "ken-planning")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(top)
	ken := filepath.Join(top, "ken")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", ken, "./cmd/ken").CombinedOutput(); err != nil {
		return 0, fmt.Errorf("build: %w: %s", err, out)
	}
	for _, size := range []struct {
		phases, plans int
		most          float64
	}{{5, 3, 2}, {50, 6, 6}} {
		root, err := makeFolder(size.phases, size.plans)
		if err != nil {
			return missed, err
		}
		n, err := measureFolder(ctx, o, ken, root, size.most)
		missed += n
		if err = errors.Join(err, os.RemoveAll(root)); err != nil {
			return missed, err
		}
	}
	return missed, nil
}

func measureFolder(ctx context.Context, o *options, ken, root string, most float64) (missed int, err error) {
	version, err := median(ctx, root, ken, "version")
	if err != nil {
		return 0, err
	}
	fmt.Printf("cold processes, a folder of %d files; ken version takes %.1f ms\n", files(root), ms(version))
	for _, row := range timed {
		words := strings.Fields(row.ken)[1:]
		if found, _ := operation.Find(planning.All(), words); len(words) > 0 && found == nil {
			fmt.Printf("  %-28s not there\n", row.ken)
			continue
		}
		took, err := median(ctx, root, ken, strings.Fields(row.ken)...)
		if err != nil {
			return missed, err
		}
		ratio, verdict := float64(took)/float64(version), "kept"
		if ratio > most {
			verdict = "MISSED"
			missed++
		}
		line := fmt.Sprintf("  %-28s %6.1f ms, %.1f × ken version (at most %.0f): %s", row.ken, ms(took), ratio, most, verdict)
		if o.oracle != "" && row.other != "" {
			other, err := median(ctx, root, "node", append([]string{o.oracle}, strings.Fields(row.other)...)...)
			if err != nil {
				return missed, err
			}
			verdict = "kept"
			if other < 10*took {
				verdict = "MISSED"
				missed++
			}
			line += fmt.Sprintf("; the other takes %.0f ms, %.1f × (at least 10): %s", ms(other), float64(other)/float64(took), verdict)
		}
		fmt.Println(line)
	}
	return missed, nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func files(root string) (n int) {
	_ = filepath.WalkDir(filepath.Join(root, folder.Name), func(_ string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			n++
		}
		return err
	})
	return n
}

// median is how long a process takes, begun anew each time.
func median(ctx context.Context, dir, program string, args ...string) (time.Duration, error) {
	var all []time.Duration
	for range runs {
		cmd := exec.CommandContext(ctx, program, args...)
		cmd.Dir, cmd.Stdout = dir, io.Discard
		began := time.Now()
		if err := cmd.Run(); err != nil {
			return 0, fmt.Errorf("%s %s: %w", filepath.Base(program), strings.Join(args, " "), err)
		}
		all = append(all, time.Since(began))
	}
	slices.Sort(all)
	return all[len(all)/2], nil
}
