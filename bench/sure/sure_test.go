package main

import (
	"context"
	"path"
	"strings"
	"testing"
)

// TestSample judges a sample of the generated cases: no answer is false that known.txt does not list.
func TestSample(t *testing.T) {
	o := options{sample: 35, seed: 27}
	if testing.Short() {
		o.sample = 5
	}
	list, err := o.selectCases()
	if err != nil {
		t.Fatal(err)
	}
	knowns, err := readKnown(knownText)
	if err != nil {
		t.Fatal(err)
	}
	results, err := run(context.Background(), list)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		for _, f := range r.faults {
			if !isKnown(knowns, r.c.id(), f) {
				t.Errorf("go run ./bench/sure -run '^%s$' -dump FOLDER\n%s", r.c.id(), f)
			}
		}
	}
	var b strings.Builder
	writeTable(&b, results)
	t.Log("\n" + b.String())
}

// TestCases checks that there are enough cases of each language, that each has its own id, and that each template is filled.
func TestCases(t *testing.T) {
	languages, err := readLanguages()
	if err != nil {
		t.Fatal(err)
	}
	if len(languages) != 12 {
		t.Errorf("%d languages, want 12", len(languages))
	}
	all := 0
	for _, l := range languages {
		ids := map[string]bool{}
		list := l.cases()
		for _, c := range list {
			if ids[c.id()] {
				t.Errorf("%s: two cases", c.id())
			}
			ids[c.id()] = true
		}
		if all += len(list); len(list) < 200 {
			t.Errorf("%s: %d cases, want 200", l.name, len(list))
		}
		for i := range l.ways {
			w := &l.ways[i]
			for _, word := range w.kinds {
				if !l.knows(strings.TrimPrefix(word, "-")) {
					t.Errorf("%s: way %s: no kind has the name or tag %s", l.name, w.name, word)
				}
			}
		}
		checkBuilt(t, l, list)
	}
	if all < 5000 {
		t.Errorf("%d cases, want 5000", all)
	}
}

func (l *language) knows(word string) bool {
	for i := range l.kinds {
		w := way{kinds: []string{word}}
		if w.leadsTo(&l.kinds[i]) {
			return true
		}
	}
	return false
}

// checkBuilt checks that marks are where the names are.
func checkBuilt(t *testing.T, l *language, list []*testCase) {
	t.Helper()
	for _, c := range list {
		b := c.build()
		if len(b.subjects) == 0 {
			t.Errorf("%s: nothing is declared", c.id())
		}
		for i, s := range b.subjects {
			if i == 0 && !s.used && !c.isIdle() && !c.isBeside() {
				t.Errorf("%s: nothing uses it", c.id())
			}
			for _, m := range s.marks {
				if text := b.files[m.path]; m.end > len(text) || m.start > m.end || m.isPlace && m.start == m.end {
					t.Errorf("%s: a mark is outside of %s", c.id(), m.path)
				}
			}
		}
	}
}

func TestKnown(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"go/*/*/*/*/whole/*:none", "go/a/b/c/same/whole/one:none", true},
		{"go/*/*/*/*/whole/*:none", "go/a/b/c/same/bad/one:none", false},
		{"go/*/*/*/*/whole/*:none", "go/a/b/c/same/whole/one:full", false},
	} {
		if got, _ := path.Match(c.pattern, c.text); got != c.want {
			t.Errorf("%s, %s: %v", c.pattern, c.text, got)
		}
	}
}
