package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"ken/bench/world"
)

// killTrial is a command that is killed, and the question whether the next command that reads sees all of what it writes or nothing.
type killTrial struct {
	what  string
	begin func(root string, i int) error // the state before
	args  func(i int) []string
	// look reads as the next command does. It returns whether the change is there, and a fault if it is half there.
	look func(ctx context.Context, root string, i int) (there bool, fault string)
}

// killWriters kills each command of the trials at random moments. It prints each row in which something is not as it was or as it is to
// be, or in which what was reported as done is not there.
func (t *trial) killWriters(ctx context.Context) error {
	kills := 200
	if t.Short {
		kills = 5
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for n, k := range t.killTrials() {
		root, err := t.makeProject(ctx, fmt.Sprint("kill", n))
		if err != nil {
			return err
		}
		if err := world.WriteFiles(root, planFiles()); err != nil {
			return err
		}
		var took time.Duration
		killed, done, faults := 0, 0, 0
		for i := 0; killed < kills; i++ {
			if err := k.begin(root, i); err != nil {
				return err
			}
			after := time.Duration(0)
			if i >= 3 { // the first three are for the time that it takes
				after = max(time.Millisecond, time.Duration(rng.Int64N(int64(took)*11/10)))
			}
			began := time.Now()
			acknowledged, wasKilled, err := t.killAfter(ctx, root, after, k.args(i))
			if err != nil {
				return err
			}
			if i < 3 && (took == 0 || time.Since(began) < took) {
				took = time.Since(began)
			}
			if i == 2 && !acknowledged {
				return fmt.Errorf("ken %s does not work", strings.Join(k.args(i), " "))
			}
			if wasKilled {
				killed++
			}
			there, fault := k.look(ctx, root, i)
			if fault == "" && acknowledged && !there {
				fault = "it was reported as done, and is not there"
			}
			if there {
				done++
			}
			if fault != "" {
				faults++
				fmt.Printf("%s, run %d, killed after %v (%v), done %v: %s\n", k.what, i, after, wasKilled, acknowledged, fault)
			}
			if ctx.Err() != nil || i > 20*kills {
				return errors.Join(ctx.Err(), fmt.Errorf("%s: only %d of %d runs were killed", k.what, killed, i))
			}
		}
		t.Row(fmt.Sprintf("%s: %d kills", k.what, killed), "the next read sees all or nothing, nothing reported is lost",
			fmt.Sprintf("%d faults; it was there after %d runs", faults, done), faults == 0)
	}
	return nil
}

// killAfter runs ken and kills it after a time; 0 lets it end.
func (t *trial) killAfter(ctx context.Context, root string, after time.Duration, args []string) (done, killed bool, err error) {
	cmd := exec.CommandContext(ctx, t.ken, append([]string{"-C", root}, args...)...)
	cmd.Env = t.env
	if err := cmd.Start(); err != nil {
		return false, false, err
	}
	if after > 0 {
		defer time.AfterFunc(after, func() { cmd.Process.Kill() }).Stop()
	}
	cmd.Wait()
	return cmd.ProcessState.Success(), cmd.ProcessState.ExitCode() < 0, nil
}

func (t *trial) killTrials() []killTrial {
	fact := func(i int) string { return fmt.Sprintf("fact%dends", i) }
	nothing := func(string, int) error { return nil }
	list := []killTrial{
		{"index", func(root string, i int) error {
			return world.WriteFiles(root, map[string]string{"p0/pod.go": fmt.Sprintf("package p0\n\nfunc Made%d() {}\n\nfunc Also%d() { Made%d() }\n", i, i, i)})
		}, func(int) []string { return []string{"index"} }, func(ctx context.Context, root string, i int) (bool, string) {
			out, err := t.runKen(ctx, root, "refs", fmt.Sprintf("Made%d", i))
			if err != nil || !strings.Contains(out, "p0/pod.go") {
				return false, fmt.Sprintf("%v %s", err, out)
			}
			return true, ""
		}},
		{"session decide", nothing, func(i int) []string { return []string{"session", "decide", fact(i)} }, func(ctx context.Context, root string, i int) (bool, string) {
			shown, err := t.runKen(ctx, root, "session", "show", "--json")
			if err != nil && i > 3 {
				return false, err.Error()
			}
			text, _ := os.ReadFile(filepath.Join(root, ".ken", "knowledge", "decisions.md"))
			n, listed := strings.Count(string(text), fact(i)), strings.Count(shown, fact(i))
			own, err := t.runKen(ctx, root, "memory", "list", "--limit", "0", "--json")
			if err != nil && i > 3 {
				return false, err.Error()
			}
			kept := strings.Count(own, fact(i)) > 0
			if n > 1 || listed > 1 || kept != (n == 1) {
				return false, fmt.Sprintf("%d times in the file, shown %d times, in the memory %v", n, listed, kept)
			}
			return kept, ""
		}},
		{"remember", nothing, func(i int) []string { return []string{"remember", fact(i)} }, func(ctx context.Context, root string, i int) (bool, string) {
			out, err := t.runKen(ctx, root, "memory", "list", "--limit", "0", "--json")
			if err != nil && i > 3 {
				return false, err.Error()
			}
			return strings.Contains(out, fact(i)), ""
		}},
	}
	for _, args := range [][]string{{"plan", "phase", "add", "Third"}, {"plan", "phase", "remove", "1", "--force"}, {"plan", "todo", "create", "thing"}, {"plan", "undo"}} {
		list = append(list, t.planTrial(args))
	}
	return list
}

func planFiles() map[string]string {
	return map[string]string{
		".planning/STATE.md": "# State\n\nPhase: 1 of 2\nPlan: 1 of 1\n",
		".planning/ROADMAP.md": "# Roadmap\n\n- [ ] **Phase 1: Base**\n- [ ] **Phase 2: Search**\n\n### Phase 1: Base\n**Goal**: a base\n\n" +
			"### Phase 2: Search\n**Goal**: search\n**Depends on**: Phase 1\n",
		".planning/phases/01-base/01-01-PLAN.md": "---\nplan: 01-01\n---\n", ".planning/phases/02-search/02-01-PLAN.md": "---\nplan: 02-01\n---\n",
	}
}

var digits = regexp.MustCompile(`[0-9]+`)

// planState returns names and texts of the planning folder, without the numbers in them, which can be times, and without locks.
func planState(root string) (string, error) {
	var b strings.Builder
	top := filepath.Join(root, ".planning")
	err := filepath.WalkDir(top, func(at string, d fs.DirEntry, err error) error {
		if err != nil || strings.HasSuffix(at, ".lock") || strings.HasSuffix(at, ".ken-lock.tmp") {
			return err
		}
		text := []byte{}
		if !d.IsDir() {
			text, err = os.ReadFile(at)
		}
		fmt.Fprintf(&b, "%s %q\n", digits.ReplaceAllString(strings.TrimPrefix(at, top), "N"), digits.ReplaceAll(text, []byte("N")))
		return err
	})
	return b.String(), err
}

// planTrial is the trial of an operation of planning: the folder is as before or as it is after the operation alone.
func (t *trial) planTrial(args []string) killTrial {
	var before, after string
	reset := func(root string) error {
		if err := errors.Join(os.RemoveAll(filepath.Join(root, ".planning")), world.WriteFiles(root, planFiles())); err != nil {
			return err
		}
		if args[1] == "undo" {
			_, err := t.runKen(context.Background(), root, "plan", "phase", "remove", "1", "--force")
			return err
		}
		return nil
	}
	return killTrial{
		strings.Join(args, " "), func(root string, i int) (err error) {
			if err = reset(root); err != nil || i > 0 {
				return err
			}
			if before, err = planState(root); err != nil {
				return err
			}
			if _, err := t.runKen(context.Background(), root, args...); err != nil {
				return err
			}
			if after, err = planState(root); err != nil || after == before {
				return errors.Join(err, errors.New("nothing was changed"))
			}
			return reset(root)
		}, func(int) []string { return args }, func(ctx context.Context, root string, _ int) (bool, string) {
			if _, err := t.runKen(ctx, root, "plan", "show"); err != nil {
				return false, err.Error()
			}
			now, err := planState(root)
			switch {
			case err != nil:
				return false, err.Error()
			case now == after:
				return true, ""
			case now == before:
				return false, ""
			}
			return false, "half: " + now
		},
	}
}
