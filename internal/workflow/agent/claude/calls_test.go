package claude

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/workflow/agent"
	"ken/internal/workflow/install"
)

// TestCallsInstalled: what ken install writes is read again as its own, whole.
func TestCallsInstalled(t *testing.T) {
	for _, s := range []Scope{Local, Project, User} {
		_, o := place(t, s)
		o.Ken = "/opt/it's/ken"
		p, err := Plan(o)
		if err != nil {
			t.Fatal(err)
		}
		in := &install.Installer{State: filepath.Join(t.TempDir(), "ken")}
		if _, err := in.Install(context.Background(), p); err != nil {
			t.Fatal(err)
		}
		var got Calls
		for _, src := range o.Sources() {
			if src.Name == string(s) {
				if got, err = src.Calls(); err != nil {
					t.Fatal(err)
				}
			}
		}
		program, lines := "/opt/it's/ken", 1
		if s == Project {
			program, lines = "ken", 0
		}
		if missing := MissingEvents(got.Ken); len(missing) > 0 || got.Others > 0 || len(got.Ken) != len(hooks)+lines {
			t.Errorf("%s: %d calls, missing %v, %d others", s, len(got.Ken), missing, got.Others)
		}
		for _, c := range got.Ken {
			if c.Odd != "" || c.Program != program {
				t.Errorf("%s: %+v", s, c)
			}
		}
	}
}

func TestCallsIn(t *testing.T) {
	for text, want := range map[string]Calls{
		``:   {},
		`{}`: {},
		`{"disableAllHooks": true /* for now */, "statusLine": {"type": "command", "command": "date"}}`: {Off: "disableAllHooks", OtherStatusLine: true},
		`{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "beep"}, {"type":"command","command":"/x/ken hook claude stop"}]}],}}`: {
			Others: 1, Ken: []Call{{Event: "Stop", Program: "/x/ken hook claude stop", Odd: "it is not in the form that ken install writes"}}},
		`{"hooks": {"Stop": [{"hooks": [{"type":"command","command":"ken","args":["hook","claude","pre-compact"]}]}]}}`: {
			Ken: []Call{{Event: "Stop", Program: "ken", Odd: "its arguments are for pre-compact, and it is registered for Stop"}}},
		`{"statusLine":{"type":"command","command":"node \"/h/.claude/hooks/gsd-statusline.js\""},` +
			`"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"node \"/h/.claude/hooks/gsd-check-update.js\""}]}]}}`: {
			Others: 1, OtherStatusLine: true, Leftovers: []string{"gsd-statusline.js", "gsd-check-update.js"}},
		`{"statusLine": {"type":"command","command":"\"/a b/ken\" statusline"}}`: {
			Ken: []Call{{Program: `"/a b/ken"`, Odd: "it is not in the form that ken install writes"}}},
		`{"statusLine": {"type":"command","command":"'/a b/ken' statusline"}}`: {Ken: []Call{{Program: `/a b/ken`}}},
	} {
		got, err := parseCalls([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", text, diff)
		}
	}
	for _, text := range []string{`{`, `{"hooks": []}`, `{"hooks": {"Stop": [7]}}`, `{"hooks": {"Stop": {"hooks": []}}}`} {
		if _, err := parseCalls([]byte(text)); err == nil {
			t.Errorf("%s was read", text)
		}
	}
	if missing := MissingEvents([]Call{{Kind: agent.Stop}}); len(missing) != len(hooks)-1 {
		t.Error(missing)
	}
	if _, err := (Source{"local", filepath.Join(t.TempDir(), "none.json")}).Calls(); !os.IsNotExist(err) {
		t.Error(err)
	}
}

// FuzzCalls: settings can come with a repository. Whatever is in them, a command is either
// one that ken install writes, or it is said why it is none.
func FuzzCalls(f *testing.F) {
	f.Add([]byte(`{"hooks": {"Stop": [{"hooks": [{"type":"command","command":"ken","args":["hook","claude","stop"]}]}],}, "statusLine": {"type":"command","command":"ken statusline"}}`))
	f.Add([]byte("\xef\xbb\xbf{\"hooks\": null, \"disableAllHooks\": true} // x"))
	f.Fuzz(func(t *testing.T, text []byte) {
		calls, err := parseCalls(text)
		if err != nil {
			return
		}
		for _, c := range calls.Ken {
			if c.Odd == "" && c.Event != "" && c.Kind == "" {
				t.Errorf("%+v", c)
			}
			if c.Odd == "" && c.Event == "" && ShellWord(c.Program)+" statusline" == " statusline" {
				t.Errorf("%+v", c)
			}
		}
	})
}
