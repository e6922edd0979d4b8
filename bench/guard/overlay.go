package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"ken/bench/world"
	"ken/internal/worktree"
)

// atOnce is the number of processes that work in one project.
const atOnce = 8

// runOverlays runs the workers again and again and counts the faults.
func runOverlays(ctx context.Context, o *options, t *world.Table) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	began := time.Now()
	var sum roundResult
	runs := 0
	for i := range o.runs {
		dir, err := os.MkdirTemp("", "ken-overlay")
		if err != nil {
			return err
		}
		r := &overlayRound{self: self, dir: filepath.Join(dir, "größe x"), rng: rand.New(rand.NewPCG(1, uint64(i)))}
		if err := r.runRound(ctx); ctx.Err() != nil { // interrupted: the figures so far are printed
			os.RemoveAll(dir)
			break
		} else if err != nil {
			return fmt.Errorf("run %d: %w", i, err)
		}
		runs++
		sum.add(&r.roundResult)
		if len(r.faults) > 0 {
			fmt.Fprintf(os.Stderr, "run %d: %s\n", i, strings.Join(r.faults, "\n  "))
		}
		os.RemoveAll(dir)
	}
	what := fmt.Sprintf("%d work trees at once, killed at random, %d runs", atOnce, runs)
	done := fmt.Sprintf("%d commits, %d lost; %d user files otherwise than before; base moved early %d times; %d things left; %d other faults; ",
		sum.commits, sum.lost, sum.touched, sum.early, sum.left, sum.other)
	done += fmt.Sprintf("%d kills, %d of them with git, which left %d locks of its own; ", sum.kills, sum.gitKills, sum.locks)
	done += fmt.Sprintf("%.1f s a run", time.Since(began).Seconds()/float64(max(runs, 1)))
	bad := sum.lost + sum.touched + sum.early + sum.left + sum.other
	t.Row(what, "no lost commit, no user file staged, base untouched until merge, clean-up complete", done, bad == 0 && sum.kills > 0)
	return nil
}

// roundResult counts commits, faults of each kind and kills.
type roundResult struct {
	commits, lost, touched, early, left, other, kills, gitKills, locks int
}

func (o *roundResult) add(r *roundResult) {
	o.commits, o.lost, o.touched, o.early = o.commits+r.commits, o.lost+r.lost, o.touched+r.touched, o.early+r.early
	o.left, o.other, o.kills, o.gitKills, o.locks = o.left+r.left, o.other+r.other, o.kills+r.kills, o.gitKills+r.gitKills, o.locks+r.locks
}

// overlayRound is one project with its workers.
type overlayRound struct {
	self, dir string
	rng       *rand.Rand
	roundResult
	faults []string

	mu      sync.Mutex
	commits map[string]bool // those reported made
}

func (r *overlayRound) recordFault(count *int, format string, args ...any) {
	*count++
	r.faults = append(r.faults, fmt.Sprintf(format, args...))
}

func (r *overlayRound) git(args ...string) string {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = r.dir, r.env()
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.recordFault(&r.other, "git %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return strings.TrimRight(string(out), "\n")
}

func (r *overlayRound) env() []string {
	return append(os.Environ(), "GIT_CONFIG_GLOBAL="+filepath.Join(filepath.Dir(r.dir), "gitconfig"), "GIT_CONFIG_NOSYSTEM=1")
}

// makeProject makes the project, with uncommitted work of the user in it.
func (r *overlayRound) makeProject() error {
	files := map[string]string{
		"mine.txt": "as committed\n", "other.txt": "other\n", ".gitignore": "/.ken/\n",
		"../gitconfig": "[user]\n\tname = T\n\temail = t@example.com\n",
	}
	for i := range atOnce {
		files[fmt.Sprintf("gone-w%d.txt", i)] = "to be deleted\n"
	}
	files["shared.txt"] = sharedText()
	if err := world.WriteFiles(r.dir, files); err != nil {
		return err
	}
	r.git("init", "-q", "-b", "hauptzweig-größe")
	r.git("add", "-A")
	r.git("commit", "-qm", "first")
	files = map[string]string{"mine.txt": "changed by the user\n", "staged.txt": "staged by the user\n", "line\nfeed": "not tracked\n", ".ken/.gitignore": "*\n"}
	if err := world.WriteFiles(r.dir, files); err != nil {
		return err
	}
	r.git("add", "staged.txt")
	return nil
}

func (r *overlayRound) runRound(ctx context.Context) error {
	r.commits = map[string]bool{}
	if err := r.makeProject(); err != nil {
		return err
	}
	head, status := r.git("rev-parse", "HEAD"), r.git("status", "--porcelain", "-uall")
	if err := r.runWorkers(ctx, makePart); err != nil {
		return err
	}
	if now := r.git("rev-parse", "HEAD"); now != head {
		r.recordFault(&r.early, "the base is at %s before anything was merged", now)
	}
	if now := r.git("status", "--porcelain", "-uall"); now != status {
		r.recordFault(&r.touched, "before merging the user's status is %q, was %q", now, status)
	}
	if err := r.runWorkers(ctx, mergePart); err != nil {
		return err
	}
	r.checkProject(status)
	return r.countLeftovers(ctx)
}

// checkProject compares the project with the expected end.
func (r *overlayRound) checkProject(status string) {
	if now := r.git("status", "--porcelain", "-uall"); now != status {
		r.recordFault(&r.touched, "at the end the user's status is %q, was %q", now, status)
	}
	has := strings.Split(r.git("rev-list", "HEAD"), "\n")
	in := map[string]bool{}
	for _, id := range has {
		in[id] = true
	}
	for id := range r.commits {
		r.roundResult.commits++
		if !in[id] {
			r.recordFault(&r.lost, "commit %s is not in the base", id)
		}
	}
	for i := range atOnce {
		id := fmt.Sprint("w", i)
		if text := r.git("show", "HEAD:work/"+id+".txt"); strings.Count(text, "\n") != 49 {
			r.recordFault(&r.lost, "the work of %s is not in the base", id)
		}
		if !strings.Contains(r.git("show", "HEAD:shared.txt"), "place of "+id+", taken") {
			r.recordFault(&r.lost, "the line of %s is not in the base", id)
		}
	}
	files := r.git("log", "--name-only", "--format=", "-m")
	if strings.Contains(files, "junk") || strings.Contains(files, "staged.txt") || strings.Count(files, "mine.txt") > 1 {
		r.recordFault(&r.touched, "a commit has what was discarded or the user's own: %s", files)
	}
	if strings.Contains(r.git("show", "HEAD:shared.txt"), "junk") {
		r.recordFault(&r.touched, "a discarded line is in the base")
	}
	r.git("fsck", "--connectivity-only")
}

// countLeftovers cleans up and counts everything that remains.
func (r *overlayRound) countLeftovers(ctx context.Context) error {
	t, err := openTrees(r.dir)
	if err != nil {
		return err
	}
	if _, err := t.Clean(ctx, worktree.CleanOptions{}); err != nil {
		r.recordFault(&r.other, "clean up: %v", err)
	}
	if list, err := t.Records(ctx); err != nil || len(list) > 0 {
		r.recordFault(&r.left, "records %v, %v", list, err)
	}
	if branches := r.git("for-each-ref", "--format=%(refname)", "refs/heads/"); strings.Contains(branches, "llm_task") {
		r.recordFault(&r.left, "branches %s", branches)
	}
	return filepath.WalkDir(r.dir, func(path string, d fs.DirEntry, err error) error {
		name := filepath.Base(path)
		ours := strings.HasPrefix(name, "ken-") && name != "ken-worktrees.lock" || strings.HasSuffix(name, ".ken-new")
		if err == nil && (ours || name == "worktrees" || name == "index.lock") {
			r.recordFault(&r.left, "%s is left", path)
		}
		return err
	})
}

// maxKillDelay is the longest time in milliseconds before a process is killed: about the time its work takes beside seven others.
const maxKillDelay = 1800

// maxBegins is the number of starts after which a worker counts as stuck.
const maxBegins = 12

// runWorkers has all workers do one part of their work; they are killed and started again until they are done.
func (r *overlayRound) runWorkers(ctx context.Context, part string) error {
	var all sync.WaitGroup
	errs := make([]error, atOnce)
	for i := range atOnce {
		rng := rand.New(rand.NewPCG(r.rng.Uint64(), r.rng.Uint64()))
		all.Go(func() { errs[i] = r.finishWorker(ctx, fmt.Sprint("w", i), part, rng) })
	}
	all.Wait()
	locks := 0
	if slices.ContainsFunc(errs, func(err error) bool { return err != nil }) {
		locks = r.removeLocks()
	}
	for i, err := range errs {
		// A killed git can leave a lock of its own; a person removes it when nothing runs any more, as ken advises.
		if err != nil && locks > 0 {
			err = r.startWorker(ctx, fmt.Sprint("w", i), part, nil)
		}
		if err != nil {
			r.recordFault(&r.other, "worker %d, %s: %v", i, part, err)
		}
	}
	return ctx.Err()
}

// removeLocks removes the locks that git left.
func (r *overlayRound) removeLocks() (n int) {
	filepath.WalkDir(filepath.Join(r.dir, ".git"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".lock") && !strings.HasPrefix(d.Name(), "ken") && os.Remove(path) == nil {
			n++
		}
		return nil
	})
	r.locks += n
	return n
}

// finishWorker starts a worker until it is done. The first starts may be killed.
func (r *overlayRound) finishWorker(ctx context.Context, id, part string, rng *rand.Rand) (err error) {
	for try := range maxBegins {
		kill := rng
		if try >= maxBegins/2 || rng.IntN(10) == 0 {
			kill = nil
		}
		if err = r.startWorker(ctx, id, part, kill); err == nil {
			return nil
		}
	}
	return err
}

// startWorker runs a worker once, and kills it at a random moment unless kill is nil.
func (r *overlayRound) startWorker(ctx context.Context, id, part string, kill *rand.Rand) error {
	var out, errOut bytes.Buffer
	cmd := exec.CommandContext(ctx, r.self, "-worker", id, "-dir", r.dir, "-part", part)
	cmd.Env, cmd.Stdout, cmd.Stderr = r.env(), &out, &errOut
	if err := cmd.Start(); err != nil {
		return err
	}
	if kill != nil {
		after, withGit := time.Duration(kill.IntN(maxKillDelay))*time.Millisecond, kill.IntN(2) == 0
		defer time.AfterFunc(after, func() { r.killProcess(cmd.Process, withGit) }).Stop()
	}
	err := cmd.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	for line := range strings.Lines(out.String()) {
		if commit, ok := strings.CutPrefix(strings.TrimSpace(line), "committed "); ok && len(commit) >= 40 {
			r.commits[commit] = true
		}
	}
	if err != nil {
		return fmt.Errorf("%w: %s", err, errOut.String())
	}
	return nil
}

// killProcess kills a process, and with git its children, too.
func (r *overlayRound) killProcess(p *os.Process, git bool) {
	r.mu.Lock()
	r.kills++
	if git {
		r.gitKills++
	}
	r.mu.Unlock()
	world.KillTree(p, git)
}
