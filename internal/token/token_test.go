package token_test

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"ken/internal/token"
)

var update = flag.Bool("update", false, "rewrite the golden counts with what the oracle counts (needs KEN_ORACLE=1)")

const golden = "testdata/golden.txt"

// TestGolden checks texts that are easy to get wrong against npm tiktoken's
// counts, which -update fetches. A line holds both counts and the text, quoted.
func TestGolden(t *testing.T) {
	data, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	var texts [][]byte
	var wants [][2]int
	for i, line := range lines {
		var want [2]int
		var quoted string
		if _, err := fmt.Sscanf(line, "%d %d %q", &want[0], &want[1], &quoted); err != nil {
			t.Fatalf("%s:%d: %v", golden, i+1, err)
		}
		texts, wants = append(texts, []byte(quoted)), append(wants, want)
	}
	if len(texts) < 200 {
		t.Fatalf("%d texts, want 200", len(texts))
	}
	if *update {
		updateGolden(t, texts)
		return
	}
	c := newCounters()
	for i, want := range wants {
		if got := c.count(t, texts[i]); got != want {
			t.Errorf("%s:%d: got %v, want %v tokens of %q", golden, i+1, got, want, texts[i])
		}
	}
}

func updateGolden(t *testing.T, texts [][]byte) {
	t.Helper()
	var out bytes.Buffer
	for i, n := range startOracle(t).count(t, texts) {
		fmt.Fprintf(&out, "%d %d %s\n", n[0], n[1], strconv.QuoteToASCII(string(texts[i])))
	}
	if err := os.WriteFile(golden, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// references are the plain counters of both encodings.
type references struct{ cl, o *reference }

func newReferences(tb testing.TB) references {
	tb.Helper()
	read := func(e token.Encoding) *reference {
		table, err := os.ReadFile(e.String() + ".bin")
		if err != nil {
			tb.Fatal(err)
		}
		return newReference(e, string(table))
	}
	return references{read(token.CL100K), read(token.O200K)}
}

func (r references) count(text []byte) [2]int { return [2]int{r.cl.count(text), r.o.count(text)} }

// newer reports whether a text holds characters that the reference may not
// know: unassigned ones.
func newer(text []byte) bool {
	return bytes.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Cn, r) })
}

func TestReference(t *testing.T) {
	c, refs := newCounters(), newReferences(t)
	g := newGenerator(rand.New(rand.NewPCG(3, 4)))
	for range 5000 {
		text := g.text()
		if newer(text) {
			continue
		}
		if got, want := c.count(t, text), refs.count(text); got != want {
			t.Fatalf("got %v, want %v tokens of %q", got, want, text)
		}
	}
}

// TestPieces compares where texts are split; most wrong splits do not show in
// the counts. The ASCII path is tried at every byte.
func TestPieces(t *testing.T) {
	refs := newReferences(t)
	g := newGenerator(rand.New(rand.NewPCG(12, 13)))
	for range 5000 {
		text := []byte(wellFormed(g.text()))
		if newer(text) {
			continue
		}
		checkPieces(t, token.CL100K, text, refs.cl.pieces(string(text)))
		checkPieces(t, token.O200K, text, refs.o.pieces(string(text)))
		for i := range text {
			cl, o, ok := token.NextASCII(text, i)
			if !ok {
				continue
			}
			if want := token.Next(text, i, token.CL100K); cl != want {
				t.Fatalf("cl100k_base: the piece at %d ends at %d, for ASCII at %d, in %q", i, want, cl, text)
			}
			if want := token.Next(text, i, token.O200K); o != want {
				t.Fatalf("o200k_base: the piece at %d ends at %d, for ASCII at %d, in %q", i, want, o, text)
			}
		}
	}
}

func checkPieces(t *testing.T, e token.Encoding, text []byte, pieces []string) {
	t.Helper()
	i := 0
	for _, want := range pieces {
		end := token.Next(text, i, e)
		if got := string(text[i:end]); got != want {
			t.Fatalf("%v: got piece %q, want %q, at %d in %q", e, got, want, i, text)
		}
		i = end
	}
}

// TestHostileCounts compares texts made to be slow, long enough for several
// windows of merging and at every distance from the end of the text.
func TestHostileCounts(t *testing.T) {
	c, refs := newCounters(), newReferences(t)
	for name, text := range hostileTexts(1100) {
		if newer(text) {
			continue
		}
		for _, n := range []int{1, 15, 16, 17, 31, 32, 33, 64, 65, 129, 1100} {
			if got, want := c.count(t, text[:n]), refs.count(text[:n]); got != want {
				t.Errorf("%s: got %v, want %v tokens of %d bytes", name, got, want, n)
			}
		}
	}
}

// TestHostileTime fails when a text takes time that grows with the square of
// its length: that would be a minute.
func TestHostileTime(t *testing.T) {
	p := token.NewPair()
	for name, text := range hostileTexts(1 << 18) {
		start := time.Now()
		cl, o := p.Count(text)
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("%s: 256 KB take %v (%d, %d tokens)", name, d, cl, o)
		}
	}
}

// TestAllocations holds the promise that counting allocates nothing, even for
// long pieces.
func TestAllocations(t *testing.T) {
	p, c := token.NewPair(), token.New(token.O200K)
	for name, text := range hostileTexts(20_000) {
		s := string(text)
		n := 1.0
		for range 3 { // the runtime's own allocations are counted, too, now and then
			n = min(n, testing.AllocsPerRun(1, func() { p.Count(text); c.CountString(s) }))
		}
		if n > 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func TestCountString(t *testing.T) {
	p, c := token.NewPair(), token.New(token.CL100K)
	for _, s := range []string{"", "x", "Hello, world!", strings.Repeat("It's fooBar.\n", 10)} {
		cl, o := p.Count([]byte(s))
		if scl, so := p.CountString(s); scl != cl || so != o {
			t.Errorf("CountString(%q) = %d, %d; Count = %d, %d", s, scl, so, cl, o)
		}
		if n := c.CountString(s); n != cl {
			t.Errorf("CountString(%q) = %d alone, %d in a pair", s, n, cl)
		}
	}
}

func TestEncodingString(t *testing.T) {
	for e, want := range map[token.Encoding]string{token.CL100K: "cl100k_base", token.O200K: "o200k_base", 7: "encoding 7"} {
		if got := e.String(); got != want {
			t.Errorf("Encoding(%d).String() = %q, want %q", uint8(e), got, want)
		}
	}
}

// FuzzCount checks what holds for any bytes: the plain reference counts the
// same, alone and in a pair, in a counter that has seen other text and in the
// middle of a larger buffer.
func FuzzCount(f *testing.F) {
	for _, s := range fragments {
		f.Add([]byte(s))
	}
	g := newGenerator(rand.New(rand.NewPCG(5, 6)))
	for range 100 {
		f.Add(g.text())
	}
	refs := newReferences(f)
	used := newCounters()
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 4000 {
			return // the reference takes the square of it
		}
		got := used.count(t, text)
		if again := used.count(t, text); again != got {
			t.Errorf("%v tokens, then %v of %q", got, again, text)
		}
		if inner := used.count(t, append(append([]byte{}, text...), "xyz"...)[:len(text)]); inner != got {
			t.Errorf("%v tokens, with bytes behind %v of %q", got, inner, text)
		}
		if n := len(wellFormed(text)); got[0] > n || got[1] > n || (n > 0) != (got[0] > 0 && got[1] > 0) {
			t.Errorf("%v tokens of %d bytes", got, n)
		}
		if want := refs.count(text); got != want && !newer(text) {
			t.Errorf("got %v, want %v tokens of %q", got, want, text)
		}
	})
}
