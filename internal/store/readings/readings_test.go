package readings

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"ken/internal/engine/store"
)

func key(n int) (k store.ReadingKey) {
	copy(k[:], fmt.Sprintf("key %d", n))
	return k
}

func value(n int) []byte { return bytes.Repeat([]byte(fmt.Sprintf("reading %d ", n)), 20+n%7) }

// fill puts readings from to to in one session.
func fill(t *testing.T, c *Cache, repo string, from, to int) {
	t.Helper()
	s := c.Begin(repo)
	if s == nil {
		t.Fatal("no session")
	}
	for i := from; i < to; i++ {
		s.Put(key(i), value(i))
	}
	s.Close()
}

// hits counts readings that are there; one that is not what was put is an error.
func hits(t *testing.T, c *Cache, repo string, from, to int) (n int) {
	t.Helper()
	s := c.Begin(repo)
	if s == nil {
		return 0
	}
	defer s.Close()
	for i := from; i < to; i++ {
		switch got := s.Get(key(i)); {
		case got == nil:
		case !bytes.Equal(got, value(i)):
			t.Errorf("reading %d is another", i)
		default:
			n++
		}
	}
	return n
}

func paths(t *testing.T, c *Cache, repo string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(c.repositoryDir(repo), "*"))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestKeep(t *testing.T) {
	c := New(filepath.Join(t.TempDir(), "not", "there"), 0)
	if dir, n := c.Size("a"); dir != "" || n != 0 {
		t.Errorf("size before: %q %d", dir, n)
	}
	fill(t, c, "a", 0, 100)
	fill(t, c, "a", 100, 150)
	if n := hits(t, c, "a", 0, 200); n != 150 {
		t.Errorf("%d hits", n)
	}
	if n := hits(t, c, "b", 0, 200); n != 0 {
		t.Errorf("%d hits of another repository", n)
	}
	if dir, n := c.Size("a"); dir != c.repositoryDir("a") || n == 0 {
		t.Errorf("size: %q %d", dir, n)
	}
	s := c.Begin("a")
	if !s.Has(key(3)) || s.Has(key(300)) {
		t.Error("Has")
	}
	s.Close()
	for _, p := range append(paths(t, c, "a"), c.repositoryDir("a"), c.dir, filepath.Dir(c.dir)) {
		if st, err := os.Stat(p); err != nil || st.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v %v", p, st.Mode(), err)
		}
	}
}

// TestDamage changes every stretch of a segment: what is found is right, and
// nothing fails.
func TestDamage(t *testing.T) {
	dir := t.TempDir()
	c := New(dir, 0)
	fill(t, c, "a", 0, 40)
	p := paths(t, c, "a")[0]
	whole, err := os.ReadFile(p)
	if err != nil {
		t.Fatal(err)
	}
	try := func(what string, b []byte) {
		if err := os.WriteFile(p, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if n := hits(t, c, "a", 0, 40); n == 40 && !bytes.Equal(b, whole) {
			t.Errorf("%s: all found", what)
		}
	}
	for at := len(magic); at < len(whole); at += 3 {
		b := bytes.Clone(whole)
		b[at] ^= 0x41
		try(fmt.Sprintf("byte %d", at), b)
	}
	for n := 0; n < len(whole); n += 5 {
		try(fmt.Sprintf("cut at %d", n), whole[:n])
	}
	try("appended", append(bytes.Clone(whole), "more"...))
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 200 { // a trailer that is right over a table that lies
		b := make([]byte, 200)
		for i := range b {
			b[i] = byte(rnd.Uint32())
		}
		try("noise", append(b, whole[len(whole)-trailerSize:]...))
	}
	if left := paths(t, c, "a"); len(left) != 0 {
		t.Errorf("damaged segments stay: %q", left)
	}
	fill(t, c, "a", 0, 40)
	if n := hits(t, c, "a", 0, 40); n != 40 {
		t.Errorf("afterwards %d hits", n)
	}
}

func TestTrim(t *testing.T) {
	c := New(t.TempDir(), 60_000)
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range 12 { // of 10,000 bytes or more each
		s := c.Begin(fmt.Sprint("repo", i%3))
		b := make([]byte, 10_000)
		for j := range b {
			b[j] = byte(rnd.Uint32())
		}
		s.Put(key(i), b)
		s.Close()
		when := time.Now().Add(time.Duration(i-100) * time.Minute)
		for r := range 3 {
			for _, p := range paths(t, c, fmt.Sprint("repo", r)) {
				if st, _ := os.Stat(p); time.Since(st.ModTime()) < time.Minute {
					os.Chtimes(p, when, when)
				}
			}
		}
		if s := c.Begin("repo0"); s.Get(key(0)) == nil { // used each time: it stays
			t.Fatalf("round %d: the segment in use is gone", i)
		} else {
			s.Close()
		}
	}
	var size int64
	for r := range 3 {
		_, n := c.Size(fmt.Sprint("repo", r))
		size += n
	}
	if size > 60_000 || size < 40_000 {
		t.Errorf("%d bytes", size)
	}

	c = New(t.TempDir(), 0)
	for i := range maxSegments + 5 {
		fill(t, c, "a", i, i+1)
	}
	if n := len(paths(t, c, "a")); n != maxSegments {
		t.Errorf("%d segments", n)
	}
}

// TestKilled leaves what a process leaves that ends while it writes.
func TestKilled(t *testing.T) {
	c := New(t.TempDir(), 0)
	s := c.Begin("a").(*cacheSession)
	for i := range 2000 {
		s.Put(key(i), value(i))
	}
	s.out.buf.Flush() // and never closed
	if n := hits(t, c, "a", 0, 2000); n != 0 {
		t.Errorf("%d hits in what is not finished", n)
	}
	left := s.out.f.Name()
	old := time.Now().Add(-2 * abandoned)
	os.Chtimes(left, old, old)
	fill(t, c, "a", 0, 3)
	if list := paths(t, c, "a"); len(list) != 1 || list[0] == left {
		t.Errorf("files %q", list)
	}
	if n := hits(t, c, "a", 0, 10); n != 3 {
		t.Errorf("%d hits", n)
	}
}

// TestNowhere has places nothing can be kept in.
func TestNowhere(t *testing.T) {
	base := t.TempDir()
	file := filepath.Join(base, "file")
	os.WriteFile(file, nil, 0o600)
	elsewhere := filepath.Join(base, "elsewhere")
	os.Mkdir(elsewhere, 0o755)
	os.Mkdir(filepath.Join(base, "linked"), 0o755)
	os.Symlink(elsewhere, filepath.Join(base, "linked", "readings"))
	for name, dir := range map[string]string{"a file": file, "below a file": filepath.Join(file, "x"), "a device": "/dev/null/x", "no files there": "/proc/self/x", "a link": filepath.Join(base, "linked")} {
		if s := New(dir, 0).Begin("a"); s != nil {
			t.Errorf("%s: it opens", name)
		}
	}
	if list, _ := os.ReadDir(elsewhere); len(list) > 0 {
		t.Errorf("%d files behind the link", len(list))
	}
	c := New(filepath.Join(base, "gone"), 0)
	s := c.Begin("a")
	os.RemoveAll(base)
	s.Put(key(1), value(1)) // no directory any more
	s.Close()
	if n := hits(t, c, "a", 0, 5); n != 0 {
		t.Errorf("%d hits", n)
	}
}

// TestAnothers: root can change the mode of anybody's directory, and reads it no more
// than others do.
func TestAnothers(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	c := New(t.TempDir(), 0)
	fill(t, c, "a", 0, 3)
	for _, d := range []string{c.repositoryDir("a"), c.dir, filepath.Dir(c.dir)} {
		if err := os.Chown(d, 65534, 65534); err != nil {
			t.Fatal(err)
		}
		if n := hits(t, c, "a", 0, 3); n != 0 {
			t.Errorf("%s: %d hits", d, n)
		}
		if err := os.Chown(d, 0, 0); err != nil {
			t.Fatal(err)
		}
	}
	if n := hits(t, c, "a", 0, 3); n != 3 {
		t.Errorf("afterwards %d hits", n)
	}
}

// TestTogether has many sessions of one repository at a time.
func TestTogether(t *testing.T) {
	c := New(t.TempDir(), 200_000)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 30 {
				s := c.Begin("a")
				if s == nil {
					t.Error("no session")
					return
				}
				var in sync.WaitGroup
				for range 2 {
					in.Go(func() {
						for n := range 300 {
							if got := s.Get(key(n)); got != nil && !bytes.Equal(got, value(n)) {
								t.Errorf("reading %d is another", n)
							}
						}
					})
				}
				in.Wait()
				for n := range 10 {
					s.Put(key((g*31+i*7+n)%300), value((g*31+i*7+n)%300))
				}
				s.Close()
			}
		})
	}
	wg.Wait()
	if n := hits(t, c, "a", 0, 300); n == 0 {
		t.Error("nothing was kept")
	}
}
