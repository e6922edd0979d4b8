//go:build unix

package git

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ken/internal/code"
	"ken/internal/git/gittest"
)

// TestPipes puts a pipe in place of files that git opens: those it opens whatever it is
// asked are refused by name, the others end the run by its silence.
func TestPipes(t *testing.T) {
	for name, known := range map[string]bool{
		"config": true, "packed-refs": true, "shallow": true, "info/exclude": true, "info/grafts": true, "objects/info/alternates": true,
		"index": true, "refs/heads/main": false, "objects": false, "../.gitignore": false,
	} {
		t.Run(name, func(t *testing.T) {
			gittest.IsolateSettings(t)
			dir := t.TempDir()
			gittest.Run(t, dir, "init", "-q")
			gittest.Write(t, dir, "a", "text")
			gittest.Run(t, dir, "add", "-A")
			gittest.Run(t, dir, "commit", "-q", "-m", "one")
			r := mustFind(t, dir)
			head, err := Git{}.Head(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, ".git", name)
			if name == "objects" {
				path = filepath.Join(path, head.Commit[:2], head.Commit[2:])
			}
			os.Remove(path)
			if err := syscall.Mkfifo(path, 0o600); err != nil {
				t.Skip(err)
			}
			g, begin := Git{Patience: 500 * time.Millisecond}, time.Now()
			_, err = g.List(t.Context(), r, dir, "")
			logErr := g.Log(t.Context(), r, LogOptions{From: head.Commit}, func(*code.LogCommit) error { return nil })
			blobErr := g.AllBlobs(t.Context(), r, func(Blob, io.Reader) error { return nil })
			for _, err := range []error{err, logErr, blobErr} {
				if known && (!errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), filepath.Base(name))) {
					t.Errorf("err = %v", err)
				}
			}
			t.Log(err, logErr, blobErr)
			if d := time.Since(begin); d > 10*time.Second {
				t.Errorf("took %v", d)
			}
		})
	}
}
