package statefile

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

func TestSeal(t *testing.T) {
	seal, other := LineSeal("key"), LineSeal("another")
	record := []byte(`{"a":"x\",\"seal\":\"y","b":2}`)
	line := seal.Make(record)
	got, err := seal.Check(line)
	if err != nil || !bytes.Equal(got, record) {
		t.Errorf("%q: %q %v", line, got, err)
	}
	if _, err := other.Check(line); !errors.Is(err, ErrSealed) {
		t.Errorf("another key: %v", err)
	}
	if _, err := LineSeal(nil).Check(LineSeal(nil).Make(record)); !errors.Is(err, ErrSealed) {
		t.Errorf("no key: %v", err)
	}
	for i := range line {
		for _, b := range []byte{0, ' ', line[i] ^ 1} {
			bad := bytes.Clone(line)
			if bad[i] = b; bytes.Equal(bad, line) {
				continue
			}
			if _, err := seal.Check(bad); err == nil {
				t.Errorf("byte %d changed: %q", i, bad)
			}
		}
		if _, err := seal.Check(line[:i]); err == nil {
			t.Errorf("the first %d bytes", i)
		}
	}
}

func TestUserSeal(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	if s, err := UserSeal(dir, "a", false); s != nil || err != nil {
		t.Errorf("before there is a key: %x %v", s, err)
	}
	if s, err := UserSeal("", "a", true); s != nil || err != nil {
		t.Errorf("without a directory: %x %v", s, err)
	}
	all := make([]LineSeal, 20)
	var group sync.WaitGroup
	for i := range all {
		group.Go(func() { all[i], _ = UserSeal(dir, "a", true) })
	}
	group.Wait()
	for _, s := range all {
		if len(s) == 0 || !bytes.Equal(s, all[0]) {
			t.Fatalf("%x and %x of processes that begin at once", s, all[0])
		}
	}
	if b, err := UserSeal(dir, "b", true); err != nil || bytes.Equal(b, all[0]) {
		t.Errorf("another kind: %x %v", b, err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	key := filepath.Join(dir, KeyFile)
	if err := os.Chmod(key, 0o640); err != nil {
		t.Fatal(err)
	}
	if s, err := UserSeal(dir, "a", false); s != nil || err != nil {
		t.Errorf("a key that others can read: %x %v", s, err)
	}
	if s, err := UserSeal(dir, "a", true); err != nil || len(s) == 0 || bytes.Equal(s, all[0]) {
		t.Errorf("a new one in its place: %x %v", s, err)
	}
	if err := os.Remove(filepath.Join(dir, KeyFile)); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(t.TempDir(), "elsewhere"), key); err != nil {
		t.Fatal(err)
	}
	if s, err := UserSeal(dir, "a", true); err != nil || len(s) == 0 {
		t.Errorf("in the place of a link: %x %v", s, err)
	}
}
