package document_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/edit"
)

const sample = "---\nphase: 01-setup\nwave: 1\n---\n\n# Title #\n\nStatus: Ready\n**Goal**: Do it  \n**Depends on:** Phase 1\n- **Mode:** mvp\n" +
	"**Success Criteria** (what must be TRUE):\n  1. First\n  2. Second\n\n## Plans\n\n- [ ] 01-01: a\n  - [x] 01-02: b\n* [X] c\n\n" +
	"| Phase | Status |\n|---|:--|\n| 1. A \\| B |  Done |\n| 2. C | |\n\n```md\n## Not a heading\nStatus: not a field\n- [ ] not an item\n```\n\n" +
	"<!-- ### Phase 9: comment\n**Goal**: none\n-->\n### Deep\ntext\n\n## Tasks\n\n<objective>x</objective>\n<tasks>\n<task type=\"auto\" tdd='true'>\n  <name>One `</name>` more</name>\n</task>\n</tasks>\nList<T> and `<task>` are text\n"

func TestHeadings(t *testing.T) {
	d := document.Parse(sample)
	var got []string
	for _, h := range d.Headings() {
		got = append(got, fmt.Sprintf("%d %s %d-%d", h.Level, h.Text.Text(d.Text()), h.Line, h.End))
	}
	want := []string{"1 Title 5-47", "2 Plans 15-38", "3 Deep 35-38", "2 Tasks 38-47"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if h, ok := d.FindHeading(d.Body(), "plans"); !ok || d.OwnLines(h) != (document.Range{From: 16, To: 35}) {
		t.Errorf("own lines of Plans: %v %v", d.OwnLines(h), ok)
	}
	if list := d.HeadingsIn(document.Range{From: 15, To: 38}); len(list) != 2 {
		t.Errorf("%d headings from 15 to 38", len(list))
	}
	for line, want := range map[string]string{"# a": "a", "   ## b ##": "b", "    # c": "", "#d": "", "####### e": "", "#": "-", "## f#": "f#", "> # g": "", "##\th": "h"} {
		d := document.Parse(line)
		got := ""
		if len(d.Headings()) > 0 {
			if got = d.Headings()[0].Text.Text(line); got == "" {
				got = "-"
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

func TestFields(t *testing.T) {
	d := document.Parse(sample)
	for name, want := range map[string]string{"status": "Ready", "Goal": "Do it", "depends ON": "Phase 1", "Mode": "mvp", "Success Criteria": ""} {
		f, ok := d.Field(d.Body(), name)
		if !ok || d.Value(f) != want {
			t.Errorf("%s: %q %v, want %q", name, d.Value(f), ok, want)
		}
	}
	for _, line := range []string{"a. sentence: with a colon", "**Bold** text", "- Plain: in a list", "| a: | b |", "1abc: x", strings.Repeat("x", 62) + ": y", "  Indented: x"} {
		d := document.Parse(line)
		if f, ok := d.FieldAt(0); ok && f.Name != "a. sentence" {
			t.Errorf("%q is field %q", line, f.Name)
		}
	}
	for _, c := range []struct{ line, value, want string }{
		{"**A:** b c", "d", "**A:** d"}, {"**A**: b", "", "**A**: "}, {"A:", "b", "A: b"}, {"**A:**", "b", "**A:** b"}, {"**A**:  b  ", "c", "**A**:  c  "}, {"A: b\r\n", "b", "A: b\r\n"},
	} {
		d := document.Parse(c.line)
		f, _ := d.FieldAt(0)
		edits, err := d.SetField(f, c.value)
		if err != nil {
			t.Errorf("%q: %v", c.line, err)
		}
		if got, err := d.Apply(edits); err != nil || got.Text() != c.want {
			t.Errorf("%q = %q: %q, want %q", c.line, c.value, got.Text(), c.want)
		}
	}
	f, _ := d.Field(d.Body(), "Goal")
	if _, err := d.SetField(f, "two\nlines"); err == nil {
		t.Error("a field over two lines")
	}
}

// TestBothColons: **Name:** and **Name**: are one field.
func TestBothColons(t *testing.T) {
	for _, line := range []string{"**Requirements:** A-1", "**Requirements**: A-1", "**Requirements** : A-1", "- **Requirements**: A-1", "**Requirements **: A-1"} {
		d := document.Parse(line)
		f, ok := d.Field(d.Body(), "requirements")
		if line == "**Requirements** : A-1" {
			continue // a blank before the colon is prose
		}
		if !ok || d.Value(f) != "A-1" {
			t.Errorf("%q: %q %v", line, d.Value(f), ok)
		}
	}
}

func TestItems(t *testing.T) {
	d := document.Parse(sample)
	var got []string
	for _, it := range d.Items(d.Body()) {
		got = append(got, fmt.Sprintf("%d%v%v %s", it.Indent, it.HasBox(), d.IsChecked(it), it.Text.Text(d.Text())))
	}
	want := []string{"0falsefalse **Mode:** mvp", "2falsefalse First", "2falsefalse Second", "0truefalse 01-01: a", "2truetrue 01-02: b", "0truetrue c"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	items := d.Items(d.Body())
	next, err := d.Apply(d.SetBox(items[3], true))
	if err != nil || next.Text() != strings.Replace(sample, "[ ] 01-01", "[x] 01-01", 1) {
		t.Errorf("ticked: %v", err)
	}
	if e := d.SetBox(items[5], true); e != nil {
		t.Errorf("[X] is ticked already: %v", e)
	}
}

func TestTables(t *testing.T) {
	d := document.Parse(sample)
	tables := d.Tables(d.Body())
	if len(tables) != 1 || len(tables[0].Rows) != 2 || d.Column(tables[0], "status") != 1 || d.Column(tables[0], "x") != -1 {
		t.Fatalf("%v", tables)
	}
	rows := tables[0].Rows
	for i, want := range [][]string{{"1. A | B", "Done"}, {"2. C", ""}} {
		for j, cell := range want {
			if got := d.Cell(rows[i], j); got != cell {
				t.Errorf("cell %d %d: %q, want %q", i, j, got, cell)
			}
		}
	}
	one, _ := d.SetCell(rows[0], 1, "a|b")
	two, _ := d.SetCell(rows[1], 1, "new")
	next, err := d.Apply(append(one, two...))
	want := strings.Replace(strings.Replace(sample, "|  Done |", `|  a\|b |`, 1), "| 2. C | |", "| 2. C | new|", 1)
	if err != nil || next.Text() != want {
		t.Errorf("%v\n%s", err, next.Text())
	}
}

// Rows of hand-written tables are often shorter than their head.
func TestShortRow(t *testing.T) {
	const head = "| A | B | C |\n|---|---|---|\n"
	for row, want := range map[string]string{
		"| a |":     "| a | | v |",
		"| a":       "| a | | v",
		"a |":       "a | | v |",
		"| a | b |": "| a | b | v |",
		`| a \|`:    `| a \| | | v`,
		"|":         "| | | v",
	} {
		d := document.Parse(head + row + "\n")
		edits, err := d.SetCell(d.Tables(d.Body())[0].Rows[0], 2, "v")
		if err != nil {
			t.Fatal(err)
		}
		if next, err := d.Apply(edits); err != nil || next.Text() != head+want+"\n" {
			t.Errorf("%q: %q (%v), want %q", row, next.Text(), err, want)
		}
	}
}

func TestTags(t *testing.T) {
	d := document.Parse(sample)
	var got []string
	for _, tag := range d.Tags(d.Body()) {
		got = append(got, fmt.Sprintf("%s %q %s %s parent %d", tag.Name, d.TagContent(tag), tag.Attr("type"), tag.Attr("TDD"), tag.Parent))
	}
	want := []string{
		`objective "x"   parent -1`,
		"tasks " + fmt.Sprintf("%q", "<task type=\"auto\" tdd='true'>\n  <name>One `</name>` more</name>\n</task>") + "   parent -1",
		"task " + fmt.Sprintf("%q", "<name>One `</name>` more</name>") + " auto true parent 1",
		"name " + fmt.Sprintf("%q", "One `</name>` more") + "   parent 2",
	}
	if !slices.Equal(got, want) {
		t.Errorf("\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestOneLineObjective: a block on one line is what is between its tags.
func TestOneLineObjective(t *testing.T) {
	d := document.Parse("<objective>x</objective>\n")
	tags := d.Tags(d.Body())
	if len(tags) != 1 || d.TagContent(tags[0]) != "x" {
		t.Errorf("%v", tags)
	}
}

// TestCodeIsNoStructure: what is in a fence or a comment is neither heading, field, item, table
// nor tag.
func TestCodeIsNoStructure(t *testing.T) {
	const inside = "### Phase 2: X\nStatus: a\n- [ ] b\n| a | b |\n|---|---|\n<task></task>\n"
	for _, c := range []struct{ before, after string }{
		{"```\n", "```\n"}, {"~~~ md\n", "~~~\n"}, {"````\n```\n", "````\n"}, {"   ```go\n", "  ```\n"}, {"1. a\n     ```\n", "     ```\n"}, {"<!--\n", "-->\n"}, {"```\n", ""},
	} {
		d := document.Parse(c.before + inside + c.after)
		body := d.Body()
		n := len(d.Headings()) + len(d.Fields(body)) + len(d.Tables(body)) + len(d.Tags(body))
		for _, it := range d.Items(body) {
			if it.HasBox() {
				n++
			}
		}
		if n > 0 {
			t.Errorf("%q: %d parts found", c.before, n)
		}
		if c.after == "" && len(d.Problems()) == 0 {
			t.Error("no problem with a fence that is not closed")
		}
	}
	d := document.Parse("```inline``` code\n# h\n``\n# i\n")
	if len(d.Headings()) != 2 {
		t.Error("inline code was taken for a fence")
	}
}

// TestUnclosedFenceInBlock: fences of one length in each other leave one open. It ends with its block,
// and the blocks behind it are read.
func TestUnclosedFenceInBlock(t *testing.T) {
	d := document.Parse("<tasks>\n<task>\n<action>\n```md\n```go\n# x\n```\n```\n- [ ] code\n</action>\n</task>\n<task>\n<name>Two</name>\n</task>\n</tasks>\n# H\n")
	var names []string
	for _, tag := range d.Tags(d.Body()) {
		names = append(names, tag.Name)
	}
	if got := strings.Join(names, " "); got != "tasks task action task name" || len(d.Headings()) != 1 || len(d.Items(d.Body())) != 0 {
		t.Errorf("%s, %d headings", got, len(d.Headings()))
	}
	if p := d.Problems(); len(p) != 1 || p[0].Line != 8 {
		t.Errorf("%v", p)
	}
}

func TestFront(t *testing.T) {
	for _, c := range []struct {
		name, in  string
		keys      int
		body, bad int
	}{
		{"plain", "---\na: 1\n---\nx\n", 1, 3, 0},
		{"windows", "---\r\na: 1\r\n---\r\nx\r\n", 1, 3, 0},
		{"byte order mark", "\ufeff---\na: 1\n---\n", 1, 3, 0},
		{"empty", "---\n---\nx\n", 0, 2, 0},
		{"not at the beginning", "\n---\na: 1\n---\n", -1, 0, 0},
		{"half written", "---\na: 1\n# Title\n", -1, 0, 1},
		{"a rule", "---\n\ntext\n", -1, 0, 0},
		{"twice", "---\na: 1\n---\n\n---\nb: 2\nc: 3\n---\nx\n", 1, 8, 1},
		{"a rule after it", "---\na: 1\n---\n---\nprose, no key\n---\n", 1, 3, 0},
		{"two rules after it", "---\na: 1\n---\n---\n---\n", 1, 3, 0},
		{"no line ending", "---\na: 1\n---", 1, 3, 0},
	} {
		d := document.Parse(c.in)
		keys := -1
		if d.FrontMatter() != nil {
			keys = len(d.FrontMatter().Root.Pairs)
		}
		if keys != c.keys || d.Body().From != c.body || len(d.Problems()) != c.bad {
			t.Errorf("%s: %d keys, body at %d, problems %v", c.name, keys, d.Body().From, d.Problems())
		}
	}
}

func TestProblems(t *testing.T) {
	for _, c := range []struct {
		name, in       string
		line, conflict int
	}{
		{"conflict", "a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\n", 2, 2},
		{"conflict in front matter", "---\na: 1\n<<<<<<< HEAD\n---\nx\n", 3, 3},
		{"no UTF-8", "a\n\xff\xfe\n", 2, 0},
		{"NUL", "a\nb\x00\n", 2, 0},
	} {
		d := document.Parse(c.in)
		if p := d.Problems(); len(p) == 0 || p[0].Line != c.line || d.ConflictLine() != c.conflict {
			t.Errorf("%s: %v, conflict in line %d", c.name, p, d.ConflictLine())
		}
	}
	if p := document.Parse(sample).Problems(); len(p) > 0 {
		t.Errorf("%v", p)
	}
}

// texts are those that reading has to leave as they are.
var texts = []string{
	"", "\n", "\r\n", "a", "a\r", "\ufeff", "\ufeff---\na: 1\n---\n", sample, strings.ReplaceAll(sample, "\n", "\r\n"), "\x00\xff\xfe", "---\na: [\n---\n|\n||\n|-|\n", "- [ ]\n- [x]", "**a:**", "```", "<a><b></a></b>",
	"`` ` ``` `\n", "a: b\n\n\n", "<!-- x --> y\n<!--", "<<<<<<< a\n=======\n>>>>>>> b\n", "<a b='c", "<a/>\n</a>", "|a|\\|\n|-|-|\n|\\", "#\n##  \n### #", "1)\n2. [x] y\n", "\u2028a: b\n", "A:\u2028", "A: b\rc\n", "A: \x00", "---\n\ta:\n\t- b\n---",
}

func TestIdentity(t *testing.T) {
	for _, text := range texts {
		check(t, text)
	}
}

func FuzzDocument(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	f.Fuzz(check)
}

// check holds a text to what is promised of any: its lines are the text, spans are inside it,
// whatever is set to what it is changes nothing, and what is set to something else changes those
// bytes alone.
func check(t *testing.T, text string) {
	d := document.Parse(text)
	var b strings.Builder
	for i := range d.LineCount() {
		b.WriteString(d.BytesOf(document.Range{From: i, To: i + 1}).Text(text))
	}
	if b.String() != text || d.Text() != text {
		t.Fatalf("%q is read as %q", text, b.String())
	}
	for _, h := range d.Headings() {
		inLine(t, d, h.Line, h.Text)
	}
	body := d.Body()
	for _, f := range d.Fields(body) {
		inLine(t, d, f.Line, f.Value)
		same, err := d.SetField(f, d.Value(f))
		unchanged(t, d, same, err)
		next, err := d.SetField(f, "other value")
		only(t, d, f.Value, next, err)
	}
	for _, it := range d.Items(body) {
		inLine(t, d, it.Line, it.Text)
		unchanged(t, d, d.SetBox(it, d.IsChecked(it)), nil)
		if it.HasBox() {
			only(t, d, it.Box, d.SetBox(it, !d.IsChecked(it)), nil)
		}
	}
	for _, table := range d.Tables(body) {
		for _, row := range append(table.Rows, table.Head) {
			for i, s := range row.Cells {
				inLine(t, d, row.Line, s)
				next, err := d.SetCell(row, i, "other value")
				only(t, d, s, next, err)
			}
			longer(t, d, row)
		}
	}
	checkTags(t, d)
}

func checkTags(t *testing.T, d *document.Document) {
	tags := d.Tags(d.Body())
	for i, tag := range tags {
		if tag.Parent >= i || tag.Inner.Start < tag.Span.Start || tag.Inner.End < tag.Inner.Start || tag.Span.End < tag.Inner.End {
			t.Fatalf("tag %d of %q: %v", i, d.Text(), tag)
		}
		if tag.Parent >= 0 && (tags[tag.Parent].Inner.Start > tag.Span.Start || tags[tag.Parent].Inner.End < tag.Span.End) {
			t.Fatalf("tag %d of %q is not inside tag %d", i, d.Text(), tag.Parent)
		}
	}
}

func inLine(t *testing.T, d *document.Document, line int, s edit.Span) {
	t.Helper()
	if l := d.Span(line); s.Start < l.Start || s.End > l.End || s.Start > s.End || d.LineAt(s.Start) < line && s.Len() > 0 {
		t.Fatalf("%q: span %v is not in line %d, %v", d.Text(), s, line, l)
	}
}

func unchanged(t *testing.T, d *document.Document, edits []edit.Edit, err error) {
	t.Helper()
	if err != nil || len(edits) > 0 {
		t.Fatalf("%q: set to what it is: %v %v", d.Text(), edits, err)
	}
}

// longer: a row gets a cell it lacks, and keeps those it has.
func longer(t *testing.T, d *document.Document, row document.Row) {
	t.Helper()
	at := len(row.Cells) + 1
	edits, err := d.SetCell(row, at, "other value")
	if err != nil {
		t.Fatal(err)
	}
	next, err := d.Apply(edits)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range next.Tables(next.Body()) {
		for _, r := range append(table.Rows, table.Head) {
			if r.Line != row.Line {
				continue
			}
			if len(r.Cells) != at+1 || next.Cell(r, at) != "other value" || next.Cell(r, 0) != d.Cell(row, 0) {
				t.Fatalf("%q: longer row %d is read otherwise: %q", d.Text(), row.Line, next.Text())
			}
		}
	}
}

// only: edits change a span and nothing around it.
func only(t *testing.T, d *document.Document, s edit.Span, edits []edit.Edit, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	next, err := d.Apply(edits)
	if err != nil {
		t.Fatal(err)
	}
	text := d.Text()
	if !strings.HasPrefix(next.Text(), text[:s.Start]) || !strings.HasSuffix(next.Text(), text[s.End:]) {
		t.Fatalf("%q: more than bytes %v changed: %q", text, s, next.Text())
	}
}

// TestLargeText: 10 MB are read, and eight times the bytes cost about eight times the time.
func TestLargeText(t *testing.T) {
	for _, unit := range []string{sample, "\n", "<a>", "`", "` `` ", "</a>", "| a ", "- [ ] <b a='", "# a\n", "###### a\n# b\n", "---\na: b\n", "<a>\n````\n</a>\n```\n", "**a", "(): ", "<!--\n-->\n", "|\n-|\n"} {
		cost := func(size int) time.Duration {
			text := strings.Repeat(unit, size/len(unit))
			start := time.Now()
			d := document.Parse(text)
			body := d.Body()
			d.Fields(body)
			d.Items(body)
			d.Tables(body)
			d.Tags(body)
			return time.Since(start)
		}
		// A busy machine makes one try slow, and what is quadratic makes all of them.
		var small, large time.Duration
		for range 8 {
			small, large = cost(64<<10), cost(512<<10)
			if large <= 30*small {
				break
			}
		}
		if large > 30*small {
			t.Errorf("%.20q: %v, and %v of eight times the bytes", unit, small, large)
		}
	}
	var fences strings.Builder
	for i := 1500; i > 2; i-- {
		fences.WriteString("<a>\n" + strings.Repeat("`", i) + "\n</a>\n")
	}
	start := time.Now()
	document.Parse(fences.String())
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("fences that are not closed took %v", took)
	}
	text := strings.Repeat(sample, 10<<20/len(sample))
	start = time.Now()
	if d := document.Parse(text); d.Text() != text {
		t.Error("10 MB are not what was read")
	}
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("10 MB took %v", took)
	}
}
