package operation

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

type inner struct {
	Path Path   `json:"path" doc:"d"`
	Note string `json:"note,omitempty" doc:"d"`
}

type embedded struct {
	Revision int `json:"revision" doc:"d"`
}

type answer struct {
	embedded
	List   []inner        `json:"list" paths:"yes" doc:"d"`
	Rows   Rows[inner]    `json:"rows" paths:"yes" doc:"d"`
	Map    Entries[inner] `json:"map" doc:"d"`
	Counts map[string]int `json:"counts" doc:"d"`
	Share  float64        `json:"share" doc:"d"`
	Names  []string       `json:"names" doc:"d"`
	Sub    *inner         `json:"sub" doc:"d"`
	Yes    bool           `json:"yes" doc:"d"`
}

func rowsOf(list ...inner) Rows[inner] {
	return func(yield func(inner, error) bool) {
		for _, r := range list {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func TestWriteJSON(t *testing.T) {
	a := answer{
		embedded: embedded{7},
		List:     []inner{{Path: "a"}, {Path: "b\xff", Note: "n"}},
		Rows:     rowsOf(inner{Path: "r"}),
		Map:      func(yield func(Entry[inner], error) bool) { yield(Entry[inner]{"k\"", inner{Path: "m"}}, nil) },
		Counts:   map[string]int{"z": 1, "a": 2},
		Share:    2.0 / 3,
		Names:    []string{"x", "<&>"},
		Yes:      true,
	}
	var b bytes.Buffer
	if err := WriteJSON(&b, &a); err != nil {
		t.Fatal(err)
	}
	want := `{"revision":7,"list":[
{"path":"a"},
{"path":"b` + "\uFFFD" + `","path_base64":"Yv8=","note":"n"}
],"rows":[
{"path":"r"}
],"map":{
"k\"":{"path":"m"}
},"counts":{"a":2,"z":1},"share":0.666667,"names":[
"x",
"<&>"
],"sub":null,"yes":true}
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
	if !json.Valid(b.Bytes()) {
		t.Error("not JSON")
	}
	b.Reset()
	if err := WriteJSON(&b, &answer{Share: math.NaN()}); err != nil || !json.Valid(b.Bytes()) {
		t.Errorf("an empty answer: %v %s", err, b.String())
	}
}

// TestWriteJSONStreams shows that rows leave memory as they come, and that an
// error among them is returned.
func TestWriteJSONStreams(t *testing.T) {
	broken := errors.New("broken")
	n := 0
	w := writerFunc(func(p []byte) (int, error) {
		if len(p) > 2*flushAt {
			t.Fatalf("%d bytes at once", len(p))
		}
		n++
		return len(p), nil
	})
	a := answer{Rows: func(yield func(inner, error) bool) {
		for range 10_000 {
			if !yield(inner{Path: "some/path/of/a/file"}, nil) {
				return
			}
		}
		yield(inner{}, broken)
	}}
	if err := WriteJSON(w, &a); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if n < 5 {
		t.Errorf("written in %d pieces", n)
	}
	full := errors.New("full")
	if err := WriteJSON(writerFunc(func([]byte) (int, error) { return 0, full }), &a); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestWritePaths(t *testing.T) {
	a := answer{List: []inner{{Path: "b\n"}, {Path: "a"}, {Path: "b\n"}}, Rows: rowsOf(inner{Path: "\xff"}, inner{Path: "a"})}
	var b bytes.Buffer
	if err := WritePaths(&b, &a, false); err != nil || b.String() != "b\\n\na\n\\xff\n" {
		t.Errorf("got %q, %v", b.String(), err)
	}
	b.Reset()
	if err := WritePaths(&b, &a, true); err != nil || b.String() != "b\n\x00a\x00\xff\x00" {
		t.Errorf("got %q, %v", b.String(), err)
	}
}

// FuzzString checks that every string survives JSON as far as it is UTF-8, that
// raw bytes survive as base64, and that neither JSON nor text can reach the terminal.
func FuzzString(f *testing.F) {
	for _, s := range []string{"", "plain", "\x1b]0;x\x07", "a\xffb", "\u202eevil", "\u009b31m", "tab\tnl\n\r", `q"\`, "\U000e0041\u200b\ufeff", "日本語 é 🙂", "\u2028\u2029\x7f\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var b bytes.Buffer
		if err := WriteJSON(&b, &inner{Path: Path(s), Note: s}); err != nil {
			t.Fatal(err)
		}
		var got struct {
			Path       string `json:"path"`
			PathBase64 string `json:"path_base64"`
			Note       string `json:"note"`
		}
		if err := json.Unmarshal(b.Bytes(), &got); err != nil {
			t.Fatalf("%v in %s", err, b.String())
		}
		if want := string([]rune(s)); got.Path != want || got.Note != want {
			t.Errorf("got %q, want %q", got.Path, want)
		}
		raw, err := base64.StdEncoding.DecodeString(got.PathBase64)
		if err != nil || utf8.ValidString(s) != (got.PathBase64 == "") || !utf8.ValidString(s) && string(raw) != s {
			t.Errorf("base64 is %q", got.PathBase64)
		}
		for _, out := range []string{strings.TrimSuffix(b.String(), "\n"), Escape(s), strings.ReplaceAll(EscapeLine(s), "\t", "")} {
			for _, r := range out {
				if !visible(r) {
					t.Errorf("%q lets %U through", out, r)
				}
			}
			if !utf8.ValidString(out) {
				t.Errorf("%q is not UTF-8", out)
			}
		}
		if Escape(Escape(s)) != Escape(s) {
			t.Errorf("escaping %q twice gives something else", s)
		}
	})
}
