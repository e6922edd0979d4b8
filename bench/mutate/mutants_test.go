package main

import (
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const sample = `package sample

import "errors"

func find(list []string, s string, from int) (int, error) {
	if s == "" && from > 0 {
		return -1, errors.New("nothing to find")
	}
	n, err := open(s)
	if err != nil {
		return 0, err
	}
	for i := from; i < len(list); i++ {
		if list[i] == s {
			n += i
			continue
		}
		note(i)
	}
	return n, nil
}

func known(n int) bool { return n >= 1 || old(n) }
`

func sampled(t *testing.T) []mutant {
	t.Helper()
	p := &pkg{}
	if err := p.add("sample.go", []byte(sample)); err != nil {
		t.Fatal(err)
	}
	return p.mutants()
}

func TestMutants(t *testing.T) {
	var got []string
	for _, m := range sampled(t) {
		got = append(got, strings.TrimPrefix(m.String(), "sample.go:"))
		if _, err := parser.ParseFile(token.NewFileSet(), "", m.apply(), 0); err != nil {
			t.Errorf("%s: %v", m, err)
		}
	}
	want := []string{
		`6: negated: s == "" && from > 0 → !(s == "" && from > 0)`,
		`6: operand dropped: s == "" && from > 0 → s == ""`,
		`6: operand dropped: s == "" && from > 0 → from > 0`,
		`6: operator: == → !=`,
		`6: constant: "" → "x"`,
		`6: operator: && → ||`,
		`6: operator: > → >=`,
		`6: operator: > → <=`,
		`6: constant: 0 → 1`,
		`6: emptied: return -1, errors.New("nothing to find") → nothing`,
		`7: returned: -1 → (-1) + 1`,
		`7: constant: 1 → 2`,
		`7: returned: errors.New("nothing to find") → nil`,
		`10: negated: err != nil → !(err != nil)`,
		`10: operator: != → ==`,
		`13: negated: i < len(list) → !(i < len(list))`,
		`13: operator: < → <=`,
		`13: operator: < → >=`,
		`13: operator: ++ → --`,
		`13: emptied: if list[i] == s { n += i continue } note(i) → nothing`,
		`14: negated: list[i] == s → !(list[i] == s)`,
		`14: operator: == → !=`,
		`14: emptied: n += i continue → nothing`,
		`15: dropped: n += i → nothing`,
		`16: branch: continue → break`,
		`18: dropped: note(i) → nothing`,
		`20: returned: n → (n) + 1`,
		`23: returned: n >= 1 || old(n) → !(n >= 1 || old(n))`,
		`23: operand dropped: n >= 1 || old(n) → n >= 1`,
		`23: operand dropped: n >= 1 || old(n) → old(n)`,
		`23: operator: >= → >`,
		`23: operator: >= → <`,
		`23: constant: 1 → 2`,
		`23: operator: || → &&`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestStrata: the same seed picks the same changes, every change is in one
// stretch, and stretches are as long as each other.
func TestStrata(t *testing.T) {
	all := sampled(t)
	text := func(list []mutant) []string {
		var out []string
		for _, m := range list {
			out = append(out, m.String())
		}
		return out
	}
	one, two := strata(all, 5, 7), strata(all, 5, 7)
	var union []string
	for i := range one {
		if diff := cmp.Diff(text(one[i]), text(two[i])); diff != "" {
			t.Error(diff)
		}
		if n := len(one[i]); n < len(all)/5 || n > len(all)/5+1 {
			t.Errorf("stretch %d has %d of %d", i, n, len(all))
		}
		union = append(union, text(one[i])...)
	}
	want := text(all)
	slices.Sort(union)
	slices.Sort(want)
	if diff := cmp.Diff(want, union); diff != "" {
		t.Error(diff)
	}
	if first := text(strata(all, 5, 8)[0]); cmp.Diff(first, text(one[0])) == "" {
		t.Log("two seeds agree in the first stretch")
	}
	if got := len(strata(all, 1000, 1)); got != len(all) {
		t.Errorf("%d stretches", got)
	}
}
