package mcp

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"ken/internal/delivery/op"
	"ken/internal/operation"
	"ken/internal/token"
)

// plainTool is a tool without what is for programs alone.
type plainTool struct {
	Name, Description string
	InputSchema       json.RawMessage `json:"inputSchema"`
}

// TestCoreListing holds the default set to what it may cost every session.
func TestCoreListing(t *testing.T) {
	list, err := offeredTools(op.All(), nil)
	if err != nil {
		t.Fatal(err)
	}
	c := token.New(token.O200K)
	tokens := 0
	var names []string
	var plain []plainTool
	for i := range list {
		b, err := json.Marshal(list[i].listing())
		if err != nil {
			t.Fatal(err)
		}
		n := c.Count(b)
		t.Logf("%s: %d tokens", list[i].tool.Name, n)
		tokens += n
		plain = append(plain, plainTool{})
		if err := json.Unmarshal(b, &plain[i]); err != nil {
			t.Fatal(err)
		}
		names = append(names, list[i].tool.Name)
	}
	core := []string{"overview", "find", "show", "refs", "impact", "brief", "recall", "grep"}
	if !slices.Equal(names, core) {
		t.Errorf("core offers %v, want %v", names, core)
	}
	if tokens += c.Count([]byte(instructions(list))); tokens > 1300 {
		t.Errorf("the listing of core and the instructions have %d tokens, at most 1300 are allowed", tokens)
	}
	t.Logf("all: %d tokens", tokens)
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(plain)
	if err != nil {
		t.Fatal(err)
	}
	about := (tokens + 99) / 100
	want := fmt.Sprintf("about %d,%d00 tokens (names, descriptions and arguments alone %d)", about/10, about%10, c.Count(b))
	if !strings.Contains(string(readme), want) {
		t.Errorf("README.md does not have: cost a session %s", want)
	}
	if n := len(instructions(list)); n > maxInstructions {
		t.Errorf("the instructions have %d bytes", n)
	}
}

// TestInstructions holds the instructions of sets that are asked for together to what clients read, and the order of a guarded task to its cost.
func TestInstructions(t *testing.T) {
	for _, sets := range [][]string{{coreSet}, {knowledgeSet}, {guardSet}, {coreSet, guardSet}} {
		list, err := offeredTools(allTools(), sets)
		if err != nil {
			t.Fatal(err)
		}
		text := instructions(list)
		n := token.New(token.O200K).Count([]byte(text))
		t.Logf("%v: %d tokens, %d bytes", sets, n, len(text))
		if len(text) >= maxInstructions || !strings.HasSuffix(text, "not instructions.") {
			t.Errorf("%v: the instructions are cut off: %d bytes", sets, len(text))
		}
		if slices.Equal(sets, []string{guardSet}) && (n > 300 || !strings.Contains(text, "1. start_session")) {
			t.Errorf("the order of a guarded task has %d tokens:\n%s", n, text)
		}
	}
	if n := token.New(token.O200K).Count([]byte(orderOfWork)); n > 300 {
		t.Errorf("the order of work has %d tokens, at most 300 are allowed", n)
	}
}

// TestRows checks that sets name operations and arguments that exist.
func TestRows(t *testing.T) {
	list, err := offeredTools(allTools(), setNames())
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range list {
		for key := range o.shown {
			if !slices.ContainsFunc(o.fields(), func(f operation.Field) bool { return f.Key() == key }) {
				t.Errorf("%s has no argument %s", o.tool.Name, key)
			}
		}
		for i := range o.variants {
			v := &o.variants[i]
			if v.schema() == "{}" || slices.ContainsFunc(o.fields(), func(f operation.Field) bool { return f.Key() == v.key }) {
				t.Errorf("%s: the argument %s is none of %s, or is already one of the tool", o.tool.Name, v.key, v.tool.Name)
			}
		}
	}
	if _, err := offeredTools(op.All(), []string{"nosuch"}); err == nil {
		t.Error("a set that does not exist was taken")
	}
}

// TestVariants reads arguments by which another operation is asked.
func TestVariants(t *testing.T) {
	list, err := offeredTools(op.All(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ tool, args, name, want, err string }{
		{"refs", `{"name":"b","by":"a/x.go"}`, "why", "a/x.go b", ""},
		{"refs", `{"name":"b","By":"a","from":12}`, "why", "a b from line 12", ""},
		{"refs", `{"name":"b","by":null}`, "refs", "b", ""},
		{"refs", `{"name":"b","from":3}`, "refs", "b from line 3", ""},
		{"refs", `{"name":"b","by":"a","tier":"dropped"}`, "why", "", `there is no argument "tier"; there are: budget, from, omit, structured, from, to, ways`},
		{"overview", `{"parts":"12"}`, "matrix", "", ""},
		{"overview", `{"since":"14d","path":["a","b"]}`, "timeline", "a b 14d", ""},
		{"overview", `{"since":"14d","from":"x"}`, "timeline", "", `from is "x"; it must be a whole number`},
		{"overview", `{"limit":1}`, "overview", "", ""},
		{"overview", `{"sinc":"14d"}`, "overview", "", `there is no argument "sinc"; near: since; there are: budget, from, omit, structured, limit, parts, since`},
	} {
		i := slices.IndexFunc(list, func(o offeredTool) bool { return o.tool.Name == c.tool })
		o, in, common, err := list[i].decodeCall(json.RawMessage(c.args))
		if o.tool.Name != c.name {
			t.Errorf("%s %s asks %s, want %s", c.tool, c.args, o.tool.Name, c.name)
			continue
		}
		if err != nil || c.err != "" {
			if err == nil || err.Error() != c.err {
				t.Errorf("%s %s: %v, want %s", c.tool, c.args, err, c.err)
			}
			continue
		}
		var words []string
		for _, p := range stringValues(o.fields(), in) {
			if *p != "" {
				words = append(words, *p)
			}
		}
		if common.from > 1 {
			words = append(words, fmt.Sprintf("from line %d", common.from))
		}
		if got := strings.Join(words, " "); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.tool, c.args, got, c.want)
		}
	}
}

// TestDecode reads arguments as models write them.
func TestDecode(t *testing.T) {
	list, err := offeredTools(op.All(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ tool, args, want, err string }{
		{"find", `{"query":"a b","limit":"3"}`, "a b", ""},
		{"find", `{"query":["a","b"]}`, "a b", ""},
		{"find", `"{\"query\":\"a\"}"`, "a", ""},
		{"find", `null`, "", ""},
		{"find", `[1]`, "", "the arguments are no JSON object"},
		{"find", `{"query":"a","limit":"many"}`, "", `limit is "many"; it must be a whole number`},
		{"find", `{"query":"a","limit":2.5}`, "", `limit is "2.5"; it must be a whole number`},
		{"find", `{"querry":"a"}`, "", `there is no argument "querry"; near: query; there are: budget, from, omit, structured, query, limit, symbols`},
		{"find", `{"query":"a","query_file":"/etc/passwd"}`, "", `there is no argument "query_file"; near: query; there are: budget, from, omit, structured, query, limit, symbols`},
		{"show", `{"Target":"src\\api\\x.go"}`, "src/api/x.go", ""},
		{"show", `{"target":"App\\Models"}`, `App\Models`, ""},
		{"show", `{"target":{}}`, "", "target must be a string"},
		{"impact", `{"targets":"a.go"}`, "a.go", ""},
		{"impact", `{"target":"[\"a.go\",\"b.go\"]","diff":"false"}`, "a.go b.go", ""},
		{"impact", `{"target":["a.go"],"diff":"maybe"}`, "", `diff is "maybe"; it must be true or false`},
		{"grep", `{"regex":"x","i":"true","path":["./a"]}`, "x ./a", ""},
		{"brief", `{"goal":[1,{}]}`, "", "goal must be a string"},
		{"grep", `{"regex":42}`, "42", ""},
		{"find", `{"pattern":"a"}`, "a", ""},
		{"find", `{"pattern":"a","query":"b"}`, "", `there is no argument "pattern"; there are: budget, from, omit, structured, query, limit, symbols`},
		{"find", `{"pattern":"a","name":"b"}`, "", `there is no argument "pattern"; there are: budget, from, omit, structured, query, limit, symbols`},
		{"show", `{"path":"a.go","source":true}`, "a.go", ""},
		{"refs", `{"symbol":"A.b"}`, "A.b", ""},
		{"show", `{"file":"a.go"}`, "a.go", ""},
		{"grep", `{"pattern":"x","path":"a"}`, "x a", ""},
		{"brief", `{"task":"do it"}`, "do it", ""},
		{"impact", `{"symbol":"A.b"}`, "A.b", ""},
		{"recall", `{"query":"a b"}`, "a b", ""},
		{"grep", `{"regex":"x","path":[1,"a",true]}`, "x 1 a true", ""},
		{"grep", `{"regex":"x","path":[["a"]]}`, "", "path must be a list of strings"},
		{"grep", `{"regex":"x","path":[{}]}`, "", "path must be a list of strings"},
	} {
		i := slices.IndexFunc(list, func(o offeredTool) bool { return o.tool.Name == c.tool })
		in := list[i].tool.NewInput()
		_, err := list[i].decode(json.RawMessage(c.args), in)
		switch {
		case err != nil && err.Error() != c.err:
			t.Errorf("%s %s: %v, want %s", c.tool, c.args, err, c.err)
		case err == nil && c.err != "":
			t.Errorf("%s %s was taken", c.tool, c.args)
		case err == nil && list[i].tool.ArgumentText(in) != c.want:
			t.Errorf("%s %s: %q, want %q", c.tool, c.args, list[i].tool.ArgumentText(in), c.want)
		}
	}
}

// FuzzDecode checks that no arguments break decoding.
func FuzzDecode(f *testing.F) {
	f.Add(`{"query":"a","limit":"3","omit":"[1]","from":-1,"budget":1e99}`)
	f.Add(`{"path":[[]],"regex":null}`)
	list, err := offeredTools(op.All(), nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, args string) {
		for i := range list {
			c, err := list[i].decode(json.RawMessage(args), list[i].tool.NewInput())
			if err == nil && (c.budget < minBudget || c.budget > maxBudget || c.from < 1) {
				t.Errorf("%+v", c)
			}
		}
	})
}
