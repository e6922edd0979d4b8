//go:build unix

package main

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// patience is how long a command may take that must not wait for a pipe.
const patience = 20 * time.Second

// within runs ken in this process and fails the test if it does not return in time.
func (s *shop) within(args ...string) (status int, stdout, stderr string) {
	s.t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		status, stdout, stderr = s.ken(args...)
	}()
	select {
	case <-done:
	case <-time.After(patience):
		s.t.Fatalf("ken %v has not returned after %v", args, patience)
	}
	return status, stdout, stderr
}

// odd makes what is no regular file.
var odd = map[string]func(path string) error{
	"a named pipe": func(path string) error { return syscall.Mkfifo(path, 0o600) },
	"a directory":  func(path string) error { return os.Mkdir(path, 0o700) },
	"symbolic link": func(path string) error {
		return os.Symlink(filepath.Join(filepath.Dir(path), "..", "main.go"), path)
	},
	"a socket": func(path string) error {
		l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
		if err == nil {
			l.SetUnlinkOnClose(false)
			err = l.Close()
		}
		return err
	},
}

// TestOddFiles puts something else in place of each file that ken keeps, and asks every
// command: none may wait for it or write to where it leads. What belongs to the index
// is refused with its name.
func TestOddFiles(t *testing.T) {
	s := newShop(t, false)
	ken := filepath.Dir(s.db())
	before, err := os.ReadFile(filepath.Join(s.dir, "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	commands := append([][]string{{"index"}, {"index", "main.go"}, {"index", "--full"}, {"init"}, {"index", "--exact"}}, asked...)
	for _, name := range []string{"index.db", "index.db-wal", "index.db-shm", "index.db-journal", "index.db.lock", "index.db.new", "index.db.watch", "config.yml"} {
		for kind, make := range odd {
			t.Run(name+" "+kind, func(t *testing.T) {
				s.t = t
				s.put(s.index)
				path := filepath.Join(ken, name)
				os.Remove(path)
				if err := make(path); err != nil {
					t.Skip(err)
				}
				defer os.Remove(path)
				for _, args := range commands {
					status, _, stderr := s.within(args...)
					if status != 2 || !strings.Contains(stderr, name) || name != "config.yml" && !strings.Contains(stderr, kind) {
						t.Errorf("ken %v: exit %d, %s", args, status, stderr)
					}
					if kind != "a named pipe" {
						break // the others do not keep anybody waiting
					}
				}
			})
		}
	}
	if now, err := os.ReadFile(filepath.Join(s.dir, "main.go")); err != nil || !bytes.Equal(now, before) {
		t.Errorf("a file of the project was written through a link: %v", err)
	}
}

// TestOddBeside is the same for the files that an index can do without: they are put
// right, or the command that needs them says what is wrong.
func TestOddBeside(t *testing.T) {
	s := newShop(t, false)
	ken := filepath.Dir(s.db())
	for _, name := range []string{"salt", "salt.new", ".gitignore", "vectors.db"} {
		for kind, make := range odd {
			t.Run(name+" "+kind, func(t *testing.T) {
				s.t = t
				s.put(s.index)
				path := filepath.Join(ken, name)
				os.Remove(path)
				if err := make(path); err != nil {
					t.Skip(err)
				}
				for _, args := range append(asked, []string{"index"}) {
					status, _, stderr := s.within(args...)
					if status == 2 && !strings.Contains(stderr, name) && !strings.Contains(stderr, "salt") {
						t.Errorf("ken %v: exit %d, %s", args, status, stderr)
					}
				}
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
				s.must("index")
			})
		}
	}
}

// TestPipesInGit puts a pipe in place of what git reads. ken reads most of that itself and
// does without; where it must ask git, it says why git cannot answer.
func TestPipesInGit(t *testing.T) {
	for _, name := range []string{".git/config", ".git/packed-refs", ".git/index", ".git/info/exclude", ".git/objects/info/alternates", ".git/shallow", ".gitignore", ".gitattributes"} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t, false)
			path := filepath.Join(s.dir, name)
			os.Remove(path)
			if err := syscall.Mkfifo(path, 0o600); err != nil {
				t.Skip(err)
			}
			for _, args := range append([][]string{{"index"}, {"index", "--full"}, {"impact", "--diff"}, {"secrets", "--staged"}, {"secrets", "--history"}}, asked...) {
				s.within(args...)
			}
		})
	}
}

// TestSecondSignal has ken wait for a pipe that the user named, where the first signal
// is not seen: the second must end it.
func TestSecondSignal(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("KEN_STATE", t.TempDir())
	if err := os.CopyFS(dir, os.DirFS("testdata/project")); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("ken", "-C", dir, "init").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	pipe := filepath.Join(dir, "query")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		cmd := exec.Command("ken", "-C", dir, "find", "--query-file", pipe)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		for sent := 0; ; sent++ {
			select {
			case <-ended:
				if sent < 1 {
					t.Fatalf("%v: ken did not wait for the pipe", sig)
				}
			case <-time.After(500 * time.Millisecond):
				if sent == 4 {
					cmd.Process.Kill()
					t.Fatalf("%v: sent %d times, ken still runs", sig, sent)
				}
				cmd.Process.Signal(sig)
				continue
			}
			break
		}
	}
}
