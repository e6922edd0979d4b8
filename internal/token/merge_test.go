package token

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"unicode/utf8"

	"ken/internal/token/vocab"
)

// TestTokensAreReached checks that merging a token gives that token, that no
// token is longer than is looked up, and that the longest fit into a window.
func TestTokensAreReached(t *testing.T) {
	m := newMerger(window)
	for e, table := range map[Encoding]string{CL100K: cl100kTable, O200K: o200kTable} {
		v := mustOpen(table)
		unreached, most := 0, 0
		for rank := range v.Len() {
			token := v.Token(rank)
			most = max(most, len(token))
			if n := m.merge(v, append([]byte(token), make([]byte, vocab.Pad)...), len(token)); n != 1 {
				unreached++
			}
		}
		if unreached > 0 || most > longest || 8*most > window {
			t.Errorf("%v: merging does not reach %d tokens; the longest has %d bytes", e, unreached, most)
		}
	}
}

// TestStream compares pieces merged in windows of few bytes with the same merged
// whole.
func TestStream(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	alphabets := []string{"a", "ab", " ", "=-", "aAbB", "etaoin shrdlu", "的一是不", "😀👍🏽\u200d", "\x80\xffa", "\xf0\x9f\x98z"}
	for e, table := range map[Encoding]string{CL100K: cl100kTable, O200K: o200kTable} {
		v := mustOpen(table)
		for _, size := range []int{8, 16, 33, 64, 200} {
			whole, windows := newMerger(1<<14), newMerger(size)
			for range 150 {
				alphabet := alphabets[r.IntN(len(alphabets))]
				piece := make([]byte, longest+1+r.IntN(1500)) // longer than a token
				for i := range piece {
					piece[i] = alphabet[r.IntN(len(alphabet))]
				}
				broken := !utf8.Valid(piece)
				got, want := windows.count(v, piece, broken), whole.count(v, piece, broken)
				if got != want {
					t.Fatalf("%v: windows of %d bytes: %d tokens, whole %d, of %q", e, size, got, want, piece)
				}
				if windows.size() != size {
					t.Fatalf("windows of %d bytes stay at %d", size, windows.size())
				}
			}
		}
	}
}

// TestTournament compares both ways to merge.
func TestTournament(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 11))
	text := bytes.Repeat([]byte("getElementById(internationalisation)=====aaaaaaaa        \n\n\n的一是不了人我在有他"), 2)
	v, m := mustOpen(o200kTable), newMerger(window)
	for range 3000 {
		n := 2 + r.IntN(scanned-1)
		from := r.IntN(len(text) - n)
		buf := append(append([]byte{}, text[from:from+n]...), make([]byte, vocab.Pad)...)
		want := m.merge(v, buf, n)
		starts := m.long.merge(v, buf, n, nil)
		for k, s := range m.starts[:want+1] {
			if len(starts) != want+1 || starts[k] != s {
				t.Fatalf("%q: tournament has parts at %v, scan at %v", buf[:n], starts, m.starts[:want+1])
			}
		}
	}
}
