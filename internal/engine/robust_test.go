package engine_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"ken/internal/ask/overview"
	"ken/internal/engine"
	kenstore "ken/internal/engine/store"
	kenupdate "ken/internal/engine/update"
	"ken/internal/engine/view"

	store "ken/internal/store/sqlite"
)

// The tests here start this binary again as a process of its own, which does
// what KEN_CHILD says: one word, then arguments.
func TestMain(m *testing.M) {
	if job := os.Getenv("KEN_CHILD"); job != "" {
		if err := child(strings.Split(job, "\x1f")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// child runs "update ROOT DB [PATH…]", "full ROOT DB" or "limited ROOT DB BYTES".
func child(args []string) error {
	root, db := args[1], args[2]
	e := engine.New(engine.Options{Root: root, Store: store.New(db)})
	defer e.Close()
	req := kenupdate.Request{Create: true}
	switch args[0] {
	case "full":
		req.Full = true
	case "update":
		if len(args) > 3 {
			req.Paths = args[3:]
		}
	case "limited":
		var n uint64
		fmt.Sscan(args[3], &n)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: n}); err != nil {
			return err
		}
		req.Full = args[4] == "full"
	case "ask":
		return e.Answer(context.Background(), engine.Checked, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
			info, err := s.Info(ctx)
			if err == nil && info.Files == 0 {
				err = errors.New("no files")
			}
			return nil, err
		})
	}
	_, err := e.Update(context.Background(), req)
	return err
}

func startChild(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "KEN_CHILD="+strings.Join(args, "\x1f"))
	var out strings.Builder
	cmd.Stderr = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// runChild runs a child to its end and returns what it said on stderr.
func runChild(t testing.TB, args ...string) (string, error) {
	t.Helper()
	cmd := startChild(t, args...)
	err := cmd.Wait()
	return cmd.Stderr.(*strings.Builder).String(), err
}

// tree makes a tree of n packages of a few files each, in all languages.
func tree(t testing.TB, n int) *worktree {
	w := &worktree{t: t, root: t.TempDir(), rnd: rand.New(rand.NewPCG(uint64(n), 3))}
	for i := range n {
		for _, m := range miniatures() {
			for _, p := range m.paths {
				w.write(fmt.Sprintf("%s%d/%s", m.name, i, p), m.content(w.rnd, p))
			}
		}
	}
	w.mini = goMiniature()
	return w
}

func freshDump(t testing.TB, root string) []string {
	return (&project{t: t, root: root, tmp: t.TempDir()}).fresh()
}

// TestKill kills a process at random moments of a first build, a rebuild or an
// update. KEN_KILLS is the number of times.
func TestKill(t *testing.T) {
	w := tree(t, 6)
	db := filepath.Join(t.TempDir(), "index.db")
	began := time.Now()
	if out, err := runChild(t, "full", w.root, db); err != nil {
		t.Fatal(err, out)
	}
	whole := time.Since(began)
	rnd := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 1))
	killed := 0
	for i := range envInt("KEN_KILLS", 8) {
		args := []string{"update", w.root, db}
		switch i % 3 {
		case 0:
			for _, suffix := range []string{"", "-wal", "-shm"} {
				os.Remove(db + suffix)
			}
		case 1:
			args[0] = "full"
		case 2:
			for range 40 {
				w.opEdit()
				w.opIdentifier()
			}
		}
		cmd := startChild(t, args...)
		time.Sleep(time.Duration(rnd.Int64N(int64(whole))))
		cmd.Process.Kill()
		if err := cmd.Wait(); err != nil {
			killed++
		}
		e := engine.New(engine.Options{Root: w.root, Store: store.New(db)})
		if _, err := e.Update(context.Background(), kenupdate.Request{Create: true}); err != nil {
			t.Fatalf("kill %d (%s): %v", i, args[0], err)
		}
		e.Close()
		if diff := differences(freshDump(t, w.root), dump(t, db)); diff != "" {
			t.Fatalf("kill %d (%s):\n%s", i, args[0], diff)
		}
	}
	if out, err := runChild(t, "full", w.root, db); err != nil {
		t.Fatal(err, out)
	}
	if left, _ := filepath.Glob(db + ".new*"); len(left) > 0 {
		t.Errorf("left over: %q", left)
	}
	t.Logf("%d of them were killed before their end", killed)
}

// TestConcurrent has many processes update one file each, with readers and a
// rebuild among them. KEN_PROCESSES is their number.
func TestConcurrent(t *testing.T) {
	w := tree(t, 2)
	db := filepath.Join(t.TempDir(), "index.db")
	n := envInt("KEN_PROCESSES", 24)
	for i := range n {
		w.write(fmt.Sprintf("own/f%d.go", i), "package own\n")
	}
	// Two first builds at once.
	a, b := startChild(t, "update", w.root, db), startChild(t, "update", w.root, db)
	for _, c := range []*exec.Cmd{a, b} {
		if err := c.Wait(); err != nil {
			t.Fatal(err, c.Stderr)
		}
	}
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() { readStates(t, w.root, db, stop) })
	}
	slots := make(chan struct{}, 16)
	var wg sync.WaitGroup
	for i := range n {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			p := fmt.Sprintf("own/f%d.go", i)
			src := fmt.Sprintf("package own\n\nfunc Own%d() { Pair%d() }\nfunc Pair%d() {}\n", i, i, i)
			if err := os.WriteFile(w.full(p), []byte(src), 0o644); err != nil {
				t.Error(err)
			}
			args := []string{"update", w.root, db, p}
			if i%20 == 7 {
				args = []string{"full", w.root, db}
			}
			if out, err := runChild(t, args...); err != nil {
				t.Errorf("process %d: %v: %s", i, err, out)
			}
		})
	}
	wg.Wait()
	close(stop)
	readers.Wait()
	e := engine.New(engine.Options{Root: w.root, Store: store.New(db)})
	defer e.Close()
	err := e.Answer(context.Background(), engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		for i := range n {
			if _, err := s.Definitions(ctx, fmt.Sprint("Own", i)); err != nil {
				t.Errorf("lost: %v", err)
			}
		}
		return nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Update(context.Background(), kenupdate.Request{}); err != nil {
		t.Fatal(err)
	}
	if diff := differences(freshDump(t, w.root), dump(t, db)); diff != "" {
		t.Error(diff)
	}
}

// readStates reads over and over; Own and Pair of one file come in one commit,
// and revisions never go back.
func readStates(t *testing.T, root, db string, stop chan struct{}) {
	e := engine.New(engine.Options{Root: root, Store: store.New(db)})
	defer e.Close()
	last := int64(0)
	for i := 0; ; i++ {
		select {
		case <-stop:
			return
		default:
		}
		err := e.Answer(context.Background(), engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
			if rev := int64(s.Rev()); rev < last {
				t.Errorf("revision %d after %d", rev, last)
			} else {
				last = rev
			}
			_, own := s.Definitions(ctx, fmt.Sprint("Own", i%24))
			_, pair := s.Definitions(ctx, fmt.Sprint("Pair", i%24))
			if (own == nil) != (pair == nil) {
				t.Errorf("half a commit: %v, %v", own, pair)
			}
			return nil, nil
		})
		if err != nil {
			t.Errorf("reader: %v", err)
			return
		}
	}
}

func setVersion(t *testing.T, db string, n int) {
	t.Helper()
	c, err := sqlite.OpenConn(db, sqlite.OpenReadWrite)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := sqlitex.ExecuteTransient(c, fmt.Sprintf("PRAGMA user_version=%d", n), nil); err != nil {
		t.Fatal(err)
	}
}

func answerAny(e *engine.Engine) error {
	return e.Answer(context.Background(), engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		for _, err := range s.Files(ctx) {
			if err != nil {
				return nil, err
			}
		}
		_, err := overview.Overview(ctx, s, 5)
		return nil, err
	})
}

func TestSchema(t *testing.T) {
	w := tree(t, 1)
	want := freshDump(t, w.root)
	for _, how := range []string{"update", "read"} {
		for _, idle := range []bool{false, true} {
			p := newProject(t, w.root)
			if !idle {
				p.e.Close()
				p.e = engine.New(engine.Options{Root: w.root, Store: store.New(p.db)})
			}
			setVersion(t, p.db, kenstore.Schema+1)
			if _, err := p.e.Update(context.Background(), kenupdate.Request{}); !errors.Is(err, kenstore.ErrNewerSchema) {
				t.Errorf("update of a newer schema: %v", err)
			}
			if err := answerAny(p.e); !errors.Is(err, kenstore.ErrNewerSchema) {
				t.Errorf("read of a newer schema: %v", err)
			}
			if kenstore.Schema == 1 {
				continue
			}
			setVersion(t, p.db, kenstore.Schema-1)
			if how == "read" {
				if err := answerAny(p.e); err != nil {
					t.Errorf("read of an older schema: %v", err)
				}
			} else {
				p.update(nil)
			}
			if diff := differences(want, dump(t, p.db)); diff != "" {
				t.Errorf("older schema, %s:\n%s", how, diff)
			}
		}
	}
}

func TestDamaged(t *testing.T) {
	w := tree(t, 1)
	want := freshDump(t, w.root)
	damages := map[string]func(b []byte) []byte{
		"empty":      func([]byte) []byte { return nil },
		"short":      func(b []byte) []byte { return b[:50] },
		"half":       func(b []byte) []byte { return b[:len(b)/2] },
		"odd":        func(b []byte) []byte { return b[:len(b)/2+100] },
		"text":       func([]byte) []byte { return []byte("this is no database\n") },
		"header":     func(b []byte) []byte { copy(b, make([]byte, 64)); return b },
		"noise":      func(b []byte) []byte { return scribble(b, 100, len(b)) },
		"noise late": func(b []byte) []byte { return scribble(b, 4096, len(b)) },
		"zeros":      func(b []byte) []byte { return append(b[:4096:4096], make([]byte, len(b)-4096)...) },
	}
	for name, damage := range damages {
		if testing.Short() && name != "half" && name != "noise" { // the race detector makes each take ten times as long
			continue
		}
		for _, how := range []string{"update", "read", "full", "idle"} {
			t.Run(name+" "+how, func(t *testing.T) {
				p := newProject(t, w.root)
				p.e.Close()
				b, err := os.ReadFile(p.db)
				if err != nil {
					t.Fatal(err)
				}
				if how == "idle" {
					if err := answerAny(p.e); err != nil {
						t.Fatal(err)
					}
				}
				if err := os.WriteFile(p.db, damage(b), 0o600); err != nil {
					t.Fatal(err)
				}
				switch how {
				case "read", "idle":
					err = answerAny(p.e)
				case "full":
					_, err = p.e.Update(context.Background(), kenupdate.Request{Full: true})
				default:
					_, err = p.e.Update(context.Background(), kenupdate.Request{})
				}
				if err != nil {
					t.Fatal(err)
				}
				// A look that finds nothing to do need not find damage, nor need a
				// connection that has what it reads in its cache.
				e := engine.New(engine.Options{Root: w.root, Store: store.New(p.db)})
				defer e.Close()
				if err := answerAny(e); err != nil {
					t.Fatal(err)
				}
				if diff := differences(want, dump(t, p.db)); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

func scribble(b []byte, from, to int) []byte {
	rnd := rand.New(rand.NewPCG(1, 1))
	for i := from; i < to; i++ {
		b[i] = byte(rnd.Uint32())
	}
	return b
}

// TestDeleted deletes and makes the index anew under an engine that has it open.
func TestDeleted(t *testing.T) {
	w := tree(t, 1)
	p := newProject(t, w.root)
	for _, suffix := range []string{"", "-wal", "-shm"} {
		os.Remove(p.db + suffix)
	}
	if err := answerAny(p.e); !errors.Is(err, kenstore.ErrNoIndex) {
		t.Fatalf("index deleted: %v", err)
	}
	w.write("new.go", "package main\n\nfunc Brand() {}\n")
	if out, err := runChild(t, "update", w.root, p.db); err != nil {
		t.Fatal(err, out)
	}
	err := p.e.Answer(context.Background(), engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		_, err := s.Definitions(ctx, "Brand")
		return nil, err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestDiskFull limits the size of files a process may write.
func TestDiskFull(t *testing.T) {
	if testing.Short() {
		t.Skip("the child that runs out of disk takes a minute under the race detector, and TestCancel stops the same goroutines")
	}
	w := tree(t, 2)
	p := newProject(t, w.root)
	before := dump(t, p.db)
	p.e.Close()
	for i := range 30 {
		w.write(fmt.Sprintf("more/f%d.go", i), strings.Repeat("package more\nfunc A() {}\n", 2000))
	}
	for _, mode := range []string{"update", "full"} {
		out, err := runChild(t, "limited", w.root, p.db, "400000", mode)
		if err == nil {
			t.Fatalf("%s: no error", mode)
		}
		t.Logf("%s: %s", mode, out)
		if strings.Contains(out, "panic") || out == "" {
			t.Errorf("%s: unclear: %s", mode, out)
		}
		if diff := differences(before, dump(t, p.db)); diff != "" {
			t.Errorf("%s:\n%s", mode, diff)
		}
		if left, _ := filepath.Glob(p.db + ".new*"); len(left) > 0 {
			t.Errorf("left over: %q", left)
		}
	}
	if diff := p.check(); diff != "" {
		t.Error(diff)
	}
}

// TestCancel ends the context at random moments.
func TestCancel(t *testing.T) {
	w := tree(t, 3)
	p := newProject(t, w.root)
	before := dump(t, p.db)
	for range 60 {
		w.opEdit()
	}
	began := time.Now()
	freshDump(t, w.root)
	whole := time.Since(began)
	canceled := 0
	for i := range 20 {
		ctx, cancel := context.WithTimeout(context.Background(), whole*time.Duration(i%10)/12)
		_, err := p.e.Update(ctx, kenupdate.Request{Full: i%2 == 0})
		cancel()
		if err == nil {
			before = dump(t, p.db)
			w.opEdit()
			continue
		}
		canceled++
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error of a canceled update: %v", err)
		}
		if diff := differences(before, dump(t, p.db)); diff != "" {
			t.Fatalf("state after a canceled update:\n%s", diff)
		}
	}
	if canceled == 0 {
		t.Error("nothing was canceled")
	}
	if diff := p.check(); diff != "" {
		t.Error(diff)
	}
}
