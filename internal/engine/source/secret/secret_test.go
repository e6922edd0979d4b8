package secret

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"ken/internal/engine/source/secret/rules"
	"ken/internal/engine/source/secret/sample"
)

// checkPromises holds findings against what Find and Mask promise on any text.
func checkPromises(t *testing.T, e *Engine, text []byte, found []Finding) {
	t.Helper()
	end := uint32(0)
	for i, f := range found {
		if f.Start >= f.End || int(f.End) > len(text) || i > 0 && f.Start < end {
			t.Fatalf("finding %d: span %d-%d after %d in %d bytes", i, f.Start, f.End, end, len(text))
		}
		end = f.End
		if line := bytes.Count(text[:f.Start], []byte("\n")) + 1; int(f.Line) != line {
			t.Fatalf("finding %d: line %d, want %d", i, f.Line, line)
		}
		if column := int(f.Start) - bytes.LastIndexByte(text[:f.Start], '\n'); int(f.Column) != column {
			t.Fatalf("finding %d: column %d, want %d", i, f.Column, column)
		}
		if f.Rule == "" || f.Kind == "" {
			t.Fatalf("finding %d has no name: %+v", i, f)
		}
	}
	if len(text) <= rules.MaxShort {
		if short := New().Find(nil, text); !slices.Equal(short, found) {
			t.Fatalf("without the automaton %v, with it %v in %q", short, found, text)
		}
	}
	masked := bytes.Clone(text)
	e.MaskAll(nil, masked, nil)
	if len(masked) != len(text) || bytes.Count(masked, []byte("\n")) != bytes.Count(text, []byte("\n")) {
		t.Fatal("masking changed the shape of the text")
	}
	if again := e.Find(nil, masked); len(again) > 0 {
		f := again[0]
		lo, hi := lineAround(masked, int(f.Start), int(f.End))
		t.Fatalf("masked text has a finding of its own: %s %d-%d %q (text %q)", f.Rule, f.Start, f.End, masked[lo:hi], text[lo:hi])
	}
}

// TestOddBytes finds in text outside ASCII where letters are looked for.
func TestOddBytes(t *testing.T) {
	e := New()
	for _, text := range []string{"{user: b, password: aéi}\n", "pass: \"\xffa\xfee\"", "TOKEN=\xc3\xa9\xc3\xa0abc12\n", "secret = '\x00aeiou\x80'"} {
		checkPromises(t, e, []byte(text), e.Find(nil, []byte(text)))
	}
}

// TestAllocations: Find allocates nothing at the keywords of a text without secrets.
func TestAllocations(t *testing.T) {
	e := New()
	for _, line := range []string{
		"password = os.Getenv(name)", "api_key: config.Key", "token := r.Token()", "aesKey = newKey(size)", "auth = app.login", `secret = "the name"`,
	} {
		text := bytes.Repeat([]byte(line+"\n"), 100)
		if n := testing.AllocsPerRun(10, func() { e.Find(nil, text) }); n > 50 {
			t.Errorf("%s, 100 times: %v allocations", line, n)
		}
	}
}

// TestHostile makes sure that the work grows with the text: keywords within what was found cost no second look at all of it. The
// time is far from what a slow machine needs, and was minutes for the first of these.
func TestHostile(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	set := sample.Alphabet("A-Za-z0-9")
	e := New()
	for _, head := range []string{"xoxb-", "LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQ", "UFJJVkFURSBLRVkt", "+MIIEpAIBAAKC", "eyJ", "password=", "key={1,", "auth=(\""} {
		var text []byte
		for len(text) < 1<<19 {
			text = append(append(text, head...), sample.Random(rnd, set, 40)...)
			if head == "xoxb-" || head == "eyJ" {
				text = append(text, '-')
			}
		}
		begin := time.Now()
		e.Find(nil, text)
		if took := time.Since(begin); took > 10*time.Second {
			t.Errorf("%q: %v for half a megabyte", head, took)
		}
	}
}

// TestRepeated does the same with texts that are one piece over and over: each piece begins something that reaches far.
func TestRepeated(t *testing.T) {
	e := New()
	for _, piece := range []string{
		"kind: Secret\n", "- kind: Secret\n", "data:\n kind: Secret\n", "kind: Secret\ndata:\n  a: |\n", "kind: \"Secret\"\ndata:\n a: \"",
		`{"kind":"Secret",`, `{"kind":"Secret","data":{`, `"kind":"Secret",`, `}"kind":"Secret",`, `{"kind":"Secret","a":{`, `{\"kind\":\"Secret\",\"data\":{`,
		"%5f", "%25", "a\\\n", "a\\\n ", "QUFB", "QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFB\n", "user,password\n\n", "user,password,password\n", "password,",
		"<token>\n", "password (a ?: ", "password = x ; ", "token=\\\n",
	} {
		text := bytes.Repeat([]byte(piece), 1<<19/len(piece))
		begin := time.Now()
		checkPromises(t, e, text, e.Find(nil, text))
		if took := time.Since(begin); took > 20*time.Second {
			t.Errorf("%q: %v for half a megabyte", piece, took)
		}
	}
}
