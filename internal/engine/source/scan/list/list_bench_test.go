package list

import (
	"context"
	"os"
	"os/exec"
	"testing"
)

// benchTree is the tree to measure on: KEN_BENCH_TREE.
func benchTree(b *testing.B) string {
	dir := os.Getenv("KEN_BENCH_TREE")
	if dir == "" {
		b.Skip("KEN_BENCH_TREE names no tree")
	}
	return dir
}

// settled is a listing that trusts all it saw: as if it were made tomorrow.
func settled(b *testing.B, s *Lister) *Listing {
	l := mustList(b, s, nil)
	l.LookedAt += 1 << 50
	b.Logf("%d files, %d directories", len(l.Files), len(l.Dirs))
	return l
}

func BenchmarkLookUnchanged(b *testing.B) {
	s := mustNew(b, Options{Root: benchTree(b)})
	prev := settled(b, s)
	b.ReportAllocs()
	for b.Loop() {
		now := mustList(b, s, prev)
		if a, c, d := Diff(prev, now); len(a)+len(c)+len(d)+len(now.Racy) > 0 {
			b.Fatalf("changed: %d %d %d racy %d", len(a), len(c), len(d), len(now.Racy))
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	data := settled(b, mustNew(b, Options{Root: benchTree(b)})).Encode()
	b.Logf("%d bytes", len(data))
	for b.Loop() {
		if _, err := Decode(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	l := settled(b, mustNew(b, Options{Root: benchTree(b)}))
	for b.Loop() {
		l.Encode()
	}
}

func BenchmarkListOwn(b *testing.B) {
	s := mustNew(b, Options{Root: benchTree(b), NoGit: true})
	for b.Loop() {
		mustList(b, s, nil)
	}
}

func BenchmarkListWithGit(b *testing.B) {
	s := mustNew(b, Options{Root: benchTree(b)})
	for b.Loop() {
		mustList(b, s, nil)
	}
}

func benchGit(b *testing.B, args ...string) {
	dir := benchTree(b)
	for b.Loop() {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if err := cmd.Run(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGitStatus(b *testing.B)  { benchGit(b, "status", "--porcelain") }
func BenchmarkGitLsFiles(b *testing.B) { benchGit(b, "ls-files", "-co", "--exclude-standard") }

// copyTree makes a copy to change; it is a repository if the tree is one.
func copyTree(b *testing.B) string {
	dir := b.TempDir() + "/tree"
	if out, err := exec.Command("cp", "-a", benchTree(b), dir).CombinedOutput(); err != nil {
		b.Fatalf("%v %s", err, out)
	}
	return dir
}

// BenchmarkLookIndexRewritten: git status by somebody else rewrites .git/index.
func BenchmarkLookIndexRewritten(b *testing.B) {
	dir := copyTree(b)
	s := mustNew(b, Options{Root: dir})
	prev := settled(b, s)
	for i, src := range prev.sources {
		if src.path == dir+"/.git/index" {
			prev.sources[i].stat.CTime--
		}
	}
	for b.Loop() {
		mustList(b, s, prev)
	}
}

// BenchmarkLookOneAdded: one directory must be read again.
func BenchmarkLookOneAdded(b *testing.B) {
	dir := copyTree(b)
	s := mustNew(b, Options{Root: dir})
	prev := settled(b, s)
	if err := os.WriteFile(dir+"/ken-bench.go", nil, 0o644); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if a, _, _ := Diff(prev, mustList(b, s, prev)); len(a) != 1 {
			b.Fatalf("added %v", a)
		}
	}
}

// BenchmarkLookup: what `ken index FILE` asks about a new file.
func BenchmarkLookup(b *testing.B) {
	s := mustNew(b, Options{Root: benchTree(b), NoGit: true})
	path := ""
	for _, e := range mustList(b, s, nil).Files {
		if len(e.Path) > len(path) {
			path = e.Path
		}
	}
	for b.Loop() {
		if _, ok, err := s.Lookup(context.Background(), path); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}
