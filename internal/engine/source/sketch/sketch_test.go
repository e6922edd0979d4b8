package sketch

import (
	"bytes"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"ken/internal/code"
)

func file(path string, hash byte, age time.Duration) *code.File {
	at := time.Now().Add(-age).UnixNano()
	return &code.File{Path: path, Hash: [32]byte{hash}, Stat: code.Stat{Size: 1, MTime: at, CTime: at}}
}

// TestLacksOnlyWhatIsAbsent takes parts of random texts, and of this source, which a sketch of them must never deny.
func TestLacksOnlyWhatIsAbsent(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	own, err := os.ReadFile("sketch.go")
	if err != nil {
		t.Fatal(err)
	}
	texts := [][]byte{own, bytes.Repeat(own, 200), []byte("a"), nil}
	for _, n := range []int{3, 4, 100, 5000, 1 << 20} {
		text := make([]byte, n)
		for i := range text {
			text[i] = byte(rng.IntN(256))
		}
		texts = append(texts, text)
	}
	denied := 0
	for i, text := range texts {
		var s Set
		f := file("f", byte(i), time.Hour)
		s.Add(f, text)
		for range 2000 {
			if len(text) == 0 {
				break
			}
			from := rng.IntN(len(text))
			part := text[from:min(len(text), from+1+rng.IntN(40))]
			if s.Lacks(f, part) {
				t.Fatalf("text %d of %d bytes lacks %q, which it holds", i, len(text), part)
			}
		}
		for range 100 {
			part := make([]byte, 12)
			for k := range part {
				part[k] = 'A' + byte(rng.IntN(26))
			}
			if s.Lacks(f, part) && !bytes.Contains(text, part) {
				denied++
			}
		}
	}
	if denied < 500 {
		t.Errorf("of 900 parts that texts lack %d were denied: the sketch is of no use", denied)
	}
}

// TestOtherFileIsUnknown checks that nothing is said of a file that is not as it was, nor of one that is young, nor by no set.
func TestOtherFileIsUnknown(t *testing.T) {
	var s Set
	f := file("f", 1, time.Hour)
	s.Add(f, []byte("some text"))
	absent := []byte("absent")
	if !s.Lacks(f, absent) {
		t.Error("a file that lacks a text is not known to")
	}
	changed, touched := *f, *f
	changed.Hash[0], touched.Stat.CTime = 2, f.Stat.CTime+1
	fresh := file("fresh", 3, 0)
	s.Add(fresh, []byte("some text"))
	for name, g := range map[string]*code.File{"content": &changed, "stat": &touched, "path": file("g", 1, time.Hour), "age": fresh} {
		if s.Lacks(g, absent) {
			t.Errorf("something is known of a file of another %s", name)
		}
	}
	if s.Lacks(f, []byte("xy")) {
		t.Error("two bytes are denied, of which nothing is kept")
	}
	if (*Set)(nil).Lacks(f, absent) {
		t.Error("no set knows something")
	}
	s.Forget()
	if s.Lacks(f, absent) {
		t.Error("what was forgotten is known")
	}
}

// TestBounded checks that a set that is full keeps what it has and takes no more.
func TestBounded(t *testing.T) {
	var s Set
	text := make([]byte, 64)
	for i := range 2 * maxBytes / (160 + leastBits/8) {
		f := file(strconv.Itoa(i), byte(i), time.Hour)
		s.Add(f, text)
		if s.bytes > maxBytes {
			t.Fatalf("%d bytes are kept", s.bytes)
		}
	}
	if s.bytes < maxBytes*9/10 {
		t.Errorf("%d bytes are kept of %d that there are", s.bytes, maxBytes)
	}
}

func BenchmarkAdd(b *testing.B) {
	own, err := os.ReadFile("sketch.go")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(own)))
	for b.Loop() {
		newSketch(own)
	}
}
