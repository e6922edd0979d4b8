package memory

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	osexec "os/exec"
	"strconv"
	"sync"
	"testing"
	"time"

	"zombiezen.com/go/sqlite"

	"ken/internal/knowledge/memory"
	"ken/internal/knowledge/session"
)

// TestMain is also a process that writes to a memory until it is killed: it says what is stored, as TestKilled reads it.
func TestMain(m *testing.M) {
	if path := os.Getenv("KEN_WRITER"); path != "" {
		writer(New(path, "print"), os.Getenv("KEN_WRITER_NAME"))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func writer(s *Store, name string) {
	background := context.Background()
	n, _ := strconv.Atoi(os.Getenv("KEN_WRITER_FROM"))
	for ; ; n++ {
		text := fmt.Sprintf("fact %s-%d about module%d", name, n, n%50)
		ids, _, err := s.Learn(background, []memory.Item{{Kind: memory.Note, Text: text, At: at(n), Pins: []memory.Pin{{Target: fmt.Sprintf("m%d.go", n%50)}}}})
		if err != nil {
			fmt.Println("error", err)
			return
		}
		fmt.Println(text)
		switch n % 5 {
		case 1:
			_, err = s.Apply(background, []session.Event{{Session: name, Kind: session.Edited, At: at(n), Files: []session.FileChange{{Path: fmt.Sprintf("m%d.go", n%50), Change: session.Modified}}}})
		case 2:
			_, err = s.ShowItems(background, name, "", ids, at(n))
		case 3:
			_, err = s.Judge(background, memory.Verdict{Session: name, Good: true, Why: memory.Tested, At: at(n)})
		case 4:
			_, err = s.Consolidate(background, memory.Work{Now: at(n), Items: 50})
		}
		if err != nil {
			fmt.Println("error", err)
			return
		}
	}
}

// TestKilled: of what many processes said they had stored nothing is lost, although they are killed at any time, and the memory
// is whole. KEN_ACCEPT=1 has fifty of them for twenty seconds.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	processes, lasts := 6, time.Second
	if os.Getenv("KEN_ACCEPT") != "" {
		processes, lasts = 50, 20*time.Second
	}
	s := newStore(t)
	until := time.Now().Add(lasts)
	said := make([][]string, processes)
	kills := make([]int, processes)
	var wg sync.WaitGroup
	for p := range processes {
		wg.Go(func() {
			rnd := rand.New(rand.NewPCG(9, uint64(p)))
			for time.Now().Before(until) {
				lines, err := life(s.path, fmt.Sprint("w", p), len(said[p]), time.Duration(50+rnd.IntN(1000))*time.Millisecond)
				said[p] = append(said[p], lines...)
				kills[p]++
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	there := map[string]bool{}
	items, err := s.Items(t.Context(), memory.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range items {
		there[it.Text] = true
	}
	all, killed := 0, 0
	for p := range said {
		all += len(said[p])
		killed += kills[p]
		for _, text := range said[p] {
			if !there[text] {
				t.Errorf("%q was said to be stored and is lost", text)
			}
		}
	}
	t.Logf("%d processes were killed, %d items were said to be stored, %d are there", killed, all, len(items))
	if all == 0 {
		t.Error("nothing was stored")
	}
	n := 0
	err = s.readSnapshot(t.Context(), func(c *sqlite.Conn) error {
		return eachRow(c, "PRAGMA integrity_check", func(st *sqlite.Stmt) {
			if st.ColumnText(0) != "ok" {
				t.Error(st.ColumnText(0))
			}
			n++
		})
	})
	if err != nil || n == 0 {
		t.Error(err)
	}
	if _, err := s.Consolidate(t.Context(), memory.Work{Now: at(9999), Items: 100_000}); err != nil {
		t.Error(err)
	}
}

// life runs a writer for a while, kills it, and returns what it said was stored.
func life(path, name string, from int, lasts time.Duration) (lines []string, err error) {
	cmd := osexec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "KEN_WRITER="+path, "KEN_WRITER_NAME="+name, fmt.Sprint("KEN_WRITER_FROM=", from))
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	timer := time.AfterFunc(lasts, func() { cmd.Process.Kill() })
	defer timer.Stop()
	sc := bufio.NewScanner(out)
	for sc.Scan() {
		if len(sc.Text()) > 5 && sc.Text()[:5] == "error" {
			err = fmt.Errorf("%s: %s", name, sc.Text())
			continue
		}
		lines = append(lines, sc.Text())
	}
	cmd.Process.Kill()
	cmd.Wait()
	return lines, err
}
