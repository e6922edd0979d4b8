package look

import (
	"testing"
)

func TestSeam(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{`" + "b`, 5}, {"\" +\n\t\t\"b", 7}, {`' . 'b`, 5}, {"\"\n \"b", 4}, {`" & "b`, 5}, {"' \\\n 'b", 6},
		{`""`, 0}, {`" + b`, 0}, {`", "b`, 0}, {`"; x = "b`, 0}, {`a" + "b`, 0}, {`"`, 0}, {``, 0},
	} {
		if got := JoinLength([]byte(c.text), 0); got != c.want {
			t.Errorf("Seam(%q) = %d, want %d", c.text, got, c.want)
		}
	}
}

func TestContinued(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{"\\\nb", 2}, {"\\ \r\n\tb", 5}, {"\\\n  +b", 4},
		{"\\n", 0}, {"\\\n\"b", 0}, {"\\\n\n", 0}, {"b\\\nb", 0}, {"\\", 0},
	} {
		if got := Continuation([]byte(c.text), 0); got != c.want {
			t.Errorf("Continued(%q) = %d, want %d", c.text, got, c.want)
		}
	}
}

func TestJoin(t *testing.T) {
	for _, c := range []struct {
		src    string
		lo     int
		want   string
		pieces int
	}{
		{`"ab" + "cd"`, 1, "abcd", 2},
		{"(\"ab\"\n \"cd\"\n \"ef\")", 2, "abcdef", 3},
		{`"ab", "cd"`, 1, "ab", 1},
		{"\"ab\n\" + \"cd\"", 1, "ab", 1},
	} {
		var p Pieces
		p.Join([]byte(c.src), c.lo)
		if string(p.Text()) != c.want || p.Len() != c.pieces {
			t.Errorf("%q: %q of %d pieces, want %q of %d", c.src, p.Text(), p.Len(), c.want, c.pieces)
		}
		for i, b := range []byte(c.want) {
			if at := p.At(i, false); c.src[at] != b {
				t.Errorf("%q: byte %d of %q is said to be at %d", c.src, i, c.want, at)
			}
		}
		if end := p.At(len(c.want), true); c.src[end-1] != c.want[len(c.want)-1] {
			t.Errorf("%q: its end is said to be %d", c.src, end)
		}
	}
}
