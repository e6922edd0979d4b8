package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"ken/bench/world"
	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/folder"
)

// countingArgument is the argument of a process that counts in a planning folder.
const countingArgument = "count-in"

// countInFolder adds one to a number in two files, twenty times, and prints a line for each that was reported as done.
func countInFolder(ctx context.Context, project string) error {
	w, err := change.Open(project, change.Options{StateDir: stateBeside(project), Budget: 5 * time.Minute})
	if err != nil {
		return err
	}
	for range 20 {
		_, err := w.Do(ctx, "count", false, func(read change.Read) ([]change.File, error) {
			var files []change.File
			for _, name := range numbered {
				n, err := readNumber(read, name)
				if err != nil {
					return nil, err
				}
				text := fmt.Sprintf("%7d\n", n+1) + strings.Repeat("x", 4096)
				files = append(files, change.File{Name: name, Text: &text})
			}
			return files, nil
		})
		if err != nil {
			return err
		}
		fmt.Println("done")
	}
	return nil
}

// stateBeside returns the state directory of the user of a work tree, which has the key of the seal: without it nothing that a killed
// process left is acted on.
func stateBeside(project string) string { return filepath.Join(filepath.Dir(project), "state") }

var numbered = [...]string{"STATE.md", "ROADMAP.md"}

func readNumber(read change.Read, name string) (int, error) {
	text, ok, err := read(name)
	if err != nil || !ok || len(text) != 8+4096 {
		return 0, errors.Join(err, fmt.Errorf("%s is torn: %d bytes", name, len(text)))
	}
	return strconv.Atoi(strings.TrimSpace(text[:8]))
}

// checkKilled starts counting processes in two work trees of a repository, kills some of them at
// random, and compares the reported changes with the files.
func checkKilled(ctx context.Context, processes int) (missed int, err error) {
	dir, remove, err := world.Scratch("ken-planning")
	if err != nil {
		return 0, err
	}
	defer remove()
	trees := []string{filepath.Join(dir, "main"), filepath.Join(dir, "linked")}
	text := "      0\n" + strings.Repeat("x", 4096)
	if err := makeTrees(ctx, trees, map[string]string{numbered[0]: text, numbered[1]: text}); err != nil {
		return 0, err
	}
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	start := time.Now()
	var children []*exec.Cmd
	var outs []*strings.Builder
	for i := range processes {
		cmd, out := exec.CommandContext(ctx, self, countingArgument, trees[i%2]), &strings.Builder{}
		cmd.Stdout, cmd.Stderr = out, out
		if err := cmd.Start(); err != nil {
			return 0, err
		}
		children, outs = append(children, cmd), append(outs, out)
	}
	for i := 0; i < processes; i += 3 {
		time.Sleep(time.Duration(rand.IntN(40)) * time.Millisecond)
		children[i].Process.Kill()
	}
	reported, lost, why := [2]int{}, 0, ""
	for i, c := range children {
		if err := c.Wait(); err != nil && i%3 != 0 {
			lost, why = lost+1, outs[i].String()
		}
		reported[i%2] += strings.Count(outs[i].String(), "done\n")
	}
	for i, project := range trees {
		n, err := readNumbers(ctx, project)
		// A process can be killed between the end of a change and its report.
		if most := reported[i] + (processes+5)/6; err != nil || n < reported[i] || n > most {
			lost, why = lost+1, fmt.Sprintf("%d changes are there, %d were reported: %v", n, reported[i], err)
		}
	}
	verdict := "kept"
	if lost > 0 {
		verdict, missed = "MISSED "+why, 1
	}
	fmt.Printf("%-32s %d processes in two work trees, %d of them killed: %d changes reported, %d faults, %v: %s\n",
		"killed", processes, (processes+2)/3, reported[0]+reported[1], lost, time.Since(start).Round(time.Millisecond), verdict)
	return missed, nil
}

// makeTrees makes a repository with a planning folder of some files, and a second work tree of it.
func makeTrees(ctx context.Context, trees []string, files map[string]string) error {
	if err := world.WriteFiles(filepath.Join(trees[0], folder.Name), files); err != nil {
		return err
	}
	if err := world.Commit(ctx, trees[0], "x"); err != nil {
		return err
	}
	_, err := world.Git(ctx, trees[0], "worktree", "add", "-q", trees[1])
	return err
}

// readNumbers reads both numbers as the next writer does, which undoes a half-done change.
func readNumbers(ctx context.Context, project string) (int, error) {
	w, err := change.Open(project, change.Options{StateDir: stateBeside(project)})
	if err != nil {
		return 0, err
	}
	var n [2]int
	_, err = w.Do(ctx, "look", false, func(read change.Read) (files []change.File, err error) {
		for i, name := range numbered {
			if n[i], err = readNumber(read, name); err != nil {
				return nil, err
			}
		}
		return nil, nil
	})
	if err == nil && n[0] != n[1] {
		err = fmt.Errorf("half a change: %v", n)
	}
	return n[0], err
}
