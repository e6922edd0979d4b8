package foldercommit

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/git"
)

// isolate keeps the machine's git settings out of a test.
func isolate(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	for _, v := range []string{"GIT_CONFIG_GLOBAL", "GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"} {
		t.Setenv(v, "")
		os.Unsetenv(v)
	}
}

func runGit(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func write(t testing.TB, root, path, text string, mode os.FileMode) {
	t.Helper()
	full := filepath.Join(root, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

func mustFind(t testing.TB, dir string) *git.Repo {
	t.Helper()
	r, err := git.Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// evilRepo is a repository whose configuration names a program wherever a commit could start one. Each leaves a file in
// the returned folder when it runs.
func evilRepo(t *testing.T) (dir, canaries string) {
	t.Helper()
	dir, canaries = t.TempDir(), t.TempDir()
	runGit(t, dir, "init", "-q")
	write(t, dir, "a.txt", "hello\n", 0o644)
	write(t, dir, ".gitattributes", "* filter=evil diff=evil merge=evil text eol=crlf\n", 0o644)
	runGit(t, dir, "add", "-A")
	runGit(t, dir, "commit", "-q", "-m", "one")
	canary := func(name string) string {
		script := filepath.Join(dir, ".git", "evil-"+name)
		write(t, dir, ".git/evil-"+name, "#!/bin/sh\ntouch "+canaries+"/"+name+"\ncat\n", 0o755)
		return script
	}
	for _, key := range []string{
		"core.fsmonitor", "core.pager", "core.editor", "core.askPass", "core.sshCommand", "core.alternateRefsCommand", "filter.evil.clean", "filter.evil.smudge",
		"filter.evil.process", "diff.external", "diff.evil.textconv", "credential.helper", "pager.update-ref", "pager.commit-tree", "pager.mktree",
		"pager.hash-object", "pager.update-index", "pager.check-attr", "pager.config", "pager.ls-tree", "trailer.x.command", "filter.other.clean",
	} {
		runGit(t, dir, "config", key, canary(strings.ReplaceAll(key, ".", "-")))
	}
	for _, alias := range []string{"update-ref", "commit-tree", "mktree", "hash-object", "update-index", "check-attr", "config", "ls-tree"} {
		runGit(t, dir, "config", "alias."+alias, "!"+canary("alias-"+alias))
	}
	runGit(t, dir, "config", "filter.evil.required", "true")
	return dir, canaries
}
