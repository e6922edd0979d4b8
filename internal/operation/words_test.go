package operation

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

type nothing struct{}

// lenient declares an operation whose words are decoded into In.
func lenient[In any](name string, aliases ...string) *Tool[shelf] {
	return Spec[shelf, In, nothing]{
		Name: name, Aliases: aliases, Lenient: true,
		Run: func(context.Context, *Env[shelf], *In, func(*nothing) error) error { return nil },
	}.Tool()
}

type fieldWords struct {
	Field string `arg:"[FIELD]" help:"x"`
}

type pairWords struct {
	Pairs map[string]string `pairs:"yes" help:"x"`
	Dry   bool              `flag:"dry-run" help:"x"`
}

type messageWords struct {
	Message string   `arg:"MESSAGE" help:"x"`
	Files   []string `flag:"files" help:"x"`
	Amend   bool     `flag:"amend" help:"x"`
}

type listWords struct {
	IDs []string `arg:"ID…" help:"x"`
}

type areaWords struct {
	Area string `arg:"[AREA]" enum:"api,ui" help:"x"`
}

type numberWords struct {
	Tasks int     `flag:"tasks" default:"3" help:"x"`
	Most  *int    `flag:"most" help:"x"`
	Phase *string `flag:"phase" help:"x"`
	Kind  string  `flag:"kind" enum:"a,b" help:"x"`
}

type nameWords struct {
	Name  string `flag:"name" words:"yes" help:"x"`
	Title string `arg:"[TITLE…]" help:"x"`
}

func lenients() []*Tool[shelf] {
	return []*Tool[shelf]{
		lenient[struct{}]("state"), lenient[fieldWords]("state get"), lenient[pairWords]("state patch"), lenient[messageWords]("commit"),
		lenient[listWords]("requirements mark-complete"), lenient[areaWords]("todos", "list-todos"), lenient[numberWords]("metric"),
		lenient[nameWords]("scaffold"),
	}
}

// TestDecode reads command lines as prompts have them.
func TestDecode(t *testing.T) {
	for _, row := range []struct{ line, want string }{
		{"state", "state|"},
		{"state get Status", "state get|FIELD=Status"},
		{"state.get Status", "state get|FIELD=Status"},
		{"state patch --Status Ready --dry-run --Plan=2", "state patch|Plan=2 Status=Ready|dry-run"},
		{"commit", "MESSAGE is missing"},
		{"commit m n", `there is no place for "n"`},
		{"commit m --file a", "there is no flag --file; did you mean --files?"},
		{"commit m --zzz", "there is no flag --zzz"},
		{"requirements mark-complete A-1 A-2", "requirements mark-complete|ID=[A-1 A-2]"},
		{"commit m --files a,b c --amend", "commit|MESSAGE=m|files=[a b c]|amend"},
		{"commit --amend --files a -- --b", "MESSAGE=--b"},
		{"commit m --files", "--files needs a value"},
		{"list-todos ui", "todos|AREA=ui"},
		{"todos x", `AREA is "x"; it can be api, ui`},
		{"metric --tasks many", `--tasks is "many"; it has to be a whole number`},
		{"metric", "metric|tasks=3"},
		{"metric --tasks -1 --most=4 --phase=", "metric|tasks=-1|most=4|phase="},
		{"metric --kind c", `--kind is "c"; it can be a, b`},
		{"scaffold --name API, and UI --dry", "there is no flag --dry"},
		{"scaffold --name API, and UI", "scaffold|name=API, and UI"},
		{"scaffold a b", "scaffold|TITLE=a b"},
		{"stat", "none"},
		{"state nonsense", "none"},
	} {
		if got := decoded(lenients(), strings.Fields(row.line)); !strings.Contains(got, row.want) {
			t.Errorf("%s:\n got %s\nwant %s", row.line, got, row.want)
		}
	}
}

// decoded shows the input that was decoded from a command line.
func decoded(list []*Tool[shelf], words []string) string {
	tl, rest := Find(list, words)
	if tl == nil {
		return "none"
	}
	in, err := tl.Decode(rest)
	if err != nil {
		return err.Error()
	}
	out := tl.Name + "|"
	var parts []string
	for _, f := range tl.Input() {
		switch p := f.Pointer(in).(type) {
		case *string:
			if *p != "" {
				parts = append(parts, f.Name+"="+*p)
			}
		case **string:
			if *p != nil {
				parts = append(parts, f.Name+"="+**p)
			}
		case *[]string:
			if *p != nil {
				parts = append(parts, fmt.Sprintf("%s=%v", f.Name, *p))
			}
		case *int:
			parts = append(parts, fmt.Sprintf("%s=%d", f.Name, *p))
		case **int:
			if *p != nil {
				parts = append(parts, fmt.Sprintf("%s=%d", f.Name, **p))
			}
		case *bool:
			if *p {
				parts = append(parts, f.Name)
			}
		case *map[string]string:
			var pairs []string
			for _, k := range slices.Sorted(maps.Keys(*p)) {
				pairs = append(pairs, k+"="+(*p)[k])
			}
			parts = append(parts, strings.Join(pairs, " "))
		}
	}
	return out + strings.Join(parts, "|")
}

// FuzzDecode: any words give an input or an error with a message.
func FuzzDecode(f *testing.F) {
	f.Add("state patch\n--Status\nReady\n--dry-run")
	f.Add("commit\na message\n--files\na,b\nc\n--\n--x")
	f.Add("metric\n--tasks=9\n--=\n--")
	f.Fuzz(func(t *testing.T, text string) {
		tl, rest := Find(lenients(), strings.Split(text, "\n"))
		if tl == nil {
			return
		}
		in, err := tl.Decode(rest)
		if (in == nil) == (err == nil) && strings.TrimSpace(err.Error()) == "" {
			t.Errorf("%q: %v, %v", text, in, err)
		}
	})
}
