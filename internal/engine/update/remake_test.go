package update_test

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ken/internal/code"
	"ken/internal/engine"
	"ken/internal/engine/enginetest"
	"ken/internal/engine/search"
	"ken/internal/engine/source"
	"ken/internal/engine/update"
	"ken/internal/engine/view"
	"ken/internal/engine/words"
	"ken/internal/store/readings"
	"ken/internal/store/sqlite"
)

// town returns a tree of so many files that an index of it is made anew when most of them
// change: packages of Go and Java, Python modules that pass names on, a secret.
func town() map[string]string {
	files := map[string]string{
		"go.mod": "module m\n", ".gitattributes": "gen/** linguist-generated\n", "gen/g.go": "package gen\n\nfunc G() {}\n",
		"conf/app.yml": "password: \"kT9#vLq2Zx81mWpR\"\n", "data.bin": "\x00\x01", "stay/s.go": "package stay\n\nimport \"m/p1\"\n\nfunc Stay() { p1.F1() }\n",
		"py/__init__.py": "from py.m1 import thing1\n",
	}
	for i := range 60 {
		files[fmt.Sprintf("p%d/a.go", i)] = fmt.Sprintf("package p%d\n\nimport \"m/p%d\"\n\nfunc F%d() { p%d.F%d(); help() }\n", i, (i+1)%60, i, (i+1)%60, (i+1)%60)
		files[fmt.Sprintf("p%d/b.go", i)] = fmt.Sprintf("package p%d\n\nfunc help() {}\n", i)
		files[fmt.Sprintf("src/q/C%d.java", i)] = fmt.Sprintf("package q;\npublic class C%d extends C%d { void run() { new C%d(); } }\n", i, (i+1)%60, (i+7)%60)
		files[fmt.Sprintf("py/m%d.py", i)] = fmt.Sprintf("from py.m%d import thing%d\n\ndef thing%d(): return thing%d()\n", (i+1)%60, (i+1)%60, i, (i+1)%60)
	}
	return files
}

// rebuild moves, changes, deletes, adds and touches files of a town; it returns the
// paths concerned.
func rebuild(p *enginetest.Project) []string {
	var paths []string
	write := func(path, text string) {
		p.Write(path, text)
		paths = append(paths, path)
	}
	remove := func(path string) {
		p.Remove(path)
		paths = append(paths, path)
	}
	for i := range 60 {
		java := fmt.Sprintf("src/q/C%d.java", i)
		write(fmt.Sprintf("lib/q/C%d.java", i), p.Read(java))
		remove(java)
		write(fmt.Sprintf("p%d/a.go", i), strings.ReplaceAll(p.Read(fmt.Sprintf("p%d/a.go", i)), "help()", "assist()"))
		if i%3 > 0 {
			write(fmt.Sprintf("p%d/b.go", i), fmt.Sprintf("package p%d\n\nfunc assist() {}\n", i))
		} else {
			remove(fmt.Sprintf("p%d/b.go", i))
		}
		if i%2 == 0 {
			write(fmt.Sprintf("py/m%d.py", i), fmt.Sprintf("def thing%d(): return 1\n\ndef other%d(): pass\n", i, i))
		}
	}
	write("new.go", "package m\n")
	write("data.bin", "package now\n")
	write(".gitattributes", "p1/** linguist-generated\n")
	paths = append(paths, "gen/g.go") // its flags change
	return paths
}

// TestRemake: after so much changed that the index is made anew, it holds what a
// fresh one holds and says of the changes what an index says that is changed.
func TestRemake(t *testing.T) {
	p, q := enginetest.New(t, town()), enginetest.New(t, town())
	p.Write("stay/s.go", "package stay\n\nfunc Stay() {}\n")
	p.Update("stay/s.go") // leaves a note
	q.Write("stay/s.go", "package stay\n\nfunc Stay() {}\n")
	q.Update("stay/s.go")
	rebuild(p)
	u := p.Update()
	if !u.Full || u.Reason != update.ReasonChanges {
		t.Fatalf("the index was not made anew: full %v, %q, %d changes", u.Full, u.Reason, len(u.Changes))
	}
	if got, want := p.Digest(), p.Fresh(); !slices.Equal(got, want) {
		t.Errorf("the index made anew differs from a fresh one:\n%s", unlike(got, want))
	}
	changed := q.Update(rebuild(q)...)
	if changed.Full {
		t.Fatal("an update of single paths made the index anew")
	}
	if !slices.Equal(u.Changes, changed.Changes) {
		t.Errorf("made anew it says\n%v\nchanged it says\n%v", u.Changes, changed.Changes)
	}
	if u.Rev != changed.Rev || u.Files != len(town())+1-20 {
		t.Errorf("revision %d of %d files, want %d", u.Rev, u.Files, changed.Rev)
	}
	if again := p.Update(); again.Full || len(again.Changes) != 0 || again.Rev != u.Rev {
		t.Errorf("a second look says %+v", again)
	}
	p.Ask(func(ctx context.Context, s *view.Snapshot) error {
		secrets := 0
		for f, err := range s.Index.Secrets() {
			if err != nil || f.Path != "conf/app.yml" || f.Line != 1 {
				t.Errorf("a finding in %s, line %d: %v", f.Path, f.Line, err)
			}
			secrets++
		}
		if secrets != 1 {
			t.Errorf("%d findings, want 1", secrets)
		}
		return nil
	})
}

// unlike lists a few lines that only one side has.
func unlike(got, want []string) string {
	count := map[string]int{}
	for _, l := range got {
		count[l]++
	}
	for _, l := range want {
		count[l]--
	}
	maps.DeleteFunc(count, func(_ string, n int) bool { return n == 0 })
	lines := slices.Sorted(maps.Keys(count))
	for i, l := range lines {
		lines[i] = fmt.Sprintf("%+d %s", count[l], l)
	}
	return strings.Join(lines[:min(len(lines), 20)], "\n")
}

// TestRemakeSearches: files are found by their words whether they were taken over
// or read, under the ids they have now.
func TestRemakeSearches(t *testing.T) {
	p := enginetest.New(t, town())
	rebuild(p)
	if u := p.Update(); u.Reason != update.ReasonChanges {
		t.Fatalf("the index was changed: %+v", u.Reason)
	}
	db := filepath.Join(t.TempDir(), "fresh.db")
	e := engine.New(engine.Options{Root: p.Root, Store: sqlite.New(db)})
	defer e.Close()
	if _, err := e.Update(context.Background(), engine.Request{Create: true}); err != nil {
		t.Fatal(err)
	}
	got, want := found(t, p.DB), found(t, db)
	if len(want["assist"]) == 0 || len(want["c5"]) == 0 {
		t.Fatalf("a fresh index finds too little: %v", want)
	}
	if !maps.EqualFunc(got, want, slices.Equal) {
		t.Errorf("words lead to %v, in a fresh index to %v", got, want)
	}
}

// found returns the files that each of some words leads to.
func found(t *testing.T, db string) map[string][]string {
	t.Helper()
	s := sqlite.New(db)
	defer s.Close()
	r, err := s.Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	x, err := search.NewIndex(r)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for _, word := range []string{"assist", "help", "stay", "thing1", "other", "password", "now", "run", "c5"} {
		list, err := x.Postings(nil, words.Of(word))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range list {
			path, err := r.PathByID(x.File(int(p.Doc)))
			if err != nil {
				t.Fatal(err)
			}
			out[word] = append(out[word], path)
		}
		slices.Sort(out[word])
	}
	return out
}

// TestTouched: where all files got another stat but kept their content, nothing is
// made anew.
func TestTouched(t *testing.T) {
	p := enginetest.New(t, town())
	for path := range town() {
		text := p.Read(path)
		if err := os.Remove(filepath.Join(p.Root, path)); err != nil {
			t.Fatal(err)
		}
		p.Write(path, text)
	}
	if u := p.Update(); u.Full || len(u.Changes) != 0 {
		t.Errorf("full %v, %d changes", u.Full, len(u.Changes))
	}
}

// TestRemakeKeepsHistory: the history is taken over and brought along.
func TestRemakeKeepsHistory(t *testing.T) {
	w := enginetest.NewTree(t)
	for path, text := range town() {
		w.Write(path, text)
	}
	w.Commit("one")
	w.Commit("two")
	p := w.IndexWith(engine.Options{Cache: readings.New(t.TempDir(), 1<<20)})
	rebuild(p)
	w.Commit("three")
	u := p.Update()
	if u.Reason != update.ReasonChanges || u.History == nil || u.History.Full || u.History.Added != 1 || u.History.Commits != 3 {
		t.Errorf("%q, history %+v", u.Reason, u.History)
	}
	if got, want := p.Digest(), p.Fresh(); !slices.Equal(got, want) {
		t.Errorf("the index made anew differs from a fresh one:\n%s", unlike(got, want))
	}
	for _, c := range u.Changes {
		if c.Type == code.Deleted && !strings.HasPrefix(c.Path, "src/") && !strings.HasPrefix(c.Path, "p") {
			t.Errorf("%s counts as deleted", c.Path)
		}
	}
	if _, bytes := p.Engine.CacheSize(); bytes == 0 {
		t.Error("nothing of what was replaced is kept")
	}
	p.Git("checkout", "-q", "HEAD~1")
	p.Update()
	if got, want := p.Digest(), p.Fresh(); !slices.Equal(got, want) {
		t.Errorf("back at the commit before, with readings from the cache:\n%s", unlike(got, want))
	}
}

// TestRemakeRandomly makes random changes, some of them known to the index by
// single updates, and makes the index anew after each few: it must hold what a
// fresh one holds, and the next look must find nothing.
func TestRemakeRandomly(t *testing.T) {
	p := enginetest.New(t, shop)
	w := &update.Writer{Tree: source.New(source.Options{Root: p.Root}), Store: sqlite.New(p.DB), Log: slog.New(slog.DiscardHandler)}
	rnd := rand.New(rand.NewPCG(3, 4))
	paths := slices.Sorted(maps.Keys(shop))
	texts := slices.Sorted(maps.Values(shop))
	texts = append(texts, "password: \"kT9#vLq2Zx81mWpR\"\n", "", "\x00\x01", "package st\n\nfunc Later() {}\n", "*.ts linguist-vendored\n")
	places := append(slices.Clone(paths), "st/more.go", "web/b/index.ts", "py/__init__.py", ".gitattributes", "deep/er/x.ts", "conf.yml", ".gitignore")
	for round := range 25 {
		for range 1 + rnd.IntN(5) {
			path := places[rnd.IntN(len(places))]
			_, err := os.Lstat(filepath.Join(p.Root, path))
			switch {
			case err == nil && rnd.IntN(3) == 0:
				p.Remove(path)
			default:
				p.Write(path, texts[rnd.IntN(len(texts))])
				if rnd.IntN(4) == 0 {
					p.Update(path)
				}
			}
		}
		if _, err := w.Remake(context.Background()); err != nil {
			t.Fatal(err)
		}
		if got, want := p.Digest(), p.Fresh(); !slices.Equal(got, want) {
			t.Fatalf("round %d:\n%s", round, unlike(got, want))
		}
		if u := p.Update(); len(u.Changes) != 0 {
			t.Fatalf("round %d: the next look finds %v", round, u.Changes)
		}
	}
}

// TestMoves: files that move are what they are in a fresh index: tests where folders
// make them so, modules of the folder they are in, masked where they hold a secret.
func TestMoves(t *testing.T) {
	for _, n := range []int{20, 40} { // changed, and made anew
		t.Run(fmt.Sprint(n), func(t *testing.T) { checkMoves(t, n) })
	}
}

func checkMoves(t *testing.T, n int) {
	files := map[string]string{"go.mod": "module m\n"}
	for i := range n {
		files[fmt.Sprintf("a/A%d.java", i)] = fmt.Sprintf("package q;\nclass A%d { void run() {} }\n", i)
		files[fmt.Sprintf("Sources/One/s%d.swift", i)] = fmt.Sprintf("public func s%d() {}\n", i)
		files[fmt.Sprintf("conf/c%d.py", i)] = fmt.Sprintf("password = \"kT9#vLq2Zx81mWpR%d\"\n\ndef c%d(): pass\n", i, i)
		files[fmt.Sprintf("test/t%d.py", i)] = fmt.Sprintf("def t%d(): pass\n", i)
	}
	p := enginetest.New(t, files)
	for _, dirs := range [][2]string{{"a", "b/test/c"}, {"Sources/One", "Sources/Two"}, {"conf", "etc"}, {"test", "src/plain"}} {
		to := filepath.Join(p.Root, dirs[1])
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(p.Root, dirs[0]), to); err != nil {
			t.Fatal(err)
		}
	}
	if u := p.Update(); len(u.Changes) != 8*n || u.Full != (8*n >= 200) {
		t.Errorf("%d changes, want %d; full %v", len(u.Changes), 8*n, u.Full)
	}
	if got, want := p.Digest(), p.Fresh(); !slices.Equal(got, want) {
		t.Errorf("after the move:\n%s", unlike(got, want))
	}
}

// TestRemakeFarBack: at a commit with few ancestors the history is read anew, and is
// what a fresh index has.
func TestRemakeFarBack(t *testing.T) {
	w := enginetest.NewTree(t)
	w.Write("a.go", "package a\n")
	w.Commit("one")
	for path, text := range town() {
		w.Write(path, text)
	}
	w.Commit("two")
	for i := range 8 {
		w.Commit(fmt.Sprint("more ", i))
	}
	p := w.Index()
	w.Git("checkout", "-q", "HEAD~9")
	u := p.Update()
	if u.Reason != update.ReasonChanges || u.History == nil || !u.History.Full || u.History.Commits != 1 {
		t.Errorf("%q, history %+v", u.Reason, u.History)
	}
	if got, want := p.Digest(), p.Fresh(); !slices.Equal(got, want) {
		t.Errorf("one commit from the root:\n%s", unlike(got, want))
	}
	w.Git("checkout", "-q", "-")
	if u := p.Update(); u.History == nil || u.History.Commits != 10 {
		t.Errorf("back at the newest commit: %q, history %+v", u.Reason, u.History)
	}
}

// TestFirstIndexed checks that the time at which a file was first indexed stays when it changes, also in an index made anew, and that a new
// file has a later one.
func TestFirstIndexed(t *testing.T) {
	p := enginetest.New(t, town())
	times := func() map[string]int64 {
		out := map[string]int64{}
		p.Ask(func(ctx context.Context, s *view.Snapshot) error {
			for f, err := range s.Files(ctx) {
				if err != nil {
					return err
				}
				out[f.Path] = f.FirstIndexed
			}
			return nil
		})
		return out
	}
	first := times()
	began := time.Now().UnixMilli()
	if first["p1/a.go"] == 0 || first["p1/a.go"] > began {
		t.Fatalf("first indexed at %d, before %d", first["p1/a.go"], began)
	}
	time.Sleep(2 * time.Millisecond)
	check := func(path string) {
		t.Helper()
		now := times()
		for known, at := range first {
			if now[known] != 0 && now[known] != at {
				t.Fatalf("%s was first indexed at %d, now %d", known, at, now[known])
			}
		}
		if now[path] <= began {
			t.Errorf("%s is new, and first indexed at %d, not after %d", path, now[path], began)
		}
	}
	p.Write("p1/a.go", "package p1\n")
	p.Write("early.go", "package m\n")
	p.Update()
	check("early.go")
	rebuild(p)
	if u := p.Update(); u.Reason != update.ReasonChanges {
		t.Fatalf("the index was not made anew: %+v", u)
	}
	check("new.go")
}
