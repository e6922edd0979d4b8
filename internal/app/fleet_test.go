package app

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// folderState returns a line for each file of a folder: its path, size, time and hash.
func folderState(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasSuffix(p, ".db-shm") || strings.HasSuffix(p, ".db-wal") { // readers of SQLite share these
			return err
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s %d %v %x\n", p, info.Size(), info.ModTime(), sha256.Sum256(data))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestFleetReadsOnly: questions about a folder of checkouts write nothing there, even where an index is behind, and mask what the index of
// a checkout knows as a secret.
func TestFleetReadsOnly(t *testing.T) {
	p, out, errs := program(t, map[string]string{"go.mod": "module example.com/own\n"})
	all := filepath.Join(p.Dir, "all")
	secret := "ghp_" + "kT9vLq2Zx81mWpRbN4sDf7" + "Yc3HgJ6tQaVe5X"
	for path, text := range map[string]string{
		"one/go.mod": "module example.com/one\n\nrequire example.com/two v1.0.0\n", "one/a.go": "package one\n\nimport \"example.com/two\"\n\nvar X = two.Open()\n",
		"two/go.mod": "module example.com/two\n", "two/b.go": "package two\n\nfunc Open() int { return 1 }\n",
		"two/" + secret + ".go": "package two\n\nimport \"example.com/one\"\n\nvar Y = one.X\n",
	} {
		path = filepath.Join(all, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	dir := p.Dir
	for _, name := range []string{"one", "two"} {
		if code := p.run(context.Background(), "-C", filepath.Join(all, name), "init"); code != Found {
			t.Fatal(errs)
		}
	}
	p.Dir = dir
	if err := os.WriteFile(filepath.Join(all, "one", "late.go"), []byte("package one\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	before := folderState(t, all)
	for _, args := range [][]string{{"fleet", "Open", "--dir", "all"}, {"fleet", "--dir", "all"}, {"fleet", "X", "--dir", "all", "--json"}, {"fleet", "--dir", "all", "--package", "example.com/two"}} {
		out.Reset()
		if code := p.run(context.Background(), args...); code != Found {
			t.Errorf("ken %s: %d %s", strings.Join(args, " "), code, errs)
		}
		if strings.Contains(out.String(), secret) {
			t.Errorf("ken %s prints a secret", strings.Join(args, " "))
		}
	}
	if after := folderState(t, all); after != before {
		t.Errorf("the folder differs:\n%s\n%s", before, after)
	}
}
