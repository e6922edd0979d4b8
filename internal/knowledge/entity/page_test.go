package entity

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const sample = `---
id: src-lib-db
path: src/lib/db.ts
type: util
updated: 2025-01-21
status: active
lines: 245
complexity: medium
author: person
api: 0123456789abcdef
owner: somebody else
tags:
  - a
---

# db.ts

Above the first section.

## Purpose

Manages connections to the database so that no other file has to know how many there are.

` + "```sh\n## no heading\n```" + `

## Dependencies

**Internal:**
- [[src-config-env]] - settings
- [[src-types-db]]

## Patterns & Notes

- parameters only
`

// TestParse: a page that is read and written is the same bytes.
func TestParse(t *testing.T) {
	p, err := Parse(sample)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sample, p.String()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	h := Head{ID: "src-lib-db", Path: "src/lib/db.ts", Type: "util", Updated: "2025-01-21", Status: Active, Lines: 245, Complexity: "medium", Author: "person",
		API: "0123456789abcdef", Other: []string{"owner: somebody else", "tags:", "  - a"}}
	if diff := cmp.Diff(h, p.Head); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if got := p.Links(); !slices.Equal(got, []string{"src-config-env", "src-types-db"}) {
		t.Errorf("links %q", got)
	}
	dos, err := Parse("\ufeff" + strings.ReplaceAll(sample, "\n", "\r\n"))
	if err != nil || dos.String() != sample {
		t.Errorf("with carriage returns: %v\n%s", err, dos)
	}
}

// TestParseBroken: what a person broke by hand is named with its line.
func TestParseBroken(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     "line 1: no front matter",
		"# db.ts":                              "line 1: no front matter",
		"---\npath: a\n":                       "the front matter has no end",
		"---\npath: a\npath: b\n---\n":         "line 3: path is there twice",
		"---\nnonsense\n---\n":                 "line 2: no key and value: nonsense",
		"---\nlines: many\n---\n":              "line 2: lines is no number: many",
		"---\npath: a\n---\n<<<<<<< HEAD\n":    "line 4: a merge conflict is not resolved",
		"---\npath: \xff\n---\n":               "line 1: no UTF-8",
		"---\n" + strings.Repeat("x", maxRead): "line 1: larger than 64 KB",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %s", text, err, want)
		}
	}
}

// TestQuoted: every path survives the front matter.
func TestQuoted(t *testing.T) {
	for _, path := range []string{"a/b.ts", "a: b", "#a", "- a", "a #b", " a ", "a\nb", `a"b`, "'a'", "ä/日本.go", "[[a]]", "a:", "-", "a\\b", "null"} {
		p := &Page{Head: Head{Path: path}}
		got, err := Parse(p.String())
		if err != nil || got.Head.Path != path {
			t.Errorf("%q: %q %v\n%s", path, got.Head.Path, err, p)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(sample)
	f.Add("---\npath: a\n---\n## A\n```\n## B\n")
	f.Add("---\npath: a\n---\n## A\n```\n## B\r")
	f.Add("---\npath: a\n---\n## A\nb\r\r\nc\r \n```\nd\r\t")
	f.Add("---\npath: a\n--\r \n---\n")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse(text)
		if err != nil {
			return
		}
		once := p.String()
		again, err := Parse(once)
		if err != nil {
			if len(once) <= maxRead {
				t.Fatalf("written as something that cannot be read: %v\n%s", err, once)
			}
			return
		}
		if diff := cmp.Diff(once, again.String()); diff != "" {
			t.Errorf("a second time: %s", diff)
		}
	})
}

// TestCheck holds pages to what makes them worth reading.
func TestCheck(t *testing.T) {
	good := "---\npath: a.ts\ntype: util\n---\n\n## Purpose\n\nKeeps connections open so that requests need not wait for one.\n\n## Dependencies\n\n- [[b]]\n"
	for name, c := range map[string]struct {
		old, new, want string
		own            bool
	}{
		"good":       {own: true},
		"type":       {old: "type: util", new: "type: thing", want: `type "thing" is none of`},
		"no path":    {old: "path: a.ts\n", want: "no path"},
		"short":      {old: "Keeps connections open so that requests need not wait for one.", new: "Connections.", want: "has 12 characters"},
		"what":       {old: "Keeps connections", new: "Exports functions that keep connections", want: `begins with "exports"`},
		"unlinked":   {old: "[[b]]", new: "b", want: "link to them", own: true},
		"no imports": {old: "[[b]]", new: "b"},
		"status":     {old: "type: util", new: "type: util\nstatus: fine", want: `status "fine"`},
		"long":       {old: "- [[b]]", new: "- [[b]]" + strings.Repeat(" and more", 400), want: "at most 3072"},
		"no purpose": {old: "## Purpose", new: "## Why", want: "has 0 characters"},
	} {
		p, err := Parse(strings.Replace(good, c.old, c.new, 1))
		if err != nil {
			t.Fatal(err)
		}
		wrong := p.Mistakes(c.own)
		if c.want == "" && len(wrong) > 0 || c.want != "" && (len(wrong) != 1 || !strings.Contains(wrong[0], c.want)) {
			t.Errorf("%s: %q, want %q", name, wrong, c.want)
		}
	}
}

// TestRefresh: ken's parts of a written page follow the file, its author's do not.
func TestRefresh(t *testing.T) {
	p, err := Parse(sample)
	if err != nil {
		t.Fatal(err)
	}
	d := &Derived{Head: p.Head, Dependents: []Linked{{ID: "src-a"}}, Users: 1}
	d.Lines = 250
	purpose := p.Section(Purpose)
	if !p.Refresh(d) || p.Head.Lines != 250 || p.Head.Status != Active || !strings.Contains(p.Section(Dependents), "[[src-a]]") {
		t.Errorf("\n%s", p)
	}
	if p.Refresh(d) {
		t.Error("refreshed a second time")
	}
	d.API = "other"
	if !p.Refresh(d) || p.Head.Status != Stale || p.Section(Purpose) != purpose || p.Head.Author != "person" {
		t.Errorf("\n%s", p)
	}
	p.Head.Status = Deprecated
	if p.Refresh(d); p.Head.Status != Deprecated {
		t.Error("what its author calls deprecated is not any more")
	}
}

// TestFolder: pages are found by id and by path, broken ones are named and kept, links and
// folders in the way are not followed.
func TestFolder(t *testing.T) {
	d := Folder{Root: t.TempDir()}
	if list, err := d.List(); len(list) > 0 || err != nil {
		t.Errorf("%v %v", list, err)
	}
	p, err := Parse(sample)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Write(p, ""); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(d.Root, Dir)
	broken := "---\nbroken\n"
	if err := os.WriteFile(filepath.Join(dir, "x.md"), []byte(broken), 0o644); err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(t.TempDir(), "outside.md")
	if err := os.WriteFile(outside, []byte(sample), 0o644); err != nil {
		t.Fatal(err)
	}
	os.Symlink(outside, filepath.Join(dir, "y.md"))
	list, err := d.List()
	if err != nil || len(list) != 3 || list[0].Page == nil || list[1].Broken == "" || list[2].Broken != "not a regular file" {
		t.Errorf("%+v %v", list, err)
	}
	if k, err := d.Find("another-id", "src/lib/db.ts"); err != nil || k.Name != "src-lib-db.md" {
		t.Errorf("%+v %v", k, err)
	}
	if k, err := d.Find("x", "x.ts"); err != nil || k.Broken == "" {
		t.Errorf("%+v %v", k, err)
	}
	former := p.Head.ID
	p.Head.ID = "src-lib-store"
	if err := d.Write(p, former+".md"); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second of the same name does not take the place of the first
		if err := d.Archive("src-lib-store.md"); err != nil {
			t.Fatal(err)
		}
		if err := d.Write(p, ""); err != nil {
			t.Fatal(err)
		}
	}
	if kept, _ := filepath.Glob(filepath.Join(d.Root, Archive, "*")); len(kept) != 2 {
		t.Errorf("%q", kept)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "x.md")); err != nil || string(b) != broken {
		t.Errorf("the broken page is another: %q %v", b, err)
	}
	linked := Folder{Root: t.TempDir()}
	os.Symlink(filepath.Join(d.Root, ".ken"), filepath.Join(linked.Root, ".ken"))
	if _, err := linked.List(); err == nil {
		t.Error("read through a link")
	}
	if err := linked.Write(p, ""); err == nil {
		t.Error("wrote through a link")
	}
}
