package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// outcome is what became of a change.
type outcome uint8

const (
	none     outcome = iota // nothing in the stretch compiles
	survived                // no test noticed
	failed
	timedOut
)

// result is the change that was tried of a stretch, and what became of it.
type result struct {
	mutant  mutant
	outcome outcome
	broken  int // changes before it that do not compile
}

// trial runs the tests of one package.
type trial struct {
	pkg    *pkg
	dir    string // overlays and binaries
	normal time.Duration
}

const (
	// slack is by how much a test may be slower than the unchanged package's
	// before it counts as one that does not end.
	slack = 4
	// leastTime is what any test may take: other programs may keep the machine busy.
	leastTime = 20 * time.Second
	// memory bounds the address space of a test, in KiB: a change can turn a
	// loop into one that fills the machine.
	memory = 12 << 20
)

// newTrial builds and runs the tests of the package as it is.
func newTrial(ctx context.Context, p *pkg) (*trial, error) {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return nil, err
	}
	t := &trial{pkg: p, dir: dir}
	bin := filepath.Join(dir, "unchanged.test")
	if out, err := t.build(ctx, bin, ""); err != nil {
		t.close()
		return nil, fmt.Errorf("building the tests: %w\n%s", err, out)
	}
	begin := time.Now()
	out, err := t.test(ctx, bin, 10*time.Minute)
	t.normal = time.Since(begin)
	if err != nil {
		t.close()
		return nil, fmt.Errorf("the tests of the unchanged package: %w\n%s", err, out)
	}
	return t, os.Remove(bin)
}

func (t *trial) close() { os.RemoveAll(t.dir) }

// build compiles the package's tests, with the files of an overlay if there is one.
func (t *trial) build(ctx context.Context, bin, overlay string) ([]byte, error) {
	args := []string{"test", "-c", "-o", bin}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	cmd := exec.CommandContext(ctx, "go", append(args, t.pkg.ImportPath)...)
	cmd.Dir = t.pkg.Dir
	return cmd.CombinedOutput()
}

// test runs tests as the go command would, in the package's folder, up to the
// first that fails.
func (t *trial) test(ctx context.Context, bin string, limit time.Duration) ([]byte, error) {
	if _, err := os.Stat(bin); err != nil {
		return nil, errors.New("the package has no tests")
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	limited := `ulimit -v "$1"; shift; exec "$@"`
	cmd := exec.CommandContext(ctx, "sh", "-c", limited, "sh", strconv.Itoa(memory), bin, "-test.failfast", "-test.timeout=0")
	cmd.Dir = t.pkg.Dir
	cmd.WaitDelay = time.Second
	// What a test starts ends with it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return out, err
}

// all tries one change of each stretch.
func (t *trial) all(ctx context.Context, stretches [][]mutant, parallel int, verbose bool) ([]result, error) {
	results := make([]result, len(stretches))
	var wait sync.WaitGroup
	next := make(chan int)
	errs := make([]error, max(1, parallel))
	for w := range errs {
		wait.Go(func() {
			for i := range next {
				if errs[w] == nil {
					results[i], errs[w] = t.stretch(ctx, w, stretches[i])
				}
				if verbose && errs[w] == nil {
					fmt.Println(results[i].outcome, results[i].mutant)
				}
			}
		})
	}
	for i := range stretches {
		next <- i
	}
	close(next)
	wait.Wait()
	return results, errors.Join(errs...)
}

// stretch tries the first change that compiles.
func (t *trial) stretch(ctx context.Context, worker int, list []mutant) (result, error) {
	r := result{}
	for _, m := range list {
		o, err := t.try(ctx, worker, m)
		if err != nil {
			return r, err
		}
		r.mutant, r.outcome = m, o
		if o != none {
			return r, nil
		}
		r.broken++
	}
	return r, nil
}

func (t *trial) try(ctx context.Context, worker int, m mutant) (outcome, error) {
	name := filepath.Join(t.dir, strconv.Itoa(worker))
	changed, overlay, bin := name+".go", name+".json", name+".test"
	if err := os.WriteFile(changed, m.apply(), 0o600); err != nil {
		return none, err
	}
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{m.file.path: changed}})
	if err != nil {
		return none, err
	}
	if err := os.WriteFile(overlay, replace, 0o600); err != nil {
		return none, err
	}
	_, err = t.build(ctx, bin, overlay)
	if ctx.Err() != nil {
		return none, ctx.Err()
	}
	if err != nil {
		return none, nil
	}
	_, err = t.test(ctx, bin, max(leastTime, slack*t.normal))
	switch {
	case ctx.Err() != nil:
		return none, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return timedOut, nil
	case err != nil:
		return failed, nil
	}
	return survived, nil
}

// String names an outcome.
func (o outcome) String() string {
	return [...]string{"nothing compiles", "SURVIVED", "noticed ", "too slow"}[o]
}
