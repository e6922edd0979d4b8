package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	zsqlite "zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"ken/internal/code"
	"ken/internal/engine/store"
	"ken/internal/store/sqlite"
)

// fill stores files enough to take some pages, each with a declaration.
func fill(tx store.Tx) error {
	for i := range 200 {
		id, err := tx.PutFile(&code.File{Path: fmt.Sprintf("dir/file%03d.go", i), Lang: "go", Doc: strings.Repeat("x", 300)})
		if err != nil {
			return err
		}
		name := fmt.Sprintf("Name%d", i)
		c := store.Content{Symbols: []code.Symbol{{Name: name, Qualified: name, Parent: -1, Kind: code.KindFunction}}, Names: []string{name}}
		if err := tx.PutContent(id, &c, nil); err != nil {
			return err
		}
	}
	return nil
}

// built is a store with an index in it, closed so that all of it is in one file.
func built(t *testing.T) (*sqlite.Store, string) {
	t.Helper()
	s, path := newStore(t)
	rebuild(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return s, path
}

func rebuild(t *testing.T, s *sqlite.Store) {
	t.Helper()
	if err := s.Build(context.Background(), func() bool { return false }, fill); err != nil {
		t.Fatal(err)
	}
	if n, err := readAll(s); n != 200 || err != nil {
		t.Fatalf("%d files after a build, %v", n, err)
	}
}

// tableScript runs SQL beside the store.
func tableScript(t *testing.T, path, sql string) {
	t.Helper()
	c, err := zsqlite.OpenConn(path, zsqlite.OpenReadWrite)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := sqlitex.ExecuteScript(c, sql, nil); err != nil {
		t.Fatal(err)
	}
}

// readAll reads every file and its symbols, up to the first error.
func readAll(s *sqlite.Store) (n int, err error) {
	r, err := s.Read(context.Background())
	if err != nil {
		return 0, err
	}
	defer r.Close()
	for f, err := range r.Files() {
		if err != nil {
			return n, err
		}
		if _, err := r.SymbolsNamed(fmt.Sprintf("Name%d", f.ID-1)); err != nil {
			return n, err
		}
		if _, err := r.Referrers(fmt.Sprintf("Name%d", f.ID-1)); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// TestSchemaNumbers opens indexes of other schemas: they are neither read nor
// written nor copied, but a build replaces them.
func TestSchemaNumbers(t *testing.T) {
	for version, want := range map[int]error{0: store.ErrDamaged, store.Schema - 1: store.ErrOldSchema, store.Schema + 1: store.ErrNewerSchema} {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			s, path := built(t)
			tableScript(t, path, fmt.Sprintf("PRAGMA user_version=%d", version))
			if _, err := s.Read(context.Background()); !errors.Is(err, want) {
				t.Errorf("Read: %v, want %v", err, want)
			}
			if err := s.Write(context.Background(), func(store.Tx) error { return nil }); !errors.Is(err, want) {
				t.Errorf("Write: %v, want %v", err, want)
			}
			other, _ := newStore(t)
			err := other.Seed(context.Background(), path, func() error { return errors.New("adopted") })
			if version > 0 && !errors.Is(err, want) {
				t.Errorf("Seed: %v, want %v", err, want)
			}
			if err == nil || other.Size() != 0 {
				t.Errorf("Seed leaves %d bytes and says %v", other.Size(), err)
			}
			rebuild(t, s)
		})
	}
}

// TestDamage breaks the file in several ways. Reading fails with ErrDamaged, if it
// comes to the place at all, and a build makes a good index again.
func TestDamage(t *testing.T) {
	const page = 4096
	for name, breakIt := range map[string]func(b []byte) []byte{
		"no database":   func([]byte) []byte { return []byte(strings.Repeat("this is no database. ", 500)) },
		"empty":         func([]byte) []byte { return nil },
		"cut off":       func(b []byte) []byte { return b[:len(b)/2/page*page] },
		"cut in a page": func(b []byte) []byte { return b[:len(b)/3] },
		"header torn":   func(b []byte) []byte { return slices.Concat(make([]byte, 50), b[50:]) },
		"schema torn":   func(b []byte) []byte { return slices.Concat(b[:100], make([]byte, page-100), b[page:]) },
		"pages torn":    func(b []byte) []byte { return slices.Concat(b[:2*page], slices.Repeat([]byte{0xa5}, len(b)-2*page)) },
		"pages shuffled": func(b []byte) []byte {
			return slices.Concat(b[:page], b[len(b)/2/page*page:], b[page:len(b)/2/page*page])
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, path := built(t)
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, breakIt(b), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := readAll(s); !errors.Is(err, store.ErrDamaged) {
				t.Errorf("reading: %v", err)
			}
			rebuild(t, s)
		})
	}
}

// TestDamagedRow has bytes in a row that are not what was packed there.
func TestDamagedRow(t *testing.T) {
	s, path := built(t)
	tableScript(t, path, "UPDATE names SET uses=x'ff'")
	if _, err := readAll(s); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("reading: %v", err)
	}
}

// TestGone deletes the file under a store that has it open.
func TestGone(t *testing.T) {
	s, path := newStore(t)
	rebuild(t, s)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Read(context.Background()); !errors.Is(err, store.ErrNoIndex) {
		t.Errorf("Read: %v", err)
	}
	rebuild(t, s)
}

// TestReplaced puts another index in place under a store that has one open.
func TestReplaced(t *testing.T) {
	s, path := newStore(t)
	rebuild(t, s)
	other, from := newStore(t)
	if err := other.Build(context.Background(), func() bool { return false }, func(store.Tx) error { return nil }); err != nil {
		t.Fatal(err)
	}
	other.Close()
	for _, suffix := range []string{"-wal", "-shm"} {
		os.Remove(path + suffix)
	}
	if err := os.Rename(from, path); err != nil {
		t.Fatal(err)
	}
	if n, err := readAll(s); n != 0 || err != nil {
		t.Errorf("%d files, %v", n, err)
	}
}

// TestFiles checks what lies beside the index: nobody else may read it, and a
// killed build leaves nothing for long.
func TestFiles(t *testing.T) {
	s, path := newStore(t)
	for _, left := range []string{path + ".new", path + ".new-wal"} {
		if err := os.WriteFile(left, []byte("left by a build that was killed"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	rebuild(t, s)
	names, err := filepath.Glob(path + "*")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		if strings.Contains(n, ".new") {
			t.Errorf("%s is left", n)
		}
		if st, err := os.Stat(n); err != nil || st.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v, %v", n, st.Mode(), err)
		}
	}
	if st, err := os.Stat(path); err != nil || s.Size() < st.Size() {
		t.Errorf("Size is %d, less than the file has", s.Size())
	}
}

// TestLinks refuses an index that is led elsewhere by a symbolic link.
func TestLinks(t *testing.T) {
	for _, suffix := range []string{"", "-wal", "-shm", "-journal", ".lock", ".new", ".watch"} {
		s, path := newStore(t)
		target := filepath.Join(t.TempDir(), "target")
		if err := os.Symlink(target, path+suffix); err != nil {
			t.Skip("no symbolic links here")
		}
		_, err := s.Read(context.Background())
		for what, err := range map[string]error{"Read": err, "Build": s.Build(context.Background(), func() bool { return false }, fill)} {
			if err == nil || !strings.Contains(err.Error(), "symbolic link") {
				t.Errorf("%s through a link at %q: %v", what, suffix, err)
			}
		}
		if _, err := s.Watching(context.Background()); err == nil || s.Watched() {
			t.Errorf("watching through a link at %q", suffix)
		}
		if _, err := os.Lstat(target); err == nil {
			t.Errorf("something was written through the link at %q", suffix)
		}
	}
}

// TestWritersTakeTurns has two stores over one file, as two processes have: the
// second writer waits, or gives up with its context.
func TestWritersTakeTurns(t *testing.T) {
	s, path := built(t)
	other := sqlite.New(path)
	defer other.Close()
	second := make(chan error)
	err := s.Write(context.Background(), func(tx store.Tx) error {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
		defer cancel()
		err := other.Write(ctx, func(store.Tx) error { return errors.New("it is not its turn") })
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the second writer: %v", err)
		}
		go func() {
			second <- other.Write(context.Background(), func(tx store.Tx) error {
				first, err := tx.Meta("turn")
				return errors.Join(err, tx.SetMeta("turn", first+" second"))
			})
		}()
		if n, err := readAll(other); n != 200 || err != nil {
			t.Errorf("a reader beside the writer: %d files, %v", n, err)
		}
		return tx.SetMeta("turn", "first")
	})
	if err := errors.Join(err, <-second); err != nil {
		t.Fatal(err)
	}
	r, err := s.Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if turn, err := r.Meta("turn"); turn != "first second" || err != nil {
		t.Errorf("the turns are %q, %v", turn, err)
	}
}

// TestVectorsDamaged breaks vectors.db: it is never rebuilt by itself, and never
// taken for a damaged index.
func TestVectorsDamaged(t *testing.T) {
	put := func(s *sqlite.Vectors) error {
		return s.Put(context.Background(), "space", []store.EmbeddedPassage{{Row: []byte{1}}}, []store.EmbeddedContent{
			{Codes: []byte("c"), Passages: []store.Passage{{Line: 1, EndLine: 2}}}})
	}
	look := func(s *sqlite.Vectors) error {
		return s.View(context.Background(), "space", func(v store.VectorView) error {
			_, err := v.Passages([32]byte{})
			return err
		})
	}
	for name, breakIt := range map[string]func(t *testing.T, path string) error{
		"damaged": func(t *testing.T, path string) error {
			return os.WriteFile(path, []byte(strings.Repeat("no database ", 1000)), 0o600)
		},
		"are damaged": func(t *testing.T, path string) error {
			tableScript(t, path, "UPDATE contents SET passages=x'ffff'")
			return nil
		},
		"another ken wrote": func(t *testing.T, path string) error {
			tableScript(t, path, "PRAGMA user_version=99")
			return nil
		},
		"symbolic link": func(t *testing.T, path string) error {
			return errors.Join(os.Rename(path, path+".other"), os.Symlink(path+".other", path))
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "vectors.db")
			s := sqlite.NewVectors(path)
			if err := errors.Join(put(s), look(s)); err != nil {
				t.Fatal(err)
			}
			if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o600 {
				t.Errorf("mode %v, %v", st.Mode(), err)
			}
			tableScript(t, path, "PRAGMA wal_checkpoint(TRUNCATE)")
			if err := breakIt(t, path); err != nil {
				t.Fatal(err)
			}
			err := look(s)
			if err == nil || !strings.Contains(err.Error(), name) || errors.Is(err, store.ErrDamaged) {
				t.Errorf("View: %v", err)
			}
		})
	}
}
