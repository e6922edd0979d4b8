package scan

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"ken/internal/code"
)

// wide is a text in UTF-16 with a byte order mark.
func wide(text string, big bool) []byte {
	var b []byte
	for _, u := range append([]uint16{0xFEFF}, utf16.Encode([]rune(text))...) {
		if big {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return b
}

func TestText(t *testing.T) {
	for _, c := range []struct {
		in   []byte
		want string
	}{
		{[]byte("plain"), "plain"},
		{[]byte("\xef\xbb\xbfbom"), "\xef\xbb\xbfbom"},
		{[]byte("latin \xe9"), "latin \xe9"},
		{wide("a\nü€😀\n", false), "a\nü€😀\n"},
		{wide("a\nü€😀\n", true), "a\nü€😀\n"},
		{wide("", false), ""},
		{append(wide("x", false), 0x41), "x\uFFFD"},
		{append(wide("x", false), 0x3d, 0xd8), "x\uFFFD"},                         // half a character at the end
		{append(wide("x", false), 0x3d, 0xd8, 0x41, 0), "x\uFFFDA"},               // and before another
		{append(wide("x", false), 0x00, 0xdc, 0x41, 0), "x\uFFFDA"},               // the other half first
		{[]byte{0xFF, 0xFE, 0, 0, 'a', 0, 0, 0}, "\xFF\xFE\x00\x00a\x00\x00\x00"}, // UTF-32
		{[]byte{0xFF}, "\xFF"},
		{nil, ""},
	} {
		if got := Text(c.in); string(got) != c.want {
			t.Errorf("Text(%q) = %q, want %q", c.in, got, c.want)
		}
		if got, err := io.ReadAll(TextReader(bytes.NewReader(c.in))); err != nil || string(got) != c.want {
			t.Errorf("TextReader(%q) = %q, %v, want %q", c.in, got, err, c.want)
		}
	}
}

// FuzzText: what was encoded comes back, and any bytes with a mark give valid
// UTF-8, whole and streamed alike.
func FuzzText(f *testing.F) {
	f.Add([]byte("a\x00\xd8\x3d"))
	f.Add([]byte("ü😀\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, big := range []bool{false, true} {
			if s := strings.ToValidUTF8(string(b), "?"); !strings.HasPrefix(s, "\x00") && string(Text(wide(s, big))) != s {
				t.Errorf("%q came back as %q", s, Text(wide(s, big)))
			}
			src := append(wide("", big), b...)
			got := Text(src)
			if wideDecoder(src) != nil && !utf8.Valid(got) {
				t.Errorf("Text(%q) = %q", src, got)
			}
			if streamed, err := io.ReadAll(TextReader(bytes.NewReader(src))); err != nil || !bytes.Equal(streamed, got) {
				t.Errorf("TextReader(%q) = %q, %v, want %q", src, streamed, err, got)
			}
		}
	})
}

// TestReadWide reads UTF-16 as the text it is.
func TestReadWide(t *testing.T) {
	dir := t.TempDir()
	text := "// Größe\npublic class A {}\n" + strings.Repeat("// 😀\n", 300)
	for name, b := range map[string][]byte{
		"le.cs": wide(text, false), "be.cs": wide(text, true),
		"nul.cs": wide("a\x00b", false), "thirtytwo.cs": {0xFF, 0xFE, 0, 0, 'a', 0, 0, 0},
	} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s, err := New(Options{Root: dir})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"le.cs", "be.cs"} {
		c, err := s.Read(context.Background(), name)
		if err != nil || c.Problem != code.ProblemNone || string(c.Bytes) != text || c.Lines != 302 {
			t.Errorf("%s: %v, problem %q, %d lines, %.40q", name, err, c.Problem, c.Lines, c.Bytes)
		}
		whole, err := s.ReadWhole(name)
		if err != nil || !bytes.Equal(whole, []byte(text)) {
			t.Errorf("%s whole: %v, %.40q", name, err, whole)
		}
	}
	for _, name := range []string{"nul.cs", "thirtytwo.cs"} {
		if c, err := s.Read(context.Background(), name); err != nil || c.Problem != code.ProblemBinary {
			t.Errorf("%s: %v, problem %q", name, err, c.Problem)
		}
	}
}
