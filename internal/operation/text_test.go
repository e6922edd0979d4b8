package operation

import (
	"strings"
	"testing"
)

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"":                    "",
		"plain é 日本 🙂":        "plain é 日本 🙂",
		"\x1b[31m":            `\x1b[31m`,
		"a\nb\tc\rd\x00\x7f":  `a\nb\tc\rd\x00\x7f`,
		"\u202e\u2066\u200f":  `\u202e\u2066\u200f`,
		"\u009b1m":            `\u009b1m`,
		"\xff\xc0a":           `\xff\xc0a`,
		"\U000e0041":          `\U000e0041`,
		"\uFFFD":              "\uFFFD",
		"\ufeff\u200b\u00a0x": `\ufeff\u200b` + "\u00a0x",
	} {
		if got := Escape(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	if got := EscapeLine("\tx\x1b\n"); got != "\tx\\x1b\\n" {
		t.Errorf("got %q", got)
	}
}

func TestQuote(t *testing.T) {
	if got := Quote("a\x1bb"); got != `"a\x1bb"` {
		t.Errorf("got %s", got)
	}
	long := Quote(strings.Repeat("日", 400_000))
	if len(long) > 130 || !strings.Contains(long, " … ") {
		t.Errorf("got %d bytes: %s", len(long), long)
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int]string{0: "0", 7: "7", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1234: "-1,234", -123: "-123"} {
		if got := Group(n); got != want {
			t.Errorf("%d: got %s", n, got)
		}
	}
	for _, c := range [][2]string{{Plural(1, "file"), "1 file"}, {Plural(2, "file"), "2 files"}, {Plural(0, "dependency"), "0 dependencies"}, {Plural(1200, "reference"), "1,200 references"}} {
		if c[0] != c[1] {
			t.Errorf("got %s, want %s", c[0], c[1])
		}
	}
	for share, want := range map[float64]string{0: "0%", 0.5: "50%", 0.999: "99%", 1: "100%", 0.004: "0%"} {
		if got := Percent(share); got != want {
			t.Errorf("%v: got %s", share, got)
		}
	}
	for n, want := range map[int64]string{999: "999 bytes", 1500: "1.5 kB", 2_500_000: "2.5 MB", 3e9: "3.0 GB"} {
		if got := Size(n); got != want {
			t.Errorf("%d: got %s", n, got)
		}
	}
}

func TestText(t *testing.T) {
	var b strings.Builder
	text := NewText(&b, true)
	text.Heading("first %s", "\x1b")
	text.Line("%s %s %d %s", "a\nb", Path("p\x07"), 3, text.Dim("x\u202e"))
	text.Table("  ", 1, [][]string{{"1", "é", "last\t"}, {"10", "zz", ""}})
	text.Paragraph("> ", "one\n\ttwo \x1b\n")
	text.More("", 1234)
	text.More("", 0)
	if err := text.Flush(); err != nil {
		t.Fatal(err)
	}
	want := "\x1b[1mfirst \\x1b\x1b[0m\n" +
		"a\\nb p\\x07 3 \x1b[2mx\\u202e\x1b[0m\n" +
		"   1  é   last\\t\n" +
		"  10  zz\n" +
		"> one\n> \ttwo \\x1b\n" +
		"… and 1,234 more (--limit 0 for all)\n"
	if b.String() != want {
		t.Errorf("got\n%q, want\n%q", b.String(), want)
	}
}
