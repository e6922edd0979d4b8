package list

import (
	"encoding/binary"
	"hash/crc32"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/code"
	"ken/internal/engine/source/scan/scantest"
)

// tick waits until the file system's clock has moved on.
func tick(t testing.TB) {
	t.Helper()
	time.Sleep(15 * time.Millisecond)
}

// trust makes a listing one of a time when all it saw was old.
func trust(l *Listing) *Listing {
	l.LookedAt = time.Now().UnixNano() + marginFine + int64(time.Millisecond)
	return l
}

func TestLookFindsChanges(t *testing.T) {
	isolate(t)
	dir := t.TempDir()
	for _, p := range []string{"a/1", "a/2", "b/c/3", "b/4", "5"} {
		scantest.Write(t, dir, p, "x")
	}
	s := mustNew(t, Options{Root: dir})
	l := mustList(t, s, nil)
	tick(t)
	trust(l)
	now := mustList(t, s, l)
	if a, c, d := Diff(l, now); len(a)+len(c)+len(d)+len(now.Racy) != 0 {
		t.Fatalf("nothing changed: %v %v %v %v", a, c, d, now.Racy)
	}
	if now != l {
		t.Error("a look that found nothing made a listing")
	}
	tick(t)
	scantest.Write(t, dir, "a/2", "longer")
	scantest.Write(t, dir, "b/c/new", "x")
	scantest.Write(t, dir, "n/e/w", "x")
	os.Remove(filepath.Join(dir, "b/4"))
	os.Rename(filepath.Join(dir, "5"), filepath.Join(dir, "six"))
	now = mustList(t, s, trust(now))
	a, c, d := Diff(l, now)
	if diff := cmp.Diff([][]string{{"b/c/new", "n/e/w", "six"}, {"a/2"}, {"5", "b/4"}}, [][]string{a, c, d}); diff != "" {
		t.Error(diff)
	}
	if a, c, d := Diff(nil, now); len(a) != len(now.Files) || len(c)+len(d) != 0 {
		t.Errorf("Diff with nothing: %v %v %v", a, c, d)
	}
	// Same size, mtime put back: the ctime gives it away.
	st, _ := os.Stat(filepath.Join(dir, "a/1"))
	tick(t)
	scantest.Write(t, dir, "a/1", "y")
	os.Chtimes(filepath.Join(dir, "a/1"), time.Time{}, st.ModTime())
	prev := trust(now)
	now = mustList(t, s, prev)
	if _, c, _ := Diff(prev, now); len(c) != 1 || c[0] != "a/1" {
		t.Errorf("mtime put back: changed %v", c)
	}
}

// TestRacy: a file as young as the look may change without its Stat changing.
func TestRacy(t *testing.T) {
	isolate(t)
	dir := t.TempDir()
	scantest.Write(t, dir, "young", "x")
	s := mustNew(t, Options{Root: dir})
	l := mustList(t, s, nil)
	now := mustList(t, s, l)
	if d := cmp.Diff([]string{"young"}, now.Racy); d != "" {
		t.Errorf("young file: %s", d)
	}
	for range 40 { // write within the tick of the look: the Stat can stay
		scantest.Write(t, dir, "young", "1")
		l := mustList(t, s, nil)
		e, _ := l.Find("young")
		scantest.Write(t, dir, "young", "2")
		now := mustList(t, s, l)
		f, _ := now.Find("young")
		if e.Stat == f.Stat && len(now.Racy) != 1 {
			t.Fatal("a changed file is neither changed nor racy")
		}
	}
	l.LookedAt += int64(time.Hour)
	if now := mustList(t, s, l); len(now.Racy) != 0 {
		t.Errorf("old file: racy %v", now.Racy)
	}
	for _, c := range []struct {
		st   code.Stat
		at   int64
		want bool
	}{
		{code.Stat{CTime: 5_000_000_123}, 5_400_000_000, true},
		{code.Stat{CTime: 5_000_000_123}, 5_600_000_000, false},
		{code.Stat{CTime: 5_000_000_000}, 7_000_000_000, true}, // whole seconds: a coarse clock
		{code.Stat{CTime: 5_000_000_000}, 8_000_000_000, false},
		{code.Stat{CTime: 9_000_000_001}, 8_000_000_000, true}, // from the future
		{code.Stat{MTime: 5_000_000_123}, 5_400_000_000, true}, // no ctime
		{code.Stat{MTime: 9_000_000_001, CTime: 5_000_000_123}, 8_000_000_000, false},
	} {
		if got := isTooYoung(c.st, c.at); got != c.want {
			t.Errorf("racy(%+v, %d) = %v", c.st, c.at, got)
		}
	}
}

// TestLookOptions: a listing made with other options is no base to start from.
func TestLookOptions(t *testing.T) {
	isolate(t)
	dir := t.TempDir()
	scantest.Write(t, dir, "a.go", "x")
	scantest.Write(t, dir, "b.md", "x")
	l := trust(mustList(t, mustNew(t, Options{Root: dir}), nil))
	got := mustList(t, mustNew(t, Options{Root: dir, Exclude: []string{"*.md"}}), l)
	if d := cmp.Diff("a.go\nb.md (excluded)\n", render(got)); d != "" {
		t.Error(d)
	}
	needGit(t)
	runGit(t, dir, "init", "-q")
	scantest.Write(t, dir, ".git/info/exclude", "*.md\n")
	got = mustList(t, mustNew(t, Options{Root: dir}), l)
	if d := cmp.Diff("a.go\n", render(got)); d != "" {
		t.Errorf("after git init: %s", d)
	}
}

// TestLookSources: what stands outside the tree decides too.
func TestLookSources(t *testing.T) {
	needGit(t)
	isolate(t)
	dir := t.TempDir()
	runGit(t, dir, "init", "-q")
	scantest.Write(t, dir, "a.go", "x")
	scantest.Write(t, dir, "b.log", "x")
	s := mustNew(t, Options{Root: dir})
	l := mustList(t, s, nil)
	step := func(what, want string, change func()) {
		t.Helper()
		tick(t)
		trust(l)
		tick(t)
		change()
		l = mustList(t, s, l)
		if d := cmp.Diff(want, render(l)); d != "" {
			t.Errorf("%s: %s", what, d)
		}
	}
	xdg := os.Getenv("XDG_CONFIG_HOME")
	step("git/ignore", "a.go\n", func() { scantest.Write(t, xdg, "git/ignore", "*.log\n") })
	step("core.excludesFile", "b.log\n", func() {
		scantest.Write(t, xdg, "other", "*.go\n")
		scantest.Write(t, os.Getenv("HOME"), ".gitconfig", "[core]\nexcludesFile = "+xdg+"/other\n")
	})
	step("its content", "a.go\nb.log\n", func() { scantest.Write(t, xdg, "other", "*.c\n") })
	step("info/exclude", "b.log\n", func() { scantest.Write(t, dir, ".git/info/exclude", "a.*\n") })
	step("git add -f", "a.go (tracked)\nb.log\n", func() { runGit(t, dir, "add", "-f", "a.go") })
	step("git status", "a.go (tracked)\nb.log\n", func() { runGit(t, dir, "update-index", "--refresh") })
	step("git rm --cached", "b.log\n", func() { runGit(t, dir, "rm", "-q", "--cached", "a.go") })
	step(".gitignore", ".gitignore\n", func() { scantest.Write(t, dir, ".gitignore", "*.log\n") })
	step("its content", ".gitignore\nb.log\n", func() { scantest.Write(t, dir, ".gitignore", "*.txt\n") })
	step("its end", "b.log\n", func() { os.Remove(filepath.Join(dir, ".gitignore")) })
}

// TestIndexOnlyGitReads: split and sparse indexes are left to git.
func TestIndexOnlyGitReads(t *testing.T) {
	needGit(t)
	isolate(t)
	dir := t.TempDir()
	runGit(t, dir, "init", "-q")
	scantest.Write(t, dir, ".gitignore", "*.o\n")
	scantest.Write(t, dir, "x.o", "x")
	scantest.Write(t, dir, "in/y", "x")
	scantest.Write(t, dir, "out/z", "x")
	runGit(t, dir, "add", "-f", "-A")
	runGit(t, dir, "commit", "-q", "-m", "one")
	s := mustNew(t, Options{Root: dir})
	for _, c := range []struct {
		want string
		args []string
	}{
		{".gitignore (tracked)\nin/y (tracked)\nout/z (tracked)\nx.o (tracked)\n", []string{"update-index", "--split-index"}},
		{".gitignore (tracked)\nin/y (tracked)\nx.o (tracked)\n", []string{"sparse-checkout", "set", "--cone", "--sparse-index", "in"}},
	} {
		l := trust(mustList(t, s, nil))
		tick(t)
		runGit(t, dir, c.args...)
		for what, got := range map[string]*Listing{"full": mustList(t, s, nil), "look": mustList(t, s, l)} {
			if d := cmp.Diff(c.want, render(got)); d != "" {
				t.Errorf("%v, %s: %s", c.args, what, d)
			}
		}
		sub := mustNew(t, Options{Root: filepath.Join(dir, "in")})
		if d := cmp.Diff("y (tracked)\n", render(mustList(t, sub, nil))); d != "" {
			t.Errorf("%v, a root below the top: %s", c.args, d)
		}
		if _, ok, err := s.Lookup(t.Context(), "x.o"); !ok || err != nil {
			t.Errorf("%v: Lookup of a tracked, ignored file: %v, %v", c.args, ok, err)
		}
	}
}

func TestCodec(t *testing.T) {
	isolate(t)
	dir := t.TempDir()
	for _, p := range []string{"a/1", "a/2", "\xff\n", "b/.gitignore"} {
		scantest.Write(t, dir, p, "x")
	}
	os.Symlink("x", filepath.Join(dir, "l"))
	l := mustList(t, mustNew(t, Options{Root: dir}), nil)
	data := l.Encode()
	got, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(l, got, cmp.AllowUnexported(Listing{}, source{})); d != "" {
		t.Error(d)
	}
	for i := range data {
		bad := append([]byte(nil), data...)
		bad[i] ^= 0x40
		if _, err := Decode(bad); err == nil {
			t.Fatalf("byte %d changed: no error", i)
		}
		if _, err := Decode(data[:i]); err == nil {
			t.Fatalf("cut at %d: no error", i)
		}
	}
}

func FuzzDecode(f *testing.F) {
	l := &Listing{Files: []Entry{{Path: "a/b", Stat: code.Stat{Size: 1, MTime: 2, CTime: 3, Inode: 4}}, {Path: "a/c", Dir: true, Problem: code.ProblemExcluded}}, Dirs: []Dir{{Path: ""}, {Path: "a", Recheck: true}}}
	f.Add(l.Encode()[9:])
	f.Fuzz(func(t *testing.T, body []byte) {
		// The checksum is put right: damage it does not see must not crash.
		data := append([]byte(codecMagic), codecVersion, 0, 0, 0, 0)
		data = append(data, body...)
		binary.LittleEndian.PutUint32(data[5:], crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)))
		l, err := Decode(data)
		if err != nil {
			return
		}
		again, err := Decode(l.Encode())
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(l, again, cmp.AllowUnexported(Listing{}, source{})); d != "" {
			t.Error(d)
		}
	})
}
