package install

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// world is a project and a state directory.
type world struct {
	t    *testing.T
	dir  string
	in   *Installer
	plan *Plan
}

const fileText, blockText = "a file of ken\n", "a fact.\nanother."

func newWorld(t *testing.T, files map[string]string) *world {
	t.Helper()
	dir := t.TempDir()
	w := &world{t: t, dir: filepath.Join(dir, "project"), in: &Installer{State: filepath.Join(dir, "state")}}
	if err := os.MkdirAll(filepath.Join(w.dir, ".git", "info"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		w.write(name, text)
	}
	w.plan = w.planOf("/bin/ken")
	return w
}

func (w *world) planOf(ken string) *Plan {
	entry := func(event, arg string, timeout int) Entry {
		v := fmt.Sprintf(`{"hooks":[{"type":"command","command":%q,"args":["hook",%q],"timeout":%d}]}`, ken, arg, timeout)
		return Entry{Keys: []string{"hooks", event}, Argv: []string{ken, "hook", arg}, Value: json.RawMessage(v)}
	}
	git := filepath.Join(w.dir, ".git")
	return &Plan{
		Name: "test-local", Root: w.dir, Within: []string{w.dir},
		Files: []File{
			{Path: w.path(".agent/skills/ken-query/SKILL.md"), Data: []byte(fileText), What: "skill"},
			{Path: w.path(".agent/hooks/ken-stop.sh"), Data: []byte("#!/bin/sh\nexec " + ken + " hook stop\n"), What: "hook", Exec: true},
			{Path: w.path(".agent/hooks/Stop"), Data: []byte("#!/bin/sh\nexec " + ken + " hook stop\n"), What: "hook", Exec: true, Optional: true},
		},
		Lines:  []Lines{{filepath.Join(git, "info", "exclude"), "ignored files", git, []string{"/.agent/settings.json", "/RULES.md"}}},
		Blocks: []Block{{w.path("RULES.md"), "rules", "<!-- ken:begin -->", "<!-- ken:end -->", blockText}},
		Tables: []Table{{Path: w.path(".agent/config.toml"), What: "server", Keys: []string{"mcp_servers", "ken"}, Text: fmt.Sprintf("[mcp_servers.ken]\ncommand = %q", ken)}},
		Members: []Member{{w.path(".agent/config.yaml"), "server", "extensions", "ken", []string{ken, "mcp"},
			json.RawMessage(fmt.Sprintf(`{"type":"stdio","cmd":%q,"args":["mcp"]}`, ken))}},
		Settings: []Settings{{w.path(".agent/settings.json"), "hooks", []Entry{entry("Start", "start", 5), entry("Stop", "stop", 5), entry("Stop", "late", 60)},
			[]Value{{Key: "statusLine", Value: json.RawMessage(fmt.Sprintf(`{"type":"command","command":"%s line"}`, ken))}}}},
	}
}

func (w *world) path(name string) string { return filepath.Join(w.dir, filepath.FromSlash(name)) }

func (w *world) write(name, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(w.path(name), []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) read(name string) string {
	data, err := os.ReadFile(w.path(name))
	if err != nil {
		return "-"
	}
	return string(data)
}

// tree is every file with its content and mode, and every folder.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		st, err := d.Info()
		if err != nil {
			return err
		}
		text := ""
		if st.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			text = string(data)
			if len(text) > 10_000 {
				text = hash(data)
			}
		}
		rel, err := filepath.Rel(dir, path)
		out[filepath.ToSlash(rel)] = st.Mode().String() + " " + text
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return out
}

func (w *world) install() []Change {
	w.t.Helper()
	changes, err := w.in.Install(context.Background(), w.plan)
	if err != nil {
		w.t.Fatalf("install: %v", err)
	}
	return changes
}

func (w *world) uninstall() []Change {
	w.t.Helper()
	changes, err := w.in.Uninstall(context.Background(), w.plan)
	if err != nil {
		w.t.Fatalf("uninstall: %v", err)
	}
	return changes
}

func (w *world) same(what string, want map[string]string) {
	w.t.Helper()
	if diff := cmp.Diff(want, tree(w.t, w.dir)); diff != "" {
		w.t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// seeds are settings that are there before ken comes.
var seeds = map[string]string{
	"none":             "-",
	"empty":            "",
	"object":           "{}",
	"minimal":          "{\n  \"model\": \"opus\"\n}\n",
	"no final newline": "{\n  \"model\": \"opus\"\n}",
	"hooks of others": "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          { \"type\": \"command\", \"command\": \"beep\" }\n" +
		"        ]\n      }\n    ]\n  }\n}\n",
	"comments":      "// mine\n{\n  \"hooks\": { // all\n    \"Stop\": [ /* none */ ], // quiet\n  },\n}\n",
	"crlf":          "{\r\n  \"hooks\": {}\r\n}\r\n",
	"mark":          "\xEF\xBB\xBF{ \"a\": \"ü 日本\" }\n",
	"tabs":          "{\n\t\"a\": 1,\n\t\"hooks\": {}\n}\n",
	"compact":       `{"a":1,"hooks":{"Stop":[]}}`,
	"deep":          `{"a":` + strings.Repeat("[", 500) + strings.Repeat("]", 500) + `}`,
	"status line":   "{\n  \"statusLine\": {\n    \"command\": \"date\" // mine\n  }\n}\n",
	"20 MB":         `{"a":["` + strings.Repeat("x", 20<<20) + `"],"hooks":{}}`,
	"ken's already": `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/bin/ken","args":["hook","stop"],"timeout":5}]}]}}`,
}

// TestRoundTrip: a second installation changes nothing, also not in the state
// directory, and taking out gives every byte, mode and folder of before.
func TestRoundTrip(t *testing.T) {
	for name, seed := range seeds {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"RULES.md": "rules of mine", ".git/info/exclude": "*.log\n",
				".agent/config.yaml": "\ufeffextensions: # mine\r\n  other:\r\n    cmd: x\r\nz: 1", ".agent/hooks/Stop": "mine"})
			if seed != "-" {
				w.write(".agent/settings.json", seed)
				if err := os.Chmod(w.path(".agent/settings.json"), 0o640); err != nil {
					t.Fatal(err)
				}
			}
			before := tree(t, w.dir)
			preview, err := w.in.PreviewInstall(context.Background(), w.plan)
			if err != nil {
				t.Fatal(err)
			}
			w.same("a preview", before)
			if done := w.install(); !reflect.DeepEqual(preview, done) {
				t.Errorf("preview and installation differ")
			}
			after, state := tree(t, w.dir), tree(t, w.in.State)
			if got := w.install(); !NothingToDo(got) {
				t.Errorf("a second installation: %+v", got)
			}
			w.same("a second installation", after)
			if diff := cmp.Diff(state, tree(t, w.in.State)); diff != "" {
				t.Errorf("a second installation changed the record:\n%s", diff)
			}
			w.uninstall()
			if name == "ken's already" {
				before[".agent/settings.json"] = "-rw-r----- {}"
			}
			w.same("taken out", before)
			if got := w.uninstall(); !NothingToDo(got) {
				t.Errorf("taken out twice: %+v", got)
			}
			if left := slices.Sorted(maps.Keys(tree(t, w.in.State))); !slices.Equal(left, []string{".", "install.lock"}) {
				t.Errorf("left in the state directory: %v", left)
			}
		})
	}
}

// TestRefused: what cannot be edited is named, and nothing at all is written.
func TestRefused(t *testing.T) {
	settings := func(text string) func(*world) { return func(w *world) { w.write(".agent/settings.json", text) } }
	link := func(to, name string) func(*world) {
		return func(w *world) {
			w.write(filepath.Dir(name)+"/x", "")
			if err := os.Symlink(to, w.path(name)); err != nil {
				w.t.Fatal(err)
			}
		}
	}
	outside := t.TempDir()
	for name, tc := range map[string]struct {
		seed func(*world)
		want string
	}{
		"broken":                {settings("{\n  \"a\": oops\n}"), "settings.json: line 2, column 8: 'o' where a value is expected"},
		"hooks twice":           {settings(`{"hooks":{},"hooks":{}}`), `settings.json: line 1, column 13: the key "hooks" is there twice`},
		"hooks a list":          {settings(`{"hooks":[]}`), `settings.json: line 1, column 10: "hooks" is not an object`},
		"no object":             {settings(`"x"`), "settings.json: line 1, column 1: the file holds no object"},
		"utf-16":                {settings("\xFF\xFE{\x00}\x00"), "settings.json: line 1, column 1"},
		"too large":             {settings(strings.Repeat(" ", maxFile+1)), "more than the 33554432 that ken edits"},
		"link out":              {link(filepath.Join(outside, "s.json"), ".agent/settings.json"), "is a link to a missing file"},
		"link out to a file":    {link("/etc/passwd", ".agent/settings.json"), "it is a link to /etc/passwd, which is outside of"},
		"folder is a link out":  {func(w *world) { os.Symlink(outside, w.path(".agent")) }, "which is outside of"},
		"rules lead into git":   {func(w *world) { w.write(".git/config", "x"); link(".git/config", "RULES.md")(w) }, "which belongs to git or ken"},
		"settings are a folder": {func(w *world) { w.write(".agent/settings.json/x", "") }, "it is not a regular file"},
		"half a block":          {func(w *world) { w.write("RULES.md", "a\n<!-- ken:begin -->\n") }, `RULES.md: "<!-- ken:begin -->" without "<!-- ken:end -->" after it`},
		"end first":             {func(w *world) { w.write("RULES.md", "<!-- ken:end -->\n<!-- ken:begin -->\n") }, `RULES.md: line 1: "<!-- ken:end -->" without`},
		"two blocks": {func(w *world) { w.write("RULES.md", strings.Repeat("<!-- ken:begin -->\n<!-- ken:end -->\n", 2)) },
			`RULES.md: line 3: a second "<!-- ken:begin -->"`},
		"skill of theirs": {func(w *world) { w.write(".agent/skills/ken-query/SKILL.md", "mine") }, "it exists and was not made by ken"},
		"read-only": {func(w *world) {
			w.write(".agent/settings.json", "{}")
			os.Chmod(w.path(".agent/settings.json"), 0o444)
		}, "settings.json: it is read-only"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, nil)
			tc.seed(w)
			before := tree(t, w.dir)
			_, err := w.in.Install(context.Background(), w.plan)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%v, want %s", err, tc.want)
			}
			w.same("nothing is written", before)
			if _, err := os.Lstat(filepath.Join(w.in.State, "install")); err == nil {
				t.Error("a record was written")
			}
		})
	}
}

// TestLinkInside: settings that are a link to a file of the project stay one.
func TestLinkInside(t *testing.T) {
	w := newWorld(t, map[string]string{"dotfiles/settings.json": "{}\n", ".agent/x": ""})
	if err := os.Symlink("../dotfiles/settings.json", w.path(".agent/settings.json")); err != nil {
		t.Fatal(err)
	}
	before := tree(t, w.dir)
	w.install()
	if !strings.Contains(w.read("dotfiles/settings.json"), "/bin/ken") {
		t.Error("the file that the link leads to was not edited")
	}
	if st, err := os.Lstat(w.path(".agent/settings.json")); err != nil || st.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v %v", st, err)
	}
	w.uninstall()
	w.same("taken out", before)
}

// TestEditedSince: what somebody has written since stays, and only what is ken's goes.
func TestEditedSince(t *testing.T) {
	w := newWorld(t, map[string]string{".agent/settings.json": "{\n  \"model\": \"opus\"\n}\n", "RULES.md": "mine", ".git/info/exclude": "*.log"})
	w.install()
	w.write(".agent/settings.json", strings.Replace(w.read(".agent/settings.json"), `"opus"`, `"haiku"`, 1))
	w.write("RULES.md", "# Title\n"+w.read("RULES.md")+"more\n")
	w.write(".git/info/exclude", w.read(".git/info/exclude")+"*.tmp\n")
	w.write(".agent/skills/ken-query/notes.md", "mine")
	if got := w.install(); !NothingToDo(got) {
		t.Errorf("a second installation: %+v", got)
	}
	w.uninstall()
	for name, want := range map[string]string{
		".agent/settings.json":             "{\n  \"model\": \"haiku\"\n}\n",
		"RULES.md":                         "# Title\nmine\nmore\n",
		".git/info/exclude":                "*.log\n*.tmp\n",
		".agent/skills/ken-query/SKILL.md": "-",
		".agent/skills/ken-query/notes.md": "mine",
	} {
		if got := w.read(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestChangedByUser: what the user has made of ken's own parts is respected.
func TestChangedByUser(t *testing.T) {
	w := newWorld(t, nil)
	w.install()
	w.write(".agent/skills/ken-query/SKILL.md", "better")
	s := strings.Replace(w.read(".agent/settings.json"), `"timeout": 60`, `"timeout": 99`, 1)
	w.write(".agent/settings.json", strings.Replace(s, "/bin/ken line", "date", 1))
	changed := tree(t, w.dir)
	notes := ""
	for _, c := range w.install() {
		notes += c.Note + "\n"
	}
	w.same("a second installation", changed)
	for _, want := range []string{"you have changed it, so it stays", "the entry of hooks.Stop was changed", `"statusLine" has a value already`} {
		if !strings.Contains(notes, want) {
			t.Errorf("no note %q in\n%s", want, notes)
		}
	}
	w.uninstall()
	if got := w.read(".agent/settings.json"); !jsonEqual(got, `{"statusLine":{"type":"command","command":"date"}}`) {
		t.Errorf("settings: %s", got)
	}
	if got := w.read(".agent/skills/ken-query/SKILL.md"); got != "better" {
		t.Errorf("skill: %s", got)
	}
}

func jsonEqual(a, b string) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, []byte(a)) == nil && json.Compact(&y, []byte(b)) == nil && x.String() == y.String()
}

// TestNewVersion: another program path and another timeout take the places of the old.
func TestNewVersion(t *testing.T) {
	for _, edited := range []bool{false, true} {
		w := newWorld(t, map[string]string{".agent/settings.json": "{\n  \"statusLine\": 1\n}\n"})
		before := tree(t, w.dir)
		w.install()
		if edited {
			w.write(".agent/settings.json", strings.Replace(w.read(".agent/settings.json"), "{\n", "{\n  \"a\": 1,\n", 1))
		}
		w.plan = w.planOf("/opt/ken")
		w.plan.Files[0].Data = []byte("new\n")
		w.plan.Lines[0].Lines = w.plan.Lines[0].Lines[:1]
		w.install()
		if got := w.read(".agent/settings.json"); strings.Contains(got, "/bin/ken") || strings.Count(got, "/opt/ken") != 4 {
			t.Errorf("settings: %s", got)
		}
		state := tree(t, w.dir)
		w.install()
		w.same("again", state)
		w.uninstall()
		if edited {
			if got := w.read(".agent/settings.json"); got != "{\n  \"a\": 1,\n  \"statusLine\": 1\n}\n" {
				t.Errorf("settings: %s", got)
			}
			continue
		}
		w.same("taken out", before)
	}
}

// TestKilled ends an installation, a change of it, and a removal between any two
// steps. Every file is an old or a new one then, and the next run finishes.
func TestKilled(t *testing.T) {
	errKilled := errors.New("killed")
	seed := map[string]string{".agent/settings.json": "{\n  \"a\": 1\n}\n", "RULES.md": "mine\n", ".agent/hooks/Stop": "mine\n",
		".agent/config.yaml": "# mine\nextensions:\n  other: {cmd: x}\n"}
	for name, tc := range map[string]struct{ installed, to string }{
		"installing": {"", "/bin/ken"}, "changing": {"/bin/ken", "/opt/ken"}, "removing": {"/bin/ken", ""},
	} {
		for n := 0; ; n++ {
			w := newWorld(t, seed)
			before := tree(t, w.dir)
			if tc.installed != "" {
				w.plan = w.planOf(tc.installed)
				w.install()
			}
			from := tree(t, w.dir)
			do, again := w.in.Install, w.install
			if tc.to == "" {
				do, again = w.in.Uninstall, w.uninstall
			} else {
				w.plan = w.planOf(tc.to)
			}
			left := n
			w.in.step = func(string) error {
				if left--; left < 0 {
					return errKilled
				}
				return nil
			}
			_, err := do(context.Background(), w.plan)
			killed := tree(t, w.dir)
			w.in.step = nil
			again()
			to := tree(t, w.dir)
			wholeFiles(t, fmt.Sprintf("%s, killed at step %d", name, n), from, killed, to)
			w.uninstall()
			w.same(fmt.Sprintf("%s, killed at step %d, finished, taken out", name, n), before)

			if err == nil {
				if n < 4 {
					t.Errorf("%s took %d steps only", name, n)
				}
				break
			}
			if !errors.Is(err, errKilled) {
				t.Fatal(err)
			}
			killedThenRemoved(t, w, seed, tc.installed, tc.to, n)
		}
	}
}

// killedThenRemoved: after a kill, a removal alone leads back, too.
func killedThenRemoved(t *testing.T, _ *world, seed map[string]string, installed, to string, n int) {
	t.Helper()
	w := newWorld(t, seed)
	before := tree(t, w.dir)
	if installed != "" {
		w.plan = w.planOf(installed)
		w.install()
	}
	if to == "" {
		return
	}
	w.plan = w.planOf(to)
	left := n
	w.in.step = func(string) error {
		if left--; left < 0 {
			return errors.New("killed")
		}
		return nil
	}
	w.in.Install(context.Background(), w.plan)
	w.in.step = nil
	w.uninstall()
	w.same(fmt.Sprintf("killed at step %d, taken out", n), before)
	if entries := slices.Sorted(maps.Keys(tree(t, w.in.State))); !slices.Equal(entries, []string{".", "install.lock"}) {
		t.Errorf("killed at step %d: left in the state directory: %v", n, entries)
	}
}

// wholeFiles fails for a file that is neither an old nor a new one; one beside a file
// has no meaning to anybody.
func wholeFiles(t *testing.T, what string, from, killed, to map[string]string) {
	t.Helper()
	for path, text := range killed {
		if strings.Contains(path, "/.ken-") || strings.HasPrefix(path, ".ken-") || strings.HasPrefix(text, "d") {
			continue
		}
		if text != from[path] && text != to[path] {
			t.Errorf("%s: %s is neither old nor new: %s", what, path, text)
		}
	}
	for path := range to {
		if strings.Contains(path, ".ken-") {
			t.Errorf("%s: %s is left", what, path)
		}
	}
}

// TestRaced: a file that another program changes meanwhile is read again, and what that
// program wrote is not lost.
func TestRaced(t *testing.T) {
	w := newWorld(t, map[string]string{".agent/settings.json": "{}\n"})
	times := 0
	w.in.step = func(what string) error {
		if strings.HasPrefix(what, "replace") && strings.HasSuffix(what, "settings.json") && times < 2 {
			times++
			w.write(".agent/settings.json", fmt.Sprintf("{\n  \"theirs\": %d\n}\n", times))
		}
		return nil
	}
	w.install()
	if got := w.read(".agent/settings.json"); !strings.Contains(got, `"theirs": 2`) || !strings.Contains(got, "/bin/ken") {
		t.Errorf("settings: %s", got)
	}
	w.in.step = nil
	w.uninstall()
	if got := w.read(".agent/settings.json"); got != "{\n  \"theirs\": 2\n}\n" {
		t.Errorf("settings: %s", got)
	}
	w.in.step = func(what string) error { // for ever
		times++
		w.write(".agent/settings.json", fmt.Sprintf("{\"theirs\": %d}", times))
		return nil
	}
	if _, err := w.in.Install(context.Background(), w.plan); !errors.Is(err, errRaced) {
		t.Errorf("a file that changes all the time: %v", err)
	}
}

// TestUnrecorded: without a manifest, as in a clone of what somebody else installed,
// what is exactly ken's goes.
func TestUnrecorded(t *testing.T) {
	w := newWorld(t, map[string]string{".agent/settings.json": "{\n  \"a\": 1\n}\n", "RULES.md": "mine\n"})
	w.install()
	if err := os.RemoveAll(w.in.State); err != nil {
		t.Fatal(err)
	}
	w.uninstall()
	for name, want := range map[string]string{".agent/settings.json": "{\n  \"a\": 1\n}\n", "RULES.md": "mine\n\n", ".agent/skills/ken-query/SKILL.md": "-"} {
		if got := w.read(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got := w.uninstall(); !NothingToDo(got) {
		t.Errorf("again: %+v", got)
	}
}

// TestSharedList: of two installations that want the same line, the last one that goes
// takes it out.
func TestSharedList(t *testing.T) {
	w := newWorld(t, map[string]string{".git/info/exclude": "*.log\n"})
	other := *w
	other.plan = w.planOf("/bin/ken")
	other.plan.Name = "test-other"
	w.install()
	all := w.read(".git/info/exclude")
	other.plan.Settings, other.plan.Blocks, other.plan.Files, other.plan.Tables, other.plan.Members = nil, nil, nil, nil, nil
	other.install()
	w.uninstall()
	if got := w.read(".git/info/exclude"); got != all {
		t.Errorf("after the first: %q", got)
	}
	other.uninstall()
	if got := w.read(".git/info/exclude"); got != "*.log\n" {
		t.Errorf("after both: %q", got)
	}
}

// TestSharedFile: a file that two installations have goes with the last of them; one that
// somebody has committed stays.
func TestSharedFile(t *testing.T) {
	skill := ".agent/skills/ken-query/SKILL.md"
	for _, firstGoes := range []bool{true, false} {
		w := newWorld(t, nil)
		before := tree(t, w.dir)
		other := *w
		other.plan = w.planOf("/bin/ken")
		other.plan.Name = "test-other"
		other.plan.Settings, other.plan.Blocks, other.plan.Lines, other.plan.Tables, other.plan.Members = nil, nil, nil, nil, nil
		w.install()
		other.install()
		one, two := w, &other
		if !firstGoes {
			one, two = two, one
		}
		one.uninstall()
		if got := w.read(skill); got != fileText {
			t.Errorf("first goes %v: %q", firstGoes, got)
		}
		two.uninstall()
		if got := w.read(skill); got != "-" {
			t.Errorf("first goes %v, both gone: %q", firstGoes, got)
		}
		w.same("both gone", before)
	}

	w := newWorld(t, map[string]string{skill: fileText})
	w.plan.Files[0].Yield = true
	before := tree(t, w.dir)
	w.uninstall()
	w.same("nothing was installed", before)
	w.install()
	w.install()
	w.uninstall()
	w.same("what was there before stays", before)
	w.plan.Files[0].Yield = false
	w.uninstall()
	if got := w.read(skill); got != "-" {
		t.Errorf("what is exactly ken's: %q", got)
	}
}

// TestOwner: owner and group of a file that root edits stay.
func TestOwner(t *testing.T) {
	w := newWorld(t, map[string]string{".agent/settings.json": "{}\n"})
	if os.Geteuid() != 0 {
		t.Skip("only root gives files away")
	}
	if err := os.Chown(w.path(".agent/settings.json"), 1234, 2345); err != nil {
		t.Skip(err)
	}
	for _, do := range []func() []Change{w.install, w.uninstall} {
		do()
		st, err := os.Stat(w.path(".agent/settings.json"))
		if err != nil || fmt.Sprint(reflect.ValueOf(st.Sys()).Elem().FieldByName("Uid").Uint()) != "1234" {
			t.Errorf("%v: owner of %+v", err, st.Sys())
		}
	}
}

// TestYield: a value that yields leaves what is there, and does not take it out later.
func TestYield(t *testing.T) {
	w := newWorld(t, map[string]string{".agent/settings.json": "{\n  \"statusLine\": 1\n}\n"})
	w.plan.Settings[0].Values[0].Yield = true
	before := tree(t, w.dir)
	w.install()
	if got := w.read(".agent/settings.json"); !strings.Contains(got, `"statusLine": 1`) {
		t.Errorf("settings: %s", got)
	}
	w.uninstall()
	w.same("taken out", before)
}

func TestReplaced(t *testing.T) {
	w := newWorld(t, map[string]string{".agent/settings.json": "{\n  \"statusLine\": {\"command\": \"date\" /* mine */}\n}\n"})
	w.install()
	got := w.in.PreviousValue(w.plan.Name, w.plan.Root, w.path(".agent/settings.json"), "statusLine")
	if !jsonEqual(string(got), `{"command":"date"}`) {
		t.Errorf("%s", got)
	}
	if got := w.in.PreviousValue("no", w.dir, "", ""); got != nil {
		t.Errorf("%s", got)
	}
	list, err := w.in.List()
	if err != nil || len(list) != 1 || !reflect.DeepEqual(list[0], Installed{Name: w.plan.Name, Root: w.dir, Complete: true}) {
		t.Errorf("%v %v", list, err)
	}
}

// TestNoState: where no record can be kept nothing is installed.
func TestNoState(t *testing.T) {
	for _, state := range []string{"", os.DevNull} {
		w := newWorld(t, nil)
		w.in.State = state
		before := tree(t, w.dir)
		if _, err := w.in.Install(context.Background(), w.plan); err == nil {
			t.Errorf("%q: installed", state)
		}
		w.same("nothing is written", before)
	}
}

// TestTogether: several processes at once install once.
func TestTogether(t *testing.T) {
	w := newWorld(t, map[string]string{".agent/settings.json": "{}\n"})
	before := tree(t, w.dir)
	errs := make(chan error)
	for range 8 {
		go func() {
			_, err := (&Installer{State: w.in.State}).Install(context.Background(), w.plan)
			errs <- err
		}()
	}
	for range 8 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if n := strings.Count(w.read(".agent/settings.json"), `"late"`); n != 1 {
		t.Errorf("%d entries", n)
	}
	w.uninstall()
	w.same("taken out", before)
}
