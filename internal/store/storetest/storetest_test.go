package storetest_test

import (
	"context"
	"errors"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ken/internal/engine/store"
	"ken/internal/store/sqlite"
	"ken/internal/store/storetest"
)

// faultName names, in the environment of a child, the mistake its store makes.
const faultName = "KEN_TEST_STORE_FAULT"

// fault is one mistake of a reader, and the check that must notice it.
type fault struct {
	check  string
	reader func(store.Reader) store.Reader
}

// faults are mistakes that a store could make.
var faults = map[string]fault{
	"a limit passed over":        {"Built/Names", func(r store.Reader) store.Reader { return noLimit{r} }},
	"an id for a missing path":   {"Built/Missing", func(r store.Reader) store.Reader { return missingID{r} }},
	"edges in another order":     {"Written/Edges", func(r store.Reader) store.Reader { return backwards{r} }},
	"an error for no config":     {"Replaced/Configs", func(r store.Reader) store.Reader { return noConfig{r} }},
	"a value that changes":       {"WriteRollsBack", countReads()},
	"a row that is left":         {"Empty", func(r store.Reader) store.Reader { return leftover{r} }},
	"an iteration that fails":    {"Built/Files", func(r store.Reader) store.Reader { return torn{r} }},
	"a revision that stays zero": {"Revision", func(r store.Reader) store.Reader { return noMeta{r} }},
}

type noLimit struct{ store.Reader }

func (r noLimit) HotNames(int) ([]store.NameCount, error) { return r.Reader.HotNames(1 << 20) }

type missingID struct{ store.Reader }

func (r missingID) FileID(path string) (int64, error) {
	id, err := r.Reader.FileID(path)
	return max(id, 1), err
}

type backwards struct{ store.Reader }

func (r backwards) EdgesFrom(file int64) ([]store.EdgeRow, error) {
	list, err := r.Reader.EdgesFrom(file)
	slices.Reverse(list)
	return list, err
}

type noConfig struct{ store.Reader }

func (r noConfig) ConfigContent(path string) ([]byte, bool, error) {
	content, ok, err := r.Reader.ConfigContent(path)
	if !ok {
		err = errors.New("no such config")
	}
	return content, ok, err
}

// countReads gives all readers one counter, so that no two states are the same.
func countReads() func(store.Reader) store.Reader {
	count := new(int)
	return func(r store.Reader) store.Reader { return changing{r, count} }
}

type changing struct {
	store.Reader
	count *int
}

func (r changing) Noted() ([]string, error) {
	*r.count++
	return slices.Repeat([]string{"noted"}, *r.count), nil
}

// leftover shows an edge where there is none; an index has one at least then.
type leftover struct{ store.Reader }

func (r leftover) Totals() (store.Sums, error) {
	sums, err := r.Reader.Totals()
	sums.Edges = max(sums.Edges, 1)
	return sums, err
}

type torn struct{ store.Reader }

func (r torn) Paths() iter.Seq2[store.PathRow, error] {
	return func(yield func(store.PathRow, error) bool) { yield(store.PathRow{}, errors.New("torn")) }
}

type noMeta struct{ store.Reader }

func (r noMeta) Meta(string) (string, error) { return "", nil }

// faulty is a store whose readers make a mistake.
type faulty struct {
	store.Store
	reader func(store.Reader) store.Reader
}

func (s faulty) Read(ctx context.Context) (store.Reader, error) {
	r, err := s.Store.Read(ctx)
	if err != nil {
		return nil, err
	}
	return s.reader(r), nil
}

// TestSuite runs the tests over sqlite: in a child over one that makes a mistake.
func TestSuite(t *testing.T) {
	reader := func(r store.Reader) store.Reader { return r }
	if name := os.Getenv(faultName); name != "" {
		reader = faults[name].reader
	}
	open := func(t *testing.T) (store.Store, string) {
		path := filepath.Join(t.TempDir(), "index.db")
		s := sqlite.New(path)
		t.Cleanup(func() { s.Close() })
		return faulty{s, reader}, path
	}
	storetest.Run(t, func(t *testing.T) store.Store {
		s, _ := open(t)
		return s
	})
	storetest.RunSeed(t, open)
	storetest.RunVectors(t, func(t *testing.T) store.VectorStore {
		return sqlite.NewVectors(filepath.Join(t.TempDir(), "vectors.db"))
	})
}

// TestFaults runs each check over a store that makes the mistake it is to notice.
func TestFaults(t *testing.T) {
	for name, f := range faults {
		t.Run(name, func(t *testing.T) {
			pattern := "^TestSuite$/^" + strings.ReplaceAll(f.check, "/", "$/^") + "$"
			child := exec.Command(os.Args[0], "-test.run="+pattern, "-test.v")
			child.Env = append(os.Environ(), faultName+"="+name)
			out, err := child.CombinedOutput()
			if err == nil || !strings.Contains(string(out), "--- FAIL: TestSuite/"+f.check+" ") {
				t.Errorf("%s does not notice it: %v\n%s", f.check, err, out)
			}
		})
	}
}
