package intel

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestMarkedTouchesOnlyItsBytes: time and version are set, everything else stays as somebody wrote it.
func TestMarkedTouchesOnlyItsBytes(t *testing.T) {
	for in, want := range map[string]string{
		"{ \"a\":  1,\r\n\"_meta\": { \"version\" :7 , \"updated_at\":\"x\", \"own\": [1 ] } }\r\n": "{ \"a\":  1,\r\n\"_meta\": { \"version\" :8 , \"updated_at\":\"NOW\", \"own\": [1 ] } }\r\n",
		`{"_meta":{"updated_at":"x","version":1},"entries":{}}`:                                     `{"_meta":{"updated_at":"NOW","version":2},"entries":{}}`,
		`{"_meta":{},"a":1}`:                     `{"_meta":{"updated_at": "NOW", "version": 1},"a":1}`,
		`{"_meta":{"own":1},"a":1}`:              `{"_meta":{"updated_at": "NOW", "version": 1, "own":1},"a":1}`,
		`{"a":1}`:                                "{\n  \"_meta\": {\"updated_at\": \"NOW\", \"version\": 1},\"a\":1}",
		`{}`:                                     "{\n  \"_meta\": {\"updated_at\": \"NOW\", \"version\": 1}}",
		"\ufeff{\"_meta\":{\"version\":\"no\"}}": "\ufeff{\"_meta\":{\"updated_at\": \"NOW\", \"version\":1}}",
	} {
		got, err := withWriteTime(in, "NOW")
		if err != nil || got != want {
			t.Errorf("%s:\n%s %v\nwant\n%s", in, got, err, want)
		}
		if !json.Valid([]byte(strings.TrimPrefix(got, "\ufeff"))) {
			t.Errorf("%s: no JSON any more", got)
		}
	}
	for _, in := range []string{"", "[]", "{oops", "{\"a\":1}\n<<<<<<< HEAD\n", `{"_meta":[]}`} {
		if got, err := withWriteTime(in, "NOW"); err == nil {
			t.Errorf("%q was taken: %q", in, got)
		}
	}
}

func TestExports(t *testing.T) {
	for in, want := range map[string]string{
		"module.exports = { a, b: function() { return {inner: 1}; },\n // no\n c };\nexports.d = 1": "module.exports a b c d",
		"exports.x = 1;\nmodule.exports.y = 2":                                                      "exports.X x y",
		"export default function main() {}\nexport const k = 1\nexport { p as q, r }":               "esm main k p r",
		"export default {\n}": "esm default", "module.exports = { a": "module.exports a", "nothing": "none",
	} {
		a := Exports{Method: "none"}
		a.readSyntax(in)
		if got := strings.TrimSpace(a.Method + " " + strings.Join(a.Exports, " ")); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

// TestBudgetKeepsSeeds: what a word was found in stays, and the answer says whether the budget was kept.
func TestBudgetKeepsSeeds(t *testing.T) {
	raw := func(s string) json.RawMessage { return json.RawMessage(`"` + s + strings.Repeat("x", 400) + `"`) }
	g := &graph{
		nodes: []node{{id: "a", label: "alpha", raw: raw("a")}, {id: "b", label: "b", raw: raw("b")}, {id: "c", label: "c", raw: raw("c")}, {id: "d", label: "d", raw: raw("d")}},
		edges: []edge{
			{source: "a", target: "b", confidence: "AMBIGUOUS", raw: raw("ab")}, {source: "b", target: "c", confidence: "EXTRACTED", raw: raw("bc")},
			{source: "c", target: "d", confidence: "EXTRACTED", raw: raw("cd")}, {source: "a", target: "a", confidence: "INFERRED", raw: raw("aa")},
		},
	}
	nodes, edges, seeds := g.neighbourhood("alpha", hops)
	if len(nodes) != 3 || len(edges) != 3 {
		t.Errorf("two edges away: %d nodes, %d edges", len(nodes), len(edges))
	}
	nodes, edges, size := fitEdges(nodes, edges, seeds, 10)
	if len(nodes) != 1 || nodes[0].id != "a" || len(edges) != 0 || size <= 10 {
		t.Errorf("a small budget: %v %v %d", nodes, edges, size)
	}
}

func TestSince(t *testing.T) {
	var got []string
	for _, d := range []time.Duration{time.Second, 30 * time.Second, 61 * time.Second, 2 * time.Hour, 25 * time.Hour, 40 * 24 * time.Hour, 364 * 24 * time.Hour, 800 * 24 * time.Hour} {
		got = append(got, ageText(d))
	}
	want := []string{"just now", "30 seconds ago", "1 minute ago", "2 hours ago", "1 day ago", "1 month ago", "1 year ago", "2 years ago"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// FuzzFiles: whatever is in a file of intel, reading it ends in an answer or an error, and marking it in JSON.
func FuzzFiles(f *testing.F) {
	f.Add(`{"_meta":{"updated_at":"x","version":1},"entries":{"a":{"b":["c"]}}}`)
	f.Add("\ufeff{}")
	f.Fuzz(func(t *testing.T, text string) {
		one := &file{text: text, there: true}
		one.parseText()
		for _, p := range one.entries {
			contains(p.Value, "a")
		}
		if got, err := withWriteTime(text, "NOW"); err == nil && !json.Valid([]byte(strings.TrimPrefix(got, "\ufeff"))) {
			t.Errorf("%q became %q, which is no JSON", text, got)
		}
		(&Exports{}).readSyntax(text)
	})
}

// TestBudgetOfAnIndex: the part of the graph of an index keeps a budget, and what is near the first that was found stays longest.
func TestBudgetOfAnIndex(t *testing.T) {
	x := &Indexed{}
	for i := range 40 {
		name := fmt.Sprintf("found%02d.go", i)
		x.Graph.Nodes = append(x.Graph.Nodes, GraphNode{ID: name, Label: name}, GraphNode{ID: "near-" + name}, GraphNode{ID: "far-" + name})
		x.Graph.Found = append(x.Graph.Found, name)
		x.Graph.Edges = append(x.Graph.Edges, GraphEdge{Source: name, Target: "near-" + name}, GraphEdge{Source: "near-" + name, Target: "far-" + name})
	}
	g, err := x.toGraph()
	if err != nil {
		t.Fatal(err)
	}
	for budget, want := range map[int]string{1 << 20: "120 nodes 80 edges 40 found", 2500: "80 nodes 40 edges 40 found", 800: "30 nodes 20 edges 10 found", 20: "1 nodes 0 edges 1 found", 1: "0 nodes 0 edges 0 found"} {
		nodes, edges, found := g.fitBudget(budget)
		if got := fmt.Sprintf("%d nodes %d edges %d found", len(nodes), len(edges), found); got != want || estimateTokens(nodes, edges) > max(budget, 6) {
			t.Errorf("%d: %s, %d tokens, want %s", budget, got, estimateTokens(nodes, edges), want)
		}
	}
}
