package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"ken/internal/git/gittest"
)

// gitInPlace writes a script that is started in git's place.
func gitInPlace(t *testing.T, script string) Git {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the system does not say what another process does")
	}
	bin := filepath.Join(t.TempDir(), "git")
	if err := os.WriteFile(bin, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	return Git{Bin: bin, Patience: 400 * time.Millisecond}
}

// TestSilent: a git that does nothing is ended, whatever it waits for and with
// everything it started.
func TestSilent(t *testing.T) {
	gittest.IsolateSettings(t)
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	r := mustFind(t, dir)
	for what, script := range map[string]string{
		"at once":           "exec sleep 600",
		"after output":      "echo some; exec sleep 600",
		"output closed":     "exec >&-; exec sleep 600",
		"in a child":        "sleep 600 & wait",
		"without its input": "head -c 10 >/dev/null; exec sleep 600",
	} {
		g := gitInPlace(t, script)
		begin := time.Now()
		err := g.pipeOutput(t.Context(), r, func(w io.Writer) error {
			_, err := w.Write(bytes.Repeat([]byte("x"), 1<<20))
			return err
		}, func(out io.Reader) error {
			_, err := io.Copy(io.Discard, out)
			return err
		}, "log")
		if !errors.Is(err, ErrSilent) || !strings.HasPrefix(err.Error(), "git log: ") {
			t.Errorf("%s: %v", what, err)
		}
		if _, err := g.List(t.Context(), r, dir, ""); !errors.Is(err, ErrSilent) {
			t.Errorf("%s: List: %v", what, err)
		}
		if d := time.Since(begin); d > 10*time.Second {
			t.Errorf("%s: took %v", what, d)
		}
	}
}

// TestNotSilent: what a run does without output counts, and so does the time that ken
// takes.
func TestNotSilent(t *testing.T) {
	gittest.IsolateSettings(t)
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	r := mustFind(t, dir)
	read := func(out io.Reader) error {
		_, err := io.Copy(io.Discard, out)
		return err
	}
	busy := gitInPlace(t, "i=0; while [ $i -lt 900000 ]; do i=$((i+1)); done; echo done")
	if err := busy.pipeOutput(t.Context(), r, nil, read, "log"); err != nil {
		t.Errorf("a run that computes: %v", err)
	}
	waits := gitInPlace(t, "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do read -t 0 x 2>/dev/null; sleep 0.1; done; echo done")
	if err := waits.pipeOutput(t.Context(), r, nil, read, "log"); err != nil {
		t.Errorf("a run that waits for a little at a time: %v", err)
	}
	idle := gitInPlace(t, "cat")
	err := idle.pipeOutput(t.Context(), r, func(w io.Writer) error {
		time.Sleep(3 * idle.Patience)
		_, err := io.WriteString(w, "late")
		return err
	}, read, "log")
	if err != nil {
		t.Errorf("ken has its input late: %v", err)
	}
	many := gitInPlace(t, "head -c 1000000 /dev/zero")
	err = many.pipeOutput(t.Context(), r, nil, func(out io.Reader) error {
		buf := make([]byte, 10)
		if _, err := out.Read(buf); err != nil {
			return err
		}
		time.Sleep(3 * many.Patience)
		return read(out)
	}, "log")
	if err != nil {
		t.Errorf("ken reads its output late: %v", err)
	}
}

// TestCanceledPipe: the end of the context is the reason, not what reading then meets.
func TestCanceledPipe(t *testing.T) {
	gittest.IsolateSettings(t)
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	g := gitInPlace(t, "echo some; exec sleep 600")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	err := g.pipeOutput(ctx, mustFind(t, dir), nil, func(out io.Reader) error {
		if _, err := io.Copy(io.Discard, out); err != nil {
			return err
		}
		return errors.New("cut off")
	}, "log")
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("err = %v", err)
	}
}

// TestLimited: what a run prints beyond the limit is not kept, however it is copied.
func TestLimited(t *testing.T) {
	l := limitedWriter{left: 10}
	n, err := io.Copy(&l, strings.NewReader(strings.Repeat("x", 1000)))
	if n != 1000 || err != nil || l.kept.Len() != 10 || !l.cut {
		t.Errorf("kept %d of %d, cut %v, %v", l.kept.Len(), n, l.cut, err)
	}
}

// TestActivity: the number stands still for a process that waits and moves for one that
// does something.
func TestActivity(t *testing.T) {
	was, ok := processActivity(os.Getpid())
	if !ok {
		t.Skip("the system does not say what a process does")
	}
	fmt.Fprint(io.Discard, strings.Repeat("x", 1<<22))
	time.Sleep(5 * time.Millisecond)
	if now, _ := processActivity(os.Getpid()); now <= was {
		t.Errorf("%d after %d", now, was)
	}
	if _, ok := processActivity(1 << 30); ok {
		t.Error("of no process")
	}
}
