package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// gitSays is what git prints about a repository.
func gitSays(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
	return string(out)
}

// TestCommitKnowledgeKilled: a commit that is killed at any moment leaves a sound repository without locks in which every
// file is as it was or committed, and what was staged is staged; the next commit finishes.
func TestCommitKnowledgeKilled(t *testing.T) {
	dir := served(t)
	for _, set := range []string{"AUTHOR", "COMMITTER"} {
		t.Setenv("GIT_"+set+"_NAME", "A")
		t.Setenv("GIT_"+set+"_EMAIL", "a@example.com")
	}
	gitIn(t, dir, "init", "-q", "-b", "main", ".")
	gitIn(t, dir, "add", "-A")
	gitIn(t, dir, "commit", "-q", "-m", "one")
	os.WriteFile(filepath.Join(dir, "staged.txt"), []byte("staged\n"), 0o644)
	gitIn(t, dir, "add", "staged.txt")
	folder := filepath.Join(dir, ".ken", "knowledge")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	killed := 0
	for i := range 12 {
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("page%d.md", i)), fmt.Appendf(nil, "%d\n", i), 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("ken", "-C", dir, "commit-knowledge")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(i) * 8 * time.Millisecond)
		cmd.Process.Kill()
		if cmd.Wait() != nil {
			killed++
		}
		time.Sleep(30 * time.Millisecond) // a git that was started ends on its own
		gitSays(t, dir, "fsck", "--strict")
		for line := range strings.Lines(gitSays(t, dir, "status", "--porcelain", "--untracked-files=all", ".ken/knowledge", "staged.txt")) {
			if state := line[:2]; state != "A " && state != "??" {
				t.Errorf("after kill %d: %s", i, line)
			}
		}
		if locks, _ := filepath.Glob(filepath.Join(dir, ".git", "*.lock")); len(locks) > 0 {
			t.Errorf("after kill %d: %v", i, locks)
		}
	}
	exec.Command("ken", "-C", dir, "commit-knowledge").Run()
	if got := gitSays(t, dir, "status", "--porcelain", "--untracked-files=all", ".ken/knowledge", "staged.txt"); got != "A  staged.txt\n" {
		t.Errorf("at the end: %q", got)
	}
	if n := strings.Count(gitSays(t, dir, "ls-tree", "--name-only", "HEAD", ".ken/knowledge/"), "\n"); n != 12 {
		t.Errorf("%d pages are committed", n)
	}
	t.Logf("killed %d times", killed)
}
