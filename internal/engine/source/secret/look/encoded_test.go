package look

import (
	"bytes"
	"encoding/base64"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
)

// ascii is n random characters of ASCII that are shown.
func ascii(rnd *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(' ' + rnd.IntN('~'-' '+1))
	}
	return b
}

// TestBase64 finds texts of every length at every place, in both alphabets, whole and wrapped, and reads what they say.
func TestBase64(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	for round := range 4000 {
		plain := bytes.Map(func(r rune) rune { // what base64 writes with a mark is in TestMarks
			if strings.ContainsRune(">?~", r) {
				return 'x'
			}
			return r
		}, ascii(rnd, 21+rnd.IntN(300)))
		enc := base64.StdEncoding.EncodeToString(plain)
		if round%3 == 0 {
			enc = strings.TrimRight(enc, "=")
		}
		if round%2 == 0 && len(enc) > 76 {
			var lines []string
			for rest := enc; ; rest = rest[76:] {
				if len(rest) <= 76 {
					lines = append(lines, rest)
					break
				}
				lines = append(lines, rest[:76])
			}
			enc = strings.Join(lines, []string{"\n", "\r\n    "}[rnd.IntN(2)])
		}
		before := strings.Repeat("a b.", rnd.IntN(20)) + strings.Repeat(" ", rnd.IntN(9)) + []string{"", "\"", "x/", "k="}[rnd.IntN(4)]
		text := []byte(before + enc + "\"\nand more")
		lo, hi, says := 0, 0, []byte(nil)
		FindBase64(text, func(l, h int, s []byte) bool {
			lo, hi, says = l, h, bytes.Clone(s)
			return false
		})
		if lo != len(before) || hi != len(before)+len(enc) || !bytes.Equal(says, plain) {
			t.Fatalf("%q in %q: %d-%d, %q", plain, text, lo, hi, says)
		}
	}
}

// TestMarks finds the beginning of a text whose encoding has marks within it, if letters and digits follow.
func TestMarks(t *testing.T) {
	for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		plain := "ab?cd>ef~ the token of the robot, as it was made in May"
		text := []byte("x: " + enc.EncodeToString([]byte(plain)))
		lo, says := 0, ""
		FindBase64(text, func(l, _ int, s []byte) bool {
			lo, says = l, string(s)
			return false
		})
		if lo != 3 || says != plain {
			t.Errorf("%q: from %d, %q", text, lo, says)
		}
	}
}

// TestWindows shows all of a long text, each byte with what is around it.
func TestWindows(t *testing.T) {
	plain := []byte(strings.Repeat("0123456789abcdef ", 5000))
	copy(plain[window-20:], "the needle is over the seam")
	shown, needle := 0, false
	FindBase64([]byte(base64.StdEncoding.EncodeToString(plain)), func(_, _ int, s []byte) bool {
		shown += len(s)
		needle = needle || bytes.Contains(s, []byte("the needle is over the seam"))
		return false
	})
	if shown < len(plain) || !needle {
		t.Errorf("%d of %d bytes are shown, the needle: %v", shown, len(plain), needle)
	}
}

// TestNothing passes over what is no text in base64.
func TestNothing(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 10))
	found := 0
	for range 2000 {
		random := make([]byte, 300)
		for i := range random {
			random[i] = byte(rnd.IntN(256))
		}
		FindBase64([]byte(base64.StdEncoding.EncodeToString(random)), func(int, int, []byte) bool { found++; return false })
	}
	for _, text := range []string{"", "short", strings.Repeat("a", 26), strings.Repeat("TestNameOfManyWordsThatIsLong_", 50), "///////////////////////////////////////"} {
		FindBase64([]byte(text), func(int, int, []byte) bool { found++; return false })
	}
	if found > 0 {
		t.Errorf("%d found", found)
	}
}

// TestStretches reads escapes and continued lines, and says where each byte of what they say is written.
func TestStretches(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 12))
	for range 2000 {
		plain := bytes.Trim(bytes.ReplaceAll(ascii(rnd, 5+rnd.IntN(60)), []byte("%"), nil), " ")
		check(t, FindPercent, "see \"", "/"+url.QueryEscape(string(plain)+"_.")+"%3A", "\" x")
	}
	check(t, FindContinued, "a\n", "TOKEN=abc\\\ndef\\\r\n  ghi", "\nb=1\\\n")
	check(t, FindContinued, "a\n", "TOKEN=abc\\ \ndef", "\n")
	for _, text := range []string{"a \\\nb", "a\\\n", "a\\\n  --b", "a\\\n  b=c", "a\\n", "a\\", "100% of %5", "%zz", "%C3%A9"} {
		none := func(s Decoded) bool { t.Errorf("%q gives %q", text, s.Text); return true }
		FindPercent([]byte(text), none)
		FindContinued([]byte(text), none)
	}
}

// check holds the spans of a stretch against its text: side by side they are all of it but what says nothing.
func check(t *testing.T, find func([]byte, func(Decoded) bool), before, written, after string) {
	t.Helper()
	text := []byte(before + written + after)
	n := 0
	find(text, func(s Decoded) bool {
		n++
		for i, c := range s.Text {
			lo, hi := s.Span(i, i+1)
			if got := string(text[lo:hi]); got != string(c) && !strings.EqualFold(got, "%"+string("0123456789ABCDEF"[c>>4])+string("0123456789ABCDEF"[c&15])) {
				t.Fatalf("%q: byte %d of %q is %q", text, i, s.Text, got)
			}
		}
		if lo, hi := s.Span(0, len(s.Text)); !strings.Contains(string(text[lo:hi]), strings.TrimSpace(written)) {
			t.Errorf("%q in %q is %q", s.Text, text, text[lo:hi])
		}
		return false
	})
	if n != 1 {
		t.Errorf("%q: %d found", text, n)
	}
}
