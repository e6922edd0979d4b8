package token_test

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"unicode"

	"ken/internal/token"
)

// oracle is npm tiktoken in a process of its own. Install it with "npm ci" in
// testdata/oracle, or name a folder that has it in NODE_PATH.
type oracle struct {
	in  io.WriteCloser
	out *bufio.Reader
}

// startOracle skips the test unless KEN_ORACLE=1.
func startOracle(t *testing.T) *oracle {
	t.Helper()
	if os.Getenv("KEN_ORACLE") != "1" {
		t.Skip("compares with npm tiktoken: npm ci in testdata/oracle, then set KEN_ORACLE=1")
	}
	cmd := exec.Command("node", "testdata/oracle/count.cjs")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("oracle: %v", err)
		}
	})
	return &oracle{in, bufio.NewReader(out)}
}

// count returns what tiktoken counts for every text.
func (o *oracle) count(t *testing.T, texts [][]byte) [][2]int {
	t.Helper()
	sent := make(chan error, 1)
	go func() {
		w := bufio.NewWriter(o.in)
		for _, text := range texts {
			w.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(text))))
			w.Write(text)
		}
		sent <- w.Flush() // holds the first error of the writes above
	}()
	counts := make([][2]int, len(texts))
	for i := range counts {
		if _, err := fmt.Fscanf(o.out, "%d %d\n", &counts[i][0], &counts[i][1]); err != nil {
			t.Fatalf("text %d of %d: read the oracle: %v", i, len(texts), err)
		}
	}
	if err := <-sent; err != nil {
		t.Fatalf("write to the oracle: %v", err)
	}
	return counts
}

// compare reports the texts that are counted differently, and how many.
func (o *oracle) compare(t *testing.T, c counters, names []string, texts [][]byte) (wrong int) {
	t.Helper()
	for i, want := range o.count(t, texts) {
		if got := c.count(t, texts[i]); got != want {
			if wrong++; wrong <= 10 {
				t.Errorf("%s: got %v, want %v tokens of %.300q", names[i], got, want, texts[i])
			}
		}
	}
	return wrong
}

// counters are the three ways to count, which have to agree.
type counters struct {
	cl, o *token.Counter
	pair  *token.Pair
}

func newCounters() counters {
	return counters{token.New(token.CL100K), token.New(token.O200K), token.NewPair()}
}

func (c counters) count(t *testing.T, text []byte) [2]int {
	t.Helper()
	cl, o := c.pair.Count(text)
	if one := c.cl.Count(text); one != cl {
		t.Errorf("cl100k_base: %d tokens alone, %d in a pair, of %.300q", one, cl, text)
	}
	if one := c.o.Count(text); one != o {
		t.Errorf("o200k_base: %d tokens alone, %d in a pair, of %.300q", one, o, text)
	}
	return [2]int{cl, o}
}

// TestOracleFiles compares every text file below KEN_CORPUS (folders separated
// by the list separator) of at most 1 MB.
func TestOracleFiles(t *testing.T) {
	o, c := startOracle(t), newCounters()
	dirs := os.Getenv("KEN_CORPUS")
	if dirs == "" {
		t.Skip("set KEN_CORPUS to the folders to compare")
	}
	files, wrong, size := 0, 0, 0
	var names []string
	var texts [][]byte
	flush := func() {
		wrong += o.compare(t, c, names, texts)
		files += len(texts)
		names, texts = nil, nil
	}
	for dir := range strings.SplitSeq(dirs, string(os.PathListSeparator)) {
		for path := range corpusFiles(t, dir) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if len(data) > 1<<20 {
				continue
			}
			size += len(data)
			names, texts = append(names, path), append(texts, data)
			if len(texts) == 500 {
				flush()
			}
		}
	}
	flush()
	t.Logf("%d files, %d bytes, %d wrong", files, size, wrong)
	if files < 1000 {
		t.Errorf("%d files are too few to prove anything, want 1000", files)
	}
}

// TestOracleFuzz compares 30,000 random texts.
func TestOracleFuzz(t *testing.T) {
	o, c := startOracle(t), newCounters()
	r := rand.New(rand.NewPCG(7, 30_000))
	g := newGenerator(r)
	var names []string
	var texts [][]byte
	for i := range 30_000 {
		names = append(names, fmt.Sprintf("text %d", i))
		texts = append(texts, g.text())
	}
	t.Logf("%d texts, %d wrong", len(texts), o.compare(t, c, names, texts))
}

// TestOracleCharacters compares every character in surroundings that show its
// class: letters take a contraction, numbers go in threes, symbols take newlines.
// With -short it leaves out 15 of 16 beyond plane 1, which are nearly all of the same few classes.
func TestOracleCharacters(t *testing.T) {
	o, c := startOracle(t), newCounters()
	var names []string
	var texts [][]byte
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if r >= 0xd800 && r < 0xe000 || r >= 0xf0100 && r&0xff != 0 {
			continue // surrogates; private use is all the same
		}
		if testing.Short() && r > 0x1ffff && r&0xf != 0 {
			continue
		}
		names = append(names, fmt.Sprintf("%U", r))
		texts = append(texts, []byte(fmt.Sprintf(" %c's 1%c234 %c\n\n/A%cThe%c  %c", r, r, r, r, r, r)))
	}
	t.Logf("%d characters, %d wrong", len(texts), o.compare(t, c, names, texts))
}
