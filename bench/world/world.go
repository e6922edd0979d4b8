// Package world has the parts that the measuring programs share: ken built from
// this tree, scratch repositories and clones, a client of the Model Context
// Protocol, tables of promises, and percentiles of times.
package world

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
)

// Build compiles ken from this tree into a folder and returns the program's
// path. It has to be called in the repository, and fails if ken does not compile.
func Build(ctx context.Context, dir string) (string, error) {
	return BuildPackage(ctx, dir, "ken/cmd/ken")
}

// BuildPackage is Build for another command of this tree, and fails as it does.
func BuildPackage(ctx context.Context, dir, pkg string) (string, error) {
	to := filepath.Join(dir, filepath.Base(pkg))
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", to, pkg).CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w: %s", pkg, err, out)
	}
	return to, nil
}

// InstallPackages has npm install the packages of a manifest into a folder, without their scripts, unless they are there. The manifest is
// copied there at the end, so that half an installation is repeated. It fails if npm does.
func InstallPackages(ctx context.Context, folder string, manifest []byte) error {
	done := filepath.Join(folder, "installed.json")
	if was, err := os.ReadFile(done); err == nil && bytes.Equal(was, manifest) {
		return nil
	}
	if err := WriteFiles(folder, map[string]string{"package.json": string(manifest)}); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts")
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm install: %w: %s", err, out)
	}
	return os.WriteFile(done, manifest, 0o644)
}

// OpencodePrograms returns the folder of opencode's program in a folder of packages: it is in the package for this system, from where
// only a script of the other package would take it.
func OpencodePrograms(folder string) string {
	arch := cmp.Or(map[string]string{"amd64": "x64"}[runtime.GOARCH], runtime.GOARCH)
	return filepath.Join(folder, "node_modules", "opencode-"+runtime.GOOS+"-"+arch, "bin")
}

// Scratch makes a temporary folder, without links in its path, because programs
// that resolve them would name it otherwise. It fails if no folder can be made.
func Scratch(name string) (dir string, remove func(), err error) {
	dir, err = os.MkdirTemp("", name)
	if err != nil {
		return "", nil, err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", nil, err
	}
	return dir, func() { os.RemoveAll(dir) }, nil
}

// Environment returns the environment for a program that works in a home of its
// own: no settings of ken, of git or of an agent's session but those given.
func Environment(home string, extra ...string) []string {
	env := slices.DeleteFunc(os.Environ(), func(e string) bool {
		return slices.ContainsFunc([]string{"KEN_", "CLAUDE", "XDG_", "GIT_"}, func(p string) bool { return strings.HasPrefix(e, p) })
	})
	env = append(env, "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+filepath.Join(home, "cache"), "KEN_STATE="+filepath.Join(home, "state"),
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	return append(env, extra...)
}

// Git runs git in a folder, without hooks of the repository and with an author
// of its own, and returns the trimmed output. The error has git's messages.
func Git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.hooksPath=" + os.DevNull, "-c", "advice.detachedHead=false",
		"-c", "safe.directory=*", "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("git %s in %s: %w: %s", strings.Join(args, " "), dir, err, out)
	}
	return strings.TrimSpace(string(out)), nil
}

// Commit commits everything in a folder, which becomes a repository if it is
// none. It fails if git does.
func Commit(ctx context.Context, dir, message string) error {
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"commit", "-q", "--allow-empty", "-m", message}} {
		if _, err := Git(ctx, dir, args...); err != nil {
			return err
		}
	}
	return nil
}

// WriteFiles writes files below a folder, by path with slashes. It returns the errors
// of all that could not be written.
func WriteFiles(dir string, files map[string]string) error {
	var errs []error
	for name, text := range files {
		at := filepath.Join(dir, filepath.FromSlash(name))
		errs = append(errs, os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte(text), 0o644))
	}
	return errors.Join(errs...)
}

// Clone returns the git directory of a repository "owner/name" in a folder of
// clones, whatever the case of its letters. It fails if there is none.
func Clone(mirror, repository string) (string, error) {
	list, err := os.ReadDir(mirror)
	if err != nil {
		return "", err
	}
	for _, e := range list {
		if strings.EqualFold(e.Name(), strings.ReplaceAll(repository, "/", "+")) {
			return filepath.Join(mirror, e.Name(), "repo"), nil
		}
	}
	return "", fmt.Errorf("no clone of %s in %s", repository, mirror)
}

// ShareClone returns a clone of a repository in a scratch folder that shares the objects of the clone in the mirror. Nothing is checked
// out in it; one that is there is used again. It fails if the mirror has no clone, or git fails.
func ShareClone(ctx context.Context, mirror, repository, scratch string) (tree string, err error) {
	clone, err := Clone(mirror, repository)
	if err != nil {
		return "", err
	}
	tree = filepath.Join(scratch, strings.ReplaceAll(repository, "/", "+"))
	if _, err := os.Stat(tree); err == nil {
		return tree, nil
	}
	_, err = Git(ctx, scratch, "clone", "-q", "--shared", "--no-checkout", clone, tree)
	return tree, err
}

// Checkout moves a work tree to a commit. A clone may lack its largest blobs:
// then the files that are there are checked out. It fails if git does.
func Checkout(ctx context.Context, tree, commit string) error {
	if _, err := Git(ctx, tree, "-c", "core.symlinks=false", "checkout", "-q", "-f", "--detach", commit); err == nil {
		return nil
	}
	for _, args := range [][]string{{"read-tree", "--reset", commit}, {"update-ref", "--no-deref", "HEAD", commit}} {
		if _, err := Git(ctx, tree, args...); err != nil {
			return err
		}
	}
	_, _ = Git(ctx, tree, "-c", "core.symlinks=false", "checkout-index", "-a", "-f", "-q") // it names the missing blobs and writes the others
	return nil
}

// Pin is a repository at a commit, as corpora list them: owner/name@commit.
type Pin struct{ Repository, Commit string }

// Corpus reads a list of pins, one a line; lines that begin with # and text
// after a pin are comments. It fails if the file cannot be read.
func Corpus(file string) ([]Pin, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var list []Pin
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if name, commit, ok := strings.Cut(words[0], "@"); ok {
			list = append(list, Pin{name, commit})
		}
	}
	return list, nil
}

// KillTree kills a process with SIGKILL, and with it those that it started if
// children is set.
func KillTree(p *os.Process, children bool) {
	var list []int
	if children {
		list = descendantProcesses(p.Pid)
	}
	p.Kill()
	for _, pid := range list {
		syscall.Kill(pid, syscall.SIGKILL)
	}
}

// ResidentMemory returns the memory of a process in kB, or 0 where the system does not
// report it.
func ResidentMemory(pid int) int {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		var kb int
		if _, err := fmt.Sscanf(line, "VmRSS: %d kB", &kb); err == nil {
			return kb
		}
	}
	return 0
}

// descendantProcesses returns the processes that a process started, and theirs.
func descendantProcesses(pid int) (list []int) {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, f := range files {
		data, _ := os.ReadFile(f)
		for _, field := range strings.Fields(string(data)) {
			var child int
			if _, err := fmt.Sscan(field, &child); err == nil {
				list = append(append(list, child), descendantProcesses(child)...)
			}
		}
	}
	return list
}
