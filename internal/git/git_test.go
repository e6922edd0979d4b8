package git

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/git/gittest"
)

func TestFind(t *testing.T) {
	gittest.IsolateSettings(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Find(dir); !errors.Is(err, ErrNoRepository) {
		t.Skipf("the temporary folder lies in a repository: %v", err)
	}
	main := filepath.Join(dir, "main")
	os.Mkdir(main, 0o755)
	gittest.Run(t, main, "init", "-q")
	gittest.Write(t, main, "a/b/c.txt", "x")
	gittest.Run(t, main, "add", "-A")
	gittest.Run(t, main, "commit", "-q", "-m", "one")
	gittest.Run(t, main, "worktree", "add", "-q", "-b", "side", "../linked")
	git := filepath.Join(main, ".git")
	for _, c := range []struct {
		dir  string
		want Repo
	}{
		{main, Repo{main, git, git}},
		{filepath.Join(main, "a/b"), Repo{main, git, git}},
		{filepath.Join(dir, "linked/a"), Repo{filepath.Join(dir, "linked"), filepath.Join(git, "worktrees/linked"), git}},
	} {
		got, err := Find(c.dir)
		if err != nil {
			t.Errorf("Find(%s): %v", c.dir, err)
			continue
		}
		if d := cmp.Diff(c.want, *got); d != "" {
			t.Errorf("Find(%s) (-want +got):\n%s", c.dir, d)
		}
	}
	linked := mustFind(t, filepath.Join(dir, "linked"))
	head, err := Git{}.Head(t.Context(), linked)
	if err != nil || head.Ref != "refs/heads/side" || head.Commit != gittest.Run(t, main, "rev-parse", "side") {
		t.Errorf("Head of a linked working tree = %+v, %v", head, err)
	}
	// What git does not take for a repository, we do not either.
	for name, text := range map[string]string{"file": "nonsense", "away": "gitdir: /nowhere\n", "loop": "gitdir: .git\n"} {
		sub := filepath.Join(main, name)
		gittest.Write(t, sub, ".git", text)
		if got := mustFind(t, sub); got.Root != main {
			t.Errorf("%s: Find = %+v, want the repository above", name, got)
		}
	}
	if err := os.MkdirAll(filepath.Join(main, "empty/.git"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got := mustFind(t, filepath.Join(main, "empty")); got.Root != main {
		t.Errorf("an empty .git: Find = %+v", got)
	}
}

func TestHead(t *testing.T) {
	gittest.IsolateSettings(t)
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	r := mustFind(t, dir)
	check := func(what, ref string) {
		t.Helper()
		want := ""
		if ref != "" || what == "detached" {
			want = gittest.Run(t, dir, "rev-parse", "HEAD")
		}
		got, err := Git{Bin: "/nowhere"}.Head(t.Context(), r) // no git needed
		if err != nil || got.Ref != ref || got.Commit != want {
			t.Errorf("%s: Head = %+v, %v; want %s %s", what, got, err, ref, want)
		}
	}
	if h, err := (Git{}).Head(t.Context(), r); err != nil || h.Commit != "" {
		t.Errorf("unborn: %+v, %v", h, err)
	}
	gittest.Write(t, dir, "f", "1")
	gittest.Run(t, dir, "add", "f")
	t.Setenv("GIT_COMMITTER_DATE", "2001-02-03T04:05:06+0700")
	gittest.Run(t, dir, "commit", "-q", "-m", "one\n\ncommitter <x> 1 +0000")
	check("loose", "refs/heads/main")
	gittest.Run(t, dir, "checkout", "-q", "-b", "a/b-c")
	check("slash", "refs/heads/a/b-c")
	gittest.Run(t, dir, "pack-refs", "--all")
	check("packed", "refs/heads/a/b-c")
	gittest.Run(t, dir, "checkout", "-q", "--detach")
	check("detached", "")
	h, _ := Git{}.Head(t.Context(), r)
	at, err := Git{}.CommitTime(t.Context(), r, h.Commit)
	if want := time.Date(2001, 2, 2, 21, 5, 6, 0, time.UTC); err != nil || !at.Equal(want) {
		t.Errorf("CommitTime = %v, %v; want %v", at, err, want)
	}
	if _, err := (Git{}).CommitTime(t.Context(), r, "--help"); !errors.Is(err, ErrNotFound) {
		t.Errorf("CommitTime of an option: %v", err)
	}
	for _, bad := range []string{"ref: refs/../../../etc/passwd\n", "ref: /etc/passwd\n"} {
		gittest.Write(t, dir, ".git/HEAD", bad)
		if h, err := (Git{Bin: "/nowhere"}).Head(t.Context(), r); err == nil {
			t.Errorf("HEAD %q: %+v, want an error", bad, h)
		}
	}
}

func TestBlob(t *testing.T) {
	gittest.IsolateSettings(t)
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	paths := []string{"a", "d/e f", "-x", "n\nl", "\xff", ":(top)q", "t\tq\"", "a:b", "0:a"}
	for _, p := range paths {
		gittest.Write(t, dir, p, "of "+p)
	}
	gittest.Run(t, dir, "add", "-A")
	gittest.Run(t, dir, "commit", "-q", "-m", "one")
	gittest.Write(t, dir, "a", "staged")
	gittest.Run(t, dir, "add", "a")
	r := mustFind(t, dir)
	for _, p := range paths {
		if b, err := (Git{}).Blob(t.Context(), r, "HEAD", p); err != nil || string(b) != "of "+p {
			t.Errorf("Blob(%q) = %q, %v", p, b, err)
		}
	}
	if b, err := (Git{}).Blob(t.Context(), r, "", "a"); err != nil || string(b) != "staged" {
		t.Errorf("Blob of the index = %q, %v", b, err)
	}
	for _, c := range [][2]string{{"HEAD", "none"}, {"HEAD", "./a"}, {"HEAD", "../a"}, {"HEAD", ""}, {"--help", "a"}, {"0000000000000000000000000000000000000000", "a"}, {"HEAD", "a\x00b"}, {"", "none"}} {
		if b, err := (Git{}).Blob(t.Context(), r, c[0], c[1]); !errors.Is(err, ErrNotFound) {
			t.Errorf("Blob(%q) = %q, %v; want ErrNotFound", c, b, err)
		}
	}
}

// TestIndex compares the index as we read it with git's own listing, in each
// version of the format.
func TestIndex(t *testing.T) {
	gittest.IsolateSettings(t)
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	for _, p := range []string{"a", "a.b", "a/b", "a/b/c/d/e/f", "n\nl", "\xff\xfe", "long/" + strings.Repeat("x", 200), "q\"", "z/" + strings.Repeat("y/", 40) + "w"} {
		if p != "a/b" && p != "a" {
			gittest.Write(t, dir, p, p)
		}
	}
	os.Symlink("a.b", filepath.Join(dir, "link"))
	gittest.Run(t, dir, "add", "-A")
	gittest.Run(t, dir, "commit", "-q", "-m", "one")
	gittest.Run(t, dir, "update-index", "--add", "--cacheinfo", "160000,1234567890123456789012345678901234567890,mod")
	r := mustFind(t, dir)
	for _, version := range []string{"2", "3", "4"} {
		gittest.Run(t, dir, "update-index", "--index-version", version)
		if version == "3" {
			gittest.Run(t, dir, "update-index", "--skip-worktree", "a.b")
		}
		want, err := Git{}.List(t.Context(), r, dir, "")
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.ReadIndex(ReadConfig(r))
		if err != nil {
			t.Fatalf("version %s: %v", version, err)
		}
		if d := cmp.Diff(want.Tracked, got); d != "" {
			t.Errorf("version %s (-git +own):\n%s", version, d)
		}
	}
	gittest.Run(t, dir, "update-index", "--split-index")
	if _, err := r.ReadIndex(ReadConfig(r)); !errors.Is(err, ErrUnsupported) {
		t.Errorf("split index: %v, want ErrUnsupported", err)
	}
	gittest.Run(t, dir, "update-index", "--no-split-index")
	os.Remove(filepath.Join(dir, ".git/index"))
	if l, err := r.ReadIndex(ReadConfig(r)); err != nil || len(l) != 0 {
		t.Errorf("no index: %v, %v", l, err)
	}
}

func TestIndexSHA256(t *testing.T) {
	gittest.IsolateSettings(t)
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q", "--object-format=sha256")
	gittest.Write(t, dir, "a/b", "x")
	gittest.Write(t, dir, "c", "x")
	gittest.Run(t, dir, "add", "-A")
	r := mustFind(t, dir)
	got, err := r.ReadIndex(ReadConfig(r))
	if d := cmp.Diff([]Tracked{{Path: "a/b", Mode: 0o100644}, {Path: "c", Mode: 0o100644}}, got); err != nil || d != "" {
		t.Errorf("%v\n%s", err, d)
	}
}

// TestConfig compares values with `git config`.
func TestConfig(t *testing.T) {
	gittest.IsolateSettings(t)
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	gittest.Write(t, os.Getenv("HOME"), ".gitconfig", "[core]\n\texcludesFile = ~/mine\n\tignorecase = true ; no\n[x]\n a=1\n[includeIf \"gitdir:"+dir+"/\"]\n path = extra\n[includeIf \"gitdir:/nowhere/\"]\n path = other\n")
	gittest.Write(t, os.Getenv("HOME"), "extra", "[x]\nextra = yes\n")
	gittest.Write(t, os.Getenv("HOME"), "other", "[x]\nother = yes\n")
	gittest.Write(t, os.Getenv("HOME"), ".config/git/config", "[x]\n a=2\n b=3\n")
	text := "\ufeff# c\n[x] q = \"a b\" c ; d\n  r = a\\\n b\n s\n t = \"#;\\\"\\\\\"\\t.  \n[y \"Sub.Name \\\"q\\\"\"]\n  z = 1\n[x.Old]\n k = v\n[X]\n B = 4\r\n e =\n f = in  side   \n[include]\n path = more\n"
	f, err := os.OpenFile(filepath.Join(dir, ".git/config"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(strings.TrimPrefix(text, "\ufeff"))
	f.Close()
	gittest.Write(t, dir, ".git/more", "[x]\nmore = 1\n")
	c := ReadConfig(mustFind(t, dir))
	for _, key := range []string{"core.excludesfile", "core.ignorecase", "x.a", "x.b", "x.extra", "x.other", "x.q", "x.r", "x.t", `y.Sub.Name "q".z`, "x.old.k", "x.e", "x.f", "x.more"} {
		cmdKey := key
		out := ""
		func() {
			defer func() { _ = recover() }()
			out = gitConfig(t, dir, cmdKey)
		}()
		if got := c.Get(key); got != out {
			t.Errorf("%s = %q, git says %q", key, got, out)
		}
	}
	if !c.Bool("x.s") || c.Bool("x.e") || c.Bool("x.none") {
		t.Errorf("Bool: %v %v %v", c.Bool("x.s"), c.Bool("x.e"), c.Bool("x.none"))
	}
	if got, want := c.ExcludesFile(nil), filepath.Join(os.Getenv("HOME"), "mine"); got != want {
		t.Errorf("ExcludesFile = %q, want %q", got, want)
	}
}

func gitConfig(t *testing.T, dir, key string) string {
	r := mustFind(t, dir)
	out, err := Git{}.run(t.Context(), r, dir, "config", "-z", "--get", key)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(string(out), "\x00")
}

func TestParseListBad(t *testing.T) {
	for _, s := range []string{"x", "H 100644\x00", "? \x00", "H 10064x abc 0\tp\x00", "H 100644 abc 0\t\x00", "? a"} {
		if l, err := parseList([]byte(s)); !errors.Is(err, ErrUnsupported) {
			t.Errorf("parseList(%q) = %+v, %v", s, l, err)
		}
	}
}

func FuzzParseList(f *testing.F) {
	f.Add([]byte("? e/u\x00? n\nl\x00H 100644 78981922613b2afb6025042ff6bd878ac1994e85 0\ta\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := parseList(data)
		if err == nil {
			for _, e := range l.Tracked {
				if e.Path == "" || strings.ContainsRune(e.Path, 0) {
					t.Errorf("path %q", e.Path)
				}
			}
		}
	})
}

func FuzzParseIndex(f *testing.F) {
	f.Add([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x00........................"))
	entry := make([]byte, 62, 100)
	binary.BigEndian.PutUint32(entry[24:], 0o100644)
	for v := byte(2); v <= 4; v++ {
		b := append([]byte{'D', 'I', 'R', 'C', 0, 0, 0, v, 0, 0, 0, 1}, entry...)
		if v == 4 {
			b = append(b, 0)
		}
		f.Add(append(append(b, "a/b\x00\x00\x00\x00\x00\x00\x00"...), make([]byte, 20)...))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := parseIndex(data, 20)
		if err != nil {
			return
		}
		for _, e := range list {
			if e.Path == "" || len(e.Path) > len(data) && data[7] != 4 {
				t.Errorf("path %q", e.Path)
			}
		}
		below := entriesBelow{repo: &Repo{}, dir: "a/", idLen: 20, split: true}
		if _, err := below.readEntries(data); err != nil {
			t.Errorf("below: %v", err)
		}
		there := map[string]bool{}
		for _, e := range list {
			there[e.Path] = true
		}
		for _, p := range below.found {
			if !there["a/"+p] {
				t.Errorf("below: %q", p)
			}
		}
	})
}

func FuzzParseConfig(f *testing.F) {
	f.Add("[a]\nb=c\\\nd \"x;\" # y\n[s \"t\\\"\"]q\n")
	f.Add("[a]b=\"")
	f.Fuzz(func(t *testing.T, text string) {
		parseConfig(text, func(key, value string) {
			if !strings.Contains(key, ".") || len(value) > len(text) {
				t.Errorf("%q = %q", key, value)
			}
		})
	})
}

// FuzzRecords: no output of git makes the readers of diffs and of blobs fail
// otherwise than with an error, and a blob never reaches into the next record.
func FuzzRecords(f *testing.F) {
	f.Add([]byte(":100644 100644 aa bb M\x00a b\x001234567 \n\x00:000000 120000 0 cc A\x00l\x00"))
	f.Add([]byte("78981922613b2afb6025042ff6bd878ac1994e85 blob 2 a b\na\n\nbb missing\ncc tree 0 \n\n"))
	f.Add([]byte("x blob -1 p\n"))
	f.Add([]byte("x blob 99999999999999999999 p\n:"))
	f.Fuzz(func(t *testing.T, data []byte) {
		err := eachRaw(bytes.NewReader(data), func(_, _, path string) {
			if strings.ContainsRune(path, 0) {
				t.Errorf("path %q", path)
			}
		})
		if err != nil && !errors.Is(err, ErrUnsupported) && !errors.Is(err, bufio.ErrTooLong) {
			t.Errorf("diff: %v", err)
		}
		br := bufio.NewReader(bytes.NewReader(data))
		for {
			head, err := br.ReadSlice('\n')
			if err != nil {
				return
			}
			err = readBlob(br, head, func(b Blob, r io.Reader) error {
				if n, err := io.Copy(io.Discard, r); err != nil || n > max(b.Size, 0) {
					t.Errorf("%d bytes of a blob of %d: %v", n, b.Size, err)
				}
				return nil
			})
			if err != nil {
				return
			}
		}
	})
}
