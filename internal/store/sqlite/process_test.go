//go:build unix

package sqlite_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"ken/internal/engine/store"
	"ken/internal/store/sqlite"
)

// heldIndex names, in the environment of a child, the index it is to hold.
const heldIndex = "KEN_TEST_HELD_INDEX"

// TestHolder is run as a child of TestKilledWriter: it writes, and waits inside
// the transaction for its end.
func TestHolder(t *testing.T) {
	path := os.Getenv(heldIndex)
	if path == "" {
		t.Skip("run by TestKilledWriter")
	}
	sqlite.New(path).Write(context.Background(), func(tx store.Tx) error {
		fmt.Println("held", tx.SetMeta("turn", "of the dead"))
		io.Copy(io.Discard, os.Stdin)
		return errors.New("the parent is gone")
	})
}

// TestKilledWriter kills a process inside its write: others wait for it while it
// lives, and find the state from before it when it is dead.
func TestKilledWriter(t *testing.T) {
	s, path := built(t)
	child := exec.Command(os.Args[0], "-test.run=^TestHolder$")
	child.Env = append(os.Environ(), heldIndex+"="+path)
	in, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "held <nil>\n" {
		t.Fatalf("the child says %q, %v", line, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	if err := s.Write(ctx, func(store.Tx) error { return nil }); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a write beside the child's: %v", err)
	}
	if n, err := readAll(s); n != 200 || err != nil {
		t.Errorf("a reader beside the child: %d files, %v", n, err)
	}
	child.Process.Kill()
	child.Wait()
	err = s.Write(context.Background(), func(tx store.Tx) error {
		if turn, err := tx.Meta("turn"); turn != "" || err != nil {
			return fmt.Errorf("turn %q, %w", turn, err)
		}
		return nil
	})
	if err != nil {
		t.Errorf("a write after the child's death: %v", err)
	}
}

// withFileLimit runs f while no file may grow beyond a size, as on a full disk.
func withFileLimit(t *testing.T, bytes uint64, f func()) {
	t.Helper()
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		t.Skip("no limits here:", err)
	}
	limit := was
	limit.Cur = bytes
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Skip("no limits here:", err)
	}
	defer syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was)
	f()
}

// limited says, in the environment of a child, that it may limit its files.
const limited = "KEN_TEST_LIMITED"

// TestDiskFull writes, builds and copies where there is no room: each fails, and
// leaves what was there. It does so in a child, because the limit is of a process
// and go test has files of its own to write.
func TestDiskFull(t *testing.T) {
	if os.Getenv(limited) == "" {
		child := exec.Command(os.Args[0], "-test.run=^TestDiskFull$")
		child.Env = append(os.Environ(), limited+"=1")
		if out, err := child.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	s, path := built(t)
	tableScript(t, path, "PRAGMA wal_checkpoint(TRUNCATE)")
	empty, other := newStore(t)
	withFileLimit(t, 16<<10, func() {
		for what, err := range map[string]error{
			"Write": s.Write(context.Background(), func(tx store.Tx) error { return tx.SetLook(make([]byte, 1<<20)) }),
			"Build": s.Build(context.Background(), func() bool { return false }, fill),
			"first": empty.Build(context.Background(), func() bool { return false }, fill),
			"Seed":  empty.Seed(context.Background(), path, func() error { return nil }),
		} {
			if err == nil || errors.Is(err, store.ErrDamaged) {
				t.Errorf("%s on a full disk: %v", what, err)
			}
		}
	})
	if left, _ := filepath.Glob(other + ".new*"); len(left) > 0 || empty.Size() != 0 {
		t.Errorf("left: %v and %d bytes", left, empty.Size())
	}
	if n, err := readAll(s); n != 200 || err != nil {
		t.Errorf("%d files, %v", n, err)
	}
	if err := s.Write(context.Background(), func(tx store.Tx) error { return tx.SetMeta("b", "1") }); err != nil {
		t.Errorf("a write when there is room again: %v", err)
	}
	rebuild(t, s)
}
