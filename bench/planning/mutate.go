package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"ken/bench/world"
	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/roadmap"
	"ken/internal/workflow/plan/state"
)

const (
	mutatedState = "# State\n\n## Current Position\n\nPhase: 1 of 1 (First)\nStatus: Planning\n\n## Decisions\n\nNone yet.\n\n## End\n\nend\n"
	mutatedRoad  = "# Roadmap\n\n- [ ] **Phase 1: First**\n\n### Phase 1: First\n**Goal**: g\n\n## End\n\nend\n"
	mutatedNeeds = "# Requirements\n\n%s\n## End\n\nend\n"
)

// askedChange is a change that one process is asked to make: its kind, and a word that occurs nowhere else.
type askedChange struct {
	kind int // decision, phase, requirement
	word string
}

func (a askedChange) commandArgs() []string {
	switch a.kind {
	case 0:
		return []string{"state", "add-decision", "--summary", a.word}
	case 1:
		return []string{"phase", "add", a.word}
	}
	return []string{"requirements", "mark-complete", a.word}
}

// changeLine is a sequence of changes, each made by a process of its own.
type changeLine struct {
	tree     int
	reported []askedChange
	unsure   []askedChange // whose process was killed
	faults   []string
}

// runChanges makes the changes, and kills some of the processes that make them.
func (l *changeLine) runChanges(ctx context.Context, ken, tree string, number, each int) {
	for i := range each {
		a := askedChange{(number + i) % 3, fmt.Sprintf("w%dx%dw", number, i)}
		var out bytes.Buffer
		cmd := exec.CommandContext(ctx, ken, append([]string{"plan", "-C", tree}, a.commandArgs()...)...)
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Start(); err != nil {
			l.faults = append(l.faults, err.Error())
			return
		}
		kill := rand.IntN(4) == 0
		if kill {
			time.Sleep(time.Duration(rand.IntN(60)) * time.Millisecond)
			cmd.Process.Kill()
		}
		switch err := cmd.Wait(); {
		case err == nil:
			l.reported = append(l.reported, a)
		case kill:
			l.unsure = append(l.unsure, a)
		default:
			l.faults = append(l.faults, fmt.Sprintf("%v: %v: %s", a.commandArgs(), err, out.String()))
		}
	}
}

// checkMutations has many processes of the program change two work trees of a repository at once, kills some, and compares the
// reported changes with the files.
func checkMutations(ctx context.Context, lines, each int) (missed int, err error) {
	top, remove, err := world.Scratch("ken-planning")
	if err != nil {
		return 0, err
	}
	defer remove()
	ken, err := world.Build(ctx, top)
	if err != nil {
		return 0, err
	}
	trees := []string{filepath.Join(top, "main"), filepath.Join(top, "linked")}
	var needs strings.Builder
	for n := range lines {
		for i := range each {
			fmt.Fprintf(&needs, "- [ ] **w%dx%dw**: text\n", n, i)
		}
	}
	files := map[string]string{"STATE.md": mutatedState, "ROADMAP.md": mutatedRoad, "REQUIREMENTS.md": fmt.Sprintf(mutatedNeeds, needs.String())}
	if err := makeTrees(ctx, trees, files); err != nil {
		return 0, err
	}
	start := time.Now()
	all := make([]changeLine, lines)
	var wait sync.WaitGroup
	for i := range all {
		all[i].tree = i % 2
		wait.Go(func() { all[i].runChanges(ctx, ken, trees[i%2], i, each) })
	}
	wait.Wait()
	took := time.Since(start)
	var faults []string
	reported, killed := 0, 0
	for i := range all {
		reported, killed = reported+len(all[i].reported), killed+len(all[i].unsure)
		faults = append(faults, all[i].faults...)
	}
	for i, tree := range trees {
		list, err := compareTree(ctx, tree, i, all)
		if err != nil {
			return 0, err
		}
		faults = append(faults, list...)
	}
	verdict := "kept"
	if len(faults) > 0 {
		verdict, missed = "MISSED "+faults[0], 1
	}
	fmt.Printf("%-32s %d lines of %d processes in two work trees, %d of them killed: %d changes reported, %d faults, %v: %s\n",
		"changed by the program", lines, each, killed, reported, len(faults), took.Round(time.Millisecond), verdict)
	return missed, nil
}

// compareTree returns the torn files of a tree, the reported changes that are missing, and the changes that were not requested.
func compareTree(ctx context.Context, tree string, number int, all []changeLine) (faults []string, err error) {
	w, err := change.Open(tree, change.Options{})
	if err != nil {
		return nil, err
	}
	// The next writer undoes half-done changes.
	if _, err := w.Do(ctx, "look", false, func(change.Read) ([]change.File, error) { return nil, nil }); err != nil {
		return nil, err
	}
	texts := [3]string{}
	for i, name := range [...]string{"STATE.md", "ROADMAP.md", "REQUIREMENTS.md"} {
		b, e := os.ReadFile(filepath.Join(tree, folder.Name, name))
		err = errors.Join(err, e)
		if texts[i] = string(b); !strings.HasSuffix(texts[i], "\n## End\n\nend\n") {
			faults = append(faults, name+" is torn")
		}
	}
	if err != nil {
		return nil, err
	}
	there := map[string]int{}
	for _, d := range state.Parse(texts[0]).Decisions() {
		there[d.Summary]++
	}
	numbers := map[string]bool{}
	for _, p := range roadmap.Parse(texts[1]).Phases {
		there[p.Name]++
		if numbers[p.ID.Key()] {
			faults = append(faults, "phase "+p.ID.String()+" is there twice")
		}
		numbers[p.ID.Key()] = true
		made, _ := filepath.Glob(filepath.Join(tree, folder.Name, "phases", p.ID.PaddedNumber()+"-"+p.Name, ".gitkeep"))
		if p.Name != "First" && len(made) != 1 {
			faults = append(faults, "phase "+p.ID.String()+" has no folder")
		}
	}
	for l := range strings.Lines(texts[2]) {
		if rest, ok := strings.CutPrefix(l, "- [x] **"); ok {
			name, _, _ := strings.Cut(rest, "**")
			there[name]++
		}
	}
	for i := range all {
		if all[i].tree != number {
			continue
		}
		for k, a := range slices.Concat(all[i].reported, all[i].unsure) {
			lost := k < len(all[i].reported) && there[a.word] == 0
			if lost || there[a.word] > 1 {
				faults = append(faults, fmt.Sprintf("%v is there %d times", a.commandArgs(), there[a.word]))
			}
			delete(there, a.word)
		}
	}
	delete(there, "First")
	if len(there) > 0 {
		faults = append(faults, fmt.Sprintf("%v was not requested", there))
	}
	return faults, nil
}
