package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/code"
	"ken/internal/git/gittest"
)

func mustFind(t testing.TB, dir string) *Repo {
	t.Helper()
	r, err := Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// evilRepo is a repository whose configuration names a program wherever one can
// be named. Each leaves a file in the returned folder when it runs.
func evilRepo(t *testing.T) (dir, canaries string) {
	t.Helper()
	e := gittest.NewEvil(t)
	dir, canaries = e.Dir, e.Canaries
	gittest.Write(t, dir, "sub/b.bin", "world\n")
	gittest.Write(t, dir, ".gitmodules", "[submodule \"m\"]\n\tpath = m\n\turl = ext::sh -c touch% "+canaries+"/ext\n\tupdate = !touch "+canaries+"/update\n")
	gittest.Commit(t, dir, "one")
	gittest.Write(t, dir, "a.txt", "changed\n")
	for _, hook := range []string{"post-index-change", "post-checkout", "pre-commit", "fsmonitor-watchman", "reference-transaction", "pre-auto-gc", "post-rewrite"} {
		gittest.WriteScript(t, dir, ".git/hooks/"+hook, "#!/bin/sh\ntouch "+canaries+"/hook-"+hook+"\n")
	}
	e.Configure([]string{
		"core.fsmonitor", "core.pager", "core.editor", "sequence.editor", "core.askPass", "core.sshCommand", "core.gitProxy", "core.alternateRefsCommand",
		"filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "diff.external", "diff.evil.command", "diff.evil.textconv", "merge.evil.driver",
		"credential.helper", "gpg.program", "gpg.ssh.program", "interactive.diffFilter", "uploadpack.packObjectsHook", "remote.origin.uploadpack",
		"pager.ls-files", "pager.log", "pager.rev-list", "pager.cat-file", "pager.rev-parse", "pager.symbolic-ref", "man.viewer", "browser.x.cmd", "help.browser", "trailer.x.command", "hook.x.command",
	}, []string{"ls-files", "cat-file", "rev-parse", "symbolic-ref"})
	gittest.Run(t, dir, "config", "core.hooksPath", filepath.Join(dir, ".git", "hooks"))
	// A partial clone fetches objects it lacks.
	gittest.Run(t, dir, "config", "core.repositoryFormatVersion", "1")
	gittest.Run(t, dir, "config", "extensions.partialClone", "origin")
	gittest.Run(t, dir, "config", "remote.origin.promisor", "true")
	gittest.Run(t, dir, "config", "remote.origin.url", "ext::"+e.Canary("ext-url"))
	gittest.Run(t, dir, "config", "protocol.ext.allow", "always")
	gittest.Run(t, dir, "config", "protocol.file.allow", "always")
	return dir, canaries
}

func ran(t *testing.T, canaries string) []string {
	t.Helper()
	entries, err := os.ReadDir(canaries)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// TestEvil calls everything that starts git on the evil repository.
func TestEvil(t *testing.T) {
	gittest.IsolateSettings(t)
	dir, canaries := evilRepo(t)
	for _, f := range ran(t, canaries) { // building it set some off: that shows they work
		os.Remove(filepath.Join(canaries, f))
	}
	plain := exec.Command("git", "status")
	plain.Dir = dir
	_ = plain.Run() // its filter is no real one: the run may fail
	if len(ran(t, canaries)) == 0 {
		t.Fatal("plain git ran none of the programs: the test proves nothing")
	}
	t.Logf("plain git status ran %v", ran(t, canaries))
	for _, f := range ran(t, canaries) {
		os.Remove(filepath.Join(canaries, f))
	}

	ctx, r, g := t.Context(), mustFind(t, dir), Git{}
	list, err := g.List(ctx, r, dir, "")
	if err != nil || len(list.Tracked) != 4 {
		t.Fatalf("List = %v, %v", list, err)
	}
	head, err := g.Head(ctx, r)
	if err != nil || head.Ref != "refs/heads/main" || len(head.Commit) != 40 {
		t.Fatalf("Head = %v, %v", head, err)
	}
	if _, err := g.CommitTime(ctx, r, head.Commit); err != nil {
		t.Fatal(err)
	}
	if _, err := g.askHead(ctx, r); err != nil {
		t.Fatal(err)
	}
	blob, err := g.Blob(ctx, r, "HEAD", "a.txt")
	if err != nil || string(blob) != "hello\n" {
		t.Fatalf("Blob = %q, %v; want it as stored, without filters", blob, err)
	}
	gittest.Run(t, dir, "-c", "filter.evil.required=false", "-c", "core.fsmonitor=false", "add", "a.txt")
	world := gittest.Run(t, dir, "rev-parse", "HEAD:sub/b.bin")
	for _, f := range ran(t, canaries) {
		os.Remove(filepath.Join(canaries, f))
	}
	staged, err := g.StagedFiles(ctx, r)
	if err != nil || len(staged) != 1 || staged[0].Path != "a.txt" {
		t.Fatalf("Staged = %v, %v", staged, err)
	}
	blobs := map[string]string{}
	keep := func(b Blob, content io.Reader) error {
		text, err := io.ReadAll(content)
		blobs[b.Path] = string(text)
		return err
	}
	if err := g.Blobs(ctx, r, staged, keep); err != nil || !strings.HasPrefix(blobs["a.txt"], "changed") {
		t.Fatalf("Blobs = %q, %v", blobs, err)
	}
	clear(blobs)
	if err := g.AllBlobs(ctx, r, keep); err != nil || blobs["a.txt"] != "hello\n" || len(blobs) != 4 {
		t.Fatalf("AllBlobs = %q, %v", blobs, err)
	}
	if o, err := g.Origins(ctx, r, map[string]bool{world: true}); err != nil || len(o[world]) != 1 || o[world][0] != (Origin{head.Commit, "sub/b.bin"}) {
		t.Fatalf("Origins = %v, %v", o, err)
	}
	logged := 0
	for _, opt := range []LogOptions{{From: head.Commit}, {Only: []string{head.Commit}}, {From: head.Commit, ExactRenames: true}} {
		if err := g.Log(ctx, r, opt, func(*code.LogCommit) error { logged++; return nil }); err != nil {
			t.Fatalf("Log: %v", err)
		}
	}
	if ids, err := g.Ancestors(ctx, r, head.Commit, 0); err != nil || len(ids) != 1 || logged != 3 || !r.IsPartialClone() {
		t.Fatalf("Ancestors = %v, %v; %d commits logged", ids, err, logged)
	}
	if err := g.CommitsBetween(ctx, r, head.Commit, head.Commit, func(string, bool) {}); err != nil {
		t.Fatal(err)
	}
	// An object that is missing, as in a partial clone: nothing is fetched.
	id := gittest.Run(t, dir, "rev-parse", "HEAD:sub/b.bin")
	if err := os.Remove(filepath.Join(dir, ".git/objects", id[:2], id[2:])); err != nil {
		t.Fatal(err)
	}
	if _, err := g.Blob(ctx, r, "HEAD", "sub/b.bin"); err == nil {
		t.Error("Blob of a missing object: no error")
	}
	if got := ran(t, canaries); len(got) > 0 {
		t.Errorf("the repository's configuration ran %v", got)
	}
}

// TestEvilEnvironment: what steers git from outside does not reach it.
func TestEvilEnvironment(t *testing.T) {
	gittest.IsolateSettings(t)
	dir, other := t.TempDir(), t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	gittest.Write(t, dir, "mine", "")
	gittest.Run(t, other, "init", "-q")
	gittest.Write(t, other, "theirs", "")
	r := mustFind(t, dir)
	t.Setenv("GIT_DIR", filepath.Join(other, ".git"))
	t.Setenv("GIT_WORK_TREE", other)
	t.Setenv("GIT_INDEX_FILE", filepath.Join(other, ".git/index"))
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "core.excludesFile")
	t.Setenv("GIT_CONFIG_VALUE_0", "/nowhere")
	t.Setenv("GIT_LITERAL_PATHSPECS", "0")
	t.Setenv("GIT_TRACE", filepath.Join(other, "trace"))
	list, err := Git{}.List(t.Context(), r, dir, "")
	if err != nil || len(list.Others) != 1 || list.Others[0] != "mine" {
		t.Fatalf("List = %+v, %v", list, err)
	}
	if _, err := os.Stat(filepath.Join(other, "trace")); err == nil {
		t.Error("GIT_TRACE reached git")
	}
	// nor does core.worktree
	runGit2 := exec.Command("git", "config", "-f", filepath.Join(dir, ".git/config"), "core.worktree", other)
	if out, err := runGit2.CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	if list, err = (Git{}).List(t.Context(), r, dir, ""); err != nil || len(list.Others) != 1 || list.Others[0] != "mine" {
		t.Fatalf("with core.worktree: List = %+v, %v", list, err)
	}
}

func TestCancel(t *testing.T) {
	gittest.IsolateSettings(t)
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	// A program that hangs in git's place, with a child of its own.
	bin := filepath.Join(t.TempDir(), "git")
	pid := filepath.Join(t.TempDir(), "pid")
	if err := os.WriteFile(bin, []byte("#!/bin/sh\nsleep 600 &\necho $! > "+pid+"\nwait\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	begin := time.Now()
	_, err := Git{Bin: bin}.List(ctx, mustFind(t, dir), dir, "")
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("err = %v, want deadline exceeded", err)
	}
	if d := time.Since(begin); d > 5*time.Second {
		t.Errorf("took %v", d)
	}
	child, err := os.ReadFile(pid)
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%s/stat", strings.TrimSpace(string(child))))
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("the child outlived cancellation")
}

func TestNoGit(t *testing.T) {
	gittest.IsolateSettings(t)
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	r := mustFind(t, dir)
	t.Setenv("PATH", t.TempDir())
	if _, err := (Git{}).List(t.Context(), r, dir, ""); !errors.Is(err, ErrNoGit) {
		t.Errorf("List: %v, want ErrNoGit", err)
	}
	if h, err := (Git{}).Head(t.Context(), r); err != nil || h.Commit != "" || h.Ref == "" {
		t.Errorf("Head of an empty repository = %+v, %v", h, err)
	}
	// A git in the current directory is not taken.
	t.Setenv("PATH", ".")
	gittest.WriteScript(t, dir, "git", "#!/bin/sh\n")
	t.Chdir(dir)
	if _, err := (Git{}).List(t.Context(), r, dir, ""); !errors.Is(err, ErrNoGit) {
		t.Errorf("with PATH=.: %v, want ErrNoGit", err)
	}
}
