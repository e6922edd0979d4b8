package vocab

import (
	"fmt"
	"strings"
	"testing"
)

// tokens returns n distinct tokens of 1 to 40 bytes, with zeros in and behind them.
func tokens(n int) []string {
	all := []string{"\x00", "\x00\x00", "a", "a\x00", "a\x00\x00"}
	for i := len(all); i < n; i++ {
		t := fmt.Sprintf("%d%s", i, strings.Repeat(string(rune('a'+i%26)), i%34))
		all = append(all, t)
	}
	return all
}

// rank looks t up with garbage behind it.
func rank(v *Vocab, t string) uint32 {
	return v.Rank(append([]byte(t), "\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8\xf7\xf6\xf5\xf4\xf3\xf2\xf1\xf0"...), len(t))
}

func TestRank(t *testing.T) {
	for _, n := range []int{1, 5, 100, 20_000} {
		all := tokens(n)[:n]
		data, err := Build(all)
		if err != nil {
			t.Fatal(err)
		}
		v, err := Open(string(data))
		if err != nil {
			t.Fatal(err)
		}
		if v.Len() != n {
			t.Errorf("Len() = %d, want %d", v.Len(), n)
		}
		known := map[string]bool{}
		for i, tok := range all {
			known[tok] = true
			if got := rank(&v, tok); got != uint32(i) {
				t.Errorf("%d tokens: rank of %q is %d, want %d", n, tok, got, i)
			}
			if got := v.Token(i); got != tok {
				t.Errorf("Token(%d) = %q, want %q", i, got, tok)
			}
		}
		for _, tok := range all {
			for _, no := range []string{tok + "\x00", tok + "~", "~" + tok, tok[:len(tok)-1]} {
				if no != "" && !known[no] && rank(&v, no) != None {
					t.Errorf("%d tokens: %q has rank %d, want none", n, no, rank(&v, no))
				}
			}
		}
	}
}

func TestOpenBroken(t *testing.T) {
	good, err := Build(tokens(100))
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{
		"empty":       "",
		"other magic": "kentok2\n" + string(good[8:]),
		"cut":         string(good[:len(good)/4]),
		"slots":       string(good[:12]) + "\xff\xff\xff\xff" + string(good[16:]),
		"tokens":      string(good[:8]) + "\xff\xff\xff\xff" + string(good[12:]),
	} {
		if _, err := Open(data); err == nil {
			t.Errorf("%s: opened", name)
		}
	}
}

func TestBuildTooMany(t *testing.T) {
	if _, err := Build(make([]string, maxTokens+1)); err == nil {
		t.Error("built a vocabulary whose ranks do not fit")
	}
}
