package yamltree_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ken/internal/workflow/plan/edit"
	"ken/internal/workflow/plan/yamltree"
)

func parse(text string) *yamltree.Tree {
	return yamltree.Parse(text, edit.Span{End: len(text)}, 0)
}

// show writes a value as JSON has it, maps in their order.
func show(n *yamltree.Node) string {
	switch n.Kind {
	case yamltree.Empty:
		return "null"
	case yamltree.List:
		parts := make([]string, len(n.Items))
		for i, it := range n.Items {
			parts[i] = show(it)
		}
		return "[" + strings.Join(parts, ",") + "]"
	case yamltree.Map:
		parts := make([]string, len(n.Pairs))
		for i, p := range n.Pairs {
			parts[i] = fmt.Sprintf("%q:%s", p.Key, show(p.Value))
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	b, _ := json.Marshal(n.Value)
	return string(b)
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"scalars", "a: 1\nb: \"x \\\"y\\\"\" # c\nc: 'it''s'\nd:\ne: a # b\n", `{"a":"1","b":"x \"y\"","c":"it's","d":null,"e":"a"}`},
		{"dates and colons stay text", "a: 2026-03-02T23:35:17.065Z\nb: http://x/y\n", `{"a":"2026-03-02T23:35:17.065Z","b":"http://x/y"}`},
		{"no blank after the colon", "a:b\n", `{"a":"b"}`},
		{"flow", "a: [x, \"y, z\", 'w']\nb: []\nc: {k: v, l: [1, 2]}\nd: {}\n", `{"a":["x","y, z","w"],"b":[],"c":{"k":"v","l":["1","2"]},"d":{}}`},
		{"flow over lines", "a: [\n  x,\n  y # c\n]\nb: 1\n", `{"a":["x","y"],"b":"1"}`},
		{"lists", "a:\n  - x\n  - y\nb:\n- z\nc: 1\n", `{"a":["x","y"],"b":["z"],"c":"1"}`},
		{"objects in lists", "must_haves:\n  artifacts:\n    - path: \"a.go\"\n      provides: \"x: y\"\n      exports: [A, B]\n    - path: b\n  truths:\n    - a b\n",
			`{"must_haves":{"artifacts":[{"path":"a.go","provides":"x: y","exports":["A","B"]},{"path":"b"}],"truths":["a b"]}}`},
		{"prose in a list", "a:\n  - The user can see: all of it\n  - \"quoted: text\"\n", `{"a":["The user can see: all of it","quoted: text"]}`},
		{"nested lists", "a:\n  - - x\n    - y\n  - z\n", `{"a":[["x","y"],"z"]}`},
		{"an item below its dash", "a:\n  -\n    k: v\n  - w\n", `{"a":[{"k":"v"},"w"]}`},
		{"block scalars", "a: |\n  one\n    two\n\n  three\nb: >-\n  x\n  y\nc: 1\n", `{"a":"one\n  two\n\nthree\n","b":"x y","c":"1"}`},
		{"over lines", "a: one\n  two\nb: \"x\n  y\"\n", `{"a":"one two","b":"x y"}`},
		{"comments and empty lines", "# c\na: 1\n\n# d\n\nb:\n  # e\n  - x\n  # f\n  - y\n# g\n", `{"a":"1","b":["x","y"]}`},
		{"windows", "a: 1\r\nb:\r\n  - x\r\n", `{"a":"1","b":["x"]}`},
		{"keys of several words", "last updated: x\n\"quoted key\": y\n", `{"last updated":"x","quoted key":"y"}`},
		{"marks that begin no comment", "a: see #12 and ## Notes\nb: [x #1, y]\nc: #3\nd:\n  - #4\n  - e # f\n", `{"a":"see #12 and ## Notes","b":["x #1","y"],"c":"#3","d":["#4","e"]}`},
		{"twice", "a: 1\na: 2\n", `{"a":"1","a":"2"}`},
		{"a quote inside", "a: \"x\" and y\n", `{"a":"\"x\" and y"}`},
	} {
		tree := parse(c.in)
		if got := show(tree.Root); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
		if len(tree.Problems) > 0 && c.name != "twice" {
			t.Errorf("%s: %v", c.name, tree.Problems)
		}
	}
}

// TestBrokenFrontMatter: what is wrong is a problem with its line, and the keys around it are read.
func TestBrokenFrontMatter(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		line           int
	}{
		{"half a list", "a: 1\nb: [x, \nc: 3\n", `{"a":"1","b":"[x,","c":"3"}`, 2},
		{"half a quote", "a: \"x\nb: 2\n", `{"a":"\"x","b":"2"}`, 1},
		{"a tab", "a:\n\t- x\nb: 2\n", `{"a":["x"],"b":"2"}`, 2},
		{"a conflict", "a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> x\n", `{"a":"1","b":"2","b":"3"}`, 2},
		{"prose", "a: 1\nthis is no key\nb: 2\n", `{"a":"1","b":"2"}`, 2},
	} {
		tree := parse(c.in)
		if got := show(tree.Root); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
		if len(tree.Problems) == 0 || tree.Problems[0].Line != c.line {
			t.Errorf("%s: problems %v, want one in line %d", c.name, tree.Problems, c.line)
		}
	}
}

func TestSet(t *testing.T) {
	const text = "# head\nwave: 1 # first\nname: \"a b\"\ntags: [x, y]\nfiles:\n  - a.go # main\n  - b.go\nmust_haves:\n  artifacts:\n    - path: \"a.go\"\n      provides: \"x\"\nend: z\n"
	for _, c := range []struct {
		key        string
		value      any
		old, after string
	}{
		{"wave", 2, "wave: 1", "wave: 2"},
		{"wave", "1", "", ""},
		{"wave", 1, "", ""},
		{"name", "c \"d\"", `"a b"`, `"c \"d\""`},
		{"tags", []string{"x", "y"}, "", ""},
		{"tags", []string{"x", "z", "w"}, "[x, y]", "[x, z, w]"},
		{"tags", []string{"x"}, "[x, y]", "[x]"},
		{"tags", []string{"a, b"}, "[x, y]", `["a, b"]`},
		{"files", []string{"a.go", "b.go", "c: d"}, "  - b.go\n", "  - b.go\n  - \"c: d\"\n"},
		{"files", []string{"z.go", "b.go"}, "- a.go #", "- z.go #"},
		{"files", []string{"b.go"}, "\n  - a.go # main\n  - b.go\n", "\n  - b.go\n"},
		{"files", true, "files:\n  - a.go # main\n  - b.go\n", "files: true\n"},
		{"end", "y: z", "end: z", `end: "y: z"`},
		{"new", "n", "end: z\n", "end: z\nnew: n\n"},
		{"new", []any{map[string]any{"b": "2", "a": []any{"x"}}}, "end: z\n", "end: z\nnew:\n  - a:\n      - x\n    b: 2\n"},
	} {
		edits, err := parse(text).Set(c.key, c.value, "\n")
		if err != nil {
			t.Errorf("%s: %v", c.key, err)
		}
		got, err := edit.Apply(text, edits)
		want := strings.Replace(text, c.old, c.after, 1)
		if err != nil || got != want {
			t.Errorf("%s = %v: %v\n%s\nwant\n%s", c.key, c.value, err, got, want)
		}
		if tree := parse(got); !tree.HasValue(tree.Get(c.key), c.value) {
			t.Errorf("%s = %v: read as %s", c.key, c.value, show(tree.Get(c.key)))
		}
	}
	if edits, err := parse("a: [x\n").Set("a", "y", "\n"); err == nil {
		t.Errorf("what cannot be read was changed: %v", edits)
	}
	if edits, err := parse("a: 1\n").Set("b\nc", "y", "\n"); err == nil {
		t.Errorf("a key over two lines: %v", edits)
	}
}

// TestSetBesideMarks: a value beside a colon or a comment without a blank is read back as it was set.
func TestSetBesideMarks(t *testing.T) {
	for _, text := range []string{"a:0\n", "a:#\n", "a:\t# c\n", "a: {b: 0}#\n", "a: [x]#\n"} {
		edits, err := parse(text).Set("a", "//", "\n")
		if err != nil {
			continue
		}
		got, err := edit.Apply(text, edits)
		if tree := parse(got); err != nil || !tree.HasValue(tree.Get("a"), "//") {
			t.Errorf("%q: %q (%v)", text, got, err)
		}
	}
	if _, err := parse("a: 1\n").Set("a", "\xff", "\n"); err == nil {
		t.Error("a value that is not valid UTF-8")
	}
}

func TestDelete(t *testing.T) {
	const text = "a: 1\nb:\n  - x\n# c\nc: 2\n"
	for key, want := range map[string]string{"a": "b:\n  - x\n# c\nc: 2\n", "b": "a: 1\n# c\nc: 2\n", "c": "a: 1\nb:\n  - x\n# c\n", "d": text} {
		if got, err := edit.Apply(text, parse(text).Delete(key)); err != nil || got != want {
			t.Errorf("%s: %q (%v), want %q", key, got, err, want)
		}
	}
}

// TestFrontmatterObjectListsSurvive: a list of maps is what setting another key leaves alone.
func TestFrontmatterObjectListsSurvive(t *testing.T) {
	const text = "autonomous: true\nmust_haves:\n  artifacts:\n    - path: \"a.go\"\n      provides: \"it: all\"\n"
	edits, err := parse(text).Set("autonomous", false, "\n")
	if err != nil {
		t.Fatal(err)
	}
	got, err := edit.Apply(text, edits)
	if want := strings.Replace(text, "true", "false", 1); err != nil || got != want {
		t.Errorf("%q (%v), want %q", got, err, want)
	}
	provides := parse(got).Get("must_haves", "artifacts").Items[0].Get("provides")
	if provides.Text() != "it: all" {
		t.Errorf("provides is %q", provides.Text())
	}
}

func TestTexts(t *testing.T) {
	tree := parse("a: x\nb: [y]\nc:\n  - k: v\n  - z\nd:\n")
	for key, want := range map[string][]string{"a": {"x"}, "b": {"y"}, "c": {"k: v", "z"}, "d": nil, "e": nil} {
		if got := tree.Texts(tree.Get(key)); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
	if tree.Get("a", "b") != nil || (*yamltree.Tree)(nil).Get("a") != nil {
		t.Error("a value where there is none")
	}
}

// TestHostileGrowth reads texts that are made to be slow: eight times the bytes must not cost
// sixty-four times the time.
func TestHostileGrowth(t *testing.T) {
	for _, unit := range []string{"a: [\n", " [\n", "a: \"\n", "- - - -\n", "- ", "a:\n - b: {\n", "]\n", "# c\n", "a: {b: [\n", "a: |\n \n", "'", "a: b\n  c\n"} {
		cost := func(n int) time.Duration {
			text := "a: [\n" + strings.Repeat(unit, n)
			start := time.Now()
			parse(text)
			return time.Since(start)
		}
		// A busy machine makes one try slow, and what is quadratic makes all of them.
		var small, large time.Duration
		for range 8 {
			small, large = cost(4000), cost(32000)
			if large <= 30*small {
				break
			}
		}
		if large > 30*small {
			t.Errorf("%q: %v, and %v of eight times the bytes", unit, small, large)
		}
	}
	// A staircase of lines, each deeper than the one before, is as long as the square of its steps.
	var b strings.Builder
	for i := range 1500 {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	start := time.Now()
	parse(b.String())
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("a staircase took %v", took)
	}
}
