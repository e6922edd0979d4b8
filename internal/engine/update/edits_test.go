package update_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ken/internal/code"
	"ken/internal/engine"
	"ken/internal/engine/enginetest"
	"ken/internal/engine/view"
	"ken/internal/store/readings"
	"ken/internal/store/sqlite"
)

// shop is a tree whose files import each other in three languages.
var shop = map[string]string{
	"go.mod":       "module m\n",
	"main.go":      "package main\n\nimport \"m/st\"\n\nfunc main() { st.Open() }\n",
	"st/st.go":     "package st\n\nfunc Open() { clean() }\n",
	"st/clean.go":  "package st\n\nfunc clean() {}\n",
	"web/index.ts": "export * from './a'\nexport { b as c } from './b'\n",
	"web/a.ts":     "export function a() {}\n",
	"web/b.ts":     "import { a } from './a'\nexport function b() { a() }\n",
	"web/use.ts":   "import { a, c } from './index'\na(); c()\n",
	"py/x.py":      "from py.y import helper\n\nhelper()\n",
	"py/y.py":      "def helper(): pass\n",
}

// TestEdits: whatever is edited, and however the index learns of it, it holds
// what a fresh one holds.
func TestEdits(t *testing.T) {
	enginetest.CheckEdits(t, shop, []enginetest.Edit{
		{Path: "st/clean.go", Text: "package st\n\nfunc clean() {}\n\nfunc Extra() {}\n"},
		{Path: "st/st.go", Text: "package st\n\nfunc Opened() { clean() }\n"},
		{Path: "main.go", Text: "package main\n\nimport \"m/st\"\n\nfunc main() { st.Opened() }\n"},
		{Path: "st/clean.go"},
		{Path: "st/new.go", Text: "package st\n\nfunc clean() {}\n", Look: true},
		{Path: "web/a.ts", Text: "export function z() {}\n"},
		{Path: "web/a.ts", Text: "export function a() {}\nexport default a\n"},
		{Path: "web/b.ts", Look: true},
		{Path: "web/b.ts", Text: "export function b() {}\n"},
		{Path: "web/index.ts", Text: "export { a as c } from './a'\n"},
		{Path: "py/y.py", Text: "def other(): pass\n", Look: true},
		{Path: "py/__init__.py", Text: "from py.y import other\n"},
		{Path: "go.mod", Text: "module n\n"},
		{Path: "go.mod", Text: "module m\n", Look: true},
		{Path: "broken.go", Text: "package (((\n"},
		{Path: "data.bin", Text: "\x00\x01\x02", Look: true},
		{Path: ".gitattributes", Text: "st/*.go linguist-generated\n", Look: true},
		{Path: "secret.yml", Text: "password: \"kT9#vLq2Zx81mWpR\"\n"},
	})
}

// TestChanges is what an update says of itself.
func TestChanges(t *testing.T) {
	p := enginetest.New(t, shop)
	p.Write("st/st.go", "package st\n\nfunc Open() { clean() }\n\nfunc More() {}\n")
	u := p.Update("st/st.go")
	want := []code.Change{{Path: "st/st.go", Type: code.Modified, TokenDelta: u.Changes[0].TokenDelta, SymbolDelta: 1, ExportsChanged: true}}
	if !slices.Equal(u.Changes, want) || u.Rev != 2 || u.Full {
		t.Errorf("got %+v, want %+v", u, want)
	}
	if u := p.Update(); len(u.Changes) != 0 || u.Rev != 2 {
		t.Errorf("a look that found nothing new changed %v, revision %d", u.Changes, u.Rev)
	}
	p.Remove("st/clean.go")
	if u := p.Update(); len(u.Changes) != 1 || u.Changes[0].Type != code.Deleted {
		t.Errorf("a file that went is %v", u.Changes)
	}
	seen, total := 0, 0
	full, err := p.Engine.Update(context.Background(), engine.Request{Full: true, Progress: func(done, of int) { seen, total = done, of }})
	if err != nil || !full.Full || full.Reason != "asked" || full.Files != 9 {
		t.Errorf("a full index says %+v, %v", full, err)
	}
	if seen != 9 || total != 9 {
		t.Errorf("progress ends at %d of %d", seen, total)
	}
	p.Write("web/a.ts", "export function a() { return 1 }\n")
	seen, total = 0, 0
	if _, err := p.Engine.Update(context.Background(), engine.Request{Progress: func(done, of int) { seen, total = done, of }}); err != nil || seen != total || seen == 0 {
		t.Errorf("progress of a look ends at %d of %d, %v", seen, total, err)
	}
}

// TestPaths: what is not inside the project is refused, and a path that never
// was is not found.
func TestPaths(t *testing.T) {
	p := enginetest.New(t, shop)
	for path, want := range map[string]string{"../x": "is not inside the project", "/etc/passwd": "is not inside the project", "nope.go": "no file"} {
		_, err := p.Engine.Update(context.Background(), engine.Request{Paths: []string{path}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
		var usage *code.UsageError
		if path != "nope.go" && !errors.As(err, &usage) {
			t.Errorf("%s: %T is no usage error", path, err)
		}
	}
	p.Write("st/st.go", "package st\n\nfunc Open(int) {}\n")
	u, err := p.Engine.Update(context.Background(), engine.Request{Paths: []string{"nope.go", "st/st.go"}, SkipMissing: true})
	if err != nil || len(u.Changes) != 1 || u.Changes[0].Path != "st/st.go" {
		t.Errorf("beside a path that is nowhere: %+v, %v", u, err)
	}
	if u := p.Update("st"); u.Files != len(shop) {
		t.Errorf("a directory looks at %d files, not at the whole tree", u.Files)
	}
}

// TestHistory: commits come and go with HEAD.
func TestHistory(t *testing.T) {
	w := enginetest.NewTree(t)
	w.Write("a.go", "package a\n")
	w.Commit("one")
	p := w.Index()
	w.Write("a.go", "package a\n\nvar X int\n")
	w.Commit("two")
	if u := p.Update(); u.History == nil || u.History.Added != 1 || u.History.Commits != 2 {
		t.Errorf("a commit more: %+v", u.History)
	}
	w.Git("reset", "-q", "--hard", "HEAD~1")
	if u := p.Update(); u.History == nil || u.History.Dropped != 1 || u.History.Commits != 1 {
		t.Errorf("a commit less: %+v", u.History)
	}
}

// TestSwitch: readings that a switch of branches replaces come back from the cache
// with the branch, and give the index that reading the files gives.
func TestSwitch(t *testing.T) {
	cache := readings.New(t.TempDir(), 1<<20)
	w := enginetest.NewTree(t)
	write := func(text string) {
		for i := range 20 {
			w.Write(fmt.Sprintf("p%d/a.go", i), fmt.Sprintf("package p%d\n\nfunc %s%d() {}\n", i, text, i))
		}
	}
	write("One")
	w.Commit("one")
	w.Git("checkout", "-q", "-b", "other")
	write("Two")
	w.Commit("two")
	p := w.IndexWith(engine.Options{Cache: cache})
	two := p.Digest()
	for range 2 {
		w.Git("checkout", "-q", "main")
		p.Update()
		w.Git("checkout", "-q", "other")
		p.Update()
		if got := p.Digest(); !slices.Equal(got, two) {
			t.Fatalf("after two switches the index is another: %d facts, %d before", len(got), len(two))
		}
	}
	if dir, bytes := p.Engine.CacheSize(); dir == "" || bytes == 0 {
		t.Errorf("nothing is kept: %q, %d bytes", dir, bytes)
	}
}

// TestSeed: a second work tree starts from the index of the first and reads only
// what differs.
func TestSeed(t *testing.T) {
	w := enginetest.NewTree(t)
	for path, text := range shop {
		w.Write(path, text)
	}
	w.Commit("one")
	index := func(root string) *engine.Update {
		t.Helper()
		e := engine.New(engine.Options{Root: root, Store: sqlite.New(filepath.Join(root, ".ken", "index.db"))})
		defer e.Close()
		u, err := e.Update(context.Background(), engine.Request{Create: true})
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	if u := index(w.Root); u.Reason != "missing" {
		t.Errorf("the first index is made because it is %q", u.Reason)
	}
	second := filepath.Join(t.TempDir(), "second")
	w.Git("worktree", "add", "-q", "-b", "second", second)
	if u := index(second); u.Reason != "worktree" || u.Full {
		t.Errorf("the second index begins with %q, full %v", u.Reason, u.Full)
	}
}

// TestLimitAndSalt: another size limit reads the files it concerns again, and
// without the salt the index is made anew.
func TestLimitAndSalt(t *testing.T) {
	p := enginetest.NewWith(t, map[string]string{"a.go": "package a\n\nfunc A() { /* " + strings.Repeat("x", 200) + " */ }\n"}, engine.Options{MaxFileSize: 100})
	reopen := func(limit int64) *engine.Update {
		t.Helper()
		e := engine.New(engine.Options{Root: p.Root, Store: sqlite.New(p.DB), MaxFileSize: limit})
		defer e.Close()
		u, err := e.Update(context.Background(), engine.Request{})
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	if u := reopen(1000); len(u.Changes) != 1 || u.Changes[0].Path != "a.go" {
		t.Errorf("a larger limit changes %v", u.Changes)
	}
	p.Remove(".ken/salt")
	if u := reopen(1000); !u.Full || u.Reason != "salt" {
		t.Errorf("without the salt: full %v, %q", u.Full, u.Reason)
	}
}

// TestFingerprints: an edit puts aside the exact bindings it may have changed, and
// taking it back makes them hold again.
func TestFingerprints(t *testing.T) {
	p := enginetest.NewWith(t, shop, engine.Options{Getenv: os.Getenv})
	if _, err := p.Engine.Exact(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	stale := func(want int, after string) {
		t.Helper()
		p.Ask(func(ctx context.Context, s *view.Snapshot) error {
			info, err := s.ExactInfo(ctx)
			if info.Stale != want {
				t.Errorf("after %s: %d packages are stale, want %d", after, info.Stale, want)
			}
			return err
		})
	}
	stale(0, "the run")
	for _, e := range []struct {
		path, text, undo string
		stale            int
	}{
		{"st/st.go", "package st\n\nfunc Open(int) { clean() }\n", shop["st/st.go"], 2},
		{"main.go", "package main\n\nimport \"m/st\"\n\nfunc main() { st.Open(); st.Open() }\n", shop["main.go"], 0}, // declares the same: only its own bindings are put aside, by its hash
		{"go.mod", "module n\n", shop["go.mod"], 2},
	} {
		p.Write(e.path, e.text)
		p.Update(e.path)
		stale(e.stale, "an edit of "+e.path)
		p.Write(e.path, e.undo)
		p.Update(e.path)
		stale(0, "taking back the edit of "+e.path)
	}
	p.Remove("st/clean.go")
	p.Update()
	stale(2, "a file that went")
}
