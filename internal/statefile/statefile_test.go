package statefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := os.WriteFile(filepath.Join(dir, "file"), []byte("four"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("file", filepath.Join(dir, "link")); err != nil {
		t.Skip("no symbolic links here")
	}
	read := map[string]func(name string, limit int64) ([]byte, error){
		"Read":       func(name string, limit int64) ([]byte, error) { return Read(filepath.Join(dir, name), limit) },
		"ReadFollow": func(name string, limit int64) ([]byte, error) { return ReadFollow(filepath.Join(dir, name), limit) },
		"ReadIn":     func(name string, limit int64) ([]byte, error) { return ReadIn(root, name, limit) },
	}
	for how, read := range read {
		if b, err := read("file", 4); err != nil || string(b) != "four" {
			t.Errorf("%s: %q, %v", how, b, err)
		}
		_, err := read("file", 3)
		if size, ok := errors.AsType[*SizeError](err); !ok || *size != (SizeError{4, 3}) {
			t.Errorf("%s of a large file: %v", how, err)
		}
		if _, err := read("folder", 4); !errors.Is(err, ErrNotRegular) {
			t.Errorf("%s of a folder: %v", how, err)
		}
		if _, err := read("none", 4); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s of no file: %v", how, err)
		}
		if b, err := read("link", 4); how == "Read" && !errors.Is(err, ErrNotRegular) || how != "Read" && string(b) != "four" {
			t.Errorf("%s of a link: %q, %v", how, b, err)
		}
	}
	if _, err := Read(os.DevNull, 4); !errors.Is(err, ErrNotRegular) || !strings.Contains(err.Error(), os.DevNull) {
		t.Errorf("a device: %v", err)
	}
}

func TestReplace(t *testing.T) {
	dir := t.TempDir()
	other, path := filepath.Join(dir, "other"), filepath.Join(dir, "file")
	if err := os.WriteFile(other, []byte("other"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, path); err != nil {
		t.Skip("no symbolic links here")
	}
	for _, o := range []Options{{}, {Perm: 0o644}, {Perm: 0o600, Sync: true}} {
		if err := Replace(path, []byte("new"), o); err != nil {
			t.Fatal(err)
		}
		b, err := Read(path, 10)
		if err != nil || string(b) != "new" {
			t.Errorf("%q, %v", b, err)
		}
		if st, err := os.Stat(path); err != nil || o.Perm != 0 && st.Mode().Perm() != o.Perm {
			t.Errorf("%v, %v, want %v", st.Mode(), err, o.Perm)
		}
	}
	if b, _ := os.ReadFile(other); string(b) != "other" {
		t.Error("the link was followed")
	}
	if err := Replace(dir, nil, Options{}); err == nil {
		t.Error("a folder was replaced")
	}
	for _, d := range []string{dir, filepath.Dir(dir)} {
		if left, err := filepath.Glob(filepath.Join(d, ".ken-new-*")); err != nil || len(left) > 0 {
			t.Errorf("%v are left, %v", left, err)
		}
	}
}

func TestJSON(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "when needed")
	here, there := JSON[[]string]{filepath.Join(dir, Name("/a")), 64}, JSON[[]string]{filepath.Join(dir, Name("../b")), 64}
	if got, ok := here.Get(); ok || got != nil {
		t.Errorf("%v before there was any", got)
	}
	for _, want := range [][]string{{"a", "b"}, {"c"}, nil} {
		if err := here.Put(want); err != nil {
			t.Fatal(err)
		}
		if got, ok := here.Get(); !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
	if err := here.Put([]string{strings.Repeat("x", 64)}); err != nil {
		t.Error(err)
	}
	if got, ok := here.Get(); !ok || got != nil {
		t.Errorf("a large value was written: %v", got)
	}
	if got, ok := there.Get(); ok {
		t.Errorf("another key has %v", got)
	}
	for _, broken := range []string{"", "x", "{}", `["a",1]`, strings.Repeat(" ", 65)} {
		if err := os.WriteFile(here.Path, []byte(broken), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, ok := here.Get(); ok || got != nil {
			t.Errorf("%.20q gives %v", broken, got)
		}
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
}
