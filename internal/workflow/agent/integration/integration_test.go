package integration

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/pelletier/go-toml/v2"

	"ken/internal/workflow/agent/runtimes"
	"ken/internal/workflow/install"
)

var update = flag.Bool("update", false, "write the golden trees")

// place makes the folders of a user and a project.
func place(t *testing.T, s Scope) Options {
	t.Helper()
	dir := t.TempDir()
	o := Options{
		Scope: s, Root: filepath.Join(dir, "project"), Home: filepath.Join(dir, "home"), Getenv: func(string) string { return "" }, Ken: "/opt/my tools/ken",
		Shell: "'/opt/my tools/ken'",
	}
	for _, d := range []string{o.Root, o.Home} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return o
}

// tree returns the files below the folders of a place, by their paths from its folder.
func tree(t *testing.T, o Options) map[string]string {
	t.Helper()
	top, files := filepath.Dir(o.Root), map[string]string{}
	err := filepath.WalkDir(top, func(at string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(at)
		rel, _ := filepath.Rel(top, at)
		files[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func installAll(t *testing.T, in *install.Installer, plans []*install.Plan) (changed bool) {
	t.Helper()
	for _, p := range plans {
		list, err := in.Install(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		changed = changed || !install.NothingToDo(list)
	}
	return changed
}

func removeAll(t *testing.T, in *install.Installer, plans []*install.Plan) {
	t.Helper()
	for _, p := range plans {
		if _, err := in.Uninstall(context.Background(), p); err != nil {
			t.Fatal(err)
		}
	}
}

// described are the runtimes that this package installs.
func described() []runtimes.Runtime {
	return slices.DeleteFunc(runtimes.All(), func(r runtimes.Runtime) bool { return r.Name == "claude" })
}

// TestTrees: what is written for each runtime in each scope is that of testdata, is well formed, is not changed by a second run, and is
// gone afterwards.
func TestTrees(t *testing.T) {
	for _, r := range described() {
		for _, s := range []Scope{Project, User} {
			t.Run(Name(r.Name, s), func(t *testing.T) {
				o := place(t, s)
				plans, err := Plans(r, o)
				if errors.Is(err, ErrNothing) {
					if _, err := os.Stat(filepath.Join("testdata", Name(r.Name, s)+".txt")); err == nil {
						t.Error("there is a golden tree of nothing")
					}
					return
				}
				if err != nil {
					if s == User && r.Home.Dir+r.Home.Conf == "" {
						return
					}
					t.Fatal(err)
				}
				in := &install.Installer{State: filepath.Join(t.TempDir(), "state")}
				installAll(t, in, plans)
				files := tree(t, o)
				for name, text := range files {
					checkForm(t, name, text)
				}
				var b strings.Builder
				for _, name := range slices.Sorted(maps.Keys(files)) {
					text := files[name]
					if strings.Contains(name, "/skills/") {
						text = "(a skill)\n"
					}
					b.WriteString("-- " + name + " --\n" + strings.ReplaceAll(text, filepath.ToSlash(filepath.Dir(o.Root)), "DIR"))
				}
				golden := filepath.Join("testdata", Name(r.Name, s)+".txt")
				if *update {
					if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				if want, err := os.ReadFile(golden); err != nil || string(want) != b.String() {
					t.Errorf("%s differs (-update writes it), %v:\n%s", golden, err, b.String())
				}
				if installAll(t, in, plans) {
					t.Error("a second run changed something")
				}
				removeAll(t, in, plans)
				if left := tree(t, o); len(left) > 0 {
					t.Errorf("left behind: %v", slices.Sorted(maps.Keys(left)))
				}
			})
		}
	}
}

func checkForm(t *testing.T, name, text string) {
	t.Helper()
	var err error
	switch filepath.Ext(name) {
	case ".json":
		err = json.Unmarshal([]byte(text), new(any))
	case ".yaml":
		err = yaml.UnmarshalWithOptions([]byte(text), &map[string]any{}, yaml.Strict())
	case ".toml":
		err = toml.Unmarshal([]byte(text), &map[string]any{})
	case ".md":
		if strings.Contains(name, "SKILL") {
			err = checkFrontMatter(text, filepath.Base(filepath.Dir(name)))
		}
	case ".sh", "":
		if !strings.HasPrefix(text, "#!/bin/sh\nexec ") || strings.Count(text, "\n") != 2 {
			t.Errorf("%s is no script of two lines", name)
		}
	}
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
}

// checkFrontMatter fails if a skill does not begin with strict YAML that has its name and a description, and nothing else.
func checkFrontMatter(text, name string) error {
	matter, _, ok := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
	if !ok || !strings.HasPrefix(text, "---\n") {
		return errors.New("it has no front matter")
	}
	var fields struct {
		Name        string `yaml:"name"`
		Description string `yaml:"description"`
	}
	err := yaml.UnmarshalWithOptions([]byte(matter), &fields, yaml.Strict())
	if err == nil && (fields.Name != name || fields.Description == "") {
		err = fmt.Errorf("%+v is its front matter", fields)
	}
	return err
}

// seeds are contents that a file of settings has before ken comes.
var seeds = map[string][]string{
	".json": {
		"{}", "{\r\n  \"theme\": \"dark\"\r\n}\r\n", "\ufeff{\"a\": [1, 2]}\n",
		"{\n\t\"z\": 1,\n\t\"mcpServers\": {\"other\": {\"command\": \"x\", \"args\": []}},\n\t\"mcp\": {\"other\": {\"type\": \"local\", \"command\": [\"x\"]}},\n" +
			"\t\"hooks\": {\"SessionStart\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"beep\"}]}], \"stop\": [{\"command\": \"beep\"}]},\n\t\"a\": null\n}",
		"{ // mine\n  \"hooks\": {}, /* empty */\n}\n",
	},
	".toml": {"", "# mine\nmodel = \"x\" # y\n", "[mcp_servers.other]\r\ncommand = \"x\"\r\n", "a = 1", "\n\n"},
	".yaml": {
		"", "# mine\nmodel: x # other\n", "\ufeffextensions:\r\n  other: # mine\r\n    cmd: x\r\nmodel: y\r\n", "extensions: {other: {cmd: x}} # mine",
		"a: 1\nextensions: # mine\nz: [1, 2]\n",
	},
	".md": {"# Rules\n", "no line end", "# a\r\n\r\nb\r\n", ""},
}

// TestSeeded: a file that was there before has its bytes again when ken is taken out, and what others wrote in it stays meanwhile.
func TestSeeded(t *testing.T) {
	for _, r := range described() {
		for _, s := range []Scope{Project, User} {
			o := place(t, s)
			plans, err := Plans(r, o)
			if err != nil {
				continue
			}
			for i := range 5 {
				seeded := map[string]string{}
				for _, at := range sharedFiles(plans) {
					list := seeds[filepath.Ext(at)]
					if i >= len(list) {
						continue
					}
					if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(at, []byte(list[i]), 0o644); err != nil {
						t.Fatal(err)
					}
					seeded[at] = list[i]
				}
				before := tree(t, o)
				in := &install.Installer{State: filepath.Join(t.TempDir(), "state")}
				installAll(t, in, plans)
				for at, text := range seeded {
					now, _ := os.ReadFile(at)
					for _, word := range []string{"mine", "beep", "other", "dark", "model"} {
						if strings.Count(text, word) > strings.Count(string(now), word) {
							t.Errorf("%s %s: %q is gone from %s", r.Name, s, word, at)
						}
					}
				}
				if installAll(t, in, plans) {
					t.Errorf("%s %s, seed %d: a second run changed something", r.Name, s, i)
				}
				removeAll(t, in, plans)
				if after := tree(t, o); !maps.Equal(after, before) {
					t.Errorf("%s %s, seed %d: not as before:\n%q\n%q", r.Name, s, i, before, after)
				}
				for at := range seeded {
					os.Remove(at)
				}
			}
		}
	}
}

// sharedFiles returns the files of plans that others write, too.
func sharedFiles(plans []*install.Plan) (list []string) {
	for _, p := range plans {
		for _, s := range p.Settings {
			list = append(list, s.Path)
		}
		for _, x := range p.Tables {
			list = append(list, x.Path)
		}
		for _, b := range p.Blocks {
			list = append(list, b.Path)
		}
		for _, m := range p.Members {
			list = append(list, m.Path)
		}
	}
	return list
}

// TestRefused: a file in another form stays as it is, and nothing else is written.
func TestRefused(t *testing.T) {
	for _, test := range []struct{ runtime, file, text, note string }{
		{"codex", ".codex/config.toml", "a = \n", "not TOML"},
		{"codex", ".codex/config.toml", "mcp_servers = {x = {command = \"x\"}}\n", "cannot be added"},
		{"gemini", ".gemini/settings.json", "{", ""},
		{"gemini", ".gemini/settings.json", `{"hooks": []}`, ""},
		{"opencode", "opencode.json", `{"mcp": "x"}`, ""},
	} {
		o := place(t, Project)
		at := filepath.Join(o.Root, filepath.FromSlash(test.file))
		os.MkdirAll(filepath.Dir(at), 0o755)
		os.WriteFile(at, []byte(test.text), 0o644)
		r, _ := runtimes.Named(test.runtime)
		plans, err := Plans(r, o)
		if err != nil {
			t.Fatal(err)
		}
		in := &install.Installer{State: filepath.Join(t.TempDir(), "state")}
		if _, err := in.Install(context.Background(), plans[0]); err == nil || !strings.Contains(err.Error(), test.note) {
			t.Errorf("%s %q: %v", test.runtime, test.text, err)
		}
		if left := tree(t, o); len(left) != 1 {
			t.Errorf("%s %q: %v", test.runtime, test.text, slices.Sorted(maps.Keys(left)))
		}
	}
	// A server of that name that runs something else is the user's.
	o := place(t, Project)
	text := "[mcp_servers.ken]\ncommand = \"mine\"\n"
	os.MkdirAll(filepath.Join(o.Root, ".codex"), 0o755)
	os.WriteFile(filepath.Join(o.Root, ".codex/config.toml"), []byte(text), 0o644)
	r, _ := runtimes.Named("codex")
	plans, _ := Plans(r, o)
	in := &install.Installer{State: filepath.Join(t.TempDir(), "state")}
	installAll(t, in, plans)
	if now, _ := os.ReadFile(filepath.Join(o.Root, ".codex/config.toml")); string(now) != text {
		t.Errorf("%s", now)
	}
	removeAll(t, in, plans)
	if now, _ := os.ReadFile(filepath.Join(o.Root, ".codex/config.toml")); string(now) != text {
		t.Errorf("%s", now)
	}
}
