package exactrun_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/ask/export"
	"ken/internal/engine"
	"ken/internal/engine/update/exactrun"
	"ken/internal/engine/view"

	"ken/internal/engine/scip"
)

// exported returns the project's index in SCIP form.
func (p *exactProject) exported() []byte {
	p.t.Helper()
	var b bytes.Buffer
	err := p.e.Answer(context.Background(), engine.WholeTree, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		b.Reset()
		return nil, export.WriteSCIP(ctx, s, &b, "test")
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return b.Bytes()
}

func (p *exactProject) importSCIP(index []byte, written time.Time) *exactrun.SCIPReport {
	p.t.Helper()
	rep, err := p.e.ImportSCIP(context.Background(), source(index, written))
	if err != nil {
		p.t.Fatal(err)
	}
	return rep
}

// foreign returns an index as if another tool had written it: what ken exported itself
// is taken back for less sure.
func foreign(index []byte) []byte {
	return bytes.Replace(index, []byte("\x0a\x03ken"), []byte("\x0a\x03kex"), 1)
}

func source(index []byte, written time.Time) exactrun.SCIPSource {
	return exactrun.SCIPSource{Written: written, Reopen: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(foreign(index))), nil }}
}

// mapped changes the documents of an index.
func mapped(t *testing.T, index []byte, f func(*scip.Document) *scip.Document) []byte {
	t.Helper()
	var b bytes.Buffer
	w := scip.NewWriter(&b)
	err := scip.Read(bytes.NewReader(index), w.Metadata, func(d *scip.Document) error {
		if d = f(d); d == nil {
			return nil
		}
		return w.Document(d)
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// scipBare returns the module without Go types' help: its index in SCIP form, made with
// it.
func scipBare(t *testing.T) (p *exactProject, index []byte, want []string) {
	t.Helper()
	root, _ := unpack(t, "testdata/exact/bare.txtar")
	writeFile(t, root, "web/é.ts", "// 😀 é\nexport function open(x: string) { return x }\nexport const é = open(\"😀\") + open(\"b\")\n")
	p = newExact(t, root)
	p.exact()
	for _, l := range p.bindings() {
		if !strings.HasSuffix(l, "by interface") {
			want = append(want, strings.Replace(l, "by types", "by scip", 1))
		}
	}
	return newExact(t, root), p.exported(), want
}

// TestWriteSCIP: every occurrence stands on the name it is of, in source order, and
// every symbol a reference leads to is defined once.
func TestWriteSCIP(t *testing.T) {
	p, index, _ := scipBare(t)
	defined, used := map[string]int{}, map[string]bool{}
	var got []string
	err := scip.Read(bytes.NewReader(index), func(m *scip.Metadata) error {
		if m.ProjectRoot != "file://"+p.root || m.Tool != "ken" || m.Version != "test" {
			t.Errorf("metadata %+v", m)
		}
		return nil
	}, func(d *scip.Document) error {
		text, err := os.ReadFile(filepath.Join(p.root, d.Path))
		if err != nil {
			return err
		}
		lines := scip.NewLines(text)
		names := map[string]string{}
		for _, s := range d.Symbols {
			names[s.Symbol] = s.Name
		}
		for _, o := range d.Occurrences {
			at := string(lines.Slice(o.Range, d.Encoding))
			if o.Roles&scip.RoleDefinition != 0 {
				defined[o.Symbol]++
				if names[o.Symbol] != at || o.Enclosing == nil {
					t.Errorf("%s: definition of %s stands on %q", d.Path, o.Symbol, at)
				}
			} else {
				used[o.Symbol] = true
			}
			if strings.HasPrefix(d.Path, "use/") || strings.HasPrefix(d.Path, "web/") {
				got = append(got, fmt.Sprintf("%s %d:%d %s %s %d", d.Path, o.Range.Start.Line, o.Range.Start.Char, at, o.Symbol, o.Roles))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for s := range used {
		if defined[s] != 1 {
			t.Errorf("%s is used and defined %d times", s, defined[s])
		}
	}
	for _, want := range []string{
		"use/use.go 5:14 Store ken . . . store/`store.go`/Store# 0",
		"use/use.go 5:5 Run ken . . . use/`use.go`/Run(). 1",
		"use/use.go 9:11 Get ken . . . store/`store.go`/Store#Get(). 0",
		"use/use.go 16:3 Count ken . . . store/`store.go`/base#Count(). 0",
		"web/é.ts 1:16 open ken . . . web/`\\u00e9.ts`/open(). 1",
		"web/é.ts 2:18 open ken . . . web/`\\u00e9.ts`/open(). 0",
		"web/é.ts 2:33 open ken . . . web/`\\u00e9.ts`/open(). 0",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("missing: %s", want)
		}
	}
	if t.Failed() {
		t.Log(strings.Join(got, "\n"))
	}
	if !bytes.Equal(p.exported(), p.exported()) {
		t.Error("two exports of one index differ")
	}
}

// TestImportSCIP: what an index says is taken over word for word.
func TestImportSCIP(t *testing.T) {
	p, index, want := scipBare(t)
	rep := p.importSCIP(index, time.Now())
	var got []string
	for _, l := range p.bindings() {
		if !strings.HasPrefix(l, "web/") && !strings.Contains(l, "_windows.go") {
			got = append(got, l)
		}
	}
	got = slices.DeleteFunc(got, func(l string) bool { return !slices.Contains(want, l) })
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if rep.Tool != "kex test" || rep.Documents != rep.Verified["time"] || rep.Bound < len(want) {
		t.Errorf("%+v", rep)
	}
	// In the units other indexers count by.
	for _, enc := range []scip.Encoding{scip.UTF16, scip.UTF32} {
		q := newExact(t, p.root)
		other := mapped(t, index, func(d *scip.Document) *scip.Document {
			text, err := os.ReadFile(filepath.Join(p.root, d.Path))
			if err != nil {
				t.Fatal(err)
			}
			lines := scip.NewLines(text)
			for i := range d.Occurrences {
				r := &d.Occurrences[i].Range
				for _, pos := range []*scip.Position{&r.Start, &r.End} {
					pos.Char = recount(t, lines, *pos, enc)
				}
			}
			d.Encoding = enc
			return d
		})
		q.importSCIP(other, time.Now())
		if d := cmp.Diff(p.bindings(), q.bindings()); d != "" {
			t.Errorf("in encoding %d: %s", enc, d)
		}
	}
}

// recount finds the character of a position in another encoding.
func recount(t *testing.T, lines *scip.Lines, p scip.Position, enc scip.Encoding) int32 {
	at, _ := lines.Offset(p, scip.UTF8)
	for c := int32(0); ; c++ {
		if got, ok := lines.Offset(scip.Position{Line: p.Line, Char: c}, enc); ok && got == at {
			return c
		} else if c > 1000 {
			t.Fatalf("no character at byte %d", at)
		}
	}
}

// TestImportSCIPStale: a file that changes falls back alone; one whose declarations
// change takes those with it that lead there.
func TestImportSCIPStale(t *testing.T) {
	p, index, _ := scipBare(t)
	p.importSCIP(index, time.Now())
	all := p.bindings()
	for _, c := range []excursion{
		{"a body", "store/store.go", `"no %s"`, `"none %s"`, "other/other.go other/other_windows.go store/export_test.go store/store_test.go use/use.go web/é.ts"},
		{"a new declaration", "store/store.go", "func New()", "func Other() {}\n\nfunc New()", "other/other.go other/other_windows.go web/é.ts"},
		{"a caller", "use/use.go", "\tRun(m)\n", "\tRun(m)\n\n", "other/other.go other/other_windows.go store/export_test.go store/store.go store/store_test.go web/é.ts"},
	} {
		t.Run(c.name, func(t *testing.T) { p.tries(t, c, all) })
	}
}

// TestImportSCIPVerifies: documents that are not about the files as they are do not
// count, whatever they say.
func TestImportSCIPVerifies(t *testing.T) {
	_, index, _ := scipBare(t)
	later, earlier := time.Now().Add(time.Hour), time.Now().Add(-time.Hour)
	change := func(f func(d *scip.Document)) func(*scip.Document) *scip.Document {
		return func(d *scip.Document) *scip.Document {
			if d.Path != "store/store.go" {
				return nil
			}
			f(d)
			return d
		}
	}
	for _, c := range []struct {
		name    string
		doc     func(p *exactProject) func(*scip.Document) *scip.Document
		written time.Time
		want    string // how it was verified, or why not
	}{
		{"as it is", func(*exactProject) func(*scip.Document) *scip.Document { return change(func(*scip.Document) {}) }, later, "time"},
		{"written before the file changed", func(*exactProject) func(*scip.Document) *scip.Document { return change(func(*scip.Document) {}) }, earlier, "positions"},
		{"the same text", func(p *exactProject) func(*scip.Document) *scip.Document {
			return change(func(d *scip.Document) {
				b, _ := os.ReadFile(filepath.Join(p.root, d.Path))
				d.Text, d.HasText = string(b), true
			})
		}, earlier, "text"},
		{"another text", func(*exactProject) func(*scip.Document) *scip.Document {
			return change(func(d *scip.Document) { d.Text, d.HasText = "package store", true })
		}, later, "changed"},
		{"a line further", func(*exactProject) func(*scip.Document) *scip.Document {
			return change(func(d *scip.Document) {
				for i := range d.Occurrences {
					d.Occurrences[i].Range.Start.Line++
					d.Occurrences[i].Range.End.Line++
				}
			})
		}, later, "misplaced"},
		{"out of range", func(*exactProject) func(*scip.Document) *scip.Document {
			return change(func(d *scip.Document) {
				d.Occurrences[0].Range.End = scip.Position{Line: 1 << 30, Char: 1 << 30}
			})
		}, later, "misplaced"},
		{"no definitions, later", func(*exactProject) func(*scip.Document) *scip.Document {
			return change(func(d *scip.Document) {
				d.Occurrences = slices.DeleteFunc(d.Occurrences, func(o scip.Occurrence) bool { return o.Roles != 0 })
			})
		}, earlier, "no_references"},
		{"no definitions and one name elsewhere, later", func(*exactProject) func(*scip.Document) *scip.Document {
			return change(func(d *scip.Document) {
				d.Occurrences = slices.DeleteFunc(d.Occurrences, func(o scip.Occurrence) bool { return o.Roles != 0 })
				d.Occurrences[0].Range.Start.Line++
				d.Occurrences[0].Range.End.Line++
			})
		}, earlier, "misplaced"},
		{"outside", func(*exactProject) func(*scip.Document) *scip.Document {
			return change(func(d *scip.Document) { d.Path = "../../etc/passwd" })
		}, later, "outside"},
		{"absolute", func(*exactProject) func(*scip.Document) *scip.Document {
			return change(func(d *scip.Document) { d.Path = "/etc/passwd" })
		}, later, "outside"},
		{"not there", func(*exactProject) func(*scip.Document) *scip.Document {
			return change(func(d *scip.Document) { d.Path = "store/none.go" })
		}, later, "not_indexed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			root, _ := unpack(t, "testdata/exact/bare.txtar")
			p := newExact(t, root)
			rep := p.importSCIP(mapped(t, index, c.doc(p)), c.written)
			got := ""
			for how := range rep.Verified {
				got = how
			}
			for _, s := range rep.Skipped {
				got = s.Reason
			}
			if got != c.want {
				t.Errorf("got %q, want %q: %+v", got, c.want, rep)
			}
			if bound := len(p.bindings()) > 0; bound != (rep.Verified[c.want] > 0) {
				t.Errorf("bound: %v", bound)
			}
		})
	}
}

// TestImportSCIPDamaged: an index that cannot be read changes nothing.
func TestImportSCIPDamaged(t *testing.T) {
	p, index, _ := scipBare(t)
	for _, bad := range [][]byte{index[:len(index)/2], []byte("no index"), bytes.Repeat([]byte{0xff}, 100)} {
		if _, err := p.e.ImportSCIP(context.Background(), source(bad, time.Now())); err == nil {
			t.Errorf("%.20q was imported", bad)
		}
	}
	if got := p.bindings(); len(got) > 0 {
		t.Errorf("bound by damaged indexes: %q", got)
	}
}
