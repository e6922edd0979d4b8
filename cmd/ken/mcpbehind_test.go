//go:build linux

package main

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMCPBehind has a server follow a tree whose index cannot be written any more: what changes is noticed and cannot be taken over.
// Answers say so, with the revision that they are of, and what is not in the index is not said to be absent. Once the index can be
// written again, the next answer is of the tree as it is.
func TestMCPBehind(t *testing.T) {
	c, dir := unprivileged(t)
	c.hello()
	if got := c.text("show", `{"target":"Kept"}`); strings.Contains(got, "changed since") || !strings.Contains(got, "func Kept()") {
		t.Fatalf("before anything changed: %s", got)
	}
	time.Sleep(1500 * time.Millisecond) // a server follows the tree soon after its first answer
	lock, file := filepath.Join(dir, ".ken/index.db.lock"), filepath.Join(dir, "a.go")
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(file, "package a\n\nfunc Kept() {}\n\nfunc Second() {}\n")
	if got := c.text("show", `{"target":"Second"}`); !strings.Contains(got, "func Second()") || strings.Contains(got, "changed since") {
		t.Fatalf("the server does not follow the tree: %s", got)
	}
	if err := os.Chmod(lock, 0); err != nil {
		t.Fatal(err)
	}
	write(file, "package a\n\nfunc Kept() {}\n\nfunc Third() {}\n")
	behind := regexp.MustCompile(`changed since revision [1-9][0-9]*: the index cannot be written`)
	for _, ask := range []struct{ tool, args, holds string }{
		{"show", `{"target":"Kept"}`, "func Kept()"}, {"grep", `{"regex":"func Kept"}`, "a.go"}, {"overview", `{}`, ""},
	} {
		if got := c.text(ask.tool, ask.args); !behind.MatchString(got) || !strings.Contains(got, ask.holds) {
			t.Errorf("%s of a tree that the index is behind: %s", ask.tool, got)
		}
	}
	gone := c.call("show", `{"target":"Third"}`)
	if !gone.Result.IsError || !strings.Contains(gone.Result.Content[0].Text, "could not tell, because the index is behind the tree") {
		t.Errorf("a name that the index cannot have yet: %s", gone.raw)
	}
	if err := os.Chmod(lock, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := c.text("show", `{"target":"Third"}`); !strings.Contains(got, "func Third()") || strings.Contains(got, "changed since") {
		t.Errorf("after the index could be written again: %s", got)
	}
	if got := c.text("grep", `{"regex":"func Kept"}`); strings.Contains(got, "changed since") {
		t.Errorf("an answer of the tree as it is says that it is not: %s", got)
	}
	c.end()
}

// unprivileged is a server, without root's right to write whatever it wants, over an indexed project with the function Kept.
func unprivileged(t *testing.T) (*client, string) {
	t.Helper()
	base, err := os.MkdirTemp("/tmp", "ken-behind")
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { os.RemoveAll(base) })
	if base, err = filepath.EvalSymlinks(base); err != nil {
		t.Fatal(err)
	}
	dir, home, program := filepath.Join(base, "tree"), filepath.Join(base, "home"), filepath.Join(base, "ken")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("cp", self, program).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	err = errors.Join(os.Mkdir(dir, 0o755), os.Mkdir(home, 0o700), os.Chmod(base, 0o755),
		os.WriteFile(filepath.Join(dir, "a.go"), []byte("package a\n\nfunc Kept() {}\n"), 0o644))
	root := os.Geteuid() == 0
	const nobody = 65534
	for _, path := range []string{dir, home, filepath.Join(dir, "a.go")} {
		if root {
			err = errors.Join(err, os.Chown(path, nobody, nobody))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	command := func(args ...string) *exec.Cmd {
		cmd := exec.Command(program, append([]string{"-C", dir}, args...)...)
		cmd.Dir, cmd.Env = dir, []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + home}
		if root {
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		}
		return cmd
	}
	if out, err := command("init").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	c := &client{t: t, cmd: command("mcp")}
	in, err := c.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.in, c.out = in, bufio.NewReaderSize(out, 1<<20)
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.cmd.Process.Kill(); c.cmd.Wait() })
	return c, dir
}
