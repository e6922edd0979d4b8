package scan

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"ken/internal/code"
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
func settled(b *testing.B, s *Scanner) *Listing {
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
		if _, err := DecodeListing(data); err != nil {
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

// BenchmarkReadAll reads every file, with one buffer for each core.
func BenchmarkReadAll(b *testing.B) {
	s := mustNew(b, Options{Root: benchTree(b)})
	l := mustList(b, s, nil)
	var bytes int64
	for _, e := range l.Files {
		if e.Problem == code.ProblemNone {
			bytes += e.Stat.Size
		}
	}
	b.SetBytes(bytes)
	b.ReportAllocs()
	for b.Loop() {
		var next atomic.Int64
		var wg sync.WaitGroup
		for range runtime.GOMAXPROCS(0) {
			wg.Go(func() {
				var buf Buffer
				for {
					i := int(next.Add(1)) - 1
					if i >= len(l.Files) {
						return
					}
					if l.Files[i].Problem != code.ProblemNone {
						continue
					}
					if _, err := s.ReadInto(context.Background(), l.Files[i].Path, &buf); err != nil {
						b.Error(err)
					}
				}
			})
		}
		wg.Wait()
	}
}
