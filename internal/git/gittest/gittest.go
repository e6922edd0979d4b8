// Package gittest makes repositories for tests that the machine's own settings of git have no part in. Only tests import it.
package gittest

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// IsolateSettings hides git's settings of this machine from a test, and skips the test if there is no git. It sets no user: Run
// sets one itself, and User one for the code under test.
func IsolateSettings(t testing.TB) {
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

// SetUser sets the name of git's user in an isolated test.
func SetUser(t testing.TB, name string) {
	t.Helper()
	Write(t, os.Getenv("HOME"), ".gitconfig", "[user]\n\tname = "+name+"\n\temail = t@example.com\n[init]\n\tdefaultBranch = main\n")
}

// Run runs git in a folder and returns its output, without the end of the last line.
func Run(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimRight(string(out), "\n")
}

// Write writes a file with a text, and makes its folders.
func Write(t testing.TB, root, path, text string) {
	t.Helper()
	write(t, root, path, text, 0o644)
}

// WriteScript does the same as Write, but makes the file executable.
func WriteScript(t testing.TB, root, path, text string) {
	t.Helper()
	write(t, root, path, text, 0o755)
}

func write(t testing.TB, root, path, text string, mode fs.FileMode) {
	t.Helper()
	full := filepath.Join(root, path)
	if err := errors.Join(os.MkdirAll(filepath.Dir(full), 0o755), os.WriteFile(full, []byte(text), mode)); err != nil {
		t.Fatal(err)
	}
}

// Read returns the content of a file, or "<none>" if there is no file.
func Read(t testing.TB, root, path string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, path))
	if errors.Is(err, fs.ErrNotExist) {
		return "<none>"
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Commit commits all files of the working tree dir.
func Commit(t testing.TB, dir, message string) {
	t.Helper()
	Run(t, dir, "add", "-A")
	Run(t, dir, "commit", "-q", "-m", message)
}
