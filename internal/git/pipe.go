package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"
)

// pipeOutput starts git with the same protections as run. feed writes git's input (nil: none) and read reads git's output as
// it comes, so that neither is held in memory. If feed or read fails, pipe ends git and returns the error.
func (g Git) pipeOutput(ctx context.Context, repo *Repo, feed func(io.Writer) error, read func(io.Reader) error, args ...string) error {
	return g.pipeWith(ctx, repo, nil, feed, read, args...)
}

// pipeWith does the same as pipe, with additional settings for git.
func (g Git) pipeWith(
	ctx context.Context, repo *Repo, settings []string,
	feed func(io.Writer) error, read func(io.Reader) error, args ...string,
) error {
	return g.startAndWatch(ctx, repo, repo.Root, settings, feed, read, args)
}

// startAndWatch starts git in dir and watches it until it has ended.
func (g Git) startAndWatch(
	ctx context.Context, repo *Repo, dir string, settings []string,
	feed func(io.Writer) error, read func(io.Reader) error, args []string,
) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	cmd, err := g.command(ctx, repo, dir, settings, args)
	if err != nil {
		return err
	}
	errOut := limitedWriter{left: 4096}
	cmd.Stderr = &errOut
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	var in io.WriteCloser
	if feed != nil {
		if in, err = cmd.StdinPipe(); err != nil {
			return err
		}
	}
	if err := cmd.Start(); err != nil {
		return runError(ctx, args[0], err, nil)
	}
	defer context.AfterFunc(ctx, func() { out.Close() })() // in case another process holds its other end
	var p runActivity
	ended := make(chan struct{})
	defer close(ended)
	go p.endIfSilent(cmd.Process.Pid, g.Patience, ended, cancel)
	fed := make(chan error, 1)
	go func() {
		if feed == nil {
			fed <- nil
			return
		}
		p.feeding.Store(true)
		err := feed(activeInput{in, &p})
		p.feeding.Store(false)
		if err != nil {
			cancel(err)
		}
		fed <- errors.Join(err, in.Close())
	}()
	readErr := read(activeOutput{out, &p})
	if readErr != nil {
		cancel(readErr)
	}
	io.Copy(io.Discard, activeOutput{out, &p})
	feedErr := <-fed
	err = cmd.Wait()
	switch {
	case readErr != nil && errors.Is(context.Cause(ctx), readErr):
		return readErr
	case readErr != nil || err != nil:
		return runError(ctx, args[0], err, errOut.kept.Bytes())
	}
	return feedErr
}

// command returns the command that runs git with some settings and arguments.
func (g Git) command(ctx context.Context, repo *Repo, dir string, settings, args []string) (*exec.Cmd, error) {
	bin, err := g.gitProgram()
	if err != nil {
		return nil, err
	}
	if err := repo.refusePipes(); err != nil {
		return nil, fmt.Errorf("git %s: %w", args[0], err)
	}
	argv := make([]string, 0, 2*(len(disarmingSettings)+len(g.settings)+len(settings))+len(args)+3)
	for _, list := range [][]string{disarmingSettings, g.settings, settings} {
		for _, s := range list {
			argv = append(argv, "-c", s)
		}
	}
	argv = append(argv, "--git-dir="+repo.GitDir, "--work-tree="+repo.Root, "--no-pager")
	cmd := exec.CommandContext(ctx, bin, append(argv, args...)...)
	cmd.Dir, cmd.Env, cmd.ExtraFiles = dir, append(safeEnvironment(), g.env...), g.keep
	killGroup(cmd)
	cmd.WaitDelay = time.Second
	return cmd, nil
}

// scanNUL is a bufio.SplitFunc for records that end with NUL.
func scanNUL(data []byte, atEOF bool) (int, []byte, error) {
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}
