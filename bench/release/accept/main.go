// Command accept installs the files of a release where there is nothing but a
// system, and prints what must work there and does.
//
//	.ci/accept release [-dist FOLDER] [-system FOLDER]
//
// It runs on Linux as root. -system is a Debian made by debootstrap, with Python
// and without a compiler; without one it is made in the user's cache. npm and
// uv install from a registry on the loopback interface, with empty caches.
package main

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"ken/bench/world"
)

func main() {
	var a acceptance
	flag.StringVar(&a.dist, "dist", "dist", "folder of the files of the release")
	flag.StringVar(&a.system, "system", "", "folder of a Debian, made by debootstrap")
	flag.Parse()
	if err := a.run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "accept release:", err)
		os.Exit(1)
	}
}

type acceptance struct {
	table        world.Table
	dist, system string
	scratch      string
}

const (
	maxProgram = 90_000_000
	maxArchive = 22_000_000
	works      = "init and install in a repository, doctor finds nothing wrong"
)

func (a *acceptance) run(ctx context.Context) (err error) {
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		return errors.New("needs Linux and root")
	}
	if a.dist, err = filepath.Abs(a.dist); err != nil {
		return err
	}
	scratch, remove, err := world.Scratch("release")
	if err != nil {
		return err
	}
	defer remove()
	a.scratch = scratch
	if err := a.checkArchives(ctx); err != nil {
		return err
	}
	a.checkEmpty(ctx)
	a.checkImage(ctx)
	a.checkArm(ctx)
	if err := a.makeSystem(ctx); err != nil {
		a.table.LeaveOut("glibc, deb, npm and wheel in a Debian", works, err.Error())
	} else {
		a.checkSystem(ctx)
	}
	a.checkRegistries(ctx)
	a.table.LeaveOut("Windows", "starts", "linked, not run: there is no Windows here")
	a.table.LeaveOut("macOS", "starts", "linked, not run: there is no Mac here")
	return a.table.Summary()
}

// unpacked returns the folder of the archive of a target, unpacked once. It fails if there is none.
func (a *acceptance) unpacked(ctx context.Context, target string) (string, error) {
	list, err := filepath.Glob(filepath.Join(a.dist, "ken_*_"+target+".tar.xz"))
	if err == nil && len(list) != 1 {
		err = fmt.Errorf("%d archives of %s in %s", len(list), target, a.dist)
	}
	if err != nil {
		return "", err
	}
	folder := filepath.Join(a.scratch, strings.TrimSuffix(filepath.Base(list[0]), ".tar.xz"))
	if _, err := os.Stat(folder); err == nil {
		return folder, nil
	}
	_, err = command(ctx, a.scratch, nil, "tar", "-xf", list[0], "-C", a.scratch)
	return folder, err
}

func (a *acceptance) checkArchives(ctx context.Context) error {
	for _, target := range []string{"linux-amd64", "linux-amd64-musl", "linux-arm64", "linux-arm64-musl", "windows-amd64", "windows-arm64", "darwin-amd64", "darwin-arm64"} {
		list, err := filepath.Glob(filepath.Join(a.dist, "ken_*_"+target+".*"))
		if err != nil {
			return err
		}
		if len(list) != 1 {
			a.table.LeaveOut(target, "archive of at most 22 MB", "there is none in "+a.dist)
			continue
		}
		stat, err := os.Stat(list[0])
		if err != nil {
			return err
		}
		a.table.Row(target+", archive", "at most 22 MB", fmt.Sprintf("%.1f MB", float64(stat.Size())/1e6), stat.Size() <= maxArchive)
		size, err := a.programSize(ctx, target, list[0])
		if err != nil {
			return err
		}
		a.table.Row(target+", program", "at most 90 MB", fmt.Sprintf("%.1f MB", float64(size)/1e6), size <= maxProgram)
	}
	if _, err := os.Stat(filepath.Join(a.dist, "SHA256SUMS")); err != nil {
		return err
	}
	_, err := command(ctx, a.dist, nil, "sha256sum", "--quiet", "--check", "SHA256SUMS")
	a.row("checksums", "are right", err)
	return nil
}

// programSize returns the size of the program in an archive, in bytes.
func (a *acceptance) programSize(ctx context.Context, target, archive string) (int64, error) {
	if strings.HasSuffix(archive, ".zip") {
		z, err := zip.OpenReader(archive)
		if err != nil {
			return 0, err
		}
		defer z.Close()
		for _, f := range z.File {
			if path.Base(f.Name) == "ken.exe" {
				return int64(f.UncompressedSize64), nil
			}
		}
		return 0, fmt.Errorf("%s has no ken.exe", archive)
	}
	folder, err := a.unpacked(ctx, target)
	if err != nil {
		return 0, err
	}
	stat, err := os.Stat(filepath.Join(folder, "ken"))
	if err != nil {
		return 0, err
	}
	return stat.Size(), nil
}

// row prints a promise that holds if there is no error.
func (a *acceptance) row(what, must string, err error) {
	reached := "yes"
	if err != nil {
		reached = err.Error()
	}
	a.table.Row(what, must, reached, err == nil)
}

// checkEmpty starts the static program where there is nothing else, not even a shell or git.
func (a *acceptance) checkEmpty(ctx context.Context) {
	a.row("musl in an empty root, without git", works, a.inRoot(ctx, "empty", func(root string) error {
		folder, err := a.unpacked(ctx, "linux-amd64-musl")
		if err != nil {
			return err
		}
		return copyFile(filepath.Join(folder, "ken"), filepath.Join(root, "usr/bin/ken"), 0o755)
	}))
}

// checkImage lays the image out as the COPY lines of its Dockerfile say.
func (a *acceptance) checkImage(ctx context.Context) {
	text, err := os.ReadFile(filepath.Join(a.dist, "packaging/docker/Dockerfile"))
	if err == nil {
		if _, err = a.unpacked(ctx, "linux-amd64-musl"); err == nil {
			err = a.inRoot(ctx, "image", func(root string) error { return a.layOut(string(text), root) })
		}
	}
	a.row("image, laid out by its COPY lines (its build is not run)", works, err)
}

func (a *acceptance) layOut(dockerfile, root string) error {
	n := 0
	for _, line := range strings.Split(dockerfile, "\n") {
		words := strings.Fields(strings.ReplaceAll(line, "${TARGETARCH}", "amd64"))
		if len(words) < 3 || words[0] != "COPY" {
			continue
		}
		to := words[len(words)-1]
		for _, from := range words[1 : len(words)-1] {
			n++
			at := to
			if strings.HasSuffix(to, "/") {
				at += filepath.Base(from)
			}
			if err := copyFile(filepath.Join(a.scratch, from), filepath.Join(root, at), 0o755); err != nil {
				return err
			}
		}
	}
	if n == 0 {
		return errors.New("no COPY lines")
	}
	return nil
}

// inRoot fills a new folder, puts a small repository into it and tries ken with that folder as its root.
func (a *acceptance) inRoot(ctx context.Context, name string, lay func(root string) error) error {
	root := filepath.Join(a.scratch, "root-"+name)
	if err := lay(root); err != nil {
		return err
	}
	return try(ctx, root, nil, "/usr/bin/ken")
}

// small returns the files of a small repository.
func small() map[string]string {
	return map[string]string{"a.py": "def upload():\n    return 1\n", "b.py": "import a\n\na.upload()\n"}
}

// try sets a small repository up with a program below root, and has doctor look at it.
func try(ctx context.Context, root string, env []string, program string) error {
	if err := os.RemoveAll(filepath.Join(root, "work")); err != nil {
		return err
	}
	if err := world.WriteFiles(filepath.Join(root, "work"), small()); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(root, "tmp"), 0o1777); err != nil {
		return err
	}
	unmount, err := mountProc(root)
	if err != nil {
		return err
	}
	defer unmount()
	for _, step := range [][]string{{"init"}, {"install", "claude", "--project", "--yes"}, {"doctor"}, {"refs", "upload"}} {
		cmd := exec.CommandContext(ctx, program, step...)
		cmd.Env = append([]string{"HOME=/tmp", "KEN_STATE=/tmp/state", "PATH=/usr/local/bin:/usr/bin:/bin"}, env...)
		cmd.Dir = "/work"
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Cloneflags: syscall.CLONE_NEWNET} // without a network
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("ken %s: %w: %s", strings.Join(step, " "), err, problems(string(out)))
		}
	}
	return os.RemoveAll(filepath.Join(root, "tmp", "state"))
}

// mountProc mounts the processes below root, by which a program finds its own file; every container has them.
func mountProc(root string) (unmount func(), err error) {
	at := filepath.Join(root, "proc")
	if err := os.MkdirAll(at, 0o755); err != nil {
		return nil, err
	}
	if err := syscall.Mount("proc", at, "proc", 0, ""); err != nil {
		return nil, fmt.Errorf("mount %s: %w", at, err)
	}
	return func() { syscall.Unmount(at, syscall.MNT_DETACH) }, nil
}

// problems returns the lines of doctor about problems, or all of a short text.
func problems(text string) string {
	var list []string
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "problem") {
			list = append(list, line)
		}
	}
	if len(list) > 0 {
		text = strings.Join(list, "; ")
	}
	return text[:min(len(text), 600)]
}

// checkArm runs the programs for the other processor in an emulator.
func (a *acceptance) checkArm(ctx context.Context) {
	emulator, err := exec.LookPath("qemu-aarch64-static")
	if err != nil {
		a.table.LeaveOut("arm64", "init in a repository", "there is no qemu-aarch64-static")
		return
	}
	for _, target := range []string{"linux-arm64-musl", "linux-arm64"} {
		folder, err := a.unpacked(ctx, target)
		if err != nil {
			a.table.LeaveOut(target, "init in a repository", err.Error())
			continue
		}
		program := []string{emulator}
		if target == "linux-arm64" {
			if _, err := os.Stat("/usr/aarch64-linux-gnu/lib"); err != nil {
				a.table.LeaveOut(target+", emulated", "init in a repository", "there is no glibc for arm64 here (libc6-arm64-cross)")
				continue
			}
			program = append(program, "-L", "/usr/aarch64-linux-gnu")
		}
		program = append(program, filepath.Join(folder, "ken"))
		work := filepath.Join(a.scratch, "work-"+target)
		err = world.WriteFiles(work, small())
		for _, step := range []string{"version", "init", "overview", "refs upload"} {
			if err == nil {
				args := append(append([]string{}, program[1:]...), strings.Fields(step)...)
				_, err = command(ctx, work, []string{"HOME=" + a.scratch, "KEN_STATE=" + a.scratch + "/state"}, program[0], args...)
			}
		}
		a.row(target+", emulated", "version, init, overview and refs in a repository", err)
	}
}

func command(ctx context.Context, dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	if env != nil {
		cmd.Env = append(os.Environ(), env...)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		text := stderr.String() + string(out)
		err = fmt.Errorf("%s %s: %w: %s", filepath.Base(name), strings.Join(args, " "), err, text[:min(len(text), 600)])
	}
	return strings.TrimSpace(string(out)), err
}

func copyFile(from, to string, mode os.FileMode) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, text, mode)
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }
