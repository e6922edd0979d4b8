package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ken/bench/world"
)

// contentFiles is the folder of the texts that are built into ken.
const contentFiles = "internal/workflow/content/files"

// passedStages are the steps of stages.yml that the phase of the run passes.
var passedStages = []string{
	"planning", "checking", "revising", "approving", "work trees", "executing", "repair", "merging", "checks", "verifying", "closing",
}

// mutant is ken without one step of a file.
type mutant struct {
	file, step string
	// emptied: the name of the step stays and nothing else, so that ken reads a file which has to have each step.
	emptied bool
}

func (m mutant) String() string {
	name := strings.TrimSuffix(filepath.Base(m.file), ".yml") + "/" + strings.ReplaceAll(m.step, " ", "-")
	if m.emptied {
		name += "/emptied"
	}
	return name
}

// mutants returns ken without each step of the guides that the runs follow, and of the stages that they pass. Of the stages each step is
// emptied, too, because ken does not read a file that lacks one. It fails if a file is missing.
func mutants() (list []mutant, err error) {
	files := []string{"guides/new-project.yml", "guides/plan-phase.yml", "guides/execute-phase.yml", "guides/fast.yml", "stages.yml"}
	for _, name := range files {
		file := filepath.Join(contentFiles, filepath.FromSlash(name))
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			step, ok := strings.CutPrefix(strings.TrimSpace(line), "- name: ")
			if ok && (name != "stages.yml" || slices.Contains(passedStages, step)) {
				list = append(list, mutant{file: file, step: step})
				if name == "stages.yml" {
					list = append(list, mutant{file, step, true})
				}
			}
		}
	}
	return list, nil
}

// without returns the text of a file without the step, or with nothing but its name and a report without words.
func (m mutant) without(text string) string {
	var b strings.Builder
	left := false
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "  - name: "):
			left = strings.TrimSpace(line) == "- name: "+m.step
			if left && m.emptied {
				b.WriteString(line + "    report: [\"\"]\n")
			}
		case !strings.HasPrefix(line, " "):
			left = false
		}
		if !left {
			b.WriteString(line)
		}
	}
	return b.String()
}

// build builds ken without the step and returns the folder with it. It fails if the text has no such step or ken does not compile.
func (b *bench) buildMutant(m mutant) (string, error) {
	text, err := os.ReadFile(m.file)
	if err != nil {
		return "", err
	}
	less := m.without(string(text))
	if less == string(text) {
		return "", fmt.Errorf("%s has no step %q", m.file, m.step)
	}
	file, err := filepath.Abs(m.file)
	if err != nil {
		return "", err
	}
	bin := filepath.Join(b.home, "mutant", strings.ReplaceAll(m.String(), "/", "-"))
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{file: filepath.Join(bin, "text")}})
	if err != nil {
		return "", err
	}
	if err := world.WriteFiles(bin, map[string]string{"text": less, "overlay.json": string(overlay)}); err != nil {
		return "", err
	}
	args := []string{"build", "-overlay", filepath.Join(bin, "overlay.json"), "-o", filepath.Join(bin, "ken"), "./cmd/ken"}
	cmd := exec.CommandContext(b.ctx, "go", args...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w: %s", m, err, out)
	}
	return bin, nil
}

// runMutants runs the scripts with ken without one step, for each step or for the one that has a name; drawn takes one by the id of the
// commit. A run that comes out right all the same is a miss.
func (b *bench) runMutants(name string, drawn bool) error {
	list, err := mutants()
	if err != nil {
		return err
	}
	switch {
	case name != "":
		list = slices.DeleteFunc(list, func(m mutant) bool { return m.String() != name })
		if len(list) == 0 {
			return fmt.Errorf("there is no step %s", name)
		}
	case drawn:
		head, err := world.Git(b.ctx, ".", "rev-parse", "--short=7", "HEAD")
		if err != nil {
			return err
		}
		n, err := strconv.ParseUint(head, 16, 64)
		if err != nil {
			return err
		}
		list = list[n%uint64(len(list)):][:1]
	}
	var survivors []string
	unread := 0 // emptied steps whose run fails because of the form of the file, which shows nothing about the step
	for _, m := range list {
		bin, err := b.buildMutant(m)
		if err != nil {
			return err
		}
		run := b.runPhase
		if strings.HasSuffix(m.file, "fast.yml") {
			run = b.runSmall
		}
		t, _, err := run(bin, (*trial).runFast)
		if err != nil {
			return err
		}
		os.RemoveAll(bin)
		why := "it comes out right all the same"
		if t.failed() {
			why = t.faults[0]
		} else {
			survivors = append(survivors, m.String())
		}
		if m.emptied && (strings.Contains(why, "stages.yml") || strings.Contains(why, "goroutine ")) {
			unread++
		}
		fmt.Printf("    without %-32s %.160s\n", m, strings.Join(strings.Fields(why), " "))
	}
	reached := fmt.Sprintf("%d of %d", len(list)-len(survivors), len(list))
	b.table.Row("runs that fail when one step of a file is deleted", "all", reached+" "+strings.Join(survivors, ", "), len(survivors) == 0)
	b.table.Row("of these, emptied steps that ken does not read", "0", fmt.Sprint(unread), unread == 0)
	return nil
}
