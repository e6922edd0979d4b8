package claude

import (
	"bytes"
	"context"
	"encoding/json"
	stdflag "flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/token"
	"ken/internal/workflow/agent"
	"ken/internal/workflow/agent/skills"
	"ken/internal/workflow/install"
)

var update = stdflag.Bool("update", false, "rewrite the expected output in testdata")

// place is a home with a project in it, and the options of a scope.
func place(t *testing.T, s Scope) (dir string, o Options) {
	t.Helper()
	dir = t.TempDir()
	root := filepath.Join(dir, "work", "shop")
	if err := os.MkdirAll(filepath.Join(root, ".git", "info"), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir, Options{Scope: s, Root: root, Home: dir, Ken: "/opt/my tools/ken", Shell: "'/opt/my tools/ken'", CommonDir: filepath.Join(root, ".git")}
}

// TestInstalled compares what an installation of each scope writes into an empty
// project with testdata, and takes it out again.
func TestInstalled(t *testing.T) {
	for _, s := range []Scope{Local, Project, User} {
		t.Run(string(s), func(t *testing.T) {
			dir, o := place(t, s)
			p, err := Plan(o)
			if err != nil {
				t.Fatal(err)
			}
			in := &install.Installer{State: filepath.Join(t.TempDir(), "ken")}
			compare(t, in, p, dir, string(s))
			left, err := filepath.Glob(filepath.Join(dir, "work", "shop", "*"))
			if err != nil || len(left) != 1 { // .git
				t.Errorf("left: %v %v", left, err)
			}
		})
	}
}

func TestPlugin(t *testing.T) {
	dir := t.TempDir()
	p, err := Plugin(filepath.Join(dir, "made", "ken-plugin"))
	if err != nil {
		t.Fatal(err)
	}
	in := &install.Installer{State: filepath.Join(t.TempDir(), "ken")}
	compare(t, in, p, dir, "plugin")
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left: %v %v", left, err)
	}
}

// compare installs, compares every file with testdata/NAME, and takes out.
func compare(t *testing.T, in *install.Installer, p *install.Plan, dir, name string) {
	t.Helper()
	changes, err := in.Install(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, c := range changes {
		rel, err := filepath.Rel(dir, c.Path)
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(c.Path)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&got, "== %s %s: %s\n%s", c.Action, filepath.ToSlash(rel), c.What, data)
		if strings.HasSuffix(c.Path, ".json") && !json.Valid(data) {
			t.Errorf("%s is no JSON", rel)
		}
	}
	golden := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", golden, diff)
	}
	if _, err := in.Uninstall(context.Background(), p); err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		if _, err := os.Lstat(c.Path); err == nil {
			t.Errorf("%s is left", c.Path)
		}
	}
}

// TestSeeds: whatever settings there are, in each scope a second installation changes
// nothing, and every byte comes back.
func TestSeeds(t *testing.T) {
	for name, seed := range map[string]string{
		"empty":    "",
		"object":   "{}",
		"minimal":  "{\n  \"model\": \"opus\"\n}\n",
		"mixed":    "\xEF\xBB\xBF// mine\r\n{\r\n\t\"hooks\": { // all\r\n\t\t\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"beep\"}]}],\r\n\t},\r\n}",
		"compact":  `{"hooks":{"SessionEnd":[]},"statusLine":{"type":"command","command":"date"},"ü":"日本"}`,
		"of a ken": `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/old/ken","args":["hook","claude","stop"]}]}]}}`,
	} {
		for _, s := range []Scope{Local, Project, User} {
			_, o := place(t, s)
			p, err := Plan(o)
			if err != nil {
				t.Fatal(err)
			}
			for path, text := range map[string]string{o.settingsFile(): seed, o.rulesFile(): "mine, without a line end"} {
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			in := &install.Installer{State: filepath.Join(t.TempDir(), "ken")}
			first, err := in.Install(context.Background(), p)
			if err != nil {
				t.Fatal(name, s, err)
			}
			second, err := in.Install(context.Background(), p)
			if err != nil || install.NothingToDo(first) || !install.NothingToDo(second) {
				t.Errorf("%s, %s: a second installation: %v", name, s, err)
			}
			if _, err := in.Uninstall(context.Background(), p); err != nil {
				t.Fatal(name, s, err)
			}
			for _, c := range first {
				data, err := os.ReadFile(c.Path)
				if c.Action == install.Created && err == nil || c.Action == install.Changed && !bytes.Equal(data, c.Before) {
					t.Errorf("%s, %s: %s is %q", name, s, c.Path, data)
				}
			}
		}
	}
}

// TestHooks: every kind of event is registered once, as the client spells it, and times
// are seconds.
func TestHooks(t *testing.T) {
	var kinds []agent.Kind
	for _, h := range hooks {
		if kind := events[h.name]; kind != h.kind && !(h.async && kind == agent.Stop && h.kind == agent.StopAsync) {
			t.Errorf("%s is registered as %s", h.name, h.kind)
		}
		if h.timeout < 1 || h.timeout > 60 {
			t.Errorf("%s: %d s", h.kind, h.timeout)
		}
		if strings.Trim(h.matcher, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_|") != "" {
			t.Errorf("%s: the matcher %s would be taken for an expression", h.kind, h.matcher)
		}
		kinds = append(kinds, h.kind)
	}
	if !slices.Equal(kinds, agent.Kinds()) {
		t.Errorf("registered are %v", kinds)
	}
	for tool := range tools {
		if !slices.Contains(strings.Split(hooks[3].matcher, "|"), tool) {
			t.Errorf("ken knows the tool %s, and is not called after it", tool)
		}
	}
}

// TestRules: the block costs little in every session, and names no path of this
// machine where it is committed.
func TestRules(t *testing.T) {
	for _, s := range []Scope{Local, Project, User} {
		_, o := place(t, s)
		o.Shell = "'/home/somebody/go/my tools/bin/ken'"
		if n := token.New(token.O200K).CountString(o.rulesText()); n > 150 {
			t.Errorf("%s: %d tokens", s, n)
		}
		if strings.Contains(o.rulesText()+skills.All()[0].Called(o.shell()), "/home") != (s != Project) {
			t.Errorf("%s: %s", s, o.rulesText())
		}
	}
}

func TestQuoted(t *testing.T) {
	for in, want := range map[string]string{
		"/usr/bin/ken": "/usr/bin/ken", "/my tools/ken": "'/my tools/ken'", "/it's/ken": `'/it'\''s/ken'`, "/$HOME/`x`/ken": "'/$HOME/`x`/ken'", "/ü/ken": "'/ü/ken'", "": "''",
	} {
		if got := ShellWord(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// TestUserStatusLine: only the user's own is given, also the one that ken replaced.
func TestUserStatusLine(t *testing.T) {
	dir, o := place(t, User)
	in := &install.Installer{State: filepath.Join(t.TempDir(), "ken")}
	settings := filepath.Join(dir, ".claude", "settings.json")
	if got := UserStatusLine(in, o); got != "" {
		t.Errorf("without settings: %q", got)
	}
	before := []byte("{\n  \"statusLine\": {\"type\": \"command\", \"command\": \"date\"} // mine\n}\n")
	if err := os.MkdirAll(filepath.Dir(settings), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(settings, before, 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := Plan(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, installed := range []bool{false, true} {
		if installed {
			if _, err := in.Install(context.Background(), p); err != nil {
				t.Fatal(err)
			}
		}
		o.Scope = Local
		if got := UserStatusLine(in, o); got != "date" {
			t.Errorf("installed %v: %q", installed, got)
		}
	}
	if err := os.RemoveAll(in.State); err != nil {
		t.Fatal(err)
	}
	if got := UserStatusLine(in, o); got != "" {
		t.Errorf("ken's own is composed with itself: %q", got)
	}
	if data, err := os.ReadFile(settings); err != nil || bytes.Equal(data, before) {
		t.Error("nothing was installed")
	}
}

// TestApart: a folder in a project is never taken for the user's.
func TestApart(t *testing.T) {
	home := t.TempDir()
	shop := filepath.Join(home, "shop")
	for _, c := range []struct {
		home, config string
		projects     []string
		want         bool
	}{
		{home, "", []string{shop, ""}, true},
		{home, "", []string{home}, true}, // dotfiles
		{home, filepath.Join(home, ".claude"), []string{home}, true},
		{home, filepath.Join(home, "claude"), []string{shop}, true},
		{home, filepath.Join(shop, ".claude"), []string{shop}, false},
		{home, shop, []string{shop}, false},
		{filepath.Join(shop, "home"), "", []string{shop}, false},
		{home, filepath.Join(shop, "..", "shop", "x"), []string{"/elsewhere", shop}, false},
		{home, "relative", []string{shop}, false},
	} {
		o := Options{Home: c.home, ConfigDir: c.config}
		if got := o.UserSettingsApart(c.projects); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	link := filepath.Join(home, "link")
	if err := os.MkdirAll(shop, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(shop, link); err != nil {
		t.Skip(err)
	}
	if (Options{Home: home, ConfigDir: link}).UserSettingsApart([]string{shop}) {
		t.Error("a link into a project is taken for the user's folder")
	}
}

func TestProjectRules(t *testing.T) {
	_, o := place(t, Project)
	below := filepath.Join(o.Root, ".claude", "CLAUDE.md")
	if got := o.rulesFile(); got != filepath.Join(o.Root, "CLAUDE.md") {
		t.Error(got)
	}
	if err := os.MkdirAll(filepath.Dir(below), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(below, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if got := o.rulesFile(); got != below {
		t.Error(got)
	}
}

func TestIgnored(t *testing.T) {
	o := Options{Prefix: "a[1]/b"}
	if got := o.ignorePatterns()[0]; got != `/a\[1]/b/CLAUDE.local.md` {
		t.Error(got)
	}
}
