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

	"ken/bench/world"
	"ken/internal/delivery/planning"
	"ken/internal/operation"
	"ken/internal/workflow/plan/folder"
)

// timedCommands are command lines measured in newly started processes, each also in the spelling of gsd-tools, "" if it has none.
var timedCommands = [...]struct{ ken, other string }{
	{"plan", ""}, {"plan progress", "progress"}, {"plan roadmap analyze", "roadmap analyze"}, {"plan route next-action", ""},
	{"plan init execute-phase 2", "init execute-phase 2"}, {"plan init plan-phase 2", "init plan-phase 2"}, {"plan init new-project", "init new-project"},
	{"plan init new-milestone", "init new-milestone"}, {"plan init quick x", "init quick x"}, {"plan init resume", "init resume"},
	{"plan init verify-work 2", "init verify-work 2"}, {"plan init phase-op 2", "init phase-op 2"}, {"plan init todos", "init todos"},
	{"plan init milestone-op", "init milestone-op"}, {"plan init map-codebase", "init map-codebase"}, {"plan init progress", "init progress"},
	{"plan init manager", "init manager"},
}

// runs is how often each command line is measured; its median counts.
const runs = 15

// turns is how often the command lines of daily work are measured, in turns.
const turns = 31

// makeFolder returns the files of a folder of so many phases, each with so many plans; half of the phases are done.
func makeFolder(phases, plans int) map[string]string {
	files := map[string]string{"PROJECT.md": "# Project\n\n## Core Value\n\nIt works.\n", "config.json": "{}\n"}
	var list, details strings.Builder
	for i := 1; i <= phases; i++ {
		done := i <= phases/2
		mark := map[bool]string{true: "x", false: " "}[done]
		fmt.Fprintf(&list, "- [%s] **Phase %d: Name %d** - does a thing\n", mark, i, i)
		fmt.Fprintf(&details, "### Phase %d: Name %d\n**Goal**: a goal\n**Depends on**: Phase %d\n**Requirements**: [A-%02d]\n\nPlans:\n", i, i, i-1, i)
		for j := 1; j <= plans; j++ {
			id := fmt.Sprintf("%02d-%02d", i, j)
			fmt.Fprintf(&details, "- [%s] %s: a plan\n", mark, id)
			path := fmt.Sprintf("phases/%02d-name-%d/%s", i, i, id)
			files[path+"-PLAN.md"] = madePlan
			if done {
				files[path+"-SUMMARY.md"] = "---\nphase: " + id[:2] + "\nplan: " + id[3:] + "\n---\n\n# Summary\n\nDone.\n"
			}
		}
		details.WriteString("\n")
	}
	files["ROADMAP.md"] = "# Roadmap\n\n## v1.0 First\n\n" + list.String() + "\n## Phase Details\n\n" + details.String()
	files["STATE.md"] = strings.Replace(madeState, "2 of 3", fmt.Sprintf("2 of %d", phases), 1)
	return files
}

// measureSpeed measures cold processes against `ken version`, and those of the other program where it is there.
func measureSpeed(ctx context.Context, o *options) (missed int, err error) {
	top, remove, err := world.Scratch("ken-planning")
	if err != nil {
		return 0, err
	}
	defer remove()
	ken, err := world.Build(ctx, top)
	if err != nil {
		return 0, err
	}
	for _, size := range []struct {
		phases, plans int
		most          float64
	}{{5, 3, 2}, {50, 6, 6}} {
		root, files := filepath.Join(top, fmt.Sprint(size.phases)), makeFolder(size.phases, size.plans)
		if err := errors.Join(world.WriteFiles(filepath.Join(root, folder.Name), files), world.Commit(ctx, root, "x")); err != nil {
			return missed, err
		}
		n, err := measureFolder(ctx, o, ken, root, len(files), size.most)
		if missed += n; err != nil {
			return missed, err
		}
	}
	n, err := measureWork(ctx, ken, filepath.Join(top, "work"))
	return missed + n, err
}

// workRow is a command line of daily work, and the most times `ken version` that it may take, beside the yardstick if it has one.
type workRow struct {
	words     string
	most      float64
	yardstick string
}

// workPhases and workPlans are the size of the folder of daily work.
const (
	workPhases = 20
	workPlans  = 5
)

// measureWork measures daily work on 20 phases with 100 plans as long as most real ones. In each turn every command line runs once, so that
// what else the machine does meets all of them.
func measureWork(ctx context.Context, ken, root string) (missed int, err error) {
	filler, err := os.ReadFile("docs/execution.md") // as many bytes as half of 206 public plans and of 216 summaries have
	if err != nil {
		return 0, err
	}
	files := map[string]string{}
	for name, text := range makeFolder(workPhases, workPlans) {
		switch {
		case strings.HasSuffix(name, "-PLAN.md"):
			text += "\n<context>\n" + string(filler[:min(len(filler), 14_000)]) + "\n</context>\n"
		case strings.HasSuffix(name, "-SUMMARY.md"):
			text += string(filler[:min(len(filler), 5_000)])
		}
		files[filepath.Join(folder.Name, name)] = text
	}
	for i := range 300 {
		files[fmt.Sprintf("code/f%d.go", i)] = fmt.Sprintf("package code\n\n// F%d does a thing of a goal.\nfunc F%d(n int) int { return n + %d }\n", i, i, i)
	}
	if err := errors.Join(world.WriteFiles(root, files), world.Commit(ctx, root, "x")); err != nil {
		return 0, err
	}
	missed, err = measureRows(ctx, ken, root, []workRow{
		{"plan", 3, ""}, {"plan progress", 3, ""}, {"plan state json", 3, ""}, {"plan run next 11", 3, ""},
		{"plan payload 11 11-01", 5, ""}, {"plan payload 11 --role planner", 5, ""}, {"plan payload 11 --role verifier", 5, ""},
	})
	if err != nil {
		return missed, err
	}
	if _, err := medianTime(ctx, root, ken, "init"); err != nil {
		return missed, err
	}
	n, err := measureRows(ctx, ken, root, []workRow{{"plan payload 11 --role planner", 5, "brief a-goal"}, {"plan init plan-phase 11", 5, "brief a-goal"}})
	return missed + n, err
}

// measureRows measures rows in turns with `ken version` and their yardsticks.
func measureRows(ctx context.Context, ken, root string, rows []workRow) (missed int, err error) {
	lines := []string{"version"}
	for _, row := range rows {
		lines = append(lines, row.words)
		if row.yardstick != "" && !slices.Contains(lines, row.yardstick) {
			lines = append(lines, row.yardstick)
		}
	}
	times := map[string][]time.Duration{}
	for range turns {
		for _, line := range lines {
			took, err := timeOnce(ctx, root, ken, strings.Fields(line)...)
			if err != nil {
				return 0, err
			}
			times[line] = append(times[line], took)
		}
	}
	median := func(line string) time.Duration { return world.Percentile(times[line], 50) }
	fmt.Printf("cold processes in %d turns, %d phases and %d plans; ken version takes %s\n", turns, workPhases, workPhases*workPlans, world.Millis(median("version")))
	for _, row := range rows {
		took, beside, bound := median(row.words), time.Duration(0), fmt.Sprintf("at most %.0f", row.most)
		if row.yardstick != "" {
			beside = median(row.yardstick)
			bound = fmt.Sprintf("beside ken brief, %s, %s", world.Millis(beside), bound)
		}
		ratio, verdict := float64(took-beside)/float64(median("version")), "kept"
		if ratio > row.most {
			verdict = "MISSED"
			missed++
		}
		fmt.Printf("  %-31s %9s, %.1f × ken version (%s): %s\n", row.words, world.Millis(took), ratio, bound, verdict)
	}
	return missed, nil
}

func measureFolder(ctx context.Context, o *options, ken, root string, files int, most float64) (missed int, err error) {
	version, err := medianTime(ctx, root, ken, "version")
	if err != nil {
		return 0, err
	}
	fmt.Printf("cold processes, a folder of %d files; ken version takes %s\n", files, world.Millis(version))
	for _, row := range timedCommands {
		words := strings.Fields(row.ken)[1:]
		if found, _ := operation.Find(planning.All(), words); len(words) > 0 && found == nil {
			fmt.Printf("  %-28s not there\n", row.ken)
			continue
		}
		took, version, err := besideVersion(ctx, root, ken, strings.Fields(row.ken)...)
		if err != nil {
			return missed, err
		}
		ratio, verdict := float64(took)/float64(version), "kept"
		if ratio > most {
			verdict = "MISSED"
			missed++
		}
		line := fmt.Sprintf("  %-28s %9s, %.1f × ken version (at most %.0f): %s", row.ken, world.Millis(took), ratio, most, verdict)
		if o.oracle != "" && row.other != "" {
			other, err := medianTime(ctx, root, "node", append([]string{o.oracle}, strings.Fields(row.other)...)...)
			if err != nil {
				return missed, err
			}
			verdict = "kept"
			if other < 10*took {
				verdict = "MISSED"
				missed++
			}
			line += fmt.Sprintf("; the other takes %s, %.1f × (at least 10): %s", world.Millis(other), float64(other)/float64(took), verdict)
		}
		fmt.Println(line)
	}
	return missed, nil
}

// medianTime returns the median time of a process that is started anew each time.
func medianTime(ctx context.Context, dir, program string, args ...string) (time.Duration, error) {
	var all []time.Duration
	for range runs {
		took, err := timeOnce(ctx, dir, program, args...)
		if err != nil {
			return 0, err
		}
		all = append(all, took)
	}
	return world.Percentile(all, 50), nil
}

// besideVersion returns the median times of a command line and of `ken version`, which take turns.
func besideVersion(ctx context.Context, dir, ken string, args ...string) (took, version time.Duration, err error) {
	var all, versions []time.Duration
	for range runs {
		v, err := timeOnce(ctx, dir, ken, "version")
		if err != nil {
			return 0, 0, err
		}
		t, err := timeOnce(ctx, dir, ken, args...)
		if err != nil {
			return 0, 0, err
		}
		all, versions = append(all, t), append(versions, v)
	}
	return world.Percentile(all, 50), world.Percentile(versions, 50), nil
}

// timeOnce returns the time of a process.
func timeOnce(ctx context.Context, dir, program string, args ...string) (time.Duration, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Stdout = dir, io.Discard
	began := time.Now()
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("%s %s: %w", filepath.Base(program), strings.Join(args, " "), err)
	}
	return time.Since(began), nil
}
