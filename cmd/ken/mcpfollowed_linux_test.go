package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// opened counts what a process has open of which the name begins so.
func opened(t *testing.T, pid int, prefix string) (n int) {
	t.Helper()
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if to, err := os.Readlink(filepath.Join(dir, e.Name())); err == nil && strings.HasPrefix(to, prefix) {
			n++
		}
	}
	return n
}

// TestMCPManyProjects: a server holds no more than a few projects open, and answers about each as it is.
func TestMCPManyProjects(t *testing.T) {
	dir := served(t)
	var args, dirs []string
	for i := range 9 {
		d := another(t, fmt.Sprintf("project%d", i), "a.py", fmt.Sprintf("def thing%d():\n    pass\n", i))
		args, dirs = append(args, "--project", d), append(dirs, d)
	}
	c := newClient(t, dir, args...).hello()
	for round := range 3 {
		for i, d := range dirs {
			name := fmt.Sprintf("thing%d_%d", i, round)
			writeFile(t, d, "a.py", "def "+name+"():\n    pass\n")
			has(t, d, c.text("grep", fmt.Sprintf(`{"regex":%q,"project":%q}`, name, d)), "a.py:1")
			if i%3 == round {
				time.Sleep(50 * time.Millisecond) // it may begin to be followed meanwhile
			}
		}
	}
	const most = 4
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		watched, indexes := opened(t, c.cmd.Process.Pid, "anon_inode:inotify"), opened(t, c.cmd.Process.Pid, filepath.Dir(filepath.Dir(dirs[0])))
		if watched <= most {
			t.Logf("%d trees are watched, %d files of projects are open", watched, indexes)
			break
		}
		if time.Now().After(end) {
			t.Fatalf("%d trees are watched, at most %d should be", watched, most)
		}
	}
	c.end()
}
