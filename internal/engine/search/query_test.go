package search

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the expected output")

// TestParse reads queries out of testdata/queries.txtar: a file NAME.query is
// followed by NAME.want.
func TestParse(t *testing.T) {
	path := filepath.Join("testdata", "queries.txtar")
	ar, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []txtar.File
	for _, f := range ar.Files {
		name, ok := strings.CutSuffix(f.Name, ".query")
		if !ok {
			continue
		}
		got := render(Parse(string(f.Data)))
		out = append(out, f, txtar.File{Name: name + ".want", Data: []byte(got)})
		if *update {
			continue
		}
		for _, w := range ar.Files {
			if w.Name == name+".want" {
				if d := cmp.Diff(string(w.Data), got); d != "" {
					t.Errorf("%s (-want +got):\n%s", name, d)
				}
			}
		}
	}
	if *update {
		ar.Files = out
		if err := os.WriteFile(path, txtar.Format(ar), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if len(out) < 10 {
		t.Fatalf("only %d cases", len(out)/2)
	}
}

// render writes what a query means, a line each.
func render(q *Query) string {
	var b strings.Builder
	for _, t := range q.Terms {
		flags := ""
		for _, f := range []struct {
			on   bool
			name string
		}{{t.Title, "title"}, {t.Code, "code"}, {t.Part, "part"}, {t.Compound, "compound"}} {
			if f.on {
				flags += " " + f.name
			}
		}
		fmt.Fprintf(&b, "term %s %.2f%s\n", t.Word, t.Weight, flags)
	}
	for _, m := range q.Paths {
		fmt.Fprintf(&b, "path %s line %d weight %.1f\n", m.Text, m.Line, m.Weight)
	}
	for _, m := range q.Names {
		fmt.Fprintf(&b, "name %s weight %.1f\n", m.Text, m.Weight)
	}
	for _, p := range q.Pairs {
		fmt.Fprintf(&b, "pair %s %s %.0f\n", q.Terms[p.First].Word, q.Terms[p.Then].Word, p.Count)
	}
	for _, p := range q.Phrases {
		fmt.Fprintf(&b, "phrase %q\n", p)
	}
	if f := q.Filters; len(f.Types)+len(f.Langs)+len(f.Paths)+len(f.Kinds)+len(f.Test) > 0 {
		fmt.Fprintf(&b, "filter %+v\n", f)
	}
	if len(q.Alternatives) > 0 {
		fmt.Fprintf(&b, "alternatives of %d\n", len(q.Alternatives[0]))
	}
	fmt.Fprintf(&b, "test %v doc %v\n", q.WantTest, q.WantDoc)
	return b.String()
}

func FuzzParse(f *testing.F) {
	ar, err := txtar.ParseFile(filepath.Join("testdata", "queries.txtar"))
	if err != nil {
		f.Fatal(err)
	}
	for _, c := range ar.Files {
		f.Add(string(c.Data))
	}
	f.Fuzz(func(t *testing.T, text string) {
		q := Parse(text)
		if len(q.Terms) > maxTermsIn || len(q.Pairs) > maxPairs || len(q.Paths) > maxMentions || len(q.Names) > maxMentions {
			t.Fatalf("%d terms, %d paths, %d names", len(q.Terms), len(q.Paths), len(q.Names))
		}
		for _, k := range q.Terms {
			if k.Weight <= 0 || k.Weight > 4 {
				t.Fatalf("weight %v of %q", k.Weight, k.Word)
			}
		}
	})
}
