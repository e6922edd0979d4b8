package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// known is an oracle whose knowledge is a table.
type known struct {
	boundNames
	mixed bool
}

func (k *known) isLoose() bool { return k.mixed }

const source = `def f(): pass
f()
f()
f()
f()
f()
x.f()
x.f()
`

// newComparison is over a tree with the file a.py.
func newComparison(t *testing.T, o oracle) *comparison {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.py"), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	return &comparison{tree: &sourceTree{dir: dir, texts: map[string]*text{}}, oracle: o, result: repoResult{Repo: "r"}}
}

// at is the place of the name f on a line of the source, and offset its byte.
func at(line int) place {
	return place{"a.py", line, strings.Index(strings.Split(source, "\n")[line-1], "f(")}
}

func offset(line int) int {
	lines := strings.SplitAfter(source, "\n")
	return len(strings.Join(lines[:line-1], "")) + strings.Index(lines[line-1], "f(")
}

func TestCompare(t *testing.T) {
	o := &known{boundNames: *newBoundNames()}
	declared := at(1)
	o.boundNames.declared[declared] = true
	for _, line := range []int{2, 3, 4, 5} {
		o.addUse(at(line), declared, uses)
	}
	o.addUse(at(7), place{"a.py", 99, 0}, uses)
	c := newComparison(t, o)
	s := symbol{Path: "a.py", Name: "f", Qualified: "f", Kind: "function", Line: 1, Start: 0, End: 13}
	lists := func(line int, confidence string, target int) reference {
		return reference{Path: "a.py", Line: line, Start: offset(line), Confidence: confidence, TargetPath: "a.py", TargetLine: target}
	}
	dropped := lists(4, "exact", 50)
	dropped.Reason, dropped.dropped = "other type", true
	a := answer{ResolvedShare: 1, Symbols: []symbol{s}, References: []reference{
		lists(2, "exact", 1), lists(3, "exact", 50), dropped, lists(6, "exact", 1), lists(7, "unique-name", 1), lists(8, "ambiguous", 1),
	}}
	k := knowledge{declared: []place{declared}, uses: o.boundNames.used[declared]}
	l := c.kenListing(s, k, a)
	c.checkHeadline(s, a, c.countRecall(s, k, l))
	if err := c.countPrecision(t.Context(), s, k, l); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]int{"exact": 1, "other target": 1, "dropped: other type": 1, "nowhere": 1}, c.result.Uses); diff != "" {
		t.Errorf("uses (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]int{"exact right": 1, "exact unknown": 1, "unique-name wrong": 1, "ambiguous unknown": 1}, c.result.Listed); diff != "" {
		t.Errorf("listed (-want +got):\n%s", diff)
	}
	if c.result.FalseDecided != 1 || c.result.FalseNone != 0 {
		t.Errorf("false headlines: %d decided, %d none", c.result.FalseDecided, c.result.FalseNone)
	}
	settled := false
	a.Settled = &settled
	if c.checkHeadline(s, a, 1); c.result.FalseDecided != 1 {
		t.Error("an answer that says it is not settled counts as one that claims to be")
	}
	if want := []symbolRatio{{1, 4}}; !slices.Equal(c.result.Ambiguous, want) {
		t.Errorf("ambiguous: %v, want %v", c.result.Ambiguous, want)
	}
	var found []string
	for _, i := range c.result.Items {
		found = append(found, i.Class+" "+i.Place)
	}
	want := []string{
		"other target r:a.py:3:1", "dropped: other type r:a.py:4:1", "nowhere r:a.py:5:1", "false decided r:a.py:1:1", "wrong unique-name r:a.py:7:3",
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("disagreements (-want +got):\n%s", diff)
	}
}

// Uses of related members, which some oracles list among those of the symbol,
// are counted apart.
func TestRelated(t *testing.T) {
	o := &known{boundNames: *newBoundNames(), mixed: true}
	o.addUse(at(7), place{"a.py", 99, 0}, uses)
	o.addUse(at(2), at(1), uses)
	c := newComparison(t, o)
	k := knowledge{declared: []place{at(1)}, uses: []oracleUse{{at(2), uses}, {at(7), uses}}}
	if err := c.findRoles(t.Context(), symbol{Kind: "method"}, &k, listing{here: map[place]string{}}); err != nil {
		t.Fatal(err)
	}
	if want := []oracleUse{{at(2), uses}, {at(7), ofBase}}; !slices.Equal(k.uses, want) {
		t.Errorf("uses %v, want %v", k.uses, want)
	}
	if err := c.findRoles(t.Context(), symbol{Kind: "constructor"}, &k, listing{}); err != nil || k.uses[0].Role != implicit {
		t.Errorf("a call of a constructor has the role %s (%v)", k.uses[0].Role, err)
	}
}

// Rows that the oracle takes for the symbol are one with it, unless overloads are symbols of their own.
func TestOverloads(t *testing.T) {
	c := newComparison(t, nil)
	first := symbol{Path: "a.py", Name: "f", Line: 1, Start: 0, End: 13}
	second := symbol{Path: "a.py", Name: "f", Line: 2, Start: offset(2), End: offset(2) + 3}
	listed := reference{Path: "a.py", Start: offset(3), Confidence: "exact", TargetPath: "a.py", TargetLine: 2}
	a := answer{Symbols: []symbol{first, second}, References: []reference{listed}}
	k := knowledge{declared: []place{at(1), at(2)}}
	if l := c.kenListing(first, k, a); l.here[at(3)] != "exact" {
		t.Errorf("a further declaration of the symbol is taken for another: %v", l)
	}
	c.overloads = true
	if l := c.kenListing(first, k, a); l.here[at(3)] != "" || !l.other[at(3)] {
		t.Errorf("another overload is taken for the symbol: %v", l)
	}
}

func TestBases(t *testing.T) {
	b := newBoundNames()
	b.declared[at(1)] = true
	b.addUse(at(2), at(1), uses)
	b.addUse(at(3), at(6), uses)
	b.addUse(at(3), at(6), uses)
	b.bases = func(place) []place { return []place{at(6)} }
	k, err := b.references(t.Context(), []place{at(5), at(1)})
	if err != nil {
		t.Fatal(err)
	}
	if want := []oracleUse{{at(2), uses}, {at(3), ofBase}}; !slices.Equal(k.uses, want) {
		t.Errorf("uses %v, want %v", k.uses, want)
	}
}

func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	content := "\ufefföx = 1\n𝛼y = x\r\nend"
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	tr := &sourceTree{dir: dir, texts: map[string]*text{}}
	places := map[string]place{"öx": {"a", 1, 0}, "= 1": {"a", 1, 3}, "𝛼y": {"a", 2, 0}, "y = ": {"a", 2, 2}, "end": {"a", 3, 0}}
	for sub, want := range places {
		i := strings.Index(content, sub)
		if got := tr.placeAt("a", i); got != want {
			t.Errorf("%q is at %v, want %v", sub, got, want)
		}
		if got := tr.byteOffset(want); got != i {
			t.Errorf("%v is byte %d, want %d", want, got, i)
		}
	}
	if got := tr.namePlaces("a", "x", 0, len(content)); !slices.Equal(got, []place{{"a", 2, 6}}) {
		t.Errorf("x is at %v", got)
	}
	if got := tr.byteOffset(place{"a", 9, 0}); got != len(content) {
		t.Errorf("a line behind the end is byte %d", got)
	}
}

func TestDraw(t *testing.T) {
	var declared []symbol
	for i := range 100 {
		f := symbol{Path: "a", Name: "f", Kind: "function", Line: i}
		unnamed := symbol{Path: "a", Name: "_", Kind: "function", Line: i}
		declared = append(declared, f, unnamed)
	}
	for i := range 5 {
		declared = append(declared, symbol{Path: "a", Name: "c", Kind: "class", Line: i})
	}
	drawn := drawDeclarations(declared, 1, 20)
	kinds := map[string]int{}
	for _, s := range drawn {
		kinds[s.Kind]++
	}
	if diff := cmp.Diff(map[string]int{"function": 15, "class": 5}, kinds); diff != "" {
		t.Errorf("kinds (-want +got):\n%s", diff)
	}
	slices.Reverse(declared)
	if !slices.Equal(drawn, drawDeclarations(declared, 1, 20)) {
		t.Error("the draw depends on the order of declarations")
	}
	if slices.Equal(drawn, drawDeclarations(declared, 2, 20)) {
		t.Error("the draw does not depend on the seed")
	}
}

func TestJudged(t *testing.T) {
	r := repoResult{Lang: "go", Uses: map[string]int{"exact": 90, "nowhere": 10}}
	r.Listed = map[string]int{"exact right": 8, "exact wrong": 2}
	for i := range 10 {
		r.Items = append(r.Items, disagreement{Class: "nowhere", Place: "r:a:" + string(rune('0'+i)) + ":1"})
	}
	r.Items = append(r.Items, disagreement{Class: "wrong exact", Place: "r:b:1:1"}, disagreement{Class: "wrong exact", Place: "r:b:2:1"})
	file := filepath.Join(t.TempDir(), "judged")
	lines := "# a comment\nnowhere\tr:a:0:1\tken\nnowhere\tr:a:1:1\toracle\nwrong exact\tr:b:1:1\tken\n"
	if err := os.WriteFile(file, []byte(lines), 0o644); err != nil {
		t.Fatal(err)
	}
	j, err := readJudged(file)
	if err != nil {
		t.Fatal(err)
	}
	results := []repoResult{r}
	j.correctResults(results)
	if got := results[0].lostUses(); got != 5 {
		t.Errorf("%d uses are lost, want 5: half of those judged were not", got)
	}
	if right, all := results[0].tierPrecision("exact"); right != 10 || all != 10 {
		t.Errorf("%d of %d are right", right, all)
	}
	if err := os.WriteFile(file, []byte("nowhere\tr:a:0:1\tperhaps\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := readJudged(file); err == nil {
		t.Error("a verdict that is none is taken")
	}
}

func TestImportedPython(t *testing.T) {
	dir := t.TempDir()
	source := "from a import (\n    b,\n    c,\n)\nimport d\ne(\n    b,\n)\n"
	if err := os.WriteFile(filepath.Join(dir, "a.py"), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	tr := &sourceTree{dir: dir, texts: map[string]*text{}}
	for line, want := range map[int]bool{1: true, 2: true, 3: true, 5: true, 6: false, 7: false} {
		if got := importedPython(tr, place{"a.py", line, 4}); got != want {
			t.Errorf("line %d is an import: %v", line, got)
		}
	}
}

func TestTypedefs(t *testing.T) {
	dir := t.TempDir()
	source := "typedef struct s {\n  int a; struct s *next;\n} s;\ns x;\ntypedef struct t t;\nstruct t { int b; };\n"
	if err := os.WriteFile(filepath.Join(dir, "a.h"), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	tr := &sourceTree{dir: dir, texts: map[string]*text{}}
	for of, want := range map[place][]place{
		{"a.h", 1, 15}: {{"a.h", 2, 16}, {"a.h", 3, 2}}, {"a.h", 5, 15}: {{"a.h", 5, 17}}, {"a.h", 4, 0}: nil, {"a.h", 6, 7}: nil,
	} {
		if got := typedefs(tr, []place{of}); !slices.Equal(got, want) {
			t.Errorf("twins of %v: %v, want %v", of, got, want)
		}
	}
}

func TestImportedRust(t *testing.T) {
	dir := t.TempDir()
	source := "use a::b;\npub use a::{\n    c,\n    d::{e},\n};\nfn f() { c(); }\n    use g::h;\nlet x = c;\n"
	if err := os.WriteFile(filepath.Join(dir, "a.rs"), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	tr := &sourceTree{dir: dir, texts: map[string]*text{}}
	for at, want := range map[place]bool{
		{"a.rs", 1, 7}: true, {"a.rs", 3, 4}: true, {"a.rs", 4, 8}: true, {"a.rs", 6, 9}: false, {"a.rs", 7, 11}: true, {"a.rs", 8, 8}: false,
	} {
		if got := importedRust(tr, at); got != want {
			t.Errorf("%v is an import: %v", at, got)
		}
	}
}

func TestTable(t *testing.T) {
	r := repoResult{
		Lang: "go", Repo: "x", Symbols: 2, Uses: map[string]int{"exact": 3, "nowhere": 1},
		Listed: map[string]int{"exact right": 3, "unique-name wrong": 1}, Ambiguous: []symbolRatio{{Entries: 4, Uses: 2}, {Uses: 2}},
	}
	var out strings.Builder
	if err := writeTable(&out, []repoResult{r, r}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| go | all | 4 (0) | 8 | 6 |", "| 25.00 % | 75.00 % | 100.00 % of 6 | 0.00 % of 2 | 0 / 0 | 1.00, 2.00 |"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, out.String())
		}
	}
}

// TestUnprovenIsAnAnswer: that nothing is proven ends with the status of a failure,
// but has an answer beside it; without one it is a failure.
func TestUnprovenIsAnAnswer(t *testing.T) {
	program := filepath.Join(t.TempDir(), "ken")
	script := "#!/bin/sh\n[ \"$1\" = refs ] && echo '{\"settled\":false}'\nexit 2\n"
	if err := os.WriteFile(program, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	k := &kenProgram{program: program, dir: t.TempDir()}
	if _, err := k.askRefs(t.Context(), "a.go:F"); err != nil {
		t.Error(err)
	}
	if _, err := k.runKen(t.Context(), "init"); err == nil {
		t.Error("a failure without an answer is none")
	}
}
