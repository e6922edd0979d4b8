package owned

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	zombiezen "zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"ken/internal/engine/source/owner"
	"ken/internal/engine/store"
	"ken/internal/store/sqlite"
	"ken/internal/store/storetest"
)

// tree is a project with a folder .ken, and the user's state.
type tree struct {
	t           *testing.T
	root, state string
	said        []string
}

func newTree(t *testing.T, state string) *tree {
	t.Helper()
	w := &tree{t: t, root: filepath.Join(t.TempDir(), "tree"), state: state}
	if err := os.MkdirAll(filepath.Join(w.root, ".ken"), 0o755); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *tree) index() string { return filepath.Join(w.root, ".ken", "index.db") }

func (w *tree) folder() *owner.Folder {
	return owner.New(w.root, owner.NewState(w.state), func(s string) { w.said = append(w.said, s) })
}

func (w *tree) open() *Store {
	s := New(w.folder())
	w.t.Cleanup(func() { s.Close() })
	return s
}

// TestContract: the store of what is the user's keeps the contract of stores, in
// each of its places.
func TestContract(t *testing.T) {
	t.Run("Plain", func(t *testing.T) {
		state := filepath.Join(t.TempDir(), "ken")
		storetest.Run(t, func(t *testing.T) store.Store { return newTree(t, state).open() })
		storetest.RunSeed(t, func(t *testing.T) (store.Store, string) {
			w := newTree(t, state)
			return w.open(), w.index()
		})
		storetest.RunVectors(t, func(t *testing.T) store.VectorStore { return NewVectors(newTree(t, state).folder()) })
	})
}

// build makes an index that holds one value.
func build(t *testing.T, s *Store, value string) {
	t.Helper()
	err := s.Build(context.Background(), func() bool { return false }, func(tx store.Tx) error { return tx.SetMeta("value", value) })
	if err != nil {
		t.Fatal(err)
	}
}

func value(t *testing.T, s *Store) string {
	t.Helper()
	r, err := s.Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	v, err := r.Meta("value")
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestForeign: what is not the user's is neither read, written nor seeded from.
func TestForeign(t *testing.T) {
	ctx := context.Background()
	w := newTree(t, filepath.Join(t.TempDir(), "ken"))
	build(t, w.open(), "of the first")
	other := &tree{t: t, root: w.root, state: filepath.Join(t.TempDir(), "ken")}
	s := other.open()
	if _, err := s.Read(ctx); !errors.Is(err, store.ErrForeign) {
		t.Errorf("Read: %v", err)
	}
	if err := s.Write(ctx, func(store.Tx) error { return nil }); err == nil {
		t.Error("it is written")
	}
	third := newTree(t, other.state)
	adopted := false
	if err := third.open().Seed(ctx, w.index(), func() error { adopted = true; return nil }); !errors.Is(err, store.ErrForeign) || adopted {
		t.Errorf("Seed: %v", err)
	}
	build(t, s, "of the second")
	if v := value(t, s); v != "of the second" {
		t.Errorf("the second reads %q", v)
	}
	if v := value(t, w.open()); v != "of the first" {
		t.Errorf("the first reads %q", v)
	}
	if len(other.said) != 1 || len(w.said) != 0 {
		t.Errorf("said %q and %q", other.said, w.said)
	}
}

// TestUnsigned: an index that nobody signed is replaced.
func TestUnsigned(t *testing.T) {
	w := newTree(t, filepath.Join(t.TempDir(), "ken"))
	plain := sqlite.New(w.index())
	err := plain.Build(context.Background(), func() bool { return false }, func(tx store.Tx) error { return tx.SetMeta("value", "nobody's") })
	if err != nil {
		t.Fatal(err)
	}
	plain.Close()
	s := w.open()
	if _, err := s.Read(context.Background()); !errors.Is(err, store.ErrForeign) {
		t.Errorf("Read: %v", err)
	}
	build(t, s, "own")
	if v := value(t, s); v != "own" || len(w.said) != 1 {
		t.Errorf("%q, said %q", v, w.said)
	}
}

// TestOtherSchema: whose an index is matters more than its schema, because a container
// can have another version of ken than its host.
func TestOtherSchema(t *testing.T) {
	ctx := context.Background()
	for name, version := range map[string]int{"older": store.Schema - 1, "newer": store.Schema + 1} {
		for _, whose := range []string{"own", "another's", "nobody's", "a copy"} {
			t.Run(whose+", "+name, func(t *testing.T) {
				w := newTree(t, filepath.Join(t.TempDir(), "ken"))
				build(t, w.open(), "first")
				reader := w
				switch whose {
				case "another's":
					reader = &tree{t: t, root: w.root, state: filepath.Join(t.TempDir(), "ken")}
				case "a copy":
					reader = newTree(t, w.state)
					if err := os.Rename(w.index(), reader.index()); err != nil {
						t.Fatal(err)
					}
				}
				script := fmt.Sprintf("PRAGMA user_version=%d", version)
				if whose == "nobody's" {
					script += "; DELETE FROM meta WHERE key='owner'"
				}
				c, err := zombiezen.OpenConn(reader.index(), zombiezen.OpenReadWrite)
				if err != nil {
					t.Fatal(err)
				}
				for _, sql := range strings.Split(script, "; ") {
					if err := sqlitex.ExecuteTransient(c, sql, nil); err != nil {
						t.Fatal(err)
					}
				}
				c.Close()
				s := reader.open()
				_, err = s.Read(ctx)
				want := store.ErrForeign
				switch {
				case name == "older" && (whose == "own" || whose == "nobody's"):
					want = store.ErrOldSchema
				case whose == "own":
					want = store.ErrNewerSchema
				}
				if !errors.Is(err, want) {
					t.Errorf("Read: %v, want %v", err, want)
				}
				if want == store.ErrNewerSchema {
					return // it is refused, and left for the newer ken
				}
				build(t, s, "second")
				if v := value(t, s); v != "second" {
					t.Errorf("it reads %q", v)
				}
				left := fileExists(reader.index()) && s.folder.Place().Beside
				if others := whose == "another's" || name == "newer"; left != others {
					t.Errorf("index.db is left: %v", left)
				}
			})
		}
	}
}

// TestRace: another id puts its index in place while this one waits to build.
func TestRace(t *testing.T) {
	w := newTree(t, filepath.Join(t.TempDir(), "ken"))
	other := &tree{t: t, root: w.root, state: filepath.Join(t.TempDir(), "ken")}
	first, second := w.open(), other.open()
	done := make(chan error)
	err := first.Build(context.Background(), func() bool { return false }, func(tx store.Tx) error {
		go func() {
			done <- second.Build(context.Background(), func() bool { return false }, func(tx store.Tx) error { return tx.SetMeta("value", "second") })
		}()
		return tx.SetMeta("value", "first")
	})
	if err := errors.Join(err, <-done); err != nil {
		t.Fatal(err)
	}
	if value(t, first) != "first" || value(t, second) != "second" {
		t.Error("one has the other's")
	}
}

// TestNoNewFiles: a folder that cannot be written holds another's index: the user's
// is in a temporary place.
func TestNoNewFiles(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root can write everywhere")
	}
	w := newTree(t, filepath.Join(t.TempDir(), "ken"))
	build(t, w.open(), "first")
	dir := filepath.Join(w.root, ".ken")
	for _, name := range []string{dir, w.index() + ".lock"} {
		if err := os.Chmod(name, 0o500); err != nil {
			t.Fatal(err)
		}
	}
	defer os.Chmod(dir, 0o700)
	other := &tree{t: t, root: w.root, state: filepath.Join(t.TempDir(), "ken")}
	s := other.open()
	build(t, s, "second")
	if v := value(t, s); v != "second" || len(other.said) == 0 {
		t.Errorf("%q, said %q", v, other.said)
	}
}

// TestForeignVectors: vectors of another id are in a space nobody asks for.
func TestForeignVectors(t *testing.T) {
	ctx := context.Background()
	w := newTree(t, filepath.Join(t.TempDir(), "ken"))
	contents := []store.EmbeddedContent{{Hash: [32]byte{1}, Passages: []store.Passage{{Hash: store.PassageHash{1}, Line: 1, EndLine: 2}}, Codes: []byte{1}}}
	passages := []store.EmbeddedPassage{{Hash: store.PassageHash{1}, Row: []byte{1, 2, 3}}}
	if err := NewVectors(w.folder()).Put(ctx, "model", passages, contents); err != nil {
		t.Fatal(err)
	}
	seen := func(state string) (n int) {
		other := &tree{t: t, root: w.root, state: state}
		err := NewVectors(other.folder()).View(ctx, "model", func(v store.VectorView) error {
			for range v.Hashes() {
				n++
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	stranger := filepath.Join(t.TempDir(), "ken")
	(&tree{t: t, root: w.root, state: stranger}).folder().PlaceWithID()
	if a, b, c := seen(w.state), seen(stranger), seen(filepath.Join(t.TempDir(), "none")); a != 1 || b != 0 || c != 0 {
		t.Errorf("the maker sees %d, a stranger %d, somebody without id %d", a, b, c)
	}
	lost := &tree{t: t, root: w.root, state: "/proc/self/x"}
	f := lost.folder()
	defer f.Close()
	if err := NewVectors(f).Put(ctx, "model", passages, contents); !errors.Is(err, errNoVectors) {
		t.Errorf("without a state: %v", err)
	}
	if err := NewVectors(f).View(ctx, "model", func(store.VectorView) error { return nil }); !errors.Is(err, errNoVectors) {
		t.Errorf("a view without a state: %v", err)
	}
}
