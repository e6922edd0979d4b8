package setup

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ken/internal/operation"
	"ken/internal/workflow/install"
)

// TestOneFails: a product of which a file cannot be written is left out and named, nothing of it is written, and the others are installed.
func TestOneFails(t *testing.T) {
	dir := t.TempDir()
	root, home := filepath.Join(dir, "p"), filepath.Join(dir, "h")
	broken := filepath.Join(home, ".gemini", "settings.json")
	write(t, broken, "{")
	if err := os.MkdirAll(root, 0o755); err != nil {
		t.Fatal(err)
	}
	in := installInput{Runtimes: []string{"gemini", "codex", "qwen"}, User: true, Yes: true}
	a, err := run(t, root, home, in, installDirection(), nil)
	if err == nil || !strings.Contains(err.Error(), "gemini: "+broken) || a == nil || !a.Changed {
		t.Fatalf("%v, %+v", err, a)
	}
	if f := a.Files[0]; f.Action != failed || f.Runtime != "gemini" || !strings.Contains(f.Note, broken) {
		t.Errorf("%+v", f)
	}
	for name, want := range map[string]bool{".codex/hooks.json": true, ".qwen/settings.json": true, ".gemini/GEMINI.md": false, ".gemini/skills": false} {
		if _, err := os.Stat(filepath.Join(home, name)); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := run(t, root, home, installInput{Runtimes: []string{"gemini"}, User: true, Yes: true}, installDirection(), nil); err == nil {
		t.Error("it alone is installed")
	}
}

// TestWSL: programs and settings on the Windows side are not those of this system.
func TestWSL(t *testing.T) {
	vars := map[string]string{"WSL_DISTRO_NAME": "Debian", "PATH": "/mnt/c/Users/me/bin", "HOME": "/home/me", "CODEX_HOME": "/mnt/c/Users/me/.codex"}
	e := at("/", vars)
	for path, want := range map[string]bool{"/mnt/c": true, "/mnt/d/x": true, "/mnt/data/x": false, "/home/mnt/c": false} {
		if onWindowsSide(e.Getenv, path) != want || onWindowsSide(func(string) string { return "" }, path) {
			t.Errorf("%s: not %v", path, want)
		}
	}
	p := &target{getenv: e.Getenv, scope: "user", plans: []*install.Plan{{Root: vars["CODEX_HOME"]}}}
	if err := p.refuseWindowsSide(); err == nil || !strings.Contains(err.Error(), "is on the Windows side of WSL") {
		t.Errorf("%v", err)
	}
	p.scope = "project"
	if err := p.refuseWindowsSide(); err != nil {
		t.Errorf("a project may be there: %v", err)
	}
}

// TestOldNode: a client whose package wants a newer node than that in PATH is named, by files alone.
func TestOldNode(t *testing.T) {
	dir := t.TempDir()
	bin := filepath.Join(dir, "bin")
	module := filepath.Join(dir, "lib", "node_modules", "@google", "gemini-cli")
	write(t, filepath.Join(dir, "node", "bin", "node"), "")
	write(t, filepath.Join(dir, "node", "include", "node", "node_version.h"), "#define NODE_MAJOR_VERSION 18\n#define NODE_MINOR_VERSION 19\n#define NODE_PATCH_VERSION 1\n")
	write(t, filepath.Join(module, "dist", "index.js"), "")
	write(t, filepath.Join(module, "package.json"), `{"name": "@google/gemini-cli", "engines": {"node": ">=20"}}`)
	if err := os.MkdirAll(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"node": filepath.Join(dir, "node", "bin", "node"), "gemini": filepath.Join(module, "dist", "index.js")} {
		if err := os.Symlink(to, filepath.Join(bin, name)); err != nil {
			t.Skip(err)
		}
	}
	getenv := func(name string) string { return map[string]string{"PATH": bin}[name] }
	list := oldNode(getenv)
	if len(list) != 1 || !strings.HasPrefix(list[0], "node 18.19.1 in PATH is older than 20.0.0, which Gemini CLI (@google/gemini-cli) wants") {
		t.Errorf("%q", list)
	}
	for _, wanted := range []string{">=18", ">=18.19.1", "^20 || ^22", ""} {
		write(t, filepath.Join(module, "package.json"), `{"name": "@google/gemini-cli", "engines": {"node": "`+wanted+`"}}`)
		if list := oldNode(getenv); len(list) != 0 {
			t.Errorf("%s: %q", wanted, list)
		}
	}
	for path, want := range map[string]string{"/home/me/.nvm/versions/node/v22.19.0/bin": "22.19.0", "/opt/node-v20.1.2-linux-x64/bin": "20.1.2"} {
		if v, ok := parseNode(inPathNode().FindStringSubmatch(path)); !ok || v.String() != want {
			t.Errorf("%s: %v, %v", path, v, ok)
		}
	}
	if _, ok := parseNode(inPathNode().FindStringSubmatch("/usr/bin")); ok {
		t.Error("a version in /usr/bin")
	}
}

// TestOutdated: an installation by another version is named once, with what brings it up to date, and by doctor each time.
func TestOutdated(t *testing.T) {
	dir := t.TempDir()
	root, home := filepath.Join(dir, "p"), filepath.Join(dir, "h")
	if err := os.MkdirAll(root, 0o755); err != nil {
		t.Fatal(err)
	}
	in := installInput{Runtimes: []string{"codex"}, Project: true, Yes: true, Profile: profileCore}
	if _, err := run(t, root, home, in, installDirection(), nil); err != nil {
		t.Fatal(err)
	}
	getenv := func(name string) string {
		return map[string]string{"HOME": home, "KEN_STATE": filepath.Join(home, "state")}[name]
	}
	if text := OutdatedNotice(getenv, "codex", root); text != "" {
		t.Errorf("the same version: %s", text)
	}
	relations := func() (list []string) {
		installs, err := RecordedInstalls(getenv)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range installs {
			list = append(list, r.Product+" "+r.Scope+" "+r.Root+" "+r.Relation+" "+r.Advice)
		}
		return list
	}
	if got, want := relations(), []string{"codex project " + root + " same "}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	age(t, filepath.Join(home, "state"))
	if got := relations(); len(got) != 1 || !strings.HasSuffix(got[0], `run "ken install codex --project --profile core"`) {
		t.Errorf("%q", got)
	}
	want := `installed by ken v0.0.1, this is ` + operation.Version() + `: run "ken install codex --project --profile core"`
	if text := OutdatedNotice(getenv, "codex", filepath.Join(dir, "other")) + OutdatedNotice(getenv, "gemini", root); text != "" {
		t.Errorf("another project or product: %s", text)
	}
	if text := OutdatedNotice(getenv, "codex", root); text != want {
		t.Errorf("%s", text)
	}
	if text := OutdatedNotice(getenv, "codex", root); text != "" {
		t.Errorf("twice: %s", text)
	}
	if a, err := run(t, root, home, in, installDirection(), nil); err != nil || a.Changed {
		t.Errorf("%+v, %v", a, err)
	}
	if text := OutdatedNotice(getenv, "codex", root); text != "" {
		t.Errorf("brought up to date: %s", text)
	}
}

// age has all records say that an old version of ken wrote them.
func age(t *testing.T, state string) {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(state, "install", "*", "manifest.json"))
	if err != nil || len(list) == 0 {
		t.Fatal(list, err)
	}
	for _, path := range list {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		aged := strings.Replace(string(data), `"ken": "`+operation.Version()+`"`, `"ken": "v0.0.1"`, 1)
		if aged == string(data) {
			t.Fatalf("no version in %s", data)
		}
		write(t, path, aged)
	}
}

func TestRelation(t *testing.T) {
	for _, c := range [][3]string{
		{"v1.2.0", "v1.2.0", "same"}, {"(devel)", "(devel)", "same"}, {"", "v1.0.0", "older"}, {"(devel)", "v1.0.0", "other"},
		{"v1.2.0", "v1.10.0", "older"}, {"v1.10.0", "v1.2.0", "newer"}, {"v1.2.0-rc.1", "v1.2.0", "older"},
		{"v0.0.0-20260102030405-abcdefabcdef", "v0.0.0-20260101030405-abcdefabcdef", "newer"}, {"v1.2.0", "v1.2.0+dirty", "other"},
	} {
		if got := relation(c[0], c[1]); got != c[2] {
			t.Errorf("%s seen by %s: %s, want %s", c[0], c[1], got, c[2])
		}
	}
}
