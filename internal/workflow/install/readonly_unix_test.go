//go:build unix

package install

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestReadOnlyFolder: in a folder in which nothing can be made nothing at all is written, and the folder is named. Root can write
// everywhere, so that it runs the test as another user.
func TestReadOnlyFolder(t *testing.T) {
	if os.Geteuid() == 0 {
		const nobody = 65534
		dir, err := os.MkdirTemp("", "ken-readonly-") // t.TempDir is not open to others
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.RemoveAll(dir) })
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(os.Args[0])
		if err != nil {
			t.Fatal(err)
		}
		program, temp := filepath.Join(dir, "install.test"), filepath.Join(dir, "tmp")
		if err := os.WriteFile(program, data, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(temp, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(temp, nobody, nobody); err != nil {
			t.Skip(err)
		}
		cmd := exec.Command(program, "-test.run=^TestReadOnlyFolder$", "-test.v")
		cmd.Dir, cmd.Env = temp, append(os.Environ(), "TMPDIR="+temp)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "PASS: TestReadOnlyFolder") {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	w := newWorld(t, map[string]string{".agent/x": ""})
	folder := w.path(".agent")
	if err := os.Chmod(folder, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(folder, 0o755) })
	before := tree(t, w.dir)
	_, err := w.in.Install(context.Background(), w.plan)
	if err == nil || !strings.Contains(err.Error(), "nothing can be written in "+folder) {
		t.Errorf("%v", err)
	}
	w.same("nothing is written", before)
}
