package words

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

func TestEach(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"parseFile", "parsefile +pars +file"},
		{"parse_file PARSE_FILE", "parsefile +pars +file parsefile +pars +file"},
		{"HTTPServer2", "httpserver2 +http +server +2"},
		{"__init__ x a_b", "init ab"},
		{"don't caching cached caches", "don cach cach cach"},
		{"/path/to/go.mod:12", "path to go mod 12"},
		{"12345678 404", "404"},
		{"Größe", "größe"},
		{"漢字テスト", "漢字 字テ テス スト"},
		{"naïveÜbung", "naïveübung"},
		{strings.Repeat("a", 81), ""},
		{"\xff\xfe bytes", "byte"},
		{"— “” …", ""},
		{"", ""},
	} {
		names := map[Term]string{}
		for _, w := range strings.FieldsFunc(c.want, func(r rune) bool { return r == ' ' || r == '+' }) {
			names[Of(w)] = w
		}
		var got []string
		NewSplitter().Each([]byte(c.text), func(start, end int, toks []Token) {
			if start < 0 || end > len(c.text) || start >= end {
				t.Errorf("%q: bytes %d to %d", c.text, start, end)
			}
			for _, k := range toks {
				name, ok := names[k.Term]
				if !ok {
					name = "?"
				}
				if k.Part {
					name = "+" + name
				}
				got = append(got, name)
			}
		})
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%q: got %q, want %q", c.text, g, c.want)
		}
	}
}

func TestStem(t *testing.T) {
	for w, want := range map[string]string{
		"caresses": "caress", "ponies": "poni", "ties": "ti", "cats": "cat", "feed": "feed", "agreed": "agre", "plastered": "plaster",
		"motoring": "motor", "sing": "sing", "conflated": "conflat", "hopping": "hop", "falling": "fall", "filing": "file", "happy": "happi",
		"sky": "sky", "relational": "relat", "validation": "valid", "validator": "valid", "validate": "valid", "vietnamization": "vietnam",
		"formaliti": "formal", "electrical": "electr", "adjustment": "adjust", "adoption": "adopt", "controll": "control", "rate": "rate", "is": "is",
	} {
		if got := string(Stem([]byte(w))); got != want {
			t.Errorf("Stem(%q) = %q, want %q", w, got, want)
		}
	}
}

// TestStemOracle compares with Porter's algorithm of Python's snowballstemmer
// over the words of Go's own documentation.
func TestStemOracle(t *testing.T) {
	if os.Getenv("KEN_ORACLE") == "" {
		t.Skip("needs Python with snowballstemmer; set KEN_ORACLE=1")
	}
	python := os.Getenv("KEN_PYTHON")
	if python == "" {
		python = "python3"
	}
	list := words(t)
	cmd := exec.Command(python, "-c", "import sys,snowballstemmer\ns=snowballstemmer.stemmer('porter')\nfor l in sys.stdin: print(s.stemWord(l.strip()))")
	cmd.Stdin = strings.NewReader(strings.Join(list, "\n"))
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("no snowballstemmer: %v", err)
	}
	for i, want := range strings.Fields(string(out)) {
		if got := string(Stem([]byte(list[i]))); got != want {
			t.Errorf("Stem(%q) = %q, want %q", list[i], got, want)
		}
	}
	t.Logf("%d words", len(list))
}

func words(t *testing.T) []string {
	out, err := exec.Command("go", "doc", "-all", "net/http").Output()
	if err != nil {
		t.Skipf("no go doc: %v", err)
	}
	list := strings.FieldsFunc(strings.ToLower(string(out)), func(r rune) bool { return r < 'a' || r > 'z' })
	slices.Sort(list)
	return slices.DeleteFunc(slices.Compact(list), func(w string) bool { return len(w) < 3 })
}

func FuzzEach(f *testing.F) {
	for _, s := range []string{"parseFile", "a_b", "漢字テスト", "\xff\xfe", "HTTPServer2 ünder"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s, last := NewSplitter(), 0
		was := string(text)
		s.Each(text, func(start, end int, toks []Token) {
			if start < last || end <= start || end > len(text) || len(toks) == 0 {
				t.Fatalf("bytes %d to %d after %d", start, end, last)
			}
			last = end
		})
		if string(text) != was {
			t.Fatal("the text was changed")
		}
	})
}

func BenchmarkEach(b *testing.B) {
	text, err := os.ReadFile("words.go")
	if err != nil {
		b.Fatal(err)
	}
	s := NewSplitter()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s.Each(text, func(int, int, []Token) {})
	}
}

// TestSieve: every word that shares a term with one that was admitted passes.
func TestSieve(t *testing.T) {
	list := append(words(t), "parseFile", "HTTPServer2", "is_any", "a_bc", "XMLHttpRequest", "go2rust", "dying", "flies", "use", "uses", "used")
	s := NewSplitter()
	byTerm := map[Term][]string{}
	for _, w := range list {
		for _, k := range s.Word(w) {
			byTerm[k.Term] = append(byTerm[k.Term], w)
		}
	}
	passes := func(v *Sieve, w string) (passed bool) {
		s.EachIn([]byte(w), v, func(int, int, []Token) { passed = true })
		return passed
	}
	refused := 0
	for i := 0; i < len(list); i += 7 {
		v := NewSieve()
		v.Admit([]byte(list[i]))
		for _, k := range s.Word(list[i]) {
			for _, w := range byTerm[k.Term] {
				if !passes(v, w) {
					t.Errorf("%q admitted, %q does not pass", list[i], w)
				}
			}
		}
		for _, w := range list {
			if !passes(v, w) {
				refused++
			}
		}
	}
	if all := len(list) * ((len(list) + 6) / 7); refused < all*9/10 {
		t.Errorf("only %d of %d refused", refused, all)
	}
}

// TestMemo: a Splitter that has seen more words than it remembers, and words too
// long to be remembered, cuts like a new one.
func TestMemo(t *testing.T) {
	s := NewSplitter()
	long := strings.Repeat("長い", 100)
	for i := range 100_000 {
		w := fmt.Sprintf("wordOf%dThings%d", i%40_000, i%7)
		if i%9000 == 0 {
			w = long
		}
		got := s.Word(w)
		if want := NewSplitter().Word(w); !slices.Equal(got, want) {
			t.Fatalf("%q: %v, want %v", w, got, want)
		}
	}
	if len(s.memo) > maxMemo || cap(s.text) > 2*maxText || cap(s.toks) > 2*maxToks {
		t.Errorf("%d words, %d bytes, %d tokens are kept", len(s.memo), cap(s.text), cap(s.toks))
	}
}
