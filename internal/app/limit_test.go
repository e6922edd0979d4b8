package app

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ken/internal/delivery/op"
	"ken/internal/delivery/planning"
	"ken/internal/operation"
)

// unlimited are the command lines that TestLimit runs besides those of questions.
var unlimited = map[string][]string{
	"grep": {"grep", "helper"}, "hotspots": {"hotspots"}, "pattern": {"pattern", "--function", "."}, "session": {"session", "list"}, "recall": {"recall", "helper"},
	"memory": {"memory", "list"}, "agreement": {"agreement", "list"}, "entity": {"entity", "list"}, "outcome": {"outcome", "stats"}, "conventions": {"conventions"}, "timeline": {"timeline"}, "surface": {"surface"}, "fleet": {"fleet", "--dir", "."},
}

// TestLimit walks the list of operations: --limit 0 lists all in each that has the flag, and the help says so.
func TestLimit(t *testing.T) {
	files := map[string]string{"lib.py": "class Base:\n    def helper(self): pass\n\ndef helper(): pass\n"}
	for i := range 130 {
		files[fmt.Sprintf("pkg%d/use.py", i)] = fmt.Sprintf("import lib\nimport outside%d\n\nclass Sub(lib.Base):\n    def helper(self): pass\n\ndef helper_of(): lib.helper()\n", i)
	}
	p, out, errs := program(t, files)
	if code := p.run(context.Background(), "init"); code != Found {
		t.Fatal(errs)
	}
	longer := 0
	for _, tool := range op.All() {
		if !limited(t, tool.Name, tool.Input()) || tool.Group != "" || tool.Name == "import-scip" {
			continue
		}
		args := unlimited[tool.Name]
		if args == nil {
			args = questions(tool, &doubtCase{symbol: "helper", file: "lib.py"})[0]
		}
		run := func(limit string) (string, int) {
			out.Reset()
			errs.Reset()
			code := p.run(context.Background(), append(slices.Clone(args), "--limit", limit)...)
			return out.String() + errs.String(), code
		}
		all, code := run("0")
		most, _ := run("1000000")
		few, _ := run("1")
		if code == Failed || all != most {
			t.Errorf("ken %s --limit 0: exit %d\n%s\n--limit 1000000:\n%s", strings.Join(args, " "), code, all, most)
		}
		if strings.Count(all, "\n") > strings.Count(few, "\n")+5 {
			longer++
		}
	}
	if longer < 8 {
		t.Errorf("only %d operations list more without a limit", longer)
	}
	for _, o := range planning.All() {
		limited(t, o.Name, o.Input())
	}
}

// limited reports whether an operation has the flag --limit, whose help has to say what 0 is.
func limited(t *testing.T, name string, fields []operation.Field) bool {
	for _, f := range fields {
		if f.Name == "limit" && !f.Positional {
			if !strings.Contains(f.Help, "0: all") {
				t.Errorf("%s: the help of --limit does not say that 0 is all: %q", name, f.Help)
			}
			return true
		}
	}
	return false
}
