package engine_test

import (
	"context"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"ken/internal/code"

	kenstore "ken/internal/engine/store"

	"ken/internal/engine/facts"
	"ken/internal/engine/graph"
	"ken/internal/engine/history"
	"ken/internal/engine/search"
	"ken/internal/engine/words"
	store "ken/internal/store/sqlite"
)

// dump returns every fact of an index as lines without ids, sorted: two indexes of
// one tree have equal dumps, whatever their histories. Left out are what tells
// of the history itself: revision, time and listing of the last look.
func dump(t testing.TB, db string) []string {
	t.Helper()
	d := &dumper{t: t, paths: map[int64]string{}}
	st := store.New(db)
	defer st.Close()
	r, err := st.Read(context.Background())
	if err != nil {
		t.Fatalf("dump %s: %v", db, err)
	}
	defer r.Close()
	d.r = r
	c, err := sqlite.OpenConn(db, sqlite.OpenReadWrite)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	d.c = c
	d.files()
	d.content()
	d.tables()
	d.history()
	d.words()
	slices.Sort(d.lines)
	return d.lines
}

type dumper struct {
	t     testing.TB
	r     kenstore.Reader
	c     *sqlite.Conn
	paths map[int64]string
	names []string
	lines []string
}

func (d *dumper) must(err error) {
	if err != nil {
		d.t.Helper()
		d.t.Fatalf("dump: %v", err)
	}
}

func (d *dumper) add(format string, args ...any) {
	d.lines = append(d.lines, fmt.Sprintf(format, args...))
}

// path names a file by its path; an id nobody bears is shown, and differs.
func (d *dumper) path(id int64) string {
	if p, ok := d.paths[id]; ok {
		return p
	}
	return fmt.Sprintf("NO FILE %d", id)
}

// query calls row with the columns of each row by name.
func (d *dumper) query(sql string, row func(get func(col string) string, num func(col string) int64)) {
	d.t.Helper()
	d.must(sqlitex.ExecuteTransient(d.c, sql, &sqlitex.ExecOptions{ResultFunc: func(st *sqlite.Stmt) error {
		row(func(col string) string {
			i := st.ColumnIndex(col)
			if i < 0 {
				d.t.Fatalf("%s has no column %s", sql, col)
			}
			if st.ColumnType(i) == sqlite.TypeNull {
				return "NULL"
			}
			return fmt.Sprintf("%q", st.ColumnText(i))
		}, func(col string) int64 { return st.ColumnInt64(st.ColumnIndex(col)) })
		return nil
	}}))
}

// files dumps the rows of files, every column but the id and the time of the first indexing.
func (d *dumper) files() {
	var cols []string
	d.query("SELECT name FROM pragma_table_info('files')", func(get func(string) string, _ func(string) int64) {
		cols = append(cols, strings.Trim(get("name"), `"`))
	})
	d.must(sqlitex.ExecuteTransient(d.c, "SELECT * FROM files", &sqlitex.ExecOptions{ResultFunc: func(st *sqlite.Stmt) error {
		var b strings.Builder
		path := st.ColumnText(st.ColumnIndex("path"))
		d.paths[st.ColumnInt64(st.ColumnIndex("id"))] = path
		for _, c := range cols {
			i := st.ColumnIndex(c)
			switch {
			case c == "id", c == "first_indexed": // differs between two indexes of one tree
			case c == "rank":
				d.add("~rank %q %.0f", path, math.Round(st.ColumnFloat(i)*1e9))
			case st.ColumnType(i) == sqlite.TypeBlob:
				buf := make([]byte, st.ColumnLen(i))
				st.ColumnBytes(i, buf)
				fmt.Fprintf(&b, " %s=%s", c, hex.EncodeToString(buf))
			case st.ColumnType(i) == sqlite.TypeNull:
				fmt.Fprintf(&b, " %s=NULL", c)
			default:
				fmt.Fprintf(&b, " %s=%q", c, st.ColumnText(i))
			}
		}
		d.add("file %q%s", path, b.String())
		return nil
	}}))
}

// content dumps symbols, packed facts, links and outlines.
func (d *dumper) content() {
	for id, p := range d.paths {
		rows, err := d.r.Symbols(id)
		d.must(err)
		syms := make([]code.Symbol, len(rows))
		for i := range rows {
			syms[i] = rows[i].Symbol
		}
		f := code.Facts{Symbols: syms}
		blob, err := d.r.Facts(id)
		d.must(err)
		if len(blob) > 0 {
			packed, err := facts.Open(blob)
			d.must(err)
			d.must(packed.All(&f))
		}
		for i := range f.Symbols {
			d.add("symbol %q %d %+v", p, i, f.Symbols[i])
		}
		d.add("facts %q %v %+v %+v %+v", p, len(blob) > 0, f.Imports, f.Exports, f.Refs)
		d.links(id, p)
	}
	for o, err := range d.r.Outlines() {
		d.must(err)
		d.add("outline %q %q", d.path(o.FileID), o.Text)
	}
}

func (d *dumper) links(id int64, p string) {
	blob, err := d.r.Links(id)
	d.must(err)
	l, err := graph.DecodeLinks(blob)
	d.must(err)
	d.add("links %q stored=%v probes=%x", p, len(blob) > 0, l.Probes)
	for i := range l.Imports {
		k := &l.Imports[i]
		file := ""
		if k.File != 0 {
			file = d.path(k.File)
		}
		var subs []string
		for _, s := range k.Subs {
			subs = append(subs, s.Name+"="+d.path(s.File))
		}
		d.add("link %q %d file=%q dirs=%q subs=%q external=%q std=%v", p, i, file, k.Dirs, subs, k.External, k.Std)
	}
}

// tables dumps what stands in rows of its own.
func (d *dumper) tables() {
	d.query("SELECT id, hex(uuid) AS uuid FROM symbols", func(get func(string) string, num func(string) int64) {
		d.add("uuid %q %d %s", d.path(num("id")>>20), num("id")&(1<<20-1), get("uuid"))
	})
	d.query("SELECT * FROM names", func(get func(string) string, num func(string) int64) {
		d.names = append(d.names, get("name"))
		d.add("name %s defs=%s files=%s", get("name"), get("defs"), get("files"))
	})
	d.query("SELECT * FROM probes", func(get func(string) string, num func(string) int64) {
		d.add("probe %x %q", num("key"), d.path(num("file_id")))
	})
	d.query("SELECT * FROM file_edges", func(get func(string) string, num func(string) int64) {
		d.add("edge %q %q %s %s", d.path(num("source")), d.path(num("target")), code.Relation(num("relation")), code.Confidence(num("confidence")))
	})
	d.query("SELECT * FROM packages", func(get func(string) string, num func(string) int64) {
		d.add("package %s std=%s files=%s", get("name"), get("std"), get("files"))
	})
	d.query("SELECT * FROM sums", func(get func(string) string, num func(string) int64) {
		d.add("sums %d %d", num("imports"), num("unresolved"))
	})
	d.query("SELECT path, base, content FROM configs", func(get func(string) string, num func(string) int64) {
		d.add("config %s %s %s", get("path"), get("base"), get("content"))
	})
	d.query("SELECT * FROM skips", func(get func(string) string, num func(string) int64) {
		d.add("skip %s %s", get("path"), get("problem"))
	})
	for s, err := range d.r.Secrets() { // hashes are keyed by project
		d.must(err)
		d.add("secret %q %s %d-%d %d:%d %v", s.Path, s.Rule, s.Start, s.End, s.Line, s.Col, s.Noted)
	}
	for _, name := range d.names {
		n, err := strconv.Unquote(name)
		d.must(err)
		files, err := d.r.Referrers(n)
		d.must(err)
		for _, f := range files {
			d.add("referrer %s %q", name, d.path(f))
		}
	}
}

// differences returns the first lines that stand in one dump only.
func differences(fresh, kept []string) string {
	var b strings.Builder
	n, i, j := 0, 0, 0
	for (i < len(fresh) || j < len(kept)) && n < 30 {
		switch {
		case j == len(kept) || i < len(fresh) && fresh[i] < kept[j]:
			fmt.Fprintf(&b, "- fresh %s\n", cut(fresh[i]))
			i, n = i+1, n+1
		case i == len(fresh) || kept[j] < fresh[i]:
			fmt.Fprintf(&b, "+ kept  %s\n", cut(kept[j]))
			j, n = j+1, n+1
		default:
			i, j = i+1, j+1
		}
	}
	return b.String()
}

func cut(s string) string {
	if len(s) > 400 {
		return s[:400] + "…"
	}
	return s
}

// history dumps the history by what it means: numbers of commits and indexes of
// paths tell how it came about.
func (d *dumper) history() {
	s, err := history.Unpack(d.r.History)
	d.must(err)
	if s == nil {
		return
	}
	d.add("history head=%s shallow=%v limit=%d problem=%q", s.Head, s.Shallow, s.Limit, s.Problem)
	for i := range s.Commits {
		c := &s.Commits[i]
		var files, renames []string
		for _, f := range c.Touched {
			files = append(files, s.Paths[f])
		}
		for _, r := range c.Renames {
			renames = append(renames, s.Paths[r.From]+" > "+s.Paths[r.To])
		}
		slices.Sort(files)
		slices.Sort(renames)
		d.add("commit %05d %s time=%d order=%d author=%x merge=%v cut=%v files=%d %q %q terms=%v %q", i, c.ID, c.Time, c.Order, s.Authors[c.Author], c.Merge, c.Cut, c.Files, files, renames, c.Terms, c.Subject)
	}
}

// words are the documents that hold the words of any path or declared name.
func (d *dumper) words() {
	x, err := search.NewIndex(d.r)
	if err != nil {
		d.t.Fatal(err)
	}
	split, terms := words.NewSplitter(), map[words.Term]string{}
	add := func(text string) {
		for _, k := range split.Word(text) {
			terms[k.Term] = text
		}
	}
	for _, p := range d.paths {
		add(p)
	}
	for n, err := range d.r.Names() {
		if err != nil {
			d.t.Fatal(err)
		}
		add(n)
	}
	for term := range terms {
		list, err := x.Postings(nil, term)
		if err != nil {
			d.t.Fatal(err)
		}
		for _, p := range list {
			d.lines = append(d.lines, fmt.Sprintf("word %x %s %d", term, d.paths[x.File(int(p.Doc))], p.Code))
		}
	}
	d.lines = append(d.lines, fmt.Sprintf("documents %d, mean length %.3f", x.Live, x.Avg))
}
