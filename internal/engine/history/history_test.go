package history

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ken/internal/code"
	"ken/internal/engine/words"
	"ken/internal/git"
)

// commit returns a commit of a made-up log.
func commit(n int, parents []int, message string, changes ...string) *code.LogCommit {
	c := &code.LogCommit{ID: oid(n), Time: 1_700_000_000 + int64(n)*3600, Email: fmt.Sprintf("p%d@example.org", n%3), Message: []byte(message), Files: len(changes)}
	for _, p := range parents {
		c.Parents = append(c.Parents, oid(p))
	}
	for _, ch := range changes {
		from, to, ok := strings.Cut(ch, " > ")
		if !ok {
			c.Changes = append(c.Changes, code.LogChange{Status: 'M', Path: ch})
			continue
		}
		c.Changes = append(c.Changes, code.LogChange{Status: 'R', Path: to, From: from})
	}
	return c
}

func oid(n int) string { return fmt.Sprintf("%020x%020x", n*7919+1, n) }

func keepAll(string) (bool, error) { return true, nil }

// line returns a log without branches, oldest first.
func line(limit int, list ...*code.LogCommit) *State {
	b := NewBuilder(&State{Limit: limit}, "", nil, func([]byte) {})
	for i, c := range list {
		if i > 0 {
			c.Parents = []string{list[i-1].ID}
		}
	}
	for _, c := range slices.Backward(list) {
		b.Add(c)
	}
	s := b.Finish()
	s.Head = list[len(list)-1].ID
	return s
}

// packed returns a Source over a packed state.
func packed(s *State) Source { return packedOnto(nil, s) }

// packedOnto returns one over a state that was added to one in old.
func packedOnto(old Source, s *State) Source {
	blobs := map[Key][]byte{}
	list := s.PackOnto
	if old == nil {
		list = s.Pack
	}
	for _, b := range list() {
		if blobs[b.Key] = b.Data; b.Data == nil {
			blobs[b.Key], _ = old(b.Key)
		}
	}
	return func(k Key) ([]byte, error) { return blobs[k], nil }
}

func view(t testing.TB, s *State) *View {
	t.Helper()
	v, err := NewView(packed(s))
	if err != nil || v == nil {
		t.Fatal(v, err)
	}
	return v
}

func query(text string) []Query {
	var out []Query
	words.NewSplitter().Each([]byte(text), func(_, _ int, toks []words.Token) {
		for _, k := range toks {
			out = append(out, Query{k.Term, 1})
		}
	})
	return out
}

// long returns a history that fills several blocks.
func long(n int) []*code.LogCommit {
	var list []*code.LogCommit
	for i := range n {
		msg := fmt.Sprintf("Repair part%d of the engine %d\n\nIt said word%d.\n", i%50, i, i%7)
		list = append(list, commit(i, nil, msg, fmt.Sprintf("dir%d/f%d.go", i%9, i%200), fmt.Sprintf("dir%d/g%d.go", i%9, i%300), "log.md"))
	}
	return list
}

func TestPackUnpack(t *testing.T) {
	s := line(5000, long(2500)...)
	s.Commits[3].Renames = []Rename{{0, 1}, {5, 2}}
	s.Commits[2400].Renames = []Rename{{0, 7}}
	s.Shallow, s.Problem = true, "x"
	got, err := Unpack(packed(s))
	if err != nil {
		t.Fatal(err)
	}
	if got.stored != len(got.Commits) {
		t.Errorf("%d of %d commits count as stored", got.stored, len(got.Commits))
	}
	got.stored = 0
	if diff := cmp.Diff(s, got, cmp.AllowUnexported(State{})); diff != "" {
		t.Fatal(diff)
	}
	if again, _ := Unpack(packed(got)); !cmp.Equal(again, got, cmp.AllowUnexported(State{}), cmpopts.IgnoreFields(State{}, "stored")) {
		t.Error("packing twice gives another state")
	}
	empty, err := Unpack(packed(&State{Limit: 3, Head: oid(1), Problem: "no git repository"}))
	if err != nil || empty.Problem != "no git repository" || len(empty.Commits) != 0 {
		t.Fatal(empty, err)
	}
	none, err := Unpack(func(Key) ([]byte, error) { return nil, nil })
	if none != nil || err != nil {
		t.Fatal(none, err)
	}
	broken := errors.New("broken")
	if _, err := Unpack(func(Key) ([]byte, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Fatal(err)
	}
}

// TestOnward: a state that commits are added to, the oldest falling out, answers
// as one made anew.
func TestOnward(t *testing.T) {
	list := long(4000)
	s := line(1500, list[:1600]...)
	src := packed(s)
	for from := 1600; from < 4000; from += 800 {
		got, err := Unpack(src)
		if err != nil {
			t.Fatal(err)
		}
		b := NewBuilder(got, "", nil, func([]byte) {})
		for i, c := range slices.Backward(list[:from+800]) {
			if c.Parents = nil; i > 0 {
				c.Parents = []string{list[i-1].ID}
			}
			if i >= from {
				b.Add(c)
			}
		}
		s = b.Finish()
		s.Head = list[from+799].ID
		anew := line(1500, list[:from+800]...)
		if s.base == 0 || len(s.Commits) != 1500 {
			t.Fatalf("base %d, %d commits", s.base, len(s.Commits))
		}
		if s.stored == 0 {
			t.Error("nothing counts as stored")
		}
		src = packedOnto(src, s)
		v, err := NewView(src)
		if err != nil {
			t.Fatal(err)
		}
		same(t, v, view(t, anew))
	}
}

// same compares answers of two views.
func same(t *testing.T, a, b *View) {
	t.Helper()
	for _, q := range []string{"repair part7", "engine word3 137", "nothing like this"} {
		x, err := a.LearnedFiles(query(q), 20, keepAll)
		if err != nil {
			t.Fatal(err)
		}
		y, _ := b.LearnedFiles(query(q), 20, keepAll)
		p, err := a.SimilarCommits(query(q), 9, keepAll)
		if err != nil {
			t.Fatal(err)
		}
		r, _ := b.SimilarCommits(query(q), 9, keepAll)
		if diff := cmp.Diff(x, y) + cmp.Diff(p, r); diff != "" {
			t.Fatalf("%s: %s", q, diff)
		}
	}
	for _, path := range []string{"log.md", "dir3/f12.go", "no"} {
		x, err := a.CoChanged(path, 15, keepAll)
		if err != nil {
			t.Fatal(err)
		}
		y, _ := b.CoChanged(path, 15, keepAll)
		i, _, err := a.Activity(path)
		if err != nil {
			t.Fatal(err)
		}
		j, _, _ := b.Activity(path)
		m, err := a.Ties(path, []string{"dir3/f12.go"}, keepAll)
		if err != nil {
			t.Fatal(err)
		}
		n, _ := b.Ties(path, []string{"dir3/f12.go"}, keepAll)
		if diff := cmp.Diff(x, y) + cmp.Diff(i, j) + cmp.Diff(m, n); diff != "" {
			t.Fatalf("%s: %s", path, diff)
		}
	}
}

func TestCoChanged(t *testing.T) {
	bulk := []string{"a.go", "b.go"}
	for i := range MaxFiles {
		bulk = append(bulk, fmt.Sprint("x", i))
	}
	v := view(t, line(100,
		commit(1, nil, "one", "old.go", "a_test.go", "far.go"),
		commit(2, nil, "two", "old.go", "a_test.go"),
		commit(3, nil, "move", "old.go > a.go"),
		commit(4, nil, "three", "a.go", "a_test.go"),
		commit(5, nil, "bulk", bulk...),
		commit(6, nil, "alone", "b.go"),
		commit(7, nil, "again", "old.go", "stranger.go"),
		commit(8, nil, "hub", "hub.md", "a.go"), commit(9, nil, "hub", "hub.md", "b.go"), commit(10, nil, "hub", "hub.md", "c.go"),
	))
	got, err := v.CoChanged("a.go", 0, keepAll)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, c := range got {
		paths = append(paths, fmt.Sprintf("%s %d/%d", c.Path, c.Together, c.Commits))
		if c.Score <= 0 || c.Score >= 1 || c.Last.IsZero() {
			t.Errorf("%+v", c)
		}
	}
	want := []string{"a_test.go 3/3", "hub.md 1/3", "far.go 1/1"}
	if diff := cmp.Diff(want, paths); diff != "" {
		t.Error(diff)
	}
	only, _ := v.CoChanged("a.go", 1, func(p string) (bool, error) { return p != "a_test.go", nil })
	if len(only) != 1 || only[0].Path != "hub.md" {
		t.Errorf("%+v", only)
	}
	both, _ := v.CoChangedAll([]string{"a.go", "hub.md", "a.go", "no such"}, 2, keepAll)
	if len(both) != 2 || both[0].Path != "a_test.go" || both[1].Together != 1 {
		t.Errorf("%+v", both)
	}
	a, ok, err := v.Activity("a.go")
	if err != nil || !ok || a.Commits != 5 || a.Authors != 3 || a.Last.Unix() != 1_700_000_000+8*3600 || a.Churn < 4.9 || a.Churn > 5 {
		t.Errorf("%+v %v %v", a, ok, err)
	}
	if _, ok, _ := v.Activity("no such"); ok {
		t.Error("a file that never was is active")
	}
}

func TestLearned(t *testing.T) {
	bulk := make([]string, MaxFiles+1)
	for i := range bulk {
		bulk[i] = fmt.Sprint("x", i)
	}
	v := view(t, line(100,
		commit(1, nil, "Fix the parser of URLs\n\nReviewed-by: parser <p@example.org>", "url/parse.go", "url/parse_test.go"),
		commit(2, nil, "Cache sessions\n\nThe parser is not concerned.", "session.go"),
		commit(3, nil, "Fix the parser of URLs everywhere", bulk...),
		commit(4, nil, "Bump version", "version.go"),
	))
	got, err := v.LearnedFiles(query("the url parser fails"), 2, keepAll)
	if err != nil || len(got) != 2 || got[0].Path != "url/parse.go" || got[0].Score != 1 || got[1].Path != "url/parse_test.go" || !slices.Equal(got[0].Commits, []int{0}) {
		t.Errorf("%+v, %v", got, err)
	}
	like, err := v.SimilarCommits(query("url parser"), 5, keepAll)
	if err != nil || len(like) != 2 || like[0].Subject != "Fix the parser of URLs" || like[0].Score != 1 || like[0].Hash != oid(1)[:20] || like[0].Changed != 2 || len(like[0].Files) != 2 {
		t.Errorf("%+v, %v", like, err)
	}
	for _, none := range [][]Query{nil, query("zebra"), {{words.Term(1) << 50, 1}}, {{words.Of("parser"), 0}}, {{words.Of("parser"), -1}}} {
		if got, err := v.LearnedFiles(none, 5, keepAll); err != nil || len(got) > 0 {
			t.Errorf("%v: %+v, %v", none, got, err)
		}
	}
	if _, err := v.Commit(99, nil); err == nil {
		t.Error("a commit there is not")
	}
}

// TestOrder: parents come first, also where clocks are wrong and where a log
// tells them first.
func TestOrder(t *testing.T) {
	b := NewBuilder(&State{Limit: 100}, "", nil, func([]byte) {})
	back := commit(2, []int{1}, "back")
	back.Time = 5
	for _, c := range []*code.LogCommit{commit(1, []int{0}, "first"), commit(4, []int{2, 3}, "merge"), back, commit(3, []int{1}, "side"), commit(0, nil, "root")} {
		b.Add(c)
	}
	s := b.Finish()
	var got []string
	for _, c := range s.Commits {
		got = append(got, c.ID.String())
	}
	if diff := cmp.Diff([]string{oid(0)[:20], oid(1)[:20], oid(2)[:20], oid(3)[:20], oid(4)[:20]}, got); diff != "" {
		t.Error(diff)
	}
	circle := NewBuilder(&State{Limit: 100}, "", nil, func([]byte) {})
	circle.Add(commit(1, []int{2}, "a"))
	circle.Add(commit(2, []int{1}, "b"))
	if n := len(circle.Finish().Commits); n != 2 {
		t.Errorf("%d commits of a circle", n)
	}
}

// TestReorder: commits of one second are in the order of their line, counted from the
// oldest that is kept, also where older ones were kept before.
func TestReorder(t *testing.T) {
	list := long(8)
	parents := map[ID][]ID{}
	for i, c := range list {
		c.Time = list[0].Time
		if i > 0 {
			id, _ := ParseID(c.ID)
			parent, _ := ParseID(list[i-1].ID)
			parents[id] = []ID{parent}
		}
	}
	s := line(5, list[:6]...)
	b := NewBuilder(s, "", nil, func([]byte) {})
	for _, c := range list[6:] {
		b.Add(c)
	}
	s = b.Finish()
	asked := map[ID][]ID{}
	for _, id := range s.OrderedByDropped() {
		asked[id] = parents[id]
	}
	s.Reorder(asked)
	var got, want []int64
	for _, c := range s.Commits {
		got = append(got, c.Order)
	}
	for _, c := range line(5, list[3:]...).Commits {
		want = append(want, c.Order)
	}
	if diff := cmp.Diff(want, got); diff != "" || len(asked) != 5 {
		t.Errorf("%d asked: %s", len(asked), diff)
	}
}

func TestMessage(t *testing.T) {
	mask := func(b []byte) {
		for i := range b {
			if strings.HasPrefix(string(b[i:]), "SECRET") {
				copy(b[i:], "xxxxxx")
			}
		}
	}
	b := NewBuilder(&State{}, "", nil, mask)
	for _, c := range []struct{ message, subject, terms, not string }{
		{"Fix parser (#123)\n\nbody", "Fix parser (#123)", "fix parser bodi", "123"},
		{"\n \nlate\n", "late", "late", ""},
		{"a SECRET b\r\nSECRET", "a xxxxxx b", "xxxxxx", "secret"},
		{"bad \xff\x00\x1b[31m", "bad \ufffd  [31m", "bad", ""},
		{"x\n\nSigned-off-by: Ann <ann@example.org>\nChange-Id: I123\nPR-URL: https://example.org/9\nCc: bob\nCo-authored-by: eve\n", "x", "", "ann bob eve example sign change cc"},
		{"see https://example.org/wiki/Topic) after", "see https://example.org/wiki/Topic) after", "see after", "wiki topic exampl org http"},
		{"Revert \"cache\"\n\nThis reverts commit 0123456789abcdef0123456789abcdef01234567.\n(cherry picked from commit deadbeef1)", "Revert \"cache\"", "revert cach", "deadbeef1 pick"},
		{"since 0a1b2c3d4e", "since 0a1b2c3d4e", "sinc", "0a1b2c3d4e"},
		{"note: this stays\n\nso-called: too", "note: this stays", "note stai so call", ""},
		{strings.Repeat("é", 300), strings.Repeat("é", maxSubject/2), "", ""},
		{"", "", "", ""},
	} {
		text := b.clean([]byte(c.message), false)
		if got := firstLine(text); got != c.subject {
			t.Errorf("%q: subject %q, want %q", c.message, got, c.subject)
		}
		has := map[words.Term]bool{}
		for _, w := range b.terms(text) {
			has[w.Term()] = true
		}
		for _, w := range strings.Fields(c.terms) {
			if !has[words.Of(w)] {
				t.Errorf("%q: no term %s", c.message, w)
			}
		}
		for _, w := range strings.Fields(c.not) {
			if has[words.Of(w)] {
				t.Errorf("%q: a term %s", c.message, w)
			}
		}
	}
	if text := b.clean([]byte(strings.Repeat("word ", git.MaxMessage/5)), true); len(text) > git.MaxMessage-cutTail {
		t.Errorf("the end of a message that was cut stays: %d bytes", len(text))
	}
	many := b.clean([]byte(strings.Repeat("a1 b2 c3 d4 ", 10)+"subject\n"+strings.Join(strings.Fields(fmt.Sprint(make([]int, 0), long(2))), " ")), false)
	if n := len(b.terms(many)); n > maxTerms {
		t.Errorf("%d terms", n)
	}
}

// TestBuilderParts: a project below the top of the working tree, a shallow clone's end.
func TestBuilderParts(t *testing.T) {
	b := NewBuilder(&State{Limit: 10}, "sub/", []string{oid(2)}, func([]byte) {})
	b.Add(commit(1, nil, "one", "sub/a.go", "other/b.go", "x/c.go > sub/c.go", "sub/d.go > sub/e.go"))
	b.Add(commit(2, nil, "end", "sub/f.go"))
	s := b.Finish()
	var paths []string
	for _, f := range s.Commits[0].Touched {
		paths = append(paths, s.Paths[f])
	}
	slices.Sort(paths)
	if diff := cmp.Diff([]string{"a.go", "c.go", "e.go"}, paths); diff != "" {
		t.Error(diff)
	}
	if len(s.Commits[0].Renames) != 1 || s.Commits[0].Files != 4 || !s.Commits[1].Cut || s.Commits[1].Touched != nil {
		t.Errorf("%+v", s.Commits)
	}
}

// FuzzUnpack: damaged blobs are an error or another history, never worse.
func FuzzUnpack(f *testing.F) {
	s := line(50, long(40)...)
	s.Commits[3].Renames = []Rename{{0, 1}, {1, 2}}
	src := packed(s)
	for part := partState; part <= partAuthors; part++ {
		b, _ := src(Key{part, 0})
		f.Add(uint8(part), b)
		if len(b) > 3 {
			f.Add(uint8(part), b[:len(b)/2])
		}
	}
	f.Add(uint8(partState), []byte{version, 0xff, 0xff, 0xff, 0xff, 0x0f, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, part uint8, data []byte) {
		bad := func(k Key) ([]byte, error) {
			if k == (Key{int(part), 0}) {
				return data, nil
			}
			return src(k)
		}
		if _, err := Unpack(bad); err != nil && !errors.Is(err, code.ErrDamaged) {
			t.Error(err)
		}
		v, err := NewView(bad)
		if v == nil {
			if err != nil && !errors.Is(err, code.ErrDamaged) {
				t.Error(err)
			}
			return
		}
		for _, ask := range []func() error{
			func() error { _, err := v.CoChanged("log.md", 5, keepAll); return err },
			func() error { _, err := v.LearnedFiles(query("repair the engine part3 word1"), 5, keepAll); return err },
			func() error { _, err := v.SimilarCommits(query("repair the engine part3"), 5, keepAll); return err },
			func() error { _, _, err := v.Activity("dir1/f1.go"); return err },
			func() error { _, err := v.Ties("dir1/f1.go", []string{"log.md", "dir1/g1.go"}, keepAll); return err },
			func() error { _, err := v.Info(); return err },
		} {
			if err := ask(); err != nil && !errors.Is(err, code.ErrDamaged) {
				t.Error(err)
			}
		}
	})
}

// FuzzMessage: any message gives a subject and terms within their bounds.
func FuzzMessage(f *testing.F) {
	f.Add([]byte("Fix parser (#123)\n\nSee https://example.org/x\n\nSigned-off-by: a"), false)
	f.Add([]byte("\xff://#12a\x00"), true)
	b := NewBuilder(&State{}, "", nil, func([]byte) {})
	f.Fuzz(func(t *testing.T, message []byte, isCut bool) {
		text := b.clean(message, isCut)
		subject := firstLine(text)
		if len(subject) > maxSubject || strings.ContainsAny(subject, "\n\x00\x1b") {
			t.Errorf("subject %q", subject)
		}
		terms := b.terms(text)
		if len(terms) > maxTerms || !slices.IsSorted(terms) {
			t.Errorf("%d terms", len(terms))
		}
		for i := 1; i < len(terms); i++ {
			if terms[i].Term() == terms[i-1].Term() {
				t.Errorf("a term twice")
			}
		}
	})
}
