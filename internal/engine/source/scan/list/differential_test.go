package list

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/code"
)

// The rules against git's: random trees with random ignore files, listed by
// both. `go test ./internal/engine/source/scan -run Differential -ignore.trees=10000`
// does what the project promises; the default is a sample.
var (
	treeCount = flag.Int("ignore.trees", 300, "number of random trees to compare with git")
	seedFlag  = flag.Uint64("ignore.seed", 1, "seed of the random trees")
)

// batch is how many trees share a repository: starting git costs more than a
// tree.
const batch = 100

func TestDifferential(t *testing.T) {
	needGit(t)
	isolate(t)
	for i := 0; i*batch < *treeCount; i++ {
		g := &treeMaker{t: t, rnd: rand.New(rand.NewPCG(*seedFlag, uint64(i))), root: t.TempDir()}
		g.repository(batch)
		// the whole repository, and one directory of it as a root of its own
		g.compare(g.root)
		sub := filepath.Join(g.root, "t00")
		if st, err := os.Lstat(sub); err == nil && st.IsDir() && g.isRoot("t00") {
			g.compare(sub)
		}
		if t.Failed() {
			t.Fatalf("repository %d of seed %d", i, *seedFlag)
		}
		os.RemoveAll(g.root)
	}
}

// TestDifferentialLook changes random trees and compares looks with listings.
func TestDifferentialLook(t *testing.T) {
	needGit(t)
	isolate(t)
	for i := range max(2, *treeCount/400) {
		g := &treeMaker{t: t, rnd: rand.New(rand.NewPCG(*seedFlag, uint64(1e6+i))), root: t.TempDir()}
		g.repository(8)
		s := mustNew(t, Options{Root: g.root})
		prev := mustList(t, s, nil)
		for step := range 25 {
			time.Sleep(12 * time.Millisecond) // a tick of the file system's clock
			prev.LookedAt = time.Now().UnixNano() + marginFine
			time.Sleep(12 * time.Millisecond)
			for range 1 + g.rnd.IntN(4) {
				g.mutate()
			}
			now := mustList(t, s, prev)
			want := mustList(t, mustNew(t, Options{Root: g.root, NoGit: true}), nil)
			if d := cmp.Diff(want.Files, now.Files); d != "" {
				t.Fatalf("tree %d step %d: look differs from a full listing (-full +look):\n%s\nlog:\n%s", i, step, d, strings.Join(g.log, "\n"))
			}
			if d := cmp.Diff(dirPaths(want), dirPaths(now)); d != "" {
				t.Fatalf("tree %d step %d: directories (-full +look):\n%s\nlog:\n%s", i, step, d, strings.Join(g.log, "\n"))
			}
			g.compare(g.root)
			if t.Failed() {
				t.Fatalf("tree %d step %d\n%s", i, step, strings.Join(g.log, "\n"))
			}
			prev = now
			if g.rnd.IntN(3) == 0 {
				if prev, _ = Decode(now.Encode()); prev == nil {
					t.Fatal("stored listing cannot be read")
				}
			}
		}
	}
}

func dirPaths(l *Listing) []string {
	var out []string
	for _, d := range l.Dirs {
		out = append(out, d.Path)
	}
	return out
}

// isRoot reports whether git lists a directory for itself: it is neither a
// submodule nor ignored as a whole (there ken lists what git does not).
func (g *treeMaker) isRoot(dir string) bool {
	return !strings.HasPrefix(runGit(g.t, g.root, "ls-files", "-s", "--", dir), "160000") && len(g.expected(filepath.Join(g.root, dir))) > 0
}

type treeMaker struct {
	t    *testing.T
	rnd  *rand.Rand
	root string
	log  []string
}

var pieces = []string{"a", "b", "c", "ab", "abc", "foo", "bar", "x.o", "y.log", "z.txt", "A", "Foo", "a b", " s", "e ", "#h", "!n", "[z]", "*s", "q?", `b\s`, "-d", "é", "\xff\xfe", "n\nl", "t\tb", "1", "_", "a.b.c", "build", "\r", "x\r"}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

func (g *treeMaker) name() string { return pick(g.rnd, pieces) }

// pattern makes one line of an ignore file, likely enough to match something.
func (g *treeMaker) pattern() string {
	var b strings.Builder
	switch g.rnd.IntN(12) {
	case 0, 1:
		b.WriteByte('!')
	case 2:
		if g.rnd.IntN(4) == 0 {
			b.WriteByte('#')
		}
	}
	if g.rnd.IntN(5) == 0 {
		b.WriteByte('/')
	}
	for i := range 1 + g.rnd.IntN(3) {
		if i > 0 {
			b.WriteString(pick(g.rnd, []string{"/", "/", "/", "", "**/", "/**/", "//"}))
		}
		g.element(&b)
	}
	b.WriteString(pick(g.rnd, []string{"", "", "", "", "/", "/", "/*", "/**", " ", "  ", `\ `, `\`, "\t", "\r", " \r", "\x00x"}))
	return b.String()
}

// element makes what stands between two slashes.
func (g *treeMaker) element(b *strings.Builder) {
	for range 1 + g.rnd.IntN(2) {
		switch g.rnd.IntN(10) {
		case 0, 1, 2, 3:
			n := g.name()
			if g.rnd.IntN(3) == 0 {
				n = n[:g.rnd.IntN(len(n)+1)]
			}
			b.WriteString(n)
		case 4, 5:
			b.WriteByte('*')
		case 6:
			b.WriteString(pick(g.rnd, []string{"?", "??", "**", "***", "*?"}))
		case 7:
			b.WriteString(pick(g.rnd, []string{"[a-c]", "[!a]", "[^b]", "[abc]", "[]a]", "[!]a]", "[a-]", "[-a]", "[a", "[", "]", "[z-a]", "[a-cx]", `[\]]`, `[\a-\c]`, "[/]", "[a/b]", "[A-Z]", "[[z]", "[*]", "[.-a]"}))
		case 8:
			b.WriteString(pick(g.rnd, []string{"[[:alpha:]]", "[[:space:]]", "[[:digit:][:upper:]]", "[![:alnum:]]", "[[:punct:]]", "[[:print:]]", "[[:nope:]]", "[[:alpha:]", "[[:lower:]-z]", "[[:cntrl:]]", "[[:xdigit:]]", "[[:graph:]]", "[[:blank:]]", "[[::]]", "[[:alpha]]"}))
		case 9:
			b.WriteString(pick(g.rnd, []string{`\a`, `\*`, `\?`, `\[z]`, `\!n`, `\#h`, `\\`, `\ s`, "a*b", "*.o", "*.*", "**foo", "foo**"}))
		}
	}
}

func (g *treeMaker) ignoreText() string {
	var b strings.Builder
	if g.rnd.IntN(8) == 0 {
		b.WriteString("\ufeff")
	}
	end := "\n"
	if g.rnd.IntN(5) == 0 {
		end = "\r\n"
	}
	for range g.rnd.IntN(6) {
		b.WriteString(g.pattern() + end)
	}
	s := b.String()
	if g.rnd.IntN(4) == 0 {
		s = strings.TrimSuffix(s, "\n")
	}
	return s
}

// repository fills the root with n trees and puts some of it under git.
func (g *treeMaker) repository(n int) {
	runGit(g.t, g.root, "init", "-q")
	runGit(g.t, g.root, "config", "core.ignorecase", fmt.Sprint(g.rnd.IntN(4) == 0))
	if g.rnd.IntN(2) == 0 {
		global := g.t.TempDir() + "/ignore"
		os.WriteFile(global, []byte(g.ignoreText()), 0o644)
		runGit(g.t, g.root, "config", "core.excludesFile", global)
	}
	os.WriteFile(filepath.Join(g.root, ".git/info/exclude"), []byte(g.ignoreText()), 0o644)
	if g.rnd.IntN(3) == 0 {
		os.WriteFile(filepath.Join(g.root, ".gitignore"), []byte(g.ignoreText()), 0o644)
	}
	for i := range n {
		g.fill(filepath.Join(g.root, fmt.Sprintf("t%02d", i)), 0)
	}
	g.track()
}

// fill makes a directory with files, ignore files and directories.
func (g *treeMaker) fill(dir string, depth int) {
	if os.MkdirAll(dir, 0o755) != nil {
		return
	}
	for range g.rnd.IntN(5) {
		g.leaf(filepath.Join(dir, g.name()))
	}
	if g.rnd.IntN(2) == 0 || depth == 0 {
		g.ignoreFile(dir)
	}
	for range g.rnd.IntN(3) {
		if depth < 4 {
			g.fill(filepath.Join(dir, g.name()), depth+1)
		}
	}
	if g.rnd.IntN(40) == 0 && depth > 0 {
		g.nestedRepo(dir)
	}
}

// leaf makes a file or something like it; what stands there stays.
func (g *treeMaker) leaf(path string) {
	switch g.rnd.IntN(25) {
	case 0:
		os.Symlink(pick(g.rnd, []string{".", "..", "/etc", "nowhere", "a"}), path)
	case 1:
		exec.Command("mkfifo", path).Run()
	default:
		if f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644); err == nil {
			fmt.Fprintln(f, path)
			f.Close()
		}
	}
}

func (g *treeMaker) ignoreFile(dir string) {
	path := filepath.Join(dir, ".gitignore")
	switch g.rnd.IntN(30) {
	case 0:
		os.Mkdir(path, 0o755)
	case 1:
		os.Symlink("a", path)
	default:
		os.WriteFile(path, []byte(g.ignoreText()), 0o644)
	}
}

// nestedRepo makes dir a repository, or something that is nearly one.
func (g *treeMaker) nestedRepo(dir string) {
	dot := filepath.Join(dir, ".git")
	switch g.rnd.IntN(4) {
	case 0:
		os.WriteFile(dot, []byte("gitdir: "+filepath.Join(g.root, ".git")+"\n"), 0o644)
	case 1:
		os.MkdirAll(filepath.Join(dot, "objects"), 0o755)
	default:
		os.MkdirAll(filepath.Join(dot, "objects"), 0o755)
		os.MkdirAll(filepath.Join(dot, "refs"), 0o755)
		os.WriteFile(filepath.Join(dot, "HEAD"), []byte("ref: refs/heads/main\n"), 0o644)
	}
}

// some returns paths below the root, about one in n, without those of .git.
func (g *treeMaker) some(n int) []string {
	var out []string
	filepath.WalkDir(g.root, func(p string, d os.DirEntry, err error) error {
		if err != nil || p == g.root {
			return nil
		}
		if d.Name() == ".git" {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if g.rnd.IntN(n) == 0 {
			out = append(out, p)
		}
		return nil
	})
	return out
}

// track adds some paths to the index (ignored ones too), makes some submodules
// and deletes some that are tracked.
func (g *treeMaker) track() {
	var info strings.Builder
	blob := strings.TrimSpace(g.pipe("x", "hash-object", "-w", "--stdin"))
	fold := strings.TrimSpace(runGit(g.t, g.root, "config", "core.ignorecase")) == "true"
	for _, p := range g.some(8) {
		rel := p[len(g.root)+1:]
		st, err := os.Lstat(p)
		if err != nil || fold && g.rnd.IntN(2) == 0 {
			continue
		}
		switch {
		case st.IsDir() && g.rnd.IntN(6) == 0:
			fmt.Fprintf(&info, "160000 1234567890123456789012345678901234567890\t%s\x00", rel)
		case st.Mode()&os.ModeSymlink != 0:
			fmt.Fprintf(&info, "120000 %s\t%s\x00", blob, rel)
		case st.Mode().IsRegular():
			fmt.Fprintf(&info, "100644 %s\t%s\x00", blob, rel)
			if g.rnd.IntN(15) == 0 {
				os.Remove(p)
			}
		}
	}
	cmd := exec.Command("git", "update-index", "--add", "--replace", "-z", "--index-info")
	cmd.Dir, cmd.Stdin = g.root, strings.NewReader(info.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		g.t.Fatalf("update-index: %v %s", err, out)
	}
}

func (g *treeMaker) pipe(in string, args ...string) string {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin = g.root, strings.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		g.t.Fatal(err)
	}
	return string(out)
}

// mutate makes one random change.
func (g *treeMaker) mutate() {
	all := g.some(1)
	if len(all) == 0 {
		g.fill(filepath.Join(g.root, "t00"), 1)
		return
	}
	p := pick(g.rnd, all)
	dir := filepath.Dir(p)
	if st, err := os.Lstat(p); err == nil && st.IsDir() {
		dir = p
	}
	op := g.rnd.IntN(14)
	g.log = append(g.log, fmt.Sprintf("op %d on %q", op, p))
	switch op {
	case 0, 1, 2:
		g.leaf(filepath.Join(dir, g.name()))
	case 3:
		os.Remove(p)
	case 4:
		os.RemoveAll(p)
	case 5:
		os.Rename(p, filepath.Join(dir, g.name()))
	case 6:
		os.Rename(p, filepath.Join(filepath.Dir(pick(g.rnd, all)), g.name()))
	case 7:
		g.ignoreFile(dir)
	case 8:
		g.fill(filepath.Join(dir, g.name()), 3)
	case 9:
		if dir != g.root {
			g.nestedRepo(dir)
		}
	case 10:
		os.RemoveAll(filepath.Join(dir, ".git", "HEAD"))
	case 11:
		g.track()
	case 12: // a directory becomes a link to itself elsewhere
		to := filepath.Join(g.root, fmt.Sprintf("moved%d", g.rnd.IntN(1000)))
		if dir != g.root && os.Rename(dir, to) == nil {
			os.Symlink(to, dir)
		}
	case 13:
		if st, err := os.Lstat(p); err == nil && st.Mode().IsRegular() && filepath.Base(p) != ".gitignore" {
			os.WriteFile(p, []byte(fmt.Sprint(g.rnd.Uint64())), 0o644)
		}
	}
	if dir == g.root && op == 10 { // the repository's own HEAD stays
		os.WriteFile(filepath.Join(g.root, ".git", "HEAD"), []byte("ref: refs/heads/master\n"), 0o644)
	}
}

// compare lists dir with ken's rules alone and with git.
func (g *treeMaker) compare(dir string) {
	g.t.Helper()
	l, err := mustNew(g.t, Options{Root: dir, NoGit: true}).List(context.Background(), nil)
	if err != nil {
		g.t.Fatal(err)
	}
	if d := cmp.Diff(g.expected(dir), paths(l)); d != "" {
		g.t.Errorf("%s (-git +own):\n%s", dir, d)
	}
}

// expected is what git lists in dir, as ken understands it: not what is behind
// a link, and of a tracked path that is a directory now only submodules.
func (g *treeMaker) expected(dir string) []string {
	gitlinks := map[string]bool{}
	for _, rec := range splitNul(runGit(g.t, dir, "ls-files", "-z", "-s")) {
		if meta, path, ok := strings.Cut(rec, "\t"); ok && strings.HasPrefix(meta, "160000") {
			gitlinks[path] = true
		}
	}
	others := map[string]bool{}
	for _, p := range splitNul(runGit(g.t, dir, "ls-files", "-z", "-o", "--exclude-standard")) {
		others[strings.TrimSuffix(p, "/")] = true
	}
	out := []string{}
	for _, p := range gitPaths(g.t, dir) {
		st, err := os.Lstat(filepath.Join(dir, p))
		if err != nil || behindLink(dir, p) {
			continue
		}
		if st.IsDir() && !gitlinks[p] && !others[p] || st.Mode()&(os.ModeNamedPipe|os.ModeSocket|os.ModeDevice) != 0 {
			continue
		}
		out = append(out, p)
	}
	return out
}

func behindLink(root, path string) bool {
	for d := code.Dir(path); d != ""; d = code.Dir(d) {
		if st, err := os.Lstat(filepath.Join(root, d)); err != nil || !st.IsDir() {
			return true
		}
	}
	return false
}
