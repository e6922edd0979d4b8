package scip

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func sample() []byte {
	var b bytes.Buffer
	w := NewWriter(&b)
	w.Metadata(&Metadata{ProjectRoot: "file:///p", Tool: "ken", Version: "1"})
	for _, d := range sampleDocuments() {
		w.Document(d)
	}
	return b.Bytes()
}

func sampleDocuments() []*Document {
	return []*Document{
		{Path: "a/b.go", Language: "Go", Encoding: UTF8, Text: "text", HasText: true,
			Occurrences: []Occurrence{
				{Range: Range{Position{1, 2}, Position{1, 5}}, Symbol: "ken . . . a/F().", Roles: RoleDefinition, Enclosing: &Range{Position{1, 0}, Position{300, 1}}},
				{Range: Range{Position{0, 0}, Position{0, 0}}, Symbol: "local 1"},
			},
			Symbols: []Symbol{{Symbol: "ken . . . a/F().", Name: "F", Kind: 17, Documentation: "F is.", Signature: "func F()", Language: "Go", Implements: []string{"x", "y"}}}},
		{Path: "empty"},
	}
}

func TestRoundTrip(t *testing.T) {
	var meta *Metadata
	var docs []*Document
	err := Read(bytes.NewReader(sample()), func(m *Metadata) error { meta = m; return nil }, func(d *Document) error { docs = append(docs, d); return nil })
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(&Metadata{ProjectRoot: "file:///p", Tool: "ken", Version: "1"}, meta); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(sampleDocuments(), docs); d != "" {
		t.Error(d)
	}
}

// TestDamaged: an index that is cut is an error wherever it is cut inside of a
// message, and claims of length cost nothing.
func TestDamaged(t *testing.T) {
	whole := sample()
	n := 0
	for i := range whole {
		err := Read(bytes.NewReader(whole[:i]), nil, func(*Document) error { return nil })
		switch {
		case err == nil:
			n++
		case !errors.Is(err, ErrInvalid):
			t.Errorf("cut at %d: %v", i, err)
		}
	}
	if n != 3 { // before, between and after the three messages, but the end
		t.Errorf("%d cuts were not noticed, want those between messages", n)
	}
	for _, bad := range []string{"\x12\xff\xff\xff\xff\xff\xff\xff\xff\x7f", "\x12\xff\xff\xff\x7fx", "\x00", "\x13", "\xff", "\x12\x02\x0a\x05", "not an index at all"} {
		if err := Read(strings.NewReader(bad), nil, func(*Document) error { return nil }); !errors.Is(err, ErrInvalid) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestSymbols(t *testing.T) {
	for _, c := range []struct{ symbol, name string }{
		{Global("ken", "", "a b", "", Namespace("src"), Namespace("app.ts"), Type("Box"), Method("get", "+1")), "get"},
		{Global("s", "m", "p", "v", Type("T")), "T"}, {Global("s", "m", "p", "v", Type("T"), Term("f`x")), "f`x"},
		{Global("s", "m", "p", "v", Namespace("a/b")), "a/b"}, {Global("s", "m", "p", "v", Macro("m")), "m"},
		{"scip-typescript npm x 1 src/`a.ts`/f().(p)", "p"}, {"x . . . C#`<constructor>`().", "<constructor>"}, {"x . . . f().[T]", "T"},
		{"local 4", ""}, {"", ""}, {"x", ""}, {"().", ""}, {"`", ""}, {"a`.", ""},
	} {
		if got := LastName(c.symbol); got != c.name {
			t.Errorf("LastName(%q) = %q, want %q", c.symbol, got, c.name)
		}
	}
	if got, want := Global("ken", "", "a b", "", Namespace("x y"), Type("Ünï")), "ken . a  b . `x y`/`Ünï`#"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestLines(t *testing.T) {
	l := NewLines([]byte("aé😀b\n\nc"))
	for _, c := range []struct {
		p    Position
		enc  Encoding
		want int
	}{
		{Position{0, 0}, UTF8, 0}, {Position{0, 7}, UTF8, 7}, {Position{0, 8}, UTF8, 8}, {Position{0, 9}, UTF8, -1},
		{Position{0, 2}, UTF16, 3}, {Position{0, 3}, UTF16, -1}, {Position{0, 4}, UTF16, 7}, {Position{0, 3}, UTF32, 7}, {Position{0, 5}, UTF32, -1},
		{Position{1, 0}, UTF16, 9}, {Position{1, 1}, UTF16, -1}, {Position{2, 1}, UTF16, 11}, {Position{3, 0}, UTF8, -1}, {Position{2, 1 << 30}, UTF8, -1},
	} {
		got, ok := l.Offset(c.p, c.enc)
		if ok != (c.want >= 0) || ok && int(got) != c.want {
			t.Errorf("%v in encoding %d: %d %v, want %d", c.p, c.enc, got, ok, c.want)
		}
	}
	for i := range uint32(12) {
		if got, ok := l.Offset(l.Position(i), UTF8); !ok || got != i {
			t.Errorf("byte %d is at %v, which is byte %d", i, l.Position(i), got)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(sample())
	f.Add([]byte("\x12\x04\x12\x02\x0a\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l := NewLines(data)
		Read(bytes.NewReader(data), func(*Metadata) error { return nil }, func(d *Document) error {
			for _, o := range d.Occurrences {
				if len(LastName(o.Symbol)) > len(o.Symbol) {
					t.Error("a name longer than its symbol")
				}
				l.Slice(o.Range, d.Encoding)
				if o.Range.Start.Line < 0 || o.Range.Start.Char < 0 {
					t.Error("a negative range came through")
				}
			}
			// What is written of it reads the same again.
			var b bytes.Buffer
			if err := NewWriter(&b).Document(d); err != nil {
				t.Fatal(err)
			}
			return Read(&b, nil, func(again *Document) error {
				if len(again.Occurrences) != len(d.Occurrences) || again.Path != d.Path || len(again.Symbols) != len(d.Symbols) {
					t.Errorf("written anew it reads differently: %+v", again)
				}
				return nil
			})
		})
	})
}
