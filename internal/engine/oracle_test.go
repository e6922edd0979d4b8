package engine_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"ken/internal/code"
	"ken/internal/engine"
	kenupdate "ken/internal/engine/update"

	store "ken/internal/store/sqlite"
)

// The oracle: after any sequence of changes, brought into the index by any mix
// of updates, its facts equal those of an index made afresh.
//
//	KEN_SEQUENCES=500 go test ./internal/engine -run 'TestOracle' -timeout 2h
//
// runs that many sequences in each of the miniature worlds; with KEN_CORPORA, a
// directory that holds kubernetes, core, sympy, … as many over copies of them:
//
//	KEN_SEQUENCES=500 KEN_CORPORA=/corpora go test ./internal/engine -run TestOracleCorpora -timeout 2h
//
// KEN_SEED repeats one seed of a failure alone.

func envInt(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

// project is an index kept up to date beside a tree.
type project struct {
	t    testing.TB
	root string
	e    *engine.Engine
	opt  engine.Options
	db   string
	tmp  string
}

func newProject(t testing.TB, root string) *project {
	t.Helper()
	return newProjectWith(t, root, engine.Options{})
}

func newProjectWith(t testing.TB, root string, opt engine.Options) *project {
	t.Helper()
	p := &project{t: t, root: root, opt: opt, tmp: t.TempDir()}
	p.db = filepath.Join(p.tmp, "kept.db")
	p.e = p.engine(p.db)
	t.Cleanup(func() { p.e.Close() })
	if _, err := p.e.Update(context.Background(), kenupdate.Request{Create: true}); err != nil {
		t.Fatal(err)
	}
	return p
}

// engine returns one over the project's tree.
func (p *project) engine(db string) *engine.Engine {
	opt := p.opt
	opt.Root, opt.Store = p.root, store.New(db)
	return engine.New(opt)
}

// update applies an update; naming a path that never was is no failure.
func (p *project) update(paths []string) {
	p.t.Helper()
	_, err := p.e.Update(context.Background(), kenupdate.Request{Paths: paths})
	var missing *code.NotFoundError
	if err != nil && !errors.As(err, &missing) {
		p.t.Fatalf("update %q: %v", paths, err)
	}
}

// fresh returns the dump of an index made afresh.
func (p *project) fresh() []string {
	p.t.Helper()
	db := filepath.Join(p.tmp, "fresh.db")
	e := p.engine(db)
	defer e.Close()
	if _, err := e.Update(context.Background(), kenupdate.Request{Create: true}); err != nil {
		p.t.Fatal(err)
	}
	d := dump(p.t, db)
	os.Remove(db)
	return d
}

// check brings the index up to date and compares it with a fresh one.
func (p *project) check() string {
	p.t.Helper()
	p.update(nil)
	return differences(p.fresh(), dump(p.t, p.db))
}

// sequence makes rounds of random changes and checks after each.
func sequence(t testing.TB, w *worktree, p *project, rounds int) {
	t.Helper()
	for round := range rounds {
		w.log = w.log[:0]
		for range 1 + w.rnd.IntN(6) {
			touched := w.step()
			switch w.rnd.IntN(5) {
			case 0:
				if len(touched) > 0 {
					w.notef("UPDATE %q", touched)
					p.update(touched)
				}
			case 1:
				for _, path := range touched {
					w.notef("UPDATE %q", path)
					p.update([]string{path})
				}
			case 2:
				w.notef("UPDATE")
				p.update(nil)
			}
		}
		if diff := p.check(); diff != "" {
			var state strings.Builder
			for _, f := range w.files() {
				if w.mini.content != nil {
					fmt.Fprintf(&state, "-- %s --\n%s", f, cut(w.read(f)))
				}
			}
			t.Fatalf("round %d:\n%s\nafter\n%s\ntree now\n%s", round, diff, strings.Join(w.log, "\n"), state.String())
		}
	}
}

// tried returns the miniatures that a test tries: with -short, as under the race
// detector, Go's alone, because the goroutines are the same for all.
func tried() []miniature {
	if testing.Short() {
		return []miniature{goMiniature()}
	}
	return miniatures()
}

func TestOracle(t *testing.T) {
	for _, m := range tried() {
		t.Run(m.name, func(t *testing.T) {
			first, n := 0, envInt("KEN_SEQUENCES", 5)
			if s := envInt("KEN_SEED", -1); s >= 0 {
				first, n = s, 1
			}
			for seed := first; seed < first+n; seed++ {
				ok := t.Run(fmt.Sprint("seed", seed), func(t *testing.T) { miniatureSequence(t, m, uint64(seed)) })
				if !ok {
					break
				}
			}
		})
	}
}

func miniatureSequence(t *testing.T, m miniature, seed uint64) {
	w := &worktree{t: t, root: t.TempDir(), rnd: rand.New(rand.NewPCG(seed, 1)), mini: m, git: seed%3 == 0}
	if w.git {
		w.run("init", "-q", "-b", "main")
	}
	for _, p := range m.paths {
		if w.rnd.IntN(3) > 0 {
			w.write(p, m.content(w.rnd, p))
		}
	}
	sequence(t, w, newProject(t, w.root), 6)
}
