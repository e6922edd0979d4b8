package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"
)

// A repository can make git wait for ever: git opens a pipe in place of a ref, an object or an ignore file, and no process
// writes to it. A limit on the time of a run would end honest runs too, because the log of a huge repository takes minutes.
// So ken ends a run when it shows no activity: no byte of output, no byte of input taken and, if the system reports it, no
// processor time, no page fault and no context switch. Each wait for a disk is a context switch, and no working disk keeps
// a program waiting that long without one: a disk that has to spin up takes ten seconds.
const (
	defaultPatience = 20 * time.Second
	// blindFactor is the factor of the wait on a system that does not report the activity of another process: ten minutes, because
	// a search for untracked files prints nothing until it has seen all of them.
	blindFactor = 30
	looks       = 8 // number of checks in the time of patience
)

// ErrSilent is returned if git was ended because it showed no activity.
var ErrSilent = errors.New("it gave no sign of life and was ended; is a file of the repository a pipe, or on a disk that does not answer?")

// runActivity is the observed activity of one run of git.
type runActivity struct {
	moved   atomic.Uint64 // bytes of output and input
	reading atomic.Bool   // whether ken waits for output
	feeding atomic.Bool   // whether ken has more input and does not wait for git to take it
}

// endIfSilent calls end when the run of git is silent for longer than patience, and returns when done is closed. It counts silence
// while ken waits for git, not while git waits for ken. It counts checks and not clock time, because a machine that slept
// was not silent.
func (p *runActivity) endIfSilent(pid int, patience time.Duration, done <-chan struct{}, end context.CancelCauseFunc) {
	if patience == 0 {
		patience = defaultPatience
	}
	tick := time.NewTicker(patience / looks)
	defer tick.Stop()
	for was, silent := (activitySigns{}), 0; ; {
		select {
		case <-done:
			return
		case <-tick.C:
		}
		now := p.currentSigns(pid)
		if now != was || !p.reading.Load() || p.feeding.Load() {
			was, silent = now, 0
			continue
		}
		silent++
		if silent >= looks*blindFactor || silent >= looks && now.seen {
			end(ErrSilent)
			return
		}
	}
}

// activitySigns are the signs of activity that one check of a run observed, to be compared with those of the check before.
type activitySigns struct {
	moved, activity uint64
	seen            bool // the system reports the activity of the process
}

func (p *runActivity) currentSigns(pid int) activitySigns {
	a, seen := processActivity(pid)
	return activitySigns{p.moved.Load(), a, seen}
}

// activeOutput is git's output. Each read counts as activity of git.
type activeOutput struct {
	io.Reader
	pulse *runActivity
}

func (o activeOutput) Read(b []byte) (int, error) {
	o.pulse.reading.Store(true)
	n, err := o.Reader.Read(b)
	o.pulse.reading.Store(err != nil) // after the end, ken waits for git to exit
	o.pulse.moved.Add(uint64(n))
	return n, err
}

// activeInput is git's input. Each write counts as activity of git.
type activeInput struct {
	io.Writer
	pulse *runActivity
}

func (i activeInput) Write(b []byte) (int, error) {
	i.pulse.feeding.Store(false)
	n, err := i.Writer.Write(b)
	i.pulse.feeding.Store(true)
	i.pulse.moved.Add(uint64(n))
	return n, err
}

// openedFiles lists the files that git opens for every command: those in a working tree's own git directory, and those in the
// common one. ken refuses a pipe among them by name, before git waits for it.
var openedFiles = struct{ own, common []string }{
	own:    []string{"HEAD", "index", "commondir", "config.worktree", "info/sparse-checkout"},
	common: []string{"config", "packed-refs", "shallow", "info/exclude", "info/attributes", "info/grafts", "objects/info/alternates", "objects/info/commit-graph"},
}

// refusePipes fails if one of the files in opened is neither a regular file nor a directory.
func (r *Repo) refusePipes() error {
	for _, f := range openedFiles.own {
		if err := refusePipe(filepath.Join(r.GitDir, f)); err != nil {
			return err
		}
	}
	for _, f := range openedFiles.common {
		if err := refusePipe(filepath.Join(r.CommonDir, f)); err != nil {
			return err
		}
	}
	return nil
}

func refusePipe(path string) error {
	st, err := os.Stat(path)
	if err != nil || st.Mode().IsRegular() || st.IsDir() {
		return nil
	}
	return fmt.Errorf("%w: %s is no regular file, and git would wait for it", ErrUnsupported, path)
}
