package agreement

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/knowledge/textfile"
)

const other = `---
doc_type: agreement
nl_term: "login feature"
symbols:
  - AuthService
  - Session
symbol_normalized: auth service
similarity: 0.82
learned_at: 2025-01-14T10:00:00
---

# login feature

Lead.

## Related Files

- src/auth.ts

## Evidence

- AuthService.login checks the password
  of users
- the route /login

## QueryFrame

x
`

// TestParse: pages of the program that these are modelled on are read, and what is not ken's
// stays when a page is written.
func TestParse(t *testing.T) {
	a, err := Parse(other)
	if err != nil {
		t.Fatal(err)
	}
	if a.Term != "login feature" || a.Symbol != "AuthService" || a.Learned != "2025-01-14T10:00:00" {
		t.Errorf("%+v", a)
	}
	if diff := cmp.Diff([]string{"AuthService.login checks the password of users", "the route /login"}, a.Evidence); diff != "" {
		t.Error(diff)
	}
	text := a.String()
	for _, kept := range []string{"similarity: 0.82", "  - Session", "Lead.", "## Related Files\n\n- src/auth.ts", "## QueryFrame\n\nx"} {
		if !strings.Contains(text, kept) {
			t.Errorf("%q is gone:\n%s", kept, text)
		}
	}
	again, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(text, again.String()); diff != "" {
		t.Errorf("a page that is written twice changes: %s", diff)
	}
}

// TestPut: one pair is one page, two pairs never share one, whatever their names are.
func TestPut(t *testing.T) {
	d := Folder{t.TempDir()}
	pairs := [][2]string{
		{"a b", "X.y"}, {"a-b", "X.y"}, {"a b", "X-y"}, {"A  B", "X.y"}, {"ログイン", "認証.確認"}, {"ログイン!", "認証.確認"}, {"…", "?"}, {"!", "?"},
		{strings.Repeat("長い", 100), "S"}, {strings.Repeat("長い", 100) + "x", "S"}, {"../../etc/passwd", "../x"}, {"con", "NUL"}, {".", ".."}, {"a\\b", "X.y"},
	}
	files := map[string]int{}
	for i, p := range pairs {
		k, err := d.Put(&Agreement{Term: p[0], Symbol: p[1], File: "f.go", Status: Valid, Evidence: []string{fmt.Sprint("e", i)}})
		if err != nil {
			t.Fatalf("%q: %v", p, err)
		}
		if dir := filepath.Dir(k.File); filepath.ToSlash(dir) != Dir || len(filepath.Base(k.File)) > 255 {
			t.Errorf("%q is in %s", p, k.File)
		}
		files[strings.ToLower(k.File)]++
	}
	if files[Dir+"/a-b--x-y.md"] != 2 || len(files) != len(pairs)-1 { // "A  B" is "a b"
		t.Errorf("%d files of %d pairs: %v", len(files), len(pairs), files)
	}
	list, err := d.List()
	if err != nil || len(list) != len(pairs)-1 {
		t.Fatalf("%d of %d, %v", len(list), len(pairs)-1, err)
	}
	for _, k := range list {
		if k.Page == nil {
			t.Errorf("%s: %s", k.File, k.Broken)
		} else if k.Page.Term == "a b" && k.Page.Symbol == "X.y" && !cmp.Equal(k.Page.Evidence, []string{"e0", "e3"}) {
			t.Errorf("evidence %q", k.Page.Evidence)
		}
	}
}

// TestBroken: a page that cannot be read is named, left alone, and its name is not taken.
func TestBroken(t *testing.T) {
	d := Folder{t.TempDir()}
	for name, want := range map[string]string{
		"a--x": "line 2: a merge conflict is not resolved", "b": "line 1: no front matter: a page begins with ---", "c": "line 1: the front matter has no nl_term",
		"d": "line 1: the front matter has neither symbol nor file", "e": "10485760 bytes exceed the limit of 65536", "f": "line 1: no UTF-8", "g": "line 3: nl_term is there twice",
	} {
		text := map[string]string{"a--x": "---\n<<<<<<< ours\n", "b": "x", "c": "---\nsymbol: x\n---\n", "d": "---\nnl_term: x\n---\n",
			"e": strings.Repeat("x", 10<<20), "f": "\xff\xfe", "g": "---\nnl_term: a\nnl_term: b\nsymbol: c\n---\n"}[name]
		file := Dir + "/" + name + ".md"
		if err := textfile.Replace(d.Root, file, text); err != nil {
			t.Fatal(err)
		}
		if k := d.readPage(file); k.Page != nil || k.Broken != want {
			t.Errorf("%s: %q, want %q", name, k.Broken, want)
		}
	}
	k, err := d.Put(&Agreement{Term: "a", Symbol: "x", Status: Valid, Evidence: []string{"e"}})
	if err != nil || k.File == Dir+"/a--x.md" {
		t.Errorf("%s %v", k.File, err)
	}
	b, _ := os.ReadFile(filepath.Join(d.Root, filepath.FromSlash(Dir), "a--x.md"))
	if !strings.HasPrefix(string(b), "---\n<<<<<<<") {
		t.Error("a broken page was written over")
	}
	if err := os.RemoveAll(filepath.Join(d.Root, filepath.FromSlash(Dir))); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(t.TempDir(), filepath.Join(d.Root, filepath.FromSlash(Dir))); err != nil {
		t.Skip(err)
	}
	if _, err := d.Put(&Agreement{Term: "a", Symbol: "x"}); err == nil {
		t.Error("a page was written behind a link")
	}
}

// TestAbout: terms that a text speaks of, the longest first.
func TestAbout(t *testing.T) {
	list := []KeptPage{{Page: &Agreement{Term: "cart", Symbol: "A", Status: Valid}}, {Page: &Agreement{Term: "Shopping cart", Symbol: "B", Status: Valid}}, {Broken: "x"},
		{Page: &Agreement{Term: "cart", Symbol: "C", Status: Invalid}}, {Page: &Agreement{Term: "ログイン", Symbol: "D", Status: Valid}}, {Page: &Agreement{Term: "car", Symbol: "E", Status: Valid}}}
	got := ""
	for _, a := range MentionedIn(list, "Empty the shopping-cart, ログイン画面") {
		got += a.Symbol
	}
	if got != "BAD" && got != "BDA" {
		t.Error(got)
	}
	if len(MentionedIn(list, "nothing")) != 0 {
		t.Error("a text about nothing is about something")
	}
}

// FuzzParse: whatever a page holds, it is read or named, and what is read and written is the
// same agreement.
func FuzzParse(f *testing.F) {
	f.Add(other)
	f.Add("---\nnl_term: a\nsymbol: b\n---\n\n## Evidence\nx\n")
	f.Fuzz(func(t *testing.T, text string) {
		a, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(a.String())
		if err != nil {
			if len(a.String()) > maxPage {
				return
			}
			t.Fatalf("%q became unreadable: %v\n%s", text, err, a.String())
		}
		if again.pairKey() != a.pairKey() {
			t.Fatalf("%q is %q and became %q", text, a.pairKey(), again.pairKey())
		}
	})
}
