package operation

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/code"
)

// shelf is a project of the made-up operation below.
type shelf map[string][]string

type booksInput struct {
	Author string `arg:"AUTHOR" help:"whose books"`
	Limit  int    `flag:"limit" value:"N" default:"2" help:"books listed"`
	Format string `flag:"format" value:"FORMAT" enum:"text,list" default:"text" help:"form of the text"`
}

type book struct {
	Path  Path   `json:"path" doc:"where it is"`
	Title string `json:"title" doc:"what it is called"`
}

type booksAnswer struct {
	Total int    `json:"total" doc:"number of books"`
	Books []book `json:"books" paths:"yes" doc:"in order of their shelf"`
}

// books is an operation with everything an operation can declare.
func books() *Tool[shelf] {
	return Spec[shelf, booksInput, booksAnswer]{
		Name: "books", Summary: "books of an author", Long: "More help.", Example: []string{"books Borges"},
		Run: func(_ context.Context, env *Env[shelf], in *booksInput, emit func(*booksAnswer) error) error {
			s, err := env.Open(env.Dir, Existing)
			if err != nil {
				return err
			}
			titles := s[in.Author]
			a := booksAnswer{Total: len(titles)}
			for _, title := range titles[:min(in.Limit, len(titles))] {
				a.Books = append(a.Books, book{Path("a/" + title), title})
			}
			if a.Total == 0 {
				err = Nothingf("no books of %s", Quote(in.Author))
			}
			return Finish(&a, err, emit)
		},
		Text: func(t *Text, in *booksInput, a *booksAnswer) error {
			if in.Format == "list" {
				_, err := io.WriteString(t.Raw(), "list\n")
				return err
			}
			for _, b := range a.Books {
				t.Line("%s", b.Title)
			}
			return nil
		},
	}.Tool()
}

// run does an operation as a surface does.
func run(t *testing.T, tl *Tool[shelf], in any, write func(w io.Writer, answer any) error) (string, error) {
	t.Helper()
	env := &Env[shelf]{Dir: "/d", Open: func(dir string, need Need) (shelf, error) {
		if dir != "/d" || need != Existing {
			t.Errorf("opened %q, %d", dir, need)
		}
		return shelf{"Borges": {"Ficciones", "El \x1bAleph", "El hacedor"}}, nil
	}}
	var out bytes.Buffer
	err := tl.Run(t.Context(), env, in, func(a any) error { return write(&out, a) })
	return out.String(), err
}

func TestOperation(t *testing.T) {
	tl := books()
	text := func(in any) func(io.Writer, any) error {
		return func(w io.Writer, a any) error { return tl.Text(NewText(w, false), in, a) }
	}
	for _, c := range []struct {
		author, format string
		form           string // "text", "json" or "paths"
		want           string
		outcome        Outcome
	}{
		{"Borges", "text", "text", "Ficciones\nEl \\x1bAleph\n", Found},
		{"Borges", "list", "text", "list\n", Found},
		{"Borges", "text", "json", `{"total":3,"books":[` + "\n" + `{"path":"a/Ficciones","title":"Ficciones"},` + "\n" +
			`{"path":"a/El \u001bAleph","title":"El \u001bAleph"}` + "\n]}\n", Found},
		{"Borges", "text", "paths", "a/Ficciones\na/El \\x1bAleph\n", Found},
		{"Eco", "text", "json", `{"total":0,"books":[]}` + "\n", Nothing},
		{"", "text", "json", "", Usage},
	} {
		in := tl.NewInput().(*booksInput)
		in.Author = c.author
		if !tl.SetFormat(in, c.format) {
			t.Fatalf("no format %s", c.format)
		}
		write := map[string]func(io.Writer, any) error{"text": text(in), "json": WriteJSON,
			"paths": func(w io.Writer, a any) error { return WritePaths(w, a, false) }}[c.form]
		got, err := run(t, tl, in, write)
		if outcome := Classify(t.Context(), err); got != c.want || outcome != c.outcome {
			t.Errorf("%s %s %s: got %q, %d (%v), want %q, %d", c.author, c.format, c.form, got, outcome, err, c.want, c.outcome)
		}
	}
	in := tl.NewInput().(*booksInput)
	in.Author = "Eco"
	full := errors.New("disk full")
	if _, err := run(t, tl, in, func(io.Writer, any) error { return full }); err != full {
		t.Errorf("an answer that could not be written is %v", err)
	}
	if tl.SetFormat(in, "xml") {
		t.Error("there is a format xml")
	}
}

func TestAnswer(t *testing.T) {
	type row struct {
		Name string `json:"name" doc:"a name"`
	}
	type answer struct {
		Rows    Rows[row]      `json:"rows" doc:"rows"`
		Entries Entries[row]   `json:"entries" doc:"entries"`
		One     *row           `json:"one,omitempty" doc:"one"`
		Note    *string        `json:"note" doc:"note"`
		Sums    map[string]int `json:"sums" doc:"sums"`
		Names   []string       `json:"names" doc:"names"`
		Path    Path           `json:"path" doc:"path"`
		Yes     bool           `json:"yes" doc:"yes"`
		Hidden  int
	}
	tl := Spec[struct{}, struct{}, answer]{Name: "x"}.Tool()
	var got []string
	for _, c := range tl.Answer() {
		got = append(got, fmt.Sprintf("%s: %s, %d fields, %v", c.Name, c.Type, len(c.Fields), c.Optional))
	}
	want := []string{
		"rows: list of objects, 1 fields, false", "entries: object of objects, 1 fields, false", "one: object, 1 fields, true",
		"note: string or null, 0 fields, false", "sums: object of numbers, 0 fields, false", "names: list of strings, 0 fields, false",
		"path: string, 0 fields, false", "path_base64: string, 0 fields, true", "yes: boolean, 0 fields, false",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if tl.ListsPaths() || !books().ListsPaths() {
		t.Error("the answers that list paths are others")
	}
}

// special is an answer of every form that is not an object.
type special struct {
	raw    func(io.Writer) error
	chosen any
}

func (s *special) Raw() func(io.Writer) error { return s.raw }
func (s *special) JSONValue() any             { return s.chosen }

type endless struct{ rows Rows[book] }

func (e *endless) Lines() Stream { return e.rows }

// flushing counts how often it is flushed, as a Text is while somebody waits.
type flushing struct {
	bytes.Buffer
	flushed int
}

func (f *flushing) Flush() error { f.flushed++; return nil }

func TestSpecialAnswers(t *testing.T) {
	var b flushing
	raw := &special{raw: func(w io.Writer) error { _, err := io.WriteString(w, "raw"); return err }}
	if err := WriteJSON(&b, raw); err != nil || b.String() != "raw" {
		t.Errorf("got %q, %v", &b, err)
	}
	b.Reset()
	if err := WriteJSON(&b, &special{chosen: &book{"p", "t"}}); err != nil || b.String() != "{\"path\":\"p\",\"title\":\"t\"}\n" {
		t.Errorf("got %q, %v", &b, err)
	}
	b.Reset()
	broken := errors.New("broken")
	err := WriteJSON(&b, &endless{func(yield func(book, error) bool) {
		_ = yield(book{"p", "1"}, nil) && yield(book{"p", "2"}, nil) && yield(book{}, broken)
	}})
	if err != broken || b.flushed != 2 || strings.Count(b.String(), "\n") != 2 {
		t.Errorf("got %q, %v, flushed %d times", &b, err, b.flushed)
	}
}

func TestOutcomeOf(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		err     error
		want    Outcome
		message string
	}{
		{nil, Found, ""},
		{&NothingError{Message: "no x", Near: []string{"y\x1b", "z"}}, Nothing, `no x; near: y\x1b, z`},
		{&UnprovenError{Message: "could not tell"}, Unproven, "could not tell"},
		{&AlarmError{Message: "1 secret found"}, Alarm, "1 secret found"},
		{&NotIndexedError{Path: "a\x1b", Reason: "ignored", Cause: Nothingf("x")}, NotIndexed, `"a\x1b" is not in the index: ignored`},
		{&NoIndexError{Dir: "/d"}, NoIndex, `no index in /d or above; run "ken init" to make one`},
		{code.Usagef("%d is too much", 3), Usage, "3 is too much"},
		{io.ErrUnexpectedEOF, Failed, io.ErrUnexpectedEOF.Error()},
	} {
		err := c.err
		if err != nil {
			err = fmt.Errorf("wrapped: %w", err)
			if got := c.err.Error(); got != c.message {
				t.Errorf("got %q, want %q", got, c.message)
			}
		}
		if got := Classify(t.Context(), err); got != c.want {
			t.Errorf("%v: got %d, want %d", c.err, got, c.want)
		}
		want := Interrupted
		if err == nil {
			want = Found // it was done before
		}
		if got := Classify(ended, err); got != want {
			t.Errorf("%v, interrupted: got %d, want %d", c.err, got, want)
		}
	}
}

func TestClip(t *testing.T) {
	if got := Clip("short"); got != "short" {
		t.Errorf("got %q", got)
	}
	if got := Clip(strings.Repeat("é", 200)); len(got) > maxClip || !strings.HasSuffix(got, "é…") {
		t.Errorf("got %d bytes: %q", len(got), got)
	}
	var b strings.Builder
	text := NewText(&b, false)
	text.Heading("one")
	text.Heading("two %s", text.Bold("x"))
	text.Printf("%s", []string{"a", "b\n"})
	if err := text.Flush(); err != nil || b.String() != "one\n\ntwo x\na, b\\n" {
		t.Errorf("got %q, %v", b.String(), err)
	}
	if got := Plural(2, "match"); got != "2 matches" {
		t.Errorf("got %s", got)
	}
}

// TestNoIndex: an index that there never was, that is being built and that was not
// finished are three different things to somebody who waits.
func TestNoIndex(t *testing.T) {
	for want, err := range map[string]*NoIndexError{
		`no index in /a/b or above; run "ken init" to make one`:                                           {Dir: "/a/b"},
		`the index of /a is being built by another process; ask again when that is done`:                  {Dir: "/a/b", Root: "/a", Built: true},
		`the index of /a is not finished or was removed; run "ken index" to make it`:                      {Dir: "/a/b", Root: "/a"},
		`no index in /a/b, a work tree of /c; run "ken index" there, which begins with the index of that`: {Dir: "/a/b", Main: "/c"},
	} {
		if got := err.Error(); got != want {
			t.Errorf("%+v: %s", err, got)
		}
	}
}
