package integration

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/workflow/agent/runtimes"
	"ken/internal/workflow/install"
)

// plansOn returns the plans of a runtime on a system, with ken in a folder whose name has a blank.
func plansOn(t *testing.T, name, system string, s Scope, change func(*Options)) (Options, []*install.Plan) {
	t.Helper()
	r, ok := runtimes.Named(name)
	if !ok {
		t.Fatal(name)
	}
	o := place(t, s)
	o.System = system
	if system == "windows" {
		o.Ken, o.Shell = `C:\Program Files\ken\ken.exe`, `'C:\Program Files\ken\ken.exe'`
	}
	if change != nil {
		change(&o)
	}
	plans, err := Plans(r, o)
	if err != nil {
		t.Fatal(err)
	}
	return o, plans
}

// commands returns all texts of plans in which ken is called.
func commands(plans []*install.Plan) string {
	var b strings.Builder
	for _, p := range plans {
		for _, s := range p.Settings {
			for _, e := range s.Entries {
				b.Write(e.Value)
				b.WriteByte('\n')
			}
		}
		for _, x := range p.Tables {
			b.WriteString(x.Text + "\n")
		}
		for _, m := range p.Members {
			b.Write(m.Value)
			b.WriteByte('\n')
		}
		for _, f := range p.Files {
			if !strings.HasPrefix(f.What, "skill") {
				b.WriteString(filepath.Base(f.Path) + ":" + string(f.Data) + "\n")
			}
		}
	}
	return b.String()
}

// TestWindows: commands are written as the shell there takes them, with slashes, and scripts in its forms.
func TestWindows(t *testing.T) {
	for _, test := range []struct{ runtime, want string }{
		{"codex", `"& 'C:/Program Files/ken/ken.exe' hook codex session-start"`},
		{"codex", `command = "C:/Program Files/ken/ken.exe"`},
		{"gemini", `"& 'C:/Program Files/ken/ken.exe' hook gemini session-start"`},
		{"qwen", `"\"C:/Program Files/ken/ken.exe\" hook qwen session-start"`},
		{"copilot", `"powershell": "& 'C:/Program Files/ken/ken.exe' hook copilot session-start"`},
		{"copilot", `"bash": "\"C:/Program Files/ken/ken.exe\" hook copilot session-start"`},
		{"goose", `"cmd":"C:/Program Files/ken/ken.exe"`},
		{"opencode", `const ken = "C:/Program Files/ken/ken.exe"`},
		{"augment", "ken-stop.cmd:@\"C:\\Program Files\\ken\\ken.exe\" hook augment stop\r\n"},
		{"augment", `/.augment/hooks/ken-stop.cmd"`},
		{"cline", "TaskStart.ps1:$OutputEncoding"},
		{"cline", "$input | & 'C:/Program Files/ken/ken.exe' hook cline session-start\r\nexit $LASTEXITCODE\r\n"},
		{"kimi", `command = "\"C:/Program Files/ken/ken.exe\" hook kimi session-end"`},
	} {
		if _, plans := plansOn(t, test.runtime, "windows", User, nil); !strings.Contains(commands(plans), test.want) {
			t.Errorf("%s: no %s in\n%s", test.runtime, test.want, commands(plans))
		}
	}
	// A path without blanks needs no quotes in any shell.
	if _, plans := plansOn(t, "codex", "windows", User, func(o *Options) { o.Ken = `C:\ken\ken.exe` }); !strings.Contains(commands(plans), `"C:/ken/ken.exe hook codex stop"`) {
		t.Errorf("%s", commands(plans))
	}
	for name, want := range map[string]string{"zed": "Zed", "goose": "Block/goose/config"} {
		o, plans := plansOn(t, name, "windows", User, func(o *Options) {
			o.Getenv = func(v string) string { return map[string]string{"APPDATA": filepath.Join(o.Home, "AppData")}[v] }
		})
		if root := plans[0].Root; root != filepath.Join(o.Home, "AppData", filepath.FromSlash(want)) {
			t.Errorf("%s: settings in %s", name, root)
		}
	}
}

// TestPortable: nothing that is written names a path of this machine.
func TestPortable(t *testing.T) {
	for _, r := range described() {
		for _, s := range []Scope{Project, User} {
			o := place(t, s)
			o.Ken, o.Shell, o.Portable = "ken", "ken", true
			plans, err := Plans(r, o)
			if err != nil {
				continue
			}
			in := &install.Installer{State: filepath.Join(t.TempDir(), "state")}
			installAll(t, in, plans)
			for name, text := range tree(t, o) {
				if strings.Contains(text, o.Home) || strings.Contains(text, o.Root) || strings.Contains(text, "/opt/") {
					t.Errorf("%s, %s: %s names a path:\n%s", r.Name, s, name, text)
				}
			}
		}
	}
}

// TestDotfiles: settings that are a link into another folder of the user are edited through it, and stay a link. A link out of the home
// directory is refused, and nothing else is written.
func TestDotfiles(t *testing.T) {
	r, _ := runtimes.Named("gemini")
	o := place(t, User)
	dotfiles := filepath.Join(o.Home, "dotfiles", "gemini")
	file := filepath.Join(dotfiles, "settings.json")
	for _, dir := range []string{dotfiles, filepath.Join(o.Home, ".gemini")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	const mine = "{\n  // mine\n  \"theme\": \"dark\"\n}\n"
	if err := os.WriteFile(file, []byte(mine), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(o.Home, ".gemini", "settings.json")
	if err := os.Symlink("../dotfiles/gemini/settings.json", link); err != nil {
		t.Skip(err)
	}
	plans, err := Plans(r, o)
	if err != nil {
		t.Fatal(err)
	}
	in := &install.Installer{State: filepath.Join(t.TempDir(), "state")}
	isLink := func() bool {
		st, err := os.Lstat(link)
		return err == nil && st.Mode()&os.ModeSymlink != 0
	}
	installAll(t, in, plans)
	data, _ := os.ReadFile(file)
	if st, err := os.Stat(file); err != nil || st.Mode().Perm() != 0o600 || !strings.Contains(string(data), "mcpServers") || !isLink() {
		t.Errorf("%v %v %s", st, err, data)
	}
	removeAll(t, in, plans)
	if data, _ := os.ReadFile(file); string(data) != mine || !isLink() {
		t.Errorf("taken out: %s", data)
	}

	outside := filepath.Join(t.TempDir(), "settings.json")
	os.WriteFile(outside, []byte("{}"), 0o644)
	os.Remove(link)
	os.Symlink(outside, link)
	before := tree(t, o)
	if _, err := in.Install(context.Background(), plans[0]); err == nil || !strings.Contains(err.Error(), "which is outside of") {
		t.Errorf("%v", err)
	}
	if after := tree(t, o); len(after) != len(before) {
		t.Errorf("something was written: %d files, %d before", len(after), len(before))
	}
}
