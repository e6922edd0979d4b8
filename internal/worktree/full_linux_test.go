package worktree

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"ken/internal/git/gittest"
)

// fill leaves nothing of a disk, and returns how to free it.
func fill(t *testing.T, dir string) (free func()) {
	t.Helper()
	path := filepath.Join(dir, "filler")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for size := 1 << 16; size > 0; size /= 2 {
		for {
			if _, err := f.Write(make([]byte, size)); err != nil {
				break
			}
		}
	}
	return func() { os.Remove(path) }
}

// TestFullDisk fills the disk before each step: nothing is lost, nothing is half done, and with space the step is done.
func TestFullDisk(t *testing.T) {
	isolate(t)
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=12m"); err != nil {
		t.Skipf("needs to mount: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(disk, syscall.MNT_DETACH) })
	dir := filepath.Join(disk, "project")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	p := projectAt(t, dir)
	text := strings.Repeat("a line of some length\n", 20000)
	gittest.Write(t, p.dir, "big.txt", text)
	gittest.Write(t, p.dir, "mine.txt", "mine\n")
	gittest.Run(t, p.dir, "add", "big.txt")
	gittest.Run(t, p.dir, "commit", "-qm", "big")
	before := status(t, p.dir)

	free := fill(t, disk)
	if _, err := p.Create(t.Context(), CreateOptions{ID: "t1", Branch: "llm_task_t1"}); err == nil {
		t.Fatal("a work tree was made on a full disk")
	}
	free()
	if _, err := p.Clean(t.Context(), CleanOptions{}); err != nil {
		t.Fatal(err)
	}
	p.nothingLeft()
	tree := p.create("t1")
	gittest.Write(t, tree.Dir, "big.txt", "above\n"+text)
	gittest.Write(t, tree.Dir, "old.txt", "discard this\n")
	look := p.look(tree)
	var choices []Choice
	for _, c := range look.Changes {
		choices = append(choices, Choice{Change: c, Keep: c.Path == "big.txt"})
	}
	free = fill(t, disk)
	if _, err := tree.Commit(t.Context(), choices, "work"); err == nil {
		t.Fatal("a commit was made on a full disk")
	}
	if gittest.Read(t, tree.Dir, "big.txt") != "above\n"+text || gittest.Read(t, tree.Dir, "old.txt") != "discard this\n" {
		t.Error("work was lost")
	}
	free()
	if _, err := tree.Commit(t.Context(), choices, "work"); err != nil {
		t.Fatal(err)
	}
	free = fill(t, disk)
	if _, err := p.Merge(t.Context(), "t1", MergeOptions{}); err == nil {
		t.Fatal("merged on a full disk")
	}
	if gittest.Read(t, p.dir, "big.txt") != text {
		t.Error("a merge that failed left other files")
	}
	free()
	if got := status(t, p.dir); got != before {
		t.Errorf("a merge that failed left %q", got)
	}
	p.merge("t1")
	if got := status(t, p.dir); got != before || gittest.Read(t, p.dir, "big.txt") != "above\n"+text {
		t.Errorf("after the merge %q", got)
	}
	free = fill(t, disk)
	_, err := p.Clean(t.Context(), CleanOptions{})
	free()
	if err != nil {
		if _, err := p.Clean(t.Context(), CleanOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	p.nothingLeft()
}
