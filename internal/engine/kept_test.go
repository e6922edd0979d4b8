package engine_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"ken/internal/engine"
	kenstore "ken/internal/engine/store"
	kenupdate "ken/internal/engine/update"

	"ken/internal/store/readings"
	store "ken/internal/store/sqlite"
)

// counted is a cache that counts what is asked of it.
type counted struct {
	kenstore.Cache
	opened, hits, misses, puts atomic.Int64
}

type countedReadings struct {
	kenstore.Readings
	c *counted
}

func (c *counted) Begin(repository string) kenstore.Readings {
	c.opened.Add(1)
	r := c.Cache.Begin(repository)
	if r == nil {
		return nil
	}
	return countedReadings{r, c}
}

func (r countedReadings) Get(k kenstore.ReadingKey) []byte {
	b := r.Readings.Get(k)
	if b == nil {
		r.c.misses.Add(1)
	} else {
		r.c.hits.Add(1)
	}
	return b
}

func (r countedReadings) Put(k kenstore.ReadingKey, b []byte) {
	r.c.puts.Add(1)
	r.Readings.Put(k, b)
}

// since is what was counted since the last call: opened, hits, misses, puts.
func (c *counted) since() string {
	return fmt.Sprintf("opened %d, hits %d, misses %d, puts %d", c.opened.Swap(0), c.hits.Swap(0), c.misses.Swap(0), c.puts.Swap(0))
}

func newCounted(t testing.TB) *counted {
	return &counted{Cache: readings.New(filepath.Join(t.TempDir(), "cache"), 0)}
}

// indexCached is indexTree with a cache.
func indexCached(t testing.TB, root string, c kenstore.Cache, req kenupdate.Request) *kenupdate.Update {
	t.Helper()
	e := engine.New(engine.Options{Root: root, Store: store.New(filepath.Join(root, ".ken", "index.db")), Cache: c})
	defer e.Close()
	req.Create = true
	u, err := e.Update(context.Background(), req)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// branches makes a repository whose branches b0, b1, … differ in many files.
func branches(t *testing.T, m miniature, seed uint64, n int) *worktree {
	w := &worktree{t: t, root: filepath.Join(t.TempDir(), "one"), rnd: rand.New(rand.NewPCG(seed, 9)), mini: m, git: true}
	w.write(".gitignore", ".ken/\n")
	w.run("init", "-q", "-b", "b0")
	for b := range n {
		if b > 0 {
			w.run("checkout", "-q", "-b", fmt.Sprint("b", b))
		}
		for dir := range 3 {
			for _, p := range m.paths {
				p = fmt.Sprintf("d%d/%s", dir, p)
				switch w.rnd.IntN(8) {
				case 0:
					os.Remove(w.full(p))
				default:
					w.write(p, m.content(w.rnd, p))
				}
			}
		}
		if b%2 == 1 { // the same bytes with other flags
			w.write("d0/.gitattributes", "* linguist-generated\n")
		} else {
			os.Remove(w.full("d0/.gitattributes"))
		}
		w.run("add", "-A")
		w.run("commit", "-q", "--allow-empty", "-m", "next")
	}
	return w
}

func compareFresh(t *testing.T, root, when string) {
	t.Helper()
	if diff := differences(freshDump(t, root), dump(t, filepath.Join(root, ".ken", "index.db"))); diff != "" {
		t.Fatalf("%s:\n%s", when, diff)
	}
}

// TestSwitch switches branches: what was read before is not read again, and the
// index is the one that a fresh reading makes.
func TestSwitch(t *testing.T) {
	for i, m := range tried() {
		t.Run(m.name, func(t *testing.T) {
			w := branches(t, m, uint64(i), 3)
			c := newCounted(t)
			indexCached(t, w.root, c, kenupdate.Request{})
			if s := c.since(); s != "opened 0, hits 0, misses 0, puts 0" {
				t.Errorf("a first index: %s", s)
			}
			seen := map[string]bool{"b2": true}
			for round, b := range []string{"b1", "b2", "b1", "b0", "b2", "b0"} {
				w.run("checkout", "-q", b)
				indexCached(t, w.root, c, kenupdate.Request{})
				compareFresh(t, w.root, fmt.Sprint("round ", round))
				hits, misses, puts := c.hits.Load(), c.misses.Load(), c.puts.Load()
				s := c.since()
				switch {
				case seen[b] && (misses > 0 || hits < 16):
					t.Errorf("round %d, back to %s: %s", round, b, s)
				case !seen[b] && misses == 0 || round < 2 && puts < 16:
					t.Errorf("round %d, first time on %s: %s", round, b, s)
				case round == 5 && puts > 0:
					t.Errorf("what is kept is kept again: %s", s)
				}
				seen[b] = true
			}
		})
	}
}

// TestSwitchDamaged spoils what is kept between switches.
func TestSwitchDamaged(t *testing.T) {
	w := branches(t, goMiniature(), 3, 2)
	dir := filepath.Join(t.TempDir(), "cache")
	c := &counted{Cache: readings.New(dir, 0)}
	indexCached(t, w.root, c, kenupdate.Request{})
	rnd := rand.New(rand.NewPCG(4, 4))
	for round := range 5 {
		w.run("checkout", "-q", fmt.Sprint("b", round%2))
		indexCached(t, w.root, c, kenupdate.Request{})
		compareFresh(t, w.root, fmt.Sprint("round ", round))
		list, err := filepath.Glob(filepath.Join(dir, "readings", "*", "*.seg"))
		if err != nil || round < 2 && len(list) == 0 {
			t.Fatalf("round %d: %d segments, %v", round, len(list), err)
		}
		for _, p := range list {
			b, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			for range 1 + rnd.IntN(8) {
				b[8+rnd.IntN(len(b)/2)] ^= byte(1 + rnd.IntN(255))
			}
			if err := os.WriteFile(p, b[:len(b)-rnd.IntN(2)*rnd.IntN(len(b))], 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestSwitchLeftAlone has updates that are none of the cache's business.
func TestSwitchLeftAlone(t *testing.T) {
	w := branches(t, scriptMiniature(), 5, 2)
	c := newCounted(t)
	try := func(what string, req kenupdate.Request) {
		t.Helper()
		u := indexCached(t, w.root, c, req)
		if s := c.since(); s != "opened 0, hits 0, misses 0, puts 0" {
			t.Errorf("%s, %d changes: %s", what, len(u.Changes), s)
		}
	}
	try("a first index", kenupdate.Request{})
	for i := range 15 { // beside files that are too young to be trusted
		w.write(fmt.Sprintf("more/f%d.ts", i), "export const a = 1\n")
	}
	try("fifteen files", kenupdate.Request{})
	w.write("d0/one.ts", "export const b = 1\n")
	try("one file", kenupdate.Request{Paths: []string{"d0/one.ts"}})
	w.run("checkout", "-q", "-f", "b0")
	try("all anew", kenupdate.Request{Full: true})

	lone := &worktree{t: t, root: t.TempDir()}
	for round := range 2 {
		for i := range 40 {
			lone.write(fmt.Sprintf("f%d.go", i), fmt.Sprintf("package f\n\nfunc F%d() { G%d() }\n", i, round))
		}
		indexCached(t, lone.root, c, kenupdate.Request{})
	}
	if s := c.since(); s != "opened 0, hits 0, misses 0, puts 0" {
		t.Errorf("without git: %s", s)
	}
	evil := &worktree{t: t, root: t.TempDir()}
	evil.write(".git", "gitdir: "+filepath.Join(w.root, ".git")+"\n")
	for round := range 2 {
		for i := range 40 {
			evil.write(fmt.Sprintf("f%d.go", i), fmt.Sprintf("package f\n\nfunc F%d() { G%d() }\n", i, round))
		}
		indexCached(t, evil.root, c, kenupdate.Request{})
	}
	if s := c.since(); s != "opened 0, hits 0, misses 0, puts 0" {
		t.Errorf("a folder that names another's repository: %s", s)
	}
}

// TestSwitchWorktrees shares readings between working trees. Making the second
// one's index adds nothing to what is kept.
func TestSwitchWorktrees(t *testing.T) {
	w := branches(t, pythonMiniature(), 6, 3)
	c := newCounted(t)
	indexCached(t, w.root, c, kenupdate.Request{})
	for _, b := range []string{"b1", "b2"} {
		w.run("checkout", "-q", b)
		indexCached(t, w.root, c, kenupdate.Request{})
	}
	c.since()
	w.run("worktree", "add", "-q", "../two", "b1")
	two := filepath.Join(filepath.Dir(w.root), "two")
	u := indexCached(t, two, c, kenupdate.Request{})
	if u.Reason != "worktree" || c.hits.Load() < 16 || c.misses.Load() > 0 || c.puts.Load() > 0 {
		t.Errorf("reason %q, %s", u.Reason, c.since())
	}
	compareFresh(t, two, "the second working tree")
	c.since()
	(&worktree{t: t, root: two}).run("checkout", "-q", "--detach", "b2")
	indexCached(t, two, c, kenupdate.Request{})
	if c.hits.Load() < 16 || c.misses.Load() > 0 {
		t.Errorf("a branch the other working tree was on: %s", c.since())
	}
	compareFresh(t, two, "a branch later")
}

// TestSwitchSecrets keeps nothing of a file with a secret.
func TestSwitchSecrets(t *testing.T) {
	w := &worktree{t: t, root: t.TempDir()}
	w.run("init", "-q", "-b", "main")
	c := newCounted(t)
	for round := range 3 {
		for i := range 20 {
			w.write(fmt.Sprintf("f%d.go", i), fmt.Sprintf("package f\n\nconst v = %d\n\nvar apiKey%d = \"ghp_Zk3v9Qx7Lm2Rt8Wn5Bc1Yd6Hf4Js0Pa%d%d%d%d\"\n", round%2, i, i%9, i%7, i%5, i%3))
		}
		w.write("plain.go", fmt.Sprintf("package f\n\nfunc G%d() {}\n", round%2))
		indexCached(t, w.root, c, kenupdate.Request{})
	}
	if s := c.since(); s != "opened 2, hits 1, misses 41, puts 2" {
		t.Error(s)
	}
	compareFresh(t, w.root, "secrets")
}
